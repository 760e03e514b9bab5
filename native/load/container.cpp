// Reads the container of a .pte file, with the rules of tenon/pte/container.py.
#include "container.h"

namespace tenon {
namespace {

// Where the flatbuffer ends, and where the segments begin and end.
struct Extent {
  uint64_t flat, base, end;
};

// A header of this kind, but of another version, or one that is cut short.
bool is_other_header(const uint8_t* data, size_t size) {
  if (size < 11 || std::memcmp(data + 8, format::program_magic, 2) != 0) return false;
  for (size_t i = 10; i < 12 && i < size; ++i) {
    if (data[i] < '0' || data[i] > '9') return false;
  }
  return true;
}

Fault read_header(const uint8_t* data, size_t size, Extent& extent) {
  extent = {size, size, size};
  if (size < 8 + format::oldest_program_header || std::memcmp(data + 8, format::program_magic, 4) != 0) {
    return is_other_header(data, size) ? Fault(Reason::unknown_header, 8, size) : Fault();
  }
  const uint64_t length = read<uint32_t>(data + 12);
  if (length < format::oldest_program_header) return Fault(Reason::short_header, 12, length);
  const uint64_t flat = read<uint64_t>(data + 16);
  const uint64_t base = read<uint64_t>(data + 24);
  const bool knows_end = length >= format::program_header && size >= 8 + format::program_header;
  const uint64_t segments = knows_end ? read<uint64_t>(data + 32) : 0;
  if (flat < 8 + length || flat > size) return Fault(Reason::wrong_flat_size, 16, flat);
  if (base && base < flat) return Fault(Reason::wrong_segment_base, 24, base);
  if (base > size || segments > size - base) return Fault(Reason::wrong_segment_end, base, segments);
  extent.flat = flat;
  if (!base) return Fault();
  extent.base = base;
  if (segments) extent.end = base + segments;
  return Fault();
}

}  // namespace

Bytes Container::segment(size_t i) const {
  const format::DataSegment segment = flat.segments()[i];
  const size_t size = static_cast<size_t>(segment.size());
  if (!size) return Bytes();
  return {segments + static_cast<size_t>(segment.offset()), size};
}

Fault read_container(const uint8_t* data, size_t size, Container& container) {
  if (size < 8) return Fault(Reason::too_short, 0, size);
  if (std::memcmp(data + 4, format::program_identifier, 4) != 0) return Fault(Reason::unknown_identifier, 4, 0);
  Extent extent;
  if (Fault found = read_header(data, size, extent)) return found;
  const size_t flat_size = static_cast<size_t>(extent.flat);
  if (Fault found = verify(data, flat_size, format::schema, format::FlatProgram::number)) return found;
  const format::FlatProgram flat = root<format::FlatProgram>(data);
  if (flat.version() > 0) return Fault(Reason::newer_version, 0, flat.version());
  const uint64_t room = extent.end - extent.base;
  const Tables<format::DataSegment> segments = flat.segments();
  for (size_t i = 0; i < segments.size(); ++i) {
    const uint64_t offset = segments[i].offset(), length = segments[i].size();
    if (length && (offset > room || length > room - offset)) return Fault(Reason::segment_outside, offset, i);
  }
  container = {flat, data + static_cast<size_t>(extent.base)};
  return Fault();
}

}  // namespace tenon
