// Reads a .ptd file, with the rules of tenon/pte/external.py.
#include "external.h"

namespace tenon {
namespace {

bool is_permutation(Numbers<uint8_t> order) {
  uint32_t seen[8] = {};
  for (size_t i = 0; i < order.size(); ++i) {
    const uint32_t bit = 1u << order[i] % 32;
    if (order[i] >= order.size() || (seen[order[i] / 32] & bit)) return false;
    seen[order[i] / 32] |= bit;
  }
  return true;
}

bool is_known(format::TensorLayout layout) {
  const Numbers<int32_t> sizes = layout.sizes();
  const Numbers<uint8_t> order = layout.dim_order();
  if (!sizes || !order || sizes.size() != order.size() || !is_permutation(order)) return false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0) return false;
  }
  return static_cast<uint8_t>(layout.scalar_type()) < sizeof format::scalar_type_bytes;
}

// Whether the bytes of a tensor are no more than `room`; the product is never made when it is larger.
bool fits(format::TensorLayout layout, size_t room) {
  const Numbers<int32_t> sizes = layout.sizes();
  size_t needs = format::scalar_type_bytes[layout.scalar_type()];
  bool fit = needs <= room;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const size_t size = static_cast<size_t>(sizes[i]);
    if (!size) return true;
    if (fit) fit = size <= room / needs;
    if (fit) needs *= size;
  }
  return fit;
}

Fault check_entry(format::FlatTensor flat, size_t i, uint64_t room) {
  const format::ExternalData entry = flat.named_data()[i];
  if (!entry.key()) return Fault(Reason::unnamed, 0, i);
  if (entry.segment_index() >= flat.segments().size()) return Fault(Reason::unknown_segment, 0, i);
  const format::DataSegment segment = flat.segments()[entry.segment_index()];
  if (segment.offset() > room || segment.size() > room - segment.offset()) {
    return Fault(Reason::segment_outside, segment.offset(), entry.segment_index());
  }
  if (!is_known(entry.tensor_layout())) return Fault(Reason::wrong_layout, 0, i);
  if (!fits(entry.tensor_layout(), static_cast<size_t>(segment.size()))) return Fault(Reason::segment_too_small, 0, i);
  return Fault();
}

// Below zero if a comes before b, 0 if they are the same.
int compare(Text a, const char* data, size_t size) {
  const int found = std::memcmp(a.data, data, a.size() < size ? a.size() : size);
  return found ? found : a.size() < size ? -1 : a.size() > size;
}

// Moves the first of `count` numbers from `parent` on down to its place in the heap, whose largest name is on top.
void sift(Tables<format::ExternalData> entries, uint32_t* order, size_t parent, size_t count) {
  for (size_t child; (child = 2 * parent + 1) < count; parent = child) {
    if (child + 1 < count) {
      const Text right = entries[order[child + 1]].key();
      if (compare(entries[order[child]].key(), right.data, right.size()) < 0) ++child;
    }
    const Text largest = entries[order[child]].key();
    if (compare(entries[order[parent]].key(), largest.data, largest.size()) >= 0) return;
    const uint32_t moved = order[parent];
    order[parent] = order[child];
    order[child] = moved;
  }
}

}  // namespace

Bytes External::data(format::ExternalData entry) const {
  const format::DataSegment segment = flat.segments()[entry.segment_index()];
  return {segments + static_cast<size_t>(segment.offset()), static_cast<size_t>(segment.size())};
}

format::ExternalData External::find(const char* name, size_t size) const {
  size_t low = 0;
  for (size_t high = count(); low < high;) {
    const size_t middle = low + (high - low) / 2;
    const format::ExternalData entry = flat.named_data()[order[middle]];
    const int found = compare(entry.key(), name, size);
    if (!found) return entry;
    if (found < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return {};
}

Fault read_external(const uint8_t* data, size_t size, External& external) {
  if (size < 8 + format::external_block) return Fault(Reason::too_short, 0, size);
  if (std::memcmp(data + 4, format::external_identifier, 4) != 0) return Fault(Reason::unknown_identifier, 4, 0);
  if (std::memcmp(data + 8, format::external_magic, 4) != 0) return Fault(Reason::unknown_header, 8, 0);
  const uint32_t length = read<uint32_t>(data + 12);
  if (length < format::external_header) return Fault(Reason::short_header, 12, length);
  const uint64_t inserted = read<uint64_t>(data + 16);
  const uint64_t flat_size = read<uint64_t>(data + 24);
  const uint64_t base = read<uint64_t>(data + 32);
  const uint64_t room = read<uint64_t>(data + 40);
  if (inserted > size || flat_size > size - inserted) return Fault(Reason::wrong_flat_size, 16, flat_size);
  if (base > size || room > size - base) return Fault(Reason::wrong_segment_end, base, room);
  const size_t extent = static_cast<size_t>(inserted + flat_size);
  if (Fault found = verify(data, extent, format::schema, format::FlatTensor::number)) return found;
  const format::FlatTensor flat = root<format::FlatTensor>(data);
  if (flat.version() > 0) return Fault(Reason::newer_version, 0, flat.version());
  for (size_t i = 0; i < flat.named_data().size(); ++i) {
    if (Fault found = check_entry(flat, i, room)) return found;
  }
  external = {flat, data + static_cast<size_t>(base), nullptr};
  return Fault();
}

Fault order_names(External& external, uint32_t* room) {
  const Tables<format::ExternalData> entries = external.flat.named_data();
  const size_t count = entries.size();
  for (size_t i = 0; i < count; ++i) room[i] = static_cast<uint32_t>(i);
  for (size_t i = count / 2; i > 0; --i) sift(entries, room, i - 1, count);
  for (size_t end = count; end > 1; --end) {
    const uint32_t largest = room[0];
    room[0] = room[end - 1];
    room[end - 1] = largest;
    sift(entries, room, 0, end - 1);
  }
  for (size_t i = 1; i < count; ++i) {
    const Text name = entries[room[i - 1]].key();
    if (!compare(entries[room[i]].key(), name.data, name.size())) return Fault(Reason::named_twice, 0, room[i]);
  }
  external.order = room;
  return Fault();
}

}  // namespace tenon
