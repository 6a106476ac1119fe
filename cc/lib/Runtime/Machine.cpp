//===- Machine.cpp - The processor that code is generated for -------------===//

#include "Machine.h"

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

using namespace isthmus;

llvm::Expected<llvm::orc::JITTargetMachineBuilder>
isthmus::describeTarget(llvm::StringRef cpu, bool optimize) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder;
  if (!cpu.empty()) {
    builder->setCPU(cpu.str());
    builder->getFeatures() = llvm::SubtargetFeatures();
  }
  builder->setCodeGenOptLevel(optimize ? llvm::CodeGenOptLevel::Default
                                       : llvm::CodeGenOptLevel::None);
  return builder;
}

Machine isthmus::describeMachine(const llvm::TargetMachine &target) {
  Machine machine;
  const llvm::MCSubtargetInfo &features = *target.getMCSubtargetInfo();
  const llvm::Triple &triple = target.getTargetTriple();
  if (triple.isX86() && features.checkFeatures("+avx512f"))
    machine.vectorBits = 512, machine.vectorRegisters = 32;
  else if (triple.isX86() && features.checkFeatures("+avx2"))
    machine.vectorBits = 256;
  else if (triple.isAArch64())
    machine.vectorRegisters = 32;
  return machine;
}
