// Convolutions of images of 8-bit numbers where each channel is by itself. Lines of the image become floats, with their
// padding around them, once they are needed, and are kept while they are: sums of so few products are exact in floats.
#include <tenon/threads.h>

#include "../generated/kernels.h"
#include "int8_product.h"

namespace tenon::native {

namespace {

constexpr int64_t most_places = 257;  // as many products of 8 bits as a float holds the sum of

struct DepthwiseRows8 {
  const Images& g;
  const void* input;
  bool is_signed;
  float zero;
  const float* weights;
  Requantize results;
  float* room;  // lines of floats, the last of them 0
  int64_t width, lines;
  int64_t first, last;

  template <class T>
  ET_INLINE void widen(const T* from, int64_t count, float* to) const {
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<float>(from[i]) - zero;
  }

  // The line of an image as floats. One of `held` tells which line is in its place of the room.
  ET_INLINE const float* line(int64_t n, int64_t at, int64_t* held) const {
    const int64_t step = width * g.channels;
    if (at < 0 || at >= g.in[0]) return room + lines * step;
    const int64_t number = n * g.in[0] + at, place = number % lines, count = g.in[1] * g.channels;
    float* to = room + place * step + g.padding[1] * g.channels;
    if (held[place] != number) {
      held[place] = number;
      is_signed ? widen(static_cast<const int8_t*>(input) + number * count, count, to)
                : widen(static_cast<const uint8_t*>(input) + number * count, count, to);
    }
    return room + place * step;
  }

  static constexpr int some = 4;  // neighbouring points, which share what they read

  template <int bytes, int across, int step>
  ET_INLINE void points(const float* const* rows, int64_t x, int64_t to, int64_t c) const {
    using V = Floats<bytes>;
    constexpr int reach = (some - 1) * step + across;
    V sums[some] = {};
    for (int64_t i = 0; i < g.kernel[0]; ++i) {
      const float* row = rows[i] + x * step * g.channels + c;
      V seen[reach];
      TENON_UNROLL
      for (int j = 0; j < reach; ++j) seen[j] = load<V>(row + j * g.channels);
      TENON_UNROLL
      for (int j = 0; j < across; ++j) {
        const V factor = load<V>(weights + (i * across + j) * g.channels + c);
        TENON_UNROLL
        for (int p = 0; p < some; ++p) sums[p] += factor * seen[p * step + j];
      }
    }
    TENON_UNROLL
    for (int p = 0; p < some; ++p) results.put<bytes>(sums[p], to + p * g.channels + c, c, bytes / 4);
  }

  // A row of the result. The last four may be some points once more.
  template <int bytes, int across, int step>
  ET_INLINE void row(const float* const* rows, int64_t to) const {
    for (int64_t next = 0; next < g.out[1]; next += some) {
      const int64_t x = std::min(next, g.out[1] - some);
      each_vector<bytes>(g.channels, [&](auto size, int64_t c) ET_INLINE_ATTRIBUTE {
        points<decltype(size)::value, across, step>(rows, x, to + x * g.channels, c);
      });
    }
  }

  template <int bytes>
  ET_INLINE void row(const float* const* rows, int64_t to) const {
    const int64_t across = g.kernel[1];
    if (g.dilation[1] == 1 && g.stride[1] <= 2 && g.out[1] >= some && g.channels >= bytes / 4) {
      const bool is_dense = g.stride[1] == 1;
      if (across == 3) return is_dense ? row<bytes, 3, 1>(rows, to) : row<bytes, 3, 2>(rows, to);
      if (across == 5) return is_dense ? row<bytes, 5, 1>(rows, to) : row<bytes, 5, 2>(rows, to);
    }
    for (int64_t x = 0; x < g.out[1]; ++x) {
      each_vector<bytes>(g.channels, [&](auto size, int64_t c) ET_INLINE_ATTRIBUTE {
        using V = Floats<decltype(size)::value>;
        V sum = {};
        for (int64_t i = 0; i < g.taps(); ++i) {
          const int64_t at = x * g.stride[1] + i % across * g.dilation[1];
          sum += load<V>(rows[i / across] + at * g.channels + c) * load<V>(weights + i * g.channels + c);
        }
        results.put<decltype(size)::value>(sum, to + x * g.channels + c, c, decltype(size)::value / 4);
      });
    }
  }

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    int64_t held[most_places];
    std::fill_n(held, lines, -1);
    for (int64_t i = first; i < last; ++i) {
      const int64_t n = i / g.out[0], y = i % g.out[0];
      const float* rows[most_places];
      for (int64_t k = 0; k < g.kernel[0]; ++k) rows[k] = line(n, g.source(0, y, k), held);
      row<bytes>(rows, i * g.out[1] * g.channels);
    }
  }
};

#if TENON_HAS_DOTS
// Where four products are added up at once they are those of four rows of the kernel: lines are packed such that the
// numbers of four rows lie together, with their padding around them.
struct DepthwiseDots {
  const Images& g;
  const uint8_t* input;
  uint8_t flip, outside;  // bytes have no sign here
  const int32_t* starts;  // what the sum of each channel begins with
  const int8_t* weights;  // [group of four rows][column][channel][4]
  Requantize results;
  uint8_t* room;
  int64_t width, groups;
  int64_t first, last;

  using V = Whole<64>;
  typedef uint8_t Chars __attribute__((vector_size(16)));
  typedef uint16_t Pairs __attribute__((vector_size(16)));

  // `count` numbers of four lines.
  ET_INLINE void pack(const uint8_t* const (&lines)[4], int64_t count, uint8_t* to) const {
    int64_t i = 0;
    for (; i + 16 <= count; i += 16) {
      Chars line[4];
      TENON_UNROLL
      for (int k = 0; k < 4; ++k) line[k] = load<Chars>(lines[k] + i) ^ flip;
      Pairs pairs[4];
      TENON_UNROLL
      for (int k = 0; k < 2; ++k) {
        const Chars &a = line[2 * k], &b = line[2 * k + 1];
        pairs[k] = (Pairs)__builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        pairs[k + 2] = (Pairs)__builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      }
      TENON_UNROLL
      for (int k = 0; k < 2; ++k) {
        const Pairs &a = pairs[2 * k], &b = pairs[2 * k + 1];
        store(to + 4 * i + 32 * k, __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11));
        store(to + 4 * i + 32 * k + 16, __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15));
      }
    }
    for (; i < count; ++i) {
      for (int64_t k = 0; k < 4; ++k) to[4 * i + k] = static_cast<uint8_t>(lines[k][i] ^ flip);
    }
  }

  ET_INLINE void pack_rows(int64_t n, int64_t y) const {
    const int64_t line = g.in[1] * g.channels;
    const uint8_t* const none = room + groups * width * g.channels * 4;  // a line of what is outside
    for (int64_t group = 0; group < groups; ++group) {
      const uint8_t* lines[4];
      for (int64_t k = 0; k < 4; ++k) {
        const int64_t at = g.source(0, y, group * 4 + k);
        const bool is_inside = at >= 0 && at < g.in[0] && group * 4 + k < g.kernel[0];
        lines[k] = is_inside ? input + (n * g.in[0] + at) * line : none;
      }
      pack(lines, line, room + (group * width + g.padding[1]) * g.channels * 4);
    }
  }

  static constexpr int some = 4;

  // Four neighbouring points of 16 channels, or `count` of them.
  template <int across, int step>
  ET_INLINE void points(int64_t x, int64_t to, int64_t c, int64_t count) const {
    constexpr int reach = (some - 1) * step + across;
    V sums[some];
    TENON_UNROLL
    for (int p = 0; p < some; ++p) sums[p] = load<V>(starts + c);
    for (int64_t group = 0; group < groups; ++group) {
      const uint8_t* row = room + ((group * width + x * step) * g.channels + c) * 4;
      const int8_t* factors = weights + (group * across * g.channels + c) * 4;
      V seen[reach];
      TENON_UNROLL
      for (int j = 0; j < reach; ++j) seen[j] = load<V>(row + j * g.channels * 4);
      TENON_UNROLL
      for (int j = 0; j < across; ++j) {
        const V factor = load<V>(factors + j * g.channels * 4);
        TENON_UNROLL
        for (int p = 0; p < some; ++p) sums[p] = add_dots(sums[p], seen[p * step + j], factor);
      }
    }
    const bool is_whole = !results.is_float && count >= 16;
    TENON_UNROLL
    for (int p = 0; p < some && is_whole; ++p) {
      results.put_bytes<64>(__builtin_convertvector(sums[p], Floats<64>), to + p * g.channels + c, c);
    }
    for (int p = 0; p < some && !is_whole; ++p) {
      results.put<64>(__builtin_convertvector(sums[p], Floats<64>), to + p * g.channels + c, c, count);
    }
  }

  template <int across, int step>
  ET_INLINE void row(int64_t to) const {
    for (int64_t next = 0; next < g.out[1]; next += some) {
      const int64_t x = std::min(next, g.out[1] - some);
      for (int64_t c = 0; c < g.channels; c += 16) points<across, step>(x, to + x * g.channels, c, g.channels - c);
    }
  }

  ET_INLINE void row(int64_t to) const {
    const bool is_dense = g.stride[1] == 1;
    if (g.dilation[1] == 1 && g.stride[1] <= 2 && g.out[1] >= some) {
      if (g.kernel[1] == 3) return is_dense ? row<3, 1>(to) : row<3, 2>(to);
      if (g.kernel[1] == 5) return is_dense ? row<5, 1>(to) : row<5, 2>(to);
    }
    for (int64_t x = 0; x < g.out[1]; ++x) {
      for (int64_t c = 0; c < g.channels; c += 16) {
        V sum = load<V>(starts + c);
        for (int64_t i = 0; i < groups * g.kernel[1]; ++i) {
          const int64_t at = i / g.kernel[1] * width + x * g.stride[1] + i % g.kernel[1] * g.dilation[1];
          sum = add_dots(sum, load<V>(room + (at * g.channels + c) * 4), load<V>(weights + (i * g.channels + c) * 4));
        }
        results.put<64>(__builtin_convertvector(sum, Floats<64>), to + x * g.channels + c, c, g.channels - c);
      }
    }
  }

  ET_INLINE void operator()(Bytes<64>) const {
    const int64_t line = width * g.channels * 4, before = g.padding[1] * g.channels * 4;
    const int64_t behind = g.behind[1] * g.channels * 4;
    for (int64_t group = 0; group < groups; ++group) {
      std::fill_n(room + group * line, before, outside);
      std::fill_n(room + (group + 1) * line - behind, behind, outside);
    }
    std::fill_n(room + groups * line, g.in[1] * g.channels, static_cast<uint8_t>(outside ^ flip));
    for (int64_t i = first; i < last; ++i) {
      pack_rows(i / g.out[0], i % g.out[0]);
      row(i * g.out[1] * g.channels);
    }
  }

  static int64_t groups_of(const Images& g) { return (g.kernel[0] + 3) / 4; }
  // Of a part of the result. Vectors may be read 60 bytes beyond.
  static int64_t room_bytes(const Images& g, int64_t width) {
    return (groups_of(g) * width * 4 + g.in[1]) * g.channels / 64 * 64 + 128;
  }

  // Weights [tap][channel] as above, and what sums begin with.
  static void prepare(const Images& g, const int8_t* from, int32_t zero, int8_t* weights, int32_t* starts) {
    std::fill_n(weights, groups_of(g) * g.kernel[1] * g.channels * 4, int8_t{0});
    std::fill_n(starts, g.channels + 16, 0);
    for (int64_t i = 0; i < g.kernel[0]; ++i) {
      for (int64_t j = 0; j < g.kernel[1]; ++j) {
        int8_t* to = weights + (i / 4 * g.kernel[1] + j) * g.channels * 4 + i % 4;
        for (int64_t c = 0; c < g.channels; ++c, ++from) to[4 * c] = *from, starts[c] -= zero * *from;
      }
    }
  }
};
#endif

// As many parts as threads are worth it.
int64_t part_count(const Images& g) {
  const int64_t rows = g.images * g.out[0], work = rows * g.out[1] * g.channels * g.taps();
  return std::min<int64_t>({thread_count(), rows, std::max<int64_t>(1, work / 40000)});
}

template <class Run>
void each_part(const Images& g, int64_t parts, const Run& run) {
  const int64_t rows = g.images * g.out[0];
  parallel(parts, 1, [&](int64_t first, int64_t last) {
    for (int64_t p = first; p < last; ++p) run(p, rows * p / parts, rows * (p + 1) / parts);
  });
}

}  // namespace

Tensor& convolution_depthwise_int8_out(Context& cx, const Tensor& input, int64_t input_zero, const Tensor& weight,
                                       const Tensor& scales, const Maybe<Tensor>& zeros, const Maybe<Tensor>& bias,
                                       Ints kernel, Ints stride, Ints padding, Ints dilation, ScalarType dtype,
                                       int64_t zero, double low, double high, Tensor& out) {
  Images g;
  SizesType sizes[4];
  const int64_t channels = input.dim() == 4 ? input.size(1) : 0;
  if (!g.plan(cx, input, channels, kernel, stride, padding, dilation, sizes)) return out;
  const Packed8 packed{input, input_zero, weight, scales, zeros, bias, dtype, zero, low, high};
  const int64_t weight_sizes[] = {g.taps(), channels};
  Requantize results;
  if (!packed.plan(cx, weight_sizes, channels, sizes, true, out, results) || out.numel() == 0) return out;
  const int64_t lines = g.dilation[0] * (g.kernel[0] - 1) + 1, width = g.in[1] + g.padding[1] + g.behind[1];
  REQUIRE(cx, g.taps() <= most_places && lines <= most_places, out,
          "a kernel of %" PRId64 " taps over %" PRId64 " rows is too large", g.taps(), lines);
  const int64_t parts = part_count(g);
  const bool is_signed = input.scalar_type() == ScalarType::Char;
  const int32_t* weight_zeros = packed.weight_zeros();
  const int8_t* from = weight.const_data_ptr<int8_t>();
#if TENON_HAS_DOTS
  if (has_dots() && !weight_zeros) {
    const uint8_t flip = is_signed ? 128 : 0;
    const int64_t part = DepthwiseDots::room_bytes(g, width), groups = DepthwiseDots::groups_of(g);
    const int64_t filters = groups * g.kernel[1] * channels * 4 / 64 * 64 + 128;
    const int64_t bytes = parts * part + filters + (channels + 16) * 4;
    uint8_t* room = static_cast<uint8_t*>(cx.temporary(static_cast<size_t>(bytes), 64));
    if (!room) return out;
    int8_t* weights = reinterpret_cast<int8_t*>(room + parts * part);
    int32_t* starts = reinterpret_cast<int32_t*>(weights + filters);
    DepthwiseDots::prepare(g, from, static_cast<int32_t>(input_zero + flip), weights, starts);
    each_part(g, parts, [&](int64_t p, int64_t first, int64_t last) {
      run_dots(DepthwiseDots{g, input.const_data_ptr<uint8_t>(), flip, static_cast<uint8_t>(input_zero + flip), starts,
                             weights, results, room + p * part, width, groups, first, last});
    });
    return out;
  }
#endif
  const int64_t part = (lines + 1) * width * channels, filters = g.taps() * channels;
  float* room = static_cast<float*>(cx.temporary(static_cast<size_t>(parts * part + filters) * sizeof(float), 64));
  if (!room) return out;
  float* weights = room + parts * part;
  for (int64_t i = 0; i < filters; ++i) {
    weights[i] = static_cast<float>(from[i] - (weight_zeros ? weight_zeros[i % channels] : 0));
  }
  each_part(g, parts, [&](int64_t p, int64_t first, int64_t last) {
    std::fill_n(room + p * part, part, 0.0f);
    run_tuned(DepthwiseRows8{g, input.const_data_ptr(), is_signed, static_cast<float>(input_zero), weights, results,
                             room + p * part, width, lines, first, last});
  });
  return out;
}

}  // namespace tenon::native
