// How many threads share the work of a kernel, for tests of the whole library.
#include <tenon/threads.h>

extern "C" void tenon_threads(int count) { tenon::set_thread_count(count); }
