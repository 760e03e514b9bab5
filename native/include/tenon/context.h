// What a kernel knows besides its arguments: where it fails, and memory for the time of one call.
#pragma once

#include "memory.h"

namespace tenon {

class EventTracer;  // there is none; the name is for sources that mention it

class KernelRuntimeContext {
 public:
  explicit KernelRuntimeContext(EventTracer* = nullptr, MemoryAllocator* temporary = nullptr) : temporary_(temporary) {}

  // The first failure counts. Its words should say what is wrong, with values: "k=9 exceeds size 5 of dim 1". Who it is
  // (operator, instruction, method) is added by the executor.
  void fail(Error error) {
    if (error_ == Error::Ok) error_ = error;
  }
#if TENON_WORDS
  void fail(Error error, const char* format, ...) ET_PRINTFLIKE(3, 4);
#else
  template <class... Values>
  void fail(Error error, const char*, const Values&...) {
    fail(error);
  }
#endif

  Error failure_state() const { return error_; }
  bool failed() const { return error_ != Error::Ok; }
  const char* message() const { return message_.text; }  // empty if it failed without words
  void clear() {
    error_ = Error::Ok;
    message_.clear();
  }

  // Until the kernel returns. NotFound if there is no such memory, MemoryAllocationFailed if it is too small: that is
  // for the kernel to tell, as some can do without. `temporary` fails by itself, with the bytes, and gives null.
  Result<void*> allocate_temp(size_t size, size_t alignment = MemoryAllocator::kDefaultAlignment);
  void* temporary(size_t size, size_t alignment = MemoryAllocator::kDefaultAlignment);

  EventTracer* internal_event_tracer() { return nullptr; }

 private:
  MemoryAllocator* temporary_;
  Error error_ = Error::Ok;
  Message message_;
};

using Context = KernelRuntimeContext;

}  // namespace tenon
