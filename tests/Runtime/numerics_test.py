"""The JIT computes the same as NumPy for ops and shapes that are easy to get wrong."""

import numpy as np
import pytest

import isthmus

pytestmark = pytest.mark.skipif("jit" not in isthmus.parts(), reason="this build has no JIT")

NUMPY = {
    "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "f16": np.float16, "f32": np.float32, "f64": np.float64,
    "complex<f32>": np.complex64, "complex<f64>": np.complex128,
}  # fmt: skip


def draw(rng, shape, element="f32"):
    dtype = NUMPY[element]
    if element == "i1":
        return rng.random(shape) < 0.5
    if element.startswith("i"):
        return rng.integers(-9, 10, shape).astype(dtype)
    if element.startswith("complex"):
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    return rng.standard_normal(shape).astype(dtype)


def run(text, *inputs, threads=1):
    return isthmus.parse(text).run(*inputs, threads=threads)


def tensor(shape, element="f32"):
    return f"tensor<{''.join(f'{dim}x' for dim in shape)}{element}>"


@pytest.fixture
def rng():
    return np.random.default_rng(0)


# --- elementwise -------------------------------------------------------------


def elementwise(body, element="f32", result="f32", dims="?x?"):
    return f"""
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<{dims}x{element}>) -> tensor<{dims}x{result}> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<{dims}x{element}>
  %n = tensor.dim %x, %c1 : tensor<{dims}x{element}>
  %e = tensor.empty(%m, %n) : tensor<{dims}x{result}>
  %r = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}}
      ins(%x : tensor<{dims}x{element}>) outs(%e : tensor<{dims}x{result}>) {{
    ^bb0(%a: {element}, %o: {result}):
      {body}
  }} -> tensor<{dims}x{result}>
  return %r : tensor<{dims}x{result}>
}}"""


UNARY = {
    "exp": np.exp, "expm1": np.expm1, "log1p": lambda x: np.log1p(np.abs(x)), "tanh": np.tanh, "sqrt": lambda x: np.sqrt(np.abs(x)),
    "log": lambda x: np.log(np.abs(x)), "sin": np.sin, "cos": np.cos, "floor": np.floor,
    "erf": np.vectorize(__import__("math").erf, otypes=[np.float64]),
}  # fmt: skip


@pytest.mark.parametrize("element, digits, one", [("bf16", 8, 0x3F80), ("f16", 11, 0x3C00)])
def test_doubles_are_rounded_once(element, digits, one):
    half, little = 2.0**-digits, 2.0**-40  # rounding to f32 first would lose `little`
    x = np.array([1 + half, 1 + half + little, 1 + half - little, 1 + 3 * half, 1 + 3 * half - little, np.inf])
    bits = one + np.array([0, 1, 0, 2, 1, 0x7F80 - 0x3F80 if element == "bf16" else 0x7C00 - 0x3C00])
    body = f"""%s = arith.truncf %a : f64 to {element}
      %t = arith.bitcast %s : {element} to i16
      linalg.yield %t : i16"""
    (result,) = run(elementwise(body, "f64", "i16"), np.stack([x, -x] * 9))
    np.testing.assert_array_equal(result.view(np.uint16), np.stack([bits, bits | 0x8000] * 9))


@pytest.mark.parametrize("element, tolerance", [("f32", 1e-6), ("f64", 1e-14), ("f16", 2e-3)])
@pytest.mark.parametrize("name", UNARY)
def test_math(rng, name, element, tolerance):
    x = (3 * draw(rng, (7, 37))).astype(NUMPY[element])
    body = f"""%p = math.absf %a : {element}
      %s = math.{name} %{"p" if name in ("sqrt", "log", "log1p") else "a"} : {element}
      linalg.yield %s : {element}"""
    (result,) = run(elementwise(body, element, element), x)
    np.testing.assert_allclose(
        result.astype(np.float64), UNARY[name](x.astype(np.float64)), rtol=tolerance, atol=tolerance
    )


@pytest.mark.parametrize("name", ["exp", "tanh", "erf"])
def test_math_at_the_edges(name):
    x = np.array(
        [[0.0, -0.0, 1e-30, -1e-7, 88.7, 89.5, -87.3, -103.9, -110.0, 20.0, -20.0, 4.0, -4.0]
         + [np.inf, -np.inf, np.nan]], np.float32)  # fmt: skip
    body = f"""%s = math.{name} %a : f32
      linalg.yield %s : f32"""
    (result,) = run(elementwise(body), x)
    with np.errstate(over="ignore"):
        expected = UNARY[name](x.astype(np.float64)).astype(np.float32)
    np.testing.assert_allclose(result, expected, rtol=2e-6, atol=1e-38)


@pytest.mark.parametrize("name", ["log", "log2", "log10"])
def test_logarithms_of_the_least_numbers(name):
    x = np.array([[1e-45, 3e-45, 1e-40, 1.1754943e-38, 1.1754944e-38, 2e-38, 0.0, -1e-40, np.nan]], np.float32)
    body = f"""%s = math.{name} %a : f32
      linalg.yield %s : f32"""
    for optimize in (True, False):
        (result,) = isthmus.parse(elementwise(body)).run(x, optimize=optimize)
        with np.errstate(divide="ignore", invalid="ignore"):
            expected = getattr(np, name)(x.astype(np.float64)).astype(np.float32)
        np.testing.assert_allclose(result, expected, rtol=3e-7)


@pytest.mark.parametrize("sizes", [(2**40, 2**20, 0), (2**40, 0, 2**20), (0, 2**40, 2**20)])
@pytest.mark.parametrize("threads", [1, 2])
def test_nothing_of_huge_sizes(sizes, threads):
    """Loops over a tensor without elements end at once."""
    text = """
func.func @main(%sizes: tensor<3xi64>) -> (tensor<?x?x?xf32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n64 = tensor.extract %sizes[%c0] : tensor<3xi64>
  %m64 = tensor.extract %sizes[%c1] : tensor<3xi64>
  %k64 = tensor.extract %sizes[%c2] : tensor<3xi64>
  %n = arith.index_cast %n64 : i64 to index
  %m = arith.index_cast %m64 : i64 to index
  %k = arith.index_cast %k64 : i64 to index
  %zero = arith.constant 1.0 : f32
  %empty = tensor.empty(%n, %m, %k) : tensor<?x?x?xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %start = tensor.empty() : tensor<f32>
  %one = linalg.fill ins(%zero : f32) outs(%start : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce { arith.addf } ins(%filled : tensor<?x?x?xf32>) outs(%one : tensor<f32>) dimensions = [0, 1, 2]
  return %filled, %sum : tensor<?x?x?xf32>, tensor<f32>
}
"""
    filled, total = isthmus.parse(text).run(np.array(sizes), threads=threads)
    assert filled.shape == sizes and total == 1


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (1, 1), (1, 15), (3, 16), (2, 17), (200, 333)])
def test_any_size_of_one_artifact(rng, shape):
    program = isthmus.parse(elementwise("%s = arith.addf %a, %a : f32\n linalg.yield %s : f32"))
    x = draw(rng, shape)
    for threads in (1, 2):
        (result,) = program.run(x, threads=threads)
        np.testing.assert_array_equal(result, x + x)


@pytest.mark.parametrize("element", ["i1", "i8", "i16", "i32", "i64"])
def test_integers_and_bools(rng, element):
    x = draw(rng, (5, 40), element)
    zero = "false" if element == "i1" else f"0 : {element}"
    body = f"""%z = arith.constant {zero}
      %s = arith.cmpi ne, %a, %z : {element}
      linalg.yield %s : i1"""
    (result,) = run(elementwise(body, element, "i1"), x)
    assert result.dtype == np.bool_
    np.testing.assert_array_equal(result, x != 0)


def test_select_by_bool(rng):
    mask, x, y = draw(rng, (9, 33), "i1"), draw(rng, (9, 33)), draw(rng, (9, 33))
    text = """
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%c: tensor<9x33xi1>, %x: tensor<9x33xf32>, %y: tensor<9x33xf32>) -> tensor<9x33xf32> {
  %e = tensor.empty() : tensor<9x33xf32>
  %r = linalg.select ins(%c, %x, %y : tensor<9x33xi1>, tensor<9x33xf32>, tensor<9x33xf32>)
      outs(%e : tensor<9x33xf32>) -> tensor<9x33xf32>
  return %r : tensor<9x33xf32>
}"""
    (result,) = run(text, mask, x, y)
    np.testing.assert_array_equal(result, np.where(mask, x, y))


@pytest.mark.parametrize("element", ["complex<f32>", "complex<f64>"])
def test_complex(rng, element):
    x = draw(rng, (4, 19), element)
    body = f"""%s = complex.mul %a, %a : {element}
      %t = complex.exp %s : {element}
      linalg.yield %t : {element}"""
    (result,) = run(elementwise(body, element, element), x)
    np.testing.assert_allclose(result, np.exp(x * x), rtol=1e-4)


def test_integer_division_by_zero_does_not_end_the_process():
    x = np.array([[7, -7, 0, -(2**31)]], np.int32)
    body = """%z = arith.constant 0 : i32
      %minus = arith.constant -1 : i32
      %zero = arith.andi %a, %z : i32
      %some = arith.ori %zero, %minus : i32
      %q = arith.divsi %a, %zero : i32
      %s = arith.divsi %a, %some : i32
      %t = arith.maxsi %q, %s : i32
      linalg.yield %s : i32"""
    (result,) = run(elementwise(body, "i32", "i32"), x)
    np.testing.assert_array_equal(result[0, :3], [-7, 7, 0])


@pytest.mark.parametrize("exponent", [0.5, 2.0, 3.0, -1.0, 1.7])
def test_power(rng, exponent):
    x = np.abs(draw(rng, (5, 33)))
    body = f"""%p = arith.constant {exponent} : f32
      %s = math.powf %a, %p : f32
      linalg.yield %s : f32"""
    (result,) = run(elementwise(body), x)
    np.testing.assert_allclose(result, x ** np.float32(exponent), rtol=1e-6)


# --- reductions --------------------------------------------------------------


def reduction(shape, axis, element, neutral, combine):
    out = [dim for i, dim in enumerate(shape) if i != axis]
    kinds = ", ".join('"reduction"' if i == axis else '"parallel"' for i in range(len(shape)))
    dims = ", ".join(f"d{i}" for i in range(len(shape)))
    kept = ", ".join(f"d{i}" for i in range(len(shape)) if i != axis)
    return f"""
func.func @main(%x: {tensor(shape, element)}) -> {tensor(out, element)} {{
  %z = arith.constant {neutral} : {element}
  %e = tensor.empty() : {tensor(out, element)}
  %f = linalg.fill ins(%z : {element}) outs(%e : {tensor(out, element)}) -> {tensor(out, element)}
  %r = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>, affine_map<({dims}) -> ({kept})>],
                       iterator_types = [{kinds}]}}
      ins(%x : {tensor(shape, element)}) outs(%f : {tensor(out, element)}) {{
    ^bb0(%a: {element}, %o: {element}):
      %s = arith.{combine} %a, %o : {element}
      linalg.yield %s : {element}
  }} -> {tensor(out, element)}
  return %r : {tensor(out, element)}
}}"""


@pytest.mark.parametrize("shape", [(3, 5), (1, 1000), (130, 7), (64, 64), (2, 3, 77)])
@pytest.mark.parametrize(
    "element, neutral, combine, reference",
    [
        ("f32", "0.0", "addf", np.sum),
        ("f64", "1.0", "mulf", np.prod),
        ("f32", "0xFF800000", "maximumf", np.max),
        ("f32", "0x7F800000", "minnumf", np.min),
        ("i32", "0", "addi", np.sum),
        ("i64", "9223372036854775807", "minsi", np.min),
        ("i8", "-128", "maxsi", np.max),
        ("i16", "-1", "andi", np.bitwise_and.reduce),
    ],
)
def test_reduction(rng, shape, element, neutral, combine, reference):
    x = draw(rng, shape, element)
    for axis in range(len(shape)):
        (result,) = run(reduction(shape, axis, element, neutral, combine), x)
        np.testing.assert_allclose(result, reference(x, axis=axis), rtol=1e-5, atol=1e-5)


def test_reduction_to_a_scalar(rng):
    x = draw(rng, (1001,))
    (result,) = run(reduction((1001,), 0, "f32", "0.0", "addf"), x)
    assert result.shape == ()
    np.testing.assert_allclose(result, x.sum(), rtol=1e-5)


def test_reduction_of_nothing():
    (result,) = run(reduction((4, 0), 1, "f32", "0.0", "addf"), np.zeros((4, 0), np.float32))
    np.testing.assert_array_equal(result, np.zeros(4))


@pytest.mark.parametrize("name, infinity", [("max", -np.inf), ("min", np.inf)])
def test_extremum_of_infinities_in_tosa(name, infinity):
    # MLIR's lowering starts with the largest finite number.
    reduce = f"""
      func.func @main(%x: tensor<2x?xf32>) -> tensor<2x1xf32> {{
        %r = tosa.reduce_{name} %x {{axis = 1 : i32}} : (tensor<2x?xf32>) -> tensor<2x1xf32>
        return %r : tensor<2x1xf32>
      }}"""
    x = np.array([[infinity, infinity, infinity], [infinity, 3, infinity]], np.float32)
    np.testing.assert_array_equal(run(reduce, x)[0], [[infinity], [3]])


def test_pool_of_infinities_in_tosa():
    pool = """
      func.func @main(%x: tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32> {
        %r = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
            : (tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32>
        return %r : tensor<1x3x3x1xf32>
      }"""
    x = np.array([[-np.inf, -np.inf], [-np.inf, 2]], np.float32).reshape(1, 2, 2, 1)
    expected = [[-np.inf, -np.inf, -np.inf], [-np.inf, 2, 2], [-np.inf, 2, 2]]
    np.testing.assert_array_equal(run(pool, x)[0].reshape(3, 3), expected)


def test_argmax_with_two_results(rng):
    x = draw(rng, (6, 50))
    text = """
func.func @main(%x: tensor<6x50xf32>) -> (tensor<6xf32>, tensor<6xi64>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %e0 = tensor.empty() : tensor<6xf32>
  %e1 = tensor.empty() : tensor<6xi64>
  %f0 = linalg.fill ins(%low : f32) outs(%e0 : tensor<6xf32>) -> tensor<6xf32>
  %f1 = linalg.fill ins(%zero : i64) outs(%e1 : tensor<6xi64>) -> tensor<6xi64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
                         iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x50xf32>) outs(%f0, %f1 : tensor<6xf32>, tensor<6xi64>) {
    ^bb0(%a: f32, %max: f32, %at: i64):
      %j = linalg.index 1 : index
      %here = arith.index_cast %j : index to i64
      %more = arith.cmpf ogt, %a, %max : f32
      %m = arith.select %more, %a, %max : f32
      %k = arith.select %more, %here, %at : i64
      linalg.yield %m, %k : f32, i64
  } -> (tensor<6xf32>, tensor<6xi64>)
  return %r#0, %r#1 : tensor<6xf32>, tensor<6xi64>
}"""
    largest, index = run(text, x)
    np.testing.assert_array_equal(largest, x.max(1))
    np.testing.assert_array_equal(index, x.argmax(1))


def test_softmax(rng):
    x = draw(rng, (3, 40, 77))
    text = """
func.func @main(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %1 = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %2 = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %e = tensor.empty(%0, %1, %2) : tensor<?x?x?xf32>
  %r = linalg.softmax dimension(2) ins(%x : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}"""
    for threads in (1, 2):
        (result,) = run(text, x, threads=threads)
        e = np.exp(x - x.max(-1, keepdims=True))
        np.testing.assert_allclose(result, e / e.sum(-1, keepdims=True), rtol=1e-5)


# --- contractions ------------------------------------------------------------


def matmul(m, k, n, element="f32", result=None, weight=None):
    result = result or element
    zero = "0.0" if result.startswith(("f", "b")) else "0"
    a, b, c = tensor((m, k), element), tensor((k, n), element), tensor((m, n), result)
    dims = "".join(f"%{name}, " for name, dim in (("m", m), ("n", n)) if dim == "?")[:-2]
    rhs = f"%b = arith.constant dense_resource<w> : {b}" if weight is not None else ""
    argument = "" if weight is not None else f", %b: {b}"
    resource = ""
    if weight is not None:
        resource = '{-# dialect_resources: { builtin: { w: "0x40000000' + weight.tobytes().hex() + '" } } #-}'
    return f"""
func.func @main(%a: {a}{argument}) -> {c} {{
  {rhs}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : {a}
  %n = tensor.dim %b, %c1 : {b}
  %z = arith.constant {zero} : {result}
  %e = tensor.empty({dims}) : {c}
  %f = linalg.fill ins(%z : {result}) outs(%e : {c}) -> {c}
  %r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%f : {c}) -> {c}
  return %r : {c}
}}
{resource}"""


SIZES = [
    (1, 1, 1),
    (1, 64, 10),
    (7, 3, 5),
    (17, 33, 65),
    (64, 64, 64),
    (128, 100, 48),
    (50, 1, 1000),
    (4, 0, 4),
    (0, 3, 5),
]


@pytest.mark.parametrize("m, k, n", SIZES)
def test_matmul(rng, m, k, n):
    a, b = draw(rng, (m, k)), draw(rng, (k, n))
    for text in (matmul(m, k, n), matmul("?", k, n), matmul("?", "?", "?")):
        (result,) = run(text, a, b)
        np.testing.assert_allclose(result, a @ b, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("m, k, n", [size for size in SIZES if size[1]])
def test_matmul_with_a_weight(rng, m, k, n):
    a, b = draw(rng, (m, k)), draw(rng, (k, n))
    for rows in (m, "?"):
        for threads in (1, 2):
            (result,) = run(matmul(rows, k, n, weight=b), a, threads=threads)
            np.testing.assert_allclose(result, a @ b, rtol=1e-4, atol=1e-4)


def test_matmul_with_parts_of_a_weight(rng):
    a, b = draw(rng, (5, 33)), draw(rng, (3, 2, 33, 40))
    x, w, y = tensor((5, 33)), tensor(b.shape), tensor((5, 40))
    parts = [(0, 0), (1, 1), (2, 0), (2, 1)]
    lines = [
        f"""
  %p{i} = tensor.extract_slice %w[{j}, {k}, 0, 0] [1, 1, 33, 40] [1, 1, 1, 1] : {w} to {tensor((33, 40))}
  %r{i} = linalg.matmul ins(%x, %p{i} : {x}, {tensor((33, 40))}) outs(%f : {y}) -> {y}"""
        for i, (j, k) in enumerate(parts)
    ]
    # Rows of each matrix are not adjacent to those of the next one.
    text = f"""
func.func @main(%x: {x}) -> ({", ".join([y] * 4)}, {tensor((3, 2, 7, 40))}) {{
  %w = arith.constant dense_resource<w> : {w}
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : {y}
  %f = linalg.fill ins(%z : f32) outs(%e : {y}) -> {y}
{"".join(lines)}
  %rows = tensor.extract_slice %w[0, 0, 5, 0] [3, 2, 7, 40] [1, 1, 1, 1] : {w} to {tensor((3, 2, 7, 40))}
  return %r0, %r1, %r2, %r3, %rows : {", ".join([y] * 4)}, {tensor((3, 2, 7, 40))}
}}
{{-# dialect_resources: {{ builtin: {{ w: "0x40000000{b.tobytes().hex()}" }} }} #-}}"""
    *results, rows = run(text, a)
    for result, (j, k) in zip(results, parts):
        np.testing.assert_allclose(result, a @ b[j, k], rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(rows, b[:, :, 5:12])


@pytest.mark.parametrize("k, n", [(128, 130), (257, 64)])
@pytest.mark.parametrize("rows", ["?", 5])
def test_matmul_with_a_weight_of_bytes(rng, rows, k, n):
    """The weight is dequantized and transposed while compiling; another op reads it too."""
    a, bytes_ = draw(rng, (5, k)), rng.integers(-128, 128, (n, k)).astype(np.int8)
    x, y, w, t = tensor((rows, k)), tensor((rows, n)), tensor((n, k)), tensor((k, n))
    m, size = ("%m", "%m = tensor.dim %x, %c0 : " + x) if rows == "?" else ("", "")
    text = f"""
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: {x}) -> ({y}, {w}) {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  {size}
  %bytes = arith.constant dense_resource<bytes> : {tensor((n, k), "i8")}
  %e0 = tensor.empty() : {w}
  %w = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}}
      ins(%bytes : {tensor((n, k), "i8")}) outs(%e0 : {w}) {{
    ^bb0(%b: i8, %o: f32):
      %f = arith.sitofp %b : i8 to f32
      %s = arith.mulf %f, %scale : f32
      linalg.yield %s : f32
  }} -> {w}
  %e1 = tensor.empty() : {t}
  %t = linalg.transpose ins(%w : {w}) outs(%e1 : {t}) permutation = [1, 0]
  %e2 = tensor.empty({m}) : {y}
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : {y}) -> {y}
  %y = linalg.matmul ins(%x, %t : {x}, {t}) outs(%f2 : {y}) -> {y}
  return %y, %w : {y}, {w}
}}
{{-# dialect_resources: {{ builtin: {{ bytes: "0x01000000{bytes_.tobytes().hex()}" }} }} #-}}"""
    weight = bytes_.astype(np.float32) / 4
    program = isthmus.parse(text)
    for _ in range(2):
        y, w = program.run(a)
        np.testing.assert_allclose(y, a @ weight.T, rtol=1e-4, atol=1e-3)
        np.testing.assert_array_equal(w, weight)
        w[:] = 0  # the program's own weight stays


def test_matmul_where_only_the_weight_knows_its_size(rng):
    a, b = draw(rng, (7, 33)), draw(rng, (33, 40))
    text = matmul("?", 33, 40, weight=b).replace(tensor(("?", 33)), tensor("??"))
    (result,) = run(text, a)
    np.testing.assert_allclose(result, a @ b, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    "element, result", [("f64", "f64"), ("f16", "f16"), ("f16", "f32"), ("i32", "i32"), ("i8", "i32"), ("i64", "i64")]
)
def test_matmul_of_other_elements(rng, element, result):
    a, b = draw(rng, (19, 21), element), draw(rng, (21, 35), element)
    (got,) = run(matmul(19, 21, 35, element, result), a, b)
    expected = a.astype(NUMPY[result]) @ b.astype(NUMPY[result])
    np.testing.assert_allclose(
        got, expected, rtol=2e-2 if result == "f16" else 1e-4, atol=2e-2 if result == "f16" else 1e-4
    )


ORDERS = ["ik,kj", "ki,kj", "ik,jk", "ki,jk"]


def contraction(order, sizes, batch="", element="f32", copied=False):
    """A product of two arguments whose dims are in an order, such as "ik,jk"; `copied` transposes the right one first."""
    left, right = (batch + part for part in order.split(","))
    types = {part: tensor([sizes[c] for c in part], element) for part in (left, right, right[::-1], batch + "ij")}
    x, y, z = types[left], types[right], types[batch + "ij"]
    argument, copy = y, ""
    if copied:
        argument = types[right[::-1]]
        copy = f"""
  %ye = tensor.empty() : {y}
  %y = linalg.transpose ins(%w : {argument}) outs(%ye : {y}) permutation = [1, 0]"""
    rows = "%m" if sizes["i"] == "?" else ""
    loops = ", ".join(batch + "ijk")
    maps = ", ".join(f"affine_map<({loops}) -> ({', '.join(part)})>" for part in (left, right, batch + "ij"))
    kinds = ", ".join(['"parallel"'] * (len(batch) + 2) + ['"reduction"'])
    kind = "f" if element.startswith("f") else "i"
    return f"""
func.func @main(%x: {x}, %{"w" if copied else "y"}: {argument}) -> {z} {{
  %c = arith.constant {left.index("i")} : index
  %m = tensor.dim %x, %c : {x}{copy}
  %z = arith.constant {"0.0" if kind == "f" else "0"} : {element}
  %e = tensor.empty({rows}) : {z}
  %f = linalg.fill ins(%z : {element}) outs(%e : {z}) -> {z}
  %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
      ins(%x, %y : {x}, {y}) outs(%f : {z}) {{
    ^bb0(%a: {element}, %b: {element}, %o: {element}):
      %p = arith.mul{kind} %a, %b : {element}
      %s = arith.add{kind} %o, %p : {element}
      linalg.yield %s : {element}
  }} -> {z}
  return %r : {z}
}}"""


@pytest.mark.parametrize("order", ORDERS)
def test_batch_matmul_of_any_order(rng, order):
    sizes = {"b": 3, "i": 30, "k": 20, "j": 45}
    left, right = order.split(",")
    x, y = (draw(rng, [sizes[c] for c in "b" + part]) for part in (left, right))
    (result,) = run(contraction(order, sizes, batch="b"), x, y)
    np.testing.assert_allclose(result, np.einsum(f"b{left},b{right}->bij", x, y), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("m", [1, 3, 4, 60, 300])
@pytest.mark.parametrize("k, n", [(150, 517), (4096, 130), (70, 256)])
def test_matmul_of_large_arguments(rng, order, m, k, n):
    """Rows decide whether tasks lay out their panels of the right operand, or all are made before."""
    sizes = {"i": m, "k": k, "j": n}
    left, right = order.split(",")
    x, y = (draw(rng, [sizes[c] for c in part]) for part in (left, right))
    want = np.einsum(f"{left},{right}->ij", x.astype(np.float64), y.astype(np.float64))
    for rows in (m, "?"):
        for copied in (False, True):
            arguments = x, np.ascontiguousarray(y.T) if copied else y
            text = contraction(order, sizes | {"i": rows}, copied=copied)
            (result,) = run(text, *arguments, threads=2)
            np.testing.assert_allclose(result, want, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("element", ["f16", "f64", "i8", "i32"])
@pytest.mark.parametrize("m", [2, 60, 300])
def test_matmul_of_large_arguments_of_other_elements(rng, element, m):
    sizes = {"i": m, "k": 100, "j": 200}
    for order in ORDERS:
        left, right = order.split(",")
        x, y = (draw(rng, [sizes[c] for c in part], element) for part in (left, right))
        wide = np.float64 if element.startswith("f") else np.int64
        want = np.einsum(f"{left},{right}->ij", x.astype(wide), y.astype(wide)).astype(NUMPY[element])
        (result,) = run(contraction(order, sizes, element=element), x, y)
        np.testing.assert_allclose(
            result, want, **({"rtol": 2e-2, "atol": 0.2} if element == "f16" else {"rtol": 1e-6})
        )


# --- convolutions ------------------------------------------------------------


def convolve(x, w, strides, dilations):
    """Convolves an NCHW image with an FCHW filter."""
    n, c, h, wide = x.shape
    f, _, kh, kw = w.shape
    oh = (h - (kh - 1) * dilations[0] - 1) // strides[0] + 1
    ow = (wide - (kw - 1) * dilations[1] - 1) // strides[1] + 1
    out = np.zeros((n, f, oh, ow), x.dtype)
    for i in range(kh):
        for j in range(kw):
            window = x[:, :, i * dilations[0] :, j * dilations[1] :][:, :, :: strides[0], :: strides[1]][:, :, :oh, :ow]
            out += np.einsum("nchw,fc->nfhw", window, w[:, :, i, j])
    return out


@pytest.mark.parametrize("weights", ["argument", "constant"])
@pytest.mark.parametrize("strides, dilations", [((1, 1), (1, 1)), ((2, 1), (1, 1)), ((1, 2), (2, 3))])
@pytest.mark.parametrize("c, f, size, kernel", [(3, 8, 15, (3, 3)), (5, 33, 9, (1, 1)), (16, 64, 14, (3, 2))])
def test_convolution(rng, c, f, size, kernel, strides, dilations, weights):
    x, w = draw(rng, (2, c, size, size)), draw(rng, (f, c, *kernel))
    expected = convolve(x, w, strides, dilations)
    shapes = tensor(x.shape), tensor(w.shape), tensor(expected.shape)
    constant = weights == "constant"
    text = f"""
func.func @main(%x: {shapes[0]}{"" if constant else f", %w: {shapes[1]}"}) -> {shapes[2]} {{
  {f"%w = arith.constant dense_resource<w> : {shapes[1]}" if constant else ""}
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : {shapes[2]}
  %f = linalg.fill ins(%z : f32) outs(%e : {shapes[2]}) -> {shapes[2]}
  %r = linalg.conv_2d_nchw_fchw {{strides = dense<{list(strides)}> : tensor<2xi64>, dilations = dense<{list(dilations)}> : tensor<2xi64>}}
      ins(%x, %w : {shapes[0]}, {shapes[1]}) outs(%f : {shapes[2]}) -> {shapes[2]}
  return %r : {shapes[2]}
}}
{{-# dialect_resources: {{ builtin: {{ w: "0x40000000{w.tobytes().hex()}" }} }} #-}}"""
    (result,) = run(text, *([x] if constant else [x, w]))
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("stride", [1, 2])
def test_convolution_of_a_signal(rng, stride):
    x, w = draw(rng, (2, 6, 41)), draw(rng, (18, 6, 3))
    expected = convolve(x[:, :, None], w[:, :, None], (1, stride), (1, 1))[:, :, 0]
    shapes = tensor(x.shape), tensor(w.shape), tensor(expected.shape)
    text = f"""
func.func @main(%x: {shapes[0]}, %w: {shapes[1]}) -> {shapes[2]} {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : {shapes[2]}
  %f = linalg.fill ins(%z : f32) outs(%e : {shapes[2]}) -> {shapes[2]}
  %r = linalg.conv_1d_ncw_fcw {{strides = dense<{stride}> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}}
      ins(%x, %w : {shapes[0]}, {shapes[1]}) outs(%f : {shapes[2]}) -> {shapes[2]}
  return %r : {shapes[2]}
}}"""
    (result,) = run(text, x, w)
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)


def test_depthwise_convolution(rng):
    x, w = draw(rng, (1, 20, 12, 12)), draw(rng, (20, 3, 3))
    expected = np.stack([convolve(x[:, i : i + 1], w[None, i : i + 1], (1, 1), (1, 1))[:, 0] for i in range(20)], 1)
    text = """
func.func @main(%x: tensor<1x20x12x12xf32>, %w: tensor<20x3x3xf32>) -> tensor<1x20x10x10xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x20x10x10xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x20x10x10xf32>) -> tensor<1x20x10x10xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x20x12x12xf32>, tensor<20x3x3xf32>) outs(%f : tensor<1x20x10x10xf32>) -> tensor<1x20x10x10xf32>
  return %r : tensor<1x20x10x10xf32>
}"""
    (result,) = run(text, x, w)
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)


def test_filter_of_one_value(rng):
    """The elements of the filter are folded, but the loops over the window still need its sizes."""
    x = draw(rng, (1, 20, 12, 12))
    expected = np.stack([convolve(x[:, [i]], np.full((1, 1, 3, 3), 0.5), (1, 1), (1, 1))[:, 0] for i in range(20)], 1)
    text = """
func.func @main(%x: tensor<1x20x12x12xf32>) -> tensor<1x20x10x10xf32> {
  %z = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<20x3x3xf32>
  %e = tensor.empty() : tensor<1x20x10x10xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x20x10x10xf32>) -> tensor<1x20x10x10xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x20x12x12xf32>, tensor<20x3x3xf32>) outs(%f : tensor<1x20x10x10xf32>) -> tensor<1x20x10x10xf32>
  return %r : tensor<1x20x10x10xf32>
}"""
    (result,) = run(text, x)
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)


def test_reduction_with_a_result_per_step(rng):
    """One result is a sum, and the other has an element for each step of that sum."""
    x = draw(rng, (24, 40))
    text = """
#each = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%x: tensor<24x40xf32>) -> (tensor<24xf32>, tensor<24x40xf32>) {
  %z = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<24x40xf32>
  %e = tensor.empty() : tensor<24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<24xf32>) -> tensor<24xf32>
  %r:2 = linalg.generic {indexing_maps = [#each, #row, #each], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<24x40xf32>) outs(%f, %d : tensor<24xf32>, tensor<24x40xf32>) {
    ^bb0(%a: f32, %sum: f32, %o: f32):
      %s = arith.addf %sum, %a : f32
      %n = arith.negf %a : f32
      linalg.yield %s, %n : f32, f32
  } -> (tensor<24xf32>, tensor<24x40xf32>)
  return %r#0, %r#1 : tensor<24xf32>, tensor<24x40xf32>
}"""
    sums, negated = run(text, x)
    np.testing.assert_allclose(sums, x.sum(1), rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(negated, -x)


def test_padded_pooling(rng):
    x = draw(rng, (1, 7, 9, 9))
    text = """
func.func @main(%x: tensor<1x7x9x9xf32>) -> tensor<1x7x5x5xf32> {
  %low = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %low : f32
  } : tensor<1x7x9x9xf32> to tensor<1x7x11x11xf32>
  %e = tensor.empty() : tensor<1x7x5x5xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<1x7x5x5xf32>) -> tensor<1x7x5x5xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %r = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%p, %w : tensor<1x7x11x11xf32>, tensor<3x3xf32>) outs(%f : tensor<1x7x5x5xf32>) -> tensor<1x7x5x5xf32>
  return %r : tensor<1x7x5x5xf32>
}"""
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
    windows = [padded[:, :, i : i + 9 : 2, j : j + 9 : 2] for i in range(3) for j in range(3)]
    (result,) = run(text, x)
    np.testing.assert_array_equal(result, np.max(windows, axis=0))


# --- moving data -------------------------------------------------------------


@pytest.mark.parametrize("permutation", [(1, 0, 2), (2, 1, 0), (0, 2, 1), (2, 0, 1)])
@pytest.mark.parametrize("element", ["f32", "i1", "f64", "complex<f32>"])
@pytest.mark.parametrize("sizes", [(9, 33, 20), (70, 130, 65)])
def test_transpose(rng, permutation, element, sizes):
    x = draw(rng, sizes, element)
    expected = x.transpose(permutation)
    text = f"""
func.func @main(%x: {tensor(x.shape, element)}) -> {tensor(expected.shape, element)} {{
  %e = tensor.empty() : {tensor(expected.shape, element)}
  %r = linalg.transpose ins(%x : {tensor(x.shape, element)}) outs(%e : {tensor(expected.shape, element)}) permutation = {list(permutation)}
  return %r : {tensor(expected.shape, element)}
}}"""
    (result,) = run(text, x)
    np.testing.assert_array_equal(result, expected)


def test_concat_slice_and_reshape(rng):
    x, y = draw(rng, (4, 6)), draw(rng, (4, 10))
    text = """
func.func @main(%x: tensor<4x6xf32>, %y: tensor<4x10xf32>) -> (tensor<64xf32>, tensor<2x5xf32>) {
  %c = tensor.concat dim(1) %x, %y : (tensor<4x6xf32>, tensor<4x10xf32>) -> tensor<4x16xf32>
  %flat = tensor.collapse_shape %c [[0, 1]] : tensor<4x16xf32> into tensor<64xf32>
  %s = tensor.extract_slice %c[1, 3] [2, 5] [2, 2] : tensor<4x16xf32> to tensor<2x5xf32>
  return %flat, %s : tensor<64xf32>, tensor<2x5xf32>
}"""
    both = np.concatenate([x, y], 1)
    flat, piece = run(text, x, y)
    np.testing.assert_array_equal(flat, both.ravel())
    np.testing.assert_array_equal(piece, both[1:4:2, 3:13:2])


def test_gather_by_index(rng):
    table, index = draw(rng, (11, 30)), np.array([3, 0, 10, 3], np.int64)
    text = """
func.func @main(%t: tensor<11x30xf32>, %i: tensor<?xi64>) -> tensor<?x30xf32> {
  %c0 = arith.constant 0 : index
  %c11 = arith.constant 11 : i64
  %n = tensor.dim %i, %c0 : tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?x30xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<?xi64>) outs(%e : tensor<?x30xf32>) {
    ^bb0(%k: i64, %o: f32):
      %in = arith.cmpi slt, %k, %c11 : i64
      cf.assert %in, "index 11 or more"
      %row = arith.index_cast %k : i64 to index
      %column = linalg.index 1 : index
      %v = tensor.extract %t[%row, %column] : tensor<11x30xf32>
      linalg.yield %v : f32
  } -> tensor<?x30xf32>
  return %r : tensor<?x30xf32>
}"""
    program = isthmus.parse(text)
    np.testing.assert_array_equal(program.run(table, index)[0], table[index])
    many = np.arange(5000) % 11
    for threads in (1, 2):
        np.testing.assert_array_equal(program.run(table, many, threads=threads)[0], table[many])
        many[4321] = 11
        with pytest.raises(isthmus.IsthmusError, match="index 11 or more"):
            program.run(table, many, threads=threads)
        many[4321] = 0
    np.testing.assert_array_equal(program.run(table, index)[0], table[index])


# --- results that are not fresh ----------------------------------------------


def test_arguments_constants_and_equal_results(rng):
    x = draw(rng, (3, 4))
    text = """
func.func @main(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<12xf32>, tensor<2xi64>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<f32>) {
  %c = arith.constant dense<[5, 7]> : tensor<2xi64>
  %s = arith.constant dense<2.5> : tensor<f32>
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  %e = tensor.empty() : tensor<3x4xf32>
  %r = linalg.negf ins(%x : tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %x, %flat, %c, %r, %r, %s : tensor<3x4xf32>, tensor<12xf32>, tensor<2xi64>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<f32>
}"""
    kept = x.copy()
    same, flat, constant, first, second, scalar = run(text, x)
    np.testing.assert_array_equal(same, x)
    np.testing.assert_array_equal(flat, x.ravel())
    np.testing.assert_array_equal(constant, [5, 7])
    np.testing.assert_array_equal(first, -x)
    np.testing.assert_array_equal(second, -x)
    assert scalar.shape == () and scalar == 2.5
    # None of them is the argument's memory, and no argument was written to.
    same += 1
    flat += 1
    np.testing.assert_array_equal(x, kept)


def test_update_of_an_argument_leaves_it_alone(rng):
    x = draw(rng, (8,))
    text = """
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %r = tensor.insert %one into %x[%c3] : tensor<8xf32>
  return %r, %x : tensor<8xf32>, tensor<8xf32>
}"""
    kept = x.copy()
    changed, same = run(text, x)
    np.testing.assert_array_equal(x, kept)
    np.testing.assert_array_equal(same, kept)
    assert changed[3] == 1


# --- globals and functions of the host ---------------------------------------


def test_state_lives_as_long_as_the_program():
    text = """
ml_program.global private mutable @count(dense<0> : tensor<2xi64>) : tensor<2xi64>
ml_program.global private @step(dense<[1, 5]> : tensor<2xi64>) : tensor<2xi64>
ml_program.func @main() -> (tensor<2xi64>, tensor<2xi64>) {
  %old = ml_program.global_load @count : tensor<2xi64>
  %step = ml_program.global_load_const @step : tensor<2xi64>
  %e = tensor.empty() : tensor<2xi64>
  %new = linalg.add ins(%old, %step : tensor<2xi64>, tensor<2xi64>) outs(%e : tensor<2xi64>) -> tensor<2xi64>
  ml_program.global_store @count = %new : tensor<2xi64>
  ml_program.return %old, %new : tensor<2xi64>, tensor<2xi64>
}"""
    program = isthmus.parse(text)
    for turn in range(3):
        old, new = program.run()
        np.testing.assert_array_equal(old, [turn, 5 * turn])
        np.testing.assert_array_equal(new, [turn + 1, 5 * turn + 5])


@pytest.mark.parametrize(
    "text, message",
    [
        (
            "func.func private @f(tensor<2xf32>) -> tensor<2xf32>\nfunc.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
            "  %r = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>\n  return %r : tensor<2xf32>\n}",
            "expected an implementation of each declared function, got none of 'f'",
        ),
        (
            "ml_program.global private @w(#ml_program.extern : tensor<2xf32>) : tensor<2xf32>\nfunc.func @main() -> tensor<2xf32> {\n"
            "  %r = ml_program.global_load_const @w : tensor<2xf32>\n  return %r : tensor<2xf32>\n}",
            "expected the memory of extern global 'w', got none",
        ),
        (
            "func.func @main(%x: tensor<*xf32>) -> tensor<*xf32> {\n  return %x : tensor<*xf32>\n}",
            "expected a ranked tensor of",
        ),
        (
            "func.func @main(%x: tensor<2xi4>) -> tensor<2xi4> {\n  return %x : tensor<2xi4>\n}",
            "expected a ranked tensor of",
        ),
        (
            "func.func private @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %x : tensor<2xf32>\n}",
            "expected a module with a public function",
        ),
    ],
)
def test_what_cannot_be_compiled(text, message):
    with pytest.raises(isthmus.UnsupportedError, match=message):
        run(text, np.zeros(2, np.float32))


# --- control flow ------------------------------------------------------------


def test_loop_with_a_carried_tensor(rng):
    x = draw(rng, (5, 7))
    text = """
func.func @main(%x: tensor<5x7xf32>, %n: tensor<i64>) -> tensor<5x7xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tensor.extract %n[] : tensor<i64>
  %times = arith.index_cast %v : i64 to index
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%a = %x) -> tensor<5x7xf32> {
    %e = tensor.empty() : tensor<5x7xf32>
    %s = linalg.add ins(%a, %a : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
    scf.yield %s : tensor<5x7xf32>
  }
  return %r : tensor<5x7xf32>
}"""
    program = isthmus.parse(text)
    for times in (0, 1, 10):
        (result,) = program.run(x, np.array(times))
        np.testing.assert_array_equal(result, x * 2**times)


def test_branch(rng):
    x, y = draw(rng, (4,)), draw(rng, (4,))
    text = """
func.func @main(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %v = tensor.extract %c[] : tensor<i1>
  %r = scf.if %v -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %s = linalg.add ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}"""
    program = isthmus.parse(text)
    np.testing.assert_array_equal(program.run(np.array(True), x, y)[0], x + y)
    np.testing.assert_array_equal(program.run(np.array(False), x, y)[0], y)


# --- a network's layer -------------------------------------------------------


def test_views_as_inputs(rng):
    x = draw(rng, (6, 8))
    program = isthmus.parse(elementwise("%s = arith.addf %a, %a : f32\n linalg.yield %s : f32"))
    for view in (x.T, x[::2], x[:, ::-1], x[1:, 2:5]):
        np.testing.assert_array_equal(program.run(view)[0], view + view)
