// A method of a program, ready to run in memory that the caller gives.
//
//   Message why;
//   Program program;
//   if (Program::load(data, size, program, why) != Error::Ok) ...;     // why.text says it
//   MemoryNeeded needed;
//   Method::memory_needed(program, "forward", needed, why);             // exactly that much is enough
//   MemoryAllocator room(needed.method, buffer);                        // at a multiple of 16, as are the banks
//   HierarchicalAllocator banks(spans);                                 // needed.bank_count() of them
//   MemoryManager memory(&room, &banks, &temporary);
//   Method method;
//   if (Method::load(program, "forward", memory, registry, method, why) != Error::Ok) ...;
//   method.set_input(EValue(tensor), 0);
//   method.execute();                                                   // method.why().text says what went wrong
//   method.output(0).toTensor();
//
// Program, registry and memory must outlive the method. Nothing else is allocated, at load or later. A method is used
// by one thread at a time. It runs as long as its program says: a loop without an end is ended only by a hook.
#pragma once

#include <tenon/registry.h>

#include "program.h"

namespace tenon {

class Method;

// What a method needs, in bytes.
struct MemoryNeeded {
  size_t method = 0;     // for values and instructions
  size_t temporary = 0;  // for the runtime itself it is none; kernels take what they take (MemoryAllocator::peak_size)
  Numbers<int64_t> sizes;

  size_t bank_count() const { return sizes.size() ? sizes.size() - 1 : 0; }
  size_t bank(size_t k) const { return static_cast<size_t>(sizes[k]); }  // from 1 on
};

// Called before and after each instruction, for those who measure. What it gives back says whether to go on.
struct Hook {
  bool (*function)(void* user, const Method& method, size_t chain, size_t instruction, bool is_done) = nullptr;
  void* user = nullptr;
};

struct LoadOptions {
  // State stays as it is in memory: for a second method that shares a bank with one that has run.
  bool keep_state = false;
  // A dimension may exceed its bound where there is room for all elements. Programs of ExecuTorch may rely on it.
  bool capacity_only = false;
  // Told of each missing operator, as a message may be too short for all of them.
  void (*missing)(void* user, size_t index, const OperatorName& name) = nullptr;
  void* user = nullptr;
};

class Method {
 public:
  static Error memory_needed(const Program& program, std::string_view name, MemoryNeeded& needed, Message& why);
  static Error load(const Program& program, std::string_view name, const MemoryManager& memory,
                    const Registry& registry, Method& method, Message& why, const LoadOptions& options = {});

  std::string_view name() const { return view(plan_.name()); }
  const Message& why() const { return why_; }  // of the last call that gave an error

  // --- inputs and outputs ---

  size_t input_count() const { return plan_.inputs().size(); }
  size_t output_count() const { return plan_.outputs().size(); }
  const EValue& input(size_t i) const { return values_[plan_.inputs()[i]]; }
  const EValue& output(size_t i) const { return values_[plan_.outputs()[i]]; }
  // How the pytree of (args, kwargs) and that of the result look; as the file has it.
  std::string_view input_structure() const { return view(plan_.container_meta_type().encoded_inp_str()); }
  std::string_view output_structure() const { return view(plan_.container_meta_type().encoded_out_str()); }

  // A tensor is copied where the plan has memory for it, whatever its strides; else its own memory is used, which must
  // then stay, and lie as the program has it. A number, bool or string must be the one that the model was exported
  // with.
  Error set_input(const EValue& value, size_t i);
  Error set_inputs(Span<const EValue> values);
  // Where an output lies for which the plan has no memory.
  Error set_output(void* data, size_t size, size_t i);

  // Runs once. Inputs that were copied are then used up, and are given again before the next run. After an error,
  // numbers are as they were at load, so that the next run starts afresh; state is not undone.
  Error execute();
  void set_hook(Hook hook) { hook_ = hook; }

  // --- instructions, for those who report ---

  size_t chain_count() const { return plan_.chains().size(); }
  size_t instruction_count(size_t chain) const { return plan_.chains()[chain].instructions().size(); }
  OperatorName operator_of(size_t chain, size_t instruction) const;  // empty if it calls none

  // --- state: tensors of the plan that keep their value from run to run, and have a name or an initial value ---

  size_t state_count() const;
  std::string_view state_name(size_t i) const;  // empty if the file has none
  // Its tensor, whose data is the state itself.
  Error state(size_t i, Tensor& tensor);
  Error state(std::string_view name, Tensor& tensor);
  // A tensor of the same dtype and shape is copied there.
  Error set_state(size_t i, Tensor from);
  Error set_state(std::string_view name, Tensor from);
  // All of it as it is in the file; zeros, where the file has no value.
  void reset_state();

 private:
  struct Parts;
  struct Step;
  struct Steps;

  static Error check_supported(const Program& program, std::string_view name, Message& why,
                               format::ExecutionPlan& plan);
  Error take_memory(const MemoryManager& memory, Message& why);
  Error make_values(Message& why, const LoadOptions& options);
  Error make_tensor(size_t i, format::Tensor tensor, Message& why, const LoadOptions& options);
  void make_list(size_t i, format::EValue value);
  void make_number(size_t i, format::EValue value);
  Error make_steps(const Registry& registry, Message& why, const LoadOptions& options);
  Error say_missing(const uint8_t* missing, Message& why, const LoadOptions& options) const;

#if TENON_WORDS
  Error fail(Error error, const char* format, ...) ET_PRINTFLIKE(3, 4);
#else
  template <class... Values>
  Error fail(Error error, const char*, const Values&...) {
    return error;
  }
#endif
  Error fail_instruction(const Context& context, size_t chain, size_t instruction);
  Error run(size_t chain, Context& context);
  Error stopped(size_t instruction);
  bool holds(Context& context, const EValue& condition) const;
  void restore();

  Error set_tensor(size_t number, const Tensor& given);
  Error set_plain(size_t number, const EValue& given);
  uint8_t* planned(format::Tensor tensor) const;
  format::Tensor state_at(size_t i, TensorImpl*& tensor) const;
  size_t state_named(std::string_view name) const;
  Bytes initial_value(format::Tensor tensor) const;

  const Program* program_ = nullptr;
  format::ExecutionPlan plan_;
  const HierarchicalAllocator* banks_ = nullptr;
  MemoryAllocator* temporary_ = nullptr;

  // All in one block of the method allocator; what is made while loading is taken from the front of each.
  EValue* values_ = nullptr;
  TensorImpl* tensors_ = nullptr;
  Steps* chains_ = nullptr;
  uint8_t* is_set_ = nullptr;  // of each input
  struct Fresh;
  Fresh* fresh_ = nullptr;

  Hook hook_;
  Message why_;
};

}  // namespace tenon
