"""Writes docs/generated/ops.md: ops_page.py OPS.json LIT_TEST.mlir..."""

import collections
import pathlib
import re
import sys

from isthmus import ops

INTRODUCTION = """\
# Ops

Printed by `bazel run //tools:refresh_docs` from the registered lowerings and patterns; `isthmus ops` prints the same for any
build, and `isthmus check MODEL` for one model.

A target lowers a torch op by a *pattern*, *decomposes* it first, or *keeps* it whole although it has a decomposition. Some forms
of an op may be declined; the column *declined* lists those that a lit test covers. The importer upgrades an older version of an
ONNX op to the newest one.

*Shapes* are those of an ONNX op's operands. In `X[N, C, d...] W[M, _, d...] B[M]`, a letter is one size everywhere; `_` is any
size; `d...` is a group of dims, equal in number everywhere; `4H` is four times `H`; `...` is any number of dims; `[]|[1]` is
either form. An operand that is not listed has no shape rule: it broadcasts or takes any shape.
"""

# "no lowering to tosa for 'torch.aten.sort': expected …, got …"
DECLINED = re.compile(r"expected-error[^{]*\{\{no lowering to ([\w ]+) for '([\w.]+)': (.*)\}\}")


# Reasons that a row already shows: the op has no pattern, or its shapes do not match.
IN_ROW = re.compile(r"the op has no pattern yet$|expected ('\w+' of (rank \d|\[)|dim \d+ of ')")


def limits(paths):
    """Returns the declined cases in lit tests: {full op name: {target: sentences}}."""
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    for path in paths:
        for target, op, reason in DECLINED.findall(path.read_text(encoding="utf-8")):
            if not IN_ROW.match(reason):
                # The "got" part is the test's example; advice may follow it.
                found[op][target].add(re.sub(r", got .*?(?=; (?:make|pass) |$)", "", reason))
    return found


def cell(of_op):
    """Returns one op's limits as a table cell; limits of the lowering to torch have no target prefix."""
    who_says = collections.defaultdict(list)
    for target, sentences in sorted(of_op.items()):
        for sentence in sorted(sentences):
            # Skip a sentence that is a prefix of another one.
            if not any(other != sentence and other.startswith(sentence) for other in sentences):
                who_says[sentence].append(target)
    said = collections.defaultdict(list)
    for sentence, targets in who_says.items():
        said[", ".join(targets)].append(sentence)
    texts = [("" if who == "torch" else f"{who}: ") + "; ".join(sentences) for who, sentences in sorted(said.items())]
    return ". ".join(texts).replace("|", "\\|")


def page(coverage, declined):
    """Returns the page's text."""

    def with_limits(rows, names):
        header, *body = rows
        return [(*header, "declined"), *((*row, cell(declined[name])) for row, name in zip(body, names, strict=True))]

    shapes = ["shapes", *(f"`{op.shapes}`".replace("|", "\\|") if op.shapes else "" for op in coverage.onnx)]
    rows = [(*row, shape) for row, shape in zip(ops.onnx_rows(coverage.onnx), shapes, strict=True)]
    onnx = with_limits(rows, [f"onnx.{op.name}" for op in coverage.onnx])
    torch = with_limits(ops.torch_rows(coverage.torch, coverage.targets), [f"torch.{op.name}" for op in coverage.torch])
    totals = [f"- {line}" for line in coverage.totals()]
    blocks = [totals, ["## ONNX to torch"], ops.markdown(onnx), ["## Torch to targets"], ops.markdown(torch)]
    return INTRODUCTION + "".join("\n" + "\n".join(block) + "\n" for block in blocks)


if __name__ == "__main__":
    table = ops.Coverage.from_json(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.stdout.write(page(table, limits(map(pathlib.Path, sys.argv[2:]))))
