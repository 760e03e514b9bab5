// Every conversion of a run beside `convert` of each number: the same bits, at once or in two steps.
#include <cstdio>
#include <cstring>
#include <limits>

#include "../../native/kernels/convert.h"

using namespace tenon;

namespace {

int differences = 0, compared = 0;

// Of a NaN only that it is one: which of its bits are kept is left to the processor.
template <class T>
bool is_same(T a, T b) {
  if constexpr (!std::is_integral_v<T>) {
    const float x = static_cast<float>(a), y = static_cast<float>(b);
    if (x != x || y != y) return x != x && y != y;
  }
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <class To, class From>
void compare(const From* values, size_t count) {
  const Converter run = converter(dtype_of<To>, dtype_of<From>);
  To dense[512], sparse[2 * 512];
  run(reinterpret_cast<char*>(dense), sizeof(To), reinterpret_cast<const char*>(values), sizeof(From), count);
  run(reinterpret_cast<char*>(sparse), 2 * sizeof(To), reinterpret_cast<const char*>(values), sizeof(From), count);
  for (size_t i = 0; i < count; ++i, ++compared) {
    const To wanted = convert<To>(values[i]);
    if (is_same(dense[i], wanted) && is_same(sparse[2 * i], wanted)) continue;
    if (differences++ < 10) std::printf("%s to %s, value %zu\n", toString(dtype_of<From>), toString(dtype_of<To>), i);
  }
  To repeated[300];  // longer than what goes through the middle at once
  run(reinterpret_cast<char*>(repeated), sizeof(To), reinterpret_cast<const char*>(values), 0, 300);
  for (const To& each : repeated) differences += !is_same(each, convert<To>(values[0]));
}

template <class From>
void compare_all() {
  From values[512];
  size_t count = 0;
  const auto add = [&](auto value) { values[count++] = convert<From>(value); };
  for (int i = -130; i < 130; ++i) add(static_cast<int64_t>(i));
  for (int bit = 0; bit < 64; ++bit) {
    for (int64_t more = -1; more <= 1; ++more)
      add(static_cast<int64_t>((uint64_t{1} << bit) + static_cast<uint64_t>(more)));
  }
  // Halfway between two floats, and a little above: rounded twice it would be another.
  for (const double value : {0.1, -0.9, 1.5, -2.5, 65504.0, 65520.0, 1e30, -1e300, 1e-45, 1.0 + 0x1p-24 + 0x1p-53})
    add(value);
  for (const int64_t value : {(int64_t{1} << 60) + (int64_t{1} << 36) + 1, (int64_t{1} << 24) + 1}) add(value);
  if constexpr (!std::is_integral_v<From>) {
    for (const float value : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                              std::numeric_limits<float>::quiet_NaN(), -0.0f}) {
      add(value);
    }
  }
#define X(cpp, name) compare<cpp, From>(values, count);
  ET_FORALL_REALHBBF16_TYPES(X)
#undef X
}

}  // namespace

int main() {
#define X(cpp, name) compare_all<cpp>();
  ET_FORALL_REALHBBF16_TYPES(X)
#undef X
  std::printf("%d compared, %d differ\n", compared, differences);
  return differences != 0;
}
