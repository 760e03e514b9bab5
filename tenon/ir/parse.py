"""Reads the text form of a graph back: `parse_ir(to_text(graph)) == graph`."""

import base64
import binascii
import json
import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn, TypeVar

from tenon.errors import Invalid
from tenon.ir.dims import Dim, Symbol, is_symbol_name, parse_dim
from tenon.ir.graph import WEIGHT_KINDS, Arg, Graph, Mutation, OpNode, Ref, Source, Value, Weight
from tenon.ir.text import SOURCE, WORDS, arg_text
from tenon.ir.tree import LEAF, Key, Tree
from tenon.ir.types import (
    DTYPE,
    DTYPE_BY_SHORT,
    LAYOUTS,
    MEMORY_FORMATS,
    SCALAR_KINDS,
    ConstMeta,
    ScalarMeta,
    TensorMeta,
    Type,
)
from tenon.ir.verify import check

T = TypeVar("T")

_TOKENS = re.compile(
    r"""(?P<space>[ \t\r\n]+)
      | (?P<source>//[ ][^\r\n]*)
      | (?P<string>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")
      | (?P<value>%(?:[A-Za-z0-9_.]+|"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"))
      | (?P<number>-inf\b|-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.]))
      | (?P<elided><\d+[ ]bytes>)
      | (?P<word>[A-Za-z0-9_.][\w.]*(?:::[\w.]+)?)
      | (?P<mark>[-+*(){}\[\],:=])""",
    re.VERBOSE,
)
_CONSTANTS: dict[str, Arg] = {"None": None, "True": True, "False": False, "inf": math.inf, "nan": math.nan}


_DEEPER = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
MAX_DEPTH = 50  # of nested brackets


class Token(NamedTuple):
    kind: str
    text: str
    line: int


def parse_ir(text: str) -> Graph:
    """The graph that this text describes; a fault is named with its line."""
    parser = _Parser(text)
    try:
        parser.word("graph")
        graph = parser.graph()
        parser.end()
    except ValueError as error:  # a number out of all measure
        raise Invalid(f"line {parser.next.line}: {error}.") from error
    return check(graph)


class _Parser:
    """Recursive descent, one method per thing that can stand in the text."""

    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.position = 0

    # --- what comes next --------------------------------------------------------------------------------

    @property
    def next(self) -> Token:
        return self.tokens[self.position]

    def fail(self, expected: str) -> NoReturn:
        found = "the text ends" if self.next.kind == "end" else f"{self.next.text!r} stands here"
        raise Invalid(f"line {self.next.line}: {expected} was expected, but {found}.")

    def take(self, kind: str, expected: str) -> str:
        if self.next.kind != kind:
            self.fail(expected)
        self.position += 1
        return self.tokens[self.position - 1].text

    def accept(self, text: str) -> bool:
        if self.next.text != text or self.next.kind not in ("word", "mark"):
            return False
        self.position += 1
        return True

    def word(self, text: str) -> None:
        if not self.accept(text):
            self.fail(repr(text))

    def end(self) -> None:
        if self.next.kind != "end":
            self.fail("the end of the text")

    def several(self, item: Callable[[], T], close: str) -> tuple[T, ...]:
        """Items with commas between them, up to the closing mark."""
        items: list[T] = []
        while not self.accept(close):
            items.append(item())
            if not self.accept(","):
                self.word(close)
                break
        return tuple(items)

    def string(self) -> str:
        return _unquoted(self.take("string", "a string"))

    def integer(self) -> int:
        value = _plain(self.next.text) if self.next.kind == "number" else None
        if not isinstance(value, int):
            self.fail("an integer")
        self.position += 1
        return value

    def value_name(self) -> str:
        return _unquoted(self.take("value", "a value such as %x")[1:])

    def plain_name(self) -> str:
        kind = self.next.kind if self.next.kind in ("string", "number") else "word"
        return _unquoted(self.take(kind, "a name"))

    # --- the graph --------------------------------------------------------------------------------------

    def graph(self) -> Graph:
        name, dialect = self.plain_name(), self.take("word", "a dialect")
        self.word("{")
        symbols, inputs, weights = [], [], []
        while True:
            if self.accept("symbol"):
                symbols.append(self.symbol())
            elif self.accept("input"):
                inputs.append(self.typed_value())
            elif self.next.text in WEIGHT_KINDS:
                weights.append(self.weight())
            else:
                break
        self.word("takes")
        line = self.next.line
        in_tree, leaves = self.tree()
        if leaves != [Ref(value.name) for value in inputs]:
            raise Invalid(f"line {line}: the inputs do not stand here one by one, in their order.")
        nodes = []
        while self.next.text not in ("write", "return"):
            nodes.append(self.node())
        mutations = []
        while self.accept("write"):
            target = self.value_name()
            self.word("=")
            mutations.append(Mutation(target, Ref(self.value_name())))
        self.word("return")
        out_tree, outputs = self.tree()
        subgraphs = {}
        while self.accept("subgraph"):
            line, subgraph = self.next.line, self.graph()
            if subgraph.name in subgraphs:
                raise Invalid(f"line {line}: there are two subgraphs {subgraph.name}.")
            subgraphs[subgraph.name] = subgraph
        self.word("}")
        return Graph(
            name,
            dialect,
            tuple(symbols),
            tuple(inputs),
            tuple(weights),
            tuple(nodes),
            tuple(outputs),
            tuple(mutations),
            in_tree,
            out_tree,
            subgraphs,
        )

    def symbol(self) -> Symbol:
        line, name = self.next.line, self.take("word", "a symbol's name")
        self.word("in")
        self.word("[")
        low = self.limit("-inf")
        self.word(",")
        high = self.limit("inf")
        self.word("]")
        if not is_symbol_name(name):
            raise Invalid(f"line {line}: {name!r} is not a name for a symbol.")
        return Symbol(name, low, high)

    def limit(self, unbounded: str) -> int | None:
        if self.next.text != unbounded:
            return self.integer()
        self.position += 1
        return None

    def typed_value(self) -> Value:
        name = self.value_name()
        self.word(":")
        return Value(name, self.type())

    def weight(self) -> Weight:
        line, kind = self.next.line, self.take("word", "a kind of weight")
        value = self.typed_value()
        if not isinstance(value.type, TensorMeta):
            raise Invalid(f"line {line}: the {kind} %{value.name} must be a tensor.")
        aliases = []
        if self.accept("aliases"):
            aliases.append(self.value_name())
            while self.accept(","):
                aliases.append(self.value_name())
        persistent, mutated = not self.accept("transient"), self.accept("mutated")
        data = self.data() if self.accept("=") else None
        return Weight(value.name, kind, value.type, tuple(aliases), persistent, mutated, data)

    def data(self) -> bytes:
        if self.next.kind == "elided":
            raise Invalid(
                f"line {self.next.line}: the data of this constant was left out ({self.next.text}). "
                "Write the text with tenon.ir.to_text."
            )
        line, encoded = self.next.line, self.string()
        try:
            return base64.b64decode(encoded, validate=True)
        except (binascii.Error, ValueError) as error:
            raise Invalid(f"line {line}: this is not base64: {error}.") from error

    def node(self) -> OpNode:
        outputs = []
        if self.next.kind == "value":
            outputs.append(self.typed_value())
            while self.accept(","):
                outputs.append(self.typed_value())
            self.word("=")
        op = self.take("word", "an operator")
        self.word("(")
        args = self.once(self.several(self.named_arg, ")"))
        return OpNode(op, args, tuple(outputs), self.source())

    def once(self, pairs: tuple[tuple[str, T], ...]) -> dict[str, T]:
        """Pairs as a dict; a name that stands twice is a fault."""
        found = dict(pairs)
        if len(found) < len(pairs):
            raise Invalid(
                f"line {self.tokens[self.position - 1].line}: {', '.join(name for name, _ in pairs)}: one stands twice."
            )
        return found

    def named_arg(self) -> tuple[str, Arg]:
        name = self.take("word", "an argument's name")
        self.word("=")
        return name, self.arg()

    def source(self) -> Source | None:
        if self.next.kind != "source":
            return None
        text = self.next.text.removeprefix("// ")
        match = SOURCE.fullmatch(text)
        source = _odd_source(text)
        if source is None and match:
            source = Source(match["file"], int(match["line"]), match["function"], match["module"] or "")
        if source is None:
            self.fail("// file:line in function")
        self.position += 1
        return source

    # --- types and arguments -----------------------------------------------------------------------------

    def type(self) -> Type:
        if self.accept("const"):
            line, value = self.next.line, self.arg()
            if value is not None and not isinstance(value, (bool, int, float, str)):
                raise Invalid(f"line {line}: a plain value was expected, but {arg_text(value)} stands here.")
            return ConstMeta(value)
        word = self.take("word", "a type")
        if word in SCALAR_KINDS:
            return ScalarMeta(word, self.dim(")") if self.accept("(") else None)
        if word not in DTYPE_BY_SHORT:
            self.position -= 1
            self.fail("a type such as f32[2, 3]")
        self.word("[")
        shape = self.dims()
        facts: dict[str, Any] = self.once(self.several(self.layout_fact, "}")) if self.accept("{") else {}
        return TensorMeta(DTYPE_BY_SHORT[word], shape, **facts)

    def layout_fact(self) -> tuple[str, object]:
        line, word = self.next.line, self.take("word", "order, strides, device or layout")
        self.word("=")
        if word == "order":
            self.word("[")
            return "dim_order", self.several(self.integer, "]")
        if word == "strides":
            self.word("[")
            return "strides", self.dims()
        text = self.string()
        if word not in ("device", "layout") or (word == "layout" and text not in LAYOUTS):
            raise Invalid(f"line {line}: {word}={text!r} is not a fact about a tensor's layout.")
        return word, text

    def dims(self) -> tuple[Dim, ...]:
        dims = []
        while not self.accept("]"):
            dims.append(self.dim(",", "]"))
            if self.tokens[self.position - 1].text == "]":
                break
        return tuple(dims)

    def dim(self, *closing: str) -> Dim:
        """Tokens up to a closing mark, read as a dimension; the mark is taken too."""
        depth, words, line = 0, "", self.next.line
        while depth or self.next.text not in closing:
            if self.next.kind == "end":
                self.fail(" or ".join(map(repr, closing)))
            depth += {"(": 1, ")": -1}.get(self.next.text, 0)
            apart = words[-1:].isalnum() and self.next.kind in ("word", "number")
            words += (" " if apart else "") + self.next.text
            self.position += 1
        self.position += 1
        try:
            return parse_dim(words)
        except Invalid as error:
            raise Invalid(f"line {line}: {error}") from error

    def arg(self) -> Arg:
        token = self.next
        if token.kind == "value":
            return Ref(self.value_name())
        if token.kind == "string":
            return self.string()
        if self.accept("["):
            return self.several(self.arg, "]")
        if self.accept("{"):
            return self.once(self.several(self.entry, "}"))
        if token.text in _CONSTANTS or token.kind == "number":
            self.position += 1
            return _plain(token.text)
        if self.accept("complex"):
            self.word("(")
            parts = self.several(self.arg, ")")
            if len(parts) != 2 or not all(isinstance(part, (int, float)) for part in parts):
                raise Invalid(f"line {token.line}: a complex number has two parts.")
            return complex(*parts)  # type: ignore[arg-type]
        word = self.take("word", "an argument")
        if word in WORDS:
            return self.named(word)
        if word not in DTYPE:
            self.position -= 1
            self.fail("an argument")
        return DTYPE[word]

    def named(self, word: str) -> Arg:
        line, name = self.next.line, self.string()
        allowed = {"layout": LAYOUTS, "memory_format": MEMORY_FORMATS}.get(word)
        if allowed and name not in allowed:
            raise Invalid(f"line {line}: {name!r} is not a {word}.")
        return WORDS[word](name)  # type: ignore[no-any-return]

    def entry(self) -> tuple[str, Arg]:
        key = self.string()
        self.word(":")
        return key, self.arg()

    # --- structures ---------------------------------------------------------------------------------------

    def tree(self) -> tuple[Tree, list[Arg]]:
        """A structure, and its leaves."""
        if self.accept("("):
            return _joined("tuple", self.several(self.tree, ")"))
        if self.accept("["):
            return _joined("list", self.several(self.tree, "]"))
        if self.accept("{"):
            return self.keyed("dict")
        for kind in ("ordered_dict", "namedtuple", "dataclass", "custom"):
            if self.accept(kind):
                type_, context = self.string(), self.string()
                if self.accept("("):
                    return _joined(kind, self.several(self.tree, ")"), (), type_, context)
                self.word("{")
                return self.keyed(kind, type_, context)
        return LEAF, [self.arg()]

    def keyed(self, kind: str, type_: str = "", context: str = "") -> tuple[Tree, list[Arg]]:
        pairs = self.several(self.tree_entry, "}")
        return _joined(kind, [tree for _, tree in pairs], tuple(key for key, _ in pairs), type_, context)

    def tree_entry(self) -> tuple[Key, tuple[Tree, list[Arg]]]:
        key: Key
        if self.next.kind == "string":
            key = self.string()
        else:
            constants = {"null": None, "true": True, "false": False}
            if self.next.kind != "number" and self.next.text not in constants:
                self.fail("a key")
            text = self.take(self.next.kind, "a key")
            key = constants[text] if text in constants else _plain(text)  # type: ignore[assignment]
        self.word(":")
        return key, self.tree()


def _joined(
    kind: str, parts: object, keys: tuple[Key, ...] = (), type_: str = "", context: str = ""
) -> tuple[Tree, list[Arg]]:
    pairs = list(parts)  # type: ignore[call-overload]
    children = tuple(tree for tree, _ in pairs)
    return Tree(kind, children, keys, type_, context), [leaf for _, leaves in pairs for leaf in leaves]


def _plain(text: str) -> Arg:
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text == "-inf":
        return -math.inf
    if not re.fullmatch(r"-?\d+", text):
        return float(text)
    if len(text) > 20:
        raise ValueError(f"{text[:20]}... does not fit 64 bits")
    return int(text)


def _odd_source(text: str) -> Source | None:
    """A place that needs quotes: ["file", line, "function", "module"]."""
    try:
        file, line, function, module = json.loads(text if text.startswith("[") else "[]")
    except ValueError:
        return None
    plain = type(line) is int and all(isinstance(part, str) for part in (file, function, module))
    return Source(file, line, function, module) if plain else None


def _unquoted(text: str) -> str:
    return json.loads(text) if text.startswith('"') else text  # type: ignore[no-any-return]


def _tokens(text: str) -> list[Token]:
    tokens, position, line, depth = [], 0, 1, 0
    while position < len(text):
        match = _TOKENS.match(text, position)
        if not match:
            raise Invalid(f"line {line}: {text[position : position + 20].splitlines()[0]!r} cannot be read.")
        kind = match.lastgroup or ""
        depth += _DEEPER.get(match.group(), 0)
        if depth > MAX_DEPTH:
            raise Invalid(f"line {line}: the text is nested too deeply to be a graph.")
        if kind != "space":
            tokens.append(Token(kind, match.group(), line))
        line += match.group().count("\n")
        position = match.end()
    return [*tokens, Token("end", "", line)]
