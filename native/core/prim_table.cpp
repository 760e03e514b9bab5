// Every prim operator, for those who do not choose.
#include <tenon/prim.h>

namespace tenon {
namespace {

constexpr Kernel rows[] = {
#define X(name, function) {name, prim::function},
    TENON_PRIM_OPERATORS(X)
#undef X
};

}  // namespace

const KernelTable prim_kernels{"prim", rows, /*in_order=*/true};

}  // namespace tenon
