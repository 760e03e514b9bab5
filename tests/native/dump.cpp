// Reads files as the runtime does and prints all that is in them, or why not. For tests/native/test_format.py, which
// makes show.h: a function `show(Out&, table)` for every table of the schema.
//
//   dump FILE    a .pte or .ptd file
//   dump -       many files from standard input, each behind its size (u32): a line with a checksum of each one's text
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "container.h"
#include "external.h"

namespace {

using tenon::Bytes;
using tenon::Fault;
using tenon::Numbers;
using tenon::Tables;
using tenon::Text;

uint32_t adler32(const uint8_t* data, size_t size) {
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < size; ++i) {
    a = (a + data[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

std::string shown(bool value) { return value ? "true" : "false"; }
std::string shown(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return "bits " + std::to_string(bits);
}
template <class T>
std::string shown(T value) {
  return std::to_string(value);
}

// Lines of text, indented by the tables they are in.
struct Out {
  std::string text;
  size_t depth = 0;

  void line(const std::string& words) { text += std::string(depth, ' ') + words + "\n"; }

  template <class T>
  std::enable_if_t<std::is_arithmetic_v<T>> field(const std::string& name, bool has, T value) {
    if (!has && value != T()) line("an absent field is not its default");
    line(name + " " + shown(value));
  }

  void field(const std::string& name, bool has, Text value) {
    std::string hex;
    for (size_t i = 0; i < value.size(); ++i) {
      char digits[3];
      std::snprintf(digits, sizeof digits, "%02x", static_cast<uint8_t>(value.data[i]));
      hex += digits;
    }
    present(name, has, static_cast<bool>(value), "hex " + hex);
  }

  template <class T>
  void field(const std::string& name, bool has, Numbers<T> values) {
    std::string list = "list";
    for (size_t i = 0; i < values.size(); ++i) list += " " + shown(values[i]);
    present(name, has, static_cast<bool>(values), list);
  }

  template <class T>
  void field(const std::string& name, bool has, Tables<T> values) {
    present(name, has, static_cast<bool>(values), "tables " + std::to_string(values.size()));
    for (size_t i = 0; i < values.size(); ++i) {
      line("#" + std::to_string(i));
      nested(values[i]);
    }
  }

  template <class T>
  std::enable_if_t<std::is_base_of_v<tenon::Table, T>> field(const std::string& name, bool has, T value) {
    present(name, has, static_cast<bool>(value), "table");
    if (value) nested(value);
  }

  void bytes(const std::string& name, Bytes found) {
    line(name + " " + std::to_string(found.size) + " " + std::to_string(adler32(found.data, found.size)));
  }

 private:
  void present(const std::string& name, bool has, bool is, const std::string& words) {
    line(name + " " + (has != is ? "both absent and not" : has ? words : "absent"));
  }

  template <class T>
  void nested(T table) {
    ++depth;
    show(*this, table);
    --depth;
  }
};

}  // namespace

#include "show.h"

namespace {

Fault dump_program(const uint8_t* data, size_t size, Out& out) {
  tenon::Container container;
  if (Fault fault = read_container(data, size, container)) return fault;
  show(out, container.flat);
  for (size_t i = 0; i < container.segment_count(); ++i) out.bytes("segment", container.segment(i));
  return {};
}

Fault dump_external(const uint8_t* data, size_t size, Out& out) {
  tenon::External external;
  if (Fault fault = read_external(data, size, external)) return fault;
  std::vector<uint32_t> room(external.count());
  if (Fault fault = order_names(external, room.data())) return fault;
  show(out, external.flat);
  for (size_t i = 0; i < external.count(); ++i) {
    const Text key = external.flat.named_data()[i].key();
    out.bytes("data", external.data(external.find(key.data, key.size())));
  }
  if (external.find("no such name", 12)) out.line("a name that is not there was found");
  return {};
}

// Kept where the sanitizers see a byte too far, and at an odd address, as a view may be.
struct Odd {
  uint8_t* start;
  explicit Odd(size_t size) : start(static_cast<uint8_t*>(std::malloc(size + 1))) {}
  ~Odd() { std::free(start); }
  uint8_t* data() { return start + 1; }
};

bool dump(const uint8_t* data, size_t size, std::string& text) {
  Out out;
  const bool is_external = size >= 8 && !std::memcmp(data + 4, tenon::format::external_identifier, 4);
  const Fault fault = is_external ? dump_external(data, size, out) : dump_program(data, size, out);
  char words[200];
  say(fault, words, sizeof words);
  text = fault ? std::string("invalid: ") + words : out.text;
  return !fault;
}

int dump_all(std::FILE* in) {
  uint8_t prefix[4];
  while (std::fread(prefix, 1, 4, in) == 4) {
    const size_t size = tenon::read<uint32_t>(prefix);
    Odd file(size);
    if (std::fread(file.data(), 1, size, in) != size) return 2;
    std::string text;
    if (dump(file.data(), size, text)) {
      text = std::to_string(adler32(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
    }
    std::puts(text.c_str());
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 2;
  if (!std::strcmp(words[1], "-")) return dump_all(stdin);
  std::FILE* in = std::fopen(words[1], "rb");
  if (!in) return 2;
  std::vector<uint8_t> content;
  uint8_t part[4096];
  for (size_t got; (got = std::fread(part, 1, sizeof part, in)) > 0;) content.insert(content.end(), part, part + got);
  std::fclose(in);
  Odd file(content.size());
  std::copy(content.begin(), content.end(), file.data());
  std::string text;
  const bool good = dump(file.data(), content.size(), text);
  std::puts(text.c_str());
  return good ? 0 : 1;
}
