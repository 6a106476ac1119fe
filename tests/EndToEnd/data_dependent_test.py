"""Programs whose sizes depend on data run on Linalg. TOSA and XLA have no such sizes, and the error says so.

An assignment to a mask looks similar, but its sizes do not depend on data: it lowers to every target.
On Linalg, data that an op of PyTorch refuses ends a run with an error.
"""

import re

import pytest
import torch
from torch.nn import functional as F

import isthmus
from tests.support import pt2_programs, xla
from tests.support.targets import TARGETS, runner

X = torch.tensor([[1.0, 0, 2], [0, 3, 1]])
FORMS = {"exported": None, "decomposed": torch.export.default_decompositions()}

PROGRAMS = {
    "masked_select": lambda x: torch.masked_select(x, x[0] > 0) * 2,
    "mask": lambda x: x[x > 0] + 1,
    "mask of rows": lambda x: x[x.sum(1) > 3],
    "nonzero": lambda x: torch.nonzero(x)[:, 0] * 2,
    "unique": lambda x: torch.unique(x),
    "unique with counts": lambda x: torch.unique(x, return_inverse=True, return_counts=True),
    "where": lambda x: torch.where(x > 0),
}
# Programs in which the elements of a tensor are the numbers of repetitions.
REPEATS = {
    "repeats": lambda x: torch.repeat_interleave(x.reshape(-1).to(torch.int64)) * 2,
    "repeated rows": lambda x: torch.repeat_interleave(x.reshape(-1), x.reshape(-1).to(torch.int64) + 1, dim=0) * 2,
}
# Data from which the programs pick some elements, none, all, or one.
DATA = [X, torch.zeros(2, 3), torch.ones(2, 3), torch.tensor([[0.0, 0, 0], [0, 0, 5]])]
REASONS = {
    "tosa": "the result has as many rows as elements are not 0, which TOSA cannot say"
    "|a bool index picks as many elements as are true, which TOSA cannot say",
    "mhlo": "the number of results depends on the data, which XLA cannot compile"
    "|a mask picks as many elements as are true, which XLA cannot compile",
}


# Masks that are constants pick a known number of elements.
CONSTANT_MASKS = {
    "a list": lambda x: x[:, [True, False, True]] * 2,
    "a plane": lambda x: x[torch.tensor([[True, False, True], [False, True, True]])] + 1,
    "computed": lambda x: x[:, torch.arange(3) % 2 == 0],
    "a write": lambda x: torch.zeros(2, 3).index_put((torch.tensor([False, True]),), x[:1, :] * 3),
    "pairs": lambda x: torch.combinations(x[0]),
}


class Function(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def compiled(function, target, form):
    return isthmus.compile(Function(function), (X,), target, decompositions=FORMS[form])


def declaring(size, function):
    """The file of the program, edited so that each size that depends on data is declared as this number."""

    def declare(program):
        graph = program["graph_module"]["graph"]
        for tensor in graph["tensor_values"].values():
            tensor["sizes"] = [{"as_int": size} if "as_expr" in each else each for each in tensor["sizes"]]
        graph["nodes"] = [node for node in graph["nodes"] if not re.search("sym|assert|_operator", node["target"])]
        graph["sym_int_values"] = {}
        program["range_constraints"] = {}

    return pt2_programs.changed(pt2_programs.export(function, X.repeat(1, 20)), declare)


def listed(results):
    return list(results) if isinstance(results, (list, tuple)) else [results]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_linalg(name, form):
    module = compiled(PROGRAMS[name], "linalg", form)
    for x in DATA:
        for result, expected in zip(listed(module(x)), listed(PROGRAMS[name](x)), strict=True):
            assert torch.equal(result, expected)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("target", REASONS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_reasons(name, target, form):
    with pytest.raises(isthmus.UnsupportedError, match=REASONS[target]):
        compiled(PROGRAMS[name], target, form)


def assign(x):
    y = x + 1
    y[x > 0] = 5.0
    return y


def assign_rows(x):
    y = x + 1
    y[x.sum(1) > 3] = 0.0
    return y


def assign_elements(x):
    y, mask = x + 1, x > 0
    y[mask] = (x * 3)[mask]
    return y


def assign_whole_rows(x):
    y, mask = x + 1, x.sum(1) > 3
    y[mask] = x[mask]
    return y


def assign_changed(x):
    y, mask = x + 1, x > 0
    y[mask] = torch.log(x[mask]) / (y[mask] - 0.5) * 2
    y[~mask] += 3
    return y


def assign_changed_rows(x):
    y, mask = x + 1, x.sum(1) > 3
    y[mask] = torch.softmax(x[mask], 1) + y.sum(0)
    return y


def assign_columns(x):
    y, mask = x + 1, x.sum(0) > 2
    y[:, mask] = torch.relu(y[:, mask] - 2)
    return y


ASSIGNMENTS = [
    assign,
    assign_rows,
    assign_elements,
    assign_whole_rows,
    assign_changed,
    assign_changed_rows,
    assign_columns,
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("target", ["linalg", "tosa", "mhlo"])
@pytest.mark.parametrize("function", ASSIGNMENTS)
def test_assignment_to_a_mask(function, target, form):
    module = compiled(function, target, form)
    for x in DATA:
        (result,) = xla.run_mhlo(module.text(), x.numpy()) if target == "mhlo" else module.run(x)
        torch.testing.assert_close(torch.from_numpy(result.copy()), function(x))


LAYER = torch.tensor([[1.0, -2, 0.5], [0, 1, 3], [2, 0, -1]])


def placed(x, places, function):
    """Adds what a function makes of some rows to their places, as a mixture of experts does."""
    return torch.zeros_like(x).index_add(0, places, function(x[places]))


def written(x, places, values):
    return (x + 1).index_put(places, values)


def experts(x, expert_count=3):
    """The best two experts of each row, as Mixtral takes them."""
    weights, chosen = torch.topk(torch.softmax(x @ LAYER, 1), 2)
    masks = F.one_hot(chosen, expert_count).permute(2, 1, 0)
    result = torch.zeros_like(x)
    for expert, mask in enumerate(masks):
        place, row = torch.where(mask)
        result = result.index_add(0, row, (F.linear(x[row], LAYER) + expert).relu() * weights[row, place, None])
    return result


# What sums and counts the elements that a mask picks has no sizes that depend on data.
# Functions of a matrix, a mask of its elements, and one of its rows.
SUMS = {
    "sum": lambda x, mask, rows: x[mask].sum(),
    "mean": lambda x, mask, rows: (x[mask] * 3 + 1).mean(),
    "mean of masked_select": lambda x, mask, rows: torch.masked_select(x, x[0] > 0).mean(),
    "deviation": lambda x, mask, rows: x[mask].std(),
    "mean of rows": lambda x, mask, rows: x[rows].mean(0, keepdim=True),
    "sum of columns": lambda x, mask, rows: x[:, x.sum(0) > 2].sum(1),
    "sum of a plane": lambda x, mask, rows: torch.stack([x, x + 1], 2)[mask].sum((0, 1), keepdim=True),
    "number": lambda x, mask, rows: x.sum() * x[mask].numel(),
    "norms": lambda x, mask, rows: torch.linalg.vector_norm(x[rows] - 1, dim=1).sum(),
    "squared error": lambda x, mask, rows: F.mse_loss(x[mask], (2 - x)[mask]),
    "binary cross entropy": lambda x, mask, rows: F.binary_cross_entropy_with_logits(x[mask], (x > 1)[mask].float()),
    # The class of a row that is not picked is none.
    "cross entropy": lambda x, mask, rows: F.cross_entropy((x + 1)[rows], torch.where(rows, 2, -7)[rows]),
    "accuracy": lambda x, mask, rows: (x[rows].argmax(1) == torch.arange(2)[rows]).float().mean(),
    "picked twice": lambda x, mask, rows: x[rows][x[rows].sum(1) > 3].sum(),
    "layer": lambda x, mask, rows: F.linear(x[rows], LAYER, LAYER[:, 0]).tanh().sum(0),
    "rows to their places": lambda x, mask, rows: placed(x, torch.where(rows)[0], lambda y: y @ LAYER + 1),
    "an expert": lambda x, mask, rows: placed(x, torch.nonzero(rows).squeeze(1), lambda y: F.linear(y, LAYER).relu()),
    "experts of rows": lambda x, mask, rows: experts(x),
    "rows and columns": lambda x, mask, rows: (x[torch.where(mask)] * torch.where(mask)[1]).sum(),
    "rows of numbers": lambda x, mask, rows: torch.nonzero(x).sum(0),
    "positions of numbers": lambda x, mask, rows: x[0].int().nonzero().squeeze(1).sum(),
    "dims apart": lambda x, mask, rows: torch.stack([x, x + 1], 1)[torch.where(mask)[0], :, torch.where(mask)[1]].sum(
        0
    ),
    "a write at rows and columns": lambda x, mask, rows: written(x, torch.where(mask), x[torch.where(mask)] * 2),
    "a constant at rows and columns": lambda x, mask, rows: written(x, torch.where(mask), torch.tensor(7.0)),
    "sums at rows and columns": lambda x, mask, rows: torch.zeros_like(x).index_put(
        (torch.where(mask)[0] - 2, torch.where(mask)[1]), x[torch.where(mask)], accumulate=True
    ),
    "quotient of integers": lambda x, mask, rows: (7 // x.int()[mask] + x.int()[mask]).sum(),
}
# It divides by what no flag picks, which has a meaning on Linalg alone.
NEEDS_PLACES = {"quotient of integers"}
# On Linalg, sums at positions are loops.
HAS_LOOPS = NEEDS_PLACES | {name for name in SUMS if re.search("expert|rows (to|and|of n)|numbers|apart", name)}


@pytest.mark.parametrize("target, is_open", [("linalg", False), ("linalg", True), ("tosa", False), ("mhlo", False)])
@pytest.mark.parametrize("name", SUMS)
def test_sums_of_what_a_mask_picks(name, target, is_open):
    def function(x):
        return SUMS[name](x, x > 0, x.sum(1) > 0)

    if name in NEEDS_PLACES and target != "linalg":
        with pytest.raises(isthmus.UnsupportedError, match=REASONS[target]):
            isthmus.compile(Function(function), (X,), target)
        return
    shapes = ({0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO},) if is_open else None
    module = isthmus.compile(Function(function), (X,), target, dynamic_shapes=shapes)
    if name not in HAS_LOOPS:
        assert "scf.for" not in module.text()
    for x in DATA:
        (result,) = xla.run_mhlo(module.text(), x.numpy()) if target == "mhlo" else module.run(x)
        torch.testing.assert_close(torch.from_numpy(result.copy()), function(x), equal_nan=True)


def with_loops(edges, weights, count):
    """Replaces the edges of a graph from a node to itself by one for each node, as graph neural networks do."""
    ends = edges[0] != edges[1]
    loops = torch.ones(count).index_put((edges[0][~ends],), weights[~ends])
    every = torch.arange(count).repeat(2, 1)
    return torch.cat([edges[:, ends], every], 1), torch.cat([weights[ends], loops])


def convolution(x, edges, weights):
    """Kipf and Welling's: D^-1/2 A D^-1/2 x, of the degrees D."""
    edges, weights = with_loops(edges, weights, x.shape[0])
    sources, targets = edges
    weights = torch.ones(edges.shape[1]) * weights
    degrees = torch.zeros(x.shape[0]).scatter_add(0, targets, weights)
    scales = degrees.rsqrt().masked_fill(degrees == 0, 0.0)
    messages = (scales[sources] * weights * scales[targets]).view(-1, 1) * x.index_select(0, sources)
    return torch.zeros_like(x).scatter_add(0, targets.view(-1, 1).expand_as(messages), messages)


def attention(x, edges, weights):
    """A softmax over the edges to each node."""
    edges, _ = with_loops(edges, weights, x.shape[0])
    sources, targets = edges
    scores = F.leaky_relu(x[sources] * 2 - x[targets])
    places = targets.view(-1, 1).expand_as(scores)
    most = torch.zeros_like(x).scatter_reduce(0, places, scores, "amax", include_self=False)
    shares = (scores - most[targets]).exp()
    shares = shares / torch.zeros_like(x).scatter_add(0, places, shares)[targets]
    return torch.zeros_like(x).index_add(0, targets, shares * x[sources])


def laplacian(x, edges, weights):
    """2 (I - D^-1 A) x / m, of the degrees D and the largest entry m of the matrix."""
    edges = edges[:, edges[0] != edges[1]]
    sources, targets = edges
    ones = torch.ones(edges.shape[1])
    degrees = torch.zeros(x.shape[0]).scatter_add(0, sources, ones)
    scales = degrees.reciprocal().masked_fill(degrees == 0, 0.0)
    loops = torch.arange(x.shape[0]).repeat(2, 1)
    edges = torch.cat([edges, loops], 1)
    entries = torch.cat([-scales[sources] * ones, torch.ones(x.shape[0])])
    entries = 2 * entries / entries.max()
    sources, targets = edges
    messages = entries.view(-1, 1) * x.index_select(0, sources)
    return torch.zeros_like(x).scatter_add(0, targets.view(-1, 1).expand_as(messages), messages)


def counts_from_the_end(x, edges, weights):
    """The last node is also position -1."""
    kept = edges[0] != edges[1]
    return x.index_put((-1 - edges[1][kept],), weights[kept].view(-1, 1), accumulate=True)


@pytest.mark.parametrize("target", ["linalg", "tosa", "mhlo"])
@pytest.mark.parametrize("layer", [convolution, attention, laplacian, counts_from_the_end])
def test_graph_layers(layer, target):
    generator = torch.Generator().manual_seed(0)
    x, weights = torch.rand(5, 3, generator=generator), torch.rand(8, generator=generator)
    # All loops, none, some, and nodes without edges.
    graphs = [
        torch.tensor([[0, 1, 2, 3, 4, 0, 1, 2]] * 2),
        torch.tensor([[0, 1, 2, 3, 4, 0, 1, 2], [1, 2, 3, 4, 0, 2, 3, 4]]),
        torch.tensor([[0, 1, 1, 3, 4, 0, 1, 2], [1, 1, 3, 4, 4, 2, 3, 4]]),
        torch.tensor([[0, 0, 0, 1, 1, 0, 1, 1], [1, 0, 1, 1, 0, 1, 0, 1]]),
    ]
    module = isthmus.compile(layer, (x, graphs[0], weights), target)
    assert "tensor<?" not in module.text()
    for edges in graphs:
        arguments = (x, edges, weights)
        if target == "mhlo":
            (result,) = xla.run_mhlo(module.text(), *(each.numpy() for each in arguments))
        else:
            (result,) = module.run(*arguments)
        torch.testing.assert_close(torch.from_numpy(result.copy()), layer(*arguments))


@pytest.mark.parametrize("size", [4, 120])
@pytest.mark.parametrize("name", [*PROGRAMS, *REPEATS])
def test_a_declared_size_is_a_claim(name, size):
    """The declared size is checked before anything is written past the end of a buffer of that size."""
    module = isthmus.compile(declaring(size, (PROGRAMS | REPEATS)[name]))
    for x in [torch.arange(120.0).reshape(2, 60), torch.zeros(2, 60)]:
        true_size = len(listed((PROGRAMS | REPEATS)[name](x))[0])
        if true_size == size:
            module.run(x, check_bounds=True)
            continue
        with pytest.raises(isthmus.InputError, match=f"expected dim 0 to be of size {size}, got {true_size} and"):
            module.run(x, check_bounds=True)


def bag_sums(offsets, **arguments):
    weight, indices = torch.arange(6.0).reshape(3, 2), torch.tensor([0, 2, 1, 1])
    return F.embedding_bag(indices, weight, offsets, mode="sum", **arguments)


def sums_of(lengths, **arguments):
    return torch.segment_reduce(torch.ones(5), "sum", lengths=lengths, **arguments)


# Functions of integers, integers that fit, others that PyTorch refuses as well, and the error.
CHECKED = {
    "class": (lambda x: F.one_hot(x, 3), [0, 1, 2], [0, 3, 1], "below the number of classes"),
    "negative class": (lambda x: F.one_hot(x, 3), [0, 1, 2], [0, -1, 1], "classes of 0 or more"),
    "repeats": (REPEATS["repeats"], [2, 0, 1], [2, 0, -1], "expected repeats of 0 or more"),
    "repeated rows": (REPEATS["repeated rows"], [2, 0, 1], [2, 0, -2], "expected repeats of 0 or more"),
    "negative length": (sums_of, [2, 0, 3], [6, 0, -1], "expected lengths of 0 or more"),
    "short lengths": (sums_of, [2, 0, 3], [2, 0, 2], "expected lengths whose sum is the size of the dim"),
    "long lengths": (sums_of, [2, 0, 3], [2, 0, 4], "expected lengths whose sum is the size of the dim"),
    "offset": (bag_sums, [0, 2, 4], [0, 2, 5], "expected offsets from 0 to the number of indices"),
    "last offset": (
        lambda x: bag_sums(x, include_last_offset=True),
        [0, 2, 4],
        [0, 2, 5],
        "expected offsets from 0 to the number of indices",
    ),
    "first offset": (bag_sums, [0, 2, 4], [1, 2, 4], "expected a first offset of 0"),
}


@pytest.mark.parametrize("name", CHECKED)
def test_data_that_pytorch_refuses(name):
    function, *inputs, message = CHECKED[name]
    good, bad = map(torch.tensor, inputs)
    module = isthmus.compile(Function(function), (good,))
    assert torch.equal(module(good), function(good))
    with pytest.raises(RuntimeError):
        function(bad)
    with pytest.raises(isthmus.InputError, match=message):
        module.run(bad)


def test_lengths_that_are_not_checked():
    lengths = torch.tensor([2, 0, 2])
    module = isthmus.compile(Function(lambda x: sums_of(x, unsafe=True)), (lengths,))
    assert torch.equal(module(lengths), sums_of(lengths, unsafe=True))


# As torchmetrics counts which classes are taken for which.
def confusions(x):
    truth, guess = x.to(torch.int64)
    return torch.bincount(4 * truth + guess, minlength=16).reshape(4, 4)


@pytest.mark.parametrize("target", TARGETS)
def test_counts_of_a_declared_number(target):
    module = isthmus.compile(Function(confusions), (X,), "torch")
    (result,) = runner(module, target)(X.numpy())
    torch.testing.assert_close(torch.from_numpy(result).to(torch.int64), confusions(X))


def test_more_counts_than_declared():
    compiled = isthmus.compile(Function(confusions), (X,), "linalg")
    with pytest.raises(isthmus.InputError, match="expected an index inside the dim it indexes"):
        compiled(X + 3)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", CONSTANT_MASKS)
def test_constant_masks(name, target):
    function = CONSTANT_MASKS[name]
    module = isthmus.compile(Function(function), (X,), "torch")
    results = runner(module, target)(X.numpy())
    torch.testing.assert_close(torch.from_numpy(results[0]), function(X))
