"""The C++ reader beside the Python one: the same content from good files, the same verdict on damaged ones."""

import random
import struct
import subprocess
import zlib
from functools import partial
from pathlib import Path

import pytest
import torch

import tenon
from pte.programs import PROGRAMS
from tenon.errors import Invalid
from tenon.pte.container import read_container, write_container
from tenon.pte.cpp import HEADER, format_header, snake, tables
from tenon.pte.external import External, write_external
from tenon.pte.external import from_bytes as read_external
from tenon.pte.program import to_bytes
from tenon.pte.read_flat import FlatReader
from tenon.pte.schema import DataSegment, ExecutionPlan, FlatProgram, FlatTensor, layout
from tenon.pte.write_flat import _Writer, write_flat

ROOT = Path(__file__).parents[2]
LOAD = ROOT / "native" / "load"
SOURCES = sorted(LOAD.glob("*.cpp"))
STRICT = "-std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fno-exceptions -fno-rtti".split()
SANITIZED = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover"]
SMALL = (*PROGRAMS, "sidecar")
each_small = pytest.mark.parametrize("name", SMALL)


# --- the same text from both readers --------------------------------------------------------------------------


def lines(table, depth=0):
    """A table as tests/native/dump.cpp prints it."""
    for field in layout(type(table)):
        value = getattr(table, field.name)
        head = f"{' ' * depth}{field.name}"
        if value is None:
            yield f"{head} absent"
        elif field.kind.form == "scalar":
            yield f"{head} {shown(value)}"
        elif field.kind.form == "string":
            yield f"{head} hex {value.encode().hex()}"
        elif field.kind.form == "union":
            yield f"{head} kind {field.kind.members.index(type(value).__name__) + 1}"
            yield f"{head} table"
            yield from lines(value, depth + 1)
        elif field.kind.form == "table":
            yield f"{head} table"
            yield from lines(value, depth + 1)
        elif field.kind.table:
            yield f"{head} tables {len(value)}"
            for i, item in enumerate(value):
                yield f"{' ' * depth}#{i}"
                yield from lines(item, depth + 1)
        else:
            yield " ".join([f"{head} list", *map(shown, value)])


def shown(value):
    if isinstance(value, float):
        return f"bits {struct.unpack('<Q', struct.pack('<d', value))[0]}"
    return str(value).lower()


def summary(name, data):
    return f"{name} {len(data)} {zlib.adler32(data)}"


def text(data):
    """All that Python reads from a file."""
    if data[4:8] == b"FT01":
        entries = read_external(data)
        offset, size = struct.unpack_from("<QQ", data, 16)
        flat = FlatReader(memoryview(data)[: offset + size]).root(FlatTensor)
        parts = [summary("data", entry.data) for entry in entries.values()]
    else:
        container = read_container(data)
        flat, parts = container.flat, [summary("segment", segment) for segment in container.segments]
    return "".join(f"{line}\n" for line in [*lines(flat), *parts])


def show_header():
    """Functions that print a table through its getters, every one of them."""
    functions = []
    for name, cls in tables().items():
        body = []
        for field in layout(cls):
            if field.kind.form == "union":
                body.append(f'  out.line("{field.name} kind " + shown(static_cast<int>(table.{field.name}_kind())));')
                for member in field.kind.members:
                    getter = f"table.{field.name}_{snake(member)}()"
                    body.append(f'  if ({getter}) out.field("{field.name}", table.has_{field.name}(), {getter});')
            else:
                body.append(f'  out.field("{field.name}", table.has_{field.name}(), table.{field.name}());')
        made = "\n".join(body)
        functions.append(
            f"void show([[maybe_unused]] Out& out, [[maybe_unused]] tenon::format::{name} table) {{\n{made}\n}}\n"
        )
    # All are declared before the first, and none is seen outside.
    heads = [function.partition(" {\n")[0] + ";\n" for function in functions]
    return f"namespace {{\n{''.join(heads + functions)}}}\n"


# --- files ----------------------------------------------------------------------------------------------------


class Stateful(torch.nn.Module):
    """Weights, a branch and a buffer that is written to: what an exported program can hold."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.register_buffer("seen", torch.ones(1, 4))

    def forward(self, x):
        self.seen.add_(x)
        return torch.cond(x.sum() > 0, lambda x: self.linear(x), lambda x: x * 2.5, (x,)) + self.seen


def written(name):
    return b"".join(to_bytes(PROGRAMS[name]()))


def sidecar():
    entries = {
        "weight": External(6, (2, 3), (0, 1), bytes(range(24))),
        "ähnlich": External(0, (), (), b"x"),
        "empty": External(7, (0, 2**31 - 1, 2**31 - 1), (2, 0, 1), b""),
        "again": External(6, (6,), (0,), bytes(range(24))),
    }
    return b"".join(write_external(entries))


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """Small ones made by hand, and those of exported models."""
    found = {name: written(name) for name in PROGRAMS} | {"sidecar": sidecar()}
    torch.manual_seed(0)
    models = {
        "linear": (torch.nn.Linear(3, 2), torch.ones(1, 3)),
        "convolution": (torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.ReLU()), torch.ones(1, 1, 8, 8)),
        "state": (Stateful(), torch.ones(1, 4)),
    }
    for name, (model, x) in models.items():
        found[name] = b"".join(to_bytes(tenon.export(model, (x,))))
    folder = tmp_path_factory.mktemp("external")
    tenon.export(torch.nn.Linear(3, 2), (torch.ones(1, 3),), external_weights=True).save(folder / "linear.pte")
    for path in folder.iterdir():
        found[f"external {path.name}"] = path.read_bytes()
    assert any(data[4:8] == b"FT01" for name, data in found.items() if name.startswith("external"))
    return found


# --- programs -------------------------------------------------------------------------------------------------


def compiled(folder, *flags):
    (folder / "show.h").write_text(show_header())
    run("g++", *STRICT, *flags, f"-I{LOAD}", f"-I{folder}", ROOT / "tests" / "native" / "dump.cpp", *SOURCES,
        "-o", folder / "dump")  # fmt: skip
    return folder / "dump"


def run(*command, **more):
    done = subprocess.run(list(map(str, command)), capture_output=True, timeout=300, check=False, **more)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


@pytest.fixture(scope="session")
def dump(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("plain"), "-Os")


@pytest.fixture(scope="session")
def sanitized(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("sanitized"), *SANITIZED)


def verdicts(program, many):
    """Of each file: a checksum of its text, or why it is invalid."""
    stream = b"".join(struct.pack("<I", len(data)) + data for data in many)
    found = run(program, "-", input=stream).splitlines()
    assert len(found) == len(many)
    return found


def differences(program, many):
    """Where the readers disagree. None may: a file both accept must also have the same content."""
    found = []
    for data, ours in zip(many, verdicts(program, many), strict=True):
        try:
            theirs = str(zlib.adler32(text(data).encode()))
        except Invalid as error:
            if not ours.startswith("invalid: "):
                found.append((data, ours, str(error)))
        else:
            if ours != theirs:
                found.append((data, ours, "valid"))
    return found[:3]


# --- tests ----------------------------------------------------------------------------------------------------


def test_the_generated_header_is_that_of_the_schema():
    assert HEADER.read_text() == format_header(), "run python -m tenon.pte.cpp"


def test_the_map_names_every_file_of_the_reader():
    text = (ROOT / "docs" / "map.md").read_text()
    assert [path.name for path in LOAD.iterdir() if f"`{path.name}`" not in text] == []


def test_good_files_have_the_same_content(dump, files, tmp_path):
    for name, data in files.items():
        path = tmp_path / "file"
        path.write_bytes(data)
        assert run(dump, path).splitlines() == [*text(data).splitlines(), ""], name


def test_a_bad_file_is_named_with_table_and_field(dump, tmp_path):
    data = bytearray(written("addition"))
    place = data.index(b"forward")
    data[place] = 0xFF
    (tmp_path / "file").write_bytes(data)
    done = subprocess.run([dump, tmp_path / "file"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == f"invalid: ExecutionPlan.name: the string at byte {place - 4} is not UTF-8\n"


def test_files_cut_anywhere_get_the_same_verdict(sanitized, files):
    assert differences(sanitized, [files[name][:size] for name in SMALL for size in range(len(files[name]) + 1)]) == []


@each_small
def test_files_with_one_byte_changed_get_the_same_verdict(sanitized, files, name):
    data, many = files[name], []
    for place, old in enumerate(data):
        for new in sorted({0, 0xFF, old ^ 1, old ^ 0x10} - {old}):
            many.append(data[:place] + bytes([new]) + data[place + 1 :])
    assert differences(sanitized, many) == []


@pytest.mark.parametrize("name", [*SMALL, "convolution", "state"])
def test_files_with_words_changed_get_the_same_verdict(sanitized, files, name):
    """Offsets and lengths that lead elsewhere: into other tables, round in circles, to the same bytes twice."""
    data, chance, many = files[name], random.Random(name), []
    for _ in range(2000):
        changed = bytearray(data)
        for _ in range(chance.choice((1, 1, 2, 3))):
            place = 4 * chance.randrange(len(data) // 4)
            value = chance.choice((chance.randrange(40), 4 * chance.randrange(len(data) // 4), -chance.randrange(400)))
            struct.pack_into(chance.choice("<i <h <q".split()), changed, min(place, len(data) - 8), value)
        many.append(bytes(changed))
    assert differences(sanitized, many) == []


def test_headers_with_other_numbers_get_the_same_verdict(sanitized, files):
    many = []
    for name in ("stateful", "branching", "sidecar"):
        data = files[name]
        sizes = [number + more for number in struct.unpack_from("<QQQ", data, 16) for more in (-1, 0, 1)]
        numbers = {0, 1, 8, 23, 24, 31, 32, 39, 40, 48, len(data) - 1, len(data), len(data) + 1, *sizes}
        wide = {*numbers, 2**31, 2**32 - 1, 2**63, 2**64 - 1, 2**64 - len(data)}
        for place, code, values in [(12, "<I", numbers | {2**32 - 1}), *((at, "<Q", wide) for at in (16, 24, 32, 40))]:
            for value in values:
                changed = bytearray(data)
                struct.pack_into(code, changed, place, value)
                many.append(bytes(changed))
                # An older header has no size of the segments: the file's end is theirs.
                older = bytearray(changed)
                struct.pack_into("<I", older, 12, 24)
                many += [bytes(older), bytes(older[:-1]), bytes(older) + b"more"]
    magic = [bytes([a, b, c, d]) for a in b"eF" for b in b"hH" for c in b"0129/:" for d in b"0129/:x"]
    for data in (files["stateful"], files["addition"]):  # one with a header, one with room where it would be
        many += [data[:8] + each + data[12:size] for each in magic for size in (len(data), 31, 12)]
    many += [b"\4\0\0\0ET12eh" + each for each in (b"", b"0", b"x", b"00", b"0x")]
    assert differences(sanitized, many) == []


def test_newer_versions_are_refused_by_both(sanitized, monkeypatch):
    monkeypatch.setattr("tenon.pte.external.FlatTensor", partial(FlatTensor, version=1))
    many = [write_flat(FlatProgram(version=1), b"ET12"), sidecar()]
    monkeypatch.undo()
    assert differences(sanitized, many) == []
    assert all(each == "invalid: the schema version is 1, and version 0 is read" for each in verdicts(sanitized, many))


def test_segments_that_lead_outside_get_the_same_verdict(sanitized):
    """Except one without bytes, which may be anywhere."""
    numbers = (0, 1, 2, 2**63, 2**64 - 1)
    segments = [DataSegment(offset, size) for offset in numbers for size in numbers]
    many = [write_flat(FlatProgram(segments=[segment]), b"ET12") for segment in segments]
    found = verdicts(sanitized, many)
    assert [not each.startswith("invalid") for each in found] == [segment.size == 0 for segment in segments]
    assert differences(sanitized, many) == []


def test_layouts_of_external_data_get_the_same_verdict(sanitized):
    """Every scalar type, with data too short for the largest; shapes of more bytes than can be counted."""
    many, top = [External(code, (2,), (0,), bytes(16)) for code in range(-128, 128)], 2**31 - 1
    for sizes in ((), (4,), (5,), (2, 2), (2**16,) * 4, (top,) * 5, (*(top,) * 5, 0), (0, 5), (-1,), (-1, -1)):
        many += [External(6, sizes, order, bytes(16)) for order in (range(len(sizes)), [0] * len(sizes), (1,), (0, 2))]
    assert differences(sanitized, [b"".join(write_external({"x": each})) for each in many]) == []


def test_strings_of_all_kinds_get_the_same_verdict(sanitized):
    data = b"".join(write_container(FlatProgram(execution_plan=[ExecutionPlan(name="wxyz")]), []))
    second, later = (0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF), (0x41, 0x7F, 0x80, 0xBF, 0xC0)
    strings = [bytes([a, b, c, d]) for a in range(0x7F, 0x100) for b in second for c in later for d in later]
    strings += [bytes([0x41, *each[:3]]) for each in strings[::5]] + [bytes([0x41, 0x41, a, 0x80]) for a in range(256)]
    assert differences(sanitized, [data.replace(b"wxyz", each) for each in strings]) == []


def repeated(count, width):
    """Offsets that all lead to one method, whose name has this width."""
    plan, writer = ExecutionPlan(name="x" * width), _Writer(16)
    write = writer.table
    place = write(plan)
    writer.table = lambda each: place if each is plan else write(each)
    writer.builder.Finish(write(FlatProgram(execution_plan=[plan] * count)), file_identifier=b"ET12")
    return bytes(writer.builder.Output())


def test_files_that_refer_to_the_same_bytes_again_are_refused_from_the_same_number_on(sanitized):
    many = [repeated(count, width) for count in range(16) for width in range(80)]
    found = verdicts(sanitized, many)
    assert any("again and again" in each for each in found) and not all(each.startswith("invalid") for each in found)
    assert differences(sanitized, [*many, repeated(20_000, 100_000)]) == []


def test_names_of_external_data_are_found_and_may_be_there_once(sanitized):
    names = ["", "k", *(f"k{i:03}" for i in range(200)), "k0001", "k19", "ü", "\0", "k\0"]
    random.Random(0).shuffle(names)
    data = b"".join(write_external({name: External(0, (1,), (0,), name.encode()[-1:] or b"x") for name in names}))
    twice = [data.replace(b"k117\0", f"k{i:03}\0".encode()) for i in range(200)]
    assert differences(sanitized, [data, *twice]) == []
    assert sum("has the name of another one" in each for each in verdicts(sanitized, twice)) == 199


def test_the_reader_is_small_allocates_nothing_and_runs_nothing_at_start(tmp_path):
    for source in SOURCES:
        run("g++", *STRICT, "-Os", "-c", source, "-o", tmp_path / f"{source.stem}.o")
    objects = sorted(tmp_path.glob("*.o"))
    assert "_GLOBAL__sub_I" not in run("nm", *objects)
    needed = {line.split()[-1] for line in run("nm", "-u", *objects).splitlines() if " U " in line}
    ours = {each for each in needed if each.startswith("_ZN") and "5tenon" in each} | {"_GLOBAL_OFFSET_TABLE_"}
    assert needed - ours <= {"memcpy", "memcmp", "strlen", "__stack_chk_fail"}
    loader = [tmp_path / "flat.o", tmp_path / "container.o"]
    assert sum(int(line.split()[0]) for line in run("size", *loader).splitlines()[1:]) < 6000
