//===- MhloToStablehlo.cpp - Rename MHLO to StableHLO ---------------------===//

#include "isthmus/Conversion/Passes.h"
#include "isthmus/Dialect/Mhlo/Mhlo.h"
#include "isthmus/Dialect/Mhlo/Stablehlo.h"
#include "isthmus/Support/Prefetch.h"
#include "llvm/ADT/TypeSwitch.h"

namespace isthmus {
#define GEN_PASS_DEF_MHLOTOSTABLEHLO
#include "isthmus/Conversion/Passes.h.inc"
} // namespace isthmus

using namespace mlir;
using namespace isthmus;

namespace {

Attribute toStablehlo(Attribute attribute) {
  MLIRContext *context = attribute.getContext();
  return TypeSwitch<Attribute, Attribute>(attribute)
      .Case([&](mhlo::ComparisonDirectionAttr a) {
        return stablehlo::ComparisonDirectionAttr::get(context, a.getValue());
      })
      .Case([&](mhlo::ComparisonTypeAttr a) {
        return stablehlo::ComparisonTypeAttr::get(context, a.getValue());
      })
      .Case([&](mhlo::ConvDimensionNumbersAttr a) {
        return stablehlo::ConvDimensionNumbersAttr::get(
            context, a.getInputBatchDimension(), a.getInputFeatureDimension(),
            a.getInputSpatialDimensions(), a.getKernelInputFeatureDimension(),
            a.getKernelOutputFeatureDimension(), a.getKernelSpatialDimensions(),
            a.getOutputBatchDimension(), a.getOutputFeatureDimension(),
            a.getOutputSpatialDimensions());
      })
      .Case([&](mhlo::DotDimensionNumbersAttr a) {
        return stablehlo::DotDimensionNumbersAttr::get(
            context, a.getLhsBatchingDimensions(), a.getRhsBatchingDimensions(),
            a.getLhsContractingDimensions(), a.getRhsContractingDimensions());
      })
      .Case([&](mhlo::FftTypeAttr a) {
        return stablehlo::FftTypeAttr::get(context, a.getValue());
      })
      .Case([&](mhlo::GatherDimensionNumbersAttr a) {
        return stablehlo::GatherDimensionNumbersAttr::get(
            context, a.getOffsetDims(), a.getCollapsedSliceDims(),
            a.getOperandBatchingDims(), a.getStartIndicesBatchingDims(),
            a.getStartIndexMap(), a.getIndexVectorDim());
      })
      .Case([&](mhlo::PrecisionAttr a) {
        return stablehlo::PrecisionAttr::get(context, a.getValue());
      })
      .Case([&](mhlo::ScatterDimensionNumbersAttr a) {
        return stablehlo::ScatterDimensionNumbersAttr::get(
            context, a.getUpdateWindowDims(), a.getInsertedWindowDims(),
            a.getInputBatchingDims(), a.getScatterIndicesBatchingDims(),
            a.getScatterDimsToOperandDims(), a.getIndexVectorDim());
      })
      .Case([&](mhlo::TransposeAttr a) {
        return stablehlo::TransposeAttr::get(context, a.getValue());
      })
      .Case([&](ArrayAttr a) {
        return ArrayAttr::get(context, llvm::map_to_vector(a, toStablehlo));
      })
      .Case([&](DenseIntElementsAttr a) -> Attribute {
        // MHLO represents one number or flag per dim as a vector constant.
        if (hlo::isDenseVector(a, 64))
          return DenseI64ArrayAttr::get(
              context, llvm::to_vector(a.getValues<int64_t>()));
        if (hlo::isDenseVector(a, 1))
          return DenseBoolArrayAttr::get(context,
                                         llvm::to_vector(a.getValues<bool>()));
        return a;
      })
      .Default([](Attribute a) { return a; });
}

/// Attributes with program data keep their form: the value of a constant, the
/// attributes of a custom call, and discardable attributes.
bool isProgramData(Operation *op, StringRef name) {
  return isa<mhlo::ConstantOp, mhlo::CustomCallOp>(op) ||
         !op->getInherentAttr(name);
}

class Renaming {
public:
  /// Replaces an MHLO op by the StableHLO op.
  void rename(Operation *op) {
    OperationState state(op->getLoc(), nameOf(op));
    for (Value operand : op->getOperands())
      state.operands.push_back(common.lookup_or(operand, operand));
    state.addTypes(op->getResultTypes());
    for (NamedAttribute each : op->getAttrs())
      state.addAttribute(each.getName(), isProgramData(op, each.getName())
                                             ? each.getValue()
                                             : toStablehlo(each.getValue()));
    for (Region &region : op->getRegions())
      state.addRegion()->takeBody(region);

    OpBuilder builder(op);
    Operation *renamed = builder.create(state);
    if (isCommon(op)) {
      common[op->getResult(0)] = renamed->getResult(0);
      return;
    }
    op->replaceAllUsesWith(renamed);
    op->erase();
  }

  /// Replaces and erases the common constants, after all ops are renamed.
  void finish() {
    for (auto [old, renamed] : common) {
      old.replaceAllUsesWith(renamed);
      old.getDefiningOp()->erase();
    }
  }

private:
  OperationName nameOf(Operation *op) {
    OperationName name = op->getName();
    auto known = names.find(name);
    if (known != names.end())
      return known->second;
    StringRef dialect = stablehlo::StablehloDialect::getDialectNamespace();
    OperationName renamed((dialect + "." + name.stripDialect()).str(),
                          op->getContext());
    return names.try_emplace(name, renamed).first->second;
  }

  static bool isCommon(Operation *op) {
    constexpr unsigned manyUses = 16;
    return isa<mhlo::ConstantOp>(op) &&
           op->getResult(0).hasNUsesOrMore(manyUses);
  }

  DenseMap<OperationName, OperationName> names;
  /// Maps old constants with many uses to new ones. Updating their users
  /// immediately would fetch each user from memory twice.
  DenseMap<Value, Value> common;
};

struct MhloToStablehlo : isthmus::impl::MhloToStablehloBase<MhloToStablehlo> {
  void runOnOperation() override {
    StringRef mhlo = mhlo::MhloDialect::getDialectNamespace();
    Renaming renaming;
    getOperation()->walk([&](Operation *op) {
      prefetchNext(op);
      if (op->getName().getDialectNamespace() == mhlo)
        renaming.rename(op);
    });
    renaming.finish();
  }
};

} // namespace
