"""Compiles programs with IREE for this machine, and runs them."""

import iree.compiler
import iree.runtime
import numpy as np


def run(text, *inputs):
    """Returns the results of @main of an MLIR text as arrays.

    Unsigned integers and bools have signless elements in a program, so their results are signed or of 8 bits.
    """
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
