// Verifies a flatbuffer by one walk over the forms of its fields, with the rules of tenon/pte/read_flat.py.
#include "flat.h"

namespace tenon {

// --- views ------------------------------------------------------------------------------------------------------

const uint8_t* Table::field(unsigned slot) const {
  if (!start) return nullptr;
  const uint8_t* list = start - read<int32_t>(start);
  const unsigned place = 4 + 2 * slot;
  if (place + 2 > read<uint16_t>(list)) return nullptr;
  const unsigned entry = read<uint16_t>(list + place);
  return entry ? start + entry : nullptr;
}

const uint8_t* Table::target(unsigned slot) const {
  const uint8_t* at = field(slot);
  return at ? at + read<uint32_t>(at) : nullptr;
}

const uint8_t* Table::member(unsigned slot, unsigned kind) const {
  return scalar<uint8_t>(slot, 0) == kind ? target(slot + 1) : nullptr;
}

const uint8_t* Table::vector(unsigned slot, size_t& count) const {
  const uint8_t* at = target(slot);
  count = at ? read<uint32_t>(at) : 0;
  return at ? at + 4 : nullptr;
}

// --- verification -----------------------------------------------------------------------------------------------

namespace {

// No surrogates, nothing longer than it need be, nothing past U+10FFFF.
bool is_utf8(const uint8_t* at, const uint8_t* end) {
  while (at < end) {
    const unsigned lead = *at++;
    if (lead < 0x80) continue;
    const unsigned more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    if (lead < 0xc2 || lead > 0xf4 || static_cast<size_t>(end - at) < more) return false;
    const unsigned second = *at;
    if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) || (lead == 0xf0 && second < 0x90) ||
        (lead == 0xf4 && second > 0x8f)) {
      return false;
    }
    for (unsigned i = 0; i < more; ++i) {
      if ((*at++ & 0xc0) != 0x80) return false;
    }
  }
  return true;
}

// Positions count from the first byte. Each is known to have four bytes before the end when it is handed on.
class Walk {
 public:
  Walk(const uint8_t* data, size_t size, const Schema& schema)
      : data_(data), size_(size), budget_(size > SIZE_MAX / 2 ? SIZE_MAX : 2 * size), schema_(schema) {}

  Fault run(unsigned root_table) {
    size_t at = 0;
    if (size_ < 4) {
      fail(Reason::too_short, 0, size_);
    } else if (follow(at)) {
      table(root_table, at);
    }
    return fault_;
  }

 private:
  bool fail(Reason reason, size_t at, uint64_t value) {
    fault_.reason = reason;
    fault_.at = at;
    fault_.value = value;
    return false;
  }

  // Moves `at` to where the offset there leads.
  bool follow(size_t& at) {
    const uint32_t distance = read<uint32_t>(data_ + at);
    if (distance < 4 || distance > size_ - 4 - at) return fail(Reason::offset_outside, at, distance);
    at += distance;
    return true;
  }

  bool spend(size_t count, size_t at) {
    if (count > budget_) return fail(Reason::read_again, at, count);
    budget_ -= count;
    return true;
  }

  bool table(unsigned number, size_t at) {
    fault_.table = static_cast<uint8_t>(number);
    fault_.field = Fault::nowhere;
    // A list before the first byte wraps round to a position behind the last.
    const size_t list = at - static_cast<size_t>(static_cast<ptrdiff_t>(read<int32_t>(data_ + at)));
    if (list > size_ - 4) return fail(Reason::fields_outside, at, list);
    const unsigned length = read<uint16_t>(data_ + list);
    const unsigned extent = read<uint16_t>(data_ + list + 2);
    if (length < 4 || length % 2 || length > size_ - list) return fail(Reason::wrong_field_list, at, length);
    if (extent > size_ - at) return fail(Reason::table_too_long, at, extent);
    if (!spend(extent + 4, at)) return false;
    const unsigned first = schema_.first_field[number];
    for (unsigned i = first; i < schema_.first_field[number + 1]; ++i) {
      fault_.table = static_cast<uint8_t>(number);
      fault_.field = static_cast<uint8_t>(i - first);
      if (!field(schema_.fields[i], at, extent, list, length)) return false;
    }
    return true;
  }

  bool field(const FieldForm& form, size_t at, unsigned extent, size_t list, unsigned length) {
    unsigned entry = slot(form.slot, list, length);
    unsigned target = form.target;
    if (form.form == Form::choice) {
      if (entry && !inside(entry, 1, at, extent)) return false;
      const unsigned kind = entry ? data_[at + entry] : 0;
      if (kind < 1 || kind > form.size) return fail(Reason::unknown_kind, at, kind);
      entry = slot(form.slot + 1u, list, length);
      if (!entry) return fail(Reason::absent, at, kind);
      target = schema_.kinds[target + kind - 1];
    }
    if (!entry) return true;
    if (!inside(entry, form.form == Form::scalar ? 1u << form.size : 4, at, extent)) return false;
    if (form.form == Form::scalar) return true;
    at += entry;
    if (!follow(at)) return false;
    if (form.form == Form::table || form.form == Form::choice) return table(target, at);
    return vector(form, at);
  }

  bool vector(const FieldForm& form, size_t at) {
    const size_t count = read<uint32_t>(data_ + at);
    if (count > (size_ - 4 - at) >> form.size) return fail(Reason::vector_too_long, at, count);
    if (!spend(4 + (count << form.size), at)) return false;
    const uint8_t* begin = data_ + at + 4;
    if (form.form == Form::string && !is_utf8(begin, begin + count)) return fail(Reason::not_utf8, at, count);
    if (form.form != Form::tables) return true;
    const uint8_t field = fault_.field;
    const uint8_t owner = fault_.table;
    for (size_t i = 0; i < count; ++i) {
      size_t item = at + 4 + 4 * i;
      fault_.table = owner;
      fault_.field = field;
      if (!follow(item) || !table(form.target, item)) return false;
    }
    return true;
  }

  unsigned slot(unsigned number, size_t list, unsigned length) const {
    const unsigned place = 4 + 2 * number;
    return place + 2 <= length ? read<uint16_t>(data_ + list + place) : 0;
  }

  bool inside(unsigned entry, unsigned width, size_t at, unsigned extent) {
    return (entry >= 4 && entry + width <= extent) || fail(Reason::field_outside, at, entry);
  }

  const uint8_t* data_;
  size_t size_;
  size_t budget_;
  const Schema& schema_;
  Fault fault_;
};

}  // namespace

Fault verify(const uint8_t* data, size_t size, const Schema& schema, unsigned root_table) {
  Fault fault = Walk(data, size, schema).run(root_table);
  if (!fault) fault = Fault();  // the walk leaves its last place
  return fault;
}

}  // namespace tenon
