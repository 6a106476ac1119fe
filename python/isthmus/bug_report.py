"""Writes what a report of a problem needs as Markdown, without weights and without the names of folders."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shlex
import tempfile

from isthmus import api, findings, ops, trials
from isthmus.options import LoweringOptions

_PACKAGES = ("ml_dtypes", "numpy", "onnx", "onnxruntime", "torch")
_HIDDEN = "…"
# Text of a model may be of any length.
_MOST_LINES, _LONGEST_LINE = 200, 2000


def write(
    path: str | os.PathLike | None = None,
    target: api.OutputType | str | None = None,
    *,
    command: list[str] | None = None,
    max_memory: int | None = None,
    max_seconds: float | None = None,
    options: LoweringOptions | None = None,
) -> str:
    """Returns a report as Markdown: versions, and for a model its signature, its ops and how it lowers.

    The model is read and lowered in a process of its own, so that a crash is part of the report.

    Args:
      path: a file that `import_model` or `load` reads.
      target: the target to lower to; none by default.
      command: the arguments of the command that the report is about.
      max_memory: the most bytes of memory that reading and lowering may take (no limit).
      max_seconds: the most seconds that they may take (no limit).
      options: the options of `Module.lower`.

    Raises:
      FileNotFoundError: the file does not exist.
      MissingPartError: this build omits the target or the importer.
    """
    parts = ["# Report", _section("Versions", _versions())]
    if command:
        parts.append(_section("Command", shlex.join(command)))
    if path is not None:
        os.stat(path)
        parts += _about_model(path, target, options or {}, max_memory, max_seconds)
    files = [path or "", *_patterns(options or {})]
    folders = [os.path.dirname(os.fsdecode(file)) for file in files]
    return _without_folders("\n".join(parts) + "\n", [*folders, os.getcwd(), os.path.expanduser("~")])


def _patterns(options):
    """Returns the files among the options."""
    return options.get("outline_patterns") or []


def _versions():
    rows = [
        ("isthmus", f"{api.__version__} ({', '.join(api.parts())})"),
        ("MLIR", _mlir_version()),
        ("Python", f"{platform.python_implementation()} {platform.python_version()}"),
        ("platform", platform.platform()),
        *((name, _version_of(name)) for name in _PACKAGES),
    ]
    if variables := sorted(name for name in os.environ if name.startswith("ISTHMUS_")):
        rows.append(("variables", ", ".join(variables)))
    return "\n".join(ops.aligned(rows))


def _version_of(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "none"


def _mlir_version():
    """Returns the version of MLIR, which names itself in the first bytes of bytecode: "MLIR22.1.8"."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "empty.mlirbc")
        api.parse("").save(path)
        with open(path, "rb") as file:
            match = re.search(rb"MLIR(\d+\.\d+[\w.]*)", file.read(64))
    return match[1].decode() if match else "unknown"


def _about_model(path, target, options, memory, seconds):
    """Returns the sections about a model."""

    folder, name = os.path.split(os.path.abspath(os.fsdecode(path)))
    options = {**options, "outline_patterns": [os.path.abspath(os.fsdecode(file)) for file in _patterns(options)]}

    def opened():
        os.chdir(folder)  # so that no message names it
        return api.load(name) if api.is_mlir(name) else api.import_model(name)

    outcome = trials.run(lambda: _summary(opened()), memory, seconds)
    sections = [_section("Model", f"{name}, {os.path.getsize(path):,} bytes")]
    if outcome.result:
        sections += [_section("Signature", outcome.result["signature"]), _section("Ops", outcome.result["ops"])]
    if not outcome.messages and target is not None:
        outcome = trials.run(lambda: _summary(opened().lower(target, **options)), memory, seconds)
        if outcome.result:
            sections.append(_section(f"Ops in {target}", outcome.result["ops"]))
    if outcome.messages:
        said = "\n".join(str(cause) for cause in findings.causes(outcome.messages))
    else:
        said = "none" if target is None else f"none: the model lowers to {target}"
    return [*sections, _section("Findings", said)]


def _summary(module):
    """Returns the signature of a program and its ops, as text."""
    lines = [line.strip().removesuffix(" {") for line in str(module).splitlines() if "func.func " in line]
    rows = [(str(count), op) for op, count in sorted(module.count_ops().items())]
    return {"signature": "\n".join(lines), "ops": "\n".join(ops.aligned(rows))}


def _section(title, text):
    """Returns a section with a text as it is; no text of a model ends it."""
    lines = [line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE] + " …" for line in text.splitlines()]
    if len(lines) > _MOST_LINES:
        lines = [*lines[:_MOST_LINES], f"… and {len(lines) - _MOST_LINES} more lines"]
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return "\n".join(["", f"## {title}", "", f"{fence}text", *lines, fence])


def _without_folders(text, folders):
    """Returns a text without the names of folders."""
    names = {whole(folder or ".") for folder in folders for whole in (os.path.abspath, os.path.realpath)}
    for folder in sorted(names - {"/"}, key=len, reverse=True):
        text = text.replace(folder + os.sep, "").replace(folder, _HIDDEN)
    return text
