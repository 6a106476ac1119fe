"""Programs that use complex numbers inside, compared with PyTorch. On every target these are pairs of real numbers."""

import numpy as np
import pytest
import torch

from isthmus import pytorch
from tests.support import targets


class Spectrogram(torch.nn.Module):
    """Computes the power of a signal by time and frequency, and restores the signal."""

    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(64), persistent=False)

    def transform(self, x):
        return torch.stft(x, 64, 16, window=self.window, return_complex=True)

    def forward(self, x):
        return self.transform(x).abs() ** 2


class Masked(Spectrogram):
    """Filters single frequencies, as speech enhancement does."""

    def forward(self, x):
        z = self.transform(x)
        mask = torch.sigmoid(z.abs() - 1)
        return torch.istft(z * mask, 64, 16, window=self.window)


class LogMel(Spectrogram):
    """Computes Whisper's features: logarithms of the power in bands of frequencies, for windows of 400 samples."""

    def __init__(self):
        super().__init__()
        self.register_buffer("bands", torch.rand(8, 201, generator=torch.Generator().manual_seed(1)))

    def forward(self, x):
        z = torch.stft(x, 400, 160, window=torch.hann_window(400), return_complex=True)
        return torch.clamp(self.bands @ z[..., :-1].abs() ** 2, min=1e-10).log10()


class Rotary(torch.nn.Module):
    """Llama's rotary embedding as Meta writes it: a complex buffer rotates pairs of numbers."""

    def __init__(self):
        super().__init__()
        angles = torch.outer(torch.arange(6.0), 10000 ** -(torch.arange(0, 8, 2) / 8))
        self.register_buffer("turns", torch.polar(torch.ones_like(angles), angles))

    def forward(self, q):
        pairs = torch.view_as_complex(q.float().reshape(*q.shape[:-1], -1, 2))
        return torch.view_as_real(pairs * self.turns).flatten(-2)


class Mixing(torch.nn.Module):
    """FNet's token mixing: the real part of a transform over two dims."""

    def forward(self, x):
        return torch.fft.fft2(x, dim=(-2, -1)).real + torch.fft.fftn(x, norm="ortho").imag


class GlobalFilter(torch.nn.Module):
    """GFNet's filter: a convolution, computed as a product of spectra."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(8, 5, 3, 2, generator=torch.Generator().manual_seed(2)) * 0.02)

    def forward(self, x):
        z = torch.fft.rfft2(x, dim=(1, 2), norm="ortho") * torch.view_as_complex(self.weight)
        return torch.fft.irfft2(z, s=x.shape[1:3], dim=(1, 2), norm="ortho")


class Convolution(torch.nn.Module):
    """A long convolution, computed by Fourier transforms as in state-space models."""

    def forward(self, x, kernel):
        n = x.shape[-1]
        return torch.fft.irfft(torch.fft.rfft(x, n=2 * n) * torch.fft.rfft(kernel, n=2 * n), n=2 * n)[..., :n]


def random(*sizes):
    return torch.randn(*sizes, generator=torch.Generator().manual_seed(0))


PROGRAMS = {
    "spectrogram": (Spectrogram, (random(2, 300),)),
    "masked": (Masked, (random(2, 320),)),
    "log mel": (LogMel, (random(1, 1600),)),
    "rotary": (Rotary, (random(2, 6, 8),)),
    "mixing": (Mixing, (random(2, 6, 8),)),
    "global filter": (GlobalFilter, (random(2, 8, 8, 3),)),
    "convolution": (Convolution, (random(2, 150), random(150))),
}
# Programs that are also tested with an open first dim.
ANY_BATCH = ["spectrogram", "rotary", "global filter"]


def imported(module, inputs, decompose=False, **options):
    program = torch.export.export(module, inputs, **options)
    return pytorch.import_program(program.run_decompositions() if decompose else program)


def check(module, inputs, run):
    expected = module(*inputs).detach()
    (result,) = run(*(x.numpy() for x in inputs))
    difference = (torch.from_numpy(np.array(result)) - expected).abs().max()
    assert difference <= 1e-5 * expected.abs().max()


@pytest.mark.parametrize("target", targets.TARGETS)
@pytest.mark.parametrize("decompose", [False, True], ids=["whole", "decomposed"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_computes_what_pytorch_does(name, decompose, target):
    build, inputs = PROGRAMS[name]
    module = build().eval()
    check(module, inputs, targets.runner(imported(module, inputs, decompose), target))


@pytest.mark.parametrize("target", ["linalg", "stablehlo"])
@pytest.mark.parametrize("name", ANY_BATCH)
def test_any_batch(name, target):
    build, (x,) = PROGRAMS[name]
    module = build().eval()
    sizes = {0: torch.export.Dim("batch", min=2, max=16)}
    run = targets.runner(imported(module, (x,), dynamic_shapes=(sizes,)), target)
    for batch in (2, 5):
        check(module, (random(batch, *x.shape[1:]),), run)


@pytest.mark.parametrize("target", targets.TARGETS)
@pytest.mark.parametrize("length", [9, 64, 300], ids=["odd", "even", "composed"])
def test_a_real_spectrum_is_real_at_its_ends(length, target):
    """Angles there are 0 or pi, and never -pi: the imaginary parts are 0, not a rounded sum and not -0."""
    x = random(2, length)
    want = torch.fft.rfft(x).imag

    class Parts(torch.nn.Module):
        def forward(self, x):
            z = torch.fft.rfft(x)
            return z.imag, z.angle()

    imaginary, angles = targets.runner(imported(Parts(), (x,)), target)(x.numpy())
    ends = [0, -1] if length % 2 == 0 else [0]
    np.testing.assert_array_equal(np.asarray(imaginary)[:, ends], 0)
    np.testing.assert_array_equal(np.signbit(np.asarray(imaginary)[:, ends]), np.signbit(want[:, ends]))
    np.testing.assert_allclose(np.asarray(angles)[:, ends], torch.fft.rfft(x).angle()[:, ends], rtol=1e-6)
