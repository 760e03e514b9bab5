// All that a kernel needs. A kernel is a function of its arguments that writes its last one:
//
//   #include <tenon/kernel.h>
//
//   Tensor& scaled_out(Context& cx, const Tensor& in, const Scalar& by, Tensor& out) {
//     if (!resize(cx, out, in.sizes())) return out;
//     dtype_switch<float, double>(cx, out.scalar_type(), "scaled.out", [&](auto tag) {
//       using T = typename decltype(tag)::type;
//       ...
//     });
//     return out;
//   }
//
//   constexpr Kernel rows[] = {{"my::scaled.out", &boxed<&scaled_out>}};   // in order of names
//   KernelTable table{"my", rows, /*in_order=*/true};                      // registry.add(table) makes it known
//
// clang-format off
// | header              | what is in it                                                             |
// |---------------------|---------------------------------------------------------------------------|
// | error.h             | Error (every code), Message (a sentence), Result                          |
// | array_ref.h         | ArrayRef, Span                                                            |
// | elements.h, dtype.h | Half, BFloat16 and others; ScalarType, sets of dtypes, promotion, convert |
// | scalar.h, tensor.h  | Scalar; Tensor, TensorImpl, resize, strides                               |
// | evalue.h            | EValue, tags, lists                                                       |
// | memory.h            | memory that the caller gives                                              |
// | context.h           | Context: fail with words, temporary memory                                |
// | registry.h, boxed.h | Kernel, KernelTable, Registry; boxed<&function>                           |
// | prim.h              | the prim operators, and how to have only some                             |
// | switch.h            | dtype_switch, ET_SWITCH_*                                                 |
// | log.h               | ET_LOG, ET_CHECK*, ET_KERNEL_CHECK*                                       |
// | tensor_functions.h  | tensors_have_same_shape and the like                                      |
// clang-format on
//
// Headers under executorch/ forward to these, and give the same names in the namespaces that ExecuTorch has them in.
#pragma once

#include "boxed.h"
#include "log.h"
#include "switch.h"
#include "tensor_functions.h"
