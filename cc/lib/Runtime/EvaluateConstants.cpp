//===- EvaluateConstants.cpp - Tensors that follow from constants ---------===//
//
// A quantized model stores its weights as bytes, and computes from them what
// its contractions read. A run would do so each time, and these weights could
// not be packed. Here, a program of these computations alone runs once, while
// the module is compiled, and its results are constants of the module.
//
// Such a computation moves elements or maps them one by one, and its tensors
// are at most a few times as large as the constants. So its cost is bounded by
// the size of the model.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// A smaller result costs less in a run than here.
constexpr uint64_t kLeastBytes = 1 << 16;
/// Of a result, relative to the constants: i8 becomes i32, f32 or i64.
constexpr uint64_t kMostGrowth = 8;
/// Of all tensors on the way to a result, relative to the constants.
constexpr uint64_t kMostWork = 64;
/// Of all results, in bytes: weights that are large as bytes stay bytes.
constexpr uint64_t kMostBytes = 256 << 20;

/// The bytes of a tensor or buffer of static sizes; 0 for other values.
uint64_t bytesOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  auto element = shaped ? elementTypeOf(shaped.getElementType()) : std::nullopt;
  uint64_t bytes = element ? sizeOf(*element) : 0;
  if (bytes)
    for (int64_t size : shaped.getShape())
      bytes = llvm::SaturatingMultiply(bytes, uint64_t(size));
  return bytes;
}

/// Reads the memory of a constant. State is copied before it is used.
bool isConstant(Operation *op) {
  return isa<arith::ConstantOp, memref::GetGlobalOp>(op);
}

/// Moves elements, or maps them one by one. The buffers that become tensors are
/// constants.
bool isLinear(Operation *op) {
  auto hasStaticTensors = [](TypeRange types) {
    return llvm::all_of(types, [](Type type) {
      auto shaped = dyn_cast<ShapedType>(type);
      return !shaped || shaped.hasStaticShape();
    });
  };
  if (!hasStaticTensors(op->getOperandTypes()) ||
      !hasStaticTensors(op->getResultTypes()))
    return false;
  if (isa<bufferization::ToTensorOp>(op))
    return true;
  if (!isMemoryEffectFree(op))
    return false;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return structured.hasPureTensorSemantics() &&
           structured.getNumLoops() == structured.getNumParallelLoops();
  return isa<tensor::CollapseShapeOp, tensor::EmptyOp, tensor::ExpandShapeOp,
             tensor::ExtractOp, tensor::ExtractSliceOp>(op) ||
         (isa<arith::ArithDialect>(op->getDialect()) &&
          op->getNumRegions() == 0 &&
          !isa<ShapedType>(op->getResultTypes()[0]));
}

/// Whether an op computes new elements. One that only moves them stays in the
/// program: a contraction reads a transposed constant at no cost.
bool isComputation(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && !llvm::hasSingleElement(*structured.getBlock());
}

class Evaluation {
public:
  Evaluation(func::FuncOp function, uint64_t &budget)
      : function(function), budget(budget) {}

  /// The tensors to compute, in program order.
  SmallVector<Value> findResults();
  /// A module with a function `main` that computes them.
  OwningOpRef<ModuleOp> programOf(ArrayRef<Value> results);

private:
  /// The ops that determine a value.
  SetVector<Operation *> sourcesOf(Value value);
  bool isWorthwhile(Value value);

  func::FuncOp function;
  uint64_t &budget;
};

SetVector<Operation *> Evaluation::sourcesOf(Value value) {
  SetVector<Operation *> sources;
  sources.insert(value.getDefiningOp());
  for (size_t i = 0; i < sources.size(); ++i) {
    for (Value operand : sources[i]->getOperands())
      sources.insert(operand.getDefiningOp());
    visitUsedValuesDefinedAbove(sources[i]->getRegions(), [&](OpOperand *use) {
      sources.insert(use->get().getDefiningOp());
    });
  }
  return sources;
}

bool Evaluation::isWorthwhile(Value value) {
  uint64_t bytes = bytesOf(value.getType());
  if (!isa<RankedTensorType>(value.getType()) || bytes < kLeastBytes)
    return false;
  uint64_t constants = 0, work = 0;
  bool isComputed = false;
  for (Operation *op : sourcesOf(value)) {
    isComputed |= isComputation(op);
    for (Type type : op->getResultTypes()) {
      uint64_t &sum = isa<memref::GetGlobalOp>(op) ? constants : work;
      sum = llvm::SaturatingAdd(sum, bytesOf(type));
    }
  }
  return isComputed && bytes / kMostGrowth <= constants &&
         work / kMostWork <= constants;
}

SmallVector<Value> Evaluation::findResults() {
  DenseSet<Operation *> known;
  auto isKnown = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return op && known.contains(op);
  };
  for (Operation &op : function.front()) {
    bool isDetermined = isConstant(&op);
    if (!isDetermined && isLinear(&op)) {
      isDetermined = llvm::all_of(op.getOperands(), isKnown);
      visitUsedValuesDefinedAbove(op.getRegions(), [&](OpOperand *use) {
        isDetermined &= isKnown(use->get());
      });
    }
    if (isDetermined)
      known.insert(&op);
  }
  SmallVector<Value> results;
  for (Operation &op : function.front()) {
    if (!known.contains(&op) ||
        llvm::all_of(op.getUsers(),
                     [&](Operation *user) { return known.contains(user); }))
      continue;
    for (Value value : op.getResults()) {
      uint64_t bytes = bytesOf(value.getType());
      if (bytes > budget || !isWorthwhile(value))
        continue;
      budget -= bytes;
      results.push_back(value);
    }
  }
  return results;
}

OwningOpRef<ModuleOp> Evaluation::programOf(ArrayRef<Value> results) {
  Location loc = function.getLoc();
  OwningOpRef<ModuleOp> program = ModuleOp::create(loc);
  SetVector<Operation *> sources;
  for (Value value : results)
    sources.insert_range(sourcesOf(value));
  auto builder = OpBuilder::atBlockBegin(program->getBody());
  auto main = func::FuncOp::create(
      builder, loc, "main",
      builder.getFunctionType({}, TypeRange(ValueRange(results))));
  auto parent = function->getParentOfType<ModuleOp>();
  SymbolTable from(parent), to(*program);
  builder.setInsertionPointToStart(main.addEntryBlock());
  IRMapping mapping;
  for (Operation &op : function.front()) {
    if (!sources.contains(&op))
      continue;
    auto constant = dyn_cast<memref::GetGlobalOp>(op);
    if (constant && !to.lookup(constant.getName()))
      to.insert(from.lookup(constant.getName())->clone());
    builder.clone(op, mapping);
  }
  SmallVector<Value> mapped;
  for (Value value : results)
    mapped.push_back(mapping.lookup(value));
  func::ReturnOp::create(builder, loc, mapped);
  return program;
}

} // namespace

void isthmus::evaluateConstants(ModuleOp module, ConstantTable &table,
                                Evaluator evaluate) {
  uint64_t budget = kMostBytes;
  ConstantTensors constants(module, table);
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    Evaluation evaluation(function, budget);
    SmallVector<Value> values = evaluation.findResults();
    if (values.empty())
      continue;
    OwningOpRef<ModuleOp> program = evaluation.programOf(values);
    std::optional<SmallVector<Tensor>> tensors = evaluate(*program);
    if (!tensors)
      continue; // each run computes them
    for (auto [value, tensor] : llvm::zip_equal(values, *tensors))
      value.replaceAllUsesWith(
          constants.tensorOver(table.keep(tensor.getOwner()),
                               cast<RankedTensorType>(value.getType()),
                               function.front(), value.getLoc()));
  }
}
