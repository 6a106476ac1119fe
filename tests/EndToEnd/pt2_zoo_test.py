"""Real architectures as exported programs compute the same on every target as the module they were exported from.

Each is tested as torch.export leaves it and after run_decompositions(), with static shapes and with open
dimensions for batch and sequence. One Linalg artifact of an open program runs at its traced sizes and at
two others. MHLO and StableHLO run at one of these each.
"""

import functools
import pathlib
import re

import numpy as np
import pytest
import torch

import isthmus
from isthmus.verify import relative_error
from tests.support import targets
from tools.zoo import zoo

ZOO = pathlib.Path("tools/zoo")
PROGRAMS = sorted(path.name[: -len(".pt2")] for path in ZOO.glob("*.pt2"))
STATIC = [name for name in PROGRAMS if "_dynamic" not in name]
DYNAMIC = [name for name in PROGRAMS if "_dynamic" in name]
TOLERANCE = 1e-4


class Program:
    def __init__(self, name):
        """`name` is "bert", "bert_decomposed", "bert_dynamic" or "bert_dynamic_decomposed"."""
        architecture = name.removesuffix("_decomposed").removesuffix("_dynamic")
        self.module, self.inputs, self.open_dims = zoo.build(architecture)
        self.imported = isthmus.import_model(ZOO / f"{name}.pt2")

    def resized(self, size):
        """The inputs with open dimension N set to `size + N`, by repeating elements."""
        resized = []
        for tensor, dims in zip(self.inputs.values(), self.open_dims, strict=True):
            for axis in dims:
                tensor = tensor.index_select(axis, torch.arange(size + axis) % tensor.shape[axis])
            resized.append(tensor)
        return resized

    def runner(self, target):
        """Lowers the program once; returns a function from inputs to results."""
        return targets.runner(self.imported, target)

    def check(self, run, inputs):
        (result,) = run(*[tensor.numpy() for tensor in inputs])
        with torch.no_grad():
            expected = self.module(*inputs).numpy()
        assert relative_error(np.asarray(result), expected) < TOLERANCE


program_of = functools.cache(Program)


@pytest.mark.parametrize("target", targets.TARGETS)
@pytest.mark.parametrize("name", STATIC)
def test_static(name, target):
    program = program_of(name)
    program.check(program.runner(target), program.inputs.values())


@pytest.mark.parametrize("name", DYNAMIC)
def test_specialized(name):
    """For TOSA, open dimensions are set to the sizes of the inputs."""
    program = program_of(name)
    inputs = program.resized(3)
    names = re.findall(r'isthmus.name = "(\w+)"', program.imported.text().split("->")[0])
    sizes = dict(zip(names, [list(tensor.shape) for tensor in inputs], strict=True))
    program.check(targets.lowered_runner(program.imported.lower("tosa", specialize=sizes), "tosa"), inputs)


# XLA compiles the program anew for each size, so MHLO and StableHLO run at one size only.
@pytest.mark.parametrize(("target", "sizes"), [("linalg", [None, 3, 5]), ("mhlo", [3]), ("stablehlo", [5])])
@pytest.mark.parametrize("name", DYNAMIC)
def test_dynamic(name, target, sizes):
    program = program_of(name)
    run = program.runner(target)
    for size in sizes:
        program.check(run, program.resized(size) if size else list(program.inputs.values()))
