//===- LinalgBuilder.cpp - Builds linalg on tensors -----------------------===//

#include "LinalgBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Value LinalgBuilder::empty(ArrayRef<Size> sizes, Type elementType) {
  for (Size size : sizes)
    checkNotNegative(size);
  auto isNumber = [](Size size) { return isa<Attribute>(size); };
  if (!llvm::all_of(sizes, isNumber))
    return create<tensor::EmptyOp>(sizes, elementType);
  auto type = RankedTensorType::get(staticSizes(sizes), elementType);
  // Such a tensor is fully determined by its type.
  return constantFrom<tensor::EmptyOp>(constants, TypeAttr::get(type), builder,
                                       loc, type.getShape(), elementType);
}

Value LinalgBuilder::filled(ArrayRef<Size> sizes, Value scalar) {
  Value init = empty(sizes, scalar.getType());
  return create<linalg::FillOp>(scalar, init).getResult(0);
}

Value LinalgBuilder::cast(Value tensor, Type type) {
  if (tensor.getType() == type)
    return tensor;
  for (auto [dim, size] :
       llvm::enumerate(llvm::cast<RankedTensorType>(type).getShape()))
    if (!ShapedType::isDynamic(size) && typeOf(tensor).isDynamicDim(dim))
      checkSame(sizes.of(tensor, dim), sizes.constant(size),
                "dim " + Twine(dim) + " to be of size " + Twine(size));
  return create<tensor::CastOp>(type, tensor);
}

Value LinalgBuilder::refined(Value tensor) {
  return cast(tensor, typeOf(tensor).clone(staticSizes(sizes.of(tensor))));
}

Value LinalgBuilder::transpose(Value tensor, ArrayRef<int64_t> order) {
  tensor = refined(tensor);
  Sizes own = sizes.of(tensor);
  Sizes permuted =
      llvm::map_to_vector(order, [&](int64_t dim) { return own[dim]; });
  Value init = empty(permuted, typeOf(tensor).getElementType());
  return create<linalg::TransposeOp>(tensor, init, order)->getResult(0);
}

Value LinalgBuilder::slice(Value tensor, ArrayRef<Size> offsets,
                           ArrayRef<Size> lengths, ArrayRef<Size> steps) {
  for (Size length : lengths)
    checkNotNegative(length);
  // MLIR takes no offset into a dim without elements, not even 0.
  if (llvm::is_contained(typeOf(tensor).getShape(), 0)) {
    Sizes own(lengths);
    for (auto [dim, size] : llvm::enumerate(typeOf(tensor).getShape()))
      if (size == 0)
        own[dim] = sizes.constant(0);
    return empty(own, typeOf(tensor).getElementType());
  }
  SmallVector<Size> ones(offsets.size(), sizes.constant(1));
  return create<tensor::ExtractSliceOp>(tensor, offsets, lengths,
                                        steps.empty() ? ones : steps);
}

Value LinalgBuilder::pad(Value tensor, ArrayRef<Size> low, ArrayRef<Size> high,
                         Value value) {
  Size zero = sizes.constant(0);
  Sizes lengths = sizes.of(tensor), offsets(lengths.size(), zero), before,
        after;
  bool isCut = false, isPadded = false;
  for (auto [dim, ends] : llvm::enumerate(llvm::zip_equal(low, high))) {
    auto [first, last] = ends;
    before.push_back(sizes.max(first, zero));
    after.push_back(sizes.max(last, zero));
    offsets[dim] = sizes.sub(before[dim], first);
    Size cut = sizes.add(offsets[dim], sizes.sub(after[dim], last));
    lengths[dim] = sizes.sub(lengths[dim], cut);
    isCut |= !isKnown(cut, 0);
    isPadded |= !isKnown(before[dim], 0) || !isKnown(after[dim], 0);
  }
  if (isCut)
    tensor = slice(tensor, offsets, lengths);
  return isPadded ? create<tensor::PadOp>(Type(), tensor, before, after, value)
                        .getResult()
                  : tensor;
}

Value LinalgBuilder::extract(Value tensor, ValueRange indices) {
  return create<tensor::ExtractOp>(tensor, indices);
}

Value LinalgBuilder::index(OpBuilder &body, int64_t dim) {
  return linalg::IndexOp::create(body, loc, dim);
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

/// The tensor before casts and reshapes, which keep its elements.
static Value withoutReshapes(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (!isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
            op))
      break;
    tensor = op->getOperand(0);
  }
  return tensor;
}

Value LinalgBuilder::scalarOf(Value tensor) {
  tensor = withoutReshapes(tensor);
  DenseElementsAttr constant;
  if (matchPattern(tensor, m_Constant(&constant)) && constant.isSplat())
    if (auto value = dyn_cast<TypedAttr>(constant.getSplatValue<Attribute>()))
      return constantFrom<arith::ConstantOp>(constants, value, builder, loc,
                                             value);
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    return fill.value();
  if (auto elements = tensor.getDefiningOp<tensor::FromElementsOp>())
    if (elements.getElements().size() == 1)
      return elements.getElements().front();
  return {};
}

/// The tensor before casts that only make sizes dynamic.
static Value withoutCasts(Value tensor) {
  while (auto cast = tensor.getDefiningOp<tensor::CastOp>()) {
    auto source = dyn_cast<RankedTensorType>(cast.getSource().getType());
    if (!source ||
        source.getNumDynamicDims() > typeOf(tensor).getNumDynamicDims())
      break;
    tensor = cast.getSource();
  }
  return tensor;
}

/// The operand itself if its sizes equal `targets`, else broadcast to them. A
/// null target is a dim that needs no check. Whether a dynamic dim is 1 is
/// known only at run time; usually it is not, and then nothing is copied.
Value LinalgBuilder::broadcastAtRunTime(Value operand, ArrayRef<Size> targets) {
  SmallVector<int64_t> shape(typeOf(operand).getShape());
  Sizes wanted = sizes.of(operand);
  SmallVector<Value> isOne(targets.size());
  Value differs;
  Value one = sizes.toIndex(sizes.constant(1));
  for (auto [dim, target] : llvm::enumerate(targets)) {
    if (!target)
      continue;
    Value own = sizes.toIndex(wanted[dim]);
    isOne[dim] = create<arith::CmpIOp>(arith::CmpIPredicate::eq, own, one);
    Value differsHere = create<arith::CmpIOp>(arith::CmpIPredicate::ne, own,
                                              sizes.toIndex(target));
    differs = differs ? create<arith::OrIOp>(differs, differsHere).getResult()
                      : differsHere;
    wanted[dim] = target;
    shape[dim] = known(target).value_or(ShapedType::kDynamic);
  }
  Type element = typeOf(operand).getElementType();
  auto type = RankedTensorType::get(shape, element);
  auto stretched = [&](OpBuilder &then, Location) {
    LinalgBuilder b(then, loc);
    for (auto [single, target, own] :
         llvm::zip_equal(isOne, targets, b.sizes.of(operand)))
      if (target) {
        Value size = b.sizes.toIndex(target);
        Value wide =
            b.create<arith::SelectOp>(single, size, b.sizes.toIndex(own));
        b.checkSame(wide, size, "sizes that broadcast");
      }
    Value zero = arith::ConstantIndexOp::create(then, loc, 0);
    Value copy = b.pointwise(
        {}, wanted, element, [&](OpBuilder &body, Location, ValueRange) {
          SmallVector<Value> at;
          for (auto [dim, single] : llvm::enumerate(isOne)) {
            Value position = index(body, dim);
            at.push_back(single ? arith::SelectOp::create(body, loc, single,
                                                          zero, position)
                                      .getResult()
                                : position);
          }
          return tensor::ExtractOp::create(body, loc, operand, at).getResult();
        });
    scf::YieldOp::create(then, loc, b.cast(copy, type));
  };
  auto itself = [&](OpBuilder &otherwise, Location) {
    Value same = operand;
    if (same.getType() != type) // no check: the sizes agree in this branch
      same = tensor::CastOp::create(otherwise, loc, type, operand);
    scf::YieldOp::create(otherwise, loc, same);
  };
  return create<scf::IfOp>(differs, stretched, itself).getResult(0);
}

Value LinalgBuilder::pointwise(ValueRange operands, Type elementType,
                               Body body) {
  Sizes common;
  for (Value operand : operands) {
    Sizes own = sizes.of(operand);
    if (own.size() > common.size())
      common.insert(common.begin(), own.size() - common.size(),
                    sizes.constant(1));
    size_t offset = common.size() - own.size();
    for (auto [dim, size] : llvm::enumerate(own))
      common[offset + dim] = sizes.broadcast(common[offset + dim], size);
  }
  return pointwise(operands, common, elementType, body);
}

Value LinalgBuilder::pointwise(ValueRange operands, ArrayRef<Size> targets,
                               Type elementType, Body body) {
  int64_t rank = targets.size();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<Value> scalars(operands.size()); // null for inputs
  for (auto [number, operand] : llvm::enumerate(operands)) {
    if ((scalars[number] = scalarOf(operand)))
      continue;
    Value input = withoutCasts(operand);
    Sizes own = sizes.of(input);
    int64_t offset = rank - own.size();
    SmallVector<AffineExpr> at;
    Sizes unsure(own.size());
    for (auto [dim, size] : llvm::enumerate(own)) {
      Size target = targets[offset + dim];
      bool isSingle = isKnown(size, 1) && !isKnown(target, 1);
      at.push_back(isSingle ? builder.getAffineConstantExpr(0)
                            : builder.getAffineDimExpr(offset + dim));
      if (isKnown(target, 1))
        checkSame(size, target, "sizes that broadcast");
      else if (!isSingle && !areSame(size, target))
        unsure[dim] = target;
    }
    if (llvm::any_of(unsure,
                     [](Size target) { return static_cast<bool>(target); }))
      input = broadcastAtRunTime(input, unsure);
    inputs.push_back(input);
    maps.push_back(AffineMap::get(rank, 0, at, builder.getContext()));
  }
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  Value init = empty(targets, elementType);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto generic = create<linalg::GenericOp>(
      init.getType(), inputs, init, maps, iterators,
      [&](OpBuilder &inner, Location, ValueRange arguments) {
        SmallVector<Value> elements(scalars);
        for (Value &element : elements)
          if (!element) {
            element = arguments.front();
            arguments = arguments.drop_front();
          }
        linalg::YieldOp::create(inner, loc, body(inner, loc, elements));
      });
  return generic.getResult(0);
}

Value LinalgBuilder::broadcastTo(Value tensor, ArrayRef<Size> targets) {
  Sizes own = sizes.of(tensor);
  if (own.size() == targets.size() &&
      llvm::all_of(llvm::zip(own, targets), [](auto pair) {
        return areSame(std::get<0>(pair), std::get<1>(pair));
      }))
    return tensor;
  if (Value scalar = scalarOf(tensor))
    return filled(targets, scalar);
  return pointwise(tensor, targets, typeOf(tensor).getElementType(),
                   [](OpBuilder &, Location, ValueRange element) {
                     return element.front();
                   });
}

Value LinalgBuilder::convert(Value tensor, Type from, Type to) {
  if (from == to || elementType(from) == elementType(to))
    return tensor;
  return pointwise(
      tensor, elementType(to),
      [&](OpBuilder &body, Location, ValueRange element) {
        return Elements(body, loc, to).convert(element.front(), from);
      });
}

//===----------------------------------------------------------------------===//
// Sequential loops
//===----------------------------------------------------------------------===//

SmallVector<Value> LinalgBuilder::forEach(ArrayRef<Size> bounds,
                                          ValueRange inits, LoopBody body) {
  Value zero = sizes.toIndex(sizes.constant(0)),
        one = sizes.toIndex(sizes.constant(1));
  SmallVector<Value> begins(bounds.size(), zero), steps(bounds.size(), one);
  SmallVector<Value> ends = llvm::map_to_vector(
      bounds, [&](Size size) { return sizes.toIndex(size); });
  scf::LoopNest nest = scf::buildLoopNest(
      builder, loc, begins, ends, steps, inits,
      [&](OpBuilder &inner, Location, ValueRange position, ValueRange carried) {
        LinalgBuilder b(inner, loc);
        return scf::ValueVector(body(b, position, carried));
      });
  return llvm::to_vector(nest.results);
}
