"""Every op of the torch dialect becomes a custom op of every target, and raising it gives the same program again."""

import bisect
import collections
import dataclasses
import functools
import itertools
import pathlib
import re
import subprocess

import pytest
import torch

from isthmus import ops
from tests.EndToEnd import aten_cases, aten_composite_cases, custom_op_outcomes

FORMS = {"linalg": "linalg-call", "mhlo": "mhlo-custom-call", "tosa": "tosa-custom"}

# The reasons for which an op is not carried, as docs/custom_ops.md lists them.
_REASONS = {
    "linalg": [r"expected a result of known rank and dtype, got '!torch.vtensor<\*,\w+>'"],
    "mhlo": [r"expected a result of known rank and dtype, got '!torch.vtensor<\*,\w+>'"],
    "tosa": [
        r"TOSA has no f64; pass narrow-f64 to compute in f32",
        r"TOSA has no tensors of '(ui32|ui64|f8E4M3FN|complex<f32>|complex<f64>)'",
        r"TOSA has no tensors without elements, got '.*'",
        r"TOSA's level 8k has tensors of rank 6 at most, got '.*'",
        r"expected a result of known rank and dtype, got '!torch.vtensor<\*,\w+>'",
    ],
}

# Ops without numbers to compare, which therefore have no cases.
_LIKE = torch.zeros(2, 3)
_FURTHER = [
    ("aten.empty.memory_format", ([2, 3],)),
    ("aten.empty_like", (_LIKE,)),
    ("aten.empty_permuted", ([2, 3], [1, 0])),
    ("aten.empty_strided", ([2, 3], [3, 1])),
    ("aten.new_empty", (_LIKE, [4])),
    ("aten.new_empty_strided", (_LIKE, [2, 3], [3, 1])),
    ("aten.bernoulli", (torch.full((2, 3), 0.5),)),
    ("aten.bernoulli.Tensor", (_LIKE, _LIKE)),
    ("aten.bernoulli.p", (_LIKE, 0.5)),
    ("aten.feature_alpha_dropout", (_LIKE, 0.5, True)),
    ("aten.multinomial", (_LIKE + 1, 2)),
    ("aten.normal.Tensor_Tensor", (_LIKE, _LIKE + 1)),
    ("aten.normal.Tensor_float", (_LIKE, 1.0)),
    ("aten.normal.float_Tensor", (1.0, _LIKE + 1)),
    ("aten.normal.float_float", (1.0, 2.0, [2, 3])),
    *((f"aten.{name}", (_LIKE,)) for name in ("cauchy", "exponential", "log_normal", "normal_functional", "uniform")),
    ("aten.geometric", (_LIKE, 0.5)),
    ("aten.randint_like", (_LIKE, 9)),
    ("aten.randint_like.generator", (_LIKE, 9, None)),
    ("aten.randint_like.low_dtype", (_LIKE, 1, 9)),
    ("aten.randint_like.low_generator_dtype", (_LIKE, 1, 9, None)),
    ("aten.random", (_LIKE,)),
    ("aten.random.from", (_LIKE, 1, 9)),
    ("aten.random.to", (_LIKE, 9)),
    ("aten.rand", ([2, 3],)),
    ("aten.rand.generator", ([2, 3], None)),
    ("aten.randint", (9, [2, 3])),
    ("aten.randint.generator", (9, [2, 3], None)),
    ("aten.randint.low", (1, 9, [2, 3])),
    ("aten.randint.low_generator", (1, 9, [2, 3], None)),
    ("aten.rand_like", (_LIKE,)),
    ("aten.rand_like.generator", (_LIKE, None)),
    ("aten.randn", ([2, 3],)),
    ("aten.randn.generator", ([2, 3], None)),
    ("aten.randn_like", (_LIKE,)),
    ("aten.randn_like.generator", (_LIKE, None)),
    ("aten.randperm", (5,)),
    ("aten.randperm.generator", (5, None)),
]
CASES = [
    *aten_cases.CASES,
    *aten_composite_cases.CASES,
    *(aten_cases.Case(op, args) for op, args in _FURTHER),
    # These cases use only some results. No rule gives the ranks of the unused ones, so here all are used.
    *(dataclasses.replace(case, used=None) for case in aten_composite_cases.CASES if "embedding_bag" in case.op),
]
# Programs that cannot be written as cases: an op without a result, and one that takes a device.
_TEXTS = {
    "aten._assert_tensor_metadata": """
  %none = torch.constant.none
  torch.aten._assert_tensor_metadata %a0, %none, %none, %none, %none, %none : !torch.vtensor<[2],f32>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.none""",
    "aten._linalg_check_errors": """
  %name = torch.constant.str "inv"
  %false = torch.constant.bool false
  torch.aten._linalg_check_errors %a0, %name, %false : !torch.vtensor<[2],f32>, !torch.str, !torch.bool""",
    "aten.to.device": """
  %device = torch.constant.device "cpu"
  %dtype = torch.constant.int 6
  %false = torch.constant.bool false
  %none = torch.constant.none
  %r0 = torch.aten.to.device %a0, %device, %dtype, %false, %false, %none : !torch.vtensor<[2],f32>, !torch.Device, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[2],f32>""",
}


def _text(body):
    result = "%r0" if "%r0" in body else "%a0"
    return f"func.func @main(%a0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {{{body}\n  return {result} : !torch.vtensor<[2],f32>\n}}\n"


@functools.cache
def _programs():
    """Returns [(op, its program, a function with a name of its own)]."""
    programs = [(case.op, case.program()) for case in CASES] + [(op, _text(body)) for op, body in _TEXTS.items()]
    return [(op, text.replace("@main", f"@case_{i}")) for i, (op, text) in enumerate(programs)]


def _opt(functions, *args):
    """Runs isthmus-opt on functions as one module; returns its output, and {number of a function: its errors}."""
    run = subprocess.run(
        ["tools/isthmus-opt/isthmus-opt", *args], input="\n".join(functions), capture_output=True, text=True
    )
    ends = list(itertools.accumulate(function.count("\n") + 1 for function in functions))
    errors = collections.defaultdict(list)
    for line, error in re.findall(r"^<stdin>:(\d+):\d+: error: (.*)", run.stderr, re.M):
        errors[bisect.bisect_left(ends, int(line))].append(error)
    assert errors or run.returncode == 0, run.stderr
    return run.stdout, errors


def _spelt_out(line, values):
    return re.sub(r"%[\w.+-]+", lambda value: values.get(value[0], value[0]), line)


def _functions(text):
    """Returns {number of the case: (signature, ops without results, what is returned)}, every value spelt out."""
    functions = {}
    for function in re.split(r"(?=func\.func @case_)", text)[1:]:
        signature, *lines = function.splitlines()
        values, statements, returned = {}, [], None
        for line in map(str.strip, lines):
            assignment = re.fullmatch(r"(%[\w.+-]+)(?::\d+)?((?:, %[\w.+-]+)*) = (.*)", line)
            if assignment:
                expression = f"({_spelt_out(assignment[3], values)})"
                names = [assignment[1], *re.findall(r"%[\w.+-]+", assignment[2])]
                for index, name in enumerate(names):
                    values[name] = expression + (f".{index}" if len(names) > 1 else "")
            elif line.startswith("return"):
                returned = _spelt_out(line, values)
            elif line.startswith("torch."):
                statements.append(_spelt_out(line, values))
        functions[int(re.search(r"@case_(\d+)", signature)[1])] = (signature, statements, returned)
    return functions


def _same(before, after):
    """Whether two functions are the same. A result without a use may lack a type before, but not as a custom op."""
    pattern = re.sub(
        r"!torch\\\.vtensor(?=,|\\\))", r"!torch\\.vtensor(<\\[[\\d?,]*\\],[\\w<>]+>)?", re.escape(before[2])
    )
    return before[:2] == after[:2] and re.fullmatch(pattern, after[2])


@functools.cache
def _carried(target, encoding):
    """Returns the module of the programs that are carried, and {number of another program: why it is refused}."""
    option = f"--convert-torch-backend-legal-to-{FORMS[target]}=ops=all custom-op-encoding={encoding}"
    functions = [text for _, text in _programs()]
    _, refused = _opt(functions, option)
    text, errors = _opt([text for case, text in enumerate(functions) if case not in refused], option)
    assert not errors
    return text, {case: errors[0] for case, errors in refused.items()}


@pytest.mark.parametrize("encoding", ["attributes", "operands"])
@pytest.mark.parametrize("target", FORMS)
def test_what_is_carried_comes_back(target, encoding):
    before = _functions(_opt([text for _, text in _programs()])[0])
    assert len(before) == len(_programs())
    carried, refused = _carried(target, encoding)
    assert "torch.aten" not in re.sub(r'"[^"]*"|@[\w.]+', "", carried)
    raised, errors = _opt([carried], "--raise-custom-ops")
    assert not errors
    after = _functions(raised)
    assert after.keys() == before.keys() - refused.keys()
    different = [_programs()[case][0] for case in after if not _same(before[case], after[case])]
    assert not different


@pytest.mark.parametrize("target", FORMS)
def test_what_is_refused_has_a_known_reason(target):
    _, refused = _carried(target, "attributes")
    assert refused == _carried(target, "operands")[1]
    for error in refused.values():
        reason = re.fullmatch(r"no lowering to .* for '[\w.]+': (.*)", error)[1]
        assert any(re.fullmatch(known, reason) for known in _REASONS[target]), error


def _outcomes():
    """Returns {op: {target: [why it is refused, or None, for each of its programs]}}."""
    outcomes = collections.defaultdict(lambda: collections.defaultdict(list))
    for target in FORMS:
        _, refused = _carried(target, "attributes")
        for case, (op, _) in enumerate(_programs()):
            outcomes[f"torch.{op}"][target].append(refused.get(case))
    return outcomes


def test_outcomes_are_noted():
    assert custom_op_outcomes.rows(_outcomes()) == custom_op_outcomes.noted("torch")


# Ops that are carried in none of these programs.
_NOT_CARRIED = {
    "linalg": set(),
    "mhlo": set(),
    "tosa": {
        # The results that they save for a backward pass have no elements.
        "aten._batch_norm_no_update",
        "aten._batch_norm_with_update_functional",
        "aten._native_batch_norm_legit",
        "aten._native_batch_norm_legit_no_training",
        "aten._linalg_svd",
        # Their numbers are of 8 bits.
        "aten._scaled_mm",
        # Their scales are of f64.
        "quantized_decomposed._choose_qparams_per_token_asymmetric_impl",
        "quantized_decomposed.choose_qparams.tensor",
        "quantized_decomposed.choose_qparams_per_token",
        "quantized_decomposed.choose_qparams_per_token_asymmetric",
        "quantized_decomposed.choose_qparams_symmetric.tensor",
        # Their cases are in f64.
        "aten.linalg_lu_factor",
        *(f"aten.float_power.{overload}" for overload in ("Scalar", "Tensor_Scalar", "Tensor_Tensor")),
        # These take or return complex numbers.
        "aten.matrix_H",
        *("aten._conj", "aten._conj_physical", "aten.complex", "aten.imag", "aten.polar"),
        *("aten._fft_c2c", "aten._fft_c2r", "aten._fft_r2c", "aten.view_as_complex", "aten.view_as_real"),
        *(
            f"aten.fft_{name}"
            for name in ("fft", "fft2", "fftn", "ifft", "ifft2", "ifftn", "ihfft", "ihfft2", "ihfftn")
        ),
        *(f"aten.fft_{name}" for name in ("hfft2", "hfftn", "irfft2", "irfftn", "rfft", "rfft2", "rfftn")),
        *("aten.istft", "aten.stft.center"),
    },
}


def test_every_op_is_carried_to_every_target():
    """Each op is carried in at least one program, except for the ops of _NOT_CARRIED."""
    registered = {
        op.name
        for op in ops.Coverage.from_json(pathlib.Path("tools/coverage/ops.json").read_text(encoding="utf-8")).torch
        if op.role != "structural"
    }
    for target in FORMS:
        _, refused = _carried(target, "attributes")
        carried = {op for case, (op, _) in enumerate(_programs()) if case not in refused}
        assert registered - carried == _NOT_CARRIED[target]


if __name__ == "__main__":
    custom_op_outcomes.rewrite("torch", custom_op_outcomes.rows(_outcomes()))
