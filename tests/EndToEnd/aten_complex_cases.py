"""Core ATen ops on complex numbers. For every backend they are decomposed into ops on real and imaginary parts."""

import torch

from tests.EndToEnd.aten_cases import (
    F32,
    F64,
    INF,
    NAN,
    Fixed,
    complexes,
    flags,
    real,
    run_families,
    table,
    tensor,
    whole,
)

CASES, case = table()


C64, C128 = torch.complex64, torch.complex128
# The squares of these numbers overflow or underflow.
WIDE = torch.complex(tensor([1e30, 1e-30, 0.0, 3e20, INF]), tensor([1e30, 1e-30, 0.0, -1e-20, 1.0]))
# Zero, numbers close to it, and numbers on both sides of branch cuts.
EDGES = torch.complex(
    tensor([0.0, 1e-6, -0.5, -2.0, -2.0, 2.0, 2.0, 0.0, -0.0]),
    tensor([0.0, -1e-6, 0.0, 0.0, -0.0, 0.0, -0.0, 2.0, 2.0]),
)
INFINITE = torch.complex(tensor([INF, -INF, 1.0, 1.0, INF]), tensor([1.0, 1.0, INF, -INF, INF]))
FAR = torch.complex(tensor([50.0, -50.0, 1.0, -3.0]), tensor([1.0, -2.0, 50.0, -50.0]))


def _pointwise():
    z, w = complexes(2, 3), complexes(3)
    for op in ("add", "sub"):
        case(f"aten.{op}.Tensor", z, w)
        case(f"aten.{op}.Tensor", z, real(2, 1), 2)
        case(f"aten.{op}.Tensor", real(2, 1), w)
    for op in ("mul", "div"):
        case(f"aten.{op}.Tensor", z, w)
        case(f"aten.{op}.Tensor", z, real(2, 1))
        case(f"aten.{op}.Tensor", real(2, 1), w)
        case(f"aten.{op}.Tensor", complexes(2, dtype=F64), complexes(2, dtype=F64))
    case("aten.div.Tensor", WIDE[:2], WIDE[:2])
    for op in ("exp", "log", "neg", "reciprocal"):
        case(f"aten.{op}", z)
        case(f"aten.{op}", complexes(2, dtype=F64))
    case("aten.abs", z)
    case("aten.abs", WIDE)
    case("aten.abs", tensor([complex(INF, NAN), complex(NAN, -INF), complex(-INF, 1), complex(NAN, 1), 0j]))
    case("aten.square", z)
    for order in (2, 1, INF):
        case("aten.linalg_vector_norm", z, order, [1])
    case("aten.mean.dim", z, [0])
    case("aten.mul.Scalar", z, 2.5)
    mixed = torch.complex(tensor([1.0, NAN, 2.0, 3.0]), tensor([0.0, 1.0, NAN, 4.0]))
    case("aten.isnan", mixed)
    for op in ("eq", "ne"):
        case(f"aten.{op}.Tensor", mixed, tensor([1.0, 2.0, 2.0, 3.0]))
        case(f"aten.{op}.Tensor", z, torch.cat([z.real[:1] + 0j, z[1:]]))
    case("prims.convert_element_type", z, C128)
    case("prims.convert_element_type", real(3), C64)
    case("prims.convert_element_type", whole(3), C64)
    case("prims.convert_element_type", z, F32)
    case("prims.convert_element_type", WIDE, torch.bool)
    case("aten.where.self", flags(2, 3), z, w)
    case("aten.where.self", flags(2, 3), real(3), z)
    case("aten.full", [2, 3], 1.5, C64)


def _spread():
    z = complexes(4, 3)
    for op in ("var", "std"):
        case(f"aten.{op}", z)
        case(f"aten.{op}.correction", z, [1])
        case(f"aten.{op}.dim", complexes(3, dtype=F64), [0], True, True)
        case(f"aten.{op}_mean", z, False)
        case(f"aten.{op}_mean.correction", z, [0])
        case(f"aten.{op}_mean.dim", z, [0, 1], True, True)
    for reduction in (0, 1, 2):
        case("aten.l1_loss", z, complexes(3), reduction)
    case("aten.l1_loss", z, real(4, 3))
    case("aten.dist", z, complexes(4, 3))
    case("aten.dist", real(3), complexes(3), 3)
    case("aten.pairwise_distance", z, complexes(3))
    case("aten.pairwise_distance", z, real(4, 3), 1, 0.5, True)
    case("aten.renorm", z, 2, 1, 0.5)
    case("aten.renorm", complexes(2, 3, 4), INF, 0, 1.0)


def _functions():
    z = complexes(2, 3)
    for op in ("acos", "acosh", "asin", "asinh", "atan", "atanh", "log1p", "rsqrt", "sigmoid", "sqrt", "tan", "tanh"):
        case(f"aten.{op}", z)
        case(f"aten.{op}", torch.cat([EDGES, FAR]))
    for op in ("cos", "cosh", "exp2", "expm1", "sin", "sinh"):
        case(f"aten.{op}", z)
        case(f"aten.{op}", EDGES)
    # exp and cosh are infinite, but sin is 0.
    for op in ("exp", "cosh", "sinh"):
        case(f"aten.{op}", tensor([100 + 0j, -100 + 0j]))
    for op in ("sin", "cos"):
        case(f"aten.{op}", tensor([1e20j, -1e20j]))
    case("aten.exp", torch.complex(tensor([-INF]), tensor([INF])))
    case("aten.atanh", tensor([1 + 1e-20j, -1 - 1e-15j]))
    for op in ("acos", "asin", "atanh", "rsqrt", "sqrt"):
        case(f"aten.{op}", INFINITE[:1] if op == "rsqrt" else INFINITE)
    for op in ("acosh", "asin", "atan", "expm1", "log1p", "sigmoid", "sqrt", "tan"):
        case(f"aten.{op}", complexes(2, dtype=F64))
    case("aten.pow.Tensor_Tensor", z, complexes(3))
    case("aten.pow.Tensor_Tensor", torch.zeros(2, dtype=C64), tensor([2.0, 0.5]))
    case("aten.pow.Tensor_Tensor", real(2), complexes(2, dtype=F64))
    for exponent in (-1, 0, 0.5, 2.5):
        case("aten.pow.Tensor_Scalar", z if exponent == -1 else EDGES, exponent)
    case("aten.pow.Scalar", 2, z)
    mixed = torch.complex(tensor([0.0, INF, 0.0, NAN, 1.0]), tensor([0.0, 1.0, -2.0, 1.0, -INF]))
    for op in ("isfinite", "isinf", "logical_not"):
        case(f"aten.{op}", mixed)
    for op in ("logical_and", "logical_or", "logical_xor"):
        case(f"aten.{op}", mixed, mixed[:, None])
    near = torch.complex(mixed.real, mixed.imag + 1e-7)
    case("aten.isclose", mixed, near)
    case("aten.isclose", mixed, near, 1e-5, 1e-8, True)
    case("aten.logaddexp", z, complexes(3))
    case("aten.logaddexp", complexes(2, dtype=F64), complexes(2, dtype=F64))
    far = torch.complex(tensor([-INF, -INF, INF, NAN, 50.0]), tensor([1.0, 2.0, 0.0, 1.0, 3.0]))
    case("aten.logaddexp", far, torch.complex(tensor([-INF, 1.0, 2.0, 1.0, -INF]), tensor([3.0, 2.0, 0.0, 1.0, 3.0])))
    case("aten.logsumexp", z, [0])
    case("aten.logsumexp", far, [0], True)
    case("aten.linspace.Tensor_Tensor", tensor(1 + 2j), tensor(3.0), 4)
    case("aten.linspace.Scalar_Tensor", 1, tensor(3 - 1j), 3, C128)
    case("aten.linspace.Tensor_Tensor", tensor(1.0), tensor(2), 3, C64)
    case("aten.logspace.Tensor_Scalar", tensor(1 + 1j), 2, 3)
    for base in (2.0, -2.0):
        case("aten.logspace", -1, 1, 4, base, C64)
    case("aten.logical_and", mixed, tensor([1, 0, 2, 0, 3]))
    case("aten.triplet_margin_loss", complexes(3, 4), complexes(3, 4), complexes(3, 4))


def _linear():
    for op, shape in (("mm", ()), ("bmm", (3,))):
        case(f"aten.{op}", complexes(*shape, 2, 4), complexes(*shape, 4, 3))
    # PyTorch has complex kernels under these names only; each becomes aten.convolution.
    kernel, bias = complexes(4, 2, 2, 3), Fixed(complexes(4))
    case("aten.conv2d", complexes(2, 4, 5, 6), Fixed(kernel), bias, [1, 2], [1, 0], [1, 1], 2)
    case("aten.conv_transpose1d", complexes(1, 4, 4), Fixed(kernel[:, :, 0]), None, [2], [0], [1])
    for op in ("cumsum", "sum.dim_IntList"):
        dims = 1 if op == "cumsum" else [1]
        case(f"aten.{op}", complexes(2, 3), dims)
    case("aten.sum.dim_IntList", complexes(2, 3), [0], True)
    case("aten.sum.dim_IntList", complexes(2, 3), None)
    case("aten.sum.dim_IntList", real(2, 3), [1], False, C64)
    case("aten.cumsum", complexes(2, 3), 0, C128)
    case("aten.cumprod", complexes(2, 5), 1)
    case("aten.cumprod", real(5), 0, C64)
    case("aten.logcumsumexp", complexes(2, 5), -1)
    case("aten.logcumsumexp", complexes(3, dtype=F64), 0)
    case("aten.prod", complexes(2, 3))
    case("aten.prod.dim_int", complexes(2, 5), 1, True)
    case("aten.prod.dim_int", complexes(0, 2), 0)
    case("aten.linalg_vander", complexes(3), 4)
    a = complexes(3, 3) + 2 * torch.eye(3)
    case("aten.linalg_solve_triangular", a, complexes(2, 3, 2), True)
    case("aten.triangular_solve", complexes(3, 2), a, False, True, True)


def _view():
    z = complexes(2, 3)
    case("aten.cat", [z, complexes(2, 2)], 1)
    case("aten.cat", [z, real(2, 2)], -1)
    case("aten.constant_pad_nd", z, [1, 2], 0.5)
    case("aten.constant_pad_nd", z, [-1, 0, 1, 0])
    case("aten.expand", complexes(2, 1), [4, 2, 3])
    case("aten.flip", z, [0, 1])
    case("aten.permute", z, [1, 0])
    case("aten.slice.Tensor", z, 1, 1, 3)
    case("aten.unfold", tensor(1 + 2j), 0, 1, 1)
    case("aten.unfold", tensor(1 + 2j), -1, 0, 2)
    case("aten.unsqueeze", z, 1)
    case("aten.view", z, [3, 2])
    case("aten.view.dtype", z, F32)
    case("aten.view.dtype", real(2, 6), C64)
    case("aten.view.dtype", complexes(3, dtype=F64), C64)
    case("prims.squeeze", complexes(2, 1, 3), [1])


def _indexing():
    z = complexes(4, 3)
    case("aten.gather", z, 0, whole(2, 3, low=0, high=4))
    case("aten.index.Tensor", z, [whole(2, low=0, high=4), None])
    case("aten.index_put", z, [tensor([1, 3])], complexes(2, 3))
    case("aten.index_put", z, [tensor([1, 3])], real(2, 3).to(C64), True)
    case("aten.index_select", z, 1, tensor([2, 0]))
    case("aten.scatter.src", z, 0, tensor([[0, 2, 1]]), complexes(1, 3))
    for reduce in ("sum", "mean"):
        case("aten.scatter_reduce.two", z, 0, tensor([[0, 0, 1], [0, 2, 1]]), complexes(2, 3), reduce, reduce == "sum")
    case("aten.index_add", z, 0, tensor([1, 1]), complexes(2, 3), 2)
    case("aten.nonzero", tensor([[0, 1j], [1, 0j]]))


run_families(_pointwise, _spread, _functions, _linear, _view, _indexing)
