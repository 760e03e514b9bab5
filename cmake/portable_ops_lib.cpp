// Registers all of Tenon's kernels before main, in a program that is linked with portable_ops_lib.
#include <tenon/registry.h>

namespace tenon {

extern KernelTable tenon_kernels;

}  // namespace tenon

extern "C" {
extern const int tenon_register_portable_ops_lib;
const int tenon_register_portable_ops_lib = static_cast<int>(tenon::global_registry().add(tenon::tenon_kernels));
}
