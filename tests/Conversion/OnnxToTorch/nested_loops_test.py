"""The work to convert nested loops is proportional to their number; it does not double with each level."""

import re

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from tests.support.onnx_models import import_onnx, model, value

node = helper.make_node
DEPTH = 30  # the most levels that Python's protobuf supports


def flag(name):
    return value(name, [], TensorProto.BOOL)


def number(name):
    return value(name, [], TensorProto.INT64)


def nest(depth, trips, condition, step, outputs):
    """A node with nested loops, from `v{depth}` to `y{depth}`.

    `step` makes the nodes from `v` to `w` at each depth. With `outputs`, each loop also gathers an output of each step
    as `z`.
    """
    body = []
    if depth < DEPTH:
        body = [node("Identity", [f"s{depth}"], [f"v{depth + 1}"]), nest(depth + 1, trips, condition, step, outputs)]
    else:
        body = [node("Neg", [f"s{depth}"], [f"y{depth + 1}"])]
    body += step(f"y{depth + 1}", f"w{depth}")
    if condition:
        body += [
            node("ReduceMax", ["x"], [f"m{depth}"], keepdims=0),
            node("Less", [f"m{depth}", "limit"], [f"go{depth}"]),
        ]
    else:
        body += [node("Identity", [f"c{depth}"], [f"go{depth}"])]
    yielded = [flag(f"go{depth}"), value(f"w{depth}", None)]
    if outputs:
        body += [node("Identity", ["x"], [f"o{depth}"])]
        yielded += [value(f"o{depth}", None)]
    graph = helper.make_graph(body, "body", [number(f"i{depth}"), flag(f"c{depth}"), value(f"s{depth}", None)], yielded)
    results = [f"y{depth}", *([f"z{depth}"] if outputs else [])]
    return node("Loop", [trips, "true", f"v{depth}"], results, body=graph, name=f"loop{depth}")


def convert(trips="n", condition=False, step=lambda a, b: [node("Abs", [a], [b])], outputs=False):
    constants = {"limit": np.float32(9), "few": np.int64(3), "true": np.array(True)}
    loops = [node("Identity", ["x"], ["v0"]), nest(0, trips, condition, step, outputs)]
    results = [value("y0", None), *([value("z0", None)] if outputs else [])]
    made = model(
        loops,
        [value("x", [2]), number("n")],
        results,
        initializers=[numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    return import_onnx(made, "--convert-onnx-to-torch-pipeline")


def count_loops(text):
    return len(re.findall(r"torch.prim.Loop ", text))


def test_types_that_become_stable_late():
    text = convert(step=lambda a, b: [node("Concat", [a, "x"], [b], axis=0)])
    assert count_loops(text) == DEPTH + 1
    assert re.search(r"\) -> !torch.vtensor<\[\?\],f32>$", text, re.M), "the state grows"


def test_outputs_of_steps():
    assert count_loops(convert(outputs=True)) == DEPTH + 1


def test_outputs_of_steps_of_types_that_become_stable_late():
    text = convert(step=lambda a, b: [node("Concat", [a, "x"], [b], axis=0)], outputs=True)
    assert count_loops(text) == DEPTH + 1


def test_conditions_at_run_time():
    """A loop with a known number of steps is not unrolled if its condition is known only at run time."""
    assert count_loops(convert(trips="few", condition=True)) == DEPTH + 1


def test_known_numbers_of_steps():
    """Loops are unrolled as long as this makes few enough copies."""
    text = convert(trips="few")
    assert 0 < count_loops(text)
    assert DEPTH < text.count("torch.aten.neg") + text.count("torch.aten.abs") < 200_000


@pytest.mark.parametrize("outputs", [False, True])
def test_two_deep_is_unrolled(outputs):
    def inner(a, b):
        body = helper.make_graph(
            [node("Abs", ["inner_s"], ["inner_w"]), node("Identity", ["inner_c"], ["inner_go"])],
            "body",
            [number("inner_i"), flag("inner_c"), value("inner_s", None)],
            [flag("inner_go"), value("inner_w", None), *([value("inner_s", None)] if outputs else [])],
        )
        return node("Loop", ["few", "true", a], [b, *(["inner_z"] if outputs else [])], body=body)

    body = helper.make_graph(
        [inner("s", "w"), node("Identity", ["c"], ["go"])],
        "body",
        [number("i"), flag("c"), value("s", None)],
        [flag("go"), value("w", None)],
    )
    constants = {"few": np.int64(3), "true": np.array(True)}
    made = model(
        [node("Loop", ["few", "true", "x"], ["y"], body=body)],
        [value("x", [2])],
        initializers=[numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    text = import_onnx(made, "--convert-onnx-to-torch-pipeline")
    assert count_loops(text) == 0 and text.count("torch.aten.abs") == 9
