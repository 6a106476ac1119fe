//===- Pt2FrontEnd.cpp - Exported programs as a format of models ----------===//

#include "isthmus/Importer/FrontEnd.h"
#include "isthmus/Importer/Pt2Importer.h"

using namespace mlir;
using namespace isthmus;

namespace {

struct Pt2FrontEnd final : FrontEnd {
  Pt2FrontEnd() : FrontEnd(kPt2Format) {}

  OwningOpRef<ModuleOp> import(const ModelSource &source, MLIRContext *context,
                               const InputSizes &specialize) const override {
    Pt2ImportOptions options;
    options.specialize = specialize;
    return source.records ? importPt2Records(source.records, context, options)
                          : importPt2(source.buffer, context, options);
  }

  /// A program gives the size of every value in terms of those of the inputs.
  bool specializesWhenImporting() const override { return true; }
};

RegisterFrontEnd<Pt2FrontEnd> registered;

} // namespace
