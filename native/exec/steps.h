// What loading and running a method share: its instructions as they are run.
#pragma once

#include "method.h"

namespace tenon {

struct Method::Step {
  enum class Kind : uint8_t { nothing, call, move, jump };

  union {
    OpFunction function;
    EValue* from;  // what is moved, or what a jump depends on
  };
  union {
    EValue** args;
    EValue* to;
  };
  uint32_t count;  // of arguments; of a jump, where to
  Kind kind;

  Step() : function(nullptr), args(nullptr), count(0), kind(Kind::nothing) {}
};

struct Method::Steps {
  Step* first;
  size_t count;
};

// For elements of this size: a complex of 16 bytes is two of 8.
inline bool is_aligned(const void* place, size_t element_size) {
  return reinterpret_cast<uintptr_t>(place) % (element_size < 16 ? element_size : 8) == 0;
}

}  // namespace tenon
