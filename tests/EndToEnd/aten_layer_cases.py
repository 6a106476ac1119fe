"""Composite ops that are layers: attention, pooling, resampling, products, rounding to quantized numbers."""

import torch

from tests.EndToEnd.aten_cases import (
    BF16,
    F16,
    F32,
    F64,
    I8,
    I32,
    INF,
    NAN,
    Fixed,
    different,
    real,
    run_families,
    table,
    tensor,
    whole,
)

CASES, case = table()


def _attention():
    width, heads = 8, 2
    x, y = real(2, 3, width), real(2, 3, width)
    weights = [Fixed(real(*s, low=-0.5, high=0.5)) for s in ((24, 8), (24,), (8, 8), (8,))]
    own, other = [x, x, x, width, heads, *weights], [x, y, y, width, heads, *weights]
    case("aten._native_multi_head_attention", *own, None, True, True)
    case("aten._native_multi_head_attention", *own, None, False, used=1)
    case("aten._native_multi_head_attention", *other, None, True, False)
    case("aten._native_multi_head_attention", *own, torch.triu(torch.ones(3, 3), 1).bool(), True, True, 0)
    hides = tensor([[False, False, True], [False, True, True]])
    case("aten._native_multi_head_attention", *own, hides, False, True, 1, used=1)
    mask = torch.zeros(2, heads, 3, 3)
    mask[:, :, :, 2] = -INF
    case("aten._native_multi_head_attention", *own, mask, False, True, 2, used=1)
    norms = [Fixed(real(width)) for _ in range(4)]
    feed = [Fixed(real(*s, low=-0.5, high=0.5)) for s in ((12, 8), (12,), (8, 12), (8,))]
    for gelu, first in ((False, False), (True, True)):
        layer = [x, width, heads, *weights, gelu, first, 1e-5, *norms, *feed]
        case("aten._transformer_encoder_layer_fwd", *layer)
        case("aten._transformer_encoder_layer_fwd", *layer, hides, 1)


def _products():
    case("aten._int_mm", whole(17, 8, dtype=I8, low=-128, high=128), whole(8, 16, dtype=I8, low=-128, high=128))
    for dtype in (F32, BF16):  # PyTorch's kernel of bf16 takes rows of 16
        weight, scales = whole(6, 16, dtype=I8, low=-128, high=128), real(6, dtype=dtype)
        case("aten._weight_int8pack_mm", real(3, 16, dtype=dtype), weight, scales)
    x, y, weight = real(2, 3, 4), real(2, 3, 5), Fixed(real(6, 4, 5))
    case("aten.bilinear", x, y, weight, Fixed(real(6)))
    case("aten.bilinear", real(4), real(5), weight)
    for pad in (0, 2):
        case("aten.conv_tbc", real(7, 2, 3), Fixed(real(3, 3, 5)), Fixed(real(5)), pad)


def _pooling():
    x = real(2, 3, 9)
    case("aten.max_pool1d_with_indices", x, [3])
    case("aten.max_pool1d_with_indices", x, [3], [2], [1], [1], True)
    case("aten.max_pool1d_with_indices", real(3, 9), [2], [3], [0], [2])
    for size, output in (((7, 9), [3, 4]), ((5, 4), [1, 3]), ((6, 6), [5, 1])):
        image = real(2, 3, *size)
        case("aten.fractional_max_pool2d", image, [2, 2], output, torch.rand(2, 3, 2))
        pooled, places = torch.ops.aten.fractional_max_pool2d(image, [2, 2], output, torch.rand(2, 3, 2))
        case("aten.fractional_max_pool2d_backward", real(*pooled.shape), image, [2, 2], output, places)
    case("aten.fractional_max_pool2d", real(3, 8, 7), [3, 2], [4, 3], torch.rand(1, 3, 2))
    case("aten.fractional_max_pool2d", different(1, 2, 6, 6), [2, 2], [3, 3], torch.rand(3, 2, 2))
    block, samples = real(1, 2, 5, 6, 7), torch.rand(1, 2, 3)
    case("aten.fractional_max_pool3d", block, [2, 3, 2], [3, 2, 4], samples)
    pooled, places = torch.ops.aten.fractional_max_pool3d(block, [2, 3, 2], [3, 2, 4], samples)
    case("aten.fractional_max_pool3d_backward", real(*pooled.shape), block, [2, 3, 2], [3, 2, 4], places)
    values, places = torch.ops.aten.max_pool2d_with_indices(real(2, 3, 6, 8), [2, 2])
    case("aten.max_unpool2d", values, places, [6, 8])
    case("aten.max_unpool2d", values[0], places[0], [7, 9])
    values, places = torch.ops.aten.max_pool3d_with_indices(real(1, 2, 4, 6, 4), [2, 2, 2])
    case("aten.max_unpool3d", values, places, [4, 6, 4], [2, 2, 2], [0, 0, 0])


def _resampling():
    line, image, block = real(2, 3, 5), real(1, 2, 4, 5), real(1, 2, 3, 4, 2)
    for op in ("upsample_nearest", "_upsample_nearest_exact"):
        case(f"aten.{op}1d", line, [8])
        case(f"aten.{op}1d", line, [11], 2.3)
        case(f"aten.{op}2d", image, [6, 3])
        case(f"aten.{op}2d", image, [8, 12], 2.0, 2.5)
        case(f"aten.{op}3d", block, [5, 3, 4])
    case("aten._upsample_nearest_exact3d.vec", block, None, [2.0, 1.0, 3.0])
    for aligned in (False, True):
        case("aten.upsample_linear1d", line, [8], aligned)
        case("aten.upsample_bilinear2d", image, [6, 3], aligned)
        case("aten.upsample_bilinear2d", image, [8, 12], aligned, 2.0, 2.5)
        case("aten.upsample_bicubic2d", image, [6, 3], aligned)
        case("aten.upsample_trilinear3d", block, [5, 3, 4], aligned)
    case("aten.upsample_bilinear2d", image.to(F16), [8, 10], False)
    flat, deep = real(2, 3, 5, 2, low=-1.4, high=1.4), real(2, 2, 3, 4, 3, low=-1.4, high=1.4)
    for padding in (0, 1, 2):
        for interpolation in (0, 1):
            aligned = padding == 1
            case("aten.grid_sampler_3d", real(2, 3, 4, 5, 3), deep, interpolation, padding, aligned)
            case("aten.grid_sampler", real(2, 3, 4, 5, 3), deep, interpolation, padding, not aligned)
        case("aten.grid_sampler", real(2, 3, 4, 5), flat, 2, padding, False)
    for aligned in (False, True):
        case("aten.affine_grid_generator", real(2, 2, 3), [2, 3, 4, 5], aligned)
        case("aten.affine_grid_generator", real(1, 2, 3), [1, 3, 1, 2], aligned)
        case("aten.affine_grid_generator", real(2, 3, 4), [2, 1, 2, 3, 4], aligned)


def _quantize():
    x = torch.cat([real(3, 4).reshape(-1), tensor([INF, -INF, 0.05, -0.15])])
    rows = real(3, 4)
    scales, zeros = tensor([0.1, 0.02, 0.5]), tensor([0, 3, -2], I32)
    for op in ("", "_cachemask"):
        case(f"aten.fake_quantize_per_tensor_affine{op}", x, 0.1, 3, 0, 31)
        case(f"aten.fake_quantize_per_tensor_affine{op}", x, 0.02, 0, -128, 127)
        case(f"aten.fake_quantize_per_channel_affine{op}", rows, scales, zeros, 0, -128, 127)
        case(f"aten.fake_quantize_per_channel_affine{op}", rows.T.contiguous(), scales, zeros, 1, -8, 15)
    case("aten.fake_quantize_per_tensor_affine.tensor_qparams", x, tensor([0.1]), tensor([3], I32), 0, 31)
    for enabled in (0, 1):
        case(
            "aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams",
            x,
            tensor(0.1),
            tensor(3, I32),
            tensor([enabled]),
            0,
            31,
        )
    case("aten.fake_quantize_per_tensor_affine", rows.to(BF16), 0.25, 1, 0, 15)
    case("aten.fake_quantize_per_tensor_affine", tensor([0.5, 1.5, NAN]), 1.0, 3, -128, 127)
    case("aten.fake_quantize_per_tensor_affine", tensor([0.35, 0.55], F64), 0.1, 0, -128, 127)
    # A zero point that is no integer.
    parts = tensor([[0.3, 0.6, 1.2, -0.7]])
    case("aten.fake_quantize_per_channel_affine", parts, tensor([1.0]), tensor([0.25]), 0, -128, 127)


run_families(_attention, _products, _pooling, _resampling, _quantize)
