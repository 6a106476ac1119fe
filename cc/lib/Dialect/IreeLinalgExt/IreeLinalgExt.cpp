//===- IreeLinalgExt.cpp - IREE's ops on tensors --------------------------===//

#include "isthmus/Dialect/IreeLinalgExt/IreeLinalgExt.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace isthmus;

#include "isthmus/Dialect/IreeLinalgExt/IreeLinalgExtDialect.cpp.inc"
#define GET_OP_CLASSES
#include "isthmus/Dialect/IreeLinalgExt/IreeLinalgExtOps.cpp.inc"

void iree_linalg_ext::IreeLinalgExtDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "isthmus/Dialect/IreeLinalgExt/IreeLinalgExtOps.cpp.inc"
      >();
}
