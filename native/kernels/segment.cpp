// Reductions of parts of a dimension, whose lengths or ends are in a tensor.
#include <algorithm>
#include <limits>

#include "generated/kernels.h"
#include "index.h"

namespace tenon::native {
namespace {

enum class Joining { sum, mean, prod, max, min };

template <class T>
T joined(Joining joining, T a, T b) {
  if (joining == Joining::max) return b > a || b != b ? b : a;
  if (joining == Joining::min) return b < a || b != b ? b : a;
  return joining == Joining::prod ? a * b : a + b;
}

}  // namespace

Tensor& segment_reduce_out(Context& cx, const Tensor& data, std::string_view reduce,
                           const std::optional<Tensor>& lengths, const std::optional<Tensor>& indices,
                           const std::optional<Tensor>& offsets, int64_t axis, bool unsafe,
                           const std::optional<Scalar>& initial, Tensor& out) {
  constexpr std::string_view names[] = {"sum", "mean", "prod", "max", "min"};
  const auto* name = std::find(std::begin(names), std::end(names), reduce);
  ET_KERNEL_CHECK_MSG(cx, name != std::end(names), InvalidArgument, out, "there is no reduction \"%.*s\"",
                      static_cast<int>(reduce.size()), reduce.data());
  ET_KERNEL_CHECK_MSG(cx, lengths.has_value() != offsets.has_value() && !indices, InvalidArgument, out,
                      "parts are told by their lengths or by their offsets");
  if (!wrap_dim(cx, axis, data) || !has_dtype(cx, data, FLOATS) || !has_same_dtype(cx, data, out)) return out;
  const Tensor& parts = lengths ? *lengths : *offsets;
  if (!has_index_dtype(cx, parts)) return out;
  bool fits = data.dim() > 0 && parts.dim() == axis + 1 && (lengths || parts.size(axis) > 0);
  SizesType sizes[kTensorDimensionLimit];
  for (ptrdiff_t d = 0; fits && d < data.dim(); ++d) {
    fits = d >= axis || parts.size(d) == data.size(d);
    sizes[d] = static_cast<SizesType>(d == axis ? parts.size(d) - !lengths : data.size(d));
  }
  ET_KERNEL_CHECK_MSG(cx, fits, InvalidArgument, out, "parts of shape %s are not those of dim %" PRId64 " of shape %s",
                      ShapeText(parts.sizes()).text, axis, ShapeText(data.sizes()).text);
  if (!resize(cx, out, {sizes, data.sizes().size()})) return out;
  const Strides from(data), at(parts), to(out);
  const size_t along = static_cast<size_t>(axis);
  Odometer<3> rows;  // strides of: data, parts, out
  Odometer<2> inside;
  for (size_t d = 0; d < along; ++d) rows.add(sizes[d], from[d], at[d], to[d]);
  for (size_t d = along + 1; d < data.sizes().size(); ++d) inside.add(sizes[d], from[d], to[d]);
  const Joining joining = static_cast<Joining>(name - names);
  const int64_t size = data.size(axis);
  compute_switch<void, FLOATS>(data.scalar_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    constexpr T infinity = std::numeric_limits<T>::infinity();
    const bool is_max = joining == Joining::max, is_min = joining == Joining::min;
    const T neutral = is_max ? -infinity : is_min ? infinity : T(joining == Joining::prod);
    for (int64_t left = rows.start(); left > 0; --left, rows.next()) {
      int64_t end = lengths ? 0 : read_one<int64_t>(parts, rows.offset[1]);
      for (int64_t part = 0; part < sizes[axis]; ++part) {
        const int64_t begin = end;
        const int64_t told = read_one<int64_t>(parts, rows.offset[1] + (part + !lengths) * at[along]);
        end = lengths ? (told > size ? size + 1 : begin + told) : told;
        ET_KERNEL_CHECK_MSG(cx, begin >= 0 && begin <= end && end <= size, InvalidArgument, ,
                            "part %" PRId64 " from %" PRId64 " to %" PRId64 " is not in size %" PRId64
                            " of dim %" PRId64,
                            part, begin, end, size, axis);
        const int64_t base = rows.offset[0], place = rows.offset[2] + part * to[along];
        for (int64_t lines = inside.start(); lines > 0; --lines, inside.next()) {
          T found = initial ? initial->to<T>() : neutral;
          for (int64_t i = begin; i < end; ++i) {
            found = joined(joining, found, read_one<T>(data, base + i * from[along] + inside.offset[0]));
          }
          if (joining == Joining::mean && (end > begin || !initial)) found /= static_cast<T>(end - begin);
          write(out, place + inside.offset[1], 1, 1, &found);
        }
      }
      ET_KERNEL_CHECK_MSG(cx, !lengths || unsafe || end == size, InvalidArgument, ,
                          "the lengths are %" PRId64 " together, and size %" PRId64 " of dim %" PRId64, end, size,
                          axis);
    }
  });
  return out;
}

}  // namespace tenon::native
