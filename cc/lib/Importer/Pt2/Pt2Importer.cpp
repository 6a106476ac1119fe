//===- Pt2Importer.cpp - Reads exported programs of PyTorch ---------------===//

#include "isthmus/Importer/Pt2Importer.h"
#include "Program.h"
#include "isthmus/Importer/FrontEnd.h"
#include "isthmus/Support/Json.h"
#include "isthmus/Support/LoadDialects.h"
#include "isthmus/Support/VerifyProgram.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::pt2;

/// Checks that the text of a record is `expected`.
static LogicalResult checkText(Import &import, const Archive &archive,
                               StringRef path, StringRef expected) {
  std::optional<StringRef> text = archive.find(path);
  if (text && text->trim() == expected)
    return success();
  InFlightDiagnostic error = import.error();
  error << "expected a record '" << path << "' that says '" << expected
        << "', got ";
  return text ? error << "'" << text->take_front(20) << "'" : error << "none";
}

/// The name of the program to read: "model" unless the file has another name.
static std::optional<std::string> chooseModel(Import &import,
                                              const Archive &archive) {
  SmallVector<StringRef> names;
  for (StringRef path : archive.paths())
    if (path.consume_front("models/") && path.consume_back(".json"))
      names.push_back(path);
  StringRef wanted = import.options.model;
  if (wanted.empty() && names.size() == 1)
    return names.front().str();
  if (!wanted.empty() && llvm::is_contained(names, wanted))
    return wanted.str();
  InFlightDiagnostic error = import.error();
  error << "expected ";
  if (wanted.empty())
    error << "one program";
  else
    error << "a program '" << wanted << "'";
  error << " in the file, got ";
  if (names.empty())
    error << "none";
  else
    error << "'" << llvm::join(names, "', '") << "'";
  return std::nullopt;
}

static LogicalResult checkVersion(const llvm::json::Value &json,
                                  const Subject &subject) {
  schema::SchemaVersion version;
  llvm::json::Path::Root root("ExportedProgram");
  const llvm::json::Object *object = json.getAsObject();
  const llvm::json::Value *field =
      object ? object->get("schema_version") : nullptr;
  if (!field)
    return subject.fail("expected a schema_version, got none");
  if (!fromJSON(*field, version,
                llvm::json::Path(root).field("schema_version")))
    return subject.fail(llvm::toString(root.getError()));
  constexpr schema::SchemaVersion newest = schema::newestVersion;
  if (version.major == newest.major && version.minor <= newest.minor)
    return success();
  return subject.fail("expected schema version " + Twine(newest.major) +
                      ".0 to " + Twine(newest.major) + "." +
                      Twine(newest.minor) + ", got " + Twine(version.major) +
                      "." + Twine(version.minor));
}

/// Reads the elements of a list of the graph one by one; with `isObject`, they
/// are the fields of an object.
static LogicalResult readElements(
    const JsonList &list, bool isObject, const Subject &subject,
    llvm::function_ref<bool(const llvm::json::Value &, llvm::json::Path)>
        read) {
  StringRef name = list.path.back();
  for (auto [index, element] : llvm::enumerate(list.elements)) {
    llvm::Expected<llvm::json::Value> json =
        isObject ? parseJson(("{" + element + "}").str()) : parseJson(element);
    if (!json)
      return subject.fail(name + "[" + Twine(index) +
                          "]: " + llvm::toString(json.takeError()));
    llvm::json::Path::Root root("ExportedProgram");
    llvm::json::Path top(root), module = top.field("graph_module"),
                                graph = module.field("graph"),
                                whole = graph.field(name);
    if (!read(*json, isObject ? whole : whole.index(index)))
      return subject.fail(llvm::toString(root.getError()));
  }
  return success();
}

static LogicalResult readProgram(StringRef text, const Subject &subject,
                                 schema::ExportedProgram &program) {
  using llvm::json::Path;
  using llvm::json::Value;
  // These grow with the program, and JSON trees of them would take sixty times
  // the size of their text.
  JsonList nodes{{"graph_module", "graph", "nodes"}, {}},
      tensors{{"graph_module", "graph", "tensor_values"}, {}};
  llvm::Expected<Value> json =
      parseJson(takeJsonElements(text, {&nodes, &tensors}));
  if (!json)
    return subject.fail(llvm::toString(json.takeError()));
  if (failed(checkVersion(*json, subject)))
    return failure();
  Path::Root root("ExportedProgram");
  if (!fromJSON(*json, program, root))
    return subject.fail(llvm::toString(root.getError()));

  schema::Graph &graph = program.graph;
  if (failed(readElements(nodes, /*isObject=*/false, subject,
                          [&](const Value &json, Path path) {
                            return fromJSON(json, graph.nodes.emplace_back(),
                                            path);
                          })))
    return failure();
  return readElements(
      tensors, /*isObject=*/true, subject, [&](const Value &json, Path path) {
        const llvm::json::Object *object = json.getAsObject();
        if (!object || object->size() != 1) { // two commas in a row
          path.report("expected a field");
          return false;
        }
        const auto &[name, value] = *object->begin();
        return fromJSON(value, graph.tensors[name], path.field(name));
      });
}

static OwningOpRef<ModuleOp> importArchive(Import &import,
                                           const Archive &archive) {
  std::optional<std::string> model = chooseModel(import, archive);
  if (!model)
    return nullptr;
  Weights weights(import, archive);
  bool hasWeights = succeeded(weights.read(*model));
  std::string path = "models/" + *model + ".json";
  schema::ExportedProgram program;
  if (failed(readProgram(*archive.find(path), Subject(import, "record", path),
                         program)) ||
      !hasWeights)
    return nullptr;

  if (failed(loadDialects<torch::TorchDialect, func::FuncDialect>(
          import.context, import.location)))
    return nullptr;
  OwningOpRef<ModuleOp> module = ModuleOp::create(import.location);
  ProgramImporter(import, weights, program).importProgram(*module);
  if (import.failed() || failed(verifyProgram(*module)))
    return nullptr;
  return module;
}

OwningOpRef<ModuleOp>
isthmus::importPt2(std::shared_ptr<llvm::MemoryBuffer> buffer,
                   MLIRContext *context, const Pt2ImportOptions &options) {
  Import import(context, options, buffer);
  llvm::Expected<Archive> archive = Archive::read(buffer->getBuffer());
  if (!archive || !archive->find("archive_format"))
    if (StringRef other = describeOtherFormat(buffer->getBuffer());
        !other.empty()) {
      llvm::consumeError(archive.takeError());
      import.error() << "expected an exported PyTorch program, got " << other;
      return nullptr;
    }
  if (!archive) {
    import.error() << llvm::toString(archive.takeError());
    return nullptr;
  }
  if (failed(checkText(import, *archive, "archive_format", "pt2")) ||
      failed(checkText(import, *archive, "archive_version", "0")) ||
      failed(checkText(import, *archive, "byteorder", "little")))
    return nullptr;
  return importArchive(import, *archive);
}

OwningOpRef<ModuleOp> isthmus::importPt2File(StringRef path,
                                             MLIRContext *context,
                                             const Pt2ImportOptions &options) {
  auto file = mapModelFile(path, "an exported PyTorch program", context);
  return file ? importPt2(std::move(file), context, options) : nullptr;
}

OwningOpRef<ModuleOp>
isthmus::importPt2Records(std::shared_ptr<ModelRecords> records,
                          MLIRContext *context,
                          const Pt2ImportOptions &options) {
  Import import(context, options, records);
  return importArchive(import, Archive::of(records->records));
}
