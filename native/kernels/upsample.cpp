// Images at other places than those of their elements: nearest and bilinear upsampling, the latter also with a filter,
// and grid_sampler.
#include <cmath>

#include "moves.h"
#include "pool.h"

namespace tenon::native {

namespace {

bool is_batch(Context& cx, const Tensor& in) {
  return HOLDS(cx, in.dim() == 4 && in.size(2) > 0 && in.size(3) > 0,
               "an input of shape %s is not a batch of images", ShapeText(in).text);
}

// The sizes of the last two of three dimensions, and the scales if these are given instead.
bool take_sizes(Context& cx, const Tensor& in, const Maybe<Ints>& given, const Maybe<ArrayRef<double>>& factors,
                int64_t (&sizes)[3], Maybe<double> (&scales)[3]) {
  REQUIRE(cx, given.has_value() != factors.has_value(), false, "either output_size or scale_factors is needed");
  if (given) return take_each(cx, "output_size", *given, 1, 2, sizes);
  REQUIRE(cx, factors->size() == 2, false, "scale_factors has %zu numbers for 2 dimensions", factors->size());
  for (size_t d = 1; d < 3; ++d) {
    const double have = static_cast<double>(in.sizes()[1 + d]), factor = (*factors)[d - 1], wanted = have * factor;
    REQUIRE(cx, wanted >= 1 && wanted <= INT32_MAX, false, "size %.0f cannot be scaled by %g", have, factor);
    sizes[d] = static_cast<int64_t>(wanted), scales[d] = factor;
  }
  return true;
}

// How far apart in the input two neighbours of the result are. A scale that was given counts before that of the sizes,
// but where the size stays: there it is 1, and each element is made of one.
template <class T>
T step_of(int64_t in, int64_t out, bool align_corners, Maybe<double> scale) {
  if (in == out) return T(1);
  if (align_corners) return out > 1 ? static_cast<T>(in - 1) / static_cast<T>(out - 1) : T(0);
  if (scale && *scale > 0) return static_cast<T>(1.0 / *scale);
  return static_cast<T>(in) / static_cast<T>(out);
}

// --- between two neighbours ----------------------------------------------------------------------------------------

template <class T>
struct Between {
  int64_t first, second;
  T weight;  // of the second

  Between(int64_t i, int64_t size, T step, bool align_corners) {
    // Rounded once, and then to a float, as in torch: where it is nearly whole, that tells whether an infinity counts.
    const T at = align_corners ? static_cast<T>(i) * step
                               : std::max(T(0), std::fma(static_cast<T>(i) + T(0.5), step, T(-0.5)));
    first = std::min(static_cast<int64_t>(static_cast<float>(at)), size - 1);
    second = step == 1 ? first : std::min(first + 1, size - 1);
    weight = std::min(std::max(at - static_cast<T>(first), T(0)), T(1));
  }
};

// --- a triangle as wide as the step --------------------------------------------------------------------------------

// The elements that a place of the result is made of.
template <class T>
struct Triangle {
  int64_t begin, end;
  T center, narrow, total = 0;

  // One that is not smooth is as wide as two elements, and `shift` brings the ends of the image together.
  Triangle(int64_t i, int64_t size, T step, bool is_smooth = true, T shift = 0) {
    const T support = is_smooth ? std::max(step, T(1)) : T(1), middle = step * (static_cast<T>(i) + T(0.5) - shift);
    narrow = is_smooth && step >= 1 ? 1 / step : T(1);
    begin = std::max(static_cast<int64_t>(middle - support + T(0.5) + shift), int64_t{0});
    end = std::min(step == 1 ? i + 1 : static_cast<int64_t>(middle + support + T(0.5) + shift), size);
    center = middle + shift;
    for (int64_t j = begin; j < end; ++j) total += height(j);
  }
  T height(int64_t j) const {
    return std::max(T(0), 1 - std::abs((static_cast<T>(j) - center + T(0.5)) * narrow));
  }
  T weight(int64_t j) const { return total != 0 ? height(j) / total : T(0); }
};

// Weights of bytes are whole numbers, with as many bits as the largest one leaves of 15.
struct ByteFilter {
  int64_t in;
  double step;
  bool is_smooth;
  double shift;
  int bits = 0;

  ByteFilter(int64_t in, int64_t out, bool is_smooth, bool align_corners, Maybe<double> scale)
      : in(in), step(step_of<double>(in, out, align_corners, scale)), is_smooth(is_smooth),
        shift(align_corners && !is_smooth ? 0.5 : 0) {
    double largest = 0;
    for (int64_t i = 0; i < out; ++i) {
      const Triangle<double> filter = at(i);
      for (int64_t j = filter.begin; j < filter.end; ++j) largest = std::max(largest, filter.weight(j));
    }
    while (bits < 22 && static_cast<int>(0.5 + largest * (1 << (bits + 1))) < (1 << 15)) ++bits;
  }
  Triangle<double> at(int64_t i) const { return {i, in, step, is_smooth, shift}; }
  int64_t start() const { return int64_t{1} << (bits - 1); }
  int64_t of(const Triangle<double>& filter, int64_t j) const {
    return static_cast<int64_t>(0.5 + filter.weight(j) * (1 << bits));
  }
  int64_t finish(int64_t sum) const { return std::min<int64_t>(std::max<int64_t>(sum >> bits, 0), 255); }
};

void filter_bytes(const Tensor& in, const Tensor& out, Volume& plan, bool is_smooth, bool align_corners,
                  const Maybe<double> (&scales)[3]) {
  const ByteFilter down(plan.in[1], plan.out[1], is_smooth, align_corners, scales[1]);
  const ByteFilter across(plan.in[2], plan.out[2], is_smooth, align_corners, scales[2]);
  for (int64_t left = plan.planes.start(); left > 0; --left, plan.planes.next()) {
    for (int64_t y = 0; y < plan.out[1]; ++y) {
      const Triangle<double> rows = down.at(y);
      for (int64_t x = 0; x < plan.out[2]; ++x) {
        const Triangle<double> columns = across.at(x);
        int64_t sum = down.start();
        for (int64_t i = rows.begin; i < rows.end; ++i) {
          int64_t line = across.start();
          for (int64_t j = columns.begin; j < columns.end; ++j) {
            line += across.of(columns, j) * in.const_data_ptr<uint8_t>()[plan.place(0, 0, i, j)];
          }
          sum += down.of(rows, i) * across.finish(line);
        }
        out.mutable_data_ptr<uint8_t>()[plan.place(1, 0, y, x)] = static_cast<uint8_t>(down.finish(sum));
      }
    }
  }
}

// Of floats: by triangles as wide as the step if it is smooth, else between two neighbours each way.
template <class T>
void interpolate(const Tensor& in, const Tensor& out, Volume& plan, bool is_smooth, bool align_corners,
                 const Maybe<double> (&scales)[3]) {
  T steps[3];
  for (size_t d = 1; d < 3; ++d) steps[d] = step_of<T>(plan.in[d], plan.out[d], align_corners, scales[d]);
  const auto pixel = [&](int64_t y, int64_t x) { return read_one<T>(in, plan.place(0, 0, y, x)); };
  const auto smooth = [&](int64_t y, int64_t x) {
    const Triangle<T> rows(y, plan.in[1], steps[1]), columns(x, plan.in[2], steps[2]);
    T sum = 0;
    for (int64_t i = rows.begin; i < rows.end; ++i) {
      T line = 0;
      for (int64_t j = columns.begin; j < columns.end; ++j) line += columns.weight(j) * pixel(i, j);
      sum += rows.weight(i) * line;
    }
    return sum;
  };
  const auto between = [&](int64_t y, int64_t x) {
    const Between<T> row(y, plan.in[1], steps[1], align_corners), column(x, plan.in[2], steps[2], align_corners);
    const auto line = [&](int64_t i) {
      return (1 - column.weight) * pixel(i, column.first) + column.weight * pixel(i, column.second);
    };
    return (1 - row.weight) * line(row.first) + row.weight * line(row.second);
  };
  for (int64_t left = plan.planes.start(); left > 0; --left, plan.planes.next()) {
    for (int64_t y = 0; y < plan.out[1]; ++y) {
      for (int64_t x = 0; x < plan.out[2]; ++x) {
        write_one(out, plan.place(1, 0, y, x), is_smooth ? smooth(y, x) : between(y, x));
      }
    }
  }
}

template <DTypeSet set>
Tensor& upsample(Context& cx, const Tensor& in, const int64_t (&sizes)[3], const Maybe<double> (&scales)[3],
                 bool is_smooth, bool align_corners, Tensor& out) {
  Volume plan;
  if (!has_dtype(cx, in, set) || !plan_volume(cx, in, 2, sizes, out, nullptr, plan)) return out;
  if constexpr (contains(set, ScalarType::Byte)) {
    if (in.scalar_type() == ScalarType::Byte) return filter_bytes(in, out, plan, is_smooth, align_corners, scales), out;
  }
  compute_switch<void, set>(in.scalar_type(), [&](auto tag) {
    interpolate<typename decltype(tag)::type>(in, out, plan, is_smooth, align_corners, scales);
  });
  return out;
}

#define FLOATS_AND_BYTES TENON_SELECTED(sets::floats | dtypes(ScalarType::Byte))

}  // namespace

Tensor& upsample_bilinear2d_vec_out(Context& cx, const Tensor& input, Maybe<Ints> output_size, bool align_corners,
                                    Maybe<ArrayRef<double>> scale_factors, Tensor& out) {
  int64_t sizes[3];
  Maybe<double> scales[3];
  if (!is_batch(cx, input) || !has_same_dtype(cx, input, out) ||
      !take_sizes(cx, input, output_size, scale_factors, sizes, scales)) {
    return out;
  }
  return upsample<FLOATS_AND_BYTES>(cx, input, sizes, scales, /*is_smooth=*/false, align_corners, out);
}

Tensor& _upsample_bilinear2d_aa_out(Context& cx, const Tensor& self, Ints output_size, bool align_corners,
                                    Maybe<double> scales_h, Maybe<double> scales_w, Tensor& out) {
  int64_t sizes[3];
  if (!is_batch(cx, self) || !has_same_dtype(cx, self, out)) return out;
  if (!take_each(cx, "output_size", output_size, 1, 2, sizes)) return out;
  if (sizes[1] == self.size(2) && sizes[2] == self.size(3)) return copy_view(cx, View(self), out);  // of any dtype
  const Maybe<double> scales[3] = {std::nullopt, scales_h, scales_w};
  return upsample<FLOATS_AND_BYTES>(cx, self, sizes, scales, /*is_smooth=*/true, align_corners, out);
}

Tensor& upsample_nearest2d_vec_out(Context& cx, const Tensor& input, Maybe<Ints> output_size,
                                   Maybe<ArrayRef<double>> scale_factors, Tensor& out) {
  int64_t sizes[3];
  Maybe<double> scales[3];
  Volume plan;
  if (!is_batch(cx, input) || !take_sizes(cx, input, output_size, scale_factors, sizes, scales) ||
      !has_dtype(cx, input, NUMBERS) || !has_same_dtype(cx, input, out) ||
      !plan_volume(cx, input, 2, sizes, out, nullptr, plan)) {
    return out;
  }
  float steps[3];  // as torch has them: which element is nearest depends on it
  for (size_t d = 1; d < 3; ++d) steps[d] = step_of<float>(plan.in[d], plan.out[d], false, scales[d]);
  const auto nearest = [&](size_t d, int64_t i) {
    if (plan.out[d] == plan.in[d]) return i;
    if (plan.out[d] == 2 * plan.in[d]) return i / 2;
    return std::min(static_cast<int64_t>(std::floor(static_cast<float>(i) * steps[d])), plan.in[d] - 1);
  };
  width_switch<NUMBERS>(input.element_size(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t left = plan.planes.start(); left > 0; --left, plan.planes.next()) {
      for (int64_t y = 0; y < plan.out[1]; ++y) {
        const T* row = static_cast<const T*>(input.const_data_ptr()) + plan.place(0, 0, nearest(1, y), 0);
        T* to = static_cast<T*>(out.mutable_data_ptr()) + plan.place(1, 0, y, 0);
        for (int64_t x = 0; x < plan.out[2]; ++x) to[x * plan.step[1][2]] = row[nearest(2, x) * plan.step[0][2]];
      }
    }
  });
  return out;
}

// --- where a grid says ---------------------------------------------------------------------------------------------

namespace {

enum class Sampling { bilinear, nearest, bicubic };
enum class Outside { zeros, border, reflection };

// A place of the grid, of which -1 and 1 are the ends of the image, as an index.
template <class T>
T place_of(T at, int64_t size, bool align_corners) {
  const T length = static_cast<T>(size);
  return align_corners ? (at + 1) / 2 * (length - 1) : ((at + 1) * length - 1) / 2;
}

// What is outside brought inside. What is not a number becomes the first element.
template <class T>
T brought_inside(T at, int64_t size, Outside outside, bool align_corners) {
  if (outside == Outside::zeros) return at;
  if (outside == Outside::reflection) {
    const T low = align_corners ? T(0) : T(-0.5), span = static_cast<T>(align_corners ? size - 1 : size);
    if (span == 0) return T(0);
    const T away = std::abs(at - low), rest = std::fmod(away, span);
    const bool is_mirrored = std::fmod(std::floor(away / span), T(2)) != 0;
    at = is_mirrored ? span - rest + low : rest + low;
  }
  return at > 0 ? std::min(at, static_cast<T>(size - 1)) : T(0);
}

// The elements along one dimension that make up a place, by their offsets, each with its weight. Those outside are none
// of them. A dimension that is not there has one.
template <class T>
struct Taps {
  int count = 1;
  int64_t offset[4] = {0, 0, 0, 0};
  T weight[4] = {1, 0, 0, 0};

  void find(T at, int64_t size, int64_t step, Sampling sampling, Outside outside, bool align_corners) {
    count = 0;
    const auto inside = [&](T place) { return brought_inside(place, size, outside, align_corners); };
    const auto add = [&](T place, T by) {
      if (!(place >= 0 && place < static_cast<T>(size))) return;
      offset[count] = static_cast<int64_t>(place) * step;
      weight[count++] = by;
    };
    if (sampling != Sampling::bicubic) at = inside(at);
    const T low = std::floor(at), t = at - low;
    if (sampling == Sampling::nearest) {
      add(std::nearbyint(at), 1);
    } else if (sampling == Sampling::bilinear) {
      add(low, 1 - t), add(low + 1, t);
    } else {
      // Of four neighbours, the middle two have the place between them. The weights are products, so that those near 0
      // are as exact as the others.
      constexpr T a = T(-0.75);
      const auto near = [](T x, T rest) { return rest * (1 + x - (a + 2) * x * x); };
      const auto far = [](T x, T rest) { return a * x * rest * rest; };
      add(inside(low - 1), far(t, 1 - t)), add(inside(low), near(t, 1 - t));
      add(inside(low + 1), near(1 - t, t)), add(inside(low + 2), far(1 - t, t));
    }
  }
};

// Images of n dimensions.
template <DTypeSet set>
Tensor& sample(Context& cx, const Tensor& input, const Tensor& grid, size_t n, int64_t last_mode,
               int64_t interpolation_mode, int64_t padding_mode, bool align_corners, Tensor& out) {
  bool fits = input.sizes().size() == n + 2 && grid.sizes().size() == n + 2 && grid.size(0) == input.size(0) &&
              grid.sizes()[n + 1] == static_cast<SizesType>(n);
  for (size_t d = 2; fits && d < n + 2; ++d) fits = input.sizes()[d] > 0;
  REQUIRE(cx, fits, out, "a grid of shape %s does not go with images of shape %s", ShapeText(grid).text,
          ShapeText(input).text);
  REQUIRE(cx, interpolation_mode >= 0 && interpolation_mode <= last_mode && padding_mode >= 0 && padding_mode <= 2, out,
          "there is no interpolation %" PRId64 " with padding %" PRId64, interpolation_mode, padding_mode);
  SizesType sizes[5] = {input.sizes()[0], input.sizes()[1]};
  std::copy_n(grid.sizes().begin() + 1, n, sizes + 2);
  if (!has_same_dtype(cx, input, grid, out) || !resize(cx, out, {sizes, n + 2})) return out;
  const Strides from(input), places(grid), to(out);
  Odometer<3> points;  // strides of: input, grid, out
  points.add(sizes[0], from[0], places[0], to[0]);
  for (size_t d = 0; d < n; ++d) points.add(sizes[2 + d], 0, places[1 + d], to[2 + d]);
  compute_switch<void, set>(input.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t left = points.start(); left > 0; --left, points.next()) {
      Taps<T> taps[3];
      for (size_t d = 3 - n, own = 2; d < 3; ++d, ++own) {  // the grid has x first
        const T given = read_one<T>(grid, points.offset[1] + static_cast<int64_t>(2 - d) * places[n + 1]);
        const T place = place_of(given, input.sizes()[own], align_corners);
        taps[d].find(place, input.sizes()[own], from[own], static_cast<Sampling>(interpolation_mode),
                     static_cast<Outside>(padding_mode), align_corners);
      }
      for (int64_t channel = 0; channel < sizes[1]; ++channel) {
        T sum = 0;
        for (int z = 0; z < taps[0].count; ++z) {
          for (int y = 0; y < taps[1].count; ++y) {
            const int64_t row = points.offset[0] + channel * from[1] + taps[0].offset[z] + taps[1].offset[y];
            T line = 0;
            for (int x = 0; x < taps[2].count; ++x) {
              line += taps[2].weight[x] * read_one<T>(input, row + taps[2].offset[x]);
            }
            sum += taps[0].weight[z] * taps[1].weight[y] * line;
          }
        }
        write_one(out, points.offset[2] + channel * to[1], sum);
      }
    }
  });
  return out;
}

}  // namespace

Tensor& grid_sampler_2d_out(Context& cx, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                            int64_t padding_mode, bool align_corners, Tensor& out) {
  if (!is_batch(cx, input) || (input.numel() && grid.numel() && !has_dtype(cx, input, FLOATS))) return out;
  return sample<FLOATS>(cx, input, grid, 2, 2, interpolation_mode, padding_mode, align_corners, out);
}

Tensor& grid_sampler_3d_out(Context& cx, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                            int64_t padding_mode, bool align_corners, Tensor& out) {
  if (!has_dtype(cx, input, FLOATS)) return out;
  return sample<FLOATS>(cx, input, grid, 3, 1, interpolation_mode, padding_mode, align_corners, out);
}

}  // namespace tenon::native
