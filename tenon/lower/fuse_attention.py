"""Attention is one operator, on heads where the layers before and after it have them."""

import math
from collections.abc import Sequence

from tenon.ir.graph import Arg, Graph, OpNode, Ref
from tenon.ir.types import DTYPE, TensorMeta
from tenon.lower.causal_masks import without_causal
from tenon.lower.writer import Writer, is_float

_SWAP = (0, 2, 1, 3)  # heads and places
_PERMUTE = "aten::permute_copy"


def fuse_attention(graph: Graph) -> Graph:
    """permute(scaled_dot_product_attention(permute(q), ...)) becomes tenon::attention(q, ...).  aten -> aten

    torch has heads before places, models have them behind, and so has the operator: permutes that meet are dropped,
    also through tenon::rotary, and keys that are repeated for the heads that share them are taken as they were. A mask
    that hides what is behind a query is no tensor any more: half of the scores are not computed then.
    What has another dtype or rank stays. 1.05 to 1.8 times as fast as torch's on one thread, and no permutes.
    """
    write = _Attentions(graph)
    for node in graph.nodes:
        write.at = node.source
        parts = write.parts(node)
        if node.op == _PERMUTE:
            write.permute(node)
        elif parts is None:
            write.keep(node)
        else:
            write.attend(node, parts)
    return write.finish()


class _Attentions(Writer):
    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.permuted: dict[str, tuple[Ref, tuple[int, ...]]] = {}  # what a value is a permutation of

    # --- permutes -------------------------------------------------------------------------------------------------

    def permute(self, node: OpNode) -> None:
        """A permute that undoes another gives what that one took."""
        source, told = self.of_now(node.args["self"]), node.args["dims"]
        assert isinstance(source, Ref) and isinstance(told, tuple)
        dims = tuple(int(dim) % len(told) for dim in told)  # type: ignore[arg-type]
        before = self.permuted.get(source.name)
        undone = before is not None and [before[1][dim] for dim in dims] == list(range(len(dims)))
        if before is not None and undone and self._is_inner(node, before[0]):
            self.stand_for(node.outputs[0].name, before[0])
            return
        self.keep(node)
        self.permuted[node.outputs[0].name] = (source, dims)

    def _is_inner(self, node: OpNode, source: Ref) -> bool:
        """An output of the graph aliases no input and no weight."""
        own = {value.name for value in self.graph.inputs} | {weight.name for weight in self.graph.weights}
        returned = {
            ref for ref in (*self.graph.outputs, *(m.value for m in self.graph.mutations)) if isinstance(ref, Ref)
        }
        return not (source.name in own and Ref(node.outputs[0].name) in returned)

    def swapped(self, arg: Arg) -> Ref:
        """[batch, place, head, size] of [batch, head, place, size]."""
        source = self.of_now(arg)
        assert isinstance(source, Ref)
        before = self.permuted.get(source.name)
        if before is not None and before[1] == _SWAP:
            return before[0]
        meta = self.tensor(source)
        assert meta is not None
        turned = self.made_by(source, "tenon::rotary")
        if turned is not None and self._is_swapped(turned.args["input"]):
            angles = {name: self._angles(turned.args[name]) for name in ("cos", "sin")}
            return self.make("tenon::rotary", _reordered(meta), input=self.swapped(turned.args["input"]), **angles)
        return self.make(_PERMUTE, _reordered(meta), self=source, dims=_SWAP)

    def _is_swapped(self, arg: Arg) -> bool:
        source = self.of_now(arg)
        return isinstance(source, Ref) and self.permuted.get(source.name, (None, ()))[1] == _SWAP

    def _angles(self, arg: Arg) -> Ref:
        meta = self.tensor(arg)
        assert meta is not None
        return self.swapped(self.of_rank_4(arg, meta))

    def of_rank_4(self, arg: Arg, meta: TensorMeta) -> Arg:
        """With sizes of 1 before those there are."""
        made = self.of_now(arg)
        for rank in range(len(meta.shape) + 1, 5):
            shape = (1,) * (rank - len(meta.shape)) + meta.shape
            made = self.make("aten::unsqueeze_copy", TensorMeta(meta.dtype, shape), self=made, dim=0)
        return made

    # --- attention ------------------------------------------------------------------------------------------------

    def parts(self, node: OpNode) -> list[Arg] | None:
        """Query, key, value and mask, if the operator takes such."""
        if node.op != "aten::scaled_dot_product_attention" or node.args.get("dropout_p", 0.0) != 0:
            return None
        query, key, value = (node.args[name] for name in ("query", "key", "value"))
        metas, mask = [self.tensor(each) for each in (query, key, value)], node.args.get("attn_mask")
        if not all(is_float(meta) and meta is not None and len(meta.shape) == 4 for meta in metas):
            return None
        if len({meta.shape[0] for meta in metas}) != 1:  # type: ignore[union-attr]
            return None
        if not isinstance(metas[0].shape[3], int) and node.args.get("scale") is None:  # type: ignore[union-attr]
            return None
        if mask is not None:
            told = self.tensor(mask)
            if told is None or told.dtype not in (DTYPE["bool"], DTYPE["float32"]) or len(told.shape) > 4:
                return None
        single_key, single_value = self.unrepeated(key), self.unrepeated(value)
        heads = [self.tensor(each).shape[1] for each in (query, single_key, single_value)]  # type: ignore[union-attr]
        if heads[1] != heads[2]:
            single_key, single_value, heads = key, value, [heads[0], *(meta.shape[1] for meta in metas[1:])]  # type: ignore[union-attr]
        if heads[1] != heads[2] or not (heads[0] == heads[1] or _divides(heads[1], heads[0])):
            return None
        return [query, single_key, single_value, mask]

    def unrepeated(self, arg: Arg) -> Arg:
        """x of view(expand(unsqueeze(x))), which repeats each head for those that share it."""
        merged = self.made_by(arg, "aten::view_copy")
        expanded = self.made_by(merged.args["self"], "aten::expand_copy") if merged else None
        split = self.made_by(expanded.args["self"], "aten::view_copy", "aten::unsqueeze_copy") if expanded else None
        if expanded is None or split is None:
            return arg
        steps = (split.args["self"], expanded.args["self"], Ref(expanded.outputs[0].name), arg)
        shapes = [self.tensor(each) for each in steps]
        source, single, many, result = (meta.shape if meta else () for meta in shapes)
        if len(source) != 4 or len(many) != 5 or len(result) != 4:
            return arg
        batch, heads, places, size = source
        repeats = many[2]
        if single != (batch, heads, 1, places, size) or many != (batch, heads, repeats, places, size):
            return arg
        return split.args["self"] if result == (batch, heads * repeats, places, size) else arg

    def attend(self, node: OpNode, parts: list[Arg]) -> None:
        query, key, value = map(self.swapped, parts[:3])
        meta, scale, mask = node.outputs[0].type, node.args.get("scale"), parts[3]
        assert isinstance(meta, TensorMeta)
        if scale is None:
            scale = 1 / math.sqrt(self.tensor(query).shape[3])  # type: ignore[union-attr, arg-type]
        causal = bool(node.args.get("is_causal", False))
        if mask is not None:
            left = without_causal(mask, self)
            causal, mask = causal or left is not mask, left
        if mask is not None:
            mask = self.of_rank_4(mask, self.tensor(mask))  # type: ignore[arg-type]
        made = self.make(
            "tenon::attention",
            _reordered(meta),
            query=query,
            key=key,
            value=value,
            mask=mask,
            causal=causal,
            scale=float(scale),  # type: ignore[arg-type]
        )
        self.replace(node, _PERMUTE, {"self": made, "dims": _SWAP})
        self.permuted[node.outputs[0].name] = (made, _SWAP)


def _divides(part: object, whole: object) -> bool:
    return isinstance(part, int) and isinstance(whole, int) and part > 0 and whole % part == 0


def _reordered(meta: TensorMeta, dims: Sequence[int] = _SWAP) -> TensorMeta:
    return TensorMeta(meta.dtype, tuple(meta.shape[dim] for dim in dims))
