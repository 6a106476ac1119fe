"""Writes a seed corpus for OnnxImporterFuzz: ONNX's own node models, the small ones.

python3 seeds.py FOLDER
"""

import pathlib
import sys

from onnx.backend.test import loader

LARGEST = 4096


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for case in loader.load_model_tests(kind="node"):
        data = case.model.SerializeToString()
        if len(data) <= LARGEST:
            (folder / f"{case.name}.onnx").write_bytes(data)


if __name__ == "__main__":
    main()
