// The generator by itself, for test_random.py: blocks for given counters and keys, and streams of several threads.
#include "../../native/kernels/random.h"

#include <cstdio>
#include <set>
#include <thread>
#include <vector>

using namespace tenon::native;

namespace {

void show(uint64_t low, uint64_t high, uint64_t key) {
  const Philox made(low, high, key);
  std::printf("%08x %08x %08x %08x\n", made.words[0], made.words[1], made.words[2], made.words[3]);
}

}  // namespace

int main() {
  show(0, 0, 0);
  show(~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0});
  show(0x85a308d3243f6a88, 0x0370734413198a2e, 0x299f31d0a4093822);
  constexpr int threads = 4, calls = 5000;
  std::vector<uint64_t> drawn[threads];
  std::vector<std::thread> running;
  for (auto& mine : drawn) {
    running.emplace_back([&mine] {
      for (int i = 0; i < calls; ++i) {
        const Streams streams(2);
        for (int k = 0; k < 2; ++k) mine.push_back(streams[k].bits());
      }
    });
  }
  std::set<uint64_t> distinct;
  for (int t = 0; t < threads; ++t) {
    running[static_cast<size_t>(t)].join();
    distinct.insert(drawn[t].begin(), drawn[t].end());
  }
  std::printf("%zu of %d\n", distinct.size(), threads * calls * 2);
  return 0;
}
