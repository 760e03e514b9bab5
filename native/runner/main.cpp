// tenon_run: loads a program, runs a method of it, and says what came out, how long it took and what memory it needed.
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <tenon/heap.h>
#include <tenon/threads.h>

#include "../exec/method.h"
#include "kernels.h"
#include "npy.h"

namespace tenon {
namespace runner {
namespace {

constexpr const char* kUsage =
    "usage: tenon_run MODEL.pte [--data MODEL.ptd] [--method NAME] [--input FILE.npy | FILE.bin | ones]...\n"
    "                 [--library FILE.so]... [--output FOLDER] [--repeat N] [--threads N]\n"
    "                 [--profile] [--memory]\n"
    "\n"
    "  --input    one per input, in order: a .npy file, raw bytes (any other file), or ones; all are ones without\n"
    "  --library  a library of operators or kernels to load first; of the runner in ATen mode only\n"
    "  --output   writes output I of the last run to FOLDER/output_I.npy\n"
    "  --repeat   runs N times and prints the median and the 99th percentile\n"
    "  --threads  how many threads share the work of a kernel; as many as there are processors without\n"
    "  --profile  prints the time of each operator, summed over all runs\n"
    "  --memory   prints the bytes that the method needs\n";

struct Options {
  std::string program, data, method = "forward", output;
  std::vector<std::string> inputs, libraries;
  long repeat = 1, threads = 0;
  bool profile = false, memory = false;
};

// Says it in one line, and is what the program ends with. By a format, as sums of strings are a lot of code.
ET_PRINTFLIKE(1, 2) int mistake(const char* words, ...) {
  std::va_list values;
  va_start(values, words);
  std::fputs("tenon_run: ", stderr);
  std::vfprintf(stderr, words, values);
  std::fputs("\n", stderr);
  va_end(values);
  return 1;
}

bool parse(int count, char** words, Options& options) {
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    const auto is = [&](const char* name) { return word == name; };
    std::string* text = is("--data")     ? &options.data
                        : is("--method") ? &options.method
                        : is("--output") ? &options.output
                                         : nullptr;
    std::vector<std::string>* list = is("--input") ? &options.inputs : is("--library") ? &options.libraries : nullptr;
    long* number = is("--repeat") ? &options.repeat : is("--threads") ? &options.threads : nullptr;
    if ((text || list || number) && i + 1 == count) return false;
    if (text) {
      *text = words[++i];
    } else if (list) {
      list->emplace_back(words[++i]);
    } else if (number) {
      *number = std::strtol(words[++i], nullptr, 10);
      if (*number < 1) return false;
    } else if (is("--profile")) {
      options.profile = true;
    } else if (is("--memory")) {
      options.memory = true;
    } else if (word.substr(0, 13) == "--model_path=" && options.program.empty()) {  // as ExecuTorch's runner is told
      options.program = words[i] + 13;
    } else if (word.substr(0, 2) == "--" || !options.program.empty()) {
      return false;
    } else {
      options.program = words[i];
    }
  }
  return !options.program.empty();
}

// A file's bytes in a block, where constants are aligned; with a sentence in `why` if they cannot be had.
bool read_block(const std::string& path, std::unique_ptr<HeapBlock>& block, std::string& why) {
  std::vector<uint8_t> file;
  if (!read_file(path, file)) return why = path + ": cannot be read.", false;
  block = std::make_unique<HeapBlock>(file.size());
  if (!block->data()) return why = "there is no memory for " + path + ".", false;
  std::copy(file.begin(), file.end(), block->data());
  return true;
}

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

struct Spent {
  std::string_view name, overload;  // in the program
  size_t calls;
  int64_t nanoseconds;
};

struct Profile {
  int64_t start = 0;
  std::vector<Spent> found;  // by operator

  Spent& of(const OperatorName& op) {
    for (Spent& each : found) {
      if (each.name == op.name && each.overload == op.overload) return each;
    }
    found.push_back({op.name, op.overload, 0, 0});
    return found.back();
  }
};

bool note(void* user, const Method& method, size_t chain, size_t instruction, bool is_done) {
  Profile& profile = *static_cast<Profile*>(user);
  if (is_done) {
    const int64_t nanoseconds = now() - profile.start;
    Spent& spent = profile.of(method.operator_of(chain, instruction));
    ++spent.calls;
    spent.nanoseconds += nanoseconds;
  }
  profile.start = now();
  return true;
}

void print_profile(Profile& profile) {
  std::qsort(profile.found.data(), profile.found.size(), sizeof(Spent), [](const void* a, const void* b) {
    const int64_t one = static_cast<const Spent*>(a)->nanoseconds, other = static_cast<const Spent*>(b)->nanoseconds;
    return one < other ? 1 : one > other ? -1 : 0;
  });
  for (const Spent& each : profile.found) {
    const std::string_view name = each.name.empty() ? "(jump or move)" : each.name;
    std::printf("%10.4f ms %6zu calls  %.*s%s%.*s\n", static_cast<double>(each.nanoseconds) / 1e6, each.calls,
                static_cast<int>(name.size()), name.data(), each.overload.empty() ? "" : ".",
                static_cast<int>(each.overload.size()), each.overload.data());
  }
}

void fill_with_ones(ScalarType type, Array& array) {
  switch (type) {
#define X(code, name, T, words)                                                \
  case ScalarType::name:                                                       \
    if constexpr (std::is_constructible_v<T, int>) {                           \
      for (size_t i = 0; i + sizeof(T) <= array.data.size(); i += sizeof(T)) { \
        const T one = static_cast<T>(1);                                       \
        std::memcpy(array.data.data() + i, &one, sizeof one);                  \
      }                                                                        \
    }                                                                          \
    break;
    TENON_DTYPES(X)
#undef X
    default:
      break;
  }
}

// An input as the command line gives it; what the program says of it is its shape if the words do not.
bool make_input(const Method& method, size_t i, const std::string& words, Array& array, std::string& why) {
  if (!method.input(i).isTensor()) return true;
  const Tensor planned = method.input(i).toTensor();
  array.type = planned.scalar_type();
  array.sizes.assign(planned.sizes().begin(), planned.sizes().end());
  if (words.size() > 4 && words.compare(words.size() - 4, 4, ".npy") == 0) {
    array.sizes.clear();
    return read_npy(words, array, why);
  }
  if (words == "ones") {
    array.data.resize(planned.nbytes());
    fill_with_ones(array.type, array);
    return true;
  }
  if (!read_file(words, array.data)) return why = words + ": cannot be read.", false;
  if (array.data.size() != planned.nbytes()) {
    char text[96];
    std::snprintf(text, sizeof text, " has %zu bytes, and input %zu takes %zu.", array.data.size(), i,
                  planned.nbytes());
    return why = words + text, false;
  }
  return true;
}

bool set_input(Method& method, size_t i, Array& array, std::string& why) {
  if (!method.input(i).isTensor()) return true;  // it has the value that the model was exported with
  TensorImpl impl(array.type, static_cast<ptrdiff_t>(array.sizes.size()), array.sizes.data(), array.data.data());
  if (method.set_input(EValue(Tensor(&impl)), i) == Error::Ok) return true;
  return why = method.why().text, false;
}

void print_value(const EValue& value, size_t i) {
  if (value.isTensor()) {
    const Tensor tensor = value.toTensor();
    std::printf("output %zu: %s%s", i, toString(tensor.scalar_type()), ShapeText(tensor.sizes()).text);
    if (tensor.scalar_type() == ScalarType::Float) {
      const ptrdiff_t shown = std::min<ptrdiff_t>(tensor.numel(), 8);
      for (ptrdiff_t k = 0; k < shown; ++k) std::printf(" %g", static_cast<double>(tensor.const_data_ptr<float>()[k]));
      if (shown < tensor.numel()) std::printf(" ...");
    }
    std::printf("\n");
  } else if (value.isInt()) {
    std::printf("output %zu: %lld\n", i, static_cast<long long>(value.toInt()));
  } else if (value.isDouble()) {
    std::printf("output %zu: %g\n", i, value.toDouble());
  } else if (value.isBool()) {
    std::printf("output %zu: %s\n", i, value.toBool() ? "true" : "false");
  } else {
    std::printf("output %zu: no number and no tensor\n", i);
  }
}

std::string output_path(const std::string& folder, size_t i) {
  char name[40];
  std::snprintf(name, sizeof name, "/output_%zu.npy", i);
  return folder + name;
}

void print_times(std::vector<int64_t>& nanoseconds) {
  std::qsort(nanoseconds.data(), nanoseconds.size(), sizeof(int64_t), [](const void* a, const void* b) {
    const int64_t one = *static_cast<const int64_t*>(a), other = *static_cast<const int64_t*>(b);
    return one < other ? -1 : one > other ? 1 : 0;
  });
  const size_t last = nanoseconds.size() - 1;
  std::printf("time: %zu runs, median %.4f ms, p99 %.4f ms\n", nanoseconds.size(),
              static_cast<double>(nanoseconds[last / 2]) / 1e6,
              static_cast<double>(nanoseconds[(last * 99 + 99) / 100]) / 1e6);
}

int run(const Options& options) {
  std::string words;
  std::unique_ptr<HeapBlock> file, beside;
  if (!read_block(options.program, file, words)) return mistake("%s", words.c_str());
  External external;
  std::vector<uint32_t> order;
  if (!options.data.empty()) {
    if (!read_block(options.data, beside, words)) return mistake("%s", words.c_str());
    Fault fault = read_external(beside->data(), beside->size(), external);
    if (!fault) {
      order.resize(external.count());
      fault = order_names(external, order.data());
    }
    if (fault) {
      char text[256];
      say(fault, text, sizeof text);
      return mistake("%s: %s", options.data.c_str(), text);
    }
  }
  Message why;
  Program program;
  if (Program::load(file->data(), file->size(), program, why, {&external, options.data.empty() ? size_t{0} : 1}) !=
      Error::Ok) {
    return mistake("%s: %s", options.program.c_str(), why.text);
  }
  MemoryNeeded needed;
  if (Method::memory_needed(program, options.method, needed, why) != Error::Ok) return mistake("%s", why.text);
  const HeapBlock room(needed.method);
  std::vector<HeapBlock> blocks;
  std::vector<Span<uint8_t>> spans;
  for (size_t k = 1; k <= needed.bank_count(); ++k) {
    blocks.emplace_back(needed.bank(k));
    if (!blocks.back().data()) return mistake("there is no memory of %zu bytes.", needed.bank(k));
    spans.push_back({blocks.back().data(), needed.bank(k)});
  }
  MemoryAllocator allocator(needed.method, room.data());
  HierarchicalAllocator banks(Span<Span<uint8_t>>(spans.data(), spans.size()));
  HeapAllocator temporary;
  const MemoryManager memory(&allocator, &banks, &temporary);
  Registry& registry = global_registry();  // kernels that were linked in by others are there already
  if (!add_kernels(program, options.libraries, registry, words)) return mistake("%s", words.c_str());
  Method method;
  if (Method::load(program, options.method, memory, registry, method, why) != Error::Ok) return mistake("%s", why.text);
  if (options.memory) {
    std::printf("memory: %zu bytes for values and instructions", needed.method);
    for (size_t k = 1; k <= needed.bank_count(); ++k) std::printf(", %zu in bank %zu", needed.bank(k), k);
    std::printf("\n");
  }

  const size_t inputs = method.input_count();
  if (!options.inputs.empty() && options.inputs.size() != inputs) {
    return mistake("method %s takes %zu inputs, and was given %zu.", options.method.c_str(), inputs,
                   options.inputs.size());
  }
  std::vector<Array> arrays(inputs);
  for (size_t i = 0; i < inputs; ++i) {
    if (!make_input(method, i, options.inputs.empty() ? "ones" : options.inputs[i], arrays[i], words)) {
      return mistake("%s", words.c_str());
    }
  }
  Profile profile;
  if (options.profile) method.set_hook({note, &profile});
  set_thread_count(static_cast<int>(std::min(options.threads, 64L)));
  std::vector<int64_t> times;
  times.reserve(static_cast<size_t>(options.repeat));  // so that a run allocates nothing
  for (long turn = 0; turn < options.repeat; ++turn) {
    for (size_t i = 0; i < inputs; ++i) {
      if (!set_input(method, i, arrays[i], words)) return mistake("%s", words.c_str());
    }
    const int64_t start = now();
    if (method.execute() != Error::Ok) return mistake("%s", method.why().text);
    times.push_back(now() - start);
  }
  if (!options.output.empty()) (void)mkdir(options.output.c_str(), 0777);  // where it is there, that is as well
  for (size_t i = 0; i < method.output_count(); ++i) {
    print_value(method.output(i), i);
    if (!options.output.empty() && method.output(i).isTensor() &&
        !write_npy(output_path(options.output, i), method.output(i).toTensor(), words)) {
      return mistake("%s", words.c_str());
    }
  }
  print_times(times);
  if (options.profile) print_profile(profile);
  return 0;
}

}  // namespace
}  // namespace runner
}  // namespace tenon

int main(int count, char** words) {
  if (count == 2 && std::strcmp(words[1], "--help") == 0) return std::fputs(tenon::runner::kUsage, stdout), 0;
  tenon::runner::Options options;
  if (!tenon::runner::parse(count, words, options)) {
    std::fputs(tenon::runner::kUsage, stderr);
    return 2;
  }
  return tenon::runner::run(options);
}
