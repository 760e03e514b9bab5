"""A program: what a .pte file holds, as dataclasses. What the usual writer wrote is written back to the same bytes."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from pathlib import Path

from tenon.errors import Invalid
from tenon.files import read_whole, write_whole
from tenon.ir.types import DTYPE_BY_CODE
from tenon.pte.check import check_program
from tenon.pte.container import read_container, round_up, write_container
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

    planned: int  # of all memory banks of all methods
    constant: int
    state: int  # of initial values, which are part of what is planned
    lower_bound: int | None = None  # the peak of live bytes; a file does not hold it


@dataclass(slots=True)
class Program:
    """Methods and their data. A constant with `data_buffer_idx` k is `constants[k - 1]`, an initial value likewise.

    Payloads of delegates are opaque; `processed` of a delegate refers to `payloads` or, if it is inline, to `inline`.
    """

    plans: list[ExecutionPlan]
    constants: list[bytes] = field(default_factory=list)
    state: list[bytes] = field(default_factory=list)
    payloads: list[bytes] = field(default_factory=list)
    inline: list[bytes] = field(default_factory=list)
    named_data: dict[str, bytes] = field(default_factory=dict)
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
        planned = sum(sum(plan.non_const_buffer_sizes or []) for plan in self.plans)
        least = sum(self.lower_bounds.values()) if self.lower_bounds else None
        return Memory(planned, sum(map(len, self.constants)), sum(map(len, self.state)), least)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the program as a .pte file, whole or not at all; its external weights as .ptd beside it."""
        content = b"".join(to_bytes(self))
        if self.external:
            write_whole(sidecar(path), write_external(self.external))
        write_whole(path, content)


def sidecar(path: str | os.PathLike[str]) -> Path:
    """Where the external weights of a program lie."""
    return Path(path).with_suffix(".ptd")


def read_program(path: str | os.PathLike[str]) -> Program:
    """Read any .pte file. Everything in it is checked; what does not hold is said in a sentence."""
    data = read_whole(path)
    try:
        return from_bytes(data)
    except Invalid as error:
        raise Invalid(f"{os.fspath(path)}: {error}") from error


def from_bytes(data: bytes) -> Program:
    """The program of a .pte file's bytes, checked."""
    container = read_container(data)
    flat, views = container.flat, container.segments
    if sum(map(len, views)) > 2 * len(data):  # a small file must not unfold into a large program
        raise Invalid(f"its segments are {sum(map(len, views))} bytes in all, and the file has {len(data)}.")
    segments = [bytes(view) for view in views]
    plans = flat.execution_plan or []
    constants = _subsegments(flat.constant_segment, segments, "constants")
    if not constants and flat.constant_buffer:  # the form of old files; entry 0 is reserved in it too
        constants = [bytes(buffer.storage or b"") for buffer in flat.constant_buffer[1:]]
    mutable = flat.mutable_data_segments[0] if flat.mutable_data_segments else None
    state = _subsegments(mutable, segments, "initial values")
    payloads = _payloads(plans, segments)
    named: dict[str, bytes] = {}
    for entry in flat.named_data or []:
        if entry.key is None:
            raise Invalid("an entry of its named data has no key.")
        if entry.key in named:
            raise Invalid(f"its named data has the key {entry.key} twice.")
        named[entry.key] = _at(segments, entry.segment_index, f"the named data {entry.key}")
    inline = [bytes(each.data or b"") for each in flat.backend_delegate_data or []]
    program = Program(plans, constants, state, payloads, inline, named)
    check_program(program)
    _trim(program)
    return program


def _at(segments: list[bytes], index: int, who: str) -> bytes:
    if index >= len(segments):
        raise Invalid(f"{who} is in segment {index}, and there are {len(segments)}.")
    return segments[index]


def _subsegments(where: SubsegmentOffsets | None, segments: list[bytes], who: str) -> list[bytes]:
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


def _payloads(plans: list[ExecutionPlan], segments: list[bytes]) -> list[bytes]:
    """The payloads of delegates, in order of first use; the plans are made to refer to them by that order."""
    order: dict[int, int] = {}
    for plan in plans:
        for delegate in plan.delegates or []:
            processed = delegate.processed
            if processed is not None and processed.location == DataLocation.SEGMENT:
                _at(segments, processed.index, f"the delegate {delegate.id}")
                processed.index = order.setdefault(processed.index, len(order))
    return [segments[index] for index in order]


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


def to_bytes(program: Program) -> list[bytes]:
    """The .pte file in pieces. The same program gives the same bytes."""
    check_program(program)
    _check_names(program)
    offsets, constants, position = [0], [], 0
    for content in program.constants:
        start = round_up(position, program.alignment)
        constants += [bytes(start - position), content]
        offsets.append(start)
        position = start + len(content)
    segments = [b"".join(constants)]
    flat = FlatProgram(
        execution_plan=program.plans,
        constant_buffer=[],
        backend_delegate_data=[BackendDelegateInlineData(content) for content in program.inline],
        constant_segment=SubsegmentOffsets(0, offsets),
    )
    if program.state:
        starts = [0]
        for content in program.state:
            starts.append(starts[-1] + len(content))
        flat.mutable_data_segments = [SubsegmentOffsets(len(segments), [0, *starts[:-1]])]
        segments.append(b"".join(program.state))
    first = len(segments)
    segments += program.payloads
    if program.named_data:
        number: dict[bytes, int] = {}
        for data in program.named_data.values():
            number.setdefault(data, len(segments) + len(number))
        flat.named_data = [NamedData(key, number[data]) for key, data in program.named_data.items()]
        segments += number
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
