//===- EqualWeights.cpp - Resources of the same elements ------------------===//
//
// Models store a weight once for each of its uses: an embedding and the matrix
// that maps back from it. Reading all weights to find such pairs would cost as
// much as copying them, so a few bytes of each are read, and two weights in
// full only if those bytes are equal.
//
//===----------------------------------------------------------------------===//

#include "Weights.h"
#include "isthmus/Support/MappedFile.h"
#include "isthmus/Support/ResourceBytes.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace isthmus;

static constexpr size_t sampleCount = 16, sampleSize = 64,
                        blockSize = 256 << 10;

/// Nothing for a value that is not a resource.
static ArrayRef<char> dataOf(ElementsAttr value) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  return resource ? bytesOf(resource) : ArrayRef<char>();
}

/// Bytes from evenly spread positions; none if they cannot be read, or are all
/// zero, as in files with holes.
static SmallString<0> sampleOf(ArrayRef<char> bytes) {
  SmallString<0> sample;
  SmallVector<char> block;
  size_t step = std::max(bytes.size() / sampleCount, sampleSize);
  for (size_t begin = 0; begin < bytes.size(); begin += step) {
    auto piece = readOnce(
        bytes.slice(begin, std::min(sampleSize, bytes.size() - begin)), block);
    if (!piece)
      return {};
    sample.append(piece->begin(), piece->end());
  }
  return llvm::any_of(sample, [](char byte) { return byte != 0; })
             ? sample
             : SmallString<0>();
}

static bool areEqual(ArrayRef<char> a, ArrayRef<char> b) {
  SmallVector<char, 0> blockOfA, blockOfB;
  while (!a.empty()) {
    size_t size = std::min(a.size(), blockSize);
    auto ofA = readOnce(a.take_front(size), blockOfA);
    auto ofB = readOnce(b.take_front(size), blockOfB);
    if (!ofA || !ofB || *ofA != *ofB)
      return false;
    a = a.drop_front(size);
    b = b.drop_front(size);
  }
  return true;
}

llvm::DenseMap<ElementsAttr, ElementsAttr>
isthmus::findEqual(ArrayRef<ElementsAttr> values) {
  // Only weights that share their type with others are sampled.
  llvm::DenseMap<Type, SmallVector<ElementsAttr>> byType;
  for (ElementsAttr value : values)
    if (!dataOf(value).empty())
      byType[value.getType()].push_back(value);
  llvm::DenseMap<ElementsAttr, ElementsAttr> firsts;
  for (ElementsAttr value : values) {
    auto found = byType.find(value.getType());
    if (found == byType.end() || found->second.size() < 2)
      continue;
    SmallVector<ElementsAttr> alike = std::move(found->second);
    byType.erase(found);
    llvm::StringMap<SmallVector<ElementsAttr, 1>> bySample;
    for (ElementsAttr each : alike) {
      SmallString<0> sample = sampleOf(dataOf(each));
      if (sample.empty())
        continue;
      auto &candidates = bySample[sample];
      auto *equal = llvm::find_if(candidates, [&](ElementsAttr candidate) {
        return areEqual(dataOf(candidate), dataOf(each));
      });
      if (equal == candidates.end())
        candidates.push_back(each);
      else
        firsts[each] = *equal;
    }
  }
  return firsts;
}
