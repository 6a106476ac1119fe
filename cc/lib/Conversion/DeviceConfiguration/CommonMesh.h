//===- CommonMesh.h - One mesh for several placements -----------*- C++ -*-===//
//
// ONNX places each tensor on devices by itself. Shardy has one mesh of named
// axes, over which every tensor is split.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_DEVICECONFIGURATION_COMMONMESH_H
#define ISTHMUS_LIB_CONVERSION_DEVICECONFIGURATION_COMMONMESH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace isthmus {

/// How a tensor lies on all devices: it has `parts[k]` parts, more than one,
/// along its k-th split dim, and device d has the shard `shardOf[d]`, counted
/// row-major over the parts.
struct Placement {
  llvm::SmallVector<int64_t> parts;
  llvm::SmallVector<int64_t> shardOf;
};

/// Axes of these sizes, major to minor, whose places have these devices.
struct Mesh {
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<int64_t> devices;
};

/// For each split dim, the axes that split it, major to minor.
using SplitAxes = llvm::SmallVector<llvm::SmallVector<unsigned>>;

/// A mesh on which every placement is a split over axes; nothing if there is
/// none. It has the devices in their order, if one with as few axes as that
/// allows will do, or else in the order of their shards.
std::optional<Mesh> findCommonMesh(llvm::ArrayRef<Placement> placements,
                                   int64_t deviceCount);

/// How a placement is split over the axes of a mesh; nothing if it is not.
std::optional<SplitAxes> findAxes(const Placement &placement, const Mesh &mesh);

} // namespace isthmus

#endif // ISTHMUS_LIB_CONVERSION_DEVICECONFIGURATION_COMMONMESH_H
