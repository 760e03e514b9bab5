// The pointwise loop. An operator is a functor of one element of each input; the loop is here, once for all of them:
//
//   struct Abs { template <class T> T operator()(T x) const { return x < T(0) ? -x : x; } };
//   Tensor& abs_out(Context& cx, const Tensor& self, Tensor& out) {
//     return pointwise<NUMBERS>(cx, Abs{}, out, self.scalar_type(), self);
//   }
//
// Inputs are broadcast and brought to the dtype that is computed in; 16-bit floats compute as float. What the functor
// gives is brought to the dtype of `out`, which may be one of the inputs. For each dtype only the innermost loop over
// plain arrays is compiled; dtypes that differ and strides are served by converting short runs into buffers.
#pragma once

#include "fast/vectors.h"  // run_tuned
#include "index.h"         // run_vectorised
#include "selected.h"
#include "walk.h"

namespace tenon {

// --- dtypes --------------------------------------------------------------------------------------------------------

// The dtype of a result that is never whole: exp of an int is a float32.
constexpr ScalarType float_dtype(ScalarType type) {
  return isFloatingType(type) || isComplexType(type) ? type : ScalarType::Float;
}

// What a dtype makes of a number that is computed as float: where torch rounds before the end.
template <class T>
T rounded_to(ScalarType type, T x) {
  if (type == ScalarType::Half) return T(Half(float(x)));
  return type == ScalarType::BFloat16 ? T(BFloat16(float(x))) : x;
}

// The dtype of a result, by torch's rules: a kind of number (bool, whole, float) counts before a size; where the kinds
// are equal, tensors of rank 0 count only among themselves, and so do plain numbers.
class Promotion {
 public:
  Promotion& with(const Tensor& t) { return t.dim() ? join(sized_, t.scalar_type()) : join(single_, t.scalar_type()); }
  Promotion& with(const Scalar& s) { return join(number_, s.isFloatingPoint() ? ScalarType::Float : s.dtype()); }
  ScalarType dtype() const { return prefer(sized_, prefer(single_, number_)); }

 private:
  Promotion& join(ScalarType& into, ScalarType type) {
    into = into == ScalarType::Undefined ? type : promoteTypes(into, type);
    return *this;
  }
  static ScalarType prefer(ScalarType first, ScalarType second) {
    if (first == ScalarType::Undefined) return second;
    if (second == ScalarType::Undefined || kind(first) >= kind(second)) return first;
    return promoteTypes(first, second);
  }
  static int kind(ScalarType type) {
    return isComplexType(type) ? 3 : isFloatingType(type) ? 2 : type == ScalarType::Bool ? 0 : 1;
  }

  ScalarType sized_ = ScalarType::Undefined, single_ = ScalarType::Undefined, number_ = ScalarType::Undefined;
};

template <class... In>
ScalarType promote(const In&... in) {
  Promotion promotion;
  (promotion.with(in), ...);
  return promotion.dtype();
}

// --- the loop ------------------------------------------------------------------------------------------------------

inline constexpr size_t kMostInputs = 3;

// A functor over n elements of dense arrays.
using DenseRun = void (*)(const void* functor, size_t n, void* out, const void* const* in);

// All of a pointwise loop that does not depend on its functor.
struct PointwiseCall {
  DenseRun run;
  const void* functor;
  ScalarType common;                 // where it is of 16 bits, an operand of another dtype is first rounded to it,
  bool is_divisor_exact;             // but not a single number that multiplies or divides
  ScalarType result;                 // what the functor gives
  ScalarType computed[kMostInputs];  // what it takes
  const Tensor* in[kMostInputs];
  size_t count;
};

// Gives `out` the shape of all inputs together; fails if they have none, or if `out` cannot hold a `result`.
bool prepare_pointwise(Context& cx, ScalarType result, Tensor& out, ArrayRef<const Tensor*> in);
void run_pointwise(Context& cx, const PointwiseCall& call, Tensor& out);

namespace loops {

// Whether a functor computes so much that it is worth being compiled for wide vectors too: it says so by `IsLong`.
template <class F, class = void>
inline constexpr bool is_long = false;
template <class F>
inline constexpr bool is_long<F, std::void_t<typename F::IsLong>> = true;

// Whether torch multiplies or divides by a single number as it is, and does not round it to 16 bits: `IsDivisorExact`.
template <class F, class = void>
inline constexpr bool is_divisor_exact = false;
template <class F>
inline constexpr bool is_divisor_exact<F, std::void_t<typename F::IsDivisorExact>> = true;

template <class F, class R, class... T>
ET_INLINE void over(const F& functor, size_t n, R* out, const T*... in) {
  // `out` may be an input, and then each element is read before it is written, also by vectors of them.
#pragma GCC ivdep
  for (size_t i = 0; i < n; ++i) out[i] = functor(in[i]...);
}

template <class Work>
TENON_HOT void hot(const Work& work) {
  work(std::false_type());
}

template <class F, class R, class... T, size_t... k>
void unpack(const void* functor, size_t n, void* out, const void* const* in, std::index_sequence<k...>) {
  const auto work = [&](auto) ET_INLINE_ATTRIBUTE {
    over<F, R, T...>(*static_cast<const F*>(functor), n, static_cast<R*>(out), static_cast<const T*>(in[k])...);
  };
  constexpr bool is_hot = ((is_often<T> || std::is_same_v<T, bool>) && ...);
  constexpr bool is_complex = (std::is_same_v<T, Complex> || ...);  // of which there are no vectors
  if constexpr (is_long<F> && is_hot) native::run_tuned(work);
  else if constexpr (is_long<F> && !is_complex) native::run_vectorised(work);
  else if constexpr (is_hot) hot(work);
  else work(std::false_type());
}

template <class F, class R, class... T>
void run(const void* functor, size_t n, void* out, const void* const* in) {
  unpack<F, R, T...>(functor, n, out, in, std::index_sequence_for<T...>());
}

template <class T, class>
using Each = T;

}  // namespace loops

// out = functor(in...), where the functor takes T... ; as `common`, if operands count as that before they are computed.
template <class... T, class F, class... In>
void pointwise_as(Context& cx, const F& functor, ScalarType common, Tensor& out, const In&... in) {
  using R = decltype(functor(T()...));
  const PointwiseCall call = {&loops::run<F, R, T...>, &functor,     common, loops::is_divisor_exact<F>, dtype_of<R>,
                              {dtype_of<T>...},        {&in...}, sizeof...(In)};
  run_pointwise(cx, call, out);
}

// out = functor(in...), computed as `common`, which must be one of the set. The functor is what make(TypeTag<T>())
// gives, so that it can hold its parameters as T.
template <DTypeSet set, class Make, class... In>
Tensor& pointwise_made(Context& cx, const Make& make, Tensor& out, ScalarType common, const In&... in) {
  const Tensor* inputs[] = {&in...};
  constexpr bool is_predicate = std::is_same_v<decltype(make(TypeTag<float>())(loops::Each<float, In>()...)), bool>;
  if (!prepare_pointwise(cx, is_predicate ? ScalarType::Bool : common, out, inputs)) return out;
  visit<is_predicate ? promoted(set) : set>(cx, common, [&](auto tag) {
    using T = typename decltype(tag)::type;
    pointwise_as<loops::Each<T, In>...>(cx, make(tag), common, out, in...);
  });
  return out;
}

template <DTypeSet set, class F, class... In>
Tensor& pointwise(Context& cx, const F& functor, Tensor& out, ScalarType common, const In&... in) {
  return pointwise_made<set>(cx, [&](auto) { return functor; }, out, common, in...);
}

// A number as a tensor of rank 0: an operator's form for a Scalar is its form for tensors, with the number's promotion.
class NumberTensor {
 public:
  explicit NumberTensor(const Scalar& number) : real_(number.to<double>()), whole_(number.to<int64_t>()) {
    void* data = number.isFloatingPoint() ? static_cast<void*>(&real_) : &whole_;
    impl_ = TensorImpl(number.isFloatingPoint() ? ScalarType::Double : ScalarType::Long, 0, nullptr, data);
  }
  NumberTensor(const NumberTensor&) = delete;
  NumberTensor& operator=(const NumberTensor&) = delete;
  Tensor tensor() { return Tensor(&impl_); }

 private:
  double real_;
  int64_t whole_;
  TensorImpl impl_;
};

}  // namespace tenon
