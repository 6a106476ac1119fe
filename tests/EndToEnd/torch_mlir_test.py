"""Isthmus and torch-mlir exchange programs as text of the torch dialect, both ways.

torch-mlir lowers programs from our importers and conversions to linalg, and we lower programs that torch-mlir
imports from PyTorch. The embedded JIT runs both, and the numbers are compared with PyTorch's.
"""

import functools
import logging
import pathlib
import subprocess
import sys
import warnings

import pytest
import torch
from torch_mlir import fx
from torch_mlir.fx import OutputType

import isthmus
from isthmus.verify import relative_error
from tests.support.isthmus_opt import isthmus_opt
from tests.support.mlir_text import with_bools_as_bits, with_bools_as_bytes
from tests.support.models import TOLERANCE, Model
from tools.zoo import zoo

TORCH_MLIR_OPT = pathlib.Path(sys.executable).with_name("torch-mlir-opt")
TO_LINALG = "builtin.module(func.func(torch-decompose-complex-ops),torch-backend-to-linalg-on-tensors-backend-pipeline)"
ZOO = sorted(zoo.ARCHITECTURES)


def lowered_by_torch_mlir(text):
    linalg = subprocess.run(
        [TORCH_MLIR_OPT, f"--pass-pipeline={TO_LINALG}"],
        input=with_bools_as_bytes(text),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert linalg.returncode == 0, linalg.stderr[-4000:]
    return with_bools_as_bits(linalg.stdout)


@pytest.mark.parametrize("name", ZOO)
def test_torch_mlir_lowers_ours(name):
    model = Model(f"tools/zoo/{name}.onnx")
    text = isthmus_opt("", str(model.path), "--convert-onnx-to-torch-pipeline")
    model.check(isthmus.parse(lowered_by_torch_mlir(text)).run(*model.inputs, optimize=False))


PROGRAMS = sorted(path.name.removesuffix(".pt2") for path in pathlib.Path("tools/zoo").glob("*.pt2"))

# torch-mlir does not lower indexing by two tensors of open sizes if their dims broadcast against each other.
NOT_LOWERED_THERE = {
    name: "torch.aten.index.Tensor_hacked_twin" for name in PROGRAMS if name.startswith("clip_dynamic")
}

# torch-mlir lowers some ops to a dialect of its own, tm_tensor, and with open sizes its linalg writes out of bounds in
# some programs similar to BERT. The test lowers these programs and does not run them.
DIALECT_OF_ITS_OWN = ["whisper", "whisper_decomposed"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_torch_mlir_lowers_exported_programs(name):
    text = isthmus.import_model(f"tools/zoo/{name}.pt2").lower("torch").text()
    if op := NOT_LOWERED_THERE.get(name):
        with pytest.raises(AssertionError, match=f"failed to legalize operation '{op}'"):
            lowered_by_torch_mlir(text)
        return
    linalg = lowered_by_torch_mlir(text)
    assert ("tm_tensor." in linalg) == (name.partition("_dynamic")[0] in DIALECT_OF_ITS_OWN)
    if name in DIALECT_OF_ITS_OWN or "_dynamic" in name:
        return
    module, inputs, _ = zoo.build(name.removesuffix("_decomposed"))
    (result,) = isthmus.parse(linalg).run(*[tensor.numpy() for tensor in inputs.values()], optimize=False)
    with torch.no_grad():
        assert relative_error(result, module(*inputs.values()).numpy()) < TOLERANCE


# Ways in which torch-mlir imports a program: as PyTorch traced it, after PyTorch's decompositions, and after
# torch-mlir's own passes up to its backend contract.
FORMS = {
    "traced": {"output_type": OutputType.RAW, "decomposition_table": {}},
    "decomposed": {"output_type": OutputType.RAW},
    "contract": {"output_type": OutputType.TORCH},
}

# Programs that torch-mlir does not import, with its error.
NOT_IMPORTED = {
    "contract": {"gpt2": "Cannot view a tensor"},
    "decomposed": {"gpt2": "Cannot view a tensor"},
    "traced": {
        "llama": "wrap_with_set_grad_enabled",
        "lstm": "Heterogeneous lists are not supported",
        "qwen3": "wrap_with_set_grad_enabled",
    },
}

# Our dialect has no in-place ops, since in the backend contract values do not change.
_ADD_IN_PLACE = "unregistered operation 'torch.aten.add_.Tensor'"
# A float that becomes a tensor is f64 in PyTorch, and f32 in torch-mlir.
_FLOAT_AS_F32 = "'torch.prim.NumToTensor.Scalar' op expected a result of type '!torch.vtensor<\\[\\],f64>'"
NOT_READ = {
    "decomposed": {"yolos": _FLOAT_AS_F32},
    "traced": {"deberta": _ADD_IN_PLACE, "resnet": _ADD_IN_PLACE},
}


@functools.lru_cache(maxsize=1)
def traced(name):
    """A module of the zoo with its inputs and PyTorch's result."""
    torch.manual_seed(0)
    architecture = zoo.ARCHITECTURES[name]
    module, inputs = architecture.build("small").eval(), tuple(architecture.inputs("small").values())
    # torch-mlir imports only buffers that are part of a checkpoint.
    for part in module.modules():
        part._non_persistent_buffers_set.clear()
    with torch.no_grad():
        return module, inputs, module(*inputs).numpy()


def import_with_torch_mlir(module, inputs, form):
    logging.getLogger("torch").setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.export.export(module, inputs, strict=False)
        return with_bools_as_bits(str(fx.export_and_import(program, **FORMS[form])))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ZOO)
def test_we_lower_what_torch_mlir_imports(name, form):
    module, inputs, expected = traced(name)
    if name in NOT_IMPORTED[form]:
        with pytest.raises(Exception, match=NOT_IMPORTED[form][name]):
            import_with_torch_mlir(module, inputs, form)
        return
    text = import_with_torch_mlir(module, inputs, form)
    if why := NOT_READ.get(form, {}).get(name):
        with pytest.raises(isthmus.BadModelError, match=why):
            isthmus.parse(text)
        return
    (result,) = isthmus.parse(text).lower("linalg").run(*[tensor.numpy() for tensor in inputs], optimize=False)
    assert relative_error(result, expected) < TOLERANCE
