//===- WeightNames.cpp - Constants that a model names ---------------------===//

#include "isthmus/Support/WeightNames.h"

using namespace mlir;
using namespace isthmus;

static constexpr char kMark[] = "weight";

Location isthmus::weightLocation(StringRef name, Location file) {
  MLIRContext *context = file.getContext();
  return FusedLoc::get(context,
                       {NameLoc::get(StringAttr::get(context, name), file)},
                       StringAttr::get(context, kMark));
}

StringRef isthmus::weightNameOf(Location constant) {
  auto fused = dyn_cast<FusedLoc>(constant);
  auto mark = fused ? dyn_cast_if_present<StringAttr>(fused.getMetadata())
                    : StringAttr();
  if (!mark || mark.getValue() != kMark || fused.getLocations().size() != 1)
    return "";
  auto name = dyn_cast<NameLoc>(fused.getLocations().front());
  return name ? name.getName().getValue() : "";
}
