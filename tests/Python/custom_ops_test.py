"""Custom ops in Python and on the command line: choosing, raising and running them with kernels."""

import ctypes

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import isthmus
from isthmus.cli import main

# Any target of this build.
TARGET = next(name for name in isthmus.output_types() if name != "torch")
LIBRARY = "tests/Python/libkernels.so"


def value(name, shape, dtype=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, dtype, shape)


def save(path, nodes, infos=(), domain="com.acme"):
    """Writes a model with nodes from x to y, both float[2, 3]. It imports the domain."""
    graph = helper.make_graph(nodes, "g", [value("x", (2, 3))], [value("y", (2, 3))], value_info=list(infos))
    domains = [helper.make_opsetid("", 18), helper.make_opsetid(domain, 1)]
    onnx.save(helper.make_model(graph, opset_imports=domains, ir_version=10), path)
    return str(path)


@pytest.fixture
def model(tmp_path):
    """A model with an op of an unknown domain and an Einsum."""
    fancy = helper.make_node("FancyAttention", ["x"], ["a"], "fancy", domain="com.acme", scale=0.5, heads=[1, 2])
    einsum = helper.make_node("Einsum", ["a"], ["y"], "einsum", equation="ij->ij")
    return save(tmp_path / "model.onnx", [fancy, einsum], [value("a", (2, 3))])


@pytest.mark.parametrize("target", [name for name in isthmus.output_types() if name != "torch"])
def test_nodes_of_onnx_are_carried(model, target, capfd):
    assert main(["compile", model, "--target", target, "--custom-ops", "com.acme.FancyAttention,Einsum"]) == 0
    said = capfd.readouterr()
    assert said.err == "isthmus: carried as custom ops: com.acme.FancyAttention (1), onnx.Einsum (1)\n"
    carrier = {"tosa": "tosa.custom", "linalg": "call @com.acme.FancyAttention"}.get(target, f"{target}.custom_call")
    assert carrier in said.out
    assert "torch." not in said.out.replace("torch.onnx", "")


def test_unsupported_ops_are_carried_and_listed(model, capfd):
    assert main(["compile", model, "--target", TARGET, "--custom-ops=unsupported"]) == 0
    assert capfd.readouterr().err == "isthmus: carried as custom ops: com.acme.FancyAttention (1)\n"


def test_a_node_of_unknown_domain_says_how_it_can_be_carried(model, capfd):
    assert main(["compile", model, "--target", TARGET]) == 1
    error = capfd.readouterr().err
    assert "node 'fancy'" in error and "use --custom-ops com.acme.FancyAttention" in error


def test_a_layout_of_one_processor_says_how_to_save_without_it(tmp_path, capfd):
    domain = "com.microsoft.nchwc"
    reorder = helper.make_node("ReorderInput", ["x"], ["y"], "reorder", domain=domain)
    path = save(tmp_path / "model.onnx", [reorder], domain=domain)
    assert main(["compile", path, "--target", TARGET]) == 1
    error = capfd.readouterr().err
    assert "node 'reorder'" in error and "save the model at ORT_ENABLE_EXTENDED or lower" in error


def test_a_node_without_a_type_says_what_is_missing(tmp_path, capfd):
    fancy = helper.make_node("FancyAttention", ["x"], ["a"], "fancy", domain="com.acme")
    model = save(tmp_path / "model.onnx", [fancy, helper.make_node("Abs", ["a"], ["y"], "abs")])
    assert main(["compile", model, "--target", TARGET, "--custom-ops=com.acme.FancyAttention"]) == 1
    assert "expected the model to declare rank and dtype of output 0" in capfd.readouterr().err


def test_a_wrong_name_suggests_the_nearest(model, capfd):
    ops = "com.acme.FancyAttention,Einsun"
    assert main(["compile", model, "--target", TARGET, "--custom-ops", ops]) == 1
    assert "such as 'Einsum', got 'Einsun'" in capfd.readouterr().err


def fancy(x, scale, heads):
    assert heads == [1, 2] and x.dtype == np.float32
    return x * np.float32(scale)


@pytest.fixture
def registered(monkeypatch):
    from isthmus import kernels

    monkeypatch.setattr(kernels, "_registered", {})
    return isthmus.register_kernel


needs_run = pytest.mark.skipif(
    not {"jit", "linalg"} <= set(isthmus.parts()),
    reason="runs kernels in the process, which takes the parts jit and linalg",
)


@needs_run
@pytest.mark.parametrize("target", ["linalg", "tosa"])
def test_kernels_in_python(model, registered, target):
    registered("com.acme.FancyAttention", fancy)
    registered("onnx.Einsum", lambda x, equation: np.einsum(equation, x))
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    module = isthmus.compile(model, None, target, custom_ops=["com.acme.FancyAttention", "Einsum"])
    np.testing.assert_array_equal(module.run(x)[0], x * 0.5)


@needs_run
def test_an_op_without_a_kernel_says_how_to_register_it(model, registered):
    module = isthmus.compile(model, custom_ops="unsupported")
    with pytest.raises(isthmus.IsthmusError, match="'com.acme.FancyAttention': expected a kernel.*register_kernel"):
        module.run(np.zeros((2, 3), np.float32))
    registered("com.acme.FancyAttention", fancy)
    module.run(np.zeros((2, 3), np.float32))


@needs_run
@pytest.mark.parametrize(
    "kernel, message",
    [
        (lambda x, scale, heads: x[0], r"output 0: expected an array of \[2x3\], got \[3\]"),
        (lambda x, scale, heads: x.astype(np.int64), None),
        (lambda x, scale, heads: x > 0, None),
        (lambda x, scale, heads: x.astype(np.complex64), "expected float32, got complex64"),
        (lambda x: x, "unexpected keyword argument"),
        (lambda x, scale, heads: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_what_a_kernel_gives_is_checked(model, registered, kernel, message):
    registered("com.acme.FancyAttention", kernel)
    module = isthmus.compile(model, custom_ops="unsupported")
    x = np.ones((2, 3), np.float32)
    if message is None:  # a number of a lower kind is converted to the dtype of the result
        np.testing.assert_array_equal(module.run(x)[0], x)
    else:
        with pytest.raises(isthmus.KernelError, match=f"(?s)custom op 'com.acme.FancyAttention'.*{message}"):
            module.run(x)


@needs_run
def test_a_kernel_may_keep_its_inputs(model, registered):
    kept = []
    registered("com.acme.FancyAttention", lambda x, scale, heads: kept.append(x) or np.exp(x))
    registered("onnx.Einsum", lambda x, equation: kept.append(x) or x)
    module = isthmus.compile(model, custom_ops=["com.acme.FancyAttention", "Einsum"])
    for number in range(3):
        x = np.full((2, 3), number, np.float32)
        module.run(x)
        x[:] = -1
    # Later runs reuse memory, but arrays of earlier runs that a kernel kept must not change.
    given, computed = kept[::2], kept[1::2]
    for number in range(3):
        np.testing.assert_array_equal(given[number], np.full((2, 3), number, np.float32))
        np.testing.assert_allclose(computed[number], np.exp(given[number]), rtol=1e-6)


def test_a_kernel_is_a_function(registered):
    with pytest.raises(isthmus.InputError, match="expected a function, got str"):
        registered("aten.gelu", "gelu")


GELU = """
func.func @main(%x: !torch.vtensor<[{sizes}],f32>) -> !torch.vtensor<[{sizes}],f32> {{
  %none = torch.constant.str "none"
  %y = torch.aten.gelu %x, %none : !torch.vtensor<[{sizes}],f32>, !torch.str -> !torch.vtensor<[{sizes}],f32>
  %t = torch.aten.t %y : !torch.vtensor<[{sizes}],f32> -> !torch.vtensor<[{turned}],f32>
  %z = torch.aten.gelu %t, %none : !torch.vtensor<[{turned}],f32>, !torch.str -> !torch.vtensor<[{turned}],f32>
  %r = torch.aten.t %z : !torch.vtensor<[{turned}],f32> -> !torch.vtensor<[{sizes}],f32>
  return %r : !torch.vtensor<[{sizes}],f32>
}}
"""


@needs_run
@pytest.mark.parametrize("sizes, turned", [("2,3", "3,2"), ("?,3", "3,?")])
@pytest.mark.parametrize("encoding", ["attributes", "operands"])
def test_kernels_in_c(registered, sizes, turned, encoding):
    registered("aten.gelu", ctypes.CDLL(LIBRARY).gelu)
    module = isthmus.parse(GELU.format(sizes=sizes, turned=turned))
    module = module.lower("linalg", custom_ops=["aten.gelu"], custom_op_encoding=encoding)
    assert module.custom_ops() == {"torch.aten.gelu": 2}
    x = np.linspace(-2, 2, 6, dtype=np.float32).reshape(2, 3)
    reference = isthmus.parse(GELU.format(sizes=sizes, turned=turned)).lower("linalg")
    np.testing.assert_allclose(module.run(x)[0], reference.run(x)[0], rtol=1e-5, atol=1e-6)


@needs_run
def test_a_kernel_in_c_says_what_is_wrong(registered):
    registered("aten.gelu", ctypes.CDLL(LIBRARY).gelu)
    text = GELU.format(sizes="2,3", turned="3,2").replace('"none"', '"tanh"')
    with pytest.raises(isthmus.KernelError, match="custom op 'torch.aten.gelu': expected the exact form"):
        isthmus.parse(text).lower("linalg", custom_ops=["aten.gelu"]).run(np.zeros((2, 3), np.float32))


KERNELS = """
import isthmus
import numpy as np

isthmus.register_kernel("com.acme.FancyAttention", lambda x, scale, heads: x * np.float32(scale))
"""


@needs_run
def test_run_loads_kernels(model, registered, tmp_path, capfd):
    kernels = tmp_path / "kernels.py"
    kernels.write_text(KERNELS, encoding="utf-8")
    np.savez(tmp_path / "x.npz", x=np.full((2, 3), 3, np.float32))
    arguments = [
        "--custom-ops",
        "unsupported",
        "--inputs",
        str(tmp_path / "x.npz"),
        "--outputs",
        str(tmp_path / "y.npz"),
    ]
    assert main(["run", model, *arguments, "--kernels", str(kernels)]) == 0
    np.testing.assert_array_equal(np.load(tmp_path / "y.npz")["y"], 1.5)


@needs_run
def test_run_loads_kernels_in_c(registered, tmp_path):
    gelu = onnx.helper.make_node("Gelu", ["x"], ["y"])
    graph = helper.make_graph([gelu], "g", [value("x", (2, 3))], [value("y", (2, 3))])
    path = str(tmp_path / "gelu.onnx")
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10), path)
    x = np.linspace(-2, 2, 6, dtype=np.float32).reshape(2, 3)
    np.savez(tmp_path / "x.npz", x=x)
    arguments = ["--custom-ops", "aten.gelu", "--inputs", str(tmp_path / "x.npz"), "--outputs", str(tmp_path / "y.npz")]
    assert main(["run", path, *arguments, "--kernels", f"aten.gelu={LIBRARY}:gelu"]) == 0
    (expected,) = isthmus.compile(path).run(x)
    np.testing.assert_allclose(np.load(tmp_path / "y.npz")["y"], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "source, message",
    [
        ("kernels.txt", "expected FILE.py or OP=LIBRARY:FUNCTION, got 'kernels.txt'"),
        ("nowhere.py", "nowhere.py: FileNotFoundError"),
        ("aten.gelu=nowhere.so:gelu", "kernel of 'aten.gelu': "),
        (f"aten.gelu={LIBRARY}:nothing", "kernel of 'aten.gelu': "),
    ],
)
def test_kernels_that_are_not_there(model, registered, source, message, capfd):
    assert main(["run", model, "--kernels", source]) == 1
    assert message in capfd.readouterr().err


@needs_run
def test_verify_takes_custom_ops_and_kernels(registered, tmp_path, capfd):
    einsum = helper.make_node("Einsum", ["x"], ["y"], "einsum", equation="ij->ij")
    path = save(tmp_path / "model.onnx", [einsum])
    kernels = tmp_path / "kernels.py"
    for factor, status in [(1, 0), (2, 1)]:
        text = f"import isthmus; isthmus.register_kernel('onnx.Einsum', lambda x, equation: {factor} * x)"
        kernels.write_text(text, encoding="utf-8")
        assert main(["verify", path, "--custom-ops", "Einsum", "--kernels", str(kernels)]) == status
    assert "parts from onnxruntime at y (node 'einsum')" in capfd.readouterr().out


def test_check_takes_custom_ops(model, capfd):
    assert main(["check", model, "--targets", TARGET]) == 1
    assert main(["check", model, "--targets", TARGET, "--custom-ops", "unsupported"]) == 0
    assert "FancyAttention" in capfd.readouterr().out


@needs_run
def test_integers_that_a_target_narrows_are_checked(registered):
    text = """
    func.func @main(%x: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64> {
      %y = torch.aten.neg %x : !torch.vtensor<[2],si64> -> !torch.vtensor<[2],si64>
      return %y : !torch.vtensor<[2],si64>
    }"""
    registered("aten.neg", lambda x: x * 2**30)
    module = isthmus.parse(text).lower("tosa", custom_ops=["aten.neg"])
    np.testing.assert_array_equal(module.run(np.array([1, -2]))[0], [2**30, -(2**31)])
    with pytest.raises(isthmus.KernelError, match="output 0: expected integers that fit into int32"):
        module.run(np.array([2, 0]))


@pytest.fixture
def calls(tmp_path):
    """A model that calls its own function twice, with different scales."""
    body = [
        helper.make_node("ReduceMean", ["x"], ["mean"], "mean", keepdims=1, axes=[1]),
        helper.make_node("Sub", ["x", "mean"], ["centred"], "centre"),
        helper.make_node("Constant", [], ["scale"], "scale"),
        helper.make_node("Mul", ["centred", "scale"], ["y"], "mul"),
    ]
    body[2].attribute.append(
        onnx.AttributeProto(name="value_float", ref_attr_name="scale", type=onnx.AttributeProto.FLOAT)
    )
    opset = [helper.make_opsetid("", 13)]
    function = helper.make_function("com.acme", "Centre", ["x"], ["y"], body, opset, attributes=["scale"])
    nodes = [
        helper.make_node("Centre", ["x"], ["a"], "first", domain="com.acme", scale=0.5),
        helper.make_node("Abs", ["a"], ["b"], "abs"),
        helper.make_node("Centre", ["b"], ["y"], "second", domain="com.acme", scale=3.0),
    ]
    graph = helper.make_graph(nodes, "g", [value("x", (2, 3))], [value("y", (2, 3))])
    domains = [*opset, helper.make_opsetid("com.acme", 1)]
    path = tmp_path / "calls.onnx"
    onnx.save(helper.make_model(graph, opset_imports=domains, functions=[function], ir_version=10), path)
    return str(path)


def centre(x, scale):
    return (x - x.mean(1, keepdims=True)) * np.float32(scale)


@pytest.mark.parametrize("target", [name for name in isthmus.output_types() if name != "torch"])
def test_functions_of_onnx_are_outlined(calls, target, capfd):
    assert main(["compile", calls, "--target", target, "--outline", "Centre"]) == 0
    said = capfd.readouterr()
    assert said.err == "isthmus: carried as custom ops: com.acme.Centre (2)\n"
    assert said.out.count("func.func private @com.acme.Centre") == 2
    carrier = f"{target}.composite" if target in ("mhlo", "stablehlo") else "call @com.acme.Centre"
    assert said.out.count(carrier) == 2


def test_a_wrong_class_suggests_the_nearest(calls, capfd):
    assert main(["compile", calls, "--target", TARGET, "--outline", "Center"]) == 1
    assert "such as 'Centre', got 'Center'" in capfd.readouterr().err


def test_a_model_without_functions_has_nothing_to_outline(model, capfd):
    assert main(["compile", model, "--target", TARGET, "--outline", "Centre", "--custom-ops=unsupported"]) == 1
    assert "expected nodes in modules or functions, to outline 'Centre', got none" in capfd.readouterr().err


@needs_run
@pytest.mark.parametrize("target", ["linalg", "tosa"])
def test_a_body_runs_without_a_kernel_and_gives_way_to_one(calls, registered, target):
    x = np.arange(6, dtype=np.float32).reshape(2, 3) ** 2
    expected = centre(np.abs(centre(x, 0.5)), 3.0)
    module = isthmus.compile(calls, None, target, outline="com.acme.Centre")
    np.testing.assert_allclose(module.run(x)[0], expected, rtol=1e-5)

    scales = []

    def kernel(x, scale):
        scales.append(scale)
        return centre(x, scale)

    registered("com.acme.Centre", kernel)
    module = isthmus.compile(calls, None, target, outline="com.acme.Centre")
    np.testing.assert_allclose(module.run(x)[0], expected, rtol=1e-5)
    assert scales == [0.5, 3.0]
