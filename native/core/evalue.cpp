// Values, and how a kernel's arguments are taken from them.
#include <tenon/boxed.h>
#include <tenon/switch.h>

namespace tenon {

const char* tag_words(Tag tag) {
  switch (tag) {
#define X(name, words) \
  case Tag::name:      \
    return words;
    TENON_TAGS(X)
#undef X
  }
  return "unknown";
}

EValue::EValue(Scalar value) : EValue() {
  if (value.isBoolean()) {
    *this = EValue(value.to<bool>());
  } else if (value.isFloatingPoint()) {
    *this = EValue(value.to<double>());
  } else {
    *this = EValue(value.to<int64_t>());
  }
}

void EValue::wrong(Tag wanted) const {
  die(__FILE__, __LINE__, "a value is %s, and %s is wanted", tag_words(tag), tag_words(wanted));
}

Scalar EValue::toScalar() const {
  if (isDouble()) return payload.as_double;
  if (isBool()) return payload.as_bool;
  return toInt();
}

Result<Scalar> EValue::tryToScalar() const {
  if (!isScalar()) return Error::InvalidType;
  return toScalar();
}

// --- lists ------------------------------------------------------------------------------------------------------

namespace {

bool unwrap(const EValue* item, int64_t& out) {
  if (!item->isInt()) return false;
  out = item->payload.as_int;
  return true;
}
bool unwrap(const EValue* item, Tensor& out) {
  if (!item->isTensor()) return false;
  out = Tensor(item->payload.as_tensor);
  return true;
}
bool unwrap(const EValue* item, std::optional<Tensor>& out) {
  out.reset();
  if (!item || item->isNone()) return true;
  if (!item->isTensor()) return false;
  out = Tensor(item->payload.as_tensor);
  return true;
}

}  // namespace

template <class T>
bool BoxedEvalueList<T>::try_get(ArrayRef<T>& items) const {
  for (size_t i = 0; i < size_; ++i) {
    if (!unwrap(wrapped_[i], unwrapped_[i])) return false;
  }
  items = {unwrapped_, size_};
  return true;
}

template <class T>
ArrayRef<T> BoxedEvalueList<T>::get() const {
  ArrayRef<T> items;
  if (!try_get(items)) die(__FILE__, __LINE__, "an item of a list is of another kind than the list");
  return items;
}

template class BoxedEvalueList<int64_t>;
template class BoxedEvalueList<Tensor>;
template class BoxedEvalueList<std::optional<Tensor>>;

// --- arguments --------------------------------------------------------------------------------------------------

void fail_type(Context& context, Span<EValue*> values, size_t i, Tag wanted) {
  context.fail(Error::InvalidType, "argument %zu is %s, but must be %s", i, tag_words(values[i]->tag),
               tag_words(wanted));
}

void fail_dtype(Context& context, const char* name, ScalarType type) {
  (void)name;  // the executor knows which operator it is; the name is what a build for chosen dtypes goes by
  context.fail(Error::InvalidArgument, "there is no kernel for %s", dtype_name(type));
}

bool take_count(Context& context, Span<EValue*> values, size_t expected) {
  if (values.size() == expected) return true;
  context.fail(Error::InvalidProgram, "it takes %zu values, and was given %zu", expected, values.size());
  return false;
}

namespace {

// What stands for nothing when an argument is refused: the kernel is not called then.
TensorImpl nothing;

Tensor no_tensor() { return Tensor(&nothing); }

bool has_data(Context& context, const TensorImpl& tensor, size_t i) {
  if (tensor.data() || !tensor.nbytes()) return true;
  context.fail(Error::InvalidState, "argument %zu is a tensor without data: give it memory before the run", i);
  return false;
}

bool is_writable(Context& context, const TensorImpl& tensor, size_t i) {
  if (!tensor.is_constant()) return true;
  context.fail(Error::InvalidProgram, "it would write to argument %zu, which is a constant", i);
  return false;
}

bool is_tagged(Context& context, Span<EValue*> values, size_t i, Tag tag) {
  if (ET_LIKELY(values[i]->tag == tag)) return true;
  fail_type(context, values, i, tag);
  return false;
}

template <class T>
ArrayRef<T> take_items(Context& context, Span<EValue*> values, size_t i, const BoxedEvalueList<T>* list) {
  ArrayRef<T> items;
  if (!list->try_get(items)) {
    context.fail(Error::InvalidType, "an item of argument %zu, which is %s, is of another kind", i,
                 tag_words(values[i]->tag));
  }
  return items;
}

}  // namespace

Tensor take_tensor(Context& context, Span<EValue*> values, size_t i) {
  if (!is_tagged(context, values, i, Tag::Tensor)) return no_tensor();
  TensorImpl* tensor = values[i]->payload.as_tensor;
  return has_data(context, *tensor, i) ? Tensor(tensor) : no_tensor();
}

Tensor take_out(Context& context, Span<EValue*> values, size_t i) {
  const Tensor tensor = take_tensor(context, values, i);
  return is_writable(context, *tensor.unsafeGetTensorImpl(), i) ? tensor : no_tensor();
}

std::optional<Tensor> take_optional_tensor(Context& context, Span<EValue*> values, size_t i) {
  if (values[i]->isNone()) return std::nullopt;
  return take_tensor(context, values, i);
}

int64_t take_int(Context& context, Span<EValue*> values, size_t i) {
  return is_tagged(context, values, i, Tag::Int) ? values[i]->payload.as_int : 0;
}

double take_double(Context& context, Span<EValue*> values, size_t i) {
  return is_tagged(context, values, i, Tag::Double) ? values[i]->payload.as_double : 0;
}

bool take_bool(Context& context, Span<EValue*> values, size_t i) {
  return is_tagged(context, values, i, Tag::Bool) && values[i]->payload.as_bool;
}

Scalar take_scalar(Context& context, Span<EValue*> values, size_t i) {
  if (values[i]->isScalar()) return values[i]->toScalar();
  context.fail(Error::InvalidType, "argument %zu is %s, but must be a number", i, tag_words(values[i]->tag));
  return Scalar();
}

std::string_view take_string(Context& context, Span<EValue*> values, size_t i) {
  return is_tagged(context, values, i, Tag::String) ? values[i]->toString() : std::string_view();
}

ArrayRef<int64_t> take_ints(Context& context, Span<EValue*> values, size_t i) {
  if (!is_tagged(context, values, i, Tag::ListInt)) return {};
  return take_items(context, values, i, values[i]->payload.as_int_list);
}

ArrayRef<double> take_doubles(Context& context, Span<EValue*> values, size_t i) {
  return is_tagged(context, values, i, Tag::ListDouble) ? values[i]->toDoubleList() : ArrayRef<double>();
}

ArrayRef<bool> take_bools(Context& context, Span<EValue*> values, size_t i) {
  return is_tagged(context, values, i, Tag::ListBool) ? values[i]->toBoolList() : ArrayRef<bool>();
}

TensorList take_tensors(Context& context, Span<EValue*> values, size_t i) {
  if (!is_tagged(context, values, i, Tag::ListTensor)) return {};
  const TensorList found = take_items(context, values, i, values[i]->payload.as_tensor_list);
  for (const Tensor& each : found) {
    if (!has_data(context, *each.unsafeGetTensorImpl(), i)) return {};
  }
  return found;
}

TensorList take_outs(Context& context, Span<EValue*> values, size_t i) {
  const TensorList found = take_tensors(context, values, i);
  for (const Tensor& each : found) {
    if (!is_writable(context, *each.unsafeGetTensorImpl(), i)) return {};
  }
  return found;
}

ArrayRef<std::optional<Tensor>> take_optional_tensors(Context& context, Span<EValue*> values, size_t i) {
  if (!is_tagged(context, values, i, Tag::ListOptionalTensor)) return {};
  const auto found = take_items(context, values, i, values[i]->payload.as_optional_tensor_list);
  for (const std::optional<Tensor>& each : found) {
    if (each && !has_data(context, *each->unsafeGetTensorImpl(), i)) return {};
  }
  return found;
}

int64_t take_code(Context& context, Span<EValue*> values, size_t i, int64_t largest) {
  const int64_t code = take_int(context, values, i);
  if (code >= 0 && code <= largest) return code;
  context.fail(Error::InvalidArgument, "argument %zu is the code %lld, which is not known", i,
               static_cast<long long>(code));
  return 0;
}

ScalarType take_dtype(Context& context, Span<EValue*> values, size_t i) {
  return static_cast<ScalarType>(take_code(context, values, i, sizeof dtype_bytes - 1));
}

}  // namespace tenon
