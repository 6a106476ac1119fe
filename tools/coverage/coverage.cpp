//===- coverage.cpp - The coverage table as JSON --------------------------===//

#include "isthmus/Api/Coverage.h"
#include "llvm/Support/raw_ostream.h"

int main() {
  llvm::outs() << llvm::formatv("{0:2}\n",
                                isthmus::toJSON(isthmus::coverage()));
}
