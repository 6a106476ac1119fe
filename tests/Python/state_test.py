"""Buffers that a program writes to are further results of a run, or state that the program keeps."""

import pytest
import torch

import isthmus
from isthmus import MutableBuffers


class Counter(torch.nn.Module):
    """Has a buffer that it reads and writes, one that it only writes, and one that it writes through a view."""

    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.tensor(3))
        self.register_buffer("sum", torch.zeros(2))
        self.register_buffer("last", torch.zeros(2))
        self.register_buffer("firsts", torch.ones(2, 2))

    def forward(self, x):
        self.count.add_(1)
        self.sum += x
        self.last.copy_(x)
        self.firsts[0] = x
        return self.sum * self.count, self.firsts.sum()


class KeyCache(torch.nn.Module):
    """Each call stores one more row of keys and returns its similarity to each row."""

    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(1, 8, 4))
        self.register_buffer("length", torch.zeros((), dtype=torch.int64))

    def forward(self, key):
        is_new = (torch.arange(8) == self.length).reshape(1, 8, 1)
        self.keys.copy_(torch.where(is_new, key, self.keys))
        self.length.add_(1)
        return torch.softmax(self.keys @ key.transpose(1, 2), 1)


class Rows(torch.nn.Module):
    """Writes a row at an index that a buffer holds."""

    def __init__(self):
        super().__init__()
        self.register_buffer("rows", torch.zeros(5, 2))
        self.register_buffer("next", torch.zeros(1, dtype=torch.int64))

    def forward(self, x):
        self.rows.index_copy_(0, self.next, x)
        self.next.add_(1)
        return self.rows * 2


def numbers(*shape, seed):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


MODELS = {
    "counter": (Counter, lambda i: numbers(2, seed=i)),
    "batch norm": (lambda: torch.nn.BatchNorm1d(3, momentum=0.3), lambda i: numbers(5, 3, seed=i)),
    "key cache": (KeyCache, lambda i: numbers(1, 1, 4, seed=i)),
}
# The embedded JIT cannot compile tosa.scatter.
ON_LINALG_ALONE = {"rows": (Rows, lambda i: numbers(1, 2, seed=i))}
FORMS = {"exported": None, "decomposed": torch.export.default_decompositions()}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "name, target",
    [(name, target) for name in MODELS for target in ("linalg", "tosa")]
    + [(name, "linalg") for name in ON_LINALG_ALONE],
)
def test_state_is_kept(name, target, form):
    build, inputs = (MODELS | ON_LINALG_ALONE)[name]
    model = build()
    compiled = isthmus.compile(
        build(), inputs(0), target, decompositions=FORMS[form], mutable_buffers=MutableBuffers.GLOBALS
    )
    for i in range(4):
        torch.testing.assert_close(compiled(inputs(i)), model(inputs(i)), rtol=1e-5, atol=1e-6)


def test_each_program_has_its_own_state():
    imported = isthmus.compile(Counter(), numbers(2, seed=0), "torch")
    first, second = (imported.lower("linalg", mutable_buffers="globals") for _ in range(2))
    first(numbers(2, seed=1))
    model = Counter()
    torch.testing.assert_close(second(numbers(2, seed=2)), model(numbers(2, seed=2)))


def test_one_number_of_threads():
    compiled = isthmus.compile(Counter(), numbers(2, seed=0), mutable_buffers="globals")
    compiled.run(numbers(2, seed=0), threads=1)
    with pytest.raises(
        isthmus.InputError, match="expected threads=1, .*, with which the program keeps state, got threads=2"
    ):
        compiled.run(numbers(2, seed=0), threads=2)


def test_state_survives_a_file(tmp_path):
    compiled = isthmus.compile(Counter(), numbers(2, seed=0), mutable_buffers="globals")
    compiled.save(tmp_path / "counter.mlirbc")
    loaded, model = isthmus.load(tmp_path / "counter.mlirbc"), Counter()
    for i in range(2):
        torch.testing.assert_close(loaded(numbers(2, seed=i)), model(numbers(2, seed=i)))


def test_results():
    compiled, model, x = isthmus.compile(Counter(), numbers(2, seed=0)), Counter(), numbers(2, seed=1)
    results = [torch.from_numpy(result) for result in compiled.run(x)]
    torch.testing.assert_close(results[:2], list(model(x)))
    after = dict(zip(compiled.output_names()[2:], results[2:]))
    torch.testing.assert_close(after, dict(model.named_buffers()))


def test_torch_has_no_globals():
    with pytest.raises(isthmus.UnsupportedError, match="expected a target that keeps buffers in globals, got torch"):
        isthmus.compile(Counter(), numbers(2, seed=0), "torch", mutable_buffers="globals")


class Shared(torch.nn.Module):
    """Writes to a buffer, and reads another one that overlaps it, or lies next to it in the same storage."""

    def __init__(self, part):
        super().__init__()
        whole = torch.zeros(4, 3)
        self.register_buffer("written", whole[:2])
        self.register_buffer("read", part(whole))

    def forward(self, x):
        self.written.add_(x)
        return self.read + 1


@pytest.mark.parametrize("part", [lambda b: b[:2].t(), lambda b: b.view(12)[5:8], lambda b: b[0]])
def test_buffers_that_share_what_is_written_to(part):
    with pytest.raises(isthmus.BadModelError) as caught:
        isthmus.compile(Shared(part), (torch.ones(3),))
    assert caught.value.messages[0].endswith(
        "expected memory of its own, as it is written to, got memory that it shares with 'read'"
    )


def test_buffers_side_by_side_in_a_storage():
    module = isthmus.compile(Shared(lambda b: b[2:]), (torch.ones(3),))
    result, written = module.run(torch.ones(3))
    assert result.tolist() == [[1, 1, 1]] * 2 and written.tolist() == [[1, 1, 1]] * 2
