"""isthmus.compile of PyTorch modules, functions and exported programs, called like the model itself."""

import collections
import copy
import dataclasses
import gc
import logging
import math
import re

import numpy as np
import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

import isthmus

PARTS = isthmus.parts()
needs_pt2 = pytest.mark.skipif("pt2" not in PARTS, reason="this build has no PyTorch front end")
runs = pytest.mark.skipif(
    not {"pt2", "linalg", "jit"} <= set(PARTS), reason="this build cannot run programs of PyTorch"
)


class Scaled(torch.nn.Module):
    """Takes a tensor, a dict, a number and a keyword; returns a dict that nests a list and a None."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)

    def forward(self, x, more, scale=2, *, shift=None):
        y = self.linear(x) * scale
        return {"y": y if shift is None else y + shift, "list": [more["k"] + 1, None]}


def scaled():
    torch.manual_seed(0)
    return Scaled().eval()


def arguments(rows=5):
    x = torch.randn(rows, 4, generator=torch.Generator().manual_seed(0))
    return x, {"k": torch.arange(3)}, 3


def check_scaled(result, model, *args, **kwargs):
    expected = model(*args, **kwargs)
    torch.testing.assert_close(result["y"], expected["y"].detach(), rtol=1e-5, atol=1e-6)
    assert torch.equal(result["list"][0], expected["list"][0]) and result["list"][1] is None


@runs
def test_is_called_as_the_model_is():
    model, shift = scaled(), torch.ones(3)
    compiled = isthmus.compile(model, arguments(), example_kwargs={"shift": shift})
    check_scaled(compiled(*arguments(), shift=shift), model, *arguments(), shift=shift)


@runs
def test_a_pt2_file_is_called_as_the_model_is(tmp_path):
    model = scaled()
    torch.export.save(torch.export.export(model, arguments()), tmp_path / "m.pt2")
    check_scaled(isthmus.compile(tmp_path / "m.pt2")(*arguments()), model, *arguments())


FUNCTIONS_OF_SIZES = {
    "ceil": lambda x, n: torch.nn.functional.pad(x, (0, 0, 0, math.ceil(n / 4) * 4 - n)),
    "floor": lambda x, n: x[: math.floor(n * 0.7)],
    "round": lambda x, n: x[: round(n / 2)],  # of halves to even ones
    "abs": lambda x, n: x * abs(n - 5) + abs(n / 3 - 2),
    "sym_sum": lambda x, n: x.repeat(torch.sym_sum([n, 2 * n, 1]), 1),
    "remainder": lambda x, n: x * ((n / 3) % 2),
}
OPEN_ROWS = {"dynamic_shapes": ({0: torch.export.Dim.DYNAMIC},)}


class OfSizes(torch.nn.Module):
    def __init__(self, name):
        super().__init__()
        self.function = FUNCTIONS_OF_SIZES[name]

    def forward(self, x):
        return self.function(x, x.shape[0])


@runs
@pytest.mark.parametrize("name", FUNCTIONS_OF_SIZES)
def test_functions_of_sizes_that_a_file_cannot_hold(name):
    compiled = isthmus.compile(OfSizes(name), (torch.ones(9, 2),), **OPEN_ROWS)
    for rows in (3, 4, 5, 7, 9, 10):
        x = torch.randn(rows, 2, generator=torch.Generator().manual_seed(rows))
        torch.testing.assert_close(compiled(x), OfSizes(name)(x))


@runs
@pytest.mark.skipif("tosa" not in PARTS, reason="a build can omit the target that this tests, TOSA")
@pytest.mark.parametrize("name", FUNCTIONS_OF_SIZES)
def test_functions_of_given_sizes(name):
    """They are constants then, also those in f64, which TOSA lacks."""
    for rows in (5, 7):
        x = torch.randn(rows, 2, generator=torch.Generator().manual_seed(rows))
        sizes = {"x": [rows, 2]}
        compiled = isthmus.compile(OfSizes(name), (torch.ones(9, 2),), "tosa", specialize=sizes, **OPEN_ROWS)
        torch.testing.assert_close(compiled(x), OfSizes(name)(x))


@runs
def test_numpy_in_is_numpy_out():
    model, (x, more, scale) = scaled(), arguments()
    result = isthmus.compile(model, (x, more, scale))(x.numpy(), {"k": more["k"].numpy()}, scale)
    assert isinstance(result["y"], np.ndarray)
    np.testing.assert_allclose(result["y"], model(x, more, scale)["y"].detach(), rtol=1e-5, atol=1e-6)


@runs
@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.bool])
def test_dtypes_come_back(dtype):
    x = torch.tensor([[1, 0], [1, 1]]).to(dtype)
    result = isthmus.compile(lambda x: x[:, 0], x)(x)
    assert result.dtype == dtype and torch.equal(result, x[:, 0])


@runs
def test_the_name_of_linalg_in_torch_mlir():
    assert isthmus.compile(torch.neg, (torch.ones(2),), "linalg-on-tensors")(torch.ones(2)).tolist() == [-1, -1]


@runs
@pytest.mark.parametrize("number", [True, False, 3, 2.5])
def test_an_item_is_a_result(number):
    compiled = isthmus.compile(lambda x: x.item(), (torch.tensor(number),))
    assert compiled(torch.tensor(number)) == number


@runs
def test_no_inputs():
    torch.testing.assert_close(isthmus.compile(lambda: torch.arange(3) * 2, ())(), torch.tensor([0, 2, 4]))


@runs
def test_decompositions_are_a_choice():
    model, x = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.SiLU()), torch.randn(2, 4)
    decomposed = isthmus.compile(model, (x,), decompositions=torch.export.default_decompositions())
    torch.testing.assert_close(decomposed(x), model(x).detach())


@runs
def test_vmap_and_automatic_casts_are_traced_again():
    def f(x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = x @ x.T
        return y, torch.vmap(lambda row: row * row.sum())(x)

    x = torch.randn(3, 4, generator=torch.Generator().manual_seed(0))
    for result, expected in zip(isthmus.compile(f, (x,))(x), f(x)):
        torch.testing.assert_close(result, expected)


@runs
@pytest.mark.parametrize("strict", [False, True])
def test_example_inputs_that_are_one_tensor(strict):
    from isthmus import pytorch

    class Difference(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.zeros(3))

        def forward(self, x, y, *, z):
            return x - 2 * y - 4 * z["z"] - 8 * self.weight

    difference, one = Difference(), torch.ones(3)
    inputs = torch.arange(3.0), torch.ones(3) / 2
    for x, z in [(one, one), (difference.weight, one), (one, difference.weight)]:
        module = isthmus.compile(pytorch.export(difference, (x, one), {"z": {"z": z}}, strict=strict))
        assert torch.equal(module(*inputs, z={"z": one}), difference(*inputs, z={"z": one}))


def curved(x):
    return torch.stack([x[0] * x[1].sin(), x[2] ** 3])


TABLE = torch.arange(12.0).reshape(4, 3) / 10


def error_of(x):
    return ((TABLE @ x - 1) ** 2).mean()


TRANSFORMS = {
    "hessian of a product": torch.func.hessian(error_of),
    "jacfwd of a product": torch.func.jacfwd(lambda x: TABLE @ x),
    "jvp of a product": lambda x: torch.func.jvp(error_of, (x,), (torch.ones_like(x),)),
    "grad": torch.func.grad(lambda x: curved(x).sum()),
    "hessian": torch.func.hessian(lambda x: curved(x).sum()),
    "jacfwd": torch.func.jacfwd(curved),
    "jacrev": torch.func.jacrev(curved),
    "jvp": lambda x: torch.func.jvp(curved, (x,), (x,)),
    "vjp": lambda x: torch.func.vjp(curved, x)[1](torch.ones(2)),
    "vmap of grad": lambda x: torch.vmap(torch.func.grad(lambda y: curved(y).sum()))(torch.stack([x, x + 1])),
    "vmap of hessian": lambda x: torch.vmap(torch.func.hessian(lambda y: curved(y).sum()))(torch.stack([x, x + 1])),
    "vmap of jacfwd": lambda x: torch.vmap(torch.func.jacfwd(curved))(torch.stack([x, x + 1])),
}


@runs
@pytest.mark.parametrize("form", ["function", "make_fx"])
@pytest.mark.parametrize("name", TRANSFORMS)
def test_gradients_within_a_program(name, form):
    function, x = TRANSFORMS[name], torch.tensor([0.5, 1.5, -2.0])
    module = isthmus.compile(make_fx(function)(x) if form == "make_fx" else function, (x,))
    results, expected = (torch.utils._pytree.tree_leaves(each) for each in (module(x), function(x)))
    for got, want in zip(results, expected, strict=True):
        torch.testing.assert_close(got, want)


def test_a_program_with_an_argument_as_a_constant():
    """PyTorch exports such a gradient with a constant in place of the argument, and fails to trace that again."""
    module = torch.nn.Module()
    module.forward = TRANSFORMS["jacrev"]
    program = torch.export.export(module, (torch.ones(3),), strict=False)
    depth = torch._C._functorch.get_dynamic_layer_stack_depth()
    with pytest.raises(isthmus.UnsupportedError, match="it makes a constant of 'lifted_tensor_0'") as refused:
        isthmus.compile(program, output_type="torch")
    assert "compile the module instead" in str(refused.value)
    assert torch._C._functorch.get_dynamic_layer_stack_depth() == depth


def test_a_failed_forward_derivative_ends():
    """PyTorch fails to trace it again, and would take all later ones for nested ones."""
    module = torch.nn.Module()
    module.forward = TRANSFORMS["jvp of a product"]
    program = torch.export.export(module, (torch.ones(3),), strict=False)
    with pytest.raises(isthmus.UnsupportedError, match="cannot trace the program again"):
        isthmus.compile(program, output_type="torch")
    assert module(torch.ones(3))[0] == error_of(torch.ones(3))


def test_violated_constraints_are_explained():
    rows = torch.export.Dim("rows", min=2, max=10)
    with pytest.raises(isthmus.UnsupportedError, match=r"Constraints violated \(rows\): .* constant \(4\).* rows = 4"):
        isthmus.compile(lambda x: x + torch.ones(4, 3), (torch.ones(4, 3),), dynamic_shapes=({0: rows},))


class Sensitive(torch.nn.Module):
    """Returns its derivative, and counts its calls."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 2)
        self.register_buffer("count", torch.zeros(1))

    def forward(self, inputs, *, scale):
        self.count.add_(1)
        return {"slope": torch.func.jacrev(self.linear)(inputs["x"]) * scale, "count": [self.count + 0, None]}


@runs
def test_a_module_that_only_make_fx_traces(capsys):
    model, inputs = Sensitive(), {"x": torch.randn(3)}
    options = {"mutable_buffers": "globals", "verbose": True}
    module = isthmus.compile(model, (inputs,), example_kwargs={"scale": 2.0}, **options)
    assert "isthmus: PyTorch cannot export the module: " in (said := capsys.readouterr().err) and "; make_fx" in said
    assert model.count == 0 and module.input_names(threads=0) == ["inputs_x"]
    for _ in range(2):
        result, expected = module(inputs, scale=2.0), model(inputs, scale=2.0)
        torch.testing.assert_close(result["slope"], expected["slope"].detach())
        assert result["count"] == expected["count"]


def branching(x):
    return x + 1 if x.sum() > 0 else x - 1


@needs_pt2
@pytest.mark.parametrize(
    "function, options, message",
    [
        (branching, {}, "PyTorch cannot export the module: GuardOnDataDependentSymNode: Could not guard on .*"),
        (lambda x, y: x, {}, "PyTorch cannot export the module: TypeError: missing a required argument: 'y'"),
        (lambda x: x[{}.popitem()], {}, "PyTorch cannot export the module: KeyError: 'popitem.*"),
        (
            TRANSFORMS["jacrev"],
            {"dynamic_shapes": ({0: torch.export.Dim.AUTO},)},
            "PyTorch cannot export the module: ValueError: it makes a constant of .*",
        ),
        (torch.neg, {"decompositions": {torch.ops.aten.neg.default: 1}}, "PyTorch cannot decompose the program: .*"),
    ],
    ids=["branch", "argument", "model", "open sizes", "decompositions"],
)
def test_what_pytorch_refuses_is_an_error_of_one_line(function, options, message):
    with pytest.raises(isthmus.UnsupportedError) as error:
        isthmus.compile(function, (torch.randn(3),), **options)
    assert re.fullmatch(message, error.value.messages[0])
    assert isinstance(error.value.__cause__, Exception)
    assert error.value.advice is None or "docs/pytorch.md" in error.value.advice


@needs_pt2
def test_empty_lists_of_a_loop_are_written_without_warnings(caplog):
    from torch._higher_order_ops.scan import scan

    logger = logging.getLogger("torch._export.serde.serialize")
    logger.addHandler(caplog.handler)
    try:
        isthmus.compile(lambda x: scan(lambda c, row: (c + row, c * row), x[0], x), (torch.randn(3, 4),), "torch")
        logger.warning("Another")
    finally:
        logger.removeHandler(caplog.handler)
    assert {record.getMessage() for record in caplog.records if record.name == logger.name} == {"Another"}


@needs_pt2
def test_a_wrong_name_of_an_input_is_told_the_names():
    with pytest.raises(isthmus.UnsupportedError) as error:
        isthmus.compile(torch.nn.Linear(4, 3), (torch.randn(2, 4),), "torch", specialize={"x": [1, 4]})
    assert str(error.value).splitlines() == [
        "<exported program>: input 'x': expected a tensor of this name to give it a shape, got none",
        "the program has inputs 'input'",
    ]


@runs
def test_backend_legal_ops_are_kept(monkeypatch):
    arguments = torch.nn.LayerNorm(4), torch.randn(2, 4), isthmus.OutputType.LINALG_ON_TENSORS
    isthmus.compile(*arguments)
    monkeypatch.setitem(isthmus.BACKEND_LEGAL_OPS, arguments[2], ["torch.aten.layer_norm"])
    assert isthmus.compile(*arguments).custom_ops() == {"torch.aten.layer_norm": 1}


# -----------------------------------------------------------------------------
# Weights
# -----------------------------------------------------------------------------


@pytest.mark.skipif(not {"pt2", "mhlo"} <= set(PARTS), reason="this build lacks PyTorch's front end or MHLO")
def test_parameters_are_passed_by_address():
    model = torch.nn.Linear(64, 64, bias=False)
    address = model.weight.data_ptr()
    module = isthmus.compile(model, torch.ones(1, 64), "mhlo")
    (weight,) = module.hoist_weights(min_bytes=1024)
    assert weight.ctypes.data == address


@pytest.mark.skipif(not {"pt2", "mhlo"} <= set(PARTS), reason="this build lacks PyTorch's front end or MHLO")
def test_weights_in_text():
    module = isthmus.compile(torch.nn.Linear(64, 16), torch.ones(1, 64), "stablehlo")
    assert "dialect_resources" in module.text() == module.text(weights="resource")
    inline = module.text(weights="inline")
    assert "dense_resource" not in inline and inline.count('dense<"0x') == 1
    assert isthmus.parse(inline).text() == inline
    assert module.text(weights="none") == str(module)
    for form in ("argument", "auto", "external", "iree"):
        with pytest.raises(ValueError, match="weights: expected 'inline', 'none' or 'resource' for text, got"):
            module.text(weights=form)


@runs
def test_parameters_stay_alive():
    torch.manual_seed(0)
    model, x = torch.nn.Linear(64, 64), torch.ones(1, 64)
    expected = model(x).detach()
    compiled = isthmus.compile(model, x)
    del model
    gc.collect()
    torch.randn(1 << 16)  # would overwrite the weights if they were freed
    torch.testing.assert_close(compiled(x), expected)


@runs
def test_tied_and_strided_parameters():
    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = torch.nn.Parameter(torch.randn(40, 20).t())
            self.second = self.first

        def forward(self, x):
            return x @ self.first + (x @ self.second).sin()

    model, x = Tied(), torch.randn(3, 20)
    torch.testing.assert_close(isthmus.compile(model, x)(x), model(x).detach())


@needs_pt2
def test_a_weight_without_data_is_named():
    model = torch.nn.Linear(2, 2, device="meta")
    with pytest.raises(isthmus.InputError) as error:
        isthmus.compile(model, torch.ones(1, 2, device="meta"))
    assert error.value.messages == [
        "'weight': expected a dense tensor with data, got Parameter (strided, meta)",
        "'bias': expected a dense tensor with data, got Parameter (strided, meta)",
    ]


# -----------------------------------------------------------------------------
# Mutation
# -----------------------------------------------------------------------------


@runs
@pytest.mark.parametrize("form", [torch.ones, np.ones])
def test_inputs_that_the_model_writes_to(form):
    def add_one(x):
        x.add_(1)
        return x * 2

    x = form(2, dtype=(torch if form is torch.ones else np).float32)
    result = isthmus.compile(add_one, torch.ones(2))(x)
    assert x.tolist() == [2, 2] and result.tolist() == [4, 4]


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(2))

    def forward(self, x):
        self.count.add_(1)
        return x + self.count


@runs
def test_a_buffer_that_the_model_writes_to_is_a_result_of_run():
    module = isthmus.compile(Counter(), torch.ones(2))
    output, count = module.run(torch.ones(2))
    assert output.tolist() == [2, 2] and count.tolist() == [1, 1]
    with pytest.raises(
        isthmus.UnsupportedError,
        match="buffer 'count': the program writes to it: compile with mutable_buffers=\"globals\"",
    ):
        module(torch.ones(2))


# -----------------------------------------------------------------------------
# Bad calls
# -----------------------------------------------------------------------------


@runs
def test_bad_calls_name_the_argument():
    rows = torch.export.Dim("rows", min=3, max=8)
    shapes = {"x": {0: rows}, "more": {"k": None}, "scale": None}
    compiled = isthmus.compile(scaled(), arguments(), dynamic_shapes=shapes)
    x, more, scale = arguments()
    cases = [
        ((x,), {}, ["expected 3 positional arguments, got 1"]),
        ((x, more, 4), {}, ["argument 2: expected 3, with which the program was exported, got 4"]),
        ((x, more, scale), {"z": 1}, ["argument 'z': expected no such argument, of nothing"]),
        (
            (x, {"q": 1}, scale),
            {},
            ["argument 1['k']: expected a value, got none", "argument 1['q']: expected no such key, of 'k'"],
        ),
        ((x, [1], scale), {}, ["argument 1: expected a dict of 'k', got list of 1"]),
        ((torch.ones(9, 4), more, scale), {}, ["argument 0 ('x'), dim 0: expected 3 to 8, got 9"]),
        ((x.double(), more, scale), {}, ["argument 0 ('x'): expected ?x4xf32, got 5x4xf64"]),
        (
            (x.to("meta"), more, scale),
            {},
            ["argument 0 ('x'): expected a dense tensor on the CPU, got Tensor (strided, meta)"],
        ),
    ]
    for args, kwargs, messages in cases:
        with pytest.raises(isthmus.InputError) as error:
            compiled(*args, **kwargs)
        assert error.value.messages == messages


@runs
def test_sizes_that_are_one_must_be_equal():
    rows = torch.export.Dim("rows", min=2)
    compiled = isthmus.compile(torch.add, (torch.ones(3), torch.ones(3)), dynamic_shapes=(({0: rows}, {0: rows}),))
    assert compiled(torch.ones(5), torch.ones(5)).tolist() == [2] * 5
    with pytest.raises(isthmus.InputError, match="expected 5, as dim 0 of argument 0 .*, got 4"):
        compiled(torch.ones(5), torch.ones(4))


@runs
@pytest.mark.parametrize("rows", [torch.export.Dim.DYNAMIC, torch.export.Dim("rows", min=2)])
def test_sizes_of_one_and_of_none(rows):
    """PyTorch lets programs run with them, though it assumes two or more while it traces."""

    def function(x):
        return torch.cat([x, x + 1]) * x.shape[0], x @ x.T

    compiled = isthmus.compile(function, (torch.ones(3, 2),), dynamic_shapes=({0: rows},))
    for count in (1, 0):
        x = torch.randn(count, 2)
        torch.testing.assert_close(compiled(x), function(x))


@needs_pt2
@pytest.mark.parametrize(
    "arguments, message",
    [
        ((torch.nn.ReLU(),), "example_inputs: expected a tuple of tensors to export the model with, got none"),
        ((b"", torch.ones(1)), "example_inputs: expected none for a file"),
        ((torch.export.export(torch.nn.ReLU(), (torch.ones(1),)), torch.ones(1)), "expected none, as the program is"),
    ],
)
def test_bad_arguments_of_compile(arguments, message):
    with pytest.raises(isthmus.InputError, match=message):
        isthmus.compile(*arguments)


@runs
def test_steps_are_told(capsys):
    isthmus.compile(torch.nn.ReLU(), torch.ones(1), verbose=True)
    steps = [line.split(": ")[1] for line in capsys.readouterr().err.splitlines()]
    assert steps == ["exporting", "importing", "lowering to linalg"]


# -----------------------------------------------------------------------------
# Nesting
# -----------------------------------------------------------------------------


@runs
def test_classes_without_a_name_in_files():
    """PyTorch's own functions return tuples of such classes."""
    x = torch.tensor([1.0, 3.0, 2.0])
    compiled = isthmus.compile(lambda x: {"top": x.topk(2), "max": x.max(0)}, (x,))
    result = compiled(x)
    assert isinstance(result["top"], torch.return_types.topk) and isinstance(result["max"], torch.return_types.max)
    assert result["top"].values.tolist() == [3, 2] and result["max"].indices == 1


Unnamed = collections.namedtuple("Unnamed", "a b")


@runs
def test_named_tuples_that_are_not_registered():
    pair = Unnamed(torch.ones(2), torch.zeros(2))
    compiled = isthmus.compile(lambda pair: Unnamed(pair.a + pair.b, [pair.b]), (pair,))
    result = compiled(pair)
    assert isinstance(result, Unnamed) and result.a.tolist() == [1, 1] and result.b[0].tolist() == [0, 0]


@dataclasses.dataclass
class Boxes:
    corners: torch.Tensor
    scores: torch.Tensor
    names: list | None = None


torch.export.register_dataclass(Boxes)


@runs
def test_dataclasses():
    boxes = Boxes(torch.ones(2, 4), torch.zeros(2))
    compiled = isthmus.compile(lambda boxes: Boxes(boxes.corners + 1, boxes.scores), (boxes,))
    result = compiled(boxes)
    assert isinstance(result, Boxes) and result.names is None
    assert result.corners.tolist() == [[2] * 4] * 2 and result.scores.tolist() == [0, 0]
    with pytest.raises(isthmus.InputError, match="argument 0: expected a tuple of 2, got Boxes"):
        compiled(Boxes(torch.ones(2, 4), None))


@runs
def test_a_copied_program():
    """Copying renames a placeholder that is called like one of Python's functions."""
    model, x = torch.nn.Linear(3, 2), torch.randn(4, 3)
    program = copy.deepcopy(torch.export.export(model, (x,)))
    assert program.graph_signature.user_inputs == ("input",)
    torch.testing.assert_close(isthmus.compile(program)(x), model(x).detach())


class Cache:
    """A class that PyTorch is told the parts of, and that has no fields or items."""

    def __init__(self, layout, *layers):
        self.layout, self.layers = layout, layers


torch.utils._pytree.register_pytree_node(
    Cache,
    lambda cache: (list(cache.layers), [["keys"], cache.layout]),
    lambda layers, context: Cache(context[1], *layers),
    serialized_type_name="pytorch_test.Cache",
    flatten_with_keys_fn=lambda cache: (
        [(torch.utils._pytree.SequenceKey(i), layer) for i, layer in enumerate(cache.layers)],
        [["keys"], cache.layout],
    ),
)


@runs
def test_arguments_of_registered_classes():
    class Longer(torch.nn.Module):
        def forward(self, x, *, cache):
            return Cache(cache.layout, x + cache.layers[0], *cache.layers)

    x, cache = torch.ones(2), Cache([None, 4], torch.ones(2), torch.zeros(2))
    module = isthmus.compile(Longer(), (x,), example_kwargs={"cache": cache})
    result = module(x, cache=Cache([None, 4], torch.ones(2) * 2, x))
    assert [layer.tolist() for layer in result.layers] == [[3, 3], [2, 2], [1, 1]] and result.layout == [None, 4]
    with pytest.raises(isthmus.InputError, match="argument 'cache': expected a Cache of 2, got Cache"):
        module(x, cache=Cache([None, 4], x))
    with pytest.raises(isthmus.InputError, match="argument 'cache': expected a Cache of 2, got Cache"):
        module(x, cache=Cache([None, 8], x, x))  # the program may depend on the layout


Pair = collections.namedtuple("Pair", "a b")
torch.utils._pytree._register_namedtuple(Pair, serialized_type_name="pytorch_test.Pair")


@pytest.mark.parametrize(
    "value",
    [
        (),
        {},
        (1, [2, (3,)], {"b": 4, "a": {"c": None}}),
        collections.OrderedDict(b=1, a=2),
        collections.defaultdict(int, b=1, a=2),
        Pair(1, [2]),
        collections.deque([1, 2]),
    ],
)
def test_trees_match_those_of_pytorch(value):
    from isthmus import pytree

    leaves, spec = torch.utils._pytree.tree_flatten(value)
    tree, findings = pytree.parse(torch.utils._pytree.treespec_dumps(spec)), []
    flat = pytree.flatten(tree, value, "value", findings)
    assert [leaf for _, leaf in flat] == leaves and not findings
    nested = pytree.unflatten(tree, iter(leaves))
    assert nested == (tuple(value) if isinstance(value, (Pair, collections.deque)) else value)


@needs_pt2
def test_names_of_ops_may_be_read_once():
    compiled = isthmus.compile(torch.nn.GELU(), (torch.randn(2),), "torch", backend_legal_ops=iter(["aten.gelu"]))
    assert compiled.count_ops()["torch.aten.gelu"] == 1


@runs
@pytest.mark.parametrize("weights", ["argument", "external", "resource"])
def test_a_loaded_program_is_called_like_the_model(tmp_path, weights):
    model, x = torch.nn.Linear(32, 32), torch.randn(2, 32)
    isthmus.compile(model, (x,)).save(tmp_path / "m.mlir", weights=weights)
    torch.testing.assert_close(isthmus.load(tmp_path / "m.mlir")(x), model(x).detach())
