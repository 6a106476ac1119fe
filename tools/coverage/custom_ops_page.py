"""Writes docs/generated/custom_ops.md: custom_ops_page.py ISTHMUS_OPT."""

import json
import re
import subprocess
import sys

INTRODUCTION = """\
# What custom ops carry

Printed by `bazel run //tools:refresh_docs` from what the passes write; [custom_ops.md](../custom_ops.md) is the contract.

## Arguments

An entry of `arguments` for each type that an argument of an op may have. Where `operands` differs, its column says what
becomes an operand; `{"operand": n}` counts operands from 0.
"""

INT, FLOAT, BOOL, TENSOR = "!torch.int", "!torch.float", "!torch.bool", "!torch.vtensor<[2],f32>"
CONSTANTS = """
  %int = torch.constant.int 3
  %float = torch.constant.float 1.000000e-05
  %nan = torch.constant.float 0x7FF8000000000000
  %bool = torch.constant.bool true
  %str = torch.constant.str "mean"
  %device = torch.constant.device "cpu"
  %none = torch.constant.none
  %dtype = torch.constant.int 6
  %layout = torch.constant.int 0
  %memory_format = torch.constant.int 0
  %n = torch.aten.Int.Tensor %i : !torch.vtensor<[],si64> -> !torch.int
  %f = torch.aten.Float.Tensor %g : !torch.vtensor<[],f64> -> !torch.float
  %b = torch.aten.Bool.Tensor %c : !torch.vtensor<[],i1> -> !torch.bool
  %ints = torch.prim.ListConstruct %int, %dtype : (!torch.int, !torch.int) -> !torch.list<int>
  %no_ints = torch.prim.ListConstruct : () -> !torch.list<int>
  %mixed = torch.prim.ListConstruct %int, %n : (!torch.int, !torch.int) -> !torch.list<int>
  %floats = torch.prim.ListConstruct %float : (!torch.float) -> !torch.list<float>
  %bools = torch.prim.ListConstruct %bool : (!torch.bool) -> !torch.list<bool>
  %tensors = torch.prim.ListConstruct %x, %x : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.list<vtensor>
  %optionals = torch.prim.ListConstruct %none, %x : (!torch.none, !torch.vtensor<[2],f32>) -> !torch.list<optional<vtensor>>
  %nested = torch.prim.ListConstruct %ints : (!torch.list<int>) -> !torch.list<list<int>>"""
ARGUMENTS = [
    ("tensor", "%x", TENSOR),
    ("int", "%int", INT),
    ("float", "%float", FLOAT),
    ("float that JSON lacks", "%nan", FLOAT),
    ("bool", "%bool", BOOL),
    ("str", "%str", "!torch.str"),
    ("device", "%device", "!torch.Device"),
    ("dtype (an int: c10::ScalarType)", "%dtype", INT),
    ("layout (an int)", "%layout", INT),
    ("memory format (an int)", "%memory_format", INT),
    ("None, absent tensor, absent generator", "%none", "!torch.none"),
    ("int known at run time only, symbolic int", "%n", INT),
    ("float known at run time only", "%f", FLOAT),
    ("bool known at run time only", "%b", BOOL),
    ("list of ints", "%ints", "!torch.list<int>"),
    ("empty list", "%no_ints", "!torch.list<int>"),
    ("list of ints, one of them symbolic", "%mixed", "!torch.list<int>"),
    ("list of floats", "%floats", "!torch.list<float>"),
    ("list of bools", "%bools", "!torch.list<bool>"),
    ("list of tensors", "%tensors", "!torch.list<vtensor>"),
    ("list of optional tensors", "%optionals", "!torch.list<optional<vtensor>>"),
    ("list of lists", "%nested", "!torch.list<list<int>>"),
]
RESULTS = [
    ("tensor", "!torch.vtensor<[2],si64>"),
    ("tensor of unknown sizes", "!torch.vtensor<[?,2],ui8>"),
    ("int", INT),
    ("float", FLOAT),
    ("bool", BOOL),
    ("several", "(!torch.vtensor<[2],f32>, !torch.vtensor<[2],i1>)"),
    ("none", "()"),
    ("list of tensors, taken apart", "!torch.list<vtensor>"),
]
PARAMETERS = (
    "%x: !torch.vtensor<[2],f32>, %i: !torch.vtensor<[],si64>, %g: !torch.vtensor<[],f64>, %c: !torch.vtensor<[],i1>"
)


def carried(isthmus_opt, encoding, body):
    """Returns what a call says of the operator "a.b" in a body, and its function type."""
    text = f"func.func @main({PARAMETERS}) {{{body}\n  return\n}}\n"
    command = [isthmus_opt, f"--convert-torch-backend-legal-to-linalg-call=ops=a.b encoding={encoding}"]
    printed = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    declaration = next(line for line in printed.splitlines() if "@torch.a.b" in line and "func.func private" in line)
    attributes = re.search(r'attributes = "((?:[^"\\]|\\.)*)"', declaration)[1].replace("\\22", '"')
    operands, results = re.search(r"@torch\.a\.b\((.*?)\)(?: -> (.*?))? attributes", declaration).groups()
    return json.loads(attributes), operands, results or "none"


def code(value):
    text = value if isinstance(value, str) else json.dumps(value)
    return f"`{text}`" if text else ""


def main():
    isthmus_opt = sys.argv[1]
    print(INTRODUCTION)
    print("| argument | entry | operands | with `operands` | operands there |\n|---|---|---|---|---|")
    for what, value, type_ in ARGUMENTS:
        cells = []
        for encoding in ("attributes", "operands"):
            body = f'{CONSTANTS}\n  torch.operator "a.b"({value}) : ({type_}) -> ()'
            says, operands, _ = carried(isthmus_opt, encoding, body)
            cells += [code(says["arguments"][0]), code(operands)]
        if cells[:2] == cells[2:]:
            cells[2:] = ["the same", ""]
        print(f"| {' | '.join([what, *cells])} |")
    print("\n## Results\n\n| results | `results` | results of the custom op |\n|---|---|---|")
    for what, type_ in RESULTS:
        name = f"%r:{type_.count('!')} = " if type_ != "()" else ""
        body = f'\n  {name}torch.operator "a.b"(%x) : ({TENSOR}) -> {type_}'
        if "list" in type_:
            body += f"\n  %parts:2 = torch.prim.ListUnpack %r : {type_} -> {TENSOR}, {TENSOR}"
        says, _, results = carried(isthmus_opt, "attributes", body)
        print(f"| {what} | {code(says['results'])} | {code(results)} |")


if __name__ == "__main__":
    main()
