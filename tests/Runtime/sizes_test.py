"""A call ends with an error before it runs if sizes are out of range, or not what the program computes from others."""

import itertools
import math
import types

import numpy as np
import pytest

import isthmus

RANGES = "{s0 = [2, 8], s1 = [0, 9223372036854775807]}"


def program(*dims, ranges=RANGES, guards="[]"):
    """A function of tensors with these sizes, one list for each tensor. It returns nothing."""
    arguments = ", ".join(
        f'%{name}: tensor<{"?x" * len(sizes)}f32> {{isthmus.name = "{name}", '
        f'isthmus.dim_params = "{",".join(f"{dim}:{size}" for dim, size in enumerate(sizes))}"}}'
        for name, sizes in zip("xyz", dims)
    )
    attributes = f"torch.ranges = {ranges}, torch.guards = {guards}"
    return isthmus.parse(f"func.func @main({arguments}) attributes {{{attributes}}} {{ return }}")


def zeros(*shape):
    return np.zeros(shape, np.float32)


GOOD = [
    ([["s0"]], [(2,)]),
    ([["s0"]], [(8,)]),
    ([["s0", "s1"], ["s1"]], [(2, 5), (5,)]),
    ([["2*s0+1"]], [(5,)]),
    ([["s0", "2*s0+1"]], [(3, 7)]),
    # An expression may come before the symbols in it.
    ([["s0*s1"], ["s0", "s1"]], [(12,), (3, 4)]),
    ([["s0", "(s0+1)//2", "s0%2", "s0**2", "s0+-1", "2*(s0//2)"]], [(3, 2, 1, 9, 2, 2)]),
    # Nothing is known about s0 and s1, so any size is right.
    ([["s0*s1"]], [(1,)]),
]


@pytest.mark.parametrize("dims, shapes", GOOD)
def test_sizes_that_fit(dims, shapes):
    assert program(*dims).run(*[zeros(*shape) for shape in shapes]) == []


BAD = [
    ([["s0"]], [(1,)], ["argument 0 ('x'), dim 0: expected 2 to 8, got 1"]),
    ([["s0"]], [(9,)], ["argument 0 ('x'), dim 0: expected 2 to 8, got 9"]),
    ([["s1", "s1"]], [(3, 4)], ["argument 0 ('x'), dim 1: expected 3, as dim 0 of argument 0 ('x'), got 4"]),
    (
        [["s0", "s1"], ["s1"]],
        [(1, 5), (4,)],
        [
            "argument 0 ('x'), dim 0: expected 2 to 8, got 1",
            "argument 1 ('y'), dim 0: expected 5, as dim 1 of argument 0 ('x'), got 4",
        ],
    ),
    ([["s0", "2*s0+1"]], [(3, 6)], ["argument 0 ('x'), dim 1: expected 7, which is 2*s0+1, got 6"]),
    ([["2*s0+1"]], [(6,)], ["argument 0 ('x'), dim 0: expected 2*s0+1 with s0 of 2 to 8, got 6"]),
    ([["2*s0+1"]], [(3,)], ["argument 0 ('x'), dim 0: expected 2*s0+1 with s0 of 2 to 8, got 3"]),
    ([["3*s1"]], [(4,)], ["argument 0 ('x'), dim 0: expected 3*s1 with s1 of at least 0, got 4"]),
]


@pytest.mark.parametrize("dims, shapes, messages", BAD)
def test_sizes_that_do_not_fit(dims, shapes, messages):
    with pytest.raises(isthmus.InputError) as error:
        program(*dims).run(*[zeros(*shape) for shape in shapes])
    assert error.value.messages == messages


@pytest.mark.parametrize("size", ["", "s0+", "(s0", "s0*s1//2", "1.5", "(" * 100 + "s0" + ")" * 100])
def test_text_that_says_no_size(size):
    with pytest.raises(isthmus.UnsupportedError, match='expected sizes such as "0:s0,1:2\\*s0\\+1" of its dims'):
        program([size]).run(zeros(1))


def test_range_that_is_none():
    with pytest.raises(isthmus.UnsupportedError, match="expected a range of two integers of 's0'"):
        program(["s0"], ranges="{s0 = [2]}").run(zeros(2))


GUARDS = [
    "s0 > s1",
    "(s0 % 2) == 0",
    "s0*s1 >= 12",
    "(s0 // 3) == 2",
    "s0 != 9",
    "0.3*torch.sym_float(s0) > 2.0",
    "math.trunc(1.5*torch.sym_float(s1)) == 9",
    "max(s0, s1) > 7",
    "min(s0, s1, 4) == 4",
    "-s0 + s1 < 2**3 - 4",
    "s0 - s1 - 1 <= s0 - (s1 - 1) - s0",
    "s0 / s1 <= 1.5",
    "math.ceil(s0 / 3) == math.floor(s1 / 2)",
    "-s0**2 <= -s1*4",
    "s0 // 2 * 3 % 5 < s1",
    "2**s1**2 / 2**s1 > 1e+03*2.5e-1",
]


@pytest.mark.parametrize("guard", GUARDS)
def test_guards_are_those_of_python(guard):
    names = {"math": math, "torch": types.SimpleNamespace(sym_float=float)}
    module = program(["s0", "s1"], ranges="{}", guards=f'["{guard}"]')
    held = set()
    for s0, s1 in itertools.product(range(11), range(1, 11)):
        holds = eval(guard, names, {"s0": s0, "s1": s1})
        held.add(holds)
        if holds:
            assert module.run(zeros(s0, s1)) == []
        else:
            with pytest.raises(isthmus.InputError):
                module.run(zeros(s0, s1))
    assert held == {False, True}


def test_a_guard_says_what_it_got():
    module = program(["s0", "s1"], guards='["s0 > s1"]')
    with pytest.raises(isthmus.InputError) as error:
        module.run(zeros(3, 5))
    assert error.value.messages == [
        "expected sizes with s0 > s1, which the program was exported for, "
        "got s0 = 3 (dim 0 of argument 0 ('x')), s1 = 5 (dim 1 of argument 0 ('x'))"
    ]


@pytest.mark.parametrize(
    "guard",
    [
        "",
        "s0",
        "s0 >",
        "f(s0",
        "s0 > 1 > 0",
        "s0 ? 1",
        "(" * 100 + "s0" + ")" * 100 + " > 1",
        "s0" + " + s0" * 1000 + " > 1",
    ],
)
def test_text_that_is_no_guard(guard):
    with pytest.raises(isthmus.UnsupportedError, match='expected guards such as "s0 > s1"'):
        program(["s0"], guards=f'["{guard}"]').run(zeros(2))


# Guards that cannot be evaluated in 64 bits do not hold a call back.
@pytest.mark.parametrize(
    "guard", ["s0 % 0 == 1", "s0 / 0 == 1", "s0**70 == 1", "s9 > 1", "math.trunc(1e300) == 1", "f(s0) == 1"]
)
def test_guards_without_a_value(guard):
    assert program(["s0"], guards=f'["{guard}"]').run(zeros(2)) == []
