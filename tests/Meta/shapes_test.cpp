//===- shapes_test.cpp - The rules for shapes of ops can be parsed --------===//

#include "isthmus/Dialect/Onnx/Shapes.h"
#include "isthmus/Dialect/Torch/Shapes.h"
#include "llvm/Support/raw_ostream.h"

using namespace isthmus;

static bool isRight = true;

static void expect(llvm::StringRef signature, llvm::StringRef wrong) {
  std::string error;
  (void)ShapeSignature::parse(signature, error);
  if (error == wrong)
    return;
  isRight = false;
  llvm::errs() << "'" << signature << "': expected '" << wrong << "', got '"
               << error << "'\n";
}

static void report(llvm::StringRef file,
                   const llvm::SmallVector<std::string> &all) {
  for (const std::string &wrong : all) {
    isRight = false;
    llvm::errs() << file << ": " << wrong << '\n';
  }
}

int main() {
  expect("X[N, _, 3, 4H, d...] free W[]|[N, ...] k[#d]", "");
  expect("", "");
  expect("X[N", "expected ']' before ''");
  expect("X[N,C]", "expected ']' before ',C]'");
  expect("X[N, ]", "expected a dim before ']'");
  expect("X[..., d...]", "expected one pack of dims at most before ''");
  expect("X[3_]", "expected a dim before ']'");
  expect("X[0H]", "expected a factor before ']'");
  expect("X[#]", "expected the name of a pack before ']'");
  expect("X[N]Y[N]", "expected a space before 'Y[N]'");
  expect("X[N] [C]", "expected the name of an operand before '[C]'");
  report("cc/lib/Dialect/Onnx/Shapes.def", onnx::findWrongSignatures());
  report("cc/lib/Dialect/Torch/Shapes.def", torch::findWrongSignatures());
  return isRight ? 0 : 1;
}
