// Temporary memory for hosts that have a heap: as much as a kernel asks for, until the next one runs.
#pragma once

#include <cstdlib>
#include <new>

#include "memory.h"

namespace tenon {

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
