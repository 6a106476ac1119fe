"""Runs one architecture in its default configuration, at full width, on every target.

Weights take up to two gigabytes, so each step runs in a process of its own, which frees all its memory.
"""

import multiprocessing
import pathlib

import numpy as np
import pytest

from isthmus.verify import relative_error
from tests.support.models import TARGETS, TOLERANCE, Model

(PATH,) = pathlib.Path("tools/zoo").glob("*_default.onnx")


def run_onnxruntime(_):
    return Model(PATH).expected()


def run_target(target):
    model = Model(PATH)
    return [np.asarray(result) for result in model.runner(target, optimize=True)(*model.inputs)]


def in_a_process(function, argument):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, (argument,))


@pytest.fixture(scope="module")
def expected():
    return in_a_process(run_onnxruntime, None)


@pytest.mark.parametrize("target", TARGETS)
def test_static(target, expected):
    for result, want in zip(in_a_process(run_target, target), expected, strict=True):
        error = relative_error(result, want)
        print(f"relative error {error:.1e}")
        assert error < TOLERANCE
