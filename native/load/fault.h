// What can be wrong with a file, as a small value: a reason, the table and field, the byte, and what was there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenon {

// Every reason, and its words. In the words, $v is the fault's value and $a the byte it was found at.
#define TENON_REASONS(X)                                                                                      \
  X(none, "nothing is wrong")                                                                                 \
  X(too_short, "the file has $v bytes, and even an empty one has more")                                       \
  X(unknown_identifier, "bytes 4 to 7 are not the identifier of this format")                                 \
  X(unknown_header, "the header at byte 8 is not one that is known")                                          \
  X(short_header, "the header says it is $v bytes long, which is too short")                                  \
  X(wrong_flat_size, "the header says the flatbuffer has $v bytes, which cannot be")                          \
  X(wrong_segment_base, "the header says segments begin at byte $v, which lies inside the flatbuffer")        \
  X(wrong_segment_end, "the header says segments have $v bytes from byte $a on, past the end of the file")    \
  X(newer_version, "the schema version is $v, and version 0 is read")                                         \
  X(offset_outside, "the offset $v at byte $a leads outside the flatbuffer")                                  \
  X(fields_outside, "the table at byte $a has its list of fields outside the flatbuffer")                     \
  X(wrong_field_list, "the table at byte $a has a list of fields of $v bytes, which cannot be")               \
  X(table_too_long, "the table at byte $a of $v bytes leads past the end of the flatbuffer")                  \
  X(field_outside, "it lies at byte $v of its table, which is outside")                                       \
  X(unknown_kind, "$v is none of its kinds")                                                                  \
  X(absent, "it has a kind, but no content")                                                                  \
  X(vector_too_long, "the $v elements at byte $a lead past the end of the flatbuffer")                        \
  X(not_utf8, "the string at byte $a is not UTF-8")                                                           \
  X(read_again, "more is read than the file can hold: it refers to the same bytes again and again")           \
  X(segment_outside, "segment $v leads past the end of the segments")                                         \
  X(unnamed, "entry $v has no name")                                                                          \
  X(named_twice, "entry $v has the name of another one")                                                      \
  X(unknown_segment, "entry $v is in a segment that is not there")                                            \
  X(wrong_layout, "entry $v has no layout that is known")                                                     \
  X(segment_too_small, "entry $v needs more bytes than its segment has")

enum class Reason : uint8_t {
#define X(name, words) name,
  TENON_REASONS(X)
#undef X
};

struct Fault {
  static constexpr uint8_t nowhere = 0xff;

  Reason reason = Reason::none;
  uint8_t table = nowhere;  // its number in the schema
  uint8_t field = nowhere;  // its place in the table
  uint64_t at = 0;
  uint64_t value = 0;

  Fault() = default;
  Fault(Reason why, uint64_t byte, uint64_t found) : reason(why), at(byte), value(found) {}
  explicit operator bool() const { return reason != Reason::none; }
};

// The fault as a sentence, at most `room` bytes with the closing zero. A build that does not call it holds no words.
void say(const Fault& fault, char* text, size_t room);

const char* field_name(unsigned table, unsigned field);

}  // namespace tenon
