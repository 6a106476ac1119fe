"""Makes the smallest model that fails to lower as a given one does, to attach to a report."""

from __future__ import annotations

import dataclasses
import os
import tempfile
import time
from typing import Unpack

from isthmus import api, findings, trials
from isthmus.errors import InputError, IsthmusError, UnsupportedError
from isthmus.options import LoweringOptions

# The name of a model from memory in messages.
_BYTES = "<bytes>"
# A part gets this many times the time of the whole model, and no less than these seconds.
_TIMES_AS_LONG, _LEAST_SECONDS = 5, 20


@dataclasses.dataclass(frozen=True)
class Reduced:
    """A small model that fails like a larger one.

    Attributes:
      data: the model as the bytes of a file: ONNX for an ONNX model, else MLIR text.
      messages: its findings of this kind.
      nodes: number of its nodes, those in graphs of nodes too.
      nodes_before: the same of the model.
      options: the options of `Module.lower` with which it fails.
    """

    data: bytes
    messages: list[str]
    nodes: int
    nodes_before: int
    options: LoweringOptions

    def messages_in(self, path: str) -> list[str]:
        """Returns the findings with the name of its file.

        Args:
          path: the file.
        """
        return [
            path + message.removeprefix(_BYTES) if message.startswith(_BYTES) else f"{path}: {message}"
            for message in self.messages
        ]

    def write(self, file: int) -> None:
        """Writes the model to a file descriptor."""
        with os.fdopen(file, "wb", closefd=False) as stream:
            stream.write(self.data)


def reduce(
    path: str | os.PathLike,
    target: api.OutputType | str,
    *,
    cause: str | None = None,
    tolerance: float | None = None,
    max_memory: int | None = None,
    max_seconds: float | None = None,
    **options: Unpack[LoweringOptions],
) -> Reduced:
    """Makes the smallest model found that fails with the same op and the same reason as the model in a file.

    Each model is tried in a process of its own, so a crash, and a time or memory beyond a
    limit, are ways to fail like others. An ONNX model needs the package `onnx`, and
    becomes an ONNX model. A `.pt2` or MLIR file becomes MLIR text.

    Args:
      path: a file that `import_model` or `load` reads.
      target: the target; see `OutputType`.
      cause: a part of a finding's text, to choose among several; by default the first.
      tolerance: look for a wrong number instead of an error: the op of the first node
        whose relative error against onnxruntime is larger, as `isthmus verify` finds it.
        For ONNX models only.
      max_memory: the most bytes of memory that lowering may take (no limit).
      max_seconds: the most seconds that lowering may take. A model that takes longer
        fails. Without it, parts of the model get five times the model's time.
      options: see `Module.lower`.

    Returns:
      The small model, and how it fails.

    Raises:
      FileNotFoundError: the file does not exist.
      InputError: the model lowers (or agrees with onnxruntime), no finding has the text
        `cause`, or no copy of the model fails as it does.
      MissingPartError: this build omits the target or the importer.
      IsthmusError: onnxruntime is not installed.
      ModuleNotFoundError: the package `onnx` is not installed.
      TypeError, ValueError: there is no such option or target.
    """
    target = api._output_type(target)
    chosen: LoweringOptions = {}
    chosen.update({option.keyword: value for option, value in api._known_options("reduce", options)})  # type: ignore
    os.stat(path)
    name = os.fsdecode(path)
    is_onnx = suffix_of(path) == ".onnx"
    if tolerance is not None and not is_onnx:
        raise InputError([f"{name}: expected an ONNX model to compare with onnxruntime, got another"])

    def attempt(model, options, seconds):
        """Returns the findings of a model: a path, an ONNX model as bytes, or MLIR text."""

        def work():
            if tolerance is None:
                _opened(model).lower(target, **options)
            else:
                _compare(model, target, tolerance, options)

        return trials.run(work, max_memory, seconds).messages

    start = time.monotonic()
    messages = attempt(name, chosen, max_seconds)
    seconds = max_seconds or max(_LEAST_SECONDS, _TIMES_AS_LONG * (time.monotonic() - start))
    if not messages:
        expected = f"fails to lower to {target}" if tolerance is None else f"differs from onnxruntime by {tolerance:g}"
        raise InputError([f"{name}: expected a model that {expected}, got one that does not"])
    wanted = _without_file(_chosen(messages, cause, name), name)

    def alike(model, options):
        """Returns the findings of a model that are of the wanted kind."""
        found = [_without_file(message, _BYTES) for message in attempt(model, options, seconds)]
        return [message for message in found if findings.identity(message) == findings.identity(wanted)]

    if is_onnx:
        small = _reduce_onnx(name, findings.node_of(wanted), alike, chosen)
    else:
        small = _reduce_mlir(name, alike, chosen)
    if small is None:
        raise InputError(
            [f"{name}: expected a model whose copy fails like itself, got one whose copy does not", wanted]
        )
    return small


@dataclasses.dataclass(frozen=True)
class _Text:
    """A program as MLIR text."""

    text: str


def _opened(model):
    """Returns the module of a path, of an ONNX model as bytes, or of text."""
    if isinstance(model, _Text):
        return api.parse(model.text.encode(errors="surrogateescape"))
    if isinstance(model, bytes):
        return api.import_onnx(model)
    return api.load(model) if api.is_mlir(model) else api.import_model(model)


def _compare(model, target, tolerance, options):
    """Raises a finding about the first node whose numbers differ from onnxruntime's."""
    from isthmus import verify

    with tempfile.TemporaryDirectory() as folder:
        path = model
        if isinstance(model, bytes):
            path = os.path.join(folder, "part.onnx")
            with open(path, "wb") as file:
                file.write(model)
        try:
            report = verify.compare(path, target, tolerance=tolerance, **options)
        except IsthmusError as error:  # such as one of onnxruntime
            raise UnsupportedError(error.messages) from error
        if not report.agrees:
            beyond = [output for output in report.outputs if output.error > tolerance]
            raise UnsupportedError([verify.finding(path, report.first or beyond[0])])


def suffix_of(path: str | os.PathLike) -> str:
    """Returns the suffix of the small model's file for a model: ".onnx" or ".mlir"."""
    if api.is_mlir(path):
        return ".mlir"
    with open(path, "rb") as file:
        return ".mlir" if file.read(4) == b"PK\3\4" else ".onnx"


def _without_file(message, name):
    return message.removeprefix(f"{name}: ")


def _chosen(messages, cause, name):
    """Returns the first finding, or the first with the text `cause`: in its op or reason, or else anywhere."""
    if cause is None:
        return messages[0]
    for text_of in (findings.without_place, str):
        for message in messages:
            if cause in text_of(message):
                return message
    shown = "\n".join(f"  {_without_file(text, name)}" for text in findings.summarize(messages))
    raise InputError([f"{name}: expected a part of a cause's text, got {cause!r}; the causes are\n{shown}"])


def _reduce_onnx(name, node, alike, options):
    from isthmus import reduce_onnx

    specialize = options.pop("specialize", None) or {}

    def find(model):
        return next(iter(alike(model, options)), None)

    found = reduce_onnx.reduce(name, reduce_onnx.Failure(find, node), specialize)
    if found is None:
        return None
    small, before = found
    data = small.SerializeToString()
    return Reduced(data, alike(data, options), reduce_onnx.count_nodes(small), before, options)


def _reduce_mlir(name, alike, options):
    from isthmus import reduce_mlir

    def fails(text):
        return alike(_Text(text), options)

    def read():
        module = _opened(name)
        # Text has no names for its inputs, so the sizes become those of its types.
        return module.lower(api.OutputType.TORCH, specialize=specialize) if specialize else module

    specialize = options.pop("specialize", None)
    if messages := trials.run(lambda: read() and None).messages:
        what = "becomes core ops with these sizes" if specialize else "the importer reads"
        raise InputError([f"{name}: expected a program that {what}, which is what is made smaller", *messages])
    small = reduce_mlir.reduce(read(), fails)
    return small and Reduced(
        small.text.encode(errors="surrogateescape"), fails(small.text), small.ops, small.ops_before, options
    )
