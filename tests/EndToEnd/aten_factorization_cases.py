"""Factorizations of matrices, equations that they solve, and functions of matrices, like aten_composite_cases.

Eigenvectors, singular vectors and the factors of QR are not unique in general. Where LAPACK's choice is not that of
the decompositions, cases compare what is: the first results (`used`), or products of them.
"""

import torch

from tests.EndToEnd.aten_cases import F64, I32, Fixed, real, run_families, table, tensor, whole

CASES, case = table()


def regular(*sizes, dtype=torch.float32):
    """Square matrices far from singular ones, which need pivots."""
    return (real(*sizes, dtype=F64) + 4 * torch.eye(sizes[-1], dtype=F64).roll(1, 0)).to(dtype)


def positive(*sizes, dtype=torch.float32):
    """Symmetric matrices with positive eigenvalues."""
    x = real(*sizes, dtype=F64, low=-1, high=1)
    return (x @ x.mT + 2 * torch.eye(sizes[-1], dtype=F64)).to(dtype)


# Sizes of straight-line code, of batches, and of loops.
SQUARES = ((1, 1), (3, 3), (2, 3, 2, 2), (11, 11))


def _cholesky():
    for op in ("linalg_cholesky_ex", "linalg_cholesky", "cholesky"):
        case(f"aten.{op}", positive(3, 3))
    for sizes in SQUARES:
        case("aten.linalg_cholesky_ex", positive(*sizes))
    case("aten.linalg_cholesky_ex", positive(4, 4, dtype=F64))
    case("aten.linalg_cholesky_ex", positive(2, 4, 4), True)
    case("aten.linalg_cholesky_ex", positive(12, 12).triu(), True)
    case("aten.linalg_cholesky_ex", tensor([[[4.0, 9.0], [2.0, 3.0]], [[1.0, 9.0], [0.5, 1.0]]]))
    case("aten.linalg_cholesky", positive(2, 3, 3), True)
    for upper in (False, True):
        factor = torch.linalg.cholesky(positive(2, 3, 3), upper=upper)
        case("aten.cholesky_solve", real(2, 3, 2), factor, upper)
        case("aten.cholesky_inverse", factor, upper)
    factor = torch.linalg.cholesky(positive(9, 9))
    case("aten.cholesky_solve", real(9, 2), factor)
    case("aten.cholesky_solve", real(2, 3, 2, dtype=F64), torch.linalg.cholesky(positive(3, 3, dtype=F64)))
    case("aten.cholesky_inverse", factor)


def _triangles():
    a = regular(2, 4, 4) + 3 * torch.eye(4)
    for upper in (False, True):
        for left in (False, True):
            for unit in (False, True):
                right = real(2, 4, 3) if left else real(2, 3, 4)
                case("aten.linalg_solve_triangular", a / 4, right, upper, left, unit)
        case("aten.triangular_solve", real(2, 4, 3), a, upper)
    large = regular(10, 10) / 5 + 4 * torch.eye(10)
    case("aten.linalg_solve_triangular", large, real(3, 10, 2), False)
    case("aten.linalg_solve_triangular", large.double(), real(10, 2, dtype=F64), True)
    case("aten.triangular_solve", real(4, 1), a, True, True, True)


def _lu():
    for sizes in (*SQUARES, (4, 3), (2, 3, 5), (12, 10)):
        a = regular(*sizes) if sizes[-1] == sizes[-2] else real(*sizes)
        case("aten.linalg_lu_factor_ex", a)
        lu, pivots = torch.linalg.lu_factor(a)
        case("aten.lu_unpack", lu, pivots)
        case("aten.linalg_lu", a)
    case("aten.linalg_lu_factor", regular(3, 3, dtype=F64))
    case("aten._lu_with_info", regular(3, 3))
    case("aten.linalg_lu_factor_ex", tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 1.0], [4.0, 8.0, 2.0]]))
    case("aten.linalg_lu_factor_ex", tensor([[[0.0, 0.0], [0.0, 1.0]], [[0.0, 2.0], [1.0, 0.0]]]))
    for flags in ((True, False), (False, True)):
        case("aten.lu_unpack", *torch.linalg.lu_factor(regular(2, 3, 3)), *flags)
    factors = torch.linalg.lu_factor(regular(2, 4, 4))
    for left in (True, False):
        for adjoint in (False, True):
            right = real(2, 4, 3) if left else real(3, 4)
            case("aten.linalg_lu_solve", *factors, right, left, adjoint)
    case("aten.lu_solve", real(2, 4, 1), *factors)
    case("aten.lu_solve", real(2, 9, 2), *torch.linalg.lu_factor(regular(9, 9)))


def _equations():
    for op in ("linalg_solve_ex", "_linalg_solve_ex", "linalg_solve"):
        case(f"aten.{op}", regular(3, 3), real(3, 2))
        case(f"aten.{op}", regular(2, 3, 3), Fixed(real(2, 3)))
        case(f"aten.{op}", regular(2, 3, 3), real(3, 3), False)
        case(f"aten.{op}", regular(10, 10, dtype=F64), real(10, dtype=F64))
    for op in ("linalg_inv_ex", "linalg_inv", "inverse"):
        case(f"aten.{op}", regular(2, 3, 3))
        case(f"aten.{op}", regular(9, 9))
    case("aten.linalg_inv_ex", regular(3, 3, dtype=F64))
    for op in ("_linalg_det", "linalg_det", "det", "_linalg_slogdet", "linalg_slogdet", "slogdet"):
        case(f"aten.{op}", regular(2, 3, 3))
        case(f"aten.{op}", regular(9, 9))
        case(f"aten.{op}", tensor([[1.0, 2.0], [2.0, 4.0]]))
    case("aten.det", regular(2, 2, dtype=F64))
    case("aten.logdet", torch.stack([positive(3, 3), -positive(3, 3)]))
    case("aten.linalg_tensorinv", regular(6, 6).view(6, 2, 3), 1)
    case("aten.linalg_tensorinv", regular(6, 6).view(2, 3, 3, 2))
    case("aten.linalg_tensorsolve", regular(6, 6).view(2, 3, 6), real(2, 3))
    case("aten.linalg_tensorsolve", regular(6, 6).view(2, 3, 6).movedim(2, 0).contiguous(), real(2, 3), [0])


def _orthogonal():
    for sizes in ((3, 3), (1, 1), (4, 3), (2, 3, 4), (12, 9)):
        a = real(*sizes)
        case("aten.geqrf", a)
        for mode in ("reduced", "complete"):
            case("aten.linalg_qr", a, mode)
    case("aten.linalg_qr", real(4, 3), "r")
    case("aten.geqrf", tensor([[2.0, 1.0], [0.0, -3.0], [0.0, 4.0]]))
    case("aten.linalg_qr", real(2, 4, 4, dtype=F64))
    case("aten.linalg_qr", tensor([[1.0, 2.0], [3.0, 4.0]]) * 1e-25)  # of which squares are 0
    for some in (True, False):
        case("aten.qr", real(2, 4, 2), some)
    reflections, taus = torch.geqrf(real(2, 5, 3))
    case("aten.linalg_householder_product", reflections, taus)
    case("aten.linalg_householder_product", reflections, taus[..., :2])
    case("aten.orgqr", *torch.geqrf(real(10, 9)))
    for left in (True, False):
        for transpose in (False, True):
            case("aten.ormqr", reflections, taus, real(2, 5, 4) if left else real(2, 4, 5), left, transpose)


def _products():
    for n in (0, 1, 2, 5, -1, -2):
        case("aten.linalg_matrix_power", regular(2, 3, 3) / 4, n)
    case("aten.linalg_matrix_power", whole(3, 3), 3)
    a, b, c = real(2, 5), real(5, 3), real(3, 4)
    case("aten.linalg_multi_dot", [a, b])
    case("aten.linalg_multi_dot", [a, b, c, real(4)])
    case("aten.linalg_multi_dot", [real(5), b, c])
    case("aten.linalg_multi_dot", [real(3), real(3)])
    case("aten.chain_matmul", [a, b, c])
    case("aten.linalg_vander", real(2, 3))
    case("aten.linalg_vander", whole(3, low=-4, high=5), 4)
    case("aten.linalg_vander", whole(3, dtype=I32), 2)
    case("aten.linalg_vander", tensor(2.0), 3)


def _exponential():
    case("aten.linalg_matrix_exp", real(3, 3))
    case("aten.linalg_matrix_exp", real(2, 2, 2) * tensor([0.01, 2.0]).view(2, 1, 1))
    case("aten.linalg_matrix_exp", real(4, 4, dtype=F64, low=-0.5, high=0.5))
    case("aten.linalg_matrix_exp", tensor([[0.0, 500.0], [0.0, 0.0]]))
    case("aten.linalg_matrix_exp", torch.zeros(2, 2))


def _norms():
    a = real(2, 3, 4)
    for op in ("linalg_matrix_norm", "linalg_norm"):
        for order in (1, -1, 2, -2, float("inf"), -float("inf")):
            case(f"aten.{op}", a, order, [1, 2])
        case(f"aten.{op}", a, 1, [2, 0])
        case(f"aten.{op}", a, 2, [-1, 0], True)
    for order in ("fro", "nuc"):
        case("aten.linalg_matrix_norm.str_ord", a, order)
        case("aten.linalg_matrix_norm.str_ord", a, order, [2, 0], True)
        case("aten.linalg_norm.ord_str", real(3, 2), order)
    case("aten.linalg_matrix_norm", real(3, 3), 2, [0, 1], False, F64)
    case("aten.linalg_norm", a)
    case("aten.linalg_norm", a, 3, [1])
    case("aten.linalg_norm", real(5), 1)
    case("aten.linalg_norm", real(3, 2), 1, None, True)
    for p in (None, 2, -2, 1, -1, float("inf"), -float("inf")):
        case("aten.linalg_cond", regular(2, 3, 3), p)
    case("aten.linalg_cond", tensor([[1.0, 2.0], [2.0, 4.0]]), 1)
    case("aten.linalg_cond", Fixed(torch.empty(2, 0, 0)))
    for p in ("fro", "nuc"):
        case("aten.linalg_cond.p_str", regular(2, 3, 3), p)
    case("aten.linalg_cond.p_str", torch.zeros(2, 2), "nuc")


def _spectrum():
    symmetric = real(2, 4, 4)
    for part in ("L", "U"):
        case("aten.linalg_eigvalsh", symmetric, part)
        case("aten._linalg_eigh", symmetric, part, used=1)
        case("aten.linalg_eigh", symmetric, part, used=1)
    case("aten._linalg_eigh", symmetric, "L", False)
    for sizes in ((1, 1), (2, 2), (3, 3), (9, 9)):
        case("aten.linalg_eigvalsh", positive(*sizes))
    case("aten.linalg_eigvalsh", real(5, 5, dtype=F64))
    case("aten.linalg_eigvalsh", torch.ones(3, 3))
    case("aten.linalg_eigh", torch.diag(tensor([3.0, -1.0, 2.0])))
    for sizes in ((3, 3), (2, 4, 3), (2, 3, 5), (1, 2), (9, 11)):
        case("aten.linalg_svdvals", real(*sizes))
    case("aten._linalg_svd", real(3, 2), False, False)
    case("aten.linalg_svdvals", real(4, 3, dtype=F64))
    case("aten.linalg_svdvals", torch.ones(3, 3))
    case("aten.linalg_svdvals", tensor([[2e20, 1e20], [1e20, 1e20]]))
    case("aten.svd", real(3, 2), True, False)
    for full in (True, False):
        case("aten.linalg_svd", torch.diag(tensor([3.0, 1.0, 2.0])), full)
        case("aten.svd", torch.diag(tensor([3.0, 1.0, 2.0])), full)


def _inverses():
    low = real(2, 4, 2) @ real(2, 2, 3)
    for a in (real(2, 4, 3), real(3, 4), low, real(9, 3)):
        case("aten.linalg_pinv", a, 1e-3)
        case("aten.linalg_matrix_rank", a, 1e-3)
    case("aten.linalg_pinv", positive(2, 3, 3), 1e-3, True)
    case("aten.linalg_pinv.atol_rtol_float", low, 1e-2)
    case("aten.linalg_pinv.atol_rtol_float", low, 0.0, 1e-3)
    case("aten.linalg_pinv.atol_rtol_float", real(3, 2, dtype=F64))
    case("aten.linalg_pinv.atol_rtol_tensor", low, tensor([1e-2, 0.5]), tensor(1e-3))
    case("aten.linalg_pinv.atol_rtol_tensor", real(3, 4), None, tensor(1e-3))
    case("aten.linalg_pinv.rcond_tensor", low, tensor(1e-3))
    case("aten.linalg_pinv.atol_rtol_tensor", torch.diag(tensor([4.0, 1.0])), tensor([0.5, 2.0]))
    case("aten.pinverse", real(3, 2))
    case("aten.linalg_matrix_rank", torch.diag(tensor([3.0, 0.0, -2.0])), 0.1, True)
    case("aten.linalg_matrix_rank.atol_rtol_float", low)
    case("aten.linalg_matrix_rank.atol_rtol_float", low, 1e-2, 1e-3)
    case("aten.linalg_matrix_rank.atol_rtol_float", torch.eye(2) * 1e-25)
    case("aten.linalg_matrix_rank.atol_rtol_tensor", low, None, tensor(1e-3))
    case("aten.linalg_matrix_rank.tol_tensor", low, tensor([[1e-3], [100.0]]))


def _complex():
    """Each op on complex numbers, where it is not the one on real numbers: conjugates, and real results."""
    generator = torch.Generator().manual_seed(0)

    def some(*sizes, dtype=torch.complex64):
        return torch.randn(sizes, generator=generator, dtype=torch.complex128).to(dtype)

    def definite(*sizes, dtype=torch.complex64):
        x = some(*sizes, dtype=torch.complex128)
        return (x @ x.mH + torch.eye(sizes[-1])).to(dtype)

    for a in (definite(2, 3, 3), definite(2, 2, dtype=torch.complex128)):
        for upper in (False, True):
            case("aten.linalg_cholesky_ex", a, upper)
            case("aten.cholesky_solve", some(*a.shape[:-1], 2, dtype=a.dtype), a, upper)
        case("aten.cholesky_inverse", a)
        for op in ("linalg_inv_ex", "_linalg_slogdet", "_linalg_det", "logdet", "linalg_eigvalsh", "linalg_svdvals"):
            case(f"aten.{op}", some(*a.shape, dtype=a.dtype))
        case("aten.linalg_matrix_exp", some(*a.shape, dtype=a.dtype) / 4)
        factors = torch.linalg.lu_factor(some(*a.shape, dtype=a.dtype))
        for left in (True, False):
            for adjoint in (True, False):
                case("aten.linalg_lu_solve", *factors, some(*a.shape, dtype=a.dtype), left, adjoint)
        case("aten.lu_unpack", *factors)
    for op in ("linalg_cholesky_ex", "linalg_inv_ex", "linalg_eigvalsh", "linalg_svdvals"):
        case(f"aten.{op}", definite(1, 1))
        case(f"aten.{op}", definite(11, 11))  # in a loop
    case("aten.linalg_slogdet", torch.zeros(2, 2, dtype=torch.complex64))
    case("aten.linalg_solve", some(3, 3), some(3))
    case("aten.linalg_tensorsolve", some(6, 6).view(2, 3, 6), some(2, 3))
    for a in (some(1, 1), some(4, 3), some(2, 3, 4), some(12, 9)):
        case("aten.geqrf", a)
        for mode in ("reduced", "complete"):
            case("aten.linalg_qr", a, mode)
        case("aten.linalg_pinv", a, 1e-3)
        case("aten.linalg_matrix_rank", a, 1e-3)
    reflections, taus = torch.geqrf(some(2, 5, 3))
    case("aten.linalg_householder_product", reflections, taus)
    for left in (True, False):
        for transpose in (False, True):
            case("aten.ormqr", reflections, taus, some(2, 5, 4) if left else some(2, 4, 5), left, transpose)
    case("aten.linalg_pinv", definite(2, 3, 3), 1e-3, True)
    case("aten.linalg_pinv.atol_rtol_tensor", some(3, 4), None, tensor(1e-3))
    case("aten.linalg_matrix_power", some(2, 3, 3), 3)
    case("aten.linalg_matrix_power", some(2, 3, 3), -2)
    for part in ("L", "U"):
        case("aten.linalg_eigh", some(2, 4, 4), part, used=1)
    for order in (1, -1, 2, -2, float("inf"), -float("inf")):
        case("aten.linalg_matrix_norm", some(2, 3, 4), order, [1, 2])
        case("aten.linalg_cond", some(2, 3, 3), order)
    for order in ("fro", "nuc"):
        case("aten.linalg_matrix_norm.str_ord", some(3, 2), order)
    case("aten.linalg_norm", some(2, 3), None, [1])
    case("aten.linalg_diagonal", some(3, 4), 1)
    case("aten.linalg_vecdot", some(2, 3), some(2, 3))


run_families(
    _cholesky,
    _triangles,
    _lu,
    _equations,
    _orthogonal,
    _products,
    _exponential,
    _norms,
    _spectrum,
    _inverses,
    _complex,
)
