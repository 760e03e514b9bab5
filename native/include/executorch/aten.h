// ATen mode: with USE_ATEN_LIB, the names of names.h that are types are those of ATen, and a kernel takes at::Tensor.
//
// The runtime is the same in both modes. What is here stands between: `boxed<&kernel>` for kernels over ATen's types,
// and the checks and switches of tenon/ for them. An at::Tensor that a kernel is given lies where the runtime's tensor
// lies. What it is after the kernel, the runtime's tensor becomes: its sizes, and its elements if they have moved. What
// a kernel throws fails its context.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/FunctionRef.h>
#include <c10/util/OptionalArrayRef.h>
#include <tenon/kernel.h>

#include <tuple>
#include <vector>

namespace tenon::aten {

// --- tensors: native/aten/tensors.cpp -------------------------------------------------------------------------------

// A tensor of ATen in the same memory. It can be resized as far as there is room.
at::Tensor over(const TensorImpl& tensor);
// The sizes and elements of `result` in `place`, where they are already if it is over it. Fails if they do not fit.
void settle(Context& context, Tensor place, const at::Tensor& result);
// Calls `work` without gradients. What it throws fails the context, with the first line of what it says.
void guarded(Context& context, c10::function_ref<void()> work);

at::Tensor take_tensor(Context& context, Span<EValue*> values, size_t i);
std::vector<at::Tensor> take_tensors(Context& context, Span<EValue*> values, size_t i);
std::vector<std::optional<at::Tensor>> take_optional_tensors(Context& context, Span<EValue*> values, size_t i);
at::Scalar take_scalar(Context& context, Span<EValue*> values, size_t i);

Error resize_tensor(const at::Tensor& t, c10::ArrayRef<int64_t> sizes);

template <auto dtype>
using cpp_type = c10::impl::ScalarTypeToCPPTypeT<static_cast<c10::ScalarType>(dtype)>;
template <c10::ScalarType dtype>
struct ScalarTypeToCppType {
  using type = cpp_type<dtype>;
};

// A tensor of ATen as the runtime describes one, for the time of one question.
class Described {
 public:
  explicit Described(const at::Tensor& t);
  Described(const Described&) = delete;
  operator Tensor() const { return Tensor(&impl_); }

 private:
  SizesType sizes_[kTensorDimensionLimit];
  StridesType strides_[kTensorDimensionLimit];
  DimOrderType order_[kTensorDimensionLimit];
  mutable TensorImpl impl_;
};

inline Described described(const at::Tensor& t) { return Described(t); }
inline tenon::ScalarType described(c10::ScalarType type) { return static_cast<tenon::ScalarType>(type); }
template <class T, class = std::enable_if_t<!std::is_same_v<std::decay_t<T>, at::Tensor> &&
                                            !std::is_same_v<std::decay_t<T>, c10::ScalarType>>>
T&& described(T&& other) {
  return std::forward<T>(other);
}
template <class T>
inline constexpr bool is_described =
    std::is_same_v<std::decay_t<T>, at::Tensor> || std::is_same_v<std::decay_t<T>, c10::ScalarType>;

// --- arguments of a kernel ------------------------------------------------------------------------------------------

// What is held of an argument while the kernel runs, how the kernel is given it, and what becomes of it afterwards.
template <class Parameter, bool is_out_list>
struct Argument {
  unbox::Plain<Parameter> held;

  Argument(Context& context, Span<EValue*> values, size_t i)
      : held(unbox::Take<unbox::Plain<Parameter>>::from(context, values, i)) {}
  Parameter get() { return held; }
  void settle(Context&) {}
};
template <bool is_out_list>
struct Argument<at::Tensor&, is_out_list> {
  Tensor place;
  at::Tensor held;

  Argument(Context& context, Span<EValue*> values, size_t i)
      : place(tenon::take_out(context, values, i)), held(over(*place.unsafeGetTensorImpl())) {}
  at::Tensor& get() { return held; }
  void settle(Context& context) { aten::settle(context, place, held); }
};
template <bool is_out_list>
struct Argument<at::TensorList, is_out_list> {
  TensorList places;
  std::vector<at::Tensor> held;

  Argument(Context& context, Span<EValue*> values, size_t i) : held(aten::take_tensors(context, values, i)) {
    if (is_out_list) places = tenon::take_outs(context, values, i);
  }
  at::TensorList get() { return held; }
  void settle(Context& context) {
    for (size_t k = 0; k < places.size(); ++k) aten::settle(context, places[k], held[k]);
  }
};
template <bool is_out_list>
struct Argument<c10::ArrayRef<std::optional<at::Tensor>>, is_out_list> {
  std::vector<std::optional<at::Tensor>> held;

  Argument(Context& context, Span<EValue*> values, size_t i) : held(aten::take_optional_tensors(context, values, i)) {}
  c10::ArrayRef<std::optional<at::Tensor>> get() { return held; }
  void settle(Context&) {}
};

// A list by value, and by reference to a constant, is one thing.
template <class Parameter>
using Normal =
    std::conditional_t<std::is_same_v<Parameter, const unbox::Plain<Parameter>&> &&
                           (std::is_same_v<unbox::Plain<Parameter>, at::TensorList> ||
                            std::is_same_v<unbox::Plain<Parameter>, c10::ArrayRef<std::optional<at::Tensor>>>),
                       unbox::Plain<Parameter>, Parameter>;

template <auto function, bool with_context, class Return, class... Parameters, size_t... i>
void call(Context& context, Span<EValue*> values, std::index_sequence<i...>) {
  constexpr size_t count = sizeof...(Parameters);
  if (!take_count(context, values, count + 1)) return;
  guarded(context, [&] {
    std::tuple<Argument<Normal<Parameters>, std::is_void_v<Return> && i + 1 == count>...> held{
        Argument < Normal<Parameters>, std::is_void_v<Return> && i + 1 == count > (context, values, i)...};
    if (context.failed()) return;
    const auto run = [&]() -> Return {
      if constexpr (with_context) {
        return function(context, std::get<i>(held).get()...);
      } else {
        return function(std::get<i>(held).get()...);
      }
    };
    if constexpr (std::is_same_v<Return, at::Tensor>) {
      const at::Tensor result = run();
      if (!context.failed()) aten::settle(context, tenon::take_out(context, values, count), result);
    } else if constexpr (std::is_void_v<Return> || std::is_lvalue_reference_v<Return>) {
      (void)run();
    } else {
      unbox::give(run(), *values[count]);
    }
    if (!context.failed()) (std::get<i>(held).settle(context), ...);
  });
}

template <class Parameter>
inline constexpr bool is_type = false;
template <class T>
inline constexpr bool is_type<std::optional<T>> = is_type<T>;
template <class T>
inline constexpr bool is_type<c10::ArrayRef<T>> = true;
template <class T>
inline constexpr bool is_type<c10::OptionalArrayRef<T>> = true;
#define TENON_ATEN_TYPE(T) \
  template <>              \
  inline constexpr bool is_type<T> = true;
TENON_ATEN_TYPE(at::Tensor)
TENON_ATEN_TYPE(at::Scalar)
TENON_ATEN_TYPE(at::Generator)
TENON_ATEN_TYPE(c10::ScalarType)
TENON_ATEN_TYPE(c10::MemoryFormat)
TENON_ATEN_TYPE(c10::Layout)
TENON_ATEN_TYPE(c10::Device)
#undef TENON_ATEN_TYPE

}  // namespace tenon::aten

namespace tenon::unbox {

#define TENON_TAKE_ATEN(T, expression)                                                     \
  template <>                                                                              \
  struct Take<T> {                                                                         \
    static T from(Context& context, Span<EValue*> values, size_t i) { return expression; } \
  };
TENON_TAKE_ATEN(at::Tensor, aten::take_tensor(context, values, i))
TENON_TAKE_ATEN(at::Scalar, aten::take_scalar(context, values, i))
TENON_TAKE_ATEN(at::Generator, (fail_type(context, values, i, Tag::None), at::Generator()))
TENON_TAKE_ATEN(c10::ScalarType, static_cast<c10::ScalarType>(take_dtype(context, values, i)))
TENON_TAKE_ATEN(c10::MemoryFormat, static_cast<c10::MemoryFormat>(take_code(context, values, i, 1)))
TENON_TAKE_ATEN(c10::Layout, static_cast<c10::Layout>(take_code(context, values, i, 0)))
TENON_TAKE_ATEN(c10::Device, c10::Device(static_cast<c10::DeviceType>(take_code(context, values, i, 0))))
#undef TENON_TAKE_ATEN
template <class T>
struct Take<c10::ArrayRef<T>> {  // of numbers; they lie where the runtime has them
  static c10::ArrayRef<T> from(Context& context, Span<EValue*> values, size_t i) {
    const ArrayRef<T> found = Take<ArrayRef<T>>::from(context, values, i);
    return {found.data(), found.size()};
  }
};
template <class T>
struct Take<c10::OptionalArrayRef<T>> {
  static c10::OptionalArrayRef<T> from(Context& context, Span<EValue*> values, size_t i) {
    if (values[i]->isNone()) return std::nullopt;
    return Take<c10::ArrayRef<T>>::from(context, values, i);
  }
};

template <class Return, class... Parameters>
inline constexpr bool is_aten<Return (*)(Parameters...)> = (aten::is_type<Plain<Parameters>> || ...);

template <auto function, class Return, class... Parameters>
struct Boxed<function, Return (*)(Parameters...), true> {
  static void run(Context& context, Span<EValue*> values) {
    aten::call<function, false, Return, Parameters...>(context, values, std::index_sequence_for<Parameters...>());
  }
};
template <auto function, class Return, class... Parameters>
struct Boxed<function, Return (*)(Context&, Parameters...), true> {
  static void run(Context& context, Span<EValue*> values) {
    aten::call<function, true, Return, Parameters...>(context, values, std::index_sequence_for<Parameters...>());
  }
};

}  // namespace tenon::unbox

// --- what kernels ask of tensors and dtypes, of ATen's --------------------------------------------------------------

namespace tenon {

#define TENON_OF_ATEN(function)                                                           \
  template <class... Given, class = std::enable_if_t<(aten::is_described<Given> || ...)>> \
  auto function(Given&&... given) {                                                       \
    return ::tenon::function(aten::described(std::forward<Given>(given))...);             \
  }
TENON_OF_ATEN(tensors_have_same_shape)
TENON_OF_ATEN(tensors_have_same_dtype)
TENON_OF_ATEN(tensors_have_same_rank)
TENON_OF_ATEN(tensors_have_same_strides)
TENON_OF_ATEN(tensors_have_same_dim_order)
TENON_OF_ATEN(tensors_have_same_shape_and_dtype)
TENON_OF_ATEN(tensors_have_same_size_at_dims)
TENON_OF_ATEN(tensor_is_type)
TENON_OF_ATEN(tensor_is_bool_type)
TENON_OF_ATEN(tensor_is_integral_type)
TENON_OF_ATEN(tensor_is_floating_type)
TENON_OF_ATEN(tensor_is_real_type)
TENON_OF_ATEN(tensor_is_realh_type)
TENON_OF_ATEN(tensor_is_realhb_type)
TENON_OF_ATEN(tensor_is_realhbf16_type)
TENON_OF_ATEN(tensor_is_realhbbf16_type)
TENON_OF_ATEN(tensor_is_complex_type)
TENON_OF_ATEN(tensor_is_bits_type)
TENON_OF_ATEN(tensor_is_rank)
TENON_OF_ATEN(tensor_has_rank_greater_or_equal_to)
TENON_OF_ATEN(tensor_has_rank_smaller_or_equal_to)
TENON_OF_ATEN(tensor_is_scalar)
TENON_OF_ATEN(tensor_is_contiguous)
TENON_OF_ATEN(tensor_is_default_dim_order)
TENON_OF_ATEN(tensor_is_channels_last_dim_order)
TENON_OF_ATEN(tensor_is_default_or_channels_last_dim_order)
TENON_OF_ATEN(tensor_has_valid_dim_order)
TENON_OF_ATEN(tensor_has_dim)
TENON_OF_ATEN(tensor_has_non_empty_dim)
TENON_OF_ATEN(tensor_dim_has_index)
TENON_OF_ATEN(tensor_can_cast_to)
TENON_OF_ATEN(nonzero_dim)
TENON_OF_ATEN(nonempty_size)
TENON_OF_ATEN(getLeadingDims)
TENON_OF_ATEN(getTrailingDims)
TENON_OF_ATEN(coordinateToIndex)
TENON_OF_ATEN(memoizeTrailingDims)
TENON_OF_ATEN(coordinateToIndexWithTrailingDimsMemo)
TENON_OF_ATEN(indexToCoordinate)
TENON_OF_ATEN(extract_scalar_tensor)
TENON_OF_ATEN(get_dim_order)
TENON_OF_ATEN(isValid)
TENON_OF_ATEN(isRealType)
TENON_OF_ATEN(isRealHType)
TENON_OF_ATEN(isRealHBType)
TENON_OF_ATEN(isRealHBF16Type)
TENON_OF_ATEN(isRealHBBF16Type)
#undef TENON_OF_ATEN

inline c10::ScalarType promoteTypes(c10::ScalarType a, c10::ScalarType b, bool half_to_float) {
  return static_cast<c10::ScalarType>(promoteTypes(aten::described(a), aten::described(b), half_to_float));
}
inline bool tensor_has_expected_size(const at::Tensor& t, c10::ArrayRef<int64_t> sizes) { return t.sizes() == sizes; }
inline Error resize_tensor(const at::Tensor& t, c10::ArrayRef<int64_t> sizes) { return aten::resize_tensor(t, sizes); }
template <class T, std::enable_if_t<std::is_integral_v<T>, bool> = true>
Error resize_tensor(const at::Tensor& t, c10::ArrayRef<T> sizes) {
  return aten::resize_tensor(t, std::vector<int64_t>(sizes.begin(), sizes.end()));
}

}  // namespace tenon

// --- switches, with the element types of ATen -----------------------------------------------------------------------

#undef TENON_NAMED
#define TENON_NAMED(_, name) _(::tenon::aten::cpp_type<::c10::ScalarType::name>, name)
#undef ET_INTERNAL_SWITCH
#define ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME, ...)                               \
  [&] {                                                                            \
    const ::tenon::ScalarType tenon_type = static_cast<::tenon::ScalarType>(TYPE); \
    constexpr const char* tenon_name = NAME;                                       \
    switch (tenon_type) {                                                          \
      __VA_ARGS__                                                                  \
      default:                                                                     \
        break;                                                                     \
    }                                                                              \
    ::tenon::fail_dtype(CONTEXT, tenon_name, tenon_type);                          \
  }()
#undef ET_INTERNAL_SWITCH_CASE
#define ET_INTERNAL_SWITCH_CASE(DTYPE, ALIAS, ...)                   \
  case static_cast<::tenon::ScalarType>(DTYPE):                      \
    if constexpr (TENON_IS_SELECTED(tenon_name, DTYPE)) {            \
      using ALIAS [[maybe_unused]] = ::tenon::aten::cpp_type<DTYPE>; \
      return __VA_ARGS__();                                          \
    } else {                                                         \
      break;                                                         \
    }

#undef ET_PRI_TENSOR_SIZE
#define ET_PRI_TENSOR_SIZE PRId64
#undef ET_PRI_TENSOR_DIM
#define ET_PRI_TENSOR_DIM PRId64
#undef ET_PRI_TENSOR_NUMEL
#define ET_PRI_TENSOR_NUMEL PRId64
#undef ET_PRI_SIZES_AND_STRIDES
#define ET_PRI_SIZES_AND_STRIDES PRId64
