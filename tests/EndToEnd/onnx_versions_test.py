"""Every op of ai.onnx, in each of its versions, computes on Linalg what onnxruntime or ONNX's reference computes.

ONNX's node tests have the newest version of an op. They are written again as the older version: a constant input that was
an attribute becomes one, and a case that the old version cannot say is passed over.
"""

import collections
import copy
import functools
import re
import warnings

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import checker, defs, helper
from onnx.reference import ReferenceEvaluator

from isthmus import onnx_backend
from tests.EndToEnd import old_opsets_test, onnx_old_opsets_test
from tests.EndToEnd.onnx_node_cases import cases_by_op, to_array

RANDOM = "random numbers, see tests/EndToEnd/random_test.py"
SEQUENCES = "cases of several nodes in tests/EndToEnd/onnx_backend_test.py"
STRINGS = "no target has strings"
# Why an op, or a version of it, has no case here.
ELSEWHERE = {
    "Bernoulli": RANDOM,
    "ConcatFromSequence": SEQUENCES,
    "ImageDecoder": "no target decodes files",
    "MaxRoiPool-22": "onnxruntime and the reference have version 1 only, which it extends by bfloat16",
    "Multinomial": RANDOM,
    "Optional": SEQUENCES,
    "RandomNormal": RANDOM,
    "RandomNormalLike": RANDOM,
    "RandomUniform": RANDOM,
    "RandomUniformLike": RANDOM,
    "RegexFullMatch": STRINGS,
    "SequenceAt": SEQUENCES,
    "SequenceConstruct": SEQUENCES,
    "SequenceEmpty": SEQUENCES,
    "SequenceErase": SEQUENCES,
    "SequenceInsert": SEQUENCES,
    "SequenceLength": SEQUENCES,
    "StringConcat": STRINGS,
    "StringNormalizer": STRINGS,
    "StringSplit": STRINGS,
}


@functools.cache
def versions():
    """The schemas of each op of ai.onnx, oldest first."""
    by_op = collections.defaultdict(list)
    for schema in sorted(defs.get_all_schemas_with_history(), key=lambda schema: schema.since_version):
        if not schema.domain and not schema.deprecated:
            by_op[schema.name].append(schema)
    return by_op


def old_cases():
    """The ops and opsets that the tests of old opsets have."""
    for case in old_opsets_test.CASES:
        yield case.op, case.opset
    for model, _, _ in onnx_old_opsets_test.CASES.values():
        yield model.graph.node[-1].op_type, model.opset_import[0].version


@functools.cache
def covered():
    """The versions that the tests of old opsets have a case for."""
    result = set()
    for op, opset in old_cases():
        result.add((op, defs.get_schema(op, opset).since_version))
    return result


NUMBER = {defs.OpSchema.AttrType.INT: int, defs.OpSchema.AttrType.FLOAT: float}
NUMBERS = {defs.OpSchema.AttrType.INTS: int, defs.OpSchema.AttrType.FLOATS: float}


def attribute_of(name, kind, array):
    """An input as an attribute of an older version."""
    if kind in NUMBER and array.size == 1:
        return helper.make_attribute(name, NUMBER[kind](array.item()))
    if kind in NUMBERS:
        return helper.make_attribute(name, [NUMBERS[kind](number) for number in array.ravel()], attr_type=kind.value)
    return None


def downgraded(case, schema):
    """A model of a case in an older version, with its inputs; None if the version cannot say it."""
    model = copy.deepcopy(case.model)
    (node,) = model.graph.node
    newest = defs.get_schema(node.op_type, model.opset_import[0].version)
    arrays = dict(zip((value.name for value in model.graph.input), case.data_sets[0][0]))
    names = []
    for i, name in enumerate(node.input):
        parameter = newest.inputs[min(i, len(newest.inputs) - 1)].name
        if not name or parameter not in schema.attributes:
            names.append(name)
            continue
        made = attribute_of(parameter, schema.attributes[parameter].type, to_array(arrays.pop(name)))
        if made is None:
            return None
        node.attribute.append(made)
    while names and not names[-1]:
        names.pop()
    node.input[:] = names
    inputs = [value for value in model.graph.input if value.name in arrays]
    del model.graph.input[:]
    model.graph.input.extend(inputs)
    model.opset_import[0].version = schema.since_version
    model.ir_version = min(model.ir_version, 10)
    try:
        checker.check_model(model, full_check=True)
    except (checker.ValidationError, onnx.shape_inference.InferenceError):
        return None
    return model, list(arrays.values())


def reference(model, arrays):
    """The results in onnxruntime, or else in ONNX's reference; None if neither has the version."""
    feeds = {value.name: array for value, array in zip(model.graph.input, arrays)}
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        return session.run(None, feeds)
    except Exception:  # onnxruntime has exceptions of many kinds for what it lacks
        pass
    try:
        return ReferenceEvaluator(model).run(None, feeds)
    except Exception:
        return None


def difference(case, schema):
    """None if a case is right in a version, "" if there is no such case, else what is wrong."""
    made = downgraded(case, schema)
    if made is None:
        return ""
    model, arrays = made
    arrays = [to_array(array) if isinstance(array, onnx.TensorProto) else array for array in arrays]
    expected = reference(model, arrays)
    if expected is None:
        return ""
    try:
        results = onnx_backend.prepare(model).run(arrays)
        for result, wanted in zip(results, expected, strict=True):
            largest = np.abs(wanted).max(initial=1) if np.asarray(wanted).dtype.kind == "f" else 1
            np.testing.assert_allclose(result, wanted, rtol=1e-3, atol=1e-5 * largest)
    except Exception as error:
        return f"{case.name}: {str(error).strip().splitlines()[0]}"
    return None


@pytest.mark.parametrize("op", versions())
def test_versions(op):
    cases = [case for case in cases_by_op()[op] if len(case.model.graph.node) == 1]
    problems = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for schema in versions()[op]:
            name = f"{op}-{schema.since_version}"
            if (op, schema.since_version) in covered() or name in ELSEWHERE or op in ELSEWHERE:
                continue
            found = "no case"
            for case in cases:
                found = difference(case, schema)
                if found is None:
                    break
            if found is not None:
                problems[name] = found or "no case"
    assert not problems


def test_exceptions_are_of_known_versions():
    known = versions()
    for name in ELSEWHERE:
        op, _, version = re.fullmatch(r"(\w+?)(-(\d+))?", name).groups()
        assert op in known
        assert not version or int(version) in {schema.since_version for schema in known[op]}
