// Kernels as sources for ExecuTorch have them, one with a context and two without. They are built in both modes.
#include <c10/util/irange.h>
#include <executorch/extension/kernel_util/make_boxed_from_unboxed_functor.h>
#include <executorch/runtime/kernel/kernel_includes.h>

namespace user {
namespace native {

using executorch::aten::IntArrayRef;
using executorch::aten::Scalar;
using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::aten::TensorList;
using executorch::runtime::Error;
using torch::executor::KernelRuntimeContext;

Tensor& scaled_out(KernelRuntimeContext& context, const Tensor& self, const Scalar& by, Tensor& out) {
  ET_KERNEL_CHECK_MSG(context, by.to<double>() != 0, InvalidArgument, out, "by is 0, and nothing would be left");
  ET_KERNEL_CHECK(context, executorch::runtime::tensors_have_same_dtype(self, out), InvalidArgument, out);
  ET_KERNEL_CHECK(context, executorch::runtime::tensor_is_contiguous(self), InvalidArgument, out);
  ET_KERNEL_CHECK(context, executorch::runtime::resize_tensor(out, self.sizes()) == Error::Ok, InvalidArgument, out);
  ET_SWITCH_REALHBF16_TYPES(self.scalar_type(), context, "scaled.out", CTYPE, [&]() {
    const CTYPE* from = self.const_data_ptr<CTYPE>();
    CTYPE* to = out.mutable_data_ptr<CTYPE>();
    for (const auto i : c10::irange(self.numel()))
      to[i] = static_cast<CTYPE>(from[i] * static_cast<CTYPE>(by.to<double>()));
  });
  return out;
}

Tensor& weighted_out(TensorList pieces, IntArrayRef weights, const exec_aten::optional<Tensor>& start,
                     exec_aten::optional<double> bias, Tensor& out) {
  ET_CHECK(out.scalar_type() == ScalarType::Float && pieces.size() == weights.size() && !pieces.empty());
  ET_CHECK(executorch::runtime::resize_tensor(out, pieces[0].sizes()) == Error::Ok);
  float* to = out.mutable_data_ptr<float>();
  for (const auto i : c10::irange(out.numel())) {
    float sum = static_cast<float>(bias.value_or(0)) + (start.has_value() ? start->const_data_ptr<float>()[i] : 0.0f);
    for (size_t k = 0; k < pieces.size(); ++k)
      sum += static_cast<float>(weights[k]) * pieces[k].const_data_ptr<float>()[i];
    to[i] = sum;
  }
  return out;
}

// What an out variant of several tensors looks like.
void halves_out(const Tensor& self, TensorList out) {
  const auto half = self.numel() / 2;
  for (const auto k : c10::irange(2)) {
    for (const auto i : c10::irange(half)) {
      out[static_cast<size_t>(k)].mutable_data_ptr<float>()[i] = self.const_data_ptr<float>()[k * half + i];
    }
  }
}

}  // namespace native
}  // namespace user

EXECUTORCH_LIBRARY(user, "halves.out", user::native::halves_out);
EXECUTORCH_LIBRARY(user, "scaled.out", user::native::scaled_out);
EXECUTORCH_LIBRARY(user, "weighted.out", user::native::weighted_out);
