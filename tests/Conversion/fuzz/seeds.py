"""Writes seeds for LoweringFuzz: programs of lit tests in onnx and torch, and the shortest program of each torch op.

python3 -m tests.Conversion.fuzz.seeds FOLDER
"""

import pathlib
import sys

from tests.CustomOps.fuzz.seeds import smallest_programs
from tests.support.fuzz.seeds import programs_of_tests, write_seeds


def main():
    folders = ["Dialect/Onnx", "Dialect/Torch", "Conversion/OnnxToTorch", "Conversion/Torch"]
    programs = [*programs_of_tests(*(f"{folder}/*.mlir" for folder in folders)), *smallest_programs()]
    write_seeds(pathlib.Path(sys.argv[1], "programs"), programs, "mlir")


if __name__ == "__main__":
    main()
