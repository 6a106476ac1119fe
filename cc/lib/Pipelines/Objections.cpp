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

/// An objection to a target for one device; empty if it is for several.
static std::string objectionToTarget(llvm::StringRef argument,
                                     const Target &target) {
  if (target.isPartitioned())
    return "";
  std::vector<llvm::StringRef> names;
  for (const Target *each : targets())
    if (each->isPartitioned())
      names.push_back(each->getName());
  return (argument + ": expected a target for several devices" +
          (names.empty() ? "" : ", '" + llvm::join(names, "' or '") + "'") +
          ", got '" + target.getName() + "'")
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
  // The torch dialect has constraints, and no names of weights.
  if (!options.deviceConfiguration.empty() && !target.staysInTorch())
    objections.push_back(objectionToTarget("device-configuration", target));
  if (!options.mesh.empty())
    objections.push_back(objectionToTarget("mesh", target));
  if (!options.deviceConfiguration.empty() && !options.mesh.empty())
    objections.push_back("mesh: expected none besides that of "
                         "device-configuration, got '" +
                         options.mesh + "'");
  if (!options.sharding.empty() && options.mesh.empty())
    objections.push_back("sharding: expected a mesh, got none");
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
