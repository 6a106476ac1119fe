"""The rules for shapes of ATen ops name operands as PyTorch does."""

import json
import pathlib
import re

LINES = re.findall(
    r'^SHAPES\(([\w.]+), "(.*)"\)$',
    pathlib.Path("cc/lib/Dialect/Torch/Shapes.def").read_text(encoding="utf-8"),
    re.MULTILINE,
)
SCHEMAS = json.loads(pathlib.Path("third_party/torch/schemas.json").read_text(encoding="utf-8"))


def test_there_are_lines():
    assert len(LINES) > 50


def test_operands_stand_in_order():
    wrong = []
    for op, signature in LINES:
        named = [re.match(r"\w+", operand)[0] for operand in re.split(r" (?![^\[]*\])", signature)]
        known = [argument["name"] for argument in SCHEMAS[op]["arguments"]] if op in SCHEMAS else []
        if known[: len(named)] != named:
            wrong.append(f"cc/lib/Dialect/Torch/Shapes.def: {op}: expected operands from {known}, got {named}")
    assert not wrong, "\n" + "\n".join(wrong)
