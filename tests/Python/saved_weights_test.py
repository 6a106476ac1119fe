"""Saving a program: the files that it replaces, the files that it refuses to replace, and interrupted saves."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import isthmus
from isthmus.cli import main
from tests.support import onnx_models
from tests.support.weights import SCALE, read_manifest, run

pytest_plugins = ["tests.support.weights"]  # for the fixture `folder`


def test_small_bytecode_is_read_wherever_it_lies(tmp_path):
    """Bytecode is read even if the buffer is not aligned in memory as its blobs need."""
    if "tosa" not in isthmus.output_types():
        pytest.skip("this build has no TOSA, which transposes")
    kernels = np.random.default_rng(0)
    for channels in range(4, 40, 3):
        kernel = kernels.standard_normal((channels, 3, 3, 3), dtype=np.float32)
        model = onnx_models.model(
            [helper.make_node("Conv", ["x", "w"], ["y"])],
            inputs=[onnx_models.value("x", (1, 3, 9, 9))],
            outputs=["y"],
            initializers=[numpy_helper.from_array(kernel, "w")],
        )
        isthmus.import_onnx(model.SerializeToString()).lower("tosa").save(tmp_path / "c.mlirbc")
        isthmus.load(tmp_path / "c.mlirbc")
        isthmus.parse((tmp_path / "c.mlirbc").read_bytes())


@pytest.mark.parametrize(
    "weights, name", [("iree", "m.irpa"), ("external", "m.weights.json"), ("external", "m.safetensors")]
)
def test_files_of_others_are_kept(folder, weights, name):
    module = isthmus.import_onnx(folder / "model.onnx").lower("linalg")
    for file in ("m.weights.json", "m.safetensors", "m.mlir"):
        (folder / file).unlink()
    (folder / name).write_text('{"my": "settings"}')
    with pytest.raises(isthmus.FileError, match="got a file of another writer, which would be lost"):
        module.save(folder / "m.mlir", weights=weights)
    assert (folder / name).read_text() == '{"my": "settings"}'
    assert not (folder / "m.mlir").exists()
    (folder / name).unlink()
    for _ in range(2):  # our own files are replaced
        module.save(folder / "m.mlir", weights=weights)


@pytest.mark.parametrize("weights, name", [("iree", "m.irpa"), ("external", "m.safetensors")])
def test_a_program_does_not_take_the_name_of_its_weights(folder, weights, name):
    module = isthmus.import_onnx(folder / "model.onnx").lower("linalg")
    before = sorted(folder.iterdir())
    with pytest.raises(isthmus.FileError, match="expected a name that ends otherwise"):
        module.save(folder / name, weights=weights, format="text")
    assert sorted(folder.iterdir()) == before


def test_two_programs_do_not_share_a_file_of_weights(folder):
    module = isthmus.import_onnx(folder / "model.onnx").lower("linalg")
    with pytest.raises(isthmus.FileError) as caught:
        module.save(folder / "m.mlirbc", weights="external")
    assert caught.value.messages == [
        f"{folder}/m.safetensors: expected no weights but those of 'm.mlirbc', got those of 'm.mlir', which would be lost"
    ]
    np.testing.assert_array_equal(run(folder)[0], SCALE)
    (folder / "m.mlir").unlink()
    module.save(folder / "m.mlirbc", weights="external")


def test_weights_that_overlap_are_not_both_left_in_place(tmp_path):
    storage = np.random.default_rng(0).standard_normal(90000, dtype=np.float32)
    first, second = storage[:60000].reshape(300, 200), storage[30000:].reshape(200, 300)
    model = onnx_models.model(
        [helper.make_node("MatMul", ["x", "a"], ["h"]), helper.make_node("MatMul", ["h", "b"], ["y"])],
        inputs=[onnx_models.value("x", (4, 300))],
        outputs=["y"],
        initializers=[numpy_helper.from_array(first, "a"), numpy_helper.from_array(second, "b")],
    )
    (tmp_path / "all.bin").write_bytes(storage.tobytes())
    for tensor, offset in zip(model.graph.initializer, (0, 120000)):
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in {"location": "all.bin", "offset": offset, "length": 240000}.items():
            tensor.external_data.add(key=key, value=str(value))
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    isthmus.import_onnx(tmp_path / "model.onnx").lower("linalg").save(
        tmp_path / "m.mlir", weights="external", weights_in_place=True
    )
    assert {weight["file"] for weight in read_manifest(tmp_path)["weights"]} == {"all.bin", "m.safetensors"}
    x = np.ones((4, 300), np.float32)
    np.testing.assert_allclose(isthmus.load(tmp_path / "m.mlir").run(x)[0], x @ first @ second, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("parted", ["argument", "none"])
def test_a_program_parted_from_its_weights_is_not_saved_with_them(folder, parted):
    isthmus.import_onnx(folder / "model.onnx").lower("linalg").save(folder / "p.mlir", weights=parted)
    for name in ("p.safetensors", "p.weights.json"):
        (folder / name).unlink(missing_ok=True)
    module = isthmus.load(folder / "p.mlir")
    for weights in ["external", "argument"] + ["resource", "inline"] * (parted == "none"):
        with pytest.raises(isthmus.BadModelError, match="got one that was parted from them"):
            module.save(folder / "q.mlir", weights=weights)
    assert not list(folder.glob("q.*"))


@pytest.mark.parametrize(
    "element, values",
    [("i1", "true, false, true, true"), ("i4", "1, 2, 3, 4"), ("index", "1, 2, 3, 4"), ("si8", "1, 2, 3, 4")],
)
def test_globals_that_no_file_holds_stay_in_the_program(tmp_path, element, values):
    text = f"""
    ml_program.global private @w(dense<[{values}]> : tensor<4x{element}>) : tensor<4x{element}>
    func.func @main() -> tensor<4x{element}> {{
      %0 = ml_program.global_load_const @w : tensor<4x{element}>
      return %0 : tensor<4x{element}>
    }}"""
    isthmus.parse(text).save(tmp_path / "m.mlir", weights="external")
    assert read_manifest(tmp_path)["weights"] == []
    assert f"dense<[{values}]>" in isthmus.load(tmp_path / "m.mlir").text()


@pytest.mark.parametrize("name", ["\\FF", "__metadata__"])
def test_globals_whose_names_no_file_holds_stay_in_the_program(tmp_path, name):
    """JSON cannot hold a name that is not UTF-8, and safetensors reserves a name for metadata."""
    values = ", ".join(map(str, range(300)))
    text = f"""
    ml_program.global private @"{name}"(dense<[{values}]> : tensor<300xi32>) : tensor<300xi32>
    func.func @main() -> tensor<300xi32> {{
      %0 = ml_program.global_load_const @"{name}" : tensor<300xi32>
      return %0 : tensor<300xi32>
    }}"""
    isthmus.parse(text).save(tmp_path / "m.mlir", weights="external")
    assert read_manifest(tmp_path)["weights"] == []
    np.testing.assert_array_equal(isthmus.load(tmp_path / "m.mlir").run()[0], np.arange(300, dtype=np.int32))


@pytest.mark.parametrize("form", ["argument", "external"])
def test_an_initializer_called_metadata(tmp_path, form):
    w = np.arange(300, dtype=np.float32)
    model = onnx_models.model(
        [helper.make_node("Add", ["x", "__metadata__"], ["y"])],
        inputs=[onnx_models.value("x", (300,))],
        outputs=["y"],
        initializers=[numpy_helper.from_array(w, "__metadata__")],
    )
    module = isthmus.import_onnx(model.SerializeToString()).lower("linalg")
    for _ in range(2):
        module.save(tmp_path / "m.mlir", weights=form)
        (tmp_path / "m.weights.json").unlink()
        np.testing.assert_array_equal(isthmus.load(tmp_path / "m.mlir").run(w)[0], 2 * w)
        module.save(tmp_path / "m.mlir", weights=form)


@pytest.mark.parametrize("form", ["argument", "external"])
def test_a_function_that_is_called_keeps_its_parameters(tmp_path, form):
    """Its weights do not become arguments, since calls would lack these. A constant outside of functions stays, too."""
    values = ", ".join(f"{i}.0" for i in range(300))
    text = f"""
    %unused = arith.constant dense<[{values}]> : tensor<300xf32>
    func.func @helper(%x: tensor<300xf32>) -> tensor<300xf32> {{
      %0 = arith.constant dense<[{values}]> : tensor<300xf32>
      %to = tensor.empty() : tensor<300xf32>
      %1 = linalg.add ins(%x, %0 : tensor<300xf32>, tensor<300xf32>) outs(%to : tensor<300xf32>) -> tensor<300xf32>
      return %1 : tensor<300xf32>
    }}
    func.func @main(%x: tensor<300xf32>) -> tensor<300xf32> {{
      %0 = func.call @helper(%x) : (tensor<300xf32>) -> tensor<300xf32>
      return %0 : tensor<300xf32>
    }}"""
    isthmus.parse(text).save(tmp_path / "m.mlir", weights=form)
    assert [weight["length"] for weight in read_manifest(tmp_path)["weights"]] == [1200]
    x = np.ones(300, np.float32)
    np.testing.assert_array_equal(isthmus.load(tmp_path / "m.mlir").run(x)[0], x + np.arange(300))


def test_globals_are_parameters_however_they_are_loaded(tmp_path):
    values = ", ".join(f"{i}.0" for i in range(300))
    text = f"""
    ml_program.global private @w(dense<[{values}]> : tensor<300xf32>) : tensor<300xf32>
    func.func @main() -> tensor<300xf32> {{
      %0 = ml_program.global_load @w : tensor<300xf32>
      return %0 : tensor<300xf32>
    }}"""
    isthmus.parse(text).save(tmp_path / "m.mlir", weights="argument")
    saved = (tmp_path / "m.mlir").read_text()
    assert "global" not in saved and 'isthmus.weight = "w"' in saved
    np.testing.assert_array_equal(isthmus.load(tmp_path / "m.mlir").run()[0], np.arange(300))


def test_weights_whose_elements_are_alike_stay_in_the_program(tmp_path):
    alike = {"zeros": np.zeros((300, 300), np.float32), "halves": np.full((300, 300), 0.5, np.float16)}
    other = np.zeros((300, 300), np.float32)
    other[-1, -1] = 1
    nodes = [helper.make_node("Cast", ["halves"], ["wide"], to=TensorProto.FLOAT)]
    nodes += [helper.make_node("Sum", ["x", "zeros", "wide", "other"], ["y"])]
    model = onnx_models.model(
        nodes,
        inputs=[onnx_models.value("x", (300, 300))],
        outputs=["y"],
        initializers=[numpy_helper.from_array(value, name) for name, value in {**alike, "other": other}.items()],
    )
    isthmus.import_onnx(model.SerializeToString()).lower("linalg").save(tmp_path / "m.mlir", weights="external")
    assert [weight["name"] for weight in read_manifest(tmp_path)["weights"]] == ["other"]
    x = np.ones((300, 300), np.float32)
    np.testing.assert_array_equal(isthmus.load(tmp_path / "m.mlir").run(x)[0], x + 0.5 + other)


def test_bools_are_inline_where_resources_are_not_read(tmp_path):
    model = onnx_models.model(
        [helper.make_node("Where", ["w", "x", "zero"], ["y"])],
        inputs=[onnx_models.value("x", (40, 50))],
        outputs=["y"],
        initializers=[
            numpy_helper.from_array(np.arange(2000).reshape(40, 50) % 3 == 0, "w"),
            numpy_helper.from_array(np.float32(0), "zero"),
        ],
    )
    module = isthmus.import_onnx(model.SerializeToString()).lower("linalg")
    x = np.arange(2000, dtype=np.float32).reshape(40, 50)
    for weights in ("inline", "iree"):
        module.save(tmp_path / "m.mlir", weights=weights)
        assert "dense_resource" not in (tmp_path / "m.mlir").read_text()
    module.save(tmp_path / "m.mlir", weights="inline")
    np.testing.assert_array_equal(isthmus.load(tmp_path / "m.mlir").run(x)[0], np.where(x % 3 == 0, x, 0))


def test_iree_takes_no_mhlo(folder):
    if "mhlo" not in isthmus.output_types():
        pytest.skip("this build has no MHLO")
    with pytest.raises(
        isthmus.UnsupportedError, match="expected a dialect that IREE reads, such as stablehlo, got mhlo"
    ):
        isthmus.import_onnx(folder / "model.onnx").lower("mhlo").save(folder / "h.mlir", weights="iree")


def test_the_onnx_dialect_has_arguments_alone(folder):
    module = isthmus.import_onnx(folder / "model.onnx")
    for weights in ("external", "iree"):
        with pytest.raises(isthmus.UnsupportedError, match="expected a lowered program, whose weights can be globals"):
            module.save(folder / "o.mlir", weights=weights)
    assert module.save(folder / "o.mlir", checksums=True).form == "argument"
    for form in ("argument", "inline", "resource"):
        isthmus.load(folder / "o.mlir").save(folder / "again.mlirbc", weights=form)
        for file in ("o.mlir", "again.mlirbc"):
            lowered = isthmus.load(folder / file).lower("linalg")
            np.testing.assert_array_equal(lowered.run(np.ones(300, np.float32), np.array([5, 1023]))[0], SCALE)


def test_names_of_files_are_any_bytes(folder, capfd):
    odd = os.fsdecode(b"\xff")
    (folder / odd).mkdir()
    model, output = (folder / odd / f"{odd}.{extension}" for extension in ("onnx", "mlir"))
    (folder / "model.onnx").rename(model)
    arguments = ["compile", str(model), "--target", "linalg", "--weights"]
    assert main([*arguments, "resource", "-o", str(output)]) == 0
    found = isthmus.load(os.fsencode(output)).run(np.ones(300, np.float32), np.array([5, 1023]))
    np.testing.assert_array_equal(found[0], SCALE)
    assert main([*arguments, "external", "-o", str(folder / odd / "m.mlir")]) == 0
    assert main([*arguments, "external", "-o", str(output)]) == 1
    assert "expected a name in UTF-8 for a file with weights beside it" in capfd.readouterr().err
    assert main(["check", str(model), "--targets", "linalg"]) == 0
    assert "\ufffd.onnx: " in capfd.readouterr().out
    with pytest.raises(ValueError, match="null byte"):
        isthmus.load(folder / "m.mlir").save(f"{folder}/m\0.mlir")


def test_a_manifest_that_is_a_link_to_nothing(folder):
    (folder / "m.weights.json").unlink()
    (folder / "m.weights.json").symlink_to("gone")
    with pytest.raises(isthmus.FileError) as caught:
        run(folder)
    assert caught.value.messages == [f"{folder}/m.weights.json: No such file or directory"]


KILLED = """
import sys, numpy as np, isthmus
first, second = (isthmus.import_onnx(path).lower("linalg") for path in sys.argv[2:])
first.save(sys.argv[1], weights="external")
print(flush=True)
while True:
    second.save(sys.argv[1], weights="external")
    first.save(sys.argv[1], weights="external")
"""


@pytest.mark.parametrize("form", ["argument", "external"])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.int8, np.int64])
def test_torch_weights_keep_their_signs(tmp_path, dtype, form):
    """Integers of the torch dialect have a sign, and it returns although files and globals have none."""
    table = np.arange(2048).astype(dtype)
    model = onnx_models.model(
        [helper.make_node("Gather", ["w", "i"], ["y"])],
        inputs=[onnx_models.value("i", (4,), TensorProto.INT64)],
        outputs=[onnx_models.value("y", (4,), helper.np_dtype_to_tensor_dtype(table.dtype))],
        initializers=[numpy_helper.from_array(table, "w")],
    )
    isthmus.import_onnx(model.SerializeToString()).lower("torch").save(tmp_path / "m.mlir", weights=form)
    at = np.array([0, 1, 200, 2047])
    for again in ("inline", "resource", "argument", "external"):
        isthmus.load(tmp_path / "m.mlir").save(tmp_path / "again.mlirbc", weights=again)
        (found,) = isthmus.load(tmp_path / "again.mlirbc").lower("linalg").run(at)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, table[at])


@pytest.mark.parametrize(
    "alignment, is_right", [(0, False), (1, True), (1 << 16, True), (1 << 17, False), (1 << 31, False)]
)
def test_alignments_that_no_memory_has(alignment, is_right):
    text = (
        "func.func @main() -> tensor<2xf32> {\n"
        "  %0 = arith.constant dense_resource<a> : tensor<2xf32>\n"
        "  return %0 : tensor<2xf32>\n}\n"
        '{-# dialect_resources: { builtin: { b: "0x04000000", "0x00000000": "0x04000000", a: // 4\n "0x'
    )
    head = alignment.to_bytes(4, "little").hex()
    program = f'{text}{head}0000803F0000803F" }} }} #-}}'
    if is_right:
        assert head.upper() in isthmus.parse(program).text()
        return
    with pytest.raises(isthmus.BadModelError) as caught:
        isthmus.parse(program)
    assert caught.value.messages == [
        f"<bytes>: resource at byte {len(text)}: expected an alignment of 1 to 65536 bytes, got {alignment}"
    ]


@pytest.mark.parametrize("name", [".hidden", "..hidden"])
def test_names_that_begin_with_their_only_dots(folder, capfd, name):
    """Such names have no extension, both for the library and for the command line."""
    options = ["--target", "linalg", "--weights-in-place", "--emit", "bytecode", "-o", str(folder / name)]
    assert main(["compile", str(folder / "model.onnx"), *options]) == 0
    assert f"lie where {folder}/{name}.weights.json says" in capfd.readouterr().err
    assert (folder / f"{name}.weights.json").exists()
    x, y = np.ones(300, np.float32), np.array([5, 1023])
    np.testing.assert_array_equal(isthmus.load(folder / name).run(x, y)[0], SCALE)


def test_nothing_is_said_of_no_weights(tmp_path, capfd):
    model = onnx_models.model([helper.make_node("Neg", ["x"], ["y"])], inputs=[onnx_models.value("x", (2,))])
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    options = ["--target", "linalg", "--weights-in-place", "-o", str(tmp_path / "m.mlir")]
    assert main(["compile", str(tmp_path / "model.onnx"), *options]) == 0
    assert capfd.readouterr().err == ""
    assert read_manifest(tmp_path)["weights"] == []


def product(w):
    """A program that computes x @ w, for a row x."""
    model = onnx_models.model(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        inputs=[onnx_models.value("x", (1, len(w)))],
        initializers=[numpy_helper.from_array(w, "w")],
    )
    return isthmus.import_onnx(model.SerializeToString()).lower("linalg")


def test_a_loaded_program_opens_its_weights_once(tmp_path):
    """A loaded program opens its files once, however often it runs or is saved. Replaced files are opened anew."""
    w = np.random.default_rng(0).standard_normal((256, 256), dtype=np.float32)
    product(w).save(tmp_path / "m.mlir", weights="external")
    loaded = isthmus.load(tmp_path / "m.mlir")
    x = np.ones((1, 256), np.float32)
    np.testing.assert_allclose(loaded.run(x)[0], x @ w, rtol=1e-4, atol=1e-4)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        loaded.save(tmp_path / "again.mlir", weights="resource")
    assert len(os.listdir("/proc/self/fd")) == before
    assert "dense_resource<w>" in (tmp_path / "again.mlir").read_text()
    product(2 * w).save(tmp_path / "m.mlir", weights="external")
    loaded.save(tmp_path / "again.mlir", weights="resource")
    np.testing.assert_allclose(isthmus.load(tmp_path / "again.mlir").run(x)[0], x @ (2 * w), rtol=1e-4, atol=1e-4)


def test_weights_that_are_written_over_are_laid_out_anew(tmp_path):
    """Weights are packed again if their file is written over, even if its modification time is restored."""
    w = np.random.default_rng(0).standard_normal((256, 256), dtype=np.float32)
    product(w).save(tmp_path / "m.mlirbc", weights="external")
    x = np.ones((1, 256), np.float32)
    loaded = isthmus.load(tmp_path / "m.mlirbc")  # keeps the packed weights
    np.testing.assert_allclose(loaded.run(x)[0], x @ w, rtol=1e-4, atol=1e-4)
    file = tmp_path / "m.safetensors"
    times = file.stat()
    with open(file, "r+b") as other:
        other.seek(-w.nbytes, os.SEEK_END)
        other.write((2 * w).tobytes())
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    np.testing.assert_allclose(isthmus.load(tmp_path / "m.mlirbc").run(x)[0], x @ (2 * w), rtol=1e-4, atol=1e-4)


def test_a_killed_save_leaves_no_program_with_weights_of_another(tmp_path):
    x = np.ones((1, 700), np.float32)
    for i, name in enumerate("ab", start=1):
        model = onnx_models.model(
            [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Mul", ["h", "factor"], ["y"])],
            inputs=[onnx_models.value("x", (1, 700))],
            outputs=["y"],
            initializers=[
                numpy_helper.from_array(np.eye(700, dtype=np.float32) * i, "w"),
                numpy_helper.from_array(np.float32(i), "factor"),
            ],
        )
        (tmp_path / f"{name}.onnx").write_bytes(model.SerializeToString())
    left = 0
    for delay in np.linspace(0, 0.05, 12):
        arguments = [tmp_path / "m.mlir", tmp_path / "a.onnx", tmp_path / "b.onnx"]
        with subprocess.Popen([sys.executable, "-c", KILLED, *map(str, arguments)], stdout=subprocess.PIPE) as child:
            child.stdout.readline()
            time.sleep(delay)
            child.kill()
        if (tmp_path / "m.mlir").exists():
            left += 1
            assert isthmus.load(tmp_path / "m.mlir").run(x)[0][0, 0] in (1, 4)
    assert left > 0
