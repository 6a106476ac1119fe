//===- Enclosing.cpp - The scopes that enclose a model's node -------------===//

#include "isthmus/Support/Enclosing.h"

using namespace mlir;
using namespace isthmus;

Location isthmus::enclose(Location node, ArrayRef<Enclosing> in) {
  if (in.empty())
    return node;
  MLIRContext *context = node.getContext();
  SmallVector<Attribute> entries;
  for (const Enclosing &one : in)
    entries.push_back(
        ArrayAttr::get(context, {one.name, one.instance, one.attributes}));
  return FusedLoc::get(context, {node}, ArrayAttr::get(context, entries));
}

/// An entry of the metadata; nullopt for an entry of another origin.
static std::optional<Enclosing> read(Attribute entry) {
  auto parts = dyn_cast<ArrayAttr>(entry);
  if (!parts || parts.size() != 3)
    return std::nullopt;
  Enclosing one = {dyn_cast<StringAttr>(parts[0]),
                   dyn_cast<StringAttr>(parts[1]),
                   dyn_cast<DictionaryAttr>(parts[2])};
  if (!one.name || !one.instance || !one.attributes)
    return std::nullopt;
  return one;
}

SmallVector<Enclosing> isthmus::enclosingOf(Location node) {
  SmallVector<Enclosing> all;
  auto fused = node->findInstanceOf<FusedLoc>();
  auto entries =
      fused ? dyn_cast_if_present<ArrayAttr>(fused.getMetadata()) : ArrayAttr();
  for (Attribute entry : entries ? entries.getValue() : ArrayRef<Attribute>())
    if (std::optional<Enclosing> one = read(entry))
      all.push_back(*one);
  return all;
}
