// Kernels as sources for ExecuTorch have them: for the runtime as they are, and wrapped for torch by wrapped_ops.cpp.
#include <executorch/runtime/kernel/kernel_includes.h>

#include <vector>

namespace wrapped {
namespace native {

using executorch::aten::ArrayRef;
using executorch::aten::IntArrayRef;
using executorch::aten::Scalar;
using executorch::aten::ScalarType;
using executorch::aten::SizesType;
using executorch::aten::Tensor;
using executorch::aten::TensorList;
using executorch::runtime::Error;
using executorch::runtime::KernelRuntimeContext;

// Without a context, as the example of ExecuTorch has it.
Tensor& mul4_out(const Tensor& input, Tensor& output) {
  ET_CHECK(executorch::runtime::resize_tensor(output, input.sizes()) == Error::Ok);
  const float* from = input.const_data_ptr<float>();
  float* to = output.mutable_data_ptr<float>();
  for (ssize_t i = 0; i < input.numel(); ++i) to[i] = 4 * from[i];
  return output;
}

// The first `rows` of `input`, times `by`: of another size than what it reads.
Tensor& head_out(KernelRuntimeContext& context, const Tensor& input, int64_t rows, const Scalar& by, Tensor& out) {
  ET_KERNEL_CHECK_MSG(context, rows <= input.size(0), InvalidArgument, out, "rows=%d exceeds size %d of dim 0",
                      static_cast<int>(rows), static_cast<int>(input.size(0)));
  std::vector<SizesType> sizes(input.sizes().begin(), input.sizes().end());
  sizes[0] = static_cast<SizesType>(rows);
  const Error error = executorch::runtime::resize_tensor(out, ArrayRef<SizesType>(sizes.data(), sizes.size()));
  ET_KERNEL_CHECK_MSG(context, error == Error::Ok, InvalidArgument, out, "the out has no room for the result");
  ET_SWITCH_REALHBF16_TYPES(input.scalar_type(), context, "head.out", CTYPE, [&]() {
    const CTYPE* from = input.const_data_ptr<CTYPE>();
    CTYPE* to = out.mutable_data_ptr<CTYPE>();
    for (ssize_t i = 0; i < out.numel(); ++i) {
      const double product = static_cast<double>(from[i]) * by.to<double>();
      to[i] = static_cast<CTYPE>(product);
    }
  });
  return out;
}

// An argument of every other kind, summed up.
Tensor& kinds_out(KernelRuntimeContext& context, const executorch::aten::optional<Tensor>& base, TensorList pieces,
                  ArrayRef<executorch::aten::optional<Tensor>> maybe, IntArrayRef weights, ArrayRef<double> reals,
                  ArrayRef<bool> truths, executorch::aten::optional<IntArrayRef> more,
                  executorch::aten::optional<int64_t> whole, const executorch::aten::optional<Scalar>& number,
                  executorch::aten::optional<ScalarType> dtype, executorch::aten::string_view text, bool flag,
                  double real, ScalarType kind, Tensor& out) {
  (void)context;
  double sum = real + (flag ? 100 : 0) + static_cast<double>(text.size());
  if (base.has_value()) sum += base->const_data_ptr<float>()[0];
  for (const Tensor& each : pieces) sum += each.const_data_ptr<float>()[0];
  for (const auto& each : maybe) sum += each.has_value() ? each->const_data_ptr<float>()[0] : 1000;
  for (const int64_t each : weights) sum += static_cast<double>(each);
  for (const double each : reals) sum += each;
  for (const bool each : truths) sum += each;
  if (more.has_value()) {
    for (const int64_t each : *more) sum += static_cast<double>(each);
  }
  sum += static_cast<double>(whole.value_or(7)) + (number.has_value() ? number->to<double>() : 0);
  sum += static_cast<double>(kind) + static_cast<double>(dtype.value_or(ScalarType::Byte));
  out.mutable_data_ptr<float>()[0] = static_cast<float>(sum);
  return out;
}

std::tuple<Tensor&, Tensor&> both_out(const Tensor& input, Tensor& twice, Tensor& thrice) {
  for (ssize_t i = 0; i < input.numel(); ++i) {
    twice.mutable_data_ptr<float>()[i] = 2 * input.const_data_ptr<float>()[i];
    thrice.mutable_data_ptr<float>()[i] = 3 * input.const_data_ptr<float>()[i];
  }
  return {twice, thrice};
}

void halves_out(const Tensor& input, TensorList out) {
  const auto half = input.numel() / 2;
  for (size_t k = 0; k < 2; ++k) {
    for (ssize_t i = 0; i < half; ++i) {
      out[k].mutable_data_ptr<float>()[i] = input.const_data_ptr<float>()[static_cast<ssize_t>(k) * half + i];
    }
  }
}

}  // namespace native
}  // namespace wrapped
