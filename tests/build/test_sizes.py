"""Bytes per operator add up to those of the program, and are what a build without the operator lacks."""

import pytest
import torch

import tenon
from tenon.build.drive.build import BuildRequest, build


@pytest.fixture(autouse=True)
def cache(pytestconfig, monkeypatch):
    monkeypatch.setenv("TENON_CACHE", str(pytestconfig.cache.mkdir("native-builds")))


def sizes_of(ops, folder):
    return build(BuildRequest(folder / "out", ops=tuple(ops))).sizes


def counted(sizes):
    return sizes.core + sizes.shared + sum(each.own for each in sizes.operators)


def test_the_parts_add_up_to_the_file(tmp_path):
    sizes = sizes_of(["aten::add.out", "aten::mul.out", "aten::_softmax.out"], tmp_path)
    assert counted(sizes) + sizes.rest == sizes.whole == (tmp_path / "out" / "operators_runner").stat().st_size
    assert 0 < sizes.rest < sizes.whole / 4


def test_what_an_operator_alone_needs_is_what_a_build_without_it_lacks(tmp_path):
    """Within the strings of its name, its row in the table, and what it takes to align them."""
    both = sizes_of(["aten::add.out", "aten::_softmax.out"], tmp_path)
    own = {each.op: each.own for each in both.operators}
    for op, other in (("aten::add.out", "aten::_softmax.out"), ("aten::_softmax.out", "aten::add.out")):
        less = counted(both) - counted(sizes_of([other], tmp_path))
        assert own[op] > 1000
        assert 0 <= less - own[op] < 300


def test_what_several_operators_share_is_counted_once(tmp_path):
    sizes = sizes_of(["aten::add.out", "aten::mul.out", "aten::sub.out"], tmp_path)
    assert all(0 < each.shared <= sizes.shared for each in sizes.operators)
    assert max(each.own for each in sizes.operators) < sizes.shared


def test_a_program_without_kernels_is_all_core(tmp_path):
    class Same(torch.nn.Module):
        def forward(self, x):
            return x

    tenon.export(Same(), (torch.ones(2),)).save(tmp_path / "same.pte")
    sizes = build(BuildRequest(tmp_path / "out", (tmp_path / "same.pte",))).sizes
    assert not sizes.operators and sizes.shared == 0
    assert sizes.core + sizes.rest == sizes.whole
