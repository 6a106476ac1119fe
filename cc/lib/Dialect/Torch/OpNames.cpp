//===- OpNames.cpp - ATen op names that users write -----------------------===//

#include "isthmus/Dialect/Torch/OpNames.h"
#include "isthmus/Dialect/Torch/Torch.h"

using namespace mlir;
using namespace isthmus;

StringRef torch::nearestName(StringRef name, ArrayRef<StringRef> candidates) {
  StringRef best;
  unsigned fewest = ~0u;
  for (StringRef candidate : candidates) {
    bool isOverload = candidate.starts_with(name) &&
                      candidate.drop_front(name.size()).starts_with(".");
    unsigned edits = isOverload ? 0 : 1 + name.edit_distance(candidate);
    if (edits < fewest) {
      fewest = edits;
      best = candidate;
    }
  }
  return best;
}

StringRef torch::withoutOverload(StringRef name) {
  size_t end = name.find('.', name.find('.') + 1);
  return name.take_front(end);
}

FailureOr<llvm::StringSet<>>
torch::resolveOpNames(Operation *root, ArrayRef<std::string> names) {
  if (names.empty())
    return llvm::StringSet<>();
  SmallVector<StringRef> registered; // without "torch."
  llvm::StringSet<> namespaces;
  MLIRContext *context = root->getContext();
  context->getOrLoadDialect<TorchDialect>();
  // Searches the ops of all dialects: MLIR's search by dialect finds only some
  // or none of the ops, depending on which other dialects the context has.
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (op.getDialectNamespace() == TorchDialect::getDialectNamespace() &&
        op.hasInterface<TypeInferenceOpInterface>()) {
      registered.push_back(op.stripDialect());
      namespaces.insert(registered.back().split('.').first);
    }
  llvm::StringSet<> unregistered; // with and without their overloads
  root->walk([&](OperatorOp op) {
    unregistered.insert(op.getName());
    unregistered.insert(withoutOverload(op.getName()));
  });

  llvm::StringSet<> resolved;
  for (StringRef name : names) {
    name.consume_front("torch.");
    bool isKnown = !namespaces.contains(name.split('.').first) ||
                   unregistered.contains(name);
    for (StringRef op : registered)
      if (op == name || withoutOverload(op) == name) {
        resolved.insert(("torch." + op).str());
        isKnown = true;
      }
    if (isKnown) {
      resolved.insert(("torch." + name).str());
      continue;
    }
    llvm::sort(registered); // for one answer of several that are as near
    return emitError(root->getLoc())
           << "expected the name of an op, such as '"
           << nearestName(name, registered) << "', got '" << name << "'";
  }
  return resolved;
}
