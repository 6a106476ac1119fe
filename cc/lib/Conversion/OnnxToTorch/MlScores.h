//===- MlScores.h - Scores and labels of classifiers ------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_MLSCORES_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_MLSCORES_H

#include "isthmus/Conversion/OnnxToTorch.h"

namespace isthmus::onnx_to_torch {

/// The attribute post_transform, numbered as TreeEnsemble-5 does.
enum class PostTransform { None, Softmax, Logistic, SoftmaxZero, Probit };

/// Reads a name such as "SOFTMAX_ZERO"; declines the node if there is none.
mlir::FailureOr<PostTransform> postTransformOf(NodeBuilder &b,
                                               llvm::StringRef name);

/// Scores [N, K], transformed. Of one column, as onnxruntime does it, only
/// PROBIT changes the scores.
mlir::Value transformed(NodeBuilder &b, mlir::Value scores,
                        PostTransform transform);

/// The scores [N, 2] of two classes from the score [N, 1] of the second: its
/// logistic function and that of its opposite, or else the score itself and
/// either 1 minus it or its opposite. Declines PROBIT, for which ONNX does not
/// define the other class.
mlir::FailureOr<mlir::Value> ofTwoClasses(NodeBuilder &b, mlir::Value score,
                                          PostTransform transform,
                                          bool isProbability);

/// The labels of the classes of a classifier.
struct ClassLabels {
  llvm::SmallVector<int64_t> ints; // [0, count) if the labels are strings
  bool areStrings = false;

  int64_t count() const { return ints.size(); }
};

/// Reads both attributes, of which a node has at most one.
mlir::FailureOr<ClassLabels>
classLabelsOf(NodeBuilder &b, std::optional<mlir::ArrayAttr> ints,
              std::optional<mlir::ArrayAttr> strings);

/// The output of labels: those of the classes at `places` [N]. Null if it has
/// no uses; declines strings that have.
mlir::FailureOr<mlir::Value> labelsAt(NodeBuilder &b, const ClassLabels &labels,
                                      mlir::Value places, mlir::Value output);

/// The place of the largest of the scores [N, K], the first one of equals.
mlir::Value largest(NodeBuilder &b, mlir::Value scores);
/// 1 where the score [N, 1] is above the threshold, else 0; of shape [N].
mlir::Value above(NodeBuilder &b, mlir::Value score, double threshold);

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_MLSCORES_H
