"""Writes seeds for CallsFuzz: sequences of calls, and models of one node after none.

python3 -m tests.C.fuzz.seeds FOLDER
"""

import pathlib
import random
import sys

import onnx

from tests.support.fuzz.seeds import write_seeds

# Opens a program, lowers it with options, compiles and runs it: see Calls::call for the numbers.
TORCH = bytes([12, 0, 0, 4, 0, 3, 0, 4, 6, *b"target", 6, *b"linalg", 0, 0, 6, 0, 0, 13, 0, 0, 0, 14, 0])


def model():
    value = onnx.helper.make_tensor_value_info
    float_type = onnx.TensorProto.FLOAT
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("Tanh", ["x"], ["y"])],
        "g",
        [value("x", float_type, ["n", 3])],
        [value("y", float_type, None)],
    )
    return onnx.helper.make_model(graph, ir_version=10).SerializeToString()


def main():
    numbers = random.Random(0)
    calls = [TORCH, *(bytes([20]) + numbers.randbytes(size) for size in range(20, 200, 20))]
    write_seeds(pathlib.Path(sys.argv[1], "calls"), [*calls, b"\0" + model()], "bin")


if __name__ == "__main__":
    main()
