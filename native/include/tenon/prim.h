// The prim operators, each a function of its own, and `prim_kernels`, the table in which every method finds them.
//
// The table of the library has all of them. It is in an object file of its own, so that a program that defines its own
// has only the ones it names:
//
//   #include <tenon/prim.h>
//   namespace tenon {
//   constexpr Kernel rows[] = {TENON_PRIM("aten::sym_size.int"), TENON_PRIM("executorch_prim::add.Scalar")};
//   const KernelTable prim_kernels{"prim", rows, /*in_order=*/true};
//   }
#pragma once

#include "registry.h"

// X(operator, function), in order of names
#define TENON_PRIM_OPERATORS(X)                             \
  X("aten::_local_scalar_dense", local_scalar)              \
  X("aten::sym_numel", sym_numel)                           \
  X("aten::sym_size.int", sym_size)                         \
  X("executorch_prim::add.Scalar", add)                     \
  X("executorch_prim::ceil.Scalar", ceil)                   \
  X("executorch_prim::eq.Scalar", eq)                       \
  X("executorch_prim::et_copy_index.tensor", et_copy_index) \
  X("executorch_prim::et_view.default", et_view)            \
  X("executorch_prim::floordiv.Scalar", floordiv)           \
  X("executorch_prim::floordiv.int", floordiv_int)          \
  X("executorch_prim::ge.Scalar", ge)                       \
  X("executorch_prim::gt.Scalar", gt)                       \
  X("executorch_prim::le.Scalar", le)                       \
  X("executorch_prim::lt.Scalar", lt)                       \
  X("executorch_prim::mod.Scalar", mod)                     \
  X("executorch_prim::mod.int", mod)                        \
  X("executorch_prim::mul.Scalar", mul)                     \
  X("executorch_prim::neg.Scalar", neg)                     \
  X("executorch_prim::round.Scalar", round)                 \
  X("executorch_prim::sub.Scalar", sub)                     \
  X("executorch_prim::sym_float.Scalar", sym_float)         \
  X("executorch_prim::sym_int.Scalar", sym_int)             \
  X("executorch_prim::sym_ite.Scalar", sym_ite)             \
  X("executorch_prim::sym_max.Scalar", sym_max)             \
  X("executorch_prim::sym_min.Scalar", sym_min)             \
  X("executorch_prim::sym_not.Scalar", sym_not)             \
  X("executorch_prim::truediv.Scalar", truediv)             \
  X("executorch_prim::trunc.Scalar", trunc)

namespace tenon {

namespace prim {

#define X(name, function) void function(KernelRuntimeContext& context, Span<EValue*> values);
TENON_PRIM_OPERATORS(X)
#undef X

// The function of an operator, null if there is none of that name.
constexpr OpFunction function_of(std::string_view op) {
#define X(name, function) \
  if (op == name) return function;
  TENON_PRIM_OPERATORS(X)
#undef X
  return nullptr;
}

// A row; a name that no prim operator has does not compile.
template <class Name>
constexpr Kernel row(Name name) {
  constexpr OpFunction function = function_of(name());
  static_assert(function != nullptr, "there is no prim operator of this name");
  return {name(), function};
}
#define TENON_PRIM(op) ::tenon::prim::row([] { return op; })

}  // namespace prim

}  // namespace tenon
