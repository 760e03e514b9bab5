// Largest numbers of windows over images with channels last; where they are is not told.
#include <limits>

#include <tenon/threads.h>

#include "../generated/kernels.h"
#include "packed.h"

namespace tenon::native {

namespace {

struct MaxRows {
  const Images& g;
  const float* input;
  float* out;
  int64_t first, last;

  // NaN is larger than all. It is looked for apart: gcc takes vectors to pieces where two masks choose.
  template <class V>
  static ET_INLINE void largest(const float* const* taps, int64_t count, int64_t c, float* to) {
    V most = -std::numeric_limits<float>::infinity() - V{}, none = {};
    for (int64_t i = 0; i < count; ++i) {
      const V value = load<V>(taps[i] + c);
      most = value > most ? value : most;
      none = value == value ? none : value;
    }
    store<V>(to + c, none == none ? most : none);
  }

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    const float* taps[most_taps];
    for (int64_t i = first; i < last; ++i) {
      const float* image = input + i / g.out[0] * g.in[0] * g.in[1] * g.channels;
      const int64_t y = i % g.out[0];
      const Images::Taps v = g.inside(0, y);
      for (int64_t x = 0; x < g.out[1]; ++x) {
        const Images::Taps u = g.inside(1, x);
        int64_t count = 0;
        for (int64_t k = v.first; k < v.last; ++k) {
          const float* row = image + g.source(0, y, k) * g.in[1] * g.channels;
          for (int64_t l = u.first; l < u.last; ++l) taps[count++] = row + g.source(1, x, l) * g.channels;
        }
        float* to = out + (i * g.out[1] + x) * g.channels;
        each_vector<bytes>(g.channels, [&](auto size, int64_t c) ET_INLINE_ATTRIBUTE {
          largest<Floats<decltype(size)::value>>(taps, count, c, to);
        });
      }
    }
  }
};

}  // namespace

Tensor& max_pool_out(Context& cx, const Tensor& input, Ints kernel, Ints stride, Ints padding, Ints dilation,
                     Tensor& out) {
  Images g;
  SizesType sizes[4];
  const int64_t channels = input.dim() == 4 ? input.size(1) : 0;
  if (!g.plan(cx, input, channels, kernel, stride, padding, dilation, sizes) ||
      !lies_right(cx, "the input", input, true) || !resize(cx, out, sizes) || !lies_right(cx, "the result", out, true) ||
      out.numel() == 0) {
    return out;
  }
  REQUIRE(cx, g.taps() <= most_taps, out, "a window of %" PRId64 " points is too large", g.taps());
  const int64_t work = g.out[1] * channels * g.taps();
  parallel(g.images * g.out[0], std::max<int64_t>(1, 20000 / work), [&](int64_t first, int64_t last) {
    run_tuned(MaxRows{g, input.const_data_ptr<float>(), out.mutable_data_ptr<float>(), first, last});
  });
  return out;
}

}  // namespace tenon::native
