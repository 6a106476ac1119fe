"""Other tools accept programs with custom ops: XLA and IREE run them, tosa-tools serialises them."""

import ctypes
import os
import pathlib
import subprocess

import iree.compiler
import iree.runtime
import jax
import numpy as np
import pytest
import torch

import isthmus
from tests.support import kernels, tosa
from tests.support.isthmus_opt import isthmus_opt
from tests.support.targets import TARGETS, lowered_runner
from tests.support.torch_models import Bert

SOURCES = [pathlib.Path("examples/xla_kernel/layer_norm.cpp"), pathlib.Path("tests/EndToEnd/xla_kernels.cpp")]
HANDLERS = {
    "torch.aten.layer_norm": "layer_norm",
    "torch.aten.gelu": "gelu",
    "torch.aten.scaled_dot_product_attention": "attention",
}
CUSTOM_OPS = [name.removeprefix("torch.") for name in HANDLERS]


@pytest.fixture(scope="module", autouse=True)
def handlers(tmp_path_factory):
    """Registers a kernel of each op with XLA and with the embedded runtime."""
    path = tmp_path_factory.mktemp("xla") / "kernels.so"
    command = ["clang++-22", "-std=c++17", "-shared", "-fPIC", "-O1", *SOURCES, "-o", path]
    subprocess.run([*command, "-isystem", jax.ffi.include_dir()], check=True)
    library = ctypes.CDLL(str(path))
    for name, symbol in HANDLERS.items():
        jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(getattr(library, symbol)), "cpu")
    kernels.register_pytorch(CUSTOM_OPS)


@pytest.fixture(scope="module")
def layer():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(6, 4), torch.nn.LayerNorm(4))
    torch.nn.init.normal_(model[1].weight)
    return model, torch.randn(3, 6)


@pytest.mark.parametrize("target", ["mhlo", "stablehlo"])
def test_xla_runs_a_handler_of_its_typed_ffi(layer, target):
    model, x = layer
    module = isthmus.compile(model, (x,), target, custom_ops=["aten.layer_norm"])
    assert module.custom_ops() == {"torch.aten.layer_norm": 1}
    (result,) = lowered_runner(module, target)(x.numpy())
    np.testing.assert_allclose(result, model(x).detach().numpy(), rtol=1e-5, atol=1e-6)


class IreeKernels:
    """A module of IREE with kernels: @torch.aten.layer_norm is the function `aten.layer_norm` of the module `torch`."""

    device = iree.runtime.get_device("local-sync")

    def __init__(self, interface):
        pass

    def layer_norm(self, *views):
        views = [view.deref(iree.runtime.HalBufferView) for view in views]
        arrays = [iree.runtime.DeviceArray(self.device, view, implicit_host_transfer=True).to_host() for view in views]
        x, weight, bias = map(torch.tensor, arrays)
        result = torch.layer_norm(x, [4], weight, bias)
        return iree.runtime.asdevicearray(self.device, result.numpy())._buffer_view.ref


def test_iree_calls_a_function_of_another_module(layer):
    model, x = layer
    module = isthmus.compile(model, (x,), "linalg", custom_ops=["aten.layer_norm"])
    flags = ["--iree-llvmcpu-target-cpu=host"]
    program = iree.compiler.compile_str(module.text(), target_backends=["llvm-cpu"], extra_args=flags)
    config = iree.runtime.Config(device=IreeKernels.device)
    kernels = iree.runtime.PyModuleInterface("torch", IreeKernels)
    kernels.export("aten.layer_norm", "0rrr_r", IreeKernels.layer_norm)
    compiled = iree.runtime.VmModule.copy_buffer(config.vm_instance, program)
    modules = [*config.default_vm_modules, kernels.create(), compiled]
    context = iree.runtime.VmContext(config.vm_instance, modules)
    run = iree.runtime.FunctionInvoker(context, config.device, compiled.lookup_function("main"))
    result = np.asarray(run(x.numpy()))
    np.testing.assert_allclose(result, model(x).detach().numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("ops", [["aten.layer_norm"], "all"], ids=["one", "all"])
def test_tosa_tools_validate_and_serialise(layer, tmp_path, ops):
    model, x = layer
    text = isthmus.compile(model, (x,), "tosa", custom_ops=ops).text()
    isthmus_opt(text, *tosa.VALIDATE)
    source, flatbuffer = tmp_path / "model.mlir", tmp_path / "model.tosa"
    source.write_text(text, encoding="utf-8")
    program = pathlib.Path(os.environ["TOSA_PYTHON"]).parent / "tosa-opt"
    subprocess.run([program, "--tosa-serialize", f"--tosa-flatbuffer-filename={flatbuffer}", source], check=True)
    data = flatbuffer.read_bytes()
    assert b"torch.aten.layer_norm" in data and b"normalized_shape" in data


@pytest.fixture(scope="module")
def bert():
    torch.manual_seed(0)
    tokens = torch.randint(0, 100, (2, 8))
    mask = torch.ones(2, 8, dtype=torch.int64)
    mask[1, 5:] = 0
    model = Bert()
    program = torch.export.export(model, (tokens, mask))
    return program, [tokens.numpy(), mask.numpy()], model(tokens, mask).detach().numpy()


@pytest.mark.parametrize("target", TARGETS)
def test_bert_with_norms_activations_and_attention_kept(bert, target):
    program, inputs, expected = bert
    module = isthmus.compile(program, output_type=target, custom_ops=CUSTOM_OPS)
    assert module.custom_ops() == {
        "torch.aten.gelu": 2,
        "torch.aten.layer_norm": 5,
        "torch.aten.scaled_dot_product_attention": 2,
    }
    (result,) = lowered_runner(module, target)(*inputs)
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)
