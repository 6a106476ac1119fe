//===- Guards.h - A program's assumptions about sizes -----------*- C++ -*-===//

#ifndef ISTHMUS_LIB_IMPORTER_PT2_GUARDS_H
#define ISTHMUS_LIB_IMPORTER_PT2_GUARDS_H

#include "Schema.h"

namespace isthmus::pt2 {

/// Rewrites a guard, "L['x'].size()[0] > L['y'][1].size()[0]", over the symbols
/// of sizes: "s0 > s1", which is a Guard. Nothing if it does not concern sizes
/// of inputs.
std::optional<std::string> guardOfSymbols(llvm::StringRef guard,
                                          const schema::Graph &graph);

} // namespace isthmus::pt2

#endif // ISTHMUS_LIB_IMPORTER_PT2_GUARDS_H
