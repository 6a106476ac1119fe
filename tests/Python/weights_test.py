"""Files of weights: the files that are written, and the errors for files that are wrong."""

import json
import os
import struct
import subprocess
import sys

import iree.runtime
import numpy as np
import pytest
import safetensors.numpy
from onnx import TensorProto, helper, numpy_helper

import isthmus
from isthmus.cli import main
from tests.support import onnx_models
from tests.support.weights import SCALE, TABLE, errors, read_manifest, run

pytest_plugins = ["tests.support.weights"]  # for the fixture `folder`


def edit(folder, which, **fields):
    """Changes fields of one weight in the manifest."""
    manifest = read_manifest(folder)
    next(weight for weight in manifest["weights"] if weight["name"] == which).update(fields)
    (folder / "m.weights.json").write_text(json.dumps(manifest))


def write_safetensors(folder, header, data=b""):
    (folder / "m.weights.json").unlink(missing_ok=True)
    header = header if isinstance(header, bytes) else json.dumps(header).encode()
    (folder / "m.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + data)


def test_what_is_written(folder):
    arrays = safetensors.numpy.load_file(folder / "m.safetensors")
    np.testing.assert_array_equal(arrays["scale"], SCALE)
    np.testing.assert_array_equal(arrays["table"], TABLE)
    manifest = read_manifest(folder)
    assert manifest["version"] == 1
    weights = {weight["name"]: weight for weight in manifest["weights"]}
    assert weights["table"] == {
        "name": "table",
        "type": "i64",
        "shape": [1024],
        "file": "m.safetensors",
        "offset": weights["table"]["offset"],
        "length": 8192,
        "checksum": weights["table"]["checksum"],
    }
    assert weights["table"]["offset"] % 64 == 0
    data = (folder / "m.safetensors").read_bytes()
    for name, array in [("scale", SCALE), ("table", TABLE)]:
        begin = weights[name]["offset"]
        assert data[begin : begin + array.nbytes] == array.tobytes()
    np.testing.assert_array_equal(run(folder)[1], TABLE[[5, 1023]])


def test_safetensors_alone(folder):
    """Without a manifest, a safetensors file with the program's name is read."""
    (folder / "m.weights.json").unlink()
    np.testing.assert_array_equal(run(folder)[0], SCALE)


def test_weights_can_be_exchanged(folder):
    (folder / "m.weights.json").unlink()
    safetensors.numpy.save_file({"scale": SCALE * 2, "table": TABLE}, folder / "m.safetensors")
    np.testing.assert_array_equal(run(folder)[0], SCALE * 2)


def test_changed_weight(folder):
    data = bytearray((folder / "m.safetensors").read_bytes())
    data[-1] ^= 1
    (folder / "m.safetensors").write_bytes(data)
    (error,) = errors(folder)
    assert "weight 'scale' in 'm.safetensors': expected the checksum " in error


def test_no_weights(folder):
    (folder / "m.weights.json").unlink()
    (folder / "m.safetensors").unlink()
    with pytest.raises(isthmus.UnsupportedError, match="expected the memory of extern global 'scale', got none"):
        run(folder)


def test_all_findings_at_once(folder):
    edit(folder, "scale", shape=[301])
    edit(folder, "table", file="../m.safetensors")
    first, second = errors(folder)
    assert "weight 'scale' in 'm.safetensors': expected the bytes of a tensor [301] of f32, 1204, got 1200" in first
    assert "weight 'table': expected weights at a path inside of the manifest's folder, got '../m.safe" in second


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"file": "/etc/passwd"}, "inside of the manifest's folder, got '/etc/passwd'"),
        ({"file": "link"}, "inside of the manifest's folder, got 'link', a link to"),
        ({"file": "none"}, "none', got: No such file"),
        ({"file": "."}, "expected weights in"),
        ({"type": "f31"}, "expected an element type such as f32, got 'f31'"),
        ({"shape": [-300]}, "expected the bytes of a tensor [-300] of f32, got 1200"),
        ({"shape": [2**62, 2**62]}, "expected the bytes of a tensor"),
        ({"shape": [299], "length": 1196, "checksum": None}, "expected 'tensor<300xf32>', got a tensor [299] of f32"),
        ({"type": "i32", "checksum": None}, "expected 'tensor<300xf32>', got a tensor [300] of i32"),
        ({"offset": 2**63}, "expected a file of 9223372036854775808 + 1200 bytes or more"),
        ({"offset": -1}, "expected an integer from 0 to 2^64 - 1 at weight.offset"),
        ({"offset": 128, "checksum": None}, "expected bytes of its own, got some of"),
        ({"offset": 128, "checksum": None, "file": "./m.safetensors"}, "expected bytes of its own, got some of"),
        ({"name": "table"}, "expected a name of its own, got it twice"),
        ({"name": "other"}, "expected 'tensor<300xf32>', got no weight of that name"),
        ({"checksum": "12"}, "expected 16 hexadecimal digits"),
        ({"shape": "300"}, "expected array at weight.shape"),
        ({"shape": [2.0**63]}, "expected integer at weight.shape[0]"),
    ],
)
def test_bad_entry(folder, fields, message):
    os.symlink("/etc/passwd", folder / "link")
    edit(folder, "scale", **fields)
    assert any(message in error for error in errors(folder)), errors(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "m.weights.json: [1:0, byte=0]: Unexpected EOF"),
        ("{", "m.weights.json: [1:1, byte=1]: Expected object key"),
        ("{}", "expected a manifest of version 1, got none"),
        ('{"version": 2, "weights": []}', "expected a manifest of version 1, got version 2"),
        ("[]", "m.weights.json: expected a manifest of version 1, got none"),
        ('{"version": 1}', "expected a list of weights, got none"),
        ('{"version": 1, "weights": [1]}', "weight 0: "),
        ('{"version": 1, "weights": ' + "[" * 100_000, "nested at most 500 deep"),
    ],
)
def test_bad_manifest(folder, text, message):
    (folder / "m.weights.json").write_text(text)
    (error,) = errors(folder)
    assert message in error


@pytest.mark.parametrize(
    "name, message",
    [
        ("m.weights.json", "expected a file, got something else"),
        ("m.safetensors", "weight 'scale': expected weights in a regular file, got 'm.safetensors'"),
    ],
)
def test_no_file(folder, name, message):
    """A pipe in place of a file is not read, as it might never end."""
    (folder / name).unlink()
    os.mkfifo(folder / name)
    assert {error.split(": ", 1)[1] for error in errors(folder)} == {message}


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b"{", "header: "),
        (b"[]", "header: expected a JSON object"),
        ({"scale": 1}, "tensor 'scale': "),
        ({"scale": {"dtype": "F31", "shape": [300], "data_offsets": [0, 1200]}}, "expected a dtype of safetensors"),
        ({"scale": {"dtype": "F32", "shape": [300], "data_offsets": [1200, 0]}}, "expected data_offsets [BEGIN, END]"),
        ({"scale": {"dtype": "F32", "shape": [300], "data_offsets": [0]}}, "expected data_offsets [BEGIN, END]"),
        ({"scale": {"dtype": "F32", "shape": [300], "data_offsets": [0, 2**64 - 1]}}, "expected data_offsets"),
        ({"scale": {"dtype": "F32", "shape": [300], "data_offsets": [4, 1204]}}, "bytes or more, got"),
        ({"scale": {"dtype": "F32", "shape": [3], "data_offsets": [0, 1200]}}, "tensor [3] of f32, 12, got 1200"),
    ],
)
def test_bad_safetensors(folder, header, message):
    write_safetensors(folder, header, bytes(1200))
    assert any(message in error for error in errors(folder)), errors(folder)


def test_header_larger_than_the_file(folder):
    (folder / "m.weights.json").unlink()
    (folder / "m.safetensors").write_bytes(struct.pack("<Q", 2**63) + b"{}")
    (error,) = errors(folder)
    assert "byte 0: expected a header within the file and of at most 100000000 bytes, got 9223372036854775808" in error


def test_full_disk_leaves_what_was_there(folder):
    """None of the three files is replaced unless all could be written."""
    before = contents(folder)
    script = (
        "import resource, signal, sys, isthmus\n"
        "module = isthmus.import_onnx(sys.argv[1] + '/model.onnx').lower('linalg')\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "module.save(sys.argv[1] + '/m.mlir', weights='external')\n"
    )
    done = subprocess.run([sys.executable, "-c", script, folder], capture_output=True, text=True)
    assert done.returncode == 1
    assert "m.safetensors: File too large" in done.stderr
    assert before == contents(folder)


@pytest.mark.parametrize("name", ["m.weights.json", "m.safetensors", "m.mlir"])
def test_folder_in_the_way(folder, name):
    (folder / name).unlink()
    (folder / name).mkdir()
    before = sorted(path.name for path in folder.iterdir())
    module = isthmus.import_onnx(folder / "model.onnx").lower("linalg")
    with pytest.raises(isthmus.FileError, match=f"{name}: "):
        module.save(folder / "m.mlir", weights="external")
    assert before == sorted(path.name for path in folder.iterdir())


def test_iree_archive(folder):
    """IREE's own runtime reads the archive."""
    saved = isthmus.import_onnx(folder / "model.onnx").lower("linalg").save(folder / "n.mlir", weights="iree")
    size = SCALE.nbytes + TABLE.nbytes
    assert saved == isthmus.SavedWeights(
        form=isthmus.WeightForm.IREE, manifest=None, file=str(folder / "n.irpa"), count=2, written=2, written_bytes=size
    )
    assert not (folder / "n.weights.json").exists() and not (folder / "n.safetensors").exists()
    index = iree.runtime.ParameterIndex()
    index.load(str(folder / "n.irpa"))
    entries = {entry.key: entry for _, entry in index.items()}
    assert sorted(entries) == ["scale", "table"]
    for name, array in [("scale", SCALE), ("table", TABLE)]:
        assert bytes(np.array(entries[name].file_view, copy=False)) == array.tobytes()


def test_iree_reads_text(folder):
    module = isthmus.import_onnx(folder / "model.onnx").lower("linalg")
    with pytest.raises(
        isthmus.UnsupportedError, match="as of a file called .mlir, which is what IREE reads, got bytecode"
    ):
        module.save(folder / "n.mlirbc", weights="iree")
    assert not (folder / "n.mlirbc").exists() and not (folder / "n.irpa").exists()


@pytest.mark.parametrize("form", ["inline", "resource", "iree", "none"])
@pytest.mark.parametrize("option, what", [("weights_in_place", "weights in place"), ("checksums", "checksums")])
def test_forms_without_a_manifest_say_so(folder, form, option, what):
    module = isthmus.import_onnx(folder / "model.onnx").lower("linalg")
    message = f"expected arguments or extern globals, which have a manifest, for {what}, got another form of weights"
    with pytest.raises(isthmus.UnsupportedError, match=message):
        module.save(folder / "n.mlir", weights=form, **{option: True})
    assert not (folder / "n.mlir").exists()


def test_weights_of_another_program_are_not_replaced(folder):
    """The folder of a model may have a model.safetensors that Isthmus has not written."""
    safetensors.numpy.save_file({"scale": SCALE}, folder / "model.safetensors")
    before = (folder / "model.safetensors").read_bytes()
    module = isthmus.import_onnx(folder / "model.onnx").lower("linalg")
    with pytest.raises(
        isthmus.FileError, match="model.safetensors: expected no weights but those of a program of this name"
    ):
        module.save(folder / "model.mlirbc", weights="external")
    assert (folder / "model.safetensors").read_bytes() == before and not (folder / "model.mlirbc").exists()
    module.save(folder / "m.mlir", weights="external")  # weights of an earlier save are replaced


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_weights_of_others_are_not_replaced_after_a_save_in_place(folder):
    """A safetensors file next to a manifest that does not name it is not ours."""
    safetensors.numpy.save_file({"scale": SCALE}, folder / "model.safetensors")
    module = isthmus.import_onnx(folder / "model.onnx").lower("linalg")
    (folder / "model.weights.json").write_text('{"version":1,"weights":[]}')
    before = contents(folder)
    with pytest.raises(isthmus.FileError, match="expected no weights but those of a program of this name"):
        module.save(folder / "model.mlirbc", weights="external")
    assert contents(folder) == before


def test_output_over_a_file_that_weights_stay_in(tmp_path):
    module = sparse(tmp_path, 30_000)
    before = contents(tmp_path)
    with pytest.raises(isthmus.FileError, match="expected a file of its own, got that of weight 'w'"):
        module.save(tmp_path / "weights.bin", weights="external", weights_in_place=True)
    assert contents(tmp_path) == before


def test_a_file_that_is_another_one_by_now_is_copied(tmp_path):
    """Weights cannot stay in place if another file now has the name of the file that was read."""
    module = sparse(tmp_path, 30_000)
    (tmp_path / "weights.bin").rename(tmp_path / "old.bin")
    (tmp_path / "weights.bin").write_bytes(b"x" * 120_000)
    module.save(tmp_path / "m.mlir", weights_in_place=True)
    x = np.arange(30_000, dtype=np.float32)
    np.testing.assert_array_equal(isthmus.load(tmp_path / "m.mlir").run(x)[0], x)


def test_resources_of_bytecode_stay_in_its_file(tmp_path):
    """With weights in place, the manifest refers to the file of bytecode, which is mapped when it is read."""
    sparse(tmp_path, 30_000).save(tmp_path / "r.mlirbc", weights="resource")
    loaded = isthmus.load(tmp_path / "r.mlirbc")
    loaded.save(tmp_path / "m.mlir", weights="external", weights_in_place=True)
    (weight,) = read_manifest(tmp_path)["weights"]
    assert (weight["file"], weight["length"]) == ("r.mlirbc", 120_000)
    x = np.arange(30_000, dtype=np.float32)
    np.testing.assert_array_equal(isthmus.load(tmp_path / "m.mlir").run(x)[0], x)


@pytest.mark.parametrize("name", ["m.mlir", "n.mlirbc"])
@pytest.mark.parametrize("form", ["auto", "inline", "resource", "argument", "external"])
@pytest.mark.parametrize("first", ["argument", "external"])
def test_a_loaded_program_keeps_its_weights(folder, first, form, name):
    """A loaded program can be saved again, even under its own name, where its files are replaced."""
    isthmus.import_onnx(folder / "model.onnx").lower("linalg").save(folder / "m.mlir", weights=first)
    isthmus.load(folder / "m.mlir").save(folder / name, weights=form)
    if name != "m.mlir":
        for old in ("m.mlir", "m.weights.json", "m.safetensors"):
            (folder / old).unlink()
    scaled, found = isthmus.load(folder / name).run(np.ones(300, np.float32), np.array([5, 1023]))
    np.testing.assert_array_equal(scaled, SCALE)
    np.testing.assert_array_equal(found, TABLE[[5, 1023]])


@pytest.mark.parametrize("form", ["argument", "external"])
def test_names_and_order_of_weights_stay(folder, form):
    """Names and order stay however often a program runs and is saved over its own files."""
    isthmus.import_onnx(folder / "model.onnx").lower("linalg").save(folder / "m.mlir", weights=form)
    names = [weight["name"] for weight in read_manifest(folder)["weights"]]
    loaded = isthmus.load(folder / "m.mlir")
    for _ in range(2):
        np.testing.assert_array_equal(loaded.run(np.ones(300, np.float32), np.array([5, 1023]))[0], SCALE)
        loaded.save(folder / "m.mlir", weights=form)
        assert [weight["name"] for weight in read_manifest(folder)["weights"]] == names
    np.testing.assert_array_equal(run(folder)[0], SCALE)


def test_bytecode_in_memory_keeps_what_it_needs(folder):
    isthmus.import_onnx(folder / "model.onnx").lower("linalg").save(folder / "r.mlirbc", weights="resource")
    module = isthmus.parse(bytes(bytearray((folder / "r.mlirbc").read_bytes())))
    garbage = [bytes(10_000) for _ in range(1000)]  # would overwrite the file's bytes if they were freed
    np.testing.assert_array_equal(module.run(np.ones(300, np.float32), np.array([5, 1023]))[0], SCALE)
    del garbage


def test_a_program_without_its_weights_is_not_saved_as_one_with_them(folder):
    (folder / "m.weights.json").unlink()
    (folder / "m.safetensors").unlink()
    before = contents(folder)
    with pytest.raises(isthmus.BadModelError, match="expected a program with its weights"):
        isthmus.load(folder / "m.mlir").save(folder / "n.mlir", weights="external")
    assert contents(folder) == before


def test_complex_weights(tmp_path):
    array = (np.arange(300) + 1j * np.arange(300)[::-1]).astype(np.complex64)
    text = """func.func @main() -> tensor<300xcomplex<f32>> {
  %0 = arith.constant dense_resource<w> : tensor<300xcomplex<f32>>
  return %0 : tensor<300xcomplex<f32>>
}
{-# dialect_resources: { builtin: { w: "0x08000000DATA" } } #-}"""
    isthmus.parse(text.replace("DATA", array.tobytes().hex())).save(tmp_path / "m.mlir", weights="external")
    np.testing.assert_array_equal(isthmus.load(tmp_path / "m.mlir").run()[0], array)


def test_resource_shorter_than_its_type():
    """MLIR's verifiers do not check the size of a resource."""
    text = """func.func @main() -> tensor<64x64xf32> {
  %0 = "tosa.const"() <{values = dense_resource<w> : tensor<64x64xf32>}> : () -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
{-# dialect_resources: { builtin: { w: "0x0400000000000000" } } #-}"""
    with pytest.raises(isthmus.BadModelError, match="resource 'w': expected the bytes of a tensor<64x64xf32>, got 4"):
        isthmus.parse(text)


@pytest.mark.parametrize("length", [123, 31520])
def test_safetensors_that_begins_like_json(folder, length):
    """The file begins with the length of its header. As text, 123 is "{" and 31520 is " {"."""
    data = {"scale": SCALE, "table": TABLE}
    header = {"scale": {"dtype": "F32", "shape": [300], "data_offsets": [0, 1200]}}
    if length == 31520:
        header["table"] = {"dtype": "I64", "shape": [1024], "data_offsets": [1200, 9392]}
    text = json.dumps(header, separators=(",", ":")).ljust(length).encode()
    assert len(text) == length
    write_safetensors(folder, {}, b"")
    (folder / "m.safetensors").write_bytes(
        struct.pack("<Q", length) + text + b"".join(data[name].tobytes() for name in header)
    )
    if length == 31520:
        np.testing.assert_array_equal(run(folder)[0], SCALE)
    else:
        (error,) = errors(folder)
        assert "weight 'table': expected 'tensor<1024xi64>', got no weight of that name" in error


def test_names_of_folders_and_modes_of_files(folder):
    odd = folder / "100%%%%"
    odd.mkdir()
    module = isthmus.import_onnx(folder / "model.onnx").lower("linalg")
    module.save(odd / "m.mlir", weights="external")
    assert sorted(path.name for path in odd.iterdir()) == ["m.mlir", "m.safetensors", "m.weights.json"]
    (odd / "m.safetensors").chmod(0o600)
    module.save(odd / "m.mlir", weights="external")
    assert (odd / "m.safetensors").stat().st_mode & 0o777 == 0o600


def test_standard_output_has_the_form_that_is_asked_for(folder, capfd):
    arguments = ["compile", str(folder / "model.onnx"), "--target", "linalg"]
    assert main([*arguments, "--weights", "inline"]) == 0
    text = capfd.readouterr().out
    assert "dense_resource" not in text
    np.testing.assert_array_equal(isthmus.parse(text).run(np.ones(300, np.float32), np.array([5, 1023]))[0], SCALE)
    assert main(arguments) == 0
    assert "dense_resource" in capfd.readouterr().out
    assert main([*arguments, "--weights-in-place", "--emit", "bytecode"]) == 1
    assert capfd.readouterr().err.splitlines() == [
        "isthmus: --emit bytecode: expected -o FILE to write it to, got none",
        "isthmus: --weights-in-place: expected -o FILE to write a manifest beside, got none",
    ]


def test_beside_what_is_no_file_there_are_no_weights(large, tmp_path, capfdbinary):
    """Without an output file, weights stay in the program, even for XLA, whose large weights become parameters else."""
    target = "stablehlo" if "stablehlo" in isthmus.output_types() else "linalg"
    arguments = ["compile", str(tmp_path / "large.onnx"), "--target", target]
    assert main(arguments) == 0
    text = capfdbinary.readouterr().out
    assert text.startswith(b"module") and len(text) > 80_000_000
    assert main([*arguments, "-o", "-"]) == 0
    assert capfdbinary.readouterr().out == text
    assert main([*arguments, "-o", "-", "--emit", "bytecode"]) == 0
    assert capfdbinary.readouterr().out.startswith(b"ML\xefR")
    assert main([*arguments, "-o", "-", "--weights-in-place"]) == 1
    assert capfdbinary.readouterr().err == (
        b"isthmus: standard output: expected a file to put weights beside, got something else\n"
    )
    form = isthmus.import_onnx(tmp_path / "large.onnx").lower(target).save(os.devnull).form
    assert form == ("resource" if target == "linalg" else "inline")


def anonymous_bytes():
    """The size of this process's memory that is not mapped from files."""
    with open("/proc/self/smaps_rollup") as file:
        return 1024 * int(next(line for line in file if line.startswith("Anonymous:")).split()[1])


def test_programs_share_weights(tmp_path):
    """Weights of one file are mapped and packed for the machine once, however many programs use them."""
    weight = np.random.default_rng(0).standard_normal((2048, 2048), dtype=np.float32)

    def save(weight):
        model = onnx_models.model(
            [helper.make_node("MatMul", ["x", "w"], ["y"])],
            inputs=[onnx_models.value("x", (64, 2048))],
            initializers=[numpy_helper.from_array(weight, "w")],
        )
        (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
        isthmus.import_onnx(tmp_path / "model.onnx").lower("linalg").save(tmp_path / "m.mlirbc", weights="external")

    def check(program, weight):
        x = np.ones((64, 2048), np.float32)
        np.testing.assert_allclose(program.run(x)[0], x @ weight, rtol=1e-3, atol=1e-3)

    save(weight)
    before, programs = anonymous_bytes(), []
    for _ in range(4):
        programs.append(isthmus.load(tmp_path / "m.mlirbc"))
        check(programs[-1], weight)
    assert anonymous_bytes() - before < 2 * weight.nbytes
    save(weight * 2)
    check(isthmus.load(tmp_path / "m.mlirbc"), weight * 2)
    check(programs[0], weight)


@pytest.fixture
def large(tmp_path):
    """A module with 40 MB of weights."""
    weight = np.random.default_rng(0).standard_normal((10, 1_000_000), dtype=np.float32)
    model = onnx_models.model(
        [helper.make_node("Add", ["x", "w"], ["y"])],
        inputs=[onnx_models.value("x", weight.shape)],
        initializers=[numpy_helper.from_array(weight, "w")],
    )
    (tmp_path / "large.onnx").write_bytes(model.SerializeToString())
    return isthmus.import_onnx(tmp_path / "large.onnx").lower("linalg")


@pytest.mark.parametrize(
    "target, name, small, big",
    [
        ("linalg", "m.mlirbc", "resource", "resource"),
        ("tosa", "m.mlir", "resource", "resource"),
        ("mhlo", "m.mlir", "inline", "argument"),
        ("stablehlo", "m.mlirbc", "inline", "argument"),
        ("torch", "m.mlir", "resource", "resource"),
    ],
)
def test_default_form(folder, large, target, name, small, big):
    """The default form depends on target and size. XLA reads no resources, so large weights become arguments there."""
    if target not in isthmus.output_types():
        pytest.skip(f"this build has no {target}")
    model = isthmus.import_onnx(folder / "model.onnx")
    assert model.lower(target).save(folder / f"small_{name}").form == small
    assert isthmus.import_onnx(folder / "large.onnx").lower(target).save(folder / f"big_{name}").form == big
    assert (folder / "big_m.safetensors").exists() == (big == "argument")


def sparse(folder, rows):
    """A module whose weights are in a sparse file, which takes no space on disk."""
    (folder / "weights.bin").write_bytes(np.float32(-0.0).tobytes())  # differs from the +0.0 in the rest of the file
    os.truncate(folder / "weights.bin", 4 * rows)
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[rows], data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="weights.bin")
    model = onnx_models.model(
        [helper.make_node("Add", ["x", "w"], ["y"])], inputs=[onnx_models.value("x", (rows,))], initializers=[tensor]
    )
    (folder / "sparse.onnx").write_bytes(model.SerializeToString())
    return isthmus.import_onnx(folder / "sparse.onnx").lower("linalg")


class Stop(Exception):
    pass


def test_default_form_of_much_text(tmp_path):
    """More than a gigabyte of weights is not written as text, but as a file of weights of known size."""

    def stop(done, total):
        assert total == 4 * (2**28 + 1)
        raise Stop

    with pytest.raises(Stop):
        sparse(tmp_path, 2**28 + 1).save(tmp_path / "m.mlir", progress=stop)


def test_in_place_beside_external_data(tmp_path):
    """If weights are to stay in place, the form is external: a manifest refers to the model's external data."""
    module = sparse(tmp_path, 30_000)
    manifest = str(tmp_path / "m.weights.json")
    assert module.save(tmp_path / "m.mlirbc", weights_in_place=True) == isthmus.SavedWeights(
        form=isthmus.WeightForm.EXTERNAL, manifest=manifest, file=None, count=1, written=0, written_bytes=0
    )
    (weight,) = read_manifest(tmp_path)["weights"]
    assert (weight["file"], weight["offset"], weight["length"]) == ("weights.bin", 0, 120_000)
    assert not (tmp_path / "m.safetensors").exists()
    x = np.arange(30_000, dtype=np.float32)
    np.testing.assert_array_equal(isthmus.load(tmp_path / "m.mlirbc").run(x)[0], x)
    os.truncate(tmp_path / "weights.bin", 119_999)
    with pytest.raises(isthmus.BadModelError, match=r"expected a file of 0 \+ 120000 bytes or more, got 119999"):
        isthmus.load(tmp_path / "m.mlirbc").run(x)


def test_command_line_says_where_weights_are(large, tmp_path, capfd):
    arguments = ["compile", str(tmp_path / "large.onnx"), "-o", str(tmp_path / "m.mlirbc"), "--target"]
    if "stablehlo" in isthmus.output_types():
        assert main([*arguments, "stablehlo"]) == 0
        said = (
            f"isthmus: weights are last parameters (--weights argument), and lie where {tmp_path}/m.weights.json says\n"
        )
        assert capfd.readouterr().err == said
    assert main([*arguments, "linalg"]) == 0
    assert capfd.readouterr().err == ""


def test_command_line_says_what_could_not_stay_in_place(tmp_path, capfd):
    """Weights stay in place only if their file is in the program's folder."""
    (tmp_path / "in").mkdir()
    sparse(tmp_path, 30_000)
    model, m = str(tmp_path / "sparse.onnx"), str(tmp_path / "in" / "m.mlirbc")
    arguments = ["--target", "torch", "--weights", "external", "--weights-in-place", "-o"]
    said = f"isthmus: 1 of 1 weights (120,000 bytes) could not stay in place, and are in {tmp_path}/in/m.safetensors\n"
    assert main(["compile", model, *arguments, str(tmp_path / "m.mlirbc")]) == 0
    assert capfd.readouterr().err == ""
    assert main(["compile", model, *arguments, m]) == 0
    assert capfd.readouterr().err == said
    # Now the weights are in m.safetensors, and they stay there.
    assert main(["compile", m, *arguments, m]) == 0
    assert capfd.readouterr().err == ""


def test_progress(large, tmp_path):
    seen = []
    large.save(tmp_path / "m.mlir", weights="external", progress=lambda *args: seen.append(args))
    assert len(seen) == 2
    assert all(16 << 20 <= done <= total == 40_000_000 for done, total in seen)
    seen.clear()
    large.save(tmp_path / "m.mlirbc", progress=lambda *args: seen.append(args))
    assert seen and all(total == 0 for _, total in seen)


def test_progress_that_raises_leaves_what_was_there(large, tmp_path):
    def stop(done, total):
        raise KeyboardInterrupt

    before = sorted(tmp_path.iterdir())
    with pytest.raises(KeyboardInterrupt):
        large.save(tmp_path / "m.mlir", weights="external", progress=stop)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", ["n.mlir", "n.mlirbc"])
def test_without_weights(large, tmp_path, name):
    """Without weights, the program still has its graph and can be lowered, but it does not run."""
    large.save(tmp_path / name, weights="none")
    assert (tmp_path / name).stat().st_size < 10_000
    loaded = isthmus.load(tmp_path / name)
    assert loaded.count_ops() == large.count_ops()
    with pytest.raises(isthmus.UnsupportedError, match="got a resource that is absent or smaller"):
        loaded.run(np.zeros((10, 1_000_000), np.float32))


def test_torch_weights(folder):
    """Literals of the torch dialect become loads of globals of builtin types, and literals again when it is read."""
    isthmus.import_onnx(folder / "model.onnx").lower("torch").save(folder / "m.mlir", weights="external")
    text = (folder / "m.mlir").read_text()
    assert "ml_program.global private @scale" in text and "torch_c.from_builtin_tensor" in text
    assert "torch.vtensor.literal(dense_resource" not in text
    np.testing.assert_array_equal(
        isthmus.load(folder / "m.mlir").lower("linalg").run(np.ones(300, np.float32), np.array([5, 1023]))[1],
        TABLE[[5, 1023]],
    )


def test_text_takes_the_memory_of_a_block(tmp_path):
    """Writing a text file or making text does not hold the hex of a whole weight in memory as well."""
    rows = 40_000_000
    sparse(tmp_path, rows)
    np.arange(rows, dtype=np.float32).tofile(tmp_path / "weights.bin")
    script = (
        "import resource, sys, isthmus\n"
        "module = isthmus.import_onnx(sys.argv[1] + '/sparse.onnx').lower('linalg')\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "module.save(sys.argv[1] + '/m.mlir')\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, tmp_path], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 10_000, "expected KiB of a block, not 320 MB of hex"
    with (tmp_path / "m.mlir").open() as file:
        blob = next(line for line in file if line.strip().startswith("w: "))
    assert len(blob) > 2 * 4 * rows and blob.rstrip().endswith(np.float32(rows - 1).tobytes().hex().upper() + '"')
    (tmp_path / "m.mlir").unlink()
    (tmp_path / "weights.bin").unlink()


def test_equal_weights_are_one(tmp_path):
    """Equal weights are stored once, whatever their names. A weight that differs in one element is stored as well."""
    weight = np.random.default_rng(0).standard_normal(100_000, dtype=np.float32)
    other = weight.copy()
    other[50_001] += 1
    arrays = {"embedding": weight, "head": weight, "other": other}
    model = onnx_models.model(
        [helper.make_node("Sum", ["x", *arrays], ["y"])],
        inputs=[onnx_models.value("x", weight.shape)],
        initializers=[numpy_helper.from_array(array, name) for name, array in arrays.items()],
    )
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    isthmus.import_onnx(tmp_path / "model.onnx").lower("linalg").save(tmp_path / "m.mlir", weights="external")
    assert sorted(weight["name"] for weight in read_manifest(tmp_path)["weights"]) == ["embedding", "other"]
    x = np.zeros_like(weight)
    np.testing.assert_array_equal(isthmus.load(tmp_path / "m.mlir").run(x)[0], x + weight + weight + other)


@pytest.mark.parametrize("target", ["linalg", "tosa", "mhlo", "stablehlo"])
def test_unsigned_bytes_stay_bytes(tmp_path, target):
    """TOSA has no unsigned integers and computes with them in 32 bits, but weights are still stored as bytes."""
    weight = np.random.default_rng(0).integers(0, 256, (64, 64), np.uint8)
    model = onnx_models.model(
        [
            helper.make_node("DequantizeLinear", ["w", "step", "zero"], ["matrix"]),
            helper.make_node("MatMul", ["x", "matrix"], ["y"]),
        ],
        inputs=[onnx_models.value("x", (2, 64))],
        initializers=[
            numpy_helper.from_array(weight, "w"),
            numpy_helper.from_array(np.float32(0.5), "step"),
            numpy_helper.from_array(np.uint8(128), "zero"),
        ],
    )
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    lowered = isthmus.import_onnx(tmp_path / "model.onnx").lower(target)
    lowered.save(tmp_path / "m.mlir", weights="external")
    (entry,) = read_manifest(tmp_path)["weights"]
    assert entry["length"] == weight.size
    assert (tmp_path / "m.safetensors").read_bytes()[entry["offset"] :] == weight.tobytes()
    if target in ("mhlo", "stablehlo"):
        (array,) = lowered.hoist_weights(min_bytes=1024)
        np.testing.assert_array_equal(array, weight, strict=True)
    else:
        x = np.arange(128, dtype=np.float32).reshape(2, 64)
        np.testing.assert_array_equal(
            isthmus.load(tmp_path / "m.mlir").run(x)[0], x @ ((weight.astype(np.float32) - 128) / 2)
        )
