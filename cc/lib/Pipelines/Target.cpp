//===- Target.cpp - The dialects that programs are lowered to -------------===//

#include "isthmus/Pipelines/Target.h"
#include "isthmus/Support/Parts.h"

using namespace isthmus;

namespace {
struct Description {
  Target target;
  llvm::StringLiteral name;
  llvm::StringLiteral part;
};
} // namespace

static constexpr Description descriptions[] = {
    {Target::Torch, "torch", ""},
    {Target::Linalg, "linalg", "linalg"},
    {Target::Tosa, "tosa", "tosa"},
    {Target::Mhlo, "mhlo", "mhlo"},
    {Target::Stablehlo, "stablehlo", "mhlo"},
};

static const Description &describe(Target target) {
  return descriptions[static_cast<size_t>(target)];
}

llvm::StringRef isthmus::nameOf(Target target) { return describe(target).name; }
llvm::StringRef isthmus::partOf(Target target) { return describe(target).part; }

std::optional<Target> isthmus::targetOf(llvm::StringRef name) {
  for (const Description &description : descriptions)
    if (description.name == name)
      return description.target;
  return std::nullopt;
}

llvm::ArrayRef<Target> isthmus::allTargets() {
  static constexpr Target targets[] = {Target::Torch, Target::Linalg,
                                       Target::Tosa, Target::Mhlo,
                                       Target::Stablehlo};
  return targets;
}

bool isthmus::isAvailable(Target target) {
  return partOf(target).empty() || llvm::is_contained(parts(), partOf(target));
}

llvm::ArrayRef<llvm::StringRef> isthmus::keptOps(Target target) {
  // Composite ops that MHLO has as they are.
  static constexpr llvm::StringRef mhlo[] = {"aten.atan2", "aten.expm1",
                                             "aten.log1p", "aten.tan"};
  // Their decomposition would copy a matrix for each row.
  static constexpr llvm::StringRef linalg[] = {"aten._grouped_mm"};
  switch (target) {
  case Target::Mhlo:
  case Target::Stablehlo:
    return mhlo;
  case Target::Linalg:
    return linalg;
  default:
    return {};
  }
}
