"""Tensors of every dtype, in every place where ONNX can store them."""

import os
import re
import subprocess

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tests.support.onnx_models import import_errors, import_onnx, model, run, value

node = helper.make_node

# dtype, values, MLIR's text
NUMBERS = [
    (TensorProto.FLOAT, [1.5, -2.0], "dense<[1.500000e+00, -2.000000e+00]> : tensor<2xf32>"),
    (TensorProto.DOUBLE, [1.5, -2.0], "dense<[1.500000e+00, -2.000000e+00]> : tensor<2xf64>"),
    (TensorProto.FLOAT16, [1.5, -2.0], "dense<[1.500000e+00, -2.000000e+00]> : tensor<2xf16>"),
    (TensorProto.BFLOAT16, [1.5, -2.0], "dense<[1.500000e+00, -2.000000e+00]> : tensor<2xbf16>"),
    (TensorProto.FLOAT8E4M3FN, [1.5, -2.0], "dense<[1.500000e+00, -2.000000e+00]> : tensor<2xf8E4M3FN>"),
    (TensorProto.FLOAT8E4M3FNUZ, [1.5, -2.0], "dense<[1.500000e+00, -2.000000e+00]> : tensor<2xf8E4M3FNUZ>"),
    (TensorProto.FLOAT8E5M2, [1.5, -2.0], "dense<[1.500000e+00, -2.000000e+00]> : tensor<2xf8E5M2>"),
    (TensorProto.FLOAT8E5M2FNUZ, [1.5, -2.0], "dense<[1.500000e+00, -2.000000e+00]> : tensor<2xf8E5M2FNUZ>"),
    (
        TensorProto.FLOAT4E2M1,
        [1.5, -2.0, 4.0],
        "dense<[1.500000e+00, -2.000000e+00, 4.000000e+00]> : tensor<3xf4E2M1FN>",
    ),
    (TensorProto.INT8, [1, -2], "dense<[1, -2]> : tensor<2xi8>"),
    (TensorProto.INT16, [1, -2], "dense<[1, -2]> : tensor<2xi16>"),
    (TensorProto.INT32, [1, -2], "dense<[1, -2]> : tensor<2xi32>"),
    (TensorProto.INT64, [1, -(2**62)], f"dense<[1, {-(2**62)}]> : tensor<2xi64>"),
    (TensorProto.UINT8, [1, 255], "dense<[1, 255]> : tensor<2xui8>"),
    (TensorProto.UINT16, [1, 65535], "dense<[1, 65535]> : tensor<2xui16>"),
    (TensorProto.UINT32, [1, 2**32 - 1], "dense<[1, 4294967295]> : tensor<2xui32>"),
    (TensorProto.UINT64, [1, 2**64 - 1], "dense<[1, 18446744073709551615]> : tensor<2xui64>"),
    (TensorProto.BOOL, [True, False], "dense<[true, false]> : tensor<2xi1>"),
    (TensorProto.INT4, [1, -2, 7], "dense<[1, -2, 7]> : tensor<3xi4>"),
    (TensorProto.UINT4, [1, 15, 7], "dense<[1, 15, 7]> : tensor<3xui4>"),
    (TensorProto.COMPLEX64, [1 + 2j], "dense<(1.000000e+00,2.000000e+00)> : tensor<1xcomplex<f32>>"),
    (TensorProto.COMPLEX128, [1 + 2j], "dense<(1.000000e+00,2.000000e+00)> : tensor<1xcomplex<f64>>"),
]


def constant(tensor, *args, folder=None):
    text = import_onnx(model([], [], [tensor.name], initializers=[tensor]), *args, folder=folder)
    return re.search(r"onnx.Constant (.*)", text)[1]


@pytest.mark.parametrize("raw", [False, True], ids=["typed", "raw"])
@pytest.mark.parametrize("dtype, values, text", NUMBERS, ids=[TensorProto.DataType.Name(n[0]) for n in NUMBERS])
def test_numbers(dtype, values, text, raw):
    if raw:
        array = np.array(values, dtype=helper.tensor_dtype_to_np_dtype(dtype))
        tensor = numpy_helper.from_array(array, "t")
        assert tensor.HasField("raw_data")
    else:
        tensor = helper.make_tensor("t", dtype, [len(values)], values)
        assert not tensor.HasField("raw_data")
    assert constant(tensor) == text


@pytest.mark.parametrize(
    "bits, dtype, text",
    [
        (2, TensorProto.INT2, "dense<[1, -2, -1, 0, 1]> : tensor<5xi2>"),
        (2, TensorProto.UINT2, "dense<[1, 2, 3, 0, 1]> : tensor<5xui2>"),
    ],
)
def test_two_bits(bits, dtype, text):
    packed = bytes([1 | 2 << 2 | 3 << 4, 1])
    assert constant(TensorProto(name="t", data_type=dtype, dims=[5], raw_data=packed)) == text
    assert constant(TensorProto(name="t", data_type=dtype, dims=[5], int32_data=packed)) == text


def test_six_bits():
    # f6E3M2 has an exponent bias of 3: 1.0 is 0b001100, 2.0 is 0b010000.
    codes = [0b001100, 0b010000, 0b001100, 0b010000, 0b010000]
    word = sum(code << (6 * i) for i, code in enumerate(codes))
    text = "dense<[1.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00]> : tensor<5xf6E3M2FN>"
    dtype = TensorProto.FLOAT6E3M2
    assert constant(TensorProto(name="t", data_type=dtype, dims=[5], raw_data=word.to_bytes(4, "little"))) == text
    assert constant(TensorProto(name="t", data_type=dtype, dims=[5], int32_data=codes)) == text


def test_unpacked_and_split_fields():
    """protobuf allows a packed field in pieces, or element by element."""
    packed = TensorProto(name="t", data_type=TensorProto.FLOAT, dims=[3], float_data=[1, 2, 3]).SerializeToString()
    one = np.float32(4).tobytes()
    graph = onnx.GraphProto(output=[value("t", None)])
    bytes_ = graph.SerializeToString()
    tensor = packed.replace(b"\x08\x03", b"\x08\x05") + b"\x25" + one + b"\x25" + one
    bytes_ += b"\x2a" + bytes([len(tensor)]) + tensor
    data = onnx.ModelProto(ir_version=10, opset_import=[helper.make_opsetid("", 28)]).SerializeToString()
    data += b"\x3a" + bytes([len(bytes_)]) + bytes_
    assert "dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00]>" in import_onnx(data)


def test_strings():
    tensor = helper.make_tensor("t", TensorProto.STRING, [2], [b"a", b"\xc3\xa4"])
    assert constant(tensor) == 'dense<["a", "\\C3\\A4"]> : tensor<2x!onnx.String>'


@pytest.mark.parametrize("shape", [[0], [2, 0], []])
def test_empty_and_scalar(shape):
    dims = "x".join(map(str, [*shape, "f32"]))
    assert constant(numpy_helper.from_array(np.ones(shape, np.float32), "t")).endswith(f": tensor<{dims}>")


def resource(text, name):
    """The bytes of a resource in MLIR text, without the first four, which are its alignment."""
    return bytes.fromhex(re.search(name + r': "0x(\w+)"', text)[1])[4:]


@pytest.mark.parametrize("raw", [False, True], ids=["typed", "raw"])
@pytest.mark.parametrize(
    "dtype", [np.float32, np.float64, np.int64, np.float16, ml_dtypes.bfloat16, np.bool_, np.complex64]
)
def test_large_tensors_are_resources(dtype, raw):
    array = np.arange(2000).astype(dtype)
    tensor = (
        numpy_helper.from_array(array, "w")
        if raw
        else helper.make_tensor("w", helper.np_dtype_to_tensor_dtype(array.dtype), [2000], array)
    )
    text = import_onnx(model([], [], ["w"], initializers=[tensor]))
    assert "dense_resource<w> : tensor<2000x" in text
    assert resource(text, "w") == array.tobytes()


@pytest.mark.parametrize("dtype", [TensorProto.INT4, TensorProto.UINT2], ids=["int4", "uint2"])
def test_large_packed_tensors_stay_packed(dtype):
    packed = np.random.default_rng(0).integers(0, 256, 1025, np.uint8).tobytes()
    count = 1025 * 8 // (4 if dtype == TensorProto.INT4 else 2) - 1
    tensor = TensorProto(name="w", data_type=dtype, dims=[count], raw_data=packed)
    text = import_onnx(model([], [], ["w"], initializers=[tensor]))
    assert f"dense_resource<w> : tensor<{count}x" in text
    assert resource(text, "w") == packed


def test_resources_of_one_name_stay_apart():
    def integers(name):
        return value(name, None, TensorProto.INT64)

    body = [
        helper.make_graph([], "b", [], [integers("w")], [numpy_helper.from_array(np.arange(2000) + v, "w")])
        for v in (1, 2)
    ]
    n = node("If", ["c"], ["y"], then_branch=body[0], else_branch=body[1])
    text = import_onnx(model([n], [value("c", [], TensorProto.BOOL)], [integers("y")]))
    assert set(re.findall(r"dense_resource<(\w+)>", text)) == {"w", "w_1"}


def test_unusual_names():
    tensor = numpy_helper.from_array(np.arange(2000), 'a "name" / with::all\nof it')
    text = import_onnx(model([], [], [tensor.name], initializers=[tensor]))
    again = subprocess.run(["tools/isthmus-opt/isthmus-opt"], input=text, capture_output=True, text=True)
    assert again.returncode == 0 and again.stdout.strip() == text.strip()


# ---- External data -------------------------------------------------------------------------------------------------------


def external(dims, **entries):
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=dims, data_location=TensorProto.EXTERNAL)
    for key, entry in entries.items():
        tensor.external_data.add(key=key, value=str(entry))
    return tensor


def test_external_data(tmp_path):
    array = np.arange(3000, dtype=np.float32)
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "w.bin").write_bytes(array.tobytes())
    whole, part = (
        external([3000], location="weights/w.bin"),
        external([2], location="weights/w.bin", offset=8, length=8),
    )
    part.name = "p"
    text = import_onnx(model([], [], ["w", "p"], initializers=[whole, part]), folder=tmp_path)
    assert resource(text, "w") == array.tobytes()
    assert "dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>" in text


ESCAPES = {
    "parent": "../outside.bin",
    "inner parent": "sub/../../outside.bin",
    "link": "link.bin",
    "linked folder": "folder/outside.bin",
}


@pytest.mark.parametrize("location", ESCAPES.values(), ids=ESCAPES.keys())
def test_external_data_stays_in_the_folder(tmp_path, location):
    folder = tmp_path / "model"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "outside.bin").write_bytes(bytes(8))
    os.symlink(tmp_path / "outside.bin", folder / "link.bin")
    os.symlink(tmp_path, folder / "folder")
    (error,) = import_errors(model([], [], ["w"], initializers=[external([2], location=location)]), folder=folder)
    assert "inside of the model's folder, got" in error and location in error


def test_absolute_external_data(tmp_path):
    (tmp_path / "w.bin").write_bytes(bytes(8))
    (error,) = import_errors(
        model([], [], ["w"], initializers=[external([2], location=tmp_path / "w.bin")]), folder=tmp_path
    )
    assert "expected external data at a path inside of the model's folder, got '/" in error


@pytest.mark.parametrize(
    "entries, problem",
    [
        ({}, "expected external data at a path inside of the model's folder, got ''"),
        ({"location": "none.bin"}, "No such file or directory"),
        ({"location": "pipe"}, "expected external data in a regular file, got 'pipe'"),
        ({"location": "w.bin", "offset": 4}, "expected 8 bytes at offset 4 of 'w.bin', got a file of 8"),
        (
            {"location": "w.bin", "offset": 2**64 - 4},
            "expected 8 bytes at offset 18446744073709551612 of 'w.bin', got a file of 8",
        ),
        ({"location": "w.bin", "offset": "-1"}, "expected a number of bytes as offset of external data, got '-1'"),
        ({"location": "w.bin", "length": 4}, "expected 8 bytes of data for 'tensor<2xf32>', got 4"),
        ({"location": "w\0.bin"}, "expected external data at a path inside of the model's folder"),
    ],
)
def test_wrong_external_data(tmp_path, entries, problem):
    (tmp_path / "w.bin").write_bytes(bytes(8))
    os.mkfifo(tmp_path / "pipe")
    (error,) = import_errors(model([], [], ["w"], initializers=[external([2], **entries)]), folder=tmp_path)
    assert error.startswith("initializer 'w': ") and problem in error


# ---- Sparse tensors ------------------------------------------------------------------------------------------------------


def sparse(values, indices, dims):
    values = helper.make_tensor("w", TensorProto.FLOAT, [len(values)], values)
    indices = numpy_helper.from_array(np.int64(indices), "i")
    return helper.make_sparse_tensor(values, indices, dims)


@pytest.mark.parametrize("indices", [[1, 5], [[0, 1], [1, 2]]], ids=["linear", "coordinates"])
def test_sparse_initializers(indices):
    text = import_onnx(model([], [], ["w"], sparse_initializer=[sparse([1.5, 2.5], indices, [2, 3])]))
    assert (
        "onnx.Constant dense<[[0.000000e+00, 1.500000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 2.500000e+00]]> : tensor<2x3xf32>"
        in text
    )


@pytest.mark.parametrize(
    "indices, dims, problem",
    [
        ([1, 6], [2, 3], "expected indices inside of the shape, got others for value 1"),
        ([-1, 0], [2, 3], "expected indices inside of the shape, got others for value 0"),
        ([[0, 1], [2, 0]], [2, 3], "expected indices inside of the shape, got others for value 1"),
        ([[0, 1, 2]], [2, 3], "expected int64 indices, one per value or one per value and dimension"),
        (
            [1, 5],
            [2**20, 2**20],
            "expected a model that grows by at most 1073741824 bytes beyond its file, got 4398046511104 for a sparse "
            "tensor made dense after 0",
        ),
    ],
)
def test_wrong_sparse_initializers(indices, dims, problem):
    (error,) = import_errors(model([], [], ["w"], sparse_initializer=[sparse([1.5, 2.5], indices, dims)]))
    assert error == f"initializer 'w': {problem}"


def test_sparse_initializers_are_bounded_in_sum():
    """Each sparse tensor alone is within the bound."""
    tensors = [sparse([1.5], [0], [2**20]), sparse([1.5], [0], [2**28])]
    tensors[1].values.name = "v"
    (error,) = import_errors(model([], [], ["w"], sparse_initializer=tensors))
    assert error == (
        "initializer 'v': expected a model that grows by at most 1073741824 bytes beyond its file, got 1073741824 for a "
        "sparse tensor made dense after 4194304"
    )


# ---- Constant ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "attribute, text",
    [
        ({"value_int": 3}, "dense<3> : tensor<i64>"),
        ({"value_ints": [3, 4]}, "dense<[3, 4]> : tensor<2xi64>"),
        ({"value_float": 1.5}, "dense<1.500000e+00> : tensor<f32>"),
        ({"value_floats": [1.5, 2.5]}, "dense<[1.500000e+00, 2.500000e+00]> : tensor<2xf32>"),
        ({"value_string": "a"}, 'dense<"a"> : tensor<!onnx.String>'),
        ({"value_strings": ["a", "b"]}, 'dense<["a", "b"]> : tensor<2x!onnx.String>'),
        ({"value": numpy_helper.from_array(np.int8([1, 2]))}, "dense<[1, 2]> : tensor<2xi8>"),
        ({"sparse_value": sparse([1.5], [1], [2])}, "dense<[0.000000e+00, 1.500000e+00]> : tensor<2xf32>"),
    ],
)
def test_constant_nodes(attribute, text):
    assert f"onnx.Constant {text}" in import_onnx(
        model([node("Constant", [], ["y"], **attribute)], outputs=[onnx.ValueInfoProto(name="y")])
    )


def test_a_file_that_grows_no_memory():
    """Sizes that do not match the data of the file are refused before memory is allocated."""
    for dims in ([2**40], [2**62, 2**62], [-1]):
        tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=dims, raw_data=bytes(4))
        done = run(model([], [], ["w"], initializers=[tensor]))
        assert done.returncode == 1 and "initializer 'w': expected" in done.stderr
