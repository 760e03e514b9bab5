// A program: a .pte file whose every index, size, offset and jump was checked, once. It is used where it lies.
#pragma once

#include <string_view>

#include <tenon/array_ref.h>
#include <tenon/error.h>

#include "../load/container.h"
#include "../load/external.h"

namespace tenon {

// Constants or initial values: a segment, and where in it each begins. Entry 0 is reserved.
struct Entries {
  Numbers<uint64_t> offsets;
  Bytes segment;
  bool in_order = true;           // of their offsets, as they are in every file that a writer made
  Tables<format::Buffer> legacy;  // old files have constants in the flatbuffer instead

  size_t count() const;
  // From where it begins to where the next one does; to the end of the segment if they are not in order.
  Bytes operator[](size_t index) const;
};

class Program {
 public:
  // The file's bytes stay where they are and must outlive the program; at a multiple of 16, so that constants are
  // aligned. External data was read with read_external and order_names, and must outlive it too.
  static Error load(const void* data, size_t size, Program& program, Message& why, Span<const External> external = {});

  size_t method_count() const { return container_.flat.execution_plan().size(); }
  std::string_view method_name(size_t i) const;
  // Of two methods of one name, the first. Absent if there is none.
  format::ExecutionPlan plan(std::string_view name) const;
  format::ExecutionPlan plan(size_t i) const { return container_.flat.execution_plan()[i]; }

  const Entries& constants() const { return constants_; }
  const Entries& initial_values() const { return initial_values_; }
  // The data of a tensor that is not in the program, if it is there once, with the same dtype, shape and order.
  Error find_external(format::Tensor tensor, Bytes& data, Message& why) const;

 private:
  Container container_;
  Entries constants_, initial_values_;
  Span<const External> external_;
};

// The checks of one method, with the rules of tenon/pte/check.py. The sentence names the method and the place.
Error check_plan(const Program& program, format::FlatProgram flat, format::ExecutionPlan plan, Message& why);

inline std::string_view view(Text text) { return {text.data, text.size()}; }
inline bool is_external(format::Tensor tensor) {
  return tensor.extra_tensor_info().location() == static_cast<int8_t>(format::TensorDataLocation::External);
}
inline uint64_t offset_of(format::AllocationDetails place) {
  return static_cast<uint64_t>(place.memory_offset_high()) << 32 | place.memory_offset_low();
}

}  // namespace tenon
