// Windows over the last one, two or three dimensions of a tensor: of the three that are gone over, those that are not
// there have size 1.
#pragma once

#include <algorithm>

#include "index.h"

namespace tenon::native {

// What is covered of one dimension: every `step`th. And how many elements that counts as in a mean.
struct Span {
  int64_t begin, end, step, count;
};

struct Window {
  int64_t size[3] = {1, 1, 1}, stride[3] = {1, 1, 1}, padding[3] = {}, dilation[3] = {1, 1, 1};

  // What place i covers of a dimension that has so many elements. What is beyond the padding counts never: ceil_mode
  // lets a window reach there.
  Span covered(size_t d, int64_t i, int64_t have, bool counts_padding) const {
    const int64_t step = dilation[d], first = i * stride[d] - padding[d];
    const int64_t last = std::min(first + size[d] * step, have + padding[d]), end = std::min(last, have);
    const int64_t begin = first >= 0 ? first : first + (step - 1 - first) / step * step;
    return {begin, end, step, counts_padding ? last - first : end - begin};
  }
};

// Part i of so many of a dimension of this size. Parts may share elements.
inline Span part_of(int64_t i, int64_t parts, int64_t size) {
  const int64_t begin = i * size / parts, end = ((i + 1) * size + parts - 1) / parts;
  return {begin, end, 1, end - begin};
}

// Sizes of what is read and of what is made, and where both lie. A third tensor has the shape of one of them.
struct Volume {
  int64_t in[3], out[3], step[3][3];  // steps of: input, result, third
  Odometer<3> planes;

  void lay_out(size_t n, const Tensor& input, const Tensor& result, const Tensor& third);
  // Where a point of the plane that is gone over lies in tensor k.
  int64_t place(size_t k, int64_t z, int64_t y, int64_t x) const {
    return planes.offset[k] + z * step[k][0] + y * step[k][1] + x * step[k][2];
  }
  int64_t place(size_t k, const int64_t (&at)[3]) const { return place(k, at[0], at[1], at[2]); }
};

// Channels and n dimensions, perhaps of several images.
bool has_space(Context& cx, const Tensor& in, size_t n);

// The window, and how many places it has in the input.
bool take_window(Context& cx, const Tensor& in, size_t n, Ints size, Ints stride, Ints padding, Ints dilation,
                 bool ceil_mode, Window& window, int64_t (&places)[3]);

// Resizes the results, of which the second may be missing, to these sizes of their last n dimensions.
bool plan_volume(Context& cx, const Tensor& in, size_t n, const int64_t (&sizes)[3], Tensor& out, Tensor* second,
                 Volume& plan);

bool is_divisor(Context& cx, Maybe<int64_t> divisor_override);

// Calls work(box, at) for each point of the result, with what span_of(d, at[d]) says that it covers of the input.
template <class SpanOf, class Work>
void each_box(Volume& plan, const SpanOf& span_of, const Work& work) {
  Span box[3];
  int64_t at[3];
  for (int64_t left = plan.planes.start(); left > 0; --left, plan.planes.next()) {
    for (at[0] = 0; at[0] < plan.out[0]; ++at[0]) {
      box[0] = span_of(0, at[0]);
      for (at[1] = 0; at[1] < plan.out[1]; ++at[1]) {
        box[1] = span_of(1, at[1]);
        for (at[2] = 0; at[2] < plan.out[2]; ++at[2]) {
          box[2] = span_of(2, at[2]);
          work(box, at);
        }
      }
    }
  }
}

// Calls work(z, y, x) for each point of a box.
template <class Work>
ET_INLINE void each_point(const Span (&box)[3], const Work& work) {
  for (int64_t z = box[0].begin; z < box[0].end; z += box[0].step) {
    for (int64_t y = box[1].begin; y < box[1].end; y += box[1].step) {
      for (int64_t x = box[2].begin; x < box[2].end; x += box[2].step) work(z, y, x);
    }
  }
}

}  // namespace tenon::native
