"""Small programs for every core ATen op, with inputs and PyTorch's own results.

A case is the full name of an op and example arguments. Its program is one `func.func @main` of the
`torch` dialect that holds the op. Tensors are the function's arguments; all other arguments are constants.
All backends share the table: each test lowers `case.program()`, runs it on `case.inputs` and passes the
results to `case.check()`.
"""

import collections
import dataclasses
import functools
import re
from collections.abc import Callable

import numpy as np
import torch

from tests.support import op_namespaces

_DTYPES = {
    torch.bool: ("i1", 11),
    torch.uint8: ("ui8", 0),
    torch.int8: ("si8", 1),
    torch.int16: ("si16", 2),
    torch.int32: ("si32", 3),
    torch.int64: ("si64", 4),
    torch.uint64: ("ui64", 29),
    torch.float16: ("f16", 5),
    torch.bfloat16: ("bf16", 15),
    torch.float32: ("f32", 6),
    torch.float64: ("f64", 7),
    torch.float8_e5m2: ("f8E5M2", 23),
    torch.float8_e4m3fn: ("f8E4M3FN", 24),
    torch.complex64: ("complex<f32>", 9),
    torch.complex128: ("complex<f64>", 10),
}

# Largest relative and absolute error, by dtype of the result.
_TOLERANCES = {
    torch.bfloat16: (2e-2, 2e-2),
    torch.float16: (2e-3, 2e-3),
    torch.float32: (1e-5, 1e-6),
    torch.float64: (1e-12, 1e-12),
    torch.complex64: (1e-5, 1e-6),
    torch.complex128: (1e-12, 1e-12),
}


@dataclasses.dataclass(frozen=True)
class Fixed:
    """A tensor whose sizes stay known in the dynamic program, like those of a weight."""

    tensor: torch.Tensor


@dataclasses.dataclass(frozen=True)
class RunTime:
    """A number that is not a constant: the program takes it as a tensor of rank 0."""

    number: bool | int | float

    @property
    def tensor(self):
        exact = torch.tensor(self.number)
        return exact if exact.item() == self.number else torch.tensor(self.number, dtype=torch.float64)


@dataclasses.dataclass(frozen=True, eq=False)
class Case:
    """One op on one set of arguments. Trailing arguments that are absent take the schema's defaults.

    If `used` is given, the program returns only that many of the op's first results. `number` distinguishes cases
    that differ only in the elements of tensors. `exact` are the elements of the result where PyTorch's own are wrong.
    `reference` computes the results in place of an op that has no kernel on a CPU.
    """

    op: str
    args: tuple
    number: int = 0
    used: int | None = None
    exact: list | None = None
    reference: Callable | None = None

    @functools.cached_property
    def name(self):
        """The op and its arguments: "aten.sum.dim_IntList-f32[2x3]-[0/1]-True"."""
        return "-".join([self.op, *map(_described, self.args)])

    @property
    def id(self):
        return f"{self.name}:{self.number}" if self.number else self.name

    @property
    def overload(self):
        return op_namespaces.overload_of(self.op)

    @functools.cached_property
    def tensors(self):
        return [t if isinstance(t, torch.Tensor) else t.tensor for t in _tensors_in(self.args)]

    @property
    def inputs(self):
        """The function's arguments as arrays. Those of bfloat16 have the dtype of ml_dtypes."""
        return [to_numpy(t) for t in self.tensors]

    @functools.cached_property
    def expected(self):
        """PyTorch's results as a tuple of tensors. A number becomes a tensor of rank 0."""
        positional, named = [], {}
        for argument, value in zip(self.overload._schema.arguments, _unwrap(self.args)):
            if argument.kwarg_only:
                named[argument.name] = value
            else:
                positional.append(value)
        results = (self.reference or self.overload)(*positional, **named)
        results = results[: self.used] if isinstance(results, (list, tuple)) else [results]
        if self.exact is not None:
            results = [torch.tensor(self.exact, dtype=results[0].dtype)]
        return tuple(map(torch.as_tensor, results))

    def dtypes(self):
        """All dtypes of operands and results, for backends that lack some."""
        return {t.dtype for t in (*self.tensors, *self.expected)}

    def program(self, dynamic=False, literals=False):
        """The text of a program with the op in @main. `dynamic` makes all sizes unknown except those of Fixed tensors.

        With `literals`, tensors are constants of the program and @main has no arguments.
        """
        return program([self], dynamic, literals)

    def check(self, results):
        """Asserts that arrays from a backend equal PyTorch's results."""
        assert len(results) == len(self.expected)
        for result, expected in zip(results, self.expected):
            want = to_numpy(expected)
            got = np.asarray(result)
            assert got.shape == want.shape, f"expected shape {want.shape}, got {got.shape}"
            rtol, atol = _TOLERANCES.get(expected.dtype, (0, 0))
            if expected.dtype in (torch.bfloat16, torch.float16):
                got, want = got.astype(np.float32), want.astype(np.float32)
            elif expected.is_floating_point() or expected.is_complex():
                # Where the terms of a sum cancel, the result may be much smaller than the terms, and so relatively
                # imprecise. The largest element stands for the size of the terms.
                finite = np.abs(want[np.isfinite(want)])
                atol *= max(1.0, finite.max(initial=0))
            np.testing.assert_allclose(got, want, rtol=rtol, atol=atol)


def to_numpy(tensor):
    if tensor.dtype in (torch.bfloat16, torch.float8_e5m2, torch.float8_e4m3fn):
        import ml_dtypes

        bits = torch.int16 if tensor.dtype == torch.bfloat16 else torch.int8
        return tensor.view(bits).numpy().view(getattr(ml_dtypes, str(tensor.dtype).removeprefix("torch.")))
    return tensor.resolve_conj().numpy()  # computes a conjugation that PyTorch only marks


def _tensors_in(args):
    for arg in args:
        if isinstance(arg, (torch.Tensor, Fixed, RunTime)):
            yield arg
        elif isinstance(arg, (list, tuple)):
            yield from _tensors_in(arg)


def _unwrap(arg):
    if isinstance(arg, Fixed):
        return arg.tensor
    if isinstance(arg, RunTime):
        return arg.number
    if isinstance(arg, (list, tuple)):
        return type(arg)(map(_unwrap, arg))
    return arg


def _described(arg):
    """The description of an argument, in characters that pytest's option -k accepts."""
    if isinstance(arg, torch.Tensor):
        return f"{_described(arg.dtype)}[{'x'.join(map(str, arg.shape))}]"
    if isinstance(arg, Fixed):
        return f"fixed:{_described(arg.tensor)}"
    if isinstance(arg, RunTime):
        return f"runtime:{arg.number}"
    if isinstance(arg, (list, tuple)):
        return f"[{'/'.join(map(_described, arg))}]"
    text = _DTYPES[arg][0] if isinstance(arg, torch.dtype) else str(arg)
    return re.sub(r"[^\w:+.\-]+", "_", text)


def table():
    """Returns an empty list of cases, and a function that adds one: case(op, *args), with fields of Case by name."""
    cases, names = [], collections.Counter()

    def case(op, *args, **fields):
        name = Case(op, args).name
        cases.append(Case(op, args, names[name], **fields))
        names[name] += 1

    return cases, case


def _tensor_type(tensor, dynamic):
    sizes = ",".join("?" if dynamic else str(size) for size in tensor.shape)
    return f"!torch.vtensor<[{sizes}],{_DTYPES[tensor.dtype][0]}>"


def _float_text(value):
    """The text of a float. MLIR writes infinities and NaN as their bits."""
    return f"{value:.17e}" if np.isfinite(value) else f"0x{np.float64(value).view(np.uint64):016X}"


def _call(op, operands):
    """The text of an op without its result types. Operands are pairs of a name and a type."""
    return f"torch.{op} {', '.join(name for name, _ in operands)} : {', '.join(type_ for _, type_ in operands)} -> "


def _literal_text(tensor):
    """The bytes of a tensor as MLIR's dense<...>. Bools are packed into bits."""
    data = to_numpy(tensor)
    data = np.packbits(data, bitorder="little") if tensor.dtype == torch.bool else np.ascontiguousarray(data)
    return f'dense<"0x{data.tobytes().hex()}">' if data.size else "dense<>"


def program(cases, dynamic=False, literals=False):
    """The text of a program with the ops of all cases in one @main.

    It takes the inputs of all cases, one case after the other, and returns all their results.
    """
    writer = _Program(dynamic, literals)
    for each in cases:
        writer.add(each)
    return writer.text()


def inputs_of(cases):
    """The arguments of `program(cases)`."""
    return [array for each in cases for array in each.inputs]


class _Program:
    """Writes the text of a program that holds cases."""

    def __init__(self, dynamic, literals):
        self.dynamic, self.literals = dynamic, literals
        self.arguments, self.lines, self.constants = [], [], 0
        self.results, self.types = [], []

    def text(self):
        returned = ", ".join(self.types)
        body = "\n".join("  " + line for line in self.lines)
        type_ = f"({returned})" if len(self.types) > 1 else returned
        return (
            f"func.func @main({', '.join(self.arguments)}) -> {type_} {{\n{body}\n"
            f"  return {', '.join(self.results)} : {returned}\n}}\n"
        )

    def add(self, case):
        schema = case.overload._schema
        operands = []
        for i, argument in enumerate(schema.arguments):
            value = case.args[i] if i < len(case.args) else argument.default_value
            operands.append(self.operand(value, str(argument.type)))
        types = [_tensor_type(t, self.dynamic) for t in case.expected]
        op = _call(case.op, operands)
        result = str(schema.returns[0].type)
        if result == "number":
            result = {torch.bool: "bool", torch.int64: "int"}.get(case.expected[0].dtype, "float")
        if result == "List[Tensor]":
            op = _call("prim.ListUnpack", [self.line(op + "!torch.list<vtensor>", "!torch.list<vtensor>")])
        elif result in ("bool", "int"):
            op = _call("prim.NumToTensor.Scalar", [self.line(f"{op}!torch.{result}", f"!torch.{result}")])
        elif result == "float":
            number = self.line(f"{op}!torch.float", "!torch.float")
            op = _call("aten.full", [self.operand([], "int"), number, *[self.operand(None, "")] * 4])
        unused = [str(each.type) for each in schema.returns[len(types) :]] if result == "Tensor" else []
        # Type rules do not know what else a device's kernel returns; an exported program declares it.
        tensor = "!torch.vtensor<[1],f32>" if case.reference else "!torch.vtensor"
        rest = ["!torch.int" if type_ == "int" else tensor for type_ in unused]
        first = len(self.results)
        names = [f"%r{first + i}" for i in range(len(types))]
        left = names + [f"%u{first}_{i}" for i in range(len(rest))]
        self.lines.append(f"{', '.join(left)} = {op}{', '.join(types + rest)}")
        self.results += names
        self.types += types

    def operand(self, value, kind):
        """Returns the name and type of an argument of the op."""
        if isinstance(value, (torch.Tensor, Fixed)):
            fixed = isinstance(value, Fixed)
            name = f"%a{len(self.arguments)}"
            type_ = _tensor_type(_unwrap(value), self.dynamic and not fixed)
            if self.literals:
                tensor = _unwrap(value)
                shape = "x".join([*map(str, tensor.shape), _DTYPES[tensor.dtype][0]])
                return self.line(f"torch.vtensor.literal({_literal_text(tensor)} : tensor<{shape}>) : {type_}", type_)
            self.arguments.append(f"{name}: {type_}")
            return name, type_
        if isinstance(value, RunTime):
            kind = type(value.number).__name__
            cast = _call(f"aten.{kind.capitalize()}.Tensor", [self.operand(value.tensor, "Tensor")])
            return self.line(f"{cast}!torch.{kind}", f"!torch.{kind}")
        if isinstance(value, (list, tuple)):
            elements = [self.operand(v, kind) for v in value]
            kinds = {"Optional[Tensor]": "optional<vtensor>", "Tensor": "vtensor", "bool": "bool", "float": "float"}
            element = next((text for name, text in kinds.items() if name in kind), "int")
            return self.line(
                f"torch.prim.ListConstruct {', '.join(n for n, _ in elements)} : "
                f"({', '.join(t for _, t in elements)}) -> !torch.list<{element}>",
                f"!torch.list<{element}>",
            )
        if value is None:
            return self.line("torch.constant.none", "!torch.none")
        if isinstance(value, bool):
            return self.line(f"torch.constant.bool {str(value).lower()}", "!torch.bool")
        if isinstance(value, torch.dtype):
            return self.line(f"torch.constant.int {_DTYPES[value][1]}", "!torch.int")
        if isinstance(value, float) or kind == "float":
            return self.line(f"torch.constant.float {_float_text(float(value))}", "!torch.float")
        if isinstance(value, int):
            return self.line(f"torch.constant.int {value}", "!torch.int")
        if isinstance(value, str):
            return self.line(f'torch.constant.str "{value}"', "!torch.str")
        raise TypeError(f"no torch constant for {value!r}")

    def line(self, operation, type_):
        name = f"%c{self.constants}"
        self.constants += 1
        self.lines.append(f"{name} = {operation}")
        return name, type_


# Makes example tensors. It is separate from PyTorch's default generator so that every run has the same tensors.
_generator = torch.Generator()


def run_families(*families):
    """Calls functions that add cases. Each starts from the same seed, so its tensors do not depend on the others."""
    for family in families:
        _generator.manual_seed(20)
        family()


def real(*sizes, dtype=torch.float32, low=-3.0, high=3.0):
    """Random numbers of a floating-point dtype."""
    values = torch.rand(sizes, generator=_generator, dtype=torch.float64) * (high - low) + low
    return values.to(dtype)


def whole(*sizes, dtype=torch.int64, low=-9, high=10):
    """Integers in [low, high)."""
    return torch.randint(low, high, sizes, generator=_generator).to(dtype)


def flags(*sizes):
    return torch.rand(sizes, generator=_generator) < 0.5


def complexes(*sizes, dtype=torch.float32):
    return torch.complex(real(*sizes, dtype=dtype), real(*sizes, dtype=dtype))


def different(*sizes):
    """Numbers that are all different, in random order, so that sorting them has one answer."""
    count = int(np.prod(sizes))
    return torch.randperm(count, generator=_generator).reshape(sizes).to(torch.float32) - count / 2


def tensor(values, dtype=None):
    return torch.tensor(values, dtype=dtype)


F16, BF16, F32, F64 = torch.float16, torch.bfloat16, torch.float32, torch.float64
I8, I16, I32, I64, U8 = torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8
INF, NAN = float("inf"), float("nan")
SPECIAL = tensor([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, INF, -INF, NAN])

CASES, case = table()


def _pointwise():
    for op in ("abs", "ceil", "floor", "neg", "round", "sign"):
        case(f"aten.{op}", real(2, 3))
        case(f"aten.{op}", SPECIAL)
        case(f"aten.{op}", whole(4))
        case(f"aten.{op}", real(5, dtype=F64))
    case("aten.abs", whole(4, dtype=U8, low=0, high=255))
    for op in ("atan", "cos", "erf", "exp", "sigmoid", "sin", "tanh"):
        case(f"aten.{op}", real(2, 3))
        case(f"aten.{op}", SPECIAL)
        case(f"aten.{op}", real(7, dtype=F64))
        case(f"aten.{op}", real(4, dtype=BF16))
        case(f"aten.{op}", real(4, dtype=F16))
        case(f"aten.{op}", whole(4, dtype=I32))
        case(f"aten.{op}", real(65, low=-6, high=6))
    for op in ("log", "reciprocal", "rsqrt", "sqrt"):
        case(f"aten.{op}", real(2, 3, low=0.1))
        case(f"aten.{op}", SPECIAL)
        case(f"aten.{op}", real(3, dtype=F64, low=0.1))
        case(f"aten.{op}", whole(4, low=1))
    case("aten.isnan", SPECIAL)
    case("aten.isnan", whole(3))
    case("aten.bitwise_not", whole(2, 3))
    case("aten.bitwise_not", flags(4))
    case("aten.bitwise_not", whole(4, dtype=U8, low=0, high=255))
    case("aten.logical_not", real(3).round())
    case("aten.logical_not", flags(2, 3))
    case("aten.logical_not", tensor([0, 1, -2]))

    for op in ("add", "sub"):
        case(f"aten.{op}.Tensor", real(2, 3), real(2, 3))
        case(f"aten.{op}.Tensor", real(2, 1, 3), real(4, 1))
        case(f"aten.{op}.Tensor", real(2, 3), real(2, 3), 2.5)
        case(f"aten.{op}.Tensor", whole(2, 3), whole(3), 3)
        case(f"aten.{op}.Tensor", real(2, 3), whole(3, dtype=I32))
        case(f"aten.{op}.Tensor", real(2, 3, dtype=F16), real(3, dtype=BF16))
        case(f"aten.{op}.Tensor", whole(4, dtype=U8, low=0), whole(1, dtype=U8, low=0))
        case(f"aten.{op}.Tensor", real(2, 3, dtype=F16), real(dtype=F64))
    case("aten.add.Tensor", flags(4), flags(4))
    case("aten.mul.Tensor", real(2, 3), real(3))
    case("aten.mul.Tensor", flags(4), flags(4))
    case("aten.mul.Tensor", whole(4, dtype=I8), flags(4))
    case("aten.mul.Tensor", real(0, 3), real(1, 3))
    case("aten.div.Tensor", real(2, 3), real(3, low=1))
    case("aten.div.Tensor", whole(2, 3), whole(3, low=1))
    case("aten.div.Tensor", SPECIAL, tensor([0.0]))
    for mode in (None, "trunc", "floor"):
        case("aten.div.Tensor_mode", real(2, 3, low=-9, high=9), real(3, low=1), mode)
        case("aten.div.Tensor_mode", whole(3, 4), tensor([3, -3, 2, -5]), mode)
        case("aten.div.Tensor_mode", tensor([1.0, -1.0, 2.0, 0.0]), tensor([-INF, INF, INF, -INF]), mode)
        for dtype in (I8, I32):
            ends = torch.iinfo(dtype)
            numbers = tensor([ends.min, ends.min, ends.min + 1, ends.max, ends.max], dtype)
            case("aten.div.Tensor_mode", numbers, tensor([3, -3, 7, -4, 2], dtype), mode)
        case("aten.div.Tensor_mode", whole(3, 4, dtype=U8, low=0, high=255), tensor([3, 200, 2, 5], U8), mode)
        # a tenth is not exact in f32
        case(
            "aten.div.Tensor_mode",
            tensor([1.0, -1.0, 6e5, 2.0, INF, -INF]),
            tensor([0.1, 0.1, 0.3, -0.0, -2.0, 0.0]),
            mode,
        )
    for op in ("fmod", "remainder"):
        case(f"aten.{op}.Tensor", real(3, 4, low=-9, high=9), tensor([1.5, -1.5, 2.0, -4.0]))
        case(f"aten.{op}.Tensor", whole(3, 4), tensor([3, -3, 2, -5]))
        case(f"aten.{op}.Tensor", tensor([5.0, -5.0, INF, 1.0, -1.0]), tensor([INF, INF, 2.0, 0.0, -INF]))
        # quotients of up to 34 bits
        case(f"aten.{op}.Tensor", tensor([3e7, -3e7, 1e9, -7e8, 1e37]), tensor([0.3, 0.3, -0.1, 6.2831855, 3e30]))
        for dtype in (F16, BF16):
            case(f"aten.{op}.Tensor", tensor([8.5, -7.25, 0.3, 5.0], dtype), tensor([1.5, -1.5, 2.0, -4.0], dtype))
    for op in ("eq", "ge", "gt", "le", "lt", "ne"):
        case(f"aten.{op}.Tensor", whole(2, 3, low=0, high=3), whole(3, low=0, high=3))
        case(f"aten.{op}.Tensor", tensor([1.0, NAN, INF, -0.0]), tensor([1.0, NAN, 2.0, 0.0]))
        case(f"aten.{op}.Tensor", tensor([1, 200], U8), tensor([100, 100], U8))
        case(f"aten.{op}.Tensor", whole(2, 1, low=0, high=3), real(1, 3).round())
        case(f"aten.{op}.Tensor", flags(2, 3), flags(3))
    for op in ("logical_and", "logical_or", "logical_xor"):
        case(f"aten.{op}", flags(2, 3), flags(3))
        case(f"aten.{op}", real(2, 3).round(), whole(3, low=0, high=2))
    for op in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        case(f"aten.{op}.Tensor", whole(2, 3), whole(3))
        case(f"aten.{op}.Tensor", flags(2, 3), flags(3))
    for op in ("bitwise_left_shift", "bitwise_right_shift"):
        case(f"aten.{op}.Tensor", whole(2, 3), tensor([0, 2, 5]))
        case(f"aten.{op}.Tensor", tensor([200, 7, 255], U8), tensor([1, 2, 7], U8))
        case(f"aten.{op}.Tensor", tensor([200, 200, 1, 1], U8), tensor([8, 33, 32, 255], U8))
        case(f"aten.{op}.Tensor", tensor([-5, 5, -5, 0], I32), tensor([31, 32, 100, 64], I32))
        case(f"aten.{op}.Tensor", tensor([-5, 5, 1], I8), tensor([8, 9, 33], I8))
    for op in ("maximum", "minimum"):
        case(f"aten.{op}", real(2, 3), real(3))
        case(f"aten.{op}", tensor([NAN, 1.0, INF]), tensor([0.0, NAN, 1.0]))
        case(f"aten.{op}", tensor([1, 200], U8), tensor([100, 100], U8))
        case(f"aten.{op}", flags(4), flags(4))
    case("aten.pow.Tensor_Tensor", real(2, 3, low=0.1), real(3))
    case("aten.pow.Tensor_Tensor", tensor([-2.0, -2.0, 0.0, 4.0]), tensor([3.0, 0.5, 0.0, -0.5]))
    case("aten.pow.Tensor_Tensor", tensor([2, -3, 5]), tensor([10, 3, 0]))
    case("aten.pow.Tensor_Tensor", tensor([1, -1, -1, 0, 2, -2], I32), tensor([-3, -3, -2, -1, -1, -2], I32))
    case("aten.pow.Tensor_Tensor", tensor([3, -3, -1, 1, 2], I32), tensor([40, 33, 33, 99, 32], I32))
    case("aten.pow.Tensor_Tensor", tensor([3, 255, 2, 0], U8), tensor([200, 255, 8, 0], U8))
    case("aten.pow.Tensor_Tensor", tensor([-3, -1, 2], I8), tensor([77, -5, -1], I8))
    case("aten.where.self", flags(2, 3), real(2, 3), real(3))
    case("aten.where.self", flags(2, 1), real(3), tensor(0.5))
    case("aten.where.self", flags(3), whole(3), real(3))
    for target in (torch.bool, I8, U8, I32, I64, F16, BF16, F32, F64):
        case("prims.convert_element_type", real(2, 3, low=0, high=9), target)
        case("prims.convert_element_type", whole(2, 3, low=0), target)
    case("prims.convert_element_type", tensor([-2.7, 2.7, -0.5]), I64)
    case("prims.convert_element_type", tensor([0.5, 0.0, NAN]), torch.bool)
    case("prims.convert_element_type", tensor([300, -1, 255]), U8)
    case("prims.convert_element_type", tensor([200, 3], U8), F32)
    case("prims.convert_element_type", flags(4), F32)
    case("prims.convert_element_type", tensor([2.7, 2.0**63, 1.5 * 2.0**63]), torch.uint64)


def _complex():
    case("aten.complex", real(2, 3), real(2, 3))
    case("aten.complex", real(2, 1), real(3))
    case("aten.complex", real(dtype=F64), real(2, dtype=F64))
    for op in ("real", "imag"):
        case(f"aten.{op}", complexes(2, 3))
        case(f"aten.{op}", complexes(4, dtype=F64))
    case("aten.real", real(3))


def _linear():
    case("aten.mm", real(2, 4), real(4, 3))
    case("aten.mm", real(2, 4, dtype=F64), real(4, 3, dtype=F64))
    case("aten.mm", whole(2, 4), whole(4, 3))
    case("aten.bmm", real(3, 2, 4), real(3, 4, 5))
    case("aten.bmm", real(3, 2, 4, dtype=BF16), real(3, 4, 5, dtype=BF16))

    def convolution(x, w, b, stride=(1,), padding=(0,), dilation=(1,), transposed=False, extra=(0,), groups=1):
        n = x.dim() - 2
        spread = lambda v: list(v) * n if len(v) == 1 else list(v)
        bias = None if b is None else Fixed(b)
        case(
            "aten.convolution",
            x,
            Fixed(w),
            bias,
            spread(stride),
            spread(padding),
            spread(dilation),
            transposed,
            spread(extra),
            groups,
        )

    convolution(real(1, 3, 8, 9), real(4, 3, 3, 3), real(4))
    convolution(real(2, 3, 8, 9), real(4, 3, 3, 2), None, stride=(2, 1), padding=(1, 2), dilation=(1, 2))
    convolution(real(2, 4, 7, 7), real(6, 2, 3, 3), real(6), groups=2)
    convolution(real(2, 4, 7, 7), real(4, 1, 3, 3), real(4), padding=(1,), groups=4)
    convolution(real(2, 3, 10), real(5, 3, 3), real(5), stride=(2,))
    convolution(real(1, 2, 5, 6, 7), real(3, 2, 2, 3, 2), real(3), padding=(1,))
    convolution(real(1, 3, 5, 5), real(3, 4, 3, 3), real(4), transposed=True)
    convolution(
        real(1, 4, 5, 6), real(4, 3, 3, 3), None, stride=(2,), padding=(1,), extra=(1,), transposed=True, groups=2
    )
    convolution(real(2, 3, 7), real(3, 2, 4), real(2), stride=(3,), dilation=(2,), padding=(2,), transposed=True)
    # A filter for each channel.
    volume = real(2, 3, 6, 7, 5)
    convolution(volume, real(6, 1, 3, 2, 3), real(6), (2, 1, 2), (1, 0, 2), (2, 3, 1), groups=3)
    convolution(volume, real(3, 2, 3, 2, 2), real(6), (1, 2, 3), (1, 0, 1), (2, 1, 1), True, (0, 1, 2), groups=3)
    convolution(real(2, 3, 4, 5), real(3, 2, 3, 2), real(6), (2, 3), (1, 0), (1, 2), True, (1, 0), groups=3)


def _nn():
    for n in (1, 2, 3):
        x = real(2, 3, *(7, 8, 6)[:n])
        k = [3, 2, 2][:n]
        case(f"aten.max_pool{n}d", x, k)
        case(f"aten.max_pool{n}d", x, k, [2, 1, 2][:n], [1, 0, 1][:n], [1, 2, 1][:n])
        case(f"aten.max_pool{n}d", x, k, [2] * n, [1] * n, [1] * n, True)
        case(f"aten.avg_pool{n}d", x, k)
        case(f"aten.avg_pool{n}d", x, k, [2] * n, [1] * n)
        case(f"aten.avg_pool{n}d", x, k, [2] * n, [1] * n, False, False)
        case(f"aten.avg_pool{n}d", x, k, [2] * n, [1] * n, True, False)
        case(f"aten.avg_pool{n}d", x, k, [2] * n, [1] * n, True, True)
    case("aten.avg_pool2d", real(3, 6, 6), [2, 2], [2, 2], [0, 0], False, True, 3)
    case("aten.max_pool2d", real(3, 6, 6), [2, 2])
    # One number stands for both dims.
    case("aten.avg_pool2d", real(1, 2, 6, 6), [3], [2], [1])
    case("aten.max_pool2d", real(1, 2, 6, 6), [3], [2], [1], [1])
    case("aten.max_pool2d_with_indices", different(1, 2, 6, 6), [3], [2], [1], [1])
    case("aten.max_pool2d_with_indices", different(2, 3, 6, 7), [2, 3], [2, 2], [1, 1])
    case("aten.max_pool2d_with_indices", different(1, 2, 7, 7), [3, 2], [2, 3], [0, 0], [2, 1], True)


def _reduction():
    for op in ("amax", "amin"):
        case(f"aten.{op}", real(2, 3, 4), [1])
        case(f"aten.{op}", real(2, 3, 4), [0, -1], True)
        case(f"aten.{op}", real(2, 3))
        case(f"aten.{op}", whole(2, 3), [1])
        case(f"aten.{op}", tensor([1.0, NAN, 2.0]), [0])
        case(f"aten.{op}", tensor([1, 200], U8), [0])
        case(f"aten.{op}", flags(2, 3), [1])
    for op in ("argmax", "argmin"):
        case(f"aten.{op}", real(2, 3, 4), 1)
        case(f"aten.{op}", real(2, 3, 4), -1, True)
        case(f"aten.{op}", real(2, 3))
        case(f"aten.{op}", tensor([3, 1, 3, 1]), 0)
        case(f"aten.{op}", tensor([1.0, NAN, 2.0]), 0)
    for op in ("cumsum", "cumprod"):
        case(f"aten.{op}", real(2, 3, 4), 1)
        case(f"aten.{op}", real(5), -1)
        case(f"aten.{op}", whole(2, 3, dtype=I32), 1)
        case(f"aten.{op}", whole(2, 3), 0, F32)
    case("aten.sum.dim_IntList", real(2, 3, 4), [1])
    case("aten.sum.dim_IntList", real(2, 3, 4), [0, -1], True)
    case("aten.sum.dim_IntList", real(2, 3), None)
    case("aten.sum.dim_IntList", real(2, 3), [])
    case("aten.sum.dim_IntList", whole(2, 3, dtype=I32), [1])
    case("aten.sum.dim_IntList", flags(2, 3), [1])
    case("aten.sum.dim_IntList", real(2, 300, dtype=BF16, low=0), [1])
    case("aten.sum.dim_IntList", whole(2, 3), [1], False, F32)
    case("aten.prod.dim_int", real(2, 3, 4), 1)
    case("aten.prod.dim_int", whole(2, 3), -1, True)
    for descending in (False, True):
        case("aten.sort.stable", different(3, 5), True, -1, descending)
        case("aten.sort.stable", different(3, 5), True, 0, descending)
        case("aten.sort.stable", whole(3, 40, low=0, high=4), True, -1, descending)
        case("aten.sort.stable", tensor([3.0, NAN, -INF, INF, 0.0]), True, 0, descending)
        case("aten.topk", different(3, 6), 2, -1, not descending)
        case("aten.topk", different(5, 3), 3, 0, not descending)
    case("aten.topk", whole(1, 4, dtype=I32), 1)


def _view():
    case("aten.cat", [real(2, 3), real(4, 3)])
    case("aten.cat", [real(2, 3), real(2, 1), real(2, 2)], -1)
    case("aten.cat", [real(2), whole(3)])
    case("aten.constant_pad_nd", real(2, 3), [1, 2], 0.5)
    case("aten.constant_pad_nd", real(2, 3, 4), [1, 0, -1, 2])
    case("aten.constant_pad_nd", whole(2, 3), [-1, 1], 7)
    case("aten.expand", real(1, 3), [2, 3])
    case("aten.expand", real(3, 1), [2, -1, 4])
    case("aten.flip", real(2, 3, 4), [0, -1])
    case("aten.permute", real(2, 3, 4), [2, 0, -2])
    case("aten.slice.Tensor", real(5, 3), 0, 1, 4)
    case("aten.slice.Tensor", real(5, 7), 1, -6, -1, 2)
    case("aten.slice.Tensor", real(5, 3))
    case("aten.slice.Tensor", real(5, 3), -1, 2, 9223372036854775807)
    case("aten.slice.Tensor", real(5, 3), 0, -99, 99, 3)
    case("aten.slice.Tensor", real(5, 3), 0, 4, 2)
    case("aten.unsqueeze", real(2, 3), 1)
    case("aten.unsqueeze", real(2, 3), -1)
    case("aten.view", real(2, 3, 4), [6, 4])
    case("aten.view", real(2, 3, 4), [2, -1])
    case("aten.view", real(6), [3, 2])
    case("aten.view", real(1), [])
    case("aten.view", real(), [1, 1])
    case("aten.view.dtype", real(2, 3), I32)
    case("aten.view.dtype", whole(2, 3, dtype=I32, low=0, high=2**30), F32)
    case("aten.view.dtype", real(2, 3), F32)
    case("aten.view.dtype", real(2, 3), U8)
    case("aten.view.dtype", real(3, dtype=F64), I16)
    case("aten.view.dtype", whole(2, 8, dtype=I8), I32)
    case("aten.view.dtype", whole(2, 8, dtype=U8, low=0, high=256), I64)
    case("aten.view.dtype", real(4, dtype=BF16), F16)
    case("aten.view.dtype", real(2, 4, dtype=F16), torch.float32)
    case("aten.view.dtype", flags(5), U8)
    case("aten.view.dtype", whole(5, dtype=I8, low=0, high=2), torch.bool)
    case("aten.view.dtype", whole(), F64)
    case("prims.squeeze", real(1, 3, 1), [0])
    case("prims.squeeze", real(1, 3, 1), [0, 2])


def _indexing():
    case("aten.gather", real(3, 4), 1, whole(3, 2, low=0, high=4))
    case("aten.gather", real(3, 4), 0, whole(2, 3, low=0, high=3))
    case("aten.gather", real(2, 3, 4), -1, whole(2, 2, 5, low=0, high=4))
    case("aten.index_select", real(3, 4), 1, whole(5, low=0, high=4))
    case("aten.index_select", real(3, 4), 0, whole(2, low=0, high=3, dtype=I32))
    case("aten.index.Tensor", real(5, 4), [whole(3, low=-5, high=5)])
    case("aten.index.Tensor", real(5, 4), [None, whole(2, 3, low=0, high=4)])
    case("aten.index.Tensor", real(5, 4, 3), [whole(2, 1, low=0, high=5), whole(3, low=0, high=4)])
    case("aten.index.Tensor", real(5, 4, 3), [whole(2, low=0, high=5), None, whole(2, low=0, high=3)])
    case("aten.index.Tensor", real(2, 5, 4, 3), [None, whole(2, low=0, high=5), whole(2, low=-4, high=4)])
    case("aten.index_put", real(5, 4), [tensor([0, 3, -1])], real(3, 4))
    case("aten.index_put", real(5, 4), [tensor([0, 3, 3])], real(3, 4), True)
    case("aten.index_put", real(5, 4), [tensor([0, 3]), tensor([1, 2])], real(2))
    case("aten.index_put", real(5, 4), [tensor([0, 3]), tensor([1, 2])], tensor(9.0))
    case("aten.index_put", real(5, 4), [None, tensor([1, 2])], real(5, 2))
    case("aten.scatter.src", real(3, 5), 1, tensor([[0, 2], [4, 1], [3, 0]]), real(3, 2))
    case("aten.scatter.src", real(3, 5), 0, tensor([[0, 2, 1, 0, 2]]), real(2, 5))
    for reduce in ("sum", "prod", "amax", "amin", "mean"):
        for include_self in (True, False):
            case(
                "aten.scatter_reduce.two",
                real(3, 5),
                1,
                tensor([[0, 2, 0], [4, 1, 1], [3, 0, 3]]),
                real(3, 3),
                reduce,
                include_self,
            )
    case("aten.nonzero", flags(2, 3))
    for x in (tensor([2.5]), tensor([False]), tensor([[True]])):
        case("aten.nonzero", x)


def _creation():
    case("aten.arange.start_step", 0, 10, 3)
    case("aten.arange.start_step", 1.0, 2.0, 0.25)
    case("aten.arange.start_step", 5, -5, -2)
    case("aten.arange.start_step", 0, 4, 1, F32)
    case("aten.full", [2, 3], 1.5)
    case("aten.full", [2], 7, I32)
    case("aten.full", [], True)
    case("aten.full", [4], 2.0, BF16)


def _scalar():
    def scalars(op, *args):
        """Adds a case with constants, which are folded, and one with numbers that are known only at run time."""
        case(op, *args)
        case(op, *map(RunTime, args))

    for op in ("add", "sub", "mul", "floordiv", "remainder"):
        for numbers in ((7, 3), (-7, 3), (7, -3), (-6, -3)):
            scalars(f"aten.{op}.int", *numbers)
    for op in ("eq", "ge", "gt", "le", "lt", "ne"):
        for numbers in ((2, 3), (3, 3), (3, -4)):
            scalars(f"aten.{op}.int", *numbers)
    for op in ("max", "min"):
        scalars(f"prim.{op}.int", 2, -3)
        scalars(f"prim.{op}.int", -5, 4)
    scalars("aten.neg.int", 5)
    for op in ("add", "sub", "mul", "div"):
        scalars(f"aten.{op}.float", 7.5, -2.25)
    scalars("aten.div.float", 1.0, 3.0)
    for op in ("ceil", "floor"):
        for number in (2.5, -2.5, 3.0):
            scalars(f"aten.{op}.float", number)
    for op in ("__and__", "__or__"):
        for numbers in ((True, True), (True, False), (False, False)):
            scalars(f"aten.{op}.bool", *numbers)
    for flag in (True, False):
        scalars("aten.__not__", flag)
        scalars("aten.Int.bool", flag)
        scalars("prim.NumToTensor.Scalar", flag)
    for number in (0, 1, -2):
        scalars("aten.Bool.int", number)
        scalars("prim.NumToTensor.Scalar", number)
    scalars("prim.NumToTensor.Scalar", 0.1)
    for number in (3, -2.75, 2.75):
        scalars("aten.Int.Scalar", number)
        scalars("aten.Float.Scalar", number)
        for op in ("Bool", "Float", "Int"):
            case(f"aten.{op}.Tensor", tensor(number))
    case("aten.Bool.Tensor", tensor(0.0))
    case("aten.Float.Tensor", tensor(True))
    case("aten.Int.Tensor", tensor(True))
    case("aten.Bool.Tensor", tensor([[0.5]]))
    case("aten.Int.Tensor", tensor([300], I16))
    case("aten.size.int", real(2, 3), 1)
    case("aten.size.int", real(2, 3), -2)


def _windows():
    """Windows that are larger than the padded input."""
    for counts_padding in (True, False):
        case("aten.avg_pool2d", Fixed(real(2, 5, 1, 3)), [4096, 4], [4096, 2], [1, 1], True, counts_padding)
    case("aten.max_pool2d_with_indices", Fixed(different(2, 5, 1, 3)), [8, 4], [8, 2], [0, 1], [1, 1], True)


run_families(_pointwise, _complex, _linear, _nn, _reduction, _view, _indexing, _creation, _scalar, _windows)
