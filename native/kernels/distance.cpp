// Distances between rows of numbers.
#include <algorithm>
#include <cmath>

#include "index.h"
#include "moves.h"

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

// Whether by a product of matrices, as `compute_mode` says, is a matter of speed.
Tensor& _cdist_forward_out(Context& cx, const Tensor& x1, const Tensor& x2, double p, Maybe<int64_t>, Tensor& out) {
  View a(x1), b(x2);
  const size_t rank1 = a.rank, rank2 = b.rank;
  bool fits = rank1 >= 2 && rank2 >= 2 && a.sizes[rank1 - 1] == b.sizes[rank2 - 1];
  if (fits) a.rank -= 2, b.rank -= 2, fits = broadcast(a, b);
  REQUIRE(cx, fits, out, "the rows of shapes %s and %s do not go together", ShapeText(x1).text, ShapeText(x2).text);
  if (!is_order(cx, p) || !has_dtype(cx, x1, FLOATS) || !has_same_dtype(cx, x1, x2, out)) return out;
  const Strides from1(x1), from2(x2);
  const int64_t count = x1.size(x1.dim() - 1);
  a.insert(a.rank, x1.size(x1.dim() - 2), from1[rank1 - 2]), a.insert(a.rank, x2.size(x2.dim() - 2), 0);
  b.insert(b.rank, x1.size(x1.dim() - 2), 0), b.insert(b.rank, x2.size(x2.dim() - 2), from2[rank2 - 2]);
  if (!resize_to(cx, out, a)) return out;
  const Strides to(out);
  Odometer<3> pairs;
  for (size_t d = 0; d < a.rank; ++d) pairs.add(a.sizes[d], a.strides[d], b.strides[d], to[d]);
  compute_switch<void, FLOATS>(out.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t left = pairs.start(); left > 0; --left, pairs.next()) {
      write_one(out, pairs.offset[2],
                distance<false>({x1, pairs.offset[0], from1[rank1 - 1]}, {x2, pairs.offset[1], from2[rank2 - 1]}, count,
                                static_cast<T>(p)));
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
        write_one(out, to, found);
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
  View a(self), b(other);
  REQUIRE(cx, broadcast(a, b), out, "the shape %s does not go with %s", ShapeText(other).text, ShapeText(self).text);
  Odometer<2> places;
  for (size_t d = 0; d < a.rank; ++d) places.add(a.sizes[d], a.strides[d], b.strides[d]);
  bool is_close = true;
  for (int64_t left = places.start(); is_close && left > 0; --left, places.next()) {
    const double x = read_one<double>(self, places.offset[0]), y = read_one<double>(other, places.offset[1]);
    const double away = std::abs(x - y);
    is_close = x == y || (std::isfinite(away) && away <= atol + std::abs(rtol * y)) || (equal_nan && x != x && y != y);
  }
  *out.mutable_data_ptr<bool>() = is_close;
  return out;
}

}  // namespace tenon::native
