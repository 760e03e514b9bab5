// Moves. An operator that only moves elements makes a view; one `copy` does the work:
//
//   Tensor& t_copy_out(Context& cx, const Tensor& self, Tensor& out) {
//     View view(self);
//     swap_dims(view, 0, 1);
//     return copy_view(cx, view, out);
//   }
#pragma once

#include "walk.h"

namespace tenon {

// Elements of `from` to the places of `to`, which has the same sizes: any strides, any two dtypes that convert. They
// may be the same places; they may not overlap otherwise.
void copy(Context& cx, const View& to, const View& from);

// Gives `out` the sizes of a view, and its elements.
Tensor& copy_view(Context& cx, const View& from, Tensor& out);
bool resize_to(Context& cx, Tensor& out, const View& view);
bool resize_to_sizes(Context& cx, Ints sizes, Tensor& out);

// Whether the elements lie one after the other in the order of their indices.
bool is_dense(const View& view);
// As another shape of as many elements, in the order of their indices.
void copy_in_order(Context& cx, const View& to, const View& from);
// Where the element of this number lies, in the order of their indices. In bytes.
int64_t offset_of(const View& view, int64_t number);

// Whether torch takes a number for an element: what is too large it refuses, a fraction it cuts off.
bool fits(Context& cx, const Scalar& value, ScalarType type);

// One element as a view of any shape: to fill with it.
View spread(char* element, ScalarType type, const View& shape);
struct Number {
  alignas(16) char bytes[16];
  Number(Context& cx, const Scalar& value, ScalarType type);
  View as(const View& shape) const { return spread(const_cast<char*>(bytes), type_, shape); }

 private:
  ScalarType type_;
};

// A view as a tensor, for kernels that compute with one.
struct ViewTensor {
  explicit ViewTensor(const View& view);
  ViewTensor(const ViewTensor&) = delete;
  Tensor tensor() { return Tensor(&impl_); }

 private:
  SizesType sizes_[kTensorDimensionLimit];
  StridesType strides_[kTensorDimensionLimit];
  TensorImpl impl_;
};

// The real or the imaginary parts of complex numbers. Other numbers are their real part.
View part_of(const Tensor& t, bool is_imaginary);

// A dimension counted from the end if negative; fails, and is `rank`, if there is none. A tensor of rank 0 counts as
// one of rank 1 where `at_least_one`.
size_t take_dim(Context& cx, int64_t dim, size_t rank, bool at_least_one = false);
// Which dimensions are named, counted so; false, with words, if there is none, or one is there twice.
bool take_dims(Context& cx, Ints dims, size_t rank, bool (&is_named)[kTensorDimensionLimit]);

// Gives two views the shape that they have together; false if they have none.
bool broadcast(View& a, View& b);
void swap_dims(View& view, size_t a, size_t b);
// A part of a dimension: `count` elements from `start`, every `step`th.
void narrow(View& view, size_t d, int64_t start, int64_t count, int64_t step = 1);

}  // namespace tenon
