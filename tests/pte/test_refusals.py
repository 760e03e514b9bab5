"""What is wrong with a program or its file is said in a sentence: one test for each that can be said."""

import copy
import re
import struct

import flatbuffers
import pytest
from programs import BIAS, PROGRAMS, STEPS, WEIGHT, addition, branching, stateful

from tenon.errors import Invalid
from tenon.pte.check import check_program
from tenon.pte.container import write_container
from tenon.pte.program import Program, from_bytes, to_bytes
from tenon.pte.schema import (
    AllocationDetails,
    BackendDelegateDataReference,
    DataSegment,
    ExtraTensorInfo,
    FlatProgram,
    Int,
    IntList,
    NamedData,
    NonConstBufferDevice,
    OptionalTensorList,
    SubsegmentOffsets,
    TensorList,
)


def by_message(argument):
    """The id of a case that is made of bytes is what is said about them."""
    return argument if isinstance(argument, str) else ""


def refusal(data):
    with pytest.raises(Invalid) as error:
        from_bytes(bytes(data))
    return str(error.value)


def written(program):
    return bytearray(b"".join(to_bytes(program)))


def changed(program, path, value):
    """A copy of the program with something else at this path, such as `plans.0.values.2.val`."""
    program = copy.deepcopy(program)
    *parents, last = path.split(".")
    place = program
    for name in parents:
        place = place[int(name)] if name.isdecimal() else getattr(place, name)
    if last.isdecimal():
        place[int(last)] = value
    else:
        getattr(place, last)  # a path that does not exist is a mistake of the test
        setattr(place, last, value)
    return program


def assert_refused(program, message):
    """Both by the check itself and by the writer, which checks before it writes."""
    for take in (check_program, to_bytes):
        with pytest.raises(Invalid) as error:
            take(program)
        assert str(error.value) == message


def cases(text):
    return pytest.mark.parametrize("path, value, message", text, ids=[f"{path}={value}" for path, value, _ in text])


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_programs_hold_before_anything_is_changed(name):
    check_program(PROGRAMS[name]())


# --- methods ------------------------------------------------------------------------------------------------


def test_a_program_without_methods_is_refused():
    assert_refused(Program([]), "it has no methods.")
    assert refusal(b"".join(write_container(FlatProgram(execution_plan=[]), []))) == "it has no methods."
    assert refusal(b"".join(write_container(FlatProgram(), []))) == "it has no methods."


@pytest.mark.parametrize(
    "name",
    "container_meta_type values inputs outputs chains operators delegates non_const_buffer_sizes".split(),
)
def test_a_method_without_a_field_it_must_have_is_refused(name):
    program = changed(addition(), f"plans.0.{name}", None)
    assert_refused(program, f"method forward: its {name} is absent.")
    data = b"".join(write_container(FlatProgram(execution_plan=program.plans), []))
    assert refusal(data) == f"method forward: its {name} is absent."


def test_a_method_without_a_name_is_refused():
    assert_refused(changed(addition(), "plans.0.name", None), "method None: its name is absent.")


@cases(
    [
        ("chains", [], "it has no chain of instructions."),
        ("chains.0.instructions", None, "chain 0 has no instructions."),
        ("non_const_buffer_sizes", [0, -1], "a memory bank of -1 bytes cannot be."),
        ("non_const_buffer_sizes", [0, 2**48], "a memory bank of 281474976710656 bytes cannot be."),
        ("inputs", [0, 4], "an input is value 4, and there are 4."),
        ("inputs", [-1], "an input is value -1, and there are 4."),
        ("outputs", [4], "an output is value 4, and there are 4."),
        ("outputs", [-1], "an output is value -1, and there are 4."),
        ("operators.0.name", None, "an operator has no name."),
        ("operators.0.overload", None, "an operator has no name."),
        (
            "non_const_buffer_device",
            [NonConstBufferDevice(2)],
            "a device is given for memory bank 2, and there are 2.",
        ),
        (
            "non_const_buffer_device",
            [NonConstBufferDevice(-1)],
            "a device is given for memory bank -1, and there are 2.",
        ),
    ]
)
def test_a_method_that_does_not_hold_is_refused(path, value, message):
    assert_refused(changed(addition(), f"plans.0.{path}", value), f"method forward: {message}")


def test_the_second_method_is_checked_too():
    program = changed(branching(), "plans.1.outputs", [1])
    assert_refused(program, "method version: an output is value 1, and there are 1.")


def test_a_memory_bank_on_a_device_that_is_not_known_is_refused():
    with pytest.raises(Invalid):
        check_program(changed(branching(), "plans.0.non_const_buffer_device.0.device_type", 2))


# --- values -------------------------------------------------------------------------------------------------


@cases(
    [
        ("0.val", None, "value 0 has no content."),
        ("12.val.string_val", None, "value 12 is a string without content."),
        ("6.val.items", None, "value 6 is a list without content."),
        ("7.val.items", None, "value 7 is a list without content."),
        ("13.val.items", None, "value 13 is a list without content."),
        ("14.val.items", None, "value 14 is a list without content."),
        ("15.val.items", None, "value 15 is a list without content."),
        ("6.val", IntList([4, 18]), "an item of value 6 is value 18, and there are 18."),
        ("6.val", IntList([-1]), "an item of value 6 is value -1, and there are 18."),
        ("6.val", IntList([10]), "an item of value 6 is value 10, which is no number."),
        ("6.val", IntList([6]), "an item of value 6 is value 6, which is no number."),
        ("15.val", TensorList([16]), "an item of value 15 is value 16, which comes after it."),
        ("15.val", TensorList([15]), "an item of value 15 is value 15, which comes after it."),
        ("15.val", TensorList([18]), "an item of value 15 is value 18, and there are 18."),
        ("15.val", TensorList([-1]), "an item of value 15 is value -1, and there are 18."),
        ("15.val", TensorList([4]), "an item of value 15 is value 4, which is no tensor."),
        ("15.val", TensorList([8]), "an item of value 15 is value 8, which is no tensor."),
        ("7.val", OptionalTensorList([9]), "an item of value 7 is value 9, which comes after it."),
        ("7.val", OptionalTensorList([-2]), "an item of value 7 is value -2, and there are 18."),
        ("7.val", OptionalTensorList([4]), "an item of value 7 is value 4, which is no tensor."),
    ]
)
def test_a_value_that_does_not_hold_is_refused(path, value, message):
    assert_refused(changed(stateful(), f"plans.0.values.{path}", value), f"method forward: {message}")


def test_an_optional_list_may_refer_to_an_absent_value():
    check_program(changed(stateful(), "plans.0.values.15.val", OptionalTensorList([8, -1, 0])))


UNKNOWN = "value 0 has a storage offset, a dynamism or a layout that is not known."


@cases(
    [
        ("0.val.scalar_type", 30, "value 0 has the dtype 30, which is none."),
        ("0.val.scalar_type", -1, "value 0 has the dtype -1, which is none."),
        ("0.val.sizes", None, "value 0 has no shape."),
        ("0.val.dim_order", None, "value 0 has no shape."),
        ("0.val.sizes", [6], "value 0 has 1 sizes and an order of 2 dimensions."),
        ("0.val.sizes", [2, -3], "value 0 has the shape [2, -3]."),
        ("0.val.dim_order", [0, 0], "value 0: [0, 0] is not an order of 2 dimensions."),
        ("0.val.dim_order", [1, 2], "value 0: [1, 2] is not an order of 2 dimensions."),
        ("0.val.storage_offset", 1, UNKNOWN),
        ("0.val.shape_dynamism", 3, UNKNOWN),
        ("0.val.shape_dynamism", -1, UNKNOWN),
        ("0.val.layout", 1, UNKNOWN),
        (
            "0.val.sizes",
            [2**31 - 1, 2**31 - 1],
            "value 0 of shape [2147483647, 2147483647] has more bytes than there can be.",
        ),
    ]
)
def test_a_tensor_that_does_not_hold_is_refused(path, value, message):
    assert_refused(changed(stateful(), f"plans.0.values.{path}", value), f"method forward: {message}")


def test_a_tensor_of_seventeen_dimensions_is_refused_and_of_sixteen_is_not():
    program = changed(addition(), "plans.0.values.0.val.sizes", [1] * 17)
    program.plans[0].values[0].val.dim_order = list(range(17))
    assert_refused(program, "method forward: value 0 has 17 sizes and an order of 17 dimensions.")
    program.plans[0].values[0].val.sizes = [1] * 16
    program.plans[0].values[0].val.dim_order = list(range(16))
    check_program(program)


def test_a_size_of_zero_does_not_excuse_an_overflow():
    program = changed(addition(), "plans.0.values.0.val.sizes", [2**31 - 1, 0, 2**31 - 1])
    program.plans[0].values[0].val.dim_order = [0, 1, 2]
    message = "value 0 of shape [2147483647, 0, 2147483647] has more bytes than there can be."
    assert_refused(program, f"method forward: {message}")


# --- where a tensor's bytes are -------------------------------------------------------------------------------


@cases(
    [
        ("9.val.allocation_info.memory_id", 0, "value 9 is in memory bank 0, and there are 1."),
        ("9.val.allocation_info.memory_id", 2, "value 9 is in memory bank 2, and there are 1."),
        (
            "9.val.allocation_info.memory_offset_low",
            129,
            "value 9 ends at byte 225 of memory bank 1, which has 224.",
        ),
        (
            "9.val.allocation_info.memory_offset_high",
            1,
            "value 9 ends at byte 4294967520 of memory bank 1, which has 224.",
        ),
        ("9.val.sizes", [9, 3], "value 9 ends at byte 236 of memory bank 1, which has 224."),
        ("0.val.data_buffer_idx", 3, "value 0 has the data 3, and there are 2."),
        ("0.val.data_buffer_idx", 2, "value 0 needs 24 bytes of data, and its data 2 has 8."),
        ("0.val.sizes", [7, 1], "value 0 needs 28 bytes of data, and its data 1 has 24."),
        ("2.val.data_buffer_idx", 2, "value 2 has the data 2, and there are 1."),
        ("2.val.sizes", [7], "value 2 needs 28 bytes of data, and its data 1 has 24."),
        ("16.val.extra_tensor_info.fully_qualified_name", None, "value 16 is external data without a name."),
        ("16.val.extra_tensor_info.fully_qualified_name", "", "value 16 is external data without a name."),
        (
            "16.val.extra_tensor_info.location",
            2,
            "value 16 is at a location or on a device that is not known.",
        ),
        (
            "0.val.extra_tensor_info",
            ExtraTensorInfo(device_type=2),
            "value 0 is at a location or on a device that is not known.",
        ),
    ]
)
def test_a_tensor_that_is_nowhere_is_refused(path, value, message):
    assert_refused(changed(stateful(), f"plans.0.values.{path}", value), f"method forward: {message}")


def test_a_method_without_any_memory_bank_has_none_for_a_tensor():
    program = changed(addition(), "plans.0.non_const_buffer_sizes", [])
    assert_refused(program, "method forward: value 0 is in memory bank 1, and there are 0.")


def test_external_data_needs_no_data_in_the_file():
    check_program(changed(stateful(), "plans.0.values.16.val.data_buffer_idx", 99))


def test_a_tensor_may_end_where_its_bank_ends():
    program = changed(addition(), "plans.0.values.3.val.allocation_info", AllocationDetails(1, 72))
    check_program(program)
    program.plans[0].values[3].val.allocation_info.memory_offset_low = 73
    assert_refused(program, "method forward: value 3 ends at byte 97 of memory bank 1, which has 96.")


# --- instructions and delegates -------------------------------------------------------------------------------


@cases(
    [
        ("0.instr_args", None, "instruction 0 has no content."),
        ("0.instr_args", Int(1), "instruction 0 has no content."),
        ("0.instr_args.cond_value_index", 5, "the condition of instruction 0 is value 5, and there are 5."),
        ("0.instr_args.cond_value_index", -1, "the condition of instruction 0 is value -1, and there are 5."),
        ("0.instr_args.destination_instruction", 8, "instruction 0 jumps to 8, and there are 7."),
        ("0.instr_args.destination_instruction", -1, "instruction 0 jumps to -1, and there are 7."),
        ("1.instr_args.args", None, "instruction 1 has no arguments."),
        ("1.instr_args.args", [1, 5], "an argument of instruction 1 is value 5, and there are 5."),
        ("1.instr_args.args", [-1], "an argument of instruction 1 is value -1, and there are 5."),
        ("1.instr_args.op_index", 1, "instruction 1 calls number 1 of 1."),
        ("1.instr_args.op_index", -1, "instruction 1 calls number -1 of 1."),
        ("2.instr_args.move_from", 5, "what instruction 2 moves is value 5, and there are 5."),
        ("2.instr_args.move_from", -1, "what instruction 2 moves is value -1, and there are 5."),
        ("2.instr_args.move_to", 5, "where instruction 2 moves to is value 5, and there are 5."),
        ("2.instr_args.move_to", -1, "where instruction 2 moves to is value -1, and there are 5."),
        ("4.instr_args.args", None, "instruction 4 has no arguments."),
        ("4.instr_args.args", [5], "an argument of instruction 4 is value 5, and there are 5."),
        ("4.instr_args.delegate_index", 2, "instruction 4 calls number 2 of 2."),
        ("4.instr_args.delegate_index", -1, "instruction 4 calls number -1 of 2."),
        ("6.instr_args.value_index", 5, "what instruction 6 frees is value 5, and there are 5."),
        ("6.instr_args.value_index", -1, "what instruction 6 frees is value -1, and there are 5."),
    ]
)
def test_an_instruction_that_does_not_hold_is_refused(path, value, message):
    program = changed(branching(), f"plans.0.chains.0.instructions.{path}", value)
    assert_refused(program, f"method forward: {message}")


def test_a_jump_may_lead_to_the_end_of_its_chain():
    check_program(changed(branching(), "plans.0.chains.0.instructions.0.instr_args.destination_instruction", 7))


@cases(
    [
        ("0.id", None, "the delegate None is not complete."),
        ("0.processed", None, "the delegate Mill is not complete."),
        ("0.compile_specs", None, "the delegate Mill is not complete."),
        ("0.processed.index", 1, "the delegate Mill has the payload 1, which is not there."),
        ("1.processed.index", 1, "the delegate Lathe has the payload 1, which is not there."),
        (
            "1.processed",
            BackendDelegateDataReference(2, 0),
            "the delegate Lathe has the payload 0, which is not there.",
        ),
        ("1.compile_specs.0.key", None, "a compile spec of the delegate Lathe has no key or no value."),
        ("1.compile_specs.1.value", None, "a compile spec of the delegate Lathe has no key or no value."),
    ]
)
def test_a_delegate_that_is_not_whole_is_refused(path, value, message):
    assert_refused(changed(branching(), f"plans.0.delegates.{path}", value), f"method forward: {message}")


# --- the container --------------------------------------------------------------------------------------------


def test_a_file_too_short_for_anything_is_refused():
    for size in range(8):
        assert refusal(bytes(size)) == f"this is no program: it has {size} bytes, and even an empty one has more."


def test_a_newer_format_is_refused_and_both_are_named():
    data = written(addition())
    data[4:8] = b"ET13"
    assert refusal(data) == "this program has the format 'ET13', and Tenon reads 'ET12'."


def test_a_file_of_another_kind_is_refused():
    assert refusal(b"\x7fELF" + bytes(60)) == (
        "this is no program: bytes 4 to 7 are '\\x00\\x00\\x00\\x00', and should be 'ET12'."
    )


def test_a_newer_schema_is_refused_and_both_versions_are_named():
    flat = FlatProgram(version=1, execution_plan=addition().plans)
    data = b"".join(write_container(flat, []))
    assert refusal(data) == "this program has the schema version 1, and Tenon reads version 0."


def test_a_newer_header_is_refused_and_both_are_named():
    data = written(stateful())
    data[8:12] = b"eh01"
    message = refusal(data)
    assert "'eh01'" in message and "'eh00'" in message


HEADER = struct.unpack_from("<IQQQ", written(stateful()), 12)
SIZE = len(written(stateful()))


@pytest.mark.parametrize(
    "code, at, value, message",
    [
        ("<I", 12, 20, "the header says it is 20 bytes long, and the shortest there is has 24."),
        ("<I", 12, 0, "the header says it is 0 bytes long, and the shortest there is has 24."),
        ("<I", 12, 2**32 - 1, f"the header says the program has {HEADER[1]} bytes, and the file has {SIZE}."),
        ("<Q", 16, SIZE + 1, f"the header says the program has {SIZE + 1} bytes, and the file has {SIZE}."),
        ("<Q", 16, 2**64 - 1, f"the header says the program has {2**64 - 1} bytes, and the file has {SIZE}."),
        ("<Q", 16, 7, f"the header says the program has 7 bytes, and the file has {SIZE}."),
        ("<Q", 24, 64, f"the header says segments begin at byte 64, inside the program of {HEADER[1]} bytes."),
        (
            "<Q",
            24,
            HEADER[1] - 1,
            f"the header says segments begin at byte {HEADER[1] - 1}, inside the program of {HEADER[1]} bytes.",
        ),
        ("<Q", 24, HEADER[2] + 1, f"the header says segments end at byte {SIZE + 1}, and the file has {SIZE}."),
        ("<Q", 32, HEADER[3] + 1, f"the header says segments end at byte {SIZE + 1}, and the file has {SIZE}."),
        (
            "<Q",
            32,
            2**64 - 1,
            f"the header says segments end at byte {HEADER[2] + 2**64 - 1}, and the file has {SIZE}.",
        ),
        (
            "<Q",
            32,
            HEADER[3] - 1,
            f"segment 1 of 24 bytes at offset 128 leads past byte {SIZE - 1}, where segments end.",
        ),
    ],
)
def test_a_header_that_lies_is_refused(code, at, value, message):
    data = written(stateful())
    struct.pack_into(code, data, at, value)
    assert refusal(data) == message


def test_segments_of_a_file_whose_header_has_none_are_refused():
    data = written(stateful())
    struct.pack_into("<QQ", data, 24, 0, 0)
    assert refusal(data) == f"segment 0 of 40 bytes at offset 0 leads past byte {SIZE}, where segments end."


def test_segments_of_a_file_without_a_header_are_refused(monkeypatch):
    monkeypatch.setattr("tenon.pte.container.DataSegment", lambda start, size: DataSegment(0, 8))
    data = b"".join(write_container(FlatProgram(execution_plan=addition().plans), [[]]))
    assert refusal(data) == f"segment 0 of 8 bytes at offset 0 leads past byte {len(data)}, where segments end."


@pytest.mark.parametrize("offset, size", [(1, 40), (2**64 - 1, 40), (2**64 - 40, 40), (0, 2**64 - 1), (40, 1)])
def test_a_segment_past_the_end_is_refused(monkeypatch, offset, size):
    monkeypatch.setattr("tenon.pte.container.DataSegment", lambda *_: DataSegment(offset, size))
    data = b"".join(write_container(FlatProgram(execution_plan=addition().plans), [[bytes(40)]]))
    message = f"segment 0 of {size} bytes at offset {offset} leads past byte {len(data)}, where segments end."
    assert refusal(data) == message


# --- data in segments -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields, message",
    [
        (
            {"constant_segment": SubsegmentOffsets(2, [0, 0, 32])},
            "the segment of constants is in segment 2, and there are 2.",
        ),
        (
            {"constant_segment": SubsegmentOffsets(0, [0, 0, 41])},
            "entry 2 of its constants begins at byte 41, and their segment has 40.",
        ),
        (
            {"constant_segment": SubsegmentOffsets(0, [0, 2**64 - 1, 32])},
            f"entry 1 of its constants begins at byte {2**64 - 1}, and their segment has 40.",
        ),
        (
            {"constant_segment": SubsegmentOffsets(0, [0, 0])},
            "method forward: value 1 has the data 2, and there are 1.",
        ),
        (
            {"constant_segment": SubsegmentOffsets(0, [0, 0, 33])},
            "method forward: value 1 needs 8 bytes of data, and its data 2 has 7.",
        ),
        ({"constant_segment": None}, "method forward: value 0 has the data 1, and there are 0."),
        (
            {"mutable_data_segments": [SubsegmentOffsets(9, [0, 0])]},
            "the segment of initial values is in segment 9, and there are 2.",
        ),
        (
            {"mutable_data_segments": [SubsegmentOffsets(1, [0, 25])]},
            "entry 1 of its initial values begins at byte 25, and their segment has 24.",
        ),
        ({"mutable_data_segments": []}, "method forward: value 2 has the data 1, and there are 0."),
        ({"named_data": [NamedData(None, 0)]}, "an entry of its named data has no key."),
        ({"named_data": [NamedData("first", 2)]}, "the named data first is in segment 2, and there are 2."),
    ],
)
def test_data_that_is_not_in_its_segment_is_refused(fields, message):
    sound = {
        "execution_plan": stateful().plans,
        "constant_segment": SubsegmentOffsets(0, [0, 0, 32]),
        "mutable_data_segments": [SubsegmentOffsets(1, [0, 0])],
    }
    segments = [[WEIGHT, bytes(8), BIAS], [STEPS]]
    assert from_bytes(b"".join(write_container(FlatProgram(**sound), segments))) == stateful()
    assert refusal(b"".join(write_container(FlatProgram(**{**sound, **fields}), segments))) == message


def test_named_data_with_one_key_twice_is_refused():
    named = [NamedData("first", 0), NamedData("first", 1)]
    flat = FlatProgram(execution_plan=addition().plans, named_data=named)
    assert "first" in refusal(b"".join(write_container(flat, [[b"one"], [b"two"]])))


def test_a_delegate_with_its_payload_in_no_segment_is_refused():
    flat = FlatProgram(execution_plan=branching().plans)
    flat.execution_plan[0].delegates[1].processed.index = 1
    message = "the delegate Lathe is in segment 1, and there are 1."
    assert refusal(b"".join(write_container(flat, [[b"one"]]))) == message


def test_a_delegate_with_its_payload_in_no_list_is_refused():
    flat = FlatProgram(execution_plan=branching().plans)
    message = "method forward: the delegate Mill has the payload 0, which is not there."
    assert refusal(b"".join(write_container(flat, [[b"one"]]))) == message


def test_writing_two_methods_of_one_name_is_refused():
    program = changed(branching(), "plans.1.name", "forward")
    with pytest.raises(Invalid, match="forward"):
        to_bytes(program)


@pytest.mark.parametrize(
    "path, value",
    [
        ("values.4.val.int_val", 2**63),
        ("values.3.val.shape_dynamism", 2**8),
        ("values.16.val.sizes", [2**31]),
        ("values.12.val.string_val", "\ud800"),
        ("name", "for\0ward"),
    ],
    ids=["int", "dynamism", "sizes", "surrogate", "nul"],
)
def test_writing_what_its_field_cannot_hold_is_refused(path, value):
    with pytest.raises(Invalid):
        to_bytes(changed(stateful(), f"plans.0.{path}", value))


# --- the flatbuffer -------------------------------------------------------------------------------------------


def root_table(fields, size, body=b"", length=None):
    """A file whose root table lies behind its table of fields: where each field is, the table's size, and its bytes."""
    length = 4 + 2 * len(fields) if length is None else length
    vtable = struct.pack(f"<HH{len(fields)}H", length, size, *fields)
    vtable += bytes(-len(vtable) % 4)
    return struct.pack("<I4s", 8 + len(vtable), b"ET12") + vtable + struct.pack("<i", len(vtable)) + body


@pytest.mark.parametrize(
    "data, message",
    ids=by_message,
    argvalues=[
        (b"\0\0\0\0ET12", "the root: the offset 0 at byte 0 leads outside the 8 bytes there are."),
        (b"\3\0\0\0ET12", "the root: the offset 3 at byte 0 leads outside the 8 bytes there are."),
        (b"\5\0\0\0ET12", "the root: the offset 5 at byte 0 leads outside the 8 bytes there are."),
        (b"\xff\xff\xff\xffET12", "the root: the offset 4294967295 at byte 0 leads outside the 8 bytes there are."),
        (b"\x08\0\0\0ET12" + struct.pack("<i", 9), "the root: byte -1 lies outside the 12 bytes there are."),
        (b"\x08\0\0\0ET12" + struct.pack("<i", -4), "the root: byte 12 lies outside the 12 bytes there are."),
        (b"\x08\0\0\0ET12" + struct.pack("<iH", -4, 4), "the root: byte 14 lies outside the 14 bytes there are."),
        (root_table([], 4, length=3), "the root: its table of fields has the length 3."),
        (root_table([], 4, length=5), "the root: its table of fields has the length 5."),
        (root_table([], 4, length=10), "the root: its table of fields has the length 10."),
        (root_table([], 5), "the root: it is 5 bytes long and leads past the end of the 16 bytes there are."),
        (root_table([1], 8, bytes(4)), "the root.version: it lies at byte 1 of a table of 8 bytes."),
        (root_table([5], 8, bytes(4)), "the root.version: it lies at byte 5 of a table of 8 bytes."),
        (
            root_table([0, 4], 8, struct.pack("<I", 5)),
            "the root.execution_plan: the offset 5 at byte 20 leads outside the 24 bytes there are.",
        ),
        (
            root_table([0, 4], 8, struct.pack("<II", 4, 1)),
            "the root.execution_plan: 1 elements of 4 bytes lead past the end of the 28 bytes there are.",
        ),
        (
            root_table([0, 4], 8, struct.pack("<II", 4, 2**32 - 1)),
            "the root.execution_plan: 4294967295 elements of 4 bytes lead past the end of the 28 bytes there are.",
        ),
    ],
)
def test_a_flatbuffer_that_leads_outside_itself_is_refused(data, message):
    assert refusal(data) == message


def one_value(kind, with_table=True):
    """A file of one method with one value of this kind of the union, whose table has no fields."""
    builder = flatbuffers.Builder(256)

    def table(slot=None, child=0):
        builder.StartObject(0 if slot is None else slot + 1)
        if slot is not None:
            builder.PrependUOffsetTRelativeSlot(slot, child, 0)
        return builder.EndObject()

    def vector(child):
        builder.StartVector(4, 1, 4)
        builder.PrependUOffsetTRelative(child)
        return builder.EndVector()

    content = table()
    builder.StartObject(2)
    builder.PrependUint8Slot(0, kind, 0)
    if with_table:
        builder.PrependUOffsetTRelativeSlot(1, content, 0)
    value = builder.EndObject()
    builder.Finish(table(1, vector(table(2, vector(value)))), file_identifier=b"ET12")
    return bytes(builder.Output())


PLACE = "the root.execution_plan[0].values[0].val"


@pytest.mark.parametrize(
    "data, message",
    ids=by_message,
    argvalues=[
        (one_value(12), f"{PLACE}: 12 is none of its 11 kinds."),
        (one_value(255), f"{PLACE}: 255 is none of its 11 kinds."),
        (one_value(0), f"{PLACE}: 0 is none of its 11 kinds."),
        (one_value(5, with_table=False), f"{PLACE}: it is a Tensor, but that is absent."),
        (one_value(1, with_table=False), f"{PLACE}: it is a Null, but that is absent."),
        (one_value(1), "method None: its name is absent."),
    ],
)
def test_a_union_of_an_unknown_kind_or_without_its_table_is_refused(data, message):
    assert refusal(data) == message


def test_an_instruction_of_an_unknown_kind_is_refused():
    program = branching()
    frees = written(program)
    program.plans[0].chains[0].instructions[6].instr_args = None
    flat = FlatProgram(execution_plan=program.plans)
    place = "the root.execution_plan[0].chains[0].instructions[6].instr_args"
    assert refusal(b"".join(write_container(flat, []))) == f"{place}: 0 is none of its 5 kinds."
    found = {refusal_or_none(frees, at) for at, old in enumerate(frees) if old == 5}
    assert f"{place}: 6 is none of its 5 kinds." in found


def refusal_or_none(data, at):
    data = bytearray(data)
    data[at] += 1
    try:
        from_bytes(bytes(data))
    except Invalid as error:
        return str(error)
    return None


def test_a_string_that_is_not_text_is_refused():
    data = written(addition())
    data[data.index(b"aten::add")] = 0xFF
    place = "the root.execution_plan[0].operators[0].name"
    assert refusal(data) == f"{place}: the string is not UTF-8."


def test_a_string_longer_than_the_file_is_refused():
    data = written(addition())
    at = data.index(b"aten::add")
    struct.pack_into("<I", data, at - 4, 2**31)
    place = re.escape("the root.execution_plan[0].operators[0].name")
    with pytest.raises(
        Invalid, match=f"^{place}: 2147483648 elements of 1 bytes lead past the end of the {len(data)} bytes"
    ):
        from_bytes(bytes(data))
