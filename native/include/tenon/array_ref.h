// Views of elements that lie one after the other and belong to someone else: `ArrayRef` to read, `Span` to write too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace tenon {

template <class T>
class Span {
 public:
  using value_type = T;
  using iterator = T*;

  constexpr Span() = default;
  constexpr Span(T* data, size_t size) : data_(data), size_(size) {}
  constexpr Span(T* begin, T* end) : data_(begin), size_(static_cast<size_t>(end - begin)) {}
  template <size_t n>
  constexpr Span(T (&elements)[n]) : data_(elements), size_(n) {}

  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }
  constexpr T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

template <class T>
class ArrayRef {
 public:
  using value_type = T;
  using size_type = size_t;
  using iterator = const T*;
  using const_iterator = const T*;

  constexpr ArrayRef() = default;
  constexpr ArrayRef(const T& element) : data_(&element), size_(1) {}
  constexpr ArrayRef(const T* data, size_t size) : data_(data), size_(size) {}
  constexpr ArrayRef(const T* begin, const T* end) : data_(begin), size_(static_cast<size_t>(end - begin)) {}
  template <size_t n>
  constexpr ArrayRef(const std::array<T, n>& elements) : data_(elements.data()), size_(n) {}
  template <size_t n>
  constexpr ArrayRef(const T (&elements)[n]) : data_(elements), size_(n) {}
  template <class Container, class = decltype(static_cast<const T*>(std::declval<const Container&>().data())),
            class = decltype(std::declval<const Container&>().size())>
  constexpr ArrayRef(const Container& elements) : data_(elements.data()), size_(elements.size()) {}

  constexpr const T* begin() const { return data_; }
  constexpr const T* end() const { return data_ + size_; }
  constexpr const T* cbegin() const { return begin(); }
  constexpr const T* cend() const { return end(); }
  constexpr const T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T& operator[](size_t i) const { return data_[i]; }
  constexpr const T& at(size_t i) const { return data_[i]; }
  constexpr const T& front() const { return data_[0]; }
  constexpr const T& back() const { return data_[size_ - 1]; }
  constexpr ArrayRef slice(size_t first, size_t count) const { return {data_ + first, count}; }
  constexpr ArrayRef slice(size_t first) const { return {data_ + first, size_ - first}; }

  constexpr bool equals(ArrayRef other) const {
    if (size_ != other.size_) return false;
    for (size_t i = 0; i < size_; ++i) {
      if (!(data_[i] == other.data_[i])) return false;
    }
    return true;
  }

 private:
  const T* data_ = nullptr;
  size_t size_ = 0;
};

template <class T>
constexpr bool operator==(ArrayRef<T> a, ArrayRef<T> b) {
  return a.equals(b);
}
template <class T>
constexpr bool operator!=(ArrayRef<T> a, ArrayRef<T> b) {
  return !a.equals(b);
}

template <class T>
constexpr ArrayRef<T> makeArrayRef(const T& element) {
  return element;
}
template <class T>
constexpr ArrayRef<T> makeArrayRef(const T* data, size_t size) {
  return {data, size};
}
template <class T, size_t n>
constexpr ArrayRef<T> makeArrayRef(const T (&elements)[n]) {
  return elements;
}

using IntArrayRef = ArrayRef<int64_t>;
template <class T>
using OptionalArrayRef = std::optional<ArrayRef<T>>;
using OptionalIntArrayRef = OptionalArrayRef<int64_t>;

}  // namespace tenon
