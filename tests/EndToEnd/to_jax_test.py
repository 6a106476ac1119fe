"""`isthmus.to_jax`: models as functions of JAX compute what PyTorch and onnxruntime compute, on one device and on eight."""

import collections
import os
import re
import socket
import subprocess
import sys
import warnings

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax  # noqa: E402, after its flags
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
import onnx.parser  # noqa: E402
import onnxruntime  # noqa: E402
import pytest  # noqa: E402
import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402
import transformers  # noqa: E402
from jax.extend.backend import get_backend, get_compile_options  # noqa: E402
from jax.extend.mlir.dialects import stablehlo  # noqa: E402
from jax.interpreters import mlir  # noqa: E402
from jax.sharding import NamedSharding  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402
from torch import nn  # noqa: E402
from torch.distributed.device_mesh import init_device_mesh  # noqa: E402
from torch.distributed.tensor import Shard, distribute_tensor  # noqa: E402
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module  # noqa: E402
from torch.testing._internal.distributed.fake_pg import FakeStore  # noqa: E402

import isthmus  # noqa: E402
import isthmus.jax  # noqa: E402
from isthmus import cli, pytorch  # noqa: E402
from isthmus.jax import guards, sharding  # noqa: E402

CLOSE = {"rtol": 1e-5, "atol": 1e-5}


class Block(nn.Module):
    """A block of a transformer, with the names that transformers gives its layers."""

    def __init__(self, width=64, heads=8):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (nn.Linear(width, width) for _ in range(4))
        self.fc1, self.fc2 = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        y = self.norm1(x)
        q, k, v = (
            layer(y).view(batch, length, self.heads, width // self.heads).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o_proj(y.transpose(1, 2).reshape(batch, length, width))
        return x + self.fc2(nn.functional.gelu(self.fc1(self.norm2(x))))


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(Block(), Block())

    def forward(self, x):
        return self.blocks(x)


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(0)
    return Network().eval()


@pytest.fixture(scope="module")
def x():
    return torch.randn(8, 16, 64)


@pytest.fixture(scope="module")
def mesh():
    return jax.make_mesh((2, 4), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)


def output_of(module, *args):
    with torch.no_grad():
        return module(*args).numpy()


BATCH = torch.export.Dim("batch", min=2, max=64)


# -----------------------------------------------------------------------------
# Calls
# -----------------------------------------------------------------------------


def test_all_weights_have_the_names_of_the_module(network, x):
    f = isthmus.to_jax(network, (x,))
    state = network.state_dict()
    # The first norm has weights of 1 and biases of 0 alone, and no two of these are taken for one.
    assert f.weights.keys() == state.keys()
    for name, array in f.weights.items():
        np.testing.assert_array_equal(array, state[name].numpy())


@pytest.mark.parametrize("is_jitted", [False, True])
def test_numbers_are_those_of_pytorch(network, x, is_jitted):
    f = isthmus.to_jax(network, (x,))
    run = jax.jit(f) if is_jitted else f
    np.testing.assert_allclose(run(f.weights, x.numpy()), output_of(network, x), **CLOSE)
    changed = f.weights | {"blocks.1.norm2.weight": np.zeros(64, np.float32)}
    other = Network().eval()
    other.load_state_dict(network.state_dict())
    nn.init.zeros_(other.blocks[1].norm2.weight)
    np.testing.assert_allclose(run(changed, x.numpy()), output_of(other, x), **CLOSE)


def test_open_sizes_stay_open(network, x):
    f = isthmus.to_jax(network, (x,), dynamic_shapes=({0: BATCH},))
    for count in 2, 5, 8:
        np.testing.assert_allclose(jax.jit(f)(f.weights, x[:count].numpy()), output_of(network, x[:count]), **CLOSE)
    (size, *_) = f.exported.out_avals[0].shape
    assert size == f.exported.in_avals[-1].shape[0]
    with pytest.raises(ValueError, match="64"):
        f(f.weights, np.zeros((65, 16, 64), np.float32))


def test_sizes_of_results_are_expressions(x):
    class Copies(nn.Module):
        def forward(self, x):
            return torch.cat([x, x, x])[1:].reshape(-1), x.repeat(2, 2)

    f = isthmus.to_jax(Copies(), (x[0],), dynamic_shapes=({0: BATCH},))
    for count in 3, 8:
        for got, expected in zip(f(f.weights, x[0, :count].numpy()), Copies()(x[0, :count]), strict=True):
            np.testing.assert_array_equal(got, expected.numpy())


def test_a_file_needs_no_example(network, x, tmp_path):
    program = torch.export.export(network, (x,), dynamic_shapes=({0: BATCH},))
    torch.export.save(program, tmp_path / "m.pt2")
    f = isthmus.to_jax(tmp_path / "m.pt2")
    assert f.weights.keys() == network.state_dict().keys()
    np.testing.assert_allclose(f(f.weights, x.numpy()), output_of(network, x), **CLOSE)


def test_an_onnx_model():
    model = onnx.parser.parse_model("""
<ir_version: 10, opset_import: ["" : 21]>
scores (float[N, 4] x, int64[1] more) => (float[N, 3] y, int64[1] next)
<float[4, 3] w = {1, 0, -1, 2, 1, 0, 0, 1, 2, -1, 0, 1}, float[3] ones = {1, 1, 1}, int64[1] one = {1}>
{
  product = MatMul(x, w)
  y = Add(product, ones)
  next = Add(more, one)
}
""")
    data = model.SerializeToString()
    f = isthmus.to_jax(data)
    # `one` is an integer, from which sizes may follow: it stays in the program.
    assert f.weights.keys() == {"w", "ones"}
    x, more = np.sin(np.arange(20, dtype=np.float32)).reshape(5, 4), np.array([7])
    y, after = jax.jit(f)(f.weights, x, more)
    expected = onnxruntime.InferenceSession(data).run(None, {"x": x, "more": more})
    np.testing.assert_allclose(y, expected[0], rtol=1e-6)
    np.testing.assert_array_equal(after, expected[1])


def test_int64_is_the_dtype_of_jax():
    class Rows(nn.Module):
        def forward(self, table, rows):
            return table[rows], rows + 1

    table, rows = torch.arange(12.0).reshape(6, 2), torch.tensor([4, 0])
    f = isthmus.to_jax(Rows(), (table, rows))
    for is_wide in False, True:
        with jax.enable_x64(is_wide):
            chosen, after = f(f.weights, table.numpy(), rows.numpy())
            assert after.dtype == (jnp.int64 if is_wide else jnp.int32)
            np.testing.assert_array_equal(chosen, table[rows].numpy())
            np.testing.assert_array_equal(after, [5, 1])


def test_arguments_and_results_are_nested():
    class Nested(nn.Module):
        def forward(self, pair, *, scale):
            return {"sum": pair[0] + pair[1]["x"], "scaled": [pair[0] * scale, None]}

    pair = torch.ones(3), {"x": torch.arange(3.0)}
    f = isthmus.to_jax(Nested(), (pair,), example_kwargs={"scale": torch.tensor(2.0)})
    result = f(f.weights, (np.ones(3, np.float32), {"x": np.arange(3, dtype=np.float32)}), scale=np.float32(3))
    np.testing.assert_array_equal(result["sum"], [1, 2, 3])
    np.testing.assert_array_equal(result["scaled"][0], [3, 3, 3])
    assert result["scaled"][1] is None


def test_new_values_of_buffers_are_a_second_result():
    class Counter(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", torch.zeros(2))
            self.register_buffer("calls", torch.tensor(0))

        def forward(self, x):
            self.count += 1
            self.calls += 1
            return x * self.count + self.calls

    f = isthmus.to_jax(Counter(), (torch.ones(2),))
    weights, x = dict(f.weights), np.ones(2, np.float32)
    for step in 1, 2:
        output, updates = f(weights, x)
        weights |= updates
        np.testing.assert_array_equal(output, [2 * step, 2 * step])


def test_buffers_that_cannot_be_weights():
    class Seen(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("seen", torch.zeros(2, dtype=torch.bool))

        def forward(self, x):
            self.seen |= x > 0
            return x * self.seen

    with pytest.raises(isthmus.UnsupportedError, match="buffer 'seen': the program writes to it: expected no bools"):
        isthmus.to_jax(Seen(), (torch.ones(2),))


def test_other_transformations_of_jax(network, x):
    f = isthmus.to_jax(network, (x,))
    looped = jax.lax.fori_loop(0, 2, lambda i, y: f(f.weights, y), x.numpy())
    np.testing.assert_allclose(looped, output_of(network, torch.from_numpy(output_of(network, x))), **CLOSE)

    part = isthmus.to_jax(network, (x[:1],))
    mesh = jax.make_mesh((8,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
    split = jax.shard_map(lambda x: part(part.weights, x), mesh=mesh, in_specs=P("data"), out_specs=P("data"))
    np.testing.assert_allclose(jax.jit(split)(x.numpy()), output_of(network, x), **CLOSE)


# -----------------------------------------------------------------------------
# Gradients
# -----------------------------------------------------------------------------


def test_a_missing_gradient_is_an_error(network, x):
    f = isthmus.to_jax(network, (x,))
    with pytest.raises(NotImplementedError, match="vjp=True"):
        jax.grad(lambda x: f(f.weights, x).sum())(x.numpy())


def gradients_of(f, weights, x):
    return jax.jit(jax.grad(lambda weights, x: (f(weights, x) ** 2).mean(), argnums=(0, 1)))(weights, x)


def test_gradients_are_those_of_pytorch(network, x):
    f = isthmus.to_jax(network, (x,), vjp=True)
    of_weights, of_x = gradients_of(f, f.weights, x.numpy())
    given = x.clone().requires_grad_()
    (network(given) ** 2).mean().backward()
    np.testing.assert_allclose(of_x, given.grad.numpy(), **CLOSE)
    for name, parameter in network.named_parameters():
        np.testing.assert_allclose(of_weights[name], parameter.grad.numpy(), err_msg=name, **CLOSE)


def test_gradients_are_in_the_file(network, x):
    f = isthmus.to_jax(network, (x,), vjp=True)
    read = jax.export.deserialize(f.exported.serialize(vjp_order=1))
    (got, _), (expected, _) = (
        gradients_of(call, f.weights, x.numpy()) for call in (lambda *values: read.call(*values)[0], f)
    )
    for name in expected:
        np.testing.assert_allclose(got[name], expected[name], err_msg=name, **CLOSE)


def test_integers_have_no_gradient():
    class Table(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(6, 2)

        def forward(self, rows):
            return self.table(rows), rows.max()

    module, rows = Table(), torch.tensor([4, 0, 4])
    f = isthmus.to_jax(module, (rows,), vjp=True)
    gradient = jax.grad(lambda weights: (f(weights, rows.numpy())[0] ** 2).sum())(f.weights)
    (module(rows)[0] ** 2).sum().backward()
    np.testing.assert_allclose(gradient["table.weight"], module.table.weight.grad.numpy(), rtol=1e-6)


@pytest.mark.parametrize(
    ("module", "options", "message"),
    [
        (nn.Linear(4, 2), {"dynamic_shapes": ({0: BATCH},)}, "vjp: expected static sizes"),
        (
            nn.BatchNorm1d(4),
            {},
            "vjp: expected a model that writes to no tensor, got one that writes to 'running_mean'",
        ),
    ],
)
def test_models_without_gradients(module, options, message):
    with pytest.raises(isthmus.InputError, match=message):
        isthmus.to_jax(module, (torch.randn(3, 4),), vjp=True, **options)


def test_files_have_no_gradients(tmp_path):
    with pytest.raises(isthmus.InputError, match="vjp: expected a module of PyTorch"):
        isthmus.to_jax(tmp_path / "m.onnx", vjp=True)


# -----------------------------------------------------------------------------
# Files
# -----------------------------------------------------------------------------

ALONE = """
import sys
import jax, numpy as np

weights = dict(np.load("weights.npz"))
call = jax.export.deserialize(open("network.jax", "rb").read()).call
np.save("y.npy", call(weights, np.load("x.npy"))[0])
assert not {"isthmus", "torch"} & sys.modules.keys()
"""


def test_a_file_runs_without_isthmus(network, x, tmp_path):
    f = isthmus.to_jax(network, (x,), dynamic_shapes=({0: BATCH},))
    (tmp_path / "network.jax").write_bytes(f.exported.serialize())
    np.savez(tmp_path / "weights.npz", **f.weights)
    np.save(tmp_path / "x.npy", x[:3].numpy())
    subprocess.run([sys.executable, "-c", ALONE], cwd=tmp_path, check=True)
    np.testing.assert_allclose(np.load(tmp_path / "y.npy"), output_of(network, x[:3]), **CLOSE)


def test_files_with_weights(network, x, tmp_path):
    program = isthmus.compile(network, (x,), "stablehlo", dynamic_shapes=({0: BATCH},))
    program.save(tmp_path / "network.jax", format="jax-export")
    (y,) = jax.export.deserialize((tmp_path / "network.jax").read_bytes()).call({}, x[:3].numpy())
    np.testing.assert_allclose(y, output_of(network, x[:3]), **CLOSE)

    torch.export.save(torch.export.export(network, (x,)), tmp_path / "network.pt2")
    command = ["compile", str(tmp_path / "network.pt2"), "--target", "stablehlo", "-o", str(tmp_path / "network.vhlo")]
    assert cli.main([*command, "--emit", "portable"]) == 0
    context = mlir.make_ir_context()
    data = (tmp_path / "network.vhlo").read_bytes()
    assert data.startswith(b"ML\xefR") and b"StableHLO_v1." in data[:64]
    text = str(stablehlo.deserialize_portable_artifact(context, data))
    options = get_compile_options(num_replicas=1, num_partitions=1)
    run = get_backend().compile_and_load(text, jax.devices()[:1], options)
    results = run.execute_sharded([jax.device_put(x.numpy(), jax.devices()[0])])
    ((y,),) = results.disassemble_into_single_device_arrays()
    np.testing.assert_allclose(y, output_of(network, x), **CLOSE)


@pytest.mark.parametrize("format", ["portable", "jax-export"])
def test_files_are_of_stablehlo(network, x, tmp_path, format):
    program = isthmus.compile(network, (x,), "mhlo")
    with pytest.raises(isthmus.UnsupportedError) as error:
        program.save(tmp_path / "m", format=format, weights="argument")
    assert error.value.messages == [
        f"{format}: expected a program in StableHLO, got mhlo.add, mhlo.broadcast_in_dim, mhlo.clamp",
        f"{format}: expected weights in the program (inline), got 'argument'",
    ]
    assert not list(tmp_path.iterdir())


# -----------------------------------------------------------------------------
# Sharding
# -----------------------------------------------------------------------------


def collectives(f, weights, *inputs):
    """How often each collective occurs in the program that XLA compiles."""
    text = jax.jit(f).lower(weights, *inputs).compile().as_text()
    kinds = "all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute"
    return collections.Counter(re.findall(rf"[)\]}}] ({kinds})(?:-start)?\(", text))


@pytest.mark.parametrize("is_dynamic", [False, True])
def test_tensor_parallel_blocks_need_two_reductions_each(network, x, mesh, is_dynamic):
    f = isthmus.to_jax(
        network,
        (x,),
        dynamic_shapes=({0: BATCH},) if is_dynamic else None,
        mesh=mesh,
        in_shardings=[isthmus.jax.tensor_parallel("model"), {"x": P("data")}],
    )
    weights = f.load_weights()
    assert weights["blocks.0.fc1.weight"].sharding.spec == P("model", None)
    assert weights["blocks.0.norm1.weight"].sharding.spec == P()
    split = jax.device_put(x.numpy(), NamedSharding(mesh, P("data")))
    assert collectives(f, weights, split) == {"all-reduce": 4}
    np.testing.assert_allclose(jax.jit(f)(weights, split), output_of(network, x), **CLOSE)


@pytest.mark.parametrize(
    "make",
    [transformers.BertConfig, transformers.LlamaConfig, transformers.GPTNeoXConfig],
)
def test_layers_of_transformers_have_rules(mesh, make):
    sizes = {"hidden_size": 32, "num_attention_heads": 4, "num_hidden_layers": 2, "intermediate_size": 64}
    torch.manual_seed(0)
    model = transformers.AutoModel.from_config(make(**sizes, vocab_size=64), attn_implementation="sdpa").eval()

    class Hidden(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, ids):
            return self.model(ids).last_hidden_state

    ids = torch.randint(64, (4, 16))
    f = isthmus.to_jax(
        Hidden().eval(), (ids,), mesh=mesh, in_shardings=[isthmus.jax.tensor_parallel(), {"ids": P("data")}]
    )
    weights = f.load_weights()
    split = jax.device_put(ids.numpy(), NamedSharding(mesh, P("data")))
    # Two for each block, or one if it adds its attention and its MLP at once, and one for the table of words.
    counts = {transformers.GPTNeoXConfig: 3}
    assert collectives(f, weights, split) == {"all-reduce": counts.get(make, 5)}
    np.testing.assert_allclose(jax.jit(f)(weights, split), output_of(Hidden().eval(), ids), **CLOSE)


def test_experts_are_split(mesh):
    (found,) = sharding.resolve(
        isthmus.jax.expert_parallel("model"), [("layers.0.mlp.experts.down_proj", (8, 32, 64))], mesh, "in_shardings"
    )
    assert found == (P("model"), False)


def test_rule_sets_pass_over_what_does_not_fit(mesh):
    tensors = [("lm_head.weight", (63, 32)), ("a.fc1.bias", (64,)), ("a.fc1.weight", (64,))]
    found = sharding.resolve(isthmus.jax.tensor_parallel("model"), tensors, mesh, "in_shardings")
    assert found == [None, (P("model"), False), None]


def test_two_hosts(network, x, tmp_path):
    torch.export.save(torch.export.export(network, (x,), dynamic_shapes=({0: BATCH},)), tmp_path / "m.pt2")
    np.savez(tmp_path / "inputs.npz", x=x.numpy())
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [sys.executable, os.path.abspath("examples/jax/hosts.py"), "m.pt2", "inputs.npz", "outputs.npz"]
    command += ["--mesh", "data=2,model=4", "--coordinator", f"localhost:{port}", "--processes", "2", "--cpus", "4"]
    environment = {name: value for name, value in os.environ.items() if name != "XLA_FLAGS"}
    environment["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, sys.path))
    processes = [
        subprocess.Popen(
            [*command, "--process", str(i)], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
        )
        for i in range(2)
    ]
    for i, process in enumerate(processes):
        printed, _ = process.communicate()
        assert process.returncode == 0 and f"process {i} of 2, 8 devices" in printed
    with np.load(tmp_path / "outputs.npz") as outputs:
        (y,) = outputs.values()
    np.testing.assert_allclose(y, output_of(network, x), **CLOSE)


def test_named_results_of_pytorch():
    """JAX finds the arrays in them, by their names."""
    x = torch.tensor([[3.0, 1.0], [2.0, 5.0]])
    f = isthmus.to_jax(lambda x: {"best": x.max(0), "sorted": [x.sort(1)]}, (x,))
    y = jax.jit(f)(f.weights, x.numpy())
    np.testing.assert_array_equal(y["best"].values, x.max(0).values)
    np.testing.assert_array_equal(y["sorted"][0].indices, x.sort(1).indices)


def test_fully_sharded_weights_are_gathered(network, x, mesh):
    axes = ("data", "model")
    shapes = {name: tensor.shape for name, tensor in network.named_parameters()}
    rules = isthmus.jax.fully_sharded(shapes, mesh, axes)
    f = isthmus.to_jax(network, (x,), mesh=mesh, in_shardings=[rules, {"x": P(axes)}], out_shardings={"*": P(axes)})
    steps = []
    weights = f.load_weights(progress=lambda *bytes: steps.append(bytes))
    total = sum(array.nbytes for array in f.weights.values())
    assert len(steps) == len(weights) and steps[-1] == (total, total)
    for name, array in weights.items():
        assert array.addressable_shards[0].data.size == shapes[name].numel() // 8, name
    counts = collectives(f, weights, jax.device_put(x.numpy(), NamedSharding(mesh, P(axes))))
    assert counts.keys() == {"all-gather"} and counts["all-gather"] <= len(shapes)
    np.testing.assert_allclose(jax.jit(f)(weights, x.numpy()), output_of(network, x), **CLOSE)


def test_plans_of_pytorch_are_partition_specs(network, x, mesh):
    dist.init_process_group("fake", rank=0, world_size=8, store=FakeStore())
    try:
        devices = init_device_mesh("cpu", (2, 4), mesh_dim_names=("data", "model"))
        plan = {f"blocks.*.{name}": ColwiseParallel() for name in ("q_proj", "k_proj", "v_proj", "fc1")}
        plan |= {f"blocks.*.{name}": RowwiseParallel() for name in ("o_proj", "fc2")}
        planned = parallelize_module(Network(), devices["model"], plan)
        specs = isthmus.jax.partition_specs(planned)
        whole = distribute_tensor(torch.ones(16, 8), devices, [Shard(0), Shard(0)])
        partial = nn.Module()
        partial.register_parameter("w", nn.Parameter(whole))
        assert isthmus.jax.partition_specs(partial) == {"w": P(("data", "model"), None)}
    finally:
        dist.destroy_process_group()
    f = isthmus.to_jax(network, (x,), mesh=mesh, in_shardings=specs | {"x": P("data")})
    weights = f.load_weights()
    assert weights["blocks.1.fc2.weight"].sharding.spec == P(None, "model")
    assert collectives(f, weights, jax.device_put(x.numpy(), NamedSharding(mesh, P("data")))) == {"all-reduce": 4}


def test_shardings_are_in_the_file(network, x, mesh):
    rules = [isthmus.jax.tensor_parallel("model"), {"x": P("data")}]
    f = isthmus.to_jax(network, (x,), mesh=mesh, in_shardings=rules)
    read = jax.export.deserialize(f.exported.serialize())
    assert read.nr_devices == 8
    placed = jax.device_put(x.numpy(), NamedSharding(mesh, P("data")))
    np.testing.assert_allclose(jax.jit(read.call)(f.load_weights(), placed)[0], output_of(network, x), **CLOSE)


def test_every_mistake_in_shardings_is_named(network, x, mesh):
    rules = {
        "blocks.0.q_proj.weight": P("rows"),
        "blocks.0.k_proj.weight": P("model", "model"),
        "blocks.0.v_proj.bias": P(None, "model"),
        "blocks.0.w": P("model"),
        "*": P(),
        "blocks.1.*": P("data"),
    }
    with pytest.raises(isthmus.InputError) as error:
        isthmus.to_jax(
            network, (x[:3],), mesh=mesh, in_shardings={"x": P("data")} | rules, out_shardings={"y": P("data")}
        )
    assert set(error.value.messages) == {
        "in_shardings: 'x' for 'x': expected a size that 2 divides in dim 0, got 3",
        "in_shardings: 'blocks.0.q_proj.weight' for 'blocks.0.q_proj.weight': "
        "expected an axis of the mesh (data, model), got 'rows'",
        "in_shardings: 'blocks.0.k_proj.weight' for 'blocks.0.k_proj.weight': expected each axis once, got 'model' twice",
        "in_shardings: 'blocks.0.v_proj.bias' for 'blocks.0.v_proj.bias': expected 1 dims at most, "
        "got P(None, 'model')",
        "in_shardings: 'blocks.0.w': expected to match a name, got none of 33, such as "
        "'blocks.0.fc2.weight', 'blocks.0.fc1.weight', 'blocks.0.fc2.bias'",
        "in_shardings: 'blocks.1.*': expected to match a name first, got only names that earlier patterns match",
        "out_shardings: 'y': expected to match a name, got none of 1, such as 'add_3'",
    }


def test_a_mesh_is_needed(network, x):
    with pytest.raises(isthmus.InputError, match="mesh: expected the devices of in_shardings"):
        isthmus.to_jax(network, (x,), in_shardings={"x": P("data")})


# -----------------------------------------------------------------------------
# torch.compile
# -----------------------------------------------------------------------------


def compiled(module, **options):
    torch.compiler.reset()
    return torch.compile(module, backend=pytorch.dynamo_backend, options={"runtime": "xla"}, **options)


def test_xla_runs_the_graphs_of_torch_compile(network, x):
    fast = compiled(network, dynamic=True)
    with torch.no_grad(), warnings.catch_warnings(action="error"):
        for count in 8, 3:
            torch.testing.assert_close(fast(x[:count]), network(x[:count]), **CLOSE)


def test_xla_runs_graphs_of_numbers(x):
    def sizes(x):
        return x.shape[0] * 2, x.view(x.shape[0], -1).sum(0), x.shape[1] + x.sum().item()

    with warnings.catch_warnings(action="error"):
        for count in 8, 3:
            torch.testing.assert_close(compiled(sizes, dynamic=True)(x[:count]), sizes(x[:count]), **CLOSE)


def test_xla_runs_gradients(x):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(64, 8), nn.Tanh(), nn.Linear(8, 4))
    labels = torch.tensor([3, 0, 1, 2, 1, 0, 2, 3])

    def loss(features):
        return nn.functional.cross_entropy(model(features), labels)

    expected = torch.autograd.grad(loss(x[:, 0]), model.parameters())
    with warnings.catch_warnings(action="error"):
        got = torch.autograd.grad(compiled(loss)(x[:, 0]), model.parameters())
    torch.testing.assert_close(got, expected, **CLOSE)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"runtime": "tpu"}, "runtime: expected 'jit' or 'xla', got 'tpu'"),
        ({"runtimes": "xla"}, "options: expected 'runtime' alone, got 'runtimes'"),
    ],
)
def test_unknown_options_of_torch_compile(options, message):
    torch.compiler.reset()
    with pytest.raises(Exception, match=message):
        torch.compile(lambda x: x + 1, backend=pytorch.dynamo_backend, options=options)(torch.ones(2))


# -----------------------------------------------------------------------------
# Mistakes
# -----------------------------------------------------------------------------


def test_weights_are_those_of_the_model(network, x):
    f = isthmus.to_jax(network, (x,))
    given = dict(f.weights)
    given["blocks.0.scale"] = given.pop("blocks.0.fc1.bias")
    with pytest.raises(isthmus.InputError) as error:
        f(given, x.numpy())
    assert error.value.messages == [
        "weight 'blocks.0.fc1.bias': expected an array, got none",
        "weight 'blocks.0.scale': expected a name of the model's, got another",
    ]


def relu_of(size):
    """An ONNX model of a tensor [size, 2]."""
    x, y = (onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [size, 2]) for name in "xy")
    graph = onnx.helper.make_graph([onnx.helper.make_node("Relu", ["x"], ["y"])], "g", [x], [y])
    opset = onnx.helper.make_opsetid("", 17)
    return onnx.helper.make_model(graph, opset_imports=[opset], ir_version=9).SerializeToString()


@pytest.mark.parametrize(
    "name", ["batch size", "N/2", "\u00e9", "2*n+1", "lambda", "max", "mod", "-n", "n//0", "None", "1e5", "9**9**9"]
)
def test_sizes_of_onnx_have_any_names(name):
    f = isthmus.to_jax(relu_of(name))
    for count in 1, 5:
        assert f({}, np.ones((count, 2), np.float32))[0].shape == (count, 2)


@pytest.mark.parametrize(
    "text", ["9**9**9", "s0**9", "-s0", "s0//0", "s0%0", "1e5", "s0 if s0 else 1", "(" * 300, "f(s0)"]
)
def test_sizes_of_programs_are_expressions(text):
    program = f"""
func.func @main(%x: tensor<?x2xf32> {{isthmus.dim_params = "0:{text}"}}) -> tensor<2xf32> {{
  %y = stablehlo.constant dense<1.0> : tensor<2xf32>
  return %y : tensor<2xf32>
}}
"""
    with pytest.raises(isthmus.BadModelError, match="expected a size such as"):
        isthmus.to_jax(isthmus.parse(program))


def test_sizes_of_results_follow_from_the_inputs():
    model = onnx.parser.parse_model("""
<ir_version: 10, opset_import: ["" : 21]>
twice (float[N] x) => (float[M] y) { y = Concat<axis = 0>(x, x) }
""")
    with pytest.raises(isthmus.UnsupportedError) as error:
        isthmus.to_jax(model.SerializeToString())
    assert error.value.messages == [
        "output 'y', dim 0: expected a size that follows from those of the inputs, got 'M'; "
        "what to do: specialize the inputs' sizes"
    ]
    f = isthmus.to_jax(model.SerializeToString(), specialize={"x": [3]})
    np.testing.assert_array_equal(f({}, np.arange(3, dtype=np.float32))[0], [0, 1, 2, 0, 1, 2])


def test_conditions_on_sizes_are_those_of_the_export():
    class Longer(nn.Module):
        def forward(self, x, y):
            return x[: y.shape[0]] + y if x.shape[0] > y.shape[0] else x + y[: x.shape[0]]

    x, y = torch.arange(5.0), torch.arange(3.0)
    sizes = {0: torch.export.Dim.DYNAMIC}
    f = isthmus.to_jax(Longer(), (x, y), dynamic_shapes=(sizes, sizes))
    np.testing.assert_array_equal(f({}, x.numpy(), y.numpy()), [0, 2, 4])
    with pytest.raises(
        isthmus.InputError, match=r"expected sizes with .* > .*, which the program was exported for, got"
    ):
        jax.jit(f)({}, y.numpy(), x.numpy())


@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        ("s0 > 2*s1", False),
        ("(s0 % 2) == 1", True),
        ("max(s0, s1) // 2 != math.trunc(torch.sym_float(s0) / 2)", False),
        ("-s0 + s1**2 <= 4", True),
        ("s2 > 1", None),
        ("9**9**9 > s0", None),
        ("s0 > open('x')", None),
        ("1 < s0 < 9", None),
        ("s0 // 0 > 1", None),
        ("s0 +", None),
    ],
)
def test_guards(guard, expected):
    assert guards.holds(guard, {"s0": 5, "s1": 3}) is expected


def test_structures_are_those_of_the_export(network, x):
    f = isthmus.to_jax(network, (x,))
    with pytest.raises(isthmus.InputError):
        f(f.weights, x.numpy(), x.numpy())
    with pytest.raises(isthmus.InputError, match="example_inputs: expected none for a file"):
        isthmus.to_jax("m.onnx", (x,))
