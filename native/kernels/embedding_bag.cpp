// Sums, means and maxima of bags of rows.
#include <algorithm>

#include "generated/kernels.h"
#include "index.h"

namespace tenon::native {

namespace {

enum Mode { sum, mean, max };

// Bags of rows of a table: number b has the indices [start(b), start(b + 1)).
struct Bags {
  const Tensor &table, &indices, &offsets;
  const Tensor* factors;  // null if there are none
  int64_t count, padding;

  int64_t start(int64_t bag) const {
    return bag < offsets.numel() ? read_one<int64_t>(offsets, bag) : indices.numel();
  }
  // Calls work(position, row) for each of a bag but for what is padding; gives how many those are.
  template <class Work>
  int64_t each(int64_t bag, const Work& work) const {
    int64_t found = 0;
    for (int64_t i = start(bag); i < start(bag + 1); ++i) {
      const int64_t row = read_one<int64_t>(indices, i);
      if (row != padding) work(i, row), ++found;
    }
    return found;
  }
};

bool check_bags(Context& cx, const Bags& bags) {
  int64_t last = 0;
  for (int64_t b = 0; b < bags.offsets.numel(); ++b) {
    const int64_t start = bags.start(b);
    const bool fits = start >= last && start <= bags.indices.numel() && (b > 0 || start == 0);
    REQUIRE(cx, fits, false, "offset %" PRId64 " at position %" PRId64 " is not between %" PRId64 " and %" PRId64,
            start, b, last, b > 0 ? static_cast<int64_t>(bags.indices.numel()) : 0);
    last = start;
  }
  for (int64_t i = 0; i < bags.indices.numel(); ++i) {
    if (!is_inside(cx, read_one<int64_t>(bags.indices, i), bags.table.size(0), 0, i)) return false;
  }
  return true;
}

// One bag, a run of columns at a time. Of a maximum, `rows` gets the row of each column.
template <class T>
void fill_bag(const Bags& bags, Mode mode, int64_t bag, const Tensor& out, const Tensor& rows) {
  const Strides from(bags.table), to(out);
  T room[run_room], made[run_room];
  for (int64_t i = 0; i < out.size(1); i += run_room) {
    const int64_t n = std::min<int64_t>(run_room, out.size(1) - i);
    int64_t best[run_room] = {};
    bool is_first = true;
    std::fill_n(made, n, T(0));
    const int64_t found = bags.each(bag, [&](int64_t position, int64_t row) {
      const T* x = read(bags.table, row * from[0] + i * from[1], from[1], n, room);
      const T factor = bags.factors ? read_one<T>(*bags.factors, position) : T(1);
      for (int64_t j = 0; j < n; ++j) {
        if (mode != Mode::max) made[j] += factor * x[j];
        else if (is_first || x[j] > made[j]) made[j] = x[j], best[j] = row;
      }
      is_first = false;
    });
    if (mode == Mode::mean) {
      for (int64_t j = 0; j < n; ++j) made[j] /= static_cast<T>(std::max<int64_t>(found, 1));
    }
    write(out, bag * to[0] + i * to[1], to[1], n, made);
    if (mode == Mode::max) write(rows, bag * out.size(1) + i, 1, n, best);
  }
}

// Torch plans some results in other shapes than it makes them: a place that cannot take the shape has what fits.
struct Tally {
  Tensor& tensor;

  Tally(Tensor& tensor, int64_t count) : tensor(tensor) {
    const SizesType sizes[] = {static_cast<SizesType>(count)};
    (void)resize_tensor(tensor, sizes);
    if (tensor.numel()) std::memset(tensor.mutable_data_ptr(), 0, tensor.nbytes());
  }
  void set(int64_t i, int64_t value) const {
    if (i < tensor.numel()) write_one(tensor, i, value);
  }
};

// The results beside the bags, as torch has them: the bag of each index, where the sum was not made in one go; how many
// indices a bag has; and the same again, or the rows of the maxima.
template <DTypeSet set>
Quadruple take_bags(Context& cx, bool is_forward, const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                    int64_t mode, const Maybe<Tensor>& factors, bool has_last, int64_t padding, Tensor& out,
                    Tensor& numbers, Tensor& counts, Tensor& rows) {
  const Quadruple outs(out, numbers, counts, rows);
  REQUIRE(cx, weight.dim() == 2 && indices.dim() == 1 && offsets.dim() == 1 && mode >= 0 && mode <= 2, outs,
          "there are no bags in mode %" PRId64 " of %s by indices %s and offsets %s", mode, ShapeText(weight).text,
          ShapeText(indices).text, ShapeText(offsets).text);
  REQUIRE(cx, !has_last || offsets.numel() > 0, outs, "the last offset is missing");
  REQUIRE(cx, !factors || (mode == Mode::sum && factors->sizes() == indices.sizes()), outs,
          "weights of shape %s are not those of a sum over indices of shape %s", ShapeText(*factors).text,
          ShapeText(indices).text);
  if (!has_dtype(cx, weight, set) || !has_same_dtype(cx, weight, out) || !has_index_dtype(cx, indices) ||
      !has_index_dtype(cx, offsets) || (factors && !has_same_dtype(cx, weight, *factors)) ||
      !has_index_dtype(cx, numbers) || !has_index_dtype(cx, counts) || !has_index_dtype(cx, rows)) {
    return outs;
  }
  const Bags bags{weight, indices, offsets, factors ? &*factors : nullptr, offsets.numel() - has_last, padding};
  const bool is_at_once = mode == Mode::sum && weight.scalar_type() != ScalarType::Double && padding < 0;
  const SizesType shape[] = {static_cast<SizesType>(bags.count), weight.sizes()[1]};
  if (!check_bags(cx, bags) || !resize(cx, out, shape) || (mode == Mode::max && !resize(cx, rows, shape))) return outs;
  const int64_t counted = is_forward && mode == Mode::sum ? offsets.numel() : bags.count;
  const Tally number_of(numbers, is_at_once ? 0 : indices.numel()), count_of(counts, counted);
  if (mode != Mode::max) Tally(rows, counted);
  compute_switch<void, set>(weight.scalar_type(), [&](auto tag) {
    for (int64_t bag = 0; bag < bags.count; ++bag) {
      fill_bag<typename decltype(tag)::type>(bags, static_cast<Mode>(mode), bag, out, rows);
    }
  });
  for (int64_t bag = 0; !is_at_once && bag < bags.count; ++bag) {
    const int64_t found = mode == Mode::sum ? 0 : bags.each(bag, [](int64_t, int64_t) {});
    count_of.set(bag, found);
    if (mode == Mode::mean && bag < rows.numel()) write_one(rows, bag, found);
    for (int64_t i = bags.start(bag); i < bags.start(bag + 1); ++i) number_of.set(i, bag);
  }
  return outs;
}

}  // namespace

Quadruple _embedding_bag_out(Context& cx, const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool,
                             int64_t mode, bool, const Maybe<Tensor>& per_sample_weights, bool include_last_offset,
                             int64_t padding_idx, Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3) {
  return take_bags<FLOATS>(cx, false, weight, indices, offsets, mode, per_sample_weights, include_last_offset,
                           padding_idx, out0, out1, out2, out3);
}
Quadruple _embedding_bag_forward_only_out(Context& cx, const Tensor& weight, const Tensor& indices,
                                          const Tensor& offsets, bool, int64_t mode, bool,
                                          const Maybe<Tensor>& per_sample_weights, bool include_last_offset,
                                          int64_t padding_idx, Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3) {
  return take_bags<FLOATS>(cx, true, weight, indices, offsets, mode, per_sample_weights, include_last_offset,
                           padding_idx, out0, out1, out2, out3);
}

}  // namespace tenon::native
