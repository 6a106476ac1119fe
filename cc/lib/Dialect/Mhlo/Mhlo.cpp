//===- Mhlo.cpp - The mhlo dialect ----------------------------------------===//

#include "isthmus/Dialect/Mhlo/Mhlo.h"

#include "HloRules.h"
#include "HloSyntax.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace isthmus;
using namespace isthmus::hlo;

#include "isthmus/Dialect/Mhlo/MhloDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "isthmus/Dialect/Mhlo/MhloAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "isthmus/Dialect/Mhlo/MhloOps.cpp.inc"

void mhlo::MhloDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "isthmus/Dialect/Mhlo/MhloAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "isthmus/Dialect/Mhlo/MhloOps.cpp.inc"
      >();
}
