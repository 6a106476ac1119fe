"""Other runtimes than Isthmus's own for `isthmus run --runtime`: XLA's CPU through JAX, and IREE's CPU."""

from isthmus import api, arrays
from isthmus.errors import InputError, UnsupportedError

# The dialect that a runtime takes.
TARGETS = {"iree": api.OutputType.LINALG_ON_TENSORS, "xla": api.OutputType.STABLEHLO}


def run(runtime, module, given, **options):
    """Returns the model's outputs as pairs of a name and an array.

    Args:
      runtime: "xla" or "iree".
      module: an `isthmus.Module`: a model, or a program in the runtime's dialect.
      given: arrays by the names of inputs, or by position; see `arrays.read`.
      **options: see `LoweringOptions`, for a model.
    """
    graph = module.graph()
    ordered = arrays.in_order(given, [value.name for value in graph.inputs])
    problems = [
        f"input '{value.name}': expected {value.shape}, got {' x '.join(map(str, array.shape)) or 'scalar'}"
        for value, array in zip(graph.inputs, ordered, strict=True)
        if not _fits(value, array)
    ]
    if problems:
        raise InputError(problems)
    return {"iree": _run_in_iree, "xla": _run_in_xla}[runtime](module, graph, ordered, options)


def _fits(value, array):
    """Whether an array has the rank and the known sizes of a value."""
    sizes = value.sizes
    return sizes is None or (
        len(sizes) == array.ndim
        and all(not size.isdecimal() or int(size) == have for size, have in zip(sizes, array.shape, strict=True))
    )


def _run_in_xla(module, graph, ordered, options):
    """Runs a model, or a program in StableHLO, for the sizes of its inputs."""
    import jax
    import numpy as np

    from isthmus.jax.function import to_jax

    open_inputs = [name for name, _ in module._native.open_inputs()]
    sizes = {
        value.name: list(array.shape)
        for value, array in zip(graph.inputs, ordered, strict=True)
        if value.name in open_inputs
    }
    with jax.enable_x64(True):  # the model's integers are of 64 bits
        f = to_jax(module, **options | {"specialize": sizes | dict(options.get("specialize") or {})})
        results = f.exported.call(f.weights, *ordered)
        return list(zip(f.output_names, map(np.asarray, results), strict=True))


def _run_in_iree(module, graph, ordered, options):
    import iree.compiler

    lowered = module.lower(TARGETS["iree"], **options) if graph.nodes else module
    try:
        results = run_in_iree(lowered.text(), *ordered)
    except iree.compiler.CompilerToolError as error:
        reason = next((line for line in str(error).splitlines() if "error:" in line), "no reason given")
        raise UnsupportedError([f"IREE cannot compile the program: {reason.strip()}"]) from error
    return [(value.name, _meant(array, value.dtype)) for value, array in zip(graph.outputs, results, strict=True)]


def run_in_iree(text, *inputs):
    """Compiles an MLIR text with IREE for this machine, and returns the results of @main as arrays.

    Unsigned integers and bools have signless elements in a program, so their results are signed or of 8 bits.

    Raises:
      iree.compiler.CompilerToolError: IREE cannot compile the program.
    """
    import iree.compiler
    import iree.runtime
    import numpy as np

    binary = iree.compiler.compile_str(
        text,
        target_backends=["llvm-cpu"],
        input_type="auto",
        extra_args=["--iree-llvmcpu-target-cpu=host", "--iree-input-demote-f64-to-f32=false"],
    )
    context = iree.runtime.SystemContext(config=iree.runtime.Config("local-sync"))
    context.add_vm_module(iree.runtime.VmModule.copy_buffer(context.instance, binary))
    results = context.modules.module.main(*inputs)
    return [np.asarray(each) for each in (results if isinstance(results, tuple | list) else [results])]


def _meant(array, dtype):
    """Returns a result, whose integers have no sign in IREE, in the model's dtype."""
    if dtype == "i1":
        return array.astype(bool)
    return array.view(f"u{array.dtype.name}") if dtype.startswith("ui") and array.dtype.kind == "i" else array
