"""Every core ATen op through linalg and the JIT, with known sizes and with unknown ones."""

import pytest

import isthmus
from tests.EndToEnd import aten_cases
from tests.support.isthmus_opt import isthmus_opt


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("case", aten_cases.CASES, ids=lambda case: case.id)
def test_computes_what_pytorch_does(case, dynamic):
    text = isthmus_opt(case.program(dynamic), "--convert-torch-to-linalg", "--canonicalize", "--cse")
    results = isthmus.parse(text).run(*case.inputs)
    # Integers of linalg have no sign: the same bytes are an int8 or a uint8.
    dtypes = [aten_cases.to_numpy(expected).dtype for expected in case.expected]
    case.check([r.view(d) if d.kind == "u" else r for r, d in zip(results, dtypes, strict=True)])
