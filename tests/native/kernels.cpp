// A C interface to the registered kernels, for test_kernels.py: one function that calls one by its name.
#include <cstdio>
#include <cstdlib>


#include "../../native/kernels/generated/kernels.h"

using namespace tenon;

namespace {

constexpr size_t kMostItems = 128;
constexpr size_t kTemporary = size_t{1} << 26;

}  // namespace

extern "C" {

struct CTensor {
  int32_t dtype, rank;
  int32_t is_dynamic, is_constant;
  int32_t sizes[kTensorDimensionLimit], strides[kTensorDimensionLimit];
  uint8_t order[kTensorDimensionLimit];
  void* data;
};

struct CValue {
  int32_t tag;
  int32_t count;
  int64_t whole;
  double real;
  void* items;  // int64_t, double, bool or char; CTensor* for tensors, null where there is none
};

// The error, and its words. The sizes of tensors are as the kernel left them.
uint32_t tenon_call(const char* name, CValue* given, size_t count, char* words, size_t room);
size_t tenon_count();
const char* tenon_name(size_t i);
size_t tenon_temporary = kTemporary;  // how much of it kernels have
}

namespace {

struct List {
  EValue values[kMostItems];
  EValue* wrapped[kMostItems];
  int64_t ints[kMostItems];
  Tensor tensors[kMostItems];
  std::optional<Tensor> optionals[kMostItems];
  TensorImpl impls[kMostItems];
  BoxedEvalueList<int64_t> as_ints;
  BoxedEvalueList<Tensor> as_tensors;
  BoxedEvalueList<std::optional<Tensor>> as_optionals;
};

TensorImpl made(CTensor& t) {
  TensorImpl impl(static_cast<ScalarType>(t.dtype), t.rank, t.sizes, t.data, t.order, t.strides,
                  t.is_dynamic ? TensorShapeDynamism::DYNAMIC_BOUND : TensorShapeDynamism::STATIC);
  impl.set_memory(t.data, impl.nbytes(), t.is_constant);
  return impl;
}

EValue made(CValue& given, List& list) {
  const size_t count = static_cast<size_t>(given.count);
  for (size_t i = 0; i < count && i < kMostItems; ++i) list.wrapped[i] = &list.values[i];
  switch (static_cast<Tag>(given.tag)) {
    case Tag::None:
      return EValue();
    case Tag::Int:
      return EValue(given.whole);
    case Tag::Bool:
      return EValue(given.whole != 0);
    case Tag::Double:
      return EValue(given.real);
    case Tag::String:
      return EValue(static_cast<const char*>(given.items), count);
    case Tag::ListBool:
      return EValue(ArrayRef<bool>(static_cast<bool*>(given.items), count));
    case Tag::ListDouble:
      return EValue(ArrayRef<double>(static_cast<double*>(given.items), count));
    case Tag::Tensor:
      list.impls[0] = made(*static_cast<CTensor*>(given.items));
      return EValue(Tensor(&list.impls[0]));
    case Tag::ListInt:
      for (size_t i = 0; i < count; ++i) list.values[i] = EValue(static_cast<int64_t*>(given.items)[i]);
      list.as_ints = {list.wrapped, list.ints, count};
      return EValue(&list.as_ints);
    default:
      break;
  }
  CTensor** tensors = static_cast<CTensor**>(given.items);
  for (size_t i = 0; i < count; ++i) {
    if (!tensors[i]) continue;
    list.impls[i] = made(*tensors[i]);
    list.values[i] = EValue(Tensor(&list.impls[i]));
  }
  if (static_cast<Tag>(given.tag) == Tag::ListTensor) {
    list.as_tensors = {list.wrapped, list.tensors, count};
    return EValue(&list.as_tensors);
  }
  list.as_optionals = {list.wrapped, list.optionals, count};
  return EValue(&list.as_optionals);
}

}  // namespace

uint32_t tenon_call(const char* name, CValue* given, size_t count, char* words, size_t room) {
  static uint8_t* temporary = static_cast<uint8_t*>(std::malloc(kTemporary));
  static List* lists = new List[kMostItems];
  words[0] = 0;
  const Kernel* kernel = find(tenon_kernels, name, nullptr);
  if (!kernel || count > kMostItems) return static_cast<uint32_t>(Error::OperatorMissing);
  EValue values[kMostItems];
  EValue* stack[kMostItems];
  for (size_t i = 0; i < count; ++i) {
    for (EValue& value : lists[i].values) value = EValue();
    values[i] = made(given[i], lists[i]);
    stack[i] = &values[i];
  }
  MemoryAllocator allocator(tenon_temporary, temporary);
  Context context(nullptr, &allocator);
  kernel->op_(context, {stack, count});
  std::snprintf(words, room, "%s", context.message());
  return static_cast<uint32_t>(context.failure_state());
}

size_t tenon_count() { return tenon_kernels.rows.size(); }
const char* tenon_name(size_t i) { return tenon_kernels.rows[i].name_; }
