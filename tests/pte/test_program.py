"""Programs and their files: the same program again, the same bytes again, and the head of the file to the byte."""

import copy
import os
import pickle
import struct

import pytest
from programs import BIAS, FLOAT, PROGRAMS, STEPS, WEIGHT, addition, branching, plan, stateful, tensor

from tenon.errors import Invalid
from tenon.pte import Memory, Program, read_program
from tenon.pte.container import Distinct, read_container, write_container
from tenon.pte.external import External, read_external
from tenon.pte.program import from_bytes, tensor_bytes, tensors, to_bytes
from tenon.pte.schema import (
    BackendDelegate,
    BackendDelegateDataReference,
    Buffer,
    DataLocation,
    Double,
    FlatProgram,
    IntList,
    KernelCall,
    SubsegmentOffsets,
)

each_program = pytest.mark.parametrize("name", PROGRAMS)


def written(program):
    return b"".join(to_bytes(program))


def header(data):
    """Root offset, identifier, magic, header length, program size, segment base, segment data size."""
    return struct.unpack_from("<I4s4sIQQQ", data)


def constants(*contents, alignment=16):
    """A program of float constants with these bytes."""
    values = [tensor([len(content) // 4], data_buffer_idx=i) for i, content in enumerate(contents, 1)]
    return Program([plan(values, [], [], [0], [0])], list(contents), alignment=alignment)


# --- there and back -----------------------------------------------------------------------------------------


@each_program
def test_a_program_read_from_its_bytes_is_the_same(name):
    assert from_bytes(written(PROGRAMS[name]())) == PROGRAMS[name]()


@each_program
def test_a_program_gives_the_same_bytes_every_time(name):
    program = PROGRAMS[name]()
    assert written(program) == written(program) == written(PROGRAMS[name]())


@each_program
def test_a_program_that_was_read_gives_the_bytes_it_was_read_from(name):
    data = written(PROGRAMS[name]())
    assert written(from_bytes(data)) == data


@each_program
def test_writing_leaves_the_program_as_it_was(name):
    program = PROGRAMS[name]()
    to_bytes(program)
    assert program == PROGRAMS[name]()


def test_a_write_that_fails_leaves_the_program_as_it_was(monkeypatch):
    program = branching()
    monkeypatch.setattr("tenon.pte.program.write_container", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        to_bytes(program)
    assert program == branching()


@each_program
def test_a_program_is_saved_and_read_through_a_file(name, tmp_path):
    path = tmp_path / f"{name}.pte"
    PROGRAMS[name]().save(path)
    assert path.read_bytes() == written(PROGRAMS[name]())
    assert read_program(path) == PROGRAMS[name]() == read_program(str(path))


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    path = tmp_path / "broken.pte"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(
        Invalid, match=r"broken\.pte: this is no program: bytes 4 to 7 are 'ing ', and should be 'ET12'\."
    ):
        read_program(path)
    with pytest.raises(Invalid, match=r"absent\.pte: cannot be read: No such file or directory\."):
        read_program(tmp_path / "absent.pte")


def test_a_program_that_does_not_hold_is_not_saved(tmp_path):
    program = addition()
    program.plans[0].outputs = [4]
    with pytest.raises(Invalid, match="an output is value 4"):
        program.save(tmp_path / "model.pte")
    assert list(tmp_path.iterdir()) == []


def test_data_of_no_bytes_comes_back_as_no_bytes():
    values = [
        tensor([0], data_buffer_idx=1),
        tensor([6], data_buffer_idx=2),
        tensor([0], 1, 0, data_buffer_idx=1),
        tensor([6], 1, 0, data_buffer_idx=2),
    ]
    program = Program([plan(values, [], [], [0], [0, 24])], [b"", WEIGHT], [b"", STEPS])
    assert from_bytes(written(program)) == program


def test_a_number_keeps_the_sign_of_its_zero():
    program = Program([plan([Double(-0.0)], [], [], [0], [0])])
    assert str(from_bytes(written(program)).plans[0].values[0].val.double_val) == "-0.0"


def test_one_delegate_may_be_in_two_methods():
    program, delegate = branching(), BackendDelegate("Lathe", BackendDelegateDataReference(DataLocation.SEGMENT, 0), [])
    for each in program.plans:
        each.delegates = [delegate, delegate]
    program.plans[0].chains[0].stacktrace = None
    assert from_bytes(written(program)) == program


def test_payloads_are_numbered_by_first_use():
    program = branching()
    program.payloads = [b"one", b"two"]
    program.plans[1].delegates = [
        BackendDelegate("Saw", BackendDelegateDataReference(DataLocation.SEGMENT, index), []) for index in (1, 0)
    ]
    assert from_bytes(written(program)) == program


def test_constants_inside_the_flatbuffer_are_read_as_those_of_old_files():
    flat = FlatProgram(
        execution_plan=stateful().plans,
        constant_buffer=[Buffer(b""), Buffer(WEIGHT), Buffer(BIAS)],
        mutable_data_segments=[SubsegmentOffsets(0, [0, 0])],
    )
    assert from_bytes(b"".join(write_container(flat, [[STEPS]]))) == stateful()


def test_equal_named_data_is_stored_once():
    flat = read_container(written(branching())).flat
    assert [(entry.key, entry.segment_index) for entry in flat.named_data] == [
        ("first", 2),
        ("second", 3),
        ("third", 2),
    ]
    assert [segment.size for segment in flat.segments] == [0, 31, 11, 5]


# --- the head of the file -----------------------------------------------------------------------------------


def test_a_program_without_segment_bytes_has_no_header():
    data = written(addition())
    assert data[:12].hex(" ", 4) == "1c000000 45543132 00000000"
    flat = read_container(data).flat
    assert [(segment.offset, segment.size) for segment in flat.segments] == [(0, 0)]
    assert flat.constant_segment == SubsegmentOffsets(0, [0])
    assert flat.constant_buffer == [] and flat.backend_delegate_data == []
    assert flat.mutable_data_segments is None and flat.named_data is None


def test_a_program_of_constants_has_the_header_the_format_asks_for():
    data = written(constants(WEIGHT, BIAS))
    root, identifier, magic, length, program_size, base, data_size = header(data)
    assert (root, identifier, magic, length, data_size) == (0x3C, b"ET12", b"eh00", 32, 40)
    assert base % 128 == 0 and program_size <= base < program_size + 128
    assert len(data) == base + data_size
    assert set(data[program_size:base]) <= {0}


@pytest.mark.parametrize("name", ["stateful", "branching"])
def test_a_file_with_segments_ends_where_they_end(name):
    data = written(PROGRAMS[name]())
    _, _, magic, length, program_size, base, data_size = header(data)
    assert (magic, length, base % 128) == (b"eh00", 32, 0)
    assert program_size <= base and len(data) == base + data_size


def test_an_alignment_of_64_gives_a_block_of_64_bytes():
    narrow, wide = written(constants(WEIGHT, BIAS)), written(constants(WEIGHT, BIAS, alignment=64))
    assert header(narrow)[0] == 0x3C and header(wide)[0] == 0x5C
    assert header(wide)[2:4] == (b"eh00", 32)
    assert wide[40:72] == bytes(32)
    assert read_container(wide).flat.constant_segment.offsets == [0, 0, 64]
    assert header(wide)[6] == 72


def test_constants_begin_at_multiples_of_the_alignment():
    container = read_container(written(constants(WEIGHT, BIAS)))
    assert container.flat.constant_segment == SubsegmentOffsets(0, [0, 0, 32])
    assert bytes(container.segments[0]) == WEIGHT + bytes(8) + BIAS
    assert len(container.segments[0]) == 40


def test_initial_values_follow_the_constants_without_padding_between_them():
    values = [tensor([6], data_buffer_idx=1), tensor([6], 1, 0, data_buffer_idx=1)]
    data = written(Program([plan(values, [], [], [0], [0, 24])], [WEIGHT], [STEPS]))
    flat = read_container(data).flat
    assert [(segment.offset, segment.size) for segment in flat.segments] == [(0, 24), (128, 24)]
    assert flat.mutable_data_segments == [SubsegmentOffsets(1, [0, 0])]
    assert header(data)[6] == 152

    values = [tensor([1], 1, 0, data_buffer_idx=i) for i in (1, 2)]
    program = Program([plan(values, [], [], [0], [0, 4])], [], [b"1234", b"5678"])
    container = read_container(written(program))
    assert container.flat.mutable_data_segments == [SubsegmentOffsets(1, [0, 0, 4])]
    assert bytes(container.segments[1]) == b"12345678"
    assert from_bytes(written(program)) == program


@pytest.mark.parametrize("alignment", [16, 64])
def test_an_inline_payload_is_aligned_in_the_file(alignment):
    program = branching()
    program.alignment = alignment
    data = written(program)
    assert data.index(b"a payload inside it") % alignment == 0
    assert data.index(b"a payload behind the flatbuffer") % 128 == 0


def test_a_header_of_the_oldest_length_is_read():
    data = bytearray(written(stateful()))
    struct.pack_into("<I", data, 12, 24)
    assert from_bytes(bytes(data)) == stateful()


def test_a_longer_header_is_read_without_its_tail():
    data = bytearray(written(stateful()))
    struct.pack_into("<I", data, 12, 40)
    assert from_bytes(bytes(data)) == stateful()


def test_every_absent_and_every_empty_field_is_as_the_format_asks():
    chain = read_container(written(addition())).flat.execution_plan[0].chains[0]
    assert (chain.inputs, chain.outputs, chain.stacktrace) == ([], [], None)
    forward = read_container(written(stateful())).flat.execution_plan[0]
    assert forward.operators[2].overload == "" and forward.delegates == []
    assert forward.non_const_buffer_device is None
    assert forward.values[17].val.sizes == [] and forward.values[17].val.dim_order == []


# --- what a program tells of itself -------------------------------------------------------------------------


def test_a_program_names_its_methods():
    assert addition().methods == ["forward"]
    assert branching().methods == ["forward", "version"]


def test_operators_are_counted_over_all_methods():
    assert addition().operators() == {"aten::add.out": 1}
    assert stateful().operators() == {"aten::index.Tensor_out": 2, "aten::view_copy.out": 1, "aten::copy_": 1}
    program = branching()
    program.plans[1] = copy.deepcopy(addition().plans[0])
    program.plans[1].operators.append(copy.deepcopy(program.plans[0].operators[0]))
    program.plans[1].chains[0].instructions[0].instr_args = KernelCall(1, [0, 3, 3])
    assert program.operators() == {"aten::neg.out": 2, "aten::add.out": 0}


def test_memory_is_what_is_planned_and_what_is_held():
    assert addition().memory() == Memory(planned=96, constant=0, state=0, temporary=0)
    assert stateful().memory() == Memory(planned=224, constant=32, state=24, temporary=0)
    assert branching().memory() == Memory(planned=48, constant=0, state=0, temporary=0)


def test_a_tensor_tells_its_bytes():
    assert [tensor_bytes(each) for each in tensors(stateful())] == [24, 8, 24, 96, 96, 16, 4]
    assert tensor_bytes(tensor([3, 0, 2], dtype=FLOAT)) == 0


def test_a_list_of_numbers_refers_to_any_value_of_the_method():
    program = stateful()
    program.plans[0].values[4].val, program.plans[0].values[6].val = IntList([6, 5]), program.plans[0].values[4].val
    assert from_bytes(written(program)) == program


# --- data where it is ---------------------------------------------------------------------------------------


def viewed(program):
    """The same program with views instead of bytes."""
    for held in (program.constants, program.state, program.payloads, program.inline):
        held[:] = map(memoryview, held)
    program.named_data = {key: memoryview(data) for key, data in program.named_data.items()}
    return program


@each_program
def test_a_program_of_views_is_the_same_program(name):
    program = viewed(PROGRAMS[name]())
    assert program == PROGRAMS[name]() and PROGRAMS[name]() == program
    assert written(program) == written(PROGRAMS[name]())
    assert program.memory() == PROGRAMS[name]().memory()


@each_program
@pytest.mark.parametrize("again", [copy.deepcopy, lambda program: pickle.loads(pickle.dumps(program))])
def test_a_program_of_views_is_copied_and_pickled_with_its_data(name, again):
    program = viewed(PROGRAMS[name]())
    program.external = {"table": External(FLOAT, (2,), (0,), memoryview(BIAS))}
    program.lower_bounds = {"forward": 1}
    made = again(program)
    assert made == PROGRAMS[name]()
    assert (made.external, made.lower_bounds) == (program.external, program.lower_bounds)
    assert all(isinstance(data, bytes) for data in made.constants)


def test_data_is_not_copied_on_its_way_to_the_file():
    program = stateful()
    pieces = to_bytes(program)
    for data in program.constants + program.state:
        assert any(piece is data for piece in pieces)
    program = branching()
    pieces = to_bytes(program)
    for data in [*program.payloads, program.named_data["first"], program.named_data["second"]]:
        assert any(piece is data for piece in pieces)


@each_program
def test_data_is_not_copied_out_of_the_file(name):
    data = written(PROGRAMS[name]())
    program = from_bytes(data)
    for held in [*program.constants, *program.state, *program.payloads, *program.named_data.values()]:
        assert held.obj is data and held.readonly


def test_a_program_may_be_read_from_any_kind_of_bytes():
    data = written(stateful())
    assert from_bytes(bytearray(data)) == from_bytes(memoryview(data)) == stateful()
    assert from_bytes(bytearray(data)).constants[0].readonly


def test_equal_data_has_one_place_whatever_it_is_held_in():
    distinct = Distinct()
    same = [b"one", memoryview(b"one"), memoryview(bytearray(b"one"))]
    assert [distinct.place(data) for data in [*same, b"two", b"", b"", *same]] == [0, 0, 0, 1, 2, 2, 0, 0, 0]
    assert distinct.items == [b"one", b"two", b""]


def test_different_data_of_one_digest_stays_different(monkeypatch):
    monkeypatch.setattr("tenon.pte.container.digest", lambda data: b"")
    distinct = Distinct()
    assert [distinct.place(data) for data in (b"one", b"two", b"one", b"two", b"on")] == [0, 1, 0, 1, 2]


# --- a file and what lies beside it -------------------------------------------------------------------------


def with_external(data=STEPS[:16]):
    program = stateful()
    program.external = {"table": External(FLOAT, (4,), (0,), data), "same": External(FLOAT, (4,), (0,), data)}
    return program


def test_weights_beside_a_program_are_read_in_place_and_stored_once(tmp_path):
    with_external().save(tmp_path / "model.pte")
    found = read_external(tmp_path / "model.ptd")
    assert found == with_external().external
    assert found["table"].data.obj is found["same"].data.obj and found["table"].data.readonly
    data = (tmp_path / "model.ptd").read_bytes()
    assert data.count(STEPS[:16]) == 1


def test_bytes_are_told_while_a_program_is_saved_and_read(tmp_path):
    told = []
    with_external().save(tmp_path / "model.pte", lambda *bytes: told.append(bytes))
    total = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert told == sorted(told) and told[-1] == (total, total) and {each for _, each in told} == {total}
    told = []
    assert read_program(tmp_path / "model.pte", lambda *bytes: told.append(bytes)) == stateful()
    assert told == [((tmp_path / "model.pte").stat().st_size,) * 2]


@pytest.mark.parametrize("existing", [True, False], ids=["over files", "anew"])
@pytest.mark.parametrize("failing", ["model.ptd", "model.pte"])
def test_a_program_and_its_weights_are_saved_both_or_neither(tmp_path, monkeypatch, existing, failing):
    if existing:
        with_external(bytes(16)).save(tmp_path / "model.pte")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    real = os.replace

    def replace(source, target):
        if os.path.basename(target) == failing and os.path.getsize(source) and replace.fails:
            replace.fails = False
            raise OSError(28, "No space left on device")
        real(source, target)

    replace.fails = True
    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(Invalid, match=f"{failing}: cannot be written: No space left on device. Nothing was changed."):
        with_external().save(tmp_path / "model.pte")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_program_that_does_not_hold_leaves_no_weights_either(tmp_path):
    program = with_external()
    program.plans[0].outputs = [99]
    with pytest.raises(Invalid, match="an output is value 99"):
        program.save(tmp_path / "model.pte")
    assert list(tmp_path.iterdir()) == []


def test_a_program_is_not_saved_over_its_own_weights(tmp_path):
    with pytest.raises(Invalid, match=r"model\.ptd: is where its weights are written\. Name the program \.pte\."):
        with_external().save(tmp_path / "model.ptd")
    assert list(tmp_path.iterdir()) == []
