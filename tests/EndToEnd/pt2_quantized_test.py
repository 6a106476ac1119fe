"""Models that torchao quantizes compute the same on every target as in PyTorch.

PT2E inserts ops of quantized_decomposed into an exported program. torchao's configurations replace weights by tensors of
several parts: integers, scales and zero points.
"""

import io

import numpy as np
import pytest
import torch
import torchao.quantization as torchao
from torch import nn
from torchao.quantization.pt2e.quantizer.x86_inductor_quantizer import (
    X86InductorQuantizer,
    get_default_x86_inductor_quantization_config,
)

import isthmus
from isthmus import pytorch
from tests.support.pt2e import quantized_program
from tests.support.targets import TARGETS, lowered_runner


class Convolutional(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1),
            nn.BatchNorm2d(8),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(8, 8, 3, groups=4),
            nn.Flatten(),
        )
        self.head = nn.Linear(32, 10)

    def forward(self, x):
        return self.head(self.body(x))


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(50, 64)
        self.block = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.Linear(128, 64))

    def forward(self, tokens):
        x = self.embedding(tokens)
        return x + self.block(x)


IMAGE = (torch.randn(2, 3, 8, 8, generator=torch.Generator().manual_seed(0)),)
TOKENS = (torch.tensor([[3, 1, 4, 1], [5, 9, 2, 6]]),)


def _calibrated(is_dynamic):
    torch.manual_seed(0)
    quantizer = X86InductorQuantizer()
    quantizer.set_global(get_default_x86_inductor_quantization_config(is_dynamic=is_dynamic))
    calibration = (scale * IMAGE[0] for scale in (1, 2))
    return quantized_program(Convolutional().eval(), IMAGE[0], quantizer, calibration), IMAGE


def _configured(config):
    torch.manual_seed(0)
    model = Layers().eval()
    torchao.quantize_(model, config)
    return torch.export.export(model, TOKENS, strict=False), TOKENS


QUANTIZED = {
    "static": lambda: _calibrated(is_dynamic=False),
    "dynamic": lambda: _calibrated(is_dynamic=True),
    "int8 weights": lambda: _configured(torchao.Int8WeightOnlyConfig()),
    "int8 products": lambda: _configured(torchao.Int8DynamicActivationInt8WeightConfig()),
    "groups of int4 weights": lambda: _configured(
        torchao.IntxWeightOnlyConfig(weight_dtype=torch.int4, granularity=torchao.PerGroup(32))
    ),
    "int8 by int4": lambda: _configured(
        torchao.Int8DynamicActivationIntxWeightConfig(weight_dtype=torch.int4, weight_granularity=torchao.PerGroup(32))
    ),
    "float8 weights": lambda: _configured(torchao.Float8WeightOnlyConfig()),
}
# TOSA has no 8-bit floats here.
OF_TARGET = [(name, target) for name in QUANTIZED for target in TARGETS if (name, target) != ("float8 weights", "tosa")]


# An activation halfway between two integers rounds to either: one step of the result.
STEP = {"dynamic": 5e-3, "int8 products": 5e-3, "int8 by int4": 5e-3}


@pytest.fixture(scope="module")
def programs():
    return {name: make() for name, make in QUANTIZED.items()}


@pytest.mark.parametrize("name, target", OF_TARGET)
def test_like_pytorch(programs, name, target):
    program, inputs = programs[name]
    # Scales are of f64.
    module = pytorch.import_program(program).lower(target, narrow_f64=target == "tosa")
    (result,) = lowered_runner(module, target)(*[each.numpy() for each in inputs])
    want = program.module()(*inputs).detach().numpy()
    np.testing.assert_allclose(np.asarray(result), want, rtol=1e-4, atol=STEP.get(name, 1e-4))


def test_saved(programs):
    program, inputs = programs["static"]
    file = io.BytesIO()
    torch.export.save(program, file)
    module = isthmus.import_model(file.getvalue()).lower("linalg")
    (result,) = module.run(*[each.numpy() for each in inputs])
    np.testing.assert_allclose(result, program.module()(*inputs).detach().numpy(), rtol=1e-4, atol=1e-4)


def test_weights_stay_integers(programs):
    program, _ = programs["int8 weights"]
    weights = isthmus.compile(program, output_type="linalg").hoist_weights(min_bytes=4096)
    assert [weight.dtype for weight in weights if weight.size == 64 * 128] == [np.int8, np.int8]


def test_a_scale_is_a_double():
    """A scale that is a Python number is not rounded to f32 before it multiplies f64."""

    class Dequantized(nn.Module):
        def forward(self, q):
            op = torch.ops.quantized_decomposed.dequantize_per_tensor.default
            return op(q, 0.1, 3, -128, 127, torch.int8, out_dtype=torch.float64)

    q = torch.arange(-128, 128, dtype=torch.int8)
    module = isthmus.compile(torch.export.export(Dequantized(), (q,)), output_type="linalg")
    torch.testing.assert_close(module(q), Dequantized()(q), rtol=0, atol=0)
