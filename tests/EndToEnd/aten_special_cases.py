"""Small programs for special functions, and for exponents, neighbours and divisors of numbers.

They are part of aten_composite_cases.CASES.
"""

from tests.EndToEnd.aten_cases import (
    BF16,
    F16,
    F32,
    F64,
    I8,
    I32,
    INF,
    NAN,
    SPECIAL,
    U8,
    RunTime,
    flags,
    real,
    run_families,
    table,
    tensor,
    whole,
)

CASES, case = table()


TINY = tensor([1e-3, -1e-3, 1e-6, -1e-6, 1e-10, -1e-10, 1e-30])


def _function(op, low, high, halves=True, f64=None):
    """A function of one tensor, between two bounds. `f64` are numbers for which PyTorch's kernel is precise in f64."""
    case(op, real(3, 20, low=low, high=high))
    case(op, real(20, dtype=F64, low=low, high=high) if f64 is None else tensor(f64, dtype=F64))
    case(op, real(low=max(low, 0.1), high=min(high, 2)))
    case(op, whole(4, low=1, high=5))
    case(op, whole(3, dtype=I32, low=1, high=5))
    if halves:
        case(op, real(6, dtype=F16, low=max(low, -5), high=min(high, 5)))
        case(op, real(6, dtype=BF16, low=max(low, -5), high=min(high, 5)))


def _error():
    for op in ("special_ndtr", "special_log_ndtr", "special_erfcx"):
        _function(f"aten.{op}", -5, 5, halves=op == "special_ndtr")
        case(f"aten.{op}", TINY)
        case(f"aten.{op}", SPECIAL)
    case("aten.special_erfcx", tensor([9.0, 60.0, 1e4, 1e20, -8.5, -9.5, -30.0]))
    case("aten.special_erfcx", tensor([1.9, 2.1, 7.5, 30.0, 1e10, -20.0, -27.0], dtype=F64))
    case("aten.special_log_ndtr", tensor([-1.0, -0.999, -1.001, -20.0, -1e4, -1e18, 7.0, 1e4]))
    case("aten.special_log_ndtr", tensor([-1.001, -38.0, -1e5, 6.0], dtype=F64))
    case("aten.special_ndtr", tensor([-9.0, -6.0, 6.0, 30.0, -40.0]))
    _function("aten.special_ndtri", 0, 1, halves=False)
    case("aten.special_ndtri", tensor([0.0, 1.0, 0.5, 1e-30, 1e-10, 0.1, 0.9, 1 - 2**-24, -0.1, 1.1, NAN, INF]))
    case("aten.special_ndtri", tensor([1e-300, 1e-17, 1 - 2**-53, 0.1, 0.9, 0.5 + 1e-9, 0.4], dtype=F64))
    _function("aten.special_entr", 0, 9)
    case("aten.special_entr", SPECIAL)
    case("aten.special_entr", tensor([0.0, -0.0, 1e-30, -1e-30, 1e30]))


def _gamma():
    for n in (0, 1, 2, 3, 7):
        case("aten.polygamma", n, real(3, 10, low=0.1, high=9))
        case("aten.polygamma", n, tensor([-0.5, -1.25, -7.75, -30.3, 1e-3, 80.0, 1e4]))
        # PyTorch's kernel for n = 1 has few terms.
        case("aten.polygamma", n, real(8, dtype=F64, low=60 if n == 1 else 0.2, high=99))
        case("aten.polygamma", n, whole(4, low=1, high=9))
    case("aten.polygamma", 2, tensor([0.0, -1.0, -20.0, NAN]))
    case("aten.polygamma", 2, tensor([-3.3, -0.01], dtype=F64))
    case("aten.polygamma", 1, real(6, dtype=F16, low=0.5, high=5))
    case("aten.polygamma", 20, real(6, low=1, high=5))
    # By mpmath: between two poles, the terms of PyTorch's kernel cancel.
    case("aten.polygamma", 4, tensor([-0.5, -1.5]), exact=[-3.4742498266672252, -0.31375599950673136])
    for dtype in (F32, F64):
        case("aten.polygamma", 8, tensor([-1.5], dtype=dtype), exact=[-11.146030731869932])
        case("aten.polygamma", 20, tensor([-1.5], dtype=dtype), exact=[-10709198259.124132])
    case("aten.polygamma", 20, tensor([-10.5], dtype=F64), exact=[-1.5749217649049521e-4])
    case(
        "aten.polygamma",
        8,
        tensor([-1.499899983406067, -7.499899864196777]),
        exact=[74320.32748292988, 74420.072632114645],
    )
    for p in (1, 2, 5):
        case("aten.mvlgamma", real(3, 4, low=2.5, high=9), p)
        case("aten.mvlgamma", real(6, dtype=F64, low=2.5, high=30), p)
        case("aten.mvlgamma", whole(4, low=3, high=9), p)
    case("aten.special_zeta", real(3, 1, low=1.01, high=20), real(4, low=0.1, high=20))
    case("aten.special_zeta", tensor([[0.5], [1.0], [2.0], [3.0], [2.5], [30.0]]), tensor([0.0, -1.0, 0.5]))
    case("aten.special_zeta", tensor([NAN, 2.0]), tensor([2.0, NAN]))
    case("aten.special_zeta", tensor([2.0, 3.0, 4.0, 5.0, 2.5]), tensor([-0.5, -3.7, -20.3, -0.001, -0.5]))
    case("aten.special_zeta", real(8, dtype=F64, low=1.1, high=9), real(8, dtype=F64, low=0.1, high=50))
    case("aten.special_zeta", whole(4, low=2, high=9), whole(4, low=1, high=5))
    case(
        "aten.special_zeta",
        tensor([9.0, 9.0, 5.0]),
        tensor([-2.4999001026153564, -2.5000998973846436, -7.510000228881836]),
        exact=[-1.8413270208618451, 1.841355611371367, 6.4274177903657355],
    )
    case("aten.special_zeta.other_scalar", real(3, 2, low=1.1, high=5), 1.0)
    case("aten.special_zeta.other_scalar", whole(3, low=2, high=9), 2)
    case("aten.special_zeta.self_scalar", 2.5, real(3, 2, low=0.1, high=5))
    case("aten.special_zeta.self_scalar", 3, real(4, dtype=F64, low=0.1, high=5))


def _bessel():
    for op in ("i0", "special_i0e", "special_i1", "special_i1e"):
        _function(f"aten.{op}", -12, 12)
        case(f"aten.{op}", TINY)
        case(f"aten.{op}", tensor([0.0, -0.0, 7.99, 8.01, -8.01, 80.0, -80.0, NAN]))
        case(f"aten.{op}", tensor([7.99, 8.01, -30.0, 200.0, 1e-9], dtype=F64))
    for op in ("i0e", "i1e"):
        case(f"aten.special_{op}", tensor([INF, -INF, 1e4, -1e30]))
    # PyTorch's kernels have errors of 1e-7 from 2 to 20, also in f64.
    precise = [0.0, 1e-9, 0.3, 0.9, 1.2, 21.0, 40.5, 99.0]
    for op in ("j0", "j1"):
        _function(f"aten.special_bessel_{op}", -30, 30, halves=False, f64=[*precise, -0.7, -33.0])
        case(f"aten.special_bessel_{op}", TINY)
        case(f"aten.special_bessel_{op}", tensor([0.0, -0.0, 4.99, 5.01, -5.01, NAN]))
    for op in ("y0", "y1"):
        _function(f"aten.special_bessel_{op}", 0.1, 30, halves=False, f64=[*precise[2:], -0.7])
        case(f"aten.special_bessel_{op}", tensor([0.0, -1.0, 4.99, 5.01, NAN]))
        case(f"aten.special_bessel_{op}", tensor([1e-3, 1e-6, 1e-10]))
    case("aten.special_bessel_y1", tensor([1e-45, 1e-36]))
    # The smallest normal number, whose half is not one.
    smallest = tensor([1.2e-38, 1.5e-38])
    case("aten.special_bessel_y0", smallest)
    case("aten.special_modified_bessel_k0", smallest)
    for op in ("modified_bessel_k0", "modified_bessel_k1"):
        for prefix in ("special_", "special_scaled_"):
            _function(f"aten.{prefix}{op}", 0.1, 12, halves=False)
            case(f"aten.{prefix}{op}", tensor([0.0, -1.0, 1.99, 2.01, 30.0, INF, NAN]))
            case(f"aten.{prefix}{op}", tensor([1e-3, 1e-6, 1e-10]))
            case(f"aten.{prefix}{op}", tensor([1.99, 2.01, 50.0, 1e-9], dtype=F64))
    _function("aten.special_spherical_bessel_j0", -20, 20, halves=False)
    case("aten.special_spherical_bessel_j0", SPECIAL)
    case("aten.special_spherical_bessel_j0", TINY)


def _incomplete_gamma():
    limits = tensor([0.0, -0.0, 1.0, -1.0, INF, -INF])
    for op in ("igamma", "igammac"):
        case(f"aten.{op}", real(3, 20, low=0, high=9), real(20, low=0, high=9))
        case(f"aten.{op}", tensor([20.0, 100.0, 1e3, 1e4]), tensor([[0.2], [0.9], [1.0], [1.1], [3.0]]) * 1e3)
        case(f"aten.{op}", limits.reshape(-1, 1), limits)
    case("aten.igamma", real(4, 1, low=7, high=9), real(20, low=1, high=40))
    # From a = 20, PyTorch's kernel has errors of 4e-10.
    case("aten.igamma", real(3, 20, dtype=F64, low=0, high=19), real(20, dtype=F64, low=0, high=30))
    case("aten.igammac", tensor([1e-3, 1e-6, 0.5, 3.0]), tensor([1e-30, 0.1, 1e-5, 1e-3]))
    case("aten.igammac", real(6, dtype=F16, low=0, high=5), real(6, dtype=F16, low=0, high=5))
    case("aten.igammac", tensor([NAN, 1.0, 0.0]), tensor([2.0, NAN, NAN]))


def _airy():
    _function("aten.special_airy_ai", -9, 9, halves=False, f64=[0.0, -2.0, -0.3, 1.99, 2.01, 5.5, 30.0])
    case("aten.special_airy_ai", SPECIAL)
    case("aten.special_airy_ai", TINY)
    case("aten.special_airy_ai", tensor([-3.99, -4.01, 1.99, 2.01, 103.8, 104.0, 1e30]))


_FAMILIES = (
    *(f"{prefix}chebyshev_polynomial_{kind}" for prefix in ("", "shifted_") for kind in "tuvw"),
    "hermite_polynomial_h",
    "hermite_polynomial_he",
    "laguerre_polynomial_l",
    "legendre_polynomial_p",
)


def _polynomials():
    degrees = tensor([-3, 0, 1, 2, 3, 6, 8, 9, 12])
    fractions = tensor([-1.5, -0.5, 0.5, 1.9, 4.2, NAN])
    for op in (f"aten.special_{family}" for family in _FAMILIES):
        case(op, real(5, 1, low=-1, high=1), degrees)
        case(f"{op}.n_scalar", real(2, 3), 5)
        case(f"{op}.x_scalar", -1.5, whole(4, low=0, high=7))
    # All families share the code for degrees and dtypes.
    op = "aten.special_legendre_polynomial_p"
    case(op, tensor([[1.0], [-1.0], [0.0], [1.5], [-2.0]]), degrees)
    case(op, real(6), fractions)
    case(op, tensor([INF, -INF]), tensor([[0.0], [1.0], [2.0]]))
    case(op, real(4, 1, dtype=F64), degrees)
    case(op, whole(3, 1), whole(4, low=-2, high=7))
    case(op, real(), tensor(4.0))
    for n in (-1, 0, 1, 2.7):
        case(f"{op}.n_scalar", real(2, 3), n)
    case(f"{op}.n_scalar", real(3, dtype=F64), 7)
    case(f"{op}.n_scalar", whole(3), 3)
    case(f"{op}.n_scalar", real(3), RunTime(4))
    case(f"{op}.x_scalar", 2, real(3, 2, low=-1, high=7))
    # A loop, because the degree is large.
    case("aten.special_chebyshev_polynomial_t.n_scalar", tensor([0.3, 1.0, -1.0, -0.7]), 40)
    case("aten.special_legendre_polynomial_p.n_scalar", tensor([0.3, 1.0, -1.0, -0.7]), 33)


def _numbers():
    wide = tensor([0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.7, 1e-30, 1e30, 65504.0, INF, -INF, NAN])
    case("aten.frexp.Tensor", wide)
    case("aten.frexp.Tensor", real(3, 4))
    case("aten.frexp.Tensor", tensor([1e-300, -1e300, 0.75, 1.0, 2**-1000, 2.0**1023, 0.0], dtype=F64))
    case("aten.frexp.Tensor", tensor([6e-8, 65504.0, -0.3, 1.0], dtype=F16))
    case("aten.frexp.Tensor", wide.to(BF16))
    case("aten.ldexp.Tensor", real(2, 3), whole(3))
    case("aten.ldexp.Tensor", whole(2, 1), whole(3))
    case("aten.ldexp.Tensor", real(4, dtype=F64), whole(4))
    case("aten.ldexp.Tensor", real(4, dtype=F16), real(4, dtype=F16))
    case("aten.ldexp.Tensor", tensor([0.0, -1.0, INF, NAN]), tensor([100, 30, -1, 2]))
    case("aten.ldexp.Tensor", tensor([0.0, 2.0**-100, 2.0**100, 0.875]), tensor([200, 200, -200, 128]))
    case("aten.nextafter", wide.reshape(-1, 1), tensor([0.0, 1.0, INF, -INF, NAN]))
    case("aten.nextafter", real(4, dtype=F64), real(4, dtype=F64))
    case("aten.nextafter", tensor([6e-8, 65504.0, -0.3, 1.0], dtype=F16), tensor([0.0, INF, 0.0, 0.0], dtype=F16))
    case("aten.nextafter", real(4, dtype=BF16), real(4, dtype=BF16))
    case("aten.float_power.Tensor_Tensor", real(2, 3, low=0.1), real(3))
    case("aten.float_power.Tensor_Tensor", whole(4), whole(4, low=0))
    case("aten.float_power.Tensor_Scalar", real(2, 3), 3)
    case("aten.float_power.Tensor_Scalar", whole(3, low=1), 0.5)
    case("aten.float_power.Scalar", 2, whole(4))
    case("aten.float_power.Scalar", 2.5, real(4, dtype=F16))
    for op in ("round.decimals", "special_round"):
        for decimals in (0, 1, 3, -1, -2):
            case(f"aten.{op}", real(2, 3, low=-300, high=300), decimals)
        case(f"aten.{op}", SPECIAL, 2)
        case(f"aten.{op}", tensor([0.25, 0.35, -2.5, 1.0005, 12345.678], dtype=F64), 1)
        case(f"aten.{op}", tensor([0.25, 0.75, -2.5, 16.0], dtype=BF16), 1)
    case("aten.special_round", real(2, 3))
    for op in ("gcd", "lcm"):
        case(f"aten.{op}", whole(3, 1, low=-99, high=99), whole(4, low=-99, high=99))
        case(f"aten.{op}", tensor([0, 0, 6, -12, 17]), tensor([0, 5, 0, 18, 17]))
        case(f"aten.{op}", tensor([12, 7, 9], I8), tensor([8, 3, 6], I8))
        case(f"aten.{op}", tensor([12, 7, 60], U8), tensor([8, 3, 90], U8))
    case("aten.gcd", tensor([1836311903, 2**30], I32), tensor([1134903170, 3 * 2**20], I32))
    case("aten.lcm", tensor([-128, -128], I8), tensor([-128, 64], I8))
    for op in ("and", "or", "xor"):
        case(f"aten.bitwise_{op}.Scalar_Tensor", 6, whole(2, 3))
        case(f"aten.bitwise_{op}.Scalar_Tensor", True, flags(4))
    for direction in ("left", "right"):
        case(f"aten.bitwise_{direction}_shift.Tensor_Scalar", whole(2, 3, low=0, high=99), 2)
        case(f"aten.bitwise_{direction}_shift.Tensor_Scalar", whole(4, dtype=I32, low=0, high=99), 1)
        case(f"aten.bitwise_{direction}_shift.Scalar_Tensor", 100, whole(4, low=0, high=5))
        case(f"aten.__{direction[0]}shift__.Scalar", whole(2, 3, low=0, high=99), 2)
        case(f"aten.__{direction[0]}shift__.Tensor", whole(2, 3), tensor([0, 2, 5]))


run_families(_error, _gamma, _incomplete_gamma, _bessel, _airy, _polynomials, _numbers)
