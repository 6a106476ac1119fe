"""TOSA with open sizes: a run ends if operands do not fit together or a result has another size than declared.

TOSA does not define such runs, and code from MLIR's own lowering would access memory as if the sizes fitted.
"""

import re

import numpy as np
import pytest

import isthmus


def floats(*shape):
    return np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)


def zeros(*shape):
    return np.zeros(shape, np.int32)


def shape(name, values):
    return f"%{name} = tosa.const_shape {{values = dense<{values}> : tensor<{len(values)}xindex>}} : () -> !tosa.shape<{len(values)}>"


ZERO = '%zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>'
SIZE = "operands of one size"
SLICE = "a slice that lies inside of its tensor"
ELEMENTS = "as many elements as there are"
VECTOR, MATRIX, CUBE, IMAGES = (f"tensor<{'x'.join('?' * rank)}xf32>" for rank in range(1, 5))

# By name: the types of the inputs, the type of the result, the ops that compute %r from %0, %1 ..., inputs that fit,
# and lists of inputs that do not fit, each with the error.
CASES = {
    "add": (
        [VECTOR, VECTOR],
        VECTOR,
        [f"%r = tosa.add %0, %1 : ({VECTOR}, {VECTOR}) -> {VECTOR}"],
        [floats(5), floats(5)],
        [([floats(5), floats(3)], SIZE), ([floats(3), floats(5)], SIZE)],
    ),
    "add to known sizes": (
        [VECTOR, "tensor<1000xf32>"],
        "tensor<1000xf32>",
        [f"%r = tosa.add %0, %1 : ({VECTOR}, tensor<1000xf32>) -> tensor<1000xf32>"],
        [floats(1000), floats(1000)],
        [([floats(5), floats(1000)], "dim 0 to be of size 1000")],
    ),
    "select": (
        ["tensor<?xi1>", VECTOR, VECTOR],
        VECTOR,
        [f"%r = tosa.select %0, %1, %2 : (tensor<?xi1>, {VECTOR}, {VECTOR}) -> {VECTOR}"],
        [np.ones(5, bool), floats(5), floats(5)],
        [([np.ones(5, bool), floats(3), floats(4)], SIZE)],
    ),
    "a result of another size": (
        [VECTOR],
        "tensor<1000xf32>",
        [f"%r = tosa.abs %0 : ({VECTOR}) -> tensor<1000xf32>"],
        [floats(1000)],
        [([floats(5)], "dim 0 to be of size 1000")],
    ),
    "matmul": (
        [CUBE, CUBE],
        CUBE,
        [ZERO, f"%r = tosa.matmul %0, %1, %zero, %zero : ({CUBE}, {CUBE}, tensor<1xf32>, tensor<1xf32>) -> {CUBE}"],
        [floats(2, 3, 4), floats(2, 4, 5)],
        [([floats(2, 3, 4), floats(1, 4, 5)], SIZE), ([floats(2, 3, 4), floats(2, 6, 5)], SIZE)],
    ),
    "concat": (
        [MATRIX, MATRIX],
        MATRIX,
        [f"%r = tosa.concat %0, %1 {{axis = 0 : i32}} : ({MATRIX}, {MATRIX}) -> {MATRIX}"],
        [floats(2, 3), floats(1, 3)],
        [([floats(2, 3), floats(2, 5)], SLICE)],
    ),
    "slice": (
        [VECTOR],
        "tensor<10xf32>",
        [
            shape("s", [5]),
            shape("n", [10]),
            f"%r = tosa.slice %0, %s, %n : ({VECTOR}, !tosa.shape<1>, !tosa.shape<1>) -> tensor<10xf32>",
        ],
        [floats(15)],
        [([floats(14)], SLICE), ([floats(3)], SLICE), ([floats(0)], SLICE)],
    ),
    "pad": (
        [VECTOR],
        "tensor<10xf32>",
        [
            shape("p", [1, 1]),
            ZERO,
            f"%r = tosa.pad %0, %p, %zero : ({VECTOR}, !tosa.shape<2>, tensor<1xf32>) -> tensor<10xf32>",
        ],
        [floats(8)],
        [([floats(2)], "dim 0 to be of size 10"), ([floats(100)], "dim 0 to be of size 10")],
    ),
    "tile": (
        [VECTOR],
        "tensor<10xf32>",
        [shape("m", [2]), f"%r = tosa.tile %0, %m : ({VECTOR}, !tosa.shape<1>) -> tensor<10xf32>"],
        [floats(5)],
        [([floats(2)], "dim 0 to be of size 10")],
    ),
    "gather": (
        [CUBE, "tensor<?x?xi32>"],
        CUBE,
        [f"%r = tosa.gather %0, %1 : ({CUBE}, tensor<?x?xi32>) -> {CUBE}"],
        [floats(2, 3, 4), zeros(2, 5)],
        [
            ([floats(2, 3, 4), zeros(5, 2)], SIZE),
            ([floats(2, 3, 4), zeros(2, 5) + 3], "an index inside the dim it indexes"),
        ],
    ),
    "scatter": (
        [CUBE, "tensor<?x?xi32>", CUBE],
        CUBE,
        [f"%r = tosa.scatter %0, %1, %2 : ({CUBE}, tensor<?x?xi32>, {CUBE}) -> {CUBE}"],
        [floats(2, 3, 4), zeros(2, 1), floats(2, 1, 4)],
        [
            ([floats(2, 3, 4), zeros(5, 1), floats(2, 1, 4)], SIZE),
            ([floats(2, 3, 4), zeros(2, 1), floats(1, 1, 4)], SIZE),
            ([floats(2, 3, 4), zeros(2, 2), floats(2, 1, 4)], SIZE),
            ([floats(2, 3, 4), zeros(2, 1), floats(2, 1, 1)], SIZE),
        ],
    ),
    "max pool": (
        [IMAGES],
        "tensor<?x9x9x?xf32>",
        [
            "%r = tosa.max_pool2d %0 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}"
            f" : ({IMAGES}) -> tensor<?x9x9x?xf32>"
        ],
        [floats(1, 10, 10, 2)],
        [([floats(1, 3, 10, 2)], "a window that lies inside"), ([floats(1, 10, 9, 2)], "a window that lies inside")],
    ),
    "reshape": (
        [VECTOR],
        "tensor<1000xf32>",
        [shape("n", [1000]), f"%r = tosa.reshape %0, %n : ({VECTOR}, !tosa.shape<1>) -> tensor<1000xf32>"],
        [floats(1000)],
        [([floats(5)], "dim 0 to be of size 1000"), ([floats(0)], "dim 0 to be of size 1000")],
    ),
    "reshape to several dims": (
        [VECTOR],
        "tensor<10x100xf32>",
        [shape("n", [10, 100]), f"%r = tosa.reshape %0, %n : ({VECTOR}, !tosa.shape<2>) -> tensor<10x100xf32>"],
        [floats(1000)],
        [([floats(5)], ELEMENTS), ([floats(0)], "dim 0 to be"), ([floats(1001)], ELEMENTS)],
    ),
    "reshape that infers": (
        [MATRIX],
        "tensor<?x7xf32>",
        [shape("n", [-1, 7]), f"%r = tosa.reshape %0, %n : ({MATRIX}, !tosa.shape<2>) -> tensor<?x7xf32>"],
        [floats(7, 2)],
        [([floats(5, 2)], ELEMENTS)],
    ),
    "reshape of nothing to sizes with a product of 2^64": (
        [VECTOR],
        "tensor<4294967296x4294967296xf32>",
        [
            shape("n", [2**32, 2**32]),
            f"%r = tosa.reshape %0, %n : ({VECTOR}, !tosa.shape<2>) -> tensor<4294967296x4294967296xf32>",
        ],
        None,
        [([floats(0)], "dim 0 to be of size 4294967296")],
    ),
}


def parse(inputs, result, body):
    arguments = ", ".join(f"%arg{i}: {type}" for i, type in enumerate(inputs))
    body = re.sub(r"%(\d)", r"%arg\1", "\n".join(body))
    return isthmus.parse(f"func.func @main({arguments}) -> {result} {{\n{body}\nreturn %r : {result}\n}}")


@pytest.mark.parametrize("check_bounds", [False, True], ids=["", "bounds"])
@pytest.mark.parametrize("name", CASES)
def test_what_does_not_fit(name, check_bounds):
    inputs, result, body, good, all_bad = CASES[name]
    module = parse(inputs, result, body)
    if good:
        module.run(*good, check_bounds=check_bounds)
    for bad, message in all_bad:
        with pytest.raises(isthmus.IsthmusError, match=f"expected {message}"):
            module.run(*bad, check_bounds=check_bounds)


@pytest.mark.parametrize(
    "op",
    [
        "%s = tosa.argmax %1 {axis = 0 : i32} : (tensor<?x?xf32>) -> tensor<7xi32>\n"
        "%r = tosa.cast %s : (tensor<7xi32>) -> tensor<7xf32>",
        "%s = tosa.reduce_sum %1 {axis = 0 : i32} : (tensor<?x?xf32>) -> tensor<1x7xf32>\n"
        + shape("n", [7])
        + "\n%r = tosa.reshape %s, %n : (tensor<1x7xf32>, !tosa.shape<1>) -> tensor<7xf32>",
        "%r = tosa.reverse %0 {axis = 0 : i32} : (tensor<?xf32>) -> tensor<7xf32>",
        """%r = tosa.while_loop (%a = %0) : (tensor<?xf32>) -> tensor<7xf32> {
          %c = "tosa.const"() <{values = dense<false> : tensor<i1>}> : () -> tensor<i1>
          tosa.yield %c : tensor<i1>
        } do {
        ^bb0(%a: tensor<?xf32>):
          tosa.yield %a : tensor<?xf32>
        }""",
    ],
    ids=["argmax", "reduce_sum", "reverse", "while_loop"],
)
def test_types_that_mlir_believes(op):
    """MLIR accepts these types, but its lowering may produce invalid programs. An error ends the compilation."""
    with pytest.raises(isthmus.IsthmusError):
        parse([VECTOR, MATRIX], "tensor<7xf32>", [op]).run(floats(2), floats(2, 2))


CAST = """
func.func @main(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[9],f32> {
  %0 = torch.tensor_static_info_cast %x : !torch.vtensor<[?],f32> to !torch.vtensor<[9],f32>
  %1 = torch.aten.neg %0 : !torch.vtensor<[9],f32> -> !torch.vtensor<[9],f32>
  return %1 : !torch.vtensor<[9],f32>
}
"""
NUMBER = """
func.func @main(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[],si64> {
  %number = torch.aten.Int.Tensor %x : !torch.vtensor<[?],f32> -> !torch.int
  %y = torch.prim.NumToTensor.Scalar %number : !torch.int -> !torch.vtensor<[],si64>
  return %y : !torch.vtensor<[],si64>
}
"""


def test_a_declaration_of_the_program():
    module = isthmus.parse(CAST).lower("tosa")
    np.testing.assert_array_equal(module.run(floats(9))[0], -floats(9))
    with pytest.raises(isthmus.IsthmusError, match="expected dim 0 to be of size 9, got 2"):
        module.run(floats(2))


@pytest.mark.parametrize("size", [0, 2])
def test_a_number_of_a_tensor_that_has_none_or_several(size):
    module = isthmus.parse(NUMBER).lower("tosa")
    assert module.run(np.array([2.5], np.float32))[0] == 2
    with pytest.raises(isthmus.IsthmusError, match=f"expected dim 0 to be of size 1, got {size}"):
        module.run(floats(size))


# Reductions, slices and casts of constants. MLIR's folding would end the process if the elements are in a resource.
@pytest.mark.parametrize(
    "op, result, expected",
    [
        ("tosa.reduce_sum %w {axis = 0 : i32} : (tensor<4xi32>)", "tensor<1xi32>", 10),
        ("tosa.reduce_max %w {axis = 0 : i32} : (tensor<4xi32>)", "tensor<1xi32>", 4),
        ("tosa.slice %w, %one, %one : (tensor<4xi32>, !tosa.shape<1>, !tosa.shape<1>)", "tensor<1xi32>", 2),
        ("tosa.cast %v : (tensor<1xi32>)", "tensor<1xf32>", 4),
    ],
)
def test_constants_in_resources(op, result, expected):
    resources = 'w: "0x0400000001000000020000000300000004000000", v: "0x0400000004000000"'
    program = isthmus.parse(
        f"""
        func.func @main() -> {result} {{
          %w = "tosa.const"() <{{values = dense_resource<w> : tensor<4xi32>}}> : () -> tensor<4xi32>
          %v = "tosa.const"() <{{values = dense_resource<v> : tensor<1xi32>}}> : () -> tensor<1xi32>
          {shape("one", [1])}
          %r = {op} -> {result}
          return %r : {result}
        }}
        {{-# dialect_resources: {{ builtin: {{ {resources} }} }} #-}}
        """
    )
    np.testing.assert_array_equal(np.ravel(program.run()), [expected])
