//===- SizeOrigins.cpp - Origins of sizes ---------------------------------===//

#include "SizeOrigins.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;

int64_t Place::size() const {
  return cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
}

std::optional<SizeOrigins::Origin> SizeOrigins::find(Place place) const {
  auto found = known.find({place.tensor, place.dim});
  if (found == known.end())
    return std::nullopt;
  return found->second;
}

void SizeOrigins::note(ArrayRef<Place> places, Origin origin) {
  if (origin.value && origin.value.getDefiningOp<UnrealizedConversionCastOp>())
    return;
  for (Place place : places) {
    Key key = {place.tensor, place.dim};
    if (known.try_emplace(key, origin).second)
      latest.push_back(key);
  }
}

void SizeOrigins::takeBack() {
  for (Key key : latest)
    known.erase(key);
  latest.clear();
}

void SizeOrigins::clear() {
  known.clear();
  latest.clear();
}
