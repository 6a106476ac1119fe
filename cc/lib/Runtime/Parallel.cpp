//===- Parallel.cpp - Parallel loops as calls of the thread pool ----------===//

#include "Parallel.h"

#include "Memory.h"
#include "Outline.h"
#include "ThreadPool.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace isthmus;

namespace {

constexpr StringLiteral kLoopPrefix = "isthmus.loop";

/// Trip count of one loop of a `scf.forall`.
Value tripCount(OpBuilder &builder, Location loc, OpFoldResult begin,
                OpFoldResult end, OpFoldResult step) {
  AffineExpr b, e, s;
  bindSymbols(builder.getContext(), b, e, s);
  return getValueOrCreateConstantIndexOp(
      builder, loc,
      affine::makeComposedFoldedAffineApply(
          builder, loc, AffineMap::get(0, 3, (e - b).ceilDiv(s)),
          {begin, end, step}));
}

/// Moves small buffers that are private to one iteration to the stack, outside
/// the loop over iterations.
void moveSmallBuffersToStack(func::FuncOp loop) {
  constexpr int64_t kMostBytes = 256 * 1024;
  int64_t total = 0;
  SmallVector<memref::AllocOp> small;
  loop.walk([&](memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    if (!type.hasStaticShape() || !type.getElementType().isIntOrIndexOrFloat())
      return;
    int64_t bits =
        type.getElementType().isIndex() ? 64 : type.getElementTypeBitWidth();
    total += type.getNumElements() * std::max<int64_t>(bits / 8, 1);
    if (total <= kMostBytes)
      small.push_back(alloc);
  });
  auto builder = OpBuilder::atBlockBegin(&loop.front());
  for (memref::AllocOp alloc : small) {
    Value buffer = memref::AllocaOp::create(
        builder, alloc.getLoc(), alloc.getType(), alloc.getAlignmentAttr());
    alloc.replaceAllUsesWith(buffer);
    alloc.erase();
  }
}

func::FuncOp outline(scf::ForallOp forall, SymbolTable &symbols) {
  Location loc = forall.getLoc();
  OpBuilder builder(forall);

  // Constants are cloned inside; all other values become arguments.
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(forall.getRegion(), used);
  SmallVector<Value> captured, constants;
  for (Value value : used)
    (matchPattern(value, m_Constant()) ? constants : captured).push_back(value);

  SmallVector<Value> counts, lowers, steps;
  for (auto [begin, end, step] :
       llvm::zip(forall.getMixedLowerBound(), forall.getMixedUpperBound(),
                 forall.getMixedStep())) {
    counts.push_back(tripCount(builder, loc, begin, end, step));
    lowers.push_back(getValueOrCreateConstantIndexOp(builder, loc, begin));
    steps.push_back(getValueOrCreateConstantIndexOp(builder, loc, step));
  }
  Value total = counts.front();
  for (Value count : ArrayRef(counts).drop_front())
    total = arith::MulIOp::create(builder, loc, total, count);
  for (ArrayRef<Value> bounds :
       {ArrayRef(counts), ArrayRef(lowers), ArrayRef(steps)})
    for (Value value : bounds)
      if (Attribute constant; matchPattern(value, m_Constant(&constant)))
        constants.push_back(value);
      else
        captured.push_back(value);

  SmallVector<Type> types = llvm::to_vector(ValueRange(captured).getTypes());
  types.append(2, builder.getIndexType());
  auto function = func::FuncOp::create(loc, kLoopPrefix,
                                       builder.getFunctionType(types, {}));
  function.setPrivate();
  symbols.insert(function);
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  IRMapping values;
  values.map(captured, entry->getArguments().drop_back(2));
  for (Value value : constants)
    if (!values.contains(value))
      values.map(value, builder.clone(*value.getDefiningOp())->getResult(0));

  Value begin = entry->getArguments().end()[-2];
  Value end = entry->getArguments().back();
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, begin, end, one);
  func::ReturnOp::create(builder, loc);
  builder.setInsertionPointToStart(loop.getBody());
  // The last loop of the nest varies fastest.
  Value rest = loop.getInductionVar();
  for (size_t i = counts.size(); i-- > 0;) {
    Value index = rest;
    if (i > 0) {
      Value count = values.lookup(counts[i]);
      index = arith::RemUIOp::create(builder, loc, rest, count);
      rest = arith::DivUIOp::create(builder, loc, rest, count);
    }
    index = arith::MulIOp::create(builder, loc, index, values.lookup(steps[i]));
    index =
        arith::AddIOp::create(builder, loc, index, values.lookup(lowers[i]));
    values.map(forall.getInductionVar(i), index);
  }
  for (Operation &op : forall.getBody()->without_terminator())
    builder.clone(op, values);

  builder.setInsertionPoint(forall);
  SmallVector<Value> arguments = captured;
  arguments.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  arguments.push_back(total);
  func::CallOp::create(builder, loc, function, arguments);
  forall.erase();
  moveSmallBuffersToStack(function);
  return function;
}

} // namespace

void isthmus::outlineParallelLoops(ModuleOp module) {
  SmallVector<scf::ForallOp> loops;
  module.walk<WalkOrder::PreOrder>([&](scf::ForallOp forall) {
    loops.push_back(forall);
    return WalkResult::skip();
  });
  SymbolTable symbols(module);
  SmallVector<func::FuncOp> functions;
  for (scf::ForallOp forall : loops)
    functions.push_back(outline(forall, symbols));
  shareEqualFunctions(module, functions);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {

/// `void(context, begin, end)`: calls `loop` with the arguments stored in the
/// context.
LLVM::LLVMFuncOp addThunk(LLVM::LLVMFuncOp loop, LLVM::LLVMStructType context) {
  Location loc = loop.getLoc();
  OpBuilder builder(loop);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto index = builder.getI64Type();
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(builder.getContext()), {pointer, index, index});
  auto thunk =
      LLVM::LLVMFuncOp::create(builder, loc, (loop.getName() + ".range").str(),
                               type, LLVM::Linkage::Internal);
  Block *entry = thunk.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  Value packed =
      LLVM::LoadOp::create(builder, loc, context, entry->getArgument(0));
  SmallVector<Value> arguments;
  for (unsigned i = 0; i < context.getBody().size(); ++i)
    arguments.push_back(LLVM::ExtractValueOp::create(builder, loc, packed, i));
  llvm::append_range(arguments, entry->getArguments().drop_front());
  LLVM::CallOp::create(builder, loc, loop, arguments);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return thunk;
}

/// Takes the arguments of `loop`, stores them in a context and runs the loop in
/// pieces. It is a separate function: inline, a program of thousands of loops
/// would have thousands of contexts on its stack and in LLVM's passes.
LLVM::LLVMFuncOp addDispatch(LLVM::LLVMFuncOp loop, LLVM::LLVMFuncOp parallel) {
  Location loc = loop.getLoc();
  OpBuilder builder(loop);
  MLIRContext *context = builder.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto dispatch = LLVM::LLVMFuncOp::create(
      builder, loc, (loop.getName() + ".dispatch").str(),
      loop.getFunctionType(), LLVM::Linkage::Internal);
  dispatch.setNoInline(true);
  Block *entry = dispatch.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  // All but the begin, which is 0, and the end of the iterations.
  ValueRange captured = entry->getArguments().drop_back(2);
  auto packedType = LLVM::LLVMStructType::getLiteral(
      context, llvm::to_vector(captured.getTypes()));
  Value one = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), 1);
  Value packed = LLVM::AllocaOp::create(builder, loc, pointer, packedType, one);
  for (auto [i, value] : llvm::enumerate(captured)) {
    Value field = LLVM::GEPOp::create(builder, loc, pointer, packedType, packed,
                                      ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
    LLVM::StoreOp::create(builder, loc, value, field);
  }
  Value body =
      LLVM::AddressOfOp::create(builder, loc, addThunk(loop, packedType));
  LLVM::CallOp::create(builder, loc, parallel,
                       ValueRange{body, packed, entry->getArguments().back()});
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return dispatch;
}

} // namespace

void isthmus::dispatchParallelLoops(ModuleOp module) {
  SmallVector<LLVM::CallOp> calls;
  module.walk([&](LLVM::CallOp call) {
    if (call.getCallee() && call.getCallee()->starts_with(kLoopPrefix))
      calls.push_back(call);
  });
  if (calls.empty())
    return;
  MLIRContext *context = module.getContext();
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto parallel = LLVM::LLVMFuncOp::create(
      builder, module.getLoc(), "isthmusParallel",
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                  {pointer, pointer, builder.getI64Type()}));
  SymbolTable symbols(module);
  llvm::DenseMap<Operation *, LLVM::LLVMFuncOp> dispatches;
  for (LLVM::CallOp call : calls) {
    auto loop = symbols.lookup<LLVM::LLVMFuncOp>(*call.getCallee());
    LLVM::LLVMFuncOp &dispatch = dispatches[loop];
    if (!dispatch) {
      loop.setLinkage(LLVM::Linkage::Internal);
      dispatch = addDispatch(loop, parallel);
    }
    call.setCallee(dispatch.getName());
  }
}

void isthmus::isthmusParallel(void (*body)(void *, int64_t, int64_t),
                              void *context, int64_t iterations) {
  struct Loop {
    void (*body)(void *, int64_t, int64_t);
    void *context;
    RunContext *run;
  } loop{body, context, RunContext::current};

  loop.run->threads.run(
      [](void *argument, int64_t begin, int64_t end) {
        struct Piece {
          const Loop &loop;
          int64_t begin, end;
        } piece{*static_cast<Loop *>(argument), begin, end};
        RunContext *outer = RunContext::current;
        RunContext::current = piece.loop.run;
        if (!piece.loop.run->hasFailed())
          runUntilFailure(
              [](void *argument) {
                auto *piece = static_cast<Piece *>(argument);
                piece->loop.run->poll();
                piece->loop.body(piece->loop.context, piece->begin, piece->end);
              },
              &piece);
        RunContext::current = outer;
      },
      &loop, iterations);
  if (loop.run->hasFailed())
    leave();
}
