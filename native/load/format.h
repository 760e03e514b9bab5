// The tables of the file format, made from tenon/pte/schema.py by `python -m tenon.pte.cpp`.
#pragma once

#include "flat.h"

namespace tenon::format {

inline constexpr char program_identifier[] = "ET12";
inline constexpr char program_magic[] = "eh00";
inline constexpr char external_identifier[] = "FT01";
inline constexpr char external_magic[] = "FH01";
inline constexpr size_t program_header = 32;
inline constexpr size_t oldest_program_header = 24;
inline constexpr size_t external_header = 40;
inline constexpr size_t external_block = 48;

// By code.
inline constexpr uint8_t scalar_type_bytes[] = {
    1, 1, 2, 4, 8, 2, 4, 8, 4, 8, 16, 1, 1, 1, 4, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 4, 8,
};

enum class Dynamism : int8_t { Static = 0, DynamicBound = 1, DynamicUnbound = 2 };

enum class TensorDataLocation : int8_t { Segment = 0, External = 1 };

enum class DataLocation : int8_t { Inline = 0, Segment = 1 };

enum class DeviceType : int8_t { Cpu = 0, Cuda = 1 };

// --- tables: an absent field has its default, or is a view or table that is false ---

struct Null : Table {
  static constexpr uint8_t number = 0;
};

struct Int : Table {
  static constexpr uint8_t number = 1;

  bool has_int_val() const { return has(0); }
  int64_t int_val() const { return scalar<int64_t>(0, 0); }
};

struct Bool : Table {
  static constexpr uint8_t number = 2;

  bool has_bool_val() const { return has(0); }
  bool bool_val() const { return scalar<bool>(0, false); }
};

struct Double : Table {
  static constexpr uint8_t number = 3;

  bool has_double_val() const { return has(0); }
  double double_val() const { return scalar<double>(0, 0.0); }
};

struct AllocationDetails : Table {
  static constexpr uint8_t number = 4;

  bool has_memory_id() const { return has(0); }
  uint32_t memory_id() const { return scalar<uint32_t>(0, 0); }

  bool has_memory_offset_low() const { return has(1); }
  uint32_t memory_offset_low() const { return scalar<uint32_t>(1, 0); }

  bool has_memory_offset_high() const { return has(2); }
  uint32_t memory_offset_high() const { return scalar<uint32_t>(2, 0); }
};

struct ExtraTensorInfo : Table {
  static constexpr uint8_t number = 5;

  bool has_mutable_data_segments_idx() const { return has(0); }
  uint64_t mutable_data_segments_idx() const { return scalar<uint64_t>(0, 0); }

  bool has_fully_qualified_name() const { return has(1); }
  Text fully_qualified_name() const { return text(1); }

  bool has_location() const { return has(2); }
  int8_t location() const { return scalar<int8_t>(2, 0); }

  bool has_device_type() const { return has(3); }
  int8_t device_type() const { return scalar<int8_t>(3, 0); }

  bool has_device_index() const { return has(4); }
  int8_t device_index() const { return scalar<int8_t>(4, 0); }
};

struct Tensor : Table {
  static constexpr uint8_t number = 6;

  bool has_scalar_type() const { return has(0); }
  int8_t scalar_type() const { return scalar<int8_t>(0, 0); }

  bool has_storage_offset() const { return has(1); }
  int32_t storage_offset() const { return scalar<int32_t>(1, 0); }

  bool has_sizes() const { return has(2); }
  Numbers<int32_t> sizes() const { return list<Numbers<int32_t>>(2); }

  bool has_dim_order() const { return has(3); }
  Numbers<uint8_t> dim_order() const { return list<Numbers<uint8_t>>(3); }

  bool has_requires_grad() const { return has(4); }
  bool requires_grad() const { return scalar<bool>(4, false); }

  bool has_data_buffer_idx() const { return has(5); }
  uint32_t data_buffer_idx() const { return scalar<uint32_t>(5, 0); }

  bool has_allocation_info() const { return has(6); }
  AllocationDetails allocation_info() const { return {{target(6)}}; }

  bool has_layout() const { return has(7); }
  int8_t layout() const { return scalar<int8_t>(7, 0); }

  bool has_shape_dynamism() const { return has(8); }
  int8_t shape_dynamism() const { return scalar<int8_t>(8, 0); }

  bool has_extra_tensor_info() const { return has(9); }
  ExtraTensorInfo extra_tensor_info() const { return {{target(9)}}; }
};

struct String : Table {
  static constexpr uint8_t number = 7;

  bool has_string_val() const { return has(0); }
  Text string_val() const { return text(0); }
};

struct IntList : Table {
  static constexpr uint8_t number = 8;

  bool has_items() const { return has(0); }
  Numbers<int64_t> items() const { return list<Numbers<int64_t>>(0); }
};

struct DoubleList : Table {
  static constexpr uint8_t number = 9;

  bool has_items() const { return has(0); }
  Numbers<double> items() const { return list<Numbers<double>>(0); }
};

struct BoolList : Table {
  static constexpr uint8_t number = 10;

  bool has_items() const { return has(0); }
  Numbers<bool> items() const { return list<Numbers<bool>>(0); }
};

struct TensorList : Table {
  static constexpr uint8_t number = 11;

  bool has_items() const { return has(0); }
  Numbers<int32_t> items() const { return list<Numbers<int32_t>>(0); }
};

struct OptionalTensorList : Table {
  static constexpr uint8_t number = 12;

  bool has_items() const { return has(0); }
  Numbers<int32_t> items() const { return list<Numbers<int32_t>>(0); }
};

struct EValue : Table {
  static constexpr uint8_t number = 13;

  enum class Val : uint8_t {
    none = 0, Null = 1, Int = 2, Bool = 3, Double = 4, Tensor = 5, String = 6, IntList = 7,
    DoubleList = 8, BoolList = 9, TensorList = 10, OptionalTensorList = 11,
  };
  bool has_val() const { return has(1); }
  Val val_kind() const { return static_cast<Val>(scalar<uint8_t>(0, 0)); }
  Null val_null() const { return {{member(0, 1)}}; }
  Int val_int() const { return {{member(0, 2)}}; }
  Bool val_bool() const { return {{member(0, 3)}}; }
  Double val_double() const { return {{member(0, 4)}}; }
  Tensor val_tensor() const { return {{member(0, 5)}}; }
  String val_string() const { return {{member(0, 6)}}; }
  IntList val_int_list() const { return {{member(0, 7)}}; }
  DoubleList val_double_list() const { return {{member(0, 8)}}; }
  BoolList val_bool_list() const { return {{member(0, 9)}}; }
  TensorList val_tensor_list() const { return {{member(0, 10)}}; }
  OptionalTensorList val_optional_tensor_list() const { return {{member(0, 11)}}; }
};

struct KernelCall : Table {
  static constexpr uint8_t number = 14;

  bool has_op_index() const { return has(0); }
  int32_t op_index() const { return scalar<int32_t>(0, 0); }

  bool has_args() const { return has(1); }
  Numbers<int32_t> args() const { return list<Numbers<int32_t>>(1); }
};

struct DelegateCall : Table {
  static constexpr uint8_t number = 15;

  bool has_delegate_index() const { return has(0); }
  int32_t delegate_index() const { return scalar<int32_t>(0, 0); }

  bool has_args() const { return has(1); }
  Numbers<int32_t> args() const { return list<Numbers<int32_t>>(1); }
};

struct MoveCall : Table {
  static constexpr uint8_t number = 16;

  bool has_move_from() const { return has(0); }
  int32_t move_from() const { return scalar<int32_t>(0, 0); }

  bool has_move_to() const { return has(1); }
  int32_t move_to() const { return scalar<int32_t>(1, 0); }
};

struct JumpFalseCall : Table {
  static constexpr uint8_t number = 17;

  bool has_cond_value_index() const { return has(0); }
  int32_t cond_value_index() const { return scalar<int32_t>(0, 0); }

  bool has_destination_instruction() const { return has(1); }
  int32_t destination_instruction() const { return scalar<int32_t>(1, 0); }
};

struct FreeCall : Table {
  static constexpr uint8_t number = 18;

  bool has_value_index() const { return has(0); }
  int32_t value_index() const { return scalar<int32_t>(0, 0); }
};

struct Instruction : Table {
  static constexpr uint8_t number = 19;

  enum class InstrArgs : uint8_t {
    none = 0, KernelCall = 1, DelegateCall = 2, MoveCall = 3, JumpFalseCall = 4, FreeCall = 5,
  };
  bool has_instr_args() const { return has(1); }
  InstrArgs instr_args_kind() const { return static_cast<InstrArgs>(scalar<uint8_t>(0, 0)); }
  KernelCall instr_args_kernel_call() const { return {{member(0, 1)}}; }
  DelegateCall instr_args_delegate_call() const { return {{member(0, 2)}}; }
  MoveCall instr_args_move_call() const { return {{member(0, 3)}}; }
  JumpFalseCall instr_args_jump_false_call() const { return {{member(0, 4)}}; }
  FreeCall instr_args_free_call() const { return {{member(0, 5)}}; }
};

struct Frame : Table {
  static constexpr uint8_t number = 20;

  bool has_filename() const { return has(0); }
  Text filename() const { return text(0); }

  bool has_lineno() const { return has(1); }
  int32_t lineno() const { return scalar<int32_t>(1, 0); }

  bool has_name() const { return has(2); }
  Text name() const { return text(2); }

  bool has_context() const { return has(3); }
  Text context() const { return text(3); }
};

struct FrameList : Table {
  static constexpr uint8_t number = 21;

  bool has_items() const { return has(0); }
  Tables<Frame> items() const { return list<Tables<Frame>>(0); }
};

struct Chain : Table {
  static constexpr uint8_t number = 22;

  bool has_inputs() const { return has(0); }
  Numbers<int32_t> inputs() const { return list<Numbers<int32_t>>(0); }

  bool has_outputs() const { return has(1); }
  Numbers<int32_t> outputs() const { return list<Numbers<int32_t>>(1); }

  bool has_instructions() const { return has(2); }
  Tables<Instruction> instructions() const { return list<Tables<Instruction>>(2); }

  bool has_stacktrace() const { return has(3); }
  Tables<FrameList> stacktrace() const { return list<Tables<FrameList>>(3); }
};

struct ContainerMetadata : Table {
  static constexpr uint8_t number = 23;

  bool has_encoded_inp_str() const { return has(0); }
  Text encoded_inp_str() const { return text(0); }

  bool has_encoded_out_str() const { return has(1); }
  Text encoded_out_str() const { return text(1); }
};

struct Operator : Table {
  static constexpr uint8_t number = 24;

  bool has_name() const { return has(0); }
  Text name() const { return text(0); }

  bool has_overload() const { return has(1); }
  Text overload() const { return text(1); }
};

struct BackendDelegateDataReference : Table {
  static constexpr uint8_t number = 25;

  bool has_location() const { return has(0); }
  int8_t location() const { return scalar<int8_t>(0, 0); }

  bool has_index() const { return has(1); }
  uint32_t index() const { return scalar<uint32_t>(1, 0); }
};

struct CompileSpec : Table {
  static constexpr uint8_t number = 26;

  bool has_key() const { return has(0); }
  Text key() const { return text(0); }

  bool has_value() const { return has(1); }
  Numbers<uint8_t> value() const { return list<Numbers<uint8_t>>(1); }
};

struct BackendDelegate : Table {
  static constexpr uint8_t number = 27;

  bool has_id() const { return has(0); }
  Text id() const { return text(0); }

  bool has_processed() const { return has(1); }
  BackendDelegateDataReference processed() const { return {{target(1)}}; }

  bool has_compile_specs() const { return has(2); }
  Tables<CompileSpec> compile_specs() const { return list<Tables<CompileSpec>>(2); }
};

struct NonConstBufferDevice : Table {
  static constexpr uint8_t number = 28;

  bool has_buffer_idx() const { return has(0); }
  int32_t buffer_idx() const { return scalar<int32_t>(0, 0); }

  bool has_device_type() const { return has(1); }
  int8_t device_type() const { return scalar<int8_t>(1, 0); }

  bool has_device_index() const { return has(2); }
  int8_t device_index() const { return scalar<int8_t>(2, 0); }
};

struct ExecutionPlan : Table {
  static constexpr uint8_t number = 29;

  bool has_name() const { return has(0); }
  Text name() const { return text(0); }

  bool has_container_meta_type() const { return has(1); }
  ContainerMetadata container_meta_type() const { return {{target(1)}}; }

  bool has_values() const { return has(2); }
  Tables<EValue> values() const { return list<Tables<EValue>>(2); }

  bool has_inputs() const { return has(3); }
  Numbers<int32_t> inputs() const { return list<Numbers<int32_t>>(3); }

  bool has_outputs() const { return has(4); }
  Numbers<int32_t> outputs() const { return list<Numbers<int32_t>>(4); }

  bool has_chains() const { return has(5); }
  Tables<Chain> chains() const { return list<Tables<Chain>>(5); }

  bool has_operators() const { return has(6); }
  Tables<Operator> operators() const { return list<Tables<Operator>>(6); }

  bool has_delegates() const { return has(7); }
  Tables<BackendDelegate> delegates() const { return list<Tables<BackendDelegate>>(7); }

  bool has_non_const_buffer_sizes() const { return has(8); }
  Numbers<int64_t> non_const_buffer_sizes() const { return list<Numbers<int64_t>>(8); }

  bool has_non_const_buffer_device() const { return has(9); }
  Tables<NonConstBufferDevice> non_const_buffer_device() const { return list<Tables<NonConstBufferDevice>>(9); }
};

struct Buffer : Table {
  static constexpr uint8_t number = 30;

  bool has_storage() const { return has(0); }
  Numbers<uint8_t> storage() const { return list<Numbers<uint8_t>>(0); }
};

struct BackendDelegateInlineData : Table {
  static constexpr uint8_t number = 31;

  bool has_data() const { return has(0); }
  Numbers<uint8_t> data() const { return list<Numbers<uint8_t>>(0); }
};

struct DataSegment : Table {
  static constexpr uint8_t number = 32;

  bool has_offset() const { return has(0); }
  uint64_t offset() const { return scalar<uint64_t>(0, 0); }

  bool has_size() const { return has(1); }
  uint64_t size() const { return scalar<uint64_t>(1, 0); }
};

struct SubsegmentOffsets : Table {
  static constexpr uint8_t number = 33;

  bool has_segment_index() const { return has(0); }
  uint32_t segment_index() const { return scalar<uint32_t>(0, 0); }

  bool has_offsets() const { return has(1); }
  Numbers<uint64_t> offsets() const { return list<Numbers<uint64_t>>(1); }
};

struct NamedData : Table {
  static constexpr uint8_t number = 34;

  bool has_key() const { return has(0); }
  Text key() const { return text(0); }

  bool has_segment_index() const { return has(1); }
  uint32_t segment_index() const { return scalar<uint32_t>(1, 0); }
};

struct FlatProgram : Table {
  static constexpr uint8_t number = 35;

  bool has_version() const { return has(0); }
  uint32_t version() const { return scalar<uint32_t>(0, 0); }

  bool has_execution_plan() const { return has(1); }
  Tables<ExecutionPlan> execution_plan() const { return list<Tables<ExecutionPlan>>(1); }

  bool has_constant_buffer() const { return has(2); }
  Tables<Buffer> constant_buffer() const { return list<Tables<Buffer>>(2); }

  bool has_backend_delegate_data() const { return has(3); }
  Tables<BackendDelegateInlineData> backend_delegate_data() const { return list<Tables<BackendDelegateInlineData>>(3); }

  bool has_segments() const { return has(4); }
  Tables<DataSegment> segments() const { return list<Tables<DataSegment>>(4); }

  bool has_constant_segment() const { return has(5); }
  SubsegmentOffsets constant_segment() const { return {{target(5)}}; }

  bool has_mutable_data_segments() const { return has(6); }
  Tables<SubsegmentOffsets> mutable_data_segments() const { return list<Tables<SubsegmentOffsets>>(6); }

  bool has_named_data() const { return has(7); }
  Tables<NamedData> named_data() const { return list<Tables<NamedData>>(7); }
};

struct TensorLayout : Table {
  static constexpr uint8_t number = 36;

  bool has_scalar_type() const { return has(0); }
  int8_t scalar_type() const { return scalar<int8_t>(0, 0); }

  bool has_sizes() const { return has(1); }
  Numbers<int32_t> sizes() const { return list<Numbers<int32_t>>(1); }

  bool has_dim_order() const { return has(2); }
  Numbers<uint8_t> dim_order() const { return list<Numbers<uint8_t>>(2); }
};

struct ExternalData : Table {
  static constexpr uint8_t number = 37;

  bool has_key() const { return has(0); }
  Text key() const { return text(0); }

  bool has_segment_index() const { return has(1); }
  uint32_t segment_index() const { return scalar<uint32_t>(1, 0); }

  bool has_tensor_layout() const { return has(2); }
  TensorLayout tensor_layout() const { return {{target(2)}}; }
};

struct FlatTensor : Table {
  static constexpr uint8_t number = 38;

  bool has_version() const { return has(0); }
  uint32_t version() const { return scalar<uint32_t>(0, 0); }

  bool has_segments() const { return has(1); }
  Tables<DataSegment> segments() const { return list<Tables<DataSegment>>(1); }

  bool has_named_data() const { return has(2); }
  Tables<ExternalData> named_data() const { return list<Tables<ExternalData>>(2); }
};

// --- their forms, for verification ---

inline constexpr FieldForm fields[] = {
    {0, Form::scalar, 3, 0},  // Int.int_val
    {0, Form::scalar, 0, 0},  // Bool.bool_val
    {0, Form::scalar, 3, 0},  // Double.double_val
    {0, Form::scalar, 2, 0},  // AllocationDetails.memory_id
    {1, Form::scalar, 2, 0},  // AllocationDetails.memory_offset_low
    {2, Form::scalar, 2, 0},  // AllocationDetails.memory_offset_high
    {0, Form::scalar, 3, 0},  // ExtraTensorInfo.mutable_data_segments_idx
    {1, Form::string, 0, 0},  // ExtraTensorInfo.fully_qualified_name
    {2, Form::scalar, 0, 0},  // ExtraTensorInfo.location
    {3, Form::scalar, 0, 0},  // ExtraTensorInfo.device_type
    {4, Form::scalar, 0, 0},  // ExtraTensorInfo.device_index
    {0, Form::scalar, 0, 0},  // Tensor.scalar_type
    {1, Form::scalar, 2, 0},  // Tensor.storage_offset
    {2, Form::scalars, 2, 0},  // Tensor.sizes
    {3, Form::scalars, 0, 0},  // Tensor.dim_order
    {4, Form::scalar, 0, 0},  // Tensor.requires_grad
    {5, Form::scalar, 2, 0},  // Tensor.data_buffer_idx
    {6, Form::table, 2, 4},  // Tensor.allocation_info
    {7, Form::scalar, 0, 0},  // Tensor.layout
    {8, Form::scalar, 0, 0},  // Tensor.shape_dynamism
    {9, Form::table, 2, 5},  // Tensor.extra_tensor_info
    {0, Form::string, 0, 0},  // String.string_val
    {0, Form::scalars, 3, 0},  // IntList.items
    {0, Form::scalars, 3, 0},  // DoubleList.items
    {0, Form::scalars, 0, 0},  // BoolList.items
    {0, Form::scalars, 2, 0},  // TensorList.items
    {0, Form::scalars, 2, 0},  // OptionalTensorList.items
    {0, Form::choice, 11, 0},  // EValue.val
    {0, Form::scalar, 2, 0},  // KernelCall.op_index
    {1, Form::scalars, 2, 0},  // KernelCall.args
    {0, Form::scalar, 2, 0},  // DelegateCall.delegate_index
    {1, Form::scalars, 2, 0},  // DelegateCall.args
    {0, Form::scalar, 2, 0},  // MoveCall.move_from
    {1, Form::scalar, 2, 0},  // MoveCall.move_to
    {0, Form::scalar, 2, 0},  // JumpFalseCall.cond_value_index
    {1, Form::scalar, 2, 0},  // JumpFalseCall.destination_instruction
    {0, Form::scalar, 2, 0},  // FreeCall.value_index
    {0, Form::choice, 5, 11},  // Instruction.instr_args
    {0, Form::string, 0, 0},  // Frame.filename
    {1, Form::scalar, 2, 0},  // Frame.lineno
    {2, Form::string, 0, 0},  // Frame.name
    {3, Form::string, 0, 0},  // Frame.context
    {0, Form::tables, 2, 20},  // FrameList.items
    {0, Form::scalars, 2, 0},  // Chain.inputs
    {1, Form::scalars, 2, 0},  // Chain.outputs
    {2, Form::tables, 2, 19},  // Chain.instructions
    {3, Form::tables, 2, 21},  // Chain.stacktrace
    {0, Form::string, 0, 0},  // ContainerMetadata.encoded_inp_str
    {1, Form::string, 0, 0},  // ContainerMetadata.encoded_out_str
    {0, Form::string, 0, 0},  // Operator.name
    {1, Form::string, 0, 0},  // Operator.overload
    {0, Form::scalar, 0, 0},  // BackendDelegateDataReference.location
    {1, Form::scalar, 2, 0},  // BackendDelegateDataReference.index
    {0, Form::string, 0, 0},  // CompileSpec.key
    {1, Form::scalars, 0, 0},  // CompileSpec.value
    {0, Form::string, 0, 0},  // BackendDelegate.id
    {1, Form::table, 2, 25},  // BackendDelegate.processed
    {2, Form::tables, 2, 26},  // BackendDelegate.compile_specs
    {0, Form::scalar, 2, 0},  // NonConstBufferDevice.buffer_idx
    {1, Form::scalar, 0, 0},  // NonConstBufferDevice.device_type
    {2, Form::scalar, 0, 0},  // NonConstBufferDevice.device_index
    {0, Form::string, 0, 0},  // ExecutionPlan.name
    {1, Form::table, 2, 23},  // ExecutionPlan.container_meta_type
    {2, Form::tables, 2, 13},  // ExecutionPlan.values
    {3, Form::scalars, 2, 0},  // ExecutionPlan.inputs
    {4, Form::scalars, 2, 0},  // ExecutionPlan.outputs
    {5, Form::tables, 2, 22},  // ExecutionPlan.chains
    {6, Form::tables, 2, 24},  // ExecutionPlan.operators
    {7, Form::tables, 2, 27},  // ExecutionPlan.delegates
    {8, Form::scalars, 3, 0},  // ExecutionPlan.non_const_buffer_sizes
    {9, Form::tables, 2, 28},  // ExecutionPlan.non_const_buffer_device
    {0, Form::scalars, 0, 0},  // Buffer.storage
    {0, Form::scalars, 0, 0},  // BackendDelegateInlineData.data
    {0, Form::scalar, 3, 0},  // DataSegment.offset
    {1, Form::scalar, 3, 0},  // DataSegment.size
    {0, Form::scalar, 2, 0},  // SubsegmentOffsets.segment_index
    {1, Form::scalars, 3, 0},  // SubsegmentOffsets.offsets
    {0, Form::string, 0, 0},  // NamedData.key
    {1, Form::scalar, 2, 0},  // NamedData.segment_index
    {0, Form::scalar, 2, 0},  // FlatProgram.version
    {1, Form::tables, 2, 29},  // FlatProgram.execution_plan
    {2, Form::tables, 2, 30},  // FlatProgram.constant_buffer
    {3, Form::tables, 2, 31},  // FlatProgram.backend_delegate_data
    {4, Form::tables, 2, 32},  // FlatProgram.segments
    {5, Form::table, 2, 33},  // FlatProgram.constant_segment
    {6, Form::tables, 2, 33},  // FlatProgram.mutable_data_segments
    {7, Form::tables, 2, 34},  // FlatProgram.named_data
    {0, Form::scalar, 0, 0},  // TensorLayout.scalar_type
    {1, Form::scalars, 2, 0},  // TensorLayout.sizes
    {2, Form::scalars, 0, 0},  // TensorLayout.dim_order
    {0, Form::string, 0, 0},  // ExternalData.key
    {1, Form::scalar, 2, 0},  // ExternalData.segment_index
    {2, Form::table, 2, 36},  // ExternalData.tensor_layout
    {0, Form::scalar, 2, 0},  // FlatTensor.version
    {1, Form::tables, 2, 32},  // FlatTensor.segments
    {2, Form::tables, 2, 37},  // FlatTensor.named_data
};

inline constexpr uint8_t first_field[] = {
    0, 0, 1, 2, 3, 6, 11, 21, 22, 23, 24, 25, 26, 27, 28, 30, 32, 34, 36, 37, 38, 42, 43, 47, 49, 51, 53,
    55, 58, 61, 71, 72, 73, 75, 77, 79, 87, 90, 93, 96,
};

inline constexpr uint8_t kinds[] = {
    0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18,
};

inline constexpr Schema schema = {fields, first_field, kinds};

// --- their names, for faults in words: without a use they take no room ---

inline constexpr char table_names[] =
    "Null\0" "Int\0" "Bool\0" "Double\0" "AllocationDetails\0" "ExtraTensorInfo\0" "Tensor\0" "String\0"
    "IntList\0" "DoubleList\0" "BoolList\0" "TensorList\0" "OptionalTensorList\0" "EValue\0"
    "KernelCall\0" "DelegateCall\0" "MoveCall\0" "JumpFalseCall\0" "FreeCall\0" "Instruction\0"
    "Frame\0" "FrameList\0" "Chain\0" "ContainerMetadata\0" "Operator\0"
    "BackendDelegateDataReference\0" "CompileSpec\0" "BackendDelegate\0" "NonConstBufferDevice\0"
    "ExecutionPlan\0" "Buffer\0" "BackendDelegateInlineData\0" "DataSegment\0" "SubsegmentOffsets\0"
    "NamedData\0" "FlatProgram\0" "TensorLayout\0" "ExternalData\0" "FlatTensor\0";

inline constexpr char field_names[] =
    "int_val\0" "bool_val\0" "double_val\0" "memory_id\0" "memory_offset_low\0" "memory_offset_high\0"
    "mutable_data_segments_idx\0" "fully_qualified_name\0" "location\0" "device_type\0" "device_index\0"
    "scalar_type\0" "storage_offset\0" "sizes\0" "dim_order\0" "requires_grad\0" "data_buffer_idx\0"
    "allocation_info\0" "layout\0" "shape_dynamism\0" "extra_tensor_info\0" "string_val\0" "items\0"
    "items\0" "items\0" "items\0" "items\0" "val\0" "op_index\0" "args\0" "delegate_index\0" "args\0"
    "move_from\0" "move_to\0" "cond_value_index\0" "destination_instruction\0" "value_index\0"
    "instr_args\0" "filename\0" "lineno\0" "name\0" "context\0" "items\0" "inputs\0" "outputs\0"
    "instructions\0" "stacktrace\0" "encoded_inp_str\0" "encoded_out_str\0" "name\0" "overload\0"
    "location\0" "index\0" "key\0" "value\0" "id\0" "processed\0" "compile_specs\0" "buffer_idx\0"
    "device_type\0" "device_index\0" "name\0" "container_meta_type\0" "values\0" "inputs\0" "outputs\0"
    "chains\0" "operators\0" "delegates\0" "non_const_buffer_sizes\0" "non_const_buffer_device\0"
    "storage\0" "data\0" "offset\0" "size\0" "segment_index\0" "offsets\0" "key\0" "segment_index\0"
    "version\0" "execution_plan\0" "constant_buffer\0" "backend_delegate_data\0" "segments\0"
    "constant_segment\0" "mutable_data_segments\0" "named_data\0" "scalar_type\0" "sizes\0"
    "dim_order\0" "key\0" "segment_index\0" "tensor_layout\0" "version\0" "segments\0" "named_data\0";

}  // namespace tenon::format
