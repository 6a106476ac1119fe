//===- TorchTypes.h - Types of the torch dialect ----------------*- C++ -*-===//

#ifndef ISTHMUS_DIALECT_TORCH_TORCHTYPES_H
#define ISTHMUS_DIALECT_TORCH_TORCHTYPES_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/STLExtras.h"

#define GET_TYPEDEF_CLASSES
#include "isthmus/Dialect/Torch/TorchTypes.h.inc"

namespace isthmus::torch {

bool isTorchType(mlir::Type type);
bool isTensor(mlir::Type type);
bool isInt(mlir::Type type);
bool isFloat(mlir::Type type);
bool isBool(mlir::Type type);
bool isStr(mlir::Type type);
bool isNone(mlir::Type type);
bool isDevice(mlir::Type type);
bool isGenerator(mlir::Type type);
/// int, float, bool or number.
bool isScalar(mlir::Type type);

/// The type itself, none, or an optional of it.
template <bool (*Predicate)(mlir::Type)>
bool isOptional(mlir::Type type) {
  if (auto optional = llvm::dyn_cast<OptionalType>(type))
    return Predicate(optional.getContainedType());
  return isNone(type) || Predicate(type);
}

template <bool (*Predicate)(mlir::Type)>
bool isList(mlir::Type type) {
  auto list = llvm::dyn_cast<ListType>(type);
  return list && Predicate(list.getContainedType());
}

/// The vtensor with a tensor's sizes and dtype; other types unchanged.
mlir::Type withValueSemantics(mlir::Type type);

/// Whether a value of type `from` may have type `to`, as far as both are known:
/// a vtensor of unknown rank may be a vtensor<[2],f32>, which may be an
/// optional<vtensor>; an int is never a tensor.
bool mayBe(mlir::Type from, mlir::Type to);

/// The builtin tensor with the same elements: si64 and i64 both become i64, and
/// unsigned integers become signless too. Null if the dtype is unknown.
mlir::TensorType toBuiltin(ValueTensorType type);

/// The torch dtype of a builtin tensor's element type: i64 becomes si64, i1
/// stays i1. Null if torch has no such dtype (index, i4 ...).
mlir::Type toTorchDtype(mlir::Type builtinElementType);

/// vtensor<[2,?],si64> of tensor<2x?xi64>.
ValueTensorType fromBuiltin(mlir::TensorType type);

/// The same elements with another integer signedness, without a copy: literals
/// of the torch dialect are signed (si64), or of `dtype`, which has the same
/// width; builtin tensors are signless (i64).
mlir::ElementsAttr toTorchElements(mlir::ElementsAttr elements);
mlir::ElementsAttr toTorchElements(mlir::ElementsAttr elements,
                                   mlir::Type dtype);
mlir::ElementsAttr toBuiltinElements(mlir::ElementsAttr elements);

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_TORCHTYPES_H
