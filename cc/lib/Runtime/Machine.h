//===- Machine.h - The processor that code is generated for ---------------===//

#ifndef ISTHMUS_LIB_RUNTIME_MACHINE_H
#define ISTHMUS_LIB_RUNTIME_MACHINE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>

namespace llvm {
class TargetMachine;
namespace orc {
class JITTargetMachineBuilder;
} // namespace orc
} // namespace llvm

namespace isthmus {

/// Properties of the processor that code generation uses.
struct Machine {
  /// Width in bits, and number, of the widest vector registers.
  int64_t vectorBits = 128;
  int64_t vectorRegisters = 16;
  /// Size in bytes of the cache private to a core.
  int64_t cacheBytes = 1 << 20;

  int64_t lanesOf(int64_t elementBits) const {
    return vectorBits / elementBits;
  }
};

/// LLVM's description of a processor; of this machine if `cpu` is empty. Its
/// code generator optimises only if `optimize` is set.
llvm::Expected<llvm::orc::JITTargetMachineBuilder>
describeTarget(llvm::StringRef cpu, bool optimize);

Machine describeMachine(const llvm::TargetMachine &target);

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_MACHINE_H
