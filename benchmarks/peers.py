"""Commands of other tools that convert and compile the same models."""

import pathlib
import subprocess
import sys

PROGRAMS = pathlib.Path(sys.executable).parent

TORCH_MLIR_PIPELINES = {
    "linalg": "torch-backend-to-linalg-on-tensors-backend-pipeline",
    "stablehlo": "torch-backend-to-stablehlo-backend-pipeline",
    "tosa": "torch-backend-to-tosa-backend-pipeline",
}


def torch_mlir_commands(model, target, work, output, *, bytecode):
    """Returns the commands that convert an ONNX file to one of the targets of TORCH_MLIR_PIPELINES."""
    torch = work / "torch.mlir"
    passes = f"builtin.module(torch-onnx-to-torch-backend-pipeline,{TORCH_MLIR_PIPELINES[target]})"
    lowering = [PROGRAMS / "torch-mlir-opt", f"--pass-pipeline={passes}", torch, "-o", output]
    return [
        [PROGRAMS / "torch-mlir-import-onnx", model, "-o", torch],
        [*lowering, "--emit-bytecode"] if bytecode else lowering,
    ]


def iree_import_commands(model, work, output):
    """Returns the commands that convert an ONNX file to the Linalg and Flow input of IREE's compiler."""
    torch = work / "iree.mlir"
    return [
        [PROGRAMS / "iree-import-onnx", model, "-o", torch],
        [PROGRAMS / "iree-compile", "--compile-to=input", torch, "-o", output],
    ]


def iree_call(source, inputs, threads, work):
    """Returns a call of the first function of MLIR text, compiled by IREE for this machine (IREE reads other bytecode)."""
    import iree.runtime
    import numpy as np

    binary = work / "model.vmfb"
    flags = ["--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3"]
    flags += [
        "--iree-llvmcpu-stack-allocation-limit=131072"
    ]  # fusing MiniLM's sums needs 37 kB, above the default of 32
    subprocess.run([PROGRAMS / "iree-compile", source, "-o", binary, *flags], check=True, capture_output=True)
    iree.runtime.flags.parse_flags(f"--task_topology_group_count={threads}")
    config = iree.runtime.Config("local-sync" if threads == 1 else "local-task")
    program = iree.runtime.VmModule.copy_buffer(config.vm_instance, binary.read_bytes())
    module = iree.runtime.load_vm_module(program, config)
    function = module[program.function_names[0]]
    arrays = [iree.runtime.asdevicearray(config.device, array) for array in inputs]
    return lambda: np.asarray(function(*arrays))
