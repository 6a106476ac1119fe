"""Composite ops that put tensors together, take them apart, sample or rank them."""

import torch

from tests.EndToEnd.aten_cases import (
    BF16,
    F64,
    I32,
    I64,
    INF,
    NAN,
    SPECIAL,
    Fixed,
    RunTime,
    complexes,
    different,
    flags,
    real,
    run_families,
    table,
    tensor,
    whole,
)

CASES, case = table()


def _together():
    case("aten.block_diag", [real(2, 3), real(4), tensor(2.0), real(1, 2)])
    case("aten.block_diag", [real(2, 2)])
    case("aten.block_diag", [whole(2, 2), whole(1, 3)])
    case("aten.broadcast_tensors", [real(3, 1), real(4), tensor(1)])
    case("aten.cartesian_prod", [real(2), real(3), real(4)])
    case("aten.cartesian_prod", [whole(3)])
    x = Fixed(real(5))
    for count in (0, 1, 2, 3, 5):
        case("aten.combinations", x, count)
    for count in (1, 3):
        case("aten.combinations", x, count, True)
    case("aten.combinations", Fixed(real(0)), 2, True)
    for offset, size in ((0, 3), (1, 3), (-1, 2), (3, 1), (4, 0)):
        case("aten.diagonal_scatter", real(3, 4), real(size), offset)
    case("aten.diagonal_scatter", real(3, 2, 4), real(2, 3), 0, 0, 2)
    case("aten.diagonal_scatter", whole(2, 3, 4), whole(4, 2), -1, -2, 0)
    case("aten.block_diag", [torch.ones(2, 2, dtype=BF16), tensor(1.5)])


def _pieces():
    x = Fixed(real(7, 4, 3))
    for dim, sections in ((0, 3), (1, 2), (-1, 5)):
        case("aten.tensor_split.sections", x, sections, dim)
    case("aten.tensor_split.indices", real(7, 4), [2, 5], 0)
    case("aten.tensor_split.indices", x, [1, -1, 4], 1)
    case("aten.tensor_split.indices", real(3), [])
    case("aten.hsplit.int", x, 2)
    case("aten.hsplit.int", Fixed(real(6)), 3)
    case("aten.hsplit.array", real(3, 4), [1, 3])
    case("aten.vsplit.int", x, 7)
    case("aten.vsplit.array", real(3, 4), [2])
    case("aten.dsplit.int", x, 3)
    case("aten.dsplit.array", real(2, 3, 4), [1])
    case("aten.sum_to_size", real(2, 3, 4), [3, 1])
    case("aten.sum_to_size", real(2, 3, 4), [1, 1, 1])
    case("aten.sum_to_size", whole(3, 4, dtype=I32), [3, 4])
    case("aten.sum_to_size", real(3, 4), [])
    case("aten.sum_to_size", whole(3, 4, dtype=I32), [4])
    case("aten.sum_to_size", tensor([[True], [True]]), [1, 1])
    by_tensor = "aten.tensor_split.tensor_indices_or_sections"
    case(by_tensor, x, Fixed(tensor([2, 5])), 0)
    case(by_tensor, x, Fixed(tensor([1, -1, 4])), 1)
    case(by_tensor, x, tensor(3), 1)
    case("aten.narrow", x, 0, RunTime(2), 3)
    case("aten.narrow", x, 1, RunTime(-2), 2)
    case("aten.narrow", Fixed(flags(4)), 0, RunTime(3), 1)


def _differences():
    y = real(3, 5)
    case("aten.trapezoid.dx", y, 0.5)
    case("aten.trapezoid.dx", y, 2, 0)
    case("aten.trapezoid.dx", whole(4), 1)
    case("aten.trapezoid.x", y, real(5))
    case("aten.trapezoid.x", y, real(3, 5), 0)
    case("aten.trapezoid.x", y, real(3), 0)
    case("aten.cumulative_trapezoid.dx", y, 0.5)
    case("aten.cumulative_trapezoid.x", y, real(3), 0)
    samples = Fixed(real(4, 5))
    for order in (1, 2):
        case("aten.gradient.scalarint", samples, None, None, order)
        case("aten.gradient.scalarint", samples, 0.5, 1, order)
        case("aten.gradient.scalararray", samples, 2, [1, 0], order)
        case("aten.gradient.array", samples, [-1], order)
    case("aten.gradient.scalarint", Fixed(whole(3)), None, 0)
    # Integers that are close together, but far from 0.
    case("aten.gradient.scalarint", Fixed(tensor([16777216, 16777217, 16777218])))
    for op in ("trapezoid", "cumulative_trapezoid"):
        case(f"aten.{op}.x", tensor([1.0, 2.0, 3.0]), tensor([1700000000, 1700000060, 1700000120]))
        case(f"aten.{op}.x", tensor([[1, 2, 4]]), tensor([[0.5, 1.0, 1.5], [4.0, 2.0, 1.0]], BF16))


def _distances():
    x, y = real(3, 4), real(3, 4)
    for p in (0, 1, 2, 3.5, INF, -INF):
        case("aten.dist", x, y, p)
        case("aten.pairwise_distance", x, y, p)
    case("aten.dist", x, real(4), 2)
    case("aten.pairwise_distance", x, real(4), 2, 0.5, True)
    case("aten.pairwise_distance", x.to(BF16), y.to(BF16))
    for p, dim in ((1, 0), (2, 1), (2.5, -1), (INF, 0)):
        case("aten.renorm", real(3, 4, 2), p, dim, 2.5)
    case("aten.renorm", tensor([[1.0, NAN], [INF, 1.0], [0.0, 0.0]]), 2, 0, 1)


def _ranks():
    x, odd = different(3, 5), tensor([[1.0, NAN, 3.0], [2.0, 5.0, 4.0], [NAN, NAN, NAN]])
    q = tensor([0.0, 0.3, 0.5, 1.0])
    for mode in ("linear", "lower", "higher", "midpoint", "nearest"):
        case("aten.quantile.scalar", x, 0.3, 1, False, mode)
        case("aten.quantile", x, q, 0, False, mode)
        case("aten.nanquantile", odd, q, 1, True, mode)
    case("aten.quantile", x, q, None, False)
    case("aten.quantile", x, q, None, True)
    case("aten.quantile", x, tensor(0.25), 1, True)
    case("aten.quantile", odd, q, 1)
    case("aten.quantile.scalar", odd, 0.5)
    case("aten.quantile.scalar", tensor(2.0), 0.5, 0)
    case("aten.nanquantile.scalar", odd, 0.75, 0)
    case("aten.quantile.scalar", real(6, dtype=F64), 0.6)


def _members():
    x, y = whole(2, 3), whole(4)
    for inverts in (False, True):
        case("aten.isin.Tensor_Tensor", x, y, False, inverts)
        case("aten.isin.Tensor_Scalar", x, 3, False, inverts)
        case("aten.isin.Scalar_Tensor", 3, x, False, inverts)
    case("aten.isin.Tensor_Tensor", SPECIAL, tensor([NAN, 0.0, INF]))
    case("aten.isin.Tensor_Tensor", tensor(2), whole(2, 3))
    case("aten.isin.Tensor_Scalar", tensor([1, 2]), 1.5)
    table, offsets = Fixed(real(7, 4)), tensor([0, 2, 2, 5])
    places = whole(6, low=0, high=7)
    for mode in (0, 1, 2):
        case("aten.embedding_bag", table, places, offsets, False, mode, used=1)
        case("aten._embedding_bag_forward_only", table, places, offsets, False, mode, False, None, False, 3, used=1)


def _ranges():
    for first, last in ((-1.0, 2.0), (3, -3)):
        start, end = tensor(first), tensor(last)
        case("aten.linspace.Tensor_Tensor", start, end, 5)
        case("aten.linspace.Tensor_Scalar", start, last, 4)
        case("aten.linspace.Scalar_Tensor", first, end, 1)
        case("aten.logspace", first, last, 5)
        case("aten.logspace", first, last, 3, 2.0, F64)
        case("aten.logspace.Tensor_Tensor", start, end, 4)
        case("aten.logspace.Tensor_Scalar", start, last, 4, 2.0)
        case("aten.logspace.Scalar_Tensor", first, end, 4)
    for rows, columns, offset in ((3, 4, 0), (4, 3, 1), (4, 3, -2), (3, 3, 5), (2, 5, -9), (5, 2, -3)):
        case("aten.tril_indices", rows, columns, offset)
        case("aten.triu_indices", rows, columns, offset, I32)
    case("aten.linspace", 0.5, 5.5, 3, I64)
    case("aten.linspace", 0, 100000001, 3, I64)
    case("aten.linspace", 0, 1, 11, torch.complex128)
    case("aten.linspace.Tensor_Scalar", tensor(0.5), 5.5, 3, I64)
    case("aten.logspace", 0.5, 3.5, 4, 10.0, I64)


def _complex():
    case("aten.vdot", complexes(4), complexes(4))
    case("aten.vdot", real(4), real(4))


def _other_forms():
    x = real(2, 3, 4)
    for op in ("mT", "mH", "adjoint"):
        case(f"aten.{op}", x)
    for op in ("mH", "adjoint", "matrix_H"):
        case(f"aten.{op}", complexes(2, 3))
    for offset in (0, 1, -1):
        case("aten.linalg_diagonal", x, offset)
        case("aten.diagflat", real(2, 2), offset)
    case("aten.linalg_diagonal", x, 0, 0, 2)
    for rank in (1, 2, 3):
        case(f"aten.atleast_{rank}d.Sequence", [tensor(1.0), real(2), real(2, 3)])
    for first in (False, True):
        case("aten.pad_sequence", [real(2, 3), real(4, 3), real(1, 3)], first, 0.5)
    case("aten.pad_sequence", [whole(2), whole(3)], True, 7.0, "left")
    case("aten.trapz.dx", real(3, 4), 0.5)
    case("aten.isreal", real(3))
    case("aten.isreal", torch.complex(real(3), tensor([0.0, 1.0, NAN])))
    case("aten.remainder.Scalar_Tensor", 7, tensor([2, -3, 4]))
    case("aten.remainder.Scalar_Tensor", 5.5, real(3))
    case("aten.remainder.Scalar_Tensor", 5.5, tensor([2, -3, 4]))
    case("aten.index_fill.int_Tensor", real(3, 4), 1, tensor([1, 3]), tensor(2.5))
    case("aten.argsort.stable", tensor([2, 1, 2, 1, 0]), True, 0, True)
    case("aten.msort", different(4, 3))
    case("aten.msort", tensor(1.0))
    case("aten.vander", real(4))
    case("aten.vander", whole(3), 5, True)
    case("aten.vander", tensor([2.0, 3.0]), 1)


def _runs():
    x = tensor([[1, 2, 0], [3, 2, 0], [1, 2, 0], [1, 2, 4], [3, 2, 0]])
    for dim in (0, 1):
        case("aten.unique_dim", x, dim, True, True, True)
        case("aten.unique_consecutive", x.sort(0).values, True, True, dim)
    case("aten.unique_dim", x.float().repeat(1, 4), -1)
    case("aten.unique_dim", torch.zeros(0, 3), 0, True, True, True)
    case("aten.unique_dim", tensor([[[0, 0], [1, 0]], [[0, 1], [0, 0]]]), 2, True, True, True)
    case("aten.unique_consecutive", real(3).repeat_interleave(2).reshape(6, 1), False, False, 0)


def _segments():
    x, lengths, offsets = real(6, 2), tensor([2, 0, 3, 1]), tensor([0, 2, 2, 5, 6])
    for reduce in ("sum", "mean", "prod", "max", "min"):
        case("aten.segment_reduce", x, reduce, lengths)
        case("aten.segment_reduce", x, reduce, None, None, offsets, 0, False, 2.5)
    case("aten.segment_reduce", real(2, 6, 3), "mean", tensor([[1, 5], [4, 2]]), None, None, 1)
    case("aten.segment_reduce", real(2, 6), "max", None, None, tensor([[0, 1, 6], [0, 4, 6]]), 1)
    # Rows outside of all segments.
    case("aten.segment_reduce", tensor([100.0, 1.0, 2.0, 3.0, 50.0]), "sum", None, None, tensor([1, 3, 4]))
    rows = torch.arange(8.0).reshape(2, 4)
    case("aten.segment_reduce", rows, "sum", tensor([[1, 1], [2, 1]]), None, None, 1, True)


def _histograms():
    x, weights = real(5, 4), real(5, 4)
    case("aten.histogram.bin_ct", x, 6)
    case("aten.histogram.bin_ct", x, 4, [-1.0, 1.5])
    case("aten.histogram.bin_ct", x, 5, [-2.0, 2.0], weights, True)
    case("aten.histogram.bin_ct", torch.ones(3), 3)
    edges = tensor([-1.5, -0.5, 0.0, 1.0])
    case("aten.histogram.bins_tensor", torch.cat([edges, x.flatten()]), edges)
    case("aten.histogram.bins_tensor", x, edges, weights, True)
    case("aten.histogram.bin_ct", tensor([1.0, 2.0, 2.0, 3.0]), 2, [2.0, 2.0])
    case("aten.histogram.bin_ct", Fixed(tensor([])), 2)
    # Rounding puts some elements at the upper bound of the last bin.
    case("aten.histc", tensor([-1e-7, -10.0, 0.0, -5.0]), 4)
    case("aten.histc", tensor([1.9999999, -1.1, NAN]), 8, -1.0, 2.0)
    case("aten.histc", tensor([0.3, 0.1], BF16), 3, 0, 0.3)


def _places():
    x, index = real(3, 4), tensor([[0, 11], [-2, 5]])
    case("aten.put", x, index, real(2, 2))
    case("aten.put", x, tensor([1, 1, 3]), real(3), True)
    case("aten.put", real(6, 2).t(), tensor(4), tensor(2.5))
    case("aten.embedding_renorm", x, tensor([[0, 2], [2, 0]]), 0.5, 2.0)
    case("aten.embedding_renorm", x, tensor([1]), 0.25, 1.0)
    case("aten.narrow.Tensor", x, 1, tensor(1), 2)
    case("aten.narrow.Tensor", x, 0, tensor(-2), 1)


def _many_dims():
    """Small tensors whose ops are made with 8 dims, which TOSA lacks."""
    x, y = torch.arange(24.0).view(2, 3, 2, 2), torch.arange(36.0).view(3, 2, 2, 3)
    case("aten.repeat", x, [2, 3, 3, 2])
    case("aten.repeat", x, [3, 2, 1, 2, 3])
    case("aten.kron", x, y)


def _windows():
    """Windows of several strides, and with a gap between them."""
    case("aten.col2im", Fixed(real(2, 15, 6)), [1, 15], [1, 5], [1, 1], [0, 0], [1, 2])
    case("aten.col2im", Fixed(real(2, 4, 4)), [1, 10], [1, 2], [1, 1], [0, 1], [1, 3])
    case("aten.col2im", Fixed(real(1, 1280, 3)), [1, 1920], [1, 1280], [1, 1], [0, 0], [1, 320])
    case("aten.col2im", Fixed(real(1, 6, 1)), [3, 4], [2, 3], [1, 1], [0, 0], [9, 9])


run_families(
    _together,
    _pieces,
    _differences,
    _distances,
    _ranks,
    _members,
    _ranges,
    _complex,
    _other_forms,
    _runs,
    _segments,
    _histograms,
    _places,
    _many_dims,
    _windows,
)
