// The interpreter of pointwise programs, tile by tile: what is between two functions stays in the innermost cache.
//
// A program is a list of whole numbers: the code of a function, then the registers it takes, and so on. Registers are
// the inputs, then the constants, then the results, each numbered as it comes; the last result is the program's.
#include <tenon/threads.h>

#include "pointwise.h"

namespace tenon::native::pointwise_programs {

namespace {

constexpr int64_t most_functions = 32, most_kept = 12;

constexpr int8_t takes[] = {
#define X(name, count, formula) count,
    TENON_POINTWISE_FUNCTIONS(X)
#undef X
};
constexpr int64_t functions = sizeof takes;

struct Call {
  int64_t code;
  int64_t from[3];  // registers
  int64_t to;       // a tile; -1 is the result of the program
};

struct Program {
  Call calls[most_functions];
  int64_t count = 0, inputs = 0, constants = 0;
  int64_t kept[most_functions];  // the tile of each result

  // False, with words, if it is none.
  bool read(Context& cx, Ints code, int64_t input_count, int64_t constant_count);
  bool keep(Context& cx);
};

bool Program::read(Context& cx, Ints code, int64_t input_count, int64_t constant_count) {
  inputs = input_count, constants = constant_count;
  REQUIRE(cx, !code.empty(), false, "the program is empty");
  for (size_t i = 0; i < code.size();) {
    const size_t place = i;
    REQUIRE(cx, code[i] >= 0 && code[i] < functions, false, "%" PRId64 " at position %zu of the program is no function",
            code[i], i);
    REQUIRE(cx, count < most_functions, false, "the program has more than %" PRId64 " functions", most_functions);
    Call& call = calls[count] = {code[i], {0, 0, 0}, 0};
    const size_t taken = static_cast<size_t>(takes[call.code]);
    REQUIRE(cx, code.size() - place > taken, false, "the program ends inside the function at position %zu", place);
    for (size_t k = 0; k < taken; ++k) {
      const int64_t found = code[place + 1 + k], known = inputs + constants + count;
      REQUIRE(cx, found >= 0 && found < known, false,
              "register %" PRId64 " at position %zu of the program is not one of the %" PRId64 " that are known there",
              found, place + 1 + k, known);
      call.from[k] = found;
    }
    ++count;
    i += 1 + taken;
  }
  return keep(cx);
}

// Gives each result the first tile that is free; that of an operand that is not needed any more may be it.
bool Program::keep(Context& cx) {
  int64_t last[most_functions];  // who takes it last
  for (int64_t i = 0; i < count; ++i) {
    last[i] = i;
    for (int64_t k = 0; k < takes[calls[i].code]; ++k) {
      const int64_t result = calls[i].from[k] - inputs - constants;
      if (result >= 0) last[result] = i;
    }
  }
  int64_t owner[most_kept];  // of a tile: a result, or -1
  std::fill_n(owner, most_kept, int64_t{-1});
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = 0;
    while (at < most_kept && owner[at] >= 0 && last[owner[at]] > i) ++at;
    REQUIRE(cx, at < most_kept, false, "the program keeps more than %" PRId64 " results at a time", most_kept);
    owner[at] = i;
    kept[i] = calls[i].to = at;
  }
  calls[count - 1].to = -1;
  return true;
}

// --- one function over one tile ------------------------------------------------------------------------------------

struct Step {
  int64_t code, n;
  float* to;
  const float* from[3];

  template <class F>
  ET_INLINE void over(const F& function) const {
    const float *a = from[0], *b = from[1], *c = from[2];
    // The result may lie where an operand does, and each element is read before it is written.
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) to[i] = function(a[i], b[i], c[i]);
  }
  template <class Wide>
  ET_INLINE void operator()(Wide) const {
    enum { start = __COUNTER__ };
    switch (code) {
#define X(name, count, formula) \
  case __COUNTER__ - start - 1: \
    return over([](float x, float y, float z) ET_INLINE_ATTRIBUTE { return function::name(x, y, z); });
      TENON_POINTWISE_FUNCTIONS(X)
#undef X
      default: return;
    }
  }
};

}  // namespace

bool interpret(Context& cx, Ints program, const Operands& operands) {
  Program code;
  const ArrayRef<double> constants = operands.constants;
  if (!code.read(cx, program, static_cast<int64_t>(operands.inputs), static_cast<int64_t>(constants.size()))) return false;
  parallel(operands.tiles(), operands.least_tiles, [&](int64_t begin, int64_t end) {
    alignas(64) float filled[most_constants][tile], made[most_kept][tile];
    const float* registers[most_inputs + most_constants + most_functions];
    const float** results = registers + code.inputs + code.constants;
    for (int64_t k = 0; k < code.constants; ++k) {
      std::fill_n(filled[k], tile, static_cast<float>(constants[static_cast<size_t>(k)]));
      registers[code.inputs + k] = filled[k];
    }
    for (int64_t k = 0; k < code.count; ++k) results[k] = made[code.kept[k]];
    operands.each_tile<false>(begin, end, [&](int64_t first, int64_t n, const float* const* inputs) {
      std::copy_n(inputs, code.inputs, registers);
      for (int64_t k = 0; k < code.count; ++k) {
        const Call& call = code.calls[k];
        float* to = call.to < 0 ? operands.out + first : made[call.to];
        run_vectorised<true>(
            Step{call.code, n, to, {registers[call.from[0]], registers[call.from[1]], registers[call.from[2]]}});
      }
    });
  });
  return true;
}

}  // namespace tenon::native::pointwise_programs
