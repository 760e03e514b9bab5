// Two kernels by name, for kernels.cpp to call: built for chosen dtypes by test_selected.py.
#include <tenon/boxed.h>

#include "../../native/kernels/generated/kernels.h"

namespace tenon {

static constexpr Kernel rows[] = {
    {"aten::lt.Scalar_out", &boxed<&native::lt_scalar_out>},
    {"aten::relu.out", &boxed<&native::relu_out>},
};
KernelTable tenon_kernels{"selected", rows, /*in_order=*/true};

}  // namespace tenon
