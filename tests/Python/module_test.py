"""isthmus.Module: reading, writing, running."""

import concurrent.futures
import os
import resource
import signal

import numpy as np
import pytest

import isthmus

needs_jit = pytest.mark.skipif("jit" not in isthmus.parts(), reason="this build has no JIT")

SUM = """
func.func @main(%x: tensor<?x4xf32> {onnx.name = "x"}, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = tosa.add %x, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
"""

SIGMOID = """
func.func @main(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %0 = torch.aten.sigmoid %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}
"""


def sum_of(rows):
    x = np.arange(rows * 4, dtype=np.float32).reshape(rows, 4)
    return x, x[::-1]


@needs_jit
@pytest.mark.parametrize("rows", [1, 3])
def test_runs_any_size_from_one_compilation(rows):
    x, y = sum_of(rows)
    (result,) = isthmus.parse(SUM).run(x, y)
    np.testing.assert_array_equal(result, x + y)


@needs_jit
def test_takes_torch_tensors():
    torch = pytest.importorskip("torch")
    x, y = (torch.from_numpy(array.copy()) for array in sum_of(2))
    (result,) = isthmus.parse(SUM).run(x, y)
    np.testing.assert_array_equal(result, (x + y).numpy())


@needs_jit
def test_results_outlive_the_module():
    x, y = sum_of(2)
    result = isthmus.parse(SUM).run(x, y)[0]
    np.testing.assert_array_equal(result, x + y)


@needs_jit
@pytest.mark.parametrize(
    "inputs, message",
    [
        (lambda x, y: [x], "expected 2 arguments, got 1"),
        (lambda x, y: [x.astype(np.int32), y], "argument 0 ('x'): expected ?x4xf32, got 2x4xi32"),
        (lambda x, y: [x, y[:, :3]], "argument 1: expected ?x4xf32, got 2x3xf32"),
    ],
)
def test_wrong_inputs(inputs, message):
    with pytest.raises(isthmus.InputError) as error:
        isthmus.parse(SUM).run(*inputs(*sum_of(2)))
    assert message in str(error.value)


@needs_jit
def test_narrows_integers_that_fit():
    module = isthmus.parse("func.func @main(%x: tensor<?xi32>) -> tensor<?xi32> { return %x : tensor<?xi32> }")
    np.testing.assert_array_equal(module.run(np.array([1, -2]))[0], [1, -2])
    with pytest.raises(isthmus.InputError, match="expected integers that fit int32, got 0 to 2147483648"):
        module.run(np.array([0, 2**31]))


def test_without_the_jit():
    if "jit" in isthmus.parts():
        pytest.skip("this build has the JIT")
    with pytest.raises(isthmus.MissingPartError, match="this build has no jit part"):
        isthmus.parse("module {}").run()


def test_a_graph_needs_no_entry_point():
    text = """
      func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
        %0 = "onnx.Neg"(%x) : (tensor<?xf32>) -> tensor<?xf32>
        onnx.Return %0 : tensor<?xf32>
      }
    """
    lowered = str(isthmus.parse(text).lower("tosa"))
    assert "func.func @f(" in lowered
    assert "tosa.negate" in lowered


@pytest.mark.parametrize("name", ["a.mlir", "a.mlirbc"])
def test_round_trip(tmp_path, name):
    module = isthmus.parse("func.func @main() { return }")
    module.save(tmp_path / name)
    assert str(isthmus.load(tmp_path / name)) == str(module)
    assert (tmp_path / name).read_bytes().startswith(b"ML\xefR") == name.endswith("bc")


def test_bad_files(tmp_path):
    with pytest.raises(FileNotFoundError):
        isthmus.load(tmp_path / "absent.mlir")
    (tmp_path / "bad.mlir").write_text("func.func @main() {\n  nonsense\n}")
    with pytest.raises(isthmus.BadModelError, match=r"bad.mlir:2:3: "):
        isthmus.load(tmp_path / "bad.mlir")
    (tmp_path / "empty.mlirbc").write_bytes(b"ML\xefR")
    with pytest.raises(isthmus.BadModelError):
        isthmus.load(tmp_path / "empty.mlirbc")


def test_a_failed_save_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.mlir"
    path.write_text("old")
    large = isthmus.parse(f"module attributes {{test.numbers = {list(range(9999))}}} {{}}")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        with pytest.raises(isthmus.FileError, match="too large"):
            large.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.mlir"]


def test_saving_into_a_device_keeps_the_device():
    with pytest.raises(isthmus.FileError, match="/dev/full: No space left"):
        isthmus.parse("module {}").save("/dev/full")
    assert not os.path.isfile("/dev/full")


DTYPES = """
func.func @main(%x: tensor<?x{stored}> {{isthmus.dtype = {dtype}}}) -> (tensor<?x{stored}> {{isthmus.dtype = {dtype}}}) {{
  return %x : tensor<?x{stored}>
}}
"""


@needs_jit
@pytest.mark.parametrize(
    "stored, dtype, values",
    [
        ("i8", "ui8", np.array([0, 200, 255], np.uint8)),  # linalg: only the sign is lost
        ("i32", "ui8", np.array([0, 200, 255], np.uint8)),  # tosa widens
        ("i32", "si64", np.array([-7, 2**31 - 1])),  # tosa narrows
        ("f32", "f64", np.array([0.5, -2.0])),
    ],
)
def test_arrays_have_the_dtypes_of_the_model(stored, dtype, values):
    (result,) = isthmus.parse(DTYPES.format(stored=stored, dtype=dtype)).run(values)
    assert result.dtype == values.dtype
    np.testing.assert_array_equal(result, values)


@needs_jit
@pytest.mark.parametrize(
    "stored, dtype, values, message",
    [
        ("i8", "ui8", np.array([-1], np.int8), "argument 0: expected uint8, got int8"),
        ("i8", "ui8", np.array([300]), "argument 0: expected integers that fit uint8, got 0 to 300"),
        ("i32", "si64", np.array([2**31]), "argument 0: expected integers that fit int32, got 0 to 2147483648"),
        ("i8", "ui8", np.array(["a"]), "input 0: expected an array of bools, integers, floats or complex numbers, got"),
    ],
)
def test_other_dtypes_are_errors(stored, dtype, values, message):
    with pytest.raises(isthmus.InputError) as caught:
        isthmus.parse(DTYPES.format(stored=stored, dtype=dtype)).run(values)
    assert message in str(caught.value)


@needs_jit
def test_a_negative_number_of_threads():
    with pytest.raises(isthmus.InputError, match="threads: expected 0 for one per core or a positive number, got -1"):
        isthmus.parse(SUM).run(threads=-1)


@needs_jit
def test_hoisted_weights_are_parameters_of_later_runs():
    module = isthmus.parse(
        """
        func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
          %w = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
          %0 = tosa.add %x, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
          return %0 : tensor<2xf32>
        }
        """
    )
    x = np.array([10, 20], np.float32)
    (before,) = module.run(x)
    (weight,) = module.hoist_weights()
    (after,) = module.run(x, weight * 2)
    np.testing.assert_array_equal(before, [11, 22])
    np.testing.assert_array_equal(after, [12, 24])


def test_specialize_needs_names_of_inputs():
    with pytest.raises(isthmus.UnsupportedError, match="input 'x': expected a model to give it a shape"):
        isthmus.parse(SIGMOID).lower("torch", specialize={"x": [2, 4]})


def test_a_lowered_program_is_not_lowered_again():
    with pytest.raises(isthmus.UnsupportedError, match="of the torch or the onnx dialect, got one with 'tosa.add'"):
        isthmus.parse(SUM).lower("tosa")


def test_options_are_known():
    module = isthmus.parse(SIGMOID)
    with pytest.raises(TypeError, match=r"lower\(\) got an unexpected keyword argument 'narow_f64'"):
        module.lower("torch", narow_f64=True)
    with pytest.raises(isthmus.UnsupportedError) as caught:
        module.lower("torch", custom_op_encoding="json", mutable_buffers="global")
    assert caught.value.messages == [
        "custom-op-encoding: expected 'attributes' or 'operands', got 'json'",
        "mutable-buffers: expected 'results' or 'globals', got 'global'",
    ]


@pytest.mark.parametrize(
    "option, expected",
    [
        ({"narrow_f64": "yes"}, "narrow_f64: expected a bool, got 'yes'"),
        ({"mutable_buffers": 1}, "mutable_buffers: expected a str, got 1"),
        ({"custom_ops": ["aten.gelu", 3]}, "custom_ops: expected a str, or a list of them, got ['aten.gelu', 3]"),
        ({"custom_ops": None}, "custom_ops: expected a str, or a list of them, got None"),
        ({"outline_patterns": [1]}, "outline_patterns: expected a path, or a list of them, got [1]"),
        ({"specialize": 3}, "specialize: expected a mapping from names to lists of ints, got 3"),
        ({"specialize": {"x": "a"}}, "specialize: expected a mapping from names to lists of ints, got {'x': 'a'}"),
        ({"specialize": {"x": [1.5]}}, "specialize: expected a mapping from names to lists of ints, got {'x': [1.5]}"),
    ],
    ids=str,
)
def test_types_of_options(option, expected):
    with pytest.raises(TypeError) as caught:
        isthmus.parse(SIGMOID).lower("torch", **option)
    assert str(caught.value) == expected


def test_lowering_from_many_threads():
    module = isthmus.parse(SIGMOID)
    target = isthmus.output_types()[-1]
    expected = module.lower(target).text()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        lowered = pool.map(lambda _: module.lower(target).text(), range(64))
    assert set(lowered) == {expected}


@pytest.mark.skipif("tosa" not in isthmus.parts(), reason="this build has no TOSA")
def test_bools_are_words_in_text(tmp_path):
    """Text has no hex for bools, since versions of MLIR interpret it differently."""
    mask = ", ".join(["true", "false"] * 60)
    values = np.arange(121, dtype=np.int32)
    program = """func.func @main() {{
      "tosa.const"() <{{values = dense<[{mask}]> : tensor<120xi1>}}> : () -> tensor<120xi1>
      "tosa.const"() <{{values = dense<{fewer}> : tensor<120xi32>}}> : () -> tensor<120xi32>
      "tosa.const"() <{{values = dense<{more}> : tensor<121xi32>}}> : () -> tensor<121xi32>
      return
    }}"""
    module = isthmus.parse(program.format(mask=mask, fewer=values[:120].tolist(), more=values.tolist()))
    module.save(tmp_path / "a.mlir")
    for text in (module.text(), (tmp_path / "a.mlir").read_text()):
        assert mask in text
        # Other constants with no more elements than that of bools are not in hex either.
        assert ", ".join(map(str, values[:120])) + "]" in text
        assert f'dense<"0x{values.tobytes().hex().upper()}"> : tensor<121xi32>' in text
        assert isthmus.parse(text).text() == text


@needs_jit
def test_floats_of_an_exponent_do_not_run():
    module = isthmus.parse("""func.func @main() -> tensor<2xf32> {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf8E8M0FNU>
  %1 = arith.extf %0 : tensor<2xf8E8M0FNU> to tensor<2xf32>
  return %1 : tensor<2xf32>
}""")
    message = "expected floats that run here, of f8E4M3FN, f8E5M2 or more bits, got 'tensor<2xf8E8M0FNU>'"
    with pytest.raises(isthmus.UnsupportedError, match=message):
        module.run()


@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16", "f64", "i8", "i64", "index", "complex<f32>"])
@pytest.mark.parametrize("count, is_hex", [(100, False), (101, True)])
def test_many_elements_are_hex_in_text(dtype, count, is_hex):
    """Hex is used because a float in decimal takes fifty times as long to write."""
    element = "(%d.5, -%d.0)" if "complex" in dtype else "%d.5" if "f" in dtype else "%d"
    values = ", ".join(element.replace("%d", str(i)) for i in range(count))
    tensor = f"tensor<{count}x{dtype}>"
    module = isthmus.parse(f"ml_program.global private @values(dense<[{values}]> : {tensor}) : {tensor}")
    assert ('dense<"0x' in module.text()) == is_hex
    assert isthmus.parse(module.text()).text() == module.text()


DEEP = {
    "modules": lambda n: "module {" * n + "}" * n,
    "types": lambda n: "func.func private @f(" + "tuple<" * n + "i32" + ">" * n + ")",
    "attributes": lambda n: "module attributes {test.a=" + "[" * n + "]" * n + "} {}",
    "names": lambda n: (
        "#a0 = []\n" + "".join(f"#a{i + 1} = [#a{i}]\n" for i in range(n)) + f"module attributes {{test.a=#a{n}}} {{}}"
    ),
    "terms": lambda n: "module attributes {test.a=affine_map<(d0)->(d0" + " + d0\n" * n + ")>} {}",
    "signs": lambda n: "module attributes {test.a=affine_map<(d0)->(" + "- " * n + "d0)>} {}",
    "locations": lambda n: "func.func private @f() loc(" + 'callsite("a" at ' * n + '"b"' + ")" * n + ")",
    "regions": lambda n: "func.func @f() {" + "scf.execute_region {" * n + "scf.yield }" * n + " return }",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_text_is_nested_so_deep_at_most(text):
    """Text that is nested too deep is refused, because the parser is recursive and would overflow the stack."""
    with pytest.raises(isthmus.BadModelError, match=r"<bytes>:\d+:\d+: expected text that is nested 500 deep at most"):
        isthmus.parse(text(100_000))


@pytest.mark.parametrize("name", [name for name in DEEP if name != "regions" or "jit" in isthmus.parts()])
def test_text_that_is_nested_less_is_read(name):
    assert str(isthmus.parse(DEEP[name](240)))


@pytest.mark.parametrize("size", ["2x", "?x", "123x"])
def test_types_have_so_many_dims_at_most(size):
    """Types with too many dims are refused, because the parser's time grows with the square of their number."""
    text = "func.func private @f(tensor<{}f32>, memref<{}f32>)"
    assert "@f" in str(isthmus.parse(text.format(size * 600, size * 600)))
    with pytest.raises(isthmus.BadModelError, match=r"<bytes>:1:\d+: expected types of rank 1000 at most"):
        isthmus.parse(text.format("2x", size * 100_000))


def test_brackets_that_nest_nothing():
    """Brackets in strings and comments, and comparison signs, are no nesting. Elements of a list do not add up."""
    elements = ", ".join(["-1 : i32", "affine_map<(d0) -> (d0 - 1)>"] * 1000)
    text = 'test.a = "<<<[[[\\22{{{", test.b = affine_set<(d0) : (d0 >= 0, d0 - 1 >= 0)>'
    module = isthmus.parse(f"""
      // {"(" * 1000}
      module attributes {{{text}, test.c = [{elements}]}} {{
        func.func private @f() -> i32
      }}""")
    assert "@f" in str(module)


@needs_jit
def test_names_and_dtypes_may_be_anything():
    """A program's author controls the attributes for names and dtypes, so they may hold anything."""
    text = """
      func.func @"\\ff\\fe"(%x: tensor<2xi32> {{isthmus.name = "\\ff"}}) -> (tensor<2xi32> {{isthmus.dtype = {dtype}}}) {{
        return %x : tensor<2xi32>
      }}"""
    module = isthmus.parse(text.format(dtype="si64"))
    assert module.input_names() == ["\udcff"]
    assert module.run(np.array([1, 2], np.int32))[0].dtype == np.int64
    with pytest.raises(isthmus.BadModelError, match="'': expected a dtype that NumPy has, got int7"):
        isthmus.parse(text.format(dtype="si7")).input_names()
