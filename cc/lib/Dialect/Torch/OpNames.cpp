//===- OpNames.cpp - ATen op names that users write -----------------------===//

#include "isthmus/Dialect/Torch/OpNames.h"
#include "isthmus/Dialect/Torch/Torch.h"

using namespace mlir;
using namespace isthmus;

/// The registered name a user most likely meant: an overload of the name, or
/// else the one that fewest edits lead to.
static StringRef nearest(StringRef name, ArrayRef<StringRef> registered) {
  StringRef best;
  unsigned fewest = ~0u;
  for (StringRef candidate : registered) {
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

FailureOr<llvm::StringSet<>>
torch::resolveOpNames(Location loc, ArrayRef<std::string> names) {
  SmallVector<StringRef> registered; // without "torch."
  llvm::StringSet<> namespaces;
  MLIRContext *context = loc.getContext();
  context->getOrLoadDialect<TorchDialect>();
  for (RegisteredOperationName op : context->getRegisteredOperationsByDialect(
           TorchDialect::getDialectNamespace()))
    if (op.hasInterface<TypeInferenceOpInterface>()) {
      registered.push_back(op.stripDialect());
      namespaces.insert(registered.back().split('.').first);
    }
  llvm::sort(registered);

  llvm::StringSet<> resolved;
  for (StringRef name : names) {
    name.consume_front("torch.");
    if (namespaces.contains(name.split('.').first) &&
        !llvm::is_contained(registered, name))
      return emitError(loc)
             << "expected the full name of an op, such as '"
             << nearest(name, registered) << "', got '" << name << "'";
    resolved.insert(("torch." + name).str());
  }
  return resolved;
}
