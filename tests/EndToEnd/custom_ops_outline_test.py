"""PyTorch modules become custom ops with a body. They run by their bodies, or by kernels."""

import json

import numpy as np
import pytest
import torch

import isthmus
from tests.support.targets import TARGETS, lowered_runner
from tests.support.torch_models import Bert


class Norms(torch.nn.Module):
    """Calls one module twice, and one with another eps."""

    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(4)
        self.last = torch.nn.LayerNorm(4, eps=0.1)
        torch.nn.init.normal_(self.norm.weight)
        torch.nn.init.normal_(self.last.bias)

    def forward(self, x):
        return self.last(self.norm(torch.relu(self.norm(x))))


@pytest.fixture(scope="module")
def norms():
    torch.manual_seed(0)
    return Norms(), (torch.randn(2, 4),)


@pytest.fixture(scope="module")
def bert():
    torch.manual_seed(0)
    mask = torch.ones(2, 8, dtype=torch.int64)
    mask[1, 5:] = 0
    return Bert(), (torch.randint(0, 100, (2, 8)), mask)


def check(model, inputs, results):
    with torch.no_grad():
        np.testing.assert_allclose(results[0], model(*inputs).numpy(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("target", TARGETS)
def test_bodies(norms, target, strict, tmp_path):
    model, inputs = norms
    torch.export.save(torch.export.export(model, inputs, strict=strict), tmp_path / "norms.pt2")
    module = isthmus.compile(tmp_path / "norms.pt2", output_type=target, outline="LayerNorm")
    assert module.custom_ops() == {"torch.nn.modules.normalization.LayerNorm": 3}
    check(model, inputs, lowered_runner(module, target)(*(tensor.numpy() for tensor in inputs)))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("classes", [["BertSelfAttention", "BertIntermediate"], ["BertLayer"]], ids="+".join)
def test_bodies_of_bert(bert, classes, target):
    model, inputs = bert
    module = isthmus.compile(model, inputs, target, outline=classes)
    names = [f"transformers.models.bert.modeling_bert.{name}" for name in classes]
    assert module.custom_ops() == dict.fromkeys(names, 2)
    # Layers share one body, whose arguments are the weights of a layer.
    assert module.text().count("func.func private @transformers") == len(names)
    check(model, inputs, lowered_runner(module, target)(*(tensor.numpy() for tensor in inputs)))


def test_open_sizes(norms):
    model, inputs = norms
    program = torch.export.export(model, inputs, dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
    module = isthmus.compile(program, outline="LayerNorm")
    for size in [2, 5]:
        inputs = (torch.randn(size, 4),)
        check(model, inputs, module.run(*inputs))


def layer_norm(calls):
    def kernel(x, weight, bias, **constants):
        eps = constants["layer_norm.eps"]
        calls.append(eps)
        centred = x - x.mean(-1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + np.float32(eps)) * weight + bias

    return kernel


@pytest.mark.parametrize("target", ["linalg", "tosa"])
def test_kernels(norms, target, monkeypatch):
    from isthmus import kernels

    monkeypatch.setattr(kernels, "_registered", {})
    calls = []
    isthmus.register_kernel("torch.nn.modules.normalization.LayerNorm", layer_norm(calls))
    model, inputs = norms
    module = isthmus.compile(model, inputs, target, outline="LayerNorm")
    check(model, inputs, module.run(*inputs))
    assert calls == [1e-5, 1e-5, 0.1]


ATTRIBUTES = {
    "version": 1,
    "arguments": [{"name": "x", "type": "vtensor", "value": {"operand": 0, "dtype": "f32"}}],
    "results": [{"type": "vtensor", "dtype": "f32"}],
}

# The outer custom op is defined before the inner one and calls it twice.
NESTED = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = call @fourfold(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func private @fourfold(%x: tensor<3xf32>) -> tensor<3xf32>
    attributes {isthmus.custom_op = {attributes = ATTRIBUTES, domain = "acme", name = "acme.Fourfold"}} {
  %y = call @twice(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %z = call @twice(%y) : (tensor<3xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}
func.func private @twice(%x: tensor<3xf32>) -> tensor<3xf32>
    attributes {isthmus.custom_op = {attributes = ATTRIBUTES, domain = "acme", name = "acme.Twice"}} {
  %empty = tensor.empty() : tensor<3xf32>
  %y = linalg.add ins(%x, %x : tensor<3xf32>, tensor<3xf32>) outs(%empty : tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
"""


@pytest.mark.parametrize(
    ("kernels", "factor"),
    [({}, 4), ({"acme.Twice": 3}, 9), ({"acme.Fourfold": 5}, 5)],
    ids=["bodies", "inner", "outer"],
)
def test_bodies_that_call_others(kernels, factor, monkeypatch):
    from isthmus import kernels as registry

    monkeypatch.setattr(registry, "_registered", {})
    for name, by in kernels.items():
        isthmus.register_kernel(name, lambda x, by=by: x * np.float32(by))
    x = np.array([1, -2, 3], np.float32)
    text = NESTED.replace("ATTRIBUTES", json.dumps(json.dumps(ATTRIBUTES)))
    np.testing.assert_array_equal(isthmus.parse(text).run(x)[0], factor * x)
