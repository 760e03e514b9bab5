// The loop of all reductions. An operator is a functor with a state per element of the result:
//
//   struct Sum {
//     template <class T> using State = T;
//     static constexpr bool has_lanes = true;
//     template <class T> T start() const;
//     template <class T> void add(T& state, const T& x, int64_t at) const;  // x is number `at` of what is reduced
//   };
//
// If it has lanes, a state is a number, `add` also takes vectors of them, and it joins states of parts in any order.
// Dimensions that can be one are merged. Where those that stay are innermost, a block of states is kept and whole runs
// are added to it; else each state takes runs of its own elements.
#pragma once

#include <algorithm>

#include "index.h"

namespace tenon::native {

// Dimensions of an input, those that stay and those that are reduced. A second result has the shape of the first.
struct Reduction {
  Odometer<3> kept;     // strides of: input, result, second result
  Odometer<1> reduced;  // strides of: input
  int64_t count = 1;    // how many elements make one of the result
};

// Gives the results their shape. No dims means all of them. False, with words, if a dim is wrong or there twice.
bool plan_reduction(Context& cx, const Tensor& in, Ints dims, bool keepdim, Tensor& out, Tensor* second,
                    Reduction& plan);

// A maximum of nothing does not exist.
bool has_elements(Context& cx, const Reduction& plan);

namespace reduction {

inline constexpr int64_t block = 256;

template <class Op, class T>
inline constexpr bool has_lanes = Op::has_lanes && !std::is_same_v<T, Complex>;

// A run of elements into one state. With lanes: four vectors of states, which are joined at the end.
template <bool wide, class T, class Op, class State>
ET_INLINE void add_run(const Op& op, State& state, const T* x, int64_t n, int64_t at) {
  int64_t i = 0;
  if constexpr (has_lanes<Op, T>) {
    using V = typename Vector<T, wide>::type;
    constexpr int64_t lanes = Vector<T, wide>::lanes;
    constexpr int parts = 4;
    if (n >= 2 * parts * lanes) {
      V states[parts];
      for (int p = 0; p < parts; ++p) states[p] = V{} + op.template start<T>();
      for (; i + parts * lanes <= n; i += parts * lanes) {
        for (int p = 0; p < parts; ++p) op.add(states[p], load<V>(x + i + p * lanes), at);
      }
      for (int p = 1; p < parts; ++p) op.add(states[0], states[p], at);
      for (int64_t l = 0; l < lanes; ++l) op.add(state, static_cast<T>(states[0][l]), at);
    }
  }
  for (; i < n; ++i) op.add(state, x[i], at + i);
}

// A run of elements into one state each.
template <bool wide, class T, class Op, class State>
ET_INLINE void add_each(const Op& op, State* states, const T* x, int64_t n, int64_t at) {
  int64_t i = 0;
  if constexpr (has_lanes<Op, T>) {
    using V = typename Vector<T, wide>::type;
    constexpr int64_t lanes = Vector<T, wide>::lanes;
    for (; i + lanes <= n; i += lanes) {
      V values = load<V>(states + i);
      op.add(values, load<V>(x + i), at);
      store(states + i, values);
    }
  }
  for (; i < n; ++i) op.add(states[i], x[i], at);
}

// Whole lines of floats into one state each, lines being `step` apart: states from `i` on, as many as are whole times
// `parts` vectors, which stay in registers. In the order of add_each, and so with its results.
template <bool wide, int parts, class Op>
ET_INLINE void add_lines(const Op& op, float* states, const float* x, int64_t n, int64_t step, int64_t lines, int64_t& i) {
  using V = typename Vector<float, wide>::type;
  constexpr int64_t lanes = Vector<float, wide>::lanes;
  for (; i + parts * lanes <= n; i += parts * lanes) {
    V sums[parts];
    for (int p = 0; p < parts; ++p) sums[p] = load<V>(states + i + p * lanes);
    for (int64_t at = 0; at < lines; ++at) {
      for (int p = 0; p < parts; ++p) op.add(sums[p], load<V>(x + at * step + i + p * lanes), at);
    }
    for (int p = 0; p < parts; ++p) store(states + i + p * lanes, sums[p]);
  }
}

template <class T, class Op, class Emit>
struct Loop {
  using State = typename Op::template State<T>;
  const Op& op;
  const Tensor& in;
  Reduction& plan;
  const Emit& emit;

  // Each state by itself.
  template <bool wide>
  ET_INLINE void rows() const {
    Odometer<3> kept = plan.kept;
    Odometer<1> reduced = plan.reduced;
    T room[run_room];
    int64_t step[1];
    constexpr int64_t one[3] = {1, 1, 1};
    const int64_t length = reduced.pop(step);
    for (int64_t left = kept.start(); left > 0; --left, kept.next()) {
      State state = op.template start<T>();
      int64_t at = 0;
      for (int64_t lines = reduced.start(); lines > 0; --lines, reduced.next()) {
        for (int64_t i = 0; i < length; i += run_room) {
          const int64_t n = std::min(run_room, length - i);
          const T* x = read(in, kept.offset[0] + reduced.offset[0] + i * step[0], step[0], n, room);
          add_run<wide>(op, state, x, n, at + i);
        }
        at += length;
      }
      emit(&state, 1, kept.offset, one);
    }
  }

  // A block of states at a time.
  template <bool wide>
  ET_INLINE void columns() const {
    Odometer<3> kept = plan.kept;
    Odometer<1> reduced = plan.reduced;
    T room[block];
    State states[block];
    int64_t step[3];
    const int64_t length = kept.pop(step);
    for (int64_t left = kept.start(); left > 0; --left, kept.next()) {
      for (int64_t j = 0; j < length; j += block) {
        const int64_t n = std::min(block, length - j);
        for (int64_t i = 0; i < n; ++i) states[i] = op.template start<T>();
        int64_t at = 0, done = 0;
        if constexpr (has_lanes<Op, T> && std::is_same_v<T, float>) {
          if (in.scalar_type() == ScalarType::Float && step[0] == 1 && reduced.rank == 1) {
            const float* x = in.const_data_ptr<float>() + kept.offset[0] + j;
            add_lines<wide, 4>(op, states, x, n, reduced.strides[0][0], reduced.sizes[0], done);
            add_lines<wide, 2>(op, states, x, n, reduced.strides[0][0], reduced.sizes[0], done);
          }
        }
        for (int64_t lines = done < n ? reduced.start() : 0; lines > 0; --lines, reduced.next(), ++at) {
          const int64_t offset = kept.offset[0] + reduced.offset[0] + (j + done) * step[0];
          const T* x = read(in, offset, step[0], n - done, room);
          add_each<wide>(op, states + done, x, n - done, at);
        }
        const int64_t offset[3] = {0, kept.offset[1] + j * step[1], kept.offset[2] + j * step[2]};
        emit(states, n, offset, step);
      }
    }
  }

  template <class Wide>
  ET_INLINE void operator()(Wide) const {
    const Odometer<3>& kept = plan.kept;
    const Odometer<1>& reduced = plan.reduced;
    const bool is_inner_kept =
        kept.rank && (!reduced.rank || kept.strides[kept.rank - 1][0] < reduced.strides[reduced.rank - 1][0]);
    if (is_inner_kept) columns<Wide::value>();
    else rows<Wide::value>();
  }
};

}  // namespace reduction

// Calls emit(states, n, offset, stride) with n states of the result; offset and stride are of: -, result, second result.
template <class T, class Op, class Emit>
void reduce(const Op& op, const Tensor& in, Reduction& plan, const Emit& emit) {
  const reduction::Loop<T, Op, Emit> loop{op, in, plan, emit};
  if constexpr (std::is_same_v<T, Complex>) loop(std::false_type());
  else run_vectorised(loop);
}

}  // namespace tenon::native
