// Flatbuffers: views into one that was verified, and what verifies it. Both know only forms; format.h has our tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "fault.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Program files are little-endian and are read as they lie; this machine is not."
#endif

namespace tenon {

// --- views: nothing is checked here, so that only verified bytes may be viewed ----------------------------------

// Bytes may lie at any address. A bool is any byte: one that is neither 0 nor 1 counts as true.
template <class T>
T read(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}
template <>
inline bool read<bool>(const uint8_t* at) {
  return *at != 0;
}

// A string, not ended by a zero. Without data it is absent, as are the others below.
struct Text {
  const char* data = nullptr;
  size_t count = 0;

  size_t size() const { return count; }
  explicit operator bool() const { return data != nullptr; }
};

template <class T>
struct Numbers {
  const uint8_t* data = nullptr;
  size_t count = 0;

  size_t size() const { return count; }
  T operator[](size_t i) const { return read<T>(data + i * sizeof(T)); }
  explicit operator bool() const { return data != nullptr; }
};

template <class T>
struct Tables {
  const uint8_t* data = nullptr;
  size_t count = 0;

  size_t size() const { return count; }
  T operator[](size_t i) const {
    const uint8_t* at = data + 4 * i;
    return T{{at + read<uint32_t>(at)}};
  }
  explicit operator bool() const { return data != nullptr; }
};

// What the tables of a format share. Every field of an absent table is absent.
struct Table {
  const uint8_t* start = nullptr;

  explicit operator bool() const { return start != nullptr; }

 protected:
  const uint8_t* field(unsigned slot) const;   // null if absent
  const uint8_t* target(unsigned slot) const;  // where its offset leads
  const uint8_t* member(unsigned slot, unsigned kind) const;  // of a union, if it has this kind
  const uint8_t* vector(unsigned slot, size_t& count) const;

  bool has(unsigned slot) const { return field(slot) != nullptr; }

  template <class T>
  T scalar(unsigned slot, T absent) const {
    const uint8_t* at = field(slot);
    return at ? read<T>(at) : absent;
  }
  Text text(unsigned slot) const {
    Text view;
    view.data = reinterpret_cast<const char*>(vector(slot, view.count));
    return view;
  }
  template <class View>
  View list(unsigned slot) const {
    View view;
    view.data = vector(slot, view.count);
    return view;
  }
};

// The root table of verified bytes.
template <class T>
T root(const uint8_t* data) {
  return T{{data + read<uint32_t>(data)}};
}

// --- verification -----------------------------------------------------------------------------------------------

enum class Form : uint8_t { scalar, string, table, choice, scalars, tables };  // a choice is a union

struct FieldForm {
  uint8_t slot;
  Form form;
  uint8_t size;    // of a scalar or of a vector's elements, as a power of two; of a choice, how many kinds
  uint8_t target;  // the table's number; of a choice, where in the schema's kinds its first one is
};

// All tables of a format. Table t has the fields first_field[t] up to first_field[t + 1]; a table leads only to tables
// of lower numbers, so that no walk is deeper than there are tables.
struct Schema {
  const FieldForm* fields;
  const uint8_t* first_field;
  const uint8_t* kinds;
};

// Every offset, length, kind and string that can be reached from the root. All that is reached together may not be more
// than twice the bytes there are, so that a small file cannot unfold into a large one.
Fault verify(const uint8_t* data, size_t size, const Schema& schema, unsigned root_table);

}  // namespace tenon
