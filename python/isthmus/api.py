"""The public functions of Isthmus, which wrap the native module."""

from __future__ import annotations

import contextlib
import enum
import functools
import operator
import os
import sys
import threading
import time
import types
import warnings
import weakref
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Unpack

from isthmus import _native
from isthmus.errors import FileError, InputError, LoweringWarning, UnsupportedError
from isthmus.options import OPTIONS, LoweringOptions

if TYPE_CHECKING:
    import numpy as np
    import torch

    from isthmus.graph import Graph

# The version of Isthmus: "0.1.0".
__version__ = _native.version


class OutputType(enum.StrEnum):
    """The dialects that a model compiles to. Functions that take one also take its value: `"tosa"`."""

    TORCH = "torch"  # core ops of the torch dialect, in torch-mlir's syntax
    LINALG_ON_TENSORS = "linalg"  # linalg, tensor, arith, math, scf
    TOSA = "tosa"  # TOSA 1.0
    MHLO = "mhlo"  # as XLA accepts it
    STABLEHLO = "stablehlo"


class FileFormat(enum.StrEnum):
    """How a program is saved."""

    TEXT = "text"  # MLIR as text
    GENERIC = "generic"  # MLIR as text, with every op in MLIR's generic form
    BYTECODE = "bytecode"  # MLIR as bytecode
    TOSA = "tosa"  # a flatbuffer of TOSA 1.0, for programs in that dialect
    PORTABLE = "portable"  # StableHLO's bytecode with a version, for programs in that dialect; needs the package jax
    JAX_EXPORT = "jax-export"  # what jax.export.deserialize reads, for programs in StableHLO; needs the package jax


class WeightForm(enum.StrEnum):
    """Where a saved program stores its weights: constants of 1 KiB or more, except splats."""

    AUTO = "auto"  # depends on the program's dialect and size: see docs/weights.md
    INLINE = "inline"  # constants in the program's text
    RESOURCE = "resource"  # resources in the program's file
    ARGUMENT = "argument"  # last parameters, with their values in files beside the program
    EXTERNAL = "external"  # extern ml_program.globals, with their values in files beside the program
    IREE = "iree"  # IREE's globals and parameters, in text, with their values in an archive
    NONE = "none"  # no values, for inspecting the graph


class SavedWeights(types.SimpleNamespace):
    """Where a saved program stores its weights."""

    form: WeightForm  # as requested, or the choice of "auto"
    manifest: str | None  # the manifest beside the program, if any
    file: str | None  # the weight file beside the program, if any
    count: int  # number of weights outside the program
    written: int  # number of weights in `file` instead of the model's own file
    written_bytes: int  # size of the latter, in bytes


# Composite ATen ops that `compile` keeps whole for an output type, in addition to those that the target keeps itself:
# `BACKEND_LEGAL_OPS[OutputType.TOSA].append("torch.aten.layer_norm")`.
BACKEND_LEGAL_OPS: dict[OutputType | str, list[str]] = {output_type: [] for output_type in OutputType}


def parts() -> list[str]:
    """Returns the names of this build's optional parts, of `["jit", "linalg", "mhlo", "onnx", "pt2", "tosa"]`."""
    return _native.parts()


def output_types() -> list[OutputType | str]:
    """Returns the output types that this build can compile to; those linked from other workspaces are names."""
    return [_output_type(name) for name in _native.available_targets()]


def known_output_types() -> list[OutputType | str]:
    """Returns `output_types()`, and Isthmus's own that this build omits."""
    return [*OutputType, *sorted(set(_native.available_targets()) - set(OutputType))]


def _output_type(name):
    """Returns the output type of a name; torch-mlir's name of Linalg is one, too.

    Raises:
      ValueError: there is none.
    """
    if name == "linalg-on-tensors":
        name = OutputType.LINALG_ON_TENSORS
    if name not in known_output_types():
        known = "', '".join(known_output_types())
        raise ValueError(f"expected an output type of '{known}', got {name!r}")
    return OutputType(name) if name in set(OutputType) else name


_modules: weakref.WeakSet[Module] = weakref.WeakSet()


def _renew_locks():
    """Replaces the locks of modules in a fork, where a thread that held one is not there to release it."""
    renewed = {}
    for module in list(_modules):
        module._lock = renewed.setdefault(id(module._lock), threading.RLock())


os.register_at_fork(after_in_child=_renew_locks)


class Module:
    """A program in one of the dialects of Isthmus. `print` shows it as MLIR text, with large constants elided.

    `compile`, `import_model`, `import_onnx`, `load` and `parse` return modules. Any thread may call the methods.
    """

    def __init__(self, native, lock=None, trees=None, trust=False):
        self._native = native
        # Whether it runs unchecked; see `load`.
        self._trust = trust
        # Inputs and outputs in PyTorch's own classes; see `Convention`.
        self._trees = trees
        # Only one thread at a time may use native modules that were lowered from one another.
        self._lock = lock or threading.RLock()
        _modules.add(self)
        self._programs = {}

    def __str__(self) -> str:
        with self._lock:
            return self._native.text(True)

    def _repr_html_(self):
        """What notebooks show: the signature and the number of ops."""
        from isthmus.report import notebook

        return notebook.render(self)

    def text(self, *, weights: WeightForm | str = WeightForm.RESOURCE) -> str:
        """Returns the module as MLIR text, with all constants. `str(module)` elides the large ones.

        Args:
          weights: where the text has weights. "resource" is at its end, in the form of
            MLIR's tools, and "inline" in the constants, which XLA reads. "none" omits
            them.

        Raises:
          ValueError: `weights` is none of these. `save` has further forms, with files beside
            the program.
        """
        match WeightForm(weights):
            case WeightForm.RESOURCE:
                with self._lock:
                    return self._native.text(False)
            case WeightForm.NONE:
                with self._lock:
                    return self._native.text(True)
            case WeightForm.INLINE:
                import tempfile

                with tempfile.TemporaryDirectory() as folder:
                    path = os.path.join(folder, "inline.mlir")
                    self.save(path, format=FileFormat.TEXT, weights=WeightForm.INLINE)
                    with open(path, encoding="utf-8") as file:
                        return file.read()
            case form:
                raise ValueError(f"weights: expected 'inline', 'none' or 'resource' for text, got '{form}'")

    def save(
        self,
        path: str | os.PathLike,
        *,
        format: FileFormat | str | None = None,
        weights: WeightForm | str = WeightForm.AUTO,
        weights_in_place: bool = False,
        checksums: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> SavedWeights:
        """Writes the module to a file, whole or not at all.

        Args:
          path: the file to write. An existing file does not change if writing fails.
          format: MLIR text or bytecode (small, quick to read), "generic", text with
            every op in MLIR's generic form, or "tosa", a flatbuffer of TOSA 1.0. By
            default the file's name decides: `.mlirbc` is bytecode, `.tosa` a
            flatbuffer, and others are text. Text lacks the names of the model's nodes.
            "portable" and "jax-export" hold the weights; `isthmus.to_jax` gives a function
            of weights.
          weights: where to store weights. For `m.mlirbc`, weights outside the program
            go to `m.safetensors`, and `m.weights.json` gives the place of each.
          weights_in_place: keep weights in the model's file if it is in the folder of
            `path` or below.
          checksums: store a checksum of each weight in `m.weights.json`.
          progress: called periodically with the bytes written of a file and its total
            bytes, 0 if unknown. An exception from it ends the writing.

        Returns:
          Where the weights are, and how many of them were written.

        Raises:
          FileError: the file cannot be written.
          UnsupportedError: the program cannot have its weights in this form: IREE reads
            no MHLO, `weights_in_place` needs a form with a manifest. Or the format cannot
            hold the program: TOSA 1.0 has no f64.
          ValueError: `format` is no format, `weights` is no form, or `path` contains a null byte.
        """
        file = _encoded(path)
        with self._lock:
            weights = WeightForm(weights)
            format = None if format is None else FileFormat(format)
            if format in (FileFormat.PORTABLE, FileFormat.JAX_EXPORT):
                from isthmus.jax import files

                return files.save(self, path, format, weights)
            saved = self._native.save(file, format, weights, weights_in_place, checksums, progress)
        return SavedWeights(**saved | {"form": WeightForm(saved["form"])})

    def count_ops(self) -> dict[str, int]:
        """Returns the number of occurrences of each op, by full name: `{"linalg.matmul": 2, "func.func": 1}`.

        Ops inside regions count too, such as those in the body of a `linalg.generic`.
        """
        with self._lock:
            return self._native.count_ops()

    def custom_ops(self) -> dict[str, int]:
        """Returns the number of custom ops for each carried op, by full name: `{"torch.aten.gelu": 12}`."""
        with self._lock:
            return self._native.custom_ops()

    def raise_custom_ops(self) -> Module:
        """Returns the program with its custom ops replaced by torch ops, to lower it again.

        Raises:
          BadModelError: a custom op violates the contract of docs/custom_ops.md.
        """
        with self._lock:
            raised = self._native.clone()
            raised.raise_custom_ops()
        return Module(raised, self._lock, self._trees, self._trust)

    def nodes(self) -> list[tuple[str, str]]:
        """Returns the nodes of a model as pairs: the op's full name, and the prefix of messages about the node.

        A node is an op of the onnx or the torch dialect: `("onnx.Conv", "model.onnx: node 'Conv_0': ")`. A program in
        another dialect has none.
        """
        with self._lock:
            return self._native.nodes()

    def graph(self) -> Graph:
        """Returns the program's inputs, outputs, weights and nodes, without values.

        A program that is lowered has no nodes.
        """
        from isthmus.graph import Graph

        with self._lock:
            return Graph.from_native(self._native.graph())

    def lower(self, output_type: OutputType | str, **options: Unpack[LoweringOptions]) -> Module:
        """Returns the program lowered to another dialect; this module does not change.

        Args:
          output_type: the target; see `OutputType`.
          **options: see `LoweringOptions`.

        Raises:
          UnsupportedError: some ops have no lowering. Its messages give the node, the
            expected and the actual form, for all of them. Or an option names an op, an
            input, a class or a choice that is unknown, or sizes that do not fit; or the
            program is lowered already.
          BadModelError: the program is not valid.
          MissingPartError: this build omits the output type.
          InputError: a size does not fit in 64 bits.
          TypeError: there is no such option, or a value is of another type.
          ValueError: `output_type` is unknown.
        """
        output_type, given = _output_type(output_type), _native_options(_known_options("lower", options))
        with self._lock:
            lowered = self._native.clone()
            try:
                lowered.lower(output_type, given)
            except UnsupportedError as error:
                from isthmus import findings

                error.advice = findings.advise(error.messages, self._native.open_inputs(), self._names_of_inputs())
                raise
        for message in lowered.warnings():
            warnings.warn(message, LoweringWarning, stacklevel=2)
        return Module(lowered, self._lock, self._trees, self._trust)

    def hoist_weights(self, min_bytes: int = 0) -> list[np.ndarray]:
        """Turns constants into parameters after the function's own.

        Args:
          min_bytes: the size of the smallest constant that becomes a parameter.

        Returns:
          The weights in parameter order, as read-only, row-major NumPy arrays over their
          existing memory, with the shapes and dtypes of the parameters. Splats and bools
          stay constants.
        """
        with self._lock:
            weights = [array for _, array in self._native.hoist_weights(min_bytes)]
            self._programs.clear()
            vars(self).pop("_convention", None)  # the weights are arguments now
        return weights

    def input_names(self, *, threads: int = 1, check_bounds: bool = False, optimize: bool = True) -> list[str]:
        """Returns the model's names of the inputs that `run` takes; "" for an unnamed one.

        Args:
          threads, check_bounds, optimize: as for the `run` that follows. The first call compiles.

        Raises:
          InputError, UnsupportedError, MissingPartError: see `run`.
        """
        return [parameter.name for parameter in self._program(threads, check_bounds, optimize).inputs]

    def output_names(self, *, threads: int = 1, check_bounds: bool = False, optimize: bool = True) -> list[str]:
        """Returns the model's names of the outputs that `run` returns; "" for an unnamed one.

        Args:
          threads, check_bounds, optimize: as for the `run` that follows. The first call compiles.

        Raises:
          InputError, UnsupportedError, MissingPartError: see `run`.
        """
        return [parameter.name for parameter in self._program(threads, check_bounds, optimize).outputs]

    def run(
        self, *inputs: Any, threads: int = 1, check_bounds: bool = False, optimize: bool = True
    ) -> list[np.ndarray]:
        """Runs a Linalg or TOSA program on this machine.

        The first call compiles; one compilation serves every size of dynamic
        dimensions. Inputs are not copied.

        Args:
          inputs: NumPy arrays or objects that NumPy can view, such as torch tensors,
            in the order of the function's arguments and with the model's dtypes and
            shapes; a dynamic dimension takes any size. If the program stores another
            dtype (TOSA has no i64), integers that fit are converted. An array that is
            not row-major is packed first.
          threads: number of threads, 4096 at most; 0 is one per core.
          check_bounds: check each memory access, which is slow. A program that reads
            or writes outside its buffers ends with an error.
          optimize: optimise machine code. Without this, a program compiles in less than
            half the time and runs several times slower; useful for one that runs once.

        Returns:
          The results as row-major NumPy arrays with the model's dtypes. The package
          ml_dtypes has the dtypes that NumPy lacks, such as bfloat16. A scalar has the
          shape `()`.

        Raises:
          InputError: the number, dtypes or sizes of the inputs do not match the function,
            or an assertion of the program failed.
          UnsupportedError: the compiler cannot compile the module, which may be in a
            dialect other than Linalg and TOSA.
          KernelError: a kernel of a custom op failed.
          MissingPartError: this build has no JIT.
        """
        return self._program(threads, check_bounds, optimize).run(inputs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs a Linalg or TOSA program with the model's calling convention, on all cores.

        Args:
          *args, **kwargs: for an exported PyTorch program, nested as in the exported
            call; for other programs, the arrays that `run` takes.

        Returns:
          The model's output with its nesting; a list for an ONNX graph. PyTorch tensors
          if any input is one, or if a program from memory has no inputs, NumPy arrays
          otherwise. Inputs that the model writes to are updated.

        Raises:
          InputError: the structure, a constant or a size differs from the exported
            program; see also `run`.
          UnsupportedError: the model writes to a buffer; see also `run`.
        """
        convention = self._convention
        if convention is None and kwargs:
            raise InputError([f"argument '{name}': expected arrays in order, got a name" for name in kwargs])
        flat = convention.bind(args, kwargs) if convention else list(args)
        results = self.run(*flat, threads=0)
        convert = _same
        is_from_memory = self._trees is not None
        if any(type(value).__module__.partition(".")[0] == "torch" for value in flat) or (not flat and is_from_memory):
            from isthmus.pytorch import to_tensor as convert
        return convention.finish(flat, results, convert) if convention else [convert(result) for result in results]

    def _names_of_inputs(self):
        """The model's names of the first function's arguments, without those that have none."""
        notes = self._native.notes() or {"arguments": []}
        return [argument["isthmus.name"] for argument in notes["arguments"] if "isthmus.name" in argument]

    @functools.cached_property
    def _convention(self):
        """The model's calling convention; None if the program does not record one."""
        from isthmus.convention import Convention

        with self._lock:
            notes = self._native.notes()
        return Convention(notes, self._trees) if notes and "torch.in_spec" in notes["function"] else None

    def _program(self, threads, check_bounds, optimize):
        if threads < 0:
            raise InputError([f"threads: expected 0 for one per core or a positive number, got {threads}"])
        if threads > _native.most_threads:
            raise InputError([f"threads: expected {_native.most_threads} at most, got {threads}"])
        key = threads, check_bounds, optimize
        with self._lock:
            if key not in self._programs:
                from isthmus import kernels
                from isthmus.program import Program

                for known, program in self._programs.items():
                    if program.is_stateful:
                        names = "threads", "check_bounds", "optimize"
                        expected, got = (", ".join(map("{}={}".format, names, each)) for each in (known, key))
                        raise InputError([f"expected {expected}, with which the program keeps state, got {got}"])
                functions = {_raw(name): function for name, function in kernels.registered().items()}
                self._programs[key] = Program(self._native.compile(*key, functions, self._trust))
            return self._programs[key]


def _same(value):
    return value


def import_onnx(model: str | os.PathLike | bytes) -> Module:
    """Imports an ONNX model, opset 1 to 28, into the `onnx` dialect.

    Args:
      model: path of a `.onnx` file, or its serialized bytes. A file stays mapped
        while the module lives, and its large tensors are never copied; external
        data must be in its folder. Bytes have no folder, so external data is an
        error of them.

    Returns:
      A module of one function, with the graph's inputs and outputs in order. A fixed
      dimension stays static; a symbolic or missing one becomes `?`.

    Raises:
      FileNotFoundError: `model` is a path and does not exist.
      BadModelError: not a valid model, or of an unknown version.
      MissingPartError: this build omits the importer.
    """
    return _opened(model, "onnx")


def import_model(model: str | os.PathLike | bytes) -> Module:
    """Imports an ONNX model, or a program that `torch.export.save` wrote; the first bytes tell which.

    An exported program becomes the `torch` dialect. This does not need PyTorch and unpickles nothing.

    Args:
      model: path of the file, or its bytes. A file stays mapped while the module
        lives, and its large tensors are never copied.

    Returns:
      A module of the `onnx` or the `torch` dialect.

    Raises:
      FileNotFoundError: `model` is a path and does not exist.
      BadModelError: not a valid model, or of an unknown version.
      MissingPartError: this build omits the importer.
    """
    return _opened(model)


def _opened(model, format=""):
    """Opens a path or bytes; without a format, the first bytes tell it."""
    if isinstance(model, bytes):
        return Module(_native.open_bytes(model, format))
    os.stat(model)
    return Module(_native.open_file(_encoded(model), format))


def import_records(records: Mapping[str, Any]) -> Module:
    """Imports the records of an in-memory `.pt2` archive: bytes-like objects by path, which are not copied.

    Raises:
      BadModelError: not a valid program, or of an unknown version.
      MissingPartError: this build omits the importer.
    """
    return Module(_native.open_records(records))


def compile(
    model: torch.nn.Module | Callable | torch.export.ExportedProgram | str | os.PathLike | bytes,
    example_inputs: Any = None,
    output_type: OutputType | str = OutputType.LINALG_ON_TENSORS,
    *,
    example_kwargs: Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    decompositions: Mapping[Any, Callable] | None = None,
    verbose: bool = False,
    **options: Unpack[LoweringOptions],
) -> Module:
    """Compiles a model to one of the output types.

    Args:
      model: a PyTorch module or function; a `torch.export.ExportedProgram`; the path
        of a `.pt2` or `.onnx` file, or its bytes, which need no PyTorch.
      example_inputs: a tuple of positional arguments to export a module or function
        with; a single tensor is a tuple of one.
      output_type: the target; see `OutputType`.
      example_kwargs, dynamic_shapes: further arguments of `torch.export.export`.
      decompositions: a table for `ExportedProgram.run_decompositions`, such as
        `torch.export.default_decompositions()`. Without it ops are imported as
        exported, and each target decomposes the ops it does not keep.
      verbose: print to stderr each step with its duration, and the operators that
        PyTorch decomposes because the torch dialect has no class for them.
      **options: see `LoweringOptions`. The output type's `BACKEND_LEGAL_OPS` are kept
        too.

    Returns:
      A module; call it like the model.

    Raises:
      InputError: example inputs are missing, or given for a model that does not need them.
      BadModelError, MissingPartError, UnsupportedError, FileNotFoundError, TypeError, ValueError:
        see `import_model` and `Module.lower`.
    """
    output_type = _output_type(output_type)
    # An error comes before the time that exporting takes.
    chosen: dict[str, Any] = {option.keyword: value for option, value in _known_options("compile", options)}
    if isinstance(model, (str, os.PathLike, bytes)):
        problems = unexpected_examples(example_inputs, example_kwargs, dynamic_shapes, " for a file")
        if decompositions is not None:
            problems.append("decompositions: expected none for a file")
        if problems:
            raise InputError(problems)
        with _step("importing", verbose):
            module = import_model(model)
    else:
        from isthmus import pytorch

        with _step("exporting", verbose):
            program = pytorch.export(
                model,
                example_inputs,
                example_kwargs,
                dynamic_shapes=dynamic_shapes,
                decompositions=decompositions,
                verbose=verbose,
            )
        with _step("importing", verbose):
            named = [*chosen.get("custom_ops", ()), *chosen.get("backend_legal_ops", ())]
            kept = [name.removeprefix("torch.") for name in named]
            module = pytorch.import_program(program, kept=kept, verbose=verbose)
    legal_ops = [*BACKEND_LEGAL_OPS.get(output_type, []), *chosen.get("backend_legal_ops", ())]
    chosen["backend_legal_ops"] = [name.removeprefix("torch.") for name in legal_ops]
    with _step(f"lowering to {output_type}", verbose):
        return module.lower(output_type, **chosen)


def unexpected_examples(example_inputs: Any, example_kwargs: Any, dynamic_shapes: Any, why: str) -> list[str]:
    """Returns a problem for each argument of an export that is given for a model that needs none."""
    given = {"example_inputs": example_inputs, "example_kwargs": example_kwargs, "dynamic_shapes": dynamic_shapes}
    return [f"{name}: expected none{why}" for name, value in given.items() if value is not None]


def _known_options(function, options):
    """Returns pairs of an option and its value; lists and mappings are copied.

    Raises:
      TypeError: there is no such option, or a value is of another type.
    """
    known = {option.keyword: option for option in OPTIONS}
    if unknown := options.keys() - known:
        raise TypeError(f"{function}() got an unexpected keyword argument {min(unknown)!r}")
    return [(known[keyword], _checked(known[keyword], value)) for keyword, value in options.items()]


def _checked(option, value):
    """Returns the value of an option.

    Raises:
      TypeError: it is of another type.
    """
    try:
        match option.kind:
            case "flag":
                expected, valid = "a bool", isinstance(value, bool)
            case "choice":
                expected, valid = "a str", isinstance(value, str)
            case "name":
                expected, valid = "a str", isinstance(value, str)
                value = _text(value)
            case "names" | "texts":
                expected = "a str, or a list of them"
                value = [_text(name) for name in _listed(value)]
                valid = all(isinstance(name, str) for name in value)
            case "files":
                expected = "a path, or a list of them"
                value = _listed(value)
                valid = all(isinstance(path, str | bytes | os.PathLike) for path in value)
            case "shapes":
                expected = "a mapping from names to lists of ints"
                value = {name: [operator.index(size) for size in shape] for name, shape in (value or {}).items()}
                valid = all(isinstance(name, str | bytes) for name in value)
            case _:
                raise AssertionError(f"{option.keyword}: unknown kind {option.kind!r}")
    except (AttributeError, TypeError):
        valid = False
    if not valid:
        raise TypeError(f"{option.keyword}: expected {expected}, got {value!r}")
    return value


def _native_options(options):
    """Returns options by their names in the native module, with names and paths as bytes."""
    convert = {
        "files": lambda paths: [_encoded(path) for path in paths],
        "name": lambda name: [_raw(name)] if name else [],
        "names": lambda names: [_raw(name) for name in names],
        "shapes": _sizes,
        "texts": lambda texts: [_raw(text) for text in texts],
    }
    return {option.argument: convert.get(option.kind, _same)(value) for option, value in options}


def _sizes(shapes):
    """Returns sizes by the names of inputs, which are of 64 bits."""
    sizes = {_raw(name): shape for name, shape in shapes.items()}
    if problems := [
        f"specialize: expected sizes of 64 bits, got {size}"
        for shape in sizes.values()
        for size in shape
        if not -(2**63) <= size < 2**63
    ]:
        raise InputError(problems)
    return sizes


def _encoded(path):
    """Returns a path as the system's bytes, which may be any but 0."""
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise ValueError(f"expected a path, got one with a null byte: {path!r}")
    return encoded


def is_mlir(path: str | os.PathLike) -> bool:
    """Returns whether a file's name says that it is MLIR: `.mlir` or `.mlirbc`."""
    return _native.is_mlir(_encoded(path))


def write_file(path: str | os.PathLike, write: Callable[[int], None]) -> None:
    """Writes a file as `Module.save` does, whole or not at all. `write` takes the file descriptor.

    Raises:
      FileError: the file cannot be written.
    """
    _native.write_file(_encoded(path), write)


def write_bytes(path: str | os.PathLike, data: bytes) -> None:
    """Writes a file of `data`, whole or not at all.

    Raises:
      FileError: the file cannot be written.
    """

    def write(descriptor):
        with open(descriptor, "wb", closefd=False) as file:
            file.write(data)

    try:
        write_file(path, write)
    except FileError:
        raise
    except OSError as error:
        raise FileError([f"{os.fspath(path)}: {error.strerror or error}"]) from error


def _raw(name):
    """Returns a name as the model's bytes, which may be any."""
    return name.encode(errors="surrogateescape") if isinstance(name, str) else name


def _text(name):
    """Returns a name as a string; `_raw` gives its bytes back."""
    return name.decode(errors="surrogateescape") if isinstance(name, bytes) else name


def _listed(names):
    """Returns a list of names; a single name is a list of one."""
    return [names] if isinstance(names, (str, os.PathLike)) else list(names)


@contextlib.contextmanager
def _step(name, verbose):
    start = time.perf_counter()
    yield
    if verbose:
        print(f"isthmus: {name}: {time.perf_counter() - start:.2f} s", file=sys.stderr)


def load(path: str | os.PathLike, *, trust: bool = False) -> Module:
    """Reads a module from a file of MLIR text or bytecode.

    Args:
      path: the file.
      trust: let `run` run the program unchecked. Without it, a program that calls
        functions of this process or accesses its memory raises UnsupportedError in
        `run`; see docs/security.md.

    Returns:
      A module. Weights in files beside the program are read when it runs or is saved.

    Raises:
      FileNotFoundError: the file does not exist.
      FileError: the file cannot be read.
      BadModelError: the file is not MLIR, or its program is not valid.
    """
    os.stat(path)
    return Module(_native.open_file(_encoded(path), "mlir"), trust=trust)


def parse(source: str | bytes, *, trust: bool = False) -> Module:
    """Reads a module from MLIR text or bytecode in memory.

    Args:
      source: the text or the bytes.
      trust: see `load`.

    Raises:
      BadModelError: the source is not MLIR, or its program is not valid.
    """
    return Module(_native.open_bytes(_raw(source), "mlir"), trust=trust)
