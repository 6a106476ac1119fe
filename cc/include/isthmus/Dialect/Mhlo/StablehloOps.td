//===- StablehloOps.td - The stablehlo dialect -------------*- tablegen -*-===//

#ifndef ISTHMUS_DIALECT_MHLO_STABLEHLOOPS_TD
#define ISTHMUS_DIALECT_MHLO_STABLEHLOOPS_TD

include "mlir/IR/OpBase.td"

def Stablehlo_Dialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::isthmus::stablehlo";
  let summary = "MHLO's stable sibling, for exchange between tools";
  let useDefaultAttributePrinterParser = 1;
}
defvar Hlo_Dialect = Stablehlo_Dialect;

defvar Hlo_Dims = DenseI64ArrayAttr;
defvar Hlo_Flags = DenseBoolArrayAttr;

include "isthmus/Dialect/Mhlo/HloOps.td"

#endif // ISTHMUS_DIALECT_MHLO_STABLEHLOOPS_TD
