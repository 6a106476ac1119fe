"""Quantizes models in each way of torchao, and runs them on every target against PyTorch.

    bazel run //tests/Ledgers:quantized -- [--results FILE] [MODEL/WAY ...]

It takes half an hour. Results go to FILE, a line of JSON per model and way; a second
call takes only those that are not in it. The page is docs/ledgers/quantized.md.
"""

import functools
import time

import torch
import torchao
import transformers
from torch import nn
from torchao import quantization
from torchao.quantization.pt2e.quantizer.x86_inductor_quantizer import (
    X86InductorQuantizer,
    get_default_x86_inductor_quantization_config,
)
from torchao.testing.pt2e._xnnpack_quantizer import XNNPACKQuantizer, get_symmetric_quantization_config

import isthmus
from tests.Ledgers import ledger, models
from tests.support.pt2e import quantized_program, trained_program

_CALIBRATION = 4  # inputs that give the ranges
# Rounding of f32 that reaches a product's inputs moves some of them to the next integer.
_DISTURBANCES, _DISTURBANCE = 8, 3e-7
_PRODUCTS = ("aten.conv", "aten.linear")
_DEQUANTIZED = "quantized_decomposed.dequantize_per_tensor.default"


class _Keywords(nn.Sequential):
    """A network that spots keywords in 49 spectra of 10 numbers, with depthwise convolutions."""

    def __init__(self):
        def block(*convolution, **options):
            return [nn.Conv2d(*convolution, bias=False, **options), nn.BatchNorm2d(64), nn.ReLU()]

        layers = block(1, 64, (10, 4), stride=2, padding=(5, 1))
        for _ in range(4):
            layers += [*block(64, 64, 3, padding=1, groups=64), *block(64, 64, 1)]
        super().__init__(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 12))


class _Block(nn.Module):
    """A transformer block: attention and a feed-forward network, each with a norm before it."""

    def __init__(self, length=64, heads=4):
        super().__init__()
        self.heads = heads
        self.attended, self.fed = nn.LayerNorm(length), nn.LayerNorm(length)
        self.projection, self.joined = nn.Linear(length, 3 * length), nn.Linear(length, length)
        self.feed = nn.Sequential(nn.Linear(length, 2 * length), nn.GELU(), nn.Linear(2 * length, length))

    def forward(self, x):
        parts = self.projection(self.attended(x)).unflatten(-1, (3, self.heads, -1))
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind()
        x = x + self.joined(nn.functional.scaled_dot_product_attention(query, key, value).transpose(1, 2).flatten(2))
        return x + self.feed(self.fed(x))


class _Network(nn.Module):
    """A model of transformers with new weights: its last hidden state as a function of its first argument."""

    def __init__(self, name, **options):
        super().__init__()
        self.model = transformers.AutoModel.from_config(transformers.AutoConfig.for_model(name, **options))

    def forward(self, x):
        return self.model(x).last_hidden_state


def _vision(name, **options):
    return functools.partial(_Network, name, **options)


def _language(name, **options):
    return functools.partial(_Network, name, **_SIZES, vocab_size=_VOCABULARY, use_cache=False, **options)


_VOCABULARY = 128
_SIZES = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128}
_RESNET_18 = {"layer_type": "basic", "hidden_sizes": [64, 128, 256, 512], "depths": [2, 2, 2, 2]}
_IMAGE = (2, 3, 64, 64)
# A way to make each model, and the shape of its argument, or None if that is tokens.
_MODELS = {
    "ResNet-18": (_vision("resnet", **_RESNET_18), _IMAGE),
    "MobileNetV1": (_vision("mobilenet_v1"), _IMAGE),
    "MobileNetV2": (_vision("mobilenet_v2"), _IMAGE),
    "EfficientNet": (_vision("efficientnet"), _IMAGE),
    "RegNet": (_vision("regnet"), _IMAGE),
    "keyword spotting": (_Keywords, (2, 1, 49, 10)),
    "ViT": (_vision("vit", **_SIZES, image_size=64), _IMAGE),
    "transformer block": (_Block, (2, 16, 64)),
    "BERT": (_language("bert", hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0), None),
    "Llama": (_language("llama", num_key_value_heads=2), None),
    "Qwen3": (_language("qwen3", num_key_value_heads=2, head_dim=16), None),
}
_OF_IMAGES = list(_MODELS)[:6]


def _xnnpack(**options):
    return XNNPACKQuantizer().set_global(get_symmetric_quantization_config(**options))


def _x86(**options):
    return X86InductorQuantizer().set_global(get_default_x86_inductor_quantization_config(**options))


_PT2E = {
    "signed": _xnnpack,
    "signed, by channel": functools.partial(_xnnpack, is_per_channel=True),
    "unsigned": _x86,
    "dynamic": functools.partial(_x86, is_dynamic=True),
}
# With fake quantization while training.
_TRAINED = {"trained": functools.partial(_xnnpack, is_per_channel=True, is_qat=True)}
_GROUP = quantization.PerGroup(32)
_CONFIGURATIONS = {
    "int8 weights": quantization.Int8WeightOnlyConfig(),
    "int8 products": quantization.Int8DynamicActivationInt8WeightConfig(),
    "int4 weights": quantization.IntxWeightOnlyConfig(weight_dtype=torch.int4, granularity=_GROUP),
    "int2 weights": quantization.IntxWeightOnlyConfig(weight_dtype=torch.int2, granularity=_GROUP),
    "int8 by int4": quantization.Int8DynamicActivationIntxWeightConfig(
        weight_dtype=torch.int4, weight_granularity=_GROUP
    ),
    "float8 weights": quantization.Float8WeightOnlyConfig(),  # float8 products need a GPU
}


_STAGES = models.STAGES | {"not exported": "torchao does not quantize it, or PyTorch does not export it"}


def _known():
    """The keys MODEL/WAY: networks of convolutions by PT2E alone, others in all ways."""
    ways = {name: [*_PT2E, *_TRAINED, *([] if name in _OF_IMAGES else _CONFIGURATIONS)] for name in _MODELS}
    return [f"{name}/{way}" for name in _MODELS for way in ways[name]]


def act(key):
    """A record of one model, quantized in one way."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    name, way = key.split("/")
    model, argument, inputs = _built(name)
    made = {"parameters": models.parameters(model)}
    try:
        program = _program(model, way, inputs)
    except Exception as error:  # PyTorch's or torchao's, of any type
        return made | {"stage": "not exported", "reason": f"{type(error).__name__}: {ledger.reason(error)}"}
    run, in_integers = program.module(), _in_integers(program)
    want = ledger.tensors(run(argument))
    made |= {"stage": "exported", "noise": max(_step(program, want), _noise(program, argument, want))}
    for target in models.TARGETS:
        reference = in_integers if target == "tosa" else run
        made[target] = _outcome(program, target, argument, ledger.tensors(reference(argument)))
    return made


def _built(name):
    """A model, an argument, and arguments that give the ranges."""
    make, shape = _MODELS[name]

    def argument():
        return torch.randint(_VOCABULARY, (2, 16)) if shape is None else torch.randn(shape)

    model, (given,) = models.fit(lambda _: (make(), (argument(),)), [None])
    return model, given, [argument() for _ in range(_CALIBRATION)]


def _program(model, way, inputs):
    """The exported program of a model that is quantized in a way."""
    if way in _PT2E:
        return quantized_program(model, inputs[0], _PT2E[way](), inputs)
    if way in _TRAINED:
        return trained_program(model, inputs[0], _TRAINED[way](), inputs)
    quantization.quantize_(model, _CONFIGURATIONS[way])
    return torch.export.export(model, (inputs[0],), strict=False)


def _in_integers(program):
    """The module of a program, with the biases of products of integers rounded to what such products are multiples of."""
    module = program.module()
    held = dict(module.named_parameters()) | dict(module.named_buffers())
    for node in module.graph.nodes:
        if not str(node.target).startswith(_PRODUCTS) or len(node.args) < 3 or node.args[2] is None:
            continue
        inputs, weight, bias = node.args[:3]
        if str(inputs.target) == _DEQUANTIZED and str(weight.target).startswith("quantized_decomposed.dequantize_per_"):
            scale = weight.args[1]
            unit = inputs.args[1] * (scale if isinstance(scale, float) else held[scale.target].double())
            held[bias.target].data.copy_((held[bias.target].double() / unit).round() * unit)
    return module


def _step(program, want):
    """The step of a result that is quantized, relative to its largest number, or else 0."""
    made = program.graph.output_node().args[0][0]
    if str(made.target) != _DEQUANTIZED:
        return 0.0
    return made.args[1] / want[0].abs().max().item()


def _noise(program, argument, want):
    """What PyTorch's result differs by without oneDNN, which sums in another order, or if all floats do by rounding."""
    with torch.backends.mkldnn.flags(enabled=False):
        others = [program.module()(argument)]
    for _ in range(_DISTURBANCES):
        module = program.module()
        for tensor in [*module.parameters(), *module.buffers()]:
            tensor.data = _disturbed(tensor.data)
        others.append(module(_disturbed(argument)))
    return max(ledger.difference(ledger.tensors(each), want) for each in others)


def _disturbed(tensor):
    is_quantized = type(tensor) not in (torch.Tensor, nn.Parameter)  # of torchao's classes
    if tensor.dtype is not torch.float32 or is_quantized:
        return tensor
    return tensor * (1 + _DISTURBANCE * torch.randn(tensor.shape))


def _outcome(program, target, argument, want):
    """What a target computes from the argument."""
    array = argument.numpy()
    try:
        start = time.process_time()
        module = isthmus.compile(program, output_type=target, narrow_f64=target == "tosa")  # scales are of f64
        made = {"seconds": round(time.process_time() - start, 2)}
        got = models.runner(module, target, [array])(array)
    except isthmus.IsthmusError as error:
        return {"reason": ledger.reason(error)}
    return made | {"difference": ledger.difference(list(got), want)}


def page(records):
    """The ledger as Markdown."""
    introduction = (
        "# Quantized models\n\n"
        f"Models with random weights that torchao {torchao.__version__} quantizes, exported by PyTorch {torch.__version__} and"
        " run on every target: Linalg and TOSA in the JIT, StableHLO in XLA. A column of a target is the largest difference"
        " from what PyTorch computes with the quantized model, relative to the largest number of the result. The column of"
        " noise is the largest of these: the step of a quantized result, and what PyTorch's result differs by without oneDNN"
        f" and if the argument and all weights of floats differ by {_DISTURBANCE}, which move some numbers to the next"
        " integer. A result within twice that is right. The products of TOSA are of integers, so they are compared with"
        " PyTorch's for biases that are rounded as integers must be, to multiples of the products' scale. `signed` and"
        " `unsigned` are of PT2E, with XNNPACK's and X86's quantizers; `trained` is after fake quantization while training."
        " `bazel run //tests/Ledgers:quantized` makes this page."
    )
    tried = f"tried, of {len(_known())}"
    for made in records.values():
        made["rounded noise"] = f"{made.get('noise', 0):.0e}"
    columns = [("noise", "rounded noise")]
    return models.page(introduction, "model", tried, records, stages=_STAGES, columns=columns, ran=models.TARGETS)


if __name__ == "__main__":
    models.write(__doc__, "quantized", _known(), act, page)
