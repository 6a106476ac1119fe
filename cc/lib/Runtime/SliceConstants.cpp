//===- SliceConstants.cpp - Parts of constants as constants ---------------===//
//
// The weights of a recurrent layer of two directions are one constant, of which
// each direction's products read a part. A part whose elements are adjacent is
// a constant over the same memory, so that it can be packed.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace isthmus;

/// The place of a slice's first element among those of its source, if its
/// elements are adjacent there: one range of a dim, behind dims of which it has
/// one index, with all of the others.
static std::optional<int64_t> placeOf(tensor::ExtractSliceOp slice) {
  ArrayRef<int64_t> source = slice.getSourceType().getShape();
  if (llvm::is_contained(source, 0))
    return std::nullopt;
  bool isWhole = true; // in all dims so far
  int64_t place = 0, stride = 1;
  for (int64_t dim = source.size() - 1; dim >= 0; --dim) {
    int64_t offset = slice.getStaticOffsets()[dim],
            size = slice.getStaticSizes()[dim];
    if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size) ||
        slice.getStaticStrides()[dim] != 1 || (!isWhole && size != 1))
      return std::nullopt;
    place += offset * stride;
    stride *= source[dim];
    isWhole &= size == source[dim];
  }
  return place;
}

void isthmus::sliceConstants(ModuleOp module, ConstantTable &table) {
  llvm::StringMap<const void *> memory;
  for (const ConstantTable::Entry &entry : table.entries)
    memory[entry.symbol] = entry.data;
  ConstantTensors constants(module, table);
  for (auto function : module.getOps<func::FuncOp>()) {
    SmallVector<tensor::ExtractSliceOp> slices;
    function.walk([&](tensor::ExtractSliceOp op) { slices.push_back(op); });
    for (tensor::ExtractSliceOp slice : slices) {
      auto tensor =
          slice.getSource().getDefiningOp<bufferization::ToTensorOp>();
      auto constant =
          tensor ? tensor.getBuffer().getDefiningOp<memref::GetGlobalOp>()
                 : nullptr;
      const void *data = constant ? memory.lookup(constant.getName()) : nullptr;
      std::optional<int64_t> place = data ? placeOf(slice) : std::nullopt;
      if (!place)
        continue;
      RankedTensorType type = slice.getType();
      int64_t bytes = *place * sizeOf(*elementTypeOf(type.getElementType()));
      slice.replaceAllUsesWith(
          constants.tensorOver(static_cast<const char *>(data) + bytes, type,
                               function.front(), slice.getLoc()));
      slice.erase();
    }
  }
}
