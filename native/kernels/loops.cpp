// What pointwise loops share: broadcasting, and short runs brought to one dtype.
#include "loops.h"

#include <tenon/threads.h>

#include <algorithm>
#include <cstring>

#include "convert.h"

namespace tenon {
namespace {

constexpr size_t kStaged = 256;  // elements that are converted at a time

struct Operand {
  Converter convert;  // none if it is used where it lies
  bool rounds;        // to the common dtype, once it is converted
  int64_t step;
  size_t size;
  char* buffer;
};

bool broadcast(ArrayRef<SizesType> sizes, size_t rank, SizesType* shape) {
  for (size_t d = 0; d < sizes.size(); ++d) {
    SizesType& size = shape[rank - sizes.size() + d];
    if (size != sizes[d] && size != 1 && sizes[d] != 1) return false;
    if (size == 1) size = sizes[d];
  }
  return true;
}

Walk<kMostInputs + 1> walk_over(const PointwiseCall& call, const Tensor& out) {
  View views[kMostInputs + 1];
  views[0] = View(out);
  for (size_t k = 0; k < call.count; ++k) views[k + 1] = View(*call.in[k]);
  Walk<kMostInputs + 1> walk;
  const size_t rank = views[0].rank;
  for (size_t d = 0; d < rank; ++d) {
    int64_t step[kMostInputs + 1] = {};
    for (size_t k = 0; k <= call.count; ++k) {
      const size_t missing = rank - views[k].rank;
      if (d >= missing && views[k].sizes[d - missing] != 1) step[k] = views[k].step(d - missing);
    }
    walk.add(views[0].sizes[d], step);
  }
  walk.arrange();
  return walk;
}

bool is_rounded(const PointwiseCall& call, size_t k) {
  return contains(half_dtypes, call.common) && call.computed[k] == ScalarType::Float &&
         call.in[k]->scalar_type() != call.common && !(call.is_divisor_exact && k == 1 && call.in[k]->dim() == 0);
}

// Whether no element has to be brought anywhere: one shape, one order in memory without gaps, and the dtypes that are
// computed with.
bool is_dense(const PointwiseCall& call, const Tensor& out) {
  bool found = out.scalar_type() == call.result;
  for (size_t k = 0; found && k < call.count; ++k) {
    const Tensor& t = *call.in[k];
    found = t.scalar_type() == call.computed[k] && t.sizes() == out.sizes() && t.strides() == out.strides();
  }
  int64_t reach = 1;
  for (size_t d = 0; found && d < out.strides().size(); ++d) reach += (out.sizes()[d] - 1) * int64_t{out.strides()[d]};
  return found && (out.strides().empty() || reach == out.numel());
}

void run_dense(const PointwiseCall& call, const Tensor& out) {
  constexpr int64_t worth_a_thread = 16 * 1024;
  parallel(out.numel(), worth_a_thread, [&](int64_t first, int64_t last) {
    const void* in[kMostInputs];
    for (size_t k = 0; k < call.count; ++k) {
      in[k] = static_cast<const char*>(call.in[k]->const_data_ptr()) + first * call.in[k]->itemsize();
    }
    call.run(call.functor, static_cast<size_t>(last - first), out.mutable_data_ptr<char>() + first * out.itemsize(), in);
  });
}

// Short rows one after the other, of which some inputs have a single one for all: an image's channels times a number for
// each. The single ones are repeated, and many rows computed at a time. False if the rows are not that.
bool run_rows(const PointwiseCall& call, const Walk<kMostInputs + 1>& walk, char* const (&start)[kMostInputs + 1]) {
  constexpr int64_t room = 4096, worth_a_thread = 64 * 1024;
  if (walk.rank < 2) return false;
  const int64_t length = walk.sizes[walk.rank - 1];
  int64_t row[kMostInputs + 1], widest = 1;
  bool is_single[kMostInputs + 1];
  for (size_t k = 0; k <= call.count; ++k) {
    const int64_t next = walk.steps[k][walk.rank - 2];
    row[k] = walk.steps[k][walk.rank - 1] * length, is_single[k] = k && next == 0;
    if (next != row[k] && !is_single[k]) return false;
    widest = std::max(widest, row[k]);
  }
  const int64_t together = room / widest;
  if (together < 2) return false;
  Walk<kMostInputs + 1> blocks = walk;
  --blocks.rank;
  blocks.each_run(start, [&](size_t rows, char* const* at) {
    alignas(64) char repeated[kMostInputs][room];
    const int64_t count = static_cast<int64_t>(rows), copies = std::min(together, count);
    for (size_t k = 1; k <= call.count; ++k) {
      if (!is_single[k]) continue;
      for (int64_t i = 0; i < copies; ++i) std::memcpy(repeated[k - 1] + i * row[k], at[k], static_cast<size_t>(row[k]));
    }
    parallel(count, worth_a_thread / (length + 1) + 1, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; i += together) {
        const void* in[kMostInputs];
        for (size_t k = 1; k <= call.count; ++k) in[k - 1] = is_single[k] ? repeated[k - 1] : at[k] + i * row[k];
        const int64_t elements = std::min(together, last - i) * length;
        call.run(call.functor, static_cast<size_t>(elements), at[0] + i * row[0], in);
      }
    });
  });
  return true;
}

void round_run(ScalarType type, float* x, size_t count) {
  for (size_t i = 0; i < count; ++i) x[i] = rounded_to(type, x[i]);
}

}  // namespace

void fail_compute(Context& cx, ScalarType type) {
#ifdef EXECUTORCH_SELECTIVE_BUILD_DTYPE
  constexpr const char* words = "it does not compute with %s in this build, which has the dtypes that were selected";
#else
  constexpr const char* words = "it does not compute with %s";
#endif
  cx.fail(Error::InvalidArgument, words, dtype_name(type));
}

bool prepare_pointwise(Context& cx, ScalarType result, Tensor& out, ArrayRef<const Tensor*> in) {
  size_t rank = 0;
  for (const Tensor* t : in) rank = t->sizes().size() > rank ? t->sizes().size() : rank;
  SizesType shape[kTensorDimensionLimit];
  for (size_t d = 0; d < rank; ++d) shape[d] = 1;
  for (const Tensor* t : in) {
    if (broadcast(t->sizes(), rank, shape)) continue;
    cx.fail(Error::InvalidArgument, "the shape %s does not go with %s", ShapeText(*t).text,
            ShapeText({shape, rank}).text);
    return false;
  }
  if (!canCast(result, out.scalar_type())) {
    cx.fail(Error::InvalidArgument, "the result is %s, and its place is %s", dtype_name(result),
            dtype_name(out));
    return false;
  }
  return resize(cx, out, {shape, rank});
}

void run_pointwise(Context& cx, const PointwiseCall& call, Tensor& out) {
  if (is_dense(call, out)) return run_dense(call, out);
  alignas(64) char buffers[kMostInputs + 1][kStaged * sizeof(Complex)];
  const Walk<kMostInputs + 1> walk = walk_over(call, out);
  char* start[kMostInputs + 1] = {out.mutable_data_ptr<char>()};
  Operand operands[kMostInputs + 1];
  bool is_staged = false;
  for (size_t k = 0; k <= call.count; ++k) {
    const Tensor& t = k ? *call.in[k - 1] : out;
    const ScalarType type = k ? call.computed[k - 1] : call.result;
    start[k] = t.mutable_data_ptr<char>();
    operands[k].step = walk.rank ? walk.steps[k][walk.rank - 1] : static_cast<int64_t>(t.element_size());
    operands[k].size = t.element_size();
    operands[k].buffer = buffers[k];
    operands[k].rounds = k && is_rounded(call, k - 1);
    if (t.scalar_type() == type && !operands[k].rounds && operands[k].step == static_cast<int64_t>(t.element_size())) continue;
    operands[k].convert = k ? converter(type, t.scalar_type()) : converter(t.scalar_type(), type);
    is_staged = true;
    if (operands[k].convert) continue;
    return fail_compute(cx, t.scalar_type());
  }
  if (!is_staged && run_rows(call, walk, start)) return;
  const int64_t result_size = static_cast<int64_t>(elementSize(call.result));
  walk.each_run(start, [&](size_t n, char* const* at) {
    const void* in[kMostInputs] = {};
    const size_t most = is_staged ? kStaged : n;
    for (size_t first = 0; first < n; first += most) {
      const size_t count = n - first < most ? n - first : most;
      for (size_t k = 1; k <= call.count; ++k) {
        const Operand& x = operands[k];
        const char* place = at[k] + static_cast<int64_t>(first) * x.step;
        in[k - 1] = x.convert ? x.buffer : place;
        const bool is_there = x.step == 0 && first > 0;
        if (x.convert && !is_there) {
          x.convert(x.buffer, static_cast<int64_t>(elementSize(call.computed[k - 1])), place, x.step, count);
          if (x.rounds) round_run(call.common, reinterpret_cast<float*>(x.buffer), count);
        }
      }
      const Operand& y = operands[0];
      char* place = at[0] + static_cast<int64_t>(first) * y.step;
      call.run(call.functor, count, y.convert ? y.buffer : place, in);
      if (y.convert) y.convert(place, y.step, y.buffer, result_size, count);
    }
  });
}

}  // namespace tenon
