// The context of a call: what failed, and temporary memory.
#include <tenon/context.h>

namespace tenon {

#if TENON_WORDS
void KernelRuntimeContext::fail(Error error, const char* format, ...) {
  if (failed()) return;
  error_ = error;
  va_list values;
  va_start(values, format);
  message_.clear();
  message_.vadd(format, values);
  va_end(values);
}
#endif

Result<void*> KernelRuntimeContext::allocate_temp(size_t size, size_t alignment) {
  if (!temporary_) return Error::NotFound;
  void* place = temporary_->allocate(size, alignment);
  if (!place) return Error::MemoryAllocationFailed;
  return place;
}

void* KernelRuntimeContext::temporary(size_t size, size_t alignment) {
  void* place = temporary_ ? temporary_->allocate(size, alignment) : nullptr;
  if (!place) {
    fail(Error::MemoryAllocationFailed, "it needs %zu bytes of temporary memory, and %zu are left", size,
         temporary_ ? temporary_->free_size() : size_t{0});
  }
  return place;
}

}  // namespace tenon
