//===- Model.cpp - Reading, writing and running a program -----------------===//

#include "Diagnostics.h"
#include "Nesting.h"
#include "Resources.h"
#include "WeightFile.h"
#include "isthmus/Pipelines/Pipelines.h"
#include "isthmus/Support/MappedFile.h"
#include "isthmus/Support/Parts.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

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

// Threads would help programs with many functions, and models have one.
Model::Model()
    : context(std::make_shared<MLIRContext>(dialects(),
                                            MLIRContext::Threading::DISABLED)) {
}

Model Model::clone() const {
  Model copy;
  copy.context = context;
  copy.root = module().clone();
  copy.source = source;
  copy.frontEnd = frontEnd;
  copy.weightFile = weightFile;
  return copy;
}

llvm::Expected<Model> Model::import(ModelSource source,
                                    const ModelFormat &format) {
  const FrontEnd *frontEnd = findFrontEnd(format);
  if (!frontEnd)
    return isthmus::failed(Kind::MissingPart, missingPart(format.name));
  Model model;
  Diagnostics diagnostics(model.context.get());
  model.root = frontEnd->import(source, model.context.get(), {});
  if (!model.root)
    return diagnostics.take(
        Kind::BadModel, (source.getName() + ": expected " + format.noun).str());
  if (frontEnd->specializesWhenImporting()) {
    model.source = std::move(source);
    model.frontEnd = frontEnd;
  }
  return model;
}

/// Blobs of bytecode are aligned within the file, and must be aligned in
/// memory.
static const llvm::Align kBlobAlignment(4096);

/// MLIR in the form its readers need: text with a terminator, at which the
/// lexer stops, and bytecode with aligned blobs. Null if out of memory.
static std::unique_ptr<llvm::MemoryBuffer>
copyProgram(llvm::MemoryBufferRef program) {
  StringRef name = program.getBufferIdentifier();
  if (!isBytecode(program))
    return llvm::MemoryBuffer::getMemBufferCopy(program.getBuffer(), name);
  auto copy = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
      program.getBufferSize(), name, kBlobAlignment);
  if (copy)
    llvm::copy(program.getBuffer(), copy->getBufferStart());
  return copy;
}

/// The requested format, or the format detected from the bytes.
static llvm::Expected<const ModelFormat &> formatOf(const OpenOptions &options,
                                                    StringRef bytes) {
  if (options.format.empty())
    return recognizeFormat(bytes);
  if (const ModelFormat *format = findFormat(options.format))
    return *format;
  std::string known;
  for (const ModelFormat *format : modelFormats())
    known += ("'" + format->name + "', ").str();
  return isthmus::failed(Kind::Unsupported, "expected a format of " + known +
                                                "'" + kMlirFormat + "', got '" +
                                                options.format + "'");
}

llvm::Expected<Model> Model::open(StringRef path, const OpenOptions &options) {
  if (options.format == kMlirFormat)
    return parseFile(path);
  auto buffer = isthmus::mapFile(path);
  if (!buffer)
    return isthmus::failed(Kind::System,
                           path + ": " + buffer.getError().message());
  auto format = formatOf(options, (*buffer)->getBuffer());
  if (!format)
    return format.takeError();
  return import(ModelSource::ofFile(std::move(*buffer), path), *format);
}

llvm::Expected<Model> Model::open(std::shared_ptr<llvm::MemoryBuffer> buffer,
                                  const OpenOptions &options) {
  if (options.format == kMlirFormat) {
    std::unique_ptr<llvm::MemoryBuffer> copy = copyProgram(*buffer);
    if (!copy)
      return isthmus::failed(Kind::System, buffer->getBufferIdentifier() +
                                               ": expected memory for it");
    return parse(std::move(copy));
  }
  auto format = formatOf(options, buffer->getBuffer());
  if (!format)
    return format.takeError();
  ModelSource source;
  source.buffer = std::move(buffer);
  return import(std::move(source), *format);
}

llvm::Expected<Model> Model::open(std::shared_ptr<ModelRecords> records) {
  ModelSource source;
  source.records = std::move(records);
  return import(std::move(source), kPt2Format);
}

llvm::Expected<Model> Model::parse(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  Model model;
  Diagnostics diagnostics(model.context.get());
  std::string name = buffer->getBufferIdentifier().str();
  if (isBytecode(*buffer) &&
      !isAddrAligned(kBlobAlignment, buffer->getBufferStart())) {
    buffer = copyProgram(*buffer);
    if (!buffer)
      return isthmus::failed(Kind::System, name + ": expected memory for it");
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
  model.root = parseSourceFile<ModuleOp>(sources, model.context.get());
  if (!model.root)
    return diagnostics.take(Kind::BadModel,
                            name + ": expected MLIR text or bytecode");
  if (std::string wrong = findWrongResource(*model.root); !wrong.empty())
    return isthmus::failed(Kind::BadModel, name + ": " + wrong);
  return model;
}

llvm::Expected<Model> Model::parseFile(StringRef path) {
  auto buffer = isthmus::mapFile(path);
  if (!buffer)
    return isthmus::failed(Kind::System,
                           path + ": " + buffer.getError().message());
  // Text must end with a terminator; a pipe cannot be read twice.
  if (!isBytecode(**buffer))
    buffer = (*buffer)->getBufferKind() == llvm::MemoryBuffer::MemoryBuffer_MMap
                 ? llvm::MemoryBuffer::getFile(path)
                 : llvm::MemoryBuffer::getMemBufferCopy((*buffer)->getBuffer(),
                                                        path);
  if (!buffer)
    return isthmus::failed(Kind::System,
                           path + ": " + buffer.getError().message());
  auto model = parse(std::move(*buffer));
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
