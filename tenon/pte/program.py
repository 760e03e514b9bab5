"""A program: what a .pte file holds, as dataclasses. What the usual writer wrote is written back to the same bytes."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

from tenon.errors import Invalid
from tenon.files import Data, read_whole, write_together
from tenon.ir.types import DTYPE_BY_CODE
from tenon.pte.check import check_program
from tenon.pte.container import Distinct, read_container, round_up, write_container
from tenon.pte.external import External, write_external
from tenon.pte.schema import (
    BackendDelegateInlineData,
    DataLocation,
    ExecutionPlan,
    FlatProgram,
    KernelCall,
    NamedData,
    SubsegmentOffsets,
    Tensor,
)


@dataclass(frozen=True, slots=True)
class Memory:
    """What a program needs to run, in bytes."""

    planned: int  # of all memory banks of all methods; what methods share counts once
    constant: int
    state: int  # of initial values, which are part of what is planned
    temporary: int  # what kernels ask for while they run: none does so far
    lower_bound: int | None = None  # the peak of live bytes; a file does not hold it


@dataclass(slots=True)
class Program:
    """Methods and their data. A constant with `data_buffer_idx` k is `constants[k - 1]`, an initial value likewise.

    Data may be a view of memory elsewhere, such as a model's weights or a file that was read; it is never written to.
    Payloads of delegates are opaque; `processed` of a delegate refers to `payloads` or, if it is inline, to `inline`.
    """

    plans: list[ExecutionPlan]
    constants: list[Data] = field(default_factory=list)
    state: list[Data] = field(default_factory=list)
    payloads: list[Data] = field(default_factory=list)
    inline: list[Data] = field(default_factory=list)
    named_data: dict[str, Data] = field(default_factory=dict)
    alignment: int = 16  # of constants in the file
    external: dict[str, External] = field(default_factory=dict, compare=False)  # what is saved beside the program
    lower_bounds: dict[str, int] = field(default_factory=dict, compare=False)  # of each method that was planned here

    @property
    def methods(self) -> list[str]:
        return [str(plan.name) for plan in self.plans]

    def operators(self) -> dict[str, int]:
        """Every operator by its full name, with the number of calls, over all methods."""
        found: dict[str, int] = {}
        for plan in self.plans:
            names = [operator.full_name for operator in plan.operators or []]
            for name in names:
                found.setdefault(name, 0)
            for chain in plan.chains or []:
                for instruction in chain.instructions or []:
                    if isinstance(instruction.instr_args, KernelCall):
                        found[names[instruction.instr_args.op_index]] += 1
        return found

    def memory(self) -> Memory:
        shared = shared_banks(self.plans)
        sizes = [dict(enumerate(plan.non_const_buffer_sizes or [])) for plan in self.plans]
        planned = sum(size for each in sizes for bank, size in each.items() if bank not in shared)
        planned += sum(max(each.get(bank, 0) for each in sizes) for bank in shared)
        least = sum(self.lower_bounds.values()) if self.lower_bounds else None
        return Memory(planned, sum(map(len, self.constants)), sum(map(len, self.state)), 0, least)

    def save(self, path: str | os.PathLike[str], progress: Callable[[int, int], None] | None = None) -> None:
        """Write the program as a .pte file; its external weights as .ptd beside it: both, or neither.

        Data goes from where it is to the file, without a copy of it all. `progress` is told the bytes written, and all.
        """
        if self.external and sidecar(path) == Path(path):
            raise Invalid(f"{os.fspath(path)}: is where its weights are written. Name the program .pte.")
        files = [(Path(path), to_bytes(self))]
        if self.external:  # they are in place first: a program is never there without its weights
            files.insert(0, (sidecar(path), write_external(self.external)))
        total = sum(len(piece) for _, pieces in files for piece in pieces)
        write_together(files, None if progress is None else lambda done: progress(done, total))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled and copied with data of its own, as a view cannot be."""
        held = ([bytes(data) for data in each] for each in (self.constants, self.state, self.payloads, self.inline))
        named = {key: bytes(data) for key, data in self.named_data.items()}
        return Program, (self.plans, *held, named, self.alignment, self.external, self.lower_bounds)


def sidecar(path: str | os.PathLike[str]) -> Path:
    """Where the external weights of a program lie."""
    return Path(path).with_suffix(".ptd")


def read_program(path: str | os.PathLike[str], progress: Callable[[int, int], None] | None = None) -> Program:
    """Read any .pte file. Everything in it is checked; what does not hold is said in a sentence.

    `progress` is told the bytes read, and all.
    """
    data = read_whole(path, progress)
    try:
        return from_bytes(data)
    except Invalid as error:
        raise Invalid(f"{os.fspath(path)}: {error}") from error


def from_bytes(data: bytes | bytearray | memoryview) -> Program:
    """The program of a .pte file's bytes, checked. It refers to them: they must not change."""
    container = read_container(data)
    flat, segments = container.flat, container.segments
    if sum(map(len, segments)) > 2 * len(data):  # a small file must not unfold into a large one when it is saved
        raise Invalid(f"its segments are {sum(map(len, segments))} bytes in all, and the file has {len(data)}.")
    plans = flat.execution_plan or []
    constants = _subsegments(flat.constant_segment, segments, "constants")
    if not constants and flat.constant_buffer:  # the form of old files; entry 0 is reserved in it too
        constants = [buffer.storage or b"" for buffer in flat.constant_buffer[1:]]
    mutable = flat.mutable_data_segments[0] if flat.mutable_data_segments else None
    state = _subsegments(mutable, segments, "initial values")
    payloads = _payloads(plans, segments)
    named: dict[str, Data] = {}
    for entry in flat.named_data or []:
        if entry.key is None:
            raise Invalid("an entry of its named data has no key.")
        if entry.key in named:
            raise Invalid(f"its named data has the key {entry.key} twice.")
        named[entry.key] = _at(segments, entry.segment_index, f"the named data {entry.key}")
    inline: list[Data] = [each.data or b"" for each in flat.backend_delegate_data or []]
    program = Program(plans, constants, state, payloads, inline, named)
    check_program(program)
    _trim(program)
    return program


def _at(segments: list[memoryview], index: int, who: str) -> memoryview:
    if index >= len(segments):
        raise Invalid(f"{who} is in segment {index}, and there are {len(segments)}.")
    return segments[index]


def _subsegments(where: SubsegmentOffsets | None, segments: list[memoryview], who: str) -> list[Data]:
    """Constants or initial values: each runs from its offset to the next larger one. Entry 0 is reserved."""
    offsets = list(where.offsets or []) if where else []
    if where is None or len(offsets) < 2:
        return []
    segment = _at(segments, where.segment_index, f"the segment of {who}")
    ends = sorted({*offsets, len(segment)})
    following = dict(zip(ends, [*ends[1:], len(segment)], strict=True))
    for i, offset in enumerate(offsets):
        if offset > len(segment):
            raise Invalid(f"entry {i} of its {who} begins at byte {offset}, and their segment has {len(segment)}.")
    pieces = {offset: segment[offset : following[offset]] for offset in set(offsets)}  # one object for one place
    return [pieces[offset] for offset in offsets[1:]]


def _payloads(plans: list[ExecutionPlan], segments: list[memoryview]) -> list[Data]:
    """The payloads of delegates, in order of first use; the plans are made to refer to them by that order."""
    order: dict[int, int] = {}
    for plan in plans:
        for delegate in plan.delegates or []:
            processed = delegate.processed
            if processed is not None and processed.location == DataLocation.SEGMENT:
                _at(segments, processed.index, f"the delegate {delegate.id}")
                processed.index = order.setdefault(processed.index, len(order))
    return [segments[index] for index in order]


def shared_banks(plans: list[ExecutionPlan]) -> set[int]:
    """The memory banks that hold nothing but state, in several methods: it is one state for all of them.

    What is written to state, and views of it, may lie where the state lies.
    """
    if len(plans) < 2:
        return set()
    used: dict[int, set[int]] = {}
    other: set[int] = set()
    for number, plan in enumerate(plans):
        held = [value.val for value in plan.values or [] if isinstance(value.val, Tensor) and value.val.allocation_info]
        state = [_span(tensor) for tensor in held if tensor.data_buffer_idx]
        for bank, start, end in map(_span, held):
            used.setdefault(bank, set()).add(number)
            if not any(bank == where and first <= start and end <= last for where, first, last in state):
                other.add(bank)
    return {bank for bank, methods in used.items() if len(methods) > 1 and bank not in other}


def _span(tensor: Tensor) -> tuple[int, int, int]:
    """Bank, first byte and end."""
    place = tensor.allocation_info
    assert place is not None
    return place.memory_id, place.offset, place.offset + tensor_bytes(tensor)


def tensors(program: Program) -> Iterator[Tensor]:
    for plan in program.plans:
        for value in plan.values or []:
            if isinstance(value.val, Tensor):
                yield value.val


def tensor_bytes(tensor: Tensor) -> int:
    """The bytes of a tensor at its upper bound."""
    return prod(tensor.sizes or []) * DTYPE_BY_CODE[tensor.scalar_type].bytes


def _trim(program: Program) -> None:
    """Cut off what is behind the data of constants and initial values, as far as tensors tell their length."""
    needed: dict[tuple[bool, int], int] = {}
    for tensor in tensors(program):
        external = tensor.extra_tensor_info is not None and tensor.extra_tensor_info.location
        if tensor.data_buffer_idx and not external:
            key = (tensor.allocation_info is None, tensor.data_buffer_idx)
            needed[key] = max(needed.get(key, 0), tensor_bytes(tensor))
    for (constant, index), size in needed.items():
        held = program.constants if constant else program.state
        held[index - 1] = held[index - 1][:size]


def to_bytes(program: Program) -> list[Data]:
    """The .pte file in pieces, most of them the program's own data. The same program gives the same bytes."""
    check_program(program)
    _check_names(program)
    offsets, constants, position = [0], list[Data](), 0
    for content in program.constants:
        start = round_up(position, program.alignment)
        constants += [bytes(start - position), content]
        offsets.append(start)
        position = start + len(content)
    segments = [constants]
    flat = FlatProgram(
        execution_plan=program.plans,
        constant_buffer=[],
        backend_delegate_data=[BackendDelegateInlineData(bytes(content)) for content in program.inline],
        constant_segment=SubsegmentOffsets(0, offsets),
    )
    if program.state:
        starts = [0]
        for content in program.state:
            starts.append(starts[-1] + len(content))
        flat.mutable_data_segments = [SubsegmentOffsets(len(segments), [0, *starts[:-1]])]
        segments.append(program.state)
    first = len(segments)
    segments += [[payload] for payload in program.payloads]
    if program.named_data:
        stored = Distinct()
        flat.named_data = [
            NamedData(key, len(segments) + stored.place(data)) for key, data in program.named_data.items()
        ]
        segments += [[data] for data in stored.items]
    _shifted(program.plans, first)
    try:
        return write_container(flat, segments, program.alignment)
    except (TypeError, UnicodeEncodeError) as error:  # the flatbuffer writer's words for what a field cannot hold
        raise Invalid(f"the program holds a value that its field cannot: {error}.") from error
    finally:
        _shifted(program.plans, -first)


def _check_names(program: Program) -> None:
    """What a reader may tolerate, a writer must not make."""
    for name in program.methods:
        if program.methods.count(name) > 1:
            raise Invalid(f"the program has two methods {name}.")
        if "\0" in name:
            raise Invalid(f"the method name {name!r} holds a zero byte.")


def _shifted(plans: list[ExecutionPlan], by: int) -> None:
    """Make delegates refer to segments of the file, or (with a negative number) to payloads again."""
    found = [
        delegate.processed for plan in plans for delegate in plan.delegates or [] if delegate.processed is not None
    ]
    for processed in {id(each): each for each in found}.values():
        if processed.location == DataLocation.SEGMENT:
            processed.index += by
