"""Fourier transforms, windows and short-time transforms, like aten_composite_cases.

They are part of aten_composite_cases.CASES.
"""

from tests.EndToEnd.aten_cases import F64, Fixed, complexes, real, run_families, table, whole

CASES, case = table()


def _fourier():
    def lengths(op, x, *further):
        case(f"aten.fft_{op}", x)
        for n in (3, 9):
            case(f"aten.fft_{op}", x, n, 0, "ortho")
        case(f"aten.fft_{op}", x, None, 1, "forward")
        for arguments in further:
            case(f"aten.fft_{op}", x, *arguments)

    x, z = real(4, 6), complexes(5, 4)
    for op in ("fft", "ifft"):
        lengths(op, x, (None, -1, "backward"))
        lengths(op, z)
        case(f"aten.fft_{op}", whole(5))
        case(f"aten.fft_{op}", complexes(7, dtype=F64))
        case(f"aten.fft_{op}", complexes(1))
    for op in ("rfft", "ihfft"):
        lengths(op, x)
        case(f"aten.fft_{op}", whole(2, 5))
        case(f"aten.fft_{op}", real(7, dtype=F64))
    for op in ("irfft", "hfft"):
        lengths(op, z)
        lengths(op, real(5, 4))
        case(f"aten.fft_{op}", complexes(3, dtype=F64))
    # Long transforms are composed of shorter ones.
    for n in (320, 514):
        case("aten.fft_fft", Fixed(complexes(n)))
        case("aten.fft_ifft", Fixed(real(2, n)))
        case("aten.fft_rfft", Fixed(real(n)))
        case("aten.fft_irfft", Fixed(complexes(n // 2 + 1)), n)
    case("aten.fft_irfft", Fixed(complexes(161)), 321)
    case("aten.fft_rfft", Fixed(real(2, 257)))
    x, z = real(3, 4, 5), complexes(3, 4, 5)
    for op, inputs in (
        ("fft", (x, z)),
        ("ifft", (x, z)),
        ("rfft", (x,)),
        ("irfft", (z,)),
        ("ihfft", (x,)),
        ("hfft", (z,)),
    ):
        for each in inputs:
            case(f"aten.fft_{op}2", each)
            case(f"aten.fft_{op}2", each, [4, -1], [0, 1], "ortho")
            case(f"aten.fft_{op}n", each)
            case(f"aten.fft_{op}n", each, [6, 3])
            case(f"aten.fft_{op}n", each, None, [2, 0], "forward")
    for normalization in range(3):
        case("aten._fft_r2c", x, [0, 2], normalization, True)
        case("aten._fft_r2c", x, [1], normalization, False)
        case("aten._fft_c2c", z, [0, 2], normalization, True)
        case("aten._fft_c2c", z, [1, 2], normalization, False)
        case("aten._fft_c2r", z, [0, 2], normalization, 8)
        case("aten._fft_c2r", z, [2], normalization, 9)
    for n in (6, 7):
        case("aten.fft_fftfreq", n)
        case("aten.fft_fftfreq", n, 0.1, F64)
        case("aten.fft_rfftfreq", n, 2.0)
    for op in ("fftshift", "ifftshift"):
        case(f"aten.fft_{op}", real(4, 5))
        case(f"aten.fft_{op}", complexes(4, 5), [-1])
    for name in ("bartlett", "blackman", "hamming", "hann", "kaiser"):
        for n in (1, 6, 7):
            case(f"aten.{name}_window", n)
            case(f"aten.{name}_window.periodic", n, False, F64)
        case(f"aten.{name}_window.periodic", 6, True)
    case("aten.hamming_window.periodic_alpha", 6, True, 0.6)
    case("aten.hamming_window.periodic_alpha_beta", 7, False, 0.6, 0.3)
    case("aten.kaiser_window.beta", 7, False, 8.5, F64)
    case("aten.kaiser_window.beta", 6, True, 0.0)
    _short_time()


def _short_time():
    window, narrow = Fixed(real(8, low=0.1, high=1)), Fixed(real(5, low=0.1, high=1))
    for signal in (real(21), real(2, 21)):
        case("aten.stft", signal, 8, None, None, None, False, None, True)
        case("aten.stft", signal, 8, 3, 8, window, True, True, True)
        case("aten.stft", signal, 8, 3, 5, narrow, False, False, True)
        case("aten.stft", signal, 8, 4, 8, window, False, True, False)
        for mode in ("reflect", "constant"):
            case("aten.stft.center", signal, 8, 4, 8, window, True, mode, False, True, True)
        case("aten.stft.center", signal, 8, 4, 8, window, False, "reflect", False, None, True)
    case("aten.stft", complexes(2, 21), 8, 3, 8, window, False, False, True)
    for bins, both in (((5, 6), False), ((2, 5, 6), True)):
        spectrum = complexes(*bins)
        case("aten.istft", spectrum, 8, 3, 8, window, True, both)
        case("aten.istft", spectrum, 8, 4, 5, narrow, True, both, True)
        case("aten.istft", spectrum, 8, 2, 8, window, True, False, True, 15)
        case("aten.istft", spectrum, 8, 4, 8, window, False, False, True, 40)
        case("aten.istft", spectrum, 8)
    case("aten.istft", complexes(2, 8, 6), 8, 3, 8, window, True, False, False)
    case("aten.istft", complexes(2, 8, 6), 8, 3, 8, window, False, False, False, None, True)


run_families(_fourier)
