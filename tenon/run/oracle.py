"""Runs a program in Python on torch's out variants: what every native run of the same file is compared with."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from tenon.errors import Invalid, TenonError, Unsupported, listing, near, plural
from tenon.files import Data
from tenon.ir.tree import unflatten
from tenon.ir.types import DTYPE_BY_CODE
from tenon.ops.own import functional_of, own_schemas
from tenon.ops.schema import find_op
from tenon.ops.values import DTYPE_OF, TORCH_DTYPE
from tenon.pte.external import External
from tenon.pte.program import Program, shared_banks
from tenon.pte.schema import (
    Bool,
    BoolList,
    Double,
    DoubleList,
    Dynamism,
    ExecutionPlan,
    FreeCall,
    Int,
    IntList,
    JumpFalseCall,
    KernelCall,
    MoveCall,
    OptionalTensorList,
    String,
    Tensor,
    TensorList,
)
from tenon.pte.structure import decode
from tenon.run.arguments import leaves_of
from tenon.run.prim import PRIM

MAX_INSTRUCTIONS = 10_000_000


class Module:
    """A loaded program: called like the model for its method `forward`, `module["name"]` for another.

    Each method keeps its state from call to call; what is state of several methods they share.
    """

    def __init__(self, program: Program, external: Mapping[str, External] | None = None) -> None:
        sizes = [plan.non_const_buffer_sizes or [] for plan in program.plans]
        shared = {
            bank: torch.zeros(max(each[bank] for each in sizes if bank < len(each)), dtype=torch.uint8)
            for bank in shared_banks(program.plans)
        }
        self._methods = {
            str(plan.name): Method(program, plan, external or {}, shared) for plan in reversed(program.plans)
        }

    @property
    def methods(self) -> list[str]:
        return sorted(self._methods)

    def __getitem__(self, name: str) -> "Method":
        if name not in self._methods:
            raise Invalid(
                f"there is no method {name}.{near(name, self._methods)} There are: {', '.join(self.methods)}."
            )
        return self._methods[name]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self["forward"](*args, **kwargs)


class Method:
    """One method: its values in place, its calls resolved."""

    def __init__(
        self,
        program: Program,
        plan: ExecutionPlan,
        external: Mapping[str, External],
        shared: Mapping[int, torch.Tensor],
    ) -> None:
        self.name = str(plan.name)
        self.external = external
        self.plan = plan
        meta = plan.container_meta_type
        self.takes, self.gives = (
            decode(text) for text in ((meta.encoded_inp_str, meta.encoded_out_str) if meta else (None, None))
        )
        sizes = enumerate(plan.non_const_buffer_sizes or [])
        self.banks = [shared[i] if i in shared else torch.zeros(size, dtype=torch.uint8) for i, size in sizes]
        self.constants: dict[int, torch.Tensor] = {}  # by id: they lie in the program, which is never written to
        self.values = [self._value(program, value.val) for value in plan.values or []]
        if plan.delegates:
            names = ", ".join(sorted({str(delegate.id) for delegate in plan.delegates}))
            raise Unsupported(f"method {self.name} calls a delegate ({names}), which only its own runtime can run.")
        self.calls = self._resolve()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._set_inputs(leaves_of(self.takes, args, kwargs))
        with torch.no_grad():
            for chain in self.plan.chains or []:
                self._run([instruction.instr_args for instruction in chain.instructions or []])
        outputs = [self._read(index) for index in self.plan.outputs or []]
        return self._built([output.clone() if isinstance(output, torch.Tensor) else output for output in outputs])

    # --- values -------------------------------------------------------------------------------------------

    def _value(self, program: Program, value: Any) -> Any:
        if isinstance(value, Tensor):
            return self._tensor(program, value)
        if isinstance(value, Int):
            return value.int_val
        if isinstance(value, Bool):
            return value.bool_val
        if isinstance(value, Double):
            return value.double_val
        if isinstance(value, String):
            return value.string_val
        return value if hasattr(value, "items") else None

    def _tensor(self, program: Program, tensor: Tensor) -> torch.Tensor | None:
        dtype = TORCH_DTYPE[DTYPE_BY_CODE[tensor.scalar_type]]
        sizes, strides = list(tensor.sizes or []), _strides(tensor)
        if tensor.extra_tensor_info is not None and tensor.extra_tensor_info.location:
            data = self._external(tensor, str(tensor.extra_tensor_info.fully_qualified_name))
            return self._constant(_from_bytes(data, dtype, sizes, strides))
        if tensor.allocation_info is not None:
            place = tensor.allocation_info
            storage = self.banks[place.memory_id].untyped_storage()
            made = torch.empty(0, dtype=dtype).set_(storage, place.offset // dtype.itemsize, sizes, strides)
            if tensor.data_buffer_idx:
                made.copy_(_from_bytes(program.state[tensor.data_buffer_idx - 1], dtype, sizes, strides))
            return made
        if tensor.data_buffer_idx:
            return self._constant(_from_bytes(program.constants[tensor.data_buffer_idx - 1], dtype, sizes, strides))
        return torch.empty_strided(sizes, strides, dtype=dtype)

    def _constant(self, tensor: torch.Tensor) -> torch.Tensor:
        self.constants[id(tensor)] = tensor
        return tensor

    def writable(self, index: int) -> Any:
        """A value that is about to be written to."""
        value = self.values[index]
        if id(value) in self.constants:
            raise Invalid(f"it writes to value {index}, which is a constant")
        return value

    def _external(self, tensor: Tensor, name: str) -> Data:
        if name not in self.external:
            raise Invalid(f"method {self.name} needs the external data {name}, and there is none beside the program.")
        held = self.external[name]
        expected = (tensor.scalar_type, tuple(tensor.sizes or ()), tuple(tensor.dim_order or ()))
        if (held.scalar_type, held.sizes, held.dim_order) != expected:
            raise Invalid(f"the external data {name} has shape {list(held.sizes)}, and the program {tensor.sizes}.")
        return held.data

    def _read(self, index: int) -> Any:
        """A value as an operator takes it: lists with what their items stand for now."""
        value = self.values[index]
        if isinstance(value, (IntList, TensorList)):
            return [self.values[item] for item in value.items or []]
        if isinstance(value, OptionalTensorList):
            return [None if item < 0 else self.values[item] for item in value.items or []]
        return list(value.items or []) if isinstance(value, (BoolList, DoubleList)) else value

    # --- inputs and outputs ----------------------------------------------------------------------------------------

    def _set_inputs(self, leaves: list[Any]) -> None:
        indices = self.plan.inputs or []
        if len(leaves) != len(indices):
            raise Invalid(f"method {self.name} takes {plural(len(indices), 'input')}, and was given {len(leaves)}.")
        for number, (index, leaf) in enumerate(zip(indices, leaves, strict=True)):
            held = (self.plan.values or [])[index].val
            if isinstance(held, Tensor):
                self._set_tensor(number, index, held, leaf)
            elif type(leaf) is not type(self.values[index]) or leaf != self.values[index]:
                raise Invalid(
                    f"method {self.name}: input {number} was exported as {self.values[index]!r}, and is {leaf!r}."
                )

    def _set_tensor(self, number: int, index: int, held: Tensor, leaf: Any) -> None:
        who = f"method {self.name}: input {number}"
        if not isinstance(leaf, torch.Tensor):
            raise Invalid(f"{who} must be a tensor, not a {type(leaf).__name__}.")
        if id(self.values[index]) in self.constants:
            raise Invalid(f"{who} is a constant of the program, which is never written to.")
        dtype = DTYPE_BY_CODE[held.scalar_type]
        if DTYPE_OF[leaf.dtype] is not dtype:
            raise Invalid(f"{who} is {DTYPE_OF[leaf.dtype]}, but must be {dtype}.")
        bounds = list(held.sizes or [])
        fixed = held.shape_dynamism == Dynamism.STATIC
        if leaf.dim() != len(bounds) or (fixed and list(leaf.shape) != bounds):
            raise Invalid(f"{who} has shape {list(leaf.shape)}, but must have {bounds}.")
        for dim, (size, bound) in enumerate(zip(leaf.shape, bounds, strict=True)):
            if size > bound:
                raise Invalid(f"{who}: dimension {dim} is {size}, and at most {bound}.")
        if not fixed:
            self.values[index].resize_(leaf.shape)
        self.values[index].copy_(leaf)

    def _built(self, outputs: list[Any]) -> Any:
        """The outputs as the model had them, where the file says how; else in a list."""
        fits = self.gives is not None and self.gives.leaves == len(outputs)
        return unflatten(self.gives, iter(outputs)) if self.gives is not None and fits else outputs

    # --- running ------------------------------------------------------------------------------------------

    def _resolve(self) -> list[Callable[[list[int]], None]]:
        """A function per operator of the method; all that are missing are named at once."""
        calls: list[Callable[[list[int]], None]] = []
        missing = []
        for i, each in enumerate(self.plan.operators or []):
            call = self._call(each.full_name)
            if call is None:
                missing.append(f"Missing operator: [{i}] {each.full_name}")
            else:
                calls.append(call)
        if missing:
            remedy = "Load the library that defines it: torch.ops.load_library, or import its Python module."
            raise Unsupported(
                listing(
                    f"method {self.name} calls {plural(len(missing), 'operator')} that torch has not.", missing, remedy
                )
            )
        return calls

    def _call(self, name: str) -> Callable[[list[int]], None] | None:
        if name in PRIM:
            return lambda args: self._prim(PRIM[name], args)
        if name in _ON_TENSORS:
            own = _ON_TENSORS[name]
            return lambda args: own(self, args)
        # An out variant that another library has loaded may abort where torch's own function gives a result.
        op = find_op(name) if name not in own_schemas() else None
        if op is not None:
            return self._torch_call(op)
        functional = functional_of(name)
        return None if functional is None else self._made_out_call(functional)

    def _made_out_call(self, op: torch._ops.OpOverload) -> Callable[[list[int]], None]:
        """A custom operator without an out variant: its results are computed, then copied where they belong."""
        given, count = self._given(op._schema.arguments), len(op._schema.arguments)

        def run(args: list[int]) -> None:
            positional, keywords = given(args)
            results = op(*positional, **keywords)
            places = args[count:]
            for result, index in zip(results if isinstance(results, tuple) else (results,), places, strict=False):
                out = self._out(index)
                out.resize_(result.shape)
                out.copy_(result)

        return run

    def _prim(self, function: Callable[..., Any], args: list[int]) -> None:
        self.values[args[-1]] = function(*(self._read(index) for index in args[:-1]))

    def _torch_call(self, op: torch._ops.OpOverload) -> Callable[[list[int]], None]:
        """By the schema: one value per argument, then the results again, which are where the outs are."""
        given = self._given(op._schema.arguments)

        def run(args: list[int]) -> None:
            positional, keywords = given(args)
            op(*positional, **keywords)

        return run

    def _given(self, arguments: Sequence[Any]) -> Callable[[list[int]], tuple[list[Any], dict[str, Any]]]:
        """What a call takes by position and what by name, from its values."""
        readers = [_READERS.get(str(a.real_type).removeprefix("Optional[").rstrip("]?"), _plain) for a in arguments]

        def read_all(args: list[int]) -> tuple[list[Any], dict[str, Any]]:
            if len(args) < len(arguments):
                raise Invalid(f"it takes {len(arguments)} arguments, and was given {len(args)}")
            positional, keywords = [], {}
            for argument, read, index in zip(arguments, readers, args, strict=False):
                if argument.alias_info is not None and argument.alias_info.is_write:
                    self.writable(index)
                value = self._out(index) if argument.is_out else read(self._read(index))
                if argument.kwarg_only:
                    keywords[argument.name] = value
                else:
                    positional.append(value)
            return positional, keywords

        return read_all

    def _out(self, index: int) -> Any:
        """An out argument; one whose shape may vary is emptied first, so that torch gives it its shape."""
        value = self.writable(index)
        if isinstance(value, TensorList):
            return [self._out(item) for item in value.items or []]
        held = (self.plan.values or [])[index].val
        if isinstance(held, Tensor) and held.shape_dynamism != Dynamism.STATIC and isinstance(value, torch.Tensor):
            value.resize_([0] * max(value.dim(), 1))
        return value

    def _run(self, instructions: list[Any]) -> None:
        position = steps = 0
        while position < len(instructions):
            steps += 1
            if steps > MAX_INSTRUCTIONS:
                raise Invalid(f"method {self.name} ran {MAX_INSTRUCTIONS} instructions without an end.")
            position = self._step(position, instructions[position])

    def _step(self, position: int, call: Any) -> int:
        if isinstance(call, KernelCall):
            try:
                self.calls[call.op_index](call.args or [])
            except (
                TenonError,
                RuntimeError,
                ValueError,
                TypeError,
                IndexError,
                ArithmeticError,
                AttributeError,
            ) as error:
                name = (self.plan.operators or [])[call.op_index].full_name
                reason = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
                raise Invalid(f"{name} (instruction {position} of {self.name}): {reason}.") from error
        elif isinstance(call, MoveCall):
            self.values[call.move_to] = self.values[call.move_from]
        elif isinstance(call, JumpFalseCall):
            condition = self.values[call.cond_value_index]
            holds = bool(condition.all()) if isinstance(condition, torch.Tensor) else bool(condition)
            return position + 1 if holds else call.destination_instruction
        elif not isinstance(call, FreeCall):
            raise Unsupported(f"method {self.name}: instruction {position} is a call of a delegate.")
        return position + 1


def _strides(tensor: Tensor) -> list[int]:
    """Dense, in the order of its dimensions from outermost to innermost."""
    strides, step = [0] * len(tensor.sizes or []), 1
    for dim in reversed(tensor.dim_order or []):
        strides[dim] = step
        step *= max((tensor.sizes or [])[dim], 1)
    return strides


def _from_bytes(data: Data, dtype: torch.dtype, sizes: list[int], strides: list[int]) -> torch.Tensor:
    """A tensor that lies where its data lies: it must not be written to."""
    if 0 in sizes:
        return torch.empty_strided(sizes, strides, dtype=dtype)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The given buffer is not writable")
        flat = torch.frombuffer(data, dtype=torch.uint8, count=len(data) // dtype.itemsize * dtype.itemsize)
    if flat.data_ptr() % dtype.itemsize:  # a file may put its data anywhere, and kernels need it aligned
        flat = flat.clone()
    return flat.view(dtype).as_strided(sizes, strides)


def _plain(value: Any) -> Any:
    return value


# What numbers stand for where the schema says so; a bare int elsewhere is an int.
_READERS: dict[str, Callable[[Any], Any]] = {
    "ScalarType": lambda code: None if code is None else TORCH_DTYPE[DTYPE_BY_CODE[code]],
    "Layout": lambda code: None if code is None else torch.strided,
    "MemoryFormat": lambda code: None if code is None else (torch.contiguous_format, torch.preserve_format)[code],
}


def _copy_into_out(method: Method, args: list[int]) -> None:
    """self, ..., out, out: the out takes the value of self, in its own dtype and order."""
    source, out = method.values[args[0]], method.writable(args[-1])
    if out.shape != source.shape:
        out.resize_(source.shape)
    out.copy_(source)


def _view(method: Method, args: list[int]) -> None:
    method.values[args[2]] = method.values[args[0]].view(method._read(args[1]))


def _store_row(method: Method, args: list[int]) -> None:
    rows, source, index = method.writable(args[0]), method.values[args[1]], method.values[args[2]]
    rows.resize_([index + 1, *source.shape])
    rows[index].copy_(source)


# Operators that are not torch's, on tensors.
_ON_TENSORS: dict[str, Callable[[Method, list[int]], None]] = {
    "dim_order_ops::_to_dim_order_copy.out": _copy_into_out,
    "dim_order_ops::_clone_dim_order.out": _copy_into_out,
    "dim_order_ops::_empty_dim_order.out": lambda method, args: None,
    "executorch_prim::et_view.default": _view,
    "executorch_prim::et_copy_index.tensor": _store_row,
}
