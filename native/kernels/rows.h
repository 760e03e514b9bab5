// The rows of a tensor along one dimension: what scans and sorts go over.
#pragma once

#include "index.h"

namespace tenon::native {

struct Rows {
  Odometer<3> at;  // strides of: input, result, second result
  int64_t length, count, step[3] = {0, 0, 0};
};

// Resizes the results, of which the second may be missing: `count` is their size along the dimension, which is gone if
// it is not kept. The dimension is one of the tensor: wrap_dim looked.
bool plan_rows(Context& cx, const Tensor& self, int64_t dim, int64_t count, bool is_kept, Tensor& out, Tensor* second,
               Rows& plan);

// The same for values of each row, `count` of them or all, and the places where these are. Wraps the dimension.
bool plan_places(Context& cx, const Tensor& self, DTypeSet set, int64_t& dim, Maybe<int64_t> count, bool is_kept,
                 Tensor& values, Tensor& places, Rows& plan);

}  // namespace tenon::native
