// Matrix products: mm, bmm, addmm, linear. Those of float32 are in fast/matrix.cpp.
#include "fast/matrix.h"

#include <algorithm>

#define FACTORS with_parts(NUMBERS | COMPLEX)

namespace tenon::native {

namespace {

// A matrix inside of a tensor.
struct Part {
  const Tensor* tensor;
  int64_t offset, row, column;
};

// out = beta bias + alpha a b; no bias if beta is 0.
struct Product {
  int64_t m, n, k;
  Part a, b, bias, out;
  Scalar alpha, beta;

  bool has_bias() const { return bias.tensor && beta.to<double>() != 0; }
};

template <class T>
void multiply_any(const Product& x) {
  constexpr int64_t rows = 4, columns = 128, deep = 64;
  const T alpha = x.alpha.to<T>(), beta = x.beta.to<T>();
  T left_room[rows][deep], right_room[columns];
  for (int64_t i = 0; i < x.m; i += rows) {
    const int64_t height = std::min(rows, x.m - i);
    for (int64_t j = 0; j < x.n; j += columns) {
      const int64_t width = std::min(columns, x.n - j);
      T sums[rows][columns] = {};
      for (int64_t p = 0; p < x.k; p += deep) {
        const int64_t depth = std::min(deep, x.k - p);
        const T* left[rows];
        for (int64_t r = 0; r < height; ++r) {
          left[r] = read(*x.a.tensor, x.a.offset + (i + r) * x.a.row + p * x.a.column, x.a.column, depth, left_room[r]);
        }
        for (int64_t q = 0; q < depth; ++q) {
          const T* right = read(*x.b.tensor, x.b.offset + (p + q) * x.b.row + j * x.b.column, x.b.column, width,
                                right_room);
          for (int64_t r = 0; r < height; ++r) {
            const T factor = left[r][q];
            for (int64_t c = 0; c < width; ++c) sums[r][c] += factor * right[c];
          }
        }
      }
      for (int64_t r = 0; r < height; ++r) {
        for (int64_t c = 0; c < width; ++c) sums[r][c] *= alpha;
        if (x.has_bias()) {
          const T* more = read(*x.bias.tensor, x.bias.offset + (i + r) * x.bias.row + j * x.bias.column, x.bias.column,
                               width, right_room);
          for (int64_t c = 0; c < width; ++c) sums[r][c] += beta * more[c];
        }
        write(*x.out.tensor, x.out.offset + (i + r) * x.out.row + j * x.out.column, x.out.column, width, sums[r]);
      }
    }
  }
}

TENON_HOT void multiply_float(const Product& x) {
  const MatrixOut c{x.out.tensor->mutable_data_ptr<float>() + x.out.offset, x.out.row, x.out.column};
  const auto matrix = [](const Part& part) {
    return Matrix{part.tensor->const_data_ptr<float>() + part.offset, part.row, part.column};
  };
  const float beta = x.beta.to<float>();
  for (int64_t i = 0; x.has_bias() && i < x.m; ++i) {
    const float* from = matrix(x.bias).from(i, 0).data;
    float* to = c.from(i, 0).data;
    for (int64_t j = 0; j < x.n; ++j) to[j * c.column] = beta * from[j * x.bias.column];
  }
  multiply(x.m, x.n, x.k, x.alpha.to<float>(), matrix(x.a), matrix(x.b), c, x.has_bias());
}

template <DTypeSet set>
void multiply_part(const Product& x);

// Complex numbers as four products of their parts.
template <DTypeSet set>
void multiply_parts(const Product& x) {
  const Part* given[] = {&x.a, &x.b, &x.bias, &x.out};
  TensorImpl impls[4];
  Tensor tensors[4];
  const auto part = [&](size_t i, bool is_imaginary) -> Part {
    const Part& p = *given[i];
    if (!p.tensor) return {};
    impls[i] = TensorImpl(toRealValueType(p.tensor->scalar_type()), 0, nullptr, p.tensor->mutable_data_ptr());
    tensors[i] = Tensor(&impls[i]);
    return {&tensors[i], 2 * p.offset + is_imaginary, 2 * p.row, 2 * p.column};
  };
  for (const bool is_imaginary : {false, true}) {
    Product y{x.m, x.n, x.k, part(0, false), part(1, is_imaginary), part(2, is_imaginary), part(3, is_imaginary),
              x.alpha, x.beta};
    multiply_part<set>(y);
    y.a = part(0, true), y.b = part(1, !is_imaginary), y.bias = y.out, y.beta = 1;
    if (!is_imaginary) y.alpha = -x.alpha.to<double>();
    multiply_part<set>(y);
  }
}

template <DTypeSet set>
void multiply_part(const Product& x) {
  const ScalarType type = x.out.tensor->scalar_type();
  if constexpr (contains(set, ScalarType::Float)) {
    if (type == ScalarType::Float) return multiply_float(x);
  }
  if constexpr ((set & sets::complex) != 0) {
    if (isComplexType(type)) return multiply_parts<set>(x);
  }
  constexpr DTypeSet others = set & ~(dtypes(ScalarType::Float) | sets::complex);
  compute_switch<uint64_t, others>(type, [&](auto tag) { multiply_any<typename decltype(tag)::type>(x); });
}

// The ranks, sizes and dtypes of a product of matrices; their last two dimensions count.
template <DTypeSet set>
bool are_factors(Context& cx, const Tensor& a, const Tensor& b, const Tensor& out, ptrdiff_t rank) {
  if (a.dim() != rank || b.dim() != rank || a.size(rank - 1) != b.size(rank - 2) ||
      (rank == 3 && a.size(0) != b.size(0))) {
    cx.fail(Error::InvalidArgument, "there is no product of shapes %s and %s", ShapeText(a.sizes()).text,
            ShapeText(b.sizes()).text);
    return false;
  }
  // Of what has no elements torch asks no dtype.
  return (a.numel() * b.numel() == 0 || has_dtype(cx, out, set)) && has_same_dtype(cx, a, out) &&
         has_same_dtype(cx, b, out);
}

Part last_two(const Tensor& t) {
  const Strides strides(t);
  const size_t rank = static_cast<size_t>(t.dim());
  return {&t, 0, strides[rank - 2], strides[rank - 1]};
}

}  // namespace

Tensor& mm_out(Context& cx, const Tensor& self, const Tensor& mat2, Tensor& out) {
  if (!are_factors<FACTORS>(cx, self, mat2, out, 2)) return out;
  const SizesType sizes[] = {self.sizes()[0], mat2.sizes()[1]};
  if (!resize(cx, out, sizes)) return out;
  multiply_part<FACTORS>({sizes[0], sizes[1], self.size(1), last_two(self), last_two(mat2), {}, last_two(out), 1, 0});
  return out;
}

Tensor& bmm_out(Context& cx, const Tensor& self, const Tensor& mat2, Tensor& out) {
  if (!are_factors<FACTORS>(cx, self, mat2, out, 3)) return out;
  const SizesType sizes[] = {self.sizes()[0], self.sizes()[1], mat2.sizes()[2]};
  if (!resize(cx, out, sizes)) return out;
  const int64_t a = Strides(self)[0], b = Strides(mat2)[0], c = Strides(out)[0];
  Product x{sizes[1], sizes[2], self.size(2), last_two(self), last_two(mat2), {}, last_two(out), 1, 0};
  for (int64_t i = 0; i < sizes[0]; ++i) {
    x.a.offset = i * a, x.b.offset = i * b, x.out.offset = i * c;
    multiply_part<FACTORS>(x);
  }
  return out;
}

Tensor& addmm_out(Context& cx, const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                  const Scalar& alpha, Tensor& out) {
  if (!are_factors<FACTORS>(cx, mat1, mat2, out, 2) || !has_same_dtype(cx, self, out)) return out;
  const SizesType sizes[] = {mat1.sizes()[0], mat2.sizes()[1]};
  const size_t rank = self.sizes().size();
  bool fits = rank <= 2;
  for (size_t d = 0; fits && d < rank; ++d) fits = self.sizes()[d] == 1 || self.sizes()[d] == sizes[2 - rank + d];
  REQUIRE(cx, fits, out, "shape %s is not that of the product, %s, and cannot be expanded to it",
          ShapeText(self.sizes()).text, ShapeText(sizes).text);
  if (!resize(cx, out, sizes)) return out;
  const Strides strides(self);
  const auto step = [&](size_t d) {
    return rank < 2 - d || self.sizes()[d + rank - 2] == 1 ? 0 : strides[d + rank - 2];
  };
  const Part bias{&self, 0, step(0), step(1)};
  multiply_part<FACTORS>(
      {sizes[0], sizes[1], mat1.size(1), last_two(mat1), last_two(mat2), bias, last_two(out), alpha, beta});
  return out;
}

Tensor& linear_out(Context& cx, const Tensor& input, const Tensor& weight, const Maybe<Tensor>& bias, Tensor& out) {
  const size_t rank = input.sizes().size();
  REQUIRE(cx, rank > 0 && weight.dim() == 2 && input.size(input.dim() - 1) == weight.size(1), out,
          "there is no product of shape %s with weights of shape %s", ShapeText(input.sizes()).text,
          ShapeText(weight.sizes()).text);
  const int64_t columns = weight.size(0), depth = weight.size(1);
  REQUIRE(cx, !bias || bias->numel() == columns || bias->numel() == 1, out,
          "a bias of shape %s is not for %" PRId64 " columns", ShapeText(bias->sizes()).text, columns);
  if ((input.numel() && weight.numel() && !has_dtype(cx, input, FACTORS)) || !has_same_dtype(cx, input, weight) ||
      !has_same_dtype(cx, input, out) || (bias && !has_same_dtype(cx, input, *bias))) {
    return out;
  }
  SizesType sizes[kTensorDimensionLimit];
  std::copy_n(input.sizes().begin(), rank, sizes);
  sizes[rank - 1] = static_cast<SizesType>(columns);
  if (!resize(cx, out, {sizes, rank})) return out;

  const Strides from(input), by(weight), to(out);
  Odometer<2> lines;
  for (size_t d = 0; d + 1 < rank; ++d) lines.add(sizes[d], from[d], to[d]);
  int64_t step[2];
  const int64_t rows = lines.pop(step);
  Product x{rows, columns, depth, {&input, 0, step[0], from[rank - 1]}, {&weight, 0, by[1], by[0]}, {},
            {&out, 0, step[1], to[rank - 1]}, 1, 0};
  if (bias) x.bias = {&*bias, 0, 0, bias->numel() == 1 ? 0 : 1}, x.beta = 1;
  for (int64_t left = lines.start(); left > 0; --left, lines.next()) {
    x.a.offset = lines.offset[0], x.out.offset = lines.offset[1];
    multiply_part<FACTORS>(x);
  }
  return out;
}

}  // namespace tenon::native
