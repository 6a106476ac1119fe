"""Converts MLIR text between versions of MLIR, which differ in the bytes of i1 constants."""

import math
import re

import numpy as np


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
