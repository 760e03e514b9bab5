// Memory for hosts that have a heap: blocks for programs and banks, and temporary memory for kernels.
#pragma once

#include <cstdlib>
#include <cstring>
#include <new>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "memory.h"

namespace tenon {

// Memory at a multiple of 64, zeroed, so that a program that reads before it writes does so alike every time. What is
// large lies in large pages where the system has them. Where there is no memory, its data is null.
class HeapBlock {
 public:
  explicit HeapBlock(size_t size) : size_(size) {
    constexpr size_t kPage = size_t{1} << 21;
    const size_t alignment = size < kPage ? 64 : kPage;
    if (size > SIZE_MAX - alignment) return;
    data_ = static_cast<uint8_t*>(std::aligned_alloc(alignment, (size + alignment) / alignment * alignment));
    if (!data_) return;
#ifdef MADV_HUGEPAGE
    if (size >= kPage) (void)madvise(data_, size / kPage * kPage, MADV_HUGEPAGE);  // a system may have none
#endif
    std::memset(data_, 0, size);
  }
  HeapBlock(HeapBlock&& other) noexcept : size_(other.size_), data_(other.data_) { other.data_ = nullptr; }
  HeapBlock(const HeapBlock&) = delete;
  HeapBlock& operator=(const HeapBlock&) = delete;
  ~HeapBlock() { std::free(data_); }
  uint8_t* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  size_t size_;
  uint8_t* data_ = nullptr;
};

// Temporary memory: as much as a kernel asks for, until the next one runs.
class HeapAllocator final : public MemoryAllocator {
 public:
  HeapAllocator() : MemoryAllocator(0, nullptr) {}
  HeapAllocator(const HeapAllocator&) = delete;
  HeapAllocator& operator=(const HeapAllocator&) = delete;
  ~HeapAllocator() {
    free_blocks();
    std::free(kept_);
  }

  void* allocate(size_t size, size_t alignment = kDefaultAlignment) override {
    if (!alignment || (alignment & (alignment - 1)) || size > SIZE_MAX / 2 - alignment) return nullptr;
    const size_t whole = size + alignment + sizeof(Block);
    char* place = kept_ && whole <= kept_size_ - kept_used_ ? kept_ + kept_used_ : nullptr;
    if (place) {
      kept_used_ += whole;
    } else {
      void* taken = std::malloc(whole);
      if (!taken) return nullptr;
      blocks_ = new (taken) Block{blocks_};
      place = static_cast<char*>(taken) + sizeof(Block);
    }
    take(whole);
    return reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(place) + alignment - 1) & ~(uintptr_t{alignment} - 1));
  }

  // What one kernel needed in several pieces is kept as one, for the next: the system gives new memory page by page.
  void reset() override {
    if (blocks_) {
      free_blocks();
      std::free(kept_);
      kept_size_ = peak_size();
      kept_ = static_cast<char*>(std::malloc(kept_size_));
    }
    kept_used_ = 0;
    MemoryAllocator::reset();
  }

 private:
  struct Block {
    Block* next;
  };
  void free_blocks() {
    while (Block* block = blocks_) {
      blocks_ = block->next;
      std::free(block);
    }
  }

  Block* blocks_ = nullptr;
  char* kept_ = nullptr;
  size_t kept_size_ = 0, kept_used_ = 0;
};

}  // namespace tenon
