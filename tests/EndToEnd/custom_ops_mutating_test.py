"""Operators of torch.library that write to their arguments become custom ops that return the new values."""

import numpy as np
import pytest
import torch

import isthmus


@torch.library.custom_op("isthmus_mutating::scale_", mutates_args={"x"})
def scale_(x: torch.Tensor, factor: float) -> None:
    x.mul_(factor)


@torch.library.custom_op("isthmus_mutating::accumulate", mutates_args={"total"})
def accumulate(x: torch.Tensor, total: torch.Tensor) -> torch.Tensor:
    total.add_(x)
    return x * 2


@accumulate.register_fake
def _(x, total):
    return torch.empty_like(x)


@torch.library.custom_op("isthmus_mutating::shift", mutates_args={"xs", "extra"})
def shift(xs: list[torch.Tensor], by: int, extra: torch.Tensor | None = None) -> None:
    for x in [*xs, *([] if extra is None else [extra])]:
        x.add_(by)


class Model(torch.nn.Module):
    """Writes to a tensor, a buffer, a row of a tensor, and lists of tensors, with and without an optional tensor."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.ones(2, 3))

    def forward(self, x):
        y = x + 1
        scale_(y, 2.0)
        z = accumulate(y, self.total)
        scale_(z[1:2], 3.0)
        shift([y, z], 5)
        w = torch.relu(x)
        shift([y], 7, w)
        return y, z, w, self.total * 1


def scale_kernel(*, x, factor):
    return x * np.float32(factor)


def accumulate_kernel(*, x, total):
    return x * 2, total + x


def shift_kernel(*, xs, by, extra):
    return tuple(x + np.float32(by) for x in [*xs, *([] if extra is None else [extra])])


KERNELS = {"scale_": scale_kernel, "accumulate": accumulate_kernel, "shift": shift_kernel}


@pytest.fixture
def registered(monkeypatch):
    from isthmus import kernels

    monkeypatch.setattr(kernels, "_registered", {})
    for name, kernel in KERNELS.items():
        isthmus.register_kernel(f"isthmus_mutating.{name}", kernel)


def reference(x):
    model = Model()
    return [*model(x), model.total]


@pytest.mark.parametrize("encoding", ["attributes", "operands"])
@pytest.mark.parametrize("target", ["linalg", "tosa"])
def test_kernels_give_new_values(registered, target, encoding):
    x = torch.randn(2, 3, generator=torch.Generator().manual_seed(0))
    module = isthmus.compile(Model(), (x,), target, custom_ops="unsupported", custom_op_encoding=encoding)
    counts = {"scale_": 2, "accumulate": 1, "shift": 2}
    assert module.custom_ops() == {f"torch.isthmus_mutating.{name}": count for name, count in counts.items()}
    for result, expected in zip(module.run(x), reference(x), strict=True):
        np.testing.assert_allclose(result, expected.numpy(), rtol=1e-6)
    raised = isthmus.parse(module.text()).raise_custom_ops()
    assert 'keywords = ["by", "xs", "extra"], mutates = ["xs", "extra"]' in raised.text()
    again = raised.lower(target, custom_ops="unsupported", custom_op_encoding=encoding)
    for result, expected in zip(again.run(x), reference(x), strict=True):
        np.testing.assert_allclose(result, expected.numpy(), rtol=1e-6)


@pytest.mark.parametrize("target", ["mhlo", "stablehlo"])
def test_calls_say_what_they_write_to(target):
    module = isthmus.compile(Model(), (torch.ones(2, 3),), target, custom_ops="unsupported")
    assert '{name = "x"' in module.text().replace('dtype = "f32", ', "")
    assert "has_side_effect = true" in module.text()


def test_files(registered, tmp_path):
    program = torch.export.export(Model(), (torch.ones(2, 3),))
    torch.export.save(program, tmp_path / "whole.pt2")
    with pytest.raises(isthmus.BadModelError) as error:
        isthmus.import_model(tmp_path / "whole.pt2")
    names = [message.split("node '")[1].split("'")[0] for message in error.value.messages]
    assert names == ["scale_", "scale__1", "shift", "shift_1"]
    assert all(message.endswith("export the program with run_decompositions()") for message in error.value.messages)
    torch.export.save(program.run_decompositions({}), tmp_path / "functional.pt2")
    module = isthmus.compile(tmp_path / "functional.pt2", custom_ops="unsupported")
    for result, expected in zip(module.run(torch.ones(2, 3)), reference(torch.ones(2, 3)), strict=True):
        np.testing.assert_allclose(result, expected.numpy(), rtol=1e-6)


def test_views_by_strides_are_refused():
    def f(x):
        y = x + 1
        scale_(y.t()[0], 2.0)
        return y

    with pytest.raises(
        isthmus.BadModelError, match="expected 'x', which is written to, to be a tensor or a slice of one"
    ):
        isthmus.compile(f, (torch.ones(2, 3),), custom_ops="unsupported")
