"""Damaged program files: the reader gives a program or a sentence, and never more than the file's bytes can hold."""

import time
import tracemalloc
from contextlib import suppress

import flatbuffers
import pytest
from programs import PROGRAMS, addition

from tenon.errors import Invalid
from tenon.pte.container import write_container
from tenon.pte.program import from_bytes, to_bytes
from tenon.pte.schema import (
    BackendDelegate,
    BackendDelegateDataReference,
    DataLocation,
    DataSegment,
    FlatProgram,
    NamedData,
    SubsegmentOffsets,
)

each_program = pytest.mark.parametrize("name", PROGRAMS)


def fault(data):
    """What is wrong with how these bytes are taken: nothing if they are refused in words, or read and written again."""
    try:
        program = from_bytes(data)
    except Invalid as error:
        return "" if str(error) else "refused without a word"
    except Exception as error:  # whatever it is, it is what the test looks for
        return f"reading raised {error!r}"
    try:
        data = b"".join(to_bytes(program))
    except Invalid:
        return ""
    except Exception as error:
        return f"writing it again raised {error!r}"
    return "" if repr(from_bytes(data).plans) == repr(program.plans) else "written again, it is another program"


def written(name):
    return b"".join(to_bytes(PROGRAMS[name]()))


@each_program
def test_a_truncated_file_is_read_or_refused(name):
    data = written(name)
    assert [(size, found) for size in range(len(data)) if (found := fault(data[:size]))] == []


@each_program
def test_a_file_with_segments_cut_short_is_refused(name):
    data = written(name)
    if data[8:12] == b"eh00":
        with pytest.raises(Invalid, match=f"the header says segments end at byte {len(data)}, and the file has"):
            from_bytes(data[:-1])
    else:
        assert fault(data[:-1]) == ""


@each_program
def test_a_file_with_one_byte_changed_is_read_or_refused(name):
    """Every byte of every file; a byte that already has a value is not tried with it again."""
    data = bytearray(written(name))
    faults = []
    for place, old in enumerate(bytes(data)):
        for new in sorted({0, 1, 0x7F, 0x80, 0xFF, old ^ 1, old ^ 0x10, old ^ 0x80} - {old}):
            data[place] = new
            if found := fault(bytes(data)):
                faults.append((place, old, new, found))
        data[place] = old
    assert faults == []


@pytest.mark.parametrize("size", [0, 1, 7, 8, 12, 40, 63, 64, 4096])
@pytest.mark.parametrize("fill", [0, 1, 0x7F, 0x80, 0xFF])
def test_bytes_of_one_value_behind_the_identifier_are_refused(size, fill):
    with pytest.raises(Invalid):
        from_bytes(bytes([16, 0, 0, 0]) + b"ET12" + bytes([fill]) * size)


# --- small files that would unfold into large programs ------------------------------------------------------


def repeated_table(count, width):
    """A vector of offsets that all lead to one method with a long name."""
    builder = flatbuffers.Builder(1024)
    name = builder.CreateString("x" * width)
    builder.StartObject(1)
    builder.PrependUOffsetTRelativeSlot(0, name, 0)
    plan = builder.EndObject()
    builder.StartVector(4, count, 4)
    for _ in range(count):
        builder.PrependUOffsetTRelative(plan)
    plans = builder.EndVector()
    builder.StartObject(2)
    builder.PrependUOffsetTRelativeSlot(1, plans, 0)
    builder.Finish(builder.EndObject(), file_identifier=b"ET12")
    return bytes(builder.Output())


def test_offsets_that_all_lead_to_one_large_table_are_refused_at_once():
    data = repeated_table(20_000, 100_000)
    start = time.perf_counter()
    with pytest.raises(Invalid, match="it refers to the same bytes again and again"):
        from_bytes(data)
    assert time.perf_counter() - start < 1


def assert_small(data):
    """Whether it is read or refused, it takes no more than some times the memory of the file."""
    tracemalloc.start()
    try:
        with suppress(Invalid):
            from_bytes(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    times = peak // len(data)
    assert times < 100, f"a file of {len(data)} bytes took {peak}"


BULK = bytes(100_000)


def test_constants_that_all_begin_at_one_byte_take_little_memory():
    offsets = SubsegmentOffsets(0, [0] + [1] * 3000)
    flat = FlatProgram(execution_plan=addition().plans, constant_segment=offsets)
    assert_small(b"".join(write_container(flat, [[BULK]])))


def test_initial_values_that_all_begin_at_one_byte_take_little_memory():
    offsets = SubsegmentOffsets(0, [0] + [1] * 3000)
    flat = FlatProgram(execution_plan=addition().plans, mutable_data_segments=[offsets])
    assert_small(b"".join(write_container(flat, [[BULK]])))


def test_named_data_that_is_all_in_one_segment_takes_little_memory():
    named = [NamedData(f"key {i}", 0) for i in range(3000)]
    flat = FlatProgram(execution_plan=addition().plans, named_data=named)
    assert_small(b"".join(write_container(flat, [[BULK]])))


def test_payloads_in_segments_that_overlap_take_little_memory(monkeypatch):
    """Three thousand segments, each all of the same bytes, and a delegate for each."""
    program = addition()
    program.plans[0].delegates = [
        BackendDelegate("Mill", BackendDelegateDataReference(DataLocation.SEGMENT, i), []) for i in range(3000)
    ]
    monkeypatch.setattr("tenon.pte.container.DataSegment", lambda start, size: DataSegment(0, len(BULK)))
    data = b"".join(write_container(FlatProgram(execution_plan=program.plans), [[BULK]] + [[]] * 2999))
    monkeypatch.undo()
    assert_small(data)
