//===- SizeOrigins.h - Origins of sizes -------------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_SIZEORIGINS_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_SIZEORIGINS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace isthmus::torch_to_mhlo {

/// A dim of a tensor.
struct Place {
  mlir::Value tensor;
  int64_t dim;

  int64_t size() const;
};

/// Cached origins of the sizes of tensors. Without the cache, each op of a
/// chain would be traced back to the beginning of the chain.
class SizeOrigins {
public:
  /// A place, a value that is a size itself, or a number.
  struct Origin {
    mlir::Value value; // null: a number
    int64_t number;    // the dim of a place, `isSize` of a value, or the number
    static constexpr int64_t isSize = -1;
  };

  std::optional<Origin> find(Place place) const;

  /// Records that the sizes of all `places` have this origin. Casts are not
  /// recorded: when a stretch is converted, the driver replaces them by other
  /// values.
  void note(llvm::ArrayRef<Place> places, Origin origin);

  /// Keeps the latest records: the pattern that added them succeeded, so its
  /// values stay.
  void keep() { latest.clear(); }
  /// Removes the latest records: the pattern failed, and its values are erased.
  void takeBack();
  /// The conversion continues elsewhere: earlier values may be erased.
  void clear();

private:
  using Key = std::pair<mlir::Value, int64_t>;
  llvm::DenseMap<Key, Origin> known;
  llvm::SmallVector<Key> latest;
};

} // namespace isthmus::torch_to_mhlo

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_SIZEORIGINS_H
