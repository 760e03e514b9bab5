// Loads a program: container, data, then every method, with the rules of tenon/pte/program.py.
#include "program.h"

#include <tenon/dtype.h>

namespace tenon {

static_assert(sizeof format::scalar_type_bytes == sizeof dtype_bytes, "two lists of dtypes");

// --- data -------------------------------------------------------------------------------------------------------

size_t Entries::count() const { return legacy ? legacy.size() : offsets.size(); }

Bytes Entries::operator[](size_t index) const {
  if (legacy) return {legacy[index].storage().data, legacy[index].storage().size()};
  const uint64_t start = offsets[index];
  uint64_t end = segment.size;
  if (in_order) {
    size_t low = index + 1;  // the first behind it that is larger
    for (size_t high = offsets.size(); low < high;) {
      const size_t middle = low + (high - low) / 2;
      if (offsets[middle] > start) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    if (low < offsets.size()) end = offsets[low];
  }
  return {segment.data + static_cast<size_t>(start), static_cast<size_t>(end - start)};
}

namespace {

Error read_entries(const Container& container, format::SubsegmentOffsets where, const char* who, Entries& entries,
                   Message& why) {
  const Numbers<uint64_t> offsets = where.offsets();
  if (offsets.size() < 2) return Error::Ok;
  if (where.segment_index() >= container.segment_count()) {
    return why.say(Error::InvalidProgram, "the segment of %s is in segment %u, and there are %zu.", who,
                   where.segment_index(), container.segment_count());
  }
  entries.offsets = offsets;
  entries.segment = container.segment(where.segment_index());
  for (size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] > entries.segment.size) {
      return why.say(Error::InvalidProgram, "entry %zu of its %s begins at byte %llu, and their segment has %zu.", i,
                     who, static_cast<unsigned long long>(offsets[i]), entries.segment.size);
    }
    if (i && offsets[i] < offsets[i - 1]) entries.in_order = false;
  }
  return Error::Ok;
}

Error check_named_data(const Container& container, Message& why) {
  const Tables<format::NamedData> named = container.flat.named_data();
  for (size_t i = 0; i < named.size(); ++i) {
    if (!named[i].key()) return why.say(Error::InvalidProgram, "an entry of its named data has no key.");
    if (named[i].segment_index() >= container.segment_count()) {
      return why.say(Error::InvalidProgram, "the named data %.*s is in segment %u, and there are %zu.",
                     static_cast<int>(named[i].key().size()), named[i].key().data, named[i].segment_index(),
                     container.segment_count());
    }
  }
  return Error::Ok;
}

}  // namespace

// --- programs ---------------------------------------------------------------------------------------------------

Error Program::load(const void* data, size_t size, Program& program, Message& why, Span<const External> external) {
  Program made;
  if (const Fault fault = read_container(static_cast<const uint8_t*>(data), size, made.container_)) {
    if (TENON_WORDS) say(fault, why.text, why.capacity);
    return Error::InvalidProgram;
  }
  made.external_ = external;
  const format::FlatProgram flat = made.container_.flat;
  Error error = read_entries(made.container_, flat.constant_segment(), "constants", made.constants_, why);
  if (error != Error::Ok) return error;
  if (!made.constants_.count() && flat.constant_buffer()) made.constants_.legacy = flat.constant_buffer();
  if (flat.mutable_data_segments().size()) {
    error = read_entries(made.container_, flat.mutable_data_segments()[0], "initial values", made.initial_values_, why);
    if (error != Error::Ok) return error;
  }
  error = check_named_data(made.container_, why);
  if (error != Error::Ok) return error;
  if (!made.method_count()) return why.say(Error::InvalidProgram, "it has no methods.");
  for (size_t i = 0; i < made.method_count(); ++i) {
    error = check_plan(made, flat, made.plan(i), why);
    if (error != Error::Ok) return error;
  }
  program = made;
  return Error::Ok;
}

std::string_view Program::method_name(size_t i) const { return view(plan(i).name()); }

format::ExecutionPlan Program::plan(std::string_view name) const {
  for (size_t i = 0; i < method_count(); ++i) {
    if (method_name(i) == name) return plan(i);
  }
  return {};
}

Error Program::find_external(format::Tensor tensor, Bytes& data, Message& why) const {
  const Text name = tensor.extra_tensor_info().fully_qualified_name();
  const int length = static_cast<int>(name.size());
  const External* holder = nullptr;
  format::ExternalData entry;
  for (const External& each : external_) {
    const format::ExternalData found = each.find(name.data, name.size());
    if (!found) continue;
    if (holder) {
      return why.say(Error::InvalidExternalData, "the external data %.*s is there twice.", length, name.data);
    }
    holder = &each;
    entry = found;
  }
  if (!holder) {
    return why.say(Error::NotFound, "it needs the external data %.*s, and there is none beside the program.", length,
                   name.data);
  }
  const format::TensorLayout layout = entry.tensor_layout();
  bool is_same = layout.scalar_type() == tensor.scalar_type() && layout.sizes().size() == tensor.sizes().size();
  for (size_t d = 0; is_same && d < tensor.sizes().size(); ++d) {
    is_same = layout.sizes()[d] == tensor.sizes()[d] && layout.dim_order()[d] == tensor.dim_order()[d];
  }
  if (!is_same) {
    return why.say(Error::InvalidExternalData,
                   "the external data %.*s has another dtype, shape or order of dimensions than the program says.",
                   length, name.data);
  }
  data = holder->data(entry);
  return Error::Ok;
}

}  // namespace tenon
