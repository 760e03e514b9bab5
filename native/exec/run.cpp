// Runs a method: inputs, one instruction after the other, state.
#include <cmath>
#include <cstring>

#include "steps.h"

namespace tenon {

using Val = format::EValue::Val;

#if TENON_WORDS
Error Method::fail(Error error, const char* format, ...) {
  why_.say(error, "method %.*s: ", static_cast<int>(name().size()), name().data());
  va_list values;
  va_start(values, format);
  why_.vadd(format, values);
  va_end(values);
  return error;
}
#endif

// --- running ------------------------------------------------------------------------------------------------------

Error Method::execute() {
  for (size_t i = 0; i < input_count(); ++i) {
    if (input(i).isTensor() && !is_set_[i]) return fail(Error::InvalidArgument, "input %zu was not given.", i);
  }
  for (size_t i = 0; i < input_count(); ++i) {
    const format::Tensor each = plan_.values()[static_cast<size_t>(plan_.inputs()[i])].val_tensor();
    if (each.allocation_info()) is_set_[i] = 0;  // the plan may use its memory for something else later in this run
  }
  Context context(nullptr, temporary_);
  if (temporary_) temporary_->reset();
  for (size_t c = 0; c < chain_count(); ++c) {
    const Error error = run(c, context);
    if (error != Error::Ok) return restore(), error;
  }
  for (size_t i = 0; i < output_count(); ++i) {
    const EValue& each = output(i);
    if (each.isTensor() && each.payload.as_tensor->nbytes() && !each.payload.as_tensor->data()) {
      return fail(Error::InvalidState, "output %zu has no data. Give it memory with set_output before the run.", i);
    }
  }
  return Error::Ok;
}

Error Method::run(size_t chain, Context& context) {
  const Steps steps = chains_[chain];
  for (size_t i = 0; i < steps.count;) {
    const Step& step = steps.first[i];
    const size_t position = i++;
    if (hook_.function && !hook_.function(hook_.user, *this, chain, position, false)) return stopped(position);
    switch (step.kind) {
      case Step::Kind::call:
        step.function(context, {step.args, step.count});
        if (temporary_ && temporary_->used_size()) temporary_->reset();
        break;
      case Step::Kind::move:
        *step.to = *step.from;
        break;
      case Step::Kind::jump:
        if (!holds(context, *step.from)) i = step.count;
        break;
      case Step::Kind::nothing:
        break;
    }
    if (ET_UNLIKELY(context.failed())) return fail_instruction(context, chain, position);
    if (hook_.function && !hook_.function(hook_.user, *this, chain, position, true)) return stopped(position);
  }
  return Error::Ok;
}

Error Method::stopped(size_t instruction) {
  return fail(Error::EndOfMethod, "it was stopped by its hook at instruction %zu.", instruction);
}

bool Method::holds(Context& context, const EValue& condition) const {
  if (condition.isBool()) return condition.payload.as_bool;
  if (!condition.isTensor() || condition.payload.as_tensor->scalar_type() != ScalarType::Bool) {
    context.fail(
        Error::InvalidType, "the condition is %s, but must be a bool",
        condition.isTensor() ? dtype_name(condition.payload.as_tensor->scalar_type()) : tag_words(condition.tag));
    return true;
  }
  const TensorImpl& tensor = *condition.payload.as_tensor;
  if (tensor.numel() && !tensor.data()) {
    context.fail(Error::InvalidState, "the condition is a tensor without data");
    return true;
  }
  return !tensor.numel() || !std::memchr(tensor.data(), 0, tensor.nbytes());
}

Error Method::fail_instruction(const Context& context, size_t chain, size_t instruction) {
  const OperatorName who = operator_of(chain, instruction);
  const Error error = context.failure_state();
  why_.say(error, "%.*s%s%.*s (instruction %zu", static_cast<int>(who.name.size()), who.name.data(),
           who.overload.empty() ? "" : ".", static_cast<int>(who.overload.size()), who.overload.data(), instruction);
  if (who.name.empty()) why_.say(error, "a jump (instruction %zu", instruction);
  if (chain) why_.add(" of chain %zu", chain);
  why_.add(" of %.*s): ", static_cast<int>(name().size()), name().data());
  if (*context.message()) {
    why_.add("%s.", context.message());
  } else {
    why_.add("it failed with %s.", to_string(error));
  }
  return error;
}

void Method::restore() {
  size_t tensor = 0;
  for (size_t i = 0; i < plan_.values().size(); ++i) {
    const format::EValue value = plan_.values()[i];
    if (value.val_kind() == Val::Tensor) values_[i] = EValue(Tensor(&tensors_[tensor++]));
    if (value.val_kind() == Val::Null) values_[i] = EValue();
    make_number(i, value);
  }
}

// --- inputs and outputs -------------------------------------------------------------------------------------------

namespace {

// Elements one by one, between any two layouts of one shape.
void copy_strided(const TensorImpl& from, const TensorImpl& to) {
  const size_t each = to.element_size(), rank = to.sizes().size();
  const uint8_t* source = static_cast<const uint8_t*>(from.data());
  uint8_t* target = static_cast<uint8_t*>(to.mutable_data());
  SizesType at[kTensorDimensionLimit] = {};
  for (ptrdiff_t left = to.numel(); left > 0; --left) {
    std::memcpy(target, source, each);
    for (size_t d = rank; d-- > 0;) {
      const ptrdiff_t size = static_cast<ptrdiff_t>(each);
      if (++at[d] < to.size(static_cast<ptrdiff_t>(d))) {
        source += from.strides()[d] * size;
        target += to.strides()[d] * size;
        break;
      }
      at[d] = 0;
      source -= (to.size(static_cast<ptrdiff_t>(d)) - 1) * from.strides()[d] * size;
      target -= (to.size(static_cast<ptrdiff_t>(d)) - 1) * to.strides()[d] * size;
    }
  }
}

// Whether elements lie in the same places; how a dimension of one element is stepped over is nothing to either.
bool have_same_layout(const TensorImpl& a, const TensorImpl& b) {
  StridesType plain[kTensorDimensionLimit];
  const StridesType* strides = a.strides().data();
  if (!strides) {
    if (!fill_strides(a.sizes().data(), a.dim_order().data(), a.sizes().size(), plain)) return false;
    strides = plain;
  }
  for (size_t d = 0; d < a.sizes().size(); ++d) {
    if (a.sizes()[d] > 1 && strides[d] != b.strides()[d]) return false;
  }
  return true;
}

void copy_tensor(const TensorImpl& from, const TensorImpl& to) {
  if (!to.nbytes() || from.data() == to.data()) return;
  if (have_same_layout(from, to)) {
    std::memmove(to.mutable_data(), from.data(), to.nbytes());
  } else if (from.strides().empty()) {
    StridesType strides[kTensorDimensionLimit];
    SizesType sizes[kTensorDimensionLimit];
    DimOrderType order[kTensorDimensionLimit];
    for (size_t d = 0; d < from.sizes().size(); ++d) {
      sizes[d] = from.sizes()[d];
      order[d] = from.dim_order().empty() ? static_cast<DimOrderType>(d) : from.dim_order()[d];
    }
    (void)fill_strides(sizes, order, from.sizes().size(), strides);
    copy_strided(TensorImpl(from.scalar_type(), from.dim(), sizes, from.mutable_data(), order, strides), to);
  } else {
    copy_strided(from, to);
  }
}

bool is_near(double given, double traced) {
  if (std::isnan(traced) || std::isnan(given)) return std::isnan(traced) && std::isnan(given);
  return given == traced || std::fabs(given - traced) <= 1e-4 + 1e-5 * std::fabs(traced);
}

}  // namespace

Error Method::set_inputs(Span<const EValue> values) {
  if (values.size() != input_count()) {
    return fail(Error::InvalidArgument, "it takes %zu inputs, and was given %zu.", input_count(), values.size());
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const Error error = set_input(values[i], i);
    if (error != Error::Ok) return error;
  }
  return Error::Ok;
}

Error Method::set_input(const EValue& value, size_t i) {
  if (i >= input_count()) return fail(Error::InvalidArgument, "there is no input %zu of %zu.", i, input_count());
  const EValue& held = input(i);
  const Val kind = plan_.values()[static_cast<size_t>(plan_.inputs()[i])].val_kind();
  if (kind != Val::Tensor) return set_plain(i, value);
  if (!value.isTensor() || !held.isTensor()) {
    return fail(Error::InvalidArgument, "input %zu must be a tensor, not %s.", i, tag_words(value.tag));
  }
  return set_tensor(i, value.toTensor());
}

Error Method::set_tensor(size_t number, const Tensor& given) {
  TensorImpl& held = *input(number).payload.as_tensor;
  const TensorImpl& from = *given.unsafeGetTensorImpl();
  if (from.scalar_type() != held.scalar_type()) {
    return fail(Error::InvalidArgument, "input %zu is %s, but must be %s.", number, dtype_name(from.scalar_type()),
                dtype_name(held.scalar_type()));
  }
  const bool is_fixed = held.shape_dynamism() == TensorShapeDynamism::STATIC;
  const ArrayRef<SizesType> largest =
      is_fixed || !held.bounds() ? held.sizes() : ArrayRef<SizesType>(held.bounds(), held.sizes().size());
  const size_t beyond = held.first_beyond(from.sizes());
  if (from.dim() != held.dim() || (is_fixed && beyond < held.sizes().size())) {
    return fail(Error::InvalidArgument, "input %zu has shape %s, but must have %s.", number,
                ShapeText(from.sizes()).text, ShapeText(largest).text);
  }
  if (beyond < held.sizes().size()) {
    return fail(Error::InvalidArgument, "input %zu: dimension %zu is %d, and at most %d.", number, beyond,
                static_cast<int>(from.sizes()[beyond]), static_cast<int>(held.bounds()[beyond]));
  }
  if (from.nbytes() && !from.data()) return fail(Error::InvalidState, "input %zu has no data.", number);
  const format::Tensor planned_as = plan_.values()[static_cast<size_t>(plan_.inputs()[number])].val_tensor();
  const bool is_shared = !planned_as.allocation_info();
  if (held.is_constant() || (is_shared && (planned_as.data_buffer_idx() || is_external(planned_as)))) {
    return fail(Error::InvalidProgram, "input %zu is a constant, which cannot be set.", number);
  }
  if (is_shared) held.set_memory(nullptr, SIZE_MAX, false);  // the room is what is given
  const Error error = held.resize(from.sizes());
  if (is_shared) held.set_memory(nullptr, 0, false);
  is_set_[number] = 0;
  if (error != Error::Ok) {
    return fail(Error::InvalidArgument, "input %zu of shape %s has more elements than %s.", number,
                ShapeText(from.sizes()).text, ShapeText(largest).text);
  }
  if (!is_shared) {
    if (held.nbytes() && !held.data())
      return fail(Error::InvalidProgram, "input %zu has no place to be copied to.", number);
    copy_tensor(from, held);
    is_set_[number] = 1;
    return Error::Ok;
  }
  if (!have_same_layout(from, held)) {
    return fail(Error::InvalidArgument,
                "input %zu is used where it lies, and its strides are not those of the program.", number);
  }
  if (!is_aligned(from.data(), held.element_size())) {
    return fail(Error::InvalidArgument, "input %zu is not aligned for %s.", number, dtype_name(held.scalar_type()));
  }
  held.set_memory(from.mutable_data(), from.nbytes(), false);
  is_set_[number] = 1;
  return Error::Ok;
}

Error Method::set_plain(size_t number, const EValue& given) {
  const format::EValue traced = plan_.values()[static_cast<size_t>(plan_.inputs()[number])];
  switch (traced.val_kind()) {
    case Val::Null:
      if (given.isNone()) return Error::Ok;
      return fail(Error::InvalidArgument, "input %zu was exported as None, and is %s.", number, tag_words(given.tag));
    case Val::Int: {
      const int64_t value = traced.val_int().int_val();
      if (given.isInt() && given.toInt() == value) return Error::Ok;
      if (!given.isInt()) break;
      return fail(Error::InvalidArgument, "input %zu was exported as %lld, and is %lld.", number,
                  static_cast<long long>(value), static_cast<long long>(given.toInt()));
    }
    case Val::Bool: {
      const bool value = traced.val_bool().bool_val();
      if (given.isBool() && given.toBool() == value) return Error::Ok;
      if (!given.isBool()) break;
      return fail(Error::InvalidArgument, "input %zu was exported as %s, and is %s.", number, value ? "True" : "False",
                  value ? "False" : "True");
    }
    case Val::Double: {
      const double value = traced.val_double().double_val();
      if (given.isDouble() && is_near(given.toDouble(), value)) return Error::Ok;
      if (!given.isDouble()) break;
      return fail(Error::InvalidArgument, "input %zu was exported as %.17g, and is %.17g.", number, value,
                  given.toDouble());
    }
    case Val::String: {
      const std::string_view value = view(traced.val_string().string_val());
      if (given.isString() && given.toString() == value) return Error::Ok;
      if (!given.isString()) break;
      return fail(Error::InvalidArgument, "input %zu was exported as another string than it is now.", number);
    }
    default:
      return fail(Error::InvalidProgram, "input %zu is a list, which cannot be set.", number);
  }
  return fail(Error::InvalidArgument, "input %zu is %s, and was exported as something else.", number,
              tag_words(given.tag));
}

Error Method::set_output(void* data, size_t size, size_t i) {
  if (i >= output_count()) return fail(Error::InvalidArgument, "there is no output %zu of %zu.", i, output_count());
  const format::Tensor planned_as = plan_.values()[static_cast<size_t>(plan_.outputs()[i])].val_tensor();
  if (!planned_as || !output(i).isTensor()) return fail(Error::InvalidArgument, "output %zu is no tensor.", i);
  if (planned_as.allocation_info() || planned_as.data_buffer_idx() || is_external(planned_as)) {
    return fail(Error::InvalidState, "output %zu has its place in the plan already.", i);
  }
  TensorImpl& held = *output(i).payload.as_tensor;
  if (held.is_constant()) return fail(Error::InvalidState, "output %zu is a constant.", i);
  if (size < held.nbytes() || (!data && held.nbytes())) {
    return fail(Error::InvalidArgument, "output %zu needs %zu bytes, and was given %zu.", i, held.nbytes(), size);
  }
  if (!is_aligned(data, held.element_size())) {
    return fail(Error::InvalidArgument, "output %zu is not aligned for %s.", i, dtype_name(held.scalar_type()));
  }
  held.set_memory(data, size, false);
  return Error::Ok;
}

// --- state --------------------------------------------------------------------------------------------------------

namespace {

bool is_state(format::Tensor tensor) {
  return tensor.allocation_info() &&
         (tensor.data_buffer_idx() || tensor.extra_tensor_info().fully_qualified_name().size());
}

}  // namespace

format::Tensor Method::state_at(size_t i, TensorImpl*& tensor) const {
  size_t place = 0;
  for (size_t k = 0; k < plan_.values().size(); ++k) {
    const format::Tensor each = plan_.values()[k].val_tensor();
    if (!each) continue;
    if (is_state(each) && !i--) {
      tensor = &tensors_[place];
      return each;
    }
    ++place;
  }
  return {};
}

size_t Method::state_count() const {
  size_t count = 0;
  for (size_t k = 0; k < plan_.values().size(); ++k) count += is_state(plan_.values()[k].val_tensor());
  return count;
}

std::string_view Method::state_name(size_t i) const {
  TensorImpl* tensor;
  return view(state_at(i, tensor).extra_tensor_info().fully_qualified_name());
}

size_t Method::state_named(std::string_view wanted) const {
  size_t i = 0;
  for (size_t k = 0; k < plan_.values().size(); ++k) {
    const format::Tensor each = plan_.values()[k].val_tensor();
    if (!is_state(each)) continue;
    if (view(each.extra_tensor_info().fully_qualified_name()) == wanted) return i;
    ++i;
  }
  return SIZE_MAX;
}

Error Method::state(size_t i, Tensor& tensor) {
  TensorImpl* found = nullptr;
  if (!state_at(i, found)) return fail(Error::NotFound, "there is no state %zu of %zu.", i, state_count());
  tensor = Tensor(found);
  return Error::Ok;
}

Error Method::state(std::string_view wanted, Tensor& tensor) {
  const size_t i = state_named(wanted);
  if (i == SIZE_MAX) {
    return fail(Error::NotFound, "there is no state %.*s.", static_cast<int>(wanted.size()), wanted.data());
  }
  return state(i, tensor);
}

Error Method::set_state(size_t i, Tensor from) {
  Tensor held;
  const Error error = state(i, held);
  if (error != Error::Ok) return error;
  if (from.scalar_type() != held.scalar_type() || from.sizes() != held.sizes()) {
    return fail(Error::InvalidArgument, "state %zu is %s of shape %s, and was given %s of shape %s.", i,
                dtype_name(held.scalar_type()), ShapeText(held.sizes()).text, dtype_name(from.scalar_type()),
                ShapeText(from.sizes()).text);
  }
  TensorImpl& place = *held.unsafeGetTensorImpl();
  if (place.is_constant() || (place.nbytes() && !place.data()) || (from.nbytes() && !from.const_data_ptr())) {
    return fail(Error::InvalidState, "state %zu cannot be written, or what it is given has no data.", i);
  }
  copy_tensor(*from.unsafeGetTensorImpl(), place);
  return Error::Ok;
}

Error Method::set_state(std::string_view wanted, Tensor from) {
  Tensor held;
  const Error error = state(wanted, held);
  return error == Error::Ok ? set_state(state_named(wanted), from) : error;
}

Bytes Method::initial_value(format::Tensor tensor) const {
  Bytes data;
  Message unused;
  if (is_external(tensor)) {
    (void)program_->find_external(tensor, data, unused);  // it was found when the method was loaded
  } else if (tensor.data_buffer_idx()) {
    data = program_->initial_values()[tensor.data_buffer_idx()];
  }
  return data;
}

void Method::reset_state() {
  for (size_t k = 0; k < plan_.values().size(); ++k) {
    const format::Tensor each = plan_.values()[k].val_tensor();
    uint8_t* place = is_state(each) ? planned(each) : nullptr;
    if (!place) continue;
    size_t size = elementSize(static_cast<ScalarType>(each.scalar_type()));
    for (size_t d = 0; d < each.sizes().size(); ++d) size *= static_cast<size_t>(each.sizes()[d]);
    const Bytes value = initial_value(each);
    if (!size) continue;
    if (value.data) {
      std::memcpy(place, value.data, size);
    } else {
      std::memset(place, 0, size);
    }
  }
}

}  // namespace tenon
