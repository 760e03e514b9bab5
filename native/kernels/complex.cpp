// Complex numbers from their parts, and the parts of them.
#include "generated/kernels.h"
#include "loops.h"
#include "moves.h"

namespace tenon::native {
namespace {

// The parts of complex numbers, as a dimension of their own.
View real_parts(const Tensor& t) {
  View view = part_of(t, false);
  view.insert(view.rank, 2, 1);
  return view;
}

// out = functor(a, b), of two floats of one dtype.
template <DTypeSet set, class F>
Tensor& of_parts(Context& cx, const F& functor, const Tensor& a, const Tensor& b, Tensor& out) {
  const ScalarType type = a.scalar_type();
  REQUIRE(cx, contains(set, type) && b.scalar_type() == type, out, "there is no complex number with parts of %s and %s",
          dtype_name(type), dtype_name(b));
  const Tensor* inputs[] = {&a, &b};
  if (!prepare_pointwise(cx, toComplexType(type), out, inputs)) return out;
  pointwise_as<double, double>(cx, functor, ScalarType::Undefined, out, a, b);
  return out;
}

Tensor& conjugate(Context& cx, const Tensor& self, Tensor& out) {
  if (!isComplexType(self.scalar_type())) return copy_view(cx, View(self), out);
  return pointwise<sets::complex>(cx, [](auto x) { return std::conj(x); }, out, self.scalar_type(), self);
}

}  // namespace

#define PARTS TENON_SELECTED(float_dtypes | dtypes(ScalarType::Half))

Tensor& complex_out(Context& cx, const Tensor& real, const Tensor& imag, Tensor& out) {
  return of_parts<PARTS>(cx, [](double a, double b) { return Complex(a, b); }, real, imag, out);
}

Tensor& polar_out(Context& cx, const Tensor& abs, const Tensor& angle, Tensor& out) {
  const auto from = [](double size, double turn) { return Complex(size * std::cos(turn), size * std::sin(turn)); };
  return of_parts<PARTS>(cx, from, abs, angle, out);
}

Tensor& view_as_real_copy_out(Context& cx, const Tensor& self, Tensor& out) {
  if (isComplexType(self.scalar_type())) return copy_view(cx, real_parts(self), out);
  cx.fail(Error::InvalidArgument, "a complex number has parts, and %s has not", dtype_name(self));
  return out;
}

Tensor& view_as_complex_copy_out(Context& cx, const Tensor& self, Tensor& out) {
  const View from(self);
  const bool fits = from.rank != 0 && from.sizes[from.rank - 1] == 2 && isComplexType(out.scalar_type()) &&
                    toRealValueType(out.scalar_type()) == from.type;
  REQUIRE(cx, fits, out, "the parts of %s numbers are not %s of shape %s", dtype_name(out), dtype_name(from.type),
          ShapeText(self).text);
  if (resize(cx, out, {self.sizes().data(), from.rank - 1})) copy(cx, real_parts(out), from);
  return out;
}

Tensor& _conj_physical_out(Context& cx, const Tensor& self, Tensor& out) { return conjugate(cx, self, out); }
Tensor& conj_physical_out(Context& cx, const Tensor& self, Tensor& out) { return conjugate(cx, self, out); }
Tensor& _conj_copy_out(Context& cx, const Tensor& self, Tensor& out) { return conjugate(cx, self, out); }

}  // namespace tenon::native
