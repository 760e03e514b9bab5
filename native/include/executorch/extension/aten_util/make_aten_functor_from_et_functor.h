// WRAP_TO_ATEN(kernel, out_index): a kernel of the runtime as PyTorch calls it, so that one function serves both.
//
//   TORCH_LIBRARY(my_ops, m) {
//     m.def("mul4(Tensor input) -> Tensor");
//     m.def("mul4.out(Tensor input, *, Tensor(a!) output) -> Tensor(a!)", WRAP_TO_ATEN(custom::native::mul4_out, 1));
//   }
//
// The kernel is over the types of the runtime, or over those of ATen where it is built with USE_ATEN_LIB; with or
// without a context. `out_index` is the place of the out in the schema, counted from 0. Without it, all that the kernel
// writes is what it returns.
//
// A tensor reaches the kernel as in a program: dense, its dimensions in their order or channels last; one that lies
// otherwise is copied. An out takes on the size that the kernel gives it, for which it must have the rank and the room.
// An empty one is first made like the first tensor among the arguments. A kernel that fails throws what it said.
#pragma once

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <c10/util/OptionalArrayRef.h>
#include <executorch/names.h>

#include <memory>
#include <tuple>
#include <vector>

namespace tenon::to_aten {

// --- tensors --------------------------------------------------------------------------------------------------------

// Throws words about argument `i` of the call.
template <class... Words>
[[noreturn]] void refuse(size_t i, const Words&... words) {
  TORCH_CHECK(false, "argument ", i, " ", words...);
}

inline at::Tensor dense(const at::Tensor& t, size_t i) {
  if (!t.device().is_cpu()) refuse(i, "is on ", t.device().str(), ", and the kernel is for the CPU.");
  if (t.numel() && !t.const_data_ptr()) {
    refuse(i,
           "has no elements, as when a model is captured. Register the kernel for CPU alone, with "
           "TORCH_LIBRARY_IMPL, and give the operator a Meta kernel.");
  }
  return t.contiguous(t.suggest_memory_format());
}

// Whether its memory is no part of another tensor's.
inline bool is_alone(const at::Tensor& t) { return t.storage_offset() == 0 && t.storage().use_count() == 1; }

// What was written, where it belongs, if that is not the same.
inline void give_back(const at::Tensor& held, const at::Tensor& given) {
  if (held.is_same(given)) return;
  if (given.sizes() != held.sizes()) given.resize_(held.sizes(), held.suggest_memory_format());
  given.copy_(held);
}

// A dense tensor of ATen, described as the runtime does.
class Described {
 public:
  Described(const at::Tensor& t, size_t i, size_t capacity, TensorShapeDynamism dynamism) {
    if (!isValid(static_cast<ScalarType>(t.scalar_type()))) refuse(i, "is ", t.scalar_type(), ", which no kernel has.");
    const size_t dim = static_cast<size_t>(t.dim());
    if (dim > kTensorDimensionLimit) refuse(i, "has ", dim, " dimensions, of which ", kTensorDimensionLimit, " fit.");
    const bool is_plain = t.is_contiguous();
    for (size_t d = 0; d < dim; ++d) {
      const int64_t size = t.size(static_cast<int64_t>(d));
      if (size > INT32_MAX) refuse(i, "has size ", size, " in dimension ", d, ", where at most ", INT32_MAX, " fits.");
      sizes_[d] = static_cast<SizesType>(size);
      // Channels last: the second dimension is the innermost.
      order_[d] = static_cast<DimOrderType>(is_plain || d == 0 ? d : d + 1 == dim ? 1 : d + 1);
    }
    if (!fill_strides(sizes_, order_, dim, strides_)) refuse(i, "has more elements than a program can have.");
    void* data = t.numel() ? const_cast<void*>(t.const_data_ptr()) : nullptr;
    impl_ = TensorImpl(static_cast<ScalarType>(t.scalar_type()), t.dim(), sizes_, data, order_, strides_, dynamism);
    impl_.set_memory(data, capacity, /*constant=*/false);
  }
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;

  Tensor tensor() { return Tensor(&impl_); }

 private:
  SizesType sizes_[kTensorDimensionLimit];
  StridesType strides_[kTensorDimensionLimit];
  DimOrderType order_[kTensorDimensionLimit];
  TensorImpl impl_;
};

// A tensor that is read.
class In {
 public:
  In(const at::Tensor& given, size_t i)
      : held_(dense(given, i)), described_(held_, i, held_.nbytes(), TensorShapeDynamism::STATIC) {}
  Tensor tensor() { return described_.tensor(); }

 private:
  at::Tensor held_;
  Described described_;
};

// A tensor that is written, and what it is afterwards.
class Out {
 public:
  Out(const at::Tensor& given, size_t i)
      : given_(given), held_(dense(given, i)), described_(held_, i, room(), TensorShapeDynamism::DYNAMIC_BOUND) {
    tensor_ = described_.tensor();
  }
  Tensor& tensor() { return tensor_; }

  void settle() {
    const ArrayRef<SizesType> sizes = tensor_.sizes();
    const std::vector<int64_t> wide(sizes.begin(), sizes.end());
    if (held_.sizes() != c10::IntArrayRef(wide)) held_.resize_(wide, held_.suggest_memory_format());
    give_back(held_, given_);
  }

 private:
  // All of its memory. Of an empty tensor torch does not tell where that is.
  size_t room() const { return is_alone(held_) && held_.numel() ? held_.storage().nbytes() : held_.nbytes(); }

  at::Tensor given_, held_;
  Described described_;
  Tensor tensor_;
};

// --- arguments, by the type that the kernel takes -------------------------------------------------------------------

// `Given` is what torch hands over, `get` what the kernel is given, `settle` what follows when it has run. What is not
// listed is the same on both sides.
template <class Parameter>
struct Argument {
  using Given = Parameter;
  Given held;

  Argument(Given given, size_t) : held(given) {}
  Parameter get() { return held; }
  void settle() {}
};
template <>
struct Argument<Tensor> {
  using Given = const at::Tensor&;
  In held;

  Argument(Given given, size_t i) : held(given, i) {}
  Tensor get() { return held.tensor(); }
  void settle() {}
};
template <>
struct Argument<Tensor&> {
  using Given = at::Tensor&;
  Out held;

  Argument(Given given, size_t i) : held(given, i) {}
  Tensor& get() { return held.tensor(); }
  void settle() { held.settle(); }
};
template <>
struct Argument<Scalar> {
  using Given = const at::Scalar&;
  Scalar held;

  Argument(Given given, size_t i) {
    if (given.isBoolean()) {
      held = given.to<bool>();
    } else if (given.isIntegral(false)) {
      held = given.to<int64_t>();
    } else if (given.isFloatingPoint()) {
      held = given.to<double>();
    } else {
      refuse(i, "is a complex number, which no kernel takes.");
    }
  }
  Scalar get() { return held; }
  void settle() {}
};

// A dtype, memory format or layout: the same numbers, of which a program has fewer.
template <class Ours, class Theirs, int count>
struct Code {
  using Given = Theirs;
  Ours held;

  Code(Given given, size_t i) : held(static_cast<Ours>(given)) {
    if (static_cast<int>(given) >= count) refuse(i, "is ", given, ", which no program has.");
  }
  Ours get() { return held; }
  void settle() {}
};
template <>
struct Argument<ScalarType> : Code<ScalarType, c10::ScalarType, static_cast<int>(ScalarType::Undefined)> {
  using Code::Code;
};
template <>
struct Argument<MemoryFormat> : Code<MemoryFormat, c10::MemoryFormat, 2> {
  using Code::Code;
};
template <>
struct Argument<Layout> : Code<Layout, c10::Layout, 1> {
  using Code::Code;
};

template <class T>
struct Argument<ArrayRef<T>> {  // of numbers, which stay where they are
  using Given = c10::ArrayRef<T>;
  Given held;

  Argument(Given given, size_t) : held(given) {}
  ArrayRef<T> get() { return {held.data(), held.size()}; }
  void settle() {}
};
template <class List>
struct Truths {  // torch keeps these one by one
  using Given = const c10::List<bool>&;
  std::unique_ptr<bool[]> held;
  size_t count;

  Truths(Given given, size_t) : held(new bool[given.size()]), count(given.size()) {
    for (size_t k = 0; k < count; ++k) held[k] = given[k];
  }
  List get() { return List(held.get(), count); }
  void settle() {}
};
template <>
struct Argument<ArrayRef<bool>> : Truths<ArrayRef<bool>> {
  using Truths::Truths;
};
template <>
struct Argument<c10::ArrayRef<bool>> : Truths<c10::ArrayRef<bool>> {
  using Truths::Truths;
};

template <class Each>
struct Tensors {
  using Given = at::TensorList;
  std::vector<std::unique_ptr<Each>> held;
  std::vector<Tensor> tensors;

  Tensors(Given given, size_t i) {
    for (const at::Tensor& each : given) {
      held.push_back(std::make_unique<Each>(each, i));
      tensors.push_back(held.back()->tensor());
    }
  }
  TensorList get() { return tensors; }
  void settle() {
    if constexpr (std::is_same_v<Each, Out>) {
      for (const auto& each : held) each->settle();
    }
  }
};
template <>
struct Argument<TensorList> : Tensors<In> {
  using Tensors::Tensors;
};
template <>
struct Argument<ArrayRef<std::optional<Tensor>>> {
  using Given = const c10::List<std::optional<at::Tensor>>&;
  std::vector<std::unique_ptr<In>> held;
  std::vector<std::optional<Tensor>> tensors;

  Argument(Given given, size_t i) {
    for (size_t k = 0; k < given.size(); ++k) {
      const std::optional<at::Tensor> each = given[k];
      if (each) held.push_back(std::make_unique<In>(*each, i));
      tensors.push_back(each ? std::optional(held.back()->tensor()) : std::nullopt);
    }
  }
  ArrayRef<std::optional<Tensor>> get() { return tensors; }
  void settle() {}
};
// Optionals of all of these. Those of tensors and numbers torch passes by reference.
template <class T>
struct Argument<std::optional<T>> {
  using Inner = Argument<T>;
  using Plain = std::optional<unbox::Plain<typename Inner::Given>>;
  using Given = std::conditional_t<std::is_reference_v<typename Inner::Given>, const Plain&, Plain>;
  std::unique_ptr<Inner> held;

  Argument(Given given, size_t i) : held(given ? std::make_unique<Inner>(*given, i) : nullptr) {}
  std::optional<T> get() { return held ? std::optional<T>(held->get()) : std::nullopt; }
  void settle() {}
};

// ATen's own types, in a kernel that is built with USE_ATEN_LIB. Its tensors are dense too.
template <>
struct Argument<at::Tensor> {
  using Given = const at::Tensor&;
  at::Tensor held;

  Argument(Given given, size_t i) : held(dense(given, i)) {}
  const at::Tensor& get() { return held; }
  void settle() {}
};
template <>
struct Argument<at::Tensor&> {
  using Given = at::Tensor&;
  at::Tensor given, held;  // a part of another tensor is worked on elsewhere, as the kernel may resize it

  Argument(Given out, size_t i) : given(out), held(is_alone(out) ? dense(out, i) : dense(out, i).clone()) {}
  at::Tensor& get() { return held; }
  void settle() { give_back(held, given); }
};
template <>
struct Argument<at::TensorList> {
  using Given = at::TensorList;
  Given given;
  std::vector<at::Tensor> held;

  Argument(Given all, size_t i) : given(all) {
    for (const at::Tensor& each : given) held.push_back(dense(each, i));
  }
  at::TensorList get() { return held; }
  void settle() {}
};
struct AtenOuts : Argument<at::TensorList> {
  using Argument::Argument;
  void settle() {
    for (size_t k = 0; k < held.size(); ++k) give_back(held[k], given[k]);
  }
};
template <>
struct Argument<c10::ArrayRef<std::optional<at::Tensor>>> {
  using Given = const c10::List<std::optional<at::Tensor>>&;
  std::vector<std::optional<at::Tensor>> held;

  Argument(Given given, size_t i) {
    for (size_t k = 0; k < given.size(); ++k) {
      const std::optional<at::Tensor> each = given[k];
      held.push_back(each ? std::optional(dense(*each, i)) : std::nullopt);
    }
  }
  c10::ArrayRef<std::optional<at::Tensor>> get() { return held; }
  void settle() {}
};
template <>
struct Argument<at::Scalar> {
  using Given = const at::Scalar&;
  const at::Scalar& held;

  Argument(Given given, size_t) : held(given) {}
  const at::Scalar& get() { return held; }
  void settle() {}
};

// --- calls ----------------------------------------------------------------------------------------------------------

template <class Parameter>
inline constexpr bool is_out = std::is_same_v<Parameter, Tensor&> || std::is_same_v<Parameter, at::Tensor&>;

// A list of tensors in last place of a kernel that returns nothing is what it writes.
template <class Parameter>
using OutsFor =
    std::conditional_t<std::is_same_v<Parameter, TensorList>, Tensors<Out>,
                       std::conditional_t<std::is_same_v<Parameter, at::TensorList>, AtenOuts, Argument<Parameter>>>;
template <class Parameter, bool is_last_of_void>
using ArgumentFor = std::conditional_t<
    is_out<Parameter>, Argument<Parameter>,
    std::conditional_t<is_last_of_void, OutsFor<unbox::Plain<Parameter>>, Argument<unbox::Plain<Parameter>>>>;

// The first tensor that is read among the arguments; null if there is none.
template <class Parameter, class Given>
void note_first(const at::Tensor*& first, const Given& given) {
  if constexpr (std::is_same_v<Given, at::Tensor> && !is_out<Parameter>) {
    if (!first) first = &given;
  } else {
    (void)first, (void)given;
  }
}
template <class Parameter, class Given>
void make_like(const at::Tensor* first, Given& given) {
  if constexpr (is_out<Parameter>) {
    if (first && !given.numel()) given.resize_(first->sizes(), first->suggest_memory_format());
  } else {
    (void)first, (void)given;
  }
}

inline void check(const Context& context) {
  if (!context.failed()) return;
  TORCH_CHECK(false, *context.message() ? context.message() : to_string(context.failure_state()));
}

// The place of what a kernel returns: as it was told, or the last one that it writes; -1 if there is none.
template <int out_index, class... Parameters>
constexpr int out_of() {
  constexpr bool outs[] = {is_out<Parameters>..., false};
  int last = -1;
  for (int i = 0; i < static_cast<int>(sizeof...(Parameters)); ++i) {
    if (outs[i] && (out_index < 0 || i == out_index)) last = i;
  }
  return last;
}

// What torch sees as returned: the outs as it gave them, where the kernel returns its own.
template <class Return>
struct Returned {
  using type = Return;
};
template <>
struct Returned<Tensor&> {
  using type = at::Tensor&;
};
template <class... Outs>
struct Returned<std::tuple<Outs...>> {
  using type = std::tuple<typename Returned<Outs>::type...>;
};

template <class Parameter, class Given>
auto only_out(Given& given) {
  if constexpr (is_out<Parameter>) {
    return std::tuple<at::Tensor&>(given);
  } else {
    return (void)given, std::tuple<>();
  }
}

// One argument of many; they stay where they are made.
template <size_t i, class Argument>
struct Held {
  Argument argument;
  Held(typename Argument::Given given) : argument(given, i) {}
};
template <class... All>
struct HeldAll : All... {
  template <class... Given>
  explicit HeldAll(Given&... given) : All(given)... {}
};

template <auto kernel, int out_index, bool with_context, class Indices, class Return, class... Parameters>
struct Wrapped;
template <auto kernel, int out_index, bool with_context, size_t... i, class Return, class... Parameters>
struct Wrapped<kernel, out_index, with_context, std::index_sequence<i...>, Return, Parameters...> {
  static constexpr int out = out_of<out_index, Parameters...>();
  static_assert(out >= 0 || (out_index < 0 && std::is_void_v<Return>),
                "WRAP_TO_ATEN(kernel, out_index): there is no `Tensor&` at out_index. Arguments are counted from 0 as "
                "in the schema, without a context.");
  static_assert(std::is_void_v<Return> || std::is_lvalue_reference_v<Return> || !std::is_same_v<Return, Tensor>,
                "WRAP_TO_ATEN(kernel, out_index): the kernel returns a new tensor, and not the one it is given.");

  template <class Parameter, size_t k>
  using At = ArgumentFor<Parameter, std::is_void_v<Return> && k + 1 == sizeof...(Parameters)>;

  static typename Returned<Return>::type call(typename At<Parameters, i>::Given... given) {
    const at::NoGradGuard without_gradients;
    const at::Tensor* first = nullptr;
    (note_first<Parameters>(first, given), ...);
    (make_like<Parameters>(first, given), ...);
    run(given...);
    if constexpr (std::is_lvalue_reference_v<Return>) {
      return std::get<static_cast<size_t>(out)>(std::tie(given...));
    } else if constexpr (!std::is_void_v<Return>) {
      return std::tuple_cat(only_out<Parameters>(given)...);
    }
  }

 private:
  static void run(typename At<Parameters, i>::Given... given) {
    Context context;
    HeldAll<Held<i, At<Parameters, i>>...> held(given...);
    if constexpr (with_context) {
      (void)kernel(context, held.Held<i, At<Parameters, i>>::argument.get()...);
    } else {
      (void)kernel(held.Held<i, At<Parameters, i>>::argument.get()...);
    }
    check(context);
    (held.Held<i, At<Parameters, i>>::argument.settle(), ...);
  }
};

template <auto kernel, int out_index, class Signature>
struct Wrap;
template <auto kernel, int out_index, class Return, class... Parameters>
struct Wrap<kernel, out_index, Return (*)(Parameters...)>
    : Wrapped<kernel, out_index, false, std::index_sequence_for<Parameters...>, Return, Parameters...> {};
template <auto kernel, int out_index, class Return, class... Parameters>
struct Wrap<kernel, out_index, Return (*)(Context&, Parameters...)>
    : Wrapped<kernel, out_index, true, std::index_sequence_for<Parameters...>, Return, Parameters...> {};

}  // namespace tenon::to_aten

#define WRAP_TO_ATEN(...) TENON_WRAP_CHOSEN(__VA_ARGS__, TENON_WRAP_AT, TENON_WRAP_ALL, )(__VA_ARGS__)
#define TENON_WRAP_CHOSEN(kernel, out_index, chosen, ...) chosen
#define TENON_WRAP_AT(kernel, out_index) ::tenon::to_aten::Wrap<&kernel, out_index, decltype(&kernel)>::call
#define TENON_WRAP_ALL(kernel) TENON_WRAP_AT(kernel, -1)
