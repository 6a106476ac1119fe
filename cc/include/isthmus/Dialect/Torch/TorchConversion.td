//===- TorchConversion.td - Casts between torch and builtin types -*- tablegen -*-===//

#ifndef ISTHMUS_DIALECT_TORCH_TORCHCONVERSION_TD
#define ISTHMUS_DIALECT_TORCH_TORCHCONVERSION_TD

include "isthmus/Dialect/Torch/TorchTypes.td"

def TorchConversion_Dialect : Dialect {
  let name = "torch_c";
  let cppNamespace = "::isthmus::torch_c";
  let summary = "casts between torch types and builtin types";
}

class TorchConversion_CastOp<string name, Type from, Type to>
    : Op<TorchConversion_Dialect, name, [Pure]> {
  let arguments = (ins from:$operand);
  let results = (outs to:$result);
}
class TorchConversion_TensorCastOp<string name, Type from, Type to> : TorchConversion_CastOp<name, from, to> {
  let assemblyFormat = "$operand attr-dict `:` qualified(type($operand)) `->` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TorchConversion_ToBuiltinTensorOp
    : TorchConversion_TensorCastOp<"to_builtin_tensor", Torch_ValueTensorType, AnyTensor> {
  let summary = "a value tensor as a builtin tensor";
}
def TorchConversion_FromBuiltinTensorOp
    : TorchConversion_TensorCastOp<"from_builtin_tensor", AnyTensor, Torch_ValueTensorType> {
  let summary = "a builtin tensor as a value tensor";
}

class BuildableTorch<string name, string summary>
    : Type<CPred<"::llvm::isa<::isthmus::torch::" # name # "Type>($_self)">, summary>,
      BuildableType<"$_builder.getType<::isthmus::torch::" # name # "Type>()">;
def BuildableInt : BuildableTorch<"Int", "int">;
def BuildableFloat : BuildableTorch<"Float", "float">;
def BuildableBool : BuildableTorch<"Bool", "bool">;

def TorchConversion_ToI1Op : TorchConversion_CastOp<"to_i1", BuildableBool, I1> { let assemblyFormat = "$operand attr-dict"; }
def TorchConversion_FromI1Op : TorchConversion_CastOp<"from_i1", I1, BuildableBool> { let assemblyFormat = "$operand attr-dict"; }
def TorchConversion_ToI64Op : TorchConversion_CastOp<"to_i64", BuildableInt, I64> { let assemblyFormat = "$operand attr-dict"; }
def TorchConversion_FromI64Op : TorchConversion_CastOp<"from_i64", I64, BuildableInt> { let assemblyFormat = "$operand attr-dict"; }
def TorchConversion_ToF64Op : TorchConversion_CastOp<"to_f64", BuildableFloat, F64> { let assemblyFormat = "$operand attr-dict"; }
def TorchConversion_FromF64Op : TorchConversion_CastOp<"from_f64", F64, BuildableFloat> { let assemblyFormat = "$operand attr-dict"; }

#endif // ISTHMUS_DIALECT_TORCH_TORCHCONVERSION_TD
