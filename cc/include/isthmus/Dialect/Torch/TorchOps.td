//===- TorchOps.td - Structural ops of the torch dialect --------*- tablegen -*-===//
//
// Constants, lists, control flow and casts. The ATen operators themselves are
// lines in registry/.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_TORCH_TORCHOPS_TD
#define ISTHMUS_DIALECT_TORCH_TORCHOPS_TD

include "isthmus/Dialect/Torch/TorchBase.td"
include "isthmus/Dialect/Torch/TorchTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

class Torch_ConstantOp<string kind, dag attributes, Type type>
    : Torch_Op<"constant." # kind,
               [ConstantLike, Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a constant " # kind;
  let arguments = attributes;
  let results = (outs type:$result);
  let hasFolder = 1;
  let skipDefaultBuilders = 1;
}

def Torch_ConstantIntOp : Torch_ConstantOp<"int", (ins I64Attr:$value), Torch_IntType> {
  let hasCustomAssemblyFormat = 1;
  let builders = [OpBuilder<(ins "int64_t":$value), [{
    $_state.getOrAddProperties<Properties>().value = $_builder.getI64IntegerAttr(value);
    $_state.addTypes(IntType::get($_builder.getContext()));
  }]>];
}
def Torch_ConstantFloatOp : Torch_ConstantOp<"float", (ins F64Attr:$value), Torch_FloatType> {
  let assemblyFormat = "$value attr-dict";
  let builders = [OpBuilder<(ins "double":$value), [{
    $_state.getOrAddProperties<Properties>().value = $_builder.getF64FloatAttr(value);
    $_state.addTypes(FloatType::get($_builder.getContext()));
  }]>];
}
def Torch_ConstantBoolOp : Torch_ConstantOp<"bool", (ins I1Attr:$value), Torch_BoolType> {
  let assemblyFormat = "$value attr-dict";
  let builders = [OpBuilder<(ins "bool":$value), [{
    $_state.getOrAddProperties<Properties>().value = $_builder.getBoolAttr(value);
    $_state.addTypes(BoolType::get($_builder.getContext()));
  }]>];
}
def Torch_ConstantStrOp : Torch_ConstantOp<"str", (ins StrAttr:$value), Torch_StringType> {
  let assemblyFormat = "$value attr-dict";
  let builders = [OpBuilder<(ins "::llvm::StringRef":$value), [{
    $_state.getOrAddProperties<Properties>().value = $_builder.getStringAttr(value);
    $_state.addTypes(StringType::get($_builder.getContext()));
  }]>];
}
def Torch_ConstantDeviceOp : Torch_ConstantOp<"device", (ins StrAttr:$value), Torch_DeviceType> {
  let assemblyFormat = "$value attr-dict";
  let builders = [OpBuilder<(ins "::llvm::StringRef":$value), [{
    $_state.getOrAddProperties<Properties>().value = $_builder.getStringAttr(value);
    $_state.addTypes(DeviceType::get($_builder.getContext()));
  }]>];
}
def Torch_ConstantNoneOp : Torch_ConstantOp<"none", (ins), Torch_NoneType> {
  let assemblyFormat = "attr-dict";
  let builders = [OpBuilder<(ins), [{ $_state.addTypes(NoneType::get($_builder.getContext())); }]>];
}

def Torch_ValueTensorLiteralOp : Torch_Op<"vtensor.literal", [ConstantLike, Pure]> {
  let summary = "a constant tensor";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Torch_ValueTensorType:$result);
  let assemblyFormat = "`(` $value `)` attr-dict `:` qualified(type($result))";
  let hasFolder = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::ElementsAttr":$value)>];
}

//===----------------------------------------------------------------------===//
// Ops without a class of their own
//===----------------------------------------------------------------------===//

def Torch_OperatorOp : Torch_Op<"operator"> {
  let summary = "an operator known by its full name only";
  let description = [{
    `%r = torch.operator "ns.name.overload"(%a) {attributes} : (Types) -> Types`, with
    regions where the operator has subgraphs.
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyTorchType>:$operands);
  let results = (outs Variadic<AnyTorchType>:$results);
  let regions = (region VariadicRegion<AnyRegion>:$regions);
  let hasCustomAssemblyFormat = 1;
}

//===----------------------------------------------------------------------===//
// Lists, tuples, casts
//===----------------------------------------------------------------------===//

class Torch_ConstructOp<string kind> : Torch_Op<"prim." # kind, [Pure]> {
  let arguments = (ins Variadic<AnyTorchType>:$elements);
  let results = (outs AnyTorchType:$result);
  let hasVerifier = 1;
}
def Torch_PrimListConstructOp : Torch_ConstructOp<"ListConstruct"> {
  let summary = "a list of its operands";
  let assemblyFormat = "$elements attr-dict `:` functional-type(operands, results)";
}
def Torch_PrimTupleConstructOp : Torch_ConstructOp<"TupleConstruct"> {
  let summary = "a tuple of its operands";
  let assemblyFormat = "$elements attr-dict `:` qualified(type($elements)) `->` qualified(type($result))";
}
def Torch_PrimListUnpackOp : Torch_Op<"prim.ListUnpack", [Pure]> {
  let summary = "the elements of a list";
  let arguments = (ins AnyTorchType:$list);
  let results = (outs Variadic<AnyTorchType>:$results);
  let assemblyFormat = "$list attr-dict `:` qualified(type($list)) `->` qualified(type($results))";
  let hasVerifier = 1;
}

def Torch_ShardingConstraintOp : Torch_Op<"sharding_constraint", [Pure, SameOperandsAndResultType]> {
  let summary = "the same tensor, which lies on devices in this way: an #sdy.sharding";
  let arguments = (ins Torch_ValueTensorType:$self, AnyAttr:$sharding);
  let results = (outs Torch_ValueTensorType:$result);
  let assemblyFormat = "$self attr-dict `:` qualified(type($result))";
}

class Torch_CastOp<string name> : Torch_Op<name, [Pure]> {
  let arguments = (ins AnyTorchType:$operand);
  let results = (outs AnyTorchType:$result);
  let assemblyFormat = "$operand attr-dict `:` qualified(type($operand)) `to` qualified(type($result))";
  let hasVerifier = 1;
}
def Torch_TensorStaticInfoCastOp : Torch_CastOp<"tensor_static_info_cast"> {
  let summary = "the same tensor with more or less known about its type";
  let hasFolder = 1;
}
def Torch_DerefineOp : Torch_CastOp<"derefine"> {
  let summary = "the same value as an optional or union type";
}

def Torch_CopyToNonValueTensorOp : Torch_Op<"copy.to_tensor"> {
  let summary = "a fresh mutable copy of a value tensor";
  let arguments = (ins Torch_ValueTensorType:$operand);
  let results = (outs Torch_NonValueTensorType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def Torch_CopyToValueTensorOp : Torch_Op<"copy.to_vtensor"> {
  let summary = "the present value of a mutable tensor";
  let arguments = (ins Torch_NonValueTensorType:$operand);
  let results = (outs Torch_ValueTensorType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def Torch_OverwriteTensorContentsOp : Torch_Op<"overwrite.tensor.contents"> {
  let summary = "store a value into a mutable tensor";
  let arguments = (ins AnyTorchTensor:$value, AnyTorchTensor:$overwritten);
  let assemblyFormat = [{
    $value `overwrites` $overwritten attr-dict `:` qualified(type($value)) `,` qualified(type($overwritten))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

def Torch_PrimIfOp : Torch_Op<"prim.If", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "one of two regions";
  let arguments = (ins Torch_BoolType:$condition);
  let results = (outs Variadic<AnyTorchType>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def Torch_PrimIfYieldOp
    : Torch_Op<"prim.If.yield", [Pure, Terminator, ReturnLike, HasParent<"::isthmus::torch::PrimIfOp">]> {
  let summary = "the results of a prim.If region";
  let arguments = (ins Variadic<AnyTorchType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` qualified(type($results)))?";
}
def Torch_PrimLoopOp : Torch_Op<"prim.Loop", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "a loop with a trip count, a condition and carried values";
  let arguments = (ins Torch_IntType:$maxTripCount, Torch_BoolType:$initialCondition,
                       Variadic<AnyTorchType>:$iterArgsInit);
  let results = (outs Variadic<AnyTorchType>:$results);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    $maxTripCount `,` $initialCondition `,` `init` `(` $iterArgsInit `)` $region attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}
def Torch_PrimLoopConditionOp
    : Torch_Op<"prim.Loop.condition", [Pure, Terminator, HasParent<"::isthmus::torch::PrimLoopOp">]> {
  let summary = "whether to go on, and the carried values";
  let arguments = (ins Torch_BoolType:$shouldContinue, Variadic<AnyTorchType>:$iterArgs);
  let assemblyFormat = "$shouldContinue `,` `iter` `(` ($iterArgs^ `:` qualified(type($iterArgs)))? `)` attr-dict";
}

def Torch_RuntimeAssertOp : Torch_Op<"runtime.assert"> {
  let summary = "stop with a message when the condition is false";
  let arguments = (ins Torch_BoolType:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}

//===----------------------------------------------------------------------===//
// Symbolic sizes
//===----------------------------------------------------------------------===//

def Torch_SymbolicIntOp : Torch_Op<"symbolic_int", [Pure]> {
  let summary = "a size known by name and range";
  let arguments = (ins StrAttr:$symbol_name, I64Attr:$min_val, I64Attr:$max_val);
  let results = (outs Torch_IntType:$result);
  let assemblyFormat = [{
    $symbol_name ` ` `{` `min_val` `=` $min_val `,` `max_val` `=` $max_val `}` attr-dict `:` qualified(type($result))
  }];
}
def Torch_BindSymbolicShapeOp : Torch_Op<"bind_symbolic_shape"> {
  let summary = "the sizes of a tensor as expressions over symbols";
  let arguments = (ins Torch_ValueTensorType:$operand, Variadic<Torch_IntType>:$symbols,
                       AffineMapAttr:$expressions);
  let assemblyFormat = [{
    $operand `,` `[` $symbols `]` `,` $expressions attr-dict `:` qualified(type($operand))
  }];
}

#endif // ISTHMUS_DIALECT_TORCH_TORCHOPS_TD
