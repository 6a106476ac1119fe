//===- Library.cpp - The version, parts and targets of the library --------===//

#include "isthmus.h"
#include "isthmus/Conversion/Target.h"
#include "isthmus/Support/Parts.h"

using namespace isthmus;

int32_t isthmus_abi_version(void) { return ISTHMUS_ABI_VERSION; }

const char *isthmus_version(void) { return ISTHMUS_VERSION; }

/// Literals, which end with a null byte.
static const llvm::SmallVector<llvm::StringRef> names = parts();

size_t isthmus_part_count(void) { return names.size(); }

const char *isthmus_part_name(size_t index) {
  return index < names.size() ? names[index].data() : nullptr;
}

size_t isthmus_target_count(void) { return targets().size(); }

const char *isthmus_target_name(size_t index) {
  // Targets name themselves by literals.
  return index < targets().size() ? targets()[index]->getName().data()
                                  : nullptr;
}
