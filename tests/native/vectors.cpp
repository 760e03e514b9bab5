// Stands before the kernels' own: the vectors that a test says, and no sums of products of bytes.
#include <cstdlib>

namespace tenon::native {

int vector_bytes() { return std::atoi(std::getenv("TENON_VECTOR_BYTES")); }
bool has_dots() { return false; }

}  // namespace tenon::native
