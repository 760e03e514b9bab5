// The sidecar of a program, a .ptd file: tensors by name, outside the program that uses them.
#pragma once

#include "container.h"

namespace tenon {

// Views into a file that was read with read_external; the file's bytes must outlive it.
struct External {
  format::FlatTensor flat;
  const uint8_t* segments = nullptr;  // where they begin
  const uint32_t* order = nullptr;    // the entries' numbers by ascending name

  size_t count() const { return flat.named_data().size(); }
  Bytes data(format::ExternalData entry) const;
  format::ExternalData find(const char* name, size_t size) const;  // after order_names; absent if there is none
};

// Takes a file apart; every size in it is checked against the bytes there are. It is set only without fault.
Fault read_external(const uint8_t* data, size_t size, External& external);

// Puts the names in order, in `room` for count() numbers, and refuses a name that is there twice. In order, because to
// compare each with each would let a small file take long; in the caller's room, because nothing is allocated here.
Fault order_names(External& external, uint32_t* room);

}  // namespace tenon
