"""What a value is: dtypes (one list, all of torch's), tensors, scalars, constants."""

from dataclasses import dataclass, field

from tenon.ir.dims import Dim, product


@dataclass(frozen=True, slots=True)
class DType:
    """An element type. `code` is its ScalarType number in a .pte file, None where the format has none."""

    name: str
    short: str
    bytes: int
    code: int | None

    def __repr__(self) -> str:
        return self.name


# fmt: off
DTYPES = [DType(*row) for row in (
    ("uint8", "u8", 1, 0),          ("int8", "i8", 1, 1),           ("int16", "i16", 2, 2),
    ("int32", "i32", 4, 3),         ("int64", "i64", 8, 4),         ("float16", "f16", 2, 5),
    ("float32", "f32", 4, 6),       ("float64", "f64", 8, 7),       ("complex32", "c32", 4, 8),
    ("complex64", "c64", 8, 9),     ("complex128", "c128", 16, 10), ("bool", "b8", 1, 11),
    ("qint8", "qi8", 1, 12),        ("quint8", "qu8", 1, 13),       ("qint32", "qi32", 4, 14),
    ("bfloat16", "bf16", 2, 15),    ("quint4x2", "qu4x2", 1, 16),   ("quint2x4", "qu2x4", 1, 17),
    ("bits1x8", "bits1x8", 1, 18),  ("bits2x4", "bits2x4", 1, 19),  ("bits4x2", "bits4x2", 1, 20),
    ("bits8", "bits8", 1, 21),      ("bits16", "bits16", 2, 22),
    ("float8_e5m2", "f8e5m2", 1, 23),         ("float8_e4m3fn", "f8e4m3fn", 1, 24),
    ("float8_e5m2fnuz", "f8e5m2fnuz", 1, 25), ("float8_e4m3fnuz", "f8e4m3fnuz", 1, 26),
    ("uint16", "u16", 2, 27),       ("uint32", "u32", 4, 28),       ("uint64", "u64", 8, 29),
    ("float8_e8m0fnu", "f8e8m0fnu", 1, None), ("float4_e2m1fn_x2", "f4e2m1fnx2", 1, None),
    *((f"{sign}int{bits}", f"{short}{bits}", 1, None)
      for sign, short in (("u", "u"), ("", "i")) for bits in range(1, 8)),
)]
# fmt: on
DTYPE = {dtype.name: dtype for dtype in DTYPES}
DTYPE_BY_SHORT = {dtype.short: dtype for dtype in DTYPES}
DTYPE_BY_CODE = {dtype.code: dtype for dtype in DTYPES if dtype.code is not None}


@dataclass(frozen=True, slots=True)
class TensorMeta:
    """A tensor without its data.

    `dim_order` lists the dimensions from outermost to innermost in memory. `strides` is given only when
    the tensor is not dense in that order (an expanded or sliced view); it is None everywhere else.
    """

    dtype: DType
    shape: tuple[Dim, ...]
    dim_order: tuple[int, ...] = field(default=())
    strides: tuple[Dim, ...] | None = None
    device: str = "cpu"
    layout: str = "strided"

    def __post_init__(self) -> None:
        if not self.dim_order:
            object.__setattr__(self, "dim_order", tuple(range(len(self.shape))))

    @property
    def is_static(self) -> bool:
        return all(isinstance(size, int) for size in self.shape)

    @property
    def contiguous(self) -> bool:
        return self.layout == "strided" and self.strides is None and self.dim_order == tuple(range(len(self.shape)))

    @property
    def dense(self) -> bool:
        """Without gaps, in whatever order of dimensions."""
        return self.layout == "strided" and self.strides is None

    @property
    def in_order(self) -> bool:
        """Its elements lie in the order of its dimensions; where one of size 1 stands does not matter."""
        order = [dim for dim in self.dim_order if self.shape[dim] != 1]
        return self.dense and order == sorted(order)

    @property
    def numel(self) -> Dim:
        return product(self.shape)

    @property
    def bytes(self) -> Dim:
        return self.numel * self.dtype.bytes


def layout_fault(meta: TensorMeta) -> str | None:
    """What no tensor's memory can be like; None if there is nothing."""
    if sorted(meta.dim_order) != list(range(len(meta.shape))):
        return f"{list(meta.dim_order)} is not an order of {len(meta.shape)} dimensions"
    if meta.strides is not None and len(meta.strides) != len(meta.shape):
        return f"{len(meta.strides)} strides for {len(meta.shape)} dimensions"
    return None


@dataclass(frozen=True, slots=True)
class ScalarMeta:
    """A number known only when the program runs; for an int, `expr` says it in symbols where it can."""

    kind: str  # one of SCALAR_KINDS
    expr: Dim | None = None


@dataclass(frozen=True, slots=True)
class ConstMeta:
    """A value fixed at capture: None, or a plain number or string that was passed as an input."""

    value: bool | int | float | str | None


SCALAR_KINDS = ("int", "float", "bool")
LAYOUTS = ("strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "mkldnn", "jagged")
MEMORY_FORMATS = ("contiguous_format", "channels_last", "channels_last_3d", "preserve_format")

Type = TensorMeta | ScalarMeta | ConstMeta
