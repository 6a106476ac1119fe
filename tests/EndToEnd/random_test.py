"""Random ops return the numbers of the documented generator, the same ones on every target."""

import numpy as np
import pytest
import torch

import isthmus
from tests.EndToEnd import aten_cases
from tests.support.isthmus_opt import isthmus_opt
from tests.support.tosa import run_reference_model
from tests.support.xla import run_mhlo


class Keys:
    """SplitMix64."""

    def __init__(self, number):
        self.state = number

    def next(self):
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        return z ^ z >> 31


def bits(count, keys):
    """The two halves of 32 random bits for each position; see DecomposeTorch/Random.cpp."""
    left, right = np.arange(count) & 0xFFFF, np.arange(count) >> 16
    for _ in range(12):
        product = left * 0x6A0D
        left, right = (product >> 16) ^ right ^ (keys.next() & 0xFFFF), product & 0xFFFF
    return left, right


def uniform(count, keys):
    high, low = bits(count, keys)
    return ((high << 8 | low >> 8) * 2.0**-24).astype(np.float32)


def normal(count, keys):
    u, v = uniform(count, keys), uniform(count, keys)
    return np.sqrt(-2 * np.log(1 - u.astype(np.float64))) * np.cos(2 * np.pi * v.astype(np.float64))


def order(count, keys):
    high, low = bits(count, keys)
    return np.argsort(high << 15 | low >> 1, kind="stable")


def integers(low, high, count, keys):
    left, right = bits(count, keys)
    return low + (left << 15 | right >> 1) % (high - low)


PROGRAM = """
func.func @main() -> (!torch.vtensor<[300,250],f32>, !torch.vtensor<[300,250],f32>, !torch.vtensor<[40],si64>,
                      !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>,
                      !torch.vtensor<[4],f32>, !torch.vtensor<[300,250],f32>, !torch.vtensor<[40],si64>,
                      !torch.vtensor<[40],si64>) {
  %rows = torch.constant.int 300
  %columns = torch.constant.int 250
  %forty = torch.constant.int 40
  %four = torch.constant.int 4
  %none = torch.constant.none
  %sizes = torch.prim.ListConstruct %rows, %columns : (!torch.int, !torch.int) -> !torch.list<int>
  %few = torch.prim.ListConstruct %four : (!torch.int) -> !torch.list<int>
  %0 = torch.aten.rand %sizes, %none, %none, %none, %none
      : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[300,250],f32>
  %1 = torch.aten.randn %sizes, %none, %none, %none, %none
      : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[300,250],f32>
  %2 = torch.aten.randperm %forty, %none, %none, %none, %none
      : !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[40],si64>
  %3 = torch.aten.rand %few, %none, %none, %none, %none
      : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[4],f32>
  %4 = torch.aten.rand_like %3, %none, %none, %none, %none, %none
      : !torch.vtensor<[4],f32>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[4],f32>
  %5 = torch.aten.randn_like %3, %none, %none, %none, %none, %none
      : !torch.vtensor<[4],f32>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[4],f32>
  %6 = torch.aten.bernoulli %3, %none : !torch.vtensor<[4],f32>, !torch.none -> !torch.vtensor<[4],f32>
  %quarter = torch.constant.float 2.500000e-01
  %7 = torch.aten.bernoulli.p %0, %quarter, %none
      : !torch.vtensor<[300,250],f32>, !torch.float, !torch.none -> !torch.vtensor<[300,250],f32>
  %line = torch.prim.ListConstruct %forty : (!torch.int) -> !torch.list<int>
  %8 = torch.aten.randint %four, %line, %none, %none, %none, %none
      : !torch.int, !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[40],si64>
  %low = torch.constant.int -1000000000
  %high = torch.constant.int 1000000000
  %9 = torch.aten.randint.low %low, %high, %line, %none, %none, %none, %none
      : !torch.int, !torch.int, !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none
        -> !torch.vtensor<[40],si64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
      : !torch.vtensor<[300,250],f32>, !torch.vtensor<[300,250],f32>, !torch.vtensor<[40],si64>, !torch.vtensor<[4],f32>,
        !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[300,250],f32>,
        !torch.vtensor<[40],si64>, !torch.vtensor<[40],si64>
}
"""


def decomposed(seed):
    return isthmus_opt(PROGRAM, f"--torch-decompose-complex-ops=random-seed={seed}")


def on_linalg(text):
    return isthmus.parse(isthmus_opt(text, "--convert-torch-to-linalg", "--canonicalize", "--cse")).run(optimize=False)


def on_mhlo(text):
    return run_mhlo(isthmus_opt(text, "--convert-torch-to-mhlo"))


def on_tosa(text):
    return run_reference_model(isthmus_opt(text, "--convert-torch-to-tosa"))


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("run", [on_linalg, on_mhlo, on_tosa])
def test_numbers(run, seed):
    u, n, p, few, like, normal_like, chosen, quarter, small, large = run(decomposed(seed))
    first = seed << 32
    np.testing.assert_array_equal(u.reshape(-1), uniform(75000, Keys(first)))
    np.testing.assert_allclose(n.reshape(-1), normal(75000, Keys(first + 1)), rtol=1e-4, atol=1e-6)
    np.testing.assert_array_equal(p, order(40, Keys(first + 2)))
    np.testing.assert_array_equal(few, uniform(4, Keys(first + 3)))
    np.testing.assert_array_equal(like, uniform(4, Keys(first + 4)))
    np.testing.assert_allclose(normal_like, normal(4, Keys(first + 5)), rtol=1e-4, atol=1e-6)
    np.testing.assert_array_equal(chosen, uniform(4, Keys(first + 6)) < few)
    np.testing.assert_array_equal(quarter.reshape(-1), uniform(75000, Keys(first + 7)) < 0.25)
    np.testing.assert_array_equal(small, integers(0, 4, 40, Keys(first + 8)))
    np.testing.assert_array_equal(large, integers(-(10**9), 10**9, 40, Keys(first + 9)))


def test_distribution():
    """75000 numbers have the right statistics. The bounds are more than four standard errors wide."""
    u, n = uniform(75000, Keys(1)), normal(75000, Keys(2))
    assert 0 <= u.min() and u.max() < 1
    assert abs(u.mean() - 0.5) < 0.005 and abs(u.var() - 1 / 12) < 0.002
    assert abs(n.mean()) < 0.016 and abs(n.var() - 1) < 0.022
    counts = np.histogram(u, bins=64, range=(0, 1))[0]
    assert ((counts - counts.mean()) ** 2 / counts.mean()).sum() < 116  # chi-squared, 63 degrees, p = 5e-5
    assert abs(np.corrcoef(u[:-1], u[1:])[0, 1]) < 0.015
    assert abs(np.corrcoef(u, uniform(75000, Keys(2)))[0, 1]) < 0.015


def exponential(count, keys):
    return np.maximum(-np.log(1 - uniform(count, keys).astype(np.float64)), 2.0**-24)


def cauchy(count, keys):
    return np.tan(np.pi * (uniform(count, keys).astype(np.float64) - 0.5))


def chosen(weights, count, keys):
    """The positions of `count` weights of each row, without replacement: of the largest quotients."""
    quotients = weights / exponential(weights.size, keys).reshape(weights.shape)
    return np.argsort(-quotients, axis=-1, kind="stable")[..., :count]


def drawn(weights, count, keys):
    """The same with replacement: the first sum of weights above a part of their total."""
    parts = uniform(len(weights) * count, keys).reshape(-1, count) * weights.sum(-1, keepdims=True)
    return (np.cumsum(weights, -1)[:, None] <= parts[:, :, None]).sum(-1)


def kept(p, count, keys):
    return uniform(count, keys) >= p


def slopes(keys):
    """Those of rrelu(X, 1/8, 1/4) in training."""
    return np.where(X.numpy().ravel() <= 0, 0.125 + 0.125 * uniform(24, keys), 1)


def complexes(parts):
    return parts.reshape(-1, 2) @ np.array([1, 1j])


def self_normalizing(x, kept, p):
    alpha = 1.7580993408473766
    scale = 1 / np.sqrt((1 - p) * (1 + p * alpha**2))
    return scale * (np.where(kept, x, -alpha) + alpha * p)


X = torch.linspace(-2, 3, 24).reshape(2, 3, 4)
BYTES, COUNTS = torch.zeros(24, dtype=torch.int8), torch.zeros(24, dtype=torch.int64)
MEAN, DEVIATION = torch.arange(4.0), torch.tensor([[0.5], [1.0], [2.0]])
ODDS = torch.rand(24, generator=torch.Generator().manual_seed(0))
WEIGHTS = torch.tensor([[1.0, 0.0, 3.0, 2.0], [0.5, 0.25, 0.0, 4.0]])
# An op, its arguments, and its result from the keys of the generator.
DISTRIBUTIONS = [
    ("aten.uniform", (X, 2.0, 5.0), lambda keys: 2 + 3 * uniform(24, keys)),
    ("aten.normal_functional", (X, 1.0, 2.0), lambda keys: 1 + 2 * normal(24, keys)),
    ("aten.normal.Tensor_float", (MEAN, 2.0), lambda keys: MEAN.numpy() + 2 * normal(4, keys)),
    ("aten.normal.float_Tensor", (1.0, DEVIATION), lambda keys: 1 + DEVIATION.numpy().ravel() * normal(3, keys)),
    (
        "aten.normal.Tensor_Tensor",
        (MEAN, DEVIATION),
        lambda keys: MEAN.numpy() + DEVIATION.numpy() * normal(12, keys).reshape(3, 4),
    ),
    ("aten.normal.float_float", (1.0, 2.0, [3, 5]), lambda keys: 1 + 2 * normal(15, keys)),
    ("aten.exponential", (X, 2.0), lambda keys: exponential(24, keys) / 2),
    ("aten.cauchy", (X, 1.0, 2.0), lambda keys: 1 + 2 * cauchy(24, keys)),
    ("aten.log_normal", (X, 0.5, 0.25), lambda keys: np.exp(0.5 + 0.25 * normal(24, keys))),
    ("aten.geometric", (X, 0.25), lambda keys: np.maximum(np.ceil(exponential(24, keys) / -np.log1p(-0.25)), 1)),
    ("aten.bernoulli.Tensor", (X.reshape(24), ODDS), lambda keys: uniform(24, keys) < ODDS.numpy()),
    ("aten.randint_like", (X, 7), lambda keys: integers(0, 7, 24, keys)),
    ("aten.randint_like.low_dtype", (X, -3, 7, torch.int64), lambda keys: integers(-3, 7, 24, keys)),
    ("aten.random.to", (COUNTS, 9), lambda keys: integers(0, 9, 24, keys)),
    ("aten.random.from", (COUNTS, -5, 5), lambda keys: integers(-5, 5, 24, keys)),
    ("aten.random", (BYTES,), lambda keys: integers(0, 128, 24, keys)),
    ("aten.multinomial", (WEIGHTS, 5, True), lambda keys: drawn(WEIGHTS.numpy(), 5, keys)),
    ("aten.multinomial", (WEIGHTS, 2, False), lambda keys: chosen(WEIGHTS.numpy(), 2, keys)),
    ("aten.dropout", (X, 0.25, True), lambda keys: X.numpy().ravel() * kept(0.25, 24, keys) / 0.75),
    ("aten.native_dropout", (X, 0.25, True), lambda keys: X.numpy().ravel() * kept(0.25, 24, keys) / 0.75),
    ("aten.dropout", (X, 1.0, True), lambda keys: np.zeros(24)),
    (
        "aten.alpha_dropout",
        (X, 0.25, True),
        lambda keys: self_normalizing(X.numpy().ravel(), kept(0.25, 24, keys), 0.25),
    ),
    (
        "aten.feature_dropout",
        (X, 0.5, True),
        lambda keys: X.numpy().reshape(6, 4) * kept(0.5, 6, keys)[:, None] / 0.5,
    ),
    (
        "aten.feature_alpha_dropout",
        (X, 0.5, True),
        lambda keys: self_normalizing(X.numpy().reshape(6, 4), kept(0.5, 6, keys)[:, None], 0.5),
    ),
    ("aten.rrelu", (X, 0.125, 0.25, True), lambda keys: X.numpy().ravel() * slopes(keys)),
    (
        "aten.rrelu_with_noise_functional",
        (X, X, 0.125, 0.25, True),
        lambda keys: X.numpy().ravel() * slopes(keys),
    ),
    # As many bits as the dtype has, so that no number is rounded to 1.
    ("aten.uniform", (X.half(), 0.0, 1.0), lambda keys: np.floor(uniform(24, keys) * 2.0**11) * 2.0**-11),
    # With the default generator, which None stands for.
    ("aten.rand.generator", ([4, 6], None), lambda keys: uniform(24, keys)),
    ("aten.rand_like.generator", (X, None), lambda keys: uniform(24, keys)),
    ("aten.randn.generator", ([4, 6], None), lambda keys: normal(24, keys)),
    ("aten.randn_like.generator", (X, None), lambda keys: normal(24, keys)),
    ("aten.randint.generator", (7, [4, 6], None), lambda keys: integers(0, 7, 24, keys)),
    ("aten.randint.low_generator", (-3, 7, [4, 6], None), lambda keys: integers(-3, 7, 24, keys)),
    ("aten.randint_like.generator", (X, 7, None), lambda keys: integers(0, 7, 24, keys)),
    ("aten.randint_like.low_generator_dtype", (X, -3, 7, None), lambda keys: integers(-3, 7, 24, keys)),
    ("aten.randperm.generator", (40, None), lambda keys: order(40, keys)),
]


HAVE_TWO = ("aten.native_dropout", "aten.rrelu_with_noise_functional")
Z = torch.complex(X, X)
# Those of complex numbers, whose parts are drawn.
COMPLEX = [
    ("aten.rand", ([3, 4], torch.complex64), lambda keys: complexes(uniform(24, keys))),
    ("aten.rand_like", (Z,), lambda keys: complexes(uniform(48, keys))),
    ("aten.randn", ([3, 4], torch.complex64), lambda keys: complexes(normal(24, keys)) / 2**0.5),
    ("aten.randn_like", (Z,), lambda keys: complexes(normal(48, keys)) / 2**0.5),
    ("aten.normal_functional", (Z, 1.0, 2.0), lambda keys: complexes(1 + 2**0.5 * normal(48, keys))),
    ("aten.uniform", (Z, 2.0, 5.0), lambda keys: complexes(2 + 3 * uniform(48, keys))),
]


@pytest.mark.parametrize(
    "run, distributions",
    [(on_linalg, DISTRIBUTIONS + COMPLEX), (on_mhlo, DISTRIBUTIONS + COMPLEX), (on_tosa, DISTRIBUTIONS)],
)
def test_distributions(run, distributions):
    cases = [aten_cases.Case(op, args, used=1 if op in HAVE_TWO else None) for op, args, _ in distributions]
    # Each tensor is a constant of the program.
    text = isthmus_opt(aten_cases.program(cases, literals=True), "--torch-decompose-complex-ops=random-seed=3")
    results = run(text)
    for number, ((op, _, expected), case, result) in enumerate(zip(distributions, cases, results, strict=True)):
        (shape,) = {tuple(each.shape) for each in case.expected}
        want = np.asarray(expected(Keys((3 << 32) + number))).reshape(shape)
        assert result.dtype.kind == aten_cases.to_numpy(case.expected[0]).dtype.kind, op
        np.testing.assert_allclose(result, want, rtol=2e-4, atol=1e-5, err_msg=op)


@pytest.mark.parametrize("run", [on_linalg, on_mhlo, on_tosa])
def test_zero(run):
    """A uniform number of 0 becomes no exponentially distributed one of 0, by which multinomial would divide."""
    seed, place = 151857, 19
    assert uniform(24, Keys(seed << 32))[place] == 0

    def result(*case):
        text = aten_cases.program([aten_cases.Case(*case)], literals=True)
        return run(isthmus_opt(text, f"--torch-decompose-complex-ops=random-seed={seed}"))[0]

    assert (result("aten.exponential", (X, 1.0)) > 0).all()
    weights = torch.ones(24)
    weights[place] = 0
    assert result("aten.multinomial", (weights, 24, False))[-1] == place
