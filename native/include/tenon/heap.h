// Temporary memory for hosts that have a heap: as much as a kernel asks for, given back when the next one runs.
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
  ~HeapAllocator() { reset(); }

  void* allocate(size_t size, size_t alignment = kDefaultAlignment) override {
    const size_t head = alignment > sizeof(Block) ? alignment : sizeof(Block);
    if (!alignment || (alignment & (alignment - 1)) || size > SIZE_MAX - 2 * head) return nullptr;
    void* taken = std::malloc(size + 2 * head);
    if (!taken) return nullptr;
    blocks_ = new (taken) Block{blocks_};
    take(size);
    const uintptr_t past = reinterpret_cast<uintptr_t>(taken) + sizeof(Block);
    return reinterpret_cast<void*>((past + alignment - 1) & ~(uintptr_t{alignment} - 1));
  }
  void reset() override {
    while (Block* block = blocks_) {
      blocks_ = block->next;
      std::free(block);
    }
    MemoryAllocator::reset();
  }

 private:
  struct Block {
    Block* next;
  };

  Block* blocks_ = nullptr;
};

}  // namespace tenon
