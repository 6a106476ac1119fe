"""Writes seeds for WeightFilesFuzz: small files of each format of weights.

python3 -m tests.Weights.fuzz.seeds FOLDER
"""

import json
import pathlib
import struct
import sys

from tests.support.fuzz.seeds import write_seeds

# Name, type in MLIR, type in safetensors, shape, bytes.
WEIGHTS = [("w", "f32", "F32", [2, 3], 24), ("scale", "i8", "I8", [5], 5), ("table", "bf16", "BF16", [], 2)]


def manifest(count):
    """A manifest of weights in the file w.bin, from byte 64 on. The last one has a checksum."""
    weights = [
        {"name": name, "type": dtype, "shape": shape, "file": "w.bin", "offset": 64 * (i + 1), "length": size}
        for i, (name, dtype, _, shape, size) in enumerate(WEIGHTS[:count])
    ]
    weights[-1]["checksum"] = "0123456789abcdef"
    return json.dumps({"version": 1, "program": "m.mlir", "weights": weights})


def safetensors(count):
    header, end = {"__metadata__": {"writer": "isthmus", "program": "m.mlir"}}, 0
    for name, _, dtype, shape, size in WEIGHTS[:count]:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [end, end + size]}
        end += size
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + bytes(range(end))


def irpa():
    """The header and a name, as cc/lib/Weights/Irpa.cpp writes them."""
    names = b"isthmus m.mlir\0w"
    header = struct.pack("<4sHHQQQQ", b"IRPA", 0, 0, 88, 0, 0, 0)
    return header + struct.pack("<6Q", 96, 0, 96, len(names), 128, 0) + bytes(8) + names


def main():
    files = [*map(manifest, (1, 2, 3)), *map(safetensors, (1, 2, 3)), irpa()]
    write_seeds(pathlib.Path(sys.argv[1], "weights"), files, "bin")


if __name__ == "__main__":
    main()
