//===- Model.cpp - Reading, writing and running a program -----------------===//

#include "Diagnostics.h"
#include "Nesting.h"
#include "Resources.h"
#include "WeightFile.h"
#include "isthmus/Importer/Pt2Importer.h"
#include "isthmus/Pipelines/Pipelines.h"
#include "isthmus/Support/MappedFile.h"
#include "isthmus/Support/Parts.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"

#ifdef ISTHMUS_WITH_ONNX
#include "isthmus/Importer/OnnxImporter.h"
#endif

using namespace mlir;
using namespace isthmus;
using Kind = ModelError::Kind;

/// Every dialect that a file may hold and a lowering may make.
static DialectRegistry dialects() {
  DialectRegistry registry;
  llvm::cantFail(registerDialects(registry));
#ifdef ISTHMUS_WITH_JIT
  registerJitDialects(registry);
#endif
  return registry;
}

// Threads would serve programs of many functions, and models have one.
Model::Model()
    : context(std::make_shared<MLIRContext>(dialects(),
                                            MLIRContext::Threading::DISABLED)) {
}

Model Model::clone() const {
  Model copy;
  copy.context = context;
  copy.root = module().clone();
  copy.program = program;
  copy.weightFile = weightFile;
  return copy;
}

/// What keeps the system from opening a file is no fault of the model.
static llvm::Error checkReadable(StringRef path) {
  auto file = llvm::sys::fs::openNativeFileForRead(path);
  if (!file)
    return isthmus::failed(Kind::System,
                           path + ": " + llvm::toString(file.takeError()));
  llvm::sys::fs::closeFile(*file);
  return llvm::Error::success();
}

llvm::Expected<Model> Model::importOnnxFile(StringRef path) {
#ifdef ISTHMUS_WITH_ONNX
  if (llvm::Error error = checkReadable(path))
    return error;
  Model model;
  Diagnostics diagnostics(model.context.get());
  model.root = isthmus::importOnnxFile(path, model.context.get());
  if (!model.root)
    return diagnostics.take(Kind::BadModel,
                            path.str() + ": expected an ONNX model");
  return model;
#else
  return isthmus::failed(Kind::MissingPart, missingPart("onnx"));
#endif
}

llvm::Expected<Model>
Model::importOnnx(std::shared_ptr<llvm::MemoryBuffer> buffer) {
#ifdef ISTHMUS_WITH_ONNX
  Model model;
  Diagnostics diagnostics(model.context.get());
  std::string name = buffer->getBufferIdentifier().str();
  model.root = isthmus::importOnnx(std::move(buffer), model.context.get());
  if (!model.root)
    return diagnostics.take(Kind::BadModel, name + ": expected an ONNX model");
  return model;
#else
  return isthmus::failed(Kind::MissingPart, missingPart("onnx"));
#endif
}

llvm::Expected<Model> Model::importPt2File(StringRef path) {
  auto buffer = isthmus::mapFile(path);
  if (!buffer)
    return isthmus::failed(Kind::System,
                           path + ": " + buffer.getError().message());
  return importPt2(std::move(*buffer));
}

llvm::Expected<Model>
Model::importPt2(std::shared_ptr<llvm::MemoryBuffer> buffer) {
#ifdef ISTHMUS_WITH_PT2
  Model model;
  Diagnostics diagnostics(model.context.get());
  model.program = buffer;
  std::string name = buffer->getBufferIdentifier().str();
  model.root = isthmus::importPt2(std::move(buffer), model.context.get());
  if (!model.root)
    return diagnostics.take(Kind::BadModel,
                            name + ": expected an exported PyTorch program");
  return model;
#else
  return isthmus::failed(Kind::MissingPart, missingPart("pt2"));
#endif
}

llvm::Expected<Model> Model::importPt2Records(
    std::vector<std::unique_ptr<llvm::MemoryBuffer>> records) {
#ifdef ISTHMUS_WITH_PT2
  Model model;
  Diagnostics diagnostics(model.context.get());
  model.root = isthmus::importPt2Records(
      std::move(records), "<exported program>", model.context.get());
  if (!model.root)
    return diagnostics.take(Kind::BadModel, "expected an exported program");
  return model;
#else
  return isthmus::failed(Kind::MissingPart, missingPart("pt2"));
#endif
}

llvm::Expected<Model> Model::importFile(StringRef path) {
  if (llvm::Error error = checkReadable(path))
    return error;
  auto start = llvm::MemoryBuffer::getFileSlice(path, /*MapSize=*/4,
                                                /*Offset=*/0);
  if (start && isPt2((*start)->getBuffer()))
    return importPt2File(path);
  return importOnnxFile(path);
}

llvm::Expected<Model>
Model::importBuffer(std::shared_ptr<llvm::MemoryBuffer> buffer) {
  return isPt2(buffer->getBuffer()) ? importPt2(std::move(buffer))
                                    : importOnnx(std::move(buffer));
}

llvm::Expected<Model> Model::parse(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                   bool isKept) {
  Model model;
  Diagnostics diagnostics(model.context.get());
  std::string name = buffer->getBufferIdentifier().str();
  // Blobs of bytecode are aligned within the file, and have to be in memory.
  const llvm::Align page(4096);
  if (isBytecode(*buffer) && !isAddrAligned(page, buffer->getBufferStart())) {
    auto aligned = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
        buffer->getBufferSize(), name, page);
    if (!aligned)
      return isthmus::failed(Kind::System, name + ": expected memory for it");
    llvm::copy(buffer->getBuffer(), aligned->getBufferStart());
    buffer = std::move(aligned);
    isKept = true;
  }
  if (!isBytecode(*buffer)) {
    if (std::string deep = findDeepNesting(buffer->getBuffer()); !deep.empty())
      return isthmus::failed(Kind::BadModel, name + ":" + deep);
    if (std::string wrong = findWrongAlignment(buffer->getBuffer());
        !wrong.empty())
      return isthmus::failed(Kind::BadModel, name + ": " + wrong);
  }
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  model.root = isKept
                   ? parseSourceFile<ModuleOp>(sources, model.context.get())
                   : parseSourceFile<ModuleOp>(*sources, model.context.get());
  if (!model.root)
    return diagnostics.take(Kind::BadModel,
                            name + ": expected MLIR text or bytecode");
  if (std::string wrong = findWrongResource(*model.root); !wrong.empty())
    return isthmus::failed(Kind::BadModel, name + ": " + wrong);
  return model;
}

llvm::Expected<Model> Model::parse(llvm::MemoryBufferRef buffer) {
  // The lexer of text reads up to a terminator, which only a copy surely has.
  if (!isBytecode(buffer))
    return parse(llvm::MemoryBuffer::getMemBufferCopy(
                     buffer.getBuffer(), buffer.getBufferIdentifier()),
                 /*isKept=*/true);
  return parse(llvm::MemoryBuffer::getMemBuffer(
                   buffer, /*RequiresNullTerminator=*/false),
               /*isKept=*/false);
}

llvm::Expected<Model> Model::parseFile(StringRef path) {
  auto buffer = isthmus::mapFile(path);
  if (!buffer)
    return isthmus::failed(Kind::System,
                           path + ": " + buffer.getError().message());
  // Text has to end with a terminator; a pipe is not read twice.
  if (!isBytecode(**buffer))
    buffer = (*buffer)->getBufferKind() == llvm::MemoryBuffer::MemoryBuffer_MMap
                 ? llvm::MemoryBuffer::getFile(path)
                 : llvm::MemoryBuffer::getMemBufferCopy((*buffer)->getBuffer(),
                                                        path);
  if (!buffer)
    return isthmus::failed(Kind::System,
                           path + ": " + buffer.getError().message());
  auto model = parse(std::move(*buffer), /*isKept=*/true);
  if (model)
    model->weightFile = findWeightFile(path);
  return model;
}

llvm::Expected<std::unique_ptr<Executable>>
Model::compile(const JitOptions &options) const {
#ifdef ISTHMUS_WITH_JIT
  auto whole = withWeights();
  if (!whole)
    return whole.takeError();
  Diagnostics diagnostics(context.get());
  auto executable = Executable::compile(whole->module(), options);
  if (!executable)
    return diagnostics.take(Kind::Unsupported,
                            llvm::toString(executable.takeError()));
  return executable;
#else
  return isthmus::failed(Kind::MissingPart, missingPart("jit"));
#endif
}
