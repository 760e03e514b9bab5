// Errors: a code for programs, a sentence for people. `Error` is what a function returns, `Message` what it says.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "attributes.h"

// TENON_WORDS=0, given to every source of a build, leaves all sentences out of it: what remains are the codes.
#ifndef TENON_WORDS
#define TENON_WORDS 1
#endif

namespace tenon {

// Every code there is.
#define TENON_ERRORS(X)                    \
  X(Ok, 0x00)                              \
  X(Internal, 0x01)                        \
  X(InvalidState, 0x02)                    \
  X(EndOfMethod, 0x03)                     \
  X(AlreadyLoaded, 0x04)                   \
  X(NotSupported, 0x10)                    \
  X(NotImplemented, 0x11)                  \
  X(InvalidArgument, 0x12)                 \
  X(InvalidType, 0x13)                     \
  X(OperatorMissing, 0x14)                 \
  X(RegistrationExceedingMaxKernels, 0x15) \
  X(RegistrationAlreadyRegistered, 0x16)   \
  X(NotFound, 0x20)                        \
  X(MemoryAllocationFailed, 0x21)          \
  X(AccessFailed, 0x22)                    \
  X(InvalidProgram, 0x23)                  \
  X(InvalidExternalData, 0x24)             \
  X(OutOfResources, 0x25)                  \
  X(DelegateInvalidCompatibility, 0x30)    \
  X(DelegateMemoryAllocationFailed, 0x31)  \
  X(DelegateInvalidHandle, 0x32)

enum class Error : uint32_t {
#define X(name, code) name = code,
  TENON_ERRORS(X)
#undef X
};
using error_code_t = uint32_t;

// Its name, such as "InvalidArgument". A build that does not call it holds no names.
[[gnu::const]] const char* to_string(Error error);

// A sentence in a buffer of fixed size. What does not fit is cut off; the text is always ended by a zero.
struct Message {
  static constexpr size_t capacity = 512;

  char text[capacity];

  Message() { text[0] = 0; }
  explicit operator bool() const { return text[0] != 0; }
  void clear() { text[0] = 0; }

#if TENON_WORDS
  // Replaces the text. Returns the code it is given, so that a failure is one statement.
  Error say(Error error, const char* format, ...) ET_PRINTFLIKE(3, 4);
  // Goes on behind the text there is.
  void add(const char* format, ...) ET_PRINTFLIKE(2, 3);
  void vadd(const char* format, va_list values) ET_PRINTFLIKE(2, 0);
#else
  template <class... Values>
  Error say(Error error, const char*, const Values&...) {
    return error;
  }
  template <class... Values>
  void add(const char*, const Values&...) {}
  void vadd(const char*, va_list) {}
#endif
};

[[noreturn]] void die(const char* file, int line, const char* format, ...) ET_PRINTFLIKE(3, 4);

// A value, or the error that came instead of it.
template <class T>
class Result {
 public:
  using value_type = T;

  Result(Error error) : ok_(false), error_(error == Error::Ok ? Error::Internal : error) {}
  Result(const T& value) : ok_(true), value_(value) {}
  Result(T&& value) : ok_(true), value_(std::move(value)) {}
  Result(Result&& other) : ok_(other.ok_) {
    if (ok_) {
      new (&value_) T(std::move(other.value_));
    } else {
      error_ = other.error_;
    }
  }
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;
  Result& operator=(Result&&) = delete;
  ~Result() {
    if (ok_) value_.~T();
  }

  bool ok() const { return ok_; }
  Error error() const { return ok_ ? Error::Ok : error_; }

  T& get() { return checked(), value_; }
  const T& get() const { return checked(), value_; }
  T& operator*() & { return get(); }
  const T& operator*() const& { return get(); }
  T&& operator*() && { return std::move(get()); }
  T* operator->() { return &get(); }
  const T* operator->() const { return &get(); }

 private:
  void checked() const {
    if (!ok_) die(__FILE__, __LINE__, "there is no value, but the error %s", to_string(error_));
  }

  bool ok_;
  union {
    T value_;
    Error error_;
  };
};

}  // namespace tenon
