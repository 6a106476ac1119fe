"""Validates TOSA text, writes it as a file of TOSA 1.0 and runs that on Arm's reference model.

The model comes with the tosa-tools wheel, which has an environment of its own. $TOSA_PYTHON is the
interpreter of that environment. One worker process in it serves all calls.
"""

import atexit
import functools
import os
import pathlib
import pickle
import re
import subprocess
import tempfile

import ml_dtypes
import numpy as np

import isthmus

# MLIR's own passes that validate a text against TOSA 1.0.
VALIDATE = [
    "--tosa-attach-target=specification_version=1.0 profiles=pro_int,pro_fp extensions=bf16,int16,controlflow level=8k",
    "--tosa-validate=strict-op-spec-alignment",
]

_BF16 = np.dtype(ml_dtypes.bfloat16)
_DTYPES = {
    "bf16": _BF16,
    "f16": np.float16,
    "f32": np.float32,
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
}


def as_arguments(text, arrays):
    """Returns the arrays, converted to the element types of @main's arguments, such as int64 to int32."""
    signature = re.search(r"func\.func @main\((.*?)\)", text).group(1)
    elements = re.findall(r"tensor<(?:[\d?]+x)*(\w+)>", signature)
    return [np.asarray(a, _DTYPES[e]) for a, e in zip(arrays, elements, strict=True)]


def flatbuffer(text):
    """Returns a program in TOSA as the bytes of a file of TOSA 1.0."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "program.tosa")
        isthmus.parse(text).save(file)
        return file.read_bytes()


def run_reference_model(text, *arrays):
    """Runs @main of static TOSA text and returns its results."""
    # The model takes and returns bf16 as two bytes.
    arrays = [a.view("u2") if a.dtype == _BF16 else a for a in as_arguments(text, arrays)]
    program = flatbuffer(text)
    worker = _worker()
    pickle.dump((program, arrays), worker.stdin)
    worker.stdin.flush()
    error, results = pickle.load(worker.stdout)
    if error:
        raise RuntimeError(f"the TOSA reference model stopped: {error}")
    return [
        np.frombuffer(data, _BF16 if dtype.startswith("|V") else dtype).reshape(shape) for data, dtype, shape in results
    ]


@functools.cache
def _worker():
    program = pathlib.Path(__file__).with_name("tosa_worker.py")
    process = subprocess.Popen([os.environ["TOSA_PYTHON"], program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    atexit.register(process.kill)
    return process
