//===- Maps.cpp - Ops of ai.onnx.ml whose values are maps -----------------===//
//
// No target has maps, so the onnx dialect has no type for them.
//
//===----------------------------------------------------------------------===//

#include "Node.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

LogicalResult onnx::replaceMaps(Node &node, NodeBuilder &b) {
  // ZipMap-1 makes a list with a map for each row of X, from the class labels
  // to the elements of the row: [{label 0: X[0, 0], label 1: X[0, 1]}, ...].
  // The labels are known without the model's inputs, so its result here is X.
  if (node.op == "ai.onnx.ml.ZipMap") {
    node.results.push_back(node.operands[0]);
    return success();
  }
  // CastMap-1 and DictVectorizer-1 make a tensor of a map.
  if (node.op == "ai.onnx.ml.CastMap" || node.op == "ai.onnx.ml.DictVectorizer")
    return b.subject.error()
           << "expected a tensor, got a map, which no target has: export the "
              "model from the step after this node on, with the tensor that "
              "this node makes as its input";
  return success();
}
