// From a kernel as a person writes it to the one form in which all are called: `&boxed<&add_out>` is an OpFunction.
//
// The C++ signature says all there is to know: a context first (or none), then one parameter per argument of the
// schema, outs last and by reference. What comes in is checked first: the number of values, each one's kind, that a
// tensor has data, and that an out (a `Tensor&`; a `TensorList` at the end of a kernel that returns nothing) is no
// constant. A value that does not fit fails through the context, which tells which argument it was; the kernel is not
// called.
#pragma once

#include <tuple>

#include "registry.h"

namespace tenon {

// The argument `i` of a call. Where it has another kind, the context fails, and what is given is empty.
Tensor take_tensor(Context& context, Span<EValue*> values, size_t i);  // the data may be null if there are no elements
Tensor take_out(Context& context, Span<EValue*> values, size_t i);
std::optional<Tensor> take_optional_tensor(Context& context, Span<EValue*> values, size_t i);
int64_t take_int(Context& context, Span<EValue*> values, size_t i);
double take_double(Context& context, Span<EValue*> values, size_t i);
bool take_bool(Context& context, Span<EValue*> values, size_t i);
Scalar take_scalar(Context& context, Span<EValue*> values, size_t i);
std::string_view take_string(Context& context, Span<EValue*> values, size_t i);
ArrayRef<int64_t> take_ints(Context& context, Span<EValue*> values, size_t i);
ArrayRef<double> take_doubles(Context& context, Span<EValue*> values, size_t i);
ArrayRef<bool> take_bools(Context& context, Span<EValue*> values, size_t i);
TensorList take_tensors(Context& context, Span<EValue*> values, size_t i);
TensorList take_outs(Context& context, Span<EValue*> values, size_t i);
ArrayRef<std::optional<Tensor>> take_optional_tensors(Context& context, Span<EValue*> values, size_t i);
ScalarType take_dtype(Context& context, Span<EValue*> values, size_t i);
int64_t take_code(Context& context, Span<EValue*> values, size_t i, int64_t largest);  // a MemoryFormat or Layout
bool take_count(Context& context, Span<EValue*> values, size_t expected);
void fail_type(Context& context, Span<EValue*> values, size_t i, Tag wanted);

namespace unbox {

template <class T>
struct Take;
#define TENON_TAKE(T, function)                                                                              \
  template <>                                                                                                \
  struct Take<T> {                                                                                           \
    static T from(Context& context, Span<EValue*> values, size_t i) { return function(context, values, i); } \
  };
TENON_TAKE(Tensor, take_tensor)
TENON_TAKE(std::optional<Tensor>, take_optional_tensor)
TENON_TAKE(int64_t, take_int)
TENON_TAKE(double, take_double)
TENON_TAKE(bool, take_bool)
TENON_TAKE(Scalar, take_scalar)
TENON_TAKE(std::string_view, take_string)
TENON_TAKE(ArrayRef<int64_t>, take_ints)
TENON_TAKE(ArrayRef<double>, take_doubles)
TENON_TAKE(ArrayRef<bool>, take_bools)
TENON_TAKE(TensorList, take_tensors)
TENON_TAKE(ArrayRef<std::optional<Tensor>>, take_optional_tensors)
TENON_TAKE(ScalarType, take_dtype)
#undef TENON_TAKE
template <>
struct Take<MemoryFormat> {
  static MemoryFormat from(Context& context, Span<EValue*> values, size_t i) {
    return static_cast<MemoryFormat>(take_code(context, values, i, 1));
  }
};
template <>
struct Take<Layout> {
  static Layout from(Context& context, Span<EValue*> values, size_t i) {
    return static_cast<Layout>(take_code(context, values, i, 0));
  }
};
template <>
struct Take<Generator> {
  static Generator from(Context& context, Span<EValue*> values, size_t i) {
    fail_type(context, values, i, Tag::None);
    return {};
  }
};
template <class T>
struct Take<std::optional<T>> {
  static std::optional<T> from(Context& context, Span<EValue*> values, size_t i) {
    if (values[i]->isNone()) return std::nullopt;
    return Take<T>::from(context, values, i);
  }
};
struct Out {
  static Tensor from(Context& context, Span<EValue*> values, size_t i) { return take_out(context, values, i); }
};
struct Outs {
  static TensorList from(Context& context, Span<EValue*> values, size_t i) { return take_outs(context, values, i); }
};

template <class T>
using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

// How to take a parameter. A list of tensors in last place of a kernel that returns nothing is what it writes.
template <class Parameter, bool is_last_of_void>
using TakeFor = std::conditional_t<
    std::is_same_v<Parameter, Tensor&>, Out,
    std::conditional_t<is_last_of_void && std::is_same_v<Plain<Parameter>, TensorList>, Outs, Take<Plain<Parameter>>>>;

template <class Parameter>
using Held = std::conditional_t<std::is_same_v<Parameter, Tensor&>, Tensor, Plain<Parameter>>;

// What comes back belongs into the last value: a kernel without outs gives a tensor or a number there.
template <class Return>
void give(Return&& result, EValue& value) {
  using T = Plain<Return>;
  if constexpr (std::is_same_v<T, Tensor> || std::is_same_v<T, int64_t> || std::is_same_v<T, double> ||
                std::is_same_v<T, bool> || std::is_same_v<T, Scalar>) {
    value = EValue(result);
  } else {
    (void)result, (void)value;  // several outs: their list is already there
  }
}

template <auto function, bool with_context, class Return, class... Parameters, size_t... i>
void call(Context& context, Span<EValue*> values, std::index_sequence<i...>) {
  constexpr size_t count = sizeof...(Parameters);
  if (!take_count(context, values, count + 1)) return;
  std::tuple<Held<Parameters>...> held{TakeFor < Parameters,
                                       std::is_void_v<Return> && i + 1 == count > ::from(context, values, i)...};
  if (context.failed()) return;
  const auto run = [&]() -> Return {
    if constexpr (with_context) {
      return function(context, static_cast<Parameters>(std::get<i>(held))...);
    } else {
      return function(static_cast<Parameters>(std::get<i>(held))...);
    }
  };
  if constexpr (std::is_void_v<Return>) {
    run();
    if constexpr ((std::is_same_v<Parameters, Tensor&> || ...)) *values[count] = *values[count - 1];  // the out
  } else if constexpr (std::is_lvalue_reference_v<Return>) {
    (void)run();  // an out, which is there already
  } else {
    give(run(), *values[count]);
  }
}

// Whether a kernel takes ATen's types. Those have a boxed form of their own, which is in executorch/aten.h.
template <class Signature>
inline constexpr bool is_aten = false;

template <auto function, class Signature = decltype(function), bool over_aten = is_aten<Signature>>
struct Boxed;
template <auto function, class Return, class... Parameters>
struct Boxed<function, Return (*)(Parameters...), false> {
  static void run(Context& context, Span<EValue*> values) {
    call<function, false, Return, Parameters...>(context, values, std::index_sequence_for<Parameters...>());
  }
};
template <auto function, class Return, class... Parameters>
struct Boxed<function, Return (*)(Context&, Parameters...), false> {
  static void run(Context& context, Span<EValue*> values) {
    call<function, true, Return, Parameters...>(context, values, std::index_sequence_for<Parameters...>());
  }
};

}  // namespace unbox

template <auto function>
inline constexpr OpFunction boxed_function = &unbox::Boxed<function>::run;

// The OpFunction of a kernel: {"aten::add.out", &boxed<&add_out>}.
template <auto function>
void boxed(KernelRuntimeContext& context, Span<EValue*> values) {
  unbox::Boxed<function>::run(context, values);
}

}  // namespace tenon

// --- the same in the words of ExecuTorch -----------------------------------------------------------------------------

#define EXECUTORCH_FN(function) \
  ::tenon::CompileTimeFunction<&function> {}
namespace tenon {
template <auto function>
struct CompileTimeFunction {};
template <auto function>
constexpr Kernel make_boxed_kernel(const char* name, CompileTimeFunction<function>) {
  return Kernel(name, &boxed<function>);
}
}  // namespace tenon

// Registers a kernel in the registry of the process before main(). It is the one thing here that runs by itself, and it
// runs in the source that asks for it; a table of kernels does without.
#define EXECUTORCH_LIBRARY(ns, op, function) TENON_LIBRARY_AT(ns, op, function, __COUNTER__)
#define TENON_LIBRARY_AT(ns, op, function, line) TENON_LIBRARY_NAMED(ns, op, function, line)
#define TENON_LIBRARY_NAMED(ns, op, function, line)                                                            \
  static constexpr ::tenon::Kernel tenon_kernel_##ns##_##line[] = {{#ns "::" op, &::tenon::boxed<&function>}}; \
  static ::tenon::KernelTable tenon_table_##ns##_##line{#ns, {tenon_kernel_##ns##_##line, 1}};                 \
  [[maybe_unused]] static const ::tenon::Error tenon_registered_##ns##_##line =                                \
      ::tenon::register_library(tenon_table_##ns##_##line)
namespace tenon {
// Adds to the registry of the process; what is wrong is logged, as nobody waits for an answer.
Error register_library(KernelTable& table);
}  // namespace tenon
