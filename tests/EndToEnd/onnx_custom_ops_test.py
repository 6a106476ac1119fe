"""Every op of ai.onnx as a custom op of every target: carried, or refused for a known reason.

The models are ONNX's own node tests that have a single node.
"""

import pytest

import isthmus
from tests.EndToEnd.onnx_node_cases import cases_by_op

TARGETS = ["linalg", "mhlo", "tosa"]

STRINGS = "graph input "  # ... of a dtype that torch has
SEQUENCE = "expected the model to declare rank and dtype"
SUBGRAPHS = "a node with subgraphs cannot be carried whole"
UPGRADED = "expected the name of an op"

# Ops of which no model is carried, and what every message about them holds.
REFUSED = {
    "Constant": None,  # a constant of the target
    "If": SUBGRAPHS,
    "Loop": SUBGRAPHS,
    "RegexFullMatch": STRINGS,
    "Scan": SUBGRAPHS,
    "Scatter": UPGRADED,  # to ScatterElements
    "SequenceInsert": STRINGS,
    "SequenceMap": STRINGS,
    "SplitToSequence": SEQUENCE,
    "StringConcat": STRINGS,
    "StringNormalizer": STRINGS,
    "StringSplit": STRINGS,
    "Upsample": UPGRADED,  # to Resize
}
# The same for TOSA alone: all of these models hold f64, or (what CastLike's are like) no elements.
REFUSED_BY_TOSA = {"CastLike": "TOSA has no ", "ReduceLogSumExp": "TOSA has no "}


def models():
    return {
        op: [case.model for case in cases if len(case.model.graph.node) == 1 and case.model.graph.node[0].op_type == op]
        for op, cases in cases_by_op().items()
        if op != "functions"
    }


MODELS = {op: group for op, group in sorted(models().items()) if group}


def outcome(model, op, target, encoding):
    """Returns None for an op that is carried, or why it is not."""
    try:
        module = isthmus.import_onnx(model.SerializeToString())
        lowered = module.lower(target, custom_ops=[op], custom_op_encoding=encoding)
    except isthmus.IsthmusError as error:
        return "\n".join(error.messages)
    return None if f"onnx.{op}" in lowered.custom_ops() else "no custom op"


@pytest.mark.parametrize("encoding", ["attributes", "operands"])
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("op", MODELS)
def test_is_carried(op, target, encoding):
    reasons = [outcome(model, op, target, encoding) for model in MODELS[op]]
    expected = REFUSED_BY_TOSA.get(op) if target == "tosa" else None
    expected = expected or REFUSED.get(op)
    if op in REFUSED or expected:
        assert None not in reasons
        assert expected is None or any(expected in reason for reason in reasons)
    else:
        assert None in reasons, reasons[0]


def test_there_are_models():
    assert len(MODELS) > 180
