// Faults in words, with the names of the format's tables and fields.
#include "fault.h"

#include "format.h"

namespace tenon {
namespace {

constexpr const char* words[] = {
#define X(name, words) words,
    TENON_REASONS(X)
#undef X
};

// Text that stops growing when its room is full.
struct Line {
  char* next;
  char* last;

  void add(char letter) {
    if (next < last) *next++ = letter;
  }
  void add(const char* text) {
    while (*text) add(*text++);
  }
  void add(uint64_t number) {
    char digits[20];
    int count = 0;
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
    } while (number /= 10);
    while (count) add(digits[--count]);
  }
};

// The nth of zero-ended strings that follow each other.
const char* nth(const char* text, unsigned n) {
  for (; n; --n) text += std::strlen(text) + 1;
  return text;
}

}  // namespace

const char* field_name(unsigned table, unsigned field) {
  return nth(format::field_names, format::first_field[table] + field);
}

void say(const Fault& fault, char* text, size_t room) {
  if (!room) return;
  Line line{text, text + room - 1};
  if (fault.table != Fault::nowhere) {
    line.add(nth(format::table_names, fault.table));
    if (fault.field != Fault::nowhere) {
      line.add('.');
      line.add(field_name(fault.table, fault.field));
    }
    line.add(": ");
  }
  for (const char* word = words[static_cast<unsigned>(fault.reason)]; *word; ++word) {
    if (*word != '$') {
      line.add(*word);
    } else {
      line.add(*++word == 'v' ? fault.value : fault.at);
    }
  }
  *line.next = 0;
}

}  // namespace tenon
