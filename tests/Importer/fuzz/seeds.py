"""Writes seeds for the fuzz targets of ONNX: ONNX's own small node models, and models that
would crash or hang a careless conversion.

python3 -m tests.Importer.fuzz.seeds FOLDER
"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test import loader

from tests.support.fuzz.seeds import write_seeds

LAST = 2**63 - 1

node = helper.make_node


def model(nodes, constants, dtype=TensorProto.FLOAT):
    """A model that computes `y` from `x`, a tensor of two floats, and from constants by name."""
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])
    graph = helper.make_graph(
        nodes,
        "g",
        [x],
        [helper.make_tensor_value_info("y", dtype, None)],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)


def loop_with_scan_output():
    body = helper.make_graph(
        [
            node("Constant", [], ["k"], value_int=1),
            node("Gather", ["x", "k"], ["each"]),
            node("Identity", ["before"], ["after"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("i", TensorProto.INT64, []),
            helper.make_tensor_value_info("before", TensorProto.BOOL, []),
        ],
        [
            helper.make_tensor_value_info("after", TensorProto.BOOL, []),
            helper.make_tensor_value_info("each", TensorProto.FLOAT, []),
        ],
    )
    return model([node("Loop", ["m", "c"], ["y"], body=body)], {"m": np.int64(100), "c": np.bool_(True)})


def once_bad():
    """Yields such models, each with a name for its problem."""
    no_floats, no_flags = np.array([], np.float32), np.array([], np.bool_)
    dropout = [node("Dropout", ["x", "ratio", "training"], ["y"])]
    yield "empty_training_mode", model(dropout, {"ratio": np.float32(0.5), "training": no_flags})
    yield "empty_ratio", model(dropout, {"ratio": no_floats, "training": np.bool_(True)})
    bounds = {"list": np.arange(4), "start": np.array([1]), "end": np.array([LAST]), "axis": np.array([0])}
    sliced = [node("Slice", ["list", "start", "end", "axis", "step"], ["y"])]
    yield "slice_step", model(sliced, {**bounds, "step": np.array([LAST])}, TensorProto.INT64)
    numbers = {"start": np.int64(1), "limit": np.int64(LAST), "step": np.int64(LAST)}
    yield "range_step", model([node("Range", list(numbers), ["y"])], numbers, TensorProto.INT64)
    sums = [node("Add", [f"n{i}"] * 2, [f"n{i + 1}"]) for i in range(50)]
    halved = [node("Shape", ["x"], ["n0"]), *sums, node("Div", ["n50", "two"], ["y"])]
    chain = model(halved, {"two": np.array([2])}, TensorProto.INT64)
    chain.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "n"
    yield "chain_of_sums", chain
    yield "loop_with_scan_output", loop_with_scan_output()


def on_devices():
    """Yields models that eight devices share, in pairs and by parts of a dim."""
    sharded = model([node("Neg", ["x"], ["y"])], {})
    sharded.configuration.add(name="eight", num_devices=8, device=[f"cpu{i}" for i in range(8)])
    pairs = onnx.ShardingSpecProto(tensor_name="x", device=[-1, -2])
    for i, group in enumerate((range(4), range(4, 8))):
        pairs.index_to_device_group_map.add(key=-1 - i, value=group)
    pairs.sharded_dim.add(axis=0).simple_sharding.add(dim_value=2, num_shards=2)
    order = onnx.ShardingSpecProto(tensor_name="y", device=[0, 4, 1, 5, 2, 6, 3, 7])
    order.sharded_dim.add(axis=-1).simple_sharding.extend(
        [onnx.SimpleShardedDimProto(dim_value=2, num_shards=2), onnx.SimpleShardedDimProto(num_shards=4)]
    )
    sharded.graph.node[0].device_configurations.add(configuration_id="eight", sharding_spec=[pairs, order])
    yield sharded
    # Numbers that LLVM's maps keep for themselves.
    for number in (LAST, LAST - 1):
        reserved = onnx.ModelProto.FromString(sharded.SerializeToString())
        spec = reserved.graph.node[0].device_configurations[0].sharding_spec[0]
        spec.device[:] = [number] * 2
        spec.sharded_dim.add(axis=number)
        yield reserved


def main():
    models = [case.model for case in loader.load_model_tests(kind="node")] + [seed for _, seed in once_bad()]
    models += on_devices()
    write_seeds(pathlib.Path(sys.argv[1], "onnx"), [seed.SerializeToString() for seed in models], "onnx")


if __name__ == "__main__":
    main()
