"""Operators that the torch dialect has no class for compute the same as in PyTorch, through its own decompositions."""

import copy
import io
import warnings
from unittest import mock

import numpy as np
import pytest
import torch
from torch.export import Dim
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

import isthmus
from isthmus import decompositions, ops, pytorch


def noise(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def scaled(a):
    """a times itself, through an operator that Isthmus leaves to PyTorch's decompositions."""
    return a * torch.ops.aten.unfold_backward(a.unsqueeze(-1), list(a.shape), a.dim() - 1, 1, 1)


X, SQUARE = noise(3, 4, 5), noise(4, 4)
COUNTS, WEIGHTS = torch.tensor([1, 2, 0, 3]), torch.tensor([0.5, 1.0, 0.25, 2.0])


def adam_on_lists(p, gradient):
    p, mean, square = p.clone(), torch.zeros_like(p), torch.zeros_like(p)
    torch._foreach_lerp_([mean], [gradient], 0.1)
    torch._foreach_addcmul_([square], [gradient], [gradient], 0.001)
    root = torch._foreach_sqrt([square])
    torch._foreach_add_(root, 1e-4)
    torch._foreach_addcdiv_([p], [mean], root, -0.01)
    return p


# Operators on lists of tensors, by name and arguments.
ON_LISTS = {
    "add": lambda a, b: torch._foreach_add([a, b], [b, a], alpha=0.5),
    "addcdiv of numbers": lambda a, b: torch._foreach_addcdiv([a, b], [a, b], [b.exp(), a.exp()], [0.5, 2.0]),
    "clamp_min": lambda a, b: torch._foreach_clamp_min([a, b], [0.1, 0.2]),
    "lerp": lambda a, b: torch._foreach_lerp([a, b], [b, a], 0.3),
    "max": lambda a, b: torch._foreach_max([a, b]),
    "maximum": lambda a, b: torch._foreach_maximum([a, b], 0.3),
    "mul by a tensor": lambda a, b: torch._foreach_mul([a, b], torch.tensor(2.0)),
    "norm": lambda a, b: torch._foreach_norm([a, b]),
    "pow": lambda a, b: torch._foreach_pow(2.0, [a, b]),
    "an optimizer": adam_on_lists,
}

# By operator: a function that uses it, and its arguments.
CASES = {
    "_efficientzerotensor": (lambda a: a + torch._efficientzerotensor([4, 1], dtype=a.dtype), SQUARE),
    "_euclidean_dist": (lambda a, b: torch.ops.aten._euclidean_dist(a, b), SQUARE, SQUARE + 1),
    "diagonal_backward": (lambda a: torch.ops.aten.diagonal_backward(a, [4, 4], 0, 0, 1), SQUARE[0]),
    "fma": (lambda a, b: torch.ops.prims.fma(a, b, b), SQUARE, SQUARE + 1),
    "gradient": (lambda a: torch.gradient(a, spacing=[2.0, 0.5]), SQUARE),
    "norm": (lambda a: a * torch.ops.aten.norm.Scalar(a, 2), X),
    "unfold_backward": (scaled, X),
    "norm_except_dim": (lambda a: torch.norm_except_dim(a, 2, 0), X),
    "select_backward": (lambda a: torch.ops.aten.select_backward(a, [4, 4], 0, 1), SQUARE[0]),
    "slice_backward": (lambda a: torch.ops.aten.slice_backward(a, [6, 4], 0, 1, 5, 1), SQUARE),
}


def leaves(tree):
    return torch.utils._pytree.tree_leaves(tree)


def check(function, *inputs, **options):
    module = isthmus.compile(function, inputs, **options)
    results, expected = leaves(module(*inputs)), leaves(function(*inputs))
    for got, want in zip(results, expected, strict=True):
        assert got.shape == want.shape and got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", CASES)
def test_numbers(name):
    check(*CASES[name])


@pytest.mark.parametrize("name", ON_LISTS)
def test_lists_of_tensors(name):
    check(ON_LISTS[name], SQUARE, SQUARE.T + 1)


@pytest.mark.parametrize("options", [{}, {"correction": 0}, {"correction": 2}], ids=str)
@pytest.mark.parametrize(
    "weights", [{}, {"fweights": COUNTS}, {"aweights": WEIGHTS}], ids=lambda w: "".join(w) or "equal"
)
@pytest.mark.parametrize(
    "rows", [SQUARE, SQUARE[0], SQUARE.to(torch.complex64) * (1 + 2j), COUNTS], ids=lambda x: str(x.dtype)
)
def test_covariances(rows, weights, options):
    """torch.export refuses torch.cov: its kernel looks at the weights."""
    check(lambda a: torch.cov(a, **weights, **options), rows)


@pytest.mark.parametrize("rows", [SQUARE, SQUARE[0], SQUARE.to(torch.complex64) * (1 + 2j)], ids=lambda x: str(x.dtype))
def test_correlations(rows):
    check(lambda a: a.corrcoef(), rows)


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ((X,), "two or fewer dimensions"),
        ((SQUARE, WEIGHTS), "fweights to have integral dtype"),
        ((SQUARE, COUNTS[:3]), "same numel"),
    ],
    ids=["rank", "dtype", "count"],
)
def test_covariances_of_bad_input(arguments, expected):
    with pytest.raises(isthmus.UnsupportedError, match=expected):
        isthmus.compile(lambda a, *w: torch.cov(a, fweights=w[0] if w else None), arguments)


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("var", [SQUARE.abs(), SQUARE[0].abs(), SQUARE[:, :1].abs() * 1e-7, 0.5], ids=str)
def test_gaussian_losses(var, reduction):
    """torch.export refuses the loss: it looks at the variances."""
    check(lambda a: functional.gaussian_nll_loss(a, a * 2, var, full=True, reduction=reduction), SQUARE)


@pytest.mark.parametrize("var", [0.5, 1e-8])
def test_gradients_of_gaussian_losses(var):
    """Also of variances below the smallest."""

    def loss(var):
        return functional.gaussian_nll_loss(SQUARE, SQUARE * 2, var)

    check(torch.func.grad(loss), torch.full((4, 4), var))


def test_gaussian_losses_of_bad_input():
    with pytest.raises(isthmus.UnsupportedError, match="var: expected the sizes of input"):
        isthmus.compile(lambda a: functional.gaussian_nll_loss(a, a, a[:, :2].abs()), (SQUARE,))


def test_a_refused_program_is_not_printed(capfd):
    with pytest.raises(isthmus.UnsupportedError, match="data-dependent") as refused:
        isthmus.compile(lambda a: a + 1 if a.sum() > 0 else a, (SQUARE,))
    assert "aten.sum" in str(refused.value.__cause__.partial_fx_graph)
    assert "aten.sum" not in "".join(capfd.readouterr())


def test_distributions():
    """They check their arguments, which are data, and the user's setting of that stays."""
    check(lambda a: torch.distributions.Normal(a, a.abs() + 1).log_prob(a * 2), SQUARE)
    check(lambda a: torch.distributions.Categorical(logits=a).entropy(), SQUARE)
    with pytest.raises(ValueError, match="to satisfy the constraint"):
        torch.distributions.Normal(0.0, -1.0)


def test_masks_of_transformers():
    """A module compares its mask with the causal one, to choose a kernel."""
    torch.manual_seed(0)
    model = torch.nn.Transformer(32, 4, 1, 1, 64, batch_first=True).eval()
    causal = torch.nn.Transformer.generate_square_subsequent_mask(6)
    for mask in (causal, causal.T):
        with torch.no_grad():
            check(lambda a, b, m: model(a, b, tgt_mask=m), noise(2, 5, 32), noise(2, 6, 32), mask)


def test_covariances_of_open_sizes():
    check(lambda a: torch.cov(a), SQUARE, dynamic_shapes=({1: Dim.DYNAMIC},))


def test_open_sizes_and_guards():
    """A program that is traced again still refuses the sizes that its export refused."""

    def f(x):
        x = scaled(x)
        return x + 1 if x.shape[0] > x.shape[1] else x - 1

    module = isthmus.compile(f, (noise(20, 3),), dynamic_shapes=({0: Dim.DYNAMIC, 1: Dim.DYNAMIC},))
    torch.testing.assert_close(module(noise(11, 5)), f(noise(11, 5)))
    with pytest.raises(isthmus.InputError, match="expected sizes with s.* > s.*, which the program was exported for"):
        module(noise(4, 5))


def test_guards_of_a_loaded_program():
    def f(x):
        x = scaled(x)
        return x + 1 if x.shape[0] > x.shape[1] else x - 1

    shapes = ({0: Dim.DYNAMIC, 1: Dim.DYNAMIC},)
    file = io.BytesIO()
    torch.export.save(torch.export.export(pytorch.Function(f), (noise(20, 3),), dynamic_shapes=shapes), file)
    file.seek(0)
    module = isthmus.compile(torch.export.load(file))
    np.testing.assert_allclose(module(noise(11, 5)), f(noise(11, 5)), rtol=1e-5)
    with pytest.raises(isthmus.InputError):
        module(noise(4, 5))


def test_decomposed_operators_are_named(capsys):
    isthmus.compile(scaled, (X,), verbose=True)
    assert "isthmus: PyTorch decomposes aten.unfold_backward\n" in capsys.readouterr().err


def test_unused_checks_are_dropped():
    """make_fx keeps checks of torch.func.jvp, which PyTorch has no decomposition of."""
    f = make_fx(lambda a: torch.func.jvp(torch.sin, (a,), (a,)))(SQUARE)
    assert "_has_same_storage_numel" in str(f.graph)
    torch.testing.assert_close(isthmus.compile(f, (SQUARE,))(SQUARE), list(f(SQUARE)))


def test_other_nodes_stay():
    """PyTorch's own tracing would copy the result of a dropout that drops nothing."""

    def f(x):
        x = scaled(x) + 1
        functional.dropout(x, training=False).mul_(2)
        return x

    torch.testing.assert_close(isthmus.compile(f, (X,))(X), f(X))


def test_a_program_is_not_changed():
    program = torch.export.export(pytorch.Function(scaled), (X,), dynamic_shapes=({0: Dim.DYNAMIC},))
    before = str(program)
    pytorch.import_program(program)
    assert str(program) == before


def test_in_a_branch():
    class Branch(torch.nn.Module):
        def forward(self, x):
            return torch.cond(x.sum() > 0, scaled, lambda a: torch.hstack([a[:, :2], a[:, 2:]]) - 1, (x,))

    module = isthmus.compile(Branch(), (X,))
    for x in (X.abs(), -X.abs()):
        torch.testing.assert_close(module(x), Branch()(x))


class Training(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(4)
        self.register_buffer("seen", torch.zeros(4, 5))

    def forward(self, x):
        self.seen.add_(scaled(x).sum(0))
        x.mul_(2)
        return scaled(self.norm(x)) + self.seen


@pytest.mark.parametrize("copied", [False, True])
def test_writes_to_buffers_and_inputs(copied):
    program = torch.export.export(Training(), (X.clone(),))
    if copied:
        program = copy.deepcopy(program)
    module = isthmus.compile(program)
    expected, x = Training(), X.clone()
    want = expected(x)
    result, *written = module.run(X.numpy())
    np.testing.assert_allclose(result, want.detach(), rtol=1e-4, atol=1e-5)
    state = [expected.norm.running_mean, expected.norm.running_var, expected.norm.num_batches_tracked, expected.seen, x]
    assert len(written) == len(state)
    for value in state:
        assert any(value.shape == got.shape and np.allclose(got, value, rtol=1e-4, atol=1e-5) for got in written)


def test_sizes_that_a_decomposition_would_fix():
    """The decomposition of an operator must hold for all sizes of the program."""

    def fixing(a):
        return a + 1 if a.shape[0] == 3 else a - 1

    program = torch.export.export(pytorch.Function(scaled), (X,), dynamic_shapes=({0: Dim.DYNAMIC},))
    (node,) = program.graph.find_nodes(op="call_function", target=torch.ops.aten.unfold_backward.default)
    sizes = node.meta["val"].fake_mode.shape_env
    guards = len(sizes.guards)
    rules = {
        **decompositions.table(),
        torch.ops.aten.unfold_backward.default: lambda a, *others: fixing(a).squeeze(-1),
    }
    with mock.patch.object(decompositions, "table", lambda: rules):
        assert "aten.unfold_backward" in pytorch.import_program(program).text()
    assert len(sizes.guards) == guards


@pytest.mark.parametrize("write", [torch.Tensor.transpose_, torch.Tensor.swapaxes_, torch.Tensor.swapdims_])
@pytest.mark.parametrize("size", [3, 4])
def test_writes_to_strides(write, size):
    def f(x):
        x = x * 1
        y = x[:]
        write(y, 0, 1)
        return x, y

    x = noise(size, 4)
    for got, want in zip(isthmus.compile(f, (x,))(x), f(x), strict=True):
        torch.testing.assert_close(got, want)


@pytest.mark.parametrize("names", ["all", "aten.unfold_backward", ["torch.aten.unfold_backward"]])
def test_custom_ops_are_kept(names):
    program = torch.export.export(pytorch.Function(scaled), (X,))
    module = isthmus.compile(program, output_type="linalg", custom_ops=names)
    assert module.custom_ops().get("torch.aten.unfold_backward") == 1
    assert "aten.unfold_backward" not in pytorch.import_program(program).text()


def test_a_name_without_overload_keeps_all():
    module = isthmus.compile(lambda a: torch.quantile(a, 0.3, dim=1), (X,), custom_ops="aten.quantile")
    assert module.custom_ops() == {"torch.aten.quantile.scalar": 1}


def test_legal_ops_are_kept():
    module = isthmus.compile(lambda a: functional.silu(scaled(a)), (X,), backend_legal_ops=["aten.silu"])
    assert module.custom_ops() == {"torch.aten.silu": 1}


def test_operators_of_other_packages_are_kept():
    library = torch.library.Library("isthmus_test", "DEF")
    library.define("twice(Tensor a) -> Tensor")
    library.impl("twice", lambda a: a * 2, "CompositeImplicitAutograd")
    program = torch.export.export(pytorch.Function(lambda a: torch.ops.isthmus_test.twice(scaled(a))), (X,))
    assert '"isthmus_test.twice"' in pytorch.import_program(program).text()


def test_known_operators_are_not_decomposed():
    program = torch.export.export(pytorch.Function(functional.gelu), (X,))
    assert "aten.gelu" in {op.name for op in ops.coverage().torch}
    assert "torch.aten.gelu" in pytorch.import_program(program).text()


def test_graphs_of_torch_compile():
    compiled = torch.compile(functional.huber_loss, backend=pytorch.dynamo_backend)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="isthmus leaves")
        torch.testing.assert_close(compiled(X, -X), functional.huber_loss(X, -X))


# -----------------------------------------------------------------------------
# Attention with scores of its own
# -----------------------------------------------------------------------------

BIAS = noise(4, 8, 8)
NEAR = create_block_mask(lambda b, h, i, j: (i - j).abs() <= 2, None, None, 8, 8, device="cpu")


def causal(score, batch, head, i, j):
    return torch.where(i >= j, score, -float("inf"))


def masked_here(q, k, v):
    mask = create_block_mask(lambda b, h, i, j: i >= j, None, None, 8, 8, device="cpu")
    return flex_attention(q, k, v, block_mask=mask)


ATTENTIONS = {
    "block mask": lambda q, k, v: flex_attention(q, k, v, block_mask=NEAR),
    "mask made in the program": masked_here,
    "score and mask": lambda q, k, v: flex_attention(q, k, v, score_mod=causal, block_mask=NEAR),
    "scores": lambda q, k, v: flex_attention(q, k, v, score_mod=causal, scale=0.3),
    "scores with a bias, and their sums": lambda q, k, v: flex_attention(
        q, k, v, score_mod=lambda score, b, h, i, j: score + BIAS[h, i, j], return_lse=True
    ),
    "shared heads": lambda q, k, v: flex_attention(q, k[:, :2], v[:, :2], score_mod=causal, enable_gqa=True),
}


def queries(batch=2, length=8):
    return tuple(noise(batch, 4, length, 16, seed=seed) for seed in range(3))


@pytest.mark.parametrize("name", ATTENTIONS)
def test_flex_attention_is_dense(name):
    module, expected = isthmus.compile(ATTENTIONS[name], queries()), leaves(ATTENTIONS[name](*queries()))
    for got, want in zip(leaves(module(*queries())), expected, strict=True):
        torch.testing.assert_close(got, want, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("target", isthmus.output_types())
def test_flex_attention_lowers_to_all_targets(target):
    isthmus.compile(ATTENTIONS["score and mask"], queries(), target)


def test_flex_attention_is_dense_beside_custom_ops():
    isthmus.compile(ATTENTIONS["scores"], queries(), custom_ops="all")


def test_flex_attention_of_open_sizes():
    sizes = {0: Dim("batch", min=2), 2: Dim("length", min=2)}
    module = isthmus.compile(ATTENTIONS["scores"], queries(), dynamic_shapes=(sizes, sizes, sizes))
    for inputs in (queries(), queries(batch=3, length=11)):
        torch.testing.assert_close(module(*inputs), ATTENTIONS["scores"](*inputs), rtol=1e-4, atol=1e-5)


def test_an_operator_that_pytorch_cannot_write_is_named():
    with mock.patch.dict(decompositions._DENSE, clear=True), pytest.raises(isthmus.UnsupportedError) as error:
        isthmus.compile(ATTENTIONS["scores"], queries())
    (message,) = error.value.messages
    assert message.startswith("PyTorch cannot write the program: node 'flex_attention' (higher_order.flex_attention): ")
    assert "\n" not in message and len(message) < 500
