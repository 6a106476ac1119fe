//===- shapes_test.cpp - What is said of ops' shapes can be read ----------===//

#include "isthmus/Dialect/Onnx/Shapes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace isthmus;

static bool isRight = true;

static void expect(llvm::StringRef signature, llvm::StringRef wrong) {
  std::string got =
      llvm::join(onnx::findWrongSignature(signature, {"X", "W"}), "; ");
  if (got == wrong)
    return;
  isRight = false;
  llvm::errs() << "'" << signature << "': expected '" << wrong << "', got '"
               << got << "'\n";
}

int main() {
  expect("X[N, _, 3, 4H, d...] W[]|[N, ...]", "");
  expect("", "");
  expect("X", "expected '[' before ''");
  expect("X[N", "expected ']' before ''");
  expect("X[N,C]", "expected ']' before ',C]'");
  expect("X[N, ]", "expected a dim before ']'");
  expect("X[..., d...]", "expected one pack of dims at most before ''");
  expect("X[3_]", "expected a size before ']'");
  expect("X[N] [C]", "expected the name of an operand before '[C]'");
  expect("Y[N]", "no input is called 'Y'");
  expect("X[N] X[C]", "'X' is there twice");

  for (const std::string &wrong : onnx::findWrongSignatures()) {
    isRight = false;
    llvm::errs() << "cc/lib/Dialect/Onnx/Shapes.def: " << wrong << '\n';
  }
  return isRight ? 0 : 1;
}
