//===- Names.cpp - The ops that users select to be carried ----------------===//

#include "isthmus/Conversion/CustomOps.h"
#include "isthmus/Dialect/Torch/OpNames.h"
#include "isthmus/Dialect/Torch/Torch.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::custom_ops;

StringRef custom_ops::domainOf(Operation *op) {
  auto custom = dyn_cast<torch::OperatorOp>(op);
  if (!custom)
    return kTorchDomain;
  if (auto domain = op->getAttrOfType<StringAttr>(kDomainAttr))
    return domain.getValue();
  return custom.getName().starts_with("onnx.") ? StringRef(kOnnxDomain)
                                               : StringRef(kTorchDomain);
}

std::string custom_ops::fullName(Operation *op) {
  if (auto custom = dyn_cast<torch::OperatorOp>(op)) {
    bool isTorch = domainOf(op) == kTorchDomain;
    return (isTorch ? "torch." : "") + custom.getName().str();
  }
  bool isOperator = isa<torch::TypeInferenceOpInterface>(op);
  return isOperator ? op->getName().getStringRef().str() : "";
}

/// The full name of an op that will become an op of the torch dialect.
static std::string onnxName(Operation *op) {
  StringRef own = op->getName().getStringRef();
  if (own != "onnx.Custom")
    return carriedName(own).str();
  auto domain = op->getAttrOfType<StringAttr>("domain_name");
  auto name = op->getAttrOfType<StringAttr>("function_name");
  return domain && name ? (domain.getValue() + "." + name.getValue()).str()
                        : "";
}

/// "torch.aten.clamp" of "torch.aten.clamp.Tensor".
static StringRef base(StringRef name) {
  if (!name.starts_with("torch."))
    return name;
  size_t own = strlen("torch.");
  return name.take_front(own +
                         torch::withoutOverload(name.drop_front(own)).size());
}

/// Every valid full name: registered ops, and the ops of `root`.
static llvm::StringSet<> knownNames(Operation *root) {
  llvm::StringSet<> known;
  MLIRContext *context = root->getContext();
  context->getOrLoadDialect<torch::TorchDialect>();
  // Not by dialect: MLIR's lookup by dialect finds some ops or none, depending
  // on the other dialects that are loaded.
  for (RegisteredOperationName op : context->getRegisteredOperations()) {
    StringRef dialect = op.getDialectNamespace();
    if (dialect == "onnx" ||
        (dialect == "torch" &&
         op.hasInterface<torch::TypeInferenceOpInterface>()))
      known.insert(carriedName(op.getStringRef()));
  }
  root->walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (dialect == "onnx")
      known.insert(onnxName(op));
    else if (isa<torch::OperatorOp>(op))
      known.insert(fullName(op));
  });
  known.erase("");
  return known;
}

Selection Selection::all() {
  Selection selection;
  selection.isAll = true;
  return selection;
}

/// Whether a name is outside of the namespaces of PyTorch's and ONNX's own ops.
/// All ops of these namespaces are known.
static bool isForeign(StringRef name, const llvm::StringSet<> &known) {
  name.consume_front("torch.");
  StringRef space = name.split('.').first;
  return space != name && space != "onnx" &&
         llvm::none_of(known.keys(), [&](StringRef op) {
           return op.consume_front("torch.") && op.split('.').first == space;
         });
}

FailureOr<Selection> Selection::resolve(Operation *root,
                                        ArrayRef<std::string> names,
                                        bool isLenient) {
  Selection selection;
  if (names.empty())
    return selection;
  llvm::StringSet<> known = knownNames(root);
  llvm::StringSet<> bases;
  SmallVector<StringRef> spellings;
  for (const auto &entry : known) {
    StringRef name = entry.getKey();
    bases.insert(base(name));
    if (!name.consume_front("torch."))
      name.consume_front("onnx.");
    spellings.push_back(name);
  }
  llvm::sort(spellings);
  for (StringRef name : names) {
    bool isKnown = false;
    for (StringRef prefix : {"", "torch.", "onnx."})
      if (std::string full = (prefix + name).str();
          known.contains(full) || bases.contains(full)) {
        selection.names.insert(full);
        isKnown = true;
      }
    if (!isKnown && !(isLenient && isForeign(name, known)))
      return emitError(root->getLoc())
             << "expected the name of an op, such as '"
             << torch::nearestName(name, spellings) << "', got '" << name
             << "'";
  }
  return selection;
}

bool Selection::contains(Operation *op) const {
  std::string name = fullName(op);
  return !name.empty() &&
         (isAll || names.contains(name) || names.contains(base(name)));
}
