"""Runs whole ONNX models on every target and compares them with onnxruntime.

Linalg and TOSA run in the embedded JIT, MHLO and StableHLO in XLA.
"""

import functools
import pathlib

import numpy as np
import onnxruntime

import isthmus
from isthmus.verify import relative_error
from tests.support import targets
from tests.support.targets import TARGETS  # noqa: F401  for the tests of models

TOLERANCE = 1e-4


class Model:
    """An ONNX file and arrays for its inputs, in order."""

    def __init__(self, path, inputs=None):
        """Without `inputs`, they are read from the .npz file next to the model, in order."""
        self.path = pathlib.Path(path)
        self.imported = isthmus.import_onnx(path)
        self.inputs = list(np.load(self.path.with_suffix(".npz")).values()) if inputs is None else inputs

    @functools.cached_property
    def session(self):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        return onnxruntime.InferenceSession(self.path, options)

    @property
    def parameters(self):
        """The inputs as onnxruntime describes them: name, type, shape."""
        return self.session.get_inputs()

    def runner(self, target, optimize=False):
        """Lowers the model once; returns a function from inputs to results."""
        return targets.runner(self.imported, target, optimize)

    def expected(self, inputs=None):
        """Returns onnxruntime's results."""
        names = [parameter.name for parameter in self.parameters]
        return self.session.run(None, dict(zip(names, inputs or self.inputs, strict=True)))

    def check(self, results, inputs=None):
        """Asserts that results equal onnxruntime's."""
        errors = self.errors(results, inputs)
        assert max(errors) < TOLERANCE, f"relative errors {errors}"

    def errors(self, results, inputs=None):
        """Returns the relative error of each result."""
        pairs = zip(results, self.expected(inputs), strict=True)
        return [relative_error(np.asarray(got), want) for got, want in pairs]
