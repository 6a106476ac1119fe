//===- Plugin.cpp - Isthmus as plugins of mlir-opt ------------------------===//
//
// One library is both plugins: mlir-opt asks it for dialects with
// --load-dialect-plugin and for passes with --load-pass-plugin.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Pipelines/Pipelines.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

static void registerDialects(DialectRegistry *registry) {
  if (llvm::Error error = isthmus::registerDialects(*registry))
    llvm::report_fatal_error(std::move(error), /*gen_crash_diag=*/false);
}

extern "C" DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Isthmus", ISTHMUS_VERSION,
          registerDialects};
}

extern "C" PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Isthmus", ISTHMUS_VERSION,
          isthmus::registerPasses};
}
