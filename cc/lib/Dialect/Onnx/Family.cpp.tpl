//===- @FAMILY@.cpp - Generated from Family.cpp.tpl -----------------------------===//

#include "isthmus/Dialect/Onnx/@FAMILY@.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

#define GET_OP_CLASSES
#include "isthmus/Dialect/Onnx/@FAMILY@.cpp.inc"

void isthmus::onnx::OnnxDialect::register@FAMILY@Ops() {
  addOperations<
#define GET_OP_LIST
#include "isthmus/Dialect/Onnx/@FAMILY@.cpp.inc"
      >();
}
