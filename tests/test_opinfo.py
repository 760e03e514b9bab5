"""Every operator of torch's OpInfo database through extract, JSON, load and execute. There is no list of failures."""

import pytest
import torch

import tenon
from opinfo.calls import INFOS, SEED, Call, assert_equal, eager
from opinfo.sweep import DTYPES, outcome
from tenon.ir import from_json, parse_ir, to_json, to_text

OPERATORS = {name: op for name, op in INFOS.items() if torch.float32 in op.supported_dtypes("cpu")}


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


def assert_torch_refuses_too(call, error):
    """What torch.export accepts, Tenon must accept."""
    try:
        torch.export.export(call, call.inputs())
    except Exception:  # torch refuses in many ways
        pytest.skip(f"torch.export does not take it: {error}")
    raise error


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("op", OPERATORS.values(), ids=OPERATORS)
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
@pytest.mark.parametrize("op", OPERATORS.values(), ids=OPERATORS)
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


PROGRAMS = [
    pytest.param(op, dtype, id=f"{name}-{short}")
    for name, op in INFOS.items()
    for short, dtype in DTYPES.items()
    if dtype in op.supported_dtypes("cpu")
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("op", "dtype"), PROGRAMS)
def test_operator_as_a_program_equals_eager_in_both_modes_or_is_refused_in_words(op, dtype, tmp_path):
    """The first sample of each. `make ops` tries all, and docs/ops.md says what came of them."""
    call = first_sample(op, dtype)
    kind, words = outcome(call, tmp_path / "op.pte")
    assert kind not in ("wrong", "crashed"), words
    if kind == "equal" and dtype != torch.float16:  # torch's kernels round the parts of a whole to 16 bits
        torch.manual_seed(SEED)
        assert_equal(tenon.load(tmp_path / "op.pte", mode="aten")(*call.inputs()), eager(call))
