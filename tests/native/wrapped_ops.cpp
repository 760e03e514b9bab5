// Operators of torch whose kernels are those of the runtime. Built for both modes, each with a namespace of its own.
#include <executorch/extension/aten_util/make_aten_functor_from_et_functor.h>

#include "wrapped_kernels.cpp"

#include <ATen/ops/empty_like.h>
#include <torch/library.h>

namespace {

at::Tensor like(const at::Tensor& input) { return at::empty_like(input, input.suggest_memory_format()); }

at::Tensor mul4(const at::Tensor& input) {
  at::Tensor output = like(input);
  return WRAP_TO_ATEN(wrapped::native::mul4_out, 1)(input, output);
}

}  // namespace

TORCH_LIBRARY(TENON_NAMESPACE, m) {
  m.def("mul4(Tensor input) -> Tensor");
  m.def("mul4.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)", WRAP_TO_ATEN(wrapped::native::mul4_out, 1));
  m.def("head.out(Tensor input, int rows, Scalar by, *, Tensor(a!) out) -> Tensor(a!)",
        WRAP_TO_ATEN(wrapped::native::head_out, 3));
  m.def(
      "kinds.out(Tensor? base, Tensor[] pieces, Tensor?[] maybe, int[] weights, float[] reals, bool[] truths, "
      "int[]? more, int? whole, Scalar? number, ScalarType? dtype, str text, bool flag, float real, ScalarType kind, "
      "*, Tensor(a!) out) -> Tensor(a!)",
      WRAP_TO_ATEN(wrapped::native::kinds_out));
  // Called with tensors that have no elements too, as it is said for no device.
  m.def("careless(Tensor input) -> Tensor", &mul4);
  m.def("both.out(Tensor input, *, Tensor(a!) twice, Tensor(b!) thrice) -> (Tensor(a!), Tensor(b!))",
        WRAP_TO_ATEN(wrapped::native::both_out, 1));
  m.def("halves.out(Tensor input, *, Tensor(a!)[] out) -> ()", WRAP_TO_ATEN(wrapped::native::halves_out));
}

TORCH_LIBRARY_IMPL(TENON_NAMESPACE, CPU, m) { m.impl("mul4", &mul4); }
TORCH_LIBRARY_IMPL(TENON_NAMESPACE, Meta, m) { m.impl("mul4", &like); }
