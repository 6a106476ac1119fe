"""Every ATen op through linalg and the JIT, with known sizes and with unknown ones."""

import re

import pytest

import isthmus
from tests.EndToEnd import aten_cases, aten_complex_cases, aten_composite_cases
from tests.support.isthmus_opt import isthmus_opt

CASES = aten_cases.CASES + aten_composite_cases.CASES + aten_complex_cases.CASES

# Nothing, repeated so often that a size of it is known to be 0, has no form that bufferizes.
NO_REPEATS = "collapsed dim (0) must be dynamic if and only if reassociation group is dynamic"


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_computes_what_pytorch_does(case, dynamic):
    text = isthmus_opt(case.program(dynamic), "--torch-to-linalg-pipeline", "--canonicalize", "--cse")
    module = isthmus.parse(text)
    if dynamic and case.id == "aten.repeat-4":
        with pytest.raises(isthmus.UnsupportedError, match=re.escape(NO_REPEATS)):
            module.run(*case.inputs)
        return
    case.check(module.run(*case.inputs))
