"""Ops of quantized programs: PyTorch's quantized_decomposed, torchao's affine quantization, and scaled products."""

import dataclasses
import functools

import numpy as np
import torch
from torch._subclasses import FakeTensorMode

from tests.EndToEnd.aten_cases import (
    BF16,
    F16,
    F32,
    F64,
    I8,
    I32,
    U8,
    Case,
    Fixed,
    real,
    run_families,
    table,
    tensor,
    whole,
)

CASES, case = table()

BYTES = (-128, 127)


@dataclasses.dataclass(frozen=True, eq=False)
class ChosenCase(Case):
    """A case of an op whose scales are of f64 but computed in f32 or less."""

    def check(self, results):
        narrow = [np.asarray(result) for result in results]
        assert [str(each.dtype) for each in narrow] == [str(t.dtype).removeprefix("torch.") for t in self.expected]
        # XLA keeps more digits between operations on bf16 than PyTorch.
        is_bf16 = BF16 in {t.dtype for t in self.tensors}
        for got, want in zip(narrow, self.expected, strict=True):
            np.testing.assert_allclose(
                got, want.numpy(), rtol=1e-2 if is_bf16 else 1e-5, atol=float(is_bf16 and got.dtype.kind == "i")
            )


@dataclasses.dataclass(frozen=True, eq=False)
class DeclaredCase(ChosenCase):
    """One whose kernel returns other dtypes than exported programs declare."""

    @functools.cached_property
    def expected(self):
        with FakeTensorMode(allow_non_fake_inputs=True):
            declared = self.overload(*self.args)
        return tuple(result.to(fake.dtype) for result, fake in zip(self.overload(*self.args), declared))


def _per_tensor():
    op = "quantized_decomposed.quantize_per_tensor"
    x, scale, zero = real(3, 4, low=-20, high=20), tensor([0.1]), tensor([3])
    case(op, x, 0.1, 3, *BYTES, I8)
    case(op, x.to(BF16), 0.1, 200, 0, 255, U8)
    case(op, real(5, dtype=F16), 0.02, -5, -7, 7, I8)
    case(op, x, 0.003, 0, -(2**15), 2**15 - 1, torch.int16)
    case(f"{op}.tensor", x, scale, zero, *BYTES, I8)
    case(f"{op}.tensor", x, tensor(0.1, F64), tensor(3, I32), *BYTES, I8)
    case(f"{op}.tensor2", x, scale, zero, tensor(-128), tensor(127), I8)

    op = "quantized_decomposed.dequantize_per_tensor"
    q = whole(3, 4, dtype=I8, low=-128, high=128)
    case(op, q, 0.1, 3, *BYTES, I8)
    case(op, whole(3, 4, dtype=U8, low=0, high=256), 0.1, 100, 0, 255, U8)
    case(op, q, 0.1, 3, *BYTES, I8, BF16)
    case(f"{op}.tensor", q, scale, zero, *BYTES, I8)
    case(f"{op}.tensor", q, tensor([0.1], F64), zero, *BYTES, I8)
    case(f"{op}.tensor2", q, scale, zero, tensor(-128), tensor(127), I8)


def _per_channel():
    x, scales, zeros = real(2, 3, 4, low=-20, high=20), real(3, low=0.05, high=0.2), whole(3)
    q = whole(2, 3, 4, dtype=I8, low=-128, high=128)
    for axis, given in ((1, (scales, zeros)), (-1, (real(4, low=0.1, high=0.2, dtype=F64), whole(4, dtype=I32)))):
        case("quantized_decomposed.quantize_per_channel", x, *map(Fixed, given), axis, *BYTES, I8)
    case("quantized_decomposed.fake_quant_per_channel", x, scales, zeros, 1, *BYTES)
    op = "quantized_decomposed.dequantize_per_channel"
    case(op, q, scales, zeros, 1, *BYTES, I8)
    case(op, q, scales, None, 1, *BYTES, I8)
    case(op, q, scales, zeros.to(I8), 1, *BYTES, I8)  # their difference wraps, as in PyTorch
    case(op, q, scales, zeros, 1, *BYTES, I8, F16)

    scales, zeros = real(2, 3, 1, low=0.05, high=0.2), whole(2, 3, 1)
    case("quantized_decomposed.quantize_per_token", x, scales, zeros, *BYTES, I8)
    case("quantized_decomposed.dequantize_per_token", q, scales, zeros, *BYTES, I8, F32)
    case("quantized_decomposed.dequantize_per_token", q, scales.double(), zeros, *BYTES, I8, F32)

    x, q = real(3, 8, low=-2, high=2), whole(3, 8, dtype=I8, low=-8, high=8)
    scales, zeros = real(3, 2, low=0.2, high=0.4), whole(3, 2, low=-2, high=3)
    case("quantized_decomposed.quantize_per_channel_group", x, scales, zeros, -8, 7, I8, 4)
    case("quantized_decomposed.quantize_per_channel_group", x, scales[:, :1], zeros[:, :1], -8, 7, I8, 128)
    op = "quantized_decomposed.dequantize_per_channel_group"
    case(op, q, scales, zeros, -8, 7, I8, 4, F32)
    case(op, q, scales, None, -8, 7, I8, 4, F32)


def _chosen():
    def chosen(op, *args):
        CASES.append(ChosenCase(op, args))

    for dtype, low, high in ((I8, *BYTES), (U8, 0, 255)):
        for x in (real(3, 4), real(5, low=1, high=2), torch.zeros(2), real(3, 4, dtype=BF16)):
            for op in ("choose_qparams", "choose_qparams_symmetric"):
                chosen(f"quantized_decomposed.{op}.tensor", x, low, high, 1e-4, dtype)
    for x in (real(2, 3, 4), real(2, 4, low=-3, high=-1), torch.zeros(1, 3)):
        CASES.append(DeclaredCase("quantized_decomposed.choose_qparams_per_token", (x, I8)))
        chosen("quantized_decomposed.choose_qparams_per_token_asymmetric", x, I8)
        chosen("quantized_decomposed._choose_qparams_per_token_asymmetric_impl", x, I8)
    case("quantized_decomposed.convert_element_type.no_fuse", real(3), F16)


def _blocks():
    x = real(4, 6, low=-20, high=20)
    for mapping in ("SYMMETRIC", "SYMMETRIC_NO_CLIPPING_ERR", "ASYMMETRIC"):
        for block in ([1, 6], [4, 6], [2, 3]):
            zeros = I32 if mapping == "ASYMMETRIC" else None
            case(
                "torchao.choose_qparams_affine", Fixed(x), mapping, block, I8, -7, 7, None, None, zeros, block == [2, 3]
            )
    case("torchao.choose_qparams_affine", Fixed(x), "ASYMMETRIC", [1, 6], U8)
    case("torchao.choose_qparams_affine", Fixed(x), "ASYMMETRIC", [1, 6], I8, None, None, 1e-3, F32, I8, True)
    for block, count in (([1, 6], (4,)), ([2, 3], (2, 2)), ([4, 6], ()), ([1, 1], (4, 6))):
        scale, zero = Fixed(real(*count, low=0.2, high=0.3)), Fixed(whole(*count, dtype=I32))
        case("torchao.quantize_affine", Fixed(x), block, scale, zero, I8, -100, 100)
        q = Fixed(whole(4, 6, dtype=I8, low=-128, high=128))
        case("torchao.dequantize_affine", q, block, scale, zero, I8)
    case("torchao.dequantize_affine", q, [4, 6], scale.tensor[0, 0], None, I8, -8, 7, BF16)


def _products():
    a = real(16, 16).to(torch.float8_e4m3fn)
    b = real(32, 16).to(torch.float8_e4m3fn).t()  # PyTorch's kernel takes columns
    case("aten._scaled_mm", a, b, tensor(0.5), tensor(2.0), None, None, F32)
    case("aten._scaled_mm", a, b, tensor([[0.5]]), tensor(2.0), real(32, dtype=BF16), None, BF16)
    case("aten._scaled_mm", a, b, real(16, 1, low=0.5), real(1, 32, low=0.5), None, None, F32)


run_families(_per_tensor, _per_channel, _chosen, _blocks, _products)
