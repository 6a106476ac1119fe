"""Every op of ai.onnx is carried as a custom op of every target, or refused for a known reason.

The models are those of ONNX's own node tests that have a single node, and further ones for ops without such a test.
"""

import json
import pathlib

import pytest
from onnx import TensorProto, helper

import isthmus
from tests.EndToEnd import custom_op_outcomes
from tests.EndToEnd.custom_op_outcomes import TARGETS
from tests.EndToEnd.onnx_node_cases import cases_by_op

CONSTANT = "it is a constant of the target"
INPUT = "to be a tensor of known rank and of a dtype that torch has"
SEQUENCE = "expected tensor outputs for a custom op"
SUBGRAPHS = "a node with subgraphs cannot be carried whole"
UPGRADED = "expected the name of an op"

# Ops that are refused in every model, and text that each error message contains.
REFUSED = {
    "Constant": CONSTANT,
    "If": SUBGRAPHS,
    "Loop": SUBGRAPHS,
    "RegexFullMatch": INPUT,  # strings
    "Scan": SUBGRAPHS,
    "Scatter": UPGRADED,  # to ScatterElements
    "SequenceAt": INPUT,
    "SequenceConstruct": SEQUENCE,
    "SequenceEmpty": SEQUENCE,
    "SequenceErase": INPUT,
    "SequenceInsert": INPUT,
    "SequenceLength": INPUT,
    "SequenceMap": INPUT,
    "SplitToSequence": SEQUENCE,
    "StringConcat": INPUT,
    "StringNormalizer": INPUT,
    "StringSplit": INPUT,
    "Upsample": UPGRADED,  # to Resize
}
# Ops that only TOSA refuses in every model. Their models have f64 or, as the second input of CastLike, an empty tensor.
REFUSED_BY_TOSA = {"CastLike": "TOSA has no ", "ReduceLogSumExp": "TOSA has no "}


def tensor(name, shape, dtype=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, dtype, shape)


def sequence(name):
    return helper.make_tensor_sequence_value_info(name, TensorProto.FLOAT, (2, 3))


def model(nodes, inputs, output):
    graph = helper.make_graph(nodes, "g", inputs, [output])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def further():
    """Returns a model of each op that has none among ONNX's node tests."""
    x, y, position = tensor("x", (2, 3)), tensor("y", (2, 3)), tensor("i", (), TensorProto.INT64)
    element = helper.make_tensor_type_proto(TensorProto.FLOAT, (2, 3))
    optional = helper.make_value_info("y", helper.make_optional_type_proto(element))
    node = helper.make_node
    pair = node("SequenceConstruct", ["x", "x"], ["s"])
    image, boxes = tensor("x", (1, 2, 4, 4)), tensor("r", (3, 5))
    return {
        "ConcatFromSequence": model([pair, node("ConcatFromSequence", ["s"], ["y"], axis=0)], [x], tensor("y", (4, 3))),
        "GlobalLpPool": model([node("GlobalLpPool", ["x"], ["y"])], [image], tensor("y", (1, 2, 1, 1))),
        "MaxRoiPool": model(
            [node("MaxRoiPool", ["x", "r"], ["y"], pooled_shape=[2, 2])], [image, boxes], tensor("y", (3, 2, 2, 2))
        ),
        "Multinomial": model(
            [node("Multinomial", ["x"], ["y"], sample_size=4)], [x], tensor("y", (2, 4), TensorProto.INT32)
        ),
        "Optional": model([node("Optional", ["x"], ["y"])], [x], optional),
        "RandomNormal": model([node("RandomNormal", [], ["y"], shape=[2, 3])], [], y),
        "RandomNormalLike": model([node("RandomNormalLike", ["x"], ["y"])], [x], y),
        "RandomUniform": model([node("RandomUniform", [], ["y"], shape=[2, 3])], [], y),
        "RandomUniformLike": model([node("RandomUniformLike", ["x"], ["y"])], [x], y),
        "SequenceAt": model([node("SequenceAt", ["s", "i"], ["y"])], [sequence("s"), position], y),
        "SequenceConstruct": model([pair], [x], sequence("s")),
        "SequenceEmpty": model([node("SequenceEmpty", [], ["s"])], [], sequence("s")),
        "SequenceErase": model([node("SequenceErase", ["s", "i"], ["t"])], [sequence("s"), position], sequence("t")),
        "SequenceLength": model(
            [node("SequenceLength", ["s"], ["y"])], [sequence("s")], tensor("y", (), TensorProto.INT64)
        ),
    }


def models():
    return {
        op: [case.model for case in cases if len(case.model.graph.node) == 1 and case.model.graph.node[0].op_type == op]
        for op, cases in cases_by_op().items()
        if op != "functions"
    }


MODELS = {op: group for op, group in sorted(models().items()) if group}
MODELS.update({op: [model] for op, model in further().items()})


def imported(model):
    """Returns the module, or the error."""
    try:
        return isthmus.import_onnx(model.SerializeToString())
    except isthmus.IsthmusError as error:
        return error


def outcome(module, op, target, encoding):
    """Returns None if the op is carried, otherwise the reason."""
    try:
        if isinstance(module, isthmus.IsthmusError):
            raise module
        lowered = module.lower(target, custom_ops=[op], custom_op_encoding=encoding)
    except isthmus.IsthmusError as error:
        return "\n".join(error.messages)
    return None if f"onnx.{op}" in lowered.custom_ops() else CONSTANT


def outcomes(op):
    """Returns {target: outcomes of the op's models}; asserts that both encodings have the same outcomes."""
    modules = [imported(model) for model in MODELS[op]]
    of = [
        {target: [outcome(module, op, target, encoding) for module in modules] for target in TARGETS}
        for encoding in ("attributes", "operands")
    ]
    assert of[0] == of[1]
    return of[0]


@pytest.mark.parametrize("op", sorted(MODELS))
def test_is_carried(op):
    of = outcomes(op)
    for target in TARGETS:
        expected = REFUSED.get(op) or (REFUSED_BY_TOSA.get(op) if target == "tosa" else None)
        if expected:
            assert None not in of[target]
            assert any(expected in reason for reason in of[target])
        else:
            assert None in of[target], of[target][0]
    row, *reasons = custom_op_outcomes.rows({f"onnx.{op}": of})
    noted = custom_op_outcomes.noted("onnx")
    assert noted[noted.index(row) :][: len(reasons) + 1] == [row, *reasons]


def test_every_op_has_a_model():
    ops = json.loads(pathlib.Path("tools/coverage/ops.json").read_text(encoding="utf-8"))["onnx"]
    assert {op["name"] for op in ops if "." not in op["name"]} == MODELS.keys() - {"Scatter", "Upsample"}


if __name__ == "__main__":
    custom_op_outcomes.rewrite("onnx", custom_op_outcomes.rows({f"onnx.{op}": outcomes(op) for op in MODELS}))
