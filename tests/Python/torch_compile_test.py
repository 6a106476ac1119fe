"""torch.compile with the backend "isthmus"."""

import copy
import warnings

import pytest
import torch
from torch import nn
from torch.nn import functional

import isthmus
from isthmus import pytorch


@pytest.fixture(autouse=True)
def fresh():
    torch.compiler.reset()
    torch.manual_seed(0)


def compiled(function, **options):
    return torch.compile(function, backend=pytorch.dynamo_backend, **options)


def test_the_name_is_known_without_an_installed_wheel():
    with warnings.catch_warnings(action="error"):
        assert torch.compile(lambda x: x + 1, backend="isthmus")(torch.ones(2)).tolist() == [2, 2]


@pytest.fixture
def graphs(monkeypatch):
    """Counts the graphs that run natively."""
    counts = []
    lower = isthmus.Module.lower
    monkeypatch.setattr(isthmus.Module, "lower", lambda *args, **kwargs: counts.append(1) or lower(*args, **kwargs))
    return counts


def mlp():
    return torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.GELU(), torch.nn.Linear(16, 4)).eval()


def test_dynamic_sizes_share_a_graph(graphs):
    model = mlp()
    fast = compiled(model, dynamic=True)
    with torch.no_grad(), warnings.catch_warnings(action="error"):
        for rows in (3, 5, 7):
            x = torch.randn(rows, 8)
            torch.testing.assert_close(fast(x), model(x))
    assert len(graphs) == 1


def test_graphs_break_where_python_must_look(graphs):
    def function(x):
        y = x.sin()
        return y.cos() if y[0, 0] > 0 else y * 2

    fast = compiled(function)
    for x in (torch.ones(2, 2), -torch.ones(2, 2)):
        torch.testing.assert_close(fast(x), function(x))
    assert len(graphs) == 3  # one before the branch, and one for each branch


def test_parameters_may_change_in_between():
    model = mlp()
    fast, x = compiled(model), torch.randn(2, 8)
    with torch.no_grad():
        fast(x)
        model[0].weight.mul_(2)
        torch.testing.assert_close(fast(x), model(x))


def test_gradients_flow():
    model, twin = mlp(), mlp()
    twin.load_state_dict(model.state_dict())
    x = torch.randn(3, 8)
    with warnings.catch_warnings(action="ignore"):  # PyTorch may have to run an op of the backward graph
        compiled(model)(x).square().sum().backward()
    twin(x).square().sum().backward()
    for ours, theirs in zip(model.parameters(), twin.parameters()):
        torch.testing.assert_close(ours.grad, theirs.grad)


@pytest.mark.parametrize("function", [torch.linalg.inv, lambda x: torch.linalg.cholesky(torch.linalg.inv(x))])
def test_operators_with_effects_run_natively(function):
    gradients = []
    with warnings.catch_warnings(action="error"):
        for each in (function, compiled(function)):
            x = (torch.eye(3) + 0.5).requires_grad_()
            each(x).square().sum().backward()
            gradients.append(x.grad)
    torch.testing.assert_close(*gradients)


class Convolutions(nn.Module):
    """Classifies images; its batch normalization is in training."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
        self.head = nn.Linear(36, 10)

    def forward(self, images, classes):
        return functional.cross_entropy(self.head(self.body(images)), classes)

    @staticmethod
    def batch():
        return torch.randn(5, 1, 8, 8), torch.randint(0, 10, (5,))


class Transformer(nn.Module):
    """Predicts the next token."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 16)
        self.block = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, activation="gelu", batch_first=True)
        self.head = nn.Linear(16, 20)

    def forward(self, tokens, following):
        mask = nn.Transformer.generate_square_subsequent_mask(tokens.shape[1])
        hidden = self.block(self.embedding(tokens), src_mask=mask, is_causal=True)
        return functional.cross_entropy(self.head(hidden).flatten(0, 1), following.flatten())

    @staticmethod
    def batch():
        return torch.randint(0, 20, (2, 6)), torch.randint(0, 20, (2, 6))


@pytest.mark.parametrize("kind", [Convolutions, Transformer])
def test_training(kind):
    model = kind()
    twin = copy.deepcopy(model)
    optimizers = [torch.optim.SGD(one.parameters(), lr=0.1) for one in (model, twin)]
    fast, batch = compiled(model), kind.batch()
    for _ in range(20):
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message="isthmus leaves")  # the gradients, too, run natively
            losses = [fast(*batch), twin(*batch)]
            for loss, optimizer in zip(losses, optimizers, strict=True):
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        torch.testing.assert_close(*losses, rtol=1e-4, atol=1e-5)
    assert losses[0] < 1


def test_gradients_of_experts_run_natively():
    """transformers' operator for them, whose kernel loops over the rows of each."""
    import transformers.integrations.moe  # noqa: F401  registers it

    x, weights = torch.randn(8, 6, requires_grad=True), torch.randn(3, 6, 4, requires_grad=True)
    ends = torch.tensor([2, 2, 7])

    def loss(x, weights):
        return torch.ops.transformers.grouped_mm_fallback(x, weights, ends).square().sum()

    with warnings.catch_warnings(action="error", category=UserWarning):
        found = torch.autograd.grad(compiled(loss)(x, weights), (x, weights))
    for got, want in zip(found, torch.autograd.grad(loss(x, weights), (x, weights)), strict=True):
        torch.testing.assert_close(got, want)


@pytest.mark.parametrize("mode, weighted", (("sum", False), ("sum", True), ("mean", False), ("max", False)))
def test_gradients_of_embedding_bags_run_natively(mode, weighted):
    table, weights = torch.randn(9, 4, requires_grad=True), torch.randn(7, requires_grad=True)
    indices, offsets = torch.tensor([1, 3, 3, 8, 0, 3, 5]), torch.tensor([0, 2, 2, 5])
    inputs = (table, weights) if weighted else (table,)

    def loss(table, weights=None):
        return functional.embedding_bag(indices, table, offsets, mode=mode, per_sample_weights=weights).square().sum()

    with warnings.catch_warnings(action="error", category=UserWarning):
        found = torch.autograd.grad(compiled(loss)(*inputs), inputs)
    for got, want in zip(found, torch.autograd.grad(loss(*inputs), inputs), strict=True):
        torch.testing.assert_close(got, want)


ROWS = torch.arange(12.0).view(6, 2)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x[x.shape[0] // 2 :],
        lambda x: x.split([1, x.shape[0] - 1]),
        lambda x: (x[: x.shape[0] // 3].T, x.tensor_split(2)),
        lambda x: (y := x * 2, y[x.shape[0] // 2 :], y.T),
        lambda x: (x, x.shape[0] + 1, None, x.expand(3, *x.shape), x.expand(3, *x.shape)),
        lambda x: (x[1:].mul_(2), x + 1),
    ],
)
def test_results_that_are_views(function):
    """They have the numbers, strides and place in memory of PyTorch's, also where these depend on an open size."""
    fast = compiled(function, dynamic=True)
    for rows in (6, 5, 10):
        x, twin = (torch.arange(2.0 * rows).view(rows, 2) for _ in range(2))
        for got, want in zip(
            *(torch.utils._pytree.tree_leaves(each) for each in (fast(x), function(twin))), strict=True
        ):
            if not isinstance(want, torch.Tensor):
                assert got == want
                continue
            torch.testing.assert_close(got, want, rtol=0, atol=0)
            assert (got.stride(), got.storage_offset()) == (want.stride(), want.storage_offset())
            assert (got.data_ptr() == x.data_ptr()) == (want.data_ptr() == twin.data_ptr())


def test_slices_of_a_parameter_at_a_number():
    table = torch.nn.Parameter(ROWS.clone())
    fast = compiled(lambda past: table[past : past + 2])
    for past in range(4):
        torch.testing.assert_close(fast(past), table[past : past + 2])


def test_a_view_shares_the_memory_of_its_base():
    base, view = compiled(lambda x: (y := x * 2, y[1:]))(ROWS)
    base.zero_()
    assert not view.any()


def test_results_with_other_strides_change_in_place():
    x = torch.randn(3, 4, requires_grad=True)
    for function in (lambda x: x.T * 2, lambda x: (x * 2).T):
        torch.testing.assert_close(compiled(function)(x).clone().add_(1), function(x) + 1)
        with torch.no_grad():
            y = compiled(function)(x)
        torch.testing.assert_close(y.mul_(x.T), function(x) * x.T)
    torch.testing.assert_close(compiled(lambda x: x.T * 2)(x).add_(1), x.T * 2 + 1)


def test_gradients_are_added_up_in_memory_of_their_own():
    a, b, gradient = torch.randn(2, 3, requires_grad=True), torch.randn(6, requires_grad=True), torch.ones(6)
    fast = compiled(lambda a, b: a.view(6) + b)
    for _ in range(2):
        fast(a, b).backward(gradient)
    assert (a.grad == 2).all() and (b.grad == 2).all() and (gradient == 1).all()
    a, b = torch.ones(2, 3, requires_grad=True), torch.ones(6, requires_grad=True)
    fast = compiled(lambda a, b: ((a + b.view(2, 3)) ** 2).sum())
    for _ in range(2):
        fast(a, b).backward()
    assert (a.grad == 8).all() and (b.grad == 8).all()


@torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True)
def test_a_view_of_a_result_whose_size_depends_on_data():
    def function(x):
        return (x[x[:, 0] > 2].T * 2).T.view(-1)

    torch.testing.assert_close(compiled(function)(ROWS), function(ROWS))


def test_views_without_a_lowering(graphs):
    x = torch.randn(3)
    with warnings.catch_warnings(action="error", category=UserWarning):
        got = compiled(lambda x: (torch.complex(x, x) * 2).conj().imag)(x)
    torch.testing.assert_close(got.resolve_neg(), -2 * x)


def test_strides_of_results_and_inputs(graphs):
    """A graph after a break, too, has the strides that PyTorch's operators give."""

    def function(x):
        y = x.to(memory_format=torch.channels_last) * 2
        torch._dynamo.graph_break()
        return y.permute(0, 2, 3, 1).view(-1) + 1, y + y.mean(1, keepdim=True)

    x = torch.randn(2, 3, 4, 5)
    for got, want in zip(compiled(function)(x), function(x), strict=True):
        torch.testing.assert_close(got, want)
        assert got.stride() == want.stride()
    assert len(graphs) == 2


def test_attention_over_a_cache(graphs):
    """As in generation: the cache begins as an empty constant, and fused attention drops nothing."""

    def function(x):
        keys = torch.cat([torch.tensor([]), x], dim=-2)
        return functional.scaled_dot_product_attention(x, keys, keys)

    x = torch.randn(1, 2, 3, 8)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.filterwarnings("error", message="isthmus leaves")
        torch.testing.assert_close(compiled(function)(x), function(x))
    assert len(graphs) == 1


def test_random_numbers_stay_with_pytorch():
    dropout, x = torch.nn.Dropout(), torch.ones(64)
    with pytest.warns(UserWarning, match="expected a graph without random numbers, got aten"):
        fast = compiled(dropout)
        first, second = fast(x), fast(x)
    assert not torch.equal(first, second)


def test_random_slopes_stay_with_pytorch():
    x = torch.randn(64)
    with pytest.warns(UserWarning, match="expected a graph without random numbers, got aten.rrelu_with_noise"):
        result = compiled(lambda x: functional.rrelu(x, training=True))(x)
    assert torch.equal(result[x >= 0], x[x >= 0])


def test_what_has_no_lowering_stays_with_pytorch():
    def function(x):
        return torch.linalg.eigvals(x).abs() + 1

    x = torch.randn(3, 3)
    with pytest.warns(
        UserWarning, match="isthmus leaves a graph to PyTorch: .*no lowering to linalg for 'aten.linalg_eig'"
    ):
        result = compiled(function)(x)
    torch.testing.assert_close(result, function(x))


def test_a_run_that_fails_stays_with_pytorch(monkeypatch):
    def fail(*_, **__):
        raise isthmus.InputError(["out of memory"])

    f, x = compiled(lambda x: x.exp() + 1), torch.ones(3)
    f(x)
    monkeypatch.setattr(isthmus.Module, "run", fail)
    with pytest.warns(UserWarning, match="leaves a graph to PyTorch: out of memory"):
        assert torch.equal(f(x), x.exp() + 1)
    with warnings.catch_warnings(action="error"):
        assert torch.equal(f(x), x.exp() + 1)


def test_other_devices_stay_with_pytorch():
    with pytest.warns(UserWarning, match="expected tensors on the CPU, got meta"):
        result = compiled(torch.neg)(torch.ones(2, device="meta"))
    assert result.device.type == "meta"
