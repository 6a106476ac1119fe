"""examples/target, a target that is not part of the project, works where it is linked.

Its programs are printed as C++, compiled with the example's library, and their results compared with PyTorch's.
"""

import importlib.util
import pathlib
import subprocess
import sys

import numpy as np
import pytest
import torch

EXAMPLE = pathlib.Path("examples/target")

# The package imports this native module in place of the one in its own folder.
_spec = importlib.util.spec_from_file_location("isthmus._native", "python/with_kernels/_native.abi3.so")
sys.modules["isthmus._native"] = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(sys.modules["isthmus._native"])

import isthmus  # noqa: E402
from isthmus.cli import main  # noqa: E402

PROGRAM = """\
#include "kernels.h"
#include <cstdio>
namespace model {
%s
}
template <typename R, typename... Arguments>
int run(R (*function)(Arguments...)) {
  auto read = [](auto tensor) {
    if (std::fread(tensor.data.data(), sizeof(tensor.data[0]), tensor.count, stdin) != size_t(tensor.count))
      std::abort();
    return tensor;
  };
  std::tuple<Arguments...> arguments{read(Arguments())...};
  R result = std::apply(function, arguments);
  std::fwrite(result.data.data(), sizeof(result.data[0]), result.count, stdout);
  return 0;
}
int main() { return run(model::main); }
"""


def run(text, arrays, folder):
    """Compiles and runs a program in the target's dialect; returns the bytes of its result."""
    translate = ["mlir-translate-22", "--mlir-to-cpp"]
    code = subprocess.run(translate, input=text, check=True, capture_output=True, text=True).stdout
    source = folder / "program.cpp"
    source.write_text("#include <cstdlib>\n#include <tuple>\n" + PROGRAM % code)
    compile_it = ["clang++-22", "-std=c++17", "-O1", "-I", EXAMPLE, source, "-o", folder / "program"]
    subprocess.run(compile_it, check=True)
    given = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)
    return subprocess.run([folder / "program"], input=given, check=True, capture_output=True).stdout


class Tower(torch.nn.Module):
    """An attention and a classifier without convolutions, which decompose into 20 kinds of ops."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.norm = torch.nn.LayerNorm(8)
        self.query, self.key, self.value = (torch.nn.Linear(8, 8) for _ in range(3))
        self.classify = torch.nn.Linear(8, 5)

    def forward(self, x, mask):
        y = self.norm(x)
        scores = self.query(y) @ self.key(y).transpose(1, 2) / 8**0.5
        scores = torch.where(mask, scores, -1e9)
        y = x + torch.softmax(scores, -1) @ self.value(y)
        y = torch.nn.functional.gelu(y).mean(1)
        return torch.log_softmax(self.classify(torch.sigmoid(y) * torch.tanh(y)), -1)


def test_a_model(tmp_path):
    model = Tower().eval()
    inputs = torch.randn(2, 3, 8), torch.rand(2, 3, 3) > 0.3
    text = isthmus.compile(model, inputs, "kernels").text()
    assert "= torch." not in text
    result = np.frombuffer(run(text, [array.numpy() for array in inputs], tmp_path), np.float32)
    expected = model(*inputs).detach().numpy()
    np.testing.assert_allclose(result.reshape(expected.shape), expected, rtol=1e-4, atol=1e-6)


def test_opt():
    command = [EXAMPLE / "kernels-opt", "--torch-to-kernels-pipeline", EXAMPLE / "mlp.mlir"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert 'emitc.call_opaque "kernels::mm"' in text
    assert 'emitc.call_opaque "kernels::erf"' in text
    assert "= torch." not in text


def test_the_table(capfd):
    assert "kernels" in isthmus.output_types()
    assert main(["ops", "--target", "kernels", "exp", "sort"]) == 0
    printed = capfd.readouterr().out
    assert "aten.exp" in printed and "the library has no sort" in printed
    lowered = [op for op in isthmus.coverage().torch if op.targets["kernels"] == "pattern"]
    assert len(lowered) >= 24


def test_check_names_what_does_not_lower(tmp_path, capfd):
    class Sorted(torch.nn.Module):
        def forward(self, x):
            return torch.sort(x.exp()).values

    path = tmp_path / "sorted.pt2"
    torch.export.save(torch.export.export(Sorted(), (torch.ones(4),)), path)
    assert main(["check", str(path), "--targets", "kernels"]) == 1
    printed = capfd.readouterr()
    assert "the library has no sort" in printed.out + printed.err


def test_sizes_must_be_known():
    program = isthmus.parse("""
        func.func @main(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
          %0 = torch.aten.exp %x : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
          return %0 : !torch.vtensor<[?],f32>
        }""")
    with pytest.raises(
        isthmus.UnsupportedError, match="no lowering to kernels for argument 0: a C.. type has all sizes"
    ):
        program.lower("kernels")


def test_custom_ops_come_back():
    text = """
        func.func @main(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
          %int0 = torch.constant.int 0
          %0 = torch.aten.cumsum %x, %int0, %none : !torch.vtensor<[4],f32>, !torch.int, !torch.none -> !torch.vtensor<[4],f32>
          return %0 : !torch.vtensor<[4],f32>
        }""".replace("%int0 =", "%none = torch.constant.none\n          %int0 =")
    lowered = isthmus.parse(text).lower("kernels", custom_ops=["aten.cumsum"])
    assert lowered.custom_ops() == {"torch.aten.cumsum": 1}
    assert 'emitc.call_opaque "torch_aten_cumsum"' in str(lowered)
    raised = lowered.raise_custom_ops()
    assert "torch.aten.cumsum" in str(raised) and "emitc" not in str(raised)


def test_an_unknown_target_is_an_error():
    with pytest.raises(ValueError, match="expected an output type of 'torch', .*'kernels'.*, got 'kernals'"):
        isthmus.parse("func.func @main() { return }").lower("kernals")
