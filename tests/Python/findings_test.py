"""The text of an error shows each cause once, and the error keeps all findings."""

import pickle

import onnx
import pytest

import isthmus
from isthmus import findings
from isthmus.cli import main

MODEL = """<ir_version: 10, opset_import: ["": 18]>
graph (float[N, M, 4] x) => (float[a, b, c, d, e] y) <int64[1] axes = {0}> {
  u = Unsqueeze(x, axes)
  v = Relu(u)
  y = Unsqueeze(v, axes)
}"""


def lowering(node, op, reason, file="m.onnx"):
    return f"{file}: node '{node}': no lowering to tosa for '{op}': {reason}"


def test_a_single_finding_stays_as_it_is():
    message = lowering("a", "aten.view", "expected 2, got 3; make sizes known with --specialize")
    assert findings.summarize([message]) == [message]
    assert findings.summarize(["expected text, got none"]) == ["expected text, got none"]


def test_one_reason_of_several_ops():
    messages = [
        lowering("a", "aten.view", "expected 2, got 3"),
        lowering("b", "aten.sum", "expected f32, got f64"),
        lowering("c", "aten.flatten", "expected 2, got [4]"),
        lowering("c", "aten.view", "expected 2, got 5"),
    ]
    together, alone = findings.summarize(messages)
    assert together == (
        "m.onnx: no lowering to tosa for 'aten.view', 'aten.flatten': expected 2, got 3\n  2 nodes: a, c"
    )
    assert alone == messages[1]


def test_findings_without_a_place_are_apart():
    messages = ["size 0: expected 2, got 3", "size 0: expected 2, got 4"]
    assert findings.summarize([*messages, messages[0]]) == messages


def test_files_and_targets_are_apart():
    reason = "expected 2, got 3"
    mhlo = lowering("a", "aten.view", reason).replace("tosa", "mhlo")
    messages = [lowering("a", "aten.view", reason), lowering("a", "aten.view", reason, "n.onnx"), mhlo]
    assert findings.summarize(messages) == messages


def test_many_nodes_and_ops_are_counted():
    messages = [lowering(f"n{i}", f"aten.op{i % 6}", "expected 2") for i in range(8)]
    (text,) = findings.summarize(messages)
    ops, nodes = text.splitlines()
    assert ops.endswith("for 'aten.op0', 'aten.op1', 'aten.op2', 'aten.op3' and 2 more: expected 2")
    assert nodes == "  8 nodes: n0, n1, n2, n3, n4 and 3 more"


def test_nodes_with_odd_names_and_errors_of_importers():
    messages = [f"m.onnx: node '{name}' (Clip-13): expected a float, got {name}" for name in ("it's: so", "b'", "")]
    assert findings.summarize(messages) == [
        "m.onnx: expected a float, got it's: so\n  3 nodes: it's: so, b', ",
    ]


def test_names_that_look_like_findings_without_end():
    names = ["' (" * 400_000, ": node '" * 400_000, "': " * 600]
    messages = [f"m.onnx: node '{name}' (Clip-13): expected a float" for name in names]
    shown = findings.summarize([*messages, *messages])
    assert len(shown) == 3 and all(message in shown for message in messages[:2])


def test_what_findings_of_one_kind_have_in_common():
    view = lowering("a", "aten.view", "expected 2, got 3; make it known")
    assert findings.identity(view) == findings.identity(
        lowering("b", "aten.view", "expected 2, got 4; make it known", "n")
    )
    for other in [
        lowering("a", "aten.sum", "expected 2, got 3; make it known"),
        lowering("a", "aten.view", "expected 5, got 3; make it known"),
        view.replace("tosa", "mhlo"),
        "m.onnx: node 'a' (View-3): expected 2, got 3; make it known",
    ]:
        assert findings.identity(view) != findings.identity(other)
    first, second = (
        "no lowering to tosa for result 1 'y': no f64",
        "<bytes>:3:4: no lowering to tosa for result 0: no f64",
    )
    assert findings.identity(first) == findings.identity(second)
    assert findings.identity("expected graph input 0 of rank 1, got 2") == findings.identity(
        "expected graph input 3 of rank 1, got 5"
    )
    assert findings.identity("expected text") != findings.identity("expected text or more")


def test_places():
    view = lowering("a: b", "aten.view", "expected 2")
    assert (findings.node_of(view), findings.line_of(view)) == ("a: b", None)
    text = "m.mlir:12:3: no lowering to tosa for 'aten.view': expected 2"
    assert (findings.node_of(text), findings.line_of(text)) == (None, 12)
    assert (findings.node_of("expected 2"), findings.line_of("expected 2")) == (None, None)
    assert (
        findings.without_place(text)
        == findings.without_place(view)
        == "no lowering to tosa for 'aten.view': expected 2"
    )


def test_one_node_with_two_findings():
    messages = [lowering("a", "aten.view", "expected 2, got 3"), lowering("a", "aten.view", "expected 2, got 4")]
    assert findings.summarize(messages) == [
        "m.onnx: no lowering to tosa for 'aten.view': expected 2, got 3\n  1 node: a"
    ]


def test_places_of_text_and_notes():
    messages = [f"m.mlir:{line}:3: expected i64, got i32\n  note: of this value" for line in (2, 7)]
    assert findings.summarize(messages) == [
        "m.mlir: expected i64, got i32\n  note: of this value\n  2 places: 2:3, 7:3"
    ]


def test_advice():
    message = lowering("a", "aten.view", "expected 2, got 3; make sizes known with --specialize")
    inputs = [("ids", ["batch", "sequence"]), ("image", ["?", "3", "?", "?"])]
    advice = findings.advise([message], inputs)
    assert advice == (
        "2 inputs have sizes known only at run time (ids: batch, sequence; image: ?, ?, ?); "
        "make them known first: --specialize ids=1x128 --specialize image=1x3x128x128"
    )
    assert findings.summarize([message], advice) == [lowering("a", "aten.view", "expected 2, got 3"), advice]
    assert findings.advise(["expected 2"], inputs) is None
    assert findings.advise([message], []) is None
    without = lowering("a", "acme.op", "the op has no pattern yet")
    assert "--custom-ops unsupported" in findings.advise([without], [])
    assert findings.advise([without, message], inputs) == advice
    wrong = "m.pt2: input 'X': expected a tensor of this name to give it a shape, got none"
    assert findings.advise([wrong], inputs, ["ids", "image"]) == "the program has inputs 'ids', 'image'"
    assert findings.advise([wrong], inputs) is None
    assert findings.advise([message], inputs * 3).endswith("=1x128 --specialize image=1x3x128x128 …")


def test_errors_travel_between_processes():
    error = isthmus.UnsupportedError(["a: expected 1", "b: expected 2"])
    error.advice = "do this"
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), copy.messages, copy.advice) == (isthmus.UnsupportedError, error.messages, "do this")
    assert str(copy) == "a: expected 1\nb: expected 2\ndo this"
    files = isthmus.FileError(["no such file"])
    assert str(pickle.loads(pickle.dumps(files))) == str(files) == "no such file"


@pytest.mark.skipif(not {"onnx", "tosa"} <= set(isthmus.parts()), reason="this build reads no ONNX, or has no TOSA")
def test_a_model_with_sizes_that_a_target_must_know(tmp_path, capfd):
    model = str(tmp_path / "model.onnx")
    onnx.save(onnx.parser.parse_model(MODEL), model)
    options = ["compile", model, "--target", "tosa", "-o", str(tmp_path / "out.mlir")]
    assert main(options) == 1
    said = capfd.readouterr().err
    assert said.count("no lowering to tosa") == said.count(" nodes: ") >= 1 and "; make sizes known" not in said
    assert said.splitlines()[-1] == (
        "isthmus: 1 input has sizes known only at run time (x: N, M); make them known first: --specialize x=1x128x4"
    )
    assert main([*options, "--all"]) == 1
    assert capfd.readouterr().err.count("; make sizes known with --specialize") > 1
    assert main([*options, "--specialize", "x=1x128x4"]) == 0
