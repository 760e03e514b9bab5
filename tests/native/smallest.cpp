// The smallest program that loads a .pte and runs it, with the prim operators and no other kernel: what
// `test_runtime.py` measures. Nothing is said in words but what the runtime says.
#include <cstdio>
#include <cstdlib>

#include "../../native/exec/method.h"

using namespace tenon;

int main(int count, char** words) {
  std::FILE* file = count == 2 ? std::fopen(words[1], "rb") : nullptr;
  if (!file) return 2;
  std::fseek(file, 0, SEEK_END);
  const size_t size = static_cast<size_t>(std::ftell(file));
  std::rewind(file);
  void* data = std::malloc(size + 1);
  if (std::fread(data, 1, size, file) != size) return 2;

  Message why;
  Program program;
  MemoryNeeded needed;
  Registry registry;
  Method method;
  Error error = Program::load(data, size, program, why);
  if (error == Error::Ok) error = Method::memory_needed(program, program.method_name(0), needed, why);
  if (error == Error::Ok) {
    Span<uint8_t> spans[8];
    for (size_t k = 1; k <= needed.bank_count() && k <= 8; ++k) {
      spans[k - 1] = {static_cast<uint8_t*>(std::malloc(needed.bank(k))), needed.bank(k)};
    }
    MemoryAllocator room(needed.method, static_cast<uint8_t*>(std::malloc(needed.method)));
    HierarchicalAllocator banks(spans);
    error = Method::load(program, program.method_name(0), MemoryManager(&room, &banks), registry, method, why);
    for (size_t i = 0; error == Error::Ok && i < method.input_count(); ++i)
      error = method.set_input(method.input(i), i);
    if (error == Error::Ok) error = method.execute();
    if (error != Error::Ok && method.why()) why = method.why();
  }
  std::puts(error == Error::Ok ? "ok" : why.text);
  return error != Error::Ok;
}
