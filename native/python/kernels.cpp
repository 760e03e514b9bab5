// Kernels called directly, each argument by its kind in the schema.
#include "kernels.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <deque>

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
    return Tensor(&views_.back().impl);
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
  const Kernel* kernel = kernels().find(OperatorName(name.c_str()), nullptr);
  if (!kernel) kernel = find(prim_kernels, OperatorName(name.c_str()), nullptr);
  if (!kernel) raise("Unsupported", "there is no kernel for " + name + ".");
  Arguments arguments(name);
  for (nb::handle pair : values) {
    arguments.pointers.push_back(arguments.add(nb::cast<std::string>(pair[0]), pair[1]));
  }
  EValue result;
  arguments.pointers.push_back(results == 1 ? arguments.pointers.back() : &result);
  Context context;
  kernel->op_(context, {arguments.pointers.data(), arguments.pointers.size()});
  if (context.failed()) raise("Invalid", name + ": " + context.message() + ".");
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const KernelTable* table = kernels().tables(); table; table = table->next) {
    for (const Kernel& kernel : table->rows) names.emplace_back(kernel.name_);
  }
  return names;
}

}  // namespace

void bind_kernels(nb::module_& m) {
  m.def("call_kernel", &call_kernel, nb::arg("name"), nb::arg("values"), nb::arg("results"));
  m.def("kernel_names", &kernel_names);
}

}  // namespace tenon
