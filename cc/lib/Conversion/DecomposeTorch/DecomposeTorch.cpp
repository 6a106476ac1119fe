//===- DecomposeTorch.cpp - Composite ATen ops to core ones ---------------===//

#include "isthmus/Conversion/DecomposeTorch.h"
#include "Complex.h"
#include "Decompositions.h"
#include "Random.h"
#include "isthmus/Conversion/Passes.h"
#include "isthmus/Dialect/Torch/ComplexOps.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/OpNames.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

namespace isthmus {
#define GEN_PASS_DEF_TORCHDECOMPOSECOMPLEXOPS
#include "isthmus/Conversion/Passes.h.inc"
} // namespace isthmus

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

static const Decompositions &allDecompositions() {
  static const Decompositions decompositions = [] {
    Decompositions all;
#define FAMILY(NAME) decompose_torch::populate##NAME(all);
#include "Families.def"
#undef FAMILY
    return all;
  }();
  return decompositions;
}

SmallVector<StringRef> isthmus::decomposedTorchOps() {
  SmallVector<StringRef> names(allDecompositions().getRules().keys());
  llvm::sort(names);
  return names;
}

namespace {

/// The rule for an op: the decomposition of a composite op, or the rewrite to
/// parts of an op on complex numbers. Null if the op is kept.
const Decompositions::Rule *findRule(Operation *op) {
  bool isComposite = op->hasTrait<Composite>();
  const Decompositions::Rule *rule = nullptr;
  if (isComposite ? decompose_torch::hasComplex(op)
                  : decompose_torch::isOnComplex(op))
    rule = decompose_torch::complexForms().find(op->getName());
  return rule || !isComposite ? rule : allDecompositions().find(op->getName());
}

/// Formulas require known ranks and dtypes.
bool isKnown(Type type) {
  auto tensor = dyn_cast<ValueTensorType>(type);
  return !tensor || (tensor.hasRank() && tensor.getDtype());
}

std::string text(Type type) {
  std::string result;
  llvm::raw_string_ostream(result) << type;
  return result;
}

class Decomposer {
public:
  /// Ops of `kept` stay, and those of `keptForReal` that are of real numbers.
  Decomposer(const llvm::StringSet<> &kept,
             const llvm::StringSet<> &keptForReal, UnsupportedOps &unsupported)
      : kept(kept), keptForReal(keptForReal), unsupported(unsupported) {}

  /// Decomposes all composite ops in `root`, in order, including those that
  /// decompositions build. Fails if some remain.
  LogicalResult run(Operation *root) {
    bool complete = true;
    root->walk([&](Operation *op) {
      if (op == root)
        return;
      // The next op is the last of the stack; its decomposition is pushed on
      // top.
      constants.moveTo(op);
      pending.push_back(op);
      while (!pending.empty())
        complete &= succeeded(visit(pending.pop_back_val()));
    });
    if (hasComplex)
      eraseUnusedNumbers(root);
    return success(complete);
  }

  bool isDecomposed(Operation *op) const {
    StringRef name = op->getName().getStringRef();
    return !kept.contains(name) &&
           (!keptForReal.contains(name) || decompose_torch::hasComplex(op)) &&
           (findRule(op) || decompose_torch::isOnComplex(op));
  }

private:
  LogicalResult visit(Operation *op) {
    hasComplex |= isa<AtenComplexOp>(op);
    if (auto list = dyn_cast<PrimListUnpackOp>(op))
      return unpack(list);
    if (isDecomposed(op))
      return decompose(op);
    return success();
  }

  LogicalResult decompose(Operation *op) {
    for (Value operand : op->getOperands()) {
      auto elements = matchList(operand);
      if (!isKnown(operand.getType()) ||
          (elements &&
           !llvm::all_of(ValueRange(*elements).getTypes(), isKnown)))
        return unsupported.decline(op)
               << "expected tensors of known rank and dtype, got "
               << operand.getType();
    }
    for (Value result : op->getResults()) {
      auto tensor = dyn_cast<ValueTensorType>(result.getType());
      if (tensor && !tensor.getDtype() && !result.use_empty())
        return unsupported.decline(op)
               << "expected a result of known dtype, got " << tensor;
    }

    const Decompositions::Rule *rule = findRule(op);
    bool isForReal = op->hasTrait<Composite>() &&
                     decompose_torch::hasComplex(op) &&
                     !decompose_torch::holdsForComplex(op);
    if (!rule || isForReal)
      return unsupported.decline(op) << "expected real numbers: nothing says "
                                        "what it does to complex ones";
    Operation *before = op->getPrevNode();
    OpBuilder opBuilder(op);
    TorchBuilder b(opBuilder, op->getLoc(), &constants);
    SmallVector<Value> values = (*rule)(op, b);
    if (b.error().empty())
      for (auto [value, result] : llvm::zip_equal(values, op->getResults())) {
        if (!value && !result.use_empty())
          b.fail("expected operands that give a value for each used result");
        if (value && !isSame(value.getType(), result.getType()))
          b.fail("expected a result of type " + text(value.getType()) +
                 ", got " + text(result.getType()));
      }
    if (!b.error().empty()) {
      while (op->getPrevNode() != before) {
        constants.forget(op->getPrevNode());
        op->getPrevNode()->erase();
      }
      return unsupported.decline(op) << b.error();
    }
    // The first one comes last, and an op with regions after those in them.
    for (Operation *built = op->getPrevNode(); built != before;
         built = built->getPrevNode())
      built->walk<WalkOrder::PostOrder, ReverseIterator>(
          [&](Operation *nested) { pending.push_back(nested); });

    replace(op, values);
    return success();
  }

  /// Replaces the results by the elements if the list is constructed here.
  LogicalResult unpack(PrimListUnpackOp op) {
    auto elements = matchList(op.getList());
    if (!elements || elements->size() != op->getNumResults())
      return success();
    for (auto [element, result] : llvm::zip_equal(*elements, op->getResults()))
      if (!isSame(element.getType(), result.getType()))
        return unsupported.decline(op)
               << "expected a result of type " << element.getType() << ", got "
               << result.getType();
    replace(op, *elements);
    return success();
  }

  /// Erases the constants and lists that are unused after an op was erased.
  void eraseUnused(ValueRange arguments) {
    llvm::SmallSetVector<Operation *, 8> pending;
    auto add = [&](ValueRange values) {
      for (Value value : values)
        if (Operation *op = value.getDefiningOp())
          pending.insert(op);
    };
    add(arguments);
    while (!pending.empty()) {
      Operation *op = pending.pop_back_val();
      bool isArgument = isa<PrimListConstructOp, DerefineOp>(op) ||
                        op->hasTrait<OpTrait::ConstantLike>();
      if (!isArgument || !op->use_empty())
        continue;
      add(op->getOperands());
      constants.forget(op);
      op->erase();
    }
  }

  /// Erases unused complex tensors, and their unused zero parts.
  void eraseUnusedNumbers(Operation *root) {
    SmallVector<AtenComplexOp> numbers;
    root->walk([&](AtenComplexOp op) { numbers.push_back(op); });
    auto erase = [this](Operation *op) {
      if (!op || !op->use_empty())
        return;
      SmallVector<Value> operands(op->getOperands());
      constants.forget(op);
      op->erase();
      eraseUnused(operands);
    };
    for (AtenComplexOp op : llvm::reverse(numbers)) {
      for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
        if (isa<TensorStaticInfoCastOp>(user))
          erase(user);
      auto zeros = op.getImag().getDefiningOp<AtenFullOp>();
      erase(op);
      erase(zeros);
    }
  }

  void replace(Operation *op, ArrayRef<Value> values) {
    OpBuilder builder(op);
    for (auto [value, result] : llvm::zip_equal(values, op->getResults())) {
      if (!value)
        continue;
      Value same = value;
      if (value.getType() != result.getType())
        same = TensorStaticInfoCastOp::create(builder, op->getLoc(),
                                              result.getType(), value);
      result.replaceAllUsesWith(same);
    }
    SmallVector<Value> operands(op->getOperands());
    op->erase();
    eraseUnused(operands);
  }

  /// True unless the known ranks, sizes or dtypes differ.
  static bool isSame(Type a, Type b) {
    auto first = dyn_cast<ValueTensorType>(a),
         second = dyn_cast<ValueTensorType>(b);
    if (!first || !second)
      return a == b;
    bool sameDtype =
        !second.getDtype() || first.getDtype() == second.getDtype();
    return sameDtype && (!first.hasRank() || !second.hasRank() ||
                         succeeded(verifyCompatibleShape(first.getSizes(),
                                                         second.getSizes())));
  }

  const llvm::StringSet<> &kept, &keptForReal;
  UnsupportedOps &unsupported;
  SmallVector<Operation *> pending;
  ConstantPool constants{ConstantPool::Place::Front};
  bool hasComplex = false;
};

struct TorchDecomposeComplexOps
    : isthmus::impl::TorchDecomposeComplexOpsBase<TorchDecomposeComplexOps> {
  using TorchDecomposeComplexOpsBase::TorchDecomposeComplexOpsBase;

  void runOnOperation() override {
    Operation *root = getOperation();
    auto resolve = [&](const auto &names) {
      return resolveOpNames(
          root, SmallVector<std::string>(names.begin(), names.end()));
    };
    FailureOr<llvm::StringSet<>> kept = resolve(legalOps),
                                 keptForReal = resolve(keptOps);
    if (failed(kept) || failed(keptForReal))
      return signalPassFailure();
    decompose_torch::numberRandomOps(root, randomSeed);
    UnsupportedOps unsupported;
    Decomposer decomposer(*kept, *keptForReal, unsupported);
    if (succeeded(decomposer.run(root)) || leaveUnsupported)
      return;
    root->walk([&](Operation *op) {
      if (!decomposer.isDecomposed(op))
        return;
      unsupported.emitError(op, "core torch ops");
      signalPassFailure();
    });
  }
};

} // namespace
