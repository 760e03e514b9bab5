// The container of a .pte file: a flatbuffer, an extended header inside it, and segments of raw bytes behind it.
#pragma once

#include "fault.h"
#include "format.h"

namespace tenon {

struct Bytes {
  const uint8_t* data = nullptr;
  size_t size = 0;
};

// Views into a file that was read with read_container; the file's bytes must outlive it.
struct Container {
  format::FlatProgram flat;
  const uint8_t* segments = nullptr;  // where they begin

  size_t segment_count() const { return flat.segments().size(); }
  Bytes segment(size_t i) const;
};

// Takes a file apart; every size in it is checked against the bytes there are. The container is set only without fault.
Fault read_container(const uint8_t* data, size_t size, Container& container);

}  // namespace tenon
