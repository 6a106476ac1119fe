"""Makes the smallest model that fails to lower as a given one does, to attach to a report."""

from __future__ import annotations

import dataclasses
import functools
import os
import time
from typing import Unpack

from isthmus import api, findings, trials
from isthmus.errors import InputError
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
      max_memory: the most bytes of memory that lowering may take (no limit).
      max_seconds: the most seconds that lowering may take. A model that takes longer
        fails. Without it, parts of the model get five times the model's time.
      options: see `Module.lower`.

    Returns:
      The small model, and how it fails.

    Raises:
      FileNotFoundError: the file does not exist.
      InputError: the model lowers, no finding has the text `cause`, or no copy of the
        model fails as it does.
      MissingPartError: this build omits the target or the importer.
      ModuleNotFoundError: the package `onnx` is not installed.
      TypeError, ValueError: there is no such option or target.
    """
    target = api._output_type(target)
    chosen: LoweringOptions = {}
    chosen.update({option.keyword: value for option, value in api._known_options("reduce", options)})  # type: ignore
    os.stat(path)
    name = os.fsdecode(path)
    start = time.monotonic()
    messages = _messages(lambda: _read(path), target, chosen, max_memory, max_seconds)
    seconds = max_seconds or max(_LEAST_SECONDS, _TIMES_AS_LONG * (time.monotonic() - start))
    if not messages:
        raise InputError([f"{name}: expected a model that does not lower to {target}, got one that does"])
    wanted = _without_file(_chosen(messages, cause, name), name)

    def alike(read, options):
        """Returns the findings of a program that are of the wanted kind."""
        found = [_without_file(message, _BYTES) for message in _messages(read, target, options, max_memory, seconds)]
        return [message for message in found if findings.identity(message) == findings.identity(wanted)]

    if suffix_of(path) == ".onnx":
        return _reduce_onnx(path, findings.node_of(wanted), alike, chosen)
    return _reduce_mlir(path, alike, chosen)


def _messages(read, target, options, memory, seconds):
    """Lowers a program in a process of its own and returns the findings."""

    def work():
        read().lower(target, **options)

    return trials.run(work, memory, seconds).messages


def _read(path):
    return api.load(path) if api.is_mlir(path) else api.import_model(path)


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


def _reduce_onnx(path, node, alike, options):
    from isthmus import reduce_onnx

    specialize = options.pop("specialize", None) or {}

    @functools.lru_cache(maxsize=1)
    def found(model):
        return alike(lambda: api.import_onnx(model), options)

    def node_of(model):
        (first, *_) = found(model) or [""]
        return findings.node_of(first)

    failure = reduce_onnx.Failure(lambda model: bool(found(model)), node_of, node)
    small, before = reduce_onnx.reduce(os.fsdecode(path), failure, specialize)
    data = small.SerializeToString()
    return Reduced(data, found(data), reduce_onnx.count_nodes(small), before, options)


def _reduce_mlir(path, alike, options):
    from isthmus import reduce_mlir

    def fails(text):
        return alike(lambda: api.parse(text), options)

    def read():
        # Text has no names for its inputs, so the sizes become those of its types.
        return _read(path).lower(api.OutputType.TORCH, specialize=specialize) if specialize else _read(path)

    specialize = options.pop("specialize", None)
    if specialize and (messages := trials.run(lambda: read() and None).messages):
        raise InputError(["--specialize: expected sizes with which the program becomes core ops, got none", *messages])
    small = reduce_mlir.reduce(read(), fails)
    return Reduced(small.text.encode(errors="surrogateescape"), fails(small.text), small.ops, small.ops_before, options)
