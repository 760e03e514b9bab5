// A kernel of our own for aten::add.out, for floats of one shape.
#include <executorch/runtime/kernel/kernel_includes.h>

namespace custom {
namespace native {

using executorch::aten::Scalar;
using executorch::aten::Tensor;
using executorch::runtime::Error;

Tensor& add_out(const Tensor& a, const Tensor& b, const Scalar& alpha, Tensor& out) {
  ET_CHECK_MSG(executorch::runtime::tensors_have_same_shape_and_dtype(a, b), "both must have one shape and dtype");
  ET_CHECK_MSG(executorch::runtime::resize_tensor(out, a.sizes()) == Error::Ok, "the result does not fit");
  const float factor = alpha.to<float>();
  const float* left = a.const_data_ptr<float>();
  const float* right = b.const_data_ptr<float>();
  float* sum = out.mutable_data_ptr<float>();
  for (auto i = a.numel(); i-- > 0;) sum[i] = left[i] + factor * right[i];
  return out;
}

}  // namespace native
}  // namespace custom
