//===- NativeCode.cpp - From the LLVM dialect to machine code -------------===//

#include "NativeCode.h"

#include "Memory.h"
#include "Parallel.h"
#include "Trust.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace isthmus;
using llvm::Error;
using llvm::Expected;

namespace {

constexpr llvm::StringLiteral kEntryPrefix = "isthmus.entry.";
constexpr llvm::StringLiteral kProgramPrefix = "isthmus.program.";

/// Converts a number to a 16-bit float with one rounding. LLVM calls
/// compiler-rt's __truncdfhf2 and similar functions for this, which this
/// process may not have. The result is in the low half of the register in which
/// a float is returned.
float truncated(double value, const llvm::fltSemantics &semantics) {
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return llvm::bit_cast<float>(
      static_cast<uint32_t>(number.bitcastToAPInt().getZExtValue()));
}
float doubleToBFloat(double value) {
  return truncated(value, llvm::APFloat::BFloat());
}
float doubleToHalf(double value) {
  return truncated(value, llvm::APFloat::IEEEhalf());
}
float floatToBFloat(float value) { return doubleToBFloat(value); }
float floatToHalf(float value) { return doubleToHalf(value); }

/// Stores every scalar inside `value`, depth first, into consecutive words.
void storeWords(llvm::IRBuilder<> &builder, llvm::Value *value,
                llvm::Value *words, unsigned &next) {
  llvm::Type *type = value->getType();
  if (type->isAggregateType()) {
    unsigned count = type->isStructTy() ? type->getStructNumElements()
                                        : type->getArrayNumElements();
    for (unsigned i = 0; i < count; ++i)
      storeWords(builder, builder.CreateExtractValue(value, i), words, next);
    return;
  }
  builder.CreateStore(
      value, builder.CreateConstGEP1_64(builder.getInt64Ty(), words, next++));
}

/// A function (to, from, count) that copies words. A call of it splits the
/// region that LLVM schedules at once.
llvm::Function *copyWordsIn(llvm::Module &module) {
  constexpr llvm::StringLiteral name = "isthmus.copyWords";
  if (llvm::Function *known = module.getFunction(name))
    return known;
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *pointer = llvm::PointerType::getUnqual(context);
  llvm::Type *word = llvm::Type::getInt64Ty(context);
  auto *copy = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                              {pointer, pointer, word}, /*isVarArg=*/false),
      llvm::Function::InternalLinkage, name, &module);
  copy->addFnAttr(llvm::Attribute::NoInline);
  auto *begin = llvm::BasicBlock::Create(context, "", copy);
  auto *turn = llvm::BasicBlock::Create(context, "", copy);
  auto *end = llvm::BasicBlock::Create(context, "", copy);
  llvm::IRBuilder<> builder(begin);
  builder.CreateBr(turn);
  builder.SetInsertPoint(turn);
  llvm::PHINode *i = builder.CreatePHI(word, 2);
  i->addIncoming(builder.getInt64(0), begin);
  llvm::Value *value =
      builder.CreateLoad(word, builder.CreateGEP(word, copy->getArg(1), i));
  builder.CreateStore(value, builder.CreateGEP(word, copy->getArg(0), i));
  llvm::Value *next = builder.CreateAdd(i, builder.getInt64(1));
  i->addIncoming(next, turn);
  builder.CreateCondBr(builder.CreateICmpULT(next, copy->getArg(2)), turn, end);
  builder.SetInsertPoint(end);
  builder.CreateRetVoid();
  return copy;
}

/// Stores the results of a function into consecutive words, at the insertion
/// point of `builder`. Several results are a struct built by insertvalue: each
/// inserted value is stored directly, since extracting all values again takes
/// quadratic time. With `early`, each is stored right after its definition,
/// because LLVM's scheduler is also quadratic in thousands of consecutive
/// stores. If a value is returned more than once, its words are copied.
void storeResults(llvm::IRBuilder<> &builder, llvm::Value *results,
                  llvm::Value *words, bool early) {
  unsigned next = 0;
  auto *type = llvm::dyn_cast<llvm::StructType>(results->getType());
  if (!type)
    return storeWords(builder, results, words, next);
  llvm::SmallVector<llvm::Value *> parts(type->getNumElements());
  llvm::Value *rest = results;
  for (auto *insert = llvm::dyn_cast<llvm::InsertValueInst>(rest);
       insert && insert->getNumIndices() == 1;
       insert = llvm::dyn_cast<llvm::InsertValueInst>(rest)) {
    if (llvm::Value *&part = parts[insert->getIndices().front()]; !part)
      part = insert->getInsertedValueOperand();
    rest = insert->getAggregateOperand();
  }
  llvm::DenseMap<llvm::Value *, std::pair<unsigned, unsigned>> stored;
  auto wordAt = [&](unsigned index) {
    return builder.CreateConstGEP1_64(builder.getInt64Ty(), words, index);
  };
  for (auto [i, part] : llvm::enumerate(parts)) {
    if (auto [first, count] = stored.lookup(part); count > 0) {
      builder.CreateCall(
          copyWordsIn(*builder.GetInsertBlock()->getModule()),
          {wordAt(next), wordAt(first), builder.getInt64(count)});
      next += count;
      continue;
    }
    llvm::IRBuilderBase::InsertPointGuard guard(builder);
    llvm::Value *known = part;
    unsigned first = next;
    if (!part)
      part = builder.CreateExtractValue(results, i);
    else if (auto *made = llvm::dyn_cast<llvm::Instruction>(part);
             made && early)
      if (auto place = made->getInsertionPointAfterDef())
        builder.SetInsertPoint(made->getParent(), *place);
    storeWords(builder, part, words, next);
    if (known)
      stored[known] = {first, next - first};
  }
}

/// Where to load an argument of the function with entry block `entry`: before
/// its first use, since thousands of loaded arguments would not fit into
/// registers.
llvm::Instruction *findPlaceOfLoad(llvm::Argument &argument,
                                   llvm::BasicBlock &entry) {
  llvm::Instruction *first = nullptr;
  for (llvm::User *user : argument.users()) {
    auto *instruction = llvm::cast<llvm::Instruction>(user);
    if (instruction->getParent() != &entry)
      return &*entry.begin();
    if (!first || instruction->comesBefore(first))
      first = instruction;
  }
  return first ? first : &*entry.begin();
}

/// Creates the function through which the host calls `callee`; the host knows
/// it by `name`. If the program calls `callee` too, the new function calls it;
/// otherwise it takes over its body.
void addEntry(llvm::Function *callee, llvm::StringRef name) {
  llvm::LLVMContext &context = callee->getContext();
  llvm::Type *pointer = llvm::PointerType::getUnqual(context);
  auto *entry = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                              {pointer, pointer}, /*isVarArg=*/false),
      llvm::Function::ExternalLinkage, kEntryPrefix + name,
      callee->getParent());
  bool isCalled = !callee->use_empty();
  if (isCalled)
    llvm::BasicBlock::Create(context, "", entry);
  else
    entry->splice(entry->begin(), callee);

  // All places before any load: a new instruction makes the next comparison of
  // places number the block's instructions again.
  llvm::SmallVector<llvm::Instruction *> places;
  if (!isCalled)
    for (llvm::Argument &parameter : callee->args())
      places.push_back(findPlaceOfLoad(parameter, entry->front()));
  llvm::IRBuilder<> builder(&entry->front(), entry->front().begin());
  llvm::SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &parameter : callee->args()) {
    if (!isCalled)
      builder.SetInsertPoint(places[parameter.getArgNo()]);
    llvm::Value *word = builder.CreateConstGEP1_64(
        builder.getInt64Ty(), entry->getArg(0), parameter.getArgNo());
    arguments.push_back(builder.CreateLoad(parameter.getType(), word));
    if (!isCalled)
      parameter.replaceAllUsesWith(arguments.back());
  }
  if (isCalled) {
    llvm::Value *results = builder.CreateCall(callee, arguments);
    if (!results->getType()->isVoidTy())
      storeResults(builder, results, entry->getArg(1), /*early=*/false);
    builder.CreateRetVoid();
    return;
  }
  llvm::SmallVector<llvm::ReturnInst *> ends;
  for (llvm::BasicBlock &block : *entry)
    if (auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
      ends.push_back(end);
  for (llvm::ReturnInst *end : ends) {
    builder.SetInsertPoint(end);
    if (llvm::Value *results = end->getReturnValue())
      storeResults(builder, results, entry->getArg(1), ends.size() == 1);
    builder.CreateRetVoid();
    end->eraseFromParent();
  }
  callee->eraseFromParent();
}

/// The inverse of `storeWords`: a value of `type` from consecutive words.
llvm::Value *loadWords(llvm::IRBuilder<> &builder, llvm::Type *type,
                       llvm::Value *words, unsigned &next) {
  if (!type->isAggregateType())
    return builder.CreateLoad(
        type, builder.CreateConstGEP1_64(builder.getInt64Ty(), words, next++));
  llvm::Value *value = llvm::PoisonValue::get(type);
  unsigned count = type->isStructTy() ? type->getStructNumElements()
                                      : type->getArrayNumElements();
  for (unsigned i = 0; i < count; ++i) {
    llvm::Type *element = type->isStructTy() ? type->getStructElementType(i)
                                             : type->getArrayElementType();
    value = builder.CreateInsertValue(
        value, loadWords(builder, element, words, next), i);
  }
  return value;
}

unsigned countWords(llvm::Type *type) {
  if (type->isVoidTy())
    return 0;
  if (type->isArrayTy())
    return type->getArrayNumElements() *
           countWords(type->getArrayElementType());
  unsigned words = type->isStructTy() ? 0 : 1;
  for (llvm::Type *element : type->subtypes())
    words += countWords(element);
  return words;
}

/// Gives a declared function a body that calls the kernel.
void defineByKernel(llvm::Function *function, const BoundKernel &kernel) {
  llvm::IRBuilder<> builder(
      llvm::BasicBlock::Create(function->getContext(), "", function));
  auto room = [&](unsigned words) {
    return builder.CreateAlloca(builder.getInt64Ty(),
                                builder.getInt64(std::max(words, 1u)));
  };
  llvm::Value *arguments = room(function->arg_size());
  llvm::Value *results = room(countWords(function->getReturnType()));
  unsigned next = 0;
  for (llvm::Argument &argument : function->args())
    storeWords(builder, &argument, arguments, next);
  llvm::Type *pointer = builder.getPtrTy();
  llvm::FunctionCallee call = function->getParent()->getOrInsertFunction(
      "isthmusCallKernel", builder.getVoidTy(), pointer, pointer, pointer);
  llvm::Value *bound = builder.CreateIntToPtr(
      builder.getInt64(reinterpret_cast<uint64_t>(&kernel)), pointer);
  builder.CreateCall(call, {bound, arguments, results});
  next = 0;
  if (function->getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(
        loadWords(builder, function->getReturnType(), results, next));
  // Not inlined, so that its stack space is released after each call, also in
  // loops.
  function->addFnAttr(llvm::Attribute::NoInline);
}

/// Freezes float-to-int conversions: a float that does not fit into the integer
/// gives poison in LLVM, and two uses of it could then see different values,
/// e.g. a bounds check and the access.
void freezeConversions(llvm::Function &function) {
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(instruction))
      continue;
    auto *frozen = new llvm::FreezeInst(&instruction);
    frozen->insertAfter(&instruction);
    instruction.replaceUsesWithIf(
        frozen, [&](const llvm::Use &use) { return use.getUser() != frozen; });
  }
}

/// Renames the functions of a program so that they cannot collide with others:
/// a function that its author names `memcpy` would be called to copy memory.
void renameFunctions(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) {
      function.setLinkage(llvm::Function::InternalLinkage);
      function.setName(kProgramPrefix + function.getName());
    }
}

/// Creates a JIT. Unless the program is trusted, its code can only find the
/// library functions of this process.
Expected<std::unique_ptr<llvm::orc::LLJIT>>
makeJit(const llvm::orc::JITTargetMachineBuilder &machine, bool trust) {
  llvm::orc::LLJITBuilder builder;
  builder.setJITTargetMachineBuilder(machine);
  if (!trust)
    builder.setProcessSymbolsJITDylibSetup(
        [](llvm::orc::LLJIT &jit) -> Expected<llvm::orc::JITDylibSP> {
          auto library =
              llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
                  jit.getDataLayout().getGlobalPrefix(),
                  [](const llvm::orc::SymbolStringPtr &name) {
                    return isLibraryFunction(*name);
                  });
          if (!library)
            return library.takeError();
          llvm::orc::JITDylib &names =
              jit.getExecutionSession().createBareJITDylib("<library>");
          names.addGenerator(std::move(*library));
          return &names;
        });
  return builder.create();
}

/// Runs LLVM's passes. Returns false if interrupted; the remaining passes are
/// skipped.
bool optimize(llvm::Module &module, llvm::TargetMachine &machine,
              const std::function<bool()> &interrupted) {
  llvm::PassInstrumentationCallbacks callbacks;
  bool isInterrupted = false;
  auto asked = std::chrono::steady_clock::now();
  if (interrupted)
    callbacks.registerShouldRunOptionalPassCallback(
        [&](llvm::StringRef, llvm::Any) {
          auto now = std::chrono::steady_clock::now();
          if (!isInterrupted && now - asked >= kPollEvery) {
            asked = now;
            isInterrupted = interrupted();
          }
          return !isInterrupted;
        });
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  // Loops that benefit from unrolling are already unrolled, into registers.
  tuning.LoopUnrolling = false;
  llvm::PassBuilder builder(&machine, tuning, /*PGOOpt=*/std::nullopt,
                            &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, modules);
  return !isInterrupted;
}

/// LLVM schedules a block in time quadratic in its length. In a function
/// without loops, longer blocks are split: such a function only prepares calls,
/// in as many instructions as the program has values.
constexpr size_t kMostInstructionsOfBlock = 4096;
constexpr size_t kInstructionsOfPart = 1024;

bool hasLoops(const llvm::Function &function) {
  llvm::SmallVector<
      std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>>
      edges;
  llvm::FindFunctionBackedges(function, edges);
  return !edges.empty();
}

void splitLongBlocks(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (llvm::none_of(function,
                      [](const llvm::BasicBlock &block) {
                        return block.size() > kMostInstructionsOfBlock;
                      }) ||
        hasLoops(function))
      continue;
    // Without `optnone`, the code generator would join the parts again.
    function.addFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::OptimizeNone);
    for (llvm::BasicBlock &block : llvm::make_early_inc_range(function)) {
      llvm::SmallVector<llvm::Instruction *> places;
      for (auto [i, instruction] : llvm::enumerate(block))
        if (i && i % kInstructionsOfPart == 0 &&
            !llvm::isa<llvm::PHINode>(instruction))
          places.push_back(&instruction);
      // From the end, as a split moves all that follows.
      for (llvm::Instruction *place : llvm::reverse(places))
        block.splitBasicBlock(place);
    }
  }
}

} // namespace

NativeCode::NativeCode() = default;
NativeCode::~NativeCode() = default;

Expected<std::unique_ptr<NativeCode>>
NativeCode::compile(mlir::ModuleOp module,
                    llvm::ArrayRef<std::string> functions,
                    llvm::ArrayRef<std::unique_ptr<BoundKernel>> kernels,
                    const ConstantTable &constants, const JitOptions &options,
                    const llvm::orc::JITTargetMachineBuilder &builder,
                    llvm::TargetMachine &machine) {
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> code =
      mlir::translateModuleToLLVMIR(module, *context);
  if (!code)
    return llvm::createStringError("translation to LLVM failed");

  code->setDataLayout(machine.createDataLayout());
  code->setTargetTriple(machine.getTargetTriple());

  for (const std::unique_ptr<BoundKernel> &kernel : kernels)
    if (llvm::Function *function = code->getFunction(kernel->function))
      defineByKernel(function, *kernel);
  llvm::SmallVector<llvm::Function *> callees;
  for (const std::string &function : functions)
    callees.push_back(code->getFunction(function));
  renameFunctions(*code);
  for (auto [callee, function] : llvm::zip_equal(callees, functions))
    addEntry(callee, function);
  for (llvm::Function &function : *code) {
    function.addFnAttr(llvm::Attribute::NoUnwind);
    if (function.isDeclaration())
      continue;
    freezeConversions(function);
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    // Prefers the widest vectors: all vector code was vectorized deliberately.
    function.addFnAttr("prefer-vector-width", "512");
    function.addFnAttr("min-legal-vector-width", "512");
  }
  if (options.optimize && !optimize(*code, machine, options.interrupted))
    return llvm::createStringError("interrupted");
  splitLongBlocks(*code);

  auto jit = makeJit(builder, options.trust);
  if (!jit)
    return jit.takeError();

  llvm::orc::SymbolMap symbols;
  auto define = [&](llvm::StringRef name, const void *address) {
    symbols[(*jit)->mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported};
  };
  define("_mlir_memref_to_llvm_alloc", (void *)isthmusAlloc);
  define("_mlir_memref_to_llvm_aligned_alloc", (void *)isthmusAlignedAlloc);
  define("_mlir_memref_to_llvm_free", (void *)isthmusFree);
  define("__truncdfbf2", (void *)doubleToBFloat);
  define("__truncdfhf2", (void *)doubleToHalf);
  define("__truncsfbf2", (void *)floatToBFloat);
  define("__truncsfhf2", (void *)floatToHalf);
  define("isthmusCallKernel", (void *)isthmusCallKernel);
  define("isthmusCheck", (void *)isthmusCheck);
  define("isthmusCheckComparing", (void *)isthmusCheckComparing);
  define("isthmusFail", (void *)isthmusFail);
  define("isthmusFailComparing", (void *)isthmusFailComparing);
  define("isthmusPoll", (void *)isthmusPoll);
  define("isthmusParallel", (void *)isthmusParallel);
  for (const ConstantTable::Entry &entry : constants.entries)
    define(entry.symbol, entry.data);
  for (auto &symbol : options.symbols)
    define(("_mlir_ciface_" + symbol.getKey()).str(), symbol.getValue());
  if (Error error = (*jit)->getMainJITDylib().define(
          llvm::orc::absoluteSymbols(std::move(symbols))))
    return error;
  if (Error error = (*jit)->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(code), std::move(context))))
    return error;

  std::unique_ptr<NativeCode> native(new NativeCode);
  native->jit = std::move(*jit);
  // By default, the JIT prints them.
  native->jit->getExecutionSession().setErrorReporter(
      [&problems = native->problems](Error error) {
        problems += (problems.empty() ? "" : "\n") + toString(std::move(error));
      });
  return native;
}

Expected<Entry> NativeCode::lookup(llvm::StringRef function) {
  auto address = jit->lookup((kEntryPrefix + function).str());
  if (!address) {
    std::string why = toString(address.takeError());
    return llvm::createStringError(problems.empty() ? why : problems);
  }
  return address->toPtr<Entry>();
}
