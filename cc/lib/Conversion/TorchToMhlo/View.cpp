//===- View.cpp - Ops that rearrange elements to MHLO ---------------------===//

#include "Families.h"
#include "isthmus/Conversion/TorchLowering.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;

namespace {

/// Static sizes of the type replace those computed at run time.
void refine(Sizes &sizes, RankedTensorType type) {
  for (auto [size, known] : llvm::zip_equal(sizes, type.getShape()))
    if (!ShapedType::isDynamic(known))
      size = known;
}

struct CatLowering : HloLowering<torch::AtenCatOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenCatOp op, Adaptor,
                         HloBuilder &b) const override {
    std::optional<int64_t> dim = torch::matchInt(op.getDim());
    FailureOr<SmallVector<Value>> tensors =
        convertedElements(b.getBuilder(), *getTypeConverter(), op.getTensors());
    if (failed(tensors) || !dim)
      return decline(op)
             << "expected a list and a dim that are known while compiling";
    RankedTensorType type = resultType(op);
    SmallVector<Value> inputs;
    for (Value tensor : *tensors) {
      // PyTorch skips tensors of shape [0], whatever the rank of the others.
      if (b.rank(tensor) != type.getRank())
        continue;
      inputs.push_back(b.convert(tensor, type.getElementType()));
    }
    return b.concatenate(inputs, torch::normalDim(*dim, type.getRank()));
  }
};

/// pad lists (low, high) pairs from the last dim backwards.
struct ConstantPadLowering : HloLowering<torch::AtenConstantPadNdOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenConstantPadNdOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    FailureOr<Sizes> pads = sizesOfList(b, op.getPad());
    if (failed(pads))
      return decline(op) << "expected a constructed list of paddings";
    Value self = adaptor.getSelf();
    int64_t rank = b.rank(self);
    Sizes low(rank, 0), high(rank, 0);
    for (size_t i = 0; i + 1 < pads->size(); i += 2) {
      low[rank - 1 - i / 2] = (*pads)[i];
      high[rank - 1 - i / 2] = (*pads)[i + 1];
    }
    Value fill =
        number(b, op.getValue(), adaptor.getValue(), b.elementType(self));
    return b.pad(self, fill, low, high);
  }
};

/// expand(size): right-aligned; -1 keeps the size.
struct ExpandLowering : HloLowering<torch::AtenExpandOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenExpandOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    FailureOr<Sizes> shape = sizesOfList(b, op.getSize());
    if (failed(shape))
      return decline(op) << "expected a constructed list of sizes";
    Value self = adaptor.getSelf();
    int64_t lead = shape->size() - b.rank(self);
    for (auto [dim, size] : llvm::enumerate(*shape))
      if (size.isNumber(-1))
        size = b.sizes.sizeOf(self, dim - lead);
    refine(*shape, resultType(op));
    return b.broadcastTo(self, *shape);
  }
};

struct FlipLowering : HloLowering<torch::AtenFlipOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenFlipOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    auto dims = torch::matchInts(op.getDims());
    if (!dims)
      return decline(op) << "expected dims that are known while compiling";
    for (int64_t &dim : *dims)
      dim = torch::normalDim(dim, b.rank(adaptor.getSelf()));
    return b.create<mhlo::ReverseOp>(adaptor.getSelf(), b.dimsAttr(*dims));
  }
};

struct PermuteLowering : HloLowering<torch::AtenPermuteOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenPermuteOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    auto dims = torch::matchInts(op.getDims());
    if (!dims)
      return decline(op) << "expected dims that are known while compiling";
    for (int64_t &dim : *dims)
      dim = torch::normalDim(dim, b.rank(adaptor.getSelf()));
    return b.transpose(adaptor.getSelf(), *dims);
  }
};

/// Elements start, start + step ... below end. Negative bounds count from the
/// end; bounds outside are clamped.
struct SliceLowering : HloLowering<torch::AtenSliceTensorOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenSliceTensorOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    std::optional<int64_t> dim = torch::matchInt(op.getDim());
    std::optional<int64_t> step = torch::matchInt(op.getStep());
    if (!dim || !step)
      return decline(op)
             << "expected a dim and a step that are known while compiling";
    Value self = adaptor.getSelf();
    int64_t place = torch::normalDim(*dim, b.rank(self));
    Size size = b.sizes.sizeOf(self, place);
    Size start = torch::isNone(op.getStart())
                     ? Size(0)
                     : bound(b, op.getStart(), adaptor.getStart(), size);
    Size end = torch::isNone(op.getEnd())
                   ? size
                   : bound(b, op.getEnd(), adaptor.getEnd(), size);
    return b.sliceDim(self, place, start, b.sizes.max(start, end), *step);
  }

private:
  static Size bound(HloBuilder &b, Value original, Value converted, Size size) {
    Size bound = sizeOfInt(original, converted);
    if (bound.isKnown()) {
      // Exporters write the largest int64 for "to the end".
      if (bound.getNumber() == std::numeric_limits<int64_t>::max())
        return size;
      if (bound.isNumber(0))
        return bound;
      if (bound.getNumber() > 0)
        return b.sizes.min(bound, size);
      bound = b.sizes.add(size, bound);
    } else {
      Value zero = b.sizes.materialize(Size(0));
      Value isNegative =
          b.compare(hlo::ComparisonDirection::LT, bound.getValue(), zero);
      bound =
          b.select(isNegative, b.sizes.materialize(b.sizes.add(bound, size)),
                   bound.getValue());
    }
    return torch::clampBound(b.sizes, bound, size);
  }
};

/// Removes the given dims, which have size one.
struct SqueezeLowering : HloLowering<torch::PrimsSqueezeOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::PrimsSqueezeOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    auto dims = torch::matchInts(op.getDimensions());
    if (!dims)
      return decline(op) << "expected dims that are known while compiling";
    Value self = adaptor.getA();
    for (int64_t &dim : *dims)
      dim = torch::normalDim(dim, b.rank(self));
    RankedTensorType type = resultType(op);
    // The rank of the result tells whether dims of unknown size are one.
    bool dropsUnknown =
        type.getRank() ==
        b.rank(self) - llvm::count_if(dimsUpTo(b.rank(self)), [&](int64_t dim) {
          int64_t size = b.type(self).getDimSize(dim);
          return llvm::is_contained(*dims, dim) &&
                 (size == 1 || ShapedType::isDynamic(size));
        });
    Sizes shape;
    for (auto [dim, size] : llvm::enumerate(b.type(self).getShape())) {
      bool drops = size == 1 || (dropsUnknown && ShapedType::isDynamic(size));
      if (!llvm::is_contained(*dims, dim) || !drops)
        shape.push_back(b.sizes.sizeOf(self, dim));
    }
    return b.reshape(self, shape);
  }
};

struct UnsqueezeLowering : HloLowering<torch::AtenUnsqueezeOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenUnsqueezeOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    std::optional<int64_t> dim = torch::matchInt(op.getDim());
    if (!dim)
      return decline(op) << "expected a dim that is known while compiling";
    Value self = adaptor.getSelf();
    Sizes shape = b.sizes.sizesOf(self);
    shape.insert(shape.begin() + torch::normalDim(*dim, b.rank(self) + 1),
                 Size(1));
    return b.reshape(self, shape);
  }
};

/// view(size): the same elements in order; -1 is inferred from the other sizes.
struct ViewLowering : HloLowering<torch::AtenViewOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenViewOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    FailureOr<Sizes> shape = sizesOfList(b, op.getSize());
    if (failed(shape))
      return decline(op) << "expected a constructed list of sizes";
    Value self = adaptor.getSelf();
    refine(*shape, resultType(op));
    for (size_t i = 0; i < shape->size(); ++i) {
      if (!(*shape)[i].isNumber(-1))
        continue;
      Sizes others = *shape;
      others.erase(others.begin() + i);
      (*shape)[i] = remaining(b, b.sizes.sizesOf(self), others);
    }
    return b.reshape(self, *shape);
  }

private:
  /// product(all) / product(others), after common factors are cancelled.
  static Size remaining(HloBuilder &b, Sizes all, Sizes others) {
    llvm::erase_if(others, [&](Size other) {
      auto *same =
          llvm::find_if(all, [&](Size size) { return areSame(size, other); });
      if (same == all.end() || other.isNumber(0))
        return false;
      all.erase(same);
      return true;
    });
    return b.sizes.floorDiv(b.sizes.product(all), b.sizes.product(others));
  }
};

/// Casts a tensor to a type with more or less static information.
struct StaticInfoCastLowering : HloLowering<torch::TensorStaticInfoCastOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::TensorStaticInfoCastOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    return adaptor.getOperand();
  }
};

/// The same bytes as elements of another dtype. bitcast_convert puts the
/// narrower elements of a wider one into a last dim; a bool is a byte, and any
/// nonzero byte is true.
struct ViewDtypeLowering : HloLowering<torch::AtenViewDtypeOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenViewDtypeOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    Value x = adaptor.getSelf();
    Type from = b.elementType(x), to = resultType(op).getElementType();
    if (isa<ComplexType>(from) || isa<ComplexType>(to))
      return decline(op) << "expected real numbers, got "
                         << (isa<ComplexType>(from) ? from : to);
    if (from == to)
      return x;
    Type byte = b.getBuilder().getI8Type();
    if (from.isInteger(1))
      x = b.convert(x, byte);
    Value y = bytes(b, x, to.isInteger(1) ? byte : to);
    return b.convert(y, to); // for i1: not zero
  }

private:
  static Value bytes(HloBuilder &b, Value x, Type to) {
    unsigned from = b.elementType(x).getIntOrFloatBitWidth(),
             width = to.getIntOrFloatBitWidth();
    Sizes whole = b.sizes.sizesOf(x), pieces;
    SmallVector<int64_t> shape(b.type(x).getShape());
    if (from > width) {
      pieces = whole;
      whole.back() = b.sizes.mul(whole.back(), from / width);
      shape.push_back(from / width);
    } else if (from < width) {
      whole.back() = b.sizes.floorDiv(whole.back(), width / from);
      pieces = whole;
      pieces.push_back(width / from);
      x = b.reshape(x, pieces);
      shape.assign(b.type(x).getShape().drop_back().begin(),
                   b.type(x).getShape().drop_back().end());
    }
    Value y =
        b.create<mhlo::BitcastConvertOp>(RankedTensorType::get(shape, to), x);
    return from > width ? b.reshape(y, whole) : y;
  }
};

} // namespace

void torch_to_mhlo::populateView(const TypeConverter &types,
                                 RewritePatternSet &patterns,
                                 UnsupportedOps &unsupported) {
  patterns.add<CatLowering, ConstantPadLowering, ExpandLowering, FlipLowering,
               PermuteLowering, SliceLowering, SqueezeLowering,
               StaticInfoCastLowering, UnsqueezeLowering, ViewDtypeLowering,
               ViewLowering>(types, patterns.getContext(), unsupported);
}
