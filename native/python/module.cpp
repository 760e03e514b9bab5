// The Python extension `tenon._native`: the runtime, and what it was built as.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <tenon/random.h>
#include <tenon/threads.h>

#include <string>

#include "kernels.h"
#include "runtime.h"

namespace nb = nanobind;

NB_MODULE(_native, m) {
  m.doc() = "Tenon's native part.";
  m.attr("version") = TENON_VERSION;
  m.def(
      "compiler", [] { return std::string(__VERSION__); }, "The compiler that built it.");
  m.def("seed_random", &tenon::seed_random, nb::arg("seed"), "What kernels that draw begin with.");
  m.def("set_thread_count", &tenon::set_thread_count, nb::arg("count"), "How many threads share the work of a kernel.");
  m.def("thread_count", &tenon::thread_count);
  tenon::bind_runtime(m);
  tenon::bind_kernels(m);
}
