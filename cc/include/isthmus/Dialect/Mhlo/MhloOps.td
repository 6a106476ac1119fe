//===- MhloOps.td - The mhlo dialect -----------------------*- tablegen -*-===//
//
// No package has MHLO's C++ dialect. This is the part of it that lowering
// emits, in the syntax that jaxlib parses and prints.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_MHLO_MHLOOPS_TD
#define ISTHMUS_DIALECT_MHLO_MHLOOPS_TD

include "mlir/IR/OpBase.td"

def Mhlo_Dialect : Dialect {
  let name = "mhlo";
  let cppNamespace = "::isthmus::mhlo";
  let summary = "Operations on tensors, as XLA's MLIR bridge names them";
  let useDefaultAttributePrinterParser = 1;
}
defvar Hlo_Dialect = Mhlo_Dialect;

/// One number per dimension: `dense<[0, 2]> : tensor<2xi64>`.
def Hlo_Dims
    : ElementsAttrBase<CPred<"::isthmus::hlo::isDenseVector($_self, 64)">,
                       "1-D tensor of 64-bit integers"> {
  let storageType = "::mlir::DenseIntElementsAttr";
  let returnType = "::llvm::SmallVector<int64_t>";
  let convertFromStorage = "::llvm::to_vector($_self.getValues<int64_t>())";
  let constBuilderCall = "$_builder.getI64TensorAttr($0)";
}

/// One flag per dimension: `dense<[true, false]> : tensor<2xi1>`.
def Hlo_Flags
    : ElementsAttrBase<CPred<"::isthmus::hlo::isDenseVector($_self, 1)">,
                       "1-D tensor of flags"> {
  let storageType = "::mlir::DenseIntElementsAttr";
  let returnType = "::llvm::SmallVector<bool>";
  let convertFromStorage = "::llvm::to_vector($_self.getValues<bool>())";
  let constBuilderCall = "$_builder.getBoolVectorAttr($0)";
}

include "isthmus/Dialect/Mhlo/HloOps.td"

#endif // ISTHMUS_DIALECT_MHLO_MHLOOPS_TD
