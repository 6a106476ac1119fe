//===- OpenInputs.cpp - Inputs with sizes known only at run time ----------===//

#include "Tensors.h"
#include "isthmus/Api/Api.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace isthmus;

std::vector<OpenInput> Model::openInputs() const {
  // Other programs cannot be specialized.
  const std::string prefix =
      (source ? frontEnd->format : kOnnxFormat).attributes.str();
  std::vector<OpenInput> inputs;
  for (auto function : module().getOps<func::FuncOp>())
    for (auto [index, argument] :
         llvm::enumerate(function.getArgumentTypes())) {
      auto name = function.getArgAttrOfType<StringAttr>(index, prefix + "name");
      mlir::TensorType type = tensorOf(argument);
      if (!name || !type || !type.hasRank() || type.hasStaticShape())
        continue;
      auto names =
          function.getArgAttrOfType<StringAttr>(index, prefix + "dim_params");
      inputs.push_back(
          {name.str(), sizesOf(type, names ? names.getValue() : "")});
    }
  return inputs;
}
