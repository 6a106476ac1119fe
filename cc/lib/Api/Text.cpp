//===- Text.cpp - A program as text ---------------------------------------===//
//
// MLIR builds the whole hex string of a resource before printing it, or omits
// it. So the program is printed without its resources, and these follow in
// MLIR's form, a block at a time:
//
//   {-#
//     dialect_resources: {
//       builtin: {
//         w: "0x04000000CDCC…"
//       }
//     }
//   #-}
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "isthmus/Support/MappedFile.h"
#include "isthmus/Support/Prefetch.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace isthmus;

/// A name as MLIR writes it: quoted if it is not an identifier.
static void printName(StringRef name, llvm::raw_ostream &os) {
  bool isIdentifier =
      !name.empty() && (llvm::isAlpha(name.front()) || name.front() == '_') &&
      llvm::all_of(name, [](char c) {
        return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
      });
  if (isIdentifier) {
    os << name;
    return;
  }
  os << '"';
  llvm::printEscapedString(name, os);
  os << '"';
}

/// The bytes in hex, read in place.
static llvm::Error printHex(ArrayRef<char> bytes, llvm::raw_ostream &os) {
  constexpr size_t blockSize = 64 << 10;
  SmallVector<char, 0> block, digits;
  while (!bytes.empty()) {
    auto piece = readOnce(bytes.take_front(blockSize), block);
    if (!piece)
      return llvm::errorCodeToError(piece.getError());
    llvm::toHex(
        llvm::arrayRefFromStringRef(StringRef(piece->data(), piece->size())),
        /*LowerCase=*/false, digits);
    os.write(digits.data(), digits.size());
    bytes = bytes.drop_front(piece->size());
  }
  return llvm::Error::success();
}

static llvm::Error printBlob(const AsmResourceBlob &blob,
                             llvm::raw_ostream &os) {
  char alignment[4];
  llvm::support::endian::write32le(alignment, blob.getDataAlignment());
  os << "\"0x" << llvm::toHex(StringRef(alignment, sizeof(alignment)));
  llvm::Error error = printHex(blob.getData(), os);
  os << '"';
  return error;
}

/// The element limit up to which constants are printed in decimal: a hundred,
/// as in MLIR, or the size of the largest constant of bools. MLIR's versions
/// disagree on whether their hex has bits or bytes.
static int64_t mostInDecimal(ModuleOp module) {
  int64_t most = 100;
  module.walk([&](Operation *op) {
    prefetchNext(op);
    if (!op->hasTrait<OpTrait::ConstantLike>() && !isa<SymbolOpInterface>(op))
      return;
    for (NamedAttribute attribute : op->getAttrs())
      if (auto value = dyn_cast<DenseElementsAttr>(attribute.getValue());
          value && value.getElementType().isInteger(1) && !value.isSplat())
        most = std::max(most, value.getNumElements());
  });
  return most;
}

llvm::Error Model::print(llvm::raw_ostream &os, bool isGeneric,
                         bool elide) const {
  OpPrintingFlags flags;
  flags.printGenericOpForm(isGeneric);
  flags.assumeVerified(); // every model is verified
  flags.elideLargeResourceString(0);
  if (elide)
    flags.elideLargeElementsAttrs(16);
  else
    flags.printLargeElementsAttrWithHex(mostInDecimal(module()));
  AsmState state(module(), flags);
  module().print(os, state);
  if (elide)
    return llvm::Error::success();

  SmallVector<DenseResourceElementsHandle> handles;
  for (auto &[dialect, resources] : state.getDialectResources())
    for (const AsmDialectResourceHandle &resource : resources)
      if (isa<DenseResourceElementsHandle>(&resource)) {
        auto handle = cast<DenseResourceElementsHandle>(resource);
        if (handle.getBlob())
          handles.push_back(handle);
      }
  if (handles.empty())
    return llvm::Error::success();
  os << "\n{-#\n  dialect_resources: {\n    builtin: {\n";
  for (DenseResourceElementsHandle &handle : handles) {
    os << (handle == handles.front() ? "      " : ",\n      ");
    printName(handle.getKey(), os);
    os << ": ";
    if (llvm::Error error = printBlob(*handle.getBlob(), os))
      return isthmus::failed(ModelError::Kind::System,
                             "weight '" + handle.getKey() +
                                 "': " + llvm::toString(std::move(error)));
  }
  os << "\n    }\n  }\n#-}\n";
  return llvm::Error::success();
}
