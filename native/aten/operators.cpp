// Calls operators of the dispatcher by their schemas, on values of the runtime.
#include "operators.h"

#include <ATen/EmptyTensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <executorch/aten.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

namespace tenon::aten {
namespace {

// --- arguments, by their types in the schema ------------------------------------------------------------------------

enum class Kind {
  tensor,
  scalar,
  whole,
  real,
  truth,
  text,
  device,
  wholes,
  reals,
  truths,
  scalars,
  tensors,
  optionals,
  other
};

struct Parameter {
  Kind kind = Kind::other;
  int64_t largest = -1;  // of a code: a dtype, a layout, a memory format
  bool is_optional = false, is_written = false, is_out = false;
};

Kind kind_of(const c10::TypePtr& type) {
  switch (type->kind()) {
    case c10::TypeKind::TensorType:
      return Kind::tensor;
    case c10::TypeKind::NumberType:
      return Kind::scalar;
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
    case c10::TypeKind::ScalarTypeType:
    case c10::TypeKind::LayoutType:
    case c10::TypeKind::MemoryFormatType:
      return Kind::whole;
    case c10::TypeKind::FloatType:
    case c10::TypeKind::SymFloatType:
      return Kind::real;
    case c10::TypeKind::BoolType:
    case c10::TypeKind::SymBoolType:
      return Kind::truth;
    case c10::TypeKind::StringType:
      return Kind::text;
    case c10::TypeKind::DeviceObjType:
      return Kind::device;
    default:
      return Kind::other;
  }
}

Kind kind_of_list(const c10::TypePtr& element) {
  if (element->kind() == c10::TypeKind::OptionalType) {
    const bool is_tensor = kind_of(element->castRaw<c10::OptionalType>()->getElementType()) == Kind::tensor;
    return is_tensor ? Kind::optionals : Kind::other;
  }
  switch (kind_of(element)) {
    case Kind::tensor:
      return Kind::tensors;
    case Kind::whole:
      return Kind::wholes;
    case Kind::real:
      return Kind::reals;
    case Kind::truth:
      return Kind::truths;
    case Kind::scalar:
      return Kind::scalars;
    default:
      return Kind::other;
  }
}

int64_t largest_code(const c10::TypePtr& type) {
  switch (type->kind()) {
    case c10::TypeKind::ScalarTypeType:
      return sizeof dtype_bytes - 1;
    case c10::TypeKind::LayoutType:
      return 0;
    case c10::TypeKind::MemoryFormatType:
      return 1;
    default:
      return -1;
  }
}

Parameter parameter_of(const c10::Argument& argument) {
  Parameter made;
  c10::TypePtr type = argument.real_type();
  if (const auto* optional = type->castRaw<c10::OptionalType>()) {
    made.is_optional = true;
    type = optional->getElementType();
  }
  const auto* list = type->castRaw<c10::ListType>();
  made.kind = list ? kind_of_list(list->getElementType()) : kind_of(type);
  made.largest = largest_code(type);
  made.is_written = argument.alias_info() && argument.alias_info()->isWrite();
  made.is_out = argument.is_out();
  return made;
}

at::Tensor empty(ScalarType type) { return at::detail::empty_cpu({0}, static_cast<c10::ScalarType>(type)); }

template <class T, class Items>
c10::List<T> listed(const Items& items) {
  c10::List<T> made;
  made.reserve(items.size());
  for (const auto& each : items) made.push_back(each);
  return made;
}

// --- calls ----------------------------------------------------------------------------------------------------------

// A tensor that an operator writes, and where that is.
struct Written {
  Tensor place;
  at::Tensor tensor;
};

// One call on its way: what is on the stack, and what is written.
struct Call {
  Context& context;
  Span<EValue*> values;
  bool has_own_outs;  // in memory of their own instead of that of the program, which they are copied to afterwards
  torch::jit::Stack stack = {};
  std::vector<Written> written = {};

  c10::IValue write(Tensor place, bool is_out) {
    const bool is_own = is_out && has_own_outs;
    at::Tensor tensor = is_own ? empty(place.scalar_type()) : over(*place.unsafeGetTensorImpl());
    // ATen gives an empty out its shape without a word, and warns of any other.
    const bool is_dynamic = place.shape_dynamism() != TensorShapeDynamism::STATIC;
    const std::vector<int64_t> nothing(std::max<size_t>(place.sizes().size(), 1), 0);
    if (is_out && is_dynamic && !is_own) tensor.unsafeGetTensorImpl()->set_sizes_contiguous(nothing);
    written.push_back({place, tensor});
    return tensor;
  }

  c10::IValue number_list(size_t i) {
    c10::impl::GenericList made(c10::NumberType::get());
    if (values[i]->isDoubleList()) {
      for (const double each : take_doubles(context, values, i)) made.push_back(at::Scalar(each));
    } else {
      for (const int64_t each : take_ints(context, values, i)) made.push_back(at::Scalar(each));
    }
    return made;
  }

  c10::IValue take(const Parameter& parameter, size_t i) {
    if (parameter.is_optional && values[i]->isNone()) return {};
    switch (parameter.kind) {
      case Kind::tensor:
        if (parameter.is_written) return write(take_out(context, values, i), parameter.is_out);
        return aten::take_tensor(context, values, i);
      case Kind::tensors: {
        if (!parameter.is_written) return listed<at::Tensor>(aten::take_tensors(context, values, i));
        c10::List<at::Tensor> outs;
        for (const Tensor& each : take_outs(context, values, i)) {
          outs.push_back(write(each, parameter.is_out).toTensor());
        }
        return outs;
      }
      case Kind::optionals:
        return listed<std::optional<at::Tensor>>(aten::take_optional_tensors(context, values, i));
      case Kind::scalar:
        return aten::take_scalar(context, values, i);
      case Kind::whole:
        return parameter.largest < 0 ? take_int(context, values, i) : take_code(context, values, i, parameter.largest);
      case Kind::real:
        return values[i]->isInt() ? static_cast<double>(values[i]->toInt()) : take_double(context, values, i);
      case Kind::truth:
        return take_bool(context, values, i);
      case Kind::text:
        return std::string(take_string(context, values, i));
      case Kind::device:
        return c10::Device(static_cast<c10::DeviceType>(take_code(context, values, i, 0)));
      case Kind::wholes:
        return listed<int64_t>(take_ints(context, values, i));
      case Kind::reals:
        return listed<double>(take_doubles(context, values, i));
      case Kind::truths:
        return listed<bool>(take_bools(context, values, i));
      case Kind::scalars:
        return number_list(i);
      case Kind::other:
        break;
    }
    context.fail(Error::NotSupported, "argument %zu is %s, and of a type that programs do not have", i,
                 tag_words(values[i]->tag));
    return {};
  }

  // Whether it failed for want of room in an out. That has the sizes it should have had, or a view of it has them.
  bool lacks_room(const c10::Error& error) const {
    for (const Written& each : written) {
      if (each.tensor.nbytes() > each.tensor.storage().nbytes()) return true;
    }
    return error.msg().find("storage that is not resizable") != std::string::npos;
  }

  // A result of an operator without outs goes where the program wants it.
  void give(const c10::IValue& result, size_t i) {
    if (result.isTensor()) return settle(context, take_out(context, values, i), result.toTensor());
    if (result.isTensorList()) {
      const TensorList places = take_outs(context, values, i);
      const std::vector<at::Tensor> found = result.toTensorVector();
      if (places.size() != found.size()) {
        context.fail(Error::InvalidProgram, "it gives %zu tensors, and there are places for %zu", found.size(),
                     places.size());
      }
      for (size_t k = 0; k < places.size() && k < found.size(); ++k) settle(context, places[k], found[k]);
      return;
    }
    if (result.isInt()) *values[i] = EValue(result.toInt());
    if (result.isDouble()) *values[i] = EValue(result.toDouble());
    if (result.isBool()) *values[i] = EValue(result.toBool());
    if (result.isNone()) *values[i] = EValue();
  }
};

// An operator that a program may call. It stays for as long as the process, as methods point to its function.
struct Operator {
  std::string name;
  c10::OperatorHandle handle;
  std::vector<Parameter> parameters;
  bool is_writing = false;

  Operator(std::string name, c10::OperatorHandle found) : name(std::move(name)), handle(found) {
    for (const c10::Argument& each : handle.schema().arguments()) {
      parameters.push_back(parameter_of(each));
      is_writing = is_writing || parameters.back().is_written;
    }
  }

  void run(Context& context, Span<EValue*> values) const {
    const size_t count = parameters.size(), results = handle.schema().returns().size();
    if (values.size() < count + (is_writing ? 0 : results)) return (void)take_count(context, values, count + 1);
    guarded(context, [&] {
      // A few operators work in their out at another size than it has in the end. They do that elsewhere, the second
      // time; the first time nothing was written, as an out is resized before.
      if (!is_done(context, values, false)) (void)is_done(context, values, true);
    });
  }

  // False if there was not enough room in an out.
  bool is_done(Context& context, Span<EValue*> values, bool has_own_outs) const {
    Call call{context, values, has_own_outs};
    const size_t count = parameters.size();
    call.stack.reserve(count);
    for (size_t i = 0; i < count; ++i) call.stack.push_back(call.take(parameters[i], i));
    if (context.failed()) return true;
    try {
      handle.callBoxed(call.stack);
    } catch (const c10::Error& error) {
      if (has_own_outs || !call.lacks_room(error)) throw;
      return false;
    }
    for (size_t r = 0; r < call.stack.size() && !is_writing; ++r) call.give(call.stack[r], count + r);
    for (const Written& each : call.written) settle(context, each.place, each.tensor);
    return true;
  }
};

// --- by name --------------------------------------------------------------------------------------------------------

std::optional<c10::OperatorHandle> find_schema(const std::string& whole) {
  const size_t dot = whole.find('.', whole.find("::") + 1);
  const std::string overload = dot == std::string::npos ? "" : whole.substr(dot + 1);
  return c10::Dispatcher::singleton().findSchema({whole.substr(0, dot), overload == "default" ? "" : overload});
}

// The operator that a made out variant stands for: my_ops::mul3.out is my_ops::mul3.
std::string functional_name(std::string out) {
  for (const char* end : {"out", "_", "."}) {
    const std::string_view ending(end);
    if (out.size() >= ending.size() && !out.compare(out.size() - ending.size(), ending.size(), ending)) {
      out.resize(out.size() - ending.size());
    }
  }
  return out;
}

// A kernel is a function without anything beside it, so that each operator in use has a function of its own.
constexpr size_t most_operators = 4096;
std::unique_ptr<const Operator> operators[most_operators];

template <size_t i>
void run_operator(Context& context, Span<EValue*> values) {
  operators[i]->run(context, values);
}
template <size_t... i>
constexpr std::array<OpFunction, sizeof...(i)> functions_of(std::index_sequence<i...>) {
  return {&run_operator<i>...};
}
constexpr std::array<OpFunction, most_operators> functions = functions_of(std::make_index_sequence<most_operators>());

// Of an operator of the dispatcher, or of the functional one that a made out variant stands for.
std::optional<Kernel> dispatched(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, size_t> known;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto before = known.find(name);
  if (before != known.end()) return Kernel(operators[before->second]->name.c_str(), functions[before->second]);
  std::optional<c10::OperatorHandle> found = find_schema(name);
  if (!found) found = find_schema(functional_name(name));
  if (!found) return std::nullopt;
  if (known.size() == most_operators) {
    ET_LOG(Error, "%s: there are %zu operators in use already, and no room for more.", name.c_str(), most_operators);
    return std::nullopt;
  }
  const size_t i = known.size();
  operators[i] = std::make_unique<const Operator>(name, *found);
  known[name] = i;
  return Kernel(operators[i]->name.c_str(), functions[i]);
}

// --- operators that are not torch's ---------------------------------------------------------------------------------

using Order = std::optional<ArrayRef<int64_t>>;

Tensor& copy_out(Context& context, const Tensor& self, bool, Order, Tensor& out) {
  guarded(context, [&] {
    if (resize(context, out, self.sizes())) over(*out.unsafeGetTensorImpl()).copy_(over(*self.unsafeGetTensorImpl()));
  });
  return out;
}

Tensor& empty_out(Context& context, ArrayRef<int64_t> size, Order, Tensor& out) {
  SizesType sizes[kTensorDimensionLimit];
  if (size.size() > kTensorDimensionLimit) {
    context.fail(Error::NotSupported, "%zu dimensions are more than a program can have", size.size());
    return out;
  }
  for (size_t d = 0; d < size.size(); ++d) {
    sizes[d] = static_cast<SizesType>(std::clamp<int64_t>(size[d], -1, INT32_MAX));
  }
  (void)resize(context, out, {sizes, size.size()});
  return out;
}

constexpr Kernel own[] = {
    {"dim_order_ops::_clone_dim_order.out", &boxed<&copy_out>},
    {"dim_order_ops::_empty_dim_order.out", &boxed<&empty_out>},
    {"dim_order_ops::_to_dim_order_copy.out", &boxed<&copy_out>},
};
constexpr KernelTable own_kernels{"dim_order_ops", own, true};

std::set<std::string> operators_of(const Program& program) {
  std::set<std::string> names;
  for (size_t m = 0; m < program.method_count(); ++m) {
    const auto all = program.plan(m).operators();
    for (size_t k = 0; k < all.size(); ++k) {
      const std::string_view overload = view(all[k].overload());
      std::string name(view(all[k].name()));
      names.insert(overload.empty() ? name : name.append(".").append(overload));
    }
  }
  return names;
}

}  // namespace

std::optional<Kernel> find_kernel(const std::string& name) {
  if (const Kernel* found = find(own_kernels, name.c_str(), nullptr)) return *found;
  return dispatched(name);
}

Kernels::Kernels(const Program& program) : table("aten", {}, /*in_order=*/true, /*rank=*/-1) {
  for (const std::string& name : operators_of(program)) {
    if (find(prim_kernels, name.c_str(), nullptr)) continue;
    if (const std::optional<Kernel> found = find_kernel(name)) rows_.push_back(*found);
  }
  table.rows = {rows_.data(), rows_.size()};
}

}  // namespace tenon::aten
