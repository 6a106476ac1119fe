//===- dialect_names_test.cpp - Other dialects with the same names --------===//
//
// A compiler that links StableHLO, torch-mlir or onnx-mlir has dialects with
// the same names as Isthmus's. There, registration of Isthmus's dialects fails,
// and programs can be passed as bytecode.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Api/Api.h"
#include "isthmus/Pipelines/Pipelines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#ifdef ISTHMUS_WITH_ONNX
#include "isthmus/Importer/OnnxImporter.h"
#endif

using namespace mlir;

/// Dialects of another project, which accept any op.
#define DEFINE_DIALECT(name, space)                                            \
  struct name : Dialect {                                                      \
    explicit name(MLIRContext *context)                                        \
        : Dialect(space, context, TypeID::get<name>()) {                       \
      allowUnknownOperations();                                                \
    }                                                                          \
    static StringRef getDialectNamespace() { return space; }                   \
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(name)                         \
  };

namespace {
DEFINE_DIALECT(OtherOnnx, "onnx")
DEFINE_DIALECT(OtherStablehlo, "stablehlo")
DEFINE_DIALECT(OtherTorch, "torch")

int failures = 0;
} // namespace

static void expect(bool isTrue, const Twine &what) {
  if (isTrue)
    return;
  ++failures;
  llvm::errs() << "failed: " << what << '\n';
}

template <typename Place>
static std::string registerIn(Place &place) {
  llvm::Error error = isthmus::registerDialects(place);
  return error ? llvm::toString(std::move(error)) : "";
}

static void testRegistration() {
  DialectRegistry clean;
  expect(registerIn(clean).empty() && registerIn(clean).empty(),
         "dialects are registered twice");

  DialectRegistry taken;
  taken.insert<func::FuncDialect, OtherTorch>();
  std::string said = registerIn(taken);
  expect(StringRef(said).contains("got 'torch'"), "a registry: " + said);

  MLIRContext loaded;
  loaded.loadDialect<OtherTorch>();
  said = registerIn(loaded);
  expect(StringRef(said).contains("got 'torch'"), "a loaded dialect: " + said);

  MLIRContext known(taken);
  said = registerIn(known);
  expect(StringRef(said).contains("got 'torch'"), "a known dialect: " + said);

  MLIRContext empty;
  expect(registerIn(empty).empty() && registerIn(empty).empty(),
         "a context is given the dialects twice");
  expect(empty.getOrLoadDialect("torch"), "a context has the dialects then");
}

#ifdef ISTHMUS_WITH_ONNX
/// Imports a model of IR version 8 without a graph.
static void testImport() {
  MLIRContext context;
  context.loadDialect<OtherOnnx>();
  std::string said;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { said = diagnostic.str(); });
  auto module = isthmus::importOnnx(
      llvm::MemoryBuffer::getMemBufferCopy(StringRef("\x08\x08", 2), "model"),
      &context);
  expect(!module && StringRef(said).contains("got 'onnx'"), "import: " + said);
}
#endif

#ifdef ISTHMUS_WITH_MHLO
/// Reads StableHLO from Isthmus in a context with another project's dialect.
static void testBytecode() {
  constexpr StringLiteral program = R"(
    func.func @main(%x: !torch.vtensor<[2,?],f32>) -> !torch.vtensor<[2,?],f32> {
      %y = torch.aten.tanh %x : !torch.vtensor<[2,?],f32> -> !torch.vtensor<[2,?],f32>
      return %y : !torch.vtensor<[2,?],f32>
    })";
  auto model = isthmus::Model::open(
      llvm::MemoryBuffer::getMemBuffer(program, "program"), {"mlir"});
  isthmus::LowerOptions options;
  options.target = "stablehlo";
  llvm::cantFail(model.takeError());
  llvm::cantFail(model->lower(options));
  std::string bytecode;
  llvm::raw_string_ostream os(bytecode);
  llvm::cantFail(model->write(os, isthmus::Format::Bytecode));

  MLIRContext context;
  context.loadDialect<func::FuncDialect, OtherStablehlo>();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(bytecode, &context);
  expect(module && succeeded(verify(*module)), "another reads the bytecode");
  bool found = false;
  if (module)
    module->walk([&](Operation *op) {
      found |= op->getName().getStringRef() == "stablehlo.tanh" &&
               isa_and_nonnull<OtherStablehlo>(op->getDialect());
    });
  expect(found, "it has stablehlo.tanh, which is the other dialect's");
}
#endif

int main() {
  testRegistration();
#ifdef ISTHMUS_WITH_ONNX
  testImport();
#endif
#ifdef ISTHMUS_WITH_MHLO
  testBytecode();
#endif
  return failures ? 1 : 0;
}
