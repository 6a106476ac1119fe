"""Runs MHLO and StableHLO text on XLA's CPU backend and in StableHLO's reference interpreter.

jaxlib parses, verifies and legalises both dialects, so it checks every program. XLA needs static shapes,
so a program with dynamic dims is first specialised to its arguments.
"""

import atexit
import functools
import os
import pickle
import struct
import subprocess
import sys
import tempfile

import jax
import numpy as np
from jax._src import compiler, xla_bridge
from jax._src.interpreters import mlir as jax_mlir
from jaxlib import _jax
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import mhlo, stablehlo
from jaxlib.mlir.passmanager import PassManager

jax.config.update("jax_enable_x64", True)
mhlo.register_mhlo_passes()
stablehlo.register_stablehlo_passes()

_ELEMENT_TYPES = {
    "bool": "i1",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint8": "ui8",
    "uint16": "ui16",
    "uint32": "ui32",
    "uint64": "ui64",
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e5m2": "f8E5M2",
    "bfloat16": "bf16",
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
    "complex64": "complex<f32>",
    "complex128": "complex<f64>",
}


def context():
    """Returns an MLIR context of jaxlib that knows both dialects and refuses all unknown ones."""
    ctx = jax_mlir.make_ir_context()
    mhlo.register_mhlo_dialect(ctx)
    ctx.allow_unregistered_dialects = False
    return ctx


def parse(text):
    """Parses and verifies a text with jaxlib and returns it as jaxlib prints it."""
    with context(), ir.Location.unknown():
        return str(ir.Module.parse(text))


def run_mhlo(text, *arrays, emitters="new"):
    """Runs @main of an MHLO module on XLA's CPU backend and returns its results as arrays; see `program`."""
    return _run(text, "mhlo", arrays, emitters)


def run_stablehlo(text, *arrays, emitters="new"):
    """Runs @main of a StableHLO module on XLA's CPU backend and returns its results as arrays; see `program`."""
    return _run(text, "stablehlo", arrays, emitters)


def interpret_stablehlo(text, *arrays):
    """Runs @main of a StableHLO module in the reference interpreter and returns its results.

    The interpreter aborts on unsupported programs, so every program runs in a process of its own.
    """
    request = pickle.dumps((text, arrays))
    worker = _interpreter()
    worker.stdin.write(struct.pack("<q", len(request)) + request)
    worker.stdin.flush()
    (size,) = struct.unpack("<q", worker.stdout.read(8))
    results = pickle.loads(worker.stdout.read(size))
    if isinstance(results, str):
        raise RuntimeError(f"the StableHLO interpreter stopped: {results}")
    return results


@functools.cache
def _interpreter():
    """Starts a process that has done its imports and forks for each program."""
    worker = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    atexit.register(worker.kill)
    return worker


def _run(text, dialect, arrays, emitters):
    arrays = [np.asarray(a) for a in arrays]
    return program(text, dialect, arrays, optimize=False, emitters=emitters)(*arrays)


def _tensor_type(array):
    sizes = "".join(f"{size}x" for size in array.shape)
    return f"tensor<{sizes}{_ELEMENT_TYPES[array.dtype.name]}>"


def _specialized(text, arrays, passes):
    module = ir.Module.parse(text)
    if "?" in text:
        types = ",".join(map(_tensor_type, arrays))
        passes = passes + [
            f"stablehlo-refine-arguments{{types={types}}}",
            "stablehlo-refine-shapes",
            "func.func(stablehlo-canonicalize-dynamism)",
        ]
    PassManager.parse(f"builtin.module({','.join(passes)})").run(module.operation)
    return module


def program(text, dialect, arrays, *, optimize=True, emitters="new"):
    """Compiles @main of an "mhlo" or "stablehlo" module for arguments like these, on XLA's CPU backend.

    Args:
      optimize: False halves the time to compile a program, for programs that run once.
      emitters: "old" takes a third of the time again. XLA's older emitters are wrong for some programs: (-1) ** -5 of
        integers is 0. See `emitters_for`.

    Returns:
      A function from arrays to the list of results.
    """
    passes = ["hlo-legalize-to-stablehlo"] if dialect == "mhlo" else []
    with context(), ir.Location.unknown():
        bytecode = jax_mlir.module_to_bytecode(_specialized(text, arrays, passes))
    executable = _compile(bytecode, optimize, emitters)

    def run(*arrays):
        results = executable.execute_sharded(on_device(arrays))
        return [np.asarray(r[0]) for r in results.disassemble_into_single_device_arrays()]

    return run


def _device():
    return xla_bridge.get_backend("cpu").local_devices()[0]


# One module per program, in place of one per thread, and no vectors, which take time to compile.
_OLD_EMITTERS = {
    "xla_cpu_use_fusion_emitters": False,
    "xla_cpu_parallel_codegen_split_count": 1,
    "xla_cpu_max_isa": "SSE4_2",
}


# ATen ops that the older emitters compute wrongly.
_OF_NEW_EMITTERS = {"aten.pow.Tensor_Tensor"}


def emitters_for(ops):
    """The quickest emitters that are right for programs of these ATen ops."""
    return "new" if _OF_NEW_EMITTERS & set(ops) else "old"


# MHLO and StableHLO of one model are mostly the same program.
@functools.lru_cache(maxsize=2)
def _compile(bytecode, optimize, emitters):
    options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
    if not optimize:
        options.executable_build_options.debug_options.xla_backend_optimization_level = 0
    if emitters == "old":
        options.env_option_overrides = list(_OLD_EMITTERS.items())
    return xla_bridge.get_backend("cpu").compile_and_load(bytecode, _jax.DeviceList((_device(),)), options)


def on_device(arrays):
    """Returns arrays that a function of `program` accepts without a copy."""
    return [jax.device_put(array, _device()) for array in arrays]


def _interpret(text, arrays):
    arrays = [np.asarray(a, order="C") for a in arrays]
    ctx = context()
    stablehlo.register_interpreter_dialect(ctx)
    with ctx, ir.Location.unknown():
        module = _specialized(text, arrays, [])
        inputs = [ir.DenseElementsAttr.get(a, signless=a.dtype.kind != "u") for a in arrays]
        return [np.array(r) for r in stablehlo.eval_module(module, inputs)]


def _serve_interpreter(requests, replies):
    """Answers each request with pickled results, or with the text of an error."""
    while header := requests.read(8):
        text, arrays = pickle.loads(requests.read(*struct.unpack("<q", header)))
        with tempfile.TemporaryFile() as file:
            child = os.fork()
            if not child:
                os.dup2(file.fileno(), 2)
                with open(os.dup(file.fileno()), "wb") as reply:
                    try:
                        results = _interpret(text, arrays)
                    except Exception as error:
                        results = str(error)
                    file.truncate(0)
                    reply.seek(0)
                    reply.write(pickle.dumps(results))
                os._exit(0)
            _, status = os.waitpid(child, 0)
            file.seek(0)
            reply = file.read()
            if status:
                reply = pickle.dumps(reply.decode(errors="replace")[-4000:])
        replies.write(struct.pack("<q", len(reply)) + reply)
        replies.flush()


if __name__ == "__main__":
    _serve_interpreter(sys.stdin.buffer, sys.stdout.buffer)
