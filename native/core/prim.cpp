// The prim operators: arithmetic on numbers, sizes of tensors, views, and a store into a row.
//
// Numbers are ints, floats or bools by their tag; what a result is replaces the tag of its value. Whole numbers wrap
// round in sums and products; a quotient that does not exist, or a float that is no int, fails.
#include <tenon/boxed.h>
#include <tenon/prim.h>

#include <cmath>
#include <cstring>

namespace tenon::prim {

// --- numbers ----------------------------------------------------------------------------------------------------

static bool is_number(Context& context, Span<EValue*> values, size_t i) {
  if (values[i]->isInt() || values[i]->isDouble()) return true;
  context.fail(Error::InvalidType, "argument %zu is %s, but must be a number", i, tag_words(values[i]->tag));
  return false;
}

static double real(const EValue& value) {
  return value.isInt() ? static_cast<double>(value.payload.as_int) : value.payload.as_double;
}

static int64_t wrapped(uint64_t value) { return static_cast<int64_t>(value); }

static bool are_numbers(Context& context, Span<EValue*> values) {
  return take_count(context, values, 3) && is_number(context, values, 0) && is_number(context, values, 1);
}

// Two ints to an int, anything else to a float. By pointers, so that there is one of it.
static void arithmetic(Context& context, Span<EValue*> values, int64_t (*whole)(uint64_t, uint64_t),
                double (*other)(double, double)) {
  if (!are_numbers(context, values)) return;
  const EValue &a = *values[0], &b = *values[1];
  *values[2] = a.isInt() && b.isInt()
                   ? EValue(whole(static_cast<uint64_t>(a.payload.as_int), static_cast<uint64_t>(b.payload.as_int)))
                   : EValue(other(real(a), real(b)));
}

void add(Context& context, Span<EValue*> values) {
  arithmetic(
      context, values, [](uint64_t a, uint64_t b) { return wrapped(a + b); }, [](double a, double b) { return a + b; });
}
void sub(Context& context, Span<EValue*> values) {
  arithmetic(
      context, values, [](uint64_t a, uint64_t b) { return wrapped(a - b); }, [](double a, double b) { return a - b; });
}
void mul(Context& context, Span<EValue*> values) {
  arithmetic(
      context, values, [](uint64_t a, uint64_t b) { return wrapped(a * b); }, [](double a, double b) { return a * b; });
}
void sym_max(Context& context, Span<EValue*> values) {
  arithmetic(
      context, values, [](uint64_t a, uint64_t b) { return wrapped(a) < wrapped(b) ? wrapped(b) : wrapped(a); },
      [](double a, double b) { return a < b ? b : a; });
}
void sym_min(Context& context, Span<EValue*> values) {
  arithmetic(
      context, values, [](uint64_t a, uint64_t b) { return wrapped(b) < wrapped(a) ? wrapped(b) : wrapped(a); },
      [](double a, double b) { return b < a ? b : a; });
}

static bool is_divisible(Context& context, int64_t a, int64_t b) {
  if (b && !(a == INT64_MIN && b == -1)) return true;
  context.fail(Error::InvalidArgument, "%lld divided by %lld is no number", static_cast<long long>(a),
               static_cast<long long>(b));
  return false;
}

static int64_t floor_quotient(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return quotient - (a % b && (a < 0) != (b < 0));
}

void floordiv(Context& context, Span<EValue*> values) {
  if (!are_numbers(context, values)) return;
  const EValue &a = *values[0], &b = *values[1];
  if (a.isInt() && b.isInt()) {
    if (!is_divisible(context, a.payload.as_int, b.payload.as_int)) return;
    *values[2] = EValue(floor_quotient(a.payload.as_int, b.payload.as_int));
  } else {
    *values[2] = EValue(real(b) == 0 ? std::copysign(HUGE_VAL, real(a)) : std::floor(real(a) / real(b)));
  }
}

void truediv(Context& context, Span<EValue*> values) {
  if (!are_numbers(context, values)) return;
  const double b = real(*values[1]);
  if (b == 0) return context.fail(Error::InvalidArgument, "a number cannot be divided by 0");
  *values[2] = EValue(real(*values[0]) / b);
}

// Towards zero, as C++ has it; so does ExecuTorch.
template <class Work>
static void whole_division(Context& context, Span<EValue*> values, Work work) {
  if (!take_count(context, values, 3)) return;
  const int64_t a = take_int(context, values, 0), b = take_int(context, values, 1);
  if (!context.failed() && is_divisible(context, a, b)) *values[2] = EValue(static_cast<int64_t>(work(a, b)));
}
void floordiv_int(Context& context, Span<EValue*> values) {
  whole_division(context, values, [](int64_t a, int64_t b) { return a / b; });
}
void mod(Context& context, Span<EValue*> values) {
  whole_division(context, values, [](int64_t a, int64_t b) { return a % b; });
}

// How the first compares to the second; a NaN is neither.
enum Order : unsigned { less = 1, equal = 2, greater = 4 };
template <class T>
static unsigned order(T a, T b) {
  return (a < b ? less : 0u) | (a == b ? equal : 0u) | (a > b ? greater : 0u);
}

static void comparison(Context& context, Span<EValue*> values, unsigned holds_for) {
  if (!take_count(context, values, 3)) return;
  const EValue &a = *values[0], &b = *values[1];
  unsigned found;
  if (a.isBool() && b.isBool()) {
    found = order<int64_t>(a.payload.as_bool, b.payload.as_bool);
  } else if (!is_number(context, values, 0) || !is_number(context, values, 1)) {
    return;
  } else if (a.isInt() && b.isInt()) {
    found = order(a.payload.as_int, b.payload.as_int);
  } else {
    found = order(real(a), real(b));
  }
  *values[2] = EValue((found & holds_for) != 0);
}
void eq(Context& context, Span<EValue*> values) { comparison(context, values, equal); }
void gt(Context& context, Span<EValue*> values) { comparison(context, values, greater); }
void lt(Context& context, Span<EValue*> values) { comparison(context, values, less); }
void ge(Context& context, Span<EValue*> values) { comparison(context, values, greater | equal); }
void le(Context& context, Span<EValue*> values) { comparison(context, values, less | equal); }

void neg(Context& context, Span<EValue*> values) {
  if (!take_count(context, values, 2) || !is_number(context, values, 0)) return;
  const EValue& a = *values[0];
  *values[1] = a.isInt() ? EValue(wrapped(-static_cast<uint64_t>(a.payload.as_int))) : EValue(-a.payload.as_double);
}

static void give_whole(Context& context, double value, EValue& result) {
  if (!(value >= -9223372036854775808.0 && value < 9223372036854775808.0)) {
    return context.fail(Error::InvalidArgument, "%g is no int", value);
  }
  result = EValue(static_cast<int64_t>(value));
}

void sym_float(Context& context, Span<EValue*> values) {
  if (!take_count(context, values, 2)) return;
  const double value = take_scalar(context, values, 0).to<double>();
  if (!context.failed()) *values[1] = EValue(value);
}
void sym_int(Context& context, Span<EValue*> values) {
  if (!take_count(context, values, 2)) return;
  const Scalar value = take_scalar(context, values, 0);
  if (context.failed()) return;
  if (value.isFloatingPoint()) return give_whole(context, std::trunc(value.to<double>()), *values[1]);
  *values[1] = EValue(value.to<int64_t>());
}
void sym_not(Context& context, Span<EValue*> values) {
  if (!take_count(context, values, 2)) return;
  const bool value = take_bool(context, values, 0);
  if (!context.failed()) *values[1] = EValue(!value);
}
void sym_ite(Context& context, Span<EValue*> values) {
  if (!take_count(context, values, 4)) return;
  const Scalar then = take_scalar(context, values, 1), otherwise = take_scalar(context, values, 2);
  const bool holds = take_bool(context, values, 0);
  if (!context.failed()) *values[3] = EValue(holds ? then : otherwise);
}

template <class Round>
static void rounding(Context& context, Span<EValue*> values, Round to_whole) {
  if (!take_count(context, values, 2)) return;
  const double value = take_double(context, values, 0);
  if (!context.failed()) give_whole(context, to_whole(value), *values[1]);
}
void ceil(Context& context, Span<EValue*> values) {
  rounding(context, values, [](double a) { return std::ceil(a); });
}
void trunc(Context& context, Span<EValue*> values) {
  rounding(context, values, [](double a) { return std::trunc(a); });
}
void round(Context& context, Span<EValue*> values) {  // ties to even
  rounding(context, values, [](double a) {
    const double down = std::floor(a), over = a - down;
    return over < 0.5 || (over == 0.5 && std::fmod(down, 2) == 0) ? down : down + 1;
  });
}

// --- tensors ----------------------------------------------------------------------------------------------------

// Its sizes count, so that it may have no data yet.
static const TensorImpl* take_shape(Context& context, Span<EValue*> values, size_t i) {
  if (values[i]->isTensor()) return values[i]->payload.as_tensor;
  fail_type(context, values, i, Tag::Tensor);
  return nullptr;
}

void sym_size(Context& context, Span<EValue*> values) {
  if (!take_count(context, values, 3)) return;
  const TensorImpl* tensor = take_shape(context, values, 0);
  const int64_t dim = take_int(context, values, 1);
  if (context.failed()) return;
  if (dim < 0 || dim >= tensor->dim()) {
    return context.fail(Error::InvalidArgument, "there is no dimension %lld in a tensor of %d",
                        static_cast<long long>(dim), static_cast<int>(tensor->dim()));
  }
  *values[2] = EValue(static_cast<int64_t>(tensor->size(dim)));
}

void sym_numel(Context& context, Span<EValue*> values) {
  if (!take_count(context, values, 2)) return;
  const TensorImpl* tensor = take_shape(context, values, 0);
  if (tensor) *values[1] = EValue(static_cast<int64_t>(tensor->numel()));
}

void local_scalar(Context& context, Span<EValue*> values) {
  if (!take_count(context, values, 2)) return;
  const Tensor tensor = take_tensor(context, values, 0);
  if (context.failed()) return;
  if (!tensor.numel()) return context.fail(Error::InvalidArgument, "a tensor without elements holds no number");
  EValue& result = *values[1];
  const void* data = tensor.const_data_ptr();
  switch (tensor.scalar_type()) {
#define CASE(name, cpp, as)                                           \
  case ScalarType::name:                                              \
    result = EValue(static_cast<as>(*static_cast<const cpp*>(data))); \
    return;
    CASE(Byte, uint8_t, int64_t)
    CASE(Char, int8_t, int64_t)
    CASE(Short, int16_t, int64_t)
    CASE(Int, int32_t, int64_t)
    CASE(Long, int64_t, int64_t)
    CASE(Half, Half, double)
    CASE(BFloat16, BFloat16, double)
    CASE(Float, float, double)
    CASE(Double, double, double)
#undef CASE
    case ScalarType::Bool:
      result = EValue(*static_cast<const uint8_t*>(data) != 0);
      return;
    default:
      context.fail(Error::InvalidType, "no number is read from a tensor of %s", dtype_name(tensor.scalar_type()));
  }
}

// Whether elements lie one after the other as if the order of dimensions were the plain one.
static bool is_dense(const TensorImpl& tensor) {
  if (tensor.strides().empty()) return true;
  ptrdiff_t step = 1;
  for (ptrdiff_t d = tensor.dim(); d-- > 0;) {
    if (tensor.size(d) != 1 && tensor.strides()[static_cast<size_t>(d)] != step) return false;
    step *= tensor.size(d) > 1 ? tensor.size(d) : 1;
  }
  return true;
}

// The sizes a view is to have, with its -1 worked out.
static bool view_sizes(Context& context, const TensorImpl& self, ArrayRef<int64_t> wanted, SizesType* sizes) {
  int64_t known = 1;
  size_t open = wanted.size();
  bool is_possible = wanted.size() <= kTensorDimensionLimit;
  for (size_t d = 0; is_possible && d < wanted.size(); ++d) {
    if (wanted[d] == -1 && open == wanted.size()) {
      open = d;
    } else {
      is_possible = wanted[d] >= 0 && wanted[d] <= INT32_MAX && !__builtin_mul_overflow(known, wanted[d], &known);
      sizes[d] = static_cast<SizesType>(wanted[d]);
    }
  }
  if (is_possible && open < wanted.size()) {
    is_possible = known && self.numel() % known == 0 && self.numel() / known <= INT32_MAX;
    if (is_possible) sizes[open] = static_cast<SizesType>(self.numel() / known);
  } else {
    is_possible = is_possible && known == self.numel();
  }
  if (!is_possible) {
    context.fail(Error::InvalidArgument, "the %lld elements of %s cannot have the %zu sizes that are wanted",
                 static_cast<long long>(self.numel()), ShapeText(self.sizes()).text, wanted.size());
  }
  return is_possible;
}

void et_view(Context& context, Span<EValue*> values) {
  if (!take_count(context, values, 3)) return;
  const Tensor self = take_tensor(context, values, 0);
  const ArrayRef<int64_t> wanted = take_ints(context, values, 1);
  if (context.failed() || !take_shape(context, values, 2)) return;
  const TensorImpl& from = *self.unsafeGetTensorImpl();
  TensorImpl& out = *values[2]->payload.as_tensor;
  if (out.scalar_type() != from.scalar_type()) {
    return context.fail(Error::InvalidArgument, "a view of %s cannot be %s", dtype_name(from.scalar_type()),
                        dtype_name(out.scalar_type()));
  }
  SizesType sizes[kTensorDimensionLimit];
  if (!view_sizes(context, from, wanted, sizes)) return;
  // What it may hold is what is there; the room goes with the data, so that no later resize leads past it.
  TensorImpl before = out;
  out.set_memory(from.mutable_data(), from.capacity(), from.is_constant());
  if (!resize(context, Tensor(&out), {sizes, wanted.size()})) {
    out.set_memory(before.mutable_data(), before.capacity(), before.is_constant());
  } else if (!(is_dense(from) && is_dense(out)) && !(from.sizes() == out.sizes() && from.strides() == out.strides())) {
    context.fail(Error::InvalidArgument, "the elements of %s do not lie in the order that its view as %s needs",
                 ShapeText(from.sizes()).text, ShapeText(out.sizes()).text);
  }
}

// Row `index` of the first becomes the second; the first then has the rows up to that one.
void et_copy_index(Context& context, Span<EValue*> values) {
  if (!take_count(context, values, 3)) return;
  const Tensor rows = take_out(context, values, 0), source = take_tensor(context, values, 1);
  const int64_t index = take_int(context, values, 2);
  if (context.failed()) return;
  const size_t dim = source.sizes().size();
  bool is_row = rows.sizes().size() == dim + 1 && rows.scalar_type() == source.scalar_type();
  for (size_t d = 0; is_row && d < dim; ++d) is_row = rows.sizes()[d + 1] == source.sizes()[d];
  if (!is_row) {
    return context.fail(Error::InvalidArgument, "%s of shape %s is no row of %s of shape %s",
                        dtype_name(source.scalar_type()), ShapeText(source.sizes()).text,
                        dtype_name(rows.scalar_type()), ShapeText(rows.sizes()).text);
  }
  if (index < 0 || index >= INT32_MAX) {
    return context.fail(Error::InvalidArgument, "there is no row %lld", static_cast<long long>(index));
  }
  SizesType sizes[kTensorDimensionLimit];
  sizes[0] = static_cast<SizesType>(index + 1);
  for (size_t d = 0; d < dim; ++d) sizes[d + 1] = source.sizes()[d];
  if (rows.shape_dynamism() == TensorShapeDynamism::STATIC ? index >= rows.size(0)
                                                           : !resize(context, rows, {sizes, dim + 1})) {
    return context.fail(Error::InvalidArgument, "there is no row %lld in shape %s", static_cast<long long>(index),
                        ShapeText(rows.sizes()).text);
  }
  if (!is_dense(*rows.unsafeGetTensorImpl()) || !is_dense(*source.unsafeGetTensorImpl())) {
    return context.fail(Error::NotSupported, "rows are stored only where dimensions lie in their plain order");
  }
  const size_t size = source.nbytes();
  if (size)
    std::memmove(rows.mutable_data_ptr<uint8_t>() + static_cast<size_t>(index) * size, source.const_data_ptr(), size);
}

}  // namespace tenon::prim
