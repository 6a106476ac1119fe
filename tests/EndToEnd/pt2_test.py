"""Exported programs, read without PyTorch and compiled for this machine, compute the same as PyTorch."""

import itertools
import operator

import numpy as np
import pytest
import torch
from torch import nn
from torch.export import Dim
from torch.fx.experimental.proxy_tensor import make_fx

import isthmus
from isthmus import pytorch
from tests.support.pt2_programs import Function, export, exported, serialize

BATCH = {0: Dim.DYNAMIC}


def leaves(tree):
    """The tensors and scalars of an output, in order."""
    found, _ = torch.utils._pytree.tree_flatten(tree)
    return [leaf for leaf in found if leaf is not None]


def check(module, *args, others=(), decompose=False, mutated=(), **options):
    """Compiles the program that `module` is for `args` and runs it on them, and on `others`.

    `mutated` are results that come after the module's own: the tensors that it has written to.
    """
    if not isinstance(module, nn.Module):
        module = Function(module)
    data = export(module, *args, decompose=decompose, **options)
    compiled = isthmus.import_model(data).lower("linalg")
    for inputs in [args, *others]:
        arrays = [np.asarray(leaf) for leaf in leaves(inputs)]
        with torch.no_grad():
            expected = leaves(module.eval()(*[leaf.clone() if torch.is_tensor(leaf) else leaf for leaf in inputs]))
        results = compiled.run(*arrays)
        assert len(results) == len(expected) + len(mutated)
        for got, want in zip(results, [*expected, *mutated]):
            want = np.asarray(want)
            assert got.shape == want.shape and got.dtype == want.dtype
            np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)


def noise(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


# ---- Modules -------------------------------------------------------------------------------------------------------------


def perceptron():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 4), nn.Softmax(-1))


@pytest.mark.parametrize("decompose", [False, True])
def test_a_perceptron(decompose):
    check(perceptron(), noise(3, 8), decompose=decompose)


@pytest.mark.parametrize("decompose", [False, True])
def test_one_compilation_for_every_batch(decompose):
    others = [(noise(size, 8),) for size in (2, 7)]
    check(perceptron(), noise(3, 8), others=others, decompose=decompose, dynamic_shapes=({0: Dim.DYNAMIC},))


class Weights(nn.Module):
    """Uses parameters, buffers of both kinds, constants, views of them, and one weight with two names."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.first = nn.Linear(4, 4)
        self.second = nn.Linear(4, 4)
        self.second.weight = self.first.weight
        self.register_buffer("kept", noise(40, 40, seed=1))
        self.register_buffer("passing", torch.arange(40.0), persistent=False)
        self.constant = noise(40, 40, seed=2).t()
        self.part = self.kept[::2, 3]

    def forward(self, x):
        y = self.second(self.first(x)).sum((0, 1), keepdim=True)
        return y + self.kept * self.passing, self.constant, self.part + 1, torch.tensor([1, 2])


def test_weights_of_every_kind():
    check(Weights(), noise(2, 4))


def test_nested_inputs_and_outputs():
    class Nested(nn.Module):
        def forward(self, x, pair, table):
            return {"sum": x + pair[0], "rest": [pair[1] * table["k"], None], "size": 3}, table["k"] - x

    module = Nested()
    a, b, c, d = (noise(2, seed=seed) for seed in range(4))
    compiled = isthmus.import_model(export(module, a, (b, c), {"k": d})).lower("linalg")
    results = compiled.run(a.numpy(), b.numpy(), c.numpy(), d.numpy())
    for got, want in zip(results, [a + b, c * d, d - a], strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-6)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.as_strided((2, 2), (4, 1)),
        lambda x: torch.as_strided_copy(x, (2, 2), (4, 1)),
        lambda x: x.t().as_strided((2, 3), (1, 2)),
        lambda x: x.t().as_strided((2, 3), (1, 2), 3),
        lambda x: (x.t() + 1).as_strided((2, 2), (4, 1)),
        lambda x: x[1:].as_strided((2, 2), (4, 1)),
        lambda x: x[1:].as_strided((2, 2), (4, 1), 5),
        lambda x: x.view(2, 3, 2).movedim(0, 2).as_strided((2, 3), (6, 2)),
        lambda x: x.as_strided_scatter(x[1:, 2:] * 2, (2, 2), (4, 1)),
        lambda x: x.t().as_strided_scatter(x[:2, :3] * 2, (2, 3), (1, 2), 3),
        lambda x: (x + 1)[1:].as_strided_scatter(x[:2, :2], (2, 2), (4, 1)),
        lambda x: x.sum().as_strided_scatter(x[0, 0] * 2, (), ()),
    ],
    ids=[
        *("rows", "copied", "transposed", "offset", "result", "part", "offset_of_part", "moved"),
        *("scatter", "scatter_transposed", "scatter_part", "scatter_number"),
    ],
)
def test_views_by_strides_follow_the_storage(function):
    check(function, noise(3, 4))


def test_a_grid_samples_no_images():
    check(lambda x, grid: nn.functional.grid_sample(x, grid), noise(0, 3, 4, 5), noise(0, 2, 2, 2))


@pytest.mark.parametrize(
    "function, expected",
    [
        (
            lambda x: x[:, 1:].as_strided((2, 2), (4, 1)),
            "expected a tensor without gaps between its elements in memory",
        ),
        (lambda x: x[1:].as_strided((2, 2), (4, 1), 0), "expected a view inside of the elements of its argument"),
        (lambda x: (x + 1).as_strided_((2, 2), (4, 1)), "expected aten.as_strided, got aten.as_strided_"),
        (lambda x: x[:1].as_strided((3, 4), (4, 1)), "expected a view inside of the elements of its argument"),
    ],
    ids=["gaps", "before", "in_place", "after"],
)
def test_views_by_strides_of_other_elements_are_refused(function, expected):
    with pytest.raises(isthmus.BadModelError, match=expected):
        isthmus.import_model(export(function, noise(3, 4)))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.as_strided((x.shape[0], 2), (4, 2)),
        lambda x: x[1:].as_strided((x.shape[0] - 1, 2), (4, 2)),
        lambda x: x.as_strided((x.shape[0] - 1, 4), (4, 1), x.shape[0] - x.shape[0] + 4),
        lambda x: x.as_strided_scatter(x[:, :2] * 2, (x.shape[0], 2), (4, 2)),
    ],
    ids=["columns", "part", "offset", "scatter"],
)
def test_views_by_strides_of_open_sizes(function):
    check(function, noise(3, 4), others=[(noise(5, 4),)], dynamic_shapes={"args": (BATCH,)})


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x[: x.shape[0] // 2].as_strided((x.shape[0], 4), (4, 1)),
        lambda x: x[:1].as_strided((x.shape[0],), (1,)),
    ],
    ids=["half", "row"],
)
def test_views_by_strides_of_other_elements_of_open_sizes_are_refused(function):
    with pytest.raises(isthmus.BadModelError, match="expected a view inside of the elements of its argument"):
        isthmus.import_model(export(function, noise(3, 4), dynamic_shapes={"args": (BATCH,)}))


# ---- Scalars -------------------------------------------------------------------------------------------------------------


def test_sizes_as_values():
    def f(x):
        n = x.shape[0]
        return x.reshape(n * 2, -1), x[: n // 2], x * n + n % 3

    others = [(noise(size, 6),) for size in (4, 9)]
    check(f, noise(5, 6), others=others, dynamic_shapes={"args": (BATCH,)})


def test_powers_and_roots_of_sizes():
    def f(x):
        n = x.shape[0]
        return x / n**0.5, x * n**-1.5, x + torch.sym_sqrt(n)

    others = [(noise(size, 6),) for size in (4, 9)]
    check(f, noise(5, 6), others=others, dynamic_shapes={"args": (BATCH,)})


def test_floats_and_bits_of_sizes():
    def f(x):
        n = x.shape[0]
        smallest, largest = torch.sym_min(n / 3, 2.5), torch.sym_max(n / 3, 2.5)
        return x * -(n / 3), x * ((n / 2) % 3), x * smallest + largest, x.repeat(n << 1, 1)[: n >> 1]

    others = [(noise(size, 6),) for size in (4, 9)]
    check(f, noise(5, 6), others=others, dynamic_shapes={"args": (BATCH,)})


@pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne])
def test_comparisons_of_fractions_of_sizes(compare):
    def f(x):
        n = x.shape[0]
        return x + torch.sym_ite(compare(n / 3, 2.0), n, 2 * n)

    others = [(noise(size, 6),) for size in (6, 9)]
    check(f, noise(5, 6), others=others, dynamic_shapes={"args": (BATCH,)})


def test_powers_of_fixed_sizes():
    data = export(lambda x: x / x.shape[0] ** 0.5, noise(5, 6), dynamic_shapes={"args": (BATCH,)})
    x = noise(3, 6).numpy()
    (result,) = isthmus.import_model(data).lower("tosa", specialize={"args_0": [3, 6]}).run(x)
    np.testing.assert_allclose(result, x / 3**0.5, rtol=1e-6)


@pytest.mark.parametrize("size", [4, 16, 33])
@pytest.mark.parametrize("reduce", [torch.sum, torch.amax, torch.prod, torch.any])
def test_a_reduction_of_one_element_broadcasts(reduce, size):
    x, y = noise(3, 1), noise(3, size)
    check(lambda x, y: torch.where(reduce(x, 1, keepdim=True) > 0, y, 2.0), x, y)
    check(lambda x, y: reduce(x, 1, keepdim=True) * y, x, y)


def test_sizes_as_results():
    data = export(lambda x: (x.shape[0] * 2 + 1, x.shape[0] / 4), noise(5), dynamic_shapes={"args": (BATCH,)})
    length, ratio = isthmus.import_model(data).lower("linalg").run(np.ones(7, np.float32))
    assert length == 15 and length.dtype == np.int64
    assert ratio == 1.75 and ratio.dtype == np.float64


def test_an_int_as_input():
    data = export(lambda x, n: x[:, :n] * n, noise(2, 9), 4, dynamic_shapes={"args": (None, Dim.DYNAMIC)})
    compiled = isthmus.import_model(data).lower("linalg")
    x = noise(2, 9).numpy()
    for n in (2, 5):
        (result,) = compiled.run(x, np.array(n))
        np.testing.assert_allclose(result, x[:, :n] * n, rtol=1e-6)


@pytest.mark.parametrize("scalar", [2, 2.5, True])
@pytest.mark.parametrize("dtype", [torch.bool, torch.int32, torch.int64, torch.float32, torch.float64])
def test_scalars_promote_as_in_pytorch(dtype, scalar):
    check(lambda x: (x * scalar, x + scalar, torch.maximum(x, torch.tensor(1, dtype=dtype))), torch.ones(3).to(dtype))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.complex64, torch.complex128])
def test_complex_scalars_promote_as_in_pytorch(dtype):
    check(lambda x: (x * (2.1 - 3j), x + 1j), torch.ones(3).to(dtype))


def linear_with_complex_factors(z):
    yield torch.addmm(z, z, z, beta=0.1j, alpha=2 + 1j)
    yield torch.addmm(z[0], z, z, beta=0j)
    yield torch.addbmm(z, z[None], z[None], beta=1j, alpha=0.5j)
    yield torch.baddbmm(z[None], z[None], z[None], alpha=1j)
    yield torch.addmv(z[1], z, z[0], alpha=1j, beta=2j)
    yield torch.addr(z, z[0], z[0], alpha=1j)
    yield torch.sub(z, z.T, alpha=0.1j)
    yield torch.addcmul(z, z, z, value=1j)
    yield torch.index_add(z, 0, torch.tensor([0]), z[:1], alpha=1j)


def filled_with_complex_numbers(z):
    yield torch.full_like(z, 0.1j)
    yield torch.full((3,), 1.1 + 2j)
    yield torch.full((3,), 0.1j, dtype=torch.complex128)
    yield z.real.new_full((2, 3), 3.1j, dtype=torch.complex64)
    yield z.masked_fill(z.real > 0, 0.1j)
    yield z.index_fill(0, torch.tensor([0]), 2.1j)
    yield z.clone().masked_fill_(z.real > 0, 1j)
    yield torch.fill(z, 1j)
    yield torch.where(z.real > 0, z, 1j)


def formulas_of_complex_numbers(z):
    yield z == 1 + 1j
    yield z != 1 + 1j
    yield torch.pow(z, 2j)
    yield torch.pow(2j, z)
    yield torch.rsub(z, 1j)
    yield torch.lerp(z, z * 2, 1j)
    yield torch.linspace(0.1j, 2.1, 5)
    yield torch.linspace(0.1j, 0.2, 4, dtype=torch.complex128)
    yield torch.logspace(1j, 2, 5)


@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128])
@pytest.mark.parametrize(
    "functions", [linear_with_complex_factors, filled_with_complex_numbers, formulas_of_complex_numbers]
)
def test_complex_numbers_as_arguments(functions, dtype):
    z = torch.complex(noise(3, 3), noise(3, 3, seed=1)).to(dtype)
    z[0, 0] = 1 + 1j
    check(lambda z: tuple(functions(z)), z)


@pytest.mark.parametrize("pieces", [[1, 3], 4])
def test_pieces_that_a_constant_tensor_names(pieces):
    check(lambda x: torch.tensor_split(x, torch.tensor(pieces)), noise(6, 3))


@pytest.mark.parametrize("pieces", [[1, 3], [-4, 5, 2]])
def test_pieces_that_an_argument_names(pieces):
    check(lambda x, at: [piece * 2 for piece in torch.tensor_split(x, at)], noise(6, 3), torch.tensor(pieces))


@pytest.mark.parametrize("target", ["linalg", "stablehlo"])
@pytest.mark.parametrize("bias", [False, True])
def test_a_filter_for_each_of_an_open_number_of_channels(bias, target):
    """As kornia's filters: the number of groups is a size."""

    def f(x, row, bias):
        channels = x.shape[1]
        filters = row[:, None] * row[None, :2]
        y = nn.functional.conv2d(
            x, filters.expand(channels, 1, 3, 2), bias, groups=channels, stride=(1, 2), padding=1, dilation=2
        )
        return y, nn.functional.conv1d(x[:, :, 0], row.expand(channels, 1, 3), groups=channels)

    def arguments(batch, channels, height, width):
        return noise(batch, channels, height, width), noise(3), noise(channels) if bias else None

    opened = dict.fromkeys(range(4), Dim.DYNAMIC)
    shapes = {"args": (opened, None, {0: Dim.DYNAMIC} if bias else None)}
    others = [arguments(4, 5, 8, 6), arguments(3, 2, 5, 9)]
    if target == "linalg":
        check(f, *arguments(2, 3, 7, 6), others=others, dynamic_shapes=shapes)
    else:
        isthmus.import_model(export(f, *arguments(2, 3, 7, 6), dynamic_shapes=shapes)).lower(target)


def test_a_cross_product_along_a_dim_that_is_not_named():
    shapes = {"args": ({0: Dim.DYNAMIC},)}
    check(lambda x: torch.cross(x, x + 1), noise(5, 3), others=[(noise(4, 3),)], dynamic_shapes=shapes)


class TrainingNorm(nn.Module):
    """A norm that updates its running statistics."""

    def __init__(self, norm, affine):
        super().__init__()
        self.norm = norm
        self.register_buffer("mean", torch.tensor([0.5, 0.0, -1.0]))
        self.register_buffer("variance", torch.tensor([1.0, 2.0, 0.5]))
        self.weight, self.bias = (nn.Parameter(noise(3, seed=s)) if affine else None for s in (1, 2))

    def forward(self, x):
        return self.norm(x, self.mean, self.variance, self.weight, self.bias)


NORMS = {
    "batch": lambda x, m, v, w, b: nn.functional.batch_norm(x, m, v, w, b, True, 0.3),
    "instance": lambda x, m, v, w, b: nn.functional.instance_norm(x, m, v, w, b, True, 0.3),
    "native": lambda x, m, v, w, b: torch.ops.aten._native_batch_norm_legit(x, w, b, m, v, True, 0.3, 1e-5),
}


@pytest.mark.parametrize("decompose", [False, True])
@pytest.mark.parametrize("affine", [False, True])
@pytest.mark.parametrize("name", NORMS)
def test_running_statistics_in_training(name, affine, decompose):
    module = TrainingNorm(NORMS[name], affine)
    check(module, noise(2, 3, 4), decompose=decompose, mutated=(module.mean, module.variance))


@pytest.mark.parametrize("function", [torch.chunk, torch.hsplit, torch.tensor_split])
def test_pieces_of_an_unknown_size(function):
    shapes = {"args": ({0: 3 * Dim("n", min=1, max=9)},)}
    check(lambda x: function(x, 3), noise(6), others=[(noise(9),), (noise(15),)], dynamic_shapes=shapes)


def test_chunks_of_different_sizes():
    shapes = {"args": ({0: Dim.DYNAMIC},)}
    check(lambda x: torch.chunk(x, 3), noise(6), others=[(noise(8),), (noise(12),)], dynamic_shapes=shapes)
    data = export(lambda x: torch.chunk(x, 3), noise(6), dynamic_shapes=shapes)
    with pytest.raises(isthmus.InputError, match="which the program was exported for, got .* = 4"):
        isthmus.import_model(data).lower("linalg").run(np.ones(4, np.float32))  # two chunks of 2


def open_program():
    """A program with x of shape [n, 4], for n from 3 to 9, and y of shape [2 n]."""
    n = Dim("n", min=3, max=9)
    shapes = {"args": ({0: n}, {0: 2 * n})}
    return export(lambda x, y: x.reshape(-1, 2) * y[:, None], noise(3, 4), noise(6), dynamic_shapes=shapes)


def test_sizes_may_be_fixed():
    program = isthmus.import_model(open_program())
    compiled = program.lower("tosa", specialize={"args_0": [5, 4]})
    assert "?" not in compiled.text()
    x, y = noise(5, 4).numpy(), noise(10).numpy()
    np.testing.assert_allclose(compiled.run(x, y)[0], x.reshape(-1, 2) * y[:, None], rtol=1e-6)


def test_sizes_of_a_program_from_memory():
    class Scale(torch.nn.Module):
        def forward(self, x, y):
            return x.reshape(-1, 2) * y[:, None]

    n = Dim("n", min=2, max=9)
    shapes = ({0: n}, {0: 2 * n})
    options = {"dynamic_shapes": shapes, "specialize": {"x": [5, 4]}}
    compiled = isthmus.compile(Scale(), (noise(3, 4), noise(6)), "tosa", **options)
    assert "?" not in compiled.text()
    x, y = noise(5, 4), noise(10)
    np.testing.assert_allclose(compiled(x, y), x.reshape(-1, 2) * y[:, None], rtol=1e-6)


@pytest.mark.parametrize(
    "sizes, expected",
    [
        ({"args_0": [2, 4]}, r"input 'args_0': expected \w+ of at least 3, got 2"),
        ({"args_0": [10, 4]}, r"input 'args_0': expected \w+ of at most 9, got 10"),
        ({"args_0": [5, 3]}, "input 'args_0': expected 4 as size 1, got 3"),
        ({"args_0": [5]}, "input 'args_0': expected 2 sizes, got 1"),
        ({"args_0": [5, 4], "args_1": [9]}, "input 'args_1': expected 10 as size 0, got 9"),
        ({"z": [5]}, "input 'z': expected a tensor of this name to give it a shape, got none"),
    ],
)
def test_sizes_that_a_program_does_not_take(sizes, expected):
    with pytest.raises(isthmus.UnsupportedError, match=expected):
        isthmus.import_model(open_program()).lower("tosa", specialize=sizes)


# ---- Control flow --------------------------------------------------------------------------------------------------------


def test_cond():
    def f(x):
        return torch.cond(x[0] > 0, lambda x: x + 1, lambda x: x - 1, (x,))

    check(f, torch.tensor([1.0, 2.0]), others=[(torch.tensor([-1.0, 2.0]),)])


@pytest.mark.parametrize("target", ["linalg", "tosa"])
def test_cond_in_cond(target):
    def inner(x):
        return torch.cond(x[1] > 0, lambda x: x * 2, lambda x: x * 3, (x,))

    data = export(lambda x: torch.cond(x[0] > 0, inner, lambda x: x - 1, (x,)), torch.ones(2))
    compiled = isthmus.import_model(data).lower(target)
    for x, y in [([1, 2], [2, 4]), ([1, -2], [3, -6]), ([-1, 2], [-2, 1])]:
        np.testing.assert_array_equal(compiled.run(np.array(x, np.float32))[0], y)


def test_while_loop():
    from torch._higher_order_ops.while_loop import while_loop

    def f(x, n):
        return while_loop(lambda x, n: n < 5, lambda x, n: (x * 2, n + 1), (x, n))

    check(f, noise(3), torch.tensor(0), others=[(noise(3), torch.tensor(4)), (noise(3), torch.tensor(9))])


def test_map():
    from torch._higher_order_ops.map import map as map_rows

    def f(x, y):
        return map_rows(lambda row, y: (row * y + 1, row.sum(0)), x, y)

    check(f, noise(3, 4), noise(4, seed=1))


def test_map_of_any_number_of_rows():
    from torch._higher_order_ops.map import map as map_rows

    def f(x, y):
        return map_rows(lambda row, y: row * y + 1, x, y)

    others = [(noise(size, 4), noise(4, seed=1)) for size in (2, 6)]
    check(f, noise(3, 4), noise(4, seed=1), others=others, dynamic_shapes={"args": (BATCH, None)})


def test_scan():
    from torch._higher_order_ops.scan import scan

    def f(start, x):
        return scan(lambda total, row: (total + row, total * row), start, x)

    check(f, noise(4, seed=1), noise(3, 4))


def other_names(x, y):
    """Calls operators by PyTorch's second names for them."""
    z = torch.divide(torch.multiply(torch.absolute(x), y), torch.special.expit(y))
    z = torch.where(torch.greater(x, y), torch.negative(z), torch.subtract(z, 1))
    rows = torch.split(torch.moveaxis(torch.concatenate([z, torch.clip(x, -1, 1)], 1), 0, 1), [2, 4])
    return torch.swapdims(rows[0], 0, 1), torch.arctan2(rows[1], torch.fix(rows[1]) + 2), torch.linalg.matmul(x.T, y)


def test_other_names():
    check(other_names, noise(4, 3), noise(4, 3, seed=1))


def test_writes_by_other_names():
    check(lambda x: (y := x + 1, y.multiply_(2), y.arctan_(), y.clip_(max=0.9))[-1] + y, noise(4, 3))


@pytest.mark.parametrize("copy", [lambda x: torch.narrow_copy(x, 0, 0, 2), torch.ops.aten.view_copy])
def test_writes_to_a_copy_do_not_reach_the_original(copy):
    def function(x):
        x = x * 2
        y = copy(x, [2, 6]) if copy is torch.ops.aten.view_copy else copy(x)
        return y.add_(1), x

    check(function, noise(3, 4))


def test_a_graph_without_gradients():
    def f(x):
        with torch.no_grad():
            y = x * 2
        return y + x

    check(f, noise(3))


@pytest.mark.parametrize("transposes", [False, True])
def test_gradients_of_determinants(transposes):
    """PyTorch factors a matrix or its transpose, whichever is contiguous, and the traced gradient depends on that."""

    def gradient(x):
        x = x.detach().requires_grad_()
        y = x.mT if transposes else x
        return torch.autograd.grad(torch.linalg.slogdet(y)[1] + torch.linalg.det(y), x)[0]

    x = torch.tensor([[4.0, 1.0, 0.5], [0.0, 3.0, 2.0], [1.0, 0.5, 2.0]])
    check(make_fx(gradient)(x), x)


def test_an_operator_in_another_dtype():
    a = torch.tensor([[100, -100], [7, 3]], dtype=torch.int8)

    def f(x, y):
        return torch.ops.higher_order.out_dtype(torch.ops.aten.mm.default, torch.int32, x, y)

    check(f, a, a.T.contiguous())


def ends_of(*groups):
    return torch.tensor(groups, dtype=torch.int32)


@pytest.mark.parametrize(("left", "right"), [((8, 16), (4, 16, 8)), ((4, 8, 16), (16, 8)), ((16, 8), (8, 16))])
def test_a_product_per_group(left, right):
    a, b = noise(*left).to(torch.bfloat16), noise(*right, seed=1).to(torch.bfloat16)
    program = exported(lambda a, b, ends: torch._grouped_mm(a, b, offs=ends), a, b, ends_of(2, 2, 5, 8))
    compiled = isthmus.compile(program)
    for ends in (ends_of(2, 2, 5, 8), ends_of(0, 8, 8, 8)):
        torch.testing.assert_close(compiled(a, b, ends), program.module()(a, b, ends))


def test_a_product_per_group_of_a_batch():
    a, b = noise(4, 8, 16).to(torch.bfloat16), noise(4, 16, 8, seed=1).to(torch.bfloat16)
    compiled = isthmus.compile(exported(torch._grouped_mm, a, b))
    torch.testing.assert_close(compiled(a, b), torch._grouped_mm(a, b))


def experts():
    """The layer of experts of transformers in f32. PyTorch has no operator to export for it."""
    import transformers.integrations.moe  # noqa: F401  registers it

    rows = {"x": {0: Dim.DYNAMIC}, "weights": None, "ends": None}

    def f(x, weights, ends):
        return torch.ops.transformers.grouped_mm_fallback(x, weights, ends)

    inputs = noise(8, 16), noise(4, 16, 3, seed=1), ends_of(2, 2, 5, 8)
    return exported(f, *inputs, dynamic_shapes={"args": tuple(rows.values())}), inputs


def test_a_layer_of_experts():
    program, (x, weights, ends) = experts()
    compiled = isthmus.compile(program)
    # Rows after the last end belong to no expert and are 0.
    for arguments in [(x, weights, ends), (noise(11, 16), weights, ends), (x, weights, ends_of(0, 0, 0, 1))]:
        torch.testing.assert_close(compiled(*arguments), program.module()(*arguments))


def test_experts_of_rows_that_are_not_there():
    program, (x, weights, _) = experts()
    compiled = isthmus.compile(program)
    with pytest.raises(isthmus.InputError, match="expected offs inside of the dim they part, got 9 and 8"):
        compiled(x, weights, ends_of(2, 2, 5, 9))
    with pytest.raises(isthmus.InputError, match="expected a size that is not negative"):
        compiled(x, weights, ends_of(2, 1, 5, 8))


def test_what_is_printed_is_not_computed():
    def f(x):
        torch._higher_order_ops.print("x is {}", x)
        return x + 1

    check(f, noise(3))


# ---- Writing in place ----------------------------------------------------------------------------------------------------


WRITES = {
    "all of it": lambda x: x.mul_(2).add_(1),
    "in another dtype": lambda x: x.to(torch.int64).mul_(torch.tensor([2, 3, 4])),
    "zeros": lambda x: x.zero_() + 1,
    "one value": lambda x: x.fill_(3.5) + 1,
    "a copy that broadcasts": lambda x: x.copy_(torch.tensor([1, 2, 3])) + 1,
    "masked": lambda x: x.masked_fill_(x > 0, 0.5) + 1,
    "where it was clamped": lambda x: x.clamp_(-0.5, 0.5) + 1,
    "where nothing is dropped": lambda x: nn.functional.dropout(x, training=False, inplace=True) + x,
    "where no channel is dropped": lambda x: torch.feature_dropout_(x, 0.5, False) + x,
    "where moments are kept": lambda x: nn.functional.alpha_dropout(x, training=False, inplace=True) + x,
    "the diagonal": lambda x: x.fill_diagonal_(7) + x,
    "a power": lambda x: x.pow_(2) + x,
    "a power that is a tensor": lambda x: x.abs_().pow_(torch.tensor([0.5, 1, -2])) + x,
    "a power in double precision": lambda x: x.double().float_power_(3),
    "quotients that are rounded": lambda x: x.floor_divide_(torch.tensor([0.3, -0.2, 2])) + x,
    "by powers of 2": lambda x: x.ldexp_(torch.tensor([1, 2, -3])) + x,
    "through a reshape": lambda x: (x.view(6).mul_(2), x + 1)[1],
    "through a transpose": lambda x: (x.t().mul_(2), x + 1)[1],
    "through a permutation": lambda x: (x.unsqueeze(0).permute(1, 2, 0).mul_(2), x + 1)[1],
    "through a row": lambda x: (x[1].mul_(2), x + 1)[1],
    "through a slice": lambda x: (x[:, ::2].mul_(2), x + 1)[1],
    "through a slice of a row": lambda x: (x[1, 1:].fill_(7), x + 1)[1],
    "through an assignment": lambda x: (x[:, 1:].copy_(torch.tensor([5.0, 6.0])), x + 1)[1],
    "through two views": lambda x: (x.t().reshape(3, 2, 1).squeeze(2).mul_(2), x + 1)[1],
    "views see it": lambda x: (lambda v: (x.add_(1), v * 2)[1])(x.t()),
    "views of views see it": lambda x: (lambda v: (x.add_(1), v * 2)[1])(x.t().unsqueeze(0)),
    "one view sees another": lambda x: (lambda v, w: (v.add_(1), w * 2)[1])(x.t(), x.view(6)),
    "parts see it": lambda x: (lambda v: (x.add_(1), v[1] * 2)[1])(x.split(1)),
    "through what drops nothing": lambda x: (nn.functional.dropout(x, training=False).mul_(2), x + 1)[1],
    "through what drops no channel": lambda x: (nn.functional.dropout1d(x, training=False).mul_(2), x + 1)[1],
    "through what keeps moments": lambda x: (nn.functional.alpha_dropout(x, training=False).mul_(2), x + 1)[1],
    "through what drops no element": lambda x: (nn.functional.dropout(x, 0.0, True).mul_(2), x + 1)[1],
    "through what is contiguous": lambda x: (x.contiguous().mul_(2), x + 1)[1],
    "through what has the dtype": lambda x: (x.to(torch.float32).mul_(2), x + 1)[1],
    "not through a conversion": lambda x: (x.to(torch.float64).mul_(2), x + 1)[1],
    "not through a copy that makes contiguous": lambda x: (x.t().contiguous().mul_(2), x + 1)[1],
    "not through a reshape that copies": lambda x: (x.t().reshape(6).mul_(2), x + 1)[1],
    "through a reshape of a slice": lambda x: (x[:, :2].reshape(2, 2, 1).mul_(2), x + 1)[1],
    "copies do not see it": lambda x: (lambda v: (x.add_(1), v * 2)[1])(x.clone()),
}


# run_decompositions() copies the result of dropout, so PyTorch's own program computes other numbers than the function.
CHANGED_BY_PYTORCH = {
    "through what drops nothing",
    "through what drops no channel",
    "through what keeps moments",
    "through what drops no element",
}


@pytest.mark.parametrize("decompose", [False, True])
@pytest.mark.parametrize("write", WRITES)
def test_writes(write, decompose):
    if decompose and write in CHANGED_BY_PYTORCH:
        pytest.skip("PyTorch's decomposed program differs")
    write = WRITES[write]
    check(lambda x: write(x + 0), noise(2, 3), decompose=decompose)


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.full((2,), 5.0))

    def forward(self, x):
        self.count.add_(x)
        return x * self.count


@pytest.mark.parametrize("decompose", [False, True])
def test_a_mutated_buffer_is_a_result(decompose):
    data = export(Counter(), torch.ones(2), decompose=decompose)
    result, count = isthmus.import_model(data).lower("linalg").run(np.array([1, 2], np.float32))
    np.testing.assert_array_equal(result, [6, 14])
    np.testing.assert_array_equal(count, [6, 7])


@pytest.mark.parametrize("decompose", [False, True])
def test_a_mutated_input_is_a_result(decompose):
    data = export(lambda x: (x.mul_(2), x + 1)[1], torch.ones(2), decompose=decompose)
    result, x = isthmus.import_model(data).lower("linalg").run(np.array([1, 2], np.float32))
    np.testing.assert_array_equal(result, [3, 5])
    np.testing.assert_array_equal(x, [2, 4])


def test_writes_to_more_dims_are_refused():
    def function(x):
        x = x + 1
        torch.atleast_2d(x).add_(1)
        return x * 2

    with pytest.raises(isthmus.IsthmusError, match="expected no write to a view by 'torch.aten.atleast_2d'"):
        isthmus.import_model(export(Function(function), noise(3)))


@pytest.mark.parametrize(
    "change",
    [lambda x: x.transpose_(0, 1), lambda x: x.t_(), lambda x: x.swapdims_(0, 1), lambda x: x.unsqueeze_(0)],
)
def test_changes_of_sizes_or_strides_are_refused(change):
    data = export(Function(lambda x: change(x + 1) * 2), noise(3, 3))
    with pytest.raises(isthmus.IsthmusError, match="which changes the sizes or strides of its argument"):
        isthmus.import_model(data)


def test_a_reshape_of_what_is_contiguous_is_a_view():
    def f(x):
        y = x * 2
        y.reshape(-1)[1:].add_(1)
        return y

    check(f, noise(2, 3))


@pytest.mark.parametrize(
    "write",
    [
        lambda y: y.movedim(0, 1).add_(1),
        lambda y: y.squeeze().add_(1),
        lambda y: torch.einsum("ij->ji", y).add_(1),
        lambda y: torch.meshgrid(y[0], indexing="ij")[0].add_(1),
        lambda y: torch.broadcast_tensors(y[0], y[1])[0].add_(1),
        lambda y: torch.atleast_2d(y[0], y[1])[0].add_(1),
        lambda y: torch.cartesian_prod(y[0]).add_(1),
        lambda y: torch.conj_physical(y[0]).add_(1),
        lambda y: torch.tensor_split(y, 2)[0].add_(1),
        lambda y: torch.hsplit(y, [1])[1].add_(1),
    ],
    ids=[
        "movedim",
        "squeeze",
        "einsum",
        "meshgrid",
        "broadcast_tensors",
        "atleast_2d",
        "cartesian_prod",
        "conj_physical",
        "tensor_split",
        "hsplit",
    ],
)
def test_what_perhaps_was_written_to_is_not_read(write):
    def f(x):
        y = x * 2
        return write(y), y + 1

    with pytest.raises(isthmus.BadModelError, match="expected to know what '.*' holds, but it perhaps shares"):
        isthmus.import_model(export(f, noise(3, 3)))
    check(f, noise(3, 3), decompose=True)


def test_what_perhaps_was_written_to_does_no_harm_unread():
    check(lambda x: (x * 2).t().reshape(-1).add_(1), noise(3, 3))


BRANCHES = {
    "compared": lambda x: x + 1 if x.shape[0] > x.shape[1] else x - 1,
    "even": lambda x: x + 1 if x.shape[0] % 2 == 0 else x - 1,
    "elements": lambda x: x + 1 if x.numel() > 20 else x - 1,
    "thirds": lambda x: x + 1 if x.shape[0] // 3 == 2 else x - 1,
    "of a float": lambda x: x + 1 if x.shape[0] * 0.3 > 2 else x - 1,
    "largest": lambda x: x + 1 if max(x.shape) > 7 else x - 1,
    "not one size": lambda x: x + 1 if x.shape[0] != 9 else x - 1,
    "rounded": lambda x: x.new_ones(int(x.shape[1] * 1.5)),
}


@pytest.mark.parametrize("form", ["file", "memory"])
@pytest.mark.parametrize("name", BRANCHES)
def test_guards(name, form):
    """Like PyTorch's own, a program runs only on sizes for which it would take the branches that were traced."""
    dynamic = torch.export.Dim.DYNAMIC
    shapes = {"args": ({0: dynamic, 1: dynamic},)}
    program = exported(BRANCHES[name], torch.ones(8, 6), dynamic_shapes=shapes)
    module = isthmus.import_model(serialize(program)) if form == "file" else pytorch.import_program(program)
    lowered, ends = module.lower("linalg"), set()
    for sizes in itertools.product([2, 3, 6, 7, 8, 9], [2, 5, 6, 7]):
        x = torch.ones(sizes)
        try:
            expected = program.module()(x)
        except (AssertionError, RuntimeError):
            expected = None
        ends.add(expected is None)
        if expected is None:
            with pytest.raises(isthmus.InputError):
                lowered.run(x)
        else:
            torch.testing.assert_close(torch.from_numpy(lowered.run(x)[0]), expected)
    assert ends == {False, True}
