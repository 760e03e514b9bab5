// The random numbers of kernels: one generator for all of a process.
#pragma once

#include <cstdint>

namespace tenon {

// From here on, the same calls in the same order have the same numbers. Who never seeds has those of seed 0. Threads
// never share numbers; which of them has which depends on who comes first.
void seed_random(uint64_t seed);

}  // namespace tenon
