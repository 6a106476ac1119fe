"""Every registered op has its lowerings and its tests. A failure names the missing file or entry."""

import pathlib

import pytest

from isthmus import ops
from tests.EndToEnd import aten_cases, aten_composite_cases

COVERAGE = ops.Coverage.from_json(pathlib.Path("tools/coverage/ops.json").read_text(encoding="utf-8"))
CORE, COMPOSITE, STRUCTURAL = (
    [op for op in COVERAGE.torch if op.role == role] for role in ("core", "composite", "structural")
)

# Structural ops that are tested with the op they belong to.
WITHIN = {
    "prim.If.yield": "prim.If",
    "prim.Loop.condition": "prim.Loop",
    "tensor_static_info_cast": "prim.If",
}

# Tests of features that several ops share.
SEVERAL_OPS = {"declined.mlir", "derefine.mlir", "no_return.mlir", "not_a_graph.mlir", "shape_arithmetic.mlir"}

# Composite ops that have no numbers to compare.
_RANDOM = [
    "aten.bernoulli",
    "aten.bernoulli.Tensor",
    "aten.bernoulli.p",
    "aten.cauchy",
    "aten.exponential",
    "aten.feature_alpha_dropout",
    "aten.geometric",
    "aten.log_normal",
    "aten.multinomial",
    "aten.normal.Tensor_Tensor",
    "aten.normal.Tensor_float",
    "aten.normal.float_Tensor",
    "aten.normal.float_float",
    "aten.normal_functional",
    "aten.rand",
    "aten.rand.generator",
    "aten.rand_like",
    "aten.rand_like.generator",
    "aten.randint",
    "aten.randint.generator",
    "aten.randint.low",
    "aten.randint.low_generator",
    "aten.randint_like",
    "aten.randint_like.generator",
    "aten.randint_like.low_dtype",
    "aten.randint_like.low_generator_dtype",
    "aten.randn",
    "aten.randn.generator",
    "aten.randn_like",
    "aten.randn_like.generator",
    "aten.random",
    "aten.random.from",
    "aten.random.to",
    "aten.randperm",
    "aten.randperm.generator",
    "aten.uniform",
]
WITHOUT_NUMBERS = {
    "aten._assert_tensor_metadata": "no result",
    "aten._linalg_check_errors": "no result",
    "aten.empty.memory_format": "a result of any values",
    "aten.empty_like": "a result of any values",
    "aten.empty_permuted": "a result of any values",
    "aten.empty_strided": "a result of any values",
    "aten.new_empty": "a result of any values",
    "aten.new_empty_strided": "a result of any values",
    **dict.fromkeys(_RANDOM, "not PyTorch's numbers: tests/EndToEnd/random_test.py has them"),
    "aten.to.device": "devices are no part of a program",
}


def lit_test(op):
    """tests/Conversion/Torch/clamp.Tensor.mlir for aten.clamp.Tensor. Names of files include other namespaces."""
    return pathlib.Path("tests/Conversion/Torch", f"{op.removeprefix('aten.')}.mlir")


def expect_nothing(missing):
    missing = list(missing)
    assert not missing, "\n" + "\n".join(missing)


def test_there_are_ops():
    assert CORE and COMPOSITE


def test_onnx_ops_have_a_lit_test():
    paths = {op: pathlib.Path("tests/Conversion/OnnxToTorch", f"{op.name}.mlir") for op in COVERAGE.onnx if op.lowered}
    expect_nothing(
        f"{op}: add {path} with a function per attribute, optional input and decline"
        for op, path in paths.items()
        if not path.exists()
    )


def test_core_ops_have_a_lit_test():
    expect_nothing(
        f"{op}: add {lit_test(WITHIN.get(op.name, op.name))} with a prefix per target"
        for op in CORE + STRUCTURAL
        if not lit_test(WITHIN.get(op.name, op.name)).exists()
    )


@pytest.mark.parametrize(
    "ops, cases, home",
    [(CORE, aten_cases.CASES, "aten_cases.py"), (COMPOSITE, aten_composite_cases.CASES, "aten_composite_cases.py")],
    ids=["core", "composite"],
)
def test_ops_have_numbers_to_match(ops, cases, home):
    covered = {case.op for case in cases} | set(WITHOUT_NUMBERS)
    expect_nothing(f"{op}: add a case to tests/EndToEnd/{home}" for op in ops if op.name not in covered)


def test_ops_have_a_lowering_to_each_target_or_a_reason():
    expect_nothing(
        f"{op} to {target}: add a function to the target's family files, or addUnsupported<...> with the reason"
        for op in CORE + COMPOSITE
        for target, way in op.targets.items()
        if way == "no" and target not in op.reasons
    )


def test_lit_tests_are_named_after_ops():
    if COVERAGE.missing_parts:
        pytest.skip("this build does not know all ops")
    onnx = {f"{op.name}.mlir" for op in COVERAGE.onnx if op.lowered}
    torch = {lit_test(op.name).name for op in COVERAGE.torch}
    for folder, names in (("OnnxToTorch", onnx), ("Torch", torch)):
        files = {path.name for path in pathlib.Path("tests/Conversion", folder).glob("*.mlir")}
        expect_nothing(f"tests/Conversion/{folder}/{file}: no op is called so" for file in files - names - SEVERAL_OPS)


def test_exceptions_are_needed():
    numbers = {case.op for case in aten_cases.CASES + aten_composite_cases.CASES}
    names = {op.name for op in COVERAGE.torch}
    expect_nothing(f"{op}: take it out of WITHOUT_NUMBERS" for op in WITHOUT_NUMBERS if op in numbers)
    expect_nothing(f"{op}: is no op" for op in [*WITHOUT_NUMBERS, *WITHIN] if COVERAGE.targets and op not in names)
