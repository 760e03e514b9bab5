// Kernels by name. A library is a table of them, kept where its author put it; a registry links tables together.
#pragma once

#include <string_view>

#include "context.h"
#include "evalue.h"

namespace tenon {

// Every kernel in the form in which it is called: one value per argument, and then what it returns, which is again
// where the outs are.
using OpFunction = void (*)(KernelRuntimeContext&, Span<EValue*>);

// For which dtypes and dim orders a kernel is: "v1/6;0,1|6;0,1", a part per tensor, the returned ones included. Null is
// for all that have no kernel of their own.
class KernelKey {
 public:
  constexpr KernelKey() = default;
  constexpr KernelKey(const char* text) : text_(text) {}
  constexpr const char* data() const { return text_; }
  constexpr bool is_fallback() const { return text_ == nullptr; }

 private:
  const char* text_ = nullptr;
};

struct Kernel {
  const char* name_;
  KernelKey kernel_key_;
  OpFunction op_;

  constexpr Kernel(const char* name, OpFunction function) : name_(name), op_(function) {}
  constexpr Kernel(const char* name, KernelKey key, OpFunction function)
      : name_(name), kernel_key_(key), op_(function) {}
};

// A library. It stays where it is, as do its rows and their strings; the registry only points to it.
//
//   constexpr Kernel rows[] = {{"aten::add.out", &boxed<&add_out>}, {"aten::mul.out", &boxed<&mul_out>}};
//   KernelTable portable{"portable", rows};
//
// Rows that are in order of their names (by bytes, as strcmp has it) are found faster: say so with `sorted`.
struct KernelTable {
  const char* library;
  Span<const Kernel> rows;
  bool sorted = false;
  int precedence = 0;  // where two libraries have a kernel, the one with the higher precedence is taken
  KernelTable* next = nullptr;

  constexpr KernelTable(const char* name, Span<const Kernel> kernels, bool in_order = false, int rank = 0)
      : library(name), rows(kernels), sorted(in_order), precedence(rank) {}
};

// An operator as a program names it: "aten::add" and "out". Together they are aten::add.out; without overload,
// aten::add.
struct OperatorName {
  std::string_view name;
  std::string_view overload;

  OperatorName(std::string_view base, std::string_view rest) : name(base), overload(rest) {}
  OperatorName(std::string_view whole) : name(whole) {}  // with its overload, if there is one
  OperatorName(const char* whole) : name(whole) {}
  int compare(const char* whole) const;  // below zero if it comes before `whole`, 0 if it is the same
};

// dtype and dim order of a tensor, for those who look a kernel up without having tensors
struct TensorMeta {
  ScalarType dtype_;
  ArrayRef<DimOrderType> dim_order_;
  TensorMeta(ScalarType dtype, ArrayRef<DimOrderType> order) : dtype_(dtype), dim_order_(order) {}
};

class Registry {
 public:
  constexpr Registry() = default;
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // Refuses a kernel that another library of the same precedence has, or that is there twice; then nothing is added.
  // The sentence names the operator and both libraries. A table that was added before may be added again: that is
  // nothing.
  Error add(KernelTable& table, Message* why = nullptr);
  void remove(KernelTable& table);

  // Of each precedence, from the highest down: the kernel of this key, else the one for all keys. Null if there is
  // none.
  const Kernel* find(const OperatorName& name, const char* key) const;
  const Kernel* find(const OperatorName& name, Span<const TensorMeta> metas) const;
  bool has(const OperatorName& name) const;  // with any key

  const KernelTable* tables() const { return first_; }

 private:
  KernelTable* first_ = nullptr;  // by falling precedence
};

// The prim operators, which every method has without their being registered.
extern const KernelTable prim_kernels;

// A kernel of one table; null if it has none.
const Kernel* find(const KernelTable& table, const OperatorName& name, const char* key);

// A kernel's key. 16 tensors of 16 dimensions fit.
struct KeyText {
  static constexpr size_t capacity = 659;
  char text[capacity];

  // Of the tensors among the values, in order; lists and None add nothing. False if it does not fit.
  bool set(Span<EValue* const> values);
  bool set(Span<const TensorMeta> metas);

 private:
  size_t size_ = 0;
  bool put(ScalarType type, ArrayRef<DimOrderType> order, size_t dim);
};

// --- the registry of a process, for those who want one -----------------------------------------------------------

Registry& global_registry();

// Each call takes one of a few places for tables that are named "registered"; the rows must stay. A call too many is
// RegistrationExceedingMaxKernels: a library does better to have a KernelTable of its own.
Error register_kernels(Span<const Kernel> kernels);
Error register_kernel(const Kernel& kernel);
bool registry_has_op_function(const char* name, Span<const TensorMeta> metas = {});
Result<OpFunction> get_op_function_from_registry(const char* name, Span<const TensorMeta> metas = {});

}  // namespace tenon
