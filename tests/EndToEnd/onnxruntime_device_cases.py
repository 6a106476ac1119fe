"""Nodes of the ops that onnxruntime computes only on other devices than the CPU, with the numbers of PyTorch."""

import dataclasses
import math
from collections.abc import Callable

import torch
from torch.nn import functional

from tests.EndToEnd.onnxruntime_cases import Case, Constant, X, floats, group_query


@dataclasses.dataclass
class Compared:
    """A `Case`, and a function from its inputs, absent ones None, to the expected results."""

    case: Case
    compute: Callable

    def __str__(self):
        return str(self.case)

    def expected(self):
        arrays = (value.array if isinstance(value, Constant) else value for value in self.case.inputs)
        results = self.compute(*(None if array is None else torch.from_numpy(array) for array in arrays))
        return [result.numpy() for result in (results if isinstance(results, tuple) else (results,))]


def nchw(x):
    return x.permute(0, 3, 1, 2)


def nhwc(x):
    return x.permute(0, 2, 3, 1)


def group_norm(x, gamma, beta, activation=0):
    y = functional.group_norm(x, 2, gamma, beta, eps=1e-3)
    return functional.silu(y) if activation else y


def bias_split_gelu(x, bias):
    left, right = (x + bias).chunk(2, dim=-1)
    return left * functional.gelu(right)


def nhwc_conv(x, weight, bias):
    return nhwc(functional.conv2d(nchw(x), nchw(weight), bias, stride=(2, 1), padding=1))


def nhwc_fused_conv(x, weight, bias, z):
    return functional.relu(nhwc(functional.conv2d(nchw(x), weight, bias, padding=1)) + z)


def position_bias(table, queries, keys, bidirectional, most=32):
    """T5Attention._relative_position_bucket and its table, which is stored by head."""
    table = table.reshape(table.shape[1], table.shape[0]).T
    place = torch.arange(int(keys))[None, :] - torch.arange(int(queries))[:, None]
    buckets = table.shape[0] // (2 if bidirectional else 1)
    bucket = (place > 0).long() * buckets if bidirectional else torch.zeros_like(place)
    distance = place.abs() if bidirectional else -place.clamp(max=0)
    exact = buckets // 2
    steps = torch.log(distance.float() / exact) / math.log(most / exact) * (buckets - exact)
    far = (exact + steps.clamp(min=0).long()).clamp(max=buckets - 1)
    return table[bucket + torch.where(distance < exact, distance, far)].permute(2, 0, 1)[None]


def gated_position_bias(query, query_bias, positions, weight, bias, eco_a):
    layer = (query + query_bias).reshape(2, 3, 4, 8).transpose(1, 2)
    gates = torch.sigmoid((layer @ weight + bias).view(2, 4, 3, 2, 3).sum(-1))
    first, second = gates.chunk(2, dim=-1)
    return (first * (second * eco_a - 1) + 2) * positions


def normalized_attention(query, key, value, past_key, past_value, lengths, total, cos, sin, *rest):
    """GroupQueryAttention with norms of queries and keys before they are turned."""
    *_, query_weight, key_weight = rest

    def heads(x):
        return x.reshape(2, 3, -1, 16).transpose(1, 2)

    def turned(x, weight):
        x = functional.rms_norm(heads(x), (16,), weight, eps=1e-3)
        first, second = x.chunk(2, dim=-1)
        angles = cos[:3], sin[:3]
        return torch.cat((first * angles[0] - second * angles[1], first * angles[1] + second * angles[0]), -1)

    key, value = turned(key, key_weight), heads(value)
    y = functional.scaled_dot_product_attention(
        turned(query, query_weight), key, value, is_causal=True, enable_gqa=True
    )
    return y.transpose(1, 2).reshape(2, 3, -1), key, value


def normed_query(name):
    case = group_query(name, 0, qk_norm_epsilon=1e-3)
    case.inputs += [None, None, Constant(floats(16) + 2), Constant(floats(16) - 2)]
    return case


IMAGE, GAMMA, BETA = floats(2, 5, 3, 8), Constant(floats(8) + 2), Constant(floats(8))
PLANES = IMAGE.transpose(0, 3, 1, 2).copy()
NORM = {"groups": 2, "epsilon": 1e-3}
LENGTHS = [Constant(torch.tensor([n]).numpy()) for n in (5, 7)]

COMPARED = [
    Compared(Case("BiasAdd", "f32", [X, Constant(floats(8)), X * 2]), lambda x, bias, skip: x + bias + skip),
    Compared(
        Case("BiasSoftmax", "last", [floats(2, 4, 3, 5), floats(2, 1, 1, 5)], {"axis": 3, "is_inner_broadcast": 1}),
        lambda x, bias: torch.softmax(x + bias, -1),
    ),
    Compared(
        Case(
            "BiasSoftmax", "from_axis_on", [floats(2, 4, 3, 5), floats(4, 3, 5)], {"axis": 2, "is_inner_broadcast": 0}
        ),
        lambda x, bias: torch.softmax((x + bias).flatten(2), -1).reshape(x.shape),
    ),
    Compared(Case("BiasSplitGelu", "f32", [X, Constant(floats(8))]), bias_split_gelu),
    Compared(
        Case("GemmFastGelu", "bias", [X, Constant(floats(8, 4)), Constant(floats(4))]),
        lambda x, weight, bias: functional.gelu(x @ weight + bias, approximate="tanh"),
    ),
    Compared(
        Case("GroupNorm", "nhwc", [IMAGE, GAMMA, BETA], {**NORM, "activation": 1}),
        lambda x, gamma, beta: nhwc(group_norm(nchw(x), gamma, beta, activation=1)),
    ),
    Compared(
        Case("GroupNorm", "nchw", [PLANES, GAMMA, BETA], {**NORM, "activation": 0, "channels_last": 0}), group_norm
    ),
    Compared(
        Case(
            "SkipGroupNorm",
            "nhwc",
            [IMAGE, GAMMA, BETA, floats(2, 8), Constant(floats(8))],
            {**NORM, "activation": 1},
            ("y", "sum"),
        ),
        lambda x, gamma, beta, skip, bias: (
            nhwc(group_norm(nchw(x + skip[:, None, None] + bias), gamma, beta, activation=1)),
            x + skip[:, None, None] + bias,
        ),
    ),
    Compared(
        Case("SkipGroupNorm", "nchw", [PLANES, GAMMA, BETA, PLANES * 2], {**NORM, "activation": 0, "channels_last": 0}),
        lambda x, gamma, beta, skip: group_norm(x + skip, gamma, beta),
    ),
    Compared(
        Case(
            "NhwcConv",
            "strides",
            [IMAGE, Constant(floats(6, 3, 3, 8) / 4), Constant(floats(6))],
            {"strides": [2, 1], "pads": [1, 1, 1, 1]},
        ),
        nhwc_conv,
    ),
    Compared(
        Case(
            "NhwcFusedConv",
            "sum",
            [IMAGE, Constant(floats(6, 8, 3, 3) / 4), Constant(floats(6)), floats(2, 5, 3, 6)],
            {"activation": "Relu", "pads": [1, 1, 1, 1]},
        ),
        nhwc_fused_conv,
    ),
    Compared(
        Case(
            "RelativePositionBias",
            "encoder",
            [Constant(floats(8, 4)), *LENGTHS],
            {"max_distance": 32, "is_bidirectional": 1},
        ),
        lambda table, queries, keys: position_bias(table, queries, keys, bidirectional=True),
    ),
    Compared(
        Case("RelativePositionBias", "decoder", [Constant(floats(8, 4)), *LENGTHS[::-1]], {"max_distance": 32}),
        lambda table, queries, keys: position_bias(table, queries, keys, bidirectional=False),
    ),
    Compared(
        Case(
            "GatedRelativePositionBias",
            "f32",
            [
                *(floats(2, 3, 32), Constant(floats(32)), floats(1, 4, 3, 3)),
                *(Constant(floats(8, 6)), Constant(floats(6)), Constant(floats(1, 4, 1, 1))),
            ],
            {"num_heads": 4},
        ),
        gated_position_bias,
    ),
    Compared(normed_query("norms"), normalized_attention),
]
