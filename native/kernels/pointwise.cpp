// Small programs of pointwise functions, run tile by tile: what is between two functions stays in the innermost cache.
//
// A program is a list of whole numbers: the code of a function, then the registers it takes, and so on. Registers are
// the inputs, then the constants, then the results, each numbered as it comes; the last result is the program's.
#include <tenon/threads.h>

#include <algorithm>
#include <cmath>

#include "arithmetic.h"
#include "index.h"
#include "smooth.h"
#include "softmax.h"

namespace tenon::native {

namespace {

constexpr int64_t tile = 512;
constexpr int64_t most_inputs = 16, most_constants = 16, most_functions = 32, most_kept = 12;
constexpr int64_t least_numbers = 16384;  // for a thread

// What it takes, and its formula. A code is a place in this list: tenon/ops/fused.py has the same one.
#define TENON_PROGRAM_FUNCTIONS(X)                                                                \
  X(2, x + y)                                                                                     \
  X(2, x - y)                                                                                     \
  X(2, x * y)                                                                                     \
  X(2, x / y)                                                                                     \
  X(2, (x > y) | (x != x) ? x : y)                                                                \
  X(2, (x < y) | (x != x) ? x : y)                                                                \
  X(2, std::pow(x, y))                                                                            \
  X(2, x == y ? 1.0f : 0.0f)                                                                      \
  X(2, x != y ? 1.0f : 0.0f)                                                                      \
  X(2, x < y ? 1.0f : 0.0f)                                                                       \
  X(2, x <= y ? 1.0f : 0.0f)                                                                      \
  X(2, x > y ? 1.0f : 0.0f)                                                                       \
  X(2, x >= y ? 1.0f : 0.0f)                                                                      \
  X(1, -x)                                                                                        \
  X(1, std::fabs(x))                                                                              \
  X(1, 1.0f / x)                                                                                  \
  X(1, std::sqrt(x))                                                                              \
  X(1, 1.0f / std::sqrt(x))                                                                       \
  X(1, tenon::exponential(x))                                                                     \
  X(1, std::log(x))                                                                               \
  X(1, hyperbolic_tangent(x))                                                                     \
  X(1, error_function(x))                                                                         \
  X(1, 1.0f / (1.0f + power_of_2(x * -log2_of_e)))                                                \
  X(1, x < 0.0f ? 0.0f : x)                                                                       \
  X(1, x * between(x + 3.0f, 0.0f, 6.0f) / 6.0f)                                                  \
  X(1, between(x + 3.0f, 0.0f, 6.0f) / 6.0f)                                                      \
  X(1, x / (1.0f + power_of_2(x * -log2_of_e)))                                                   \
  X(1, 0.5f * x * (1.0f + error_function(x * 0.707106781f)))                                      \
  X(1, x / (1.0f + power_of_2(x * (1.0f + 0.044715f * x * x) * (-2 * 0.797884561f * log2_of_e)))) \
  X(3, between(x, y, z))                                                                          \
  X(3, x != 0.0f ? y : z)

constexpr int8_t takes[] = {
#define X(count, formula) count,
    TENON_PROGRAM_FUNCTIONS(X)
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
  bool read(Context& cx, ArrayRef<int64_t> code, int64_t input_count, int64_t constant_count);
  bool keep(Context& cx);
};

bool Program::read(Context& cx, ArrayRef<int64_t> code, int64_t input_count, int64_t constant_count) {
  inputs = input_count, constants = constant_count;
  ET_KERNEL_CHECK_MSG(cx, inputs > 0 && inputs <= most_inputs, InvalidArgument, false,
                      "%" PRId64 " inputs, and a program has 1 to %" PRId64, inputs, most_inputs);
  ET_KERNEL_CHECK_MSG(cx, constants <= most_constants, InvalidArgument, false,
                      "%" PRId64 " constants, and a program has at most %" PRId64, constants, most_constants);
  ET_KERNEL_CHECK_MSG(cx, !code.empty(), InvalidArgument, false, "the program is empty");
  for (size_t i = 0; i < code.size();) {
    const size_t place = i;
    ET_KERNEL_CHECK_MSG(cx, code[i] >= 0 && code[i] < functions, InvalidArgument, false,
                        "%" PRId64 " at position %zu of the program is no function", code[i], i);
    ET_KERNEL_CHECK_MSG(cx, count < most_functions, InvalidArgument, false,
                        "the program has more than %" PRId64 " functions", most_functions);
    Call& call = calls[count] = {code[i], {0, 0, 0}, 0};
    const size_t taken = static_cast<size_t>(takes[call.code]);
    ET_KERNEL_CHECK_MSG(cx, code.size() - place > taken, InvalidArgument, false,
                        "the program ends inside the function at position %zu", place);
    for (size_t k = 0; k < taken; ++k) {
      const int64_t found = code[place + 1 + k], known = inputs + constants + count;
      ET_KERNEL_CHECK_MSG(cx, found >= 0 && found < known, InvalidArgument, false,
                          "register %" PRId64 " at position %zu of the program is not one of the %" PRId64
                          " that are known there",
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
    ET_KERNEL_CHECK_MSG(cx, at < most_kept, InvalidArgument, false,
                        "the program keeps more than %" PRId64 " results at a time", most_kept);
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
#define X(count, formula)             \
  case __COUNTER__ - start - 1:       \
    return over([](float x, [[maybe_unused]] float y, [[maybe_unused]] float z) \
                    ET_INLINE_ATTRIBUTE { return formula; });
      TENON_PROGRAM_FUNCTIONS(X)
#undef X
      default: return;
    }
  }
};

// --- inputs --------------------------------------------------------------------------------------------------------

// An input in the order in which the result lies in memory.
struct Input {
  const float* data;
  Odometer<1> places;
  bool is_same = false;  // it lies as the result does
  bool is_single = false;

  const float* take(int64_t first, int64_t n, float* room) const {
    if (is_same) return data + first;
    if (is_single) return room;  // filled once
    int64_t step[1];
    Odometer<1> at = places;
    const int64_t length = at.pop(step);
    at.seek(first / length);
    for (int64_t done = 0, begin = first % length; done < n; begin = 0, at.next()) {
      const int64_t count = std::min(n - done, length - begin);
      const float* from = data + at.offset[0] + begin * step[0];
      if (step[0] == 1) std::copy_n(from, count, room + done);
      else if (step[0] == 0) std::fill_n(room + done, count, *from);
      else for (int64_t i = 0; i < count; ++i) room[done + i] = from[i * step[0]];
      done += count;
    }
    return room;
  }
};

// Gives the result the shape of all inputs together.
bool resize_to_all(Context& cx, ArrayRef<Tensor> inputs, Tensor& out) {
  size_t rank = 0;
  for (const Tensor& t : inputs) rank = std::max(rank, t.sizes().size());
  SizesType shape[kTensorDimensionLimit];
  std::fill_n(shape, rank, SizesType{1});
  for (const Tensor& t : inputs) {
    const size_t missing = rank - t.sizes().size();
    for (size_t d = missing; d < rank; ++d) {
      const SizesType size = t.sizes()[d - missing];
      ET_KERNEL_CHECK_MSG(cx, size == shape[d] || size == 1 || shape[d] == 1, InvalidArgument, false,
                          "the shape %s does not go with %s", ShapeText(t.sizes()).text, ShapeText({shape, rank}).text);
      if (shape[d] == 1) shape[d] = size;
    }
  }
  return resize(cx, out, {shape, rank});
}

Input input_of(const Tensor& t, const Tensor& out, const size_t* order) {
  Input found{t.const_data_ptr<float>(), {}};
  const size_t rank = out.sizes().size(), missing = rank - t.sizes().size();
  const Strides strides(t);
  for (size_t k = 0; k < rank; ++k) {
    const size_t d = order[k];
    const bool is_there = d >= missing && t.sizes()[d - missing] != 1;
    found.places.add(out.sizes()[d], is_there ? strides[d - missing] : 0);
  }
  const Odometer<1>& at = found.places;
  found.is_single = at.rank == 0 || (at.rank == 1 && at.strides[0][0] == 0);
  found.is_same = at.rank == 1 && at.strides[0][0] == 1;
  return found;
}

}  // namespace

Tensor& pointwise_out(Context& cx, TensorList inputs, ArrayRef<int64_t> program, ArrayRef<double> constants,
                      Tensor& out) {
  for (const Tensor& t : inputs) {
    if (!has_dtype(cx, t, FLOAT32)) return out;
  }
  Program code;
  if (!has_dtype(cx, out, FLOAT32) ||
      !code.read(cx, program, static_cast<int64_t>(inputs.size()), static_cast<int64_t>(constants.size())) ||
      !resize_to_all(cx, inputs, out) || out.numel() == 0) {
    return out;
  }
  size_t order[kTensorDimensionLimit];
  const size_t rank = out.sizes().size();
  for (size_t d = 0; d < rank; ++d) order[d] = out.dim_order().empty() ? d : out.dim_order()[d];
  Input taken[most_inputs];
  for (size_t k = 0; k < inputs.size(); ++k) taken[k] = input_of(inputs[k], out, order);

  const int64_t tiles = (out.numel() + tile - 1) / tile;
  parallel(tiles, least_numbers / tile, [&](int64_t begin, int64_t end) {
    alignas(64) float given[most_inputs + most_constants][tile], made[most_kept][tile];
    const float* registers[most_inputs + most_constants + most_functions];
    for (int64_t k = 0; k < code.constants; ++k) {
      std::fill_n(given[code.inputs + k], tile, static_cast<float>(constants[static_cast<size_t>(k)]));
      registers[code.inputs + k] = given[code.inputs + k];
    }
    for (int64_t k = 0; k < code.inputs; ++k) {
      if (taken[k].is_single) std::fill_n(given[k], tile, *taken[k].data);
    }
    for (int64_t k = 0; k < code.count; ++k) registers[code.inputs + code.constants + k] = made[code.kept[k]];
    for (int64_t t = begin; t < end; ++t) {
      const int64_t first = t * tile, n = std::min(tile, static_cast<int64_t>(out.numel()) - first);
      for (int64_t k = 0; k < code.inputs; ++k) registers[k] = taken[k].take(first, n, given[k]);
      for (int64_t k = 0; k < code.count; ++k) {
        const Call& call = code.calls[k];
        float* to = call.to < 0 ? out.mutable_data_ptr<float>() + first : made[call.to];
        run_vectorised<true>(
            Step{call.code, n, to, {registers[call.from[0]], registers[call.from[1]], registers[call.from[2]]}});
      }
    }
  });
  return out;
}

}  // namespace tenon::native
