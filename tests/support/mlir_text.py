"""Compares MLIR text, and converts it between versions of MLIR, which differ in the bytes of i1 constants."""

import hashlib
import math
import re

import numpy as np

_CONSTANT = re.compile(r'\s*(%\w+) = "?(?:arith\.constant|tosa\.const|mhlo\.constant|stablehlo\.constant)"?\b(.*)')
_RESOURCE = re.compile(r'\s*([\w.$]+|"[^"]*"): "0x(\w+)",?')
_HEX = re.compile(r'dense<"0x(\w+)">')
_VALUE = re.compile(r"%\w+")


def normalized(lines):
    """Returns the lines of a program's text, with each constant written in place of its uses.

    They are equal for programs that differ only in the position of constants, the number of equal constants, the names
    of values, and whether elements are in an attribute or in a resource.
    """
    code, constants, resources = [], {}, {}
    for line in map(str.rstrip, lines):
        if match := _RESOURCE.fullmatch(line):
            resources[match[1]] = _digest(match[2][8:])  # after its alignment
        else:
            code.append(_HEX.sub(lambda match: _digest(match[1]), line))

    def with_resources(text):
        return re.sub(r'dense_resource<([\w.$]+|"[^"]*")>', lambda match: resources[match[1]], text)

    names, result = {}, []

    def rename(match):
        name = match[0]
        return constants.get(name) or names.setdefault(name, f"%{len(names)}")

    for line in code:
        if match := _CONSTANT.fullmatch(line):
            constants[match[1]] = f"({with_resources(match[2]).strip()})"
        elif line.startswith(("{-#", "#-}")) or re.fullmatch(r"\s*(dialect_resources: \{|builtin: \{|\},?)", line):
            continue
        else:
            result.append(_VALUE.sub(rename, with_resources(line)))
    return result


def _digest(data):
    return f"dense<{hashlib.sha256(data.encode()).hexdigest()}>"


def with_bools_as_bytes(text):
    """Returns the text with a byte per element in i1 constants: MLIR 22 prints bits, later ones read bytes."""
    return _with_bools(text, lambda data, count: np.unpackbits(data, bitorder="little")[:count])


def with_bools_as_bits(text):
    """Returns the text of a later MLIR with a bit per element in i1 constants, as MLIR 22 reads them."""
    return _with_bools(text, lambda data, count: np.packbits(data, bitorder="little"))


def _with_bools(text, convert):
    def replace(match):
        count = math.prod(int(size) for size in match[2].split("x")[:-1])
        data = convert(np.frombuffer(bytes.fromhex(match[1]), np.uint8), count)
        return f'dense<"0x{data.tobytes().hex().upper()}"> : tensor<{match[2]}>'

    return re.sub(r'dense<"0x([0-9A-F]+)"> : tensor<((?:\d+x)*i1)>', replace, text)
