// Small programs of pointwise functions: by a chain that is compiled, or else by the interpreter.
#include "pointwise.h"

#include <tenon/threads.h>

namespace tenon::native {

using namespace pointwise_programs;

const float* Input::take(int64_t first, int64_t n, float* room) const {
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

namespace {

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
      REQUIRE(cx, size == shape[d] || size == 1 || shape[d] == 1, false, "the shape %s does not go with %s",
              ShapeText(t.sizes()).text, ShapeText({shape, rank}).text);
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

const Chain* find_chain(Ints program, size_t inputs, size_t constants) {
  for (const Chain& each : known.chains) {
    if (each.inputs == inputs && each.constants == constants && each.program == program) return &each;
  }
  return nullptr;
}

void run_chain(const Chain& chain, const Operands& operands) {
  parallel(operands.tiles(), operands.least_tiles, [&](int64_t begin, int64_t end) {
    float constants[most_constants];
    std::copy_n(operands.constants.begin(), operands.constants.size(), constants);
    operands.each_tile<true>(begin, end, [&](int64_t first, int64_t n, const float* const* inputs) {
      chain.run(n, operands.out + first, inputs, constants, 0);
    });
  });
}

}  // namespace

Tensor& pointwise_out(Context& cx, TensorList inputs, Ints program, ArrayRef<double> constants, Tensor& out) {
  for (const Tensor& t : inputs) {
    if (!has_dtype(cx, t, FLOAT32)) return out;
  }
  REQUIRE(cx, !inputs.empty() && inputs.size() <= most_inputs, out, "%zu inputs, and a program has 1 to %" PRId64,
          inputs.size(), most_inputs);
  REQUIRE(cx, constants.size() <= most_constants, out, "%zu constants, and a program has at most %" PRId64,
          constants.size(), most_constants);
  if (!has_dtype(cx, out, FLOAT32) || !resize_to_all(cx, inputs, out)) return out;
  size_t order[kTensorDimensionLimit];
  const size_t rank = out.sizes().size();
  for (size_t d = 0; d < rank; ++d) order[d] = out.dim_order().empty() ? d : out.dim_order()[d];
  Operands operands{{}, inputs.size(), constants, out.numel(), out.mutable_data_ptr<float>()};
  for (size_t k = 0; k < inputs.size(); ++k) operands.taken[k] = input_of(inputs[k], out, order);
  if (const Chain* chain = find_chain(program, inputs.size(), constants.size())) {
    run_chain(*chain, operands);
    return out;
  }
  ET_KERNEL_CHECK_MSG(cx, known.interpret, NotFound, out,
                      "this build has %zu pointwise program%s of its models, and not this one", known.chains.size(),
                      known.chains.size() == 1 ? "" : "s");
  known.interpret(cx, program, operands);
  return out;
}

}  // namespace tenon::native
