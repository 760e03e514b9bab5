// Layer, group and batch norm.
#include <algorithm>
#include <cmath>

#include <tenon/threads.h>

#include "fast/vectors.h"

namespace tenon::native {

namespace {

// Rows that are brought to mean 0 and variance 1 each, then scaled and shifted element by element. Layer norm has plain
// rows; a row of group norm is several channels.
struct NormalRows {
  const Tensor& in;
  const Tensor *weight, *bias;  // null if there is none
  const Tensor &out, &mean, &factor;
  double eps;
  Odometer<5> rows;    // strides of: input, result, mean, factor, weight and bias
  Odometer<3> inside;  // strides of: input, result, weight and bias
};

template <class T>
struct NormalLoop {
  static constexpr int64_t lanes = 16;
  const NormalRows& x;

  // The mean of work(value) over the elements of a row.
  template <class Work>
  ET_INLINE double mean(Odometer<3> inside, int64_t offset, const Work& work) const {
    T room[run_room];
    double total = 0;  // a row may be a whole image: sums of runs are small enough for T, their sum is not
    int64_t step[3];
    const double count = static_cast<double>(inside.start());
    const int64_t length = inside.pop(step);
    for (int64_t lines = inside.start(); lines > 0; --lines, inside.next()) {
      for (int64_t first = 0; first < length; first += run_room) {
        const int64_t n = std::min(run_room, length - first);
        const T* values = read(x.in, offset + inside.offset[0] + first * step[0], step[0], n, room);
        T sums[lanes] = {};
        int64_t i = 0;
        for (; i + lanes <= n; i += lanes) {
          for (int64_t l = 0; l < lanes; ++l) sums[l] += work(values[i + l]);
        }
        for (; i < n; ++i) total += static_cast<double>(work(values[i]));  // of a few the mean is exact
        for (int64_t half = lanes / 2; half > 0; half /= 2) {
          for (int64_t l = 0; l < half; ++l) sums[l] += sums[l + half];
        }
        total += static_cast<double>(sums[0]);
      }
    }
    return total / count;
  }

  // What rounding the mean left of it counts too: of large numbers near each other it is much of a difference.
  ET_INLINE void scale(Odometer<3> inside, int64_t from, int64_t to, int64_t parameter, T mean, T rest,
                       T factor) const {
    T room[run_room], weights[run_room], shifts[run_room], made[run_room];
    int64_t step[3];
    const int64_t length = inside.pop(step);
    const bool in_place = x.out.scalar_type() == dtype_of<T> && step[1] == 1;
    for (int64_t lines = inside.start(); lines > 0; --lines, inside.next()) {
      for (int64_t first = 0; first < length; first += run_room) {
        const int64_t n = std::min(run_room, length - first), at = parameter + inside.offset[2] + first * step[2];
        const int64_t place = to + inside.offset[1] + first * step[1];
        const T* values = read(x.in, from + inside.offset[0] + first * step[0], step[0], n, room);
        T* result = in_place ? x.out.mutable_data_ptr<T>() + place : made;
        if (step[2] == 0) {
          const T slope = x.weight ? factor * read_one<T>(*x.weight, at) : factor;
          const T shift = x.bias ? read_one<T>(*x.bias, at) : T(0);
          for (int64_t i = 0; i < n; ++i) result[i] = (values[i] - mean - rest) * slope + shift;
        } else if (x.weight && x.bias) {
          const T* w = read(*x.weight, at, step[2], n, weights);
          const T* b = read(*x.bias, at, step[2], n, shifts);
          for (int64_t i = 0; i < n; ++i) result[i] = (values[i] - mean - rest) * factor * w[i] + b[i];
        } else {
          for (int64_t i = 0; i < n; ++i) result[i] = (values[i] - mean - rest) * factor;
          const T* w = x.weight ? read(*x.weight, at, step[2], n, weights) : nullptr;
          for (int64_t i = 0; w && i < n; ++i) result[i] *= w[i];
          const T* b = x.bias ? read(*x.bias, at, step[2], n, shifts) : nullptr;
          for (int64_t i = 0; b && i < n; ++i) result[i] += b[i];
        }
        if (!in_place) write(x.out, place, step[1], n, result);
      }
    }
  }

  template <class Wide>
  ET_INLINE void operator()(Wide) const {
    Odometer<5> rows = x.rows;
    for (int64_t left = rows.start(); left > 0; --left, rows.next()) {
      const int64_t offset = rows.offset[0];
      const double exact = mean(x.inside, offset, [](T value) ET_INLINE_ATTRIBUTE { return value; });
      const T middle = static_cast<T>(exact), rest = static_cast<T>(exact - static_cast<double>(middle));
      const double variance = mean(x.inside, offset, [=](T value) ET_INLINE_ATTRIBUTE {
        return (value - middle - rest) * (value - middle - rest);
      });
      const T factor = 1 / std::sqrt(static_cast<T>(variance) + static_cast<T>(x.eps));
      scale(x.inside, offset, rows.offset[1], rows.offset[4], middle, rest, factor);
      write(x.mean, rows.offset[2], 1, 1, &middle);
      write(x.factor, rows.offset[3], 1, 1, &factor);
    }
  }
};

// The same of float32 rows that lie one after the other, which is what models have.
struct PlainRows {
  const float *in, *weight, *bias;
  float *out, *mean, *factor;
  int64_t count;
  float eps;
  int64_t first, last;
  static constexpr int64_t most = 16384;  // so few that sums of single lanes are exact enough

  template <class V, bool squared>
  ET_INLINE double average(const float* row, float middle, float rest) const {
    constexpr int64_t lanes = sizeof(V) / sizeof(float);
    V sums = {}, others = {};
    double total = 0;
    int64_t i = 0;
    for (; i + 2 * lanes <= count; i += 2 * lanes) {
      V a = load<V>(row + i), b = load<V>(row + i + lanes);
      if constexpr (squared) a = a - middle - rest, b = b - middle - rest;
      sums += squared ? a * a : a;
      others += squared ? b * b : b;
    }
    for (; i < count; ++i) {
      const float a = squared ? row[i] - middle - rest : row[i];
      total += static_cast<double>(squared ? a * a : a);
    }
    sums += others;
    for (int64_t l = 0; l < lanes; ++l) total += static_cast<double>(sums[l]);
    return total / static_cast<double>(count);
  }

  template <class V>
  ET_INLINE void scale(int64_t i, const float* row, float* to, float middle, float rest, float by) const {
    V found = (load<V>(row + i) - middle - rest) * by;
    if (weight) found = found * load<V>(weight + i);
    if (bias) found = found + load<V>(bias + i);
    store<V>(to + i, found);
  }

  template <int bytes>
  ET_INLINE void operator()(Bytes<bytes>) const {
    using V = Floats<bytes>;
    constexpr int64_t lanes = sizeof(V) / sizeof(float);
    for (int64_t r = first; r < last; ++r) {
      const float* row = in + r * count;
      const double exact = average<V, false>(row, 0, 0);
      const float middle = static_cast<float>(exact), rest = static_cast<float>(exact - static_cast<double>(middle));
      const double variance = average<V, true>(row, middle, rest);
      const float by = 1 / std::sqrt(static_cast<float>(variance) + eps);
      int64_t i = 0;
      for (; i + lanes <= count; i += lanes) scale<V>(i, row, out + r * count, middle, rest, by);
      for (; i < count; ++i) scale<Floats<4>>(i, row, out + r * count, middle, rest, by);
      mean[r] = middle, factor[r] = by;
    }
  }
};

template <DTypeSet set>
void normalize_rows(const NormalRows& x) {
  compute_switch<void, set>(x.in.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    run_vectorised<is_often<T>>(NormalLoop<T>{x});
  });
  if (x.in.numel() == 0) std::fill_n(x.mean.mutable_data_ptr<char>(), x.mean.nbytes(), char{0});  // as torch has it
}

// Batch norm with known means and variances: a factor and a shift for each channel.
struct ChannelScale {
  const Tensor& in;
  const Tensor *weight, *bias;  // null if there is none
  const Tensor &mean, &variance, &out;
  double eps;
  Odometer<3> places;  // strides of: input, result, channel
};

template <class T>
struct ChannelLoop {
  const ChannelScale& x;

  ET_INLINE void parameters(int64_t first, int64_t n, T* factors, T* shifts) const {
    T room[run_room];
    const T* variance = read(x.variance, first, 1, n, room);
    for (int64_t i = 0; i < n; ++i) factors[i] = 1 / std::sqrt(variance[i] + static_cast<T>(x.eps));
    const T* weight = x.weight ? read(*x.weight, first, 1, n, room) : nullptr;
    for (int64_t i = 0; weight && i < n; ++i) factors[i] *= weight[i];
    const T* mean = read(x.mean, first, 1, n, room);
    for (int64_t i = 0; i < n; ++i) shifts[i] = -mean[i] * factors[i];
    const T* bias = x.bias ? read(*x.bias, first, 1, n, room) : nullptr;
    for (int64_t i = 0; bias && i < n; ++i) shifts[i] += bias[i];
  }

  template <class Wide>
  ET_INLINE void operator()(Wide) const {
    Odometer<3> places = x.places;
    T room[run_room], factors[run_room], shifts[run_room], made[run_room];
    int64_t step[3];
    const int64_t length = places.pop(step);
    const bool in_place = x.out.scalar_type() == dtype_of<T> && step[1] == 1;
    for (int64_t left = places.start(); left > 0; --left, places.next()) {
      for (int64_t first = 0; first < length; first += run_room) {
        const int64_t n = std::min(run_room, length - first), place = places.offset[1] + first * step[1];
        const T* values = read(x.in, places.offset[0] + first * step[0], step[0], n, room);
        T* result = in_place ? x.out.mutable_data_ptr<T>() + place : made;
        parameters(places.offset[2] + first * step[2], step[2] ? n : 1, factors, shifts);
        if (step[2]) {
          for (int64_t i = 0; i < n; ++i) result[i] = values[i] * factors[i] + shifts[i];
        } else {
          const T factor = factors[0], shift = shifts[0];
          for (int64_t i = 0; i < n; ++i) result[i] = values[i] * factor + shift;
        }
        if (!in_place) write(x.out, place, step[1], n, result);
      }
    }
  }
};

// A weight or bias of so many elements in a row; null if there is none.
bool take_factors(Context& cx, const char* name, const Maybe<Tensor>& t, int64_t count, const Tensor*& found) {
  found = t ? &*t : nullptr;
  if (!t) return true;
  if (t->numel() != count || !is_plain(*t)) {
    cx.fail(Error::InvalidArgument, "%s has shape %s, and %" PRId64 " elements are needed", name, ShapeText(t->sizes()).text,
            count);
    return false;
  }
  return has_dtype(cx, *t, FLOATS);
}

}  // namespace

Triple native_layer_norm_out(Context& cx, const Tensor& input, Ints normalized_shape, const Maybe<Tensor>& weight,
                             const Maybe<Tensor>& bias, double eps, Tensor& out0, Tensor& out1, Tensor& out2) {
  const Triple outs(out0, out1, out2);
  const size_t rank = input.sizes().size(), inner = normalized_shape.size();
  bool fits = inner > 0 && inner <= rank;
  int64_t count = 1;
  for (size_t d = 0; fits && d < inner; ++d) {
    fits = normalized_shape[d] == input.sizes()[rank - inner + d];
    count *= normalized_shape[d];
  }
  REQUIRE(cx, fits, outs, "the shape to normalize is not the end of shape %s", ShapeText(input.sizes()).text);
  const Tensor *weights, *shifts;
  if (!has_dtype(cx, input, FLOATS) || !has_same_dtype(cx, input, out0) || !has_dtype(cx, out1, FLOATS) ||
      !has_dtype(cx, out2, FLOATS) || !take_factors(cx, "weight", weight, count, weights) ||
      !take_factors(cx, "bias", bias, count, shifts)) {
    return outs;
  }
  SizesType sizes[kTensorDimensionLimit];
  for (size_t d = 0; d < rank; ++d) sizes[d] = d < rank - inner ? input.sizes()[d] : 1;
  if (!resize(cx, out0, input.sizes()) || !resize(cx, out1, {sizes, rank}) || !resize(cx, out2, {sizes, rank})) {
    return outs;
  }

  bool are_plain = count > 0 && count <= PlainRows::most;
  for (const Tensor* t : {&input, weights, shifts, static_cast<const Tensor*>(&out0), static_cast<const Tensor*>(&out1),
                          static_cast<const Tensor*>(&out2)}) {
    are_plain = are_plain && (!t || (t->scalar_type() == ScalarType::Float && is_plain(*t)));
  }
  if (are_plain) {
    const auto data = [](const Tensor* t) { return t ? t->const_data_ptr<float>() : nullptr; };
    const int64_t least = std::max<int64_t>(1, 8192 / count);
    parallel(input.numel() / count, least, [&](int64_t first, int64_t last) {
      run_tuned(PlainRows{data(&input), data(weights), data(shifts), out0.mutable_data_ptr<float>(),
                          out1.mutable_data_ptr<float>(), out2.mutable_data_ptr<float>(), count,
                          static_cast<float>(eps), first, last});
    });
    return outs;
  }
  NormalRows x{input, weights, shifts, out0, out1, out2, eps, {}, {}};
  const Strides from(input), to(out0), mean(out1), factor(out2);
  int64_t step = count;
  for (size_t d = 0; d < rank; ++d) {
    if (d < rank - inner) {
      x.rows.add(sizes[d], from[d], to[d], mean[d], factor[d], 0);
    } else {
      step /= std::max<int64_t>(input.sizes()[d], 1);
      x.inside.add(input.sizes()[d], from[d], to[d], step);
    }
  }
  normalize_rows<FLOATS>(x);
  return outs;
}

Triple native_group_norm_out(Context& cx, const Tensor& input, const Maybe<Tensor>& weight, const Maybe<Tensor>& bias,
                             int64_t N, int64_t C, int64_t HxW, int64_t group, double eps, Tensor& out0, Tensor& out1,
                             Tensor& out2) {
  const Triple outs(out0, out1, out2);
  const size_t rank = input.sizes().size();
  REQUIRE(cx, rank >= 2 && input.size(0) == N && input.size(1) == C && input.numel() == N * C * HxW, outs,
          "an input of shape %s is not %" PRId64 " x %" PRId64 " x %" PRId64, ShapeText(input.sizes()).text, N, C, HxW);
  REQUIRE(cx, group > 0 && C % group == 0, outs, "%" PRId64 " channels are not %" PRId64 " groups of one size", C,
          group);
  const Tensor *weights, *shifts;
  if (!has_dtype(cx, input, FLOATS) || !has_same_dtype(cx, input, out0) || !has_dtype(cx, out1, FLOATS) ||
      !has_dtype(cx, out2, FLOATS) || !take_factors(cx, "weight", weight, C, weights) ||
      !take_factors(cx, "bias", bias, C, shifts)) {
    return outs;
  }
  const SizesType sizes[] = {static_cast<SizesType>(N), static_cast<SizesType>(group)};
  if (!resize(cx, out0, input.sizes()) || !resize(cx, out1, sizes) || !resize(cx, out2, sizes)) return outs;

  NormalRows x{input, weights, shifts, out0, out1, out2, eps, {}, {}};
  const Strides from(input), to(out0), mean(out1), factor(out2);
  const int64_t channels = C / group;
  x.rows.add(N, from[0], to[0], mean[0], factor[0], 0);
  x.rows.add(group, channels * from[1], channels * to[1], mean[1], factor[1], channels);
  x.inside.add(channels, from[1], to[1], 1);
  for (size_t d = 2; d < rank; ++d) x.inside.add(input.sizes()[d], from[d], to[d], 0);
  normalize_rows<FLOATS>(x);
  return outs;
}

// --- batch norm ----------------------------------------------------------------------------------------------------

namespace {

struct BatchNorm {
  const Tensor& input;
  const Tensor *weights = nullptr, *shifts = nullptr;  // null if there is none
  Tensor &out, &mean, &factor;

  bool take(Context& cx, DTypeSet set, const Maybe<Tensor>& weight, const Maybe<Tensor>& bias) {
    REQUIRE(cx, input.dim() >= 2, false, "an input of shape %s has no channels", ShapeText(input).text);
    return has_dtype(cx, input, set) && has_same_dtype(cx, input, out) && has_dtype(cx, mean, sets::floats) &&
           has_dtype(cx, factor, sets::floats) && take_factors(cx, "weight", weight, channels(), weights) &&
           take_factors(cx, "bias", bias, channels(), shifts);
  }
  int64_t channels() const { return input.size(1); }
};

bool are_statistics(Context& cx, const Tensor& mean, const Tensor& variance, int64_t channels) {
  REQUIRE(cx, mean.numel() == channels && variance.numel() == channels, false,
          "means of shape %s and variances of shape %s are not for %" PRId64 " channels", ShapeText(mean).text,
          ShapeText(variance).text, channels);
  return has_dtype(cx, mean, sets::floats) && has_dtype(cx, variance, sets::floats);
}

// By means and variances that are known.
template <DTypeSet set>
void normalize_by(Context& cx, const BatchNorm& norm, const Tensor& mean, const Tensor& variance, double eps) {
  const SizesType nothing[] = {0};
  if (!are_statistics(cx, mean, variance, norm.channels()) || !resize(cx, norm.out, norm.input.sizes()) ||
      !resize(cx, norm.mean, nothing) || !resize(cx, norm.factor, nothing)) {
    return;
  }
  // Channels go where they lie in memory.
  ChannelScale x{norm.input, norm.weights, norm.shifts, mean, variance, norm.out, eps, {}};
  const Strides from(norm.input), to(norm.out);
  const bool channels_last = from[1] == 1 && norm.channels() > 1;
  x.places.add(norm.input.sizes()[0], from[0], to[0], 0);
  if (!channels_last) x.places.add(norm.channels(), from[1], to[1], 1);
  for (size_t d = 2; d < norm.input.sizes().size(); ++d) x.places.add(norm.input.sizes()[d], from[d], to[d], 0);
  if (channels_last) x.places.add(norm.channels(), from[1], to[1], 1);
  compute_switch<void, set>(norm.input.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    run_vectorised<is_often<T>>(ChannelLoop<T>{x});
  });
}

// By the means and variances of the batch; calls keep(channel, mean, squares, count) with those of each channel.
template <class Keep>
void normalize_batch(Context& cx, const BatchNorm& norm, double eps, const Keep& keep) {
  const SizesType sizes[] = {static_cast<SizesType>(norm.channels())};
  REQUIRE(cx, norm.input.numel() > 0, , "an input of shape %s has no channels", ShapeText(norm.input).text);
  if (!resize(cx, norm.out, norm.input.sizes()) || !resize(cx, norm.mean, sizes) || !resize(cx, norm.factor, sizes)) {
    return;
  }
  const Strides from(norm.input), to(norm.out);
  Odometer<2> points;
  for (size_t d = 0; d < norm.input.sizes().size(); ++d) {
    if (d != 1) points.add(norm.input.sizes()[d], from[d], to[d]);
  }
  int64_t step[2];
  const int64_t length = points.pop(step);
  const double count = static_cast<double>(norm.input.numel() / norm.channels());
  double room[run_room], results[run_room];
  // Calls work(values, n, place) with all of a channel, a run at a time.
  const auto each_run = [&](int64_t channel, const auto& work) {
    for (int64_t left = points.start(); left > 0; --left, points.next()) {
      for (int64_t i = 0; i < length; i += run_room) {
        const int64_t n = std::min(run_room, length - i);
        const int64_t place = channel * from[1] + points.offset[0] + i * step[0];
        work(read(norm.input, place, step[0], n, room), n, channel * to[1] + points.offset[1] + i * step[1]);
      }
    }
  };
  for (int64_t c = 0; c < norm.channels(); ++c) {
    double sum = 0, squares = 0;
    each_run(c, [&](const double* x, int64_t n, int64_t) {
      for (int64_t i = 0; i < n; ++i) sum += x[i];
    });
    const double mean = sum / count;
    each_run(c, [&](const double* x, int64_t n, int64_t) {
      for (int64_t i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
    });
    const double factor = 1 / std::sqrt(squares / count + eps);
    const double scale = factor * (norm.weights ? read_one<double>(*norm.weights, c) : 1);
    const double shift = norm.shifts ? read_one<double>(*norm.shifts, c) : 0;
    each_run(c, [&](const double* x, int64_t n, int64_t place) {
      for (int64_t i = 0; i < n; ++i) results[i] = (x[i] - mean) * scale + shift;
      write(norm.out, place, step[1], n, results);
    });
    write(norm.mean, c, 1, 1, &mean);
    write(norm.factor, c, 1, 1, &factor);
    keep(c, mean, squares, count);
  }
}

}  // namespace

Triple _native_batch_norm_legit_no_training_out(Context& cx, const Tensor& input, const Maybe<Tensor>& weight,
                                                const Maybe<Tensor>& bias, const Tensor& running_mean,
                                                const Tensor& running_var, double momentum, double eps, Tensor& out0,
                                                Tensor& out1, Tensor& out2) {
  (void)momentum;  // for training
  BatchNorm norm{input, nullptr, nullptr, out0, out1, out2};
  if (norm.take(cx, FLOATS, weight, bias)) normalize_by<FLOATS>(cx, norm, running_mean, running_var, eps);
  return {out0, out1, out2};
}

Triple _native_batch_norm_legit_no_stats_out(Context& cx, const Tensor& input, const Maybe<Tensor>& weight,
                                             const Maybe<Tensor>& bias, bool training, double momentum, double eps,
                                             Tensor& out, Tensor& save_mean, Tensor& save_invstd) {
  (void)training, (void)momentum;  // for statistics that are kept, and here are none
  BatchNorm norm{input, nullptr, nullptr, out, save_mean, save_invstd};
  if (norm.take(cx, FLOATS, weight, bias)) normalize_batch(cx, norm, eps, [](int64_t, double, double, double) {});
  return {out, save_mean, save_invstd};
}

// In training, what is kept moves towards the means and (unbiased) variances of the batch.
Triple _native_batch_norm_legit_out(Context& cx, const Tensor& input, const Maybe<Tensor>& weight,
                                    const Maybe<Tensor>& bias, Tensor& running_mean, Tensor& running_var, bool training,
                                    double momentum, double eps, Tensor& out, Tensor& save_mean, Tensor& save_invstd) {
  const Triple outs(out, save_mean, save_invstd);
  BatchNorm norm{input, nullptr, nullptr, out, save_mean, save_invstd};
  if (!norm.take(cx, FLOATS, weight, bias)) return outs;
  if (!training) return normalize_by<FLOATS>(cx, norm, running_mean, running_var, eps), outs;
  if (!are_statistics(cx, running_mean, running_var, norm.channels())) return outs;
  const auto move = [&](const Tensor& kept, int64_t channel, double to) {
    const double moved = momentum * to + (1 - momentum) * read_one<double>(kept, channel);
    write(kept, channel, 1, 1, &moved);
  };
  normalize_batch(cx, norm, eps, [&](int64_t channel, double mean, double squares, double count) {
    move(running_mean, channel, mean);
    move(running_var, channel, squares / (count - 1));
  });
  return outs;
}

}  // namespace tenon::native
