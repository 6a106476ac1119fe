"""Architectures of transformers beyond the zoo, as exported programs, compute the same as PyTorch.

Each is tested as exported and after run_decompositions(). It is lowered to every target and run on other inputs than
those it was exported with.
"""

import functools
import io
import zipfile

import numpy as np
import pytest
import torch

import isthmus
from isthmus import pytorch
from isthmus.verify import relative_error
from tests.EndToEnd.architectures import ARCHITECTURES, make_inputs, module_of
from tests.support import targets

PROGRAMS = zipfile.ZipFile("tests/EndToEnd/architectures.zip")
TOLERANCE = 1e-4


@functools.lru_cache(maxsize=2)
def imported(name, decompose):
    return isthmus.import_model(PROGRAMS.read(f"{name}{'_decomposed' if decompose else ''}.pt2"))


@pytest.mark.parametrize("target", targets.TARGETS)
@pytest.mark.parametrize("decompose", [False, True], ids=["whole", "decomposed"])
@pytest.mark.parametrize("name", ARCHITECTURES)
def test_architecture(name, decompose, target):
    inputs = make_inputs(ARCHITECTURES[name][1], seed=1)
    run = targets.runner(imported(name, decompose), target)
    result, *_ = run(*[tensor.numpy() for tensor in inputs])  # buffers that the model changes, as RWKV does, come after
    with torch.no_grad():
        expected = module_of(name)(*inputs).numpy()
    assert relative_error(np.asarray(result), expected) < TOLERANCE


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_memory_and_file_hold_one_program(name):
    """Importing a program from memory, with parameters passed by address, and from its file gives the same module."""
    program = torch.export.load(io.BytesIO(PROGRAMS.read(f"{name}.pt2")))
    assert pytorch.import_program(program).text() == imported(name, False).text()
