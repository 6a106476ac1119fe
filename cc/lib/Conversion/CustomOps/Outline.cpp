//===- Outline.cpp - Modules and ONNX functions as custom ops -------------===//
//
// All ops of one call of a module, or of an ONNX function, become the body of a
// function that is called in their place. The function records its custom op
// (docs/custom_ops.md): a backend with a kernel for it uses the call, any other
// lowers the body.
//
//===----------------------------------------------------------------------===//

#include "OutlinedPart.h"
#include "isthmus/Dialect/Torch/OpNames.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

#define GEN_PASS_DEF_OUTLINECUSTOMOPS
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::custom_ops;

/// "LayerNorm" means "torch.nn.modules.normalization.LayerNorm".
static bool means(StringRef name, StringRef full) {
  return full == name || (full.consume_back(name) && full.ends_with("."));
}

namespace {

struct OutlineCustomOps
    : isthmus::impl::OutlineCustomOpsBase<OutlineCustomOps> {
  using OutlineCustomOpsBase::OutlineCustomOpsBase;

  void runOnOperation() override {
    if (failed(checkNames()))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    SmallVector<Block *> blocks;
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody())
        blocks.push_back(&block);
    bool complete = true;
    for (Block *block : blocks)
      complete &= outline(*block, symbols);
    if (!complete)
      signalPassFailure();
  }

private:
  /// The outermost selected scope that encloses an op.
  std::optional<Enclosing> findAsked(Operation *op) {
    for (const Enclosing &one : enclosingOf(op->getLoc()))
      if (llvm::any_of(names, [&](StringRef name) {
            return means(name, one.name.getValue());
          }))
        return one;
    return std::nullopt;
  }

  using Parts = llvm::MapVector<std::pair<Attribute, Attribute>,
                                std::unique_ptr<OutlinedPart>>;

  /// The part that an op belongs to; null for none. A list is unpacked where it
  /// is created.
  OutlinedPart *findPart(Operation *op, Parts &parts) {
    Operation *whole = op;
    if (auto unpack = dyn_cast<torch::PrimListUnpackOp>(op))
      if (Operation *list = unpack.getOperand().getDefiningOp();
          list && list->getBlock() == op->getBlock() && !isMadeAnew(list))
        whole = list;
    std::optional<Enclosing> asked = findAsked(whole);
    if (!asked || op->hasTrait<OpTrait::IsTerminator>() || isMadeAnew(op))
      return nullptr;
    auto &part = parts[{asked->name, asked->instance}];
    if (!part)
      part = std::make_unique<OutlinedPart>(*asked, *op->getBlock());
    return part.get();
  }

  bool outline(Block &block, SymbolTable &symbols) {
    Parts parts;
    SmallVector<Block *> nested;
    for (Operation &op : block) {
      if (OutlinedPart *part = findPart(&op, parts)) {
        part->add(&op);
        continue;
      }
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          nested.push_back(&inner);
    }
    bool complete = true;
    for (auto &[key, part] : parts) {
      if (succeeded(part->moveTogether())) {
        complete &= succeeded(part->outline(symbols));
        continue;
      }
      part->fail() << "expected nodes that can run in one go, but what others "
                      "make of its results comes back into it";
      complete = false;
    }
    for (Block *inner : nested)
      complete &= outline(*inner, symbols);
    return complete;
  }

  /// A name that nothing in the model has is an error that suggests the nearest
  /// name.
  LogicalResult checkNames() {
    llvm::StringSet<> known;
    getOperation().walk([&](Operation *op) {
      for (const Enclosing &one : enclosingOf(op->getLoc()))
        known.insert(one.name.getValue());
    });
    SmallVector<StringRef> spellings;
    for (StringRef full : known.keys())
      spellings.push_back(full.rsplit('.').second);
    llvm::sort(spellings);
    for (StringRef name : names) {
      if (llvm::any_of(known.keys(),
                       [&](StringRef full) { return means(name, full); }))
        continue;
      InFlightDiagnostic error = emitError(getOperation().getLoc());
      if (spellings.empty())
        return error
               << "expected nodes in modules or functions, to outline '" << name
               << "', got none: a program of PyTorch has modules, an ONNX "
                  "model may have functions, and MLIR text keeps both if "
                  "it is printed with --mlir-print-debuginfo";
      return error << "expected the class of a module, or a function, that the "
                      "model has, such as '"
                   << torch::nearestName(name, spellings) << "', got '" << name
                   << "'";
    }
    return success();
  }
};

} // namespace
