// Images at other places than those of their elements: bilinear upsampling, with and without a filter, and grid_sampler.
#include <algorithm>
#include <cmath>

#include "index.h"
#include "moves.h"

namespace tenon::native {

namespace {

struct Image {
  int64_t in[2], out[2], in_step[2], out_step[2];
  Odometer<2> planes;  // strides of: input, result
};

// Resizes the result to these sizes of its last two dimensions.
bool plan_image(Context& cx, const Tensor& in, const int64_t (&sizes)[2], Tensor& out, Image& plan) {
  SizesType shape[4] = {in.sizes()[0], in.sizes()[1]};
  for (size_t d = 0; d < 2; ++d) shape[2 + d] = static_cast<SizesType>(sizes[d]);
  if (!resize(cx, out, shape)) return false;
  const Strides from(in), to(out);
  for (size_t d = 0; d < 2; ++d) {
    plan.in[d] = in.sizes()[2 + d], plan.out[d] = sizes[d];
    plan.in_step[d] = from[2 + d], plan.out_step[d] = to[2 + d];
    plan.planes.add(shape[d], from[d], to[d]);
  }
  return true;
}

bool is_batch(Context& cx, const Tensor& in) {
  return HOLDS(cx, in.dim() == 4 && in.size(2) > 0 && in.size(3) > 0, "an input of shape %s is not a batch of images",
               ShapeText(in).text);
}

bool take_sizes(Context& cx, Ints wanted, int64_t (&sizes)[2]) {
  const bool fits = wanted.size() == 2 && wanted[0] > 0 && wanted[1] > 0 && std::max(wanted[0], wanted[1]) <= INT32_MAX;
  REQUIRE(cx, fits, false, "output_size is not two numbers above 0");
  sizes[0] = wanted[0], sizes[1] = wanted[1];
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

void filter_bytes(const Tensor& in, const Tensor& out, Image& plan, bool is_smooth, bool align_corners,
                  const Maybe<double> (&scales)[2]) {
  const ByteFilter down(plan.in[0], plan.out[0], is_smooth, align_corners, scales[0]);
  const ByteFilter across(plan.in[1], plan.out[1], is_smooth, align_corners, scales[1]);
  for (int64_t left = plan.planes.start(); left > 0; --left, plan.planes.next()) {
    const uint8_t* from = in.const_data_ptr<uint8_t>() + plan.planes.offset[0];
    uint8_t* to = out.mutable_data_ptr<uint8_t>() + plan.planes.offset[1];
    for (int64_t y = 0; y < plan.out[0]; ++y) {
      const Triangle<double> rows = down.at(y);
      for (int64_t x = 0; x < plan.out[1]; ++x) {
        const Triangle<double> columns = across.at(x);
        int64_t sum = down.start();
        for (int64_t i = rows.begin; i < rows.end; ++i) {
          int64_t line = across.start();
          for (int64_t j = columns.begin; j < columns.end; ++j) {
            line += across.of(columns, j) * from[i * plan.in_step[0] + j * plan.in_step[1]];
          }
          sum += down.of(rows, i) * across.finish(line);
        }
        to[y * plan.out_step[0] + x * plan.out_step[1]] = static_cast<uint8_t>(down.finish(sum));
      }
    }
  }
}

// Calls value(plane, y, x), which gives the element of the result there.
template <class T, class Value>
void fill_image(const Tensor& out, Image& plan, const Value& value) {
  for (int64_t left = plan.planes.start(); left > 0; --left, plan.planes.next()) {
    for (int64_t y = 0; y < plan.out[0]; ++y) {
      for (int64_t x = 0; x < plan.out[1]; ++x) {
        const T found = value(plan.planes.offset[0], y, x);
        write(out, plan.planes.offset[1] + y * plan.out_step[0] + x * plan.out_step[1], 1, 1, &found);
      }
    }
  }
}

}  // namespace

Tensor& upsample_bilinear2d_vec_out(Context& cx, const Tensor& input, Maybe<Ints> output_size, bool align_corners,
                                    Maybe<ArrayRef<double>> scale_factors, Tensor& out) {
  REQUIRE(cx, output_size.has_value() != scale_factors.has_value(), out,
          "either output_size or scale_factors is needed");
  constexpr DTypeSet set = TENON_SELECTED(sets::floats | dtypes(ScalarType::Byte));
  if (!is_batch(cx, input) || !has_dtype(cx, input, set) || !has_same_dtype(cx, input, out)) return out;
  REQUIRE(cx, output_size || scale_factors->size() == 2, out, "scale_factors has %zu numbers for 2 dimensions",
          scale_factors->size());
  int64_t sizes[2];
  Maybe<double> scales[2];
  if (output_size && !take_sizes(cx, *output_size, sizes)) return out;
  for (size_t d = 0; !output_size && d < 2; ++d) {
    scales[d] = (*scale_factors)[d];
    const double have = static_cast<double>(input.sizes()[2 + d]), wanted = have * *scales[d];
    REQUIRE(cx, wanted >= 1 && wanted <= INT32_MAX, out, "size %.0f cannot be scaled by %g", have, *scales[d]);
    sizes[d] = static_cast<int64_t>(wanted);
  }
  Image plan;
  if (!plan_image(cx, input, sizes, out, plan)) return out;
  if constexpr (contains(set, ScalarType::Byte)) {
    if (input.scalar_type() == ScalarType::Byte) {
      return filter_bytes(input, out, plan, /*is_smooth=*/false, align_corners, scales), out;
    }
  }
  compute_switch<void, set>(input.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T steps[2];
    for (int d = 0; d < 2; ++d) steps[d] = step_of<T>(plan.in[d], plan.out[d], align_corners, scales[d]);
    fill_image<T>(out, plan, [&](int64_t plane, int64_t y, int64_t x) {
      const Between<T> row(y, plan.in[0], steps[0], align_corners), column(x, plan.in[1], steps[1], align_corners);
      const auto line = [&](int64_t i) {
        const int64_t start = plane + i * plan.in_step[0];
        return (1 - column.weight) * read_one<T>(input, start + column.first * plan.in_step[1]) +
               column.weight * read_one<T>(input, start + column.second * plan.in_step[1]);
      };
      return (1 - row.weight) * line(row.first) + row.weight * line(row.second);
    });
  });
  return out;
}

Tensor& _upsample_bilinear2d_aa_out(Context& cx, const Tensor& self, Ints output_size, bool align_corners,
                                    Maybe<double> scales_h, Maybe<double> scales_w, Tensor& out) {
  Image plan;
  int64_t sizes[2];
  constexpr DTypeSet set = TENON_SELECTED(sets::floats | dtypes(ScalarType::Byte));
  if (!is_batch(cx, self) || !has_same_dtype(cx, self, out) || !take_sizes(cx, output_size, sizes)) return out;
  if (sizes[0] == self.size(2) && sizes[1] == self.size(3)) return copy_view(cx, View(self), out);  // of any dtype
  if (!has_dtype(cx, self, set) || !plan_image(cx, self, sizes, out, plan)) {
    return out;
  }
  const Maybe<double> scales[2] = {scales_h, scales_w};
  if constexpr (contains(set, ScalarType::Byte)) {
    if (self.scalar_type() == ScalarType::Byte) {
      return filter_bytes(self, out, plan, /*is_smooth=*/true, align_corners, scales), out;
    }
  }
  compute_switch<void, set>(self.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T steps[2];
    for (int d = 0; d < 2; ++d) steps[d] = step_of<T>(plan.in[d], plan.out[d], align_corners, scales[d]);
    fill_image<T>(out, plan, [&](int64_t plane, int64_t y, int64_t x) {
      const Triangle<T> rows(y, plan.in[0], steps[0]), columns(x, plan.in[1], steps[1]);
      T sum = 0;
      for (int64_t i = rows.begin; i < rows.end; ++i) {
        T line = 0;
        for (int64_t j = columns.begin; j < columns.end; ++j) {
          line += columns.weight(j) * read_one<T>(self, plane + i * plan.in_step[0] + j * plan.in_step[1]);
        }
        sum += rows.weight(i) * line;
      }
      return sum;
    });
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

template <class T>
struct Sampler {
  const Tensor& in;
  const Image& plan;
  Outside outside;
  bool align_corners;
  int64_t plane;

  T at(T y, T x) const {
    const T rows = static_cast<T>(plan.in[0]), columns = static_cast<T>(plan.in[1]);
    if (!(y >= 0 && y < rows && x >= 0 && x < columns)) return 0;
    return read_one<T>(in, plane + static_cast<int64_t>(y) * plan.in_step[0] + static_cast<int64_t>(x) * plan.in_step[1]);
  }
  T bilinear(T y, T x) const {
    const T top = std::floor(y), left = std::floor(x), down = y - top, right = x - left;
    return at(top, left) * ((1 - down) * (1 - right)) + at(top, left + 1) * ((1 - down) * right) +
           at(top + 1, left) * (down * (1 - right)) + at(top + 1, left + 1) * (down * right);
  }
  // The weights of four neighbours, of which the middle two have the place between them. They are products, so that
  // those near 0 are as exact as the others.
  static void cubic(T t, T (&weights)[4]) {
    constexpr T a = T(-0.75);
    const auto near = [](T x, T rest) { return rest * (1 + x - (a + 2) * x * x); };
    const auto far = [](T x, T rest) { return a * x * rest * rest; };
    weights[0] = far(t, 1 - t), weights[1] = near(t, 1 - t), weights[2] = near(1 - t, t), weights[3] = far(1 - t, t);
  }
  T bicubic(T y, T x) const {
    const T top = std::floor(y), left = std::floor(x);
    T down[4], across[4], sum = 0;
    cubic(y - top, down), cubic(x - left, across);
    for (int i = 0; i < 4; ++i) {
      T line = 0;
      for (int j = 0; j < 4; ++j) {
        line += across[j] * at(brought_inside(top + static_cast<T>(i - 1), plan.in[0], outside, align_corners),
                               brought_inside(left + static_cast<T>(j - 1), plan.in[1], outside, align_corners));
      }
      sum += down[i] * line;
    }
    return sum;
  }
};

}  // namespace

Tensor& grid_sampler_2d_out(Context& cx, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                            int64_t padding_mode, bool align_corners, Tensor& out) {
  if (!is_batch(cx, input) || (input.numel() && grid.numel() && !has_dtype(cx, input, FLOATS)) ||
      !has_same_dtype(cx, input, grid) || !has_same_dtype(cx, input, out)) {
    return out;
  }
  REQUIRE(cx, grid.dim() == 4 && grid.size(0) == input.size(0) && grid.size(3) == 2, out,
          "a grid of shape %s does not go with images of shape %s", ShapeText(grid).text, ShapeText(input).text);
  REQUIRE(cx, interpolation_mode >= 0 && interpolation_mode <= 2 && padding_mode >= 0 && padding_mode <= 2, out,
          "there is no interpolation %" PRId64 " with padding %" PRId64, interpolation_mode, padding_mode);
  const Sampling sampling = static_cast<Sampling>(interpolation_mode);
  const Outside outside = static_cast<Outside>(padding_mode);
  Image plan;
  if (!plan_image(cx, input, {grid.size(1), grid.size(2)}, out, plan)) return out;
  const Strides from(input), places(grid), to(out);
  compute_switch<void, FLOATS>(input.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto place = [&](int64_t offset, size_t d) {
      return place_of(read_one<T>(grid, offset + (d ? 0 : places[3])), plan.in[d], align_corners);
    };
    for (int64_t image = 0; image < input.size(0); ++image) {
      for (int64_t i = 0; i < plan.out[0] * plan.out[1]; ++i) {
        const int64_t row = i / plan.out[1], column = i % plan.out[1];
        const int64_t offset = image * places[0] + row * places[1] + column * places[2];
        T y = place(offset, 0), x = place(offset, 1);
        if (sampling != Sampling::bicubic) {
          y = brought_inside(y, plan.in[0], outside, align_corners);
          x = brought_inside(x, plan.in[1], outside, align_corners);
        }
        for (int64_t channel = 0; channel < input.size(1); ++channel) {
          const Sampler<T> sampler{input, plan, outside, align_corners, image * from[0] + channel * from[1]};
          const T found = sampling == Sampling::bilinear  ? sampler.bilinear(y, x)
                          : sampling == Sampling::bicubic ? sampler.bicubic(y, x)
                                                          : sampler.at(std::nearbyint(y), std::nearbyint(x));
          write(out, image * to[0] + channel * to[1] + row * to[2] + column * to[3], 1, 1, &found);
        }
      }
    }
  });
  return out;
}

Tensor& grid_sampler_3d_out(Context& cx, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                            int64_t padding_mode, bool align_corners, Tensor& out) {
  if (!has_dtype(cx, input, FLOATS) || !has_same_dtype(cx, input, grid) || !has_same_dtype(cx, input, out)) return out;
  bool fits = input.dim() == 5 && grid.dim() == 5 && grid.size(0) == input.size(0) && grid.size(4) == 3;
  for (ptrdiff_t d = 1; fits && d < 5; ++d) fits = input.size(d) > 0;
  REQUIRE(cx, fits, out, "a grid of shape %s does not go with images of shape %s", ShapeText(grid).text,
          ShapeText(input).text);
  REQUIRE(cx, interpolation_mode >= 0 && interpolation_mode <= 1 && padding_mode >= 0 && padding_mode <= 2, out,
          "there is no interpolation %" PRId64 " with padding %" PRId64, interpolation_mode, padding_mode);
  const SizesType sizes[] = {input.sizes()[0], input.sizes()[1], grid.sizes()[1], grid.sizes()[2], grid.sizes()[3]};
  if (!resize(cx, out, {sizes, 5})) return out;
  const Strides from(input), places(grid), to(out);
  Odometer<3> points;  // strides of: input, grid, out
  points.add(sizes[0], from[0], places[0], to[0]);
  for (size_t d = 2; d < 5; ++d) points.add(sizes[d], 0, places[d - 1], to[d]);
  compute_switch<void, FLOATS>(input.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t left = points.start(); left > 0; --left, points.next()) {
      T at[3], low[3];
      for (int64_t d = 0; d < 3; ++d) {  // the grid has x first
        const T given = read_one<T>(grid, points.offset[1] + (2 - d) * places[4]);
        at[d] = place_of(given, input.size(2 + d), align_corners);
        at[d] = brought_inside(at[d], input.size(2 + d), static_cast<Outside>(padding_mode), align_corners);
        low[d] = interpolation_mode == 1 ? std::nearbyint(at[d]) : std::floor(at[d]);
      }
      for (int64_t channel = 0; channel < sizes[1]; ++channel) {
        T sum = 0;
        for (int corner = 0; corner < (interpolation_mode == 1 ? 1 : 8); ++corner) {
          int64_t offset = points.offset[0] + channel * from[1];
          bool is_inside = true;
          T weight = 1;
          for (size_t d = 0; d < 3; ++d) {
            const bool is_high = corner >> (2 - d) & 1;
            const T place = low[d] + T(is_high);
            is_inside = is_inside && place >= 0 && place < static_cast<T>(input.sizes()[2 + d]);
            if (is_inside) offset += static_cast<int64_t>(place) * from[2 + d];
            if (interpolation_mode == 0) weight *= is_high ? at[d] - low[d] : low[d] + 1 - at[d];
          }
          if (is_inside) sum += weight * read_one<T>(input, offset);
        }
        write(out, points.offset[2] + channel * to[1], 1, 1, &sum);
      }
    }
  });
  return out;
}

}  // namespace tenon::native
