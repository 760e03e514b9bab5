// Tensors of random numbers. An operator is how it draws one of them.
#include <algorithm>
#include <cmath>

#include "generated/kernels.h"
#include "loops.h"
#include "moves.h"
#include "random.h"
#include "rows.h"

namespace tenon::native {

namespace {

// Each element of `out` is what draw(stream) gives.
template <class Draw>
Tensor& fill_drawn(Tensor& out, const Draw& draw) {
  const Streams streams(out.numel());
  decltype(draw(std::declval<Stream&>())) made[run_room];
  for (int64_t i = 0; i < out.numel(); i += run_room) {
    const int64_t n = std::min<int64_t>(run_room, out.numel() - i);
    for (int64_t j = 0; j < n; ++j) {
      Stream stream = streams[i + j];
      made[j] = draw(stream);
    }
    write(out, i, 1, n, made);
  }
  return out;
}

// The same for draw(stream, x...) with the elements of tensors, which are broadcast.
template <class Draw>
struct Drawn {
  Draw draw;
  Streams streams;
  mutable int64_t next = 0;

  template <class... T>
  double operator()(T... x) const {
    Stream stream = streams[next++];
    return draw(stream, x...);
  }
};
template <class Draw, class... In>
Tensor& draw_each(Context& cx, Tensor& out, const Draw& draw, const In&... in) {
  const Drawn<Draw> drawn{draw, Streams(out.numel())};
  pointwise_as<loops::Each<double, In>...>(cx, drawn, ScalarType::Undefined, out, in...);
  return out;
}
// Also gives `out` their shape. The result has the dtype of the first.
template <class Draw, class First, class... In>
Tensor& fill_from(Context& cx, Tensor& out, const Draw& draw, const First& first, const In&... in) {
  const Tensor* inputs[] = {&first, &in...};
  return prepare_pointwise(cx, first.scalar_type(), out, inputs) ? draw_each(cx, out, draw, first, in...) : out;
}

// False, with words, if a number of a tensor is not between two, or its dtype none of the set.
bool are_between(Context& cx, DTypeSet set, const char* name, const Tensor& t, double low, double high) {
  if (!has_dtype(cx, t, set)) return false;
  for (int64_t i = 0; i < t.numel(); ++i) {
    const double x = read_one<double>(t, i);
    REQUIRE(cx, x >= low && x <= high, false, "%s is %g at position %" PRId64 ", and between %g and %g", name, x, i,
            low, high);
  }
  return true;
}

bool is_between(Context& cx, const char* name, double x, double low, double high) {
  return HOLDS(cx, x >= low && x <= high, "%s is %g, and between %g and %g", name, x, low, high);
}

constexpr double most = std::numeric_limits<double>::max();
constexpr double least_shape = std::numeric_limits<double>::min();  // of a gamma distribution

// How many binary digits a number of a dtype has.
int digits_of(ScalarType type) {
  return type == ScalarType::Double     ? 53
         : type == ScalarType::Float    ? 24
         : type == ScalarType::Half     ? 11
         : type == ScalarType::BFloat16 ? 8
                                        : static_cast<int>(8 * elementSize(type)) - (type != ScalarType::Byte);
}

// The largest number that random() gives: all whole numbers up to it are of the dtype.
int64_t largest_of(ScalarType type) {
  if (type == ScalarType::Bool) return 1;
  if (type == ScalarType::Long) return INT64_MAX;
  return (int64_t{1} << digits_of(type)) - (isFloatingType(type) ? 0 : 1);
}

// --- even ----------------------------------------------------------------------------------------------------------

// A shape: that of a tensor, or given as sizes.
struct Shape {
  const Tensor* tensor = nullptr;
  Ints sizes;

  Shape(const Tensor& t) : tensor(&t) {}
  Shape(Ints given) : sizes(given) {}
  bool give(Context& cx, Tensor& out) const {
    return tensor ? resize(cx, out, tensor->sizes()) : resize_to_sizes(cx, sizes, out);
  }
};

// What is drawn for each element of a shape.
template <class Draw>
Tensor& fill_shape(Context& cx, DTypeSet set, const Shape& shape, Tensor& out, const Draw& draw) {
  return has_dtype(cx, out, set) && shape.give(cx, out) ? fill_drawn(out, draw) : out;
}

Tensor& fill_uniform(Context& cx, DTypeSet set, const Shape& shape, double from, double to, Tensor& out) {
  REQUIRE(cx, from <= to && to - from <= most, out, "from %g to %g there is no number", from, to);
  const int digits = digits_of(out.scalar_type());
  return fill_shape(cx, set, shape, out, [=](Stream& s) { return from + s.uniform(digits) * (to - from); });
}

// Any of [from, last]; up to the largest that random() gives, if there is no last.
Tensor& fill_whole(Context& cx, DTypeSet set, const Shape& shape, int64_t from, Maybe<int64_t> end, Tensor& out) {
  const ScalarType type = out.scalar_type();
  if (!has_dtype(cx, out, set)) return out;
  const int64_t last = end.value_or(largest_of(type)), largest = isFloatingType(type) ? INT64_MAX : largest_of(type);
  const int64_t least = type == ScalarType::Bool || type == ScalarType::Byte ? 0 : -largest - 1;
  REQUIRE(cx, from <= last && from >= least && last <= largest, out,
          "from %" PRId64 " to %" PRId64 " there is no number of %s", from, last, dtype_name(type));
  const uint64_t first = static_cast<uint64_t>(from), count = static_cast<uint64_t>(last) - first + 1;
  return fill_shape(cx, set, shape, out, [=](Stream& s) { return static_cast<int64_t>(first + s.below(count)); });
}

// Any of [from, to).
Tensor& fill_below(Context& cx, DTypeSet set, const Shape& shape, int64_t from, int64_t to, Tensor& out) {
  REQUIRE(cx, from < to, out, "from %" PRId64 " to below %" PRId64 " there is no number", from, to);
  return fill_whole(cx, set, shape, from, to - 1, out);
}

}  // namespace

Tensor& rand_out(Context& cx, Ints size, Tensor& out) { return fill_uniform(cx, FLOATS, size, 0, 1, out); }
Tensor& rand_like_out(Context& cx, const Tensor& self, Maybe<MemoryFormat>, Tensor& out) {
  return fill_uniform(cx, FLOATS, self, 0, 1, out);
}
Tensor& uniform_out(Context& cx, const Tensor& self, double from, double to, Maybe<Generator>, Tensor& out) {
  return fill_uniform(cx, FLOATS, self, from, to, out);
}

Tensor& randint_out(Context& cx, int64_t high, Ints size, Tensor& out) {
  return fill_below(cx, NUMBERS_AND_BOOL, size, 0, high, out);
}
Tensor& randint_low_out(Context& cx, int64_t low, int64_t high, Ints size, Tensor& out) {
  return fill_below(cx, NUMBERS_AND_BOOL, size, low, high, out);
}
Tensor& randint_like_out(Context& cx, const Tensor& self, int64_t high, Maybe<MemoryFormat>, Tensor& out) {
  return fill_below(cx, NUMBERS_AND_BOOL, self, 0, high, out);
}
Tensor& randint_like_low_dtype_out(Context& cx, const Tensor& self, int64_t low, int64_t high, Maybe<MemoryFormat>,
                                   Tensor& out) {
  return fill_below(cx, NUMBERS_AND_BOOL, self, low, high, out);
}
Tensor& randint_like_tensor_out(Context& cx, const Tensor& self, const Tensor& high, Maybe<MemoryFormat>, Tensor& out) {
  int64_t end;
  REQUIRE(cx, extract_scalar_tensor(high, &end), out, "high is a tensor of shape %s", ShapeText(high).text);
  return fill_below(cx, NUMBERS_AND_BOOL, self, 0, end, out);
}
Tensor& random_out(Context& cx, const Tensor& self, Maybe<Generator>, Tensor& out) {
  return fill_whole(cx, NUMBERS_AND_BOOL, self, 0, std::nullopt, out);
}
Tensor& random_to_out(Context& cx, const Tensor& self, int64_t to, Maybe<Generator>, Tensor& out) {
  return fill_below(cx, NUMBERS_AND_BOOL, self, 0, to, out);
}
Tensor& random_from_out(Context& cx, const Tensor& self, int64_t from, Maybe<int64_t> to, Maybe<Generator>,
                        Tensor& out) {
  if (to) return fill_below(cx, NUMBERS_AND_BOOL, self, from, *to, out);
  return fill_whole(cx, NUMBERS_AND_BOOL, self, from, std::nullopt, out);
}

// Each number in turn changes places with one of those before it, or stays.
Tensor& randperm_out(Context& cx, int64_t n, Tensor& out) {
  REQUIRE(cx, n >= 0 && n <= INT32_MAX, out, "there are no %" PRId64 " numbers to order", n);
  const SizesType sizes[] = {static_cast<SizesType>(n)};
  if (!has_dtype(cx, out, NUMBERS)) return out;
  REQUIRE(cx, n - 1 <= largest_of(out.scalar_type()), out, "the numbers up to %" PRId64 " are not all of %s", n - 1,
          dtype_name(out));
  if (!resize(cx, out, sizes)) return out;
  const Streams streams(n);
  visit_stored<NUMBERS>(cx, out.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* place = out.mutable_data_ptr<T>();
    for (int64_t i = 0; i < n; ++i) {
      const uint64_t at = streams[i].below(static_cast<uint64_t>(i) + 1);
      place[i] = place[at];
      place[at] = convert<T>(i);
    }
  });
  return out;
}

// --- normal and others ---------------------------------------------------------------------------------------------

namespace {

Tensor& fill_normal(Context& cx, DTypeSet set, const Shape& shape, double mean, double std, Tensor& out) {
  if (!is_between(cx, "std", std, 0, most)) return out;
  return fill_shape(cx, set, shape, out, [=](Stream& s) { return mean + std * s.normal(); });
}

}  // namespace

Tensor& randn_out(Context& cx, Ints size, Tensor& out) { return fill_normal(cx, FLOATS, size, 0, 1, out); }
Tensor& randn_like_out(Context& cx, const Tensor& self, Maybe<MemoryFormat>, Tensor& out) {
  return fill_normal(cx, FLOATS, self, 0, 1, out);
}
Tensor& normal_out(Context& cx, const Tensor& self, double mean, double std, Maybe<Generator>, Tensor& out) {
  return fill_normal(cx, FLOATS, self, mean, std, out);
}
Tensor& normal_float_float_out(Context& cx, double mean, double std, Ints size, Maybe<Generator>, Tensor& out) {
  return fill_normal(cx, FLOATS, size, mean, std, out);
}
Tensor& normal_tensor_float_out(Context& cx, const Tensor& mean, double std, Maybe<Generator>, Tensor& out) {
  if (!is_between(cx, "std", std, 0, most) || !has_dtype(cx, mean, FLOATS)) return out;
  return fill_from(cx, out, [=](Stream& s, double middle) { return middle + std * s.normal(); }, mean);
}
Tensor& normal_float_tensor_out(Context& cx, double mean, const Tensor& std, Maybe<Generator>, Tensor& out) {
  if (!are_between(cx, FLOATS, "std", std, 0, most)) return out;
  return fill_from(cx, out, [=](Stream& s, double spread) { return mean + spread * s.normal(); }, std);
}
Tensor& normal_tensor_tensor_out(Context& cx, const Tensor& mean, const Tensor& std, Maybe<Generator>, Tensor& out) {
  if (!has_dtype(cx, mean, FLOATS) || !are_between(cx, FLOATS, "std", std, 0, most)) return out;
  return fill_from(
      cx, out, [](Stream& s, double middle, double spread) { return middle + spread * s.normal(); }, mean, std);
}

Tensor& exponential_out(Context& cx, const Tensor& self, double lambd, Maybe<Generator>, Tensor& out) {
  REQUIRE(cx, lambd > 0, out, "lambd is %g, and above 0", lambd);
  return fill_shape(cx, FLOATS, self, out, [=](Stream& s) { return -std::log1p(-s.uniform()) / lambd; });
}
Tensor& geometric_out(Context& cx, const Tensor& self, double p, Maybe<Generator>, Tensor& out) {
  REQUIRE(cx, p > 0 && p < 1, out, "p is %g, and between 0 and 1", p);
  const double rate = std::log1p(-p);
  return fill_shape(cx, NUMBERS, self, out, [=](Stream& s) {
    return std::fmax(std::ceil(std::log1p(-s.uniform()) / rate), 1.0);
  });
}
Tensor& log_normal_out(Context& cx, const Tensor& self, double mean, double std, Maybe<Generator>, Tensor& out) {
  REQUIRE(cx, std > 0, out, "std is %g, and above 0", std);
  return fill_shape(cx, FLOATS, self, out, [=](Stream& s) { return std::exp(mean + std * s.normal()); });
}
Tensor& cauchy_out(Context& cx, const Tensor& self, double median, double sigma, Maybe<Generator>, Tensor& out) {
  REQUIRE(cx, sigma > 0, out, "sigma is %g, and above 0", sigma);
  return fill_shape(cx, FLOATS, self, out, [=](Stream& s) {
    return median + sigma * std::tan(3.14159265358979323846 * (s.uniform() - 0.5));
  });
}
Tensor& poisson_out(Context& cx, const Tensor& self, Maybe<Generator>, Tensor& out) {
  if (!are_between(cx, FLOATS, "the rate", self, 0, most)) return out;
  return fill_from(cx, out, [](Stream& s, double rate) { return s.poisson(rate); }, self);
}
Tensor& binomial_out(Context& cx, const Tensor& count, const Tensor& prob, Maybe<Generator>, Tensor& out) {
  if (!are_between(cx, FLOATS, "count", count, 0, most) || !are_between(cx, FLOATS, "prob", prob, 0, 1)) return out;
  return fill_from(
      cx, out, [](Stream& s, double n, double p) { return s.binomial(std::floor(n), p); }, count, prob);
}
Tensor& _standard_gamma_out(Context& cx, const Tensor& self, Maybe<Generator>, Tensor& out) {
  if (!are_between(cx, FLOATS, "the shape", self, least_shape, most)) return out;
  return fill_from(cx, out, [](Stream& s, double shape) { return s.gamma(shape); }, self);
}

// Parts of a whole, along the last dimension. Each is drawn twice, and is the same both times.
Tensor& _sample_dirichlet_out(Context& cx, const Tensor& self, Maybe<Generator>, Tensor& out) {
  REQUIRE(cx, self.dim() > 0, out, "a number alone has no parts");
  Rows rows;
  if (!are_between(cx, FLOATS, "the shape", self, least_shape, most) || !has_same_dtype(cx, self, out) ||
      !plan_rows(cx, self, self.dim() - 1, self.size(self.dim() - 1), true, out, nullptr, rows)) {
    return out;
  }
  const Streams streams(self.numel());
  int64_t first = 0;
  for (int64_t left = rows.at.start(); left > 0; --left, rows.at.next(), first += rows.length) {
    const auto part = [&](int64_t i) {
      return streams[first + i].gamma(read_one<double>(self, rows.at.offset[0] + i * rows.step[0]));
    };
    double total = 0;
    for (int64_t i = 0; i < rows.length; ++i) total += part(i);
    for (int64_t i = 0; i < rows.length; ++i) write_one(out, rows.at.offset[1] + i * rows.step[1], part(i) / total);
  }
  return out;
}

// --- one or the other ----------------------------------------------------------------------------------------------

Tensor& bernoulli_out(Context& cx, const Tensor& self, Maybe<Generator>, Tensor& out) {
  if (!are_between(cx, FLOATS, "p", self, 0, 1) || !has_dtype(cx, out, NUMBERS_AND_BOOL) ||
      !resize(cx, out, self.sizes())) {
    return out;
  }
  return draw_each(cx, out, [](Stream& s, double p) { return static_cast<double>(s.uniform() < p); }, self);
}
Tensor& bernoulli_float_out(Context& cx, const Tensor& self, double p, Maybe<Generator>, Tensor& out) {
  if (!is_between(cx, "p", p, 0, 1)) return out;
  return fill_shape(cx, NUMBERS_AND_BOOL, self, out, [=](Stream& s) { return s.uniform() < p; });
}
Tensor& bernoulli_tensor_out(Context& cx, const Tensor& self, const Tensor& p, Maybe<Generator>, Tensor& out) {
  const Tensor* in[] = {&self, &p};
  if (!are_between(cx, FLOATS, "p", p, 0, 1) || !has_dtype(cx, out, NUMBERS_AND_BOOL) ||
      !prepare_pointwise(cx, self.scalar_type(), out, in)) {
    return out;
  }
  return draw_each(cx, out, [](Stream& s, double each) { return static_cast<double>(s.uniform() < each); }, p);
}

Pair native_dropout_out(Context& cx, const Tensor& input, double p, Maybe<bool> train, Tensor& out0, Tensor& out1) {
  const Pair outs(out0, out1);
  const bool drops = train.value_or(true);
  if (!is_between(cx, "p", p, 0, 1) || !has_dtype(cx, out1, bool_dtypes) || !has_same_dtype(cx, input, out0) ||
      !has_dtype(cx, input, drops ? FLOATS : NUMBERS_AND_BOOL) || !resize(cx, out0, input.sizes()) ||
      !resize(cx, out1, input.sizes())) {
    return outs;
  }
  fill_drawn(out1, [=](Stream& s) { return !drops || s.uniform() >= p; });
  if (!drops) return copy_view(cx, View(input), out0), outs;
  compute_switch<void, FLOATS>(input.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T scale = p < 1 ? static_cast<T>(1 / (1 - p)) : T(0);
    const auto kept = [=](T x, T mask) { return x * mask * scale; };
    pointwise_as<T, T>(cx, kept, ScalarType::Undefined, out0, input, out1);
  });
  return outs;
}

// --- by weights ----------------------------------------------------------------------------------------------------

// Which of a row is drawn. With replacement, where a part of the whole lies. Without, the weights are rates of clocks,
// and those that ring first are taken; a clock is drawn anew each time it is looked at, and always shows the same.
Tensor& multinomial_out(Context& cx, const Tensor& self, int64_t num_samples, bool replacement, Maybe<Generator>,
                        Tensor& out) {
  const size_t rank = self.sizes().size();
  REQUIRE(cx, (rank == 1 || rank == 2) && self.sizes()[rank - 1] > 0, out, "weights of shape %s are no rows",
          ShapeText(self).text);
  const int64_t rows = rank == 2 ? self.size(0) : 1, length = self.size(static_cast<ptrdiff_t>(rank) - 1);
  REQUIRE(cx, num_samples > 0 && num_samples <= INT32_MAX && (replacement || num_samples <= length), out,
          "%" PRId64 " of %" PRId64 " are not drawn", num_samples, length);
  const SizesType sizes[] = {static_cast<SizesType>(rows), static_cast<SizesType>(num_samples)};
  if (!are_between(cx, FLOATS, "a weight", self, 0, most) || !has_dtype(cx, out, dtypes(ScalarType::Long)) ||
      !resize(cx, out, {sizes + 2 - rank, rank})) {
    return out;
  }
  const Strides from(self), to(out);
  const Streams streams(rows * (replacement ? num_samples : length));
  for (int64_t row = 0; row < rows; ++row) {
    const auto weight = [&](int64_t i) {
      return read_one<double>(self, (rank == 2 ? row * from[0] : 0) + i * from[rank - 1]);
    };
    double total = 0;
    for (int64_t i = 0; i < length; ++i) total += weight(i);
    REQUIRE(cx, total > 0 && total <= most, out, "the weights of row %" PRId64 " sum to %g", row, total);
    const auto rings = [&](int64_t i) { return -std::log1p(-streams[row * length + i].uniform()) / weight(i); };
    double last = -1;
    int64_t found = -1;
    for (int64_t k = 0; k < num_samples; ++k) {
      if (replacement) {
        double rest = streams[row * num_samples + k].uniform() * total;
        found = -1;
        for (int64_t i = 0; i < length && rest >= 0; ++i) {
          if (weight(i) > 0) rest -= weight(i), found = i;
        }
      } else {
        int64_t next = -1;
        double soonest = 0;
        for (int64_t i = 0; i < length; ++i) {
          const double time = rings(i);
          if (time < last || (time == last && i <= found)) continue;
          if (next < 0 || time < soonest) next = i, soonest = time;
        }
        found = next, last = soonest;
      }
      out.mutable_data_ptr<int64_t>()[(rank == 2 ? row * to[0] : 0) + k * to[rank - 1]] = found;
    }
  }
  return out;
}

}  // namespace tenon::native
