// The Python extension `tenon._native`: what it was built as. The runtime's binding joins it here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

namespace nb = nanobind;

NB_MODULE(_native, m) {
  m.doc() = "Tenon's native part.";
  m.attr("version") = TENON_VERSION;
  m.def(
      "compiler", [] { return std::string(__VERSION__); }, "The compiler that built it.");
}
