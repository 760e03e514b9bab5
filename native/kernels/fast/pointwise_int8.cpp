// Sums and functions of 8-bit numbers, one by one. A function of 256 numbers is a table.
#include <tenon/threads.h>

#include "../generated/kernels.h"
#include "int8_product.h"
#include "../quantize.h"

namespace tenon::native {

namespace {

constexpr DTypeSet byte_dtypes = dtypes(ScalarType::Byte, ScalarType::Char);

// Whether tensors of one shape have their elements in one order, without gaps.
template <size_t n>
bool lie_alike(const Tensor* const (&tensors)[n]) {
  bool are_plain = true, are_last = true;
  for (const Tensor* t : tensors) {
    are_plain &= is_plain(*t);
    are_last &= t->dim() == 4 && lies_in_order(*t, true);
  }
  return are_plain || are_last;
}

constexpr int64_t least_shared = 16384;  // numbers that are worth a thread

// Calls run(count, offsets, steps) for runs that together are all elements of tensors of one shape, the result first.
// Tensors that lie alike are one run, which threads share.
template <size_t n, class Run>
void each_run(const Tensor* const (&tensors)[n], const Run& run) {
  int64_t ones[n];
  std::fill_n(ones, n, 1);
  if (lie_alike(tensors)) {
    parallel(tensors[0]->numel(), least_shared, [&](int64_t first, int64_t last) {
      int64_t offsets[n];
      std::fill_n(offsets, n, first);
      run(last - first, offsets, ones);
    });
    return;
  }
  Odometer<n> places;
  for (size_t d = 0; d < tensors[0]->sizes().size(); ++d) {
    int64_t steps[n];
    for (size_t i = 0; i < n; ++i) steps[i] = Strides(*tensors[i])[d];
    places.append(tensors[0]->sizes()[d], steps);
  }
  int64_t steps[n];
  const int64_t count = places.pop(steps);
  for (int64_t left = places.start(); left > 0; --left, places.next()) run(count, places.offset, steps);
}

struct Term {
  const void* at;
  bool is_signed;
  float zero, scale;
};

// In steps that a compiler makes vectors of: whole numbers as floats, their sum, and the lowest byte of that.
struct Sum8 {
  Term a, b;
  float low, high;
  int32_t zero;
  char* out;
  int64_t count;

  static constexpr int64_t some = 256;

  template <class T>
  static ET_INLINE void scaled(const void* from, const Term& t, int64_t count, float* to, bool adds) {
    const T* numbers = static_cast<const T*>(from);
    if (adds) {
      for (int64_t i = 0; i < count; ++i) to[i] += (static_cast<float>(numbers[i]) - t.zero) * t.scale;
    } else {
      for (int64_t i = 0; i < count; ++i) to[i] = (static_cast<float>(numbers[i]) - t.zero) * t.scale;
    }
  }
  static ET_INLINE void scaled(const Term& t, int64_t first, int64_t count, float* to, bool adds) {
    const char* from = static_cast<const char*>(t.at) + first;
    t.is_signed ? scaled<int8_t>(from, t, count, to, adds) : scaled<uint8_t>(from, t, count, to, adds);
  }

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    float sums[some];
    int32_t whole[some];
    for (int64_t first = 0; first < count; first += some) {
      const int64_t here = std::min(some, count - first);
      scaled(a, first, here, sums, false);
      scaled(b, first, here, sums, true);
      for (int64_t i = 0; i < here; ++i) {
        float x = sums[i] < low ? low : sums[i];
        x = x > high ? high : x;
        sums[i] = x + Requantize::rounding;
      }
      std::memcpy(whole, sums, sizeof whole);
      for (int64_t i = 0; i < here; ++i) out[first + i] = static_cast<char>(whole[i] + zero);
    }
  }
};

struct Quantize8 {
  const float* from;
  float inverse, low, high;
  int32_t zero;
  char* to;
  int64_t count;

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    float numbers[Sum8::some];
    int32_t whole[Sum8::some];
    for (int64_t first = 0; first < count; first += Sum8::some) {
      const int64_t here = std::min(Sum8::some, count - first);
      for (int64_t i = 0; i < here; ++i) {
        float x = from[first + i] * inverse;
        x = x < low ? low : x;
        x = x > high ? high : x;
        numbers[i] = x + Requantize::rounding;
      }
      std::memcpy(whole, numbers, sizeof whole);
      for (int64_t i = 0; i < here; ++i) {  // what is no number is 0, as in torch
        to[first + i] = static_cast<char>(numbers[i] == numbers[i] ? whole[i] + zero : 0);
      }
    }
  }
};

template <class T>
struct Dequantize8 {
  const T* from;
  float scale, zero;
  float* to;
  int64_t count;

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    for (int64_t i = 0; i < count; ++i) to[i] = (static_cast<float>(from[i]) - zero) * scale;
  }
};

bool is_byte(Context& cx, const Tensor& t) { return has_dtype(cx, t, byte_dtypes); }

}  // namespace

bool quantize_bytes(const Tensor& in, double scale, int64_t zero, int64_t low, int64_t high, const Tensor& out) {
  const Tensor* const tensors[] = {&out, &in};
  if (in.scalar_type() != ScalarType::Float || !contains(byte_dtypes, out.scalar_type()) || !lie_alike(tensors) ||
      zero < -128 || zero > 255) {
    return false;
  }
  parallel(out.numel(), least_shared, [&](int64_t first, int64_t last) {
    run_tuned(Quantize8{in.const_data_ptr<float>() + first, static_cast<float>(1 / scale),
                        static_cast<float>(low - zero), static_cast<float>(high - zero), static_cast<int32_t>(zero),
                        static_cast<char*>(out.mutable_data_ptr()) + first, last - first});
  });
  return true;
}

bool dequantize_bytes(const Tensor& in, double scale, int64_t zero, const Tensor& out) {
  const Tensor* const tensors[] = {&out, &in};
  if (out.scalar_type() != ScalarType::Float || !contains(byte_dtypes, in.scalar_type()) || !lie_alike(tensors)) {
    return false;
  }
  const auto run = [&](auto tag) {
    using T = typename decltype(tag)::type;
    parallel(out.numel(), least_shared, [&](int64_t first, int64_t last) {
      run_tuned(Dequantize8<T>{in.const_data_ptr<T>() + first, static_cast<float>(scale), static_cast<float>(zero),
                               out.mutable_data_ptr<float>() + first, last - first});
    });
  };
  in.scalar_type() == ScalarType::Byte ? run(TypeTag<uint8_t>()) : run(TypeTag<int8_t>());
  return true;
}

Tensor& add_int8_out(Context& cx, const Tensor& input, int64_t input_zero, double input_scale, const Tensor& other,
                     int64_t other_zero, double other_scale, ScalarType dtype, int64_t zero, double low, double high,
                     Tensor& out) {
  if (!is_byte(cx, input) || !is_byte(cx, other) || !has_place_for(cx, dtype, out) || !is_byte(cx, out) ||
      !are_limits(cx, low, high) || !resize(cx, out, input.sizes())) {
    return out;
  }
  REQUIRE(cx, input.sizes() == other.sizes(), out, "shapes %s and %s should be the same", ShapeText(input.sizes()).text,
          ShapeText(other.sizes()).text);
  const int64_t lowest = dtype == ScalarType::Byte ? 0 : -128;
  const auto bound = [&](double limit) {
    return static_cast<float>(std::clamp(limit, double(lowest), double(lowest + 255)) - double(zero));
  };
  const auto term = [](const Tensor& t, int64_t offset, int64_t term_zero, double scale) {
    return Term{static_cast<const char*>(t.const_data_ptr()) + offset, t.scalar_type() == ScalarType::Char,
                static_cast<float>(term_zero), static_cast<float>(scale)};
  };
  const Tensor* const tensors[] = {&out, &input, &other};
  each_run(tensors, [&](int64_t count, const int64_t* offsets, const int64_t* steps) {
    const bool is_run = steps[0] == 1 && steps[1] == 1 && steps[2] == 1;
    for (int64_t i = 0; i < (is_run ? 1 : count); ++i) {
      run_tuned(Sum8{term(input, offsets[1] + i * steps[1], input_zero, input_scale),
                     term(other, offsets[2] + i * steps[2], other_zero, other_scale), bound(low), bound(high),
                     static_cast<int32_t>(zero), static_cast<char*>(out.mutable_data_ptr()) + offsets[0] + i * steps[0],
                     is_run ? count : 1});
    }
  });
  return out;
}

Tensor& table_int8_out(Context& cx, const Tensor& input, const Tensor& table, Tensor& out) {
  if (!is_byte(cx, input) || !is_byte(cx, table) || !has_same_dtype(cx, table, out) ||
      !resize(cx, out, input.sizes())) {
    return out;
  }
  REQUIRE(cx, table.dim() == 1 && table.numel() == 256, out, "the table has shape %s, and should have [256]",
          ShapeText(table.sizes()).text);
  const uint8_t flip = input.scalar_type() == ScalarType::Char ? 128 : 0;
  uint8_t entries[256];
  for (int i = 0; i < 256; ++i) entries[i ^ flip] = static_cast<const uint8_t*>(table.const_data_ptr())[i];
  const Tensor* const tensors[] = {&out, &input};
  each_run(tensors, [&](int64_t count, const int64_t* offsets, const int64_t* steps) {
    uint8_t* to = static_cast<uint8_t*>(out.mutable_data_ptr()) + offsets[0];
    const uint8_t* from = static_cast<const uint8_t*>(input.const_data_ptr()) + offsets[1];
    int64_t i = 0;
    for (; steps[0] == 1 && steps[1] == 1 && i + 8 <= count; i += 8) {  // stores of one byte would be what it waits for
      uint64_t numbers, found = 0;
      std::memcpy(&numbers, from + i, 8);
      TENON_UNROLL
      for (int k = 0; k < 64; k += 8) found |= uint64_t{entries[numbers >> k & 255]} << k;
      std::memcpy(to + i, &found, 8);
    }
    for (; i < count; ++i) to[i * steps[0]] = entries[from[i * steps[1]]];
  });
  return out;
}

}  // namespace tenon::native
