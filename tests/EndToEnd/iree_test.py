"""IREE compiles our linalg, with known sizes and with unknown ones, and computes the same as onnxruntime."""

import pathlib

import iree.compiler
import iree.runtime
import numpy as np
import pytest

from tests.support.models import Model

NAMES = [path.stem for path in sorted(pathlib.Path("tools/zoo").glob("*.onnx"))]


@pytest.mark.parametrize("name", NAMES)
def test_compiles_and_runs(name):
    model = Model(f"tools/zoo/{name}.onnx")
    program = iree.compiler.compile_str(
        model.imported.lower("linalg").text(),
        target_backends=["llvm-cpu"],
        input_type="auto",
        extra_args=["--iree-llvmcpu-target-cpu=host"],
    )
    context = iree.runtime.SystemContext(config=iree.runtime.Config("local-sync"))
    context.add_vm_module(iree.runtime.VmModule.copy_buffer(context.instance, program))
    result = context.modules.module.main(*model.inputs)
    model.check([np.asarray(each) for each in (result if isinstance(result, tuple | list) else [result])])
