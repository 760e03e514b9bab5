// What random kernels begin with, for tests of a library that has some.
#include <tenon/random.h>

extern "C" void tenon_seed(uint64_t seed) { tenon::seed_random(seed); }
