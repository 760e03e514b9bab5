// Elements that are chosen by a mask, or by not being 0: how many there are is known only when all are read.
#include <algorithm>

#include "generated/kernels.h"
#include "index.h"
#include "moves.h"

namespace tenon::native {
namespace {

// A tensor and a mask as views of the shape that they have together.
bool take_mask(Context& cx, const Tensor& self, const Tensor& mask, View& from, View& where) {
  REQUIRE(cx, mask.scalar_type() == ScalarType::Bool, false, "the mask is %s, and should be bool", dtype_name(mask));
  return HOLDS(cx, broadcast(from, where), "the shape %s does not go with %s", ShapeText(mask).text,
               ShapeText(self).text);
}

// Calls work(first, step, n) for each run of elements where the mask is true, in the order of their indices.
template <class Work>
void each_chosen(const View& where, const View& from, const Work& work) {
  Walk<2> walk;
  for (size_t d = 0; d < where.rank; ++d) walk.add(where.sizes[d], {where.step(d), from.step(d)});
  const int64_t mask_step = walk.rank ? walk.steps[0][walk.rank - 1] : 0;
  const int64_t step = walk.rank ? walk.steps[1][walk.rank - 1] : 0;
  walk.each_run({where.data, from.data}, [&](size_t n, char* const* at) {
    const int64_t length = static_cast<int64_t>(n);
    for (int64_t i = 0, end; i < length; i = end + 1) {
      for (end = i; end < length && at[0][end * mask_step];) ++end;
      if (end > i) work(at[1] + i * step, step, end - i);
    }
  });
}

int64_t count_chosen(const View& where, const View& from) {
  int64_t count = 0;
  each_chosen(where, from, [&](char*, int64_t, int64_t n) { count += n; });
  return count;
}

// Counts elements that are not 0, and writes their indices as rows of `to` if it is given and as far as it has room.
template <DTypeSet set>
int64_t each_nonzero(const Tensor& self, const View* to) {
  const Strides strides(self);
  Odometer<1> places;
  for (size_t d = 0; d < self.sizes().size(); ++d) places.add(self.sizes()[d], strides[d]);
  int64_t steps[1], count = 0, number = 0;
  const int64_t length = places.pop(steps);
  const auto found = [&](int64_t at) {
    char* row = to && count < to->sizes[0] ? to->data + count * to->step(0) : nullptr;
    for (size_t d = row ? self.sizes().size() : 0; d-- > 0; at /= self.sizes()[d]) {
      *reinterpret_cast<int64_t*>(row + static_cast<int64_t>(d) * to->step(1)) = at % self.sizes()[d];
    }
    ++count;
  };
  compute_switch<int64_t, set>(self.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T room[run_room];
    for (int64_t left = places.start(); left > 0; --left, places.next()) {
      for (int64_t i = 0; i < length; i += run_room) {
        const int64_t n = std::min(run_room, length - i);
        const T* run = read(self, places.offset[0] + i * steps[0], steps[0], n, room);
        for (int64_t j = 0; j < n; ++j, ++number) {
          if (run[j] != T(0)) found(number);
        }
      }
    }
  });
  return count;
}

}  // namespace

Tensor& masked_select_out(Context& cx, const Tensor& self, const Tensor& mask, Tensor& out) {
  View from(self), where(mask);
  if (!has_same_dtype(cx, self, out) || !take_mask(cx, self, mask, from, where) ||
      !resize(cx, out, SizesType(count_chosen(where, from)))) {
    return out;
  }
  const int64_t size = out.itemsize();
  const ConvertRun move = mover(out.element_size());
  char* place = View(out).data;
  each_chosen(where, from, [&](char* first, int64_t step, int64_t n) {
    move(place, size, first, step, static_cast<size_t>(n));
    place += n * size;
  });
  return out;
}

Tensor& masked_scatter_out(Context& cx, const Tensor& self, const Tensor& mask, const Tensor& source, Tensor& out) {
  View from(self), where(mask);
  if (!has_same_dtype(cx, self, source, out) || !take_mask(cx, self, mask, from, where)) return out;
  const int64_t count = count_chosen(where, from);
  REQUIRE(cx, count <= source.numel(), out, "the mask asks for %" PRId64 " elements, and the source has %" PRId64,
          count, source.numel());
  copy_view(cx, from, out);
  if (cx.failed()) return out;
  const View elements(source);
  const int64_t size = out.itemsize();
  const ConvertRun move = mover(out.element_size());
  int64_t taken = 0;
  each_chosen(where, View(out), [&](char* first, int64_t step, int64_t n) {
    const bool is_run = is_plain(source);
    if (is_run) move(first, step, elements.data + taken * size, size, static_cast<size_t>(n));
    for (int64_t i = is_run ? n : 0; i < n; ++i) {
      move(first + i * step, 0, elements.data + offset_of(elements, taken + i), 0, 1);
    }
    taken += n;
  });
  return out;
}

Tensor& nonzero_out(Context& cx, const Tensor& self, Tensor& out) {
  if (!has_dtype(cx, self, NUMBERS_AND_BOOL | COMPLEX) || !has_place_for(cx, ScalarType::Long, out)) return out;
  const SizesType sizes[] = {static_cast<SizesType>(each_nonzero<NUMBERS_AND_BOOL | COMPLEX>(self, nullptr)),
                             static_cast<SizesType>(self.dim())};
  if (!resize(cx, out, {sizes, 2}) || self.dim() == 0) return out;
  const View to(out);
  each_nonzero<NUMBERS_AND_BOOL | COMPLEX>(self, &to);
  return out;
}

Tensor& nonzero_static_out(Context& cx, const Tensor& self, int64_t size, int64_t fill_value, Tensor& out) {
  if (!has_dtype(cx, self, NUMBERS_AND_BOOL) || !has_place_for(cx, ScalarType::Long, out)) return out;
  REQUIRE(cx, size >= 0 && size <= INT32_MAX, out, "the size is %" PRId64 ", and at least 0", size);
  const SizesType sizes[] = {static_cast<SizesType>(size), static_cast<SizesType>(self.dim())};
  if (!resize(cx, out, {sizes, 2}) || self.dim() == 0) return out;
  std::fill_n(out.mutable_data_ptr<int64_t>(), out.numel(), fill_value);
  const View to(out);
  each_nonzero<NUMBERS_AND_BOOL>(self, &to);
  return out;
}

}  // namespace tenon::native
