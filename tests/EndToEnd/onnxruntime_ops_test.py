"""onnxruntime's own ops, as its optimizers and quantizers write them, compute the same on every target as it does."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto

import isthmus
from isthmus.verify import relative_error
from tests.EndToEnd.onnxruntime_cases import CASES, DOMAIN, Case, X, group_query, integers
from tests.EndToEnd.onnxruntime_device_cases import COMPARED
from tests.support.models import TOLERANCE, Model
from tests.support.targets import TARGETS, lowered_runner

UNIQUE = Case(
    "Unique",
    "counts",
    [integers(16, dtype=np.int32, high=7).astype(np.float32)],
    {},
    ("y", "inverse", "counts"),
    {"inverse": TensorProto.INT64, "counts": TensorProto.INT64},
)

# Reasons why a target cannot have an op.
DECLINED = {
    "MatMulFpQ4": {"tosa": "TOSA has no op that reads the bits of a number as another dtype"},
    "ConvTransposeWithDynamicPads-pads": {"tosa": "expected paddings and a value that are known while compiling"},
}
# XLA compiles no program with sizes that values give.
NOT_IN_XLA = {"ConvTransposeWithDynamicPads-pads"}


def run(case, path, target, dynamic=False):
    onnx.save(case.model(dynamic), path)
    model = Model(path, case.arrays())
    # As floats: integers round other halves up, see test_integers.
    lowered = model.imported.lower(target, quantized="floats")
    model.check(lowered_runner(lowered, target)(*model.inputs))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_numbers(case, target, tmp_path):
    if str(case) in NOT_IN_XLA and target in ("mhlo", "stablehlo"):
        isthmus.import_onnx(case.model().SerializeToString()).lower(target)
        return
    declined = DECLINED.get(case.op, {}) | DECLINED.get(str(case), {})
    if reason := declined.get(target):
        with pytest.raises(isthmus.UnsupportedError, match=reason):
            run(case, tmp_path / "m.onnx", target)
    else:
        run(case, tmp_path / "m.onnx", target)


def check_with_pytorch(compared, target, dynamic=False):
    imported = isthmus.import_onnx(compared.case.model(dynamic).SerializeToString())
    results = lowered_runner(imported.lower(target), target)(*compared.case.arrays())
    for got, want in zip(results, compared.expected(), strict=True):
        assert relative_error(np.asarray(got), want) < TOLERANCE


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("compared", COMPARED, ids=str)
def test_numbers_of_other_devices(compared, target):
    check_with_pytorch(compared, target)


@pytest.mark.parametrize("compared", COMPARED, ids=str)
def test_open_batch_of_other_devices(compared):
    check_with_pytorch(compared, "linalg", dynamic=True)


@pytest.mark.parametrize("case", [case for case in CASES if case.op.startswith("QLinear")], ids=str)
def test_integers(case, tmp_path):
    """TOSA computes on integers within one step."""
    onnx.save(case.model(), tmp_path / "m.onnx")
    model = Model(tmp_path / "m.onnx", case.arrays())
    (got,), (want,) = model.runner("tosa")(*model.inputs), model.expected()
    np.testing.assert_allclose(got.astype(int), want.astype(int), rtol=0, atol=1)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_open_batch(case, tmp_path):
    run(case, tmp_path / "m.onnx", "linalg", dynamic=True)


def test_every_op_is_tested():
    from isthmus import ops

    lowered = {op.name.removeprefix(f"{DOMAIN}.") for op in ops.coverage().onnx if op.domain == DOMAIN and op.lowered}
    assert lowered == {case.op for case in [*CASES, UNIQUE, *(compared.case for compared in COMPARED)]}


def test_unique(tmp_path):
    """The number of its results depends on the data, which other targets lack."""
    run(UNIQUE, tmp_path / "m.onnx", "linalg")


@pytest.mark.parametrize("target", TARGETS)
def test_they_can_be_carried(tmp_path, target):
    onnx.save(Case("QuickGelu", "f32", [X]).model(), tmp_path / "m.onnx")
    module = isthmus.compile(tmp_path / "m.onnx", output_type=target, custom_ops=["com.microsoft.QuickGelu"])
    assert module.custom_ops() == {"com.microsoft.QuickGelu": 1}


def test_a_past_that_is_no_past(tmp_path):
    """past_key must hold exactly the earlier tokens. A buffer with room for later steps is an error at run time."""
    case = group_query("step", 5, tokens=1)
    onnx.save(case.model(), tmp_path / "m.onnx")
    program = isthmus.import_onnx(tmp_path / "m.onnx").lower("linalg")
    arrays = case.arrays()
    arrays[5] = arrays[5] - 1
    with pytest.raises(isthmus.IsthmusError, match="a past_key of all earlier tokens of each sample and no more"):
        program.run(*arrays)
