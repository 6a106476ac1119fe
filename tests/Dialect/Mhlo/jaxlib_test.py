"""jaxlib, the only other project with MHLO, reads every op as this project prints it."""

import pathlib
import re

import numpy as np
import pytest

from tests.support.isthmus_opt import isthmus_opt
from tests.support.xla import interpret_stablehlo, parse, run_mhlo, run_stablehlo

OPS = pathlib.Path("tests/Dialect/Mhlo/ops.mlir").read_text()
DEFINITIONS = pathlib.Path("cc/include/isthmus/Dialect/Mhlo/HloOps.td").read_text()

# Returns x @ y, for any number of rows, and the number of rows.
DYNAMIC = """
func.func @main(%x: tensor<?x4xf32>, %y: tensor<4x3xf32>) -> (tensor<?x3xf32>, tensor<i32>) {
  %0 = "mhlo.dot_general"(%x, %y) {dot_dimension_numbers = #mhlo.dot<
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}
      : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  %1 = "mhlo.get_dimension_size"(%0) {dimension = 0 : i64} : (tensor<?x3xf32>) -> tensor<i32>
  return %0, %1 : tensor<?x3xf32>, tensor<i32>
}
"""


def defined_ops():
    return set(re.findall(r'^def Hlo_\w+Op\s*:\s*\w+<(?:Hlo_Dialect, )?"(\w+)"', DEFINITIONS, re.M))


@pytest.mark.parametrize("dialect", ["mhlo", "stablehlo"])
@pytest.mark.parametrize("form", [[], ["--mlir-print-op-generic"]], ids=["pretty", "generic"])
def test_reads_every_op(dialect, form):
    passes = ["--mhlo-to-stablehlo"] if dialect == "stablehlo" else []
    text = parse(isthmus_opt(OPS, *passes, *form))
    printed = set(re.findall(rf"\b{dialect}\.(\w+)", text))
    assert defined_ops() - printed == set(), "add an example to ops.mlir"
    other = {"mhlo": r"\bstablehlo\.", "stablehlo": r"\bmhlo\."}[dialect]
    assert not re.search(other, text)


def test_runs_dynamic_shapes():
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    y = np.arange(12, dtype=np.float32).reshape(4, 3)
    renamed = isthmus_opt(DYNAMIC, "--mhlo-to-stablehlo")
    for product, rows in (
        run_mhlo(DYNAMIC, x, y),
        run_stablehlo(renamed, x, y),
        interpret_stablehlo(renamed, x, y),
    ):
        np.testing.assert_allclose(product, x @ y)
        assert rows == 2


def test_interpreter_failure_is_an_error():
    unsupported = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @nothing(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
    with pytest.raises(RuntimeError, match="interpreter stopped"):
        interpret_stablehlo(unsupported, np.zeros(2, np.float32))
