"""The ops of ai.onnx.ml and ai.onnx.preview.training compute the same on every target as in onnxruntime, or in ONNX."""

import functools
import warnings

import numpy as np
import onnx
import pytest
from onnx import TensorProto

import isthmus
from isthmus import ops, verify
from tests.EndToEnd.onnx_ml_cases import (
    BY_TARGET,
    CASES,
    DOMAIN,
    Split,
    X,
    case,
    ensemble,
    leaf,
    linear_classifier,
    regressor,
)
from tests.support import onnx_models, targets
from tests.support.models import TOLERANCE, Model
from tests.support.targets import TARGETS

TRAINING = "ai.onnx.preview.training"


def skip_f64(error, target):
    """Skips a case that TOSA cannot express, if that is what the error says."""
    if target == "tosa" and "TOSA has no f64" in str(error):
        pytest.skip("TOSA has no f64")
    raise error


def run(made, path, target, dynamic=False):
    onnx.save(made.model(dynamic), path)
    model = Model(path, made.arrays())
    try:
        runner = model.runner(target)
    except isthmus.UnsupportedError as error:
        skip_f64(error, target)
    model.check(runner(*model.inputs))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("made", CASES, ids=str)
def test_numbers(made, target, tmp_path):
    run(made, tmp_path / "m.onnx", target)


@pytest.mark.parametrize("made", CASES, ids=str)
def test_open_batch(made, tmp_path):
    run(made, tmp_path / "m.onnx", "linalg", dynamic=True)


def test_every_op_is_tested():
    known = {op.name.removeprefix(f"{DOMAIN}.") for op in ops.coverage().onnx if op.domain == DOMAIN and op.lowered}
    assert known == {made.op for made in CASES}


# ---- ONNX's own tests -----------------------------------------------------------------------------------------------------


@functools.cache
def node_cases():
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases(None)
    domains = {DOMAIN, TRAINING}
    return {c.name: c for c in cases if c.model and any(node.domain in domains for node in c.model.graph.node)}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", node_cases())
def test_nodes_of_onnx(name, target):
    model = node_cases()[name].model
    strings = any(i.type.tensor_type.elem_type == TensorProto.STRING for i in model.graph.input)
    try:
        runner = targets.runner(isthmus.import_onnx(model.SerializeToString()), target)
    except isthmus.UnsupportedError as error:
        if strings:
            return
        skip_f64(error, target)
    for inputs, expected in node_cases()[name].data_sets:
        results = runner(*map(np.asarray, inputs))
        for got, want in zip(results, expected, strict=True):
            assert verify.relative_error(np.asarray(got), np.asarray(want)) < TOLERANCE


# ---- What onnxruntime does in another way ---------------------------------------------------------------------------------


def results_of(made, target="linalg"):
    module = isthmus.import_onnx(made.model().SerializeToString())
    return [np.asarray(got) for got in module.lower(target).run(*made.arrays())]


def test_transforms_of_tree_ensemble():
    """ONNX numbers them NONE, SOFTMAX, LOGISTIC; onnxruntime 1.31 has 1 and 2 the other way round."""
    scores, softmax, logistic = (results_of(ensemble("t", BY_TARGET, 3, transform=i))[0] for i in range(3))
    powers = np.exp(scores)
    np.testing.assert_allclose(softmax, powers / powers.sum(1, keepdims=True), rtol=1e-5)
    np.testing.assert_allclose(logistic, 1 / (1 + 1 / powers), rtol=1e-5)


def test_dtypes_without_kernel():
    """Binarizer of integers, Imputer of f64, and a regression on integers; onnxruntime has no kernels for them."""
    (y,) = results_of(case("Binarizer", "i64", np.array([[3, 0, -2]]), dtypes={"y": TensorProto.INT64}, threshold=0.5))
    assert y.tolist() == [[1, 0, 0]] and y.dtype == np.int64
    x = np.array([[np.nan, 2.0]])
    attributes = {"imputed_value_floats": [7.0], "replaced_value_float": float("nan")}
    (y,) = results_of(case("Imputer", "f64", x, dtypes={"y": TensorProto.DOUBLE}, **attributes))
    assert y.tolist() == [[7.0, 2.0]] and y.dtype == np.float64
    (y,) = results_of(case("LinearRegressor", "i64", np.array([[1, 2]]), coefficients=[0.5, 4.0], intercepts=[1.0]))
    assert y.tolist() == [[9.5]] and y.dtype == np.float32


def test_float16_trees():
    made = ensemble("f16", BY_TARGET[:3], 3, x=X.astype(np.float16))
    (expected,) = results_of(ensemble("f32", BY_TARGET[:3], 3, x=X.astype(np.float16).astype(np.float32)))
    (y,) = results_of(made)
    assert y.dtype == np.float16
    np.testing.assert_allclose(y, expected, rtol=2e-3)


def test_a_category_that_is_missing():
    made = case("OneHotEncoder", "every", np.array([[3, 4]]), cats_int64s=[3], zeros=0)
    with pytest.raises(isthmus.IsthmusError, match="expected elements of X that are categories"):
        results_of(made)


def test_every_integer_is_a_category():
    made = case("OneHotEncoder", "extremes", np.array([[2**63 - 1, -(2**63)]]), cats_int64s=[2**63 - 1, -(2**63)])
    (y,) = results_of(made)
    assert y.tolist() == [[[1, 0], [0, 1]]]


# ---- Maps -----------------------------------------------------------------------------------------------------------------


def zip_map():
    """A classifier with ZipMap, as skl2onnx exports it by default: a list of {label: probability}."""
    model = linear_classifier("zip", 3, post_transform="SOFTMAX").model()
    model.graph.node.append(
        onnx.helper.make_node("ZipMap", ["scores"], ["maps"], domain=DOMAIN, classlabels_int64s=[3, 7, 9])
    )
    maps = onnx.helper.make_map_type_proto(TensorProto.INT64, onnx.helper.make_tensor_type_proto(TensorProto.FLOAT, []))
    del model.graph.output[1]
    model.graph.output.append(onnx.helper.make_value_info("maps", onnx.helper.make_sequence_type_proto(maps)))
    return model


def test_zip_map_is_a_tensor(tmp_path):
    """The probabilities are a row for each map, in the order of the labels."""
    onnx.save(zip_map(), tmp_path / "m.onnx")
    _, got = isthmus.import_onnx(tmp_path / "m.onnx").lower("linalg").run(X)
    _, expected = results_of(linear_classifier("zip", 3, post_transform="SOFTMAX"))
    np.testing.assert_array_equal(got, expected)


def test_zip_map_is_verified(tmp_path):
    onnx.save(zip_map(), tmp_path / "m.onnx")
    assert verify.compare(tmp_path / "m.onnx", "linalg").agrees


# ---- Loops ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", TARGETS)
def test_a_deep_tree(tmp_path, target):
    """A tree that is too deep to be unrolled is a loop."""
    tree = leaf(0.5)
    for depth in range(80):
        tree = Split("LEQ", depth % 3, -depth / 40, leaf(float(depth)), tree)
    run(regressor("deep", [tree, leaf(2.0)]), tmp_path / "m.onnx", target)


def test_they_can_be_carried(tmp_path):
    onnx.save(case("Scaler", "carried", X, offset=[1.0], scale=[2.0]).model(), tmp_path / "m.onnx")
    module = isthmus.compile(tmp_path / "m.onnx", output_type="linalg", custom_ops=["ai.onnx.ml.Scaler"])
    assert module.custom_ops() == {"ai.onnx.ml.Scaler": 1}


def test_models_of_the_domain_alone():
    """XGBoost's exporter imports no opset of ai.onnx."""
    made = case("Scaler", "alone", X, offset=[1.0], scale=[2.0])
    model = made.model()
    del model.opset_import[:]
    model.opset_import.append(onnx_models.helper.make_opsetid(DOMAIN, 1))
    (y,) = isthmus.import_onnx(model.SerializeToString()).lower("linalg").run(X)
    np.testing.assert_allclose(y, (X - 1) * 2, rtol=1e-6)
