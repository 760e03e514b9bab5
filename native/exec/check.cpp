// What must hold in a method before any of it is used, with the rules of tenon/pte/check.py.
#include <tenon/tensor.h>

#include "program.h"

namespace tenon {
namespace {

using format::DataLocation;
using Val = format::EValue::Val;
using Call = format::Instruction::InstrArgs;

constexpr int64_t largest_bank = int64_t{1} << 48;
constexpr unsigned optional_field = 9;  // non_const_buffer_device is the first that a method need not have

struct Plan : format::ExecutionPlan {
  using format::ExecutionPlan::has;
};

// The checks of one method. Each gives true if it holds; the first that does not leaves its sentence.
class PlanCheck {
 public:
  PlanCheck(const Program& program, format::FlatProgram flat, format::ExecutionPlan plan, Message& why)
      : program_(program),
        flat_(flat),
        plan_{plan},
        why_(why),
        values_(plan.values()),
        banks_(plan.non_const_buffer_sizes()) {}

  bool run() {
    return fields() && banks() && values() && indices(plan_.inputs(), "an input") &&
           indices(plan_.outputs(), "an output") && operators() && delegates() && devices() && chains();
  }

 private:
#if !TENON_WORDS
  template <class... Values>
  bool fail(const char*, const Values&...) {
    return false;
  }
#else
  ET_PRINTFLIKE(2, 3) bool fail(const char* format, ...) {
    const Text name = plan_.name();
    why_.say(Error::Ok, "method %.*s: ", static_cast<int>(name.size()), name ? name.data : "");
    va_list values;
    va_start(values, format);
    why_.vadd(format, values);
    va_end(values);
    why_.add(".");
    return false;
  }
#endif

  // --- the method as a whole ---

  bool fields() {
    for (unsigned i = 0; i < optional_field; ++i) {
      if (!plan_.has(i)) return fail("its %s is absent", field_name(format::ExecutionPlan::number, i));
    }
    return plan_.chains().size() || fail("it has no chain of instructions");
  }

  bool banks() {
    for (size_t i = 0; i < banks_.size(); ++i) {
      if (banks_[i] < 0 || banks_[i] >= largest_bank) {
        return fail("a memory bank of %lld bytes cannot be", static_cast<long long>(banks_[i]));
      }
    }
    return true;
  }

  bool operators() {
    const Tables<format::Operator> all = plan_.operators();
    for (size_t i = 0; i < all.size(); ++i) {
      if (!all[i].name() || !all[i].overload()) return fail("an operator has no name");
    }
    return true;
  }

  bool devices() {
    const Tables<format::NonConstBufferDevice> all = plan_.non_const_buffer_device();
    for (size_t i = 0; i < all.size(); ++i) {
      const int bank = all[i].buffer_idx(), type = all[i].device_type();
      if (type < 0 || type > 1) return fail("memory bank %d is on a device of type %d, which is not known", bank, type);
      if (bank < 0 || static_cast<size_t>(bank) >= banks_.size()) {
        return fail("a device is given for memory bank %d, and there are %zu", bank, banks_.size());
      }
    }
    return true;
  }

  bool index(int64_t index, const char* what, const char* whose = "", size_t owner = 0) {
    if (index >= 0 && static_cast<uint64_t>(index) < values_.size()) return true;
    if (!*whose)
      return fail("%s is value %lld, and there are %zu", what, static_cast<long long>(index), values_.size());
    return fail("%s%s %zu is value %lld, and there are %zu", what, whose, owner, static_cast<long long>(index),
                values_.size());
  }

  bool indices(Numbers<int32_t> all, const char* what) {
    for (size_t i = 0; i < all.size(); ++i) {
      if (!index(all[i], what)) return false;
    }
    return true;
  }

  Val kind(int64_t i) const { return values_[static_cast<size_t>(i)].val_kind(); }

  // --- values ---

  bool values() {
    for (size_t i = 0; i < values_.size(); ++i) {
      if (!value(i, values_[i])) return false;
    }
    return true;
  }

  bool value(size_t i, format::EValue value) {
    switch (value.val_kind()) {
      case Val::Tensor:
        return tensor(i, value.val_tensor());
      case Val::String:
        return value.val_string().string_val() || fail("value %zu is a string without content", i);
      case Val::IntList:
        return items(i, value.val_int_list().items(), Val::Int, false);
      case Val::DoubleList:
        return content(i, value.val_double_list().has_items());
      case Val::BoolList:
        return content(i, value.val_bool_list().has_items());
      case Val::TensorList:
        return items(i, value.val_tensor_list().items(), Val::Tensor, false);
      case Val::OptionalTensorList:
        return items(i, value.val_optional_tensor_list().items(), Val::Tensor, true);
      default:
        return true;
    }
  }

  bool content(size_t i, bool is_there) { return is_there || fail("value %zu is a list without content", i); }

  template <class T>
  bool items(size_t i, Numbers<T> all, Val wanted, bool may_be_none) {
    if (!content(i, static_cast<bool>(all))) return false;
    for (size_t k = 0; k < all.size(); ++k) {
      const long long item = all[k];
      if (may_be_none && item == -1) continue;
      if (!index(item, "an item of", " value", i)) return false;
      if (wanted == Val::Tensor && static_cast<uint64_t>(item) >= i) {
        return fail("an item of value %zu is value %lld, which comes after it", i, item);
      }
      if (kind(item) != wanted && !(may_be_none && kind(item) == Val::Null)) {
        return fail("an item of value %zu is value %lld, which is no %s", i, item,
                    wanted == Val::Int ? "number" : "tensor");
      }
    }
    return true;
  }

  bool tensor(size_t i, format::Tensor tensor) {
    const Numbers<int32_t> sizes = tensor.sizes();
    const Numbers<uint8_t> order = tensor.dim_order();
    if (!isValid(static_cast<ScalarType>(tensor.scalar_type()))) {
      return fail("value %zu has the dtype %d, which is none", i, tensor.scalar_type());
    }
    if (!sizes || !order) return fail("value %zu has no shape", i);
    if (sizes.size() > kTensorDimensionLimit || sizes.size() != order.size()) {
      return fail("value %zu has %zu sizes and an order of %zu dimensions", i, sizes.size(), order.size());
    }
    SizesType own[kTensorDimensionLimit];
    unsigned seen = 0;
    for (size_t d = 0; d < sizes.size(); ++d) {
      own[d] = sizes[d];
      seen |= order[d] < sizes.size() ? 1u << order[d] : 0;
    }
    const ShapeText shape(ArrayRef<SizesType>(own, sizes.size()));
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (own[d] < 0) return fail("value %zu has the shape %s", i, shape.text);
    }
    if (seen != (1u << sizes.size()) - 1) return fail("value %zu has no order of its %zu dimensions", i, sizes.size());
    if (tensor.storage_offset() || tensor.shape_dynamism() < 0 || tensor.shape_dynamism() > 2 || tensor.layout()) {
      return fail("value %zu has a storage offset, a dynamism or a layout that is not known", i);
    }
    const size_t each = elementSize(static_cast<ScalarType>(tensor.scalar_type()));
    ptrdiff_t numel;
    if (!count_elements(own, sizes.size(), each, numel)) {
      return fail("value %zu of shape %s has more bytes than there can be", i, shape.text);
    }
    return place(i, tensor, static_cast<size_t>(numel) * each);
  }

  bool place(size_t i, format::Tensor tensor, size_t size) {
    const format::ExtraTensorInfo extra = tensor.extra_tensor_info();
    const format::AllocationDetails allocation = tensor.allocation_info();
    if (extra.location() < 0 || extra.location() > 1 || extra.device_type() < 0 || extra.device_type() > 1) {
      return fail("value %zu is at a location or on a device that is not known", i);
    }
    if (is_external(tensor) && !extra.fully_qualified_name().size())
      return fail("value %zu is external data without a name", i);
    if (allocation) {
      const uint32_t bank = allocation.memory_id();
      if (bank < 1 || bank >= banks_.size()) {
        return fail("value %zu is in memory bank %u, and there are %zu", i, bank,
                    banks_.size() ? banks_.size() - 1 : 0);
      }
      const uint64_t offset = offset_of(allocation), room = static_cast<uint64_t>(banks_[bank]);
      if (offset > room || size > room - offset) {
        return fail("value %zu of %zu bytes at byte %llu is past the end of memory bank %u, which has %llu", i, size,
                    static_cast<unsigned long long>(offset), bank, static_cast<unsigned long long>(room));
      }
    }
    if (!tensor.data_buffer_idx() || is_external(tensor)) return true;
    return data(i, tensor.data_buffer_idx(), allocation ? program_.initial_values() : program_.constants(), size);
  }

  bool data(size_t i, uint32_t index, const Entries& held, size_t size) {
    const size_t count = held.count() ? held.count() - 1 : 0;
    if (index > count) return fail("value %zu has the data %u, and there are %zu", i, index, count);
    const size_t there = held[index].size;
    return there >= size || fail("value %zu needs %zu bytes of data, and its data %u has %zu", i, size, index, there);
  }

  // --- instructions and delegates ---

  bool chains() {
    const Tables<format::Chain> all = plan_.chains();
    for (size_t c = 0; c < all.size(); ++c) {
      const Tables<format::Instruction> instructions = all[c].instructions();
      if (!instructions) return fail("chain %zu has no instructions", c);
      for (size_t i = 0; i < instructions.size(); ++i) {
        if (!instruction(i, instructions[i], instructions.size())) return false;
      }
    }
    return true;
  }

  bool call(size_t i, Numbers<int32_t> args, int32_t callee, size_t count) {
    if (!args) return fail("instruction %zu has no arguments", i);
    for (size_t k = 0; k < args.size(); ++k) {
      if (!index(args[k], "an argument of", " instruction", i)) return false;
    }
    return (callee >= 0 && static_cast<size_t>(callee) < count) ||
           fail("instruction %zu calls number %d of %zu", i, callee, count);
  }

  bool instruction(size_t i, format::Instruction instruction, size_t count) {
    switch (instruction.instr_args_kind()) {
      case Call::KernelCall: {
        const format::KernelCall made = instruction.instr_args_kernel_call();
        return call(i, made.args(), made.op_index(), plan_.operators().size());
      }
      case Call::DelegateCall: {
        const format::DelegateCall made = instruction.instr_args_delegate_call();
        return call(i, made.args(), made.delegate_index(), plan_.delegates().size());
      }
      case Call::MoveCall: {
        const format::MoveCall move = instruction.instr_args_move_call();
        return index(move.move_from(), "what is moved by", " instruction", i) &&
               index(move.move_to(), "what is replaced by", " instruction", i);
      }
      case Call::JumpFalseCall: {
        const format::JumpFalseCall jump = instruction.instr_args_jump_false_call();
        const int32_t target = jump.destination_instruction();
        if (!index(jump.cond_value_index(), "the condition of", " instruction", i)) return false;
        return (target >= 0 && static_cast<size_t>(target) <= count) ||
               fail("instruction %zu jumps to %d, and there are %zu", i, target, count);
      }
      case Call::FreeCall:
        return index(instruction.instr_args_free_call().value_index(), "what is freed by", " instruction", i);
      default:
        return fail("instruction %zu has no content", i);
    }
  }

  bool delegates() {
    const Tables<format::BackendDelegate> all = plan_.delegates();
    for (size_t i = 0; i < all.size(); ++i) {
      if (!delegate(all[i])) return false;
    }
    return true;
  }

  bool delegate(format::BackendDelegate delegate) {
    const format::BackendDelegateDataReference processed = delegate.processed();
    const int length = static_cast<int>(delegate.id().size());
    const char* id = delegate.id() ? delegate.id().data : "";
    if (!delegate.id() || !processed || !delegate.has_compile_specs())
      return fail("the delegate %.*s is not complete", length, id);
    const bool is_inline = processed.location() == static_cast<int8_t>(DataLocation::Inline);
    const size_t count = is_inline ? flat_.backend_delegate_data().size() : flat_.segments().size();
    if (processed.location() < 0 || processed.location() > 1 || processed.index() >= count) {
      return fail("the delegate %.*s has the payload %u, which is not there", length, id, processed.index());
    }
    const Tables<format::CompileSpec> specs = delegate.compile_specs();
    for (size_t i = 0; i < specs.size(); ++i) {
      if (!specs[i].key() || !specs[i].value())
        return fail("a compile spec of the delegate %.*s has no key or no value", length, id);
    }
    return true;
  }

  const Program& program_;
  format::FlatProgram flat_;
  Plan plan_;
  Message& why_;
  Tables<format::EValue> values_;
  Numbers<int64_t> banks_;
};

}  // namespace

Error check_plan(const Program& program, format::FlatProgram flat, format::ExecutionPlan plan, Message& why) {
  return PlanCheck(program, flat, plan, why).run() ? Error::Ok : Error::InvalidProgram;
}

}  // namespace tenon
