"""`isthmus reduce` writes a small model that fails like a large one."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import isthmus
from isthmus import api, findings, kernels, reduce_mlir, trials
from isthmus.cli import main
from isthmus.subsets import smallest

PARTS = set(isthmus.parts())
needs_onnx = pytest.mark.skipif("onnx" not in PARTS, reason="this build reads no ONNX")
needs_tosa = pytest.mark.skipif(not {"onnx", "tosa"} <= PARTS, reason="this build reads no ONNX, or has no TOSA")
needs_hlo = pytest.mark.skipif(not {"onnx", "mhlo"} <= PARTS, reason="this build reads no ONNX, or has no StableHLO")
needs_pt2 = pytest.mark.skipif(not {"pt2", "mhlo"} <= PARTS, reason="this build reads no .pt2, or has no StableHLO")

# -----------------------------------------------------------------------------
# The steps
# -----------------------------------------------------------------------------


@pytest.mark.parametrize("needed", [set(), {0}, {39}, {3, 17}, set(range(40)), {0, 1, 2, 20, 39}])
def test_the_smallest_part_of_a_list(needed):
    tried = []

    def holds(items):
        tried.append(items)
        return needed <= set(items) and items == sorted(items)

    assert smallest(range(40), holds, least=0) == sorted(needed)
    assert len(smallest(range(40), lambda items: True, least=3)) == 3
    assert len(tried) <= 40 * (len(needed) + 8)


def test_work_in_another_process():
    assert trials.run(lambda: {"a": 1}) == trials.Outcome({"a": 1}, [])

    def refuse():
        raise isthmus.UnsupportedError(["a: expected 1", "b: expected \udcff"])

    assert trials.run(refuse).messages == ["a: expected 1", "b: expected \udcff"]

    def other():
        raise isthmus.MissingPartError(["no tosa"])

    with pytest.raises(isthmus.MissingPartError, match="no tosa"):
        trials.run(other)


def test_work_that_crashes():
    crash = trials.run(lambda: os.kill(os.getpid(), signal.SIGSEGV))
    assert crash == trials.Outcome(None, ["the process ended by SIGSEGV"])
    assert trials.run(lambda: os._exit(3)).messages == ["the process ended with status 3"]
    assert trials.run(lambda: 1 // 0).messages == ["ZeroDivisionError: integer division or modulo by zero"]


def test_work_that_reaches_a_limit():
    start = time.monotonic()
    assert trials.run(lambda: time.sleep(60), seconds=0.5).messages == ["not finished within --max-seconds 0.5"]
    assert time.monotonic() - start < 30
    (message,) = trials.run(lambda: bytearray(2**33), memory=4_000_000_000).messages
    assert message.startswith("out of memory")


# -----------------------------------------------------------------------------
# ONNX models
# -----------------------------------------------------------------------------

HEAD = '<ir_version: 10, opset_import: ["" : 18]>'
# TOSA knows no size as a value, and reshapes to one open size at most.
BLOCK = """
<ir_version: 10, opset_import: ["" : 21]>
block (float[batch, sequence, 8] x) => (float[batch, sequence, 8] y)
<float[8] scale = {1, 1, 1, 1, 1, 1, 1, 1}, int64[4] split = {0, 0, 2, 4}, int64[3] join = {0, 0, 8}>
{
  heads = Reshape(x, split)
  turned = Transpose<perm = [0, 2, 1, 3]>(heads)
  weights = Softmax<axis = -1>(turned)
  back = Transpose<perm = [0, 2, 1, 3]>(weights)
  joined = Reshape(back, join)
  active = Gelu(joined)
  y = Mul(active, scale)
}
"""


def save(model, path, **how):
    """Writes a model, given as text or not; returns the path."""
    model = onnx.parser.parse_model(model) if isinstance(model, str) else model
    onnx.save(model, path, **how)
    return str(path)


def findings_of(path, target, **options):
    """The findings of a model by their op and reason."""
    module = api.load(path) if api.is_mlir(path) else api.import_model(path)
    with pytest.raises((isthmus.BadModelError, isthmus.UnsupportedError)) as caught:
        module.lower(target, **options)
    return [findings.identity(message) for message in caught.value.messages]


def reduced(model, target, tmp_path, *options):
    """Runs the command, and checks that the small model fails like the large one; returns the small model."""
    small = tmp_path / "small.onnx"
    assert main(["reduce", model, "--target", target, "-o", str(small), *options]) == 0
    result = onnx.load(small)
    onnx.checker.check_model(result, full_check=not result.graph.sparse_initializer)
    assert set(findings_of(small, target)) & set(findings_of(model, target))
    return result


def ops(graph):
    return [node.op_type for node in graph.node]


@needs_hlo
def test_one_node_of_forty(tmp_path, capfd):
    nodes = [f"t{i + 1} = {'Relu' if i % 2 else 'Neg'}(t{i})" for i in range(40)]
    nodes[22] = "n = NonZero(t22)  t23 = Cast<to = 1>(n)"
    model = save(f"{HEAD} g (float[N, 4] t0) => (float[a, b] t40) {{ {' '.join(nodes)} }}", tmp_path / "model.onnx")
    small = reduced(model, "stablehlo", tmp_path)
    assert ops(small.graph) == ["NonZero"]
    assert [value.name for value in small.graph.input] == ["t22"]
    said = capfd.readouterr().out.splitlines()
    path = tmp_path / "small.onnx"
    assert said[0] == f"{path}: 1 of 41 nodes, {path.stat().st_size:,} bytes"
    assert "no lowering to stablehlo for 'torch.aten.nonzero'" in said[1]
    assert said[-1] == f"see it fail: isthmus compile {path} --target stablehlo"


@needs_tosa
def test_one_of_two_causes(tmp_path, capfd):
    model = save(BLOCK, tmp_path / "model.onnx")
    assert len({op for _, op, _ in findings_of(model, "tosa")}) == 2
    small = reduced(model, "tosa", tmp_path)
    assert ops(small.graph) == ["Reshape"]
    first = [line for line in capfd.readouterr().out.splitlines() if line.startswith("  ")][0]
    assert "aten.size.int" in first
    small = reduced(model, "tosa", tmp_path, "--cause", "aten.view")
    assert ops(small.graph) == ["Reshape"]
    assert "for 'torch.aten.view'" in capfd.readouterr().out
    reduced(model, "tosa", tmp_path, "--cause", "Reshape_joined")
    assert "node 'Reshape_joined'" in capfd.readouterr().out
    before = (tmp_path / "small.onnx").read_bytes()
    assert main(["reduce", model, "--target", "tosa", "-o", str(tmp_path / "small.onnx"), "--cause", "conv"]) == 1
    said = capfd.readouterr().err
    assert "expected a part of a cause's text, got 'conv'; the causes are\n  no lowering" in said
    assert (tmp_path / "small.onnx").read_bytes() == before


@needs_onnx
def test_a_node_in_a_branch(tmp_path):
    model = save(
        HEAD
        + """ g (float[N, 4] x, bool c) => (float[N, 4] y) {
          a = Exp(x)
          b = If (c) <
            then_branch = t () => (float[N, 4] r) { q = Neg(a) s = Cast<to = 8>(q) u = Cast<to = 1>(s) r = Relu(u) },
            else_branch = e () => (float[N, 4] p) { p = Neg(a) }
          >
          y = Relu(b)
        }""",
        tmp_path / "model.onnx",
    )
    assert ops(reduced(model, "torch", tmp_path).graph) == ["Cast"]


@needs_onnx
def test_what_fails_only_with_its_branch(tmp_path, monkeypatch):
    """A failure that needs a node and the If around it, here a made-up one."""
    model = save(
        HEAD
        + """ g (float[N, 4] x, bool c) => (float[N, 4] y) {
          a = Exp(x)
          b = If (c) <
            then_branch = t () => (float[N, 4] r) { q = Neg(a) s = Sin(q) u = Cos(s) r = Relu(u) },
            else_branch = e () => (float[N, 4] p) { o = Neg(a) p = Abs(o) }
          >
          y = Relu(b)
        }""",
        tmp_path / "model.onnx",
    )

    def lower(self, target, **options):
        if {"onnx.If", "onnx.Cos"} <= self.count_ops().keys():
            os.kill(os.getpid(), signal.SIGSEGV)

    monkeypatch.setattr(api.Module, "lower", lower)
    small = tmp_path / "small.onnx"
    assert main(["reduce", model, "--target", "torch", "-o", str(small)]) == 0
    graph = onnx.load(small).graph
    onnx.checker.check_model(str(small), full_check=True)
    assert ops(graph) == ["If"]
    branches = {attribute.name: ops(attribute.g) for attribute in graph.node[0].attribute}
    assert branches == {"then_branch": ["Cos", "Identity"], "else_branch": ["Identity"]}


@needs_onnx
def test_a_crash_and_work_without_end(tmp_path, monkeypatch, capfd):
    model = save(
        f"{HEAD} g (float[4] x) => (float[4] y) {{ a = Neg(x) b = Sin(a) c = Cos(b) y = Relu(c) }}",
        tmp_path / "model.onnx",
    )

    def lower(self, target, **options):
        ops = self.count_ops()
        if "onnx.Cos" in ops:
            os.abort()
        if "onnx.Sin" in ops:
            time.sleep(60)

    monkeypatch.setattr(api.Module, "lower", lower)
    command = ["reduce", model, "--target", "torch", "-o", str(tmp_path / "small.onnx")]
    assert main([*command, "--max-seconds", "2"]) == 0
    assert ops(onnx.load(tmp_path / "small.onnx").graph) == ["Cos"]
    assert ": the process ended by SIGABRT\n" in capfd.readouterr().out
    monkeypatch.setattr(api.Module, "lower", lambda self, *_, **__: "onnx.Sin" in self.count_ops() and time.sleep(60))
    assert main([*command, "--max-seconds", "1"]) == 0
    assert ops(onnx.load(tmp_path / "small.onnx").graph) == ["Sin"]
    said = capfd.readouterr().out
    assert ": not finished within --max-seconds 1\n" in said and said.endswith("--target torch --max-seconds 1\n")


@needs_hlo
@pytest.mark.parametrize("how", [{}, {"save_as_external_data": True, "location": "weights.bin"}])
def test_a_hundred_megabytes_of_weights(tmp_path, how):
    model = onnx.parser.parse_model(
        HEAD
        + """ g (float[N, 2048] x) => (int64[2, n] y) {
          a = MatMul(x, w)
          b = Relu(a)
          y = NonZero(b)
        }"""
    )
    weight = np.random.default_rng(0).standard_normal((2048, 12800), np.float32)
    model.graph.initializer.append(numpy_helper.from_array(weight, "w"))
    path = save(model, tmp_path / "model.onnx", **how)
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) > 100e6
    assert ops(reduced(path, "stablehlo", tmp_path).graph) == ["NonZero"]
    assert (tmp_path / "small.onnx").stat().st_size < 1000


@needs_onnx
@pytest.mark.parametrize("external", [False, True])
@pytest.mark.parametrize("needs_values", [False, True])
def test_weights_that_matter(tmp_path, monkeypatch, external, needs_values):
    """A failure that needs a weight to be constant, or to have its values: here a made-up one."""
    model = onnx.parser.parse_model(
        HEAD + " g (float[N, 64] x) => (float[N, 64] y) { a = MatMul(x, v) b = Neg(a) y = MatMul(b, w) }"
    )
    for name in "vw":
        model.graph.initializer.append(numpy_helper.from_array(np.full((64, 64), ord(name), np.float32), name))
    how = {"save_as_external_data": True, "location": "weights.bin", "size_threshold": 0} if external else {}
    path = save(model, tmp_path / "model.onnx", **how)

    def lower(self, target, **options):
        text = self.text(weights="inline")
        if re.search("onnx.Constant.*1.19" if needs_values else "onnx.Constant", text) and "onnx.MatMul" in text:
            raise isthmus.UnsupportedError(["no lowering to torch for 'onnx.MatMul': a made-up reason"])

    monkeypatch.setattr(api.Module, "lower", lower)
    assert main(["reduce", path, "--target", "torch", "-o", str(tmp_path / "small.onnx")]) == 0
    graph = onnx.load(tmp_path / "small.onnx").graph
    assert ops(graph) == ["MatMul"]
    if needs_values:
        (weight,) = graph.initializer
        assert weight.name == "w" and (numpy_helper.to_array(weight) == ord("w")).all()
    else:
        assert not graph.initializer and len(graph.sparse_initializer) == 1
        assert (tmp_path / "small.onnx").stat().st_size < 500


@needs_hlo
def test_functions(tmp_path):
    model = save(
        """<ir_version: 10, opset_import: ["" : 18, "f" : 1]>
        g (float[N, 4] x) => (float[a, b] y) { a = Neg(x) b = f.F(a) y = Relu(b) }
        <domain: "f", opset_import: ["" : 18]>
        F (p) => (r) { s = Exp(p) t = NonZero(s) r = Cast<to = 1>(t) }
        """,
        tmp_path / "model.onnx",
    )
    small = reduced(model, "stablehlo", tmp_path)
    assert (ops(small.graph), len(small.functions)) == (["NonZero"], 0)
    assert [opset.domain for opset in small.opset_import] == [""]


@needs_tosa
def test_sizes_become_those_of_the_model(tmp_path, capfd):
    model = save(
        f"{HEAD} g (float[N, M, 4] x, int64[2] s) => (float[a, b] y) {{ z = Neg(x) y = Reshape(z, s) }}",
        tmp_path / "model.onnx",
    )
    small = tmp_path / "small.onnx"
    assert main(["reduce", model, "--target", "tosa", "-o", str(small), "--specialize", "x=2x3x4"]) == 0
    shapes = [value.type.tensor_type.shape for value in onnx.load(small).graph.input]
    assert [2, 3, 4] in [[dim.dim_value for dim in shape.dim] for shape in shapes]
    assert capfd.readouterr().out.endswith(f"isthmus compile {small} --target tosa\n")
    assert findings_of(small, "tosa")[0] == findings_of(model, "tosa", specialize={"x": [2, 3, 4]})[0]


@pytest.mark.skipif(not {"jit", "linalg", "onnx"} <= PARTS, reason="this build does not run ONNX models")
def test_wrong_numbers(tmp_path, capfd, monkeypatch):
    """A kernel that computes something similar to the op: of two ops that differ, the first one is kept."""
    monkeypatch.setattr(kernels, "_registered", {})
    model = save(
        BLOCK.replace("active = Gelu(joined)", "half = Gelu(joined) active = Tanh(half)"), tmp_path / "model.onnx"
    )
    similar = tmp_path / "kernels.py"
    similar.write_text("import isthmus\nisthmus.register_kernel('aten.gelu', lambda input, approximate: input * 0.6)\n")
    small = tmp_path / "small.onnx"
    options = ["--target", "linalg", "--custom-ops", "aten.gelu", "--kernels", str(similar)]
    assert main(["reduce", model, "--verify", "-o", str(small), *options]) == 0
    assert ops(onnx.load(small).graph) == ["Gelu"]
    said = capfd.readouterr().out
    assert "node 'Gelu_half' (Gelu): expected the numbers of onnxruntime, got an error of " in said
    again = shlex.split(said.splitlines()[-1].partition(": isthmus ")[2])
    assert main(again) == 1
    assert "parts from onnxruntime at half" in capfd.readouterr().out
    assert main(["reduce", model, "--verify", "-o", str(small), *options, "--tolerance", "9"]) == 1
    assert "expected a model that differs from onnxruntime by 9, got one that does not" in capfd.readouterr().err


@needs_onnx
def test_what_is_no_failure(tmp_path, capfd):
    model = save(f"{HEAD} g (float[4] x) => (float[4] y) {{ y = Neg(x) }}", tmp_path / "model.onnx")
    small = tmp_path / "small.onnx"
    small.write_text("old")
    command = ["reduce", model, "--target", "torch", "-o"]
    assert main([*command, str(small)]) == 1
    assert capfd.readouterr() == (
        "",
        f"isthmus: {model}: expected a model that fails to lower to torch, got one that does not\n",
    )
    assert main([*command, str(tmp_path / "small.mlir")]) == 1
    assert "expected a file named .onnx for such a model, got another" in capfd.readouterr().err
    assert main([*command, model]) == 1
    assert "expected another file than the model to write to, got the model" in capfd.readouterr().err
    assert main(["reduce", str(tmp_path / "none.onnx"), "--target", "torch", "-o", str(small)]) == 1
    assert "none.onnx: No such file or directory" in capfd.readouterr().err
    (tmp_path / "bad.onnx").write_bytes(b"\x7fELF and so on")
    assert main(["reduce", str(tmp_path / "bad.onnx"), "--target", "torch", "-o", str(small)]) == 1
    assert "expected a model that the package onnx reads" in capfd.readouterr().err
    assert small.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.onnx", "model.onnx", "small.onnx"]


@needs_tosa
def test_an_error_about_an_option(tmp_path, capfd):
    model = save(BLOCK, tmp_path / "model.onnx")
    command = ["reduce", model, "--target", "tosa", "-o", str(tmp_path / "small.onnx"), "--specialize", "z=1x2"]
    assert main(command) == 1
    said = capfd.readouterr().err
    assert (
        "expected a model whose copy fails like itself" in said
        and "expected the name of an input, one of 'x', got 'z'" in said
    )
    assert not (tmp_path / "small.onnx").exists()


@needs_onnx
def test_without_the_package_onnx(tmp_path):
    model = save(f"{HEAD} g (float[4] x) => (string[4] y) {{ y = Cast<to = 8>(x) }}", tmp_path / "model.onnx")
    code = "import sys; sys.modules['onnx'] = None; from isthmus import cli; sys.exit(cli.main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "reduce", model, "--target", "torch", "-o", str(tmp_path / "small.onnx")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "isthmus: expected the package onnx, got none: pip install onnx\n")


# -----------------------------------------------------------------------------
# Programs
# -----------------------------------------------------------------------------


def reduced_text(model, target, tmp_path, *options):
    """As `reduced`, for programs; returns the small one as a module."""
    small = tmp_path / "small.mlir"
    assert main(["reduce", model, "--target", target, "-o", str(small), *options]) == 0
    assert set(findings_of(small, target)) & set(findings_of(model, target))
    return isthmus.load(small)


@needs_pt2
def test_an_exported_program(tmp_path, capfd):
    import torch

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(512, 512)

        def forward(self, x):
            for _ in range(10):
                x = self.linear(x).relu()
            positions = x.nonzero()
            return positions.float().sin()

    path = str(tmp_path / "model.pt2")
    torch.export.save(torch.export.export(Model(), (torch.randn(3, 512),)), path)
    small = reduced_text(path, "stablehlo", tmp_path)
    assert small.count_ops() == {"builtin.module": 1, "func.func": 1, "func.return": 1, "torch.aten.nonzero": 1}
    assert (tmp_path / "small.mlir").stat().st_size < 1000
    assert capfd.readouterr().out.startswith(f"{tmp_path}/small.mlir: 1 of ")


@needs_pt2
def test_an_op_in_a_branch_of_a_program(tmp_path):
    import torch

    class Model(torch.nn.Module):
        def forward(self, x):
            return torch.cond(
                x.sum() > 0, lambda x: x.sin().nonzero().cumsum(0).sum() + x, lambda x: x.sum() + x, (x,)
            ).relu()

    path = str(tmp_path / "model.pt2")
    torch.export.save(torch.export.export(Model(), (torch.randn(3, 4),)), path)
    small = reduced_text(path, "stablehlo", tmp_path)
    assert "torch.aten.nonzero" in small.count_ops() and sum(small.count_ops().values()) == 4


@needs_pt2
def test_sizes_become_those_of_the_program(tmp_path, capfd):
    import torch

    class Model(torch.nn.Module):
        def forward(self, x, y):
            return (x.sin().reshape(2 * x.shape[0], 2, -1).cos(), y.tan())

    path = str(tmp_path / "model.pt2")
    n, m = torch.export.Dim("n", max=64), torch.export.Dim("m", max=64)
    program = torch.export.export(Model(), (torch.randn(3, 4), torch.randn(3)), dynamic_shapes=({0: n}, {0: m}))
    torch.export.save(program, path)
    small = tmp_path / "small.mlir"
    sizes = ["--specialize", "y=3"]
    assert main(["reduce", path, "--target", "tosa", "-o", str(small), "--cause", "aten.size.int", *sizes]) == 0
    assert capfd.readouterr().out.endswith(f"isthmus compile {small} --target tosa\n")
    ops = isthmus.load(small).count_ops()
    assert "torch.aten.size.int" in ops and not {"torch.aten.sin", "torch.aten.tan"} & ops.keys()
    assert main(["reduce", path, "--target", "tosa", "-o", str(small), "--specialize", "x=3x4", *sizes]) == 1
    assert "expected a model that fails to lower to tosa, got one that does not" in capfd.readouterr().err


TEXT = """
#map = affine_map<(d0) -> (d0)>
func.func @"a b"(%x: tensor<?x4xf32> {isthmus.name = "x, {"}, %c: i1) -> (tensor<?xf32>, tensor<4xf32>)
    attributes {isthmus.note = "-> )} ({"} {
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r:2 = scf.if %c -> (tensor<?x4xf32>, tensor<4xf32>) {
    scf.yield %x, %k : tensor<?x4xf32>, tensor<4xf32>
  } else {
    %y = math.exp %k : tensor<4xf32>
    scf.yield %x, %y : tensor<?x4xf32>, tensor<4xf32>
  }
  %i = arith.constant 0 : index
  %n = tensor.dim %r#0, %i : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %z = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
  ^bb0(%o: f32):
    %s = math.sin %o : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %z, %r#1 : tensor<?xf32>, tensor<4xf32>
}
"""


@pytest.mark.skipif("linalg" not in PARTS, reason="this build has no Linalg")
def test_parts_of_a_program(tmp_path):
    module = isthmus.parse(TEXT)
    module.save(tmp_path / "generic.mlir", format="generic")
    generic = (tmp_path / "generic.mlir").read_text()
    whole = reduce_mlir._Part.of(generic)
    assert str(isthmus.parse(whole.text())) == str(module)
    sizes = [op for op in whole.ops if op.name == "tensor.dim"]
    (dim,) = sizes
    source, index = dim.uses()
    assert source.endswith("#0") and whole.kinds[source] == "tensor<?x4xf32>" and whole.kinds[index] == "index"
    part = isthmus.parse(whole.with_ops(sizes).closed(whole.ops).text())
    assert part.count_ops() == {
        "builtin.module": 1,
        "func.func": 1,
        "arith.constant": 1,
        "tensor.dim": 1,
        "func.return": 1,
    }
    (branch,) = [op for op in whole.ops if op.name == "scf.if"]
    inner = isthmus.parse(whole.enter(branch, branch.blocks[1]).text()).count_ops()
    assert inner == {"builtin.module": 1, "func.func": 1, "math.exp": 1, "func.return": 1}


@needs_hlo
def test_text(tmp_path):
    nodes = " ".join(f"t{i + 1} = Neg(t{i})" for i in range(10))
    model = save(
        f"{HEAD} g (float[N, 4] t0) => (float[a, b] y) {{ {nodes} n = NonZero(t10) y = Cast<to = 1>(n) }}",
        tmp_path / "model.onnx",
    )
    isthmus.import_model(model).save(tmp_path / "onnx.mlir")
    assert "onnx.NonZero" in reduced_text(str(tmp_path / "onnx.mlir"), "stablehlo", tmp_path).count_ops()
    isthmus.import_model(model).lower("torch").save(tmp_path / "torch.mlirbc")
    small = reduced_text(str(tmp_path / "torch.mlirbc"), "stablehlo", tmp_path)
    assert sum(small.count_ops().values()) == 4
