// Loads a method: its values and instructions in one block of the caller's memory, its kernels resolved.
#include "method.h"

#include <cstring>

#include "steps.h"

namespace tenon {

using Val = format::EValue::Val;
using Call = format::Instruction::InstrArgs;

// --- how much -----------------------------------------------------------------------------------------------------

// How many of each there are in the block of a method.
struct Method::Parts {
  uint64_t values = 0, tensors = 0, dims = 0, orders = 0, lists = 0, pointers = 0, ints = 0, listed = 0, optional = 0,
           doubles = 0, bools = 0, chains = 0, steps = 0, inputs = 0, operators = 0;

  explicit Parts(format::ExecutionPlan plan) {
    const Tables<format::EValue> all = plan.values();
    values = all.size();
    for (size_t i = 0; i < all.size(); ++i) count(all[i]);
    chains = plan.chains().size();
    for (size_t c = 0; c < plan.chains().size(); ++c) {
      const Tables<format::Instruction> instructions = plan.chains()[c].instructions();
      steps += instructions.size();
      for (size_t i = 0; i < instructions.size(); ++i)
        pointers += instructions[i].instr_args_kernel_call().args().size();
    }
    inputs = plan.inputs().size();
    operators = plan.operators().size();
  }

  void count(format::EValue value) {
    switch (value.val_kind()) {
      case Val::Tensor: {
        const uint64_t rank = value.val_tensor().sizes().size();
        ++tensors;
        orders += rank;
        dims += (is_static(value.val_tensor()) ? 2 : 3) * rank;  // sizes, strides, and bounds
        break;
      }
      case Val::IntList:
        list(ints, value.val_int_list().items().size());
        break;
      case Val::TensorList:
        list(listed, value.val_tensor_list().items().size());
        break;
      case Val::OptionalTensorList:
        list(optional, value.val_optional_tensor_list().items().size());
        break;
      case Val::DoubleList:
        doubles += value.val_double_list().items().size();
        break;
      case Val::BoolList:
        bools += value.val_bool_list().items().size();
        break;
      default:
        break;
    }
  }

  void list(uint64_t& items, uint64_t count) {
    ++lists;
    pointers += count;
    items += count;
  }

  static bool is_static(format::Tensor tensor) { return !tensor.shape_dynamism(); }

  uint64_t bytes() const {
    return values * sizeof(EValue) + tensors * sizeof(TensorImpl) + lists * sizeof(BoxedEvalueList<int64_t>) +
           pointers * sizeof(EValue*) + ints * sizeof(int64_t) + listed * sizeof(Tensor) +
           optional * sizeof(std::optional<Tensor>) + doubles * sizeof(double) + chains * sizeof(Steps) +
           steps * sizeof(Step) + dims * sizeof(SizesType) + orders + bools + inputs + operators;
  }
};

namespace {

// Why an operator has no kernel here: none at all, or none for the dtypes and dim orders it is called with.
constexpr uint8_t kMissing = 1, kForOthers = 2;


// A sentence that begins with the method.
#if TENON_WORDS
ET_PRINTFLIKE(4, 5) Error said(Message& why, std::string_view name, Error error, const char* format, ...) {
  why.say(error, "method %.*s", static_cast<int>(name.size()), name.data());
  va_list values;
  va_start(values, format);
  why.vadd(format, values);
  va_end(values);
  return error;
}
#else
template <class... Values>
Error said(Message&, std::string_view, Error error, const char*, const Values&...) {
  return error;
}
#endif

}  // namespace

// Where the next of each kind goes while a method is made.
struct Method::Fresh {
  TensorImpl* tensors;
  uint8_t* lists;
  EValue** pointers;
  int64_t* ints;
  Tensor* listed;
  std::optional<Tensor>* optional;
  double* doubles;
  Step* steps;
  SizesType* dims;
  DimOrderType* orders;
  bool* bools;
  uint8_t* missing;
};

Error Method::check_supported(const Program& program, std::string_view name, Message& why,
                              format::ExecutionPlan& plan) {
  plan = program.plan(name);
  if (!plan) {
    why.say(Error::NotFound, "there is no method %.*s. There are:", static_cast<int>(name.size()), name.data());
    for (size_t i = 0; i < program.method_count(); ++i) {
      const std::string_view each = program.method_name(i);
      why.add("%s %.*s", i ? "," : "", static_cast<int>(each.size()), each.data());
    }
    why.add(".");
    return Error::NotFound;
  }
  if (plan.delegates().size()) {
    const Text id = plan.delegates()[0].id();
    return said(why, name, Error::NotSupported, " calls a delegate (%.*s), which only its own runtime can run.",
                static_cast<int>(id.size()), id.data);
  }
  for (size_t i = 0; i < plan.non_const_buffer_device().size(); ++i) {
    if (!plan.non_const_buffer_device()[i].device_type()) continue;
    return said(why, name, Error::NotSupported, ": memory bank %d is on a device, and there is only memory here.",
                plan.non_const_buffer_device()[i].buffer_idx());
  }
  for (size_t i = 0; i < plan.values().size(); ++i) {
    const format::Tensor tensor = plan.values()[i].val_tensor();
    if (tensor.shape_dynamism() == static_cast<int8_t>(format::Dynamism::DynamicUnbound)) {
      return said(why, name, Error::NotSupported, ": value %zu has no upper bound. Export it with one.", i);
    }
    if (tensor.extra_tensor_info().device_type()) {
      return said(why, name, Error::NotSupported, ": value %zu is on a device, and there is only memory here.", i);
    }
  }
  if (Parts(plan).bytes() > SIZE_MAX) {
    return said(why, name, Error::OutOfResources, " is larger than memory can be.");
  }
  return Error::Ok;
}

Error Method::memory_needed(const Program& program, std::string_view name, MemoryNeeded& needed, Message& why) {
  format::ExecutionPlan plan;
  const Error error = check_supported(program, name, why, plan);
  if (error != Error::Ok) return error;
  needed.method = static_cast<size_t>(Parts(plan).bytes());
  needed.sizes = plan.non_const_buffer_sizes();
  return Error::Ok;
}

// --- memory -------------------------------------------------------------------------------------------------------

namespace {

template <class T>
T* carve(uint8_t*& block, uint64_t count) {
  T* first = reinterpret_cast<T*>(block);
  block += static_cast<size_t>(count) * sizeof(T);
  return first;
}

constexpr size_t bank_alignment = 16;

}  // namespace

Error Method::take_memory(const MemoryManager& memory, Message& why) {
  const Numbers<int64_t> sizes = plan_.non_const_buffer_sizes();
  const HierarchicalAllocator* banks = memory.planned_memory();
  const size_t given = banks ? banks->count() : 0;
  for (size_t k = 1; k < sizes.size(); ++k) {
    if (!sizes[k]) continue;
    const Span<uint8_t> bank = k <= given ? banks->bank(k) : Span<uint8_t>();
    if (bank.size() < static_cast<uint64_t>(sizes[k])) {
      return said(why, name(), Error::MemoryAllocationFailed,
                  " needs %lld bytes for memory bank %zu, and was given %zu.", static_cast<long long>(sizes[k]), k,
                  bank.size());
    }
    if (reinterpret_cast<uintptr_t>(bank.data()) % bank_alignment) {
      return said(why, name(), Error::InvalidArgument, ": memory bank %zu does not begin at a multiple of %zu.", k,
                  bank_alignment);
    }
  }
  const Parts parts(plan_);
  const size_t size = static_cast<size_t>(parts.bytes());
  uint8_t* block = static_cast<uint8_t*>(memory.method_allocator()->allocate(size, alignof(EValue)));
  if (!block) {
    return said(why, name(), Error::MemoryAllocationFailed,
                " needs %zu bytes for its values and instructions, and %zu are left.", size,
                memory.method_allocator()->free_size());
  }
  banks_ = banks;
  temporary_ = memory.temp_allocator();
  // What is aligned to more comes first, on machines of 32 bits too.
  values_ = carve<EValue>(block, parts.values);
  fresh_->ints = carve<int64_t>(block, parts.ints);
  fresh_->doubles = carve<double>(block, parts.doubles);
  tensors_ = fresh_->tensors = carve<TensorImpl>(block, parts.tensors);
  fresh_->lists = carve<uint8_t>(block, parts.lists * sizeof(BoxedEvalueList<int64_t>));
  fresh_->pointers = carve<EValue*>(block, parts.pointers);
  fresh_->listed = carve<Tensor>(block, parts.listed);
  fresh_->optional = carve<std::optional<Tensor>>(block, parts.optional);
  chains_ = carve<Steps>(block, parts.chains);
  fresh_->steps = carve<Step>(block, parts.steps);
  fresh_->dims = carve<SizesType>(block, parts.dims);
  fresh_->orders = carve<DimOrderType>(block, parts.orders);
  fresh_->bools = carve<bool>(block, parts.bools);
  is_set_ = carve<uint8_t>(block, parts.inputs);
  fresh_->missing = carve<uint8_t>(block, parts.operators);
  std::memset(is_set_, 0, static_cast<size_t>(parts.inputs + parts.operators));
  return Error::Ok;
}

uint8_t* Method::planned(format::Tensor tensor) const {
  const format::AllocationDetails place = tensor.allocation_info();
  if (!place || !plan_.non_const_buffer_sizes()[place.memory_id()]) return nullptr;
  return banks_->bank(place.memory_id()).data() + static_cast<size_t>(offset_of(place));
}

// --- values -------------------------------------------------------------------------------------------------------

Error Method::make_values(Message& why, const LoadOptions& options) {
  const Tables<format::EValue> all = plan_.values();
  for (size_t i = 0; i < all.size(); ++i) new (&values_[i]) EValue();
  for (size_t i = 0; i < all.size(); ++i) {
    if (const format::Tensor tensor = all[i].val_tensor()) {
      const Error error = make_tensor(i, tensor, why, options);
      if (error != Error::Ok) return error;
    }
    make_number(i, all[i]);
    make_list(i, all[i]);
  }
  return Error::Ok;
}

Error Method::make_tensor(size_t i, format::Tensor tensor, Message& why, const LoadOptions& options) {
  const size_t rank = tensor.sizes().size();
  const bool is_static = Parts::is_static(tensor);
  SizesType* sizes = fresh_->dims;
  StridesType* strides = sizes + rank;
  SizesType* bounds = is_static ? nullptr : strides + rank;
  DimOrderType* order = fresh_->orders;
  fresh_->dims += (is_static ? 2 : 3) * rank;
  fresh_->orders += rank;
  for (size_t d = 0; d < rank; ++d) {
    sizes[d] = tensor.sizes()[d];
    order[d] = tensor.dim_order()[d];
    if (bounds) bounds[d] = sizes[d];
  }
  if (!fill_strides(sizes, order, rank, strides)) {
    return said(why, name(), Error::NotSupported, ": value %zu of shape %s has strides beyond 2147483647.", i,
                ShapeText({sizes, rank}).text);
  }
  const ScalarType dtype = static_cast<ScalarType>(tensor.scalar_type());
  TensorImpl& made =
      *new (fresh_->tensors++) TensorImpl(dtype, static_cast<ptrdiff_t>(rank), sizes, nullptr, order, strides,
                                          is_static ? TensorShapeDynamism::STATIC : TensorShapeDynamism::DYNAMIC_BOUND);
  if (!options.capacity_only) made.set_bounds(bounds);
  values_[i] = EValue(Tensor(&made));

  // Where it lies: in a bank, in the file or the one beside it, or nowhere yet.
  Bytes held;
  if (is_external(tensor)) {
    const Error error = program_->find_external(tensor, held, why);
    if (error != Error::Ok) return error;
  }
  if (tensor.allocation_info()) {
    made.set_memory(planned(tensor), made.nbytes(), false);
  } else if (is_external(tensor) || tensor.data_buffer_idx()) {
    if (!is_external(tensor)) held = program_->constants()[tensor.data_buffer_idx()];
    made.set_memory(const_cast<uint8_t*>(held.data), made.nbytes(), true);
  } else {
    made.set_memory(nullptr, 0, false);
  }
  if (made.nbytes() && !is_aligned(made.data(), made.element_size())) {
    return said(why, name(), Error::InvalidArgument,
                ": the data of value %zu is not aligned for %s. Load the file to a multiple of 16.", i,
                dtype_name(dtype));
  }
  return Error::Ok;
}

void Method::make_number(size_t i, format::EValue value) {
  switch (value.val_kind()) {
    case Val::Int:
      values_[i] = EValue(value.val_int().int_val());
      break;
    case Val::Bool:
      values_[i] = EValue(value.val_bool().bool_val());
      break;
    case Val::Double:
      values_[i] = EValue(value.val_double().double_val());
      break;
    case Val::String:
      values_[i] = EValue(view(value.val_string().string_val()));
      break;
    default:
      break;
  }
}

namespace {

// The values that the items of a list stand for; null for those that are none.
template <class T, class Item>
EValue make_items(uint8_t*& lists, EValue**& pointers, T*& room, EValue* values, Numbers<Item> items) {
  for (size_t k = 0; k < items.size(); ++k) {
    pointers[k] = items[k] < 0 ? nullptr : &values[items[k]];
    new (&room[k]) T();
  }
  const auto* list = new (lists) BoxedEvalueList<T>(pointers, room, items.size());
  lists += sizeof *list;
  pointers += items.size();
  room += items.size();
  return EValue(list);
}

}  // namespace

void Method::make_list(size_t i, format::EValue value) {
  Fresh& fresh = *fresh_;
  switch (value.val_kind()) {
    case Val::IntList:
      values_[i] = make_items(fresh.lists, fresh.pointers, fresh.ints, values_, value.val_int_list().items());
      break;
    case Val::TensorList:
      values_[i] = make_items(fresh.lists, fresh.pointers, fresh.listed, values_, value.val_tensor_list().items());
      break;
    case Val::OptionalTensorList:
      values_[i] =
          make_items(fresh.lists, fresh.pointers, fresh.optional, values_, value.val_optional_tensor_list().items());
      break;
    case Val::DoubleList: {  // copied, as those of the file may lie at any address
      const Numbers<double> items = value.val_double_list().items();
      values_[i] = EValue(ArrayRef<double>(fresh.doubles, items.size()));
      for (size_t k = 0; k < items.size(); ++k) *fresh.doubles++ = items[k];
      break;
    }
    case Val::BoolList: {  // copied, as those of the file may be any byte
      const Numbers<bool> items = value.val_bool_list().items();
      values_[i] = EValue(ArrayRef<bool>(fresh.bools, items.size()));
      for (size_t k = 0; k < items.size(); ++k) *fresh.bools++ = items[k];
      break;
    }
    default:
      break;
  }
}

// --- instructions -------------------------------------------------------------------------------------------------

Error Method::make_steps(const Registry& registry, Message& why, const LoadOptions& options) {
  bool is_complete = true;
  KeyText key;
  for (size_t c = 0; c < chain_count(); ++c) {
    const Tables<format::Instruction> instructions = plan_.chains()[c].instructions();
    new (&chains_[c]) Steps{fresh_->steps, instructions.size()};
    for (size_t i = 0; i < instructions.size(); ++i) {
      Step& step = *new (fresh_->steps++) Step();
      switch (instructions[i].instr_args_kind()) {
        case Call::KernelCall: {
          const format::KernelCall call = instructions[i].instr_args_kernel_call();
          const Numbers<int32_t> args = call.args();
          step.kind = Step::Kind::call;
          step.count = static_cast<uint32_t>(args.size());
          step.args = fresh_->pointers;
          for (size_t k = 0; k < args.size(); ++k) *fresh_->pointers++ = &values_[args[k]];
          const OperatorName name = operator_of(c, i);
          const char* text = key.set({step.args, args.size()}) ? key.text : nullptr;
          const Kernel* kernel = registry.find(name, text);
          if (!kernel) kernel = find(prim_kernels, name, nullptr);
          step.function = kernel ? kernel->op_ : nullptr;
          if (!kernel) fresh_->missing[call.op_index()] = registry.has(name) ? kForOthers : kMissing;
          is_complete = is_complete && kernel;
          break;
        }
        case Call::MoveCall:
          step.kind = Step::Kind::move;
          step.from = &values_[instructions[i].instr_args_move_call().move_from()];
          step.to = &values_[instructions[i].instr_args_move_call().move_to()];
          break;
        case Call::JumpFalseCall:
          step.kind = Step::Kind::jump;
          step.from = &values_[instructions[i].instr_args_jump_false_call().cond_value_index()];
          step.count = static_cast<uint32_t>(instructions[i].instr_args_jump_false_call().destination_instruction());
          break;
        default:  // a call of a delegate was refused; memory that a plan has is not freed
          break;
      }
    }
  }
  return is_complete ? Error::Ok : say_missing(fresh_->missing, why, options);
}

Error Method::say_missing(const uint8_t* missing, Message& why, const LoadOptions& options) const {
  constexpr size_t for_the_end = 200;
  const Tables<format::Operator> all = plan_.operators();
  size_t more = 0;
  why.clear();
  for (size_t k = 0; k < all.size(); ++k) {
    if (!missing[k]) continue;
    const OperatorName each(view(all[k].name()), view(all[k].overload()));
    if (options.missing) options.missing(options.user, k, each);
    if (std::strlen(why.text) + each.name.size() + each.overload.size() + for_the_end > why.capacity) {
      ++more;
    } else {
      why.add("Missing operator: [%zu] %.*s%s%.*s%s\n", k, static_cast<int>(each.name.size()), each.name.data(),
              each.overload.empty() ? "" : ".", static_cast<int>(each.overload.size()), each.overload.data(),
              missing[k] == kForOthers ? ", whose kernels are for other dtypes and dim orders" : "");
    }
  }
  if (more) why.add("and %zu more\n", more);
  why.add("Method %.*s needs kernels for them: link a library that has them, or build one with these operators.",
          static_cast<int>(name().size() < 60 ? name().size() : 60), name().data());
  return Error::OperatorMissing;
}

OperatorName Method::operator_of(size_t chain, size_t instruction) const {
  const format::KernelCall call = plan_.chains()[chain].instructions()[instruction].instr_args_kernel_call();
  if (!call) return OperatorName("");
  const format::Operator found = plan_.operators()[static_cast<size_t>(call.op_index())];
  return OperatorName(view(found.name()), view(found.overload()));
}

Error Method::load(const Program& program, std::string_view name, const MemoryManager& memory, const Registry& registry,
                   Method& method, Message& why, const LoadOptions& options) {
  Method made;
  Fresh fresh;
  made.program_ = &program;
  made.fresh_ = &fresh;
  Error error = check_supported(program, name, why, made.plan_);
  if (error == Error::Ok) error = made.take_memory(memory, why);
  if (error == Error::Ok) error = made.make_values(why, options);
  if (error == Error::Ok) error = made.make_steps(registry, why, options);
  if (error != Error::Ok) return error;
  made.fresh_ = nullptr;
  if (!options.keep_state) made.reset_state();
  method = made;
  return Error::Ok;
}

}  // namespace tenon
