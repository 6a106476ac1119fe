//===- Objections.cpp - Options that a target cannot meet -----------------===//

#include "isthmus/Pipelines/Pipelines.h"
#include "isthmus/Support/Parts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace isthmus;

/// An objection to a value that is not one of the choices; empty if it is one.
static std::string objectionTo(llvm::StringRef argument, llvm::StringRef value,
                               llvm::ArrayRef<llvm::StringRef> choices) {
  if (llvm::is_contained(choices, value))
    return "";
  return (argument + ": expected '" + llvm::join(choices, "' or '") +
          "', got '" + value + "'")
      .str();
}

std::vector<std::string>
isthmus::objectionsTo(const TargetPipelineOptions &options,
                      const Target &target) {
  std::vector<std::string> objections;
#define CHOICE_OPTION(NAME, ARGUMENT, ...)                                     \
  objections.push_back(objectionTo(ARGUMENT, options.NAME, {__VA_ARGS__}));
#include "isthmus/Conversion/LoweringOptions.inc"
  if (options.keepsBuffersInGlobals() && target.staysInTorch())
    objections.push_back("mutable-buffers=globals: expected a target that "
                         "keeps buffers in globals, got torch");
  llvm::erase_if(objections,
                 [](const std::string &text) { return text.empty(); });
  return objections;
}

std::string isthmus::whyNoTarget(llvm::StringRef name) {
  llvm::StringRef part = partOfTarget(name);
  if (!part.empty())
    return missingPart(part);
  auto names = llvm::map_range(
      targets(), [](const Target *target) { return target->getName(); });
  return ("expected a target of '" + llvm::join(names, "', '") + "', got '" +
          name + "'")
      .str();
}
