//===- Passes.td - Conversion passes -----------------------*- tablegen -*-===//

#ifndef ISTHMUS_CONVERSION_PASSES_TD
#define ISTHMUS_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

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
    A constant with `isthmus.buffer = "name"`, as the importer of exported
    programs marks what the program writes to, becomes a last parameter with
    `isthmus.initial = @name_initial`, a private function that returns the
    constant. What it becomes is a result already.
  }];
}

def BuffersToGlobals : Pass<"buffers-to-globals", "::mlir::ModuleOp"> {
  let summary = "Turn those parameters into mutable globals";
  let description = [{
    After the lowering to a target: a parameter with `isthmus.initial` and the
    result with `isthmus.mutates` of its name become a load and a store of an
    `ml_program.global private mutable`.
  }];
  let dependentDialects = ["::mlir::ml_program::MLProgramDialect"];
}

def ConvertFunctionTypesToTorchTypes
    : Pass<"convert-function-types-to-torch-types", "::mlir::func::FuncOp"> {
  let summary = "Give parameters and results torch types";
  let dependentDialects = ["::isthmus::torch::TorchDialect",
                           "::isthmus::torch_c::TorchConversionDialect"];
}

def ConvertOnnxToTorch : Pass<"convert-onnx-to-torch", "::mlir::ModuleOp"> {
  let summary = "Lower `onnx` ops to `torch` ops";
  let description = [{
    Walks each function once, in graph order, and infers every type on the way.
    Parameters and results keep builtin tensor types, by way of
    `torch_c.from_builtin_tensor` and `torch_c.to_builtin_tensor`. Nodes without
    a lowering are all reported, each with its reason, and stay in place.

    Nodes that `custom-ops` names (`Einsum`, `com.acme.FancyAttention`), or all
    without a lowering if it says `unsupported`, become `torch.operator`.
  }];
  let options = [
    ListOption<"customOps", "custom-ops", "std::string",
               "nodes to leave whole, by name, or 'unsupported'">,
  ];
  let dependentDialects = ["::isthmus::torch::TorchDialect",
                           "::isthmus::torch_c::TorchConversionDialect"];
}

class CarryPass<string flag> : Pass<flag, "::mlir::ModuleOp"> {
  list<Option> encodingOption = [
    ListOption<"ops", "ops", "std::string", "names of the ops to carry, or 'all'">,
    Option<"encoding", "encoding", "std::string", /*default=*/"\"attributes\"",
           "how what is no tensor is carried: in 'attributes' or as 'operands'">,
  ];
}

def ConvertTorchBackendLegalToLinalgCall
    : CarryPass<"convert-torch-backend-legal-to-linalg-call"> {
  let summary = "Carry torch ops as calls of declared functions";
  let description = [{
    Each op that `ops` names becomes a call of a private function that has no
    body; its attribute `isthmus.custom_op` says what the op is. Tensors are
    builtin tensors, and numbers known at run time only are tensors of rank 0.
    docs/custom_ops.md is the contract.
  }];
  let options = encodingOption;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def ConvertTorchBackendLegalToMhloCustomCall
    : CarryPass<"convert-torch-backend-legal-to-mhlo-custom-call"> {
  let summary = "Carry torch ops as `mhlo.custom_call`";
  let description = [{
    Each op that `ops` names becomes a custom call of API version 4, XLA's typed
    FFI, with the op's full name as its target. docs/custom_ops.md is the contract.
  }];
  let options = encodingOption;
  let dependentDialects = ["::isthmus::mhlo::MhloDialect"];
}

def ConvertTorchBackendLegalToTosaCustom
    : CarryPass<"convert-torch-backend-legal-to-tosa-custom"> {
  let summary = "Carry torch ops as `tosa.custom`";
  let description = [{
    Each op that `ops` names becomes a `tosa.custom` of the domain `torch`, or of
    that of its ONNX node. docs/custom_ops.md is the contract.
  }];
  let options = encodingOption # [
    Option<"narrowF64", "narrow-f64", "bool", /*default=*/"false",
           "Carry as f32 what the program says is f64, which TOSA does not have">,
  ];
  let dependentDialects = ["::mlir::tosa::TosaDialect"];
}

class LoweringPass<string flag> : Pass<flag, "::mlir::ModuleOp"> {
  list<Option> carryOptions = [
    ListOption<"customOps", "custom-ops", "std::string",
               "ops to carry where they have no lowering, or 'unsupported' for all such">,
    Option<"encoding", "encoding", "std::string", /*default=*/"\"attributes\"",
           "how what is no tensor is carried: in 'attributes' or as 'operands'">,
  ];
}

def ConvertTorchToLinalg : LoweringPass<"convert-torch-to-linalg"> {
  let summary = "Lower core ATen ops to linalg on tensors";
  let description = [{
    Lowers every core op of the `torch` dialect to `linalg`, `tensor`, `arith`,
    `math`, `scf` and `cf`, and function signatures with it. Expects the backend
    contract and no composite ops. Every op that is left over is reported with
    the reason.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::complex::ComplexDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect",
  ];
  let options = carryOptions;
}

def ConvertTorchToMhlo : LoweringPass<"convert-torch-to-mhlo"> {
  let summary = "Lower the backend contract of `torch` to `mhlo`";
  let description = [{
    Lowers every core op, for known and unknown sizes. Function arguments of type
    int, float and bool become rank-0 tensors of i64, f64 and i1. Ops that cannot
    be lowered are all reported, each with its reason.
  }];
  let options = carryOptions;
  let dependentDialects = ["::isthmus::mhlo::MhloDialect"];
}

def ConvertTorchToTosa : LoweringPass<"convert-torch-to-tosa"> {
  let summary = "Lower core `torch` ops to `tosa`";
  let description = [{
    Writes TOSA 1.0. Tensors of `si64`, `ui8` and `ui16` become tensors of `i32`,
    those of function signatures too; a constant that does not fit is an error
    (docs/decisions/0003-integers-in-tosa.md). Every op without a lowering is
    reported with its reason.
  }];
  let options = carryOptions # [
    Option<"narrowF64", "narrow-f64", "bool", /*default=*/"false",
           "Compute in f32 where the program says f64, which TOSA does not have">,
  ];
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
  let summary = "Turn public functions that nothing calls to `ml_program.func`";
  let dependentDialects = ["::mlir::ml_program::MLProgramDialect"];
}

def GlobalsToArguments : Pass<"globals-to-arguments", "::mlir::ModuleOp"> {
  let summary = "Turn extern globals into parameters of the public functions";
  let description = [{
    Each immutable `ml_program.global` whose value is extern becomes a last
    parameter, with its name as `isthmus.weight`, of every public function that
    loads it.
  }];
}

def GlobalsToIreeParameters
    : Pass<"globals-to-iree-parameters", "::mlir::ModuleOp"> {
  let summary = "Turn extern globals into globals of IREE's dialects";
  let description = [{
    An immutable `ml_program.global` whose value is extern becomes a
    `util.global` with the initial value `#flow.parameter.named`. The ops are
    those of IREE, so that the context must allow unregistered dialects.
  }];
  let options = [Option<"scope", "scope", "std::string",
                        /*default=*/"\"model\"",
                        "the scope that IREE looks names up in">];
}

def GlobalsToWeights : Pass<"globals-to-weights", "::mlir::ModuleOp"> {
  let summary = "Turn immutable globals that have a value into constants";
  let description = [{
    Constants are those of the program's target: `tosa.const`, `mhlo.constant`,
    `stablehlo.constant`, or else `arith.constant`. Undoes `weights-to-globals`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def InlineGlobals : Pass<"inline-globals", "::mlir::ModuleOp"> {
  let summary = "Give extern globals the values that a file has";
  let description = [{
    Values are resources over the mapped file. Undoes `externalize-globals`.
  }];
  let options = [Option<"file", "file", "std::string", /*default=*/"",
                        "a manifest or a safetensors file">];
}

def MergeEqualOps : Pass<"merge-equal-ops"> {
  let summary = "Keep one op of those that compute the same, and none unused";
  let description = [{
    Common subexpression elimination for programs of any length: an op without
    side effects is compared with the last few thousand different ones of its
    block and of those around it.
  }];
}

def MhloToStablehlo : Pass<"mhlo-to-stablehlo"> {
  let summary = "Rename `mhlo` ops and attributes to `stablehlo`";
  let description = [{
    Every op and attribute of `mhlo` that this project defines has a twin in
    `stablehlo`, so the pass renames and cannot fail. One walk over the module.
  }];
  let dependentDialects = ["::isthmus::stablehlo::StablehloDialect"];
}

def MlProgramToFunc : Pass<"ml-program-to-func", "::mlir::ModuleOp"> {
  let summary = "Turn each `ml_program.func` to `func.func`";
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def OutlineCustomOps : Pass<"outline-custom-ops", "::mlir::ModuleOp"> {
  let summary = "Put what a model's author named into functions of its own";
  let description = [{
    All ops of one call of a module of PyTorch, or of a function of an ONNX
    model, that `names` names (`LayerNorm`,
    `torch.nn.modules.normalization.LayerNorm`, `com.acme.FancyNorm`) become the
    body of a private function, which is called in their place. Its attribute
    `isthmus.custom_op` says which custom op it is: docs/custom_ops.md. Locations
    say what each op stands in; calls that compute the same share a function.
  }];
  let options = [ListOption<"names", "names", "std::string",
                            "classes of modules, and functions">];
  let dependentDialects = ["::isthmus::torch::TorchDialect"];
}

def OutlinePatterns : Pass<"outline-patterns", "::mlir::ModuleOp"> {
  let summary = "Put what matches patterns into functions of its own";
  let description = [{
    Each function of `files` is a pattern: where ops of the program do the same
    with each other, they become the body of a private function, which is called
    in their place. Its attribute `isthmus.custom_op` says that it is the custom
    op that the pattern is named after: docs/custom_ops.md.
  }];
  let options = [ListOption<"files", "files", "std::string",
                            "MLIR of the torch dialect, a function a pattern">];
  let dependentDialects = ["::isthmus::torch::TorchDialect", "::mlir::func::FuncDialect"];
}

def RaiseCustomOps : Pass<"raise-custom-ops", "::mlir::ModuleOp"> {
  let summary = "Read custom ops of any target back as torch ops";
  let description = [{
    The inverse of the passes that carry ops, for `tosa.custom`, `custom_call` of
    MHLO and StableHLO, and calls of functions with `isthmus.custom_op`. Where
    the rest of the program is the target's, casts stand between the two, and
    the conversion of torch to the target removes them. Custom ops that do not
    keep the contract are all reported; those of others stay as they are.
  }];
  let dependentDialects = ["::isthmus::torch::TorchDialect", "::mlir::tensor::TensorDialect"];
}

def SimplifyTorch : Pass<"simplify-torch"> {
  let summary = "Drop torch ops that change nothing, and fold those on constants";
  let description = [{
    What all targets gain from before they lower. One walk in order: types become
    as precise as their operands make them; chains of views, permutations, slices
    and conversions cancel; ops on small literals become literals; sizes are read
    from the ops that made them. Then equal ops are shared and unused ones go.
    Weights stay as they are.
  }];
  let dependentDialects = ["::isthmus::torch::TorchDialect"];
}

def SpecializeOnnxInputs : Pass<"specialize-onnx-inputs", "::mlir::ModuleOp"> {
  let summary = "Give inputs of an ONNX graph static shapes";
  let options = [ListOption<"inputs", "inputs", "std::string",
                            "shapes by input name, as in x=1x3x224x224">];
}

def TorchDecomposeComplexOps : Pass<"torch-decompose-complex-ops"> {
  let summary = "Write composite ATen ops in core ones";
  let description = [{
    Each composite op has one decomposition, which serves all targets. An op that
    a target keeps is named in `legal-ops`:
    `legal-ops=aten.layer_norm,aten.clamp.Tensor`. A name without an overload
    means all of them; `torch.` before it may be left out. Results have PyTorch's numerics, also near 0, for NaN and in half types.

    Random numbers are a function of `random-seed`, of the op's place among the
    random ops and of the element's position: every target computes the same
    ones, which are not PyTorch's. They change from one run of the program to the
    next only if the program is compiled with another seed.
  }];
  let options = [
    ListOption<"legalOps", "legal-ops", "std::string", "names of the ops to keep">,
    Option<"leaveUnsupported", "leave-unsupported", "bool", /*default=*/"false",
           "leave an op whole that its decomposition declines, without an error">,
    Option<"randomSeed", "random-seed", "int64_t", "0", "what random numbers start from">,
  ];
  let dependentDialects = ["::isthmus::torch::TorchDialect"];
}

def TosaSimplifyLayout : Pass<"tosa-simplify-layout"> {
  let summary = "Canonicalize `tosa`; move, cancel and fold its transposes";
  let description = [{
    Transposes move towards the results, past pointwise ops, reductions,
    concatenations, pads and slices, and cancel where they meet their inverse, so
    that a chain of channels-first layers keeps one transpose at each end. Those
    of constants are done while compiling, but a product with the transpose of a
    weight that lies in a file becomes a convolution with it as it lies. A tile
    whose consumer broadcasts goes. TOSA's own canonicalization is done on the way.
  }];
  let dependentDialects = ["::mlir::tosa::TosaDialect"];
}

def UseSharedTorchOps : Pass<"use-shared-torch-ops"> {
  let summary = "Write core torch ops that torch-mlir lacks in those that it has";
  let dependentDialects = ["::isthmus::torch::TorchDialect"];
}

def VerifyTorchBackendContract : Pass<"verify-torch-backend-contract", "::mlir::ModuleOp"> {
  let summary = "Check that a program keeps the torch backend contract";
  let description = [{
    Value tensors of known rank and dtype, only forward functions, no modules, no
    aliasing, no ops that work in place. All ops and values that break it are
    reported in one run.
  }];
}

def WeightsToArguments : Pass<"weights-to-arguments", "::mlir::ModuleOp"> {
  let summary = "Turn constants into parameters of the public functions";
  let description = [{
    Each tensor constant of `min-bytes` or more becomes a last parameter with
    its name as `isthmus.weight`. Equal constants share one parameter.
  }];
  let options = [Option<"minBytes", "min-bytes", "int64_t", /*default=*/"0",
                        "smallest constant, in bytes, that becomes a parameter">];
}

def WeightsToGlobals : Pass<"weights-to-globals", "::mlir::ModuleOp"> {
  let summary = "Turn constants into globals";
  let description = [{
    Each tensor constant of `min-bytes` or more, but for splats and bools,
    becomes an `ml_program.global private` of its name, and equal constants
    become one.
  }];
  let options = [Option<"minBytes", "min-bytes", "int64_t", /*default=*/"0",
                        "smallest constant, in bytes, that becomes a global">];
  let dependentDialects = ["::mlir::ml_program::MLProgramDialect",
                           "::isthmus::torch_c::TorchConversionDialect"];
}

#endif // ISTHMUS_CONVERSION_PASSES_TD
