//===- Assertions.cpp - Assertions before memory accesses -----------------===//
//
// A size may be any number. Before a buffer is allocated or written, an
// assertion checks its sizes, and a failed one ends the run, not the process.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"

#include "isthmus/Support/VerifyProgram.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <map>
#include <queue>

using namespace mlir;
using namespace isthmus;

//===----------------------------------------------------------------------===//
// Early assertions
//===----------------------------------------------------------------------===//

namespace {

/// Moves the assertions of a block up to where their operands are available,
/// together with the ops that compute these operands.
class EarlyAssertions {
public:
  explicit EarlyAssertions(Block &block) : block(block) {}

  void hoist() {
    SmallVector<Operation *> ops;
    for (Operation &op : block) {
      ops.push_back(&op);
      if (isa<cf::AssertOp>(op))
        addMoving(&op);
    }
    if (moving.empty())
      return;
    llvm::DenseMap<Operation *, unsigned> places;
    for (auto [place, op] : llvm::enumerate(ops))
      if (moving.contains(op))
        places[op] = place;
    // Among the ready ops, the original order is kept: an assertion may guard
    // the operation after it.
    std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
    auto arrive = [&](Operation *op) {
      op->moveBefore(&block, block.end());
      for (Operation *user : waiting.lookup(op))
        if (--missing[user] == 0)
          ready.push(places[user]);
    };
    auto arriveReady = [&] {
      while (!ready.empty()) {
        Operation *op = ops[ready.top()];
        ready.pop();
        arrive(op);
      }
    };
    for (auto [op, place] : places)
      if (missing[op] == 0)
        ready.push(place);
    arriveReady();
    for (Operation *op : ops) {
      if (places.contains(op))
        continue;
      arrive(op);
      arriveReady();
    }
  }

private:
  static bool isCheap(Operation *op) {
    return isa<arith::ArithDialect, affine::AffineDialect>(op->getDialect()) ||
           isa<tensor::DimOp>(op);
  }

  /// Adds an operation and the ops of the block that compute its operands.
  void addMoving(Operation *root) {
    SmallVector<Operation *> pending{root};
    while (!pending.empty()) {
      Operation *op = pending.pop_back_val();
      if (!moving.insert(op).second)
        continue;
      llvm::SmallPtrSet<Operation *, 4> producers;
      for (Value operand : op->getOperands())
        if (Operation *producer = operand.getDefiningOp())
          if (producer->getBlock() == &block)
            producers.insert(producer);
      missing[op] = producers.size();
      for (Operation *producer : producers) {
        waiting[producer].push_back(op);
        if (isCheap(producer) && producer->getNumRegions() == 0 &&
            isMemoryEffectFree(producer))
          pending.push_back(producer);
      }
    }
  }

  Block &block;
  llvm::DenseSet<Operation *> moving;
  llvm::DenseMap<Operation *, unsigned> missing;
  llvm::DenseMap<Operation *, SmallVector<Operation *, 2>> waiting;
};

} // namespace

void isthmus::hoistAssertions(ModuleOp module) {
  llvm::SetVector<Block *> blocks;
  module.walk([&](cf::AssertOp op) { blocks.insert(op->getBlock()); });
  for (Block *block : blocks)
    EarlyAssertions(*block).hoist();
}

//===----------------------------------------------------------------------===//
// Sizes of buffers
//===----------------------------------------------------------------------===//

LogicalResult isthmus::assertAllocations(ModuleOp module) {
  // More than the address space holds; smaller sizes may still be rejected by
  // the pool.
  constexpr double mostBytes = 0x1p47;
  // Keyed by the values that determine the size: asserted once where that is
  // enough.
  std::map<std::pair<double, std::vector<const void *>>, Operation *> asserted;
  WalkResult result = module.walk([&](memref::AllocOp alloc) -> WalkResult {
    MemRefType type = alloc.getType();
    std::optional<ElementType> element = elementTypeOf(type.getElementType());
    double bytes = element ? sizeOf(*element) : 64;
    for (int64_t size : type.getShape())
      if (!ShapedType::isDynamic(size))
        bytes *= static_cast<double>(size);
    if (bytes > mostBytes)
      return alloc.emitError("expected a buffer that memory can hold, got ")
             << type;
    if (type.hasStaticShape() || bytes == 0)
      return WalkResult::advance();
    std::vector<const void *> sizes;
    for (Value size : alloc.getDynamicSizes())
      sizes.push_back(size.getAsOpaquePointer());
    Operation *&earlier = asserted[{bytes, std::move(sizes)}];
    if (earlier && earlier->getBlock()->findAncestorOpInBlock(*alloc))
      return WalkResult::advance();
    earlier = alloc;
    // Computed in doubles, whose product does not wrap; a negative size is
    // large as an unsigned one.
    ImplicitLocOpBuilder b(alloc.getLoc(), alloc);
    Type f64 = b.getF64Type();
    Value product =
        arith::ConstantOp::create(b, b.getF64FloatAttr(bytes)).getResult();
    for (Value size : alloc.getDynamicSizes()) {
      Value integer = arith::IndexCastOp::create(b, b.getI64Type(), size);
      product = arith::MulFOp::create(b, product,
                                      arith::UIToFPOp::create(b, f64, integer));
    }
    Value most = arith::ConstantOp::create(b, b.getF64FloatAttr(mostBytes));
    cf::AssertOp::create(
        b, arith::CmpFOp::create(b, arith::CmpFPredicate::OLE, product, most),
        "out of memory: a tensor of 2^47 bytes or more");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult isthmus::assertBounds(ModuleOp module) {
  PassManager pm(module.getContext());
  pm.enableVerifier(verifiesEachPass());
  pm.addPass(createGenerateRuntimeVerificationPass());
  return pm.run(module);
}

//===----------------------------------------------------------------------===//
// Failing
//===----------------------------------------------------------------------===//

/// The two numbers that a condition compares, as i64 before `op`; empty if it
/// is not a comparison of integers.
static SmallVector<Value> comparedNumbers(cf::AssertOp op) {
  auto comparison = op.getArg().getDefiningOp<arith::CmpIOp>();
  if (!comparison)
    return {};
  Type type = comparison.getLhs().getType();
  if (!type.isIndex() &&
      (!type.isInteger() || type.getIntOrFloatBitWidth() > 64))
    return {};
  OpBuilder builder(op);
  Type i64 = builder.getI64Type();
  auto asNumber = [&](Value value) -> Value {
    if (value.getType() == i64)
      return value;
    if (value.getType().isIndex())
      return arith::IndexCastOp::create(builder, op.getLoc(), i64, value);
    return arith::ExtSIOp::create(builder, op.getLoc(), i64, value);
  };
  return {asNumber(comparison.getLhs()), asNumber(comparison.getRhs())};
}

/// True where an inline branch would be one of thousands in its function:
/// outside of loops, the cost of a call is negligible.
static bool isOutsideOfLoops(cf::AssertOp op) {
  auto function = dyn_cast<func::FuncOp>(op->getParentOp());
  return function && function.isPublic();
}

void isthmus::lowerAssertions(ModuleOp module) {
  MLIRContext *context = module.getContext();
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  llvm::StringMap<LLVM::LLVMFuncOp> callees;
  auto call = [&](OpBuilder &at, Location loc, StringRef name,
                  ValueRange arguments) {
    LLVM::LLVMFuncOp &callee = callees[name];
    if (!callee)
      callee = LLVM::LLVMFuncOp::create(
          builder, loc, name,
          LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                      llvm::to_vector(arguments.getTypes())));
    LLVM::CallOp::create(at, loc, callee, arguments);
  };
  llvm::StringMap<LLVM::GlobalOp> messages;
  module.walk([&](cf::AssertOp op) {
    Location loc = op.getLoc();
    SmallVector<Value> numbers = comparedNumbers(op);
    LLVM::GlobalOp &message = messages[op.getMsg()];
    if (!message) {
      std::string text = op.getMsg().str() + '\0';
      message = LLVM::GlobalOp::create(
          builder, loc,
          LLVM::LLVMArrayType::get(builder.getI8Type(), text.size()),
          /*isConstant=*/true, LLVM::Linkage::Internal,
          "isthmus.message." + std::to_string(messages.size()),
          builder.getStringAttr(text));
    }
    OpBuilder at(op);
    if (isOutsideOfLoops(op)) {
      SmallVector<Value> arguments{
          arith::ExtUIOp::create(at, loc, at.getI64Type(), op.getArg()),
          LLVM::AddressOfOp::create(at, loc, message)};
      llvm::append_range(arguments, numbers);
      call(at, loc, numbers.empty() ? "isthmusCheck" : "isthmusCheckComparing",
           arguments);
    } else {
      Value truth = arith::ConstantIntOp::create(at, loc, 1, 1);
      Value failed = arith::XOrIOp::create(at, loc, op.getArg(), truth);
      scf::IfOp::create(at, loc, failed, [&](OpBuilder &then, Location loc) {
        SmallVector<Value> arguments{
            LLVM::AddressOfOp::create(then, loc, message)};
        llvm::append_range(arguments, numbers);
        call(then, loc,
             numbers.empty() ? "isthmusFail" : "isthmusFailComparing",
             arguments);
        scf::YieldOp::create(then, loc);
      });
    }
    op.erase();
  });
}
