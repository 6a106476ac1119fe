"""The coverage table: which ops this build lowers, and to which targets.

A target lowers an op of the torch dialect in one of these ways:

  pattern     the target has a pattern for it
  kept        the target has a pattern, although the op has a decomposition
  decomposed  the target lowers the ops of its decomposition
  no          not at all
"""

import collections
import dataclasses
import difflib
import fnmatch
import functools
import json
from collections.abc import Sequence
from typing import Any

from isthmus.errors import MissingPartError


@dataclasses.dataclass(frozen=True)
class OnnxOp:
    """An op of ai.onnx in its newest version, or an op of another domain, whose name includes the domain.

    Attributes:
      name: "Clip", or "com.microsoft.MatMulNBits".
      since: the opset version of its newest form.
      lowered: whether it lowers to the torch dialect.
      shapes: the accepted shapes, "X[N, C, d...] W[M, _, d...] B[M]"; "" if any, or if this form cannot express them.
    """

    name: str
    since: int
    lowered: bool
    shapes: str = ""

    @property
    def domain(self) -> str:
        """The op's domain: "com.microsoft"; "onnx" for ai.onnx."""
        return self.name.rpartition(".")[0] or "onnx"

    def __str__(self) -> str:
        return f"{self.name}-{self.since}"


@dataclasses.dataclass(frozen=True)
class TorchOp:
    """An op of the torch dialect, with its lowering to each target.

    Attributes:
      name: "aten.clamp.Tensor".
      role: "core" (each target lowers it), "composite" (one decomposition serves
        all targets) or "structural" (not a PyTorch operator).
      decomposed: whether the op has a decomposition.
      targets: {target: "pattern", "kept", "decomposed" or "no"}.
      reasons: {target: why it cannot express the op}, if the reason applies to all forms of the op.
    """

    name: str
    role: str
    decomposed: bool
    targets: dict[str, str]
    reasons: dict[str, str]

    def __str__(self) -> str:
        return self.name


@dataclasses.dataclass(frozen=True)
class Coverage:
    """The table, or a part of it. One without ops is false.

    Attributes:
      onnx: the ONNX ops, sorted by name.
      torch: the ops of the torch dialect, sorted by name.
      targets: the targets of this build, except torch.
      missing_parts: a sentence for each part that this build omits.
      missing_targets: that sentence for each target of Isthmus that this build omits.
    """

    onnx: list[OnnxOp]
    torch: list[TorchOp]
    targets: list[str]
    missing_parts: list[str]
    missing_targets: dict[str, str]

    @classmethod
    def from_json(cls, text: str) -> "Coverage":
        """Returns the table in a text that the native module or `//tools/coverage:ops.json` has."""
        table = json.loads(text)
        return cls(
            onnx=[OnnxOp(**op) for op in table["onnx"]],
            torch=[TorchOp(**op) for op in table["torch"]],
            targets=table["targets"],
            missing_parts=table["missing_parts"],
            missing_targets=table["missing_targets"],
        )

    def matching(self, patterns: Sequence[str]) -> "Coverage":
        """Returns the ops whose full name (`*conv*`) or one part of it (`clamp`) matches a pattern, in any case.

        Args:
          patterns: a list of names and patterns; an empty one selects every op.
        """
        if not patterns:
            return self
        matches = [pattern.lower() for pattern in patterns]

        def is_wanted(op):
            name = op.name.lower()
            return any(fnmatch.fnmatchcase(part, match) for part in [name, *name.split(".")] for match in matches)

        return dataclasses.replace(
            self, onnx=[op for op in self.onnx if is_wanted(op)], torch=[op for op in self.torch if is_wanted(op)]
        )

    def __bool__(self) -> bool:
        return bool(self.onnx or self.torch)

    def nearest(self, name: str) -> str:
        """Returns the op whose full name, or one part of it, is closest to `name`."""
        parts = {part.lower(): op.name for op in self.onnx + self.torch for part in [*op.name.split("."), op.name]}
        (best,) = difflib.get_close_matches(name.lower(), parts, n=1, cutoff=0)
        return parts[best]

    def to(self, target: str) -> "Coverage":
        """Returns the table for one target; for "torch", its ONNX half.

        Raises:
          MissingPartError: this build omits the target.
        """
        if target == "torch":
            return dataclasses.replace(self, torch=[], targets=[])
        if target not in self.targets:
            raise MissingPartError([self.missing_targets[target]])
        return dataclasses.replace(self, targets=[target])

    def missing(self) -> "Coverage":
        """Returns the ops that lack a lowering to at least one of the table's targets."""
        return dataclasses.replace(
            self,
            onnx=[op for op in self.onnx if not op.lowered],
            torch=[op for op in self.torch if any(op.targets[target] == "no" for target in self.targets)],
        )

    def totals(self) -> list[str]:
        """Returns a line per step with the number of its ops that lower: "onnx to torch: 1 of 2"."""
        lines = []
        by_domain = collections.defaultdict(list)
        for op in self.onnx:
            by_domain[op.domain].append(op.lowered)
        for domain, lowered in sorted(by_domain.items(), key=lambda item: item[0] != "onnx"):
            lines.append(f"{domain} to torch: {sum(lowered)} of {len(lowered)}")
        if not self.torch:
            return lines
        for target in self.targets:
            counts = collections.Counter(op.targets[target] for op in self.torch)
            ways = ", ".join(f"{counts[way]} {way}" for way in ("pattern", "kept", "decomposed") if counts[way])
            lines.append(f"torch to {target}: {len(self.torch) - counts['no']} of {len(self.torch)} ({ways or 'none'})")
        return lines


def coverage() -> Coverage:
    """Returns the coverage table that the conversions of this build register."""
    from isthmus import _native

    return Coverage.from_json(_native.coverage())


# Operators of numbers and sizes that the importer of PyTorch programs knows and the coverage table lacks.
_BESIDE_THE_TABLE = {"aten._local_scalar_dense", "aten.item", "aten.sym_numel"}


@functools.cache
def imported_operators() -> set[str]:
    """Returns the names of the operators that the importer of PyTorch programs knows: "aten.add.Tensor"."""
    from isthmus import _native

    return {op.name for op in coverage().torch} | _BESIDE_THE_TABLE | _native.operator_aliases().keys()


def onnx_rows(ops):
    """Returns the rows of a table of ONNX ops, header first."""
    return [("onnx", "torch"), *((str(op), "yes" if op.lowered else "no") for op in ops)]


def torch_rows(ops, targets):
    """Returns the rows of a table of torch ops, header first."""
    return [("torch", "role", *targets), *((op.name, op.role, *(op.targets[t] for t in targets)) for op in ops)]


def aligned(rows):
    """Returns the lines of a table with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def markdown(rows):
    """Returns the lines of a Markdown table."""
    header, *body = [f"| {' | '.join(row)} |" for row in rows]
    return [header, "|" + "---|" * len(rows[0]), *body]


def render(shown: Coverage, totals: list[str], form: str) -> str:
    """Returns ops as text in the form "table", "json" or "markdown", with the totals of the whole table."""
    if form == "json":
        ops: dict[str, Sequence[Any]] = {"onnx": shown.onnx, "torch": shown.torch}
        table: dict[str, Any] = {dialect: [dataclasses.asdict(op) for op in part] for dialect, part in ops.items()}
        for op in table["torch"]:
            op["targets"] = {target: op["targets"][target] for target in shown.targets}
        return json.dumps(table | {"missing_parts": shown.missing_parts, "totals": totals}, indent=2)
    layout = markdown if form == "markdown" else aligned
    blocks = []
    if shown.onnx:
        blocks.append(layout(onnx_rows(shown.onnx)))
    if shown.torch:
        blocks.append(layout(torch_rows(shown.torch, shown.targets)))
    reasons = [
        f"{op.name} to {target}: {op.reasons[target]}"
        for op in shown.torch
        for target in shown.targets
        if target in op.reasons
    ]
    for lines in (reasons, totals, shown.missing_parts):
        if lines:
            blocks.append([f"- {line}" for line in lines] if form == "markdown" else lines)
    return "\n\n".join("\n".join(block) for block in blocks)
