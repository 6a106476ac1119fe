//===- PackWeights.cpp - Weights in panels --------------------------------===//
//
// A contraction reads a block of a weight's columns for every step of its
// reduction. In a matrix these blocks are a row apart, each in a different
// page; in a panel they are adjacent. Weights are packed once, when the module
// is loaded, into
//
//   panels[column / width][k…][column % width], padded with zeros.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"
#include "Panels.h"
#include "isthmus/Support/MappedFile.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>

using namespace mlir;
using namespace isthmus;

namespace {

/// The order in which a weight is packed.
struct Panels {
  SmallVector<int64_t> sizes;   // of the reduction's loops
  SmallVector<int64_t> strides; // of the same, in the weight
  int64_t columns, columnStride;
  int64_t width;

  int64_t count() const { return llvm::divideCeil(columns, width); }

  /// Identifies a weight packed in this order.
  SmallVector<uint64_t> keyOf(ArrayRef<uint64_t> weight) const {
    SmallVector<uint64_t> key(weight);
    llvm::append_range(key, sizes);
    llvm::append_range(key, strides);
    llvm::append_range(key, ArrayRef{columns, columnStride, width});
    return key;
  }
};

/// Appends the elements at `source` for the reduction loops from `loop`
/// inwards. In a model's file they lie at any address.
template <typename T>
void packSteps(const Panels &panels, size_t loop, int64_t columns,
               const char *source, T *&target) {
  constexpr int64_t bytes = sizeof(T);
  if (loop == panels.sizes.size()) {
    for (int64_t i = 0; i < columns; ++i)
      std::memcpy(target + i, source + i * panels.columnStride * bytes, bytes);
    std::fill(target + columns, target + panels.width, T());
    target += panels.width;
    return;
  }
  for (int64_t i = 0; i < panels.sizes[loop]; ++i)
    packSteps(panels, loop + 1, columns,
              source + i * panels.strides[loop] * bytes, target);
}

template <typename T>
void packPanels(const Panels &panels, const void *source, void *target) {
  auto *to = static_cast<T *>(target);
  for (int64_t first = 0; first < panels.columns; first += panels.width)
    packSteps(panels, 0, std::min(panels.width, panels.columns - first),
              static_cast<const char *>(source) +
                  first * panels.columnStride * int64_t(sizeof(T)),
              to);
}

/// The constant that a buffer is a view of, in any shape.
memref::GetGlobalOp constantUnder(Value buffer) {
  while (Operation *op = buffer.getDefiningOp()) {
    if (auto global = dyn_cast<memref::GetGlobalOp>(op))
      return global;
    if (!isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(op))
      return nullptr;
    buffer = op->getOperand(0);
  }
  return nullptr;
}

class Packing {
public:
  Packing(ModuleOp module, const Machine &machine, ConstantTable &constants)
      : rewriter(module.getContext()), tensors(module, constants),
        machine(machine), constants(constants) {}

  void pack(linalg::LinalgOp op);

private:
  Value packedWeight(linalg::LinalgOp op, memref::GetGlobalOp weight,
                     const Panels &panels);

  IRRewriter rewriter;
  ConstantTensors tensors;
  const Machine &machine;
  ConstantTable &constants;
};

void Packing::pack(linalg::LinalgOp op) {
  std::optional<ContractionLoops> loops = matchContraction(op);
  if (!loops)
    return;
  auto tensor = loops->right->get().getDefiningOp<bufferization::ToTensorOp>();
  auto weight = tensor ? constantUnder(tensor.getBuffer()) : nullptr;
  AffineMap map = op.getMatchingIndexingMap(loops->right);
  if (!weight || !map.isProjectedPermutation())
    return;
  auto type = cast<MemRefType>(tensor.getBuffer().getType());
  Type element = type.getElementType();
  auto size = elementTypeOf(element);
  if (!size || !element.isIntOrFloat() ||
      sizeOf(*size) * 8 != element.getIntOrFloatBitWidth())
    return;

  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  llvm::SmallDenseMap<unsigned, int64_t> strideOf;
  for (auto [dim, size, stride] :
       llvm::zip(map.getResults(), type.getShape(), strides)) {
    unsigned loop = cast<AffineDimExpr>(dim).getPosition();
    strideOf[loop] = stride;
    // The other operand may have a dynamic size for the loop.
    ranges[loop] = size;
  }
  Panels panels;
  panels.columns = ranges[loops->vectorLoop];
  panels.columnStride = strideOf.lookup(loops->vectorLoop);
  // Every loop of the weight is a column or a reduction step, and the weight
  // has each of these.
  if (strideOf.size() != loops->reduction.size() + 1)
    return;
  for (unsigned loop : loops->reduction) {
    if (!strideOf.contains(loop))
      return;
    panels.sizes.push_back(ranges[loop]);
    panels.strides.push_back(strideOf[loop]);
  }
  panels.width = panelWidth(op, *loops, machine);
  // A single panel in order is the weight itself.
  if (type.getNumElements() == 0 || panels.columns < 4 ||
      (panels.count() == 1 && panels.columnStride == 1))
    return;

  // The weight as the contraction sees it: reduction first, columns last.
  rewriter.setInsertionPoint(op);
  Value packed = packedWeight(op, weight, panels);
  if (!packed)
    return; // the weight stays unpacked if the copy cannot be allocated
  readPanels(rewriter, cast<linalg::GenericOp>(op), *loops, packed,
             panels.sizes, panels.columns);
}

Value Packing::packedWeight(linalg::LinalgOp op, memref::GetGlobalOp weight,
                            const Panels &panels) {
  auto type = cast<MemRefType>(weight.getType());
  Type element = type.getElementType();
  SmallVector<int64_t> shape{panels.count()};
  llvm::append_range(shape, panels.sizes);
  shape.push_back(panels.width);
  auto packedType = RankedTensorType::get(shape, element);

  size_t elementSize = sizeOf(*elementTypeOf(element));
  const void *source = constants.lookup(weight.getName());
  auto pack = [&](void *target) {
    switch (elementSize) {
    case 1:
      return packPanels<uint8_t>(panels, source, target);
    case 2:
      return packPanels<uint16_t>(panels, source, target);
    case 4:
      return packPanels<uint32_t>(panels, source, target);
    case 8:
      return packPanels<uint64_t>(panels, source, target);
    }
  };
  size_t size = packedType.getNumElements() * elementSize;
  ArrayRef bytes(static_cast<const char *>(source),
                 type.getNumElements() * elementSize);
  void *target;
  if (auto identity = identifyInFile(bytes)) {
    target = constants.allocateShared(panels.keyOf(*identity), size, pack);
  } else if ((target = constants.allocate(size))) {
    pack(target);
  }
  if (!target)
    return nullptr;

  // At the start of the block, so that it precedes every loop.
  return tensors.tensorOver(target, packedType, *weight->getBlock(),
                            op.getLoc());
}

} // namespace

LogicalResult isthmus::packWeights(ModuleOp module, const Machine &machine,
                                   ConstantTable &constants) {
  SmallVector<linalg::GenericOp> ops;
  module.walk([&](linalg::GenericOp op) { ops.push_back(op); });
  Packing packing(module, machine, constants);
  for (linalg::GenericOp op : ops)
    packing.pack(op);
  return success();
}
