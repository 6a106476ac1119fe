//===- ExternalWeights.cpp - Values of globals in files -------------------===//
//
//   ml_program.global private @w(dense<…>)
// ◀─▶
//   ml_program.global private @w(#ml_program.extern : tensor<2xf32>)
//   and files that hold the value
//
//===----------------------------------------------------------------------===//

#include "Weights.h"
#include "isthmus/Conversion/ProgramForm.h"
#include "isthmus/Support/MappedFile.h"
#include "isthmus/Support/NewFiles.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Path.h"

#define GEN_PASS_DEF_EXTERNALIZEGLOBALS
#define GEN_PASS_DEF_INLINEGLOBALS
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;

std::optional<WeightData> HoistedWeight::getData() const {
  WeightData weight{name,
                    toText(value.getElementType()),
                    SmallVector<int64_t>(value.getShapedType().getShape()),
                    {}};
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    weight.data = dense.getRawData();
    return weight;
  }
  AsmResourceBlob *blob =
      cast<DenseResourceElementsAttr>(value).getRawHandle().getBlob();
  if (!blob)
    return std::nullopt;
  weight.data = blob->getData();
  return weight;
}

bool isthmus::isExternConstant(ml_program::GlobalOp global) {
  return !global.getIsMutable() &&
         isa_and_present<ml_program::ExternAttr>(global.getValueAttr());
}

SmallVector<HoistedWeight> isthmus::externalizeGlobals(ModuleOp module) {
  SmallVector<HoistedWeight> weights;
  for (auto global : module.getOps<ml_program::GlobalOp>()) {
    auto value = dyn_cast_if_present<ElementsAttr>(global.getValueAttr());
    if (global.getIsMutable() || !value || !isWeight(value) ||
        !isElementType(toText(value.getElementType())) ||
        !isWeightName(global.getSymName()))
      continue;
    weights.push_back({global.getSymName().str(), value});
    global.setValueAttr(
        ml_program::ExternAttr::get(module.getContext(), global.getType()));
  }
  return weights;
}

/// An existing resource of this name over the same bytes of a file; null if
/// there is none. A context keeps all resources it ever had, with their files.
static ElementsAttr findResource(RankedTensorType type,
                                 const WeightData &weight) {
  auto &resources =
      DenseResourceElementsHandle::getManagerInterface(type.getContext());
  auto *entry = resources.getBlobManager().lookup(weight.name);
  auto identity = identifyInFile(weight.data);
  if (!entry || !entry->getBlob() || !identity ||
      identifyInFile(entry->getBlob()->getData()) != identity)
    return nullptr;
  return DenseResourceElementsAttr::get(
      type, DenseResourceElementsHandle(
                entry, cast<BuiltinDialect>(resources.getDialect())));
}

/// A resource over the bytes of a file.
static ElementsAttr toResource(RankedTensorType type, const WeightData &weight,
                               std::shared_ptr<const WeightFiles> files) {
  if (ElementsAttr known = findResource(type, weight))
    return known;
  Type element = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  uint64_t width = std::max<uint64_t>(element.getIntOrFloatBitWidth() / 8, 1);
  uint64_t alignment = llvm::MinAlign(
      llvm::bit_floor(width), reinterpret_cast<uintptr_t>(weight.data.data()));
  auto blob = UnmanagedAsmResourceBlob::allocateWithAlign(
      weight.data, alignment, [files](void *, size_t, size_t) {});
  return DenseResourceElementsAttr::get(type, weight.name, std::move(blob));
}

LogicalResult isthmus::inlineGlobals(ModuleOp module,
                                     std::shared_ptr<const WeightFiles> files) {
  bool isWhole = true;
  for (auto global : module.getOps<ml_program::GlobalOp>()) {
    if (!isExternConstant(global))
      continue;
    auto fail = [&] {
      isWhole = false;
      return global.emitError("weight '")
             << global.getSymName() << "': expected " << global.getType()
             << ", got ";
    };
    const WeightData *weight = files->lookup(global.getSymName());
    auto type = dyn_cast<RankedTensorType>(global.getType());
    if (!weight)
      fail() << "no weight of that name";
    else if (!type || ArrayRef(weight->shape) != type.getShape() ||
             weight->elementType != toText(type.getElementType()))
      fail() << "a tensor [" << ArrayRef(weight->shape) << "] of "
             << weight->elementType;
    else
      global.setValueAttr(toResource(type, *weight, files));
  }
  return success(isWhole);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

namespace {

struct ExternalizeGlobals
    : isthmus::impl::ExternalizeGlobalsBase<ExternalizeGlobals> {
  using ExternalizeGlobalsBase::ExternalizeGlobalsBase;
  void runOnOperation() override {
    std::vector<WeightData> weights;
    for (const HoistedWeight &weight : externalizeGlobals(getOperation())) {
      std::optional<WeightData> data = weight.getData();
      if (!data) {
        getOperation().emitError("weight '")
            << weight.name << "': expected a resource with data, got none";
        return signalPassFailure();
      }
      weights.push_back(std::move(*data));
    }
    auto write = [&](int descriptor) {
      llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/false);
      (void)writeSafetensors(weights, llvm::sys::path::filename(file),
                             /*program=*/"", os);
      os.flush();
      std::error_code error = os.error();
      os.clear_error();
      return llvm::errorCodeToError(error);
    };
    NewFiles files; // whose weights may be mapped by the program
    llvm::Error error = files.add(file, write);
    if (!error)
      error = files.keep();
    llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &e) {
      getOperation().emitError("expected to write a file, got: ")
          << e.message();
      signalPassFailure();
    });
  }
};

struct InlineGlobals : isthmus::impl::InlineGlobalsBase<InlineGlobals> {
  using InlineGlobalsBase::InlineGlobalsBase;
  void runOnOperation() override {
    auto files = WeightFiles::open(file);
    if (!files) {
      llvm::handleAllErrors(files.takeError(),
                            [&](const llvm::ErrorInfoBase &error) {
                              getOperation().emitError(error.message());
                            });
      return signalPassFailure();
    }
    if (failed(inlineGlobals(getOperation(), std::move(*files))))
      signalPassFailure();
  }
};

} // namespace
