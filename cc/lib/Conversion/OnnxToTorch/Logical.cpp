//===- Logical.cpp - ONNX logical and comparison ops to ATen --------------===//
//
// One row or one function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Onnx/Logical.h"
#include "Families.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"

using namespace mlir;
using namespace isthmus;

void onnx_to_torch::populateLogical(OnnxToTorchLowerings &lowerings) {
  lowerings.addBinary<onnx::AndOp, torch::AtenLogicalAndOp>();        // And-7
  lowerings.addBinary<onnx::EqualOp, torch::AtenEqTensorOp>();        // Equal-19
  lowerings.addBinary<onnx::GreaterOp, torch::AtenGtTensorOp>();      // Greater-13
  lowerings.addBinary<onnx::GreaterOrEqualOp, torch::AtenGeTensorOp>(); // GreaterOrEqual-16
  lowerings.addBinary<onnx::LessOp, torch::AtenLtTensorOp>();         // Less-13
  lowerings.addBinary<onnx::LessOrEqualOp, torch::AtenLeTensorOp>();  // LessOrEqual-16
  lowerings.addBinary<onnx::OrOp, torch::AtenLogicalOrOp>();          // Or-7
  lowerings.addBinary<onnx::XorOp, torch::AtenLogicalXorOp>();        // Xor-7
  lowerings.addUnary<onnx::NotOp, torch::AtenLogicalNotOp>();         // Not-1
}
