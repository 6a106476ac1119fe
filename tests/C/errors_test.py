"""What the C library refuses, and that it never ends the process or prints."""

import concurrent.futures
import ctypes
import os
import subprocess
import sys

import pytest

import isthmus
from tests.C import library
from tests.C.library import BYTECODE, PROGRESS, TEXT, WRITE, Refused, call, freed, lower, made, opened, options, write
from tests.support import onnx_models

PROGRAM = b"""
func.func @main(%x: !torch.vtensor<[2,?],f32>) -> !torch.vtensor<[2,?],f32> {
  %y = torch.aten.tanh %x : !torch.vtensor<[2,?],f32> -> !torch.vtensor<[2,?],f32>
  return %y : !torch.vtensor<[2,?],f32>
}
"""


@pytest.fixture(autouse=True)
def prints_nothing(capfd):
    yield
    assert capfd.readouterr() == ("", "")


FUNCTIONS = library.declared()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_null(name):
    """A function without arguments works; another one refuses nulls, or its result is that of nothing."""
    result, arguments = FUNCTIONS[name]
    function = getattr(library.library, name)
    got = function(*[0 if type in library.INTEGERS else None for type in arguments])
    if name.endswith("_free"):
        assert result is None
    elif arguments and result is ctypes.c_void_p and name not in library.BORROWED:
        with pytest.raises(Refused) as refused:
            library.check(got)
        assert refused.value.kind == "argument"
    elif arguments and any(type in (ctypes.c_void_p, ctypes.c_char_p) for type in arguments):
        assert got in (None, 0, -1)


GARBAGE = {
    "nothing": b"",
    "text": b"garbage that is no model",
    "protobuf": b"\x08\x08\x3a\x7f",
    "zip": b"PK\x03\x04" + bytes(100),
    "zeros": bytes(1000),
    "noise": bytes(range(256)) * 8,
}


@pytest.mark.parametrize("data", GARBAGE.values(), ids=GARBAGE)
@pytest.mark.parametrize("format", [None, "onnx", "pt2", "mlir"])
def test_garbage(data, format):
    part = format or ("pt2" if data.startswith(b"PK") else "onnx")
    if part == "mlir" and not data.strip(b"\0"):
        return  # an empty text is a module without functions
    with pytest.raises(Refused) as refused, opened(data, format):
        pass
    assert refused.value.kind == ("bad model" if part in [*isthmus.parts(), "mlir"] else "missing part")
    assert all(refused.value.messages)


def test_files_that_are_not_there(tmp_path):
    for format in (None, "onnx", "mlir"):
        with pytest.raises(Refused, match="No such file or directory") as refused, opened(tmp_path / "none", format):
            pass
        assert refused.value.kind == "system"


def test_an_unknown_format():
    with pytest.raises(Refused, match="expected a format of 'onnx', 'pt2', 'mlir', got 'tflite'"):
        made("model_open_buffer", b"x", 1, None, b"tflite")


@pytest.mark.parametrize(
    "name, value, message",
    [
        ("narow_f64", "true", "expected an option of 'target', .*'narrow-f64'.*, got 'narow_f64'"),
        ("", "", "expected an option of"),
        ("target", "tossa", "target: expected 'torch'.*, got 'tossa'|target: expected .*'torch'.*, got 'tossa'"),
        ("consumer", "xla", "consumer: expected 'any' or 'iree', got 'xla'"),
        ("narrow_f64", "yes", "narrow-f64: expected true or false, got 'yes'"),
        ("custom_ops", "a,,b", "custom-ops: expected names, separated by commas, got 'a,,b'"),
        ("outline_patterns", "", "outline-patterns: expected a path, got ''"),
        ("specialize", "x", "specialize: expected NAME=SIZExSIZE…, got 'x'"),
        ("specialize", "x=", "expected NAME=SIZExSIZE…"),
        ("specialize", "x=1xax3", "expected NAME=SIZExSIZE…"),
        ("specialize", "x=99999999999999999999", "expected NAME=SIZExSIZE…"),
    ],
)
def test_options(name, value, message):
    with options() as own, pytest.raises(Refused, match=message) as refused:
        call("options_set", own, name.encode(), value.encode())
    assert refused.value.kind == "argument"


def test_one_shape_for_each_input():
    with pytest.raises(Refused, match="specialize: expected one shape for each input"):
        with options(specialize=["x=1x2", "y=3", "x=1x2"]):
            pass


@pytest.mark.parametrize("target", ["linalg", "mhlo", "stablehlo", "tosa"])
def test_targets_of_missing_parts(target):
    with opened(PROGRAM, "mlir") as own:
        if target in isthmus.output_types():
            lower(own, target=target)
            return
        with pytest.raises(Refused, match="this build has no .* part") as refused:
            lower(own, target=target)
        assert refused.value.kind == "missing part"


def test_a_missing_jit():
    with opened(b"func.func @main() { return }", "mlir") as own:
        if "jit" in isthmus.parts():
            library.library.isthmus_executable_free(made("model_compile", own, None))
            return
        with pytest.raises(Refused, match="this build has no jit part") as refused:
            made("model_compile", own, None)
        assert refused.value.kind == "missing part"


def test_every_finding_is_a_message():
    text = b"""
    func.func @main(%x: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) {
      %y = torch.operator "acme.first"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
      %z = torch.operator "acme.second"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
      return %y, %z : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
    }"""
    with opened(text, "mlir") as own, pytest.raises(Refused) as refused:
        lower(own, target="tosa")
    assert refused.value.kind == "unsupported" and len(refused.value.messages) == 2
    assert ["first" in refused.value.messages[0], "second" in refused.value.messages[1]] == [True, True]


def test_a_lowered_program_is_not_lowered_again():
    with opened(PROGRAM, "mlir") as own:
        lower(own, target="tosa")
        with pytest.raises(Refused) as refused:
            lower(own, target="tosa")
    assert refused.value.kind == "unsupported"


def test_clones_are_their_own():
    with opened(PROGRAM, "mlir") as own, freed("model", "model_clone", own) as clone:
        text = write(own)
        lower(clone, target="tosa")
        assert write(own) == text != write(clone)


def test_a_clone_outlives_its_model():
    with opened(PROGRAM, "mlir") as own:
        clone = made("model_clone", own)
    assert b"torch.aten.tanh" in write(clone)
    library.library.isthmus_model_free(clone)


def test_custom_ops():
    with opened(PROGRAM, "mlir") as own:
        lower(own, target="tosa", custom_ops="aten.tanh")
        with freed("custom_ops", "model_custom_ops", own) as ops:
            lib = library.library
            assert lib.isthmus_custom_ops_count(ops) == 1
            assert [lib.isthmus_custom_ops_name(ops, i) for i in range(2)] == [b"torch.aten.tanh", None]
            assert [lib.isthmus_custom_ops_uses(ops, i) for i in range(2)] == [1, 0]
        call("model_raise_custom_ops", own)
        assert b"torch.aten.tanh" in write(own)


@pytest.mark.skipif("onnx" not in isthmus.parts(), reason="this build has no onnx part")
def test_warnings():
    import onnx

    inputs = [onnx_models.value("x", [2])]
    model = onnx_models.model([onnx.helper.make_node("Neg", ["x"], ["y"])], inputs, ["y"])
    model.configuration.add(name="two", num_devices=2)
    lib = library.library
    with opened(model.SerializeToString()) as own:
        assert lib.isthmus_model_warning_count(own) == 0
        call("model_lower", own, None)
        assert lib.isthmus_model_warning_count(own) == 1
        assert b"device configuration 'two' are left out" in lib.isthmus_model_warning(own, 0)
        assert lib.isthmus_model_warning(own, 1) is None
    assert lib.isthmus_model_warning_count(None) == 0


@pytest.mark.skipif("onnx" not in isthmus.parts(), reason="this build has no onnx part")
def test_open_inputs(tmp_path):
    import onnx

    inputs = [onnx_models.value("x", ["batch", 4]), onnx_models.value("y", [3, 4])]
    model = onnx_models.model([onnx.helper.make_node("Add", ["x", "y"], ["z"])], inputs, ["z"])
    with opened(model.SerializeToString()) as own, freed("open_inputs", "model_open_inputs", own) as found:
        lib = library.library
        assert lib.isthmus_open_inputs_count(found) == 1
        assert [lib.isthmus_open_inputs_name(found, i) for i in range(2)] == [b"x", None]
        assert [lib.isthmus_open_inputs_rank(found, i) for i in range(2)] == [2, 0]
        assert [lib.isthmus_open_inputs_size(found, 0, dim) for dim in range(3)] == [b"batch", b"4", None]


@pytest.mark.parametrize("format", [-1, 5, 1 << 30])
def test_unknown_formats_of_output(format):
    with opened(PROGRAM, "mlir") as own, pytest.raises(Refused, match=f"format: expected .*, got {format}"):
        write(own, format)
    with freed("save_options", "save_options_create") as own, pytest.raises(Refused, match=f"format: .*got {format}"):
        call("save_options_set_format", own, format)


@pytest.mark.parametrize("format", [TEXT, BYTECODE])
def test_writing_can_be_stopped(format):
    calls = []

    @WRITE
    def refuse(context, data, size):
        calls.append(context)
        return 1

    with opened(PROGRAM, "mlir") as own, pytest.raises(Refused) as refused:
        call("model_write", own, format, ctypes.cast(refuse, ctypes.c_void_p), 3)
    assert refused.value.kind == "stopped" and calls == [3]


def test_a_callback_does_not_use_its_model():
    kinds = []

    @WRITE
    def reenter(context, data, size):
        for name in ("model_lower", "model_raise_custom_ops"):
            try:
                call(name, context, *([None] if name == "model_lower" else []))
            except Refused as refused:
                kinds.append(refused.kind)
        return 0

    with opened(PROGRAM, "mlir") as own, freed("model", "model_clone", own) as clone:
        for model in (own, clone):
            call("model_write", own, TEXT, ctypes.cast(reenter, ctypes.c_void_p), model)
    assert kinds == ["argument"] * 4


def test_threads():
    """Calls on a model and its clones wait for each other; other models are independent."""
    with opened(PROGRAM, "mlir") as own:
        expected = {}
        for target in isthmus.output_types():
            with freed("model", "model_clone", own) as clone:
                lower(clone, target=target)
                expected[target] = write(clone)

        def work(target):
            with freed("model", "model_clone", own) as clone, opened(PROGRAM, "mlir") as other:
                lower(clone, target=target)
                lower(other, target=target)
                return target, write(clone), write(other)

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for target, *texts in pool.map(work, list(expected) * 8):
                assert texts == [expected[target]] * 2


WEIGHTS = b"""
func.func @main(%x: !torch.vtensor<[512],f32>) -> !torch.vtensor<[512],f32> {
  %w = torch.vtensor.literal(dense_resource<w> : tensor<512xf32>) : !torch.vtensor<[512],f32>
  %y = torch.aten.mul.Tensor %x, %w : !torch.vtensor<[512],f32>, !torch.vtensor<[512],f32> -> !torch.vtensor<[512],f32>
  return %y : !torch.vtensor<[512],f32>
}
{-# dialect_resources: { builtin: { w: "0x04000000" } } #-}
""".replace(b'0x04000000"', b"0x04000000" + b"0000803F" * 511 + b'00000040"')


@pytest.mark.parametrize("form", list(isthmus.WeightForm))
@pytest.mark.parametrize("suffix", ["mlir", "mlirbc"])
def test_saved_files_are_those_of_python(tmp_path, form, suffix):
    if form == "iree" and "linalg" not in isthmus.parts():
        return
    target = "linalg" if "linalg" in isthmus.parts() else "tosa"
    folders = [tmp_path / name for name in ("python", "c")]
    for folder in folders:
        folder.mkdir()
    lib, saved = library.library, None
    module = isthmus.parse(WEIGHTS.decode()).lower(target)
    memory = WEIGHTS, len(WEIGHTS), b"<bytes>", b"mlir"  # bytecode has the name that messages use
    with freed("model", "model_open_buffer", *memory) as own, freed("save_options", "save_options_create") as given:
        lower(own, target=target)
        call("save_options_set_weights", given, form.encode())
        call("save_options_set_checksums", given, 1 if form in ("argument", "external") else 0)
        path = str(folders[1] / f"m.{suffix}").encode()
        try:
            expected = module.save(folders[0] / f"m.{suffix}", weights=form, checksums=form in ("argument", "external"))
        except isthmus.IsthmusError as error:
            with pytest.raises(Refused) as refused:
                made("model_save", own, path, given)
            assert refused.value.messages == [message.replace("python/", "c/") for message in error.messages]
            return
        saved = made("model_save", own, path, given)
        assert lib.isthmus_saved_form(saved).decode() == expected.form
        assert lib.isthmus_saved_count(saved) == expected.count
        assert lib.isthmus_saved_written(saved) == expected.written
        assert lib.isthmus_saved_written_bytes(saved) == expected.written_bytes
        for got, wanted in (
            (lib.isthmus_saved_manifest(saved), expected.manifest),
            (lib.isthmus_saved_file(saved), expected.file),
        ):
            assert got.decode() == (wanted or "").replace(str(folders[0]), str(folders[1]))
        lib.isthmus_saved_free(saved)
    names = [sorted(os.listdir(folder)) for folder in folders]
    assert names[0] == names[1]
    for name in names[0]:
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()


def test_saving(tmp_path):
    with opened(PROGRAM, "mlir") as own, freed("save_options", "save_options_create") as given:
        call("model_save", own, str(tmp_path / "m.mlir").encode(), None, None)
        assert (tmp_path / "m.mlir").read_bytes().startswith(b"module")
        call("model_save", own, str(tmp_path / "m.mlirbc").encode(), given, None)
        assert (tmp_path / "m.mlirbc").read_bytes().startswith(b"ML\xefR")
        call("save_options_set_format", given, BYTECODE)
        call("model_save", own, str(tmp_path / "m.mlir").encode(), given, None)
        assert (tmp_path / "m.mlir").read_bytes().startswith(b"ML\xefR")
        with pytest.raises(Refused) as refused:
            call("model_save", own, str(tmp_path / "none" / "m.mlir").encode(), None, None)
        assert refused.value.kind == "system"
        with pytest.raises(Refused, match="form: expected 'auto' or .*, got 'zip'"):
            call("save_options_set_weights", given, b"zip")
        with pytest.raises(Refused, match="bytes: expected a size, got -1"):
            call("save_options_set_min_weight_bytes", given, -1)


def test_saving_can_be_stopped(tmp_path):
    @PROGRESS
    def refuse(context, written, total):
        return context

    path = str(tmp_path / "m.mlir").encode()
    large = WEIGHTS.replace(b"512", b"4194304").replace(b"0000803F" * 511, b"0000803F" * 4194303)
    with opened(large, "mlir") as own, freed("save_options", "save_options_create") as given:
        call("save_options_set_progress", given, ctypes.cast(refuse, ctypes.c_void_p), 1)
        with pytest.raises(Refused) as refused:
            call("model_save", own, path, given, None)
        assert refused.value.kind == "stopped" and not os.listdir(tmp_path)
        call("save_options_set_progress", given, None, None)
        call("model_save", own, path, given, None)


WITHOUT_MEMORY = """
import os, resource, sys
from tests.C.library import Refused, lower, opened

def program(count):
    line = "%v{} = torch.aten.tanh %v{} : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>"
    type = "!torch.vtensor<[2],f32>"
    lines = [line.format(i + 1, i) for i in range(count)]
    return "\\n".join([f"func.func @main(%v0: {type}) -> {type} {{", *lines, f"return %v{count} : {type}", "}"]).encode()

def lowered(text):
    with opened(text, "mlir") as own:
        lower(own, target="tosa")

lowered(program(3))
large = program(150000)
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, ((pages << 12) + (int(sys.argv[1]) << 20), resource.RLIM_INFINITY))
try:
    lowered(large)
except Refused as refused:
    print(refused.kind, flush=True)
os._exit(0)
"""


@pytest.mark.skipif("tosa" not in isthmus.parts(), reason="this build has no tosa part")
@pytest.mark.parametrize("megabytes", [0, 1, 8, 16])
def test_without_memory(megabytes):
    command = [sys.executable, "-c", WITHOUT_MEMORY, str(megabytes)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "out of memory\n", "")
