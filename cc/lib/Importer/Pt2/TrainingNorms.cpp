//===- TrainingNorms.cpp - Norms that update their running statistics -----===//

#include "Graph.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::pt2;
using torch::TorchBuilder;
using Kind = schema::Argument::Kind;

bool pt2::updatesStatistics(const schema::Node &node, StringRef op) {
  StringRef flag = llvm::StringSwitch<StringRef>(op)
                       .Cases({"aten._native_batch_norm_legit",
                               "aten.batch_norm", "aten.native_batch_norm"},
                              "training")
                       .Case("aten.instance_norm", "use_input_stats")
                       .Default("");
  if (flag.empty() || !node.isTrue(flag))
    return false;
  const schema::Argument *mean = node.find("running_mean"),
                         *variance = node.find("running_var");
  return mean && variance && mean->kind == Kind::Tensor &&
         variance->kind == Kind::Tensor;
}

static constexpr StringLiteral trainingNorm =
    "aten._native_batch_norm_legit_functional";

/// instance_norm(x [N,C,...], weight [C], ...) in training, with the updated
/// running statistics. It is batch_norm of x as [1,N*C,...]: the statistics are
/// updated by those of each image, and the results averaged.
FailureOr<SmallVector<Value>>
GraphImporter::buildInstanceNorm(NodeContext &context, Operands operands) {
  TorchBuilder &b = context.builder;
  if (torch::tensorType(operands[0]).getRank() < 2)
    return context.subject.fail("expected images of channels");
  SmallVector<Value> sizes = b.sizes(operands[0]), joined = sizes;
  Value images = sizes[0], channels = sizes[1];
  joined[0] = b.constant(1);
  joined[1] = b.mulInt(images, channels);
  operands.truncate(8); // without the choice to use a library of NVIDIA's
  operands[0] = b.view(operands[0], joined);
  for (unsigned parameter : {1, 2, 3, 4})
    if (!torch::isNone(operands[parameter]))
      operands[parameter] = b.create<torch::AtenRepeatOp>(
          operands[parameter], b.ints(ValueRange(images)));
  if (!b.error().empty())
    return context.subject.fail(b.error());
  FailureOr<Operation *> norm = buildInferred(context, trainingNorm, operands);
  if (failed(norm))
    return failure();
  auto average = [&](unsigned result) -> Value {
    return b.create<torch::AtenMeanDimOp>(
        b.view((*norm)->getResult(result), {images, channels}),
        b.ints(ArrayRef<int64_t>{0}), b.constantBool(false), b.none());
  };
  SmallVector<Value> results = {b.view((*norm)->getResult(0), sizes),
                                average(3), average(4)};
  if (!b.error().empty())
    return context.subject.fail(b.error());
  return results;
}

LogicalResult GraphImporter::importTrainingNorm(NodeContext &context) {
  const schema::Node &node = context.node;
  const Subject &subject = context.subject;
  StringRef op = getOp(node.target);
  FailureOr<Operands> operands = getOperands(context, *findSignature(op));
  if (failed(operands))
    return failure();
  SmallVector<Value> results;
  if (op == "aten.instance_norm") {
    FailureOr<SmallVector<Value>> built = buildInstanceNorm(context, *operands);
    if (failed(built))
      return failure();
    results = *built;
  } else {
    if (op == "aten.batch_norm")
      operands->pop_back(); // the choice to use a library of NVIDIA's
    FailureOr<Operation *> built =
        buildInferred(context, trainingNorm, *operands);
    if (failed(built))
      return failure();
    results = (*built)->getResults();
    if (op == "aten.batch_norm")
      results.erase(results.begin() + 1, results.begin() + 3);
  }
  // The last two are the running statistics.
  if (node.outputs.size() + 2 != results.size())
    return subject.fail("expected " + Twine(results.size() - 2) +
                        " outputs, got " + Twine(node.outputs.size()));
  for (auto [output, result] : llvm::zip(node.outputs, results)) {
    if (output.kind == Kind::None)
      continue;
    FailureOr<Value> value = declare(context, result, output);
    if (failed(value))
      return failure();
    define(output.text, *value, subject);
  }
  for (auto [name, result] :
       {std::pair("running_mean", results[results.size() - 2]),
        std::pair("running_var", results.back())}) {
    std::optional<Values::Id> id = find(node.find(name)->text, subject);
    Operation *obstacle = nullptr;
    if (!id || failed(values.write(*id, result, builder, obstacle)))
      return subject.fail("expected running statistics that are no views");
  }
  return success();
}
