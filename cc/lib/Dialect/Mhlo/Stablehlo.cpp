//===- Stablehlo.cpp - The stablehlo dialect ------------------------------===//

#include "isthmus/Dialect/Mhlo/Stablehlo.h"

#include "HloRules.h"
#include "HloSyntax.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace isthmus;
using namespace isthmus::hlo;

#include "isthmus/Dialect/Mhlo/StablehloDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "isthmus/Dialect/Mhlo/StablehloAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "isthmus/Dialect/Mhlo/StablehloOps.cpp.inc"

void stablehlo::StablehloDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "isthmus/Dialect/Mhlo/StablehloAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "isthmus/Dialect/Mhlo/StablehloOps.cpp.inc"
      >();
}
