//===- HloRules.cpp - Arithmetic of sizes ---------------------------------===//

#include "HloRules.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace isthmus;

bool hlo::areCompatible(TypeRange lhs, TypeRange rhs) {
  return llvm::equal(lhs, rhs, [](Type l, Type r) {
    return getElementTypeOrSelf(l) == getElementTypeOrSelf(r) &&
           succeeded(verifyCompatibleShape(l, r));
  });
}

FailureOr<int64_t> hlo::joinSizes(MaybeLoc loc, int64_t lhs, int64_t rhs) {
  if (isDynamic(lhs))
    return rhs;
  if (isDynamic(rhs) || lhs == rhs)
    return lhs;
  return emitOptionalError(loc, "expected equal sizes, got ", lhs, " and ",
                           rhs);
}

int64_t hlo::windowedSize(int64_t size, int64_t baseDilation, int64_t low,
                          int64_t high, int64_t window, int64_t windowDilation,
                          int64_t stride) {
  if (isDynamic(size) || isDynamic(window))
    return ShapedType::kDynamic;
  auto dilated = [](Wide n, Wide by) { return n == 0 ? 0 : (n - 1) * by + 1; };
  Wide span = dilated(size, baseDilation) + low + high -
              dilated(window, windowDilation);
  if (span < 0)
    return 0;
  return sizeFrom(span / stride + 1);
}

std::pair<int64_t, int64_t>
hlo::paddingOf(std::optional<DenseIntElementsAttr> padding, size_t i) {
  if (!padding)
    return {0, 0};
  auto values = padding->getValues<int64_t>();
  return {values[2 * i], values[2 * i + 1]};
}
