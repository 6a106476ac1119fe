//===- Checks.cpp - Run-time checks ---------------------------------------===//
//
// Sizes and positions computed by the program may be inconsistent. A failed
// check is a cf.assert whose message names the node. The embedded JIT adds the
// two compared numbers.
//
//===----------------------------------------------------------------------===//

#include "LinalgBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;

void LinalgBuilder::check(Value condition, const Twine &expectation) {
  sizes.stopUnless(condition, "expected " + expectation);
}

void LinalgBuilder::checkSame(Size size, Size expected,
                              const Twine &expectation) {
  if (!areSame(size, expected))
    check(create<arith::CmpIOp>(arith::CmpIPredicate::eq, sizes.toIndex(size),
                                sizes.toIndex(expected)),
          expectation);
}

void LinalgBuilder::checkAtMost(Size size, Size limit,
                                const Twine &expectation) {
  std::optional<int64_t> number = known(size), most = known(limit);
  if (areSame(size, limit) || (number && most && *number <= *most))
    return;
  check(create<arith::CmpIOp>(arith::CmpIPredicate::sle, sizes.toIndex(size),
                              sizes.toIndex(limit)),
        expectation);
}

void LinalgBuilder::checkNotNegative(Size size) {
  if (sizes.isNeverNegative(size))
    return;
  Value zero = sizes.toIndex(sizes.constant(0));
  check(create<arith::CmpIOp>(arith::CmpIPredicate::sge, sizes.toIndex(size),
                              zero),
        "a size that is not negative");
}
