//===- Buffers.cpp - State that a program keeps from run to run -----------===//
//
// A buffer that a program mutates begins as a constant and ends as a result:
//
//   %0 = torch.vtensor.literal(…) {isthmus.buffer = "count"}
//   return …, %1                      result {isthmus.mutates = "count"}
//
// It becomes a global in two steps, before and after the lowering to a target.
// Between these it is an argument, and a separate function returns its initial
// value, so that the target's types and constants are those of any program.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Conversion/ProgramForm.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

#define GEN_PASS_DEF_BUFFERSTOARGUMENTS
#define GEN_PASS_DEF_BUFFERSTOGLOBALS
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;

static constexpr llvm::StringLiteral kInitial = "isthmus.initial";
static constexpr llvm::StringLiteral kMutates = "isthmus.mutates";
static constexpr llvm::StringLiteral kName = "isthmus.name";

//===----------------------------------------------------------------------===//
// Constants to arguments
//===----------------------------------------------------------------------===//

/// @count_initial, which returns a copy of the constant.
static func::FuncOp buildInitial(Operation *constant, StringRef name,
                                 SymbolTable &symbols) {
  OpBuilder builder(constant->getContext());
  auto func = func::FuncOp::create(
      builder, constant->getLoc(), (name + "_initial").str(),
      builder.getFunctionType({}, constant->getResultTypes()));
  func.setPrivate();
  builder.setInsertionPointToStart(func.addEntryBlock());
  Operation *copy = builder.clone(*constant);
  copy->removeAttr(kBuffer);
  func::ReturnOp::create(builder, constant->getLoc(), copy->getResults());
  symbols.insert(func);
  return func;
}

static void makeArgument(func::FuncOp func, Operation *constant,
                         SymbolTable &symbols) {
  auto name = constant->getAttrOfType<StringAttr>(kBuffer);
  func::FuncOp initial = buildInitial(constant, name, symbols);
  Builder builder(func.getContext());
  auto attributes = builder.getDictionaryAttr(
      {builder.getNamedAttr(kInitial, FlatSymbolRefAttr::get(initial)),
       builder.getNamedAttr(kName, name)});
  unsigned index = func.getNumArguments();
  (void)func.insertArgument(index, constant->getResult(0).getType(), attributes,
                            constant->getLoc());
  constant->getResult(0).replaceAllUsesWith(func.getArgument(index));
  constant->erase();
}

//===----------------------------------------------------------------------===//
// Arguments to globals
//===----------------------------------------------------------------------===//

static func::ReturnOp getReturn(func::FuncOp func) {
  return cast<func::ReturnOp>(func.getBody().back().getTerminator());
}

/// The result that holds the new value of the buffer.
static std::optional<unsigned> findResult(func::FuncOp func, StringAttr name) {
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    if (func.getResultAttr(i, kMutates) == name)
      return i;
  return std::nullopt;
}

static LogicalResult makeGlobal(func::FuncOp func, unsigned index,
                                SymbolTable &symbols) {
  BlockArgument argument = func.getArgument(index);
  auto name = func.getArgAttrOfType<StringAttr>(index, kName);
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (!name || !type || !type.hasStaticShape())
    return func.emitError("buffer ")
           << name
           << ": expected a name and a builtin tensor of known sizes, "
              "got "
           << argument.getType();
  std::optional<unsigned> result = findResult(func, name);
  if (!result || func.getResultTypes()[*result] != type) {
    InFlightDiagnostic error = func.emitError("buffer ")
                               << name << ": expected a result of type " << type
                               << " that it becomes, got ";
    return result ? error << func.getResultTypes()[*result] : error << "none";
  }

  auto symbol = func.getArgAttrOfType<FlatSymbolRefAttr>(index, kInitial);
  auto initial = symbols.lookup<func::FuncOp>(symbol.getValue());
  ElementsAttr value;
  if (!initial || initial.isExternal() || initial.getNumResults() != 1 ||
      !matchPattern(getReturn(initial).getOperand(0), m_Constant(&value)) ||
      value.getShapedType() != type)
    return func.emitError("buffer ") << name << ": expected " << symbol
                                     << " to return a constant of " << type;
  symbols.erase(initial);

  OpBuilder builder(func);
  auto global = ml_program::GlobalOp::create(
      builder, argument.getLoc(), name, type, /*is_mutable=*/true, value,
      /*sym_visibility=*/builder.getStringAttr("private"));
  auto reference = FlatSymbolRefAttr::get(symbols.insert(global));
  builder.setInsertionPointToStart(&func.getBody().front());
  argument.replaceAllUsesWith(ml_program::GlobalLoadOp::create(
      builder, argument.getLoc(), type, reference));
  func::ReturnOp end = getReturn(func);
  builder.setInsertionPoint(end);
  ml_program::GlobalStoreOp::create(builder, end.getLoc(), reference,
                                    end.getOperand(*result));
  end->eraseOperand(*result);
  return success(succeeded(func.eraseResult(*result)) &&
                 succeeded(func.eraseArgument(index)));
}

namespace {

struct BuffersToArguments
    : isthmus::impl::BuffersToArgumentsBase<BuffersToArguments> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto func :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      SmallVector<Operation *> constants;
      func.walk([&](Operation *op) {
        if (op->hasAttrOfType<StringAttr>(kBuffer) &&
            op->hasTrait<OpTrait::ConstantLike>())
          constants.push_back(op);
      });
      for (Operation *constant : constants)
        makeArgument(func, constant, symbols);
    }
  }
};

struct BuffersToGlobals
    : isthmus::impl::BuffersToGlobalsBase<BuffersToGlobals> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    // Functions of initial values are removed on the way, and have no
    // arguments.
    SmallVector<func::FuncOp> funcs(llvm::make_filter_range(
        getOperation().getOps<func::FuncOp>(),
        [](func::FuncOp func) { return func.getNumArguments() > 0; }));
    for (func::FuncOp func : funcs)
      for (unsigned i = func.getNumArguments(); i-- > 0;)
        if (func.getArgAttrOfType<FlatSymbolRefAttr>(i, kInitial) &&
            failed(makeGlobal(func, i, symbols)))
          signalPassFailure();
  }
};

} // namespace
