// Distances between rows of numbers.
#include <algorithm>
#include <cmath>

#include "index.h"

namespace tenon::native {

namespace {

// A row of a tensor: where it begins, and how far apart its numbers are.
struct Row {
  const Tensor& tensor;
  int64_t offset, step;
};

// The norm of a difference: of order 0 how many are not 0, of order infinity the largest. There torch has what is not a
// number counted only within one tensor.
template <bool is_within, class T>
T distance(const Row& a, const Row& b, int64_t count, T p) {
  T rooms[2][run_room];
  double sum = 0;  // of as many numbers as there are in a row
  for (int64_t first = 0; first < count; first += run_room) {
    const int64_t n = std::min(run_room, count - first);
    const T* x = read(a.tensor, a.offset + first * a.step, a.step, n, rooms[0]);
    const T* y = read(b.tensor, b.offset + first * b.step, b.step, n, rooms[1]);
    for (int64_t i = 0; i < n; ++i) {
      const T away = std::abs(x[i] - y[i]);
      if (p == 0) sum += away > 0 ? T(1) : away;  // or not a number
      else if (p == 1) sum += away;
      else if (p == 2) sum += away * away;
      else if (std::isinf(p)) sum = away > sum || (is_within && away != away) ? away : sum;
      else sum += std::pow(away, p);
    }
  }
  const T whole = static_cast<T>(sum);
  return p == 2 ? std::sqrt(whole) : p == 0 || p == 1 || std::isinf(p) ? whole : std::pow(whole, 1 / p);
}

bool is_order(Context& cx, double p) { return HOLDS(cx, p >= 0, "p is %g, and at least 0", p); }

}  // namespace

Tensor& _cdist_forward_out(Context& cx, const Tensor& x1, const Tensor& x2, double p, Maybe<int64_t> compute_mode,
                           Tensor& out) {
  (void)compute_mode;  // whether by a product of matrices: a matter of speed
  const size_t ranks[] = {x1.sizes().size(), x2.sizes().size()}, rank = std::max(ranks[0], ranks[1]);
  bool fits = std::min(ranks[0], ranks[1]) >= 2 && x1.size(x1.dim() - 1) == x2.size(x2.dim() - 1);
  SizesType sizes[kTensorDimensionLimit];
  const auto size_of = [&](const Tensor& t, size_t d) {
    return d + t.sizes().size() < rank ? SizesType{1} : t.sizes()[d + t.sizes().size() - rank];
  };
  for (size_t d = 0; fits && d + 2 < rank; ++d) {
    const SizesType a = size_of(x1, d), b = size_of(x2, d);
    fits = a == b || a == 1 || b == 1;
    sizes[d] = a == 1 ? b : a;
  }
  REQUIRE(cx, fits, out, "the rows of shapes %s and %s do not go together", ShapeText(x1).text, ShapeText(x2).text);
  if (!is_order(cx, p) || !has_dtype(cx, x1, FLOATS) || !has_same_dtype(cx, x1, x2, out)) {
    return out;
  }
  sizes[rank - 2] = size_of(x1, rank - 2), sizes[rank - 1] = size_of(x2, rank - 2);
  if (!resize(cx, out, {sizes, rank})) return out;
  const Strides from1(x1), from2(x2), to(out);
  Odometer<3> pairs;
  const auto step = [&](const Tensor& t, const Strides& strides, size_t d) {
    return size_of(t, d) == 1 ? 0 : strides[d + t.sizes().size() - rank];
  };
  for (size_t d = 0; d + 2 < rank; ++d) pairs.add(sizes[d], step(x1, from1, d), step(x2, from2, d), to[d]);
  pairs.add(sizes[rank - 2], from1[ranks[0] - 2], 0, to[rank - 2]);
  pairs.add(sizes[rank - 1], 0, from2[ranks[1] - 2], to[rank - 1]);
  const int64_t count = x1.size(x1.dim() - 1);
  compute_switch<void, FLOATS>(out.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t left = pairs.start(); left > 0; --left, pairs.next()) {
      const T found = distance<false>({x1, pairs.offset[0], from1[ranks[0] - 1]},
                                      {x2, pairs.offset[1], from2[ranks[1] - 1]}, count, static_cast<T>(p));
      write(out, pairs.offset[2], 1, 1, &found);
    }
  });
  return out;
}

Tensor& _pdist_forward_out(Context& cx, const Tensor& self, double p, Tensor& out) {
  REQUIRE(cx, self.dim() == 2, out, "an input of shape %s has not 2 dimensions", ShapeText(self).text);
  const int64_t rows = self.size(0);
  const bool is_zero = rows < 2 || self.size(1) == 0;  // of that torch asks no dtype
  if (!is_order(cx, p) || (!is_zero && !has_dtype(cx, self, FLOATS)) || !has_same_dtype(cx, self, out)) return out;
  const SizesType sizes[] = {static_cast<SizesType>(rows > 1 ? rows * (rows - 1) / 2 : 0)};
  if (!resize(cx, out, sizes)) return out;
  if (is_zero) return std::fill_n(out.mutable_data_ptr<char>(), out.nbytes(), char{0}), out;
  const Strides from(self);
  compute_switch<void, FLOATS>(out.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    int64_t to = 0;
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = i + 1; j < rows; ++j, ++to) {
        const T found = distance<true>({self, i * from[0], from[1]}, {self, j * from[0], from[1]}, self.size(1),
                                       static_cast<T>(p));
        write(out, to, 1, 1, &found);
      }
    }
  });
  return out;
}

// Whether all numbers of one are near those of the other.
Tensor& allclose_out(Context& cx, const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan,
                     bool, Tensor& out) {
  REQUIRE(cx, out.numel() == 1 && out.scalar_type() == ScalarType::Bool, out,
          "the answer is a bool, and its place is %s of shape %s", dtype_name(out), ShapeText(out).text);
  REQUIRE(cx, rtol >= 0 && atol >= 0, out, "rtol is %g and atol is %g, and both at least 0", rtol, atol);
  if (!has_dtype(cx, self, NUMBERS_AND_BOOL) || !has_same_dtype(cx, self, other)) return out;
  const Strides steps[] = {Strides(self), Strides(other)};
  const Tensor* both[] = {&self, &other};
  const size_t rank = std::max(self.sizes().size(), other.sizes().size());
  Odometer<2> places;
  for (size_t d = 0; d < rank; ++d) {
    int64_t size = 1, step[2] = {0, 0};
    for (size_t k = 0; k < 2; ++k) {
      const size_t missing = rank - both[k]->sizes().size();
      const int64_t own = d < missing ? 1 : both[k]->sizes()[d - missing];
      REQUIRE(cx, size == 1 || own == 1 || own == size, out, "the shape %s does not go with %s", ShapeText(other).text,
              ShapeText(self).text);
      if (own != 1) size = own, step[k] = steps[k][d - missing];
    }
    places.add(size, step[0], step[1]);
  }
  bool is_close = true;
  for (int64_t left = places.start(); is_close && left > 0; --left, places.next()) {
    const double a = read_one<double>(self, places.offset[0]), b = read_one<double>(other, places.offset[1]);
    const double away = std::abs(a - b);
    is_close = a == b || (std::isfinite(away) && away <= atol + std::abs(rtol * b)) || (equal_nan && a != a && b != b);
  }
  *out.mutable_data_ptr<bool>() = is_close;
  return out;
}

}  // namespace tenon::native
