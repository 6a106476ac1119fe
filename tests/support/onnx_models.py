"""Helpers to build ONNX models with little code and to import them with isthmus-opt."""

import subprocess
import tempfile
from pathlib import Path

import onnx
from onnx import TensorProto, helper


def value(name, shape=(2, 3), dtype=TensorProto.FLOAT):
    """A graph input or output. A shape of None means unknown rank."""
    return helper.make_tensor_value_info(name, dtype, shape)


def model(nodes, inputs=(), outputs=("y",), opset=28, initializers=(), functions=(), domains=(), **graph):
    """A model of these nodes. Inputs and outputs are names, for float[2, 3], or value infos.

    `domains` are the other domains that it imports: names, of version 1, or a dict of versions.
    """
    versions = domains if isinstance(domains, dict) else dict.fromkeys(domains, 1)

    def infos(values, shape):
        return [value(v, shape) if isinstance(v, str) else v for v in values]

    return helper.make_model(
        helper.make_graph(nodes, "g", infos(inputs, (2, 3)), infos(outputs, None), list(initializers), **graph),
        opset_imports=[helper.make_opsetid("", opset), *(helper.make_opsetid(*d) for d in versions.items())],
        functions=list(functions),
        ir_version=10,
    )


def run(data, *args, folder=None):
    """Runs isthmus-opt on a model, or on the bytes of one, as the file model.onnx of a folder."""
    if isinstance(data, onnx.ModelProto):
        data = data.SerializeToString()
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(folder or scratch, "model.onnx")
        path.write_bytes(data)
        command = ["tools/isthmus-opt/isthmus-opt", str(path), *args]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        done.stderr = done.stderr.replace(str(path), "model.onnx")
        return done


def import_onnx(data, *args, folder=None):
    """The text of the imported model."""
    done = run(data, *args, folder=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def import_errors(data, folder=None):
    """The errors for a model, one per line, without "model.onnx: error: "."""
    done = run(data, folder=folder)
    assert done.returncode == 1, f"expected exit status 1, got {done.returncode}: {done.stderr}"
    assert not done.stdout, "expected no output beside errors"
    lines = done.stderr.splitlines()
    prefix = "model.onnx: error: "
    assert lines and all(line.startswith(prefix) for line in lines), done.stderr
    return [line[len(prefix) :] for line in lines]
