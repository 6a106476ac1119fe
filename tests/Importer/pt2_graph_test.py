"""The modules for exported programs: signatures, scalars, subgraphs, mutation, weights."""

import re

import pytest
import torch
from torch import nn
from torch.export import Dim

from tests.support.pt2_programs import changed, export, import_errors, import_pt2


def signature(text):
    """The line of @main without its pytrees."""
    return re.sub(r"torch\.(in|out)_spec = \".*?\", ", "", next(line for line in text.splitlines() if "@main" in line))


# ---- Inputs and outputs --------------------------------------------------------------------------------------------------


def test_arguments_are_the_leaves_of_the_inputs():
    def f(x, pair, *, table):
        return {"a": x + pair[0], "b": [pair[1] * table["k"]]}

    ones = torch.ones(2)
    text = import_pt2(export(f, ones, (ones, ones), kwargs={"table": {"k": ones}}))
    names = re.findall(r'isthmus.name = "(\w+)"', signature(text).split(" -> ")[0])
    assert names == ["args_0", "args_1_0", "args_1_1", "table_k"]
    assert "torch.inputs = [0, 1, 2, 3]" in text and "torch.outputs = [0, 1]" in text
    assert r"builtins.dict" in text


def test_constant_inputs_and_outputs_are_attributes():
    def f(x, n, flag, scale, name, nothing):
        return x * n * scale, None, 7, n

    text = import_pt2(export(f, torch.ones(2), 3, True, 0.5, "a", None))
    assert text.count("isthmus.name") == 2
    constants = ["{value = 3 : i64}", "{value = true}", "{value = 5.000000e-01 : f64}", '{value = "a"}', "{value}"]
    assert f"torch.inputs = [0, {', '.join(constants)}]" in text
    assert "torch.outputs = [0, {value}, {value = 7 : i64}, {value = 3 : i64}]" in text


def test_an_output_may_be_an_input_and_come_twice():
    text = import_pt2(export(lambda x: (x, x, x + 1), torch.ones(2)))
    assert re.search(r"return %arg0, %arg0, %\d+ :", text)


def test_symbolic_sizes_have_names_and_ranges():
    n, m = Dim("n", min=2, max=64), Dim("m", min=3)
    text = import_pt2(export(lambda x: x + 1, torch.ones(4, 5, 6), dynamic_shapes=({"args": ({0: n, 2: m},)})))
    params = re.search(r'!torch.vtensor<\[\?,5,\?\],f32> {isthmus.dim_params = "0:(\w+),2:(\w+)"', text)
    first, second = params.groups()
    assert f"{first} = [0, 64]" in text  # 2 is what PyTorch assumes while it traces
    assert f"{second} = [3, {2**63 - 1}]" in text


def test_a_bound_beyond_int64_is_none():
    def widen(program):
        (bounds,) = program["range_constraints"].values()
        bounds["max_val"] = 2**70

    n = Dim("n", min=2, max=64)
    text = import_pt2(changed(export(lambda x: x + 1, torch.ones(4), dynamic_shapes={"args": ({0: n},)}), widen))
    assert f"= [0, {2**63 - 1}]" in text


def test_an_assertion_of_a_bound_beyond_int64():
    def f(x):
        n = x.sum().to(torch.int64).item()
        torch._check(n <= 2**40)
        return x * n

    def widen(program):
        (node,) = (n for n in program["graph_module"]["graph"]["nodes"] if n["target"] == "_operator.le")
        node["inputs"][1]["arg"] = {"as_int": 2**70}

    text = import_pt2(changed(export(f, torch.ones(4)), widen))
    assert f"torch.constant.int {2**63 - 1}" in text


def test_an_int_beyond_int64_elsewhere():
    def widen(program):
        program["graph_module"]["graph"]["nodes"][0]["inputs"][1]["arg"] = {"as_int": 2**70}

    (error,) = import_errors(changed(export(lambda x: torch.unsqueeze(x, 1), torch.ones(4)), widen))
    assert "got an int of more than 64 bits" in error


def test_sizes_that_follow_from_others_are_expressions():
    n = Dim("n", min=2, max=64)
    shapes = {"args": ({0: n}, {0: 2 * n, 1: n + 1})}
    text = import_pt2(
        export(lambda x, y: (x.sum(), y.sum()), torch.ones(4, 2), torch.ones(8, 5), dynamic_shapes=shapes)
    )
    symbol = re.search(r'dim_params = "0:(\w+)"', text).group(1)
    assert f'dim_params = "0:2*{symbol},1:{symbol}+1"' in text or f'dim_params = "0:2*{symbol},1:1+{symbol}"' in text


def test_a_symbolic_int_is_a_tensor_of_rank_0():
    def f(x, n):
        return x[:n], n + 1, n * 0.5

    text = import_pt2(export(f, torch.ones(9), 4, dynamic_shapes={"args": (None, Dim.DYNAMIC)}))
    assert re.search(r"%arg1: !torch.vtensor<\[\],si64>", signature(text))
    assert "torch.aten.Int.Tensor %arg1" in text
    assert text.count("torch.prim.NumToTensor.Scalar") == 2


# ---- Weights -------------------------------------------------------------------------------------------------------------


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(64, 32)
        self.head = nn.Linear(32, 64, bias=False)
        self.head.weight = self.embedding.weight
        self.register_buffer("table", torch.arange(600.0).reshape(20, 30), persistent=False)
        self.transposed = self.table.t()
        self.part = self.table[3:13]

    def forward(self, ids):
        return self.head(self.embedding(ids)), self.table + 1, self.transposed + 1, self.part + 1


def test_large_weights_are_resources_and_tied_ones_are_one():
    text = import_pt2(export(Tied(), torch.zeros(2, 3, dtype=torch.int64)))
    resources = set(re.findall(r'dense_resource<"?([\w.]+)"?>', text))
    assert len(resources) == 4  # the tied one is shared
    assert re.search(r"dense_resource<\w+> : tensor<30x20xf32>", text)
    assert re.search(r"dense_resource<\w+> : tensor<10x30xf32>", text)


DTYPES = {
    torch.bool: "i1",
    torch.uint8: "ui8",
    torch.int8: "si8",
    torch.int16: "si16",
    torch.int32: "si32",
    torch.int64: "si64",
    torch.uint16: "ui16",
    torch.uint32: "ui32",
    torch.uint64: "ui64",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float32: "f32",
    torch.float64: "f64",
    torch.complex64: "complex<f32>",
    torch.complex128: "complex<f64>",
    torch.float8_e4m3fn: "f8E4M3FN",
    torch.float8_e5m2: "f8E5M2",
    torch.float8_e4m3fnuz: "f8E4M3FNUZ",
    torch.float8_e5m2fnuz: "f8E5M2FNUZ",
}


@pytest.mark.parametrize("dtype, name", DTYPES.items(), ids=DTYPES.values())
def test_dtypes(dtype, name):
    class Holder(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("small", torch.ones(2, 3).to(dtype))
            self.register_buffer("large", torch.eye(40).to(dtype))
            self.register_buffer("alike", torch.ones(50, 50).to(dtype))

        def forward(self, x):
            return x, self.small, self.large, self.alike

    text = import_pt2(export(Holder(), torch.ones(2).to(dtype)))
    for sizes in ["2", "2,3", "40,40", "50,50"]:
        assert f"!torch.vtensor<[{sizes}],{name}>" in text
    assert re.search(r"dense_resource<large> : tensor<40x40x", text)
    assert re.search(r"dense<(1|1\.\S+|true|\(1\..*,0\..*\))> : tensor<50x50x", text)


def test_an_empty_weight():
    class Empty(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("nothing", torch.ones(0, 3))

        def forward(self, x):
            return torch.cat([x, self.nothing])

    assert "tensor<0x3xf32>" in import_pt2(export(Empty(), torch.ones(2, 3)))


# ---- Arguments of operators ----------------------------------------------------------------------------------------------


def test_defaults_come_from_the_signature():
    text = import_pt2(export(lambda x: x.cumsum(0), torch.ones(2)))
    assert "torch.aten.cumsum %arg0, %int0, %none :" in text


def test_a_scalar_chooses_the_overload_for_scalars():
    text = import_pt2(export(lambda x: (x + 2, x == 1, x**2.0), torch.ones(2)))
    for op in ["add.Scalar", "eq.Scalar", "pow.Tensor_Scalar"]:
        assert f"torch.aten.{op}" in text


def test_infinities():
    text = import_pt2(
        export(lambda x, m: x.masked_fill(m, float("-inf")), torch.ones(2), torch.ones(2, dtype=torch.bool))
    )
    assert "torch.constant.float 0xFFF0000000000000" in text


def test_lists_of_optional_tensors():
    text = import_pt2(export(lambda x, i: x[:, i], torch.ones(2, 3), torch.tensor([0, 2])))
    assert "!torch.list<optional<vtensor>>" in text


def test_lists_of_tensors_as_results():
    text = import_pt2(export(lambda x: x.split(2, 1)[1], torch.ones(2, 6)))
    assert re.search(r"%\d+:3 = torch.prim.ListUnpack %\d+ : !torch.list<vtensor>", text)


def test_dtypes_devices_and_formats_are_numbers_and_names():
    text = import_pt2(
        export(lambda x: x.to(torch.float64).clone(memory_format=torch.channels_last), torch.ones(1, 2, 3, 4))
    )
    assert re.search(r"%int7\w* = torch.constant.int 7", text)  # c10::ScalarType::Double
    assert re.search(r"%int2\w* = torch.constant.int 2", text)  # c10::MemoryFormat::ChannelsLast


def test_custom_operators_are_carried_along():
    @torch.library.custom_op("isthmus_test::twist", mutates_args=())
    def twist(x: torch.Tensor, times: int, *, by: float = 1.0) -> tuple[torch.Tensor, torch.Tensor]:
        return x * times * by, x.clone()

    @twist.register_fake
    def _(x, times, *, by=1.0):
        return torch.empty_like(x), torch.empty_like(x)

    text = import_pt2(export(lambda x: twist(x, 3, by=0.5), torch.ones(2)))
    assert 'torch.operator "isthmus_test.twist"(%arg0, %int3, %float5.000000e-01) {keywords = ["by"]}' in text


# ---- Scalars and assertions ----------------------------------------------------------------------------------------------


def test_arithmetic_on_sizes():
    def f(x):
        n = x.shape[0]
        return x.reshape(n * 2, -1), torch.sym_max(n, 3), n // 2, n % 3, -n, torch.sym_float(n) / 3

    text = import_pt2(export(f, torch.ones(4, 6), dynamic_shapes={"args": ({0: Dim.DYNAMIC},)}))
    for op in ["mul.int", "floordiv.int", "remainder.int", "neg.int", "div.float", "Float.Scalar"]:
        assert f"torch.aten.{op}" in text, op
    assert "torch.prim.max.int" in text


def test_items_are_scalars_and_checked():
    def f(x, i):
        n = i.item()
        torch._check(n >= 0)
        torch._check(n < 4)
        return x[n]

    text = import_pt2(export(f, torch.ones(4), torch.tensor(2)))
    assert "torch.aten.Int.Tensor" in text
    assert "torch.runtime.assert" in text


# ---- Graphs within graphs ------------------------------------------------------------------------------------------------


def test_modes_around_a_graph_are_gone():
    def f(x):
        with torch.no_grad():
            y = x * 2
        with torch.autocast("cpu", enabled=False):
            return y + 1

    text = import_pt2(export(f, torch.ones(2)))
    assert "torch.operator" not in text and text.count("torch.aten.") == 2


def test_automatic_casts_are_left_to_pytorch():
    def f(x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return x @ x

    (error,) = import_errors(export(f, torch.ones(2, 2)))
    assert error.endswith("expected a graph without automatic casts: export the program with run_decompositions()")
    assert "bf16" in import_pt2(export(f, torch.ones(2, 2), decompose=True))


def test_a_vmap_is_left_to_pytorch():
    def f(x):
        return torch.vmap(lambda row: row.sum())(x)

    errors = import_errors(export(f, torch.ones(2, 3)))
    assert all(
        error.endswith("expected a program without torch.vmap: export it with run_decompositions()") for error in errors
    )
    assert "torch.aten.sum" in import_pt2(export(f, torch.ones(2, 3), decompose=True))


def test_operators_with_effects_keep_their_order():
    from torch._higher_order_ops.effects import _EffectType, _register_effectful_op

    @torch.library.custom_op("isthmus_test::log", mutates_args=())
    def log(x: torch.Tensor, level: int) -> torch.Tensor:
        return x.clone()

    @log.register_fake
    def _(x, level):
        return torch.empty_like(x)

    _register_effectful_op(torch.ops.isthmus_test.log.default, _EffectType.ORDERED)

    def f(x):
        return torch.ops.isthmus_test.log(x, 1) + torch.ops.isthmus_test.log(x, level=2)

    text = import_pt2(export(f, torch.ones(2), decompose=True))
    levels = re.findall(r'torch.operator "isthmus_test.log"\(%\w+, %(int\d+)\w*\)', text)
    assert levels == ["int1", "int2"]


def test_cond_is_an_if():
    def f(x):
        return torch.cond(x.sum(0) > 0, lambda x: x + 1, lambda x: x - 1, (x,))

    text = import_pt2(export(f, torch.ones(3)))
    assert "torch.aten.Bool.Tensor" in text
    assert re.search(r"torch.prim.If %\d+ -> \(!torch.vtensor<\[3\],f32>\)", text)


def test_while_loop_is_a_loop():
    from torch._higher_order_ops.while_loop import while_loop

    def f(x, n):
        return while_loop(lambda x, n: n < 5, lambda x, n: (x * 2, n + 1), (x, n))

    text = import_pt2(export(f, torch.ones(3), torch.tensor(0)))
    assert "torch.prim.Loop" in text and "torch.prim.Loop.condition" in text


# ---- Writing in place ----------------------------------------------------------------------------------------------------


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(2))

    def forward(self, x):
        self.count.add_(x)
        return x + self.count


@pytest.mark.parametrize("decompose", [False, True])
def test_a_mutated_buffer_is_one_more_result(decompose):
    text = import_pt2(export(Counter(), torch.ones(2), decompose=decompose))
    assert 'isthmus.mutates = "count"' in signature(text)
    assert "torch.outputs = [0]" in text


class Mover(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.ones(2))

    def forward(self, x):
        self.table = self.table.to(x.device)
        return x + self.table


@pytest.mark.parametrize("decompose", [False, True])
def test_a_buffer_that_is_written_what_it_was_is_no_result(decompose):
    text = import_pt2(export(Mover(), torch.ones(2), decompose=decompose))
    assert "isthmus.mutates" not in text and "isthmus.buffer" not in text


@pytest.mark.parametrize("decompose", [False, True])
def test_a_mutated_input_is_one_more_result(decompose):
    def f(x):
        x.mul_(2)
        return x + 1

    text = import_pt2(export(f, torch.ones(2), decompose=decompose))
    assert 'isthmus.mutates = "args_0"' in signature(text)


def test_a_write_through_an_unknown_view_says_what_to_do():
    def f(x):
        x = x + 1
        x.split(1)[0].zero_()
        return x

    (error,) = import_errors(export(f, torch.ones(2, 3)))
    assert error.endswith("export the program with run_decompositions()")
