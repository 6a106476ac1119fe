"""Exported PyTorch programs in the package and on the command line."""

import json

import numpy as np
import pytest
import torch
from torch import nn

import isthmus
from isthmus.cli import main
from tests.support.pt2_programs import changed, export


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.linear = nn.Linear(4, 3)

    def forward(self, x, *, scale):
        return {"y": torch.relu(self.linear(x)) * scale}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    path = tmp_path_factory.mktemp("programs") / "small.pt2"
    path.write_bytes(export(Small(), torch.ones(2, 4), kwargs={"scale": torch.ones(3)}))
    return path


def expected(x, scale):
    with torch.no_grad():
        return Small()(torch.from_numpy(x), scale=torch.from_numpy(scale))["y"].numpy()


def test_import_model_tells_formats_apart_by_content(program, tmp_path):
    other = tmp_path / "model.onnx"
    other.write_bytes(program.read_bytes())
    for model in [program, other, program.read_bytes()]:
        assert "torch.aten.linear" in isthmus.import_model(model).count_ops()


def test_compile_and_run(program):
    module = isthmus.compile(program)
    assert module.input_names() == ["x", "scale"]
    x, scale = np.ones((2, 4), np.float32), np.array([1, 2, 3], np.float32)
    np.testing.assert_allclose(module.run(x, scale)[0], expected(x, scale), rtol=1e-6)


def test_weights_in_place(tmp_path):
    """The manifest refers to records of the archive."""
    torch.manual_seed(0)
    linear, x = nn.Linear(200, 300), torch.randn(2, 200)
    (tmp_path / "linear.pt2").write_bytes(export(linear, x))
    module = isthmus.compile(tmp_path / "linear.pt2")
    module.save(tmp_path / "m.mlirbc", weights="external", weights_in_place=True, checksums=True)
    manifest = json.loads((tmp_path / "m.weights.json").read_text())["weights"]
    assert {weight["file"] for weight in manifest} == {"linear.pt2"} and not (tmp_path / "m.safetensors").exists()
    archive = (tmp_path / "linear.pt2").read_bytes()
    (weight,) = (weight for weight in manifest if weight["shape"] in ([200, 300], [300, 200]))
    assert archive[weight["offset"] :][: weight["length"]] == linear.weight.detach().numpy().tobytes()
    np.testing.assert_allclose(
        isthmus.load(tmp_path / "m.mlirbc").run(x.numpy())[0], linear(x).detach().numpy(), rtol=1e-4, atol=1e-5
    )


STRIDED = {
    "transposed": lambda i: (torch.arange(6.0) + 100 * i).reshape(2, 3).t(),
    "transposed and large": lambda i: (torch.arange(64.0 * 64) + 100 * i).reshape(64, 64).t(),
    "every other": lambda i: (torch.arange(32.0) + 100 * i).reshape(4, 8)[:, ::2],
    "all alike": lambda i: torch.full((40, 41), float(i)).t(),
    "one number for all": lambda i: torch.tensor([float(i)]).expand(3, 5),
    "channels last": lambda i: (torch.arange(32.0) + i).reshape(1, 8, 2, 2).to(memory_format=torch.channels_last),
}


@pytest.mark.parametrize("kind", STRIDED)
def test_buffers_with_strides_keep_their_numbers(kind, tmp_path):
    """The importer copies each buffer into contiguous memory and frees it; the next copy may get the same address."""

    class Views(nn.Module):
        def __init__(self):
            super().__init__()
            for i in range(8):
                self.register_buffer(f"b{i}", STRIDED[kind](i))

        def forward(self, x):
            return tuple(x + buffer for buffer in self.buffers())

    x = torch.zeros(1)
    exported = torch.export.export(Views(), (x,))
    (tmp_path / "views.pt2").write_bytes(export(Views(), x))
    for model in [exported, tmp_path / "views.pt2", (tmp_path / "views.pt2").read_bytes()]:
        for result, expected in zip(isthmus.compile(model).run(x), Views()(x), strict=True):
            np.testing.assert_array_equal(result, expected)


def test_run_by_names(program, tmp_path):
    x, scale = np.ones((2, 4), np.float32), np.array([1, 2, 3], np.float32)
    np.savez(tmp_path / "inputs.npz", scale=scale, x=x)
    outputs = tmp_path / "outputs.npz"
    assert main(["run", str(program), "--inputs", str(tmp_path / "inputs.npz"), "--outputs", str(outputs)]) == 0
    (result,) = np.load(outputs).values()
    np.testing.assert_allclose(result, expected(x, scale), rtol=1e-6)


@pytest.mark.parametrize("target", ["linalg", "tosa", "mhlo", "stablehlo"])
def test_compile_command(program, target, tmp_path):
    if target not in isthmus.output_types():
        pytest.skip(f"this build has no {target}")
    output = tmp_path / "out.mlir"
    assert main(["compile", str(program), "--target", target, "-o", str(output)]) == 0
    assert "func.func @main" in output.read_text()


def test_verify(program, tmp_path, capfd):
    np.savez(tmp_path / "inputs.npz", scale=np.full(3, 2, np.float32), x=np.full((2, 4), -1, np.float32))
    assert main(["verify", str(program)]) == 0
    assert main(["verify", str(program), "--inputs", str(tmp_path / "inputs.npz")]) == 0
    assert capfd.readouterr().out.count("agrees with PyTorch to 0.0001") == 2


def test_verify_finds_a_difference(program, capfd, monkeypatch):
    monkeypatch.setattr("isthmus.verify.relative_error", lambda got, expected: 0.5)
    assert main(["verify", str(program)]) == 1
    assert "parts from PyTorch; a program is not searched for the first node" in capfd.readouterr().out


def test_check_names_operators_that_are_not_known(tmp_path, capfd):
    @torch.library.custom_op("isthmus_test::spin", mutates_args=())
    def spin(x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    spin.register_fake(torch.empty_like)

    class Spinning(nn.Module):
        def forward(self, x):
            return spin(x) + 1

    path = tmp_path / "spinning.pt2"
    path.write_bytes(export(Spinning(), torch.ones(2)))
    assert main(["check", str(path), "--targets", "linalg", "--format", "json"]) == 1
    text = capfd.readouterr().out
    assert "isthmus_test.spin" in json.dumps(json.loads(text))
    assert "node 'spin': no lowering to linalg for 'isthmus_test.spin': the op has no pattern yet" in text


def test_a_bad_program(tmp_path):
    path = tmp_path / "bad.pt2"
    path.write_bytes(b"PK\3\4")
    with pytest.raises(isthmus.BadModelError, match="bad.pt2: byte 4: expected the end of a zip archive"):
        isthmus.import_model(path)
    with pytest.raises(FileNotFoundError):
        isthmus.import_model(tmp_path / "absent.pt2")


LEAF = {"type": None, "context": None, "children_spec": []}


def node(kind, *children, context="null"):
    return {"type": kind, "context": context, "children_spec": list(children)}


NO_TREES = [
    "[",
    "3",
    "[1]",
    "[1, 2]",
    "[2, {}]",
    json.dumps([1, {"type": None}]),
    json.dumps([1, node("builtins.tuple")]),
    json.dumps([1, node("builtins.tuple", LEAF, LEAF, LEAF)]),
    json.dumps([1, node([3], LEAF)]),
    json.dumps([1, node("collections.defaultdict", LEAF, context=3)]),
    json.dumps([1, node("collections.defaultdict", LEAF, context={"dict_context": 3})]),
    "[1, " + '{"type": "builtins.tuple", "context": "null", "children_spec": [' * 50000 + "]}" * 50000 + "]",
]
NO_CALLS = [
    json.dumps([1, LEAF]),
    json.dumps([1, node("builtins.tuple", node("builtins.tuple"), node("builtins.dict", context="[]"))]),
    json.dumps([1, node("builtins.tuple", node("builtins.tuple"), node("builtins.dict", LEAF, context="[[1]]"))]),
    json.dumps([1, node("builtins.tuple", node("builtins.tuple"), node("builtins.dict", LEAF, context="[3]"))]),
    json.dumps([1, node("builtins.tuple", node("builtins.tuple", LEAF), LEAF)]),
]


@pytest.mark.parametrize(
    "which, spec",
    [*(("in_spec", spec) for spec in NO_TREES + NO_CALLS), *(("out_spec", spec) for spec in NO_TREES)],
)
def test_trees_of_no_call(which, spec):
    """The description of nested inputs and outputs in a file may hold anything."""

    def change(program):
        program["graph_module"]["module_call_graph"][0]["signature"][which] = spec

    module = isthmus.compile(changed(export(torch.nn.Linear(4, 4), torch.ones(3, 4)), change))
    with pytest.raises(isthmus.BadModelError, match="expected"):
        module(np.ones((3, 4), np.float32))
