// my_ops::mul4 and my_ops::mul4.out for torch: the kernel of the runtime, wrapped to be called with ATen's tensors.
#include <ATen/ATen.h>
#include <executorch/extension/aten_util/make_aten_functor_from_et_functor.h>
#include <torch/library.h>

namespace custom {
namespace native {

executorch::aten::Tensor& mul4_out_impl(const executorch::aten::Tensor& input, executorch::aten::Tensor& output);

at::Tensor mul4(const at::Tensor& input) {
  at::Tensor output = at::empty_like(input, input.options().memory_format(at::MemoryFormat::Contiguous));
  WRAP_TO_ATEN(mul4_out_impl, 1)(input.contiguous(), output);
  return output;
}

// What export needs to know: the result is like the input.
at::Tensor mul4_meta(const at::Tensor& input) { return at::empty_symint(input.sym_sizes(), input.options()); }

}  // namespace native
}  // namespace custom

TORCH_LIBRARY(my_ops, library) {
  library.def("mul4(Tensor input) -> Tensor");
  library.def("mul4.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)");
}

TORCH_LIBRARY_IMPL(my_ops, CPU, library) {
  library.impl("mul4", custom::native::mul4);
  library.impl("mul4.out", WRAP_TO_ATEN(custom::native::mul4_out_impl, 1));
}

TORCH_LIBRARY_IMPL(my_ops, Meta, library) { library.impl("mul4", custom::native::mul4_meta); }
