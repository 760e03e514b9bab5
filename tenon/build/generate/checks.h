// How a kernel's type is compared with its schema's while it is compiled. checks.py puts this text behind a source.
//
// An assertion can only say what was written before the compiler ran. So there is one for each type that a person may
// have put where another belongs, and one for each number of arguments.

#define TENON_CHECKS_TYPES(X, ...)                                                                                    \
  X(0, "bool", (bool), __VA_ARGS__) X(1, "char", (char), __VA_ARGS__) X(2, "int", (int), __VA_ARGS__)                 \
  X(3, "unsigned", (unsigned), __VA_ARGS__) X(4, "int64_t", (int64_t), __VA_ARGS__)                                   \
  X(5, "size_t", (size_t), __VA_ARGS__) X(6, "float", (float), __VA_ARGS__) X(7, "double", (double), __VA_ARGS__)     \
  X(8, "const char*", (const char*), __VA_ARGS__) X(9, "std::string", (std::string), __VA_ARGS__)                     \
  X(10, "const std::string&", (const std::string&), __VA_ARGS__)                                                      \
  X(11, "std::string_view", (std::string_view), __VA_ARGS__)                                                          \
  X(12, "const std::string_view&", (const std::string_view&), __VA_ARGS__)                                            \
  X(13, "const int64_t&", (const int64_t&), __VA_ARGS__) X(14, "const double&", (const double&), __VA_ARGS__)         \
  X(15, "const bool&", (const bool&), __VA_ARGS__) X(16, "void", (void), __VA_ARGS__)                                 \
  X(17, "std::optional<int>", (std::optional<int>), __VA_ARGS__)                                                      \
  X(18, "std::optional<int64_t>", (std::optional<int64_t>), __VA_ARGS__)                                              \
  X(19, "std::optional<float>", (std::optional<float>), __VA_ARGS__)                                                  \
  X(20, "std::optional<double>", (std::optional<double>), __VA_ARGS__)                                                \
  X(21, "std::optional<bool>", (std::optional<bool>), __VA_ARGS__)                                                    \
  X(22, "std::optional<std::string_view>", (std::optional<std::string_view>), __VA_ARGS__)                            \
  X(23, "Tensor", (Tensor), __VA_ARGS__) X(24, "const Tensor&", (const Tensor&), __VA_ARGS__)                         \
  X(25, "Tensor&", (Tensor&), __VA_ARGS__) X(26, "Tensor*", (Tensor*), __VA_ARGS__)                                   \
  X(27, "const Tensor*", (const Tensor*), __VA_ARGS__) X(28, "Scalar", (Scalar), __VA_ARGS__)                         \
  X(29, "const Scalar&", (const Scalar&), __VA_ARGS__) X(30, "Scalar&", (Scalar&), __VA_ARGS__)                       \
  X(31, "Scalar*", (Scalar*), __VA_ARGS__) X(32, "const Scalar*", (const Scalar*), __VA_ARGS__)                       \
  X(33, "ScalarType", (ScalarType), __VA_ARGS__) X(34, "const ScalarType&", (const ScalarType&), __VA_ARGS__)         \
  X(35, "MemoryFormat", (MemoryFormat), __VA_ARGS__) X(36, "const MemoryFormat&", (const MemoryFormat&), __VA_ARGS__) \
  X(37, "Layout", (Layout), __VA_ARGS__) X(38, "const Layout&", (const Layout&), __VA_ARGS__)                         \
  X(39, "TensorList", (TensorList), __VA_ARGS__) X(40, "const TensorList&", (const TensorList&), __VA_ARGS__)         \
  X(41, "ArrayRef<int64_t>", (ArrayRef<int64_t>), __VA_ARGS__)                                                        \
  X(42, "const ArrayRef<int64_t>&", (const ArrayRef<int64_t>&), __VA_ARGS__)                                          \
  X(43, "ArrayRef<int>", (ArrayRef<int>), __VA_ARGS__)                                                                \
  X(44, "const ArrayRef<int>&", (const ArrayRef<int>&), __VA_ARGS__)                                                  \
  X(45, "ArrayRef<double>", (ArrayRef<double>), __VA_ARGS__)                                                          \
  X(46, "const ArrayRef<double>&", (const ArrayRef<double>&), __VA_ARGS__)                                            \
  X(47, "ArrayRef<float>", (ArrayRef<float>), __VA_ARGS__)                                                            \
  X(48, "const ArrayRef<float>&", (const ArrayRef<float>&), __VA_ARGS__)                                              \
  X(49, "ArrayRef<bool>", (ArrayRef<bool>), __VA_ARGS__)                                                              \
  X(50, "const ArrayRef<bool>&", (const ArrayRef<bool>&), __VA_ARGS__)                                                \
  X(51, "ArrayRef<std::optional<Tensor>>", (ArrayRef<std::optional<Tensor>>), __VA_ARGS__)                            \
  X(52, "const ArrayRef<std::optional<Tensor>>&", (const ArrayRef<std::optional<Tensor>>&), __VA_ARGS__)              \
  X(53, "std::optional<Tensor>", (std::optional<Tensor>), __VA_ARGS__)                                                \
  X(54, "const std::optional<Tensor>&", (const std::optional<Tensor>&), __VA_ARGS__)                                  \
  X(55, "std::optional<Tensor>&", (std::optional<Tensor>&), __VA_ARGS__)                                              \
  X(56, "std::optional<Scalar>", (std::optional<Scalar>), __VA_ARGS__)                                                \
  X(57, "const std::optional<Scalar>&", (const std::optional<Scalar>&), __VA_ARGS__)                                  \
  X(58, "std::optional<Scalar>&", (std::optional<Scalar>&), __VA_ARGS__)                                              \
  X(59, "std::optional<ScalarType>", (std::optional<ScalarType>), __VA_ARGS__)                                        \
  X(60, "const std::optional<ScalarType>&", (const std::optional<ScalarType>&), __VA_ARGS__)                          \
  X(61, "std::optional<MemoryFormat>", (std::optional<MemoryFormat>), __VA_ARGS__)                                    \
  X(62, "const std::optional<MemoryFormat>&", (const std::optional<MemoryFormat>&), __VA_ARGS__)                      \
  X(63, "std::optional<ArrayRef<int64_t>>", (std::optional<ArrayRef<int64_t>>), __VA_ARGS__)                          \
  X(64, "const std::optional<ArrayRef<int64_t>>&", (const std::optional<ArrayRef<int64_t>>&), __VA_ARGS__)            \
  X(65, "std::optional<ArrayRef<double>>", (std::optional<ArrayRef<double>>), __VA_ARGS__)                            \
  X(66, "const std::optional<ArrayRef<double>>&", (const std::optional<ArrayRef<double>>&), __VA_ARGS__)              \
  X(67, "std::optional<TensorList>", (std::optional<TensorList>), __VA_ARGS__)                                        \
  X(68, "const std::optional<TensorList>&", (const std::optional<TensorList>&), __VA_ARGS__)                          \
  X(69, "OptionalArrayRef<int64_t>", (OptionalArrayRef<int64_t>), __VA_ARGS__)                                        \
  X(70, "const OptionalArrayRef<int64_t>&", (const OptionalArrayRef<int64_t>&), __VA_ARGS__)                          \
  X(71, "Context&", (Context&), __VA_ARGS__) X(72, "std::tuple<Tensor&, Tensor&>", (Pair), __VA_ARGS__)               \
  X(73, "std::tuple<Tensor&, Tensor&, Tensor&>", (Triple), __VA_ARGS__)                                               \
  X(74, "std::tuple<Tensor, Tensor>", (PairByValue), __VA_ARGS__)

#define TENON_CHECKS_COUNTS(X, ...)                                                                                   \
  X(0, __VA_ARGS__) X(1, __VA_ARGS__) X(2, __VA_ARGS__) X(3, __VA_ARGS__) X(4, __VA_ARGS__) X(5, __VA_ARGS__)         \
  X(6, __VA_ARGS__) X(7, __VA_ARGS__) X(8, __VA_ARGS__) X(9, __VA_ARGS__) X(10, __VA_ARGS__) X(11, __VA_ARGS__)       \
  X(12, __VA_ARGS__) X(13, __VA_ARGS__) X(14, __VA_ARGS__) X(15, __VA_ARGS__) X(16, __VA_ARGS__) X(17, __VA_ARGS__)   \
  X(18, __VA_ARGS__) X(19, __VA_ARGS__) X(20, __VA_ARGS__) X(21, __VA_ARGS__) X(22, __VA_ARGS__) X(23, __VA_ARGS__)   \
  X(24, __VA_ARGS__)

namespace tenon_checks {

using ::torch::executor::ArrayRef;
using ::torch::executor::Layout;
using ::torch::executor::MemoryFormat;
using ::torch::executor::OptionalArrayRef;
using ::torch::executor::Scalar;
using ::torch::executor::ScalarType;
using ::torch::executor::Tensor;
using ::torch::executor::TensorList;
using Context = ::torch::executor::KernelRuntimeContext;
using Pair = std::tuple<Tensor&, Tensor&>;
using Triple = std::tuple<Tensor&, Tensor&, Tensor&>;
using PairByValue = std::tuple<Tensor, Tensor>;

// Stands beside a kernel that may be missing, so that there always is a function of its name.
struct Absent {};
struct Other {
  Other(Absent (*)(...));
};
struct Yes {
  static constexpr bool yes = true;
};
struct No {
  static constexpr bool yes = false;
};

// Called with the address of all functions of a name, these say whether the one that stands there is alone,
template <class F>
Yes is_alone(F*);
No is_alone(Other);
// whether one of them has this type,
template <class F>
Yes has(F*);
template <class F>
No has(Other);
// and what the one beside it is, if there is only one. (gcc takes `Absent(...)` for a function without parameters, so
// that a first one is asked for.)
struct Several {};
template <class R, class... A>
struct Function {};
template <class R, class A, class... More>
Function<R, A, More...> only(R (*)(A, More...));
Several only(Other);

// Which of the types above a type is; -1 for another.
template <class Written>
struct Named;
template <class T>
struct Named<void(T)> {  // what was in parentheses
  using type = T;
};
template <>
struct Named<void()> {
  using type = void;
};
#define TENON_CHECKS_SPELLED(number, text, written, T) \
  if (std::is_same_v<T, typename Named<void written>::type>) return number;
template <class T>
constexpr int spelled() {
  TENON_CHECKS_TYPES(TENON_CHECKS_SPELLED, T)
  return -1;
}
#undef TENON_CHECKS_SPELLED

template <size_t i, class... A>
struct At {
  using type = Absent;
};
template <class First, class... A>
struct At<0, First, A...> {
  using type = First;
};
template <size_t i, class First, class... A>
struct At<i, First, A...> : At<i - 1, A...> {};

// A kernel beside its schema. -2 is what needs no words. A context first is none of the arguments.
template <class Found, class Expected>
struct Compared {
  static constexpr bool is_one = false;
  static constexpr int count = -2, first = -2, returned = -2;
  using type_returned = Absent;
  template <size_t>
  static constexpr int argument = -2;
  template <size_t>
  using type = Absent;
};
template <class R, class... A, class S, class... B>
struct Compared<Function<R, A...>, S(B...)> {
  static constexpr bool is_one = true;
  static constexpr int count = sizeof...(A);
  static constexpr bool is_as_many = sizeof...(A) == sizeof...(B);
  using type_returned = R;
  static constexpr int returned = std::is_same_v<R, S> ? -2 : spelled<R>();
  template <size_t i>
  using type = typename At<i, A...>::type;
  template <size_t i>
  static constexpr bool is_same = std::is_same_v<type<i>, typename At<i, B...>::type>;
  template <size_t i>
  static constexpr int argument = !is_as_many || is_same<i> ? -2 : spelled<type<i>>();
  template <size_t i>
  static constexpr int differs_from() {
    if constexpr (i < sizeof...(A) && i < sizeof...(B)) {
      return is_same<i> ? differs_from<i + 1>() : static_cast<int>(i);
    } else {
      return static_cast<int>(i);
    }
  }
  static constexpr int first = is_as_many ? -2 : differs_from<0>();
};
template <class R, class... A, class S, class... B>
struct Compared<Function<R, Context&, A...>, S(B...)> : Compared<Function<R, A...>, S(B...)> {};

// Fails if `found` is one of the types above, or -1: then the compiler tells the type as that of `Found`.
#define TENON_CHECKS_IS(number, text, written, found, before, after) static_assert((found) != number, before text after);
#define TENON_CHECKS_TYPE(found, other, type, before, after) \
  TENON_CHECKS_TYPES(TENON_CHECKS_IS, found, before, after)  \
  template <class Found, bool is_known>                      \
  struct other {                                             \
    static_assert(is_known, before "Found" after);           \
  };                                                         \
  template struct other<type, (found) != -1>;
// Fails if it has another number of arguments, and differs first at this one.
#define TENON_CHECKS_HAS(number, found, argument, before, after) \
  static_assert((found::first) != argument || (found::count) != number, before #number after);
#define TENON_CHECKS_COUNT(found, argument, before, after) \
  TENON_CHECKS_COUNTS(TENON_CHECKS_HAS, found, argument, before, after)

}  // namespace tenon_checks
