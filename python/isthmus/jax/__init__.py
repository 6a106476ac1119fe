"""Models as functions of JAX. Needs the package `jax`, which nothing else in Isthmus imports.

import isthmus, jax

f = isthmus.to_jax("model.onnx")
y = jax.jit(f)(f.weights, x)
"""

from isthmus.jax.function import JaxFunction, to_jax
from isthmus.jax.sharding import RuleSet, expert_parallel, fully_sharded, tensor_parallel

__all__ = ["JaxFunction", "RuleSet", "expert_parallel", "fully_sharded", "partition_specs", "tensor_parallel", "to_jax"]


def __getattr__(name):
    if name != "partition_specs":
        raise AttributeError(f"module 'isthmus.jax' has no attribute {name!r}")
    from isthmus.jax.plans import partition_specs  # needs PyTorch

    return partition_specs
