// Runs of elements from one dtype to another.
#pragma once

#include <tenon/kernel.h>

namespace tenon {

// From `from` to `to`, `count` elements that lie steps of bytes apart. A step of 0 reads one element again and again.
using ConvertRun = void (*)(char* to, int64_t to_step, const char* from, int64_t from_step, size_t count);

// Elements of one size, as they are.
ConvertRun mover(size_t element_size);

// As another dtype: at once where that is often done, else by way of int64 or float64, so that there is no function for
// each of a hundred pairs. What a number becomes is the same.
struct Converter {
  ConvertRun first = nullptr;
  ConvertRun second = nullptr;  // null if one is enough
  // Where the imaginary part of a complex number is, in bytes: these runs are for one part at a time.
  uint8_t to_imaginary = 0, from_imaginary = 0;

  explicit operator bool() const { return first != nullptr; }
  void operator()(char* to, int64_t to_step, const char* from, int64_t from_step, size_t count) const {
    if (second || to_imaginary || from_imaginary) return in_steps(to, to_step, from, from_step, count);
    first(to, to_step, from, from_step, count);
  }

 private:
  void in_steps(char* to, int64_t to_step, const char* from, int64_t from_step, size_t count) const;
  void in_parts(char* to, int64_t to_step, const char* from, int64_t from_step, size_t count) const;
};

// False if one of the two is not a dtype that kernels compute with.
Converter converter(ScalarType to, ScalarType from);

}  // namespace tenon
