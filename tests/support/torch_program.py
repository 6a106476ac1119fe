"""Runs text of the torch dialect with PyTorch itself, op by op.

This is an independent check of every pass from torch to torch, since PyTorch's own kernels compute the
results. Each result is also compared with its type in the text, which reveals wrong type rules.

The text must have one op per line, as isthmus-opt prints it.
"""

import math
import re
import struct

import numpy as np
import torch

from tests.support import op_namespaces

_DTYPES = {
    "i1": torch.bool,
    "ui8": torch.uint8,
    "si8": torch.int8,
    "si16": torch.int16,
    "si32": torch.int32,
    "si64": torch.int64,
    "ui16": torch.uint16,
    "ui32": torch.uint32,
    "ui64": torch.uint64,
    "f8E4M3FN": torch.float8_e4m3fn,
    "f8E4M3FNUZ": torch.float8_e4m3fnuz,
    "f8E5M2": torch.float8_e5m2,
    "f8E5M2FNUZ": torch.float8_e5m2fnuz,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "f32": torch.float32,
    "f64": torch.float64,
    "complex<f32>": torch.complex64,
    "complex<f64>": torch.complex128,
}
# The numbers of c10::ScalarType, which stand for dtypes in ATen's arguments.
_DTYPE_OF_CODE = {
    0: torch.uint8,
    1: torch.int8,
    2: torch.int16,
    3: torch.int32,
    4: torch.int64,
    5: torch.float16,
    6: torch.float32,
    7: torch.float64,
    9: torch.complex64,
    10: torch.complex128,
    11: torch.bool,
    15: torch.bfloat16,
    23: torch.float8_e5m2,
    24: torch.float8_e4m3fn,
    25: torch.float8_e5m2fnuz,
    26: torch.float8_e4m3fnuz,
    27: torch.uint16,
    28: torch.uint32,
    29: torch.uint64,
}
_VALUE = r"%[\w.$-]+(?:#\d+)?"
_RESULT = r"%[\w.$-]+(?::\d+)?"
_ASSIGNMENT = re.compile(rf"(?P<results>{_RESULT}(?:, {_RESULT})*) = (?P<op>.*)")
_TERMINATOR = re.compile(r"(func\.)?return\b|torch\.prim\.(If\.yield|Loop\.condition)\b")
_TENSOR_TYPE = re.compile(r"!torch\.vtensor<\[([\d?,]*)\],([\w<>]+)>")


class TorchProgram:
    """A module of the torch dialect."""

    def __init__(self, text):
        self.resources = dict(re.findall(r'^\s*"?([\w.$:/-]+)"?: "0x[0-9A-Fa-f]{8}([0-9A-Fa-f]*)"', text, re.MULTILINE))
        self.functions = {}
        for line in map(str.strip, text.splitlines()):
            function = re.match(r"func\.func .*?@(\w+)\(", line)
            if function:
                lines = self.functions[function[1]] = []
            if self.functions:
                lines.append(line)

    def run(self, *arguments, function="main"):
        """Returns the results of a function, as a list."""
        signature, *lines = self.functions[function]
        names = re.findall(rf"({_VALUE}): ", signature)
        assert len(names) == len(arguments), f"expected {len(names)} arguments, got {len(arguments)}"
        return self._block(lines, dict(zip(names, arguments)))

    def _block(self, lines, values):
        """Runs the ops of a block; returns the operands of its terminator."""
        lines = iter(lines)
        for line in lines:
            if _TERMINATOR.match(line):
                return [values[name] for name in re.findall(_VALUE, line)]
            if line.startswith("torch.runtime.assert "):
                condition, message = re.fullmatch(rf'\S+ ({_VALUE}), "(.*)"', line).groups()
                if not values[condition]:
                    raise RuntimeError(message)
            elif re.search(r"= torch\.prim\.(If|Loop) |^torch\.prim\.(If|Loop) ", line):
                self._control_flow(line, lines, values)
            else:
                self._step(line, values)
        raise ValueError("expected a block to end in a terminator")

    def _control_flow(self, line, lines, values):
        names, op = _split_assignment(line) if " = " in line else ([], line)
        operands = [values[v] for v in re.findall(_VALUE, op)]
        if op.startswith("torch.prim.If "):
            branches = [_region(lines), _region(lines)]
            results = self._block(branches[0 if operands[0] else 1], dict(values))
        else:
            trip_count, condition, *results = operands
            header, *body = _region(lines)
            arguments = re.findall(rf"({_VALUE}): ", header)
            number = 0
            while condition and number < trip_count:
                inner = values | dict(zip(arguments, [number, *results]))
                condition, *results = self._block(body, inner)
                number += 1
        assert len(names) == len(results), f"expected {len(names)} results, got {len(results)}"
        values.update(zip(names, results))

    def _step(self, line, values):
        names, op = _split_assignment(line)
        results = self._evaluate(op, values)
        if len(names) == 1:
            results = [results]
        assert len(names) == len(results), f"expected {len(names)} results, got {len(results)}"
        values.update(zip(names, results))
        _check_types(line, results)

    def _evaluate(self, op, values):
        name, _, rest = op.partition(" ")
        if name == "torch.constant.none":
            return None
        if name.startswith("torch.constant."):
            return _scalar(name.rsplit(".", 1)[1], rest)
        if op.startswith("torch.vtensor.literal("):
            return self._literal(op)
        operator = re.match(r'torch\.operator "([^"]+)"', op)
        if operator:
            name, rest = "torch." + operator[1], rest[len(operator[1]) + 3 :]
        operands = [values[v] for v in re.findall(_VALUE, rest.split(" : ")[0])]
        if name == "torch.prim.ListConstruct":
            return operands
        if name in ("torch.tensor_static_info_cast", "torch.derefine"):
            return operands[0]
        return _call(name, operands)

    def _literal(self, op):
        value, sizes, element = re.search(r"\((dense(?:_resource)?<.*>) : tensor<((?:\d+x)*)(.*)>\) :", op).groups()
        sizes = [int(size) for size in sizes.split("x")[:-1]]
        dtype = _DTYPES[element]
        if value.startswith("dense_resource"):
            data = bytes.fromhex(self.resources[value[len("dense_resource<") : -1].strip('"')])
        else:
            elements = value[len("dense<") : -1]
            if not elements.startswith('"0x'):
                flat = [_number(e, dtype) for e in re.findall(r"[^\s\[\],()]+", elements)]
                if dtype.is_complex:
                    flat = [complex(re_, im) for re_, im in zip(flat[::2], flat[1::2])]
                splat = "[" not in elements and math.prod(sizes) != len(flat)
                result = torch.tensor(flat, dtype=dtype)
                return result.expand(sizes).clone() if splat else result.reshape(sizes)
            data = bytes.fromhex(elements[3:-1])
        if dtype == torch.bool:
            bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
            return torch.from_numpy(bits[: math.prod(sizes)].astype(bool)).reshape(sizes)
        return torch.frombuffer(bytearray(data), dtype=dtype).reshape(sizes)


def _split_assignment(line):
    """The result names of a line, and its op."""
    assignment = _ASSIGNMENT.fullmatch(line)
    if not assignment:
        raise ValueError(f"expected '%result = op', got '{line}'")
    names = []
    for result in assignment["results"].split(", "):
        name, _, count = result.partition(":")
        names += [f"{name}#{i}" for i in range(int(count))] if count else [name]
    return names, assignment["op"]


def _region(lines):
    """The lines up to the brace that closes the current region."""
    body, depth = [], 0
    for line in lines:
        if line.startswith("}"):
            if depth == 0:
                return body
            depth -= 1
        if line.endswith("{"):
            depth += 1
        body.append(line)
    raise ValueError("expected a region to be closed")


def _scalar(kind, text):
    text = text.split(" : ")[0].strip()
    if kind == "int":
        return int(text)
    if kind == "float":
        return _number(text, torch.float64)
    if kind == "bool":
        return text == "true"
    return text.strip('"')


def _number(text, dtype):
    if text in ("true", "false"):
        return text == "true"
    if not (dtype.is_floating_point or dtype.is_complex):
        return int(text, 0)
    if text.startswith("0x"):  # the bits of a number that has no decimal spelling
        width = {torch.float64: 8, torch.complex128: 8, torch.float16: 2, torch.bfloat16: 2}.get(dtype, 4)
        bits = int(text, 16)
        if dtype == torch.bfloat16:
            bits, width = bits << 16, 4
        code = {8: "<d", 4: "<f", 2: "<e"}[width]
        return struct.unpack(code, bits.to_bytes(width, "little"))[0]
    return float(text)


def _call(name, operands):
    overload = op_namespaces.overload_of(name.removeprefix("torch."))
    positional, named = [], {}
    for argument, value in zip(overload._schema.arguments, operands):
        if argument.name == "dtype" and value is not None:
            value = _DTYPE_OF_CODE[value]
        # The way in which a tensor is stored does not change its elements.
        if argument.name in ("layout", "pin_memory"):
            value = None
        if argument.kwarg_only:
            named[argument.name] = value
        else:
            positional.append(value)
    if overload is torch.ops.aten.view.default:  # the tensor may not be contiguous here
        return positional[0].reshape(positional[1])
    return overload(*positional, **named)


def _check_types(line, results):
    """Compares the last types of a line, those of its results, with the results."""
    types = line[line.rindex(" : ") :] if " : " in line else ""
    types = types.rsplit(" -> ", 1)[-1].rsplit(" to ", 1)[-1]
    types = _TENSOR_TYPE.findall(types)
    tensors = [r for r in results if isinstance(r, torch.Tensor)]
    if len(types) != len(tensors):
        return
    for (sizes, dtype), tensor in zip(types, tensors):
        sizes = [s for s in sizes.split(",") if s]
        known = all(s in ("?", str(size)) for s, size in zip(sizes, tensor.shape))
        if len(sizes) != tensor.dim() or not known or _DTYPES.get(dtype, tensor.dtype) != tensor.dtype:
            raise TypeError(f"PyTorch's result is {tensor.dtype} {list(tensor.shape)}: {line}")
