"""A file that is not a valid model gets one clear error for each problem, and no other output."""

import random
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tests.support.onnx_models import import_errors, import_onnx, model, run, value

node = helper.make_node


def good_model():
    weights = numpy_helper.from_array(np.ones([2, 3], np.float32), "w")
    nodes = [node("Add", ["x", "w"], ["h"], name="add"), node("Concat", ["h", "x"], ["y"], axis=0, name="concat")]
    return model(nodes, ["x"], initializers=[weights])


# ---- Bytes ---------------------------------------------------------------------------------------------------------------


def test_the_good_model_is_good():
    import_onnx(good_model())


@pytest.mark.parametrize(
    "data, expected",
    [
        (b"", "byte 0: expected an ONNX model, got an empty file"),
        (b"\x08\x0a", "byte 0: ModelProto: expected a graph, got none"),
        (b"\x08", "byte 0: ModelProto: expected more bytes, got the end of the message"),
        (b"\x08" + b"\xff" * 11, "byte 0: ModelProto: expected a varint of at most 10 bytes, got more"),
        (b"\x08\x0a\x3a\x7f\x01", "byte 2: ModelProto: expected more bytes, got the end of the message"),
        (b"\x0a\x01a", "byte 0: ModelProto: expected a varint in field 1, got a length-delimited value"),
        (b"\x38\x01", "byte 0: ModelProto: expected a length-delimited value in field 7, got a varint"),
        (b"\x3a\x02\x0a\x05", "byte 2: GraphProto: expected more bytes, got the end of the message"),
        (b"v", "byte 0: ModelProto: expected a known wire type, got an unknown one"),
    ],
)
def test_malformed_bytes(data, expected):
    assert import_errors(data) == [expected]


@pytest.mark.parametrize(
    "data, expected",
    [
        (b"<!DOCTYPE html><html>", "a page in HTML"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n",
            "a pointer of Git LFS; run 'git lfs pull' for the file itself",
        ),
        (b"\x1c\0\0\0TFL3\0\0", "a TensorFlow Lite model; convert it to ONNX first, with tf2onnx"),
        (b"\x08\0\0\0TOSA\0\0", "a TOSA file, which is written and not read"),
        (b"\x89HDF\r\n\x1a\n\0", "an HDF5 file; export a Keras model to ONNX first, with tf2onnx"),
        (b"GGUF\x03\0\0\0", "a GGUF file, which has weights and no program"),
        (b'\x28\0\0\0\0\0\0\0{"a":', "a safetensors file, which has weights and no program"),
        (b"\x1f\x8b\x08\0", "a file compressed by gzip"),
        (b"\xfd7zXZ\0", "a file compressed by xz"),
        (b"\x28\xb5\x2f\xfd", "a file compressed by zstd"),
    ],
)
def test_other_formats(data, expected):
    assert import_errors(data) == [f"expected an ONNX model, got {expected}"]


def test_every_truncation_is_one_error():
    data = good_model().SerializeToString()
    for size in range(len(data)):
        done = run(data[:size])
        assert done.returncode in (0, 1), done.stderr
        # A file may also be cut between two fields. Then it can be read, but the model may lack something.
        assert done.returncode == 0 or done.stderr.startswith("model.onnx: error: "), done.stderr


def test_flipped_bits_never_crash():
    data = bytearray(good_model().SerializeToString())
    choose = random.Random(7)
    for _ in range(200):
        flipped = bytearray(data)
        flipped[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
        done = run(bytes(flipped))
        assert done.returncode in (0, 1), done.stderr
        assert bool(done.stderr) == bool(done.returncode)


def test_a_missing_file():
    (error,) = import_errors_of_path("/nowhere/model.onnx")
    assert error == "/nowhere/model.onnx: error: expected an ONNX model, got: No such file or directory"


def import_errors_of_path(path):
    done = subprocess.run(["tools/isthmus-opt/isthmus-opt", path], capture_output=True, text=True)
    assert done.returncode == 1 and not done.stdout
    return done.stderr.splitlines()


def test_an_output_file_stays_as_it_was(tmp_path):
    output = tmp_path / "out.mlir"
    output.write_text("before")
    assert run(b"\x08", "-o", str(output)).returncode == 1
    assert output.read_text() == "before"


def field(number, payload):
    """A length-delimited field, for payloads of less than 2 MiB."""
    size = len(payload)
    return bytes([number << 3 | 2, size & 127 | 128, size >> 7 & 127 | 128, size >> 14]) + payload


def test_graphs_nest_so_deep():
    graph = b""
    for _ in range(40):  # each graph is in an attribute of a node
        graph = field(1, field(5, field(6, graph)))
    (error,) = import_errors(field(7, graph))
    assert error.endswith("GraphProto: expected graphs nested at most 32 deep, got more")


# ---- Models --------------------------------------------------------------------------------------------------------------


def relu(**changes):
    return node("Relu", ["x"], ["y"], name="r", **changes)


INT = TensorProto.INT64

WRONG_NODES = {
    "unknown op": (
        node("Rectify", ["x"], ["y"], name="n"),
        "node 'n' (Rectify): expected an op of ai.onnx opset 28, got 'Rectify'",
    ),
    "undefined input": (
        node("Relu", ["z"], ["y"], name="n"),
        "node 'n' (Relu-14): expected an input named 'z', got a name that nothing defines",
    ),
    "too many inputs": (
        node("Relu", ["x", "x"], ["y"], name="n"),
        "node 'n' (Relu-14): expected at most 1 inputs, got 2",
    ),
    "too few inputs": (node("Add", ["x"], ["y"], name="n"), "node 'n' (Add-14): expected input 'B', got none"),
    "absent input": (node("Add", ["x", ""], ["y"], name="n"), "node 'n' (Add-14): expected input 'B', got none"),
    "no inputs": (
        node("Concat", [], ["y"], name="n", axis=0),
        "node 'n' (Concat-13): expected at least 1 inputs, got 0",
    ),
    "too many outputs": (
        node("Relu", ["x"], ["y", "z"], name="n"),
        "node 'n' (Relu-14): expected at most 1 outputs, got 2",
    ),
    "missing attribute": (
        node("Concat", ["x"], ["y"], name="n"),
        "node 'n' (Concat-13): expected attribute 'axis', got none",
    ),
    "unknown attribute": (
        node("Relu", ["x"], ["y"], name="n", axis=1),
        "node 'n' (Relu-14): expected an attribute of this op, got 'axis'",
    ),
    "attribute of another kind": (
        node("Concat", ["x"], ["y"], name="n", axis=[1]),
        "node 'n' (Concat-13): attribute 'axis': expected INT, got INTS",
    ),
    "unknown dtype": (
        node("Cast", ["x"], ["y"], name="n", to=99),
        "node 'n' (Cast-28): attribute 'to': expected a known data type, got 99",
    ),
    "wrong dtype": (
        node("Not", ["x"], ["y"], name="n"),
        "node 'n' (Not-1): operand 'X': ONNX does not allow 'tensor<2x3xf32>'",
    ),
    "two values": (
        node("Constant", [], ["y"], name="n", value_int=1, value_float=1.0),
        "node 'n' (Constant-25): expected one value, got 2",
    ),
    "cycle": (
        node("Add", ["x", "y"], ["y"], name="n"),
        "node 'n' (Add): expected a graph without cycles, got one through this node",
    ),
}


@pytest.mark.parametrize("wrong, expected", WRONG_NODES.values(), ids=WRONG_NODES.keys())
def test_wrong_nodes(wrong, expected):
    assert import_errors(model([wrong], ["x"])) == [expected]


def test_a_node_without_outputs():
    (error,) = import_errors(model([node("Dropout", ["x"], [], name="n")], ["x"], []))
    assert error == "node 'n' (Dropout-22): expected output 'output', got none"


def test_mixed_dtypes():
    (error,) = import_errors(model([node("Add", ["x", "i"], ["y"], name="n")], ["x", value("i", dtype=INT)]))
    assert error == "node 'n' (Add-14): operand 'B': expected the type of 'A', 'f32', got 'i64'"


def test_all_problems_are_reported_at_once():
    nodes = [
        node("Relu", ["a"], ["b"], name="first"),
        node("Relu", ["b"], ["c"], name="uses an error"),
        node("Rectify", ["x"], ["d"], name="second"),
        node("Add", ["x"], ["y"], name="third"),
    ]
    wrong = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2], raw_data=bytes(4))
    errors = import_errors(model(nodes, ["x"], initializers=[wrong]))
    assert [error.split(":")[0] for error in errors] == [
        "initializer 'w'",
        "node 'first' (Relu-14)",
        "node 'second' (Rectify)",
        "node 'third' (Add-14)",
    ]


def test_longer_cycles():
    nodes = [
        node("Add", ["x", "b"], ["a"], name="one"),
        node("Neg", ["a"], ["b"], name="two"),
        node("Neg", ["b"], ["y"]),
    ]
    (error,) = import_errors(model(nodes, ["x"]))
    assert error == "node 'one' (Add): expected a graph without cycles, got one through this node"


def test_names_are_defined_once():
    (error,) = import_errors(model([relu(), node("Neg", ["x"], ["y"], name="n")], ["x"]))
    assert error == "node 'n' (Neg-13): expected 'y' to be defined once, got a second definition"


def test_outputs_are_defined():
    (error,) = import_errors(model([relu()], ["x"], ["y", "z"]))
    assert error == "output 'z': expected a value of this name, got none"


@pytest.mark.parametrize(
    "type_proto, expected",
    [
        (onnx.TypeProto(), "input 'x': expected a type, got none"),
        (
            onnx.TypeProto(tensor_type=onnx.TypeProto.Tensor(elem_type=77)),
            "input 'x': expected a known data type, got 77",
        ),
        (
            onnx.TypeProto(map_type=onnx.TypeProto.Map(key_type=7)),
            "input 'x': expected a tensor, a sequence or an optional, got a map",
        ),
        (helper.make_tensor_type_proto(1, [-7]), "input 'x': expected dimensions of at least 0, got -7"),
        (
            onnx.TypeProto(sequence_type=onnx.TypeProto.Sequence()),
            "input 'x': expected the type of the elements, got none",
        ),
    ],
)
def test_wrong_input_types(type_proto, expected):
    assert import_errors(model([relu()], [onnx.ValueInfoProto(name="x", type=type_proto)])) == [expected]


@pytest.mark.parametrize(
    "fields, expected",
    [
        ({"dims": [2], "data_type": 1, "raw_data": bytes(7)}, "expected 8 bytes of data for 'tensor<2xf32>', got 7"),
        ({"dims": [2], "data_type": 1, "float_data": [1.0]}, "expected 8 bytes of data for 'tensor<2xf32>', got 4"),
        ({"dims": [2], "data_type": 6, "int32_data": [1]}, "expected 2 values in int32_data, got 1"),
        ({"dims": [1], "data_type": 8, "string_data": []}, "expected 1 strings in string_data, got 0"),
        ({"dims": [1], "data_type": 0}, "expected a known data type, got 0"),
        ({"dims": [1], "data_type": 2**31 - 1}, "expected a known data type, got 2147483647"),
        (
            {"dims": [-1], "data_type": 1},
            "expected dimensions of at least 0 with a product that fits 64 bits, got [-1]",
        ),
        (
            {"dims": [2**40, 2**40], "data_type": 1},
            "expected dimensions of at least 0 with a product that fits 64 bits, got [1099511627776, 1099511627776]",
        ),
    ],
)
def test_wrong_initializers(fields, expected):
    assert import_errors(model([], [], ["w"], initializers=[TensorProto(name="w", **fields)])) == [
        "initializer 'w': " + expected
    ]


def test_an_unknown_ir_version():
    wrong = good_model()
    wrong.ir_version = 15
    assert import_errors(wrong) == ["expected ONNX IR version 14 or older, got 15"]


def test_no_opset():
    wrong = model([relu()], ["x"])
    del wrong.opset_import[:]
    (error,) = import_errors(wrong)
    assert error == "node 'r' (Relu): expected the model to import an opset of ai.onnx, got none"


def test_two_opsets():
    wrong = model([relu()], ["x"])
    wrong.opset_import.append(helper.make_opsetid("ai.onnx", 11))
    assert import_errors(wrong) == ["graph 'g': expected one opset of domain '', got 28 and 11"]
