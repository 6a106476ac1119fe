"""Ops of ai.onnx as custom ops of Linalg, run with ONNX's own reference implementation as kernels.

The models are ONNX's node tests: for each op the first one that can be carried.
"""

import json
import re

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import isthmus
from isthmus import kernels
from tests.EndToEnd.onnx_node_cases import RANDOM, arrays_of, cases_by_op

# Ops that the reference implementation cannot compute from a node alone, and why.
LEFT_OUT = {
    "CastLike": "it passes on attributes that its own Cast does not take",
    "GroupNormalization": "it is a function whose body depends on types",
    "ImageDecoder": "it needs Pillow",
}

DTYPES = {
    "bf16": TensorProto.BFLOAT16,
    "f16": TensorProto.FLOAT16,
    "f32": TensorProto.FLOAT,
    "f64": TensorProto.DOUBLE,
    "i1": TensorProto.BOOL,
    "si32": TensorProto.INT32,
    "si64": TensorProto.INT64,
}


def to_attribute(name, value):
    if name == "to":
        return DTYPES[value]
    return numpy_helper.from_array(value) if isinstance(value, np.ndarray) else value


def count_results(module):
    """Returns how many results the only custom op of a Linalg program has, including unused ones."""
    (says,) = re.findall(r'attributes = "(\{.*?\})", domain', module.text())
    return len(json.loads(re.sub(r"\\([0-9A-F]{2})", lambda code: chr(int(code[1], 16)), says))["results"])


def reference_kernel(op, outputs, count):
    """Returns a kernel that computes an op of ONNX's newest opset.

    `outputs` are the names that a model gives to the op's outputs, and `count` is how many results the kernel must
    return.
    """

    def kernel(*inputs, **attributes):
        names = ["" if array is None else f"x{i}" for i, array in enumerate(inputs)]
        node = helper.make_node(
            op, names, outputs, **{name: to_attribute(name, value) for name, value in attributes.items()}
        )
        given = {name: array for name, array in zip(names, inputs) if name}
        values = [onnx.ValueInfoProto(name=name) for name in given]
        results = [onnx.ValueInfoProto(name=name) for name in outputs if name]
        graph = helper.make_graph([node], "g", values, results)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", onnx.defs.onnx_opset_version())])
        computed = dict(zip(filter(None, outputs), ReferenceEvaluator(model).run(None, given)))
        results = [computed.get(name) for name in outputs] + [None] * (count - len(outputs))
        return results if count > 1 else results[0]

    return kernel


def carried(op):
    """Returns the first model of an op in which Linalg carries the op, with its test case."""
    for case in cases_by_op()[op]:
        if len(case.model.graph.node) == 1:
            try:
                module = isthmus.import_onnx(case.model.SerializeToString()).lower("linalg", custom_ops=[op])
            except isthmus.IsthmusError:
                continue
            if f"onnx.{op}" in module.custom_ops():
                return case, module
    return None, None


OPS = sorted(cases_by_op().keys() - {"functions"} - RANDOM - LEFT_OUT.keys())


@pytest.mark.parametrize("op", OPS)
def test_reference_kernel(op, monkeypatch):
    case, module = carried(op)
    if case is None:
        pytest.skip("tests/EndToEnd/onnx_custom_ops_test.py says why it is not carried")
    monkeypatch.setattr(kernels, "_registered", {})
    outputs = list(case.model.graph.node[0].output)
    isthmus.register_kernel(f"onnx.{op}", reference_kernel(op, outputs, count_results(module)))
    inputs, expected = map(arrays_of, case.data_sets[0])
    for result, want in zip(module.run(*inputs), expected, strict=True):
        if result.dtype.kind in "iu" and want.dtype.itemsize == result.dtype.itemsize:
            result = result.view(want.dtype)
        np.testing.assert_allclose(result.astype(want.dtype), want, rtol=case.rtol, atol=case.atol)
