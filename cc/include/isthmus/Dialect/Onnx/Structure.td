//===- Structure.td - Ops that hold a graph together ---------*- tablegen -*-===//

include "isthmus/Dialect/Onnx/OnnxBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Onnx_ConstantOp : Onnx_Op<"Constant", [ConstantLike, Pure]> {
  let summary = "a constant: onnx.Constant dense<1.0> : tensor<2xf32>";
  let description = [{
    The importer writes every constant as `value`, an initializer too. ONNX's other attributes mean
    the same tensor: `onnx.Constant {value_int = 2 : si64} : tensor<i64>`.
  }];
  let arguments = (ins
    OptionalAttr<ElementsAttr>:$sparse_value,
    OptionalAttr<ElementsAttr>:$value,
    OptionalAttr<F32Attr>:$value_float,
    OptionalAttr<F32ArrayAttr>:$value_floats,
    OptionalAttr<SI64Attr>:$value_int,
    OptionalAttr<I64ArrayAttr>:$value_ints,
    OptionalAttr<StrAttr>:$value_string,
    OptionalAttr<StrArrayAttr>:$value_strings);
  let results = (outs AnyTensor:$output);
  let builders = [OpBuilder<(ins "::mlir::ElementsAttr":$value)>];
  let extraClassDeclaration = [{
    /// The constant, whichever attribute holds it.
    ::mlir::ElementsAttr getElements();
    /// The value of an attribute of this op as a tensor; null for other attributes.
    static ::mlir::ElementsAttr toElements(::llvm::StringRef name, ::mlir::Attribute value);
  }];
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Onnx_CustomOp : Onnx_Op<"Custom", []> {
  let summary = "an op of another domain than ai.onnx, with the attributes of its node";
  let arguments = (ins
    Variadic<Onnx_Value>:$inputs,
    StrAttr:$function_name,
    OptionalAttr<StrAttr>:$domain_name,
    OptionalAttr<StrArrayAttr>:$graph_names);
  let results = (outs Variadic<Onnx_Value>:$outputs);
  let regions = (region VariadicRegion<AnyRegion>:$graphs);
}

def Onnx_EntryPointOp : Onnx_Op<"EntryPoint", []> {
  let summary = "names the function that the model's main graph became";
  let arguments = (ins SymbolRefAttr:$func);
}

def Onnx_NoValueOp : Onnx_Op<"NoValue", [ConstantLike, Pure]> {
  let summary = "stands for an optional input that a node leaves out";
  let arguments = (ins UnitAttr:$value);
  let results = (outs NoneType:$none_val);
  let hasFolder = 1;
}

def Onnx_ReturnOp : Onnx_Op<"Return", [Pure, ReturnLike, Terminator]> {
  let summary = "returns the outputs of the main graph";
  let arguments = (ins Variadic<Onnx_Value>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let hasVerifier = 1;
}

def Onnx_ShardingOp : Onnx_Op<"Sharding", [Pure]> {
  let summary = "the same tensor, split over devices as a device configuration of the model says";
  let description = [{
    A ShardingSpecProto of an input or an output of the node at the op's location. The tensor has a shard for
    each combination of parts of `axes`, row-major; `devices` lists the devices that have a copy of it. An axis
    has a pair of `factors` for each dim that it was made of: its size, or -1, and its number of parts.
    apply-device-configuration sets `mesh`, and for each of `axes` the names of the mesh's axes that split it.
  }];
  let arguments = (ins
    AnyTensor:$input,
    StrAttr:$configuration,
    StrAttr:$tensor,
    TypedArrayAttrBase<DenseI64ArrayAttr, "an array of arrays of numbers">:$devices,
    DenseI64ArrayAttr:$axes,
    TypedArrayAttrBase<DenseI64ArrayAttr, "an array of arrays of numbers">:$factors,
    OptionalAttr<FlatSymbolRefAttr>:$mesh,
    OptionalAttr<TypedArrayAttrBase<StrArrayAttr, "an array of arrays of names">>:$mesh_axes);
  let results = (outs AnyTensor:$output);
  let hasVerifier = 1;
}

def Onnx_YieldOp : Onnx_Op<"Yield", [Pure, ReturnLike, Terminator]> {
  let summary = "ends a subgraph with its outputs";
  let arguments = (ins Variadic<Onnx_Value>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let hasVerifier = 1;
}
