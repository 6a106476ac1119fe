"""torch-mlir's `fx.export_and_import`, by Isthmus.

Source:
  torch_mlir/fx.py and torch_mlir/compiler_utils.py of the package torch-mlir 20261001
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from isthmus import api
from isthmus.errors import InputError

if TYPE_CHECKING:
    import torch


class OutputType(enum.Enum):
    """torch-mlir's output types."""

    TORCH = "torch"  # core ops of the torch dialect
    LINALG_ON_TENSORS = "linalg-on-tensors"
    TOSA = "tosa"
    STABLEHLO = "stablehlo"
    RAW = "raw"  # the torch dialect as imported, before any lowering

    @staticmethod
    def get(spec: str | enum.Enum) -> OutputType:
        """Returns the output type of a name such as "linalg-on-tensors" or "TOSA".

        Args:
          spec: the name, or a member of this class, of torch-mlir's own or of
            `isthmus.OutputType`.

        Raises:
          ValueError: there is none.
        """
        name = spec.name if isinstance(spec, enum.Enum) else spec.upper().replace("-", "_")
        if name not in OutputType.__members__:
            raise ValueError(f"expected an output type of {', '.join(OutputType.__members__)}, got {spec!r}")
        return OutputType[name]


class Module(api.Module):
    """A program whose text, `str(module)`, is whole, as in torch-mlir. Otherwise it is an `isthmus.Module`."""

    def __str__(self) -> str:
        return self.text()


# Arguments without a meaning here: their defaults, and what another value needs instead.
_UNUSED: dict[str, tuple[bool | None, str]] = {
    "allow_non_finites": (True, "expected True, as programs here compute with infinities and NaN"),
    "enable_ir_printing": (
        False,
        "expected False; set ISTHMUS_SAVE_STAGES=FOLDER to write the program after each pass",
    ),
    "experimental_support_mutation": (
        False,
        "expected False; buffers that a program writes to are further results, or with "
        "isthmus.compile(..., mutable_buffers='globals') globals",
    ),
    "fx_importer": (None, "expected None, as the importer is not in Python"),
    "hooks": (None, "expected None, as the importer is not in Python"),
    "import_symbolic_shape_expressions": (
        False,
        "expected False; programs have the ranges of their sizes, and no expressions",
    ),
}
_NAME = re.compile(r"[A-Za-z_][\w$.]*")


def _check(func_name: str, **unused: object) -> None:
    """Raises an InputError for a name that is none, and for arguments of `_UNUSED` with another value than the default."""
    problems = []
    for name, value in unused.items():
        default, instead = _UNUSED[name]
        if (value if default is None else bool(value)) is not default:
            problems.append(f"{name}: {instead}")
    if not _NAME.fullmatch(func_name):
        problems.append(f"func_name: expected an identifier, got {func_name!r}")
    if problems:
        raise InputError(problems)


def _kept(backend_legal_ops: Sequence[str] | None) -> list[str]:
    return [name.removeprefix("torch.") for name in backend_legal_ops or ()]


def export_and_import(
    f: torch.nn.Module | torch.export.ExportedProgram,
    *args: Any,
    output_type: str | enum.Enum = OutputType.RAW,
    fx_importer: None = None,
    dynamic_shapes: Any = None,
    strict: bool = False,
    experimental_support_mutation: bool = False,
    import_symbolic_shape_expressions: bool = False,
    hooks: None = None,
    decomposition_table: Mapping[Any, Callable] | None = None,
    func_name: str = "main",
    enable_graph_printing: bool = False,
    verbose: bool = False,
    enable_ir_printing: bool = False,
    backend_legal_ops: Sequence[str] | None = None,
    allow_non_finites: bool = True,
    **kwargs: Any,
) -> Module:
    """Exports a PyTorch module and compiles it, with the arguments of torch-mlir's function.

    Args:
      f: a module, or an exported program, which takes no example inputs.
      *args, **kwargs: the example inputs.
      output_type: see `OutputType`.
      dynamic_shapes, strict: as for `torch.export.export`.
      decomposition_table: a table for `run_decompositions`. Without it ops are imported
        as exported, and each target decomposes what it does not keep; torch-mlir has a
        table of its own here.
      func_name: the name of the program's function.
      enable_graph_printing: print the exported graph.
      verbose: print the program as imported and as lowered, without large constants.
      backend_legal_ops: composite ops to keep whole; RAW output keeps all.
      fx_importer, experimental_support_mutation, import_symbolic_shape_expressions, hooks,
        enable_ir_printing, allow_non_finites: only their defaults, as they have no
        meaning here.

    Returns:
      A module to print, save or run, where torch-mlir returns one of MLIR's Python
      bindings.

    Raises:
      InputError: an argument has no meaning here; the message says what to use.
      BadModelError, UnsupportedError, MissingPartError: see `isthmus.compile`.
      ValueError: there is no such output type.
    """
    kind = OutputType.get(output_type)
    _check(
        func_name,
        allow_non_finites=allow_non_finites,
        enable_ir_printing=enable_ir_printing,
        experimental_support_mutation=experimental_support_mutation,
        fx_importer=fx_importer,
        hooks=hooks,
        import_symbolic_shape_expressions=import_symbolic_shape_expressions,
    )
    import torch

    from isthmus import pytorch

    inputs = None if isinstance(f, torch.export.ExportedProgram) and not args else args
    program = pytorch.export(
        f,
        inputs,
        kwargs or None,
        dynamic_shapes=dynamic_shapes,
        decompositions=decomposition_table or None,
        strict=strict,
    )
    if enable_graph_printing:
        program.graph_module.print_readable()
    kept = _kept(backend_legal_ops)
    return _finished(pytorch.import_program(program, kept=kept), kind, func_name, kept, verbose)


def stateless_fx_import(
    gm: torch.fx.GraphModule,
    output_type: str | enum.Enum = OutputType.RAW,
    fx_importer: None = None,
    hooks: None = None,
    model_name: str = "main",
    enable_graph_printing: bool = False,
    verbose: bool = False,
    enable_ir_printing: bool = False,
    backend_legal_ops: Sequence[str] | None = None,
    allow_non_finites: bool = True,
) -> Module:
    """Compiles a functional graph of ATen ops, with the arguments of torch-mlir's function.

    Args:
      gm: the graph, whose nodes have `meta["val"]`, as `make_fx` and `torch.compile` make
        them.
      model_name: the name of the program's function.
      output_type, fx_importer, hooks, enable_graph_printing, verbose, enable_ir_printing,
        backend_legal_ops, allow_non_finites: see `export_and_import`.

    Raises:
      BadModelError, InputError, UnsupportedError, MissingPartError, ValueError: see
        `export_and_import`.
    """
    kind = OutputType.get(output_type)
    _check(
        model_name,
        allow_non_finites=allow_non_finites,
        enable_ir_printing=enable_ir_printing,
        fx_importer=fx_importer,
        hooks=hooks,
    )
    from isthmus import pytorch

    if enable_graph_printing:
        gm.print_readable()
    kept = _kept(backend_legal_ops)
    return _finished(pytorch.import_graph(gm), kind, model_name, kept, verbose)


def _finished(module: api.Module, kind: OutputType, name: str, kept: list[str], verbose: bool) -> Module:
    """Lowers an imported program, and gives its function a name."""
    if verbose:
        print(module)
    if kind is not OutputType.RAW:
        module = module.lower(kind.value, backend_legal_ops=kept)
        if verbose:
            print(module)
    native = module._native if name == "main" else _renamed(module, name)._native
    return Module(native, module._lock, module._trees)


def _renamed(module: api.Module, name: str) -> api.Module:
    """Returns a program whose function @main has another name."""
    strings = re.compile(r'"(?:[^"\\]|\\.)*"|@main\b(?![\w$.-])')
    return api.parse(strings.sub(lambda match: f"@{name}" if match[0] == "@main" else match[0], module.text()))
