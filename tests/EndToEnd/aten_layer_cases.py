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


def _sdpa(query, key, value, mask=None, dropout_p=0.0, is_causal=False, scale=None):
    grouped = query.shape[-3] != key.shape[-3]
    attention = torch.nn.functional.scaled_dot_product_attention
    return [attention(query, key, value, mask, dropout_p, is_causal, scale=scale, enable_gqa=grouped)]


def _attention_of_devices():
    def flash(query, key, value, dropout_p, is_causal, return_debug_mask, *, scale):
        return _sdpa(query, key, value, None, dropout_p, is_causal, scale)

    def with_sums(query, key, value, bias, compute_log_sumexp, dropout_p, is_causal, *return_debug_mask, scale):
        return _sdpa(query, key, value, bias, dropout_p, is_causal, scale)

    def overrideable(query, key, value, bias, dropout_p, is_causal, return_debug_mask, *, scale):
        return _sdpa(query, key, value, bias, dropout_p, is_causal, scale)

    sizes = (2, 4, 5, 8)
    query, key, value = real(*sizes), real(*sizes), real(*sizes)
    few = [real(2, 2, 5, 8) for _ in range(2)]
    scaled_dot = "aten._scaled_dot_product_"
    for causal, scale in ((False, None), (True, 0.3)):
        case(f"{scaled_dot}flash_attention", query, key, value, 0.0, causal, False, scale, used=1, reference=flash)
    case(f"{scaled_dot}flash_attention", query, *few, 0.0, True, False, None, used=1, reference=flash)
    halves = [t.to(BF16) for t in (query, key, value)]
    case(f"{scaled_dot}flash_attention", *halves, 0.0, False, False, None, used=1, reference=flash)
    for bias, causal in ((None, True), (real(2, 4, 5, 5), False)):
        own = (query, key, value, bias)
        case(f"{scaled_dot}efficient_attention", *own, False, 0.0, causal, None, used=1, reference=with_sums)
        case(f"{scaled_dot}cudnn_attention", *own, False, 0.0, causal, False, 0.2, used=1, reference=with_sums)
        override = f"{scaled_dot}fused_attention_overrideable"
        case(override, *own, 0.0, causal, False, None, used=1, reference=overrideable)
        case(f"{scaled_dot}attention_math", *own, 0.0, causal, None, None, False, used=1)
    case(f"{scaled_dot}attention_math", query, *few, None, 0.0, True, None, None, True, used=1)


def _cells_of_devices():
    def biased(gates, bias):
        return gates if bias is None else gates + bias

    def lstm(input_gates, hidden_gates, cell, input_bias, hidden_bias):
        gates = biased(input_gates, input_bias) + biased(hidden_gates, hidden_bias)
        enter, forget, fresh, leave = gates.chunk(4, 1)
        after = forget.sigmoid() * cell + enter.sigmoid() * fresh.tanh()
        return [leave.sigmoid() * after.tanh(), after]

    def gru(input_gates, hidden_gates, hidden, input_bias, hidden_bias):
        own, other = biased(input_gates, input_bias).chunk(3, 1), biased(hidden_gates, hidden_bias).chunk(3, 1)
        reset, update = (own[0] + other[0]).sigmoid(), (own[1] + other[1]).sigmoid()
        fresh = (own[2] + reset * other[2]).tanh()
        return [fresh + update * (hidden - fresh)]

    for gates, op, used, reference in ((4, "lstm", 2, lstm), (3, "gru", 1, gru)):
        own = real(2, gates * 3), real(2, gates * 3), real(2, 3)
        biases = real(gates * 3), real(gates * 3)
        case(f"aten._thnn_fused_{op}_cell", *own, None, None, used=used, reference=reference)
        case(f"aten._thnn_fused_{op}_cell", *own, *biases, used=used, reference=reference)


def _parts_of_layers():
    images, filters = real(2, 3, 7, 8), Fixed(real(4, 3, 3, 2))
    for padding in ("valid", "same"):
        case("aten._convolution_mode", images, filters, Fixed(real(4)), [1, 1], padding, [2, 1], 1)
    case("aten._convolution_mode", real(2, 4, 9), Fixed(real(6, 2, 3)), None, [2], "valid", [1], 2)
    for gelu in (False, True):
        case("aten._addmm_activation", real(4), real(2, 3), real(3, 4), 1, 1, gelu)
        case("aten._addmm_activation", real(2, 4), real(2, 3), real(3, 4), 0.5, 2, gelu)
    case("aten._trilinear", real(2, 3), Fixed(real(5, 3, 4)), real(2, 4), [1, 3], [0], [1, 2], [2, 3])
    case("aten._trilinear", real(3, 4), real(2, 4), real(2, 3, 4), [0], [1], [], [1])
    case("aten._trilinear", real(3), real(4), real(5), [1, 2], [0, 2], [0, 1], [])
    x, weight, bias = real(2, 3, 4, 5), real(3), real(3)
    mean, var = real(3), real(3, low=0.5)
    case("aten._batch_norm_no_update", x, weight, bias, mean, var, 0.1, 1e-5, used=1)
    case("aten._batch_norm_no_update", x, None, None, mean, var, 0.1, 1e-3, used=1)
    case("aten._batch_norm_with_update_functional", x, weight, bias, mean, var, 0.1, 1e-5, used=3)
    case("aten._fused_rms_norm", real(2, 3, 4), [4], real(4), 1e-5)
    case("aten._fused_rms_norm", real(2, 3, 4), [3, 4], None, None)
    case("aten._fused_rms_norm", real(2, 3, 4, dtype=BF16), [4], real(4, dtype=BF16), None, used=1)
    case("aten.linear", real(2, 3, 4), real(4))
    case("aten.linear", real(4), Fixed(real(4)), real())


def _masked_indices():
    x, mask = real(4, 5), tensor([[True, False, True], [False, True, True]])
    rows, columns = tensor([[0, -9, 3], [77, 1, 2]]), tensor([[4, 1, 0], [5, 2, 2]])
    case("aten._unsafe_masked_index", x, mask, [rows, columns], 0.5)
    case("aten._unsafe_masked_index", x, mask, [None, columns], 0.5)
    case("aten._unsafe_masked_index", x, mask[..., None], [rows], 0.5)
    case("aten._unsafe_masked_index", whole(4, 5), mask, [rows, columns], -3)
    case("aten._unsafe_masked_index_put_accumulate", x, mask, [rows, columns], real(2, 3))


run_families(
    _attention,
    _products,
    _pooling,
    _resampling,
    _quantize,
    _attention_of_devices,
    _cells_of_devices,
    _parts_of_layers,
    _masked_indices,
)
