"""On TOSA, quantized layers compute on integers: within one step of PyTorch and of onnxruntime, without floats between them.

Arm's reference model computes the same numbers as the JIT, bit by bit.
"""

import re

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from onnxruntime import quantization
from torch import nn
from torch.nn import functional as F
from torchao.quantization.pt2e.quantizer.x86_inductor_quantizer import (
    X86InductorQuantizer,
    get_default_x86_inductor_quantization_config,
)
from torchao.testing.pt2e._xnnpack_quantizer import XNNPACKQuantizer, get_symmetric_quantization_config

import isthmus
from isthmus import pytorch
from tests.support.calibration import Calibration
from tests.support.isthmus_opt import isthmus_opt
from tests.support.pt2e import quantized_program
from tests.support.tosa import VALIDATE, run_reference_model


class Function(nn.Module):
    """A function of the results of layers on the same input."""

    def __init__(self, function, *layers):
        super().__init__()
        self.function = function
        self.layers = nn.ModuleList(layers)

    def forward(self, x):
        return self.function(*[layer(x) for layer in self.layers])


def conv(channels=8, **arguments):
    return nn.Conv2d(4, channels, 3, padding=1, **arguments)


def _active(layer):
    return nn.Sequential(layer, nn.ReLU())


def _sum(a, b):
    return torch.relu(a + b)


def _concatenated(*parts):
    return torch.cat(parts, 1)


IMAGE = (2, 4, 12, 12)
# Modules and the shapes of their inputs.
LAYERS = {
    "convolution": (lambda: nn.Sequential(conv(), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 8, 1)), IMAGE),
    "depthwise": (lambda: nn.Sequential(conv(groups=4), nn.ReLU6(), nn.Conv2d(8, 4, 1)), IMAGE),
    "groups": (lambda: nn.Sequential(conv(groups=2, bias=False), nn.Hardtanh(-0.5, 0.75)), IMAGE),
    "one dim": (lambda: nn.Sequential(nn.Conv1d(4, 8, 3, stride=2), nn.ReLU()), (2, 4, 21)),
    "linear": (lambda: nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 6)), (3, 5, 12)),
    "sum": (lambda: nn.Sequential(Function(_sum, conv(4), _active(conv(4))), conv()), IMAGE),
    "concatenation": (lambda: nn.Sequential(Function(_concatenated, conv(3), _active(conv(1))), conv()), IMAGE),
    "mean": (lambda: nn.Sequential(conv(), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 3)), IMAGE),
    "views": (lambda: nn.Sequential(conv(), nn.Flatten(2), nn.Dropout(), nn.Linear(144, 7)), IMAGE),
}


def _x86():
    return X86InductorQuantizer().set_global(get_default_x86_inductor_quantization_config())


def _xnnpack():
    return XNNPACKQuantizer().set_global(get_symmetric_quantization_config(is_per_channel=True))


QUANTIZERS = {"unsigned": _x86, "signed": _xnnpack}


def _quantized(name, quantizer):
    """Returns a quantized program and an input."""
    make, shape = LAYERS[name]
    generator = torch.Generator().manual_seed(0)
    torch.manual_seed(0)
    x = torch.randn(shape, generator=generator)
    module = make().eval()
    calibration = (torch.randn(shape, generator=generator) for _ in range(2))
    return quantized_program(module, x, QUANTIZERS[quantizer](), calibration), x


def _last_step(program):
    """The scale of the last op that quantizes, in which a difference of one step is counted."""
    quantized = torch.ops.quantized_decomposed.quantize_per_tensor.default
    return [node.args[1] for node in program.graph.nodes if node.target is quantized][-1]


def _between_products(text):
    """The lines from the first product to the last rescaling."""
    lines = text.splitlines()
    products = [i for i, line in enumerate(lines) if re.search(r"tosa\.(\w*conv\w*|matmul|rescale) ", line)]
    return lines[products[0] : products[-1] + 1]


def _check_integers(module, *inputs, want, step):
    """Checks that products are of i8 and that nothing between them is a float, and the numbers."""
    text = module.text()
    assert not [line for line in _between_products(text) if "f32" in line]
    validated = isthmus_opt(text, *VALIDATE)
    (of_arm,) = run_reference_model(validated, *inputs)
    (of_jit,) = module.run(*inputs)
    np.testing.assert_array_equal(of_arm, of_jit)
    # A result that is not quantized differs by what its inputs do.
    np.testing.assert_allclose(of_arm, want, rtol=0, atol=1.01 * step)


@pytest.mark.parametrize("quantizer", QUANTIZERS)
@pytest.mark.parametrize("name", LAYERS)
def test_pytorch(name, quantizer):
    program, x = _quantized(name, quantizer)
    module = pytorch.import_program(program).lower("tosa", narrow_f64=True)
    _check_integers(module, x.numpy(), want=program.module()(x).detach().numpy(), step=_last_step(program))


QUANTIZED = torch.ops.quantized_decomposed


def _real(numbers, scale, zero=0):
    limits = torch.iinfo(numbers.dtype)
    return QUANTIZED.dequantize_per_tensor(numbers, scale, zero, limits.min, limits.max, numbers.dtype)


def _channels(numbers, scales):
    zeros = torch.zeros(len(scales), dtype=torch.int64)
    return QUANTIZED.dequantize_per_channel(numbers, torch.tensor(scales), zeros, 0, -128, 127, torch.int8)


def _integers(real, scale, zero=0, dtype=torch.int8):
    limits = torch.iinfo(dtype)
    return QUANTIZED.quantize_per_tensor(real, scale, zero, limits.min, limits.max, dtype)


def _bytes(*shape, dtype=torch.int8):
    limits = torch.iinfo(dtype)
    generator = torch.Generator().manual_seed(sum(shape))
    return torch.randint(limits.min, limits.max + 1, shape, dtype=dtype, generator=generator)


def _doubled(y):
    for _ in range(10):
        y = y + y
    return y


def _of_maximum(x, w, function):
    return function(F.max_pool2d(F.conv2d(_real(x, 0.02), _real(w, 0.01)), 2))


MATRIX, OTHER, SCALES = _bytes(4, 4), _bytes(4, 4) // 2, [0.1, 0.2, 0.03, 0.04]
IMAGES, FILTERS = _bytes(2, 3, 8, 8), _bytes(4, 3, 3, 3)
# Programs on which a rewrite can go wrong: functions of integers, and their operands.
EDGES = {
    "a scale for each channel, square": (
        lambda x: _integers(_real(x, 0.1) * torch.tensor([1.0, 2.0, 0.5, 3.0]), 0.5),
        MATRIX,
    ),
    "a maximum in two formats": (
        lambda x, w: _of_maximum(
            x, w, lambda y: (_integers(y, 0.5), _integers(y, 0.01), _integers(y.relu(), 0.1, -128))
        ),
        IMAGES,
        FILTERS,
    ),
    "parts in three formats": (
        lambda x, y: [
            _integers(function(torch.cat([_real(x, 0.1), _real(y, 0.3)])), 0.05, dtype=dtype)
            for function, dtype in [(torch.relu, torch.uint8), (torch.neg, torch.int8), (lambda z: z * 2, torch.int8)]
        ],
        MATRIX,
        OTHER,
    ),
    "a bias finer than the product": (
        lambda x, w: _integers(F.linear(_real(x, 1.0), _real(w, 1.0), torch.tensor([0.4, -0.3, 0.2, 8.0])), 0.1),
        MATRIX,
        OTHER,
    ),
    "the same, as floats": (
        lambda x, w: F.linear(_real(x, 1.0), _real(w, 1.0), torch.tensor([0.4, -0.3, 0.2, 8.0])),
        MATRIX,
        OTHER,
    ),
    "one bias of all channels": (
        lambda x, w: F.linear(_real(x, 0.02), _channels(w, SCALES), torch.tensor([3.0])),
        MATRIX,
        OTHER,
    ),
    "a bias of rank 0": (lambda x, w: F.linear(_real(x, 0.02), _channels(w, SCALES), torch.tensor(3.0)), MATRIX, OTHER),
    "a clamped bias": (
        lambda x, w, b: F.linear(_real(x, 0.02), _real(w, 0.01), _real(b, 0.01).relu()),
        MATRIX,
        OTHER,
        torch.tensor([-90, 80, -70, 60], dtype=torch.int32),
    ),
    "a limit beyond the range": (
        lambda x, y: _integers(_real(x, 0.01).clamp(min=2.0) + _real(y, 0.01), 0.05),
        MATRIX,
        OTHER,
    ),
    "an infinite limit": (lambda x: _integers(_real(x, 0.01).clamp(min=float("inf")), 0.05), MATRIX),
    "scales that overflow": (lambda x, w: F.linear(_real(x, 1e20), _real(w, 1e20)), MATRIX * 0, OTHER * 0),
    "unsigned arguments": (
        lambda x, w: _integers(F.conv2d(_real(x, 0.02, 200), _real(w, 0.01)), 0.9),
        _bytes(2, 3, 8, 8, dtype=torch.uint8),
        FILTERS,
    ),
    "a sum that doubles errors": (
        lambda x, w: _integers(_doubled(F.linear(_real(x, 1.0), _real(w, 1.0), torch.tensor([0.4]))), 8.0),
        MATRIX // 64,
        OTHER[:1] // 64,
    ),
    "a fraction of a large bias": (
        lambda x, w: F.linear(_real(x, 1.0), _real(w, 1.0), torch.tensor([0.5 - 64 * 127 * 127])),
        torch.full((1, 64), 127, dtype=torch.int8),
        torch.full((1, 64), 127, dtype=torch.int8),
    ),
    "windows of padding only": (
        lambda x: _integers(F.max_pool2d(_real(x, 0.1, -5).relu(), 2, 1, 1, 2), 0.2),
        _bytes(1, 3, 1, 1),
    ),
    "rounding by a large number": (lambda x: _integers((_real(x, 0.1) + 12582912.0) - 12582912.0, 0.05), MATRIX),
    "a difference from a number": (lambda x, w: _integers(_real(x, 0.1) @ _real(w, 0.02) - 0.25, 0.3), MATRIX, OTHER),
    "a product as a bias": (
        lambda x, w: _integers(
            F.linear(_real(x, 0.1), _real(w, 0.02), F.linear(_real(x, 0.1), _real(w, 0.02))[0]), 0.3
        ),
        MATRIX,
        OTHER,
    ),
    "a bool between": (lambda x: _integers(x.bool().float() * 3, 0.5), _bytes(4, 5) % 2),
    "bytes that wrap": (lambda x: _integers((x - 100).float(), 1.5), MATRIX),
}


@pytest.mark.parametrize("name", EDGES)
def test_edges(name):
    function, *inputs = EDGES[name]

    class Program(nn.Module):
        def forward(self, *given):
            return function(*given)

    program = torch.export.export(Program(), tuple(inputs), strict=False)
    results = pytorch.import_program(program).lower("tosa", narrow_f64=True).run(*[each.numpy() for each in inputs])
    want = function(*inputs)
    for result, expected in zip(results, want if isinstance(want, (tuple, list)) else [want], strict=True):
        # One step of what is quantized.
        step = 0 if expected.is_floating_point() else 1
        np.testing.assert_allclose(result.astype(np.float64), expected.double(), rtol=1e-5, atol=step + 1e-5)


# Elementwise functions become tables.
FUNCTIONS = {
    "sigmoid": torch.sigmoid,
    "hardswish": F.hardswish,
    "gelu": F.gelu,
    "gelu by tanh": lambda x: F.gelu(x, approximate="tanh"),
    "elu": lambda x: F.elu(x, 0.7),
    "softplus": lambda x: F.softplus(x, 2.0, 3.0),
    "a composite": lambda x: 1 - x * F.relu6(x + 3) / 6,
    "a power": lambda x: torch.add(x, x**3, alpha=-0.5),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    numbers = torch.arange(256).to(torch.uint8)

    class Program(nn.Module):
        def forward(self, numbers):
            return _integers(FUNCTIONS[name](_real(numbers, 0.05, 130)), 0.04, 2)

    module = isthmus.compile(torch.export.export(Program(), (numbers,)), output_type="tosa", narrow_f64=True)
    assert "tosa.table" in module.text() and "-> tensor<256xf32>" not in module.text()
    np.testing.assert_allclose(module.run(numbers.numpy())[0], Program()(numbers), rtol=0, atol=1)


def test_as_floats():
    program, _ = _quantized("convolution", "signed")
    text = pytorch.import_program(program).lower("tosa", quantized="floats", narrow_f64=True).text()
    assert "tosa.rescale" not in text and "xi8>, tensor<1xi8>, tensor<1xi8>" not in text


def _network():
    """A network of ONNX ops with a residual connection."""
    random = np.random.default_rng(0)

    def weight(name, *shape):
        return onnx.numpy_helper.from_array(random.standard_normal(shape).astype(np.float32) / 3, name)

    graph = onnx.parser.parse_graph(
        """network (float[2, 3, 10, 10] x) => (float[2, 5] y) {
          a = Conv<pads=[1, 1, 1, 1]>(x, wa, ba)
          b = Relu(a)
          c = MaxPool<kernel_shape=[2, 2], strides=[2, 2]>(b)
          d = Conv<pads=[1, 1, 1, 1], group=8>(c, wd, bd)
          e = Add(c, d)
          f = GlobalAveragePool(e)
          g = Flatten(f)
          y = Gemm(g, wy, by)
        }"""
    )
    weights = [("wa", 8, 3, 3, 3), ("ba", 8), ("wd", 8, 1, 3, 3), ("bd", 8), ("wy", 8, 5), ("by", 5)]
    graph.initializer.extend(weight(*each) for each in weights)
    return onnx.helper.make_model(graph, ir_version=10, opset_imports=[onnx.helper.make_opsetid("", 17)])


FORMATS = {"nodes": quantization.QuantFormat.QDQ, "operators": quantization.QuantFormat.QOperator}
ACTIVATIONS = {"signed": quantization.QuantType.QInt8, "unsigned": quantization.QuantType.QUInt8}


@pytest.mark.parametrize("per_channel", [False, True])
@pytest.mark.parametrize("activations", ACTIVATIONS)
@pytest.mark.parametrize("format", FORMATS)
def test_onnx(tmp_path, format, activations, per_channel):
    onnx.save(_network(), tmp_path / "network.onnx")
    path = tmp_path / "quantized.onnx"
    x = np.random.default_rng(1).standard_normal((2, 3, 10, 10)).astype(np.float32)
    quantization.quantize_static(
        tmp_path / "network.onnx",
        path,
        Calibration({"x": x}),
        quant_format=FORMATS[format],
        activation_type=ACTIVATIONS[activations],
        weight_type=quantization.QuantType.QInt8,
        per_channel=per_channel,
    )
    options = onnxruntime.SessionOptions()
    # The ops as they are written: fused ones round at other places.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    (want,) = onnxruntime.InferenceSession(path, options).run(None, {"x": x})
    scales = {each.name: onnx.numpy_helper.to_array(each) for each in onnx.load(path).graph.initializer}
    _check_integers(isthmus.import_model(path).lower("tosa"), x, want=want, step=scales["y_scale"])


@pytest.mark.parametrize("wide", ["UINT16", "UINT32", "UINT64"])
def test_conversions_that_wrap(wide):
    """-1 as an unsigned integer is a large number, which a byte cannot stand for."""
    graph = onnx.parser.parse_graph(
        f"""network (int8[4] x) => (uint8[4] y) <float scale = {{300.0}}> {{
          w = Cast<to={getattr(onnx.TensorProto, wide)}>(x)
          f = Cast<to=1>(w)
          y = QuantizeLinear(f, scale)
        }}"""
    )
    model = onnx.helper.make_model(graph, ir_version=10, opset_imports=[onnx.helper.make_opsetid("", 21)])
    x = np.array([-128, -1, 0, 127], np.int8)
    try:
        program = isthmus.import_onnx(model.SerializeToString()).lower("tosa")
    except isthmus.UnsupportedError as error:
        assert wide != "UINT16" and "TOSA has no tensors of" in str(error)
        return
    (want,) = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": x})
    np.testing.assert_array_equal(program.run(x)[0], want)
