"""Programs compute the same wherever their weights are: in the JIT, in XLA (with weights as arguments), and in IREE."""

import functools
import json
import pathlib
import shutil
import tempfile

import iree.compiler
import iree.runtime
import numpy as np
import onnx
import pytest
import safetensors.numpy
from onnx import TensorProto

import isthmus
from tests.support import quantized, xla
from tests.support.models import Model

ZOO = [path.stem for path in sorted(pathlib.Path("tools/zoo").glob("*.onnx"))]
# ResNets are left out: all filters of the small one are smaller than a kilobyte, and the default one is slow.
QUANTIZED = [f"{name} of int{bits}" for name in ZOO if not name.startswith("resnet") for bits in (8, 4)]
FORMS = ["inline", "resource", "argument", "external"]


@pytest.fixture
def tmp_path():
    """A folder that is removed after each test, since all tests together write gigabytes."""
    with tempfile.TemporaryDirectory() as folder:
        yield pathlib.Path(folder)


@pytest.fixture(scope="module", params=[*ZOO, *QUANTIZED, "integers"])
def model(request, tmp_path_factory):
    """Models of the zoo as they are and with quantized weights, and a model that computes in integers."""
    if request.param in ZOO:
        return Model(f"tools/zoo/{request.param}.onnx")
    path = tmp_path_factory.mktemp("quantized") / f"{request.param.replace(' ', '_')}.onnx"
    if request.param == "integers":
        proto, x = quantized.integer_network()
        onnx.save(proto, path)
        return Model(path, [x])
    name, _, dtype = request.param.partition(" of int")
    proto = onnx.load(f"tools/zoo/{name}.onnx")
    size = quantized.quantize_weights(proto, int(dtype))
    onnx.save(proto, path)
    model = Model(path, list(np.load(f"tools/zoo/{name}.npz").values()))
    model.quantized_bytes = size
    return model


@functools.lru_cache(maxsize=1)
def lowered_and_run(model, target):
    """Lowers a model to a target and runs it; returns the lowered module and the results."""
    lowered = model.imported.lower(target)
    return lowered, lowered.run(*model.inputs, optimize=False)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("target", ["linalg", "tosa"])
def test_jit(model, target, form, tmp_path):
    lowered, expected = lowered_and_run(model, target)
    has_manifest = form in ("argument", "external")
    lowered.save(tmp_path / "m.mlirbc", weights=form, checksums=has_manifest)
    assert (tmp_path / "m.safetensors").exists() == has_manifest
    loaded = isthmus.load(tmp_path / "m.mlirbc")
    assert loaded.input_names(optimize=False) == lowered.input_names(optimize=False)
    for got, want in zip(loaded.run(*model.inputs, optimize=False), expected, strict=True):
        np.testing.assert_array_equal(got, want)


def test_weights_in_place(model, tmp_path):
    """The manifest refers to the model's own file, which is read in place."""
    (tmp_path / "models").mkdir()
    path = shutil.copy(model.path, tmp_path / "models")
    lowered = isthmus.import_onnx(path).lower("linalg")
    _, expected = lowered_and_run(model, "linalg")
    lowered.save(tmp_path / "m.mlir", weights="external", weights_in_place=True)
    manifest = json.loads((tmp_path / "m.weights.json").read_text())
    files = [weight["file"] for weight in manifest["weights"]]
    assert f"models/{model.path.name}" in files
    assert ("m.safetensors" in files) == (tmp_path / "m.safetensors").exists()  # weights that lowering made
    for got, want in zip(isthmus.load(tmp_path / "m.mlir").run(*model.inputs, optimize=False), expected, strict=True):
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("target", ["mhlo", "stablehlo"])
def test_xla(model, target, tmp_path):
    """XLA takes weights as arguments in the manifest's order. safetensors' own library reads them from the file."""
    model.imported.lower(target).save(tmp_path / "m.mlir", weights="argument")
    arrays = safetensors.numpy.load_file(tmp_path / "m.safetensors")
    manifest = json.loads((tmp_path / "m.weights.json").read_text())["weights"]
    assert sorted(arrays) == sorted(weight["name"] for weight in manifest)
    weights = [arrays[weight["name"]] for weight in manifest]
    run = xla.run_mhlo if target == "mhlo" else xla.run_stablehlo
    model.check(run((tmp_path / "m.mlir").read_text(), *model.inputs, *weights))


def test_iree(model, tmp_path):
    model.imported.lower("linalg").save(tmp_path / "m.mlir", weights="iree")
    assert not (tmp_path / "m.weights.json").exists()
    program = iree.compiler.compile_file(
        str(tmp_path / "m.mlir"),
        target_backends=["llvm-cpu"],
        input_type="auto",
        extra_args=["--iree-llvmcpu-target-cpu=host"],
    )
    config = iree.runtime.Config("local-sync")
    index = iree.runtime.ParameterIndex()
    index.load(str(tmp_path / "m.irpa"))
    parameters = iree.runtime.create_io_parameters_module(config.vm_instance, index.create_provider(scope="model"))
    context = iree.runtime.SystemContext(config=config)
    context.add_vm_modules([parameters, iree.runtime.VmModule.copy_buffer(context.instance, program)])
    result = context.modules.module.main(*model.inputs)
    model.check([np.asarray(each) for each in (result if isinstance(result, tuple | list) else [result])])


def test_quantized_weights_stay_as_they_are(model, tmp_path):
    """No target widens quantized weights: the file of weights has as many bytes as the model."""
    size = getattr(model, "quantized_bytes", None)
    if size is None:
        pytest.skip("not of quantized weights")
    # MHLO and StableHLO also store masks as bytes, and these are no quantized weights.
    masks = {tensor.name for tensor in onnx.load(model.path).graph.initializer if tensor.data_type == TensorProto.BOOL}
    for target in isthmus.output_types():
        if target == "torch":
            continue
        model.imported.lower(target).save(tmp_path / "m.mlirbc", weights="external")
        manifest = json.loads((tmp_path / "m.weights.json").read_text())["weights"]
        bytes_of = {weight["name"]: weight["length"] for weight in manifest if weight["type"] == "i8"}
        assert sum(length for name, length in bytes_of.items() if name not in masks) == size, target
        assert sum(weight["length"] for weight in manifest) < model.path.stat().st_size, target
