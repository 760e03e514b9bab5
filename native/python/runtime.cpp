// Programs and methods for Python. This side may allocate and throw; the runtime below it does neither.
#include "runtime.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <tenon/heap.h>

#include "../exec/method.h"
#include "arrays.h"

namespace tenon {

namespace {

class Memory : public HeapBlock {
 public:
  explicit Memory(size_t size) : HeapBlock(size) {
    if (!data()) raise("Invalid", "there is no memory of " + std::to_string(size) + " bytes for the program.");
  }

  // Where state lies that methods have by now: to load another one must not set it back.
  std::vector<std::pair<size_t, size_t>> state;  // offset and size
};

// A buffer of Python, held; copied if it does not lie at a multiple of 16, where constants would not be aligned.
class Bytes16 {
 public:
  explicit Bytes16(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nb::python_error();
    data_ = static_cast<const uint8_t*>(view_.buf);
    if (reinterpret_cast<uintptr_t>(data_) % 16 != 0) {
      copy_ = std::make_unique<Memory>(size());
      std::memcpy(copy_->data(), data_, size());
      data_ = copy_->data();
    }
  }
  Bytes16(const Bytes16&) = delete;
  Bytes16& operator=(const Bytes16&) = delete;
  ~Bytes16() { PyBuffer_Release(&view_); }
  const uint8_t* data() const { return data_; }
  size_t size() const { return static_cast<size_t>(view_.len); }

 private:
  Py_buffer view_;
  const uint8_t* data_;
  std::unique_ptr<Memory> copy_;
};

class PyProgram {
 public:
  PyProgram(nb::object data, nb::object external) : bytes_(data) {
    if (!external.is_none()) {
      beside_ = std::make_unique<Bytes16>(external);
      Fault fault = read_external(beside_->data(), beside_->size(), external_);
      if (!fault) {
        order_.resize(external_.count());
        fault = order_names(external_, order_.data());
      }
      if (fault) {
        char words[256];
        say(fault, words, sizeof words);
        raise("Invalid", std::string("the external data beside the program: ") + words);
      }
    }
    Message why;
    check(Program::load(bytes_.data(), bytes_.size(), program_, why, {&external_, external.is_none() ? size_t{0} : 1}),
          why);
  }

  std::vector<std::string> methods() const {
    std::vector<std::string> names;
    for (size_t i = 0; i < program_.method_count(); ++i) names.emplace_back(program_.method_name(i));
    return names;
  }
  const Program& program() const { return program_; }

  // For values and instructions, and of each bank.
  std::pair<size_t, std::vector<size_t>> memory_needed(const std::string& name) const {
    Message why;
    MemoryNeeded needed;
    check(Method::memory_needed(program_, name, needed, why), why);
    std::vector<size_t> banks;
    for (size_t k = 1; k <= needed.bank_count(); ++k) banks.push_back(needed.bank(k));
    return {needed.method, banks};
  }

 private:
  Bytes16 bytes_;
  std::unique_ptr<Bytes16> beside_;
  External external_;
  std::vector<uint32_t> order_;
  Program program_;
};

class PyMethod {
 public:
  PyMethod(std::shared_ptr<PyProgram> program, const std::string& name, std::map<size_t, std::shared_ptr<Memory>> shared)
      : program_(std::move(program)), name_(name) {
    Message why;
    MemoryNeeded needed;
    check(Method::memory_needed(program_->program(), name_, needed, why), why);
    room_ = std::make_unique<Memory>(needed.method);
    for (size_t k = 1; k <= needed.bank_count(); ++k) {
      auto found = shared.find(k);
      banks_.push_back(found != shared.end() ? found->second : std::make_shared<Memory>(needed.bank(k)));
      spans_.push_back({banks_.back()->data(), needed.bank(k)});
    }
    allocator_ = std::make_unique<MemoryAllocator>(needed.method, room_->data());
    planned_ = std::make_unique<HierarchicalAllocator>(Span<Span<uint8_t>>(spans_.data(), spans_.size()));
    const MemoryManager memory(allocator_.get(), planned_.get(), &temporary_);
    LoadOptions options;
    std::vector<std::string> missing;
    options.user = &missing;
    options.missing = [](void* user, size_t, const OperatorName& op) {
      std::string full(op.name);
      if (!op.overload.empty()) full.append(".").append(op.overload);
      static_cast<std::vector<std::string>*>(user)->push_back(full);
    };
    std::vector<std::vector<uint8_t>> before;
    for (const auto& [bank, held] : shared) before.emplace_back(held->data(), held->data() + held->size());
    const Error error = Method::load(program_->program(), name_, memory, kernels(), method_, why, options);
    size_t i = 0;
    for (const auto& [bank, held] : shared) {
      for (const auto& [offset, size] : held->state) std::memcpy(held->data() + offset, &before[i][offset], size);
      ++i;
    }
    if (!missing.empty()) raise("Unsupported", listed(missing));
    check(error, why);
    for (const auto& [bank, held] : shared) note_state(*held);
  }

  std::string inputs() const { return std::string(method_.input_structure()); }
  std::string outputs() const { return std::string(method_.output_structure()); }
  size_t input_count() const { return method_.input_count(); }

  nb::list call(nb::list inputs, bool torch, nb::dict into) {
    set_inputs(inputs);
    run();
    nb::list results;
    for (size_t i = 0; i < method_.output_count(); ++i) {
      nb::object key = nb::int_(i);
      results.append(into.contains(key) ? given(into[key], i) : object_of(method_.output(i), torch));
    }
    return results;
  }

  // The nanoseconds of each instruction that ran, in the order in which they ran.
  nb::list profile(nb::list inputs) {
    set_inputs(inputs);
    struct Times {
      std::chrono::steady_clock::time_point start;
      std::vector<std::pair<size_t, int64_t>> found;
    } times;
    Hook hook;
    hook.user = &times;
    hook.function = [](void* user, const Method&, size_t, size_t instruction, bool is_done) {
      Times& t = *static_cast<Times*>(user);
      const auto now = std::chrono::steady_clock::now();
      if (is_done) {
        t.found.emplace_back(instruction,
                             std::chrono::duration_cast<std::chrono::nanoseconds>(now - t.start).count());
      }
      t.start = std::chrono::steady_clock::now();
      return true;
    };
    method_.set_hook(hook);
    try {
      run();
    } catch (...) {
      method_.set_hook({});
      throw;
    }
    method_.set_hook({});
    nb::list rows;
    for (const auto& [instruction, nanoseconds] : times.found) {
      const OperatorName op = method_.operator_of(0, instruction);
      std::string name(op.name);
      if (!op.overload.empty()) name.append(".").append(op.overload);
      rows.append(nb::make_tuple(instruction, name, nanoseconds));
    }
    return rows;
  }

  // --- state ---

  nb::dict state(bool torch) {
    nb::dict found;
    for (size_t i = 0; i < method_.state_count(); ++i) {
      Tensor tensor;
      check(method_.state(i, tensor), method_.why());
      found[key(i)] = object_of(EValue(tensor), torch);
    }
    return found;
  }
  void set_state(size_t i, Array array) {
    Viewed viewed(std::move(array), "state " + std::to_string(i) + " of method " + name_);
    check(method_.set_state(i, Tensor(&viewed.impl)), method_.why());
  }
  size_t state_number(const std::string& name) const {
    for (size_t i = 0; i < method_.state_count(); ++i) {
      if (nb::cast<std::string>(nb::str(key(i))) == name) return i;
    }
    raise("Invalid", "method " + name_ + " has no state " + name + ".");
  }
  void reset_state() { method_.reset_state(); }

 private:
  static std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) {
      text += "Missing operator: [" + std::to_string(i + 1) + "] " + names[i] + "\n";
    }
    return text + "Add kernels for them, or run the program with mode=\"aten\".";
  }

  void note_state(Memory& held) {
    for (size_t i = 0; i < method_.state_count(); ++i) {
      Tensor tensor;
      check(method_.state(i, tensor), method_.why());
      const uint8_t* data = static_cast<const uint8_t*>(tensor.const_data_ptr());
      if (data >= held.data() && data + tensor.nbytes() <= held.data() + held.size()) {
        held.state.emplace_back(data - held.data(), tensor.nbytes());
      }
    }
  }

  nb::object key(size_t i) const {
    const std::string_view name = method_.state_name(i);
    if (name.empty()) return nb::cast(std::to_string(i));
    return nb::cast(std::string(name));
  }

  void set_inputs(nb::list inputs) {
    if (inputs.size() != method_.input_count()) {
      raise("Invalid", "method " + name_ + " takes " + std::to_string(method_.input_count()) +
                           (method_.input_count() == 1 ? " input" : " inputs") + ", and was given " +
                           std::to_string(inputs.size()) + ".");
    }
    for (size_t i = 0; i < inputs.size(); ++i) set_input(inputs[i], i);
  }

  void set_input(nb::handle value, size_t i) {
    const std::string who = "method " + name_ + ": input " + std::to_string(i);
    Error error;
    if (value.is_none()) {
      error = method_.set_input(EValue(), i);
    } else if (PyBool_Check(value.ptr())) {
      error = method_.set_input(EValue(nb::cast<bool>(value)), i);
    } else if (PyLong_Check(value.ptr())) {
      error = method_.set_input(EValue(nb::cast<int64_t>(value)), i);
    } else if (PyFloat_Check(value.ptr())) {
      error = method_.set_input(EValue(nb::cast<double>(value)), i);
    } else if (PyUnicode_Check(value.ptr())) {
      const std::string text = nb::cast<std::string>(value);
      error = method_.set_input(EValue(std::string_view(text)), i);
    } else {
      Array array;
      if (!nb::try_cast(value, array)) {
        raise("Invalid", who + " must be an array, not a " +
                             nb::cast<std::string>(nb::handle(value.type()).attr("__name__")) + ".");
      }
      Viewed viewed(std::move(array), who);
      error = method_.set_input(EValue(Tensor(&viewed.impl)), i);
    }
    check(error, method_.why());
  }

  void run() {
    Error error;
    {
      nb::gil_scoped_release released;
      error = method_.execute();
    }
    check(error, method_.why());
  }

  // An output in memory that the caller gave.
  nb::object given(nb::handle array, size_t i) {
    const std::string who = "the array for output " + std::to_string(i) + " of method " + name_;
    Viewed viewed(nb::cast<Array>(array), who);
    if (!method_.output(i).isTensor()) raise("Invalid", who + ": that output is no tensor.");
    Tensor tensor = method_.output(i).toTensor();
    const ShapeText wanted(tensor.sizes()), found(viewed.impl.sizes());
    if (viewed.impl.scalar_type() != tensor.scalar_type() || std::strcmp(wanted.text, found.text) != 0 ||
        std::memcmp(viewed.strides.data(), tensor.strides().data(), viewed.strides.size() * sizeof(StridesType)) != 0) {
      raise("Invalid", who + " is " + toString(viewed.impl.scalar_type()) + found.text + ", and the output " +
                           toString(tensor.scalar_type()) + wanted.text + ", dense.");
    }
    if (tensor.nbytes()) std::memcpy(viewed.impl.mutable_data(), tensor.const_data_ptr(), tensor.nbytes());
    return nb::borrow(array);
  }

  std::shared_ptr<PyProgram> program_;
  std::string name_;
  std::unique_ptr<Memory> room_;
  std::vector<std::shared_ptr<Memory>> banks_;
  std::vector<Span<uint8_t>> spans_;
  HeapAllocator temporary_;
  std::unique_ptr<MemoryAllocator> allocator_;
  std::unique_ptr<HierarchicalAllocator> planned_;
  Method method_;
};

}  // namespace

void bind_runtime(nb::module_& m) {
  nb::class_<Memory>(m, "Memory", "Memory that methods share.").def(nb::init<size_t>());
  nb::class_<PyProgram>(m, "Program", "A program file, checked.")
      .def(nb::init<nb::object, nb::object>(), nb::arg("data"), nb::arg("external").none())
      .def_prop_ro("methods", &PyProgram::methods)
      .def("memory_needed", &PyProgram::memory_needed, nb::arg("method"));
  nb::class_<PyMethod>(m, "Method", "A method in memory of its own.")
      .def(nb::init<std::shared_ptr<PyProgram>, const std::string&, std::map<size_t, std::shared_ptr<Memory>>>(),
           nb::arg("program"), nb::arg("name"), nb::arg("shared"))
      .def_prop_ro("takes", &PyMethod::inputs)
      .def_prop_ro("gives", &PyMethod::outputs)
      .def("__call__", &PyMethod::call, nb::arg("inputs"), nb::arg("torch"), nb::arg("into"))
      .def("profile", &PyMethod::profile, nb::arg("inputs"))
      .def("state", &PyMethod::state, nb::arg("torch"))
      .def("set_state", [](PyMethod& self, const std::string& name, Array array) {
        self.set_state(self.state_number(name), std::move(array));
      })
      .def("reset_state", &PyMethod::reset_state);
}

}  // namespace tenon
