"""Programs for eight devices compute the same, and lie on them as they should: ONNX models with device configurations, and
programs with a mesh and shardings by names.
"""

import math
import os
import re
import subprocess
import sys
import warnings

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax  # noqa: E402, after its flags
import numpy as np  # noqa: E402
import onnx  # noqa: E402
import onnxruntime  # noqa: E402
import pytest  # noqa: E402
from onnx import helper, numpy_helper  # noqa: E402

import isthmus  # noqa: E402
from isthmus import cli  # noqa: E402

CONFIGURATION = "eight"
DEVICES = 8


def groups(*devices):
    """Devices that have the same shard, by keys that are no devices."""
    return {-1 - i: list(group) for i, group in enumerate(devices)}


# How many shards, and which devices have each: eight in a row; two halves; four pairs of every fourth; all the same.
ROW = list(range(DEVICES))
HALVES = groups(range(4), range(4, 8))
PAIRS = groups(*[(i, i + 4) for i in range(4)])
WHOLE = groups(ROW)


def sharding(tensor, dims, devices):
    """A ShardingSpecProto: `dims` maps axes to their numbers of parts, `devices` is a list or groups."""
    spec = onnx.ShardingSpecProto(tensor_name=tensor, device=devices)
    if isinstance(devices, dict):
        for key, group in devices.items():
            spec.index_to_device_group_map.add(key=key, value=group)
    for axis, parts in dims.items():
        spec.sharded_dim.add(axis=axis).simple_sharding.add(num_shards=parts)
    return spec


def model(nodes, inputs, outputs, weights, shardings):
    """A model, with shardings by the name of the node."""
    graph = helper.make_graph(
        nodes,
        "graph",
        [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name, shape in outputs.items()],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )
    made = helper.make_model(graph, ir_version=11, opset_imports=[helper.make_opsetid("", 21)])
    made.configuration.add(name=CONFIGURATION, num_devices=DEVICES)
    for node in made.graph.node:
        if node.name in shardings:
            node.device_configurations.add(configuration_id=CONFIGURATION, sharding_spec=shardings[node.name])
    return made


def _random(*shape):
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32) / math.sqrt(shape[-1])


def perceptron(rows=HALVES, columns=PAIRS, order=ROW):
    """Two layers: the batch over two devices, the hidden dim over four."""
    nodes = [
        helper.make_node("MatMul", ["x", "up"], ["h"], "up"),
        helper.make_node("Tanh", ["h"], ["t"], "act"),
        helper.make_node("MatMul", ["t", "down"], ["y"], "down"),
    ]
    shardings = {
        "up": [sharding("x", {0: 2}, rows), sharding("up", {1: 4}, columns), sharding("h", {0: 2, 1: 4}, order)],
        "down": [sharding("down", {-2: 4}, columns), sharding("y", {0: 2}, rows)],
    }
    weights = {"up": _random(32, 64), "down": _random(64, 32)}
    return model(nodes, {"x": [16, 32]}, {"y": [16, 32]}, weights, shardings)


def permuted():
    """The same with devices in another order: the hidden dim varies slowest."""
    order = [0, 2, 4, 6, 1, 3, 5, 7]
    halves = groups(order[:4], order[4:])
    return perceptron(halves, groups(*zip(order[:4], order[4:])), order)


def attention():
    """Attention whose eight heads are on eight devices."""
    nodes = [helper.make_node("MatMul", ["x", name], [f"{name}.all"], name) for name in ("query", "key", "value")]
    nodes += [
        helper.make_node(
            "Attention",
            ["query.all", "key.all", "value.all"],
            ["attended"],
            "attend",
            q_num_heads=8,
            kv_num_heads=8,
        ),
        helper.make_node("MatMul", ["attended", "out"], ["y"], "out"),
    ]
    names = ("query", "key", "value")
    shardings = {name: [sharding(name, {1: 8}, ROW), sharding(f"{name}.all", {2: 8}, ROW)] for name in names}
    shardings["out"] = [sharding("attended", {-1: 8}, ROW), sharding("out", {0: 8}, ROW), sharding("y", {}, WHOLE)]
    weights = {name: _random(64, 64) for name in (*names, "out")}
    made = model(nodes, {"x": [2, 16, 64]}, {"y": [2, 16, 64]}, weights, shardings)
    made.opset_import[0].version = 23
    return made


def convolutional():
    """A network of convolutions whose batch is on eight devices."""
    nodes = [
        helper.make_node("Conv", ["x", "kernel", "bias"], ["h"], "conv", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["h"], ["r"], "act"),
        helper.make_node("GlobalAveragePool", ["r"], ["p"], "pool"),
        helper.make_node("Flatten", ["p"], ["f"], "flatten"),
        helper.make_node("Gemm", ["f", "head"], ["y"], "head"),
    ]
    shardings = {
        "conv": [sharding("x", {0: 8}, ROW), sharding("kernel", {}, WHOLE), sharding("h", {0: 8}, ROW)],
        "head": [sharding("y", {0: 8}, ROW)],
    }
    weights = {"kernel": _random(8, 3, 3, 3), "bias": _random(8), "head": _random(8, 5)}
    return model(nodes, {"x": [16, 3, 8, 8]}, {"y": [16, 5]}, weights, shardings)


MODELS = {each.__name__: each for each in (perceptron, permuted, attention, convolutional)}


def placements(made):
    """(tensor, spec) of a model's shardings."""
    for node in made.graph.node:
        for configuration in node.device_configurations:
            yield from ((spec.tensor_name, spec) for spec in configuration.sharding_spec)


def slices(spec, shape):
    """The slices of a tensor on each device, as the specification's nested loops over shards give them."""
    group_of = {entry.key: entry.value for entry in spec.index_to_device_group_map}
    axes = [dim.axis % len(shape) for dim in spec.sharded_dim]
    parts = [dim.simple_sharding[0].num_shards for dim in spec.sharded_dim]
    result = {}
    for number, key in zip(np.ndindex(*parts), spec.device, strict=True):
        place = [slice(0, size) for size in shape]
        for axis, i, count in zip(axes, number, parts):
            length = shape[axis] // count
            place[axis] = slice(i * length, (i + 1) * length)
        result |= dict.fromkeys(group_of.get(key, [key]), tuple(place))
    return result


def on_devices(sharding, shape):
    return {
        device.id: tuple(slice(*each.indices(size)[:2]) for each, size in zip(place, shape))
        for device, place in sharding.devices_indices_map(tuple(shape)).items()
    }


@pytest.mark.parametrize("name", MODELS)
def test_placements(name, tmp_path):
    made = MODELS[name]()
    path = tmp_path / "model.onnx"
    onnx.save(made, path)
    f = isthmus.to_jax(path, device_configuration=CONFIGURATION)
    weights = f.load_weights()
    x = _random(*[dim.dim_value for dim in made.graph.input[0].type.tensor_type.shape.dim])
    compiled = jax.jit(f).lower(weights, x).compile()
    (y,) = compiled(weights, x)
    (want,) = onnxruntime.InferenceSession(path).run(None, {"x": x})
    np.testing.assert_allclose(y, want, rtol=1e-5, atol=1e-5)

    shardings = f.shardings | {"x": compiled.input_shardings[0][1], "y": compiled.output_shardings[0]}
    shapes = {name: array.shape for name, array in f.weights.items()} | {"x": x.shape, "y": want.shape}
    checked = [tensor for tensor, _ in placements(made) if tensor in shardings]
    assert len(checked) >= 2
    for tensor, spec in placements(made):
        if tensor in shardings:
            assert on_devices(shardings[tensor], shapes[tensor]) == slices(spec, shapes[tensor]), tensor


def branch(name, node):
    graph = helper.make_graph([node], name, [], [helper.make_tensor_value_info(node.output[0], 1, None)])
    return graph


def nested():
    """Shardings in a branch, in a function that is called twice, and of a value that a lowering reads."""
    made = perceptron()
    del made.graph.node[1:]
    halves = sharding("u", {0: 2}, HALVES)
    inner = helper.make_node("Neg", ["u"], ["v"], "inner")
    inner.device_configurations.add(configuration_id=CONFIGURATION, sharding_spec=[halves])
    made.functions.append(helper.make_function("acme", "Twice", ["u"], ["v"], [inner], made.opset_import))
    made.opset_import.append(helper.make_opsetid("acme", 1))
    taken = helper.make_node("MatMul", ["h", "down"], ["taken"], "taken")
    whole = sharding("h", {}, WHOLE)
    taken.device_configurations.add(configuration_id=CONFIGURATION, sharding_spec=[whole])
    made.graph.initializer.append(numpy_helper.from_array(np.float32(0.5), "least"))
    clip = helper.make_node("Clip", ["branch", "least"], ["clipped"], "clip")
    clip.device_configurations.add(configuration_id=CONFIGURATION, sharding_spec=[sharding("least", {}, WHOLE)])
    made.graph.node.extend(
        [
            helper.make_node("ReduceSum", ["x"], ["sum"], keepdims=0),
            helper.make_node("Greater", ["sum", "least"], ["condition"]),
            helper.make_node(
                "If",
                ["condition"],
                ["branch"],
                then_branch=branch("then", taken),
                else_branch=branch("else", helper.make_node("Identity", ["x"], ["other"])),
            ),
            clip,
            helper.make_node("Twice", ["clipped"], ["once"], domain="acme"),
            helper.make_node("Twice", ["once"], ["y"], domain="acme"),
        ]
    )
    return made


def test_nested(tmp_path):
    path = tmp_path / "model.onnx"
    onnx.save(nested(), path)
    x = _random(16, 32)
    (want,) = onnxruntime.InferenceSession(path).run(None, {"x": x})
    f = isthmus.to_jax(path, device_configuration=CONFIGURATION)
    np.testing.assert_allclose(jax.jit(f)(f.load_weights(), x)[0], want, rtol=1e-5, atol=1e-5)
    # Sizes may be given.
    assert (
        "sdy"
        in isthmus.compile(
            path, output_type="stablehlo", device_configuration=CONFIGURATION, specialize={"x": [16, 32]}
        ).text()
    )


def test_open_sizes():
    made = perceptron()
    for value in (*made.graph.input, *made.graph.output):
        value.type.tensor_type.shape.dim[0].dim_param = "batch"
    module = isthmus.import_model(made.SerializeToString())
    lowered = module.lower("stablehlo", device_configuration=CONFIGURATION, specialize={"x": [16, 32]})
    assert "%arg0: tensor<16x32xf32> {onnx.dim_params" in lowered.text()
    f = isthmus.to_jax(module, device_configuration=CONFIGURATION)
    x = _random(24, 32)
    (want,) = isthmus.compile(made.SerializeToString())(x)
    np.testing.assert_allclose(jax.jit(f)(f.load_weights(), x)[0], want, rtol=1e-5, atol=1e-5)


def test_in_steps():
    """A program keeps its mesh on its way over torch and MHLO, and loses it on the way to one device."""
    module = isthmus.import_model(perceptron().SerializeToString())
    torch = module.lower("torch", device_configuration=CONFIGURATION)
    at_once = module.lower("stablehlo", device_configuration=CONFIGURATION).text()
    assert torch.lower("stablehlo").text() == torch.lower("mhlo").lower("stablehlo").text()
    assert torch.lower("stablehlo").text().count("sdy.") == at_once.count("sdy.") > 6
    for target in ("linalg", "tosa"):
        assert "sdy" not in torch.lower(target).text()
    with pytest.raises(isthmus.UnsupportedError, match="mesh: expected a program without one, got 'eight'"):
        torch.lower("stablehlo", mesh="a=2")


def test_collectives():
    """A layer that is split by outputs and one that is split by inputs need one sum over devices."""
    f = isthmus.to_jax(perceptron().SerializeToString(), device_configuration=CONFIGURATION)
    compiled = jax.jit(f).lower(f.load_weights(), _random(16, 32)).compile()
    assert re.findall(r" (all-reduce|all-gather|all-to-all|reduce-scatter)\(", compiled.as_text()) == ["all-reduce"]


@pytest.mark.parametrize("format", ["jax-export", "portable"])
def test_files(format, tmp_path):
    """A machine with one device makes files for eight."""
    model, path = tmp_path / "model.onnx", tmp_path / "model.out"
    onnx.save(permuted(), model)
    arguments = ["compile", model, "--target", "stablehlo", "--emit", format, "-o", path]
    command = [sys.executable, "-m", "isthmus", *map(str, arguments), "--device-configuration", CONFIGURATION]
    subprocess.run(command, check=True, env={**os.environ, "XLA_FLAGS": ""})
    if format == "portable":
        assert b"sdy" in path.read_bytes()
        return
    exported = jax.export.deserialize(path.read_bytes())
    assert exported.nr_devices == DEVICES
    x = _random(16, 32)
    mesh = jax.make_mesh((2, 4), ("d0", "d1"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    replicated = jax.device_put(x, jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec()))
    (want,) = onnxruntime.InferenceSession(model).run(None, {"x": x})
    np.testing.assert_allclose(jax.jit(exported.call)({}, replicated)[0], want, rtol=1e-5, atol=1e-5)


def test_nodes():
    """Shardings are no nodes, and values keep their places in the graph."""
    module = isthmus.import_model(perceptron().SerializeToString())
    assert [op for op, _ in module.nodes()] == ["onnx.MatMul", "onnx.Tanh", "onnx.MatMul"]
    graph = module.graph()
    assert graph.nodes[1].inputs == [value.id for value in graph.nodes[0].outputs]


def test_one_device(capsys, tmp_path):
    """Without a choice, a model is for one device, and one warning says so."""
    path = tmp_path / "model.onnx"
    onnx.save(perceptron(), path)
    with pytest.warns(isthmus.LoweringWarning, match="for one device: its shardings .* 'eight' are left out") as shown:
        module = isthmus.compile(path, output_type="stablehlo")
    assert len(shown) == 1
    assert "sdy" not in module.text()
    assert cli.main(["compile", str(path), "--target", "tosa", "-o", str(tmp_path / "model.mlir")]) == 0
    assert "isthmus: warning: " in capsys.readouterr().err
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        isthmus.compile(path, output_type="stablehlo", device_configuration=CONFIGURATION)


def unknown(made):
    return "none"


def in_stages(made):
    made.graph.node[1].device_configurations.add(configuration_id=CONFIGURATION, pipeline_stage=1)


def _replaced(dims, devices):
    """Gives the second operand of the first node another sharding."""

    def act(made):
        made.graph.node[0].device_configurations[0].sharding_spec[1].CopyFrom(sharding("up", dims, devices))

    return act


def minor_factor(made):
    dim = made.graph.node[0].device_configurations[0].sharding_spec[1].sharded_dim[0]
    dim.simple_sharding[0].dim_value, dim.simple_sharding[0].num_shards = 4, 1
    dim.simple_sharding.add(dim_value=16, num_shards=4)


# What Shardy has no word for, and what the option may not say.
OUTSIDE = {
    "another name": (unknown, "stablehlo", "device-configuration: expected 'eight', got 'none'"),
    "another target": (
        lambda made: None,
        "linalg",
        "expected a target for several devices, 'mhlo' or 'stablehlo', got 'linalg'",
    ),
    "stages": (in_stages, "stablehlo", "node 'act': expected pipeline stage 0"),
    "some devices": (_replaced({1: 2}, [0, 1]), "stablehlo", "node 'up': .*'up'.* expected all 8 devices"),
    "groups of two sizes": (
        _replaced({1: 2}, groups(range(5), range(5, 8))),
        "stablehlo",
        "node 'up': .*expected groups of one size, got 5 and 3",
    ),
    "two shards": (
        _replaced({1: 8}, [0, 0, 1, 2, 3, 4, 5, 6]),
        "stablehlo",
        "each device from 0 to 7 once, got device 0 twice",
    ),
    "too few": (_replaced({1: 8}, [0, 1]), "stablehlo", "for each of 8 shards, got 2"),
    "a minor factor": (minor_factor, "stablehlo", "a factor that is not the first"),
    "another mesh": (
        _replaced({1: 8}, [0, 3, 1, 2, 5, 4, 7, 6]),
        "stablehlo",
        "expected shardings over the axes of one mesh of devices",
    ),
    "an axis beyond": (_replaced({2: 4}, PAIRS), "stablehlo", "node 'up': .*expected an axis from -2 to 1, got 2"),
}


@pytest.mark.parametrize("case", OUTSIDE)
def test_outside(case):
    act, target, message = OUTSIDE[case]
    made = perceptron()
    name = act(made) or CONFIGURATION
    with pytest.raises(isthmus.UnsupportedError, match=message):
        isthmus.compile(made.SerializeToString(), output_type=target, device_configuration=name)


def _spec(made):
    return made.graph.node[0].device_configurations[0].sharding_spec[0]


def no_name(made):
    made.configuration[0].name = ""


def no_devices(made):
    made.configuration[0].num_devices = 0


def names_of_some(made):
    made.configuration[0].device.append("cpu")


def twice(made):
    made.configuration.add(name=CONFIGURATION, num_devices=2)


def configured_twice(made):
    made.graph.node[0].device_configurations.add(configuration_id=CONFIGURATION)


def of_another(made):
    made.graph.node[0].device_configurations[0].configuration_id = "nine"


def another_tensor(made):
    _spec(made).tensor_name = "y"


def twice_sharded(made):
    made.graph.node[0].device_configurations[0].sharding_spec.append(_spec(made))


def no_such_device(made):
    _spec(made).index_to_device_group_map[0].value[0] = 8


def two_groups(made):
    _spec(made).index_to_device_group_map.add(key=-1, value=[0])


def reserved(made):
    """Numbers that LLVM's maps keep for themselves."""
    spec = _spec(made)
    spec.device[:] = [2**63 - 1, 2**63 - 2]
    spec.sharded_dim.add(axis=2**63 - 1).simple_sharding.add(num_shards=1)


def axis_twice(made):
    _spec(made).sharded_dim.append(_spec(made).sharded_dim[0])


def no_parts(made):
    _spec(made).sharded_dim[0].simple_sharding[0].num_shards = 0


INVALID = {
    no_name: "device configuration '': expected a name, got none",
    no_devices: "'eight': expected one device or more, got 0",
    names_of_some: "'eight': expected names of 8 devices, got 1",
    twice: "'eight': expected one of this name, got two",
    configured_twice: "node 'up' .*: expected shardings for device configuration 'eight' once, got them twice",
    of_another: "node 'up' .*: expected a device configuration of the model, got 'nine'",
    another_tensor: "node 'up' .*: sharding of 'y' .*: expected an input or an output of the node",
    twice_sharded: "sharding of 'x' .*: expected one sharding of each tensor, got two",
    no_such_device: "expected devices from 0 to 7 or groups of them, got 8",
    two_groups: "expected one group -1, got two",
    reserved: "expected devices from 0 to 7 or groups of them, got 9223372036854775807",
    axis_twice: "expected axis 0 once, got it twice",
    no_parts: "expected 1 to 8 parts of axis 0, got 0",
}


@pytest.mark.parametrize("change", INVALID, ids=lambda change: change.__name__)
def test_invalid(change):
    """Shardings are checked whether they are used or not."""
    made = perceptron()
    change(made)
    with pytest.raises(isthmus.BadModelError, match=INVALID[change]):
        isthmus.import_model(made.SerializeToString())


def test_program_of_pytorch(tmp_path):
    module = isthmus.parse(
        "func.func @main(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {return %x : !torch.vtensor<[2],f32>}"
    )
    with pytest.raises(isthmus.UnsupportedError, match="expected an ONNX model"):
        module.lower("stablehlo", device_configuration=CONFIGURATION)


def test_too_few_devices():
    made = perceptron()
    made.configuration[0].num_devices = 16
    for node in made.graph.node:
        del node.device_configurations[:]
    spec = sharding("x", {0: 16}, range(16))
    made.graph.node[0].device_configurations.add(configuration_id=CONFIGURATION, sharding_spec=[spec])
    with pytest.raises(isthmus.InputError, match="expected 16 devices, which the program is for, got 8"):
        isthmus.to_jax(made.SerializeToString(), device_configuration=CONFIGURATION)


def test_another_mesh_of_jax():
    mesh = jax.make_mesh((8,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
    with pytest.raises(isthmus.InputError, match="expected none besides that of the program"):
        isthmus.to_jax(perceptron().SerializeToString(), mesh=mesh, device_configuration=CONFIGURATION)


RULES = {"mesh": "data=2,model=4", "sharding": ["up=*,model", "d*n=model", "x=data", "y=data"]}


def plain():
    made = perceptron()
    del made.configuration[:]
    for node in made.graph.node:
        del node.device_configurations[:]
    return made.SerializeToString()


def test_rules_of_parameters():
    module = isthmus.compile(plain(), output_type="stablehlo", **RULES)
    assert len(module.hoist_weights()) == 2
    sharding = '{{isthmus.weight = "{}", sdy.sharding = #sdy.sharding<@mesh, [{}]>}}'
    assert sharding.format("up", '{}, {"model"}') in module.text()
    assert sharding.format("down", '{"model"}, {}') in module.text()


def test_rules():
    module = isthmus.compile(plain(), output_type="stablehlo", **RULES)
    x = _random(16, 32)
    (want,) = isthmus.compile(plain())(x)
    f = isthmus.to_jax(module)
    compiled = jax.jit(f).lower(f.load_weights(), x).compile()
    (y,) = compiled(f.load_weights(), x)
    np.testing.assert_allclose(y, want, rtol=1e-5, atol=1e-5)
    assert f.shardings["up"].shard_shape((32, 64)) == (32, 16)
    assert compiled.output_shardings[0].shard_shape((16, 32)) == (8, 32)
    assert compiled.as_text().count(" all-reduce(") == 1


def test_rules_of_a_function():
    f = isthmus.to_jax(plain(), **RULES)
    assert f.shardings["up"].shard_shape((32, 64)) == (32, 16)


def test_rules_of_the_command(tmp_path):
    path, out = tmp_path / "model.onnx", tmp_path / "model.mlir"
    path.write_bytes(plain())
    rules = [word for rule in RULES["sharding"] for word in ("--sharding", rule)]
    command = ["compile", str(path), "--target", "stablehlo", "--mesh", RULES["mesh"], *rules]
    assert cli.main([*command, "-o", str(out)]) == 0
    assert 'sdy.mesh @mesh = <["data"=2, "model"=4]>' in out.read_text()
    assert cli.main([*command, "--emit", "jax-export", "-o", str(tmp_path / "model.jax")]) == 0
    exported = jax.export.deserialize((tmp_path / "model.jax").read_bytes())
    assert exported.nr_devices == DEVICES


WRONG_RULES = {
    "mesh: expected axes and their sizes, such as data=2,model=4, got 'data'": {"mesh": "data"},
    "mesh: expected axes and their sizes, .*, got 'data=0'": {"mesh": "data=0"},
    "mesh: expected each axis once, got 'a' twice": {"mesh": "a=2,a=2"},
    "mesh: expected none besides that of device-configuration": {"mesh": "a=2", "device_configuration": CONFIGURATION},
    "sharding: expected a mesh, got none": {"sharding": "x=a"},
    "mesh: expected a target for several devices, 'mhlo' or 'stablehlo', got 'torch'": {
        "mesh": "a=2",
        "target": "torch",
    },
    r"'x': expected a pattern of names and an axis for each dim, or \*": {"mesh": "a=2", "sharding": "x"},
    r"'\[=a': expected a pattern of names: ": {"mesh": "a=2", "sharding": "[=a"},
    r"'x=b': expected axes of the mesh \(a\), or \*, got 'b'": {"mesh": "a=2", "sharding": "x=b"},
    "'x=a,a': expected each axis once, got 'a' twice": {"mesh": "a=2", "sharding": "x=a,a"},
    r"'x=a,\*,\*' for 'x': expected axes for at most 2 dims, got 3": {"mesh": "a=2", "sharding": "x=a,*,*"},
    "'x=a' for 'x': expected a size that 3 divides in dim 0, got 16": {"mesh": "a=3", "sharding": "x=a"},
    "'z=a': expected a pattern that matches a name first, got none of 4 names, such as 'x'": {
        "mesh": "a=2",
        "sharding": ["x=a", "z=a"],
    },
}


@pytest.mark.parametrize("message", WRONG_RULES)
def test_wrong_rules(message):
    options = {"target": "stablehlo"} | WRONG_RULES[message]
    with pytest.raises(isthmus.UnsupportedError, match=message):
        isthmus.compile(perceptron().SerializeToString(), output_type=options.pop("target"), **options)
