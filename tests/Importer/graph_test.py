"""Graphs: names, order, subgraphs, functions, custom ops."""

import re

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tests.support.onnx_models import import_errors, import_onnx, model, value

node = helper.make_node


def test_names_and_dim_params_are_kept():
    text = import_onnx(
        model(
            [node("Relu", ["x"], ["y"], name="r")], [value("x", ["batch", 3, None])], [value("y", ["batch", 3, None])]
        )
    )
    assert '%arg0: tensor<?x3x?xf32> {onnx.dim_params = "0:batch", onnx.name = "x"}' in text
    assert '-> (tensor<?x3x?xf32> {onnx.dim_params = "0:batch", onnx.name = "y"})' in text
    assert '"onnx.Relu"(%arg0) {onnx_node_name = "r"}' in text
    assert '"onnx.EntryPoint"() {func = @main_graph} : () -> ()' in text


def test_node_names_become_locations():
    text = import_onnx(
        model([node("Relu", ["x"], ["h"], name="first"), node("Relu", ["h"], ["y"])], ["x"]), "--mlir-print-debuginfo"
    )
    assert re.search(r'loc\("first"\(#loc\)\)', text)
    assert re.search(r'loc\("Relu_y"\(#loc\)\)', text)
    assert re.search(r'#loc = loc\(".*model.onnx":0:0\)', text)


def test_an_input_with_an_initializer_is_a_constant():
    w = numpy_helper.from_array(np.float32([1, 2, 3]), "w")
    text = import_onnx(model([node("Add", ["x", "w"], ["y"])], ["x", value("w", [3])], initializers=[w]))
    assert 'main_graph(%arg0: tensor<2x3xf32> {onnx.name = "x"})' in text
    assert "onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>" in text


def test_absent_operands_and_results_hold_their_places():
    text = import_onnx(model([node("Clip", ["x", "", "m"], ["y"])], ["x", value("m", [])]))
    assert '%0 = "onnx.NoValue"() : () -> none' in text
    assert '"onnx.Clip"(%arg0, %0, %arg1)' in text
    text = import_onnx(
        model([node("LSTM", ["x", "w", "r"], ["", "y"], hidden_size=4)], [value(n, [1, 1, 1]) for n in "xwr"])
    )
    assert re.search(r"-> \(none, tensor<\*xf32>, none\)", text)


def test_nodes_may_come_in_any_order():
    text = import_onnx(model([node("Relu", ["a"], ["y"]), node("Neg", ["x"], ["a"])], ["x"]))
    assert text.index("onnx.Neg") < text.index("onnx.Relu")
    # Only the nodes from the first misplaced one on are sorted.
    nodes = [("Abs", "x", "b"), ("Exp", "b", "d"), ("Relu", "a", "y"), ("Log", "d", "e"), ("Neg", "e", "a")]
    text = import_onnx(model([node(op, [source], [to]) for op, source, to in nodes], ["x"]))
    assert re.findall(r"onnx\.(Abs|Exp|Relu|Log|Neg)\"", text) == ["Abs", "Exp", "Log", "Neg", "Relu"]


def test_declared_shapes_are_used_and_dtypes_inferred():
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Cast", ["s"], ["c"], to=TensorProto.DOUBLE),
        node("Relu", ["x"], ["h"]),
        node("IsNaN", ["h"], ["y"]),
    ]
    text = import_onnx(model(nodes, ["x"], [value("y", None, TensorProto.BOOL)], value_info=[value("h", [2, 3])]))
    assert "(tensor<2x3xf32>) -> tensor<*xi64>" in text
    assert "to = f64} : (tensor<*xi64>) -> tensor<*xf64>" in text
    assert '"onnx.Relu"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>' in text
    assert "-> tensor<*xi1>" in text


def subgraph(nodes, outputs, inputs=()):
    return helper.make_graph(
        nodes,
        "sub",
        [value(i, None) if isinstance(i, str) else i for i in inputs],
        [value(o, None) if isinstance(o, str) else o for o in outputs],
    )


def test_if_captures_values_of_the_outer_graph():
    then, other = subgraph([node("Neg", ["h"], ["t"])], ["t"]), subgraph([node("Abs", ["x"], ["e"])], ["e"])
    nodes = [node("If", ["c"], ["y"], then_branch=then, else_branch=other), node("Relu", ["x"], ["h"])]
    text = import_onnx(model(nodes, ["x", value("c", [], TensorProto.BOOL)]))
    relu, if_, neg, abs_ = (text.index(f'"onnx.{op}"') for op in ["Relu", "If", "Neg", "Abs"])
    assert relu < if_ < neg < abs_, "then comes before else, and what both use before the If"
    assert text.count("onnx.Yield") == 2


def test_loop_results_have_the_types_the_body_yields():
    body = subgraph(
        [node("Identity", ["c"], ["c_out"]), node("Neg", ["v"], ["v_out"]), node("Shape", ["v"], ["s"])],
        [value("c_out", [], TensorProto.BOOL), "v_out", value("s", None, TensorProto.INT64)],
        [onnx.ValueInfoProto(name="i"), onnx.ValueInfoProto(name="c"), onnx.ValueInfoProto(name="v")],
    )
    text = import_onnx(
        model(
            [node("Loop", ["n", "", "x"], ["y", "z"], body=body)],
            ["x", value("n", [], TensorProto.INT64)],
            ["y", value("z", None, TensorProto.INT64)],
        )
    )
    assert "^bb0(%arg2: tensor<i64>, %arg3: tensor<i1>, %arg4: tensor<*xf32>)" in text
    assert "-> (tensor<*xf32>, tensor<*xi64>)" in text


def test_subgraph_outputs_are_counted():
    branches = {"then_branch": subgraph([node("Neg", ["x"], ["t"])], ["t"]), "else_branch": subgraph([], [])}
    (error,) = import_errors(
        model([node("If", ["c"], ["y"], name="n", **branches)], ["x", value("c", [], TensorProto.BOOL)])
    )
    assert error == "node 'n' (If-25): expected 1 outputs of 'else_branch', got 0"


def test_ops_of_other_domains_are_custom():
    text = import_onnx(
        model(
            [node("FancyGelu", ["x", ""], ["y"], domain="com.acme", alpha=1.5, name="q")],
            ["x"],
            domains=["com.acme"],
        )
    )
    assert (
        '"onnx.Custom"(%arg0, %0) {alpha = 1.500000e+00 : f32, domain_name = "com.acme", function_name = "FancyGelu", onnx_node_name = "q"} : (tensor<2x3xf32>, none)'
        in text
    )


def test_graphs_of_custom_ops_are_regions_with_names():
    body = subgraph([node("Neg", ["v"], ["o"])], ["o"], ["v"])
    text = import_onnx(model([node("Map", ["x"], ["y"], domain="d", fn=body)], ["x"], domains=["d"]))
    assert 'graph_names = ["fn"]' in text and '"onnx.Neg"' in text


def scale_function():
    """The function scale(x; alpha = 2) = relu(elu(x, alpha)). One of its outputs is an intermediate value."""
    elu = node("Elu", ["a"], ["b"], name="elu")
    elu.attribute.append(onnx.AttributeProto(name="alpha", type=onnx.AttributeProto.FLOAT, ref_attr_name="alpha"))
    function = helper.make_function(
        "local",
        "scale",
        ["a", "bound"],
        ["c", "b"],
        [elu, node("Clip", ["b", "bound"], ["c"])],
        [helper.make_opsetid("", 28)],
    )
    function.attribute_proto.append(helper.make_attribute("alpha", 2.0))
    return function


def test_functions_are_inlined_with_attributes_and_absent_inputs():
    nodes = [
        node("scale", ["x"], ["h"], domain="local", name="first"),
        node("scale", ["h", "m"], ["y"], domain="local", alpha=3.0),
    ]
    text = import_onnx(
        model(nodes, ["x", value("m", [])], functions=[scale_function()], domains=["local"]), "--mlir-print-debuginfo"
    )
    assert "alpha = 2.000000e+00" in text and "alpha = 3.000000e+00" in text
    assert re.search(r'"onnx.Clip"\(%\d+, %0, %0\)', text), "the bound is absent in the first call"
    assert re.search(r'"onnx.Clip"\(%\d+, %arg1, %0\)', text)
    assert 'loc("first/elu"' in text
    assert 'loc(fused<[["local.scale", "first", {alpha = 2.000000e+00 : f32}]]>' in text
    body = "\n".join(line for line in text.splitlines() if not line.startswith("#loc"))
    assert "scale" not in body.replace("scale_", "")


def test_a_function_is_of_its_own_opset():
    function = helper.make_function(
        "local", "f", ["a"], ["b"], [node("Squeeze", ["a"], ["b"], axes=[0])], [helper.make_opsetid("", 11)]
    )
    text = import_onnx(model([node("f", ["x"], ["y"], domain="local")], ["x"], functions=[function], domains=["local"]))
    assert "onnx.Constant dense<0> : tensor<1xi64>" in text


def test_recursion_ends():
    function = helper.make_function(
        "local",
        "f",
        ["a"],
        ["b"],
        [node("f", ["a"], ["b"], domain="local")],
        [helper.make_opsetid("", 28), helper.make_opsetid("local", 1)],
    )
    (error,) = import_errors(
        model([node("f", ["x"], ["y"], domain="local")], ["x"], functions=[function], domains=["local"])
    )
    assert error.endswith("expected calls and subgraphs nested at most 64 deep, got more")


def test_calls_that_multiply_end():
    def double(i):
        calls = [node(f"f{i + 1}", ["a"], ["h"], domain="local"), node(f"f{i + 1}", ["h"], ["b"], domain="local")]
        return helper.make_function(
            "local",
            f"f{i}",
            ["a"],
            ["b"],
            calls if i < 40 else [node("Neg", ["a"], ["b"])],
            [helper.make_opsetid("", 28)],
        )

    (error,) = import_errors(
        model(
            [node("f0", ["x"], ["y"], domain="local")],
            ["x"],
            functions=[double(i) for i in range(41)],
            domains=["local"],
        )
    )
    assert re.fullmatch(
        r"node 'f0_y/f1_h/.*' \(.*\): expected at most 1048576 nodes once functions and graphs are expanded, got more",
        error,
    )


def nested_functions(depth, calls, name):
    """Functions that each call the next one `calls` times, from nodes of this name. The last function is a Neg."""
    functions = []
    for i in range(depth + 1):
        if i < depth:
            values = ["a", *(f"t{j}" for j in range(calls - 1)), "b"]
            nodes = [node(f"f{i + 1}", [values[j]], [values[j + 1]], domain="local", name=name) for j in range(calls)]
        else:
            nodes = [node("Neg", ["a"], ["b"], name="leaf")]
        functions.append(helper.make_function("local", f"f{i}", ["a"], ["b"], nodes, [helper.make_opsetid("", 28)]))
    return functions


def test_names_in_calls_that_multiply_end():
    functions = nested_functions(depth=18, calls=2, name="N" * 2000)
    (error,) = import_errors(
        model([node("f0", ["x"], ["y"], domain="local", name="top")], ["x"], functions=functions, domains=["local"])
    )
    expected = (
        r"node 'top/N+\.\.\..*' \(.*\): expected a model that grows by at most 1073741824 bytes beyond its file, "
        r"got \d+ for calls of functions after \d+"
    )
    assert re.fullmatch(expected, error) and len(error) < 1000


def test_operands_in_calls_that_multiply_end():
    functions = nested_functions(depth=16, calls=2, name="call")
    del functions[-1].node[:]
    functions[-1].node.append(node("Sum", ["a"] * 20000, ["b"], name="leaf"))
    (error,) = import_errors(
        model([node("f0", ["x"], ["y"], domain="local", name="top")], ["x"], functions=functions, domains=["local"])
    )
    assert re.fullmatch(r"node 'top/(call/){16}leaf' \(Sum-13\): expected a model that grows by at most .*", error)


@pytest.mark.parametrize("where", ["default", "constant"])
def test_a_tensor_of_a_function_is_read_once(where):
    """All calls of a function share the resource of its tensor."""
    tensor = helper.make_tensor("t", TensorProto.INT64, [1000], list(range(1000)))
    constant = node("Constant", [], ["w"], name="w")
    function = helper.make_function(
        "local", "f", ["a"], ["b"], [constant, node("Add", ["a", "w"], ["b"])], [helper.make_opsetid("", 28)]
    )
    if where == "default":
        attribute = onnx.AttributeProto(name="value", type=onnx.AttributeProto.TENSOR, ref_attr_name="w")
        function.node[0].attribute.append(attribute)
        function.attribute_proto.append(helper.make_attribute("w", tensor))
    else:
        function.node[0].attribute.append(helper.make_attribute("value", tensor))
    names = ["x", *(f"t{i}" for i in range(9)), "y"]
    calls = [node("f", [names[i]], [names[i + 1]], domain="local") for i in range(10)]
    inputs = [value("x", [1000], TensorProto.INT64)]
    text = import_onnx(
        model(calls, inputs, [value("y", None, TensorProto.INT64)], functions=[function], domains=["local"])
    )
    resources = text[text.index("dialect_resources") :]
    assert text.count("onnx.Constant") == 10 and len(re.findall(r': "0x', resources)) == 1


def test_functions_have_domains_and_overloads():
    def function(domain, overload, op):
        made = helper.make_function(domain, "f", ["a"], ["b"], [node(op, ["a"], ["b"])], [helper.make_opsetid("", 28)])
        made.overload = overload
        return made

    ops = {("d", ""): "Neg", ("d", "o"): "Abs", ("e", ""): "Exp"}
    nodes = [node("f", ["x"], [f"y{i}"], domain=domain, overload=name) for i, (domain, name) in enumerate(ops)]
    functions = [function(*key, op) for key, op in ops.items()]
    text = import_onnx(model(nodes, ["x"], ["y0", "y1", "y2"], functions=functions, domains=["d", "e"]))
    assert re.findall(r'"onnx.(Neg|Abs|Exp)"', text) == list(ops.values())
