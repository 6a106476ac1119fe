//===- Coverage.cpp - The ops that lower to each target -------------------===//

#include "isthmus/Api/Coverage.h"
#include "isthmus/Conversion/DecomposeTorch.h"
#include "isthmus/Conversion/Target.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Support/Lowering.h"
#include "isthmus/Support/Parts.h"
#include "llvm/ADT/StringMap.h"

#ifdef ISTHMUS_WITH_ONNX
#include "isthmus/Conversion/OnnxToTorch.h"
#include "isthmus/Dialect/Onnx/Onnx.h"
#include "isthmus/Dialect/Onnx/Schemas.h"
#include "isthmus/Dialect/Onnx/Shapes.h"
#endif

using namespace mlir;
using namespace isthmus;
using Support = Coverage::Support;
using Role = Coverage::TorchOp::Role;

/// The ops of a dialect. MLIR's own lookup finds some or none, depending on the
/// other dialects that are loaded.
static SmallVector<RegisteredOperationName> registeredOps(MLIRContext &context,
                                                          StringRef dialect) {
  return llvm::to_vector(llvm::make_filter_range(
      context.getRegisteredOperations(), [&](RegisteredOperationName op) {
        return op.getDialectNamespace() == dialect;
      }));
}

//===----------------------------------------------------------------------===//
// ONNX
//===----------------------------------------------------------------------===//

static std::vector<Coverage::OnnxOp> onnxOps() {
  std::vector<Coverage::OnnxOp> ops;
#ifdef ISTHMUS_WITH_ONNX
  OnnxToTorchLowerings lowerings;
  populateOnnxToTorch(lowerings);
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<onnx::OnnxDialect>();
  for (RegisteredOperationName op : registeredOps(context, "onnx")) {
    StringRef name = op.stripDialect();
    // onnx.Return and the like have no schema.
    if (auto schema = onnx::findSchema(name, onnx::getNewestOpset()))
      ops.push_back({name.str(), schema->since,
                     lowerings.find(op.getStringRef()) != nullptr,
                     onnx::getShapes(name).str()});
  }
  llvm::sort(ops, [](const auto &a, const auto &b) { return a.name < b.name; });
#endif
  return ops;
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

/// The root ops of the patterns, by full name, each with the reason why it is
/// always declined; empty if it is not.
using Roots = llvm::StringMap<std::string>;

static Roots rootsOf(RewritePatternSet &patterns) {
  Roots roots;
  for (const auto &pattern : patterns.getNativePatterns()) {
    std::optional<OperationName> root = pattern->getRootKind();
    if (!root)
      continue;
    ArrayRef<StringRef> labels = pattern->getDebugLabels();
    const auto *label = llvm::find(labels, noLoweringLabel);
    std::string reason = label == labels.end() ? "" : label[1].str();
    auto [place, isNew] = roots.try_emplace(root->getStringRef(), reason);
    if (!isNew && reason.empty())
      place->second = "";
  }
  return roots;
}

static Roots rootsOf(const Target &target, MLIRContext *context) {
  TorchTypeConverter types(TorchTypeConverter::Scalars::Builtin,
                           /*constant=*/nullptr); // no pattern is run
  UnsupportedOps unsupported;
  RewritePatternSet patterns(context);
  target.populatePatterns(types, patterns, unsupported);
  return rootsOf(patterns);
}

//===----------------------------------------------------------------------===//
// Torch
//===----------------------------------------------------------------------===//

static Role roleOf(RegisteredOperationName op) {
  if (op.hasTrait<torch::Core>())
    return Role::Core;
  return op.hasTrait<torch::Composite>() ? Role::Composite : Role::Structural;
}

/// The support for an op by `target`, which has patterns at `roots`.
static Support supportOf(const Coverage::TorchOp &op, StringRef fullName,
                         const Target &target, const Roots &roots) {
  bool isKept = llvm::is_contained(target.getKeptOps(), op.name);
  if (op.isDecomposed && !isKept)
    return {Support::Kind::Decomposed, ""};
  auto root = roots.find(fullName);
  if (root == roots.end())
    return {Support::Kind::None, ""};
  if (!root->second.empty())
    return {Support::Kind::None, root->second};
  return {isKept ? Support::Kind::Kept : Support::Kind::Pattern, ""};
}

static std::vector<Coverage::TorchOp>
torchOps(ArrayRef<const Target *> targets) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<torch::TorchDialect>();
  std::vector<Roots> roots;
  for (const Target *target : targets)
    roots.push_back(rootsOf(*target, &context));
  SmallVector<StringRef> decomposed = decomposedTorchOps();

  std::vector<Coverage::TorchOp> ops;
  for (RegisteredOperationName name : registeredOps(context, "torch")) {
    StringRef fullName = name.getStringRef();
    auto isLowered = [&](const Roots &roots) { return roots.count(fullName); };
    Coverage::TorchOp op{name.stripDialect().str(),
                         roleOf(name),
                         llvm::binary_search(decomposed, fullName),
                         {}};
    if (op.role == Role::Structural && llvm::none_of(roots, isLowered))
      continue;
    for (auto [target, roots] : llvm::zip_equal(targets, roots))
      op.support.push_back(supportOf(op, fullName, *target, roots));
    ops.push_back(std::move(op));
  }
  llvm::sort(ops, [](const auto &a, const auto &b) { return a.name < b.name; });
  return ops;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

Coverage isthmus::coverage() {
  Coverage result;
  for (const auto &[name, part] : kPartsOfTargets)
    if (!llvm::is_contained(parts(), part))
      result.missingTargets[name.str()] = missingPart(part);
  if (!llvm::is_contained(parts(), "onnx"))
    result.missingParts.push_back(missingPart("onnx"));
  for (const auto &missing : result.missingTargets)
    result.missingParts.push_back(missing.second);
  llvm::sort(result.missingParts);
  result.missingParts.erase(llvm::unique(result.missingParts),
                            result.missingParts.end());
  for (const Target *target : targets())
    if (!target->staysInTorch())
      result.targets.push_back(target);
  result.onnx = onnxOps();
  result.torch = torchOps(result.targets);
  return result;
}

static StringRef text(Support::Kind kind) {
  switch (kind) {
  case Support::Kind::Pattern:
    return "pattern";
  case Support::Kind::Kept:
    return "kept";
  case Support::Kind::Decomposed:
    return "decomposed";
  case Support::Kind::None:
    return "no";
  }
  llvm_unreachable("every kind has a name");
}

static StringRef text(Role role) {
  switch (role) {
  case Role::Core:
    return "core";
  case Role::Composite:
    return "composite";
  case Role::Structural:
    return "structural";
  }
  llvm_unreachable("every role has a name");
}

llvm::json::Value isthmus::toJSON(const Coverage &coverage) {
  using namespace llvm::json;
  Array onnx, targets, torch;
  Object missingTargets;
  for (const auto &[name, sentence] : coverage.missingTargets)
    missingTargets[name] = sentence;
  for (const Coverage::OnnxOp &op : coverage.onnx)
    onnx.push_back(Object{{"name", op.name},
                          {"since", op.since},
                          {"lowered", op.isLowered},
                          {"shapes", op.shapes}});
  for (const Target *target : coverage.targets)
    targets.push_back(target->getName());
  for (const Coverage::TorchOp &op : coverage.torch) {
    Object support, reasons;
    for (auto [target, here] : llvm::zip_equal(coverage.targets, op.support)) {
      support[target->getName()] = text(here.kind);
      if (!here.reason.empty())
        reasons[target->getName()] = here.reason;
    }
    torch.push_back(Object{{"name", op.name},
                           {"role", text(op.role)},
                           {"decomposed", op.isDecomposed},
                           {"targets", std::move(support)},
                           {"reasons", std::move(reasons)}});
  }
  return Object{{"missing_parts", Array(coverage.missingParts)},
                {"missing_targets", std::move(missingTargets)},
                {"onnx", std::move(onnx)},
                {"targets", std::move(targets)},
                {"torch", std::move(torch)}};
}
