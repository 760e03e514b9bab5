// Memory that the caller gives. Nothing in the runtime takes any by itself.
#pragma once

#include "array_ref.h"
#include "error.h"

namespace tenon {

// Hands out one buffer from front to back, and all of it again after reset(). Another way to get memory overrides both.
class MemoryAllocator {
 public:
  static constexpr size_t kDefaultAlignment = alignof(void*);

  constexpr MemoryAllocator(size_t size, uint8_t* base) : base_(base), size_(size) {}

  // Null if it does not fit, or if the alignment is no power of two. Here, and not in a source, so that code with RTTI can
  // override it: the runtime is compiled without.
  virtual void* allocate(size_t size, size_t alignment = kDefaultAlignment) {
    if (!alignment || (alignment & (alignment - 1))) return nullptr;
    const uintptr_t start = reinterpret_cast<uintptr_t>(base_) + used_;
    const size_t padding = static_cast<size_t>(-start & (alignment - 1));
    if (padding > free_size() || size > free_size() - padding) return nullptr;
    uint8_t* place = base_ + used_ + padding;
    take(padding + size);
    return place;
  }
  template <class T>
  T* allocateInstance(size_t alignment = alignof(T)) {
    return static_cast<T*>(allocate(sizeof(T), alignment));
  }
  template <class T>
  T* allocateList(size_t count, size_t alignment = alignof(T)) {
    return count > SIZE_MAX / sizeof(T) ? nullptr : static_cast<T*>(allocate(count * sizeof(T), alignment));
  }
  virtual void reset() { used_ = 0; }

  uint8_t* base_address() const { return base_; }
  size_t size() const { return size_; }
  size_t used_size() const { return used_; }
  size_t free_size() const { return size_ > used_ ? size_ - used_ : 0; }
  size_t peak_size() const { return peak_; }  // the most that was ever in use

 protected:
  void take(size_t size) {
    used_ += size;
    if (used_ > peak_) peak_ = used_;
  }

 private:
  uint8_t* base_;
  size_t size_;
  size_t used_ = 0;
  size_t peak_ = 0;
};

// The memory banks of a program: buffer k - 1 is bank k. Each begins at a multiple of 16.
class HierarchicalAllocator {
 public:
  explicit constexpr HierarchicalAllocator(Span<Span<uint8_t>> buffers) : buffers_(buffers) {}
  size_t count() const { return buffers_.size(); }
  Span<uint8_t> bank(size_t k) const { return buffers_[k - 1]; }

 private:
  Span<Span<uint8_t>> buffers_;
};

// All memory of one method: for what it is made of, for its tensors, and for what kernels need during one call.
class MemoryManager {
 public:
  explicit constexpr MemoryManager(MemoryAllocator* method, HierarchicalAllocator* planned = nullptr,
                                   MemoryAllocator* temporary = nullptr)
      : method_(method), planned_(planned), temporary_(temporary) {}

  MemoryAllocator* method_allocator() const { return method_; }
  HierarchicalAllocator* planned_memory() const { return planned_; }
  MemoryAllocator* temp_allocator() const { return temporary_; }

 private:
  MemoryAllocator* method_;
  HierarchicalAllocator* planned_;
  MemoryAllocator* temporary_;
};

}  // namespace tenon
