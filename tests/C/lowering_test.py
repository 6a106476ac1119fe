"""Programs that the C library lowers and writes are those of Python."""

import ctypes

import numpy as np
import onnx
import pytest

import isthmus
from tests.C import library
from tests.C.library import (
    BYTECODE,
    ELIDED_TEXT,
    GENERIC_TEXT,
    RELEASE,
    TARGET_FILE,
    Refused,
    freed,
    lower,
    opened,
    write,
)
from tests.support import onnx_models

PROGRAM = """
func.func @main(%x: !torch.vtensor<[2,?],f32>) -> !torch.vtensor<[2,?],f32> {
  %y = torch.aten.tanh %x : !torch.vtensor<[2,?],f32> -> !torch.vtensor<[2,?],f32>
  return %y : !torch.vtensor<[2,?],f32>
}
"""

needs_onnx = pytest.mark.skipif("onnx" not in isthmus.parts(), reason="this build has no onnx part")


@pytest.fixture
def model(tmp_path):
    """A model of an open size, with 4 KiB of weights and an op that has another meaning in f64."""
    weight = onnx.numpy_helper.from_array(np.arange(1024, dtype=np.float32).reshape(4, 256) / 64, "w")
    nodes = [
        onnx.helper.make_node("Gemm", ["x", "w"], ["h"], name="Gemm_0"),
        onnx.helper.make_node("Gelu", ["h"], ["y"], name="Gelu_1"),
    ]
    inputs = [onnx_models.value("x", ["batch", 4])]
    path = tmp_path / "model.onnx"
    onnx.save(onnx_models.model(nodes, inputs, initializers=[weight]), path)
    return path


def test_versions():
    assert library.library.isthmus_abi_version() == 0
    assert library.library.isthmus_version().decode() == isthmus.__version__


def names(kind):
    functions = (getattr(library.library, f"isthmus_{kind}_{what}") for what in ("count", "name"))
    count, name = functions
    assert name(count()) is None
    return [name(i).decode() for i in range(count())]


def test_parts_and_targets():
    assert names("part") == isthmus.parts()
    assert names("target") == isthmus.output_types()


def test_every_option_has_a_name():
    keywords = [option.argument for option in isthmus.options.OPTIONS]
    assert names("option") == ["target", *keywords]
    assert library.library.isthmus_option_summary(0)


@needs_onnx
@pytest.mark.parametrize("target", isthmus.output_types())
@pytest.mark.parametrize(
    "given", [{}, {"specialize": "x=3x4"}, {"custom_ops": "Gelu"}, {"backend-legal-ops": "aten.gelu"}]
)
def test_text_is_that_of_python(model, target, given):
    python = {}
    for name, value in given.items():
        python[name.replace("-", "_")] = {"x": [3, 4]} if name == "specialize" else [value]
    expected = isthmus.import_onnx(model).lower(target, **python)
    with opened(model) as own:
        lower(own, target=str(target), **given)
        assert write(own).decode() == expected.text()
        assert write(own, ELIDED_TEXT).decode() == str(expected)


@needs_onnx
def test_bytes_are_read_like_files(model):
    data = model.read_bytes()
    with opened(model) as own, opened(data) as copy, opened(data, "onnx") as named:
        assert write(own) == write(copy) == write(named)


def test_mlir_is_read_by_format_name_or_bytes(tmp_path):
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    expected = isthmus.parse(PROGRAM).text().encode()
    with opened(path) as own, opened(PROGRAM.encode(), "mlir") as copy:
        assert write(own) == write(copy) == expected
        bytecode = write(own, BYTECODE)
    with opened(bytecode) as own:
        assert write(own) == expected
        generic = write(own, GENERIC_TEXT)
    assert b'"func.func"() <{' in generic and b'"func.func"' not in expected
    with opened(generic, "mlir") as own:
        assert write(own) == expected


@pytest.mark.skipif("tosa" not in isthmus.parts(), reason="this build has no TOSA")
def test_a_target_has_files_of_its_own(tmp_path):
    program = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
    isthmus.parse(program).save(tmp_path / "program.tosa")
    with opened(program.encode(), "mlir") as own:
        assert write(own, TARGET_FILE) == (tmp_path / "program.tosa").read_bytes()
    wrong = program.replace("f32", "f64")
    with opened(wrong.encode(), "mlir") as own, pytest.raises(Refused, match="which a TOSA file can hold") as refused:
        write(own, TARGET_FILE)
    assert refused.value.kind == "unsupported"


def test_memory_is_released_once():
    data = ctypes.create_string_buffer(PROGRAM.encode(), len(PROGRAM))
    released = []
    release = RELEASE(released.append)
    address = ctypes.cast(release, ctypes.c_void_p)
    last = (len(PROGRAM), address, 7, b"program", b"mlir")
    with freed("model", "model_open_memory", data, *last) as own:
        assert b"torch.aten.tanh" in write(own)
    assert released == [7]
    with pytest.raises(Refused):
        library.made("model_open_memory", data, 10, address, 8, b"program", b"mlir")
    with pytest.raises(Refused):
        library.made("model_open_memory", None, 10, address, 9, b"program", b"mlir")
    assert released == [7, 8, 9]
