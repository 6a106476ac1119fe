"""A typed program that uses the public names of the package. tools/types checks it; it does not run."""

import warnings
from typing import assert_type

import numpy as np

import isthmus
from isthmus import bug_report, check, ops, reduce
from isthmus.compat.torch_mlir import fx

module = isthmus.import_model("model.onnx")
assert_type(module, isthmus.Module)
lowered = module.lower("linalg", specialize={"x": [1, 3]}, narrow_f64=True)
assert_type(lowered, isthmus.Module)
module.lower("stablehlo", mesh="data=2,model=4", sharding=["*.weight=model,*"])
module.lower("mhlo", device_configuration="two")
warnings.simplefilter("ignore", isthmus.LoweringWarning)
assert_type(isthmus.compile("model.pt2", output_type=isthmus.OutputType.TOSA), isthmus.Module)
assert_type(isthmus.import_onnx(b""), isthmus.Module)
assert_type(isthmus.load("m.mlirbc", trust=True), isthmus.Module)
assert_type(isthmus.parse("module {}"), isthmus.Module)
assert_type(lowered.raise_custom_ops(), isthmus.Module)
assert_type(lowered.text(weights="inline"), str)
assert_type(lowered.run(np.zeros(3), threads=2), list[np.ndarray])
assert_type(lowered.hoist_weights(), list[np.ndarray])
assert_type(lowered.nodes(), list[tuple[str, str]])
assert_type(lowered.count_ops(), dict[str, int])
assert_type(lowered.custom_ops(), dict[str, int])
assert_type(lowered.input_names(), list[str])
saved = lowered.save("m.mlirbc", weights=isthmus.WeightForm.EXTERNAL, progress=lambda done, total: None)
assert_type(saved, isthmus.SavedWeights)
assert_type(saved.file, str | None)
assert_type(isthmus.parts(), list[str])
assert_type(reduce.reduce("model.onnx", "tosa", cause="view", narrow_f64=True).messages, list[str])
assert_type(bug_report.write("model.onnx", "tosa"), str)
assert_type(fx.OutputType.get("tosa"), fx.OutputType)
assert_type(isthmus.get_include(), str)
assert_type(isthmus.get_library_dir(), str)
assert_type(isthmus.__version__, str)
isthmus.register_kernel("com.acme.Centre", lambda x: x - x.mean())
isthmus.BACKEND_LEGAL_OPS[isthmus.OutputType.TOSA].append("torch.aten.layer_norm")
options: isthmus.LoweringOptions = {"custom_ops": ["Einsum"], "mutable_buffers": isthmus.MutableBuffers.GLOBALS}
assert_type(isthmus.coverage(), ops.Coverage)
assert_type(check.check(module, ["tosa"], **options).lowers, bool)
try:
    module.lower("tosa", **options)
except isthmus.UnsupportedError as error:
    assert_type(error.messages, list[str])
    assert_type(error.advice, str | None)
module.lower("tosa", narow_f64=True)  # type: ignore[call-arg]
module.run(threads="2")  # type: ignore[arg-type]
