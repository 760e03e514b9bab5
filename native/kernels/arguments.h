// Short names for what kernels take and give, and the two ways in which a kernel refuses an argument.
#pragma once

#include <tenon/kernel.h>

#include <optional>
#include <tuple>

namespace tenon {

using Ints = ArrayRef<int64_t>;
template <class T>
using Maybe = std::optional<T>;
using Pair = std::tuple<Tensor&, Tensor&>;
using Triple = std::tuple<Tensor&, Tensor&, Tensor&>;
using Quadruple = std::tuple<Tensor&, Tensor&, Tensor&, Tensor&>;

inline const char* dtype_name(const Tensor& t) { return dtype_name(t.scalar_type()); }

// Whether a condition holds; if not, the kernel has failed with these words.
#define HOLDS(cx, condition, ...) \
  (ET_LIKELY(condition) || ((cx).fail(::tenon::Error::InvalidArgument, __VA_ARGS__), false))
// Leaves the function with a value, which is nothing in one that gives nothing, if a condition does not hold.
#define REQUIRE(cx, condition, value, ...) \
  if (!HOLDS(cx, condition, __VA_ARGS__)) return value

}  // namespace tenon
