// Kernels called directly, each argument by its kind in the schema; and libraries of them, loaded from files.
#include "kernels.h"

#include <dlfcn.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <deque>

#include <tenon/heap.h>

#include "arrays.h"

namespace tenon {
namespace {

// The arguments of one call; what they point to stays where it is.
class Arguments {
 public:
  explicit Arguments(const std::string& who) : who_(who) {}

  EValue* add(const std::string& kind, nb::handle value) {
    if (value.is_none() && kind != "optional_tensors") return keep(EValue());
    if (kind == "tensor") return keep(EValue(tensor(value)));
    if (kind == "int") return keep(EValue(nb::cast<int64_t>(value)));
    if (kind == "float") return keep(EValue(nb::cast<double>(value)));
    if (kind == "bool") return keep(EValue(nb::cast<bool>(value)));
    if (kind == "number") return keep(number(value));
    if (kind == "str") {
      strings_.push_back(nb::cast<std::string>(value));
      return keep(EValue(std::string_view(strings_.back())));
    }
    if (kind == "ints") return list<int64_t>(value, "int", ints_);
    if (kind == "tensors") return list<Tensor>(value, "tensor", tensors_);
    if (kind == "optional_tensors") return list<std::optional<Tensor>>(value, "tensor", optionals_);
    if (kind == "floats") {
      floats_.push_back(nb::cast<std::vector<double>>(value));
      return keep(EValue(ArrayRef<double>(floats_.back().data(), floats_.back().size())));
    }
    if (kind == "bools") {
      bools_.emplace_back();
      for (nb::handle item : value) bools_.back().push_back(nb::cast<bool>(item));
      flags_.emplace_back(bools_.back().begin(), bools_.back().end());
      return keep(EValue(ArrayRef<bool>(reinterpret_cast<const bool*>(flags_.back().data()), flags_.back().size())));
    }
    raise("Unsupported", who_ + " takes a " + kind + ", which Python cannot give.");
  }

  std::vector<EValue*> pointers;

 private:
  EValue* keep(EValue value) {
    values_.push_back(value);
    return &values_.back();
  }
  Tensor tensor(nb::handle value) {
    views_.emplace_back(nb::cast<Array>(value), who_);
    forget_steps_over_nothing(views_.back());
    return Tensor(&views_.back().impl);
  }
  // The step along a dimension of one element is whatever its owner likes. A tensor that is dense without it has its
  // dimensions in their order, as in a program.
  static void forget_steps_over_nothing(Viewed& viewed) {
    const size_t dim = viewed.sizes.size();
    std::vector<StridesType> plain(dim);
    if (!fill_strides(viewed.sizes.data(), nullptr, dim, plain.data())) return;
    for (size_t d = 0; d < dim; ++d) {
      if (viewed.sizes[d] > 1 && viewed.strides[d] != plain[d]) return;
    }
    for (size_t d = 0; d < dim; ++d) {
      viewed.strides[d] = plain[d];
      viewed.order[d] = static_cast<DimOrderType>(d);
    }
  }
  static EValue number(nb::handle value) {
    if (PyBool_Check(value.ptr())) return EValue(nb::cast<bool>(value));
    return PyLong_Check(value.ptr()) ? EValue(nb::cast<int64_t>(value)) : EValue(nb::cast<double>(value));
  }
  template <class T>
  struct List {
    std::vector<EValue*> items;
    std::vector<T> room;
    BoxedEvalueList<T> boxed;
  };
  template <class T>
  EValue* list(nb::handle value, const char* kind, std::deque<List<T>>& lists) {
    lists.emplace_back();
    List<T>& made = lists.back();
    for (nb::handle item : value) made.items.push_back(item.is_none() ? nullptr : add(kind, item));
    made.room.resize(made.items.size());
    made.boxed = BoxedEvalueList<T>(made.items.data(), made.room.data(), made.items.size());
    return keep(EValue(&made.boxed));
  }

  std::string who_;
  std::deque<EValue> values_;
  std::deque<Viewed> views_;
  std::deque<std::string> strings_;
  std::deque<std::vector<double>> floats_;
  std::deque<std::vector<bool>> bools_;
  std::deque<std::vector<uint8_t>> flags_;
  std::deque<List<int64_t>> ints_;
  std::deque<List<Tensor>> tensors_;
  std::deque<List<std::optional<Tensor>>> optionals_;
};

void call_kernel(const std::string& name, nb::list values, size_t results) {
  Arguments arguments(name);
  for (nb::handle pair : values) {
    arguments.pointers.push_back(arguments.add(nb::cast<std::string>(pair[0]), pair[1]));
  }
  EValue result;
  arguments.pointers.push_back(results == 1 ? arguments.pointers.back() : &result);
  const Span<EValue*> stack(arguments.pointers.data(), arguments.pointers.size());
  KeyText key;
  const char* text = key.set({stack.data(), stack.size()}) ? key.text : nullptr;
  const OperatorName op(name.c_str());
  const Kernel* kernel = kernels().find(op, text);
  if (!kernel) kernel = find(prim_kernels, op, nullptr);
  if (!kernel && kernels().has(op)) raise("Unsupported", name + " has no kernel for these dtypes and dim orders.");
  if (!kernel) raise("Unsupported", "there is no kernel for " + name + ".");
  HeapAllocator temporary;
  Context context(nullptr, &temporary);
  kernel->op_(context, stack);
  if (!context.failed()) return;
  raise("Invalid", name + ": " + (*context.message() ? context.message() : to_string(context.failure_state())) + ".");
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const KernelTable* table = kernels().tables(); table; table = table->next) {
    for (const Kernel& kernel : table->rows) names.emplace_back(kernel.name_);
  }
  return names;
}

// --- libraries ------------------------------------------------------------------------------------------------------

std::string words_of_dlerror(const std::string& path) {
  const char* said = dlerror();
  std::string words = said ? said : "nobody says why";
  // It begins with the path, as a rule.
  return words.rfind(path + ": ", 0) == 0 ? words : path + ": " + words;
}

bool has_table(const KernelTable& table) {
  for (const KernelTable* each = kernels().tables(); each; each = each->next) {
    if (each == &table) return true;
  }
  return false;
}

// The names of the operators that a library has kernels for. It stays, as methods point to its functions; to load it
// again is to set its precedence. One with a higher precedence than 0 goes before Tenon's own kernels.
std::vector<std::string> load_kernels(const std::string& path, int precedence) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) raise("Invalid", words_of_dlerror(path) + ".");
  using Getter = KernelTable* (*)();
  const Getter getter = reinterpret_cast<Getter>(dlsym(library, "tenon_kernel_table"));
  KernelTable* table = getter ? getter() : nullptr;
  if (!table) {
    dlclose(library);
    raise("Invalid", path + " is a library, but none of kernels: it has no table of them (tenon_kernel_table). Take "
                            "one that `tenon build` makes, or compile what `tenon gen` makes with -DTENON_LOADABLE.");
  }
  const int before = table->precedence;
  const bool was_there = has_table(*table);
  kernels().remove(*table);
  table->precedence = precedence;
  Message why;
  if (kernels().add(*table, &why) != Error::Ok) {
    table->precedence = before;
    if (was_there) (void)kernels().add(*table);
    if (!was_there) dlclose(library);
    raise("Invalid", path + ": " + why.text);
  }
  std::vector<std::string> names;
  for (const Kernel& kernel : table->rows) names.emplace_back(kernel.name_);
  return names;
}

}  // namespace

void bind_kernels(nb::module_& m) {
  m.def("call_kernel", &call_kernel, nb::arg("name"), nb::arg("values"), nb::arg("results"));
  m.def("kernel_names", &kernel_names);
  m.def("load_kernels", &load_kernels, nb::arg("path"), nb::arg("precedence"));
}

}  // namespace tenon
