"""Writes docs/generated/custom_ops.md: custom_ops_page.py ISTHMUS_OPT OPS.json"""

import collections
import json
import pathlib
import re
import subprocess
import sys

from isthmus import ops
from tests.EndToEnd import custom_op_outcomes

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
    """Returns the call's description of the operator "a.b" in a body, and its function type."""
    text = f"func.func @main({PARAMETERS}) {{{body}\n  return\n}}\n"
    command = [isthmus_opt, f"--convert-torch-backend-legal-to-linalg-call=ops=a.b custom-op-encoding={encoding}"]
    printed = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    declaration = next(line for line in printed.splitlines() if "@torch.a.b" in line and "func.func private" in line)
    attributes = re.search(r'attributes = "((?:[^"\\]|\\.)*)"', declaration)[1].replace("\\22", '"')
    operands, results = re.search(r"@torch\.a\.b\((.*?)\)(?: -> (.*?))? attributes", declaration).groups()
    return json.loads(attributes), operands, results or "none"


OUTCOMES = """
## Which ops are carried

`custom_ops_round_trip_test.py` and `onnx_custom_ops_test.py` try every op of the torch dialect and of ai.onnx as a custom op, in
programs of the end-to-end tests. The counts come from `tests/EndToEnd/custom_ops_outcomes.txt`; these two tests fail if it is out
of date. Both encodings carry and refuse the same. An op is *carried* if some of its programs are, and *refused* if none is.
"""
DOMAINS = {"torch": "torch", "onnx": "ai.onnx"}
TARGETS = {"linalg": "Linalg", "mhlo": "MHLO", "tosa": "TOSA"}


def read_outcomes(domain):
    """Returns {op: [(carried, refused) programs for each target]} and [(op, target, reason)]."""
    op, counts, reasons = None, {}, []
    for line in custom_op_outcomes.noted(domain):
        if line.startswith(" "):
            head, _, reason = line.strip().partition(": ")
            reasons.append((op, head.split(" ")[0], reason))
        else:
            op, *columns = line.split(" | ")
            counts[op] = [tuple(map(int, column.split(" "))) for column in columns]
    return counts, reasons


def total_rows(registered):
    yield ("ops", "target", "ops carried", "ops refused", "programs carried", "programs refused")
    for domain, name in DOMAINS.items():
        counts, _ = read_outcomes(domain)
        counts = {op: count for op, count in counts.items() if op in registered}
        for index, target in enumerate(TARGETS.values()):
            of = [count[index] for count in counts.values()]
            carried = sum(count[0] > 0 for count in of)
            numbers = (carried, len(of) - carried, sum(count[0] for count in of), sum(count[1] for count in of))
            yield (name, target, *map(str, numbers))


def reason_rows(only_refused):
    """Returns one row per reason, for refused ops or for refused programs of carried ops."""
    groups = collections.defaultdict(list)
    for domain in DOMAINS:
        counts, reasons = read_outcomes(domain)
        for op, target, reason in reasons:
            if (counts[op][list(TARGETS).index(target)][0] == 0) == only_refused:
                groups[op, reason].append(TARGETS[target])
    by_reason = collections.defaultdict(list)
    for (op, reason), targets in groups.items():
        by_reason[", ".join(targets), reason].append(f"`{op.removeprefix('torch.')}`")
    yield ("targets", "reason", "ops")
    for (targets, reason), of in sorted(by_reason.items(), key=lambda item: (item[0][0], -len(item[1]), item[0])):
        yield (targets, reason, ", ".join(of))


def code(value):
    text = value if isinstance(value, str) else json.dumps(value)
    return f"`{text}`" if text else ""


def main():
    isthmus_opt, ops_json = sys.argv[1:]
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
    table = ops.Coverage.from_json(pathlib.Path(ops_json).read_text(encoding="utf-8"))
    registered = {f"torch.{op.name}" for op in table.torch} | {f"onnx.{op.name}" for op in table.onnx}
    print(OUTCOMES)
    print("\n".join(ops.markdown(list(total_rows(registered)))))
    print("\n### Ops that are refused\n")
    print("\n".join(ops.markdown(list(reason_rows(only_refused=True)))))
    print("\n### Programs that are refused, of ops that are carried\n")
    print("\n".join(ops.markdown(list(reason_rows(only_refused=False)))))


if __name__ == "__main__":
    main()
