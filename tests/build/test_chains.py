"""Pointwise programs that a build compiles: bit for bit what the interpreter gives, for each function and any order."""

import random

import numpy
import pytest
import torch
from buck_space import BINARY, LOAD, Space
from test_build import run
from test_cmake import Project, symbols

import tenon
from pte.programs import plan, tensor
from tenon.build.drive.build import BuildRequest, build
from tenon.build.drive.symbols import defined_functions
from tenon.build.generate import Chain, Programs, bind, chains_source, is_compiled
from tenon.build.generate.chains import pointwise_functions
from tenon.build.installed import own_rows
from tenon.build.select import chains, of_model, read_selection, union, write_selection
from tenon.ops.fused import POINTWISE
from tenon.pte.program import Program, read_program
from tenon.pte.schema import DoubleList, Int, IntList, KernelCall, TensorList

INTERPRETER = "tenon::native::pointwise_programs::interpret"
CODE = {name: code for code, (name, _) in enumerate(pointwise_functions())}


@pytest.fixture(autouse=True)
def cache(pytestconfig, monkeypatch):
    """What is compiled is kept from run to run."""
    monkeypatch.setenv("TENON_CACHE", str(pytestconfig.cache.mkdir("native-builds")))


def inputs():
    """One as large as the results, one that is repeated, and a number."""
    generator = torch.Generator().manual_seed(0)
    return tuple(torch.randn(shape, generator=generator) * 3 for shape in ((5, 700), (5, 1), (1, 1)))


def exported(path, programs, constants=(0.5, -1.25)):
    """Each program on the same inputs."""
    given = inputs()
    values = [tensor(list(each.shape), 1, 16384 * i) for i, each in enumerate(given)]
    values += [TensorList([0, 1, 2]), DoubleList(list(constants))]
    results, calls = [], []
    for program in programs:
        first = len(values)
        values += [Int(number) for number in program]
        values.append(IntList(list(range(first, first + len(program)))))
        results.append(len(values))
        values.append(tensor([5, 700], 1, 16384 * (3 + len(calls))))
        calls.append(KernelCall(0, [3, results[-1] - 1, 4, results[-1], results[-1]]))
    room = 16384 * (3 + len(calls))
    Program([plan(values, calls, [0, 1, 2], results, [0, room], [("tenon::pointwise", "out")])]).save(path)
    return path


def random_program(chance, names, steps):
    """The last function takes the last result, so that some of the others count."""
    program, known = [], 5
    for _ in range(steps):
        name = chance.choice(names)
        taken = [chance.randrange(known) for _ in range(pointwise_functions()[CODE[name]][1])]
        taken[0] = known - 1 if known > 5 else taken[0]
        program += [CODE[name], *taken]
        known += 1
    return program


def each_function_beside_sums():
    """A product that is part of a function is not fused with what is behind it, nor the function with one before."""
    for name, count in pointwise_functions():
        if is_compiled(Chain(3, 2, (CODE[name], *range(count)))):
            before = [CODE["mul"], 0, 1, CODE[name], 5, *range(1, count)]
            yield [*before, CODE["add"], 6, 0, CODE["sub"], 7, 5]


def some_programs():
    chance = random.Random(0)
    names = [name for name, _ in pointwise_functions() if name not in ("pow", "log")]
    sums = ["add", "sub", "mul", "neg", "silu", "gelu", "hardswish"]
    long = [random_program(chance, names, chance.randrange(2, 12)) for _ in range(8)]
    return [*each_function_beside_sums(), *long, *(random_program(chance, sums, 8) for _ in range(8))]


def assert_same(mine, theirs):
    assert numpy.array_equal(mine, theirs, equal_nan=True)
    is_number = ~numpy.isnan(theirs)
    assert numpy.array_equal(numpy.signbit(mine[is_number]), numpy.signbit(theirs[is_number]))


def test_functions_are_those_of_the_references_in_their_order():
    assert [name for name, _ in pointwise_functions()] == list(POINTWISE)
    assert [count for _, count in pointwise_functions()] == [f.__code__.co_argcount for f in POINTWISE.values()]


@pytest.mark.parametrize("optimize", ["size", "speed"])
def test_what_a_build_compiles_gives_what_the_interpreter_gives(tmp_path, optimize):
    programs = some_programs()
    path = exported(tmp_path / "programs.pte", programs)
    assert [list(each.code) for each in chains(read_program(path))] == programs
    expected = tenon.load(path)(*inputs())
    built = build(BuildRequest(tmp_path / "out", (path,), optimize=optimize))
    found = run(built.runner, path, tmp_path / "run", *inputs())
    for mine, theirs in zip(found, expected, strict=True):
        assert_same(mine, theirs.numpy())


def test_other_programs_are_interpreted_unless_a_build_has_exactly_the_calls_of_its_models(tmp_path):
    known, other = [CODE["silu"], 0, CODE["mul"], 5, 1], [CODE["tanh"], 0, CODE["mul"], 5, 1]
    path, more = exported(tmp_path / "known.pte", [known]), exported(tmp_path / "other.pte", [other])
    built = build(BuildRequest(tmp_path / "out", (path,)))
    assert_same(run(built.runner, more, tmp_path / "a", *inputs())[0], tenon.load(more)(*inputs())[0].numpy())
    exact = build(BuildRequest(tmp_path / "exact", (path,), dtype=True))
    assert INTERPRETER in {each.name for each in defined_functions(built.archive)}
    assert INTERPRETER not in {each.name for each in defined_functions(exact.archive)}
    assert_same(run(exact.runner, path, tmp_path / "b", *inputs())[0], tenon.load(path)(*inputs())[0].numpy())
    with pytest.raises(RuntimeError, match="this build has 1 pointwise program of its models, and not this one"):
        run(exact.runner, more, tmp_path / "c", *inputs())
    listed = build(BuildRequest(tmp_path / "listed", (path,), ops=("tenon::pointwise.out",), dtype=True))
    assert INTERPRETER in {each.name for each in defined_functions(listed.archive)}


def test_what_no_loop_of_vectors_can_hold_is_interpreted(tmp_path):
    program = [CODE["pow"], 0, 3, CODE["mul"], 5, 1]
    path = exported(tmp_path / "powers.pte", [program])
    built = build(BuildRequest(tmp_path / "out", (path,), dtype=True))
    assert_same(run(built.runner, path, tmp_path / "run", *inputs())[0], tenon.load(path)(*inputs())[0].numpy())


@pytest.mark.parametrize("code", [(), (99, 0), (-1, 0), (0, 0), (0, 0, 5), (13, -1), (0, 0, 1, 13)])
def test_what_is_no_program_is_left_to_the_kernel_to_refuse(code):
    assert not is_compiled(Chain(2, 3, code))


def test_constants_are_not_part_of_a_program(tmp_path):
    program = [CODE["add"], 0, 3, CODE["mul"], 5, 4]
    first, second = (exported(tmp_path / f"{i}.pte", [program], (i, 2.0)) for i in range(2))
    assert set(chains(read_program(first))) == set(chains(read_program(second)))


def test_the_source_says_what_is_computed():
    programs = Programs(frozenset({Chain(2, 1, (CODE["mul"], 0, 2, CODE["add"], 3, 1))}))
    rows = [row for row in own_rows() if row.op == "tenon::pointwise.out"]
    text = "\n".join(chains_source(programs, bind(rows)))
    assert "const float r0 = rounded(function::mul(x0, c0), zero);\n    return function::add(r0, x1);" in text
    assert not chains_source(programs, [])


def test_a_selection_keeps_programs_through_its_file_and_in_unions(tmp_path):
    known, other = [CODE["silu"], 0, CODE["mul"], 5, 1], [CODE["tanh"], 0, CODE["mul"], 5, 1]
    paths = exported(tmp_path / "known.pte", [known]), exported(tmp_path / "other.pte", [other])
    together = union(map(of_model, paths))
    assert {each.code for each in together.operators["tenon::pointwise.out"].chains} == {tuple(known), tuple(other)}
    write_selection(tmp_path / "selected_operators.yaml", together)
    assert read_selection(tmp_path / "selected_operators.yaml") == together


LIBRARY = """
gen_selected_ops(LIB_NAME ops OPS_FROM_MODEL known.pte)
generate_bindings_for_kernels(LIB_NAME ops CUSTOM_OPS_YAML ${TENON_CUSTOM_OPS_YAML})
gen_operators_lib(LIB_NAME ops KERNEL_LIBS portable_kernels)
et_operator_library(NAME others MODEL other.pte)
executorch_generated_lib(NAME more DEPS others tenon::kernels CUSTOM_OPS_YAML ${TENON_CUSTOM_OPS_YAML})
add_executable(run)
target_link_libraries(run PRIVATE ops tenon::runner)
add_executable(run_more)
target_link_libraries(run_more PRIVATE more tenon::runner)
"""


def test_cmake_compiles_the_programs_of_a_selection_too(tmp_path):
    project = Project(tmp_path)
    known, other = [CODE["silu"], 0, CODE["mul"], 5, 1], [CODE["tanh"], 0, CODE["mul"], 5, 1]
    paths = exported(project.folder / "known.pte", [known]), exported(project.folder / "other.pte", [other])
    project.make(LIBRARY, "run", "run_more")
    for runner in ("run", "run_more"):
        # One of them is compiled, the other is not, and both run.
        for number, path in enumerate(paths):
            found = run(project.build / runner, path, tmp_path / f"{runner}{number}", *inputs())
            assert_same(found[0], tenon.load(path)(*inputs())[0].numpy())
        names = symbols(project.build / runner, "nm", "--demangle")
        assert "pointwise_programs::known" in names and "Chain0" in names


def test_buck_compiles_them_too(tmp_path):
    space = Space(tmp_path)
    known, other = [CODE["silu"], 0, CODE["mul"], 5, 1], [CODE["tanh"], 0, CODE["mul"], 5, 1]
    (space.root / "lib").mkdir()
    paths = exported(space.root / "lib" / "known.pte", [known]), exported(space.root / "lib" / "other.pte", [other])
    rule = 'et_operator_library(name = "of_{0}", model = "{0}.pte")\n'
    rule += 'executorch_generated_lib(name = "{0}", deps = [":of_{0}"])\n'
    both = 'executorch_generated_lib(name = "both", deps = [":of_known", ":of_other"])\n'
    runners = "".join(BINARY.replace("runner", f"run_{name}").format(name) for name in ("known", "both"))
    space.write({"lib/BUCK": LOAD + rule.format("known") + rule.format("other") + both + runners})
    space.build("//lib:run_known", "//lib:run_both")
    for runner in ("run_known", "run_both"):
        for path in paths:
            assert_same(space.run(runner, path, *inputs()).numpy(), tenon.load(path)(*inputs())[0].numpy())
    assert "Chain1" in symbols(space.out / "run_both", "nm", "--demangle")
