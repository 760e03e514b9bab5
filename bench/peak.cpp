// What a machine can do at most: float32 multiply-adds per second, and bytes read per second, on so many threads.
#ifdef __linux__
#include <sys/mman.h>
#endif

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

typedef float Vector __attribute__((vector_size(64)));
#if defined(__AVX512F__)
typedef Vector Wide;
#elif defined(__x86_64__)
typedef float Wide __attribute__((vector_size(32)));
#else
typedef float Wide __attribute__((vector_size(16)));
#endif
#ifdef __x86_64__
#define KEEP "+x"
#else
#define KEEP "+w"
#endif
static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
static volatile float sink;

// As many independent sums as hide the latency of a multiply-add, each a name of its own so that it stays in a register.
template <class V>
static void multiply(long rounds, float seed) {
  const V factor = V{} + (0.999f + seed), term = V{} + seed;
  V a = term, b = a, c = a, d = a, e = a, f = a, g = a, h = a, i = a, j = a, k = a, l = a;
  for (long round = 0; round < rounds; round++) {
    a = a * factor + term, b = b * factor + term, c = c * factor + term, d = d * factor + term;
    e = e * factor + term, f = f * factor + term, g = g * factor + term, h = h * factor + term;
    i = i * factor + term, j = j * factor + term, k = k * factor + term, l = l * factor + term;
    asm volatile("" : KEEP(a), KEEP(b), KEEP(c), KEEP(d), KEEP(e), KEEP(f));  // none may be left out, or be another
    asm volatile("" : KEEP(g), KEEP(h), KEEP(i), KEEP(j), KEEP(k), KEEP(l));
  }
  sink = (a + b + c + d + e + f + g + h + i + j + k + l)[0];
}

// From four places at once: what is fetched ahead ends with a page, and one place alone then waits at every page.
static void read(const float* data, long count, int rounds) {
  Vector sums[8] = {};
  const long part = count / 4;
  for (int round = 0; round < rounds; round++)
    for (long i = 0; i + 32 <= part; i += 32)
#pragma GCC unroll 8
      for (int j = 0; j < 8; j++) sums[j] += *(const Vector*)(data + j / 2 * part + i + 16 * (j % 2));
  for (int j = 1; j < 8; j++) sums[0] += sums[j];
  sink = sums[0][0];
}

static double seconds(int threads, const std::function<void(int)>& work) {
  double best = 1e9;
  for (int attempt = 0; attempt < 7; attempt++) {
    double start = now();
    std::vector<std::thread> others;
    for (int i = 1; i < threads; i++) others.emplace_back(work, i);
    work(0);
    for (auto& other : others) other.join();
    if (now() - start < best) best = now() - start;
  }
  return best;
}

// Floats that have been written to, in large pages where the system has them.
static float* floats(long count) {
  const size_t page = 1 << 21, bytes = (count * 4 + page) / page * page;
  float* data = (float*)aligned_alloc(page, bytes);
#ifdef MADV_HUGEPAGE
  (void)madvise(data, bytes, MADV_HUGEPAGE);
#endif
  for (long j = 0; j < count; j++) data[j] = (float)(j & 7);
  return data;
}

// Reads so many bytes whenever it is told to, on threads that stay awake for a millisecond and then sleep until then, as
// others are measured in between: what a token's weights take at least. Each time they are others, of more than a cache
// holds, so that it is memory that is measured.
struct Reader {
  long count, pieces;  // floats that each thread reads in a turn, and of how many turns it has them
  std::vector<float*> data;
  std::atomic<long> asked{0}, done{0};
  std::mutex lock;
  std::condition_variable wake;

  Reader(long bytes, int threads) : count(bytes / 4 / threads / 16 * 16), pieces((512l << 20) / bytes + 1), data(threads) {
    for (float*& each : data) each = floats(count * pieces);
    for (int i = 1; i < threads; i++) std::thread(&Reader::wait, this, i).detach();
  }
  void wait(int thread) {
    for (long turn = 1;; turn++) {
      for (double start = now(); asked.load() < turn && now() - start < 1e-3;) {}
      {
        std::unique_lock<std::mutex> held(lock);
        wake.wait(held, [&] { return asked.load() >= turn; });
      }
      ::read(data[thread] + turn % pieces * count, count, 1);
      done++;
    }
  }
  void read() {
    const long turn = ask();
    ::read(data[0] + turn % pieces * count, count, 1);
    while (done.load() < turn * ((long)data.size() - 1)) {}
  }
  long ask() {
    std::lock_guard<std::mutex> held(lock);
    wake.notify_all();
    return ++asked;
  }
};
extern "C" void* make_reader(long bytes, int threads) { return new Reader(bytes, threads); }
extern "C" void read_once(void* reader) { ((Reader*)reader)->read(); }

int main(int, char** arguments) {
  const int threads = atoi(arguments[1]);
  const long rounds = 4000000, count = 64 << 20;
  const double flops = 2.0 * rounds * 12 * (sizeof(Wide) / 4) * threads;
  const double computing = seconds(threads, [&](int) { multiply<Wide>(rounds, 1e-3f); });
  std::vector<float*> data;
  for (int i = 0; i < threads; i++) data.push_back(floats(count));
  const double reading = seconds(threads, [&](int i) { read(data[i], count, 1); });
  printf("%f %f\n", flops / computing / 1e9, 4.0 * count * threads / reading / 1e9);
}
