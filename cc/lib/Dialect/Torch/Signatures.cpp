//===- Signatures.cpp - Signatures of PyTorch's ops -----------------------===//

#include "isthmus/Dialect/Torch/Signatures.h"
#include "llvm/ADT/STLExtras.h"

using namespace isthmus;
using namespace isthmus::torch;
using llvm::StringLiteral;
using llvm::StringRef;

static constexpr SignatureArgument arguments[] = {
#define ARGUMENT(NAME, TYPE, DEFAULT) {NAME, TYPE, DEFAULT},
#include "third_party/torch/Signatures.inc"
};

namespace {
struct Signature {
  StringLiteral op;
  unsigned first, count; // a range of `arguments`
};
} // namespace

static constexpr Signature signatures[] = {
#define SIGNATURE(OP, FIRST, COUNT) {OP, FIRST, COUNT},
#include "third_party/torch/Signatures.inc"
};

static constexpr StringLiteral views[] = {
#define VIEW(OP) OP,
#include "third_party/torch/Signatures.inc"
};

std::optional<llvm::ArrayRef<SignatureArgument>>
torch::findSignature(StringRef op) {
  const Signature *found = llvm::lower_bound(
      signatures, op,
      [](const Signature &entry, StringRef op) { return entry.op < op; });
  if (found == std::end(signatures) || found->op != op)
    return std::nullopt;
  return llvm::ArrayRef(arguments).slice(found->first, found->count);
}

bool torch::isView(StringRef op) { return llvm::binary_search(views, op); }
