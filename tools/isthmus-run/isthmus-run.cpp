//===- isthmus-run.cpp - Run a file of linalg or TOSA ---------------------===//
//
//   isthmus-run model.mlir in0.npy in1.npy --output=out
//
// writes out0.npy, out1.npy, … With --repeat it prints the run times.
//
//===----------------------------------------------------------------------===//

#include "Npy.h"
#include "isthmus/Runtime/Jit.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <ctime>

using namespace isthmus;
using llvm::Error;

namespace {

llvm::cl::opt<std::string> modelPath(llvm::cl::Positional, llvm::cl::Required,
                                     llvm::cl::desc("<model.mlir>"));
llvm::cl::list<std::string> inputPaths(llvm::cl::Positional,
                                       llvm::cl::desc("<input.npy>…"));
llvm::cl::opt<std::string> function("function",
                                    llvm::cl::desc("function to run"),
                                    llvm::cl::init("main"));
llvm::cl::opt<std::string>
    outputPrefix("output", llvm::cl::desc("prefix of the files for results"));
llvm::cl::opt<bool>
    checkBounds("check-bounds",
                llvm::cl::desc("check each access to memory, slowly"));
llvm::cl::opt<unsigned> threads("num-threads",
                                llvm::cl::desc("threads, 0 for all cores"),
                                llvm::cl::init(1));
llvm::cl::opt<unsigned> repeat("repeat", llvm::cl::desc("runs to time"),
                               llvm::cl::init(0));
llvm::cl::opt<std::string>
    printAfter("print-stage",
               llvm::cl::desc("print the module after this stage and stop"));
llvm::cl::opt<bool> trust("trust",
                          llvm::cl::desc("run the program as it is, though it "
                                         "may call functions of the process"));

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

Error compileAndRun(mlir::ModuleOp module) {
  JitOptions options;
  options.threads = threads;
  options.trust = trust;
  options.checkBounds = checkBounds;
  std::clock_t stageStart = std::clock();
  std::vector<std::string> stages;
  options.observer = [&](llvm::StringRef stage, mlir::ModuleOp module) {
    if (repeat)
      llvm::outs() << llvm::formatv("{0,12} {1,8:f1} ms\n", stage,
                                    1e3 * (std::clock() - stageStart) /
                                        CLOCKS_PER_SEC);
    stageStart = std::clock();
    stages.push_back(stage.str());
    if (stage == printAfter)
      module.print(llvm::outs(), mlir::OpPrintingFlags()
                                     .elideLargeElementsAttrs()
                                     .elideLargeResourceString());
  };
  auto start = Clock::now();
  auto executable = Executable::compile(module, options);
  if (!executable)
    return executable.takeError();
  if (repeat)
    llvm::outs() << llvm::formatv("compile {0:f1} ms\n",
                                  millisecondsSince(start));

  if (!printAfter.empty() && !llvm::is_contained(stages, printAfter))
    return llvm::createStringError("--print-stage: expected one of " +
                                   llvm::join(stages, ", ") + ", got '" +
                                   printAfter + "'");
  if (!printAfter.empty())
    return Error::success();

  const Signature *signature = (*executable)->signature(function);
  llvm::SmallVector<Tensor> inputs;
  llvm::SmallVector<TensorView> views;
  for (auto [i, path] : llvm::enumerate(inputPaths)) {
    ElementType expected = signature && i < signature->inputs.size()
                               ? signature->inputs[i].type.elementType
                               : ElementType::F32;
    auto input = readNpy(path, expected);
    if (!input)
      return input.takeError();
    inputs.push_back(std::move(*input));
  }
  views.assign(inputs.begin(), inputs.end());

  llvm::SmallVector<Tensor> outputs;
  if (Error error = (*executable)->run(function, views, outputs))
    return error;
  if (repeat) {
    // On a busy machine, processor time is more accurate than wall-clock time.
    std::vector<double> times, cpuTimes;
    for (unsigned i = 0; i < repeat; ++i) {
      llvm::SmallVector<Tensor> again;
      start = Clock::now();
      std::clock_t cpuStart = std::clock();
      if (Error error = (*executable)->run(function, views, again))
        return error;
      times.push_back(millisecondsSince(start));
      cpuTimes.push_back(1e3 * (std::clock() - cpuStart) / CLOCKS_PER_SEC);
    }
    std::sort(times.begin(), times.end());
    std::sort(cpuTimes.begin(), cpuTimes.end());
    llvm::outs() << llvm::formatv(
        "run min {0:f3} ms, median {1:f3} ms; cpu min {2:f3} ms\n",
        times.front(), times[times.size() / 2], cpuTimes.front());
  }
  if (!outputPrefix.empty())
    for (auto [i, output] : llvm::enumerate(outputs))
      if (Error error =
              writeNpy(outputPrefix + std::to_string(i) + ".npy", output))
        return error;
  return Error::success();
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv, "Runs linalg or TOSA.\n");
  mlir::DialectRegistry registry;
  registerJitDialects(registry);
  mlir::MLIRContext context(registry);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(modelPath, &context);
  if (!module)
    return 1;
  if (Error error = compileAndRun(*module)) {
    llvm::errs() << "isthmus-run: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
