// Work that several threads share. One pool for all of a process, started when there is first something to share.
#pragma once

#include <cstdint>

namespace tenon {

// How many threads share the work of a kernel, the caller's among them. 0 is as many as there are processors, which is
// what it is before it is set. Results do not depend on it.
void set_thread_count(int count);
int thread_count();

namespace threads {
using Part = void (*)(const void* body, int64_t first, int64_t last);
void share(int64_t count, int64_t least, Part part, const void* body);
}  // namespace threads

// Calls body(first, last) for parts of [0, count) that together are all of it, and returns when all are done. As many
// threads share it as have `least` each; where the pool is at work already, as it is inside of `body`, there is one part.
template <class Body>
void parallel(int64_t count, int64_t least, const Body& body) {
  threads::share(
      count, least,
      [](const void* held, int64_t first, int64_t last) { (*static_cast<const Body*>(held))(first, last); }, &body);
}

}  // namespace tenon
