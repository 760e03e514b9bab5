// The pool of threads. It spins for some microseconds after each piece of work, as the next one mostly follows at once,
// and then sleeps.
//
// Each thread has a range of what there is to do and takes half of what is left of it at a time; one that is done takes
// of the others' ranges. So nobody waits for a thread that a busy machine holds up, or that is not awake yet, for longer
// than the part takes that it has in its hands.
#include <tenon/threads.h>

#include <algorithm>
#include <atomic>

#if __has_include(<pthread.h>) && !defined(TENON_NO_THREADS)
#include <pthread.h>
#include <sched.h>
#if !defined(__linux__)
#include <unistd.h>
#endif

namespace tenon {

namespace {

constexpr int most = 64;  // threads
constexpr int spins = 4000;  // some 50 microseconds

struct Work {
  threads::Part part;
  const void* body;
  int64_t count, least;  // and what is worth to be taken alone
  int ranges;

  int64_t start(int range) const { return count * range / ranges; }
};

struct alignas(64) Thread {
  std::atomic<int64_t> next{0};  // of its range, what nobody has taken
  std::atomic<bool> is_asleep{false};
  pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
};

struct Pool {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  std::atomic<bool> is_busy{false};
  std::atomic<int> wanted{0}, started{1};
  alignas(64) std::atomic<uint32_t> turn{0};     // goes up when there is work
  alignas(64) std::atomic<bool> is_open{false};  // the work may be looked at,
  std::atomic<int> inside{0};                    // as so many helpers do
  Work work{};
  Thread threads[most];  // the first is whoever has work
};
Pool pool;

void take(int range) {
  const Work& work = pool.work;
  const int64_t end = work.start(range + 1);
  std::atomic<int64_t>& next = pool.threads[range].next;
  for (int64_t first = next.load(std::memory_order_relaxed); first < end;) {
    const int64_t last = std::min(end, first + std::max(work.least, (end - first + 1) / 2));
    if (!next.compare_exchange_weak(first, last, std::memory_order_relaxed)) continue;
    work.part(work.body, first, last);
    first = next.load(std::memory_order_relaxed);
  }
}

void take_all(int own) {
  for (int i = 0; i < pool.work.ranges; ++i) take((own + i) % pool.work.ranges);
}

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

uint32_t next_turn(uint32_t last, Thread& own) {
  for (int i = 0; i < spins; ++i) {
    const uint32_t now = pool.turn.load(std::memory_order_acquire);
    if (now != last) return now;
    relax();
  }
  pthread_mutex_lock(&pool.lock);
  own.is_asleep.store(true);
  while (pool.turn.load() == last) pthread_cond_wait(&own.wake, &pool.lock);
  own.is_asleep.store(false);
  pthread_mutex_unlock(&pool.lock);
  return pool.turn.load(std::memory_order_acquire);
}

struct Start {
  int number;
  uint32_t turn;
};
Start starts[most];

void* help(void* given) {
  const Start start = *static_cast<const Start*>(given);
  uint32_t turn = start.turn;
  for (;;) {
    turn = next_turn(turn, pool.threads[start.number]);
    pool.inside.fetch_add(1);
    if (pool.is_open.load() && start.number < pool.work.ranges) take_all(start.number);
    pool.inside.fetch_sub(1, std::memory_order_release);
  }
}

// Those that this process may use.
int processors() {
#if defined(__linux__)
  cpu_set_t set;
  const long found = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
#else
  const long found = sysconf(_SC_NPROCESSORS_ONLN);
#endif
  return static_cast<int>(std::clamp(found, 1L, static_cast<long>(most)));
}

// A child that was forked has none of its parent's threads.
void forget() {
  pool.started = 1;
  pool.is_open = false;
  pool.inside = 0;
  pool.is_busy = false;
  pthread_mutex_init(&pool.lock, nullptr);
  for (Thread& each : pool.threads) {
    each.is_asleep = false;
    pthread_cond_init(&each.wake, nullptr);
  }
}

void start_threads(int wanted) {
  static bool is_told = false;
  if (!is_told) is_told = pthread_atfork(nullptr, nullptr, forget) == 0;
  for (int number = pool.started; number < wanted; ++number) {
    starts[number] = {number, pool.turn.load()};
    pthread_t thread;
    if (pthread_create(&thread, nullptr, help, &starts[number]) != 0) break;  // fewer share the work
    pthread_detach(thread);
    pool.started = number + 1;
  }
}

}  // namespace

void set_thread_count(int count) { pool.wanted = std::clamp(count, 0, most); }

int thread_count() {
  const int wanted = pool.wanted.load(std::memory_order_relaxed);
  if (wanted) return wanted;
  static std::atomic<int> known{0};
  int found = known.load(std::memory_order_relaxed);
  if (!found) known.store(found = processors(), std::memory_order_relaxed);
  return found;
}

void threads::share(int64_t count, int64_t least, Part part, const void* body) {
  if (count <= 0) return;
  const int64_t pieces = count / std::max<int64_t>(least, 1);
  const int wanted = static_cast<int>(std::min<int64_t>(thread_count(), pieces));
  if (wanted < 2 || pool.is_busy.exchange(true, std::memory_order_acquire)) return part(body, 0, count);
  if (pool.started < wanted) start_threads(wanted);
  pool.work = {part, body, count, std::max<int64_t>(least / 8, 1), std::min<int>(wanted, pool.started)};
  for (int i = 0; i < pool.work.ranges; ++i) pool.threads[i].next.store(pool.work.start(i), std::memory_order_relaxed);
  pool.is_open.store(true);
  pool.turn.fetch_add(1);
  for (int i = 1; i < pool.work.ranges; ++i) {  // others that were started sleep on
    if (!pool.threads[i].is_asleep.load()) continue;
    pthread_mutex_lock(&pool.lock);
    pthread_cond_signal(&pool.threads[i].wake);
    pthread_mutex_unlock(&pool.lock);
  }
  take_all(0);
  pool.is_open.store(false);  // who comes now finds nothing, and who is inside is waited for
  for (int i = 0; pool.inside.load(); ++i) i < spins ? relax() : (void)sched_yield();
  pool.is_busy.store(false, std::memory_order_release);
}

}  // namespace tenon

#else

namespace tenon {
void set_thread_count(int) {}
int thread_count() { return 1; }
void threads::share(int64_t count, int64_t, Part part, const void* body) {
  if (count > 0) part(body, 0, count);
}
}  // namespace tenon

#endif
