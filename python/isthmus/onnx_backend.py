"""ONNX's backend interface (`onnx.backend.base`): models and single nodes, run on this machine's CPU.

    from isthmus import onnx_backend

    prepared = onnx_backend.prepare(onnx.load("m.onnx"))
    (y,) = prepared.run([x])

`onnx.backend.test.BackendTest(onnx_backend)` is ONNX's conformance test of it. Needs the package `onnx`.
"""

import collections
from typing import Any

import numpy as np
import onnx
import onnx.shape_inference
from onnx import helper
from onnx.backend import base

from isthmus import api, onnx_values
from isthmus.errors import BadModelError, InputError, UnsupportedError

__all__ = ["Backend", "PreparedModel", "is_compatible", "prepare", "run_model", "run_node", "supports_device"]

# The number of programs that a model keeps for values of its inputs.
_MOST_PROGRAMS = 16


class PreparedModel(base.BackendRep):
    """A model that `Backend.prepare` compiled, or compiles for the values it runs on.

    Programs take and return tensors, so a model whose inputs or outputs are sequences or
    optionals is compiled for their lengths, sizes and presence. If the target needs to
    know axes, sizes or the like while compiling, which ONNX passes as tensors, the model
    is compiled for the values of small inputs.
    """

    def __init__(self, model, output_type, optimize, options):
        self._model = model
        self._output_type = output_type
        self._optimize = optimize
        self._options = options
        self._programs = collections.OrderedDict()  # the last used ones, by model
        inputs = onnx_values.inputs_of(model)
        self._names = [value.name for value in inputs]
        self._has_tensors = onnx_values.are_tensors([*inputs, *model.graph.output])
        if not self._has_tensors:
            return
        try:
            self._compiled(model)
        except UnsupportedError:
            if not any(map(onnx_values.may_be_small, inputs)):
                raise

    def run(self, inputs: Any) -> tuple:
        """Runs the model.

        Args:
          inputs: the values of the inputs without initializers, in order or by name;
            a single array for a model of one input. A tensor is an array, a sequence a
            list of arrays, an optional without value None.

        Returns:
          The values of the outputs, likewise, as a tuple. Arrays of dtypes that NumPy
          lacks are of ml_dtypes.

        Raises:
          InputError: the number, dtypes or sizes of the inputs do not match the model.
          UnsupportedError: see `Backend.prepare`.
        """
        values = self._in_order(inputs)
        if self._has_tensors:
            return tuple(self._results(self._model, values))
        model, tensors = onnx_values.with_tensor_inputs(self._model, values)
        # What is an output made of? Each answer may lead to one more question.
        answers: dict[Any, Any] = {}
        while questions := onnx_values.open_questions(model.graph.output, answers):
            asked = onnx_values.asking(model, questions)
            answers |= dict(zip(questions, self._results(asked, tensors), strict=True))
        flat = onnx_values.with_tensor_outputs(model, answers)
        results = iter(self._results(flat, tensors) if flat.graph.output else ())
        return tuple(onnx_values.nested(value, answers, results) for value in model.graph.output)

    def _in_order(self, inputs):
        names = self._names
        if isinstance(inputs, dict):
            if unknown := [name for name in inputs if name not in names]:
                raise InputError([f"input '{name}': expected one of {names}" for name in unknown])
            if missing := [name for name in names if name not in inputs]:
                raise InputError([f"input '{name}': expected a value, got none" for name in missing])
            return [inputs[name] for name in names]
        values = list(inputs) if isinstance(inputs, list | tuple) else [inputs]
        if len(values) != len(names):
            raise InputError([f"expected {len(names)} inputs, got {len(values)}"])
        return values

    def _results(self, model, values):
        """Runs a model of tensors, of which small ones become constants if that is needed."""
        arrays = [np.asarray(value) for value in values]
        refusal = None
        for kinds in ("", "iu", "iubf"):
            fixed, rest = onnx_values.with_constants(model, arrays, kinds)
            try:
                program = self._compiled(fixed)
            except UnsupportedError as error:
                refusal = error
                continue
            results = program.run(*map(onnx_values.stored, rest), threads=0, optimize=self._optimize)
            dtypes = map(onnx_values.dtype_of, model.graph.output)
            return [
                result if dtype is None else onnx_values.meant(result, dtype)
                for result, dtype in zip(results, dtypes, strict=True)
            ]
        raise refusal

    def _compiled(self, model):
        """The program of a model; UnsupportedError, also of later calls, if the target cannot carry it."""
        key = b"" if model is self._model else model.SerializeToString(deterministic=True)
        if key not in self._programs:
            try:
                self._programs[key] = self._compile(key or model.SerializeToString())
            except UnsupportedError as error:
                self._programs[key] = error
            if len(self._programs) > _MOST_PROGRAMS:
                self._programs.popitem(last=False)
        self._programs.move_to_end(key)
        program = self._programs[key]
        if isinstance(program, UnsupportedError):
            raise program
        return program

    def _compile(self, model):
        program = api.compile(model, output_type=self._output_type, **self._options)
        program.input_names(threads=0, optimize=self._optimize)
        return program


class Backend(base.Backend):
    """Compiles ONNX models for a target, and runs them in the JIT."""

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Whether models run on a device: only on "CPU"."""
        return base.Device(device).type == base.DeviceType.CPU

    @classmethod
    def prepare(
        cls,
        model: onnx.ModelProto,
        device: str = "CPU",
        *,
        output_type: api.OutputType | str = "linalg",
        optimize: bool = True,
        **options: Any,
    ) -> PreparedModel:
        """Compiles a model.

        Args:
          model: an `onnx.ModelProto`, with its external data loaded.
          device: "CPU".
          output_type: a target that the JIT runs, "linalg" or "tosa".
          optimize: as for `Module.run`.
          **options: see `LoweringOptions`.

        Raises:
          BadModelError: not a valid model.
          UnsupportedError: the target cannot carry the model, or the device is another.
        """
        if not cls.supports_device(device):
            raise UnsupportedError([f"device: expected 'CPU', got '{device}'"])
        return PreparedModel(model, output_type, optimize, options)

    @classmethod
    def is_compatible(cls, model: onnx.ModelProto, device: str = "CPU", **options: Any) -> bool:
        """Whether `prepare` accepts a model."""
        try:
            cls.prepare(model, device, **options)
        except (BadModelError, UnsupportedError):
            return False
        return True

    @classmethod
    def run_model(cls, model: onnx.ModelProto, inputs: Any, device: str = "CPU", **options: Any) -> tuple:
        """Compiles a model and runs it once: see `prepare` and `PreparedModel.run`."""
        return cls.prepare(model, device, **options).run(inputs)

    @classmethod
    def run_node(
        cls,
        node: onnx.NodeProto,
        inputs: Any,
        device: str = "CPU",
        outputs_info: Any = None,
        *,
        opset_version: int | None = None,
        **options: Any,
    ) -> tuple:
        """Runs one node.

        Args:
          node: an `onnx.NodeProto`.
          inputs: the values of the inputs that are not omitted, in order or by name.
          device: "CPU".
          outputs_info: not needed.
          opset_version: the opset of the node's domain, by default the newest.
          **options: see `prepare`.
        """
        names = list(dict.fromkeys(name for name in node.input if name))
        values = [inputs[name] for name in names] if isinstance(inputs, dict) else list(inputs)
        if len(values) != len(names):
            raise InputError([f"expected {len(names)} inputs, got {len(values)}"])
        graph = helper.make_graph(
            [node],
            "node",
            [onnx_values.info_of(name, value) for name, value in zip(names, values)],
            [onnx.ValueInfoProto(name=name) for name in node.output if name],
        )
        version = opset_version or onnx_values.newest_opset(node.domain)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid(node.domain, version)])
        # The types of the outputs, among which may be sequences.
        return cls.run_model(onnx.shape_inference.infer_shapes(model), values, device, **options)


is_compatible = Backend.is_compatible
prepare = Backend.prepare
run_model = Backend.run_model
run_node = Backend.run_node
supports_device = Backend.supports_device
