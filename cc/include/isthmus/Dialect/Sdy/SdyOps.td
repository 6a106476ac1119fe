//===- SdyOps.td - Shardings of tensors over devices -------*- tablegen -*-===//
//
// The part of Shardy's dialect that is written here, in Shardy's syntax: XLA
// reads it beside StableHLO.
// https://openxla.org/shardy/sdy_dialect
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_SDY_SDYOPS_TD
#define ISTHMUS_DIALECT_SDY_SDYOPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Sdy_Dialect : Dialect {
  let name = "sdy";
  let cppNamespace = "::isthmus::sdy";
  let summary = "how tensors lie on a mesh of devices";
  let useDefaultAttributePrinterParser = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

def Sdy_MeshAttr : AttrDef<Sdy_Dialect, "Mesh"> {
  let mnemonic = "mesh";
  let summary = "named axes of devices: <[\"data\"=2, \"model\"=4], device_ids=[…]>";
  let description = [{
    Devices are numbered row-major over the axes: the last axis varies first. `deviceIds` has the device
    of each place; it is empty if that is the place's number.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$names,
      ArrayRefParameter<"int64_t">:$sizes, ArrayRefParameter<"int64_t">:$deviceIds);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Sdy_TensorShardingAttr : AttrDef<Sdy_Dialect, "TensorSharding"> {
  let mnemonic = "sharding";
  let summary = "the axes over which each dim is split: <@mesh, [{\"data\"}, {}]>";
  let description = [{
    `axes` has an array of names for each dim, major to minor. XLA does not split a dim any further.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$mesh, ArrayRefParameter<"::mlir::ArrayAttr">:$axes);
  let hasCustomAssemblyFormat = 1;
}

class Sdy_Op<string mnemonic, list<Trait> traits> : Op<Sdy_Dialect, mnemonic, traits>;

def Sdy_MeshOp : Sdy_Op<"mesh", [Symbol]> {
  let summary = "a mesh by its name: sdy.mesh @mesh = <[\"data\"=2]>";
  let arguments = (ins SymbolNameAttr:$sym_name, Sdy_MeshAttr:$mesh);
  let assemblyFormat = "$sym_name `=` $mesh attr-dict";
}

def Sdy_ShardingConstraintOp : Sdy_Op<"sharding_constraint", [
    Pure, SameOperandsAndResultType, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the same tensor, which lies on the mesh in this way";
  let arguments = (ins AnyRankedTensor:$input, Sdy_TensorShardingAttr:$sharding);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input $sharding attr-dict `:` type($result)";
}

#endif // ISTHMUS_DIALECT_SDY_SDYOPS_TD
