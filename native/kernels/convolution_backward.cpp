// Gradients of a convolution; and col2im, which is the gradient of cutting an image into patches.
#include "convolution.h"
#include "generated/kernels.h"

namespace tenon::native {

namespace {

// The convolution the other way: a transposed one is the gradient of a plain one.
Geometry flipped(const Geometry& g) {
  Geometry found = g;
  std::swap(found.in, found.out);
  std::swap(found.inputs, found.outputs);
  std::swap(found.from, found.to);
  found.transposed = !g.transposed;
  return found;
}

// Calls work(value, n) with all of a channel, a run at a time.
template <class T, class Work>
void each_run(const Geometry& g, const Tensor& t, int64_t channel, const Work& work) {
  T room[run_room];
  for (int64_t line = 0; line < g.images * g.out[0] * g.out[1]; ++line) {
    const int64_t image = line / g.out[1] / g.out[0], z = line / g.out[1] % g.out[0], y = line % g.out[1];
    for (int64_t x = 0; x < g.out[2]; x += run_room) {
      const int64_t n = std::min(run_room, g.out[2] - x);
      work(read(t, g.to.place(image, channel, z, y, x), g.to.point[2], n, room), n);
    }
  }
}

// What one weight adds up: a point of the result times the point of the input that its tap sees. The geometry is plain.
template <class T>
double weight_gradient(const Geometry& g, const Tensor& input, const Tensor& result, int64_t i, int64_t o,
                       const Tap& tap) {
  T rooms[2][run_room];
  double sum = 0;
  const Range inside(g.out[2], g.stride[2], tap.shift[2], g.in[2]);
  for (int64_t line = 0; line < g.images * g.out[0] * g.out[1]; ++line) {
    const int64_t n = line / g.out[1] / g.out[0], z = line / g.out[1] % g.out[0], y = line % g.out[1];
    const int64_t from_z = z * g.stride[0] + tap.shift[0], from_y = y * g.stride[1] + tap.shift[1];
    if (from_z < 0 || from_z >= g.in[0] || from_y < 0 || from_y >= g.in[1]) continue;
    for (int64_t x = inside.first; x < inside.last; x += run_room) {
      const int64_t count = std::min(run_room, inside.last - x), step = g.stride[2] * g.from.point[2];
      const int64_t from = g.from.place(n, i, from_z, from_y, x * g.stride[2] + tap.shift[2]);
      const T* seen = read(input, from, step, count, rooms[0]);
      const T* made = read(result, g.to.place(n, o, z, y, x), g.to.point[2], count, rooms[1]);
      T part = 0;
      for (int64_t k = 0; k < count; ++k) part += seen[k] * made[k];
      sum += static_cast<double>(part);
    }
  }
  return sum;
}

}  // namespace

// A bias has a number for each channel, whatever is said of its sizes.
Triple convolution_backward_out(Context& cx, const Tensor& grad_output, const Tensor& input, const Tensor& weight,
                                Maybe<Ints>, Ints stride, Ints padding, Ints dilation, bool transposed,
                                Ints output_padding, int64_t groups, ArrayRef<bool> output_mask, Tensor& out0,
                                Tensor& out1, Tensor& out2) {
  const Triple outs(out0, out1, out2);
  Geometry g;
  SizesType sizes[5];
  if (!plan_convolution(cx, input, weight, stride, padding, dilation, transposed, output_padding, groups, g, sizes) ||
      !has_dtype(cx, input, FLOATS) || !has_same_dtype(cx, weight, input) || !has_same_dtype(cx, grad_output, input)) {
    return outs;
  }
  const ArrayRef<SizesType> made{sizes, input.sizes().size()};
  REQUIRE(cx, grad_output.sizes() == made, outs, "gradients of shape %s are not those of a convolution that gives %s",
          ShapeText(grad_output).text, ShapeText(made).text);
  REQUIRE(cx, output_mask.size() == 3, outs, "output_mask has %zu answers for 3 results", output_mask.size());
  g.to = image_strides(grad_output);
  const ArrayRef<SizesType> shapes[] = {input.sizes(), weight.sizes(), {&sizes[1], 1}};
  Tensor* const results[] = {&out0, &out1, &out2};
  for (size_t k = 0; k < 3; ++k) {  // what is not asked for stays as it is
    if (output_mask[k] && (!has_same_dtype(cx, *results[k], input) || !resize(cx, *results[k], shapes[k]))) return outs;
  }
  compute_switch<void, FLOATS>(input.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if (output_mask[0]) {
      AnyConvolution back{flipped(g), &grad_output, &weight, nullptr, &out0};
      back.to = image_strides(out0);
      back.run<T>();
    }
    const Geometry plain = transposed ? flipped(g) : g;
    const Tensor &seen = transposed ? grad_output : input, &result = transposed ? input : grad_output;
    const ImageStrides to = output_mask[1] ? image_strides(out1) : ImageStrides();
    for (int64_t o = 0; output_mask[1] && o < groups * plain.outputs; ++o) {
      for (int64_t t = 0; t < plain.inputs * plain.taps(); ++t) {
        const int64_t c = t / plain.taps();
        const Tap tap(plain, t % plain.taps());
        const double sum = weight_gradient<T>(plain, seen, result, o / plain.outputs * plain.inputs + c, o, tap);
        write_one(out1, to.place(o, c, tap.at), sum);
      }
    }
    for (int64_t c = 0; output_mask[2] && c < sizes[1]; ++c) {
      double sum = 0;
      each_run<T>(g, grad_output, c, [&](const T* x, int64_t n) {
        for (int64_t k = 0; k < n; ++k) sum += static_cast<double>(x[k]);
      });
      write_one(out2, c, sum);
    }
  });
  return outs;
}

// Each pixel is the sum of those of the columns that were taken from it.
Tensor& col2im_out(Context& cx, const Tensor& self, Ints output_size, Ints kernel_size, Ints dilation, Ints padding,
                   Ints stride, Tensor& out) {
  constexpr DTypeSet set = TENON_SELECTED(sets::floats | bool_dtypes);
  const size_t rank = self.sizes().size();
  const char* const names[] = {"output_size", "kernel_size", "dilation", "padding", "stride"};
  const Ints given[] = {output_size, kernel_size, dilation, padding, stride};
  for (size_t k = 0; k < 5; ++k) {
    const int64_t least = k == 3 ? 0 : 1;
    bool fits = given[k].size() == 2;
    for (const int64_t number : given[k]) fits = fits && number >= least && number <= INT32_MAX;
    REQUIRE(cx, fits, out, "%s is not two numbers of at least %" PRId64, names[k], least);
  }
  int64_t blocks[2];
  for (size_t d = 0; d < 2; ++d) {
    const int64_t room = output_size[d] + 2 * padding[d] - dilation[d] * (kernel_size[d] - 1) - 1;
    blocks[d] = room < 0 ? 0 : room / stride[d] + 1;
  }
  const int64_t taps = kernel_size[0] * kernel_size[1];
  const bool fits = (rank == 2 || rank == 3) && self.sizes()[rank - 2] % taps == 0 && blocks[0] * blocks[1] > 0 &&
                    self.sizes()[rank - 1] == blocks[0] * blocks[1];
  REQUIRE(cx, fits, out, "columns of shape %s are not %" PRId64 " x %" PRId64 " patches of %" PRId64 " pixels",
          ShapeText(self).text, blocks[0], blocks[1], taps);
  SizesType sizes[4] = {self.sizes()[0], static_cast<SizesType>(self.sizes()[rank - 2] / taps),
                        static_cast<SizesType>(output_size[0]), static_cast<SizesType>(output_size[1])};
  if (!has_dtype(cx, self, set) || !has_same_dtype(cx, self, out) || !resize(cx, out, {sizes + 3 - rank, rank + 1})) {
    return out;
  }
  const Strides from(self), to(out);
  Odometer<2> planes;  // strides of: columns, image
  if (rank == 3) planes.add(sizes[0], from[0], to[0]);
  planes.add(sizes[1], taps * from[rank - 2], to[rank - 2]);
  // The block whose tap k lies on pixel i; negative if there is none.
  const auto block = [&](size_t d, int64_t i, int64_t k) -> int64_t {
    const int64_t at = i + padding[d] - k * dilation[d];
    return at < 0 || at % stride[d] != 0 || at / stride[d] >= blocks[d] ? -1 : at / stride[d];
  };
  compute_switch<uint64_t, set>(self.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t left = planes.start(); left > 0; --left, planes.next()) {
      for (int64_t i = 0; i < output_size[0] * output_size[1]; ++i) {
        const int64_t y = i / output_size[1], x = i % output_size[1];
        T sum = 0;
        for (int64_t t = 0; t < taps; ++t) {
          const int64_t row = block(0, y, t / kernel_size[1]), column = block(1, x, t % kernel_size[1]);
          if (row < 0 || column < 0) continue;
          sum += read_one<T>(self, planes.offset[0] + t * from[rank - 2] + (row * blocks[1] + column) * from[rank - 1]);
        }
        write_one(out, planes.offset[1] + y * to[rank - 1] + x * to[rank], sum);
      }
    }
  });
  return out;
}

}  // namespace tenon::native
