// What the pool of threads does with a range: all of it is done once, and nobody waits for one that is held up.
#include <tenon/threads.h>

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

using tenon::parallel;

// Every place is visited once, whatever the sizes are.
static bool is_done_once(int threads, int64_t count, int64_t least) {
  tenon::set_thread_count(threads);
  std::vector<std::atomic<int>> visits(static_cast<size_t>(count));
  parallel(count, least, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) visits[static_cast<size_t>(i)].fetch_add(1);
  });
  for (const auto& each : visits) {
    if (each.load() != 1) return false;
  }
  return true;
}

// One thread of two does nothing until three quarters are done, of which half would be its own.
static void hold_one_up() {
  tenon::set_thread_count(2);
  const int64_t count = 1000;
  std::atomic<int64_t> done{0};
  std::atomic<bool> is_held{false};
  parallel(count, 1, [&](int64_t first, int64_t last) {
    if (!is_held.exchange(true)) {
      while (done.load() < count / 4 * 3) std::this_thread::yield();
    }
    done += last - first;
  });
}

int main() {
  for (int threads : {1, 2, 3, 7, 2}) {
    for (int64_t count : {0, 1, 2, 3, 17, 1000}) {
      for (int64_t least : {1, 9, 500}) {
        for (int turn = 0; turn < 50; ++turn) {
          if (!is_done_once(threads, count, least)) return std::printf("not once\n"), 1;
        }
      }
    }
  }
  for (int turn = 0; turn < 50; ++turn) hold_one_up();
  std::printf("done\n");
}
