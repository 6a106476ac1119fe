//===- @FAMILY@.h - Generated from Family.h.tpl -------------------------*- C++ -*-===//

#pragma once

#include "isthmus/Dialect/Onnx/Onnx.h"

#define GET_OP_CLASSES
#include "isthmus/Dialect/Onnx/@FAMILY@.h.inc"
