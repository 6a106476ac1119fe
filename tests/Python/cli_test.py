"""The isthmus command: its output, the files that it writes, and its errors."""

import json
import os
import re
import stat
import subprocess
import sys
import zipfile

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import isthmus
from isthmus.cli import main, parse_arguments

needs_onnx = pytest.mark.skipif("onnx" not in isthmus.parts(), reason="this build reads no ONNX")
needs_tosa = pytest.mark.skipif("tosa" not in isthmus.parts(), reason="this build has no TOSA")


def write_model(path, *nodes):
    """Writes a chain of unary ops, each with its attributes, from the input x to the output y."""
    names = ["x", *(f"t{i}" for i in range(1, len(nodes))), "y"]
    nodes = [
        helper.make_node(op, [names[i]], [names[i + 1]], name=f"{op}_{i}", **attributes)
        for i, (op, attributes) in enumerate(nodes)
    ]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ("N", 4)) for name in ("x", "y")]
    graph = helper.make_graph(nodes, "graph", values[:1], values[1:])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10), path)
    return str(path)


@pytest.fixture
def model(tmp_path):
    return write_model(tmp_path / "model.onnx", ("Abs", {}), ("Exp", {}))


@pytest.fixture
def unsupported(tmp_path):
    """A valid model that no target can compute, because it casts to strings."""
    return write_model(
        tmp_path / "unsupported.onnx", ("Cast", {"to": TensorProto.STRING}), ("Cast", {"to": TensorProto.FLOAT})
    )


@needs_onnx
def test_compile_prints_text(model, capfd):
    assert main(["compile", model, "--target", "torch"]) == 0
    said = capfd.readouterr()
    assert "torch.aten.exp" in said.out and "!torch.vtensor<[?,4],f32>" in said.out
    assert said.err == ""


@needs_onnx
@pytest.mark.parametrize("name, emit", [("a.mlirbc", []), ("a.mlir", ["--emit", "bytecode"]), ("a.mlir", [])])
def test_compile_writes_a_file(model, tmp_path, capfd, name, emit):
    assert main(["compile", model, "--target", "torch", "-o", str(tmp_path / name), *emit]) == 0
    is_bytecode = (tmp_path / name).read_bytes().startswith(b"ML\xefR")
    assert is_bytecode == bool(emit or name == "a.mlirbc")
    assert "torch.aten.exp" in str(isthmus.load(tmp_path / name))
    assert capfd.readouterr() == ("", "")


@needs_onnx
def test_compile_writes_the_generic_form(model, tmp_path, capfd):
    command = ["compile", model, "--target", "torch", "--emit", "generic"]
    assert main(command) == 0
    said = capfd.readouterr().out
    assert re.search(r'= "torch\.aten\.exp"\(%\w+\) : \(.*\) -> ', said) and '"func.return"(' in said
    assert not re.search(r"^ *(func\.func|module|%\w+ = torch\.)", said, re.MULTILINE)
    assert main([*command, "-o", str(tmp_path / "a.mlir")]) == 0
    assert (tmp_path / "a.mlir").read_text() == said
    assert main(["compile", model, "--target", "torch"]) == 0
    assert str(isthmus.load(tmp_path / "a.mlir")).strip() == capfd.readouterr().out.strip()


@needs_onnx
@needs_tosa
@pytest.mark.parametrize("name, emit", [("a.tosa", []), ("a", ["--emit", "tosa"])])
def test_compile_writes_a_file_of_tosa(model, tmp_path, capfdbinary, name, emit):
    command = ["compile", model, "--target", "tosa", *emit, "-o"]
    assert main([*command, str(tmp_path / name)]) == 0
    data = (tmp_path / name).read_bytes()
    assert data[4:8] == b"TOSA"
    assert capfdbinary.readouterr() == (b"", b"")
    if emit:
        assert main([*command, "-"]) == 0
        assert capfdbinary.readouterr().out == data
        assert main(command[:-1]) == 1
        assert b"--emit tosa: expected -o FILE to write it to, got none" in capfdbinary.readouterr().err


@needs_onnx
@needs_tosa
def test_a_program_that_tosa_cannot_hold_is_not_written(model, tmp_path, capfd):
    output = tmp_path / "a.tosa"
    assert main(["compile", model, "--target", "torch", "-o", str(output)]) == 1
    assert "expected an op of TOSA 1.0, which a TOSA file can hold, got 'torch." in capfd.readouterr().err
    assert not output.exists()
    assert main(["compile", model, "--target", "tosa", "-o", str(output), "--weights", "external"]) == 1
    assert "expected weights in the file of a target, or as arguments" in capfd.readouterr().err
    assert os.listdir(tmp_path) == [os.path.basename(model)]


@needs_onnx
def test_the_model_is_not_written_over(model, tmp_path, capfd):
    before = open(model, "rb").read()
    (tmp_path / "link.mlir").symlink_to(model)
    for output in (model, str(tmp_path / "link.mlir")):
        assert main(["compile", model, "--target", "torch", "-o", output]) == 1
        assert capfd.readouterr().err.endswith("expected another file than the model to write to, got the model\n")
    assert open(model, "rb").read() == before


@needs_onnx
def test_specialize_takes_one_shape_for_each_input(model, capfd):
    sizes = ["--specialize", "x=3x4", "--specialize", "x=3x5"]
    assert main(["compile", model, "--target", "torch", *sizes]) == 1
    assert "--specialize: expected one shape for each input, got two for 'x'" in capfd.readouterr().err


def test_specialize(model, capfd):
    assert main(["compile", model, "--target", "torch", "--specialize", "x=3x4"]) == 0
    assert "!torch.vtensor<[3,4],f32>" in capfd.readouterr().out


@needs_onnx
@pytest.mark.parametrize(
    "content, message",
    [
        (None, "No such file or directory"),
        (b"", "expected"),
        (b"\x7fELF and so on", "expected"),
    ],
)
def test_bad_models_leave_the_output_as_it_was(tmp_path, capfd, content, message):
    model, output = tmp_path / "bad.onnx", tmp_path / "out.mlir"
    if content is not None:
        model.write_bytes(content)
    output.write_text("old")
    assert main(["compile", str(model), "--target", "torch", "-o", str(output)]) == 1
    said = capfd.readouterr()
    assert said.out == "" and said.err.startswith(f"isthmus: {model}: ") and message in said.err
    assert output.read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} <= {"bad.onnx", "out.mlir"}


@needs_onnx
def test_what_does_not_lower_names_its_node(unsupported, tmp_path, capfd):
    assert main(["compile", unsupported, "--target", "torch", "-o", str(tmp_path / "out.mlir")]) == 1
    assert f"isthmus: {unsupported}: node 'Cast_0'" in capfd.readouterr().err
    assert not (tmp_path / "out.mlir").exists()


needs_linalg_to_run = pytest.mark.skipif(
    not {"jit", "linalg", "onnx"} <= set(isthmus.parts()), reason="this build does not run ONNX models"
)


@needs_onnx
@needs_tosa
def test_narrow_f64(tmp_path, capfd):
    """TOSA has no f64. An option computes in f32 instead."""
    model = write_model(
        tmp_path / "double.onnx",
        ("Cast", {"to": TensorProto.DOUBLE}),
        ("Exp", {}),
        ("Cast", {"to": TensorProto.FLOAT}),
    )
    assert main(["check", model, "--targets", "tosa"]) == 1
    assert "TOSA has no f64" in capfd.readouterr().out
    assert main(["check", model, "--targets", "tosa", "--narrow-f64"]) == 0


@needs_onnx
def test_check_lists_what_lowers(model, capfd):
    assert main(["check", model]) == 0
    header, *rows = capfd.readouterr().out.splitlines()
    targets = [target for target in isthmus.output_types() if target != "torch"]
    assert header == f"{model}: nodes: 2, different ops: 2"
    assert [row.split() for row in rows if row] == [
        ["op", "nodes", *targets],
        ["Abs", "1", *["yes"] * len(targets)],
        ["Exp", "1", *["yes"] * len(targets)],
        *[[f"{target}:", "lowers"] for target in targets],
    ]


@needs_onnx
def test_check_says_why(unsupported, capfd):
    assert main(["check", unsupported, "--targets", "torch"]) == 1
    said = capfd.readouterr().out
    assert "nodes: 2, different ops: 1" in said
    assert "Cast  2      1 of 2" in said
    assert f"torch: does not lower\n  {unsupported}: node 'Cast_0': no lowering to torch for 'onnx.Cast': " in said


@needs_onnx
@needs_tosa
def test_check_counts_the_nodes_of_a_target(tmp_path, capfd):
    """Both NonZero nodes fail in the lowering to TOSA; the other nodes have a lowering."""
    model = write_model(
        tmp_path / "nonzero.onnx",
        ("NonZero", {}),
        ("Cast", {"to": TensorProto.FLOAT}),
        ("NonZero", {}),
        ("Cast", {"to": TensorProto.FLOAT}),
    )
    assert main(["check", model, "--targets", "tosa"]) == 1
    said = capfd.readouterr().out
    assert "NonZero  2      no" in said and "Cast     2      yes" in said
    assert "no lowering to tosa for 'torch.aten.nonzero': the result has as many rows" in said
    assert said.endswith("\n    2 nodes: NonZero_0, NonZero_2\n")
    assert main(["check", model, "--targets", "tosa", "--all"]) == 1
    said = capfd.readouterr().out
    for node in ("NonZero_0", "NonZero_2"):
        assert f"node '{node}': no lowering to tosa for 'torch.aten.nonzero': the result has as many rows" in said


@needs_onnx
@pytest.mark.skipif("linalg" not in isthmus.parts(), reason="this build has no linalg")
def test_check_knows_nothing_of_nodes_behind_a_failure(tmp_path, capfd):
    """If a model does not lower to the torch dialect, nothing is known about linalg for the other nodes."""
    nodes = ("Abs", {}), ("Cast", {"to": TensorProto.STRING}), ("Cast", {"to": TensorProto.FLOAT})
    assert main(["check", write_model(tmp_path / "model.onnx", *nodes), "--targets", "linalg"]) == 1
    said = capfd.readouterr().out
    assert "Abs   1      ?" in said and "Cast  2      no" in said


@needs_onnx
def test_check_as_json(unsupported, capfd):
    assert main(["check", unsupported, "--targets", "torch", "--format", "json"]) == 1
    report = json.loads(capfd.readouterr().out)
    assert report["ops"] == {"onnx.Cast": 2}
    torch = report["targets"]["torch"]
    assert not torch["lowers"] and torch["ops"] == {"onnx.Cast": "1 of 2"}
    assert len(torch["messages"]) == 1 and "node 'Cast_0'" in torch["messages"][0]


def test_check_reads_torch_programs(tmp_path, capfd):
    path = tmp_path / "model.mlir"
    path.write_text(
        "func.func @main(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {\n"
        "  %y = torch.aten.abs %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>\n"
        "  return %y : !torch.vtensor<[2],f32>\n}\n"
    )
    assert main(["check", str(path), "--targets", "torch"]) == 0
    assert "aten.abs  1      yes" in capfd.readouterr().out


@needs_onnx
def test_a_name_that_is_no_input(model, capfd):
    assert main(["compile", model, "--target", "torch", "--specialize", "z=3x4"]) == 1
    assert "expected the name of an input, one of 'x', got 'z'" in capfd.readouterr().err


@pytest.mark.parametrize("sizes", ["x=3xfour", "3x4", "x="])
def test_arguments_that_make_no_sense(capfd, sizes):
    with pytest.raises(SystemExit) as exit:
        main(["compile", "model.onnx", "--target", "torch", "--specialize", sizes])
    assert exit.value.code == 2
    assert "expected NAME=SIZExSIZE" in capfd.readouterr().err


@pytest.mark.parametrize(
    "target, part", [("linalg", "linalg"), ("mhlo", "mhlo"), ("stablehlo", "mhlo"), ("tosa", "tosa")]
)
def test_a_missing_part_is_named(model, capfd, target, part):
    if part in isthmus.parts():
        pytest.skip("this build has the part")
    assert main(["compile", model, "--target", target]) == 1
    assert f"this build has no {part} part" in capfd.readouterr().err


# -----------------------------------------------------------------------------
# Files that `run` writes
# -----------------------------------------------------------------------------


def running(tmp_path, outputs, *names):
    """Returns arguments that run a model. Its outputs have these names and are x + 1, x + 2 and so on."""
    nodes = [helper.make_node("Add", ["x", f"c{i}"], [name]) for i, name in enumerate(names)]
    constants = [helper.make_tensor(f"c{i}", TensorProto.FLOAT, (), [i + 1]) for i in range(len(names))]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, (4,)) for name in ("x", *names)]
    graph = helper.make_graph(nodes, "graph", values[:1], values[1:], constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10), tmp_path / "m.onnx")
    np.save(tmp_path / "x.npy", np.arange(4, dtype=np.float32))
    return ["run", str(tmp_path / "m.onnx"), "--inputs", f"x={tmp_path}/x.npy", "--outputs", str(outputs)]


@needs_linalg_to_run
@pytest.mark.parametrize(
    "names, members",
    [
        (["file"], ["file"]),
        (["allow_pickle", "args"], ["allow_pickle", "args"]),
        (["a/b:0", "c d"], ["a/b:0", "c d"]),
        (["../../evil", "/etc/evil"], ["..%2F..%2Fevil", "%2Fetc%2Fevil"]),
        (["a\\b", "c:x", "a//b", ".", "line\nbreak"], ["a%5Cb", "c%3Ax", "a%2F%2Fb", ".", "line%0Abreak"]),
        (["../a", "..%2Fa"], ["..%2Fa", "..%2Fa_2"]),
        (["x" * 40000], ["x" * 8000]),
    ],
)
def test_outputs_have_names_that_are_no_paths(tmp_path, names, members):
    """The archive holds each output, under a name that cannot be a path outside the folder where it is unpacked."""
    assert main(running(tmp_path, tmp_path / "o.npz", *names)) == 0
    with zipfile.ZipFile(tmp_path / "o.npz") as archive:
        assert archive.namelist() == [f"{member}.npy" for member in members]
    with np.load(tmp_path / "o.npz") as outputs:
        for i, member in enumerate(members):
            np.testing.assert_array_equal(outputs[member], np.arange(4) + i + 1)


@needs_linalg_to_run
def test_outputs_keep_the_mode_of_the_file(tmp_path):
    output = tmp_path / "o.npz"
    output.touch(mode=0o600)
    assert main(running(tmp_path, output, "y")) == 0
    assert stat.S_IMODE(output.stat().st_mode) == 0o600 and np.load(output)["y"][0] == 1


@needs_linalg_to_run
def test_outputs_go_into_what_is_no_file(tmp_path, capfd):
    """Outputs are written into a pipe or a device; it is not replaced by a file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    arguments = running(tmp_path, pipe, "y")
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    assert main(arguments) == 0
    (tmp_path / "o.npz").write_bytes(reader.communicate(timeout=60)[0])
    assert np.load(tmp_path / "o.npz")["y"][0] == 1 and stat.S_ISFIFO(pipe.stat().st_mode)
    with open(os.devnull, "wb") as device:  # by a name that cannot be replaced
        assert main([*arguments[:-1], f"/proc/self/fd/{device.fileno()}"]) == 0
    assert main([*arguments[:-1], str(tmp_path)]) == 1
    assert f"isthmus: {tmp_path}: Is a directory" in capfd.readouterr().err


@needs_linalg_to_run
def test_outputs_go_through_no_link(tmp_path):
    """Outputs are not written through a symbolic link, even if the name of the temporary file is one."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    arguments = running(tmp_path, tmp_path / "o.npz", "y")
    (tmp_path / f"o.npz.{os.getpid()}.tmp").symlink_to(victim)
    assert main(arguments) == 0
    assert victim.read_text() == "precious" and np.load(tmp_path / "o.npz")["y"][0] == 1


# -----------------------------------------------------------------------------
# Standard output
# -----------------------------------------------------------------------------


def isthmus_process(arguments, redirection):
    """Runs the command with a shell's redirection; returns its status and what it says on standard error."""
    command = f'exec "$0" -m isthmus "$@" {redirection}'
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        ["bash", "-c", command, sys.executable, *arguments], capture_output=True, text=True, env=environment
    )
    return done.returncode, done.stderr


@needs_onnx
@pytest.mark.parametrize("redirection, reason", [(">&-", "Bad file descriptor"), (">/dev/full", "No space left")])
@pytest.mark.parametrize("arguments", [["compile", "--target", "torch"], ["check", "--targets", "torch"]])
def test_standard_output_that_takes_nothing(model, arguments, redirection, reason):
    status, said = isthmus_process([*arguments[:1], model, *arguments[1:]], redirection)
    assert status == 1
    assert said.startswith(f"isthmus: standard output: {reason}") and said.count("\n") == 1


@needs_onnx
@pytest.mark.parametrize("redirection", [">&-", "<&- >&- 2>&-"])
def test_no_standard_streams_are_needed_for_a_file(model, tmp_path, redirection):
    output = tmp_path / "out.mlir"
    status, said = isthmus_process(["compile", model, "--target", "torch", "-o", str(output)], redirection)
    assert (status, said) == (0, "")
    assert output.read_text().startswith("module") and output.read_text().rstrip().endswith("}")


def test_unknown_target(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["compile", "model.onnx", "--target", "nope"])
    assert "invalid choice: 'nope' (choose from 'torch', 'linalg', 'tosa'" in capsys.readouterr().err


@needs_linalg_to_run
def test_names_that_are_no_text(tmp_path, capfd):
    """Names of inputs and outputs may be any bytes. They are escaped in printed text and file names."""
    arguments = running(tmp_path, tmp_path / "o.npz", "y")
    model = tmp_path / "m.onnx"
    model.write_bytes(model.read_bytes().replace(b"\x01y", b"\x01\xff").replace(b"\x01x", b"\x01\xfe"))
    arguments = [*arguments[:2], "--inputs", str(tmp_path / "x.npy")]
    assert main(arguments) == 0
    assert capfd.readouterr().out == "\\udcff: float32 4, min 1, max 4\n"
    assert main([*arguments, "--outputs", str(tmp_path / "o.npz")]) == 0
    assert list(np.load(tmp_path / "o.npz")) == ["%FF"]


def limited(*arguments):
    """Runs the command in a process of its own; returns its status and standard error."""
    done = subprocess.run([sys.executable, "-m", "isthmus", *arguments], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


@needs_linalg_to_run
def test_a_limit_of_time(tmp_path):
    proto = onnx.parser.parse_model(
        """
        <ir_version: 10, opset_import: ["" : 20]>
        g (float[4] x) => (float[4] y) <int64 steps = {9223372036854775807}, bool more = {1}> {
          y = Loop (steps, more, x) <body = b (int64 i, bool c, float[4] s) => (bool d, float[4] t) {
            d = Identity(c) t = Cos(s)
          }>
        }
        """
    )
    onnx.save(proto, tmp_path / "for_ever.onnx")
    np.save(tmp_path / "x.npy", np.zeros(4, np.float32))
    run = ["run", str(tmp_path / "for_ever.onnx"), "--inputs", f"x={tmp_path}/x.npy"]
    code, said = limited(*run, "--max-seconds", "1.5")
    assert (code, said) == (1, "isthmus: not finished within --max-seconds 1.5\n")


@needs_linalg_to_run
def test_a_limit_of_memory_at_run_time(tmp_path):
    proto = onnx.parser.parse_model(
        """
        <ir_version: 10, opset_import: ["" : 20]>
        g (int64[1] n) => (float[m] y) { y = ConstantOfShape(n) }
        """
    )
    onnx.save(proto, tmp_path / "large.onnx")
    np.save(tmp_path / "n.npy", np.array([2**28], np.int64))
    run = ["run", str(tmp_path / "large.onnx"), "--inputs", f"n={tmp_path}/n.npy"]
    assert limited(*run, "--max-memory", "2G") == (0, "")
    code, said = limited(*run, "--max-memory", "500M")
    assert code == 1 and f"out of memory: a tensor of {2**30} bytes" in said


@needs_onnx
def test_a_limit_of_memory_while_compiling(tmp_path):
    model = write_model(tmp_path / "long.onnx", *[("Abs", {})] * 100_000)
    assert limited("compile", model, "--target", "torch", "-o", os.devnull, "--max-memory", "2G") == (0, "")
    code, said = limited("compile", model, "--target", "torch", "-o", os.devnull, "--max-memory", "60M")
    assert (code, said) == (1, "isthmus: out of memory: --max-memory allows no more\n")


@needs_onnx
def test_no_memory_without_a_limit(tmp_path):
    model = write_model(tmp_path / "long.onnx", *[("Abs", {})] * 100_000)
    script = """
import resource, sys
from isthmus import cli
resource.setrlimit(resource.RLIMIT_DATA, (60_000_000, 60_000_000))
sys.exit(cli.main(sys.argv[1:]))
"""
    arguments = ["compile", model, "--target", "torch", "-o", os.devnull]
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "isthmus: out of memory\n")


@needs_linalg_to_run
def test_a_file_that_is_cut_short_while_it_is_read(tmp_path):
    weights = tmp_path / "weights.bin"
    np.arange(2**20, dtype=np.float32).tofile(weights)
    proto = onnx.parser.parse_model(
        """
        <ir_version: 10, opset_import: ["" : 20]>
        g (float[1048576] x) => (float[1048576] y) { y = Add(x, w) }
        """
    )
    where = [onnx.StringStringEntryProto(key="location", value=weights.name)]
    external = onnx.TensorProto(name="w", data_type=1, dims=[2**20], data_location=1, external_data=where)
    proto.graph.initializer.append(external)
    onnx.save(proto, tmp_path / "model.onnx")
    # The file of weights is cut short after the model is compiled and before it runs.
    script = """
import os, sys
import numpy as np
import isthmus
from isthmus import limits
limits.set_limits(None, None)
program = isthmus.import_onnx(sys.argv[1]).lower("linalg")
program.input_names()
os.truncate(sys.argv[2], 0)
program.run(np.zeros(2**20, np.float32))
"""
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "model.onnx", weights], capture_output=True, text=True
    )
    expected = "isthmus: a file was cut short while it was read\n"
    assert (done.returncode, done.stderr) == (1, expected)


@pytest.mark.parametrize(
    "option, text",
    [
        ("--max-memory", "8GB"),
        ("--max-memory", "-1"),
        ("--max-memory", "nan"),
        ("--max-memory", "1e300"),
        ("--max-memory", ""),
        ("--max-seconds", "0"),
        ("--max-seconds", "inf"),
        ("--max-seconds", "soon"),
    ],
)
def test_limits_that_are_none(option, text, capfd):
    with pytest.raises(SystemExit, match="2"):
        main(["check", "model.onnx", f"{option}={text}"])
    assert f"argument {option}: expected a number of" in capfd.readouterr().err


def test_names_of_ops_add_up():
    args = parse_arguments(
        ["check", "m.onnx", "--custom-ops", "aten.gelu, Einsum", "--custom-ops", "aten.relu", "--outline", "A"]
    )
    assert (args.custom_ops, args.outline) == (["aten.gelu", "Einsum", "aten.relu"], ["A"])


@pytest.mark.parametrize("text", ["nan", "inf", "-1", "small"])
def test_tolerances_that_are_none(text, capfd):
    with pytest.raises(SystemExit, match="2"):
        main(["verify", "model.onnx", f"--tolerance={text}"])
    assert f"argument --tolerance: expected a relative error, such as 1e-4, got '{text}'" in capfd.readouterr().err


@needs_onnx
def test_stages_are_saved(model, tmp_path, capfd, monkeypatch):
    monkeypatch.setenv("ISTHMUS_SAVE_STAGES", "")  # which the command changes
    folder = tmp_path / "new" / "stages"
    command = ["compile", "--target", "torch", "-o", str(tmp_path / "out.mlir"), "--save-stages", str(folder)]
    assert main([*command, str(model)]) == 0
    stages = {path.stem.split("_", 1)[1]: path.read_text() for path in folder.rglob("*.mlir")}
    assert "torch.aten." in stages["convert-onnx-to-torch"]
    assert main(["compile", str(model), "--target", "torch", "--save-stages", "/proc/none"]) == 1
    assert capfd.readouterr().err == "isthmus: /proc/none: No such file or directory\n"


@needs_onnx
@pytest.mark.parametrize("command", ["run", "verify"])
def test_a_package_that_is_missing_is_named(model, command):
    code = "import sys; sys.modules['numpy'] = None; from isthmus import cli; sys.exit(cli.main(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", code, command, model], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "isthmus: expected the package numpy, got none: pip install numpy\n")
