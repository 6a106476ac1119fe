//===- Passes.td - Conversion passes -----------------------*- tablegen -*-===//

#ifndef ISTHMUS_CONVERSION_PASSES_TD
#define ISTHMUS_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def MhloToStablehlo : Pass<"mhlo-to-stablehlo"> {
  let summary = "Rename `mhlo` ops and attributes to `stablehlo`";
  let description = [{
    Every op and attribute of `mhlo` that this project defines has a twin in
    `stablehlo`, so the pass renames and cannot fail. One walk over the module.
  }];
  let dependentDialects = ["::isthmus::stablehlo::StablehloDialect"];
}

#endif // ISTHMUS_CONVERSION_PASSES_TD
