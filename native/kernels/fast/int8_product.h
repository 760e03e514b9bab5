// Products of 8-bit numbers with packed 8-bit weights. Sums are whole numbers, exact in 32 bits; a scale per output makes
// results of them, which are 8-bit numbers again or floats.
//
// Where a processor multiplies four pairs of bytes at once and adds them up, that is what is done. Elsewhere the product
// of floats does it: a float holds the sum of some hundreds of such products exactly.
#pragma once

#include <utility>

#include "dots.h"
#include "packed.h"

namespace tenon::native {

// What becomes of sums: sum * scale + bias, within limits; rounded, and a zero point added, unless it is to be float.
struct Requantize {
  const float *scales, *bias;  // with zeros up to whole panels
  float low, high;  // before the zero point is added
  int32_t zero;
  bool is_float;
  void* out;

  // Adding this to a float of no more than 22 bits leaves the nearest whole number in the lowest bits, ties to even.
  static constexpr float rounding = 12582912.0f;

  // A vector of results in 8 bits, from `place` of the result on; the first is of output `column`.
  template <int bytes>
  ET_INLINE void put_bytes(const Floats<bytes>& sums, int64_t place, int64_t column) const {
    const auto narrow = low_bytes<bytes>(rounded<bytes>(sums, column));
    std::memcpy(static_cast<char*>(out) + place, &narrow, bytes / 4);
  }

  // `count` results of any dtype.
  template <int bytes>
  ET_INLINE void put(const Floats<bytes>& sums, int64_t place, int64_t column, int64_t count) const {
    const size_t some = static_cast<size_t>(std::min<int64_t>(count, bytes / 4));
    if (is_float) {
      const Floats<bytes> results = limited<bytes>(sums, column);
      std::memcpy(static_cast<float*>(out) + place, &results, some * 4);
    } else if (some * 4 == bytes) {
      put_bytes<bytes>(sums, place, column);
    } else {
      const auto narrow = low_bytes<bytes>(rounded<bytes>(sums, column));
      std::memcpy(static_cast<char*>(out) + place, &narrow, some);
    }
  }

 private:
  template <int bytes>
  ET_INLINE Floats<bytes> limited(const Floats<bytes>& sums, int64_t column) const {
    using V = Floats<bytes>;
    V x = sums * load<V>(scales + column) + load<V>(bias + column);
    x = x < low ? V{} + low : x;
    return x > high ? V{} + high : x;
  }
  template <int bytes>
  ET_INLINE Whole<bytes> rounded(const Floats<bytes>& sums, int64_t column) const {
    const Floats<bytes> x = limited<bytes>(sums, column) + rounding;
    return load<Whole<bytes>>(&x) + zero;
  }
  // The lowest byte of each number, in the first bytes.
  template <int bytes>
  static ET_INLINE Whole<bytes> low_bytes(const Whole<bytes>& numbers) {
    if constexpr (bytes <= 16) {  // not every processor shuffles bytes
      char narrow[bytes] = {};
      for (size_t i = 0; i < bytes / 4; ++i) narrow[i] = static_cast<char>(numbers[i]);
      return load<Whole<bytes>>(narrow);
    } else {
      using Chars = typename VectorOf<char, bytes>::type;
      const Chars first = in_lanes<Chars>(load<Chars>(&numbers), std::make_integer_sequence<int, bytes>());
      return joined(load<Whole<bytes>>(&first), std::make_integer_sequence<int, bytes / 4>());
    }
  }
  // Within each 16 bytes, and then these together: two instructions.
  template <class Chars, int... i>
  static ET_INLINE Chars in_lanes(const Chars& x, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(x, x, (i % 16 < 4 ? i / 16 * 16 + i % 16 * 4 : i)...);
  }
  template <class V, int... i>
  static ET_INLINE V joined(const V& x, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(x, x, (i < static_cast<int>(sizeof...(i)) / 4 ? 4 * i : i)...);
  }
};

// Whether limits of 8-bit results are whole numbers, or infinite; false, with words, if not.
bool are_limits(Context& cx, double low, double high);

// What all of them are given.
struct Packed8 {
  const Tensor& input;
  int64_t input_zero;
  const Tensor &weight, &scales;
  const Maybe<Tensor>&zeros, &bias;
  ScalarType dtype;
  int64_t zero;
  double low, high;

  // Resizes `out`, and says how results are made; false, with words, if something does not fit.
  bool plan(Context& cx, Ints weight_sizes, int64_t outputs, ArrayRef<SizesType> sizes, bool is_image, Tensor& out,
            Requantize& results, bool any_order = false) const;
  // The zero points of weights, if they are not all 0.
  const int32_t* weight_zeros() const;
};

// The runs of a patch: a row of the kernel, whose points lie together once the image has its padding around it.
struct Runs {
  int64_t count, length;

  explicit Runs(const Images& g)
      : count(g.dilation[1] == 1 ? g.kernel[0] : g.taps()),
        length(g.dilation[1] == 1 ? g.kernel[1] * g.channels : g.channels) {}
  int64_t quads() const { return (length + 3) / 4; }
};

// out = the convolution of images with panels [ceil(outputs / 16), quads of all runs, 16, 4]. A matrix is an image of one
// row, whatever dimensions its tensor has.
void multiply_int8(Context& cx, const Images& g, bool is_matrix, const Packed8& packed, int64_t outputs,
                   const Requantize& results);

}  // namespace tenon::native
