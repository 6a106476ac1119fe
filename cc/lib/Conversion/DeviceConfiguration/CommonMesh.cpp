//===- CommonMesh.cpp - One mesh for several placements -------------------===//

#include "CommonMesh.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <set>

using namespace isthmus;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The numbers of the parts that the shard is in, one for each split dim.
static SmallVector<int64_t> partsOf(int64_t shard, ArrayRef<int64_t> parts) {
  SmallVector<int64_t> numbers(parts.size());
  for (size_t k = parts.size(); k-- > 0;) {
    numbers[k] = shard % parts[k];
    shard /= parts[k];
  }
  return numbers;
}

namespace {

/// A placement with its devices in an order: a function from places to numbers
/// of parts, which begins at 0.
class Ordered {
public:
  Ordered(const Placement &placement, ArrayRef<int64_t> devices) {
    for (int64_t device : devices)
      numbers.push_back(partsOf(placement.shardOf[device], placement.parts));
  }

  /// The numbers of parts at a place.
  ArrayRef<int64_t> at(int64_t place) const { return numbers[place]; }

  /// Adds the strides at which an axis of the mesh has to begin: from one such
  /// stride to the next, numbers of parts grow in proportion to the place.
  void addStrides(std::set<int64_t> &strides) const {
    int64_t count = numbers.size();
    for (int64_t stride = 1; stride < count;) {
      strides.insert(stride);
      int64_t length = 1;
      while ((length + 1) * stride <= count && isMultiple(stride, length))
        ++length;
      while (length > 1 && count % (length * stride))
        --length;
      if (length == 1)
        break; // no mesh has this placement, which findAxes says
      stride *= length;
    }
  }

private:
  /// Whether the place `factor * stride` has `factor` times the numbers of the
  /// place `stride`.
  bool isMultiple(int64_t stride, int64_t factor) const {
    return llvm::all_of(llvm::zip_equal(at(factor * stride), at(stride)),
                        [&](auto pair) {
                          auto [there, once] = pair;
                          return there == factor * once;
                        });
  }

  SmallVector<SmallVector<int64_t>> numbers;
};

} // namespace

std::optional<SplitAxes> isthmus::findAxes(const Placement &placement,
                                           const Mesh &mesh) {
  Ordered ordered(placement, mesh.devices);
  size_t dims = placement.parts.size();
  // The numbers of parts that a step along each axis adds.
  SmallVector<SmallVector<int64_t>> steps(mesh.sizes.size());
  SmallVector<int64_t> strides(mesh.sizes.size());
  int64_t stride = 1;
  for (size_t axis = mesh.sizes.size(); axis-- > 0;) {
    strides[axis] = stride;
    if (mesh.sizes[axis] > 1)
      steps[axis].assign(ordered.at(stride).begin(), ordered.at(stride).end());
    else
      steps[axis].assign(dims, 0);
    stride *= mesh.sizes[axis];
  }
  for (int64_t place : llvm::seq<int64_t>(0, mesh.devices.size())) {
    SmallVector<int64_t> sum(dims);
    for (auto [axis, size] : llvm::enumerate(mesh.sizes))
      for (auto [total, step] : llvm::zip_equal(sum, steps[axis]))
        total += place / strides[axis] % size * step;
    if (ArrayRef<int64_t>(sum) != ordered.at(place))
      return std::nullopt;
  }

  SplitAxes result(dims);
  for (auto [dim, axes] : llvm::enumerate(result)) {
    for (unsigned axis : llvm::seq<unsigned>(0, mesh.sizes.size()))
      if (steps[axis][dim] != 0)
        axes.push_back(axis);
    llvm::stable_sort(axes, [&, dim = dim](unsigned a, unsigned b) {
      return steps[a][dim] > steps[b][dim];
    });
    int64_t inner = 1;
    for (unsigned axis : llvm::reverse(axes)) {
      if (steps[axis][dim] != inner)
        return std::nullopt;
      inner *= mesh.sizes[axis];
    }
    if (inner != placement.parts[dim])
      return std::nullopt;
  }
  return result;
}

/// The mesh of these devices whose axes begin at all strides; nothing if one
/// stride does not divide the next.
static std::optional<Mesh> meshOf(const std::set<int64_t> &strides,
                                  ArrayRef<int64_t> devices) {
  Mesh mesh;
  mesh.devices.assign(devices.begin(), devices.end());
  int64_t outer = devices.size();
  for (int64_t stride : llvm::reverse(strides)) {
    if (outer % stride)
      return std::nullopt;
    mesh.sizes.push_back(outer / stride);
    outer = stride;
  }
  return mesh;
}

/// The devices in the order of their shards in the first placement, then in the
/// second one, and so on. On any mesh that has all placements, this is the
/// order after a permutation of the axes, up to devices with the same shards.
static SmallVector<int64_t> inOrderOfShards(ArrayRef<Placement> placements,
                                            int64_t deviceCount) {
  auto devices = llvm::to_vector(llvm::seq<int64_t>(0, deviceCount));
  llvm::stable_sort(devices, [&](int64_t a, int64_t b) {
    for (const Placement &placement : placements)
      if (placement.shardOf[a] != placement.shardOf[b])
        return placement.shardOf[a] < placement.shardOf[b];
    return false;
  });
  return devices;
}

std::optional<Mesh> isthmus::findCommonMesh(ArrayRef<Placement> placements,
                                            int64_t deviceCount) {
  const SmallVector<int64_t> orders[] = {
      llvm::to_vector(llvm::seq<int64_t>(0, deviceCount)),
      inOrderOfShards(placements, deviceCount)};
  for (ArrayRef<int64_t> devices : orders) {
    std::set<int64_t> strides = {1};
    for (const Placement &placement : placements)
      Ordered(placement, devices).addStrides(strides);
    std::optional<Mesh> mesh = meshOf(strides, devices);
    if (mesh && llvm::all_of(placements, [&](const Placement &placement) {
          return findAxes(placement, *mesh).has_value();
        }))
      return mesh;
  }
  return std::nullopt;
}
