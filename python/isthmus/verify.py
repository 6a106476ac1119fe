"""Compares a compiled model with onnxruntime, or a program with PyTorch, and finds the first difference."""

import dataclasses
import importlib
import json
import math
import os
import re
from collections.abc import Sequence
from typing import Unpack

import numpy as np

from isthmus import api, arrays, statistics
from isthmus.errors import InputError, IsthmusError
from isthmus.options import LoweringOptions
from isthmus.statistics import Statistics


@dataclasses.dataclass(frozen=True)
class Difference:
    """The relative error of a tensor: the largest error over the largest reference value.

    Attributes:
      name: the tensor's name in the model.
      node: the name of the node that computes it; "" if unknown.
      error: the relative error, without a unit; infinite if shapes or dtypes differ.
      absolute: the largest error itself; infinite likewise.
    """

    name: str
    node: str
    error: float
    absolute: float = math.nan

    def __str__(self) -> str:
        return f"{self.name} (node '{self.node}'): error {self.error:.2e}"


@dataclasses.dataclass(frozen=True)
class Compared:
    """A tensor on both sides.

    Attributes:
      difference: how far they are apart.
      got, expected: what each side has.
    """

    difference: Difference
    got: Statistics
    expected: Statistics


@dataclasses.dataclass(frozen=True)
class Blame:
    """The first node whose difference exceeds the tolerance.

    Attributes:
      op: its op: "Gelu", or "com.microsoft.FusedConv".
      inputs: the tensors that it takes, without weights.
      weights: the names and the values of the weights that it takes.
      outputs: the tensors that it makes.
    """

    op: str
    inputs: list[Compared]
    weights: list[tuple[str, Statistics]]
    outputs: list[Compared]


@dataclasses.dataclass(frozen=True)
class Report:
    """The differences of the outputs, and the first node whose difference exceeds the tolerance.

    Attributes:
      tolerance: the largest allowed relative error.
      outputs: the differences, in the model's order.
      first: the first tensor beyond the tolerance; None if there is none, or none was
        searched for.
      searched: whether the comparison searched for that node.
      reference: the name of the reference implementation.
      tensors: what each side has for the outputs.
      along: the differences of all tensors that were measured, in the order of the nodes;
        empty if only the outputs were.
      blame: about the node of `first`; None if there is none.
    """

    tolerance: float
    outputs: list[Difference]
    first: Difference | None = None
    searched: bool = False
    reference: str = "onnxruntime"
    tensors: list[Compared] = dataclasses.field(default_factory=list)
    along: list[Difference] = dataclasses.field(default_factory=list)
    blame: Blame | None = None

    @property
    def agrees(self) -> bool:
        """Whether every output is within the tolerance."""
        return all(output.error <= self.tolerance for output in self.outputs)

    @property
    def verdict(self) -> str:
        """Whether the outputs agree, and otherwise where they part: one line."""
        if self.agrees:
            return f"agrees with {self.reference} to {self.tolerance:g}"
        if self.first:
            return f"parts from {self.reference} at {self.first}"
        if self.searched:
            return f"parts from {self.reference}; no node before the outputs does"
        if self.reference == "onnxruntime":
            return "parts from onnxruntime; a model of 2 GB or more is not searched for the first node"
        return f"parts from {self.reference}; a program is not searched for the first node"

    def __str__(self) -> str:
        return "\n".join([*map(str, self.outputs), self.verdict])

    def to_json(self) -> str:
        """Returns {"agrees", "verdict", "reference", "tolerance", "first", "outputs", "along"}.

        "first" is null or an object as in the lists: {"name", "node", "error", "absolute"}. An error is null if it is
        infinite.
        """

        def described(difference):
            fields = dataclasses.asdict(difference)
            return {key: None if value in (math.inf, -math.inf) else value for key, value in fields.items()}

        table = {
            "agrees": self.agrees,
            "verdict": self.verdict,
            "reference": self.reference,
            "tolerance": self.tolerance,
            "first": self.first and described(self.first),
            "outputs": [described(each) for each in self.outputs],
            "along": [described(each) for each in self.along],
        }
        return json.dumps(table, indent=2)


def finding(path: str | os.PathLike, difference: Difference) -> str:
    """Returns a difference of an ONNX model in the form of other findings: "node 'y' (Gelu): …, got …"."""
    graph = _package("onnx").load(path, load_external_data=False).graph
    makers = [node for node in graph.node if difference.name in node.output]
    op = makers[0].op_type if makers else "unknown"
    node = difference.node or f"{op}_{difference.name}"
    return f"node '{node}' ({op}): expected the numbers of onnxruntime, got an error of {difference.error:.2e}"


def relative_error(got: np.ndarray, expected: np.ndarray) -> float:
    """Returns max |got - expected| / max |expected|; infinite if they are not comparable.

    A non-finite value is equal only to itself. If all expected values are 0, the result is the largest error itself.

    Args:
      got, expected: NumPy arrays, comparable if their shapes and dtypes are equal.
    """
    error = largest_difference(got, expected)
    if not np.isfinite(error):
        return np.inf
    magnitudes = np.abs(_widened(expected))
    scale = magnitudes[np.isfinite(magnitudes)].max(initial=0.0)
    return float(error / scale) if scale else error


def largest_difference(got: np.ndarray, expected: np.ndarray) -> float:
    """Returns max |got - expected|; infinite if they are not comparable, as `relative_error` says.

    Args:
      got, expected: NumPy arrays.
    """
    if got.shape != expected.shape or got.dtype != expected.dtype:
        return np.inf
    got, expected = _widened(got), _widened(expected)
    finite = np.isfinite(expected)
    if not np.array_equal(got[~finite], expected[~finite], equal_nan=True):
        return np.inf
    error = float(np.abs(got[finite] - expected[finite]).max(initial=0.0))
    return error if np.isfinite(error) else np.inf


def _widened(array):
    return array.astype(np.complex128 if np.iscomplexobj(array) else np.float64)


def _difference(name, node, got, expected):
    return Difference(name, node, relative_error(got, expected), largest_difference(got, expected))


def _compare_tensor(name, node, got, expected):
    return Compared(_difference(name, node, got, expected), statistics.describe(got), statistics.describe(expected))


def _package(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        raise IsthmusError([f"expected the package {name} for comparing, got none: pip install {name}"]) from None


def random_inputs(session, specialize, open_size=2):
    """Returns an array per input: normal floats, small integers; `open_size` for each dynamic dimension."""
    generator = np.random.default_rng(0)
    result = {}
    for node in session.get_inputs():
        if not re.fullmatch(r"tensor\((float|double|u?int|bool).*\)", node.type):
            raise InputError([f"input '{node.name}': expected a file, as no values are made up for a {node.type}"])
        sizes = specialize.get(node.name) or [size if isinstance(size, int) else open_size for size in node.shape]
        dtype = {"tensor(float)": "float32", "tensor(double)": "float64"}.get(node.type, node.type[7:-1])
        if dtype.startswith("float"):
            result[node.name] = generator.standard_normal(sizes).astype(dtype)
        else:
            result[node.name] = generator.integers(0, 2, sizes).astype(dtype)
    return result


def _session(model):
    onnxruntime = _package("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's error classes have no common base
        raise IsthmusError([f"onnxruntime: {error}"]) from error


def _as_array(value):
    """Returns onnxruntime's result as isthmus has it: the maps of ZipMap, one for each row, as rows of their values."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return np.array([list(row.values()) for row in value], np.float32)
    return value


def _expose_all(path):
    """Returns the model with every tensor that a node makes as an output, in order; None if it has 2 GB or more."""
    onnx = _package("onnx")
    try:
        model = onnx.shape_inference.infer_shapes(onnx.load(path))
    except Exception as error:  # onnx's error classes have no common base
        raise IsthmusError([f"onnx: {error}"]) from error
    values = [*model.graph.value_info, *model.graph.output]
    types = {value.name: value for value in values if value.type.HasField("tensor_type")}
    del model.graph.output[:]
    for node in model.graph.node:
        model.graph.output.extend(types[name] for name in node.output if name in types)
    try:
        return model.SerializeToString()
    except ValueError:  # the limit of protobuf
        return None


def _compare_program(path, target, inputs, tolerance, options):
    """Compares an exported program with PyTorch. By default, inputs are random, with the sizes of the export."""
    _package("torch")
    from isthmus import exported, pytorch

    module = api.compile(path, output_type=target, **options)  # refuses pickled data and unknown operators
    try:
        program = exported.Program(path)
        if inputs:
            ordered = arrays.in_order(arrays.read(inputs), module.input_names())
            theirs = [pytorch.to_tensor(np.array(array)) for array in ordered]
        else:
            theirs = program.make_inputs(options.get("specialize") or {})
            ordered = [pytorch.to_array(value) for value in theirs]
        results = module.run(*ordered)  # first, as the program may write to its inputs
        expected = program.run(theirs)
    except IsthmusError:
        raise
    except Exception as error:  # operators raise many classes
        raise IsthmusError([f"PyTorch: {type(error).__name__}: {error}"]) from error
    tensors = [
        _compare_tensor(name, name, got, pytorch.to_array(output))
        for name, got, output in zip(module.output_names(), results, expected)
    ]
    return Report(tolerance, [tensor.difference for tensor in tensors], reference="PyTorch", tensors=tensors)


def compare(
    path: str | os.PathLike,
    target: api.OutputType | str,
    *,
    inputs: Sequence[str] = (),
    tolerance: float = 1e-4,
    along: bool = False,
    **options: Unpack[LoweringOptions],
) -> Report:
    """Compares an ONNX file compiled to `target` with onnxruntime, or an exported program with PyTorch.

    Args:
      path: the file.
      target: an output type that `Module.run` runs.
      inputs: `.npz` files, and `.npy` files as "FILE" or "NAME=FILE"; random values by
        default, with the sizes of the export for a program.
      tolerance: the largest allowed relative error.
      along: measure every tensor of an ONNX model even if the outputs agree. If that is
        not possible, `Report.along` is empty.
      options: see `Module.lower`.

    Returns:
      A Report. If an output of an ONNX model exceeds the tolerance, both sides run again
      with every intermediate tensor as an output, to find the first that exceeds it.

    Raises:
      FileNotFoundError: the file does not exist.
      InputError: the inputs do not match the model.
      BadModelError, UnsupportedError, MissingPartError: see `isthmus.compile`.
      IsthmusError: onnxruntime, `onnx` or PyTorch is not installed, or cannot run the
        model.
    """
    with open(path, "rb") as file:
        if file.read(4) == b"PK\3\4":
            return _compare_program(path, target, inputs, tolerance, options)
    session = _session(str(path))
    names = [node.name for node in session.get_inputs()]
    given = arrays.read(inputs) if inputs else random_inputs(session, options.get("specialize") or {})
    ordered = arrays.in_order(given, names)

    def results(model, session):
        """Returns {tensor: (ours, theirs)} for each output of a model."""
        module = api.compile(model, output_type=target, **options)
        try:
            theirs = session.run(None, dict(zip(names, ordered)))
        except Exception as error:  # as in _session
            raise InputError([f"onnxruntime: {error}"]) from error
        outputs = [node.name for node in session.get_outputs()]
        return {name: (got, _as_array(expected)) for name, got, expected in zip(outputs, module.run(*ordered), theirs)}

    graph = _package("onnx").load(path, load_external_data=False).graph
    makers = {name: node for node in graph.node for name in node.output}

    def compared(name, pair):
        return _compare_tensor(name, makers[name].name if name in makers else "", *pair)

    tensors = [compared(name, pair) for name, pair in results(path, session).items()]
    report = Report(tolerance, [tensor.difference for tensor in tensors], tensors=tensors)
    if report.agrees and not along:
        return report
    try:
        if (exposed := _expose_all(path)) is None:
            return report
        pairs = results(exposed, _session(exposed))
    except IsthmusError:
        if report.agrees:
            return report
        raise
    measured = [_difference(name, makers[name].name, *pair) for name, pair in pairs.items()]
    if report.agrees:
        return dataclasses.replace(report, along=measured)
    first = next((tensor for tensor in measured if tensor.error > tolerance), None)
    given_pairs = {name: (array, array) for name, array in zip(names, ordered)}
    blame = _blame(makers[first.name], pairs | given_pairs, graph, compared) if first else None
    return dataclasses.replace(report, first=first, searched=True, along=measured, blame=blame)


def _blame(node, pairs, graph, compared):
    """Describes a node from the tensors that were measured, by name."""
    inputs = [name for name in dict.fromkeys(node.input) if name]
    weights = [(tensor.name, _describe_weight(tensor)) for tensor in graph.initializer if tensor.name in inputs]
    return Blame(
        f"{node.domain}.{node.op_type}".lstrip("."),
        [compared(name, pairs[name]) for name in inputs if name in pairs],
        weights,
        [compared(name, pairs[name]) for name in node.output if name in pairs],
    )


def _describe_weight(tensor):
    """Describes an initializer; only its dtype and shape if its values are in another file."""
    onnx = _package("onnx")
    if onnx.external_data_helper.uses_external_data(tensor):
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
        return Statistics(str(dtype), tuple(tensor.dims))
    return statistics.describe(onnx.numpy_helper.to_array(tensor))
