// for (const auto i : c10::irange(n)), as sources for ExecuTorch count.
#pragma once

#if __has_include_next(<c10/util/irange.h>)
#include_next <c10/util/irange.h>  // torch's own
#else

#include <type_traits>

namespace c10 {

template <class T>
class integer_range {
 public:
  class iterator {
   public:
    explicit constexpr iterator(T at) : at_(at) {}
    constexpr T operator*() const { return at_; }
    constexpr iterator& operator++() { return ++at_, *this; }
    constexpr bool operator!=(iterator other) const { return at_ != other.at_; }
    constexpr bool operator==(iterator other) const { return at_ == other.at_; }

   private:
    T at_;
  };

  constexpr integer_range(T first, T end) : first_(first), end_(end < first ? first : end) {}
  constexpr iterator begin() const { return iterator(first_); }
  constexpr iterator end() const { return iterator(end_); }

 private:
  T first_, end_;
};

template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
constexpr integer_range<T> irange(T end) {
  return {T(0), end};
}
template <class A, class B, class = std::enable_if_t<std::is_integral_v<A> && std::is_integral_v<B>>>
constexpr integer_range<B> irange(A first, B end) {
  return {static_cast<B>(first), end};
}

}  // namespace c10

#endif
