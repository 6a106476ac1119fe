//===- decompositions_test.cpp - A composite op has a decomposition -------===//

#include "isthmus/Conversion/DecomposeTorch.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace isthmus;

int main() {
  mlir::MLIRContext context;
  context.loadDialect<torch::TorchDialect>();
  llvm::SmallVector<llvm::StringRef> decomposed = decomposedTorchOps();
  bool complete = true;
  for (mlir::RegisteredOperationName op :
       context.getRegisteredOperationsByDialect("torch")) {
    bool isComposite = op.hasTrait<torch::Composite>();
    bool isDecomposed = llvm::is_contained(decomposed, op.getStringRef());
    if (isComposite == isDecomposed)
      continue;
    complete = false;
    llvm::errs() << op.getStringRef()
                 << (isComposite
                         ? ": composite, without a decomposition in "
                           "cc/lib/Conversion/DecomposeTorch\n"
                         : ": decomposed, but core in its registry line\n");
  }
  return complete ? 0 : 1;
}
