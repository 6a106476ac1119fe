//===- IreeLinalgExtOps.td - IREE's ops on tensors ---------*- tablegen -*-===//
//
// No package has the C++ dialect of these ops. This is the part of it that the
// lowering to Linalg emits for IREE, in the generic syntax, which iree-compile
// parses. Operands and attributes have the names that IREE gives them.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_IREELINALGEXT_IREELINALGEXTOPS_TD
#define ISTHMUS_DIALECT_IREELINALGEXT_IREELINALGEXTOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def IreeLinalgExt_Dialect : Dialect {
  let name = "iree_linalg_ext";
  let cppNamespace = "::isthmus::iree_linalg_ext";
  let summary = "IREE's ops on tensors that are not of linalg";
}

class IreeLinalgExt_Op<string mnemonic, list<Trait> traits>
    : Op<IreeLinalgExt_Dialect, mnemonic, traits>;

/// original[indices[i]] = region(updates[i], original[indices[i]]), one i after
/// the other unless indices are unique.
def IreeLinalgExt_ScatterOp
    : IreeLinalgExt_Op<"scatter", [Pure, AllTypesMatch<["original", "result"]>]> {
  let arguments = (ins AnyRankedTensor:$updates, AnyRankedTensor:$indices,
      AnyRankedTensor:$original, DenseI64ArrayAttr:$dimension_map, BoolAttr:$unique_indices);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$region);
}

/// outputs[0][i] = region(outputs[0][i - 1], inputs[0][i]) along a dim, if
/// inclusive, from inputs[0][0] on. outputs[1] lacks that dim; its result is the
/// last value.
def IreeLinalgExt_ScanOp : IreeLinalgExt_Op<"scan", [Pure, AttrSizedOperandSegments]> {
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs, Variadic<AnyRankedTensor>:$outputs,
      I64Attr:$dimension, BoolAttr:$inclusive);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$region);
}

def IreeLinalgExt_YieldOp : IreeLinalgExt_Op<"yield", [Pure, Terminator]> {
  let arguments = (ins Variadic<AnyType>:$operands);
}

#endif // ISTHMUS_DIALECT_IREELINALGEXT_IREELINALGEXTOPS_TD
