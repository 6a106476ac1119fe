"""The command `isthmus ops`: its lists and its arguments."""

import json

import pytest

import isthmus
from isthmus import ops
from isthmus.cli import main

TARGETS = [str(target) for target in isthmus.output_types() if target != "torch"]
needs_onnx = pytest.mark.skipif("onnx" not in isthmus.parts(), reason="this build reads no ONNX")
needs_targets = pytest.mark.skipif(not TARGETS, reason="this build has no target")


def listed(capfd, *arguments):
    assert main(["ops", *arguments]) == 0
    return capfd.readouterr().out


def test_the_whole_table():
    table = isthmus.coverage()
    assert table.targets == TARGETS
    assert sum(op.domain == "onnx" for op in table.onnx) == (201 if "onnx" in isthmus.parts() else 0)
    by_name = {op.name: op for op in table.torch}
    assert by_name["aten.add.Tensor"].targets == dict.fromkeys(TARGETS, "pattern")
    assert by_name["aten.relu"].targets == dict.fromkeys(TARGETS, "decomposed")
    assert {op.role for op in table.torch} <= {"core", "composite", "structural"}


def test_a_missing_part_is_named(capfd):
    left_out = {"linalg", "mhlo", "onnx", "tosa"} - set(isthmus.parts())
    sentences = isthmus.coverage().missing_parts
    assert sorted(sentence.split()[4] for sentence in sentences) == sorted(left_out)
    assert all(sentence in listed(capfd) for sentence in sentences)


@pytest.mark.parametrize("target, part", [("linalg", "linalg"), ("stablehlo", "mhlo"), ("tosa", "tosa")])
def test_a_missing_target_is_named(capfd, target, part):
    if part in isthmus.parts():
        pytest.skip("this build has the part")
    assert main(["ops", "--target", target]) == 1
    assert f"this build has no {part} part" in capfd.readouterr().err


@needs_onnx
def test_a_name_finds_the_op_of_both_dialects(capfd):
    lines = listed(capfd, "erf").splitlines()
    assert [line.split()[0] for line in lines if line.startswith(("Erf", "aten"))] == ["Erf-13", "aten.erf"]


def test_a_part_of_a_name_finds_all_overloads(capfd):
    rows = [line.split()[0] for line in listed(capfd, "clamp").splitlines() if line.startswith("aten")]
    assert rows == ["aten.clamp", "aten.clamp.Tensor"]


def test_a_pattern_ignores_case(capfd):
    assert listed(capfd, "*MATMUL*") == listed(capfd, "*matmul*") != ""


def test_names_that_no_op_has(capfd):
    """The error lists each unknown name with the nearest known name."""
    assert main(["ops", "aten.abs", "sigmoit", "aten.convolutions", "*nmss*"]) == 1
    said = capfd.readouterr()
    assert said.out == ""
    sigmoid, convolution, pattern = said.err.splitlines()
    assert sigmoid.startswith("isthmus: no op is called 'sigmoit'; the nearest is ")
    assert convolution == "isthmus: no op is called 'aten.convolutions'; the nearest is 'aten.convolution'"
    assert pattern == "isthmus: '*nmss*' matches no op"


@needs_targets
def test_one_target(capfd):
    header = next(line for line in listed(capfd, "abs", "--target", TARGETS[-1]).splitlines() if "role" in line)
    assert header.split() == ["torch", "role", TARGETS[-1]]


@needs_onnx
def test_the_way_to_torch_alone(capfd):
    assert "role" not in listed(capfd, "--target", "torch")


@pytest.mark.skipif("tosa" not in TARGETS, reason="this build has no TOSA")
def test_missing_ops_have_their_reasons(capfd):
    said = listed(capfd, "--missing", "--target", "tosa")
    assert "aten.nonzero to tosa: the result has as many rows as elements are not 0" in said
    assert "aten.abs" not in said


def test_totals_count_what_is_chosen_and_not_shown(capfd):
    everything, missing = listed(capfd), listed(capfd, "--missing")
    assert everything.split("\n\n")[-1] == missing.split("\n\n")[-1]


def test_json(capfd):
    table = json.loads(listed(capfd, "abs", "--format", "json"))
    (abs_op,) = table["torch"]
    assert abs_op["name"] == "aten.abs" and abs_op["role"] == "core"
    assert abs_op["targets"] == dict.fromkeys(TARGETS, "pattern")
    assert table["missing_parts"] == isthmus.coverage().missing_parts


def test_markdown(capfd):
    lines = listed(capfd, "abs", "--format", "markdown").splitlines()
    row = next(line for line in lines if line.startswith("| aten.abs"))
    assert row == "| aten.abs | core | " + " | ".join(["pattern"] * len(TARGETS)) + " |"


def test_totals_of_a_made_up_table():
    table = ops.Coverage(
        onnx=[ops.OnnxOp("Abs", 13, True), ops.OnnxOp("Det", 22, False)],
        torch=[
            ops.TorchOp("aten.abs", "core", False, {"tosa": "pattern"}, {}),
            ops.TorchOp("aten.celu", "composite", True, {"tosa": "decomposed"}, {}),
            ops.TorchOp("aten.nonzero", "core", False, {"tosa": "no"}, {"tosa": "why"}),
        ],
        targets=["tosa"],
        missing_parts=[],
        missing_targets={},
    )
    assert table.totals() == ["onnx to torch: 1 of 2", "torch to tosa: 2 of 3 (1 pattern, 1 decomposed)"]
    assert [op.name for op in table.missing().onnx + table.missing().torch] == ["Det", "aten.nonzero"]
