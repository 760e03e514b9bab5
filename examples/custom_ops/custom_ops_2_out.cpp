// my_ops::mul4.out, for the runtime and for torch. With a context, a kernel says in words what it cannot do.
#include <executorch/runtime/kernel/kernel_includes.h>

namespace custom {
namespace native {

using executorch::aten::Tensor;
using executorch::runtime::Error;
using executorch::runtime::KernelRuntimeContext;

Tensor& mul4_out_impl(KernelRuntimeContext& context, const Tensor& input, Tensor& output) {
  ET_KERNEL_CHECK(context, executorch::runtime::tensors_have_same_dtype(input, output), InvalidArgument, output);
  ET_KERNEL_CHECK_MSG(context, executorch::runtime::resize_tensor(output, input.sizes()) == Error::Ok, InvalidArgument,
                      output, "the result does not fit");
  ET_SWITCH_REALHBF16_TYPES(input.scalar_type(), context, "mul4.out", CTYPE, [&]() {
    const CTYPE* from = input.const_data_ptr<CTYPE>();
    CTYPE* to = output.mutable_data_ptr<CTYPE>();
    for (auto i = input.numel(); i-- > 0;) to[i] = static_cast<CTYPE>(from[i] * static_cast<CTYPE>(4));
  });
  return output;
}

// The same without a context, as torch calls it.
Tensor& mul4_out_impl(const Tensor& input, Tensor& output) {
  KernelRuntimeContext context{};
  return mul4_out_impl(context, input, output);
}

}  // namespace native
}  // namespace custom
