//===- SizeOrigins.h - Where sizes come from --------------------*- C++ -*-===//

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

/// Where the sizes of tensors come from, as far as somebody asked. Without it
/// each op of a chain would go back to the beginning of the chain.
class SizeOrigins {
public:
  /// A place, a value that is a size by itself, or a number.
  struct Origin {
    mlir::Value value; // null: a number
    int64_t number;    // the dim of a place, `isSize` of a value, or the number
    static constexpr int64_t isSize = -1;
  };

  std::optional<Origin> find(Place place) const;

  /// All of `places` have their size from there. Casts are not noted: when a
  /// stretch is converted, the driver puts other values in their place.
  void note(llvm::ArrayRef<Place> places, Origin origin);

  /// The pattern that made the latest notes succeeded, so that its values stay.
  void keep() { latest.clear(); }
  /// It failed, and the values that it made go.
  void takeBack();
  /// The conversion goes on elsewhere: values of before may be gone.
  void clear();

private:
  using Key = std::pair<mlir::Value, int64_t>;
  llvm::DenseMap<Key, Origin> known;
  llvm::SmallVector<Key> latest;
};

} // namespace isthmus::torch_to_mhlo

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_SIZEORIGINS_H
