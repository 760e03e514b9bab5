"""Every kernel beside torch: each row of the YAML files, each dtype, on samples of torch's operator database."""

import math
import os
import subprocess
import sys
from collections import Counter

import pytest
import torch

from native.complex_samples import COMPLEX, COMPLEX_ROWS, REFUSED_COMPLEX
from native.core_samples import BAGS, CORE, CORE_REFUSED
from native.edge_samples import EDGE_REFUSED, EDGE_SAMPLES, IN_ORDERS, INEXACT
from native.fused_samples import FUSED, FUSED_REFUSED
from native.int8_samples import INT8, INT8_REFUSED
from native.library import CODE, FAST, SANITIZED, Library, Out, Refused, build_library, built_in
from native.moved import IN_ANY_ORDER, MOVED, REFUSED_MOVES
from native.order_samples import ORDERED, ORDERED_REFUSED
from native.packed_samples import PACKED, PACKED_REFUSED, PACKED_ROUGH
from native.quantized_samples import KEEP_ORDER, QUANTIZED, QUANTIZED_REFUSED
from native.samples import DTYPES, RANDOM, ROWS, Call, calls, is_written, row_of
from native.special_samples import ROUGH, SPECIAL, SPECIAL_REFUSED, TRUE, true_call
from tenon.ops.schema import find_op, is_pointwise, op_name

pytestmark = pytest.mark.filterwarnings("ignore")
SHORT = {torch.bool: "b8", torch.uint8: "u8", torch.bfloat16: "bf16", torch.complex64: "c64"} | {
    dtype: f"{'f' if dtype.is_floating_point else 'i'}{8 * dtype.itemsize}"
    for dtype in DTYPES
    if dtype not in (torch.bool, torch.uint8, torch.bfloat16)
}
OPS = sorted(row.op for row in ROWS)
SCHEMAS = {row.op: torch._C.parse_schema(row.schema) if row.schema else find_op(row.op)._schema for row in ROWS}


# What torch takes and a kernel refuses.
KNOWN_REFUSALS = ["indices are uint8, and should be int64 or int32"]  # torch asks no dtype of an index without elements

EMPTY = ["aten::empty.out", "aten::empty_strided.out", *RANDOM]  # only their shape is told

FLAGS = SANITIZED if "TENON_SANITIZED" in os.environ else FAST


@pytest.fixture(scope="session")
def library(pytestconfig):
    return Library(build_library(built_in(pytestconfig, FLAGS), FLAGS))


def functional_of(op):
    """The operator that an out variant stands for."""
    packet = getattr(torch.ops.aten, op.partition("::")[2].partition(".")[0])
    overloads = [getattr(packet, name) for name in packet.overloads()]
    return next((found for found in overloads if op_name(found) != op and row_of(op_name(found)) == op), None)


# --- one call -------------------------------------------------------------------------------------------------

KINDS = {
    "Tensor": "tensor", "int": "int", "SymInt": "int", "float": "double", "bool": "bool", "str": "string",
    "ScalarType": "int", "MemoryFormat": "int", "Layout": "int", "Generator": "int",
    "List[int]": "ints", "List[SymInt]": "ints",
    "List[float]": "doubles", "List[bool]": "bools", "List[Tensor]": "tensors", "List[Optional[Tensor]]": "optionals",
}  # fmt: skip


def kind_of(argument, value):
    text = str(argument.real_type)
    text = text[9:-1] if text.startswith("Optional[") else text
    if text in ("number", "Scalar"):
        return "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "double"
    return KINDS[text]


def plain(kind, value):
    """An argument as the runtime has it: codes for dtypes, lists where torch lets one number stand for them."""
    if isinstance(value, torch.dtype):
        return CODE[value]
    if isinstance(value, torch.memory_format):
        return int(value == torch.preserve_format)
    if kind in ("ints", "doubles", "bools") and not isinstance(value, (list, tuple)) and value is not None:
        return [value]
    return value


def run(library, call, outs, layout=lambda tensor: tensor.contiguous()):
    """Calls the row's kernel; gives what the outs hold."""
    stack, places = [], iter(outs)
    schema = SCHEMAS[call.op]
    for argument in schema.arguments:
        if argument.is_out:
            value = list(places) if "List" in str(argument.type) else next(places)
        elif is_written(argument):
            value = next(places)
            if argument.name in call.arguments:
                value.buffer.copy_(call.arguments[argument.name])
        else:
            value = call.arguments.get(argument.name, argument.default_value if argument.has_default_value() else None)
            value = [value] if argument.N and isinstance(value, int) else value
        kind = kind_of(argument, value)
        value = plain(kind, value)
        if isinstance(value, torch.Tensor):
            value = layout(value)
        elif kind in ("tensors", "optionals") and not argument.is_out:
            value = [item if item is None else layout(item) for item in value]
        stack.append((kind, value))
    stack.append(("int", None))  # what is returned is in the outs
    return library.call(call.op, stack)


def assert_same(call, actual, how):
    __tracebackhide__ = True
    if call.op in EMPTY:
        assert [mine.shape for mine in actual] == [theirs.shape for theirs in call.results]
        return
    for mine, theirs in zip(actual, call.results, strict=True):
        words = f"{describe(call)}, {how}: "
        same = {"equal_nan": True, "check_stride": False} | (ROUGH | PACKED_ROUGH).get((call.op, theirs.dtype), {})
        try:
            torch.testing.assert_close(mine, theirs, **same, msg=lambda found, words=words: words + found)
        except AssertionError:
            # torch rounds on the way too: who is about as near to the truth is not wrong.
            if not (theirs.is_floating_point() or theirs.is_complex()) or call.truth is None:
                raise
            (truth,) = (true for true, result in zip(call.truth, call.results, strict=True) if result is theirs)
            if farthest(mine, truth) <= 2 * farthest(theirs, truth):
                continue
            near = {"atol": 1e-3, "rtol": 2e-2} if theirs.dtype in (torch.float16, torch.bfloat16) else {}
            torch.testing.assert_close(mine, truth.to(mine.dtype), **(same | near))


def farthest(result, truth):
    return (result.to(truth.dtype) - truth).abs().max().item()  # NaN is near nothing


def describe(call):
    def shown(value):
        if isinstance(value, torch.Tensor):
            return f"{SHORT.get(value.dtype, value.dtype)}{list(value.shape)}"
        return f"[{', '.join(map(shown, value))}]" if isinstance(value, (list, tuple)) else repr(value)

    return f"{call.op}({', '.join(f'{name}={shown(value)}' for name, value in call.arguments.items())})"


# --- layouts: how the tensors of a call lie -------------------------------------------------------------------


def channels_last(tensor):
    return tensor.contiguous(memory_format=torch.channels_last) if tensor.dim() == 4 else tensor.contiguous()


def tensors_of(call):
    return [value for value in call.arguments.values() if isinstance(value, torch.Tensor)]


def contiguous_run(library, call):
    kept = sum(is_written(argument) for argument in SCHEMAS[call.op].arguments)  # in their place, and in their shape
    return run(library, call, [Out(result.contiguous(), int(i >= kept)) for i, result in enumerate(call.results)])


def in_place_run(library, call):
    """The result takes the place of the first tensor that is as it."""
    (result,) = call.results
    name, tensor = next(
        (name, value)
        for name, value in call.arguments.items()
        if isinstance(value, torch.Tensor) and value.shape == result.shape and value.dtype == result.dtype
    )
    out = Out(tensor.contiguous(), room=0)
    out.buffer.copy_(tensor)
    return run(library, Call(call.op, call.arguments | {name: out.buffer}, call.results), [out])


def channels_last_run(library, call):
    return run(library, call, [Out(channels_last(result)) for result in call.results], channels_last)


def mixed_run(library, call):
    """Inputs in one order, the result in another."""
    return run(library, call, [Out(result.contiguous()) for result in call.results], channels_last)


def given_run(library, call):
    """As the sample's tensors lie: some take no other order."""
    return run(library, call, [Out(result) for result in call.results], lambda tensor: tensor)


def layouts(call):
    if call.op in PACKED or call.op in INT8:
        yield "as given", given_run
        return
    yield "contiguous", contiguous_run
    if not (is_pointwise(call.op) or call.op in KEEP_ORDER) or len(call.results) != 1 or call.op == "aten::copy_":
        return
    (result,) = call.results
    if any(t.shape == result.shape and t.dtype == result.dtype for t in tensors_of(call)):
        yield "in place", in_place_run
    if result.dim() == 4:
        yield "channels last", channels_last_run
        yield "mixed", mixed_run


def check(library, call, refused):
    for how, go in layouts(call):
        try:
            actual = go(library, call)
        except Refused as fault:
            if str(fault) not in KNOWN_REFUSALS:
                refused[f"{describe(call)}, {how}: {fault}"] += 1
            continue
        assert_same(call, actual, how)


# --- the table ------------------------------------------------------------------------------------------------


COLUMNS = [(op, dtype) for op in OPS for dtype in (*DTYPES, *[torch.complex64] * (op in COMPLEX_ROWS))]


@pytest.mark.parametrize(("op", "dtype"), COLUMNS, ids=lambda value: SHORT.get(value, value))
def test_op(library, op, dtype, record_property):
    found = [*calls(op, dtype), *own_calls(op, dtype), *edge_calls(op, dtype)]
    refused = Counter()
    for call in found:
        check(library, call, refused)
    record_property("cases", len(found))
    record_property("refusals", sum(refused.values()))
    assert not refused, "\n".join(refused)


def test_without_temporary_memory_the_first_of_equals_come_first(library):
    for dtype in DTYPES:
        x = numbers((3, 40), dtype)
        for descending in (False, True):
            values, places = torch.sort(x, dim=1, descending=descending, stable=True)
            sort = Call("aten::sort.values", {"self": x, "dim": 1, "descending": descending}, (values, places))
            few = {"self": x, "k": 5, "dim": 1, "largest": descending}
            top = Call("aten::topk.values", few, (values[:, :5].contiguous(), places[:, :5].contiguous()))
            with library.without_temporary_memory():
                for call in (sort, top):
                    assert_same(call, contiguous_run(library, call), "without memory")


def test_what_needs_temporary_memory_says_how_much(library):
    call = Call("aten::mode.values", {"self": ones(3)}, (ones()[()], whole()))
    with (
        library.without_temporary_memory(),
        pytest.raises(Refused, match="it needs 48 bytes of temporary memory, and 0"),
    ):
        contiguous_run(library, call)


ROUNDED_FIRST = [
    op
    for op in OPS
    if is_pointwise(op) and functional_of(op) and sum(str(a.type) == "Tensor" for a in SCHEMAS[op].arguments) == 3
]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=SHORT.get)
@pytest.mark.parametrize("op", ROUNDED_FIRST)
def test_an_operand_of_another_dtype_is_first_rounded_to_16_bits(library, op, dtype):
    """The few where torch does otherwise, a single factor or divisor, are as torch does them too: bit for bit."""
    functional = functional_of(op)
    narrow = torch.tensor([0.1, 0.3337, 2049, 1.5, 1001.3, 3.0]).to(dtype)
    for other in (torch.float32, torch.float64, torch.int64):
        wide = torch.tensor([0.1, 0.3337, 2049, 257, 1001.3, 7]).to(other)
        pairs = [(narrow, wide), (wide, narrow)]
        pairs += [pair for single in wide for pair in ((narrow, single), (single, narrow))]
        for call in (c for pair in pairs for c in made(op, functional, *pair)):
            (mine,) = contiguous_run(library, call)
            exact = {"rtol": 0, "atol": 0} if mine.dtype == dtype else {}
            torch.testing.assert_close(mine, call.results[0], **exact, equal_nan=True, msg=describe(call))


@pytest.mark.parametrize("op", TRUE)
def test_what_torch_has_only_roughly_is_right(library, op):
    call = true_call(op)
    (mine,) = contiguous_run(library, call)
    torch.testing.assert_close(mine, call.results[0], rtol=1e-9, atol=1e-10, equal_nan=True)


@pytest.mark.parametrize("op", INEXACT)
def test_what_rounding_spoils_in_torch_is_as_in_doubles(library, op):
    functional, arguments, _ = INEXACT[op](torch.float32)
    (call,) = made(op, functional, *arguments)
    torch.testing.assert_close(contiguous_run(library, call)[0], call.truth[0].float(), rtol=5e-6, atol=0)


@pytest.mark.parametrize("op", [*IN_ANY_ORDER, *IN_ORDERS, *FUSED])
def test_elements_are_moved_from_and_to_any_order(library, op):
    for call in [*calls(op, torch.float32), *own_calls(op, torch.float32), *edge_calls(op, torch.float32)]:
        for how, go in (("channels last", channels_last_run), ("mixed", mixed_run)):
            assert_same(call, go(library, call), how)


@pytest.mark.parametrize("op", [*FUSED, *PACKED, *INT8])
def test_results_are_the_same_for_any_number_of_threads(library, op):
    for call in own_calls(op, torch.int8 if op in INT8 else torch.float32):
        with library.threads(1):
            alone = [result.clone() for result in given_run(library, call)]
        for count in (2, 3, 5):
            with library.threads(count):
                shared = given_run(library, call)
            for mine, theirs in zip(shared, alone, strict=True):
                torch.testing.assert_close(mine, theirs, rtol=0, atol=0, equal_nan=True, msg=describe(call))


def test_each_row_is_registered_and_reached_by_a_sample(library):
    assert library.names() == OPS
    dtypes = (torch.float32, torch.int64, torch.int8, torch.complex64)
    unreached = [op for op in OPS if not any([*calls(op, d), *own_calls(op, d)] for d in dtypes)]
    own = ["aten::resize_", "dim_order_ops::_empty_dim_order.out"]  # they have tests of their own
    assert [op for op in unreached if op not in RANDOM] == own


# --- samples of our own: what the database does not reach ---------------------------------------------------------


def numbers(shape, dtype, seed=0):
    generator = torch.Generator().manual_seed(seed + math.prod(shape))
    made = torch.randn(shape, generator=generator, dtype=dtype if dtype.is_complex else None) * 4
    return made > 0 if dtype == torch.bool else made.abs().to(dtype) if dtype == torch.uint8 else made.to(dtype)


EDGES = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 1e-8, 50.0, -50.0, 0.999, 1e20]
SHAPES = [
    [(), ()], [(0,), (0,)], [(3,), ()], [(), (3,)], [(2, 3), (3,)], [(2, 3), (2, 1)], [(0, 3), (1, 3)],
    [(300,), (300,)], [(2, 3, 4, 5), (2, 3, 4, 5)], [(2, 3, 4, 5), (3, 1, 1)], [(5, 1, 4), (1, 6, 1)],
    [(2, 3, 4, 5), (2, 1, 4, 1)], [(2, 700), (2, 1)], [(2, 600, 7), (7,)], [(3, 1, 2), (1, 600, 2)],
]  # fmt: skip


def edged(tensor):
    """With numbers among its first that functions do something of their own at."""
    if tensor.is_floating_point() and tensor.dim() == 1 and len(tensor) > len(EDGES):
        tensor[: len(EDGES)] = torch.tensor(EDGES).to(tensor.dtype)
    elif tensor.dtype in DTYPES[:5] and tensor.dim() == 1 and len(tensor) > 1:
        tensor[:2] = torch.tensor([torch.iinfo(tensor.dtype).min, torch.iinfo(tensor.dtype).max], dtype=tensor.dtype)
    return tensor


def made(op, functional, *arguments, **named):
    """A call of torch's functional operator, if it takes these arguments."""
    try:
        result = functional(*arguments, **named)
    except (RuntimeError, NotImplementedError, IndexError, TypeError):
        return []
    names = [argument.name for argument in functional._schema.arguments]
    results = result if isinstance(result, (list, tuple)) else [result]
    return [Call(op, dict(zip(names, arguments, strict=False)) | named, tuple(results), functional)]


def edge_calls(op, dtype):
    for functional, arguments, named in filter(None, (sample(dtype) for sample in EDGE_SAMPLES.get(op, []))):
        yield from made(op, functional, *arguments, **named)


def own_calls(op, dtype):
    if op.startswith("dim_order_ops::"):
        return list(dim_order_calls(op, dtype))
    if op in OWN:
        return OWN[op](op, dtype)
    functional = functional_of(op)
    if functional is None or not is_pointwise(op):
        return []
    tensors = [a.name for a in functional._schema.arguments if str(a.type) == "Tensor"]
    if op == "aten::where.self_out":
        return [
            c
            for a, b in SHAPES
            for c in made(op, functional, numbers(b, torch.bool), numbers(a, dtype), numbers(b, dtype))
        ]
    if len(tensors) == 2:
        pairs = [made(op, functional, numbers(a, dtype), numbers(b, dtype, 1)) for a, b in SHAPES]
        edges = edged(numbers((30,), dtype))
        pairs.append(made(op, functional, edges[:, None], edges))
        mixed = [made(op, functional, numbers((2, 3), dtype), numbers((3,), other, 1)) for other in DTYPES]
        singles = [made(op, functional, numbers((2, 3), dtype), numbers((), other, 1)) for other in DTYPES]
        return [call for found in (*pairs, *mixed, *singles) for call in found]
    if "Scalar" in op.partition(".")[2]:
        given = [made(op, functional, edged(numbers(a, dtype)), value) for a, _ in SHAPES for value in (2, 2.5, True)]
    else:
        # torch's gelu of infinity is not a number in some dtypes, and infinity in others.
        tensors = [numbers(a, dtype) if op == "aten::gelu.out" else edged(numbers(a, dtype)) for a, _ in SHAPES]
        given = [made(op, functional, tensor) for tensor in tensors]
    return [call for found in given for call in found]


def upsample_calls(op, dtype):
    nearest = torch.ops.aten.upsample_nearest2d.vec
    for shape in [(1, 2, 3, 4), (2, 1, 1, 5), (0, 2, 3, 3)]:
        for size, factors in [([6, 8], None), (None, [2.0, 1.5]), ([1, 2], None)]:
            yield from made(op, nearest, numbers(shape, dtype), size, factors)


def copy_calls(op, dtype):
    for to, source in [((2, 3), (3,)), ((0, 3), (1,)), ((), ()), ((2, 3, 4, 5), (3, 1, 5)), ((40, 50), (40, 50))]:
        tensor = numbers(source, dtype).abs() if dtype != torch.bool else numbers(source, dtype)
        for other in DTYPES:
            yield Call(op, {"src": tensor}, (tensor.to(other).expand(to).contiguous(),))


def batch_norm_calls(op, dtype):
    for shape in ((2, 3), (2, 3, 4, 5), (0, 3, 2)):
        channels = [numbers((3,), dtype, seed) for seed in range(3)]
        statistics = [channels[2], channels[0].abs() + 1] if dtype.is_floating_point else []
        for affine in ([None, None], channels[:2]):
            arguments = (numbers(shape, dtype), *affine, *statistics, 0.1, 1e-5)
            yield from made(op, torch.ops.aten._native_batch_norm_legit_no_training.default, *arguments)


def detach_calls(op, dtype):
    for shape in ((), (0,), (2, 3)):
        yield from made(op, torch.ops.aten.detach_copy.default, numbers(shape, dtype))


def clamp_calls(op, dtype):
    for shape in ((), (0,), (2, 3), (300,)):
        for bounds in ((1, 3), (None, 2), (2, None), (3, 1), (0.5, 2.5), (None, 1.5)):
            yield from made(op, torch.ops.aten.clamp.default, numbers(shape, dtype), *bounds)


def clamp_tensor_calls(op, dtype):
    for a, b in SHAPES:
        for other in (dtype, torch.float16, torch.int32):
            low, high = numbers(b, other, 1), numbers(b, dtype, 2)
            for bounds in ((low, high), (low, None), (None, low)):
                yield from made(op, torch.ops.aten.clamp.Tensor, edged(numbers(a, dtype)), *bounds)


def power_calls(op, dtype):
    for base in (0, 1, 2, -3, 2.5, -1.5, math.inf, True):
        for shape in ((), (0,), (2, 3), (300,)):
            yield from made(op, torch.ops.aten.pow.Scalar, base, edged(numbers(shape, dtype)))


def masked_fill_calls(op, dtype):
    for a, b in SHAPES:
        for value in (2, 2.75, -1, True, math.inf, math.nan, 70000):
            yield from made(op, torch.ops.aten.masked_fill.Scalar, numbers(a, dtype), numbers(b, torch.bool), value)


def rounded_division_calls(op, dtype):
    for mode in (None, "floor", "trunc"):
        for by in (2, -3, 2.5, True, 0.0, math.inf):
            for shape in ((), (0,), (2, 3), (300,)):
                tensor = edged(numbers(shape, dtype))
                yield from made(op, torch.ops.aten.div.Scalar_mode, tensor, by, rounding_mode=mode)


def shift_calls(op, dtype):
    shift = functional_of(op)
    for by in (0, 1, 7, 8, 31, 63, 64, 100, -1, True):
        tensor = numbers((2, 3), dtype)
        yield from made(op, shift, tensor, by if "Scalar" in op else torch.full((3,), by, dtype=dtype))
        yield from made(op, shift, tensor, by if "Scalar" in op else torch.tensor(by))


def glu_calls(op, dtype):
    for shape, dim in [((2, 6), -1), ((4, 3, 4, 5), 0), ((2, 4, 5), 1), ((0, 2), 0), ((3, 0), 1), ((700,), 0)]:
        yield from made(op, torch.ops.aten.glu.default, numbers(shape, dtype), dim)


def logit_calls(op, dtype):
    for shape in ((), (0,), (2, 3), (300,)):
        for eps in (None, 1e-6, 0.25, 0.0, 0.6):
            tensor = edged(numbers(shape, dtype) / 8)
            yield from made(op, torch.ops.aten.logit.default, tensor.to(dtype), eps)


def scatter_calls(op, dtype):
    index = torch.tensor([[0, 1, 2], [2, 0, 1]])
    for dim in (0, -1):
        yield from made(op, torch.ops.aten.scatter.value, numbers((3, 4), dtype), dim, index, 2)


def var_calls(op, dtype):
    for shape in ((), (0,), (2, 3), (3, 300)):
        for dim in (None, [0], [-1]):
            for unbiased in (True, False):
                yield from made(op, torch.ops.aten.var.dim, numbers(shape, dtype), dim, unbiased, unbiased)


def pool_calls(op, dtype):
    n = int(op.partition("pool")[2][0])
    functional = functional_of(op)
    if dtype == torch.bool:
        return  # torch takes it where there is nothing to sum
    for shape in ((2, 5, 6, 7)[: n + 1], (2, 3, 7, 5, 6)[: n + 2], (0, 2, 4, 4, 4)[: n + 2]):
        tensor = numbers(shape, dtype)
        if "adaptive" in op:
            yield from (c for size in (1, 3, 9) for c in made(op, functional, tensor, [size] * n))
            continue
        for stride, padding, ceil_mode in (([], 0, False), ([2], 1, True), ([1] * n, 1, False)):
            rest = [[1 + (stride == [2])] * n, ceil_mode] if "max" in op else [ceil_mode, bool(stride)]
            yield from made(op, functional, tensor, [3] + [2] * (n - 1), stride, [padding] * n, *rest)


def filter_calls(op, dtype):
    for shape in ((1, 2, 3, 4), (2, 5, 9, 7), (0, 2, 3, 3)):
        for size in ([6, 8], [2, 3], [1, 20]):
            for align in (True, False):
                tensor = (numbers(shape, torch.float32) * 40).abs() if dtype == torch.uint8 else numbers(shape, dtype)
                yield from made(op, torch.ops.aten._upsample_bilinear2d_aa.default, tensor.to(dtype), size, align)


def grid_calls(op, dtype):
    image, grid = numbers((2, 3, 5, 4), dtype), numbers((2, 3, 7, 2), dtype) / 3
    for mode in range(3):
        for padding in range(3):
            for align in (True, False):
                yield from made(op, torch.ops.aten.grid_sampler_2d.default, image, grid, mode, padding, align)


def distance_calls(op, dtype):
    for p in (0.0, 1.0, 1.5, 2.0, 3.0, math.inf):
        if "cdist" in op:
            for a, b in (
                ((3, 4), (2, 4)),
                ((2, 3, 4), (1, 5, 4)),
                ((30, 2), (40, 2)),
                ((3, 0), (2, 0)),
                ((0, 2), (3, 2)),
            ):
                functional = torch.ops.aten._cdist_forward.default
                yield from made(op, functional, numbers(a, dtype), numbers(b, dtype, 1), p, 2)
        else:
            # Of rows that have no pairs torch asks no dtype.
            for shape in ((4, 3), (1, 3), (0, 3), (3, 300)) if dtype.is_floating_point else ():
                yield from made(op, torch.ops.aten._pdist_forward.default, numbers(shape, dtype), p)


def no_stats_calls(op, dtype):
    functional = torch.ops.aten._native_batch_norm_legit.no_stats
    for shape in ((4, 3), (2, 3, 4, 5), (2, 3, 700)):
        for affine in ([None, None], [numbers((3,), dtype, seed) for seed in range(2)]):
            yield from made(op, functional, numbers(shape, dtype), *affine, True, 0.1, 1e-5)


def linear_calls(op, dtype):
    # Of bools torch makes a product only where there is nothing to multiply.
    for shape in ((4,), (3, 4), (2, 3, 4), (0, 4), (2, 0)) if dtype != torch.bool else ():
        weight = numbers((5, shape[-1]), dtype, 1)
        for bias in (None, numbers((5,), dtype, 2)):
            yield from made(op, torch.ops.aten.linear.default, numbers(shape, dtype), weight, bias)


def scatter_reduce_calls(op, dtype):
    index = torch.tensor([[0, 1, 2, 1], [2, 0, 1, 1]])
    for reduce in ("sum", "prod", "mean", "amax", "amin"):
        for dim in (0, -1):
            for include_self in (True, False):
                tensors = numbers((3, 4), dtype), dim, index, numbers((2, 4), dtype, 1)
                yield from made(op, torch.ops.aten.scatter_reduce.two, *tensors, reduce, include_self=include_self)


def embedding_gradient_calls(op, dtype):
    indices = torch.tensor([[0, 3, 3], [1, 0, 2]])
    for rows, at in ((numbers((2, 3, 5), dtype), indices), (numbers((6, 300), dtype), indices.flatten())):
        for padding, by_frequency in ((-1, False), (0, True)):
            functional = torch.ops.aten.embedding_dense_backward.default
            yield from made(op, functional, rows, at, 4, padding, by_frequency)


def pool_gradient_calls(op, dtype):
    aten = torch.ops.aten
    for shape in ((3, 7, 6), (2, 3, 8, 9), (0, 2, 5, 5)) if dtype.is_floating_point else ():
        tensor = numbers(shape, dtype)
        for stride, padding, ceil_mode in (([], [0, 0], False), ([2, 1], [1, 0], True), ([1, 1], [1, 1], False)):
            window = [3, 2], stride, padding
            if "adaptive" in op:
                size = [3, 4] if ceil_mode else [9, 2]
                grad = numbers((*shape[:-2], *size), dtype, 1)
                yield from made(op, aten._adaptive_avg_pool2d_backward.default, grad, tensor)
            elif "avg" in op:
                rest = ceil_mode, bool(stride), 5 if padding == [1, 1] else None
                grad = numbers(aten.avg_pool2d(tensor, *window, *rest).shape, dtype, 1)
                yield from made(op, aten.avg_pool2d_backward.default, grad, tensor, *window, *rest)
            else:
                rest = [1, 2], ceil_mode
                pooled, at = aten.max_pool2d_with_indices(tensor, *window, *rest)
                grad = numbers(pooled.shape, dtype, 1)
                functional = aten.max_pool2d_with_indices_backward.default
                yield from made(op, functional, grad, tensor, *window, *rest, at)


def norm_gradient_calls(op, dtype):
    aten = torch.ops.aten
    for shape in ((2, 6, 5), (3, 4, 2, 3)) if dtype.is_floating_point else ():
        tensor, grad, channels = numbers(shape, dtype), numbers(shape, dtype, 1), shape[1]
        for is_scaled in (True, False):
            mask = [True] * 3
            if "layer" in op:
                weight = numbers(shape[1:], dtype, 2) if is_scaled else None
                _, mean, rstd = aten.native_layer_norm(tensor, shape[1:], weight, weight, 1e-5)
                rest = list(shape[1:]), mean, rstd, weight, weight, mask
                found = made(op, aten.native_layer_norm_backward.default, grad, tensor, *rest)
            else:
                weight = numbers((channels,), dtype, 2) if is_scaled else None
                sizes = shape[0], channels, math.prod(shape[2:]), 2
                _, mean, rstd = aten.native_group_norm(tensor, weight, weight, *sizes, 1e-5)
                rest = mean, rstd, weight, *sizes, mask
                found = made(op, aten.native_group_norm_backward.default, grad, tensor, *rest)
            yield from found


OWN = (
    {
        "aten::_native_batch_norm_legit.no_stats_out": no_stats_calls,
        "aten::linear.out": linear_calls,
        "aten::scatter_reduce.two_out": scatter_reduce_calls,
        "aten::embedding_dense_backward.out": embedding_gradient_calls,
        "aten::max_pool2d_with_indices_backward.grad_input": pool_gradient_calls,
        "aten::avg_pool2d_backward.grad_input": pool_gradient_calls,
        "aten::_adaptive_avg_pool2d_backward.out": pool_gradient_calls,
        "aten::native_layer_norm_backward.out": norm_gradient_calls,
        "aten::native_group_norm_backward.out": norm_gradient_calls,
        "aten::var.out": var_calls,
        "aten::_upsample_bilinear2d_aa.out": filter_calls,
        "aten::grid_sampler_2d.out": grid_calls,
        "aten::avg_pool1d.out": pool_calls,
        "aten::avg_pool3d.out": pool_calls,
        "aten::adaptive_avg_pool1d.out": pool_calls,
        "aten::_adaptive_avg_pool3d.out": pool_calls,
        "aten::max_pool3d_with_indices.out": pool_calls,
        "aten::_cdist_forward.out": distance_calls,
        "aten::_pdist_forward.out": distance_calls,
        "aten::upsample_nearest2d.vec_out": upsample_calls,
        "aten::clamp.out": clamp_calls,
        "aten::clamp.Tensor_out": clamp_tensor_calls,
        "aten::pow.Scalar_out": power_calls,
        "aten::masked_fill.Scalar_out": masked_fill_calls,
        "aten::div.Scalar_mode_out": rounded_division_calls,
        "aten::glu.out": glu_calls,
        "aten::logit.out": logit_calls,
        "aten::scatter.value_out": scatter_calls,
        **{
            f"aten::bitwise_{side}_shift.{form}_out": shift_calls
            for side in ("left", "right")
            for form in ("Tensor", "Tensor_Scalar")
        },
        "aten::copy_": copy_calls,
        "aten::detach_copy.out": detach_calls,
        "aten::_native_batch_norm_legit_no_training.out": batch_norm_calls,
    }
    | COMPLEX
    | MOVED
    | ORDERED
    | QUANTIZED
    | CORE
    | SPECIAL
    | FUSED
    | PACKED
    | INT8
)


def dim_order_calls(op, dtype):
    if "empty" in op:
        return
    for shape in ((), (0,), (2, 3), (2, 3, 4, 5)):
        for target in DTYPES if "to_dim" in op else [dtype]:
            tensor = numbers(shape, dtype)
            # What a negative float is as a uint8 is not defined.
            tensor = tensor.abs() if target == torch.uint8 and dtype != torch.bool else tensor
            yield Call(op, {"self": tensor}, (tensor.to(target),))


def test_what_is_empty_takes_its_shape(library):
    (result,) = run(library, Call("dim_order_ops::_empty_dim_order.out", {"size": [2, 3]}, ()), [Out(torch.ones(2, 3))])
    assert result.shape == (2, 3)


def test_what_is_resized_in_its_place_keeps_what_lies_there(library):
    place = Out(torch.ones(2, 3))
    place.buffer.copy_(torch.arange(9.0).reshape(3, 3))
    (result,) = run(library, Call("aten::resize_", {"size": [2, 4]}, ()), [place])
    assert result.tolist() == torch.arange(8.0).reshape(2, 4).tolist()


def test_gradients_that_are_not_asked_for_stay_as_they_are(library):
    call = next(iter(own_calls("aten::convolution_backward.out", torch.float32)))
    for k in range(3):
        mask = [i == k for i in range(3)]
        places = [Out(result if i == k else torch.full((2,), 7.0), room=0) for i, result in enumerate(call.results)]
        for i in range(3):
            places[i].buffer.fill_(7)
        found = run(library, Call(call.op, call.arguments | {"output_mask": mask}, ()), places)
        for i in range(3):
            torch.testing.assert_close(found[i], call.results[i] if i == k else torch.full((2,), 7.0))


# --- refusals, in words -----------------------------------------------------------------------------------------


def ones(*shape, dtype=torch.float32):
    return torch.ones(shape, dtype=dtype)


def whole(*shape):
    return ones(*shape, dtype=torch.int64)


REFUSED = [
    ("add.out", {"self": ones(2, 3), "other": ones(4)}, ones(2, 3), "the shape [4] does not go with [2, 3]"),
    ("add.out", {"self": ones(3), "other": ones(3)}, whole(3), "the result is float32, and its place is int64"),
    ("add.out", {"self": whole(3), "other": whole(3), "alpha": 0.5}, whole(3),
     "alpha is 0.5, and a sum of int64 has a whole one"),
    ("add.out", {"self": ones(3), "other": ones(2, 3)}, ones(3),
     "the result has shape [2, 3], and its place is for [3]"),
    ("sub.out", {"self": ones(3) > 0, "other": ones(3) > 0}, ones(3) > 0, "it does not compute with bool"),
    ("exp.out", {"self": ones(3)}, whole(3), "the result is float32, and its place is int64"),
    ("div.out_mode", {"self": whole(3), "other": whole(3) * 0, "rounding_mode": "floor"}, whole(3),
     "a whole number is divided by 0"),
    ("div.out_mode", {"self": whole(3), "other": whole(3), "rounding_mode": "up"}, whole(3),
     'it is rounded by "floor" or "trunc", and not by "up"'),
    ("pow.Tensor_Scalar_out", {"self": whole(3), "exponent": -2}, whole(3), "a whole number has no power -2"),
    ("gelu.out", {"self": ones(3), "approximate": "sine"}, ones(3),
     'it is approximated by "none" or "tanh", and not by "sine"'),
    ("clamp.out", {"self": ones(3)}, ones(3), "there is neither a min nor a max"),
    ("where.self_out", {"condition": ones(3), "self": ones(3), "other": ones(3)}, ones(3),
     "the condition is float32, and a bool or uint8"),
    ("clamp.Tensor_out", {"self": ones(3)}, ones(3), "there is neither a min nor a max"),
    ("fmod.Scalar_out", {"self": whole(3), "other": 0}, whole(3), "a whole number is divided by 0"),
    ("remainder.Tensor_out", {"self": whole(3), "other": whole(3) * 0}, whole(3), "a whole number is divided by 0"),
    ("floor_divide.out", {"self": whole(3), "other": whole(3) * 0}, whole(3), "a whole number is divided by 0"),
    ("bitwise_and.Scalar_out", {"self": whole(3), "other": 1.5}, ones(3), "it does not compute with float32"),
    ("bitwise_left_shift.Tensor_out", {"self": ones(3), "other": ones(3)}, ones(3), "it does not compute with float32"),
    ("masked_fill.Scalar_out", {"self": ones(3).char(), "mask": ones(3) > 0, "value": 300}, ones(3).char(),
     "the value 300 is none of int8"),
    ("masked_fill.Scalar_out", {"self": ones(3), "mask": whole(3), "value": 0}, ones(3),
     "the mask is int64, and a bool"),
    ("glu.out", {"self": ones(2, 3), "dim": -1}, ones(2, 1), "dimension 1 of size 3 has no halves"),
    ("glu.out", {"self": ones()}, ones(), "there is no dimension -1 in a tensor of rank 0"),
    ("view_copy.out", {"self": ones(6), "size": [4, -1]}, ones(4, 1),
     "6 elements have no view with 4 in the dimensions that are given"),
    ("view_copy.out", {"self": ones(6), "size": [-1, -1]}, ones(6, 1), "dimension 1 of a view cannot be -1"),
    ("expand_copy.out", {"self": ones(3), "size": [2, 4]}, ones(2, 4), "dimension 1 of size 3 is not expanded to 4"),
    ("permute_copy.out", {"self": ones(2, 3), "dims": [0, 0]}, ones(2, 2), "dimension 0 is named twice"),
    ("permute_copy.out", {"self": ones(2, 3), "dims": [0]}, ones(2), "1 dimensions are named, and the tensor has 2"),
    ("select_copy.int_out", {"self": ones(2, 3), "dim": 1, "index": 3}, ones(2),
     "index 3 is out of the 3 of dimension 1"),
    ("select_copy.int_out", {"self": ones(2, 3), "dim": 2, "index": 0}, ones(2),
     "there is no dimension 2 in a tensor of rank 2"),
    ("slice_copy.Tensor_out", {"self": ones(3), "step": 0}, ones(3), "the step is 0, and at least 1"),
    ("tril.out", {"self": ones(3)}, ones(3), "a triangle has at least 2 dimensions, and [3] has 1"),
    ("t_copy.out", {"self": ones(2, 2, 2)}, ones(2, 2, 2), "at most 2 dimensions are exchanged, and [2, 2, 2] has 3"),
    ("cat.out", {"tensors": [ones(2, 3), ones(2, 4)]}, ones(4, 3), "[2, 4] does not join [2, 3] along dimension 0"),
    ("cat.out", {"tensors": []}, ones(3), "there are no tensors to join"),
    ("stack.out", {"tensors": [ones(2), ones(3)]}, ones(2, 2), "[3] is not stacked on [2]"),
    ("repeat.out", {"self": ones(2, 3), "repeats": [2]}, ones(4), "a tensor of rank 2 has not 1 repetitions"),
    ("repeat.out", {"self": ones(2), "repeats": [-1]}, ones(4), "dimension 0 is not repeated -1 times"),
    ("constant_pad_nd.out", {"self": ones(2), "pad": [1, 1, 1, 1]}, ones(4),
     "4 numbers of padding are not two for each of at most 1 dimensions"),
    ("constant_pad_nd.out", {"self": ones(2), "pad": [-3, 0]}, ones(0),
     "dimension 0 of size 2 is not padded by -3 and 0"),
    ("arange.start_out", {"start": 0, "end": 3, "step": 0}, ones(3), "from 0 to 3 in steps of 0 there is no range"),
    ("full.out", {"size": [-2], "fill_value": 1}, ones(2), "dimension 0 of the result would be -2"),
    ("copy_", {"src": ones(4)}, ones(3), "dimension 0 of size 4 is not expanded to 3"),
    ("scatter_reduce.two_out", {"self": ones(3), "dim": 0, "index": whole(2), "src": ones(2), "reduce": "median"},
     ones(3),
     'there is no reduction "median"'),
    ("scatter_reduce.two_out", {"self": ones(3), "dim": 0, "index": whole(2) * 3, "src": ones(2), "reduce": "sum"},
     ones(3),
     "index 3 at position 0 is outside of dim 0, which has size 3"),
    ("embedding_dense_backward.out", {"grad_output": ones(2, 3), "indices": whole(2) * 5, "num_weights": 4,
     "padding_idx": -1, "scale_grad_by_freq": False}, ones(4, 3),
     "index 5 at position 0 is outside of dim 0, which has size 4"),
    ("_cdist_forward.out", {"x1": ones(2, 3), "x2": ones(2, 4), "p": 2.0}, ones(2, 2),
     "the rows of shapes [2, 3] and [2, 4] do not go together"),
    ("_pdist_forward.out", {"self": ones(2, 3), "p": -1.0}, ones(1), "p is -1, and at least 0"),
    ("linear.out", {"input": ones(2, 3), "weight": ones(2, 4)}, ones(2, 2),
     "there is no product of shape [2, 3] with weights of shape [2, 4]"),
]  # fmt: skip


ALL_REFUSED = [*REFUSED, *REFUSED_MOVES, *REFUSED_COMPLEX, *QUANTIZED_REFUSED, *CORE_REFUSED, *SPECIAL_REFUSED]
ALL_REFUSED += [*EDGE_REFUSED, *ORDERED_REFUSED, *FUSED_REFUSED, *PACKED_REFUSED, *INT8_REFUSED]


@pytest.mark.parametrize(("op", "arguments", "place", "words"), ALL_REFUSED)
def test_what_a_kernel_refuses_it_tells_with_values(library, op, arguments, place, words):
    with pytest.raises(Refused) as told:
        run(library, Call(op if "::" in op else f"aten::{op}", arguments, ()), [Out(place, room=0)] * 5)
    assert str(told.value) == words


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"offsets": [1, 2]}, "offset 1 at position 0 is not between 0 and 0"),
        ({"offsets": [0, 3]}, "offset 3 at position 1 is not between 0 and 2"),
        ({"offsets": [0, 2, 1]}, "offset 1 at position 2 is not between 2 and 2"),
        ({"indices": [0, 3]}, "index 3 at position 1 is outside of dim 0, which has size 3"),
        ({"indices": [-1, 0]}, "index -1 at position 0 is outside of dim 0, which has size 3"),
    ],
)
def test_bags_that_are_not_there_are_refused(library, changed, words):
    given = BAGS | {name: torch.tensor(value) for name, value in changed.items()}
    with pytest.raises(Refused) as told:
        run(library, Call("aten::_embedding_bag.out", given, ()), [Out(ones(2, 2)), *(Out(whole(2)) for _ in range(3))])
    assert str(told.value) == words


def test_a_list_of_places_that_is_too_short_is_refused(library):
    arguments = {"self": ones(4), "split_sizes": [1, 2]}
    words = "the 4 of dimension 0 do not split into 2 parts of 3 together, for 2 places"
    with pytest.raises(Refused, match=words):
        run(library, Call("aten::split_with_sizes_copy.out", arguments, ()), [Out(ones(1)), Out(ones(2))])


# --- sanitizers -------------------------------------------------------------------------------------------------


@pytest.mark.skipif("TENON_SANITIZED" in os.environ, reason="this is the run that the test starts")
def test_kernels_are_clean_under_the_sanitizers():
    """A smaller table in a process of its own: the sanitizers must be loaded before Python."""
    found = [subprocess.run(["g++", f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip()
             for name in ("libasan.so", "libubsan.so")]  # fmt: skip
    options = {"LD_PRELOAD": " ".join(found), "ASAN_OPTIONS": "detect_leaks=0", "TENON_SANITIZED": "1"}
    chosen = "test_what or (test_op and (f32 or i64 or bf16 or b8))"
    command = [sys.executable, "-m", "pytest", __file__, "-q", "-x", "--no-header", "-p", "no:xdist", "-k", chosen]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | options)
    assert done.returncode == 0, (done.stdout + done.stderr)[-8000:]
