"""Simple models of any size that are slow to convert if each node looks at many others."""

import itertools

from onnx import TensorProto, helper

node = helper.make_node
OPSETS = [helper.make_opsetid("", 20), helper.make_opsetid("local", 1)]
# The nesting depth of Ifs.
DEPTH = 16


def value(name, shape=("n",), dtype=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, dtype, shape)


def model(nodes, inputs, outputs, functions=()):
    graph = helper.make_graph(nodes, "shape", inputs, [value(name, None) for name in outputs])
    return helper.make_model(graph, opset_imports=OPSETS, functions=functions, ir_version=10)


def chained(op, count, first="x", prefix="t"):
    """Returns `count` nodes, each using the previous one, and the name of the last result."""
    names = [first, *(f"{prefix}{i}" for i in range(count))]
    return [node(op, [a], [b]) for a, b in itertools.pairwise(names)], names[-1]


def relus(count):
    """A chain in which each node needs the sizes of its operand, which are those of the graph input."""
    nodes, last = chained("Relu", count)
    return model(nodes, [value("x")], [last])


def wide(op, count, **attributes):
    """One op with many graph inputs, all with dynamic sizes."""
    names = [f"x{i}" for i in range(count)]
    return model([node(op, names, ["y"], **attributes)], [value(name) for name in names], ["y"])


def sides(count):
    """A graph with as many inputs and outputs as nodes."""
    nodes = [node("Relu", [f"x{i}"], [f"y{i}"]) for i in range(count)]
    return model(nodes, [value(f"x{i}") for i in range(count)], [f"y{i}" for i in range(count)])


def paths(count):
    """A chain of views of a value. Every step needs the sizes of its operand."""
    nodes, last = [], "x"
    for i in range(count // 4):
        nodes += [
            node("Transpose", [last], [f"a{i}"], perm=[1, 0]),
            node("Shape", [f"a{i}"], [f"s{i}"]),
            node("Expand", ["one", f"s{i}"], [f"e{i}"]),
            node("Add", [f"a{i}", f"e{i}"], [f"y{i}"]),
        ]
        last = f"y{i}"
    return model(nodes, [value("x", ("n", "m")), value("one", (1,))], [last])


def asked(count):
    """Tensors of a size that is an input of the model, with assertions that it is valid."""
    nodes = [node("Add", ["x", "x"], ["t0"])] + [
        each
        for i in range(count // 2)
        for each in (
            node("ConstantOfShape", ["s"], [f"f{i}"]),
            node("Concat", [f"t{i}", f"f{i}"], [f"t{i + 1}"], axis=0),
        )
    ]
    return model(nodes, [value("x"), value("s", (1,), TensorProto.INT64)], [f"t{count // 2}"])


def pads(count):
    """A chain in which each node makes its operand longer."""
    names = ["x", *(f"t{i}" for i in range(count))]
    constant = helper.make_tensor("by", TensorProto.INT64, [2], [1, 0])
    nodes = [node("Constant", [], ["by"], value=constant)]
    nodes += [node("Pad", [a, "by"], [b]) for a, b in itertools.pairwise(names)]
    return model(nodes, [value("x")], [names[-1]])


def concats(count):
    """A chain in which each node appends a matrix to a matrix, both of dynamic width."""
    names = ["x", *(f"t{i}" for i in range(count))]
    nodes = [node("Concat", [a, "x"], [b], axis=0) for a, b in itertools.pairwise(names)]
    return model(nodes, [value("x", ("n", "m"))], [names[-1]])


def branch(nodes, output):
    return helper.make_graph(nodes, "branch", [], [value(output, None)])


def ifs(count):
    """Nested Ifs, each using values from all enclosing ones."""
    nodes, last = [], "x"
    for i in range(max(1, count // (4 * DEPTH))):
        inner = None
        for depth in reversed(range(DEPTH)):
            p = f"b{i}_{depth}_"
            before = f"b{i}_{depth - 1}_a" if depth else last
            then = [node("Add", [before, "x"], [p + "a"])]
            if inner:
                then += [node("If", ["c"], [p + "i"], **inner), node("Add", [p + "i", last], [p + "t"])]
            else:
                then += [node("Relu", [p + "a"], [p + "t"])]
            other = [node("Neg", [before], [p + "e"])]
            inner = {"then_branch": branch(then, p + "t"), "else_branch": branch(other, p + "e")}
        nodes.append(node("If", ["c"], [f"y{i}"], **inner))
        last = f"y{i}"
    return model(nodes, [value("x"), value("c", (), TensorProto.BOOL)], [last])


def loops(count):
    """A sequence of Loops, each using previous results."""
    nodes, last = [], "x"
    for i in range(max(1, count // 4)):
        p = f"l{i}_"
        body = helper.make_graph(
            [
                node("Identity", [p + "c"], [p + "go"]),
                node("Add", [p + "v", last], [p + "a"]),
                node("Relu", [p + "a"], [p + "r"]),
            ],
            "body",
            [
                value(p + "i", (), TensorProto.INT64),
                value(p + "c", (), TensorProto.BOOL),
                value(p + "v"),
            ],
            [value(p + "go", (), TensorProto.BOOL), value(p + "r", None)],
        )
        nodes.append(node("Loop", ["m", "", last], [f"y{i}"], body=body))
        last = f"y{i}"
    return model(nodes, [value("x"), value("m", (), TensorProto.INT64)], [last])


def calls(count):
    """Calls of functions that call another one."""
    opsets = OPSETS
    inner = helper.make_function("local", "inner", ["a"], ["b"], chained("Relu", 4, "a", "i")[0], opsets)
    inner.node[-1].output[0] = "b"
    outer = helper.make_function(
        "local",
        "outer",
        ["a"],
        ["b"],
        [node("inner", ["a"], ["h"], domain="local"), node("inner", ["h"], ["b"], domain="local")],
        opsets,
    )
    names = ["x", *(f"t{i}" for i in range(max(1, count // 8)))]
    nodes = [node("outer", [a], [b], domain="local", name=b) for a, b in itertools.pairwise(names)]
    return model(nodes, [value("x")], [names[-1]], [inner, outer])


SHAPES = {
    "relus": relus,
    "sum": lambda count: wide("Sum", count),
    "max": lambda count: wide("Max", count),
    "concat": lambda count: wide("Concat", count, axis=0),
    "sides": sides,
    "paths": paths,
    "asked": asked,
    "pads": pads,
    "concats": concats,
    "ifs": ifs,
    "loops": loops,
    "calls": calls,
}
