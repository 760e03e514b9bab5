// The window of a pool over n dimensions, which are the last ones of its input.
#pragma once

#include "index.h"

namespace tenon::native {

template <class T>
using Computed = std::conditional_t<std::is_integral_v<T>, int64_t,
                                    std::conditional_t<std::is_same_v<T, double>, double, float>>;

template <size_t n>
struct Window {
  int64_t size[n], stride[n], padding[n] = {}, dilation[n];
};

// Channels and n dimensions, perhaps of several images.
template <size_t n>
bool has_space(Context& cx, const Tensor& in) {
  const size_t rank = in.sizes().size();
  if (rank == n + 1 || rank == n + 2) return true;
  cx.fail(Error::InvalidArgument, "an input of shape %s has not %zu or %zu dimensions", ShapeText(in.sizes()).text, n + 1,
          n + 2);
  return false;
}

// One number is for all dimensions.
template <size_t n>
bool take_each(Context& cx, const char* name, ArrayRef<int64_t> numbers, int64_t least, int64_t (&to)[n]) {
  if (numbers.size() != n && numbers.size() != 1) {
    cx.fail(Error::InvalidArgument, "%s has %zu numbers for %zu dimensions", name, numbers.size(), n);
    return false;
  }
  for (size_t d = 0; d < n; ++d) {
    to[d] = numbers[numbers.size() == 1 ? 0 : d];
    if (to[d] < least || to[d] > INT32_MAX) {
      cx.fail(Error::InvalidArgument, "%s is %" PRId64 ", and at least %" PRId64, name, to[d], least);
      return false;
    }
  }
  return true;
}

// The window, and how many places it has in the input.
template <size_t n>
bool take_window(Context& cx, const Tensor& in, ArrayRef<int64_t> size, ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                 ArrayRef<int64_t> dilation, bool ceil_mode, Window<n>& window, int64_t (&out)[n]) {
  if (!has_space<n>(cx, in) || !take_each(cx, "kernel_size", size, 1, window.size) ||
      !take_each(cx, "stride", stride.empty() ? size : stride, 1, window.stride) ||
      !take_each(cx, "padding", padding, 0, window.padding) || !take_each(cx, "dilation", dilation, 1, window.dilation)) {
    return false;
  }
  for (size_t d = 0; d < n; ++d) {
    const int64_t have = in.sizes()[in.sizes().size() - n + d], step = window.stride[d];
    const int64_t padding_here = window.padding[d];
    const int64_t room = have + 2 * padding_here - window.dilation[d] * (window.size[d] - 1) - 1;
    out[d] = (room + (ceil_mode ? step - 1 : 0)) / step + 1;
    // A window that begins in the padding behind is not there.
    if (ceil_mode && (out[d] - 1) * step >= have + padding_here) --out[d];
    if (room + (ceil_mode ? step - 1 : 0) < 0 || out[d] < 1 || 2 * padding_here > window.size[d]) {
      cx.fail(Error::InvalidArgument,
              "a window of %" PRId64 " with padding %" PRId64 " and dilation %" PRId64 " does not fit size %" PRId64,
              window.size[d], padding_here, window.dilation[d], have);
      return false;
    }
  }
  return true;
}

}  // namespace tenon::native
