"""Programs as `jax.export.Exported`: a stub is exported for its signature, and the program takes the place of its body."""

import dataclasses

import jax
import jax.numpy as jnp
from jax import export


class Exports:
    """A program as an Exported in each of JAX's modes of 64-bit numbers, made when a mode is first met.

    Args:
      program, name, pull, placement: see `export_program`.
    """

    def __init__(self, program, name, pull=None, placement=None):
        self._arguments = program, name, pull, placement
        self._made = {}

    def now(self):
        """Returns the Exported for the current `jax_enable_x64`."""
        key = bool(jax.config.jax_enable_x64)
        if key not in self._made:
            self._made[key] = export_program(*self._arguments)
        return self._made[key]


def export_program(program, name, pull=None, placement=None):
    """Returns a program as an Exported of the function of weights by name and inputs in order.

    Args:
      pull: the function's gradient, `(arguments, cotangents) -> cotangents of the arguments`.
      placement: how the arguments and results lie on a mesh.
    """
    weights = {parameter.name: parameter.spec() for parameter in program.inputs if parameter.is_weight}
    inputs = [parameter.spec() for parameter in program.inputs if not parameter.is_weight]
    results = [parameter.spec() for parameter in program.results]

    def stub(weights, *inputs):
        return tuple(jnp.zeros(result.shape, result.dtype) for result in results)

    # JAX would derive the gradient of the stub, which is zero.
    function = jax.custom_vjp(stub)
    function.defvjp(lambda *arguments: (stub(*arguments), arguments), pull or _no_gradient)
    function.__name__ = name
    # A program has no code for one platform alone.
    checks = [export.DisabledSafetyCheck.platform()]
    given = placement.options() if placement else {}
    exported = export.export(jax.jit(function, keep_unused=True, **given), disabled_checks=checks)(weights, *inputs)
    # JAX passes dictionaries in the order of their keys.
    places = {parameter.name: i for i, parameter in enumerate(program.inputs) if parameter.is_weight}
    order = [places[name] for name in sorted(weights)]
    order += [i for i, parameter in enumerate(program.inputs) if not parameter.is_weight]
    return dataclasses.replace(
        exported,
        mlir_module_serialized=program.artifact(order, placement and placement.gathered),
        module_kept_var_idx=tuple(range(len(order))),
        uses_global_constants=program.is_dynamic(),
    )


def _no_gradient(residuals, cotangents):
    raise NotImplementedError(
        "the function has no gradient: expected isthmus.to_jax(…, vjp=True), which takes a module of PyTorch"
    )
