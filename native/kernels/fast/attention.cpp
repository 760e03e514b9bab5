// The operator of attention: its checks, and how threads share it.
#include <tenon/threads.h>

#include "attention.h"

namespace tenon::native {

namespace {

constexpr int64_t few_queries = 4;  // are faster one by one: a strip is for 16 of them

bool take_mask(Context& cx, const Maybe<Tensor>& given, const int64_t (&sizes)[4], Mask& mask) {
  if (!given) return true;
  const ScalarType type = given->scalar_type();
  REQUIRE(cx, type == ScalarType::Bool || type == ScalarType::Float, false,
          "the mask is %s, and should be bool or float32", dtype_name(type));
  bool fits = given->dim() == 4;
  for (size_t d = 0; fits && d < 4; ++d) fits = given->sizes()[d] == 1 || given->sizes()[d] == sizes[d];
  REQUIRE(cx, fits, false, "a mask of shape %s is not for [%" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 "]",
          ShapeText(given->sizes()).text, sizes[0], sizes[1], sizes[2], sizes[3]);
  const Strides strides(*given);
  for (size_t d = 0; d < 4; ++d) mask.step[d] = given->sizes()[d] == 1 ? 0 : strides[d];
  mask.tensor = &*given;
  return true;
}

}  // namespace

Tensor& attention_out(Context& cx, const Tensor& query, const Tensor& key, const Tensor& value,
                      const Maybe<Tensor>& mask, bool causal, double scale, Tensor& out) {
  for (const Tensor* t : {&query, &key, &value, static_cast<const Tensor*>(&out)}) {
    if (!has_dtype(cx, *t, FLOAT32)) return out;
  }
  const auto q = query.sizes(), k = key.sizes(), v = value.sizes();
  const bool fits = q.size() == 4 && k.size() == 4 && v.size() == 4 && q[0] == k[0] && q[0] == v[0] && k[1] == v[1] &&
                    k[2] == v[2] && q[3] == k[3] && (k[2] ? q[2] % k[2] == 0 : q[2] == 0);
  REQUIRE(cx, fits, out, "queries of shape %s, keys of %s and values of %s do not go together", ShapeText(q).text,
          ShapeText(k).text, ShapeText(v).text);
  Mask added;
  if (!take_mask(cx, mask, {q[0], q[2], q[1], k[1]}, added)) return out;
  const SizesType sizes[] = {q[0], q[1], q[2], v[3]};
  if (!resize(cx, out, sizes) || out.numel() == 0) return out;
  const Strides to(out);
  const Attention x{Side(query), Side(key), Side(value), out.mutable_data_ptr<float>(), {to[0], to[1], to[2], to[3]},
                    added, causal, static_cast<float>(scale), q[0], q[1], k[1], q[2], q[2] / k[2], q[3], v[3]};

  if (x.queries <= few_queries) {
    const int64_t rows = x.batches * x.heads * x.queries, parts = std::min<int64_t>(rows, thread_count());
    parallel(parts, 1, [&](int64_t first, int64_t last) {  // heads that share keys are for one thread
      for (int64_t i = rows * first / parts; i < rows * last / parts;) i = attend_rows(x, i, rows * last / parts);
    });
    return out;
  }
  const int64_t step = x.step(), blocks = x.blocks();
  const auto run = [&](int64_t first, int64_t last, float* room) {
    for (int64_t i = first; i < last; ++i) {
      attend_strips(x, i / blocks / x.heads, i / blocks % x.heads, i % blocks * step, room);
    }
  };
  constexpr int64_t stack_room = 4 * strips_room;
  if (x.room() > stack_room) {  // heads of more than 512 numbers
    float* room = static_cast<float*>(cx.temporary(static_cast<size_t>(x.room()) * sizeof(float), 64));
    if (room) run(0, x.batches * x.heads * blocks, room);
    return out;
  }
  parallel(x.batches * x.heads * blocks, 1, [&](int64_t first, int64_t last) {
    alignas(64) float room[stack_room];
    run(first, last, room);
  });
  return out;
}

}  // namespace tenon::native
