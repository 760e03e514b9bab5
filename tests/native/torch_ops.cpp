// Operators that a library brings to torch. Only the last has an out variant.
#include <ATen/core/Tensor.h>
#include <torch/library.h>

namespace {

at::Tensor mul3(const at::Tensor& self) { return self.mul(3); }

std::tuple<at::Tensor, at::Tensor> ends(const at::Tensor& self, int64_t count) {
  return {self.narrow(0, 0, count).clone(), self.narrow_symint(0, self.sym_size(0) - count, count).clone()};
}

at::Tensor mul4(const at::Tensor& self) { return self.mul(4); }
at::Tensor& mul4_out(const at::Tensor& self, at::Tensor& out) { return out.resize_(self.sizes()).copy_(self.mul(4)); }

}  // namespace

TORCH_LIBRARY(tenon_test, library) {
  library.def("mul3(Tensor self) -> Tensor");
  library.def("ends(Tensor self, int count) -> (Tensor, Tensor)");
  library.def("mul4(Tensor self) -> Tensor");
  library.def("mul4.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
}

TORCH_LIBRARY_IMPL(tenon_test, CompositeExplicitAutograd, library) {
  library.impl("mul3", &mul3);
  library.impl("ends", &ends);
  library.impl("mul4", &mul4);
  library.impl("mul4.out", &mul4_out);
}
