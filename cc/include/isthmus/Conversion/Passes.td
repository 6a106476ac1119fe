//===- Passes.td - Conversion passes -----------------------*- tablegen -*-===//

#ifndef ISTHMUS_CONVERSION_PASSES_TD
#define ISTHMUS_CONVERSION_PASSES_TD

include "isthmus/Conversion/LoweringOptions.td"
include "mlir/Pass/PassBase.td"

def ApplyDeviceConfiguration : Pass<"apply-device-configuration", "::mlir::ModuleOp"> {
  let summary = "Choose the shardings of an ONNX model under one device configuration";
  let description = [{
    `onnx.Sharding` ops of the configuration get axes of a common `sdy.mesh`; those of other configurations
    are removed. Without a name all are removed, with a warning.
  }];
  let options = [Option<"name", "name", "std::string", /*default=*/"\"\"", "the configuration; none by default">];
  let dependentDialects = ["::isthmus::sdy::SdyDialect"];
}

def ArgumentsToGlobals : Pass<"arguments-to-globals", "::mlir::ModuleOp"> {
  let summary = "Turn parameters that are weights into extern globals";
  let description = [{
    A parameter with `isthmus.weight = "w"` becomes a load of
    `ml_program.global private @w(#ml_program.extern : …)`. Undoes
    `globals-to-arguments`.
  }];
  let dependentDialects = ["::mlir::ml_program::MLProgramDialect",
                           "::isthmus::torch_c::TorchConversionDialect"];
}

def BuffersToArguments : Pass<"buffers-to-arguments", "::mlir::ModuleOp"> {
  let summary = "Turn buffers that a program writes to into parameters";
  let description = [{
    The importer of exported programs marks written buffers with
    `isthmus.buffer = "name"`. Such a constant becomes a last parameter with
    `isthmus.initial = @name_initial`, a private function that returns the
    constant. Its new value is already a result.
  }];
}

def BuffersToGlobals : Pass<"buffers-to-globals", "::mlir::ModuleOp"> {
  let summary = "Turn buffer parameters into mutable globals";
  let description = [{
    Runs after the lowering to a target. A parameter with `isthmus.initial` and
    the result with `isthmus.mutates` of its name become a load and a store of an
    `ml_program.global private mutable`.
  }];
  let dependentDialects = ["::mlir::ml_program::MLProgramDialect"];
}

def ConvertFunctionTypesToTorchTypes
    : Pass<"convert-function-types-to-torch-types", "::mlir::func::FuncOp"> {
  let summary = "Change parameters and results to torch types";
  let dependentDialects = ["::isthmus::torch::TorchDialect",
                           "::isthmus::torch_c::TorchConversionDialect"];
}

def ConvertOnnxToTorch : Pass<"convert-onnx-to-torch", "::mlir::ModuleOp"> {
  let summary = "Lower `onnx` ops to `torch` ops";
  let description = [{
    Walks each function once, in graph order, and infers every type.
    Parameters and results keep builtin tensor types, with casts
    `torch_c.from_builtin_tensor` and `torch_c.to_builtin_tensor`. Every node
    without a lowering is reported with its reason and stays in place.

    `custom-ops` names nodes (`Einsum`, `com.acme.FancyAttention`) that become
    `torch.operator`; `unsupported` selects all nodes without a lowering.
  }];
  let options = [
    ListOption<"customOps", "custom-ops", "std::string",
               "nodes to keep whole, by name, or 'unsupported'">,
  ];
  let dependentDialects = ["::isthmus::torch::TorchDialect",
                           "::isthmus::torch_c::TorchConversionDialect"];
}

class CarryPass<string flag> : Pass<flag, "::mlir::ModuleOp"> {
  list<Option> carryOptions = [
    ListOption<"ops", "ops", "std::string", "names of the ops to carry, or 'all'">,
    CustomOpEncodingOption,
  ];
}

def ConvertTorchBackendLegalToLinalgCall
    : CarryPass<"convert-torch-backend-legal-to-linalg-call"> {
  let summary = "Carry torch ops as calls of declared functions";
  let description = [{
    Each op that `ops` names becomes a call of a private function without a
    body; its attribute `isthmus.custom_op` identifies the op. Tensors are
    builtin tensors; numbers known only at run time are tensors of rank 0.
    docs/custom_ops.md is the contract.
  }];
  let options = carryOptions;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def ConvertTorchBackendLegalToMhloCustomCall
    : CarryPass<"convert-torch-backend-legal-to-mhlo-custom-call"> {
  let summary = "Carry torch ops as `mhlo.custom_call`";
  let description = [{
    Each op that `ops` names becomes a custom call of API version 4, XLA's typed
    FFI, with the op's full name as its target. docs/custom_ops.md is the contract.
  }];
  let options = carryOptions;
  let dependentDialects = ["::isthmus::mhlo::MhloDialect"];
}

def ConvertTorchBackendLegalToTosaCustom
    : CarryPass<"convert-torch-backend-legal-to-tosa-custom"> {
  let summary = "Carry torch ops as `tosa.custom`";
  let description = [{
    Each op that `ops` names becomes a `tosa.custom` of the domain `torch`, or of
    its ONNX node's domain. docs/custom_ops.md is the contract.
  }];
  let options = carryOptions # [NarrowF64Option];
  let dependentDialects = ["::mlir::tosa::TosaDialect"];
}

class LoweringPass<string flag> : Pass<flag, "::mlir::ModuleOp"> {
  list<Option> loweringOptions = [
    ListOption<"customOps", "custom-ops", "std::string",
               "ops to carry if they have no lowering, or 'unsupported' for all such">,
    CustomOpEncodingOption,
  ];
}

def ConvertTorchToLinalg : LoweringPass<"convert-torch-to-linalg"> {
  let summary = "Lower core ATen ops to linalg on tensors";
  let description = [{
    Lowers every core op of the `torch` dialect, and function signatures, to
    `linalg`, `tensor`, `arith`, `math`, `scf` and `cf`, and for IREE some to
    `iree_linalg_ext`. Expects the backend
    contract and no composite ops. Every op without a lowering is reported with
    its reason.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::complex::ComplexDialect", "::isthmus::iree_linalg_ext::IreeLinalgExtDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
  ];
  let options = loweringOptions # [ConsumerOption];
}

def ConvertTorchToMhlo : LoweringPass<"convert-torch-to-mhlo"> {
  let summary = "Lower the backend contract of `torch` to `mhlo`";
  let description = [{
    Lowers every core op, for static and dynamic sizes. Function arguments of
    type int, float and bool become rank-0 tensors of i64, f64 and i1. Every op
    without a lowering is reported with its reason.
  }];
  let options = loweringOptions # [
    Option<"target", "target", "std::string", "\"mhlo\"",
           "the target that messages name: mhlo, or stablehlo for what is renamed to it">,
  ];
  let dependentDialects = ["::isthmus::mhlo::MhloDialect"];
}

def ConvertTorchToTosa : LoweringPass<"convert-torch-to-tosa"> {
  let summary = "Lower core `torch` ops to `tosa`";
  let description = [{
    Writes TOSA 1.0. Tensors of `si64`, `ui8` and `ui16` become tensors of `i32`,
    also in function signatures; a constant that does not fit is an error
    (docs/decisions/0003-integers-in-tosa.md). Every op without a lowering is
    reported with its reason.
  }];
  let options = loweringOptions # [NarrowF64Option];
  let dependentDialects = ["::mlir::tosa::TosaDialect"];
}

def EraseOnnxEntryPoint : Pass<"erase-onnx-entry-point", "::mlir::ModuleOp"> {
  let summary = "Remove `onnx.EntryPoint`; the function it names becomes @main";
}

def ExternalizeGlobals : Pass<"externalize-globals", "::mlir::ModuleOp"> {
  let summary = "Move the values of immutable globals to a safetensors file";
  let options = [Option<"file", "file", "std::string", /*default=*/"",
                        "the file to write">];
}

def FinalizeTorchTypeConversion : Pass<"finalize-torch-type-conversion"> {
  let summary = "Cancel the casts between torch and builtin tensors";
}

def FuncToMlProgram : Pass<"func-to-ml-program", "::mlir::ModuleOp"> {
  let summary = "Turn uncalled public functions into `ml_program.func`";
  let dependentDialects = ["::mlir::ml_program::MLProgramDialect"];
}

def GlobalsToArguments : Pass<"globals-to-arguments", "::mlir::ModuleOp"> {
  let summary = "Turn extern globals into parameters of the public functions";
  let description = [{
    Each immutable extern `ml_program.global` becomes a last parameter of every
    public function that loads it, with its name as `isthmus.weight`.
  }];
}

def GlobalsToIreeParameters
    : Pass<"globals-to-iree-parameters", "::mlir::ModuleOp"> {
  let summary = "Turn extern globals into globals of IREE's dialects";
  let description = [{
    An immutable extern `ml_program.global` becomes a `util.global` with the
    initial value `#flow.parameter.named`. These are IREE's ops, so the context
    must allow unregistered dialects.
  }];
  let options = [Option<"scope", "scope", "std::string",
                        /*default=*/"\"model\"",
                        "the IREE parameter scope of the names">];
}

def GlobalsToWeights : Pass<"globals-to-weights", "::mlir::ModuleOp"> {
  let summary = "Turn immutable globals with a value into constants";
  let description = [{
    Writes the target's constant op: `tosa.const`, `mhlo.constant`,
    `stablehlo.constant`, or else `arith.constant`. Undoes `weights-to-globals`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def InlineGlobals : Pass<"inline-globals", "::mlir::ModuleOp"> {
  let summary = "Give extern globals their values from a file";
  let description = [{
    Values are resources over the mapped file. Undoes `externalize-globals`.
  }];
  let options = [Option<"file", "file", "std::string", /*default=*/"",
                        "a manifest or a safetensors file">];
}

def LimitTorchRank : Pass<"limit-torch-rank"> {
  let summary = "Compute with tensors of rank 6 at most, for TOSA";
  let description = [{
    The pass replaces an op on more dims by one on fewer dims, between two views,
    which fold into the views of the program. A permutation moves neighbouring
    dims together; a pointwise op, an expansion or a reduction merges them. If too
    many dims are left, the pass makes a permutation, an expansion or a reduction
    in steps. Ops of other kinds do not change, nor do ops on tensors with more
    than one size that is known only at run time.
  }];
  let dependentDialects = ["::isthmus::torch::TorchDialect"];
}

def MergeEqualOps : Pass<"merge-equal-ops"> {
  let summary = "Merge equal ops and erase unused ones";
  let description = [{
    Common subexpression elimination for programs of any length: an op without
    side effects is compared with the last few thousand different ones of its
    block and of the enclosing blocks.
  }];
}

def MhloToStablehlo : Pass<"mhlo-to-stablehlo"> {
  let summary = "Rename `mhlo` ops and attributes to `stablehlo`";
  let description = [{
    Every op and attribute of `mhlo` that this project defines has a counterpart
    in `stablehlo`, so the pass only renames and cannot fail. It walks the module
    once.
  }];
  let dependentDialects = ["::isthmus::stablehlo::StablehloDialect"];
}

def MlProgramToFunc : Pass<"ml-program-to-func", "::mlir::ModuleOp"> {
  let summary = "Turn each `ml_program.func` into `func.func`";
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def OutlineCustomOps : Pass<"outline-custom-ops", "::mlir::ModuleOp"> {
  let summary = "Outline calls of named modules and functions";
  let description = [{
    `names` selects PyTorch modules and functions of an ONNX model (`LayerNorm`,
    `torch.nn.modules.normalization.LayerNorm`, `com.acme.FancyNorm`). All ops of
    one such call become the body of a private function, and a call replaces
    them. Its attribute `isthmus.custom_op` identifies the custom op:
    docs/custom_ops.md. Locations record the call that each op belongs to; calls
    that compute the same share a function.
  }];
  let options = [ListOption<"names", "names", "std::string",
                            "module classes and functions">];
  let dependentDialects = ["::isthmus::torch::TorchDialect"];
}

def OutlinePatterns : Pass<"outline-patterns", "::mlir::ModuleOp"> {
  let summary = "Outline ops that match patterns";
  let description = [{
    Each function of `files` is a pattern. Matching ops of the program become the
    body of a private function, and a call replaces them. Its attribute
    `isthmus.custom_op` names the custom op after the pattern:
    docs/custom_ops.md.
  }];
  let options = [ListOption<"files", "files", "std::string",
                            "MLIR of the torch dialect, one pattern per function">];
  let dependentDialects = ["::isthmus::torch::TorchDialect", "::mlir::func::FuncDialect"];
}

def QuantizedTorchToTosa : Pass<"quantized-torch-to-tosa"> {
  let summary = "Compute quantized layers on integers, for TOSA";
  let description = [{
    Convolutions, linear layers, matrix products, sums, means, poolings and
    activations between `dequantize` and `quantize` ops of known scales become
    torch ops on integers, with `tosa.rescale` in place of the two. In PyTorch
    programs, these two are ops of `quantized_decomposed`; in ONNX models, they
    are the torch form of QuantizeLinear and DequantizeLinear. Elementwise
    functions, such as a sigmoid, become `tosa.table`. A layer's result differs
    from that of the float ops by one step of the quantized numbers at most:
    scales are rounded to 31 bits, and halves are rounded up.

    A product of quantized tensors whose result is not quantized becomes one of
    integers too, which is multiplied by its scale. Other ops between
    `dequantize` and `quantize`, such as a softmax, stay ops on floats.
  }];
  let options = [
    ListOption<"legalOps", "legal-ops", "std::string", "names of ops to leave as they are">,
  ];
  let dependentDialects = ["::isthmus::torch::TorchDialect",
                           "::isthmus::torch_c::TorchConversionDialect",
                           "::mlir::tosa::TosaDialect"];
}

def RaiseCustomOps : Pass<"raise-custom-ops", "::mlir::ModuleOp"> {
  let summary = "Read custom ops of any target back as torch ops";
  let description = [{
    The inverse of the passes that carry ops, for `tosa.custom`, `custom_call` of
    MHLO and StableHLO, and calls of functions with `isthmus.custom_op`. Casts
    connect the torch ops with the target's ops; the conversion of torch to the
    target removes them. Every custom op that violates the contract is reported;
    foreign custom ops do not change.
  }];
  let dependentDialects = ["::isthmus::torch::TorchDialect", "::mlir::tensor::TensorDialect"];
}

def ShardProgram : Pass<"shard-program", "::mlir::ModuleOp"> {
  let summary = "Split the weights, inputs and results of @main over a mesh by their names";
  let description = [{
    `mesh=data=2,model=4` becomes an `sdy.mesh`. A rule of `sharding`, `PATTERN=model,*`, splits the tensors
    whose names match: parameters and results get `sdy.sharding`, named constants an
    `sdy.sharding_constraint`. A parameter with a constraint gets its sharding too. With `is-whole`, a program
    for several devices becomes one for one device.
  }];
  let options = [
    Option<"mesh", "mesh", "std::string", /*default=*/"\"\"", "axes and their sizes">,
    ListOption<"shardings", "sharding", "std::string", "patterns of names, and axes of their dims">,
    Option<"isWhole", "is-whole", "bool", /*default=*/"false", "remove meshes and shardings">,
  ];
  let dependentDialects = ["::isthmus::sdy::SdyDialect"];
}

def SimplifyTorch : Pass<"simplify-torch"> {
  let summary = "Remove redundant torch ops and fold constants";
  let description = [{
    Simplifications for all targets before lowering. One walk in order refines
    types from the operands; cancels chains of views, permutations, slices and
    conversions; folds ops on small literals; and reads sizes from the ops that
    made them. Then equal ops are merged and unused ones erased. Weights do not
    change.
  }];
  let options = [
    Option<"hasSizesFromData", "has-sizes-from-data", "bool",
           /*default=*/"true", "tensors may have sizes that data decides">,
  ];
  let dependentDialects = ["::isthmus::torch::TorchDialect"];
}

def SpecializeOnnxInputs : Pass<"specialize-onnx-inputs", "::mlir::ModuleOp"> {
  let summary = "Set static shapes for inputs of an ONNX graph";
  let options = [ListOption<"inputs", "inputs", "std::string",
                            "shapes by input name, as in x=1x3x224x224">];
}

def TorchDecomposeComplexOps : Pass<"torch-decompose-complex-ops"> {
  let summary = "Decompose composite ATen ops into core ones";
  let description = [{
    Each composite op has one decomposition, which serves all targets.
    `legal-ops` names the ops that a target keeps:
    `legal-ops=aten.layer_norm,aten.clamp.Tensor`. A name without an overload
    selects all overloads; the prefix `torch.` is optional. The ops of `kept-ops`
    also stay, unless an operand or a result is complex: targets hold complex
    numbers as real and imaginary parts. Results have PyTorch's numerics, also
    near 0, for NaN and in half types.

    Random numbers are a function of `random-seed`, the op's place among the
    random ops and the element's position. Every target computes the same
    numbers, which differ from PyTorch's. All runs of a compiled program compute
    the same numbers; only compiling with another seed changes them.
  }];
  let options = [
    ListOption<"legalOps", "legal-ops", "std::string", "names of the ops to keep">,
    ListOption<"keptOps", "kept-ops", "std::string", "names of the ops to keep unless an operand or a result is complex">,
    Option<"leaveUnsupported", "leave-unsupported", "bool", /*default=*/"false",
           "keep an op if its decomposition declines it, without an error">,
    Option<"randomSeed", "random-seed", "int64_t", "0", "seed of random numbers">,
  ];
  let dependentDialects = ["::isthmus::torch::TorchDialect"];
}

def TosaSimplifyLayout : Pass<"tosa-simplify-layout"> {
  let summary = "Canonicalize `tosa`; move, cancel and fold its transposes";
  let description = [{
    Transposes move towards the results, past pointwise ops, reductions,
    concatenations, pads and slices, and cancel where they meet their inverse, so
    that a chain of channels-first layers keeps one transpose at each end.
    Transposes of constants are folded, but a matrix product with the transpose
    of a weight in a file becomes a convolution with the unchanged weight. A tile
    is removed if its consumer can broadcast. The pass also runs TOSA's own
    canonicalization.
  }];
  let dependentDialects = ["::mlir::tosa::TosaDialect"];
}

def UseSharedTorchOps : Pass<"use-shared-torch-ops"> {
  let summary = "Rewrite core torch ops that torch-mlir lacks to ops it has";
  let dependentDialects = ["::isthmus::torch::TorchDialect"];
}

def VerifyTorchBackendContract : Pass<"verify-torch-backend-contract", "::mlir::ModuleOp"> {
  let summary = "Check that a program satisfies the torch backend contract";
  let description = [{
    The contract: value tensors of known rank and dtype, only forward functions,
    no modules, no aliasing, no in-place ops. One run reports all ops and values
    that violate it.
  }];
}

def WeightsToArguments : Pass<"weights-to-arguments", "::mlir::ModuleOp"> {
  let summary = "Turn constants into parameters of the public functions";
  let description = [{
    Each tensor constant of `min-bytes` or more becomes a last parameter with its
    name as `isthmus.weight`. Equal constants share one parameter.
  }];
  let options = [Option<"minBytes", "min-bytes", "int64_t", /*default=*/"0",
                        "smallest constant, in bytes, that becomes a parameter">];
}

def WeightsToGlobals : Pass<"weights-to-globals", "::mlir::ModuleOp"> {
  let summary = "Turn constants into globals";
  let description = [{
    Each tensor constant of `min-bytes` or more, except splats and bools, becomes
    an `ml_program.global private` of its name. Equal constants share one global.
  }];
  let options = [Option<"minBytes", "min-bytes", "int64_t", /*default=*/"0",
                        "smallest constant, in bytes, that becomes a global">];
  let dependentDialects = ["::mlir::ml_program::MLProgramDialect",
                           "::isthmus::torch_c::TorchConversionDialect"];
}

#endif // ISTHMUS_CONVERSION_PASSES_TD
