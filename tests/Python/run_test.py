"""The commands `isthmus run` and `isthmus verify`: arrays read from and written to files, and messages about them."""

import io
import re
import subprocess
import sys
import zipfile

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import isthmus
from isthmus import arrays, verify
from isthmus.cli import main

pytestmark = pytest.mark.skipif(
    not {"jit", "linalg", "onnx"} <= set(isthmus.parts()), reason="this build does not run ONNX models"
)

X, Y = np.array([[1, 2], [3, 4]], np.float32), np.array([10, 20], np.float32)


@pytest.fixture
def model(tmp_path):
    """A model with outputs `sum` = x + y and `level` = x + 250 in uint8."""
    nodes = [
        helper.make_node("Add", ["x", "y"], ["sum"], name="add"),
        helper.make_node("Add", ["x", "high"], ["raised"], name="raise"),
        helper.make_node("Cast", ["raised"], ["level"], name="narrow", to=TensorProto.UINT8),
    ]
    inputs = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, ("N", 2)),
        helper.make_tensor_value_info("y", TensorProto.FLOAT, (2,)),
    ]
    outputs = [
        helper.make_tensor_value_info("sum", TensorProto.FLOAT, ("N", 2)),
        helper.make_tensor_value_info("level", TensorProto.UINT8, ("N", 2)),
    ]
    high = numpy_helper.from_array(np.float32(250), "high")
    graph = helper.make_graph(nodes, "graph", inputs, outputs, [high])
    path = tmp_path / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10), path)
    return str(path)


@pytest.fixture
def inputs(tmp_path):
    path = tmp_path / "inputs.npz"
    np.savez(path, y=Y, x=X)
    return str(path)


def assert_results(path):
    with np.load(path) as results:
        assert sorted(results) == ["level", "sum"]
        assert results["level"].dtype == np.uint8
        np.testing.assert_array_equal(results["sum"], X + Y)
        np.testing.assert_array_equal(results["level"], [[251, 252], [253, 254]])


def test_run_takes_inputs_by_name(model, inputs, tmp_path):
    assert main(["run", model, "--inputs", inputs, "--outputs", str(tmp_path / "out.npz")]) == 0
    assert_results(tmp_path / "out.npz")


@pytest.mark.skipif("tosa" not in isthmus.parts(), reason="this build has no TOSA")
def test_run_by_way_of_tosa(model, inputs, tmp_path):
    """TOSA holds uint8 in i32, but the results are uint8 again."""
    arguments = ["run", model, "--target", "tosa", "--specialize", "x=2x2", "--inputs", inputs]
    assert main([*arguments, "--outputs", str(tmp_path / "out.npz")]) == 0
    assert_results(tmp_path / "out.npz")


def test_run_takes_a_file_per_input(model, tmp_path):
    folder = tmp_path / "a=b"  # with an equals sign, as hive-style folders have
    folder.mkdir()
    np.save(folder / "x.npy", X)
    np.save(folder / "y.npy", Y)
    output = tmp_path / "out.npz"
    assert main(["run", model, "--inputs", f"{folder}/x.npy", f"y={folder}/y.npy", "--outputs", str(output)]) == 0
    assert_results(output)


def test_run_of_lowered_mlir(model, inputs, tmp_path):
    lowered = str(tmp_path / "lowered.mlirbc")
    assert main(["compile", model, "--target", "linalg", "-o", lowered]) == 0
    assert main(["run", lowered, "--inputs", inputs, "--outputs", str(tmp_path / "out.npz")]) == 0
    assert_results(tmp_path / "out.npz")


def test_run_without_optimizing(model, inputs, tmp_path):
    assert main(["run", model, "--no-optimize", "--inputs", inputs, "--outputs", str(tmp_path / "out.npz")]) == 0
    assert_results(tmp_path / "out.npz")


def test_run_prints_a_line_per_output(model, inputs, capfd):
    assert main(["run", model, "--inputs", inputs]) == 0
    assert capfd.readouterr().out.splitlines() == [
        "sum: float32 2x2, min 11, max 24",
        "level: uint8 2x2, min 251, max 254",
    ]


class Pickled:
    """A class whose objects can only be stored as a pickle."""


@pytest.mark.parametrize(
    "arrays, message",
    [
        ({"x": X}, "input 'y': expected an array, got none"),
        ({"x": X, "y": Y, "z": Y}, "input 'z': expected one of 'x', 'y'"),
        ({"x": X.astype(np.float64), "y": Y}, "argument 0 ('x'): expected ?x2xf32, got 2x2xf64"),
        ({"x": X, "y": np.zeros(3, np.float32)}, "argument 1 ('y'): expected 2xf32, got 3xf32"),
        ({"x": np.array([Pickled()]), "y": Y}, "inputs.npz: expected a .npy or .npz file, got Object arrays"),
        ({"x": np.array(["text"]), "y": Y}, "input 0: expected an array of bools, integers, floats or complex numbers"),
    ],
)
def test_wrong_inputs_leave_the_output_as_it_was(model, tmp_path, capfd, arrays, message):
    np.savez(tmp_path / "inputs.npz", **arrays)
    output = tmp_path / "out.npz"
    output.write_text("old")
    assert main(["run", model, "--inputs", str(tmp_path / "inputs.npz"), "--outputs", str(output)]) == 1
    said = capfd.readouterr()
    assert said.out == "" and said.err.startswith("isthmus: ") and message in said.err
    assert output.read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} == {"inputs.npz", "model.onnx", "out.npz"}


def npz(compression=zipfile.ZIP_STORED, **changes):
    """The bytes of a .npz file that holds x, with changed fields of its zip entry, as {"flags": 1, "method": 99}."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive, archive.open("x.npy", "w") as member:
        np.save(member, np.zeros((100, 2), np.float32))
    content = bytearray(file.getvalue())
    entry = content.find(b"PK\x01\x02")
    for field, value in changes.items():
        local, central = {"flags": (6, 8), "method": (8, 10)}[field]
        content[local] = content[entry + central] = value
    return bytes(content)


def npy(header):
    header = header.encode()
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(64)


def damaged(content):
    return content[:60] + bytes(byte ^ 255 for byte in content[60:64]) + content[64:]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\x03\x04 and no more",
        b"\x93NUMPY\x01\x00",
        npz(flags=1),
        npz(method=99),
        npz(method=12),
        npz(method=14),
        damaged(npz(zipfile.ZIP_DEFLATED)),
        damaged(npz(zipfile.ZIP_BZIP2)),
        damaged(npz(zipfile.ZIP_LZMA)),
        npy("{'descr':" + "(" * 9000 + ")" * 9000 + ",'fortran_order':False,'shape':(4,)}"),
        npy("{'descr':"),
        npy("'''"),
        npy("{'descr':'<f4','fortran_order':False,'shape':(4294967296,4294967296)}"),
        npy("{'descr':'<f4','fortran_order':False,'shape':(-1,)}"),
        npy("{'descr':'<M8[7x]','fortran_order':False,'shape':(4,)}"),
        npy("{'descr':3,'fortran_order':False,'shape':(4,)}"),
    ],
)
def test_files_that_are_no_arrays(model, tmp_path, capfd, content):
    (tmp_path / "x.npz").write_bytes(content)
    assert main(["run", model, "--inputs", str(tmp_path / "x.npz")]) == 1
    assert f"isthmus: {tmp_path}/x.npz: expected a .npy or .npz file, got " in capfd.readouterr().err


def test_bytes_in_another_order_are_numbers(model, tmp_path):
    """Inputs may have the byte order of another machine, or any memory layout."""
    np.savez(tmp_path / "inputs.npz", x=X.astype(">f4"), y=Y.astype(">f4"))
    assert main(["verify", model, "--inputs", str(tmp_path / "inputs.npz")]) == 0
    module = isthmus.compile(model)
    for x in (X.astype(">f4"), np.asfortranarray(X.astype(">f4")), X.astype(">f4").repeat(2, 0)[::2]):
        np.testing.assert_array_equal(module.run(x, Y.astype(">f4"))[0], X + Y)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["run", "a.mlir", "--threads", str(2**32)], "threads: expected 4096 at most, got 4294967296"),
        (["run", "a.mlir", "--target", "tosa"], "a.mlir: expected no option for lowering, as MLIR runs as it is"),
        (["run", "a.mlir", "--specialize", "x=2"], "a.mlir: expected no option for lowering, as MLIR runs as it is"),
        (["run", "a.mlir", "--threads", "-1"], "threads: expected 0 for one per core or a positive number, got -1"),
        (["compile", "a.mlir", "--target", "linalg", "--emit", "bytecode"], "expected -o FILE to write it to"),
        (
            ["compile", "a.mlir", "--target", "linalg", "--specialize", "x=2"],
            "input 'x': expected a model to give it a shape",
        ),
        (
            ["compile", "a.mlir", "--target", "linalg", "--specialize", f"x={2**63}"],
            "specialize: expected sizes of 64 bits, got 9223372036854775808",
        ),
    ],
)
def test_options_that_would_do_nothing(tmp_path, monkeypatch, capfd, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.mlir").write_text("func.func @main() { return }")
    assert main(arguments) == 1
    assert message in capfd.readouterr().err


def test_verify_agrees(model, capfd):
    assert main(["verify", model]) == 0
    assert "agrees with onnxruntime to 0.0001" in capfd.readouterr().out


def test_verify_names_the_first_node_that_parts(model, inputs, capfd, monkeypatch):
    """The test reports a large error for one tensor of the graph, as if its lowering were wrong."""
    run = verify.relative_error
    monkeypatch.setattr(
        verify, "relative_error", lambda got, expected: 0.5 if expected.max() >= 251 else run(got, expected)
    )
    assert main(["verify", model, "--inputs", inputs]) == 1
    said = capfd.readouterr().out
    assert re.search(r"^level \(node 'narrow'\): error 5.00e-01$", said, re.M)
    assert said.splitlines()[-1] == "parts from onnxruntime at raised (node 'raise'): error 5.00e-01"


def test_verify_makes_up_no_text(tmp_path, capfd):
    values = [helper.make_tensor_value_info(name, TensorProto.STRING, (1,)) for name in ("x", "y")]
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "graph", values[:1], values[1:])
    path = tmp_path / "text.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10), path)
    assert main(["verify", str(path)]) == 1
    assert "input 'x': expected a file, as no values are made up for a tensor(string)" in capfd.readouterr().err


def test_a_result_that_numpy_has_no_array_of():
    """NumPy limits the sizes even of arrays without elements."""
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2**62, 0], raw_data=b"")
    nodes = [helper.make_node("Identity", ["w"], ["y"])]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph(nodes, "graph", [], outputs, [tensor])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    with pytest.raises(isthmus.UnsupportedError, match="result 0: .*too big"):
        isthmus.import_onnx(model.SerializeToString()).lower("linalg").run()


def test_a_run_executes_no_python_code(model):
    """When the interpreter ends, Python code in a daemon thread may not return to native code, so a run calls none."""
    module = isthmus.import_model(model).lower("linalg")
    program, inputs, calls = module._program(1, False, True), [X, Y], []
    module.run(*inputs)
    sys.setprofile(lambda frame, event, _: calls.append(frame.f_code.co_qualname) if event == "call" else None)
    try:
        program._native.run(program._function, inputs)
    finally:
        sys.setprofile(None)
    assert calls == []


def test_inputs_without_names_go_by_position():
    with pytest.raises(isthmus.InputError) as caught:
        arrays.in_order({"x": X, 0: X}, ["", ""])
    assert caught.value.messages == [
        "input '1': expected an array, got none",
        "input 'x': expected one of file 0 by position, file 1 by position",
    ]


# -----------------------------------------------------------------------------
# Other runtimes
# -----------------------------------------------------------------------------


@pytest.mark.parametrize("runtime", ["xla", "iree"])
def test_other_runtimes_give_the_same_outputs(model, inputs, tmp_path, runtime):
    if runtime == "xla" and "mhlo" not in isthmus.parts():
        pytest.skip("this build has no StableHLO")
    outputs = str(tmp_path / "outputs.npz")
    assert main(["run", model, "--inputs", inputs, "--runtime", runtime, "--outputs", outputs]) == 0
    assert_results(outputs)


@pytest.mark.parametrize(
    ("runtime", "name", "packages"), [("xla", "jax", "jax"), ("iree", "iree", "iree-base-compiler iree-base-runtime")]
)
def test_without_the_packages_of_a_runtime(model, inputs, runtime, name, packages):
    code = f"import sys; sys.modules['{name}'] = None; from isthmus import cli; sys.exit(cli.main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "run", model, "--inputs", inputs, "--runtime", runtime]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (
        1,
        f"isthmus: expected the package {name}, got none: pip install {packages}\n",
    )


def test_options_that_another_runtime_lacks(model, inputs, capsys):
    given = ["--threads", "2", "--check-bounds", "--target", "tosa"]
    assert main(["run", model, "--inputs", inputs, "--runtime", "iree", *given]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "isthmus: --check-bounds: expected --runtime jit, got iree",
        "isthmus: --threads: expected --runtime jit, got iree",
        "isthmus: --target tosa: expected linalg, which --runtime iree takes",
    ]


def test_inputs_that_do_not_fit_another_runtime(model, tmp_path, capsys):
    np.savez(tmp_path / "inputs.npz", x=X[0], y=np.zeros(3, np.float32))
    assert main(["run", model, "--inputs", str(tmp_path / "inputs.npz"), "--runtime", "iree"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "isthmus: input 'x': expected N x 2, got 2",
        "isthmus: input 'y': expected 2, got 3",
    ]
