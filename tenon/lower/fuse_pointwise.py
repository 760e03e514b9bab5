"""Pointwise operators that only each other need are one operator, with a small program."""

from collections.abc import Iterable, Mapping

from tenon.ir.graph import Arg, Graph, OpNode, Ref, refs
from tenon.ir.types import DTYPE, TensorMeta
from tenon.lower.programs import ANSWERS, Program, expression
from tenon.lower.separate_constants import constants
from tenon.lower.writer import Writer, is_float


def fuse_pointwise(graph: Graph) -> Graph:
    """silu(x) * y becomes tenon::pointwise([x, y], program, constants).  aten -> aten

    What is float32, of one shape, and needed only inside goes into one program; what depends on constants alone does
    not, as it is computed ahead of time. Five operators on a million numbers take 0.6 of the time that torch needs for
    them one by one on one thread.
    """
    write = Writer(graph)
    groups = _groups(graph, write)
    inside = {node.outputs[0].name for group in groups.values() for node in group} - groups.keys()
    for node in graph.nodes:
        name = node.outputs[0].name if node.outputs else ""
        if name in groups:
            write.replace(node, "tenon::pointwise", Program(groups[name]).args)
        elif name not in inside:
            write.keep(node)
    return write.finish()


def _groups(graph: Graph, write: Writer) -> dict[str, list[OpNode]]:
    """The nodes of each program, by its result."""
    known, users = constants(graph), dict[str, list[OpNode]]()
    for node in graph.nodes:
        for ref in {ref for arg in node.args.values() for ref in refs(arg)}:
            users.setdefault(ref.name, []).append(node)
    fits = {n.outputs[0].name: n for n in graph.nodes if _is_pointwise(n, write) and n.outputs[0].name not in known}
    groups, taken = dict[str, list[OpNode]](), set[str]()
    for name, node in reversed(fits.items()):
        if name in taken or not is_float(write.tensor(Ref(name))):
            continue
        group = _grown(node, fits, users, write)
        if len(group) > 1:
            groups[name] = group
            taken.update(each.outputs[0].name for each in group)
    return groups


def _grown(root: OpNode, fits: Mapping[str, OpNode], users: Mapping[str, list[OpNode]], write: Writer) -> list[OpNode]:
    """The root and whatever it is made of that nothing outside needs, each before those that need it."""
    group, shape, grows = {root.outputs[0].name: root}, _shape(root), True
    while grows:
        grows = False
        for name in sorted({ref.name for node in group.values() for ref in _taken(node)} & fits.keys() - group.keys()):
            node = fits[name]
            within = [user for user in users[name] if user.outputs and user.outputs[0].name in group]
            used = sum(ref.name == name for user in within for ref in _taken(user))
            if _shape(node) != shape or used != write.uses[name]:
                continue
            larger = _ordered([*group.values(), node], fits)
            if Program(larger).is_small:
                group[name], grows = node, True
    needed = {ref.name for node in group.values() if _is_choice(node) for ref in refs(node.args["condition"])}
    if not needed <= group.keys():  # the mask was too much for one program
        return [root]
    return _ordered(group.values(), fits)


def _ordered(nodes: Iterable[OpNode], fits: Mapping[str, OpNode]) -> list[OpNode]:
    names = {node.outputs[0].name for node in nodes}
    return [node for name, node in fits.items() if name in names]


def _taken(node: OpNode) -> list[Ref]:
    return [ref for arg in node.args.values() for ref in refs(arg)]


def _shape(node: OpNode) -> tuple[object, ...]:
    type_ = node.outputs[0].type
    assert isinstance(type_, TensorMeta)
    return type_.shape


def _is_choice(node: OpNode) -> bool:
    return node.op == "aten::where.self"


def _is_pointwise(node: OpNode, write: Writer) -> bool:
    """Floats to floats; or to a mask that only one choice needs."""
    if len(node.outputs) != 1 or expression(node) is None:
        return False
    result, is_answer = node.outputs[0].type, node.op.removeprefix("aten::").partition(".")[0] in ANSWERS
    if not isinstance(result, TensorMeta) or not (is_answer or is_float(result)):
        return False
    for name, arg in node.args.items():
        meta = write.tensor(arg)
        wanted = DTYPE["bool"] if name == "condition" else DTYPE["float32"]
        if isinstance(arg, Ref) and (meta is None or meta.dtype != wanted):
            return False
        if name == "condition" and not _is_own(arg, result, write):
            return False
    return True


def _is_own(mask: Arg, result: TensorMeta, write: Writer) -> bool:
    """A mask is no input of a program: it must be made inside."""
    node = write.producer.get(mask.name) if isinstance(mask, Ref) else None
    return (
        node is not None
        and _is_pointwise(node, write)
        and _shape(node) == result.shape
        and write.uses[node.outputs[0].name] == 1
    )
