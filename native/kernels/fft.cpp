// Fourier transforms of any length, along any dimensions, in double.
//
// A line of a tensor is read, transformed in temporary memory, and written. A length whose prime factors are small is
// transformed factor by factor (Stockham: each step also sorts); any other by Bluestein's convolution, whose length is
// a power of two.
#include <algorithm>

#include "complex.h"
#include "generated/kernels.h"
#include "index.h"
#include "moves.h"

namespace tenon::native {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int64_t kLargestRadix = 31;  // a larger prime costs more than the convolution

Complex conj(const Complex& z) { return {z.real(), -z.imag()}; }

// exp(-2 pi i k / n), from an angle of at most an eighth of the circle.
Complex root(int64_t k, int64_t n) {
  const int64_t eighth = 8 * k / n, rest = 8 * k - (eighth + eighth % 2) * n;  // rest * n / 8 is in -n/8 ... n/8
  const double angle = kPi / 4 * static_cast<double>(rest) / static_cast<double>(n);
  const double c = std::cos(angle), s = std::sin(angle);
  switch ((eighth + 1) / 2 % 4) {
    case 0: return {c, -s};
    case 1: return {-s, -c};
    case 2: return {-c, s};
    default: return {s, c};
  }
}

int64_t next_radix(int64_t n) {
  if (n % 4 == 0) return 4;
  for (int64_t p = 2; p <= kLargestRadix; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

bool is_smooth(int64_t n) {
  while (n > 1 && n > kLargestRadix) {
    const int64_t radix = next_radix(n);
    if (radix == n) return false;
    n /= radix;
  }
  return true;
}

// --- factor by factor ----------------------------------------------------------------------------------------------

// A length with small factors. Transforms `x`; `other` has as much room.
struct Smooth {
  int64_t n;
  Complex* roots;

  void prepare() const {
    for (int64_t k = 0; k < n; ++k) roots[k] = root(k, n);
  }

  // n / stride numbers remain to be transformed, `stride` of them side by side.
  TENON_HOT void step_by_4(const Complex* x, Complex* y, int64_t quarter, int64_t stride) const {
    for (int64_t p = 0; p < quarter; ++p) {
      const Complex w1 = roots[p * stride], w2 = roots[2 * p * stride], w3 = roots[3 * p * stride];
      for (int64_t q = 0; q < stride; ++q) {
        const Complex* from = x + q + stride * p;
        const Complex a = from[0], b = from[stride * quarter], c = from[2 * stride * quarter];
        const Complex d = from[3 * stride * quarter];
        const Complex even = a + c, odd = a - c, sum = b + d, turned(b.imag() - d.imag(), d.real() - b.real());
        Complex* to = y + q + 4 * stride * p;
        to[0] = even + sum;
        to[stride] = Complex(odd + turned) * w1;
        to[2 * stride] = Complex(even - sum) * w2;
        to[3 * stride] = Complex(odd - turned) * w3;
      }
    }
  }

  TENON_HOT void step_by(int64_t radix, const Complex* x, Complex* y, int64_t part, int64_t stride) const {
    Complex values[kLargestRadix], turns[kLargestRadix];
    for (int64_t k = 0; k < radix; ++k) turns[k] = roots[k * (n / radix)];
    for (int64_t p = 0; p < part; ++p) {
      for (int64_t q = 0; q < stride; ++q) {
        for (int64_t j = 0; j < radix; ++j) values[j] = x[q + stride * (p + part * j)];
        for (int64_t k = 0; k < radix; ++k) {
          Complex sum = values[0];
          for (int64_t j = 1, at = k; j < radix; ++j) {
            sum += values[j] * turns[at];
            at += at + k < radix ? k : k - radix;
          }
          y[q + stride * (radix * p + k)] = sum * roots[p * k * stride];
        }
      }
    }
  }

  // The place of the result: x, or the other.
  Complex* transform(Complex* x, Complex* other) const {
    for (int64_t left = n, stride = 1; left > 1;) {
      const int64_t radix = next_radix(left);
      left /= radix;
      if (radix == 4) step_by_4(x, other, left, stride);
      else step_by(radix, x, other, left, stride);
      stride *= radix;
      std::swap(x, other);
    }
    return x;
  }
};

// --- any length ----------------------------------------------------------------------------------------------------

// Made once for all lines of a tensor.
class Transform {
 public:
  // A length with small factors: its own, or that of a convolution.
  static int64_t padded(int64_t n) {
    if (is_smooth(n)) return n;
    int64_t size = 1;
    while (size < 2 * n - 1) size *= 2;
    return size;
  }
  // How many numbers it needs room for: a line and a copy, the roots, and of a convolution a chirp and its transform.
  static int64_t room(int64_t n) {
    const int64_t size = padded(n);
    return 3 * size + (size == n ? 0 : size + n);
  }

  Transform(int64_t n, Complex* room)
      : n_(n),
        smooth_{padded(n), room},
        line_(room + smooth_.n),
        other_(line_ + smooth_.n),
        filter_(other_ + smooth_.n),
        chirp_(filter_ + smooth_.n) {
    smooth_.prepare();
    if (smooth_.n == n) return;
    for (int64_t k = 0, square = 0; k < n; square = (square + 2 * k + 1) % (2 * n), ++k) {
      chirp_[k] = root(square, 2 * n);
    }
    std::fill_n(line_, smooth_.n, Complex(0));
    for (int64_t k = 0; k < n; ++k) line_[k] = line_[k ? smooth_.n - k : 0] = conj(chirp_[k]);
    std::copy_n(smooth_.transform(line_, other_), smooth_.n, filter_);
  }

  // Where a line of n numbers is put.
  Complex* line() const { return line_; }
  // Its transform.
  Complex* run() const {
    if (smooth_.n == n_) return smooth_.transform(line_, other_);
    for (int64_t k = 0; k < n_; ++k) line_[k] = line_[k] * chirp_[k];
    std::fill_n(line_ + n_, smooth_.n - n_, Complex(0));
    Complex* found = smooth_.transform(line_, other_);
    for (int64_t k = 0; k < smooth_.n; ++k) found[k] = conj(found[k] * filter_[k]);
    found = smooth_.transform(found, found == line_ ? other_ : line_);
    const double scale = 1 / static_cast<double>(smooth_.n);
    for (int64_t k = 0; k < n_; ++k) found[k] = conj(found[k]) * chirp_[k] * Complex(scale);
    return found;
  }

 private:
  int64_t n_;
  Smooth smooth_;
  Complex *line_, *other_, *filter_, *chirp_;
};

// --- lines of tensors ----------------------------------------------------------------------------------------------

// The dims of a transform, the factor of what it gives, and room for one line after the other.
struct Plan {
  size_t dims[kTensorDimensionLimit];
  size_t count = 0, last = 0;
  int64_t length = 0;  // of lines along the last dim
  double scale = 1;
  Complex* room = nullptr;
};

// Gives `out` its shape. `last` is the length of the last dim, which may be another than that of `self`; of that the
// result may have the first half only.
bool plan_transform(Context& cx, const Tensor& self, Ints dims, int64_t normalization, int64_t last, bool is_halved,
                    Tensor& out, Plan& plan) {
  REQUIRE(cx, normalization >= 0 && normalization <= 2, false, "there is no normalization %" PRId64, normalization);
  REQUIRE(cx, !dims.empty(), false, "there is no dimension to transform");
  int64_t room = 0;
  double points = 1;
  for (const int64_t dim : dims) {
    const size_t d = plan.last = take_dim(cx, dim, self.sizes().size());
    if (cx.failed()) return false;
    const bool is_last = plan.count + 1 == dims.size();
    const int64_t length = plan.length = is_last && last >= 0 ? last : self.sizes()[d];
    REQUIRE(cx, length >= 1, false, "dimension %zu has %" PRId64 " points, and at least 1", d, length);
    for (size_t k = 0; k < plan.count; ++k) {
      REQUIRE(cx, plan.dims[k] != d, false, "dimension %zu is named twice", d);
    }
    plan.dims[plan.count++] = d;
    points *= static_cast<double>(length);
    room = std::max(room, Transform::room(length));
  }
  plan.scale = normalization == 0 ? 1 : normalization == 1 ? 1 / std::sqrt(points) : 1 / points;
  plan.room = static_cast<Complex*>(cx.temporary(static_cast<size_t>(room) * sizeof(Complex), 64));
  View shape(self);
  shape.sizes[plan.last] = is_halved ? plan.length / 2 + 1 : plan.length;
  return plan.room && resize_to(cx, out, shape);
}

// Transforms lines of `n` along one dim. What is backwards is its conjugate's conjugate. What becomes real is half of a
// line, of which the other half is the conjugate.
void transform_lines(const Tensor& from, const Tensor& to, size_t along, int64_t n, bool forward, double scale,
                     bool is_half, Complex* room) {
  const Transform transform(n, room);
  const Strides strides(from), to_strides(to);
  Odometer<2> lines;
  for (size_t d = 0; d < from.sizes().size(); ++d) {
    if (d != along) lines.add(from.sizes()[d], strides[d], to_strides[d]);
  }
  const int64_t held = std::min<int64_t>(from.sizes()[along], is_half ? n / 2 + 1 : n);
  for (int64_t left = lines.start(); left > 0; --left, lines.next()) {
    Complex* line = transform.line();
    const Complex* given = read(from, lines.offset[0], strides[along], held, line);
    if (given != line) std::copy_n(given, held, line);
    if (is_half) {
      std::fill(line + held, line + n, Complex(0));
      for (int64_t k = 1; 2 * k < n; ++k) line[n - k] = conj(line[k]);
      line[0].imag(0);
      if (n % 2 == 0) line[n / 2].imag(0);
    }
    for (int64_t k = 0; !forward && k < n; ++k) line[k] = conj(line[k]);
    Complex* found = transform.run();
    for (int64_t k = 0; k < n; ++k) found[k] = (forward ? found[k] : conj(found[k])) * Complex(scale);
    write(to, lines.offset[1], to_strides[along], to.sizes()[along], found);
  }
}

// All dims but the last one of the plan, in their place.
void transform_others(const Tensor& t, const Plan& plan, bool forward) {
  for (size_t k = 0; k + 1 < plan.count; ++k) {
    transform_lines(t, t, plan.dims[k], t.sizes()[plan.dims[k]], forward, 1, false, plan.room);
  }
}

// The last dim first, on the way to `out`.
void transform_all(const Tensor& self, const Tensor& out, const Plan& plan, bool forward) {
  transform_lines(self, out, plan.last, plan.length, forward, plan.scale, false, plan.room);
  transform_others(out, plan, forward);
}

}  // namespace

Tensor& _fft_c2c_out(Context& cx, const Tensor& self, Ints dim, int64_t normalization, bool forward, Tensor& out) {
  Plan plan;
  if (!has_dtype(cx, self, COMPLEX) || !has_dtype(cx, out, COMPLEX)) return out;
  if (dim.empty()) return copy_view(cx, View(self), out);
  if (plan_transform(cx, self, dim, normalization, -1, false, out, plan)) transform_all(self, out, plan, forward);
  return out;
}

Tensor& _fft_r2c_out(Context& cx, const Tensor& self, Ints dim, int64_t normalization, bool onesided, Tensor& out) {
  Plan plan;
  if (!has_dtype(cx, self, TENON_SELECTED(float_dtypes)) || !has_dtype(cx, out, COMPLEX)) return out;
  if (plan_transform(cx, self, dim, normalization, -1, onesided, out, plan)) transform_all(self, out, plan, true);
  return out;
}

// The other dims come first, in a copy that is complex.
Tensor& _fft_c2r_out(Context& cx, const Tensor& self, Ints dim, int64_t normalization, int64_t last_dim_size,
                     Tensor& out) {
  Plan plan;
  if (!has_dtype(cx, self, COMPLEX) || !has_dtype(cx, out, TENON_SELECTED(float_dtypes)) ||
      !plan_transform(cx, self, dim, normalization, last_dim_size, false, out, plan)) {
    return out;
  }
  TensorImpl half = *self.unsafeGetTensorImpl();
  if (plan.count > 1) {
    half.set_data(cx.temporary(self.nbytes(), 64));
    if (cx.failed()) return out;
    copy(cx, View(Tensor(&half)), View(self));
    transform_others(Tensor(&half), plan, false);
  }
  transform_lines(Tensor(&half), out, plan.last, last_dim_size, false, plan.scale, true, plan.room);
  return out;
}

}  // namespace tenon::native
