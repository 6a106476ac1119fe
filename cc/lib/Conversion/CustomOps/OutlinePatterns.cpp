//===- OutlinePatterns.cpp - Matches of users' patterns as custom ops -----===//
//
// A part of a program that computes the same as a function of a patterns file
// is replaced by a call of a custom op whose body is the replaced part
// (docs/custom_ops.md).
//
//===----------------------------------------------------------------------===//

#include "ProgramPattern.h"
#include "isthmus/Conversion/CustomOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Support/EqualOps.h"
#include "mlir/Parser/Parser.h"

#define GEN_PASS_DEF_OUTLINEPATTERNS
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::custom_ops;

namespace {

struct OutlinePatterns : isthmus::impl::OutlinePatternsBase<OutlinePatterns> {
  using OutlinePatternsBase::OutlinePatternsBase;

  LogicalResult initialize(MLIRContext *context) override {
    modules.clear();
    patterns.clear();
    for (const std::string &file : files) {
      std::shared_ptr<ModuleOp> module = read(file, context);
      if (!module || failed(addPatterns(*module, file)))
        return failure();
      modules.push_back(std::move(module));
    }
    return success();
  }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    // Earlier patterns take precedence.
    for (const ProgramPattern &pattern : patterns) {
      SmallVector<Block *> blocks;
      for (auto function : getOperation().getOps<func::FuncOp>())
        if (!function->hasAttr(kFunctionAttr))
          function.walk([&](Block *block) { blocks.push_back(block); });
      for (Block *block : blocks)
        if (failed(outline(pattern, *block, symbols)))
          return signalPassFailure();
    }
  }

private:
  static std::shared_ptr<ModuleOp> read(StringRef file, MLIRContext *context) {
    OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, context);
    if (!module)
      return nullptr;
    // As in the program, which computes nothing twice.
    mergeEqualOps(*module);
    return std::shared_ptr<ModuleOp>(new ModuleOp(module.release()),
                                     [](ModuleOp *module) {
                                       module->erase();
                                       delete module;
                                     });
  }

  LogicalResult addPatterns(ModuleOp module, StringRef file) {
    auto functions = module.getOps<func::FuncOp>();
    if (functions.empty())
      return module.emitError()
             << "patterns of '" << file << "': expected a function, got none";
    for (auto function : functions) {
      FailureOr<ProgramPattern> pattern = ProgramPattern::read(function);
      if (failed(pattern))
        return failure();
      patterns.push_back(std::move(*pattern));
    }
    return success();
  }

  /// A number that is a tensor in the program is a number for the custom op.
  static Operation *makeNumber(Value tensor, Type type, Operation *in) {
    OpBuilder builder(in);
    double number = *elementOf(tensor);
    if (isa<torch::FloatType>(type))
      return torch::ConstantFloatOp::create(builder, tensor.getLoc(), number);
    return torch::ConstantIntOp::create(builder, tensor.getLoc(),
                                        int64_t(number));
  }

  static LogicalResult outline(const ProgramPattern &pattern, Block &block,
                               SymbolTable &symbols) {
    // A match lies before the op being visited.
    for (Operation &op : llvm::make_early_inc_range(block)) {
      std::optional<ProgramPattern::Match> match = pattern.match(&op);
      if (!match)
        continue;
      SmallVector<Operation *> numbers;
      for (auto [argument, type] : llvm::zip_equal(match->signature.arguments,
                                                   pattern.getArgumentTypes()))
        if (isa<torch::ValueTensorType>(argument.getType()) &&
            !isa<torch::ValueTensorType>(type)) {
          numbers.push_back(makeNumber(argument, type, &op));
          argument = numbers.back()->getResult(0);
        }
      MLIRContext *context = op.getContext();
      OutlinedPart part({pattern.getName(), StringAttr::get(context),
                         DictionaryAttr::get(context)},
                        block, std::move(match->signature));
      llvm::for_each(match->ops, [&](Operation *op) { part.add(op); });
      if (succeeded(part.moveTogether()) && failed(part.outline(symbols)))
        return failure();
      for (Operation *number : numbers)
        number->erase();
    }
    return success();
  }

  SmallVector<std::shared_ptr<ModuleOp>> modules;
  SmallVector<ProgramPattern> patterns;
};

} // namespace
