"""Parallel plans of PyTorch as PartitionSpecs."""

import torch
from jax.sharding import PartitionSpec as P
from torch.distributed.tensor import DTensor

from isthmus.errors import InputError


def partition_specs(module: torch.nn.Module) -> dict[str, P]:
    """Returns how a plan of PyTorch splits each parameter of a module, for `in_shardings` of the module without the plan.

    `parallelize_module` and FSDP's `fully_shard` make parameters DTensors, also on a fake process group, which needs one
    process: `Shard(1)` over the mesh dim "model" is `P(None, "model")`. A mesh dim without a name is "dim_0".

    Args:
      module: with its parameters as DTensors. Buffers and other parameters are whole on each device.

    Raises:
      InputError: a placement is neither `Shard` nor `Replicate`.
    """
    specs, problems = {}, []
    for name, parameter in module.named_parameters():
        dims: list[list[str]] = [[] for _ in parameter.shape]
        for axis, placement in _placements_of(parameter):
            if placement.is_shard():
                dims[placement.dim].append(axis)
            elif not placement.is_replicate():
                problems.append(f"parameter '{name}': expected Shard or Replicate over '{axis}', got {placement}")
        specs[name] = P(*(tuple(axes) if len(axes) > 1 else axes[0] if axes else None for axes in dims))
    if problems:
        raise InputError(problems)
    return specs


def _placements_of(parameter):
    """Yields pairs of a mesh dim and what the plan does over it."""
    if not isinstance(parameter, DTensor):
        return
    mesh = parameter.device_mesh
    names = mesh.mesh_dim_names or [f"dim_{i}" for i in range(mesh.ndim)]
    yield from zip(names, parameter.placements, strict=True)
