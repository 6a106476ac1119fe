"""Nodes of ai.onnx.ml: opsets of the domain, the types of labels, and maps."""

import pytest
from onnx import TensorProto, helper

from tests.support.onnx_models import import_errors, import_onnx, model, run, value

DOMAIN = "ai.onnx.ml"


def node(op, outputs=("y",), inputs=("x",), **attributes):
    return helper.make_node(op, list(inputs), list(outputs), domain=DOMAIN, name="n", **attributes)


def of_domain(made, opset=3, outputs=("y",), inputs=("x",)):
    return model([made], inputs, outputs, domains={DOMAIN: opset})


def map_type(key, element):
    return helper.make_map_type_proto(key, helper.make_tensor_type_proto(element, []))


@pytest.mark.parametrize("opset", [1, 5])
def test_opsets_of_the_domain(opset):
    text = import_onnx(of_domain(node("Scaler", offset=[1.0], scale=[2.0]), opset))
    assert '"onnx.ai.onnx.ml.Scaler"(' in text


@pytest.mark.parametrize("opset", [0, 6])
def test_unknown_opsets(opset):
    (error,) = import_errors(of_domain(node("Scaler", offset=[1.0], scale=[2.0]), opset))
    assert error.endswith(f": expected ai.onnx.ml opset 1 to 5, got {opset}")


def test_an_op_of_a_newer_opset():
    (error,) = import_errors(of_domain(node("TreeEnsemble")))
    assert error == "node 'n' (TreeEnsemble): expected ai.onnx.ml opset 5 or newer for this op, got 3"


def test_a_withdrawn_op_is_read():
    lists = {f"nodes_{name}": [0] for name in ("treeids", "nodeids", "featureids", "truenodeids", "falsenodeids")}
    lists |= {"nodes_modes": ["LEAF"], "nodes_values": [0.0]}
    assert '"onnx.ai.onnx.ml.TreeEnsembleRegressor"(' in import_onnx(
        of_domain(node("TreeEnsembleRegressor", **lists), 5)
    )


def test_a_custom_op_of_the_domain():
    assert 'function_name = "Forest"' in import_onnx(of_domain(node("Forest")))


def test_wrong_attributes():
    (error,) = import_errors(of_domain(node("Scaler", offset=1.0)))
    assert error == "node 'n' (Scaler-1): attribute 'offset': expected FLOATS, got FLOAT"
    (error,) = import_errors(of_domain(node("Scaler", scales=[1.0])))
    assert error == "node 'n' (Scaler-1): expected an attribute of this op, got 'scales'"


@pytest.mark.parametrize(
    "made, expected",
    [
        (node("LinearClassifier", ["y", "z"], classlabels_ints=[1], coefficients=[1.0]), "tensor<*xi64>"),
        (node("LinearClassifier", ["y", "z"], classlabels_strings=["a"], coefficients=[1.0]), "tensor<*x!onnx.String>"),
        (node("LabelEncoder", keys_floats=[1.0], values_int64s=[1]), "tensor<*xi64>"),
        (node("LabelEncoder", keys_floats=[1.0], values_floats=[1.0]), "tensor<*xf32>"),
        (node("LabelEncoder", keys_floats=[1.0], values_strings=["a"]), "tensor<*x!onnx.String>"),
    ],
)
def test_types_of_labels(made, expected):
    made = of_domain(made)
    made.graph.output[0].type.Clear()
    assert f"-> ({expected}" in import_onnx(made).replace(f"-> {expected}", f"-> ({expected}")


def test_zip_map_is_its_tensor():
    types = helper.make_sequence_type_proto(map_type(TensorProto.INT64, TensorProto.FLOAT))
    outputs = [helper.make_value_info("y", types)]
    text = import_onnx(of_domain(node("ZipMap", classlabels_int64s=[1, 2, 3]), outputs=outputs))
    assert "ZipMap" not in text and "onnx.Return %arg0" in text


def test_maps_are_no_inputs():
    inputs = [helper.make_value_info("x", map_type(TensorProto.INT64, TensorProto.FLOAT))]
    (error,) = import_errors(of_domain(node("CastMap"), inputs=inputs))
    assert error == "input 'x': expected a tensor, a sequence or an optional, got a map"


@pytest.mark.parametrize("op", ["CastMap", "DictVectorizer"])
def test_ops_that_take_maps(op):
    (error,) = import_errors(of_domain(node(op)))
    assert error.startswith(f"node 'n' ({op}-1): expected a tensor, got a map, which no target has: export the model")


def test_optimizers():
    made = helper.make_node("Momentum", list("rtxgv"), ["y", "w"], domain="ai.onnx.preview.training", name="n")
    attributes = {"alpha": 0.5, "beta": 0.5, "norm_coefficient": 0.0, "mode": "standard"}
    made.attribute.extend(helper.make_attribute(*item) for item in attributes.items())
    inputs = [value("r", []), value("t", [], TensorProto.INT64), *"xgv"]
    done = run(model([made], inputs, ["y", "w"], domains={"ai.onnx.preview.training": 1}))
    assert done.returncode == 0, done.stderr
    assert '"onnx.ai.onnx.preview.training.Momentum"(' in done.stdout
