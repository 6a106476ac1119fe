"""Runs a model over the devices of several hosts. Each process runs this script, with its own number:

    hosts.py model.pt2 inputs.npz outputs.npz --mesh data=2,model=4 --coordinator HOST:PORT --processes 2 --process 0

On GPUs and TPUs, `--cpus 0` takes the accelerators of each host, and on clusters that JAX knows it finds the coordinator and
the processes itself. The model's weights are split over the axis "model" as transformers split them, and the first dim of each
input over the axis "data". A process reads its own slices of the weights from the model's file.
"""

import argparse
import resource
import sys
import time

import jax
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import isthmus
import isthmus.jax


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="a .onnx or .pt2 file, which every host has")
    parser.add_argument("inputs", help="an .npz file with arrays by the names of the inputs, which every host has")
    parser.add_argument("outputs", help="the .npz file that process 0 writes")
    parser.add_argument("--mesh", required=True, help="the axes of all devices and their sizes: data=2,model=4")
    parser.add_argument("--coordinator", help="HOST:PORT of process 0")
    parser.add_argument("--processes", type=int, help="the number of processes")
    parser.add_argument("--process", type=int, help="the number of this process")
    parser.add_argument("--cpus", type=int, default=0, help="devices that the CPU of each host stands for")
    args = parser.parse_args(arguments)
    args.mesh = dict(axis.split("=") for axis in args.mesh.split(","))
    return args


def most_memory():
    """Returns the most memory that this process had so far, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def main(arguments=None):
    args = parse(arguments)
    if args.cpus:
        jax.config.update("jax_platforms", "cpu")
        jax.config.update("jax_num_cpu_devices", args.cpus)
    jax.distributed.initialize(args.coordinator, args.processes, args.process)
    sizes = tuple(map(int, args.mesh.values()))
    mesh = jax.make_mesh(sizes, tuple(args.mesh), axis_types=(jax.sharding.AxisType.Auto,) * len(sizes))

    start = time.perf_counter()
    rules = [isthmus.jax.tensor_parallel("model")] if "model" in args.mesh else []
    f = isthmus.to_jax(args.model, mesh=mesh, in_shardings=rules)
    weights = f.load_weights()
    jax.block_until_ready(weights)
    loaded, memory = time.perf_counter(), most_memory()

    split = NamedSharding(mesh, P("data") if "data" in args.mesh else P())
    with np.load(args.inputs) as given:
        arrays = [given[name] for name in f.input_names]
    inputs = [jax.make_array_from_callback(array.shape, split, array.__getitem__) for array in arrays]
    outputs = jax.jit(lambda weights, *inputs: jax.tree.leaves(f(weights, *inputs)))(weights, *inputs)
    outputs = [np.asarray(multihost_utils.process_allgather(output, tiled=True)) for output in outputs]
    ran = time.perf_counter()

    if jax.process_index() == 0:
        np.savez(args.outputs, **dict(zip(f.output_names, outputs, strict=True)))
    bytes_here = sum(shard.data.nbytes for array in weights.values() for shard in array.addressable_shards)
    print(
        f"process {jax.process_index()} of {jax.process_count()}, {jax.device_count()} devices: "
        f"weights of {sum(array.nbytes for array in weights.values()) / 1e6:.1f} MB, {bytes_here / 1e6:.1f} MB here; "
        f"loaded in {loaded - start:.1f} s and {memory:.2f} GB, compiled and ran in {ran - loaded:.1f} s "
        f"and {most_memory():.2f} GB"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
