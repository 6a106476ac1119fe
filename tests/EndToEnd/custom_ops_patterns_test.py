"""Patterns find layers that exporters have written as elementary ops. They run by their bodies, or by kernels."""

import functools
import math
import pathlib

import numpy as np
import pytest
import torch

import isthmus
from tests.support.models import Model
from tests.support.targets import TARGETS, lowered_runner

PATTERNS = "examples/patterns/transformer.mlir"
ZOO = pathlib.Path("tools/zoo")
FOUND = {
    "bert": {"com.acme.Attention": 2},
    "bert_dynamic": {"com.acme.Attention": 2},
    "gpt2": {"com.acme.Attention": 2, "com.acme.GeluTanh": 2},
    "llama": {"com.acme.Attention": 2, "com.acme.RmsNorm": 5},
}


@functools.cache
def model_of(name):
    return Model(ZOO / f"{name}.onnx")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", FOUND)
def test_bodies(name, target):
    model = model_of(name)
    if name.endswith("_dynamic") and target != "linalg":
        sizes = {parameter.name: array.shape for parameter, array in zip(model.parameters, model.inputs)}
    else:
        sizes = None
    module = model.imported.lower(target, outline_patterns=PATTERNS, specialize=sizes)
    assert module.custom_ops() == FOUND[name]
    model.check(lowered_runner(module, target)(*model.inputs))


def attention(q, k, v, mask, sqrt_scale):
    scores = (q * np.float32(sqrt_scale)) @ (k * np.float32(sqrt_scale)) + mask
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v


def gelu_tanh(x):
    return x / 2 * (1 + np.tanh(np.float32(math.sqrt(2 / math.pi)) * (x + np.float32(0.044715) * x**3)))


def rms_norm(x, weight, dims, eps, dtype=None):
    return weight * x / np.sqrt((x**2).mean(tuple(dims), keepdims=True) + np.float32(eps))


def gelu(x):
    return x / 2 * (1 + np.vectorize(math.erf)(x * math.sqrt(0.5)))


KERNELS = {
    "com.acme.Attention": attention,
    "com.acme.Gelu": gelu,
    "com.acme.GeluTanh": gelu_tanh,
    "com.acme.RmsNorm": rms_norm,
}


@pytest.fixture
def calls(monkeypatch):
    """Registers the kernels; returns a list that collects the names of those that are called."""
    from isthmus import kernels

    monkeypatch.setattr(kernels, "_registered", {})
    called = []

    def counted(name):
        def kernel(*arguments):
            called.append(name)
            return KERNELS[name](*arguments)

        return kernel

    for name in KERNELS:
        isthmus.register_kernel(name, counted(name))
    return called


@pytest.mark.parametrize("target", ["linalg", "tosa"])
@pytest.mark.parametrize("name", ["bert", "gpt2", "llama"])
def test_kernels(name, target, calls):
    model = model_of(name)
    module = model.imported.lower(target, outline_patterns=PATTERNS)
    model.check(module.run(*model.inputs))
    assert {called: calls.count(called) for called in calls} == FOUND[name]


class Norm(torch.nn.Module):
    """An RMS norm as models of transformers compute it, and a GELU."""

    def forward(self, x, weight):
        normed = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
        hidden = weight * normed.to(torch.float32)
        return hidden * 0.5 * (1.0 + torch.erf(hidden * math.sqrt(0.5)))


def test_programs_of_pytorch(calls):
    torch.manual_seed(0)
    inputs = (torch.randn(2, 3, 4), torch.randn(4))
    module = isthmus.compile(Norm(), inputs, outline_patterns=[PATTERNS])
    assert module.custom_ops() == {"com.acme.Gelu": 1, "com.acme.RmsNorm": 1}
    np.testing.assert_allclose(module.run(*inputs)[0], Norm()(*inputs).numpy(), rtol=1e-5, atol=1e-6)
    assert calls == ["com.acme.RmsNorm", "com.acme.Gelu"]


X = "%x: !torch.vtensor"
RELU = "%0 = torch.aten.relu %x : !torch.vtensor -> !torch.vtensor"


@pytest.mark.parametrize(
    "text, message",
    [
        (f"func.func @Relu({X}) -> !torch.vtensor {{ {RELU} return %0 : !torch.vtensor }}", "such as 'com.acme.Relu'"),
        (f"func.func private @a.Relu({X}) -> !torch.vtensor", "pattern 'a.Relu': expected a body that gives results"),
        (f"func.func @a.Relu({X}) {{ {RELU} return }}", "expected a body that gives results"),
        (f"func.func @a.Same({X}) -> !torch.vtensor {{ return %x : !torch.vtensor }}", "results that its ops compute"),
        (
            f"func.func @a.Relu({X}, %y: !torch.int) -> !torch.vtensor {{ {RELU} return %0 : !torch.vtensor }}",
            "expected its first result to depend on every argument, got argument 1 that it does not",
        ),
        (
            f'func.func @a.Relu({X}) -> !torch.vtensor {{ {RELU} torch.operator "a.log"(%x) : (!torch.vtensor) -> () '
            "return %0 : !torch.vtensor }",
            "expected its first result to depend on every op",
        ),
        (
            "func.func @a.Add(%x: tensor<f32>) -> tensor<f32> { %0 = arith.addf %x, %x : tensor<f32> "
            "return %0 : tensor<f32> }",
            "expected ops of the torch dialect without regions",
        ),
        ("", "expected a function, got none"),
        ("func.func @a.Relu(", "patterns.mlir"),
        (None, "could not open input file"),
    ],
)
def test_mistakes(text, message, tmp_path):
    path = tmp_path / "patterns.mlir"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(isthmus.UnsupportedError, match="(?s)" + message):
        model_of("bert").imported.lower("linalg", outline_patterns=path)
