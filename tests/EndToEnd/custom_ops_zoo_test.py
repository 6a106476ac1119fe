"""Real architectures in which every op is a custom op: carried, printed, parsed, raised, lowered and run.

The program, or at least its numbers to the last bit, equal those of the same program lowered directly. The custom ops of
a target are raised and lowered to the same target again, but those of MHLO are lowered to Linalg.
"""

import functools
import pathlib

import numpy as np
import onnx
import pytest

import isthmus
from isthmus.verify import relative_error
from tests.support import mlir_text
from tests.support.kernels import register_pytorch

ZOO = pathlib.Path("tools/zoo")
# ONNX models become core ops; programs of PyTorch have composite ones, too. MiniLM has the ops of BERT, and 90 MB of
# weights to print.
MODELS = sorted(path.name for path in ZOO.glob("*.onnx") if not path.name.startswith("minilm"))
STATIC = [name for name in MODELS if "_dynamic" not in name]
DYNAMIC = [name for name in MODELS if "_dynamic" in name]
PROGRAMS = sorted(path.name for path in ZOO.glob("*.pt2") if "_" not in path.name)
LIGHT = pathlib.Path(onnx.__file__).parent / "backend/test/data/light"
RAISED_FOR = {"linalg": "linalg", "tosa": "tosa", "mhlo": "linalg"}

# Ops of the target that remain beside custom ops: constants, and for MHLO a conversion, since it has a large constant
# of flags as bytes. Linalg also packs and unpacks numbers that are known only at run time, as custom ops take tensors.
OWN = {
    "linalg": {"arith.constant", "func.call", "tensor.extract", "tensor.from_elements"},
    "mhlo": {"mhlo.constant", "mhlo.convert", "mhlo.custom_call"},
    "tosa": {"tosa.const", "tosa.custom"},
}
FUNCTION = {"builtin.module", "func.func", "func.return"}


@functools.cache
def imported(path):
    return isthmus.import_model(path)


def inputs_of(path):
    if path.parent != ZOO:
        return [np.random.default_rng(0).standard_normal((1, 3, 224, 224), dtype=np.float32)]
    return list(np.load(path.with_suffix(".pt2.npz" if path.suffix == ".pt2" else ".npz")).values())


def through_custom_ops(module, target):
    """Lowers the module to custom ops of a target, raises these, and lowers the program again."""
    carried = module.lower(target, custom_ops="all")
    assert carried.count_ops().keys() <= FUNCTION | OWN[target]
    raised = isthmus.parse(carried.text()).raise_custom_ops()
    assert not raised.custom_ops()
    return raised.lower(RAISED_FOR[target])


def normalized_text(module):
    return mlir_text.normalized(module.text().splitlines())


class Runs:
    """The results of a model's lowered programs. Programs with the same text are run only once."""

    def __init__(self, path):
        self.inputs, self.results = inputs_of(path), {}

    def of(self, lowered):
        text = lowered.text()
        if text not in self.results:
            self.results[text] = lowered.run(*self.inputs, optimize=False)
        return self.results[text]


runs_of = functools.lru_cache(maxsize=1)(Runs)


def direct(path, target):
    """Returns the results of the program that was lowered directly."""
    return runs_of(path).of(imported(path).lower(target))


def check(path, target):
    print("by way of", target)
    again = through_custom_ops(imported(path), target)
    if normalized_text(again) == normalized_text(imported(path).lower(RAISED_FOR[target])):
        return
    results = runs_of(path).of(again)
    for result, expected in zip(results, direct(path, RAISED_FOR[target]), strict=True):
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("name", STATIC)
def test_models(name):
    for target in RAISED_FOR:
        check(ZOO / name, target)


@pytest.mark.parametrize("name", DYNAMIC)
def test_open_dimensions(name):
    check(ZOO / name, "mhlo")


@pytest.mark.parametrize("path", sorted(LIGHT.glob("*.onnx")), ids=lambda path: path.stem)
def test_light_networks(path):
    for target in RAISED_FOR:
        check(path, target)


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name):
    """Also runs the program with its custom ops, with PyTorch's own implementation of every op as its kernel."""
    check(ZOO / name, "linalg")
    carried = imported(ZOO / name).lower("linalg", custom_ops="all")
    register_pytorch({op.removeprefix("torch.") for op in carried.custom_ops()})
    for result, expected in zip(
        carried.run(*inputs_of(ZOO / name), optimize=False), direct(ZOO / name, "linalg"), strict=True
    ):
        assert relative_error(result, expected) < 1e-4
