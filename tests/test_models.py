"""The model suite through capture, verify, JSON and execution: equal to eager, static and dynamic."""

import pytest
import torch

import tenon
from models import SUITE, make
from tenon.ir import from_json, parse_ir, to_json, to_text

DYNAMIC = ("bert", "gpt2", "llama")


def assert_same_outputs(actual, expected):
    ours, theirs = torch.utils._pytree.tree_leaves(actual), torch.utils._pytree.tree_leaves(expected)
    assert type(actual) is type(expected) and len(ours) == len(theirs)
    for mine, other in zip(ours, theirs, strict=True):
        assert other.abs().max() > 1e-3, "a model whose outputs vanish shows nothing"
        torch.testing.assert_close(mine, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", SUITE)
def test_extracted_model_equals_eager_bit_for_bit(name):
    case = make(name)
    ir = from_json(to_json(tenon.extract_ir(case.model, (), case.kwargs)))
    with torch.no_grad():
        expected = case.model(**case.kwargs)
    actual = tenon.execute_ir(ir, case.kwargs, case.model.state_dict())
    assert_same_outputs(actual, expected)
    for mine, other in zip(*map(torch.utils._pytree.tree_leaves, (actual, expected)), strict=True):
        assert torch.equal(mine, other)


@pytest.mark.parametrize("name", SUITE)
def test_captured_model_is_in_the_dialect_and_equals_eager(name):
    case = make(name)
    ir = tenon.capture(case.model, (), case.kwargs)
    assert parse_ir(to_text(ir)) == ir
    ir = from_json(to_json(ir))
    tenon.verify(ir, dialect="aten")
    assert all(node.source is not None for node in ir.nodes)
    with torch.no_grad():
        expected = case.model(**case.kwargs)
    assert_same_outputs(tenon.execute_ir(ir, case.kwargs, case.model.state_dict()), expected)


@pytest.mark.parametrize("name", DYNAMIC)
@pytest.mark.parametrize("way", [tenon.extract_ir, tenon.capture])
def test_one_ir_runs_at_every_batch_and_length(name, way):
    case = make(name)
    ir = from_json(to_json(way(case.model, (), case.kwargs, dynamic_shapes=case.shapes)))
    assert {(s.name, s.low, s.high) for s in ir.symbols} == {("batch", 1, 8), ("length", 2, 32)}
    run = tenon.Executor(ir, case.model.state_dict())
    for batch, length in ((1, 2), (3, 5), (8, 32)):
        inputs = case.resized(batch, length)
        with torch.no_grad():
            expected = case.model(**inputs)
        assert_same_outputs(run(**inputs), expected)


def test_the_same_model_gives_the_same_bytes():
    case = make("llama")
    first, second = (to_json(tenon.capture(case.model, (), case.kwargs, dynamic_shapes=case.shapes)) for _ in range(2))
    assert first == second


def test_a_billion_parameters_on_the_meta_device_allocate_nothing():
    import transformers

    config = transformers.LlamaConfig(num_hidden_layers=4, use_cache=False)
    with torch.device("meta"):
        model = transformers.LlamaForCausalLM(config).eval()
        inputs = {"input_ids": torch.zeros(1, 16, dtype=torch.int64)}
    ir = tenon.extract_ir(model, (), inputs)
    assert sum(weight.type.numel for weight in ir.weights) > 1e9
    assert all(weight.data is None or len(weight.data) < 1024 for weight in ir.weights)
    assert all(parameter.device.type == "meta" for parameter in model.parameters())
