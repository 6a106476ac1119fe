"""torch-mlir's function, by Isthmus: the same arguments, names and numbers, and an error for what has no meaning."""

import inspect

import numpy as np
import pytest
import torch
import torch_mlir.fx as theirs

import isthmus
from isthmus.compat.torch_mlir import fx
from isthmus.compat.torch_mlir.fx import OutputType


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)

    def forward(self, x, scale=None):
        y = torch.nn.functional.gelu(self.linear(x))
        return y if scale is None else y * scale


@pytest.fixture
def model():
    torch.manual_seed(0)
    return Model().eval()


X = torch.linspace(-2, 2, 8).reshape(2, 4)


@pytest.mark.parametrize("name", ["export_and_import", "stateless_fx_import"])
def test_the_signature_is_theirs(name):
    ours, other = (inspect.signature(getattr(home, name)).parameters for home in (fx, theirs))
    assert list(ours) == list(other)
    for parameter, expected in zip(ours.values(), other.values()):
        assert parameter.kind == expected.kind
        if parameter.name == "output_type":
            assert (parameter.default.name, expected.default.name) == ("RAW", "RAW")
        else:
            assert parameter.default == expected.default


def test_the_output_types_are_theirs():
    assert {each.name: each.value for each in OutputType} == {each.name: each.value for each in theirs.OutputType}
    for spec in ["tosa", "TOSA", "linalg-on-tensors", "linalg_on_tensors", "Raw"]:
        assert OutputType.get(spec).name == theirs.OutputType.get(spec).name
    for spec in [theirs.OutputType.STABLEHLO, isthmus.OutputType.STABLEHLO, OutputType.STABLEHLO]:
        assert OutputType.get(spec) is OutputType.STABLEHLO
    for spec in ["mlir", isthmus.OutputType.MHLO]:
        with pytest.raises(ValueError, match="expected an output type of TORCH, LINALG_ON_TENSORS"):
            OutputType.get(spec)


def test_the_text_is_whole():
    model = torch.nn.Linear(64, 64)
    module = fx.export_and_import(model, torch.ones(2, 64), output_type="linalg-on-tensors")
    text = str(module)
    assert text == module.text() and len(text) > 2 * model.weight.nbytes
    assert len(module.text(weights="none")) < 5000
    (result,) = isthmus.parse(text).run(np.ones((2, 64), np.float32))
    np.testing.assert_allclose(result, model(torch.ones(2, 64)).detach().numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind, dialect", [("linalg-on-tensors", "linalg."), (OutputType.TOSA, "tosa.")])
def test_numbers(model, kind, dialect):
    module = fx.export_and_import(model, X, output_type=kind)
    assert any(op.startswith(dialect) for op in module.count_ops())
    (result,) = module.run(X.numpy())
    np.testing.assert_allclose(result, model(X).detach().numpy(), rtol=1e-5, atol=1e-6)


def test_arguments_by_name_and_open_sizes(model):
    shapes = {"x": {0: torch.export.Dim("n", max=64)}, "scale": None}
    scale = torch.tensor([1.0, 2.0, 3.0])
    module = fx.export_and_import(model, X, scale=scale, dynamic_shapes=shapes, output_type="linalg-on-tensors")
    more = torch.ones(5, 4)
    (result,) = module.run(more.numpy(), scale.numpy())
    np.testing.assert_allclose(result, model(more, scale).detach().numpy(), rtol=1e-5, atol=1e-6)


def test_forms_of_the_torch_dialect(model):
    assert "torch.aten.gelu" in fx.export_and_import(model, X).count_ops()
    assert "torch.aten.gelu" not in fx.export_and_import(model, X, output_type="torch").count_ops()
    kept = fx.export_and_import(model, X, output_type="torch", backend_legal_ops=["aten.gelu"])
    assert "torch.aten.gelu" in kept.count_ops()
    with pytest.raises(isthmus.UnsupportedError, match="aten.gelo"):
        fx.export_and_import(model, X, output_type="torch", backend_legal_ops=["aten.gelo"])
    table = torch.export.default_decompositions()
    assert "torch.aten.linear" in fx.export_and_import(model, X, decomposition_table={}).count_ops()
    assert "torch.aten.linear" not in fx.export_and_import(model, X, decomposition_table=table).count_ops()


def test_the_name_of_the_function(model):
    named = fx.export_and_import(model, X, output_type="linalg-on-tensors", func_name="forward")
    assert "func.func @forward(" in str(named) and "@main" not in str(named)
    np.testing.assert_allclose(named.run(X.numpy())[0], model(X).detach().numpy(), rtol=1e-5, atol=1e-6)
    assert torch.is_tensor(named(X))


def test_exported_programs_and_graphs(model):
    program = torch.export.export(model, (X,))
    text = str(fx.export_and_import(program, output_type="tosa"))
    assert text == str(fx.export_and_import(model, X, output_type="tosa", strict=True)) and "tosa." in text
    graph = torch.fx.experimental.proxy_tensor.make_fx(lambda x: torch.relu(x) + 1)(X)
    module = fx.stateless_fx_import(graph, output_type="linalg-on-tensors", model_name="graph")
    assert "@graph(" in str(module)
    np.testing.assert_allclose(module.run(X.numpy())[0], torch.relu(X).numpy() + 1)


def test_printing(model, capfd):
    fx.export_and_import(model, X, output_type="tosa", verbose=True)
    said = capfd.readouterr().out
    assert said.index("torch.aten.gelu") < said.index("tosa.")
    fx.export_and_import(model, X, enable_graph_printing=True)
    assert "torch.ops.aten.gelu.default" in capfd.readouterr().out


@pytest.mark.parametrize(
    "name, value",
    [
        ("allow_non_finites", False),
        ("enable_ir_printing", True),
        ("experimental_support_mutation", True),
        ("func_name", "a b"),
        ("fx_importer", object()),
        ("hooks", object()),
        ("import_symbolic_shape_expressions", True),
    ],
)
def test_what_has_no_meaning_is_an_error(model, name, value):
    with pytest.raises(isthmus.InputError, match=f"^{name}: expected "):
        fx.export_and_import(model, X, **{name: value})
