//===- stages.cpp - The cost of each stage of a conversion ----------------===//
//
//   stages model.onnx linalg [jit]
//
// prints a line per stage, with fields separated by tabs: its name, its CPU
// seconds, its peak resident memory in KiB, and its instructions (0 if the
// kernel does not count them). The stages are the import, every pass, the
// verification, the text and the bytecode. With `jit`, the stages of the JIT
// follow.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Importer/FrontEnd.h"
#include "isthmus/Importer/ModelFile.h"
#include "isthmus/Pipelines/Pipelines.h"
#include "isthmus/Runtime/Jit.h"
#include "isthmus/Support/Diagnostics.h"
#include "isthmus/Support/VerifyProgram.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <ctime>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace mlir;

/// CPU seconds of the process.
static double now() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

/// Writes a few characters to a file of the kernel.
static void poke(StringRef path, StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error, llvm::sys::fs::CD_OpenExisting);
  if (!error)
    os << text;
}

/// The peak resident memory since begin(), as the kernel writes it:
/// "  123456 kB".
static StringRef peakResident(std::string &storage) {
  auto status = llvm::MemoryBuffer::getFileAsStream("/proc/self/status");
  if (!status)
    return "?";
  storage = (*status)->getBuffer().str();
  StringRef rest = StringRef(storage).split("VmHWM:").second;
  return rest.ltrim().take_while(llvm::isDigit);
}

namespace {

/// Counts the instructions that this thread executes outside of the kernel.
class InstructionCounter {
public:
  InstructionCounter() {
    perf_event_attr wanted{};
    wanted.size = sizeof(wanted);
    wanted.type = PERF_TYPE_HARDWARE;
    wanted.config = PERF_COUNT_HW_INSTRUCTIONS;
    wanted.exclude_kernel = wanted.exclude_hv = 1;
    file = syscall(SYS_perf_event_open, &wanted, /*thread=*/0, /*cpu=*/-1,
                   /*group=*/-1, /*flags=*/0);
  }
  ~InstructionCounter() {
    if (file >= 0)
      close(file);
  }

  /// The instructions since the counter was made, or always 0 if the system
  /// does not count them.
  uint64_t count() const {
    uint64_t result = 0;
    return read(file, &result, sizeof(result)) == sizeof(result) ? result : 0;
  }

private:
  int file;
};

class Stages : public PassInstrumentation {
public:
  void begin() {
    poke("/proc/self/clear_refs", "5"); // resets the peak
    started = counter.count();
    start = now();
  }

  void end(StringRef name) {
    double seconds = now() - start;
    uint64_t instructions = counter.count() - started;
    std::string status;
    llvm::outs() << name << '\t' << llvm::format("%.6f", seconds) << '\t'
                 << peakResident(status) << '\t' << instructions << '\n';
  }

  // Adaptors, which run passes on each function, are passes without a name.
  void runBeforePass(Pass *pass, Operation *) override {
    if (!pass->getArgument().empty())
      begin();
  }
  void runAfterPass(Pass *pass, Operation *) override {
    if (!pass->getArgument().empty())
      end(pass->getArgument());
  }

private:
  InstructionCounter counter;
  double start = 0;
  uint64_t started = 0;
};

} // namespace

/// The stages of code generation. "native" is LLVM's passes and the generation
/// of machine code.
static LogicalResult compile(ModuleOp module, Stages &stages) {
  isthmus::JitOptions options;
  options.observer = [&](StringRef stage, ModuleOp) {
    stages.end(("jit-" + stage).str());
    stages.begin();
  };
  stages.begin();
  auto executable = isthmus::Executable::compile(module, options);
  if (!executable) {
    llvm::errs() << llvm::toString(executable.takeError()) << '\n';
    return failure();
  }
  stages.end("jit-native");
  return success();
}

static LogicalResult run(StringRef path, const isthmus::Target &target,
                         bool jit) {
  DialectRegistry registry;
  llvm::cantFail(isthmus::registerDialects(registry));
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  isthmus::DiagnosticPrinter printer(&context, llvm::errs());
  const isthmus::ModelFormat *format = isthmus::findFormatOfFile(path);
  auto source = isthmus::ModelSource::ofFile(
      isthmus::mapModelFile(path, "a model", &context), path);
  if (!format || !source.buffer)
    return failure();

  PassManager manager(&context);
  manager.enableVerifier(false);
  auto instrumentation = std::make_unique<Stages>();
  Stages &stages = *instrumentation;
  manager.addInstrumentation(std::move(instrumentation));
  stages.begin();
  OwningOpRef<ModuleOp> module =
      isthmus::findFrontEnd(*format)->import(source, &context, {});
  stages.end("import");
  if (!module)
    return failure();

  if (format == &isthmus::kOnnxFormat)
    isthmus::buildOnnxToTorchPipeline(manager);
  isthmus::buildTorchToTargetPipeline(manager, target);
  if (failed(manager.run(*module)))
    return failure();

  stages.begin();
  if (failed(isthmus::verifyProgram(*module)))
    return failure();
  stages.end("verify");

  std::error_code error;
  llvm::raw_fd_ostream nowhere("/dev/null", error);
  stages.begin();
  module->print(nowhere, OpPrintingFlags().assumeVerified());
  stages.end("text");
  stages.begin();
  LogicalResult written = writeBytecodeToFile(*module, nowhere);
  stages.end("bytecode");
  if (failed(written) || !jit)
    return written;
  return compile(*module, stages);
}

int main(int argc, char **argv) {
  bool jit = argc == 4 && StringRef(argv[3]) == "jit";
  auto target = argc == 3 || jit ? isthmus::findTarget(argv[2]) : nullptr;
  if (!target) {
    llvm::errs() << "usage: stages MODEL TARGET [jit]\n";
    return 2;
  }
  return succeeded(run(argv[1], *target, jit)) ? 0 : 1;
}
