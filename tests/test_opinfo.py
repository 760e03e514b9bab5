"""Every operator of torch's OpInfo database through extract, JSON, load and execute. There is no list of failures."""

import pytest
import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree as pytree

import tenon
from tenon.ir import from_json, parse_ir, to_json, to_text

OPERATORS = [op for op in op_db if torch.float32 in op.supported_dtypes("cpu")]
IDS = [f"{op.name}{'.' + op.variant_test_name if op.variant_test_name else ''}" for op in OPERATORS]
SEED = 42  # OpInfo's own wrappers of random operators use this one


class Call(torch.nn.Module):
    """An operator on one sample, with the sample's tensors as inputs and the rest built in."""

    def __init__(self, op, sample):
        super().__init__()
        self.op = op
        leaves, self.structure = pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
        self.tensors = tuple(leaf.detach() for leaf in leaves if isinstance(leaf, torch.Tensor))
        self.plain = [(isinstance(leaf, torch.Tensor), leaf) for leaf in leaves]

    def forward(self, *tensors):
        given = iter(tensors)
        leaves = [next(given) if is_tensor else leaf for is_tensor, leaf in self.plain]
        first, args, kwargs = pytree.tree_unflatten(leaves, self.structure)
        return self.op(first, *args, **kwargs)

    def inputs(self):
        return tuple(tensor.clone() for tensor in self.tensors)


@pytest.fixture(autouse=True)
def defined_memory():
    """torch.empty gives NaN in this mode, so that even it can be compared."""
    torch.use_deterministic_algorithms(True, warn_only=True)
    yield
    torch.use_deterministic_algorithms(False)


def first_sample(op, dtype=torch.float32):
    samples = list(op.sample_inputs("cpu", dtype))
    if not samples:
        pytest.skip("the database has no sample")
    return Call(op.op, samples[0])


def eager(call):
    torch.manual_seed(SEED)
    with torch.no_grad():
        return call(*call.inputs())


def assert_torch_refuses_too(call, error):
    """What torch.export accepts, Tenon must accept."""
    try:
        torch.export.export(call, call.inputs())
    except Exception:  # torch refuses in many ways
        pytest.skip(f"torch.export does not take it: {error}")
    raise error


def assert_equal(actual, expected, **tolerance):
    ours, theirs = pytree.tree_leaves(actual), pytree.tree_leaves(expected)
    assert len(ours) == len(theirs)
    for mine, other in zip(ours, theirs, strict=True):
        if isinstance(other, torch.Tensor):
            torch.testing.assert_close(mine, other, equal_nan=True, **tolerance)
        else:
            assert mine == other or mine != mine


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("op", OPERATORS, ids=IDS)
def test_operator_equals_eager_from_extract_to_execute(op):
    call = first_sample(op)
    try:
        ir = tenon.extract_ir(call, call.inputs())
    except tenon.TenonError as error:
        assert_torch_refuses_too(call, error)
    loaded = from_json(to_json(ir))
    assert loaded == ir
    assert parse_ir(to_text(ir)) == ir
    expected = eager(call)
    torch.manual_seed(SEED)
    assert_equal(tenon.execute_ir(loaded, call.inputs()), expected, rtol=0, atol=0)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("op", OPERATORS, ids=IDS)
def test_operator_in_the_aten_dialect_equals_eager_or_is_named(op):
    call = first_sample(op)
    try:
        ir = tenon.capture(call, call.inputs())
    except tenon.Unsupported as error:
        message = str(error)
        if "not in the aten dialect" not in message:
            assert_torch_refuses_too(call, error)
        assert "[core]" in message or "[contiguous]" in message
        return
    except tenon.Invalid as error:
        assert_torch_refuses_too(call, error)
    if any(torch.Tag.nondeterministic_seeded in tags(node) for node in ir.nodes):
        return  # a decomposition may draw its random numbers in another order
    assert_equal(tenon.execute_ir(ir, call.inputs()), eager(call))


def tags(node):
    from tenon.ops.schema import find_op

    op = find_op(node.op)
    return op.tags if op else ()


DOES_NOT_LOWER = ("is not in the aten dialect", "no out variant", "has no upper bound", "read a memory layout")
PROGRAMS = [
    pytest.param(op, dtype, id=f"{name}-{str(dtype).removeprefix('torch.')}")
    for op, name in zip(OPERATORS, IDS, strict=True)
    for dtype in (torch.float32, torch.int64, torch.bool)
    if dtype in op.supported_dtypes("cpu")
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("op", "dtype"), PROGRAMS)
def test_operator_that_lowers_equals_eager_as_a_program(op, dtype, tmp_path):
    call = first_sample(op, dtype)
    try:
        program = tenon.export(call, call.inputs())
    except tenon.TenonError as error:
        if isinstance(error, tenon.Unsupported) and any(reason in str(error) for reason in DOES_NOT_LOWER):
            return
        assert_torch_refuses_too(call, error)
    program.save(tmp_path / "op.pte")
    if any("empty" in name for name in program.operators()):
        return  # what uninitialised memory holds is not defined
    module = tenon.load(tmp_path / "op.pte", mode="aten")
    expected = eager(call)
    torch.manual_seed(SEED)
    assert_equal(module(*call.inputs()), expected)
