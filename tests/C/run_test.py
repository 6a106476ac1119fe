"""Programs that the C library compiles and runs, on plain tensors and on those of DLPack."""

import contextlib
import ctypes

import numpy as np
import onnx
import onnxruntime
import pytest

from tests.C import library
from tests.C.library import INTERRUPTED, Refused, call, freed, lower, made, opened
from tests.support import onnx_models

ELEMENTS = ["bool", "int8", "int16", "int32", "int64", "float16", None, "float32", "float64", "complex64", "complex128"]
_Int64s = ctypes.POINTER(ctypes.c_int64)


class Tensor(ctypes.Structure):
    """isthmus_tensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("element_type", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("dims", _Int64s),
        ("strides", _Int64s),
    ]


class KernelCall(ctypes.Structure):
    """isthmus_kernel_call."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("attributes", ctypes.c_char_p),
        ("num_inputs", ctypes.c_int32),
        ("num_outputs", ctypes.c_int32),
        ("inputs", ctypes.POINTER(Tensor)),
        ("outputs", ctypes.POINTER(Tensor)),
        ("allocate", ctypes.c_void_p),
    ]


KERNEL = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(KernelCall), ctypes.c_void_p)


def view(array):
    strides = [stride // array.itemsize for stride in array.strides]
    integers = ctypes.c_int64 * max(array.ndim, 1)
    return Tensor(
        array.ctypes.data, ELEMENTS.index(array.dtype.name), array.ndim, integers(*array.shape), integers(*strides)
    )


def to_array(tensor):
    shape = tensor.dims[: tensor.rank]
    dtype = np.dtype(ELEMENTS[tensor.element_type])
    data = ctypes.string_at(tensor.data, int(np.prod(shape)) * dtype.itemsize)
    return np.frombuffer(data, dtype).reshape(shape)


def run(executable, arrays, function=None):
    """The results on plain tensors, which are copied."""
    views = (Tensor * len(arrays))(*[array if isinstance(array, Tensor) else view(array) for array in arrays])
    with freed("results", "executable_run", executable, function, views, len(arrays)) as results:
        count = library.library.isthmus_results_count(results)
        addresses = [library.library.isthmus_results_tensor(results, i) for i in range(count + 1)]
        assert addresses.pop() is None
        return [to_array(Tensor.from_address(address)) for address in addresses]


_capsules = ctypes.pythonapi
_capsules.PyCapsule_GetPointer.restype = ctypes.c_void_p
_capsules.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_capsules.PyCapsule_New.restype = ctypes.py_object
_capsules.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class FromLibrary:
    """A tensor that NumPy takes over."""

    def __init__(self, address):
        self.address = address

    def __dlpack__(self, **_):
        return _capsules.PyCapsule_New(self.address, b"dltensor", None)

    def __dlpack_device__(self):
        return 1, 0


def run_dlpack(executable, arrays, function=None):
    """The results on tensors of DLPack, whose memory is the library's."""
    capsules = [array.__dlpack__() for array in arrays]
    pointers = [_capsules.PyCapsule_GetPointer(capsule, b"dltensor") for capsule in capsules]
    inputs = (ctypes.c_void_p * len(arrays))(*pointers)
    with freed("results", "executable_run_dlpack", executable, function, inputs, len(arrays)) as results:
        count = library.library.isthmus_results_count(results)
        tensors = [made("results_dlpack", results, i) for i in range(count)]
        with pytest.raises(Refused, match="index: expected one below"):
            made("results_dlpack", results, count)
    return [np.from_dlpack(FromLibrary(tensor)) for tensor in tensors]


@contextlib.contextmanager
def compiled(model, target="linalg", options=None, **values):
    with opened(model) as own:
        lower(own, target=target, **values)
        executable = made("model_compile", own, options)
    yield executable  # it outlives the model
    library.library.isthmus_executable_free(executable)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """(path, inputs, onnxruntime's outputs) of a model with weights, an open size and integers."""
    random = np.random.default_rng(0)
    weight = onnx.numpy_helper.from_array(random.standard_normal((4, 8), np.float32), "w")
    nodes = [
        onnx.helper.make_node("MatMul", ["x", "w"], ["h"]),
        onnx.helper.make_node("Tanh", ["h"], ["y"]),
        onnx.helper.make_node("Add", ["i", "i"], ["j"]),
    ]
    inputs = [onnx_models.value("x", ["batch", 4]), onnx_models.value("i", [2], onnx.TensorProto.UINT8)]
    outputs = [onnx_models.value("y", ["batch", 8]), onnx_models.value("j", [2], onnx.TensorProto.UINT8)]
    path = tmp_path_factory.mktemp("model") / "model.onnx"
    onnx.save(onnx_models.model(nodes, inputs, outputs, opset=20, initializers=[weight]), path)
    arrays = {"x": random.standard_normal((3, 4), np.float32), "i": np.array([1, 200], np.uint8)}
    return path, list(arrays.values()), onnxruntime.InferenceSession(path).run(None, arrays)


@pytest.mark.parametrize("target", ["linalg", "tosa"])
def test_plain_tensors(model, target):
    path, (x, i), (y, j) = model
    stored = i.astype(np.int32) if target == "tosa" else i.view(np.int8)
    with compiled(path, target, specialize="x=3x4") as executable:
        for given in (x, np.asfortranarray(x), x[::-1].copy()[::-1]):
            got = run(executable, [given, stored])
            np.testing.assert_allclose(got[0], y, rtol=1e-5, atol=1e-6)
            np.testing.assert_array_equal(got[1].astype(np.uint8), j)


def test_dlpack(model):
    path, (x, i), (y, j) = model
    with compiled(path) as executable:
        got = run_dlpack(executable, [x, i], b"main")
        transposed = run_dlpack(executable, [np.asfortranarray(x), i])
    np.testing.assert_allclose(got[0], y, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(transposed[0], got[0])
    assert got[1].dtype == np.uint8 and (got[1] == j).all()


def test_signatures(model):
    lib = library.library
    with compiled(model[0]) as executable:
        assert lib.isthmus_executable_function_count(executable) == 1
        assert lib.isthmus_executable_function_name(executable, 0) == b"main"
        assert lib.isthmus_executable_function_name(executable, 1) is None
        assert lib.isthmus_executable_is_stateful(executable) == 0
        assert lib.isthmus_executable_signature(executable, b"other") is None
        signature = lib.isthmus_executable_signature(executable, None)
        assert lib.isthmus_signature_input_count(signature) == lib.isthmus_signature_output_count(signature) == 2
        x, i = (lib.isthmus_signature_input(signature, index) for index in range(2))
        assert lib.isthmus_signature_input(signature, 2) is None
        assert lib.isthmus_parameter_name(x) == b"x" and lib.isthmus_parameter_dtype(x) == b""
        assert lib.isthmus_parameter_element_type(x) == ELEMENTS.index("float32")
        assert [lib.isthmus_parameter_dim(x, dim) for dim in range(3)] == [-1, 4, -1]
        assert lib.isthmus_parameter_rank(x) == 2
        assert lib.isthmus_parameter_dtype(i) == b"ui8"
        assert lib.isthmus_parameter_name(lib.isthmus_signature_output(signature, 1)) == b"j"


def altered(array, **fields):
    tensor = view(array)
    for name, value in fields.items():
        setattr(tensor, name, value)
    return tensor


X, INTEGERS = np.ones((3, 4), np.float32), np.ones(2, np.int8)
WRONG = {
    "fewer": ([X], "expected 2 arguments, got 1"),
    "more": ([X, INTEGERS, INTEGERS], "expected 2 arguments, got 3"),
    "dtype": ([X.astype(np.float64), INTEGERS], r"expected \?x4xf32, got 3x4xf64"),
    "rank": ([X[0], INTEGERS], r"expected \?x4xf32, got 4xf32"),
    "size": ([X[:, :3], INTEGERS], r"expected \?x4xf32, got 3x3xf32"),
    "negative rank": ([altered(X, rank=-1), INTEGERS], "input 0: expected a rank, got -1"),
    "large rank": ([altered(X, rank=1 << 30), INTEGERS], "input 0: expected a rank, got 1073741824"),
    "no dims": ([altered(X, dims=None), INTEGERS], "input 0: expected dims, got null"),
    "negative dim": ([altered(X, dims=(ctypes.c_int64 * 2)(-3, 4)), INTEGERS], r"got -3x4xf32|got \?x4xf32"),
    "large dim": ([altered(X, dims=(ctypes.c_int64 * 2)(1 << 50, 4)), INTEGERS], "sizes of at most 2\\^40"),
    "no data": ([X, altered(INTEGERS, data=None)], "input 1: expected data, got null"),
    "element type": ([altered(X, element_type=15), INTEGERS], "input 0: expected an isthmus_element_type, got 15"),
}


@pytest.mark.parametrize("arrays, message", WRONG.values(), ids=WRONG)
def test_tensors_that_do_not_fit(model, arrays, message):
    with compiled(model[0]) as executable, pytest.raises(Refused, match=message) as refused:
        run(executable, arrays)
    assert refused.value.kind == "input"


class Dlpack(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("dims", _Int64s),
        ("strides", _Int64s),
        ("offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


WRONG_DLPACK = {
    "device": ({"device": (2, 0)}, "expected memory of the CPU, device 1, got device 2"),
    "code": ({"code": 0}, "expected a dtype of code 2, 32 bits, got code 0, 32 bits"),
    "bits": ({"bits": 64}, "expected a dtype of code 2, 32 bits, got code 2, 64 bits"),
    "lanes": ({"lanes": 4}, "got code 2, 32 bits, 4 lanes"),
    "rank": ({"rank": -2}, "expected a rank, got -2"),
    "dims": ({"dims": None}, "expected dims, got null"),
    "data": ({"data": None}, "expected data, got null"),
}


@pytest.mark.parametrize("fields, message", WRONG_DLPACK.values(), ids=WRONG_DLPACK)
def test_tensors_of_dlpack_that_do_not_fit(model, fields, message):
    dims = (ctypes.c_int64 * 2)(3, 4)
    given = {"data": X.ctypes.data, "device": (1, 0), "rank": 2, "code": 2, "bits": 32, "lanes": 1, "dims": dims}
    x = Dlpack(**given)
    i = Dlpack(data=INTEGERS.ctypes.data, device=(1, 0), rank=1, code=1, bits=8, lanes=1, dims=(ctypes.c_int64 * 1)(2))
    inputs = (ctypes.c_void_p * 2)(ctypes.addressof(x), ctypes.addressof(i))
    with compiled(model[0]) as executable:
        with freed("results", "executable_run_dlpack", executable, None, inputs, 2):
            pass
        for name, value in fields.items():
            setattr(x, name, value)
        with pytest.raises(Refused, match="input 0: .*" + message):
            made("executable_run_dlpack", executable, None, inputs, 2)
        with pytest.raises(Refused, match="expected a tensor, got null"):
            made("executable_run_dlpack", executable, None, (ctypes.c_void_p * 2)(None, None), 2)


def test_a_sign_is_part_of_a_dtype(model):
    path, (x, i), _ = model
    with compiled(path) as executable, pytest.raises(Refused, match="expected a dtype of code 1, 8 bits, got code 0"):
        run_dlpack(executable, [x, i.view(np.int8)])


def test_a_function_that_is_not_there(model):
    with (
        compiled(model[0]) as executable,
        pytest.raises(Refused, match="expected one of 'main', got 'other'") as refused,
    ):
        run(executable, [X, INTEGERS], b"other")
    assert refused.value.kind == "argument"


def test_options(model):
    path, (x, i), (y, _) = model
    with freed("jit_options", "jit_options_create") as options:
        for name, value in {"threads": 2, "check_bounds": 1, "optimize": 0, "trust": 1}.items():
            call(f"jit_options_set_{name}", options, value)
        with pytest.raises(Refused, match="threads: expected 4096 at most, got 5000"):
            call("jit_options_set_threads", options, 5000)
        with compiled(path, options=options) as executable:
            np.testing.assert_allclose(run(executable, [x, i.view(np.int8)])[0], y, rtol=1e-5, atol=1e-6)


def custom_model(folder):
    path = folder / "custom.onnx"
    nodes = [onnx.helper.make_node("Twice", ["x"], ["y"], domain="com.acme")]
    onnx.save(onnx_models.model(nodes, ["x"], [onnx_models.value("y")], domains=["com.acme"]), path)
    return path


@pytest.mark.parametrize("target", ["linalg", "tosa"])
def test_kernels(tmp_path, target):
    reason = ctypes.create_string_buffer(b"it is asked to")

    @KERNEL
    def twice(call, context):
        if context == 1:
            return ctypes.addressof(reason)
        x, y = call.contents.inputs[0], call.contents.outputs[0]
        ctypes.memmove(y.data, (to_array(x) * context).tobytes(), 24)

    path = custom_model(tmp_path)
    address = ctypes.cast(twice, ctypes.c_void_p)
    with freed("jit_options", "jit_options_create") as options:
        with pytest.raises(Refused, match="Twice"), compiled(path, target, options, custom_ops="com.acme.Twice"):
            pass
        for context in (2, 1):
            call("jit_options_set_kernel_with_context", options, b"com.acme.Twice", address, context)
            with compiled(path, target, options, custom_ops="com.acme.Twice") as executable:
                x = np.arange(6, dtype=np.float32).reshape(2, 3)
                if context == 2:
                    np.testing.assert_array_equal(run(executable, [x])[0], 2 * x)
                    continue
                with pytest.raises(Refused, match="it is asked to") as refused:
                    run(executable, [x])
                assert refused.value.kind == "kernel"


def test_kernels_without_a_context(tmp_path):
    @ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(KernelCall))
    def negated(call):
        assert call.contents.name == b"com.acme.Twice"
        x, y = call.contents.inputs[0], call.contents.outputs[0]
        ctypes.memmove(y.data, (-to_array(x)).tobytes(), 24)

    with freed("jit_options", "jit_options_create") as options:
        call("jit_options_set_kernel", options, b"com.acme.Twice", ctypes.cast(negated, ctypes.c_void_p))
        with compiled(custom_model(tmp_path), "linalg", options, custom_ops="com.acme.Twice") as executable:
            call("jit_options_set_threads", options, 2)  # the executable keeps its own
            x = np.ones((2, 3), np.float32)
            np.testing.assert_array_equal(run(executable, [x])[0], -x)


@pytest.mark.parametrize("name, kernel", [(None, 1), (b"x", None)])
def test_no_kernel(name, kernel):
    with freed("jit_options", "jit_options_create") as options:
        for function, last in (("kernel", ()), ("kernel_with_context", (None,))):
            with pytest.raises(Refused, match="expected a name and a kernel, got null"):
                call(f"jit_options_set_{function}", options, name, kernel, *last)


LOOP = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %a = tensor.extract %x[] : tensor<f32>
  %b = scf.while (%z = %a) : (f32) -> f32 {
    %more = arith.cmpf ole, %z, %a : f32
    scf.condition(%more) %z : f32
  } do {
  ^body(%z: f32):
    %s = math.sin %z : f32
    scf.yield %s : f32
  }
  %y = tensor.from_elements %b : tensor<f32>
  return %y : tensor<f32>
}
"""


def test_a_run_can_be_stopped():
    calls = []
    wanted = [0]

    @INTERRUPTED
    def interrupted(context):
        calls.append(context)
        return wanted[0]

    with freed("jit_options", "jit_options_create") as options, opened(LOOP.encode(), "mlir") as own:
        call("jit_options_set_interrupted", options, ctypes.cast(interrupted, ctypes.c_void_p), 5)
        with freed("executable", "model_compile", own, options) as executable:
            wanted[0] = 1
            with pytest.raises(Refused) as refused:
                run(executable, [np.ones((), np.float32)])
        assert refused.value.kind == "stopped" and set(calls) == {5}
        with pytest.raises(Refused) as refused:
            made("model_compile", own, options)
        assert refused.value.kind == "stopped"


def test_programs_that_cannot_run(model, capfd):
    with opened(model[0]) as own, pytest.raises(Refused) as refused:
        made("model_compile", own, None)
    assert refused.value.kind == "unsupported"
    call_of_unknown = (
        b"func.func private @no_such_function()\nfunc.func @main() { call @no_such_function() : () -> () return }"
    )
    with opened(call_of_unknown, "mlir") as own, pytest.raises(Refused, match="no_such_function"):
        made("model_compile", own, None)
    with freed("jit_options", "jit_options_create") as options, opened(call_of_unknown, "mlir") as own:
        call("jit_options_set_trust", options, 1)
        with pytest.raises(Refused, match="no_such_function"):
            made("model_compile", own, options)
    unknown_symbol = (
        b"llvm.func @no_such_function()\nfunc.func @main() { llvm.call @no_such_function() : () -> () return }"
    )
    with freed("jit_options", "jit_options_create") as options, opened(unknown_symbol, "mlir") as own:
        call("jit_options_set_trust", options, 1)
        with pytest.raises(Refused, match="no_such_function"):
            made("model_compile", own, options)
    assert capfd.readouterr() == ("", "")
