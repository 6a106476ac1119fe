//===- Sdy.cpp - Shardings of tensors over devices ------------------------===//

#include "isthmus/Dialect/Sdy/Sdy.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::sdy;

#include "isthmus/Dialect/Sdy/SdyDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "isthmus/Dialect/Sdy/SdyAttributes.cpp.inc"
#define GET_OP_CLASSES
#include "isthmus/Dialect/Sdy/SdyOps.cpp.inc"

void SdyDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "isthmus/Dialect/Sdy/SdyAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "isthmus/Dialect/Sdy/SdyOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Meshes
//===----------------------------------------------------------------------===//

/// A name in quotes.
static ParseResult parseName(AsmParser &parser,
                             SmallVectorImpl<StringAttr> &names) {
  std::string name;
  if (parser.parseString(&name))
    return failure();
  names.push_back(parser.getBuilder().getStringAttr(name));
  return success();
}

/// <["data"=2, "model"=4], device_ids=[0, 1, …]>
Attribute MeshAttr::parse(AsmParser &parser, Type) {
  using Delimiter = AsmParser::Delimiter;
  SmallVector<StringAttr> names;
  SmallVector<int64_t> sizes, devices;
  auto parseAxis = [&] {
    return failure(parseName(parser, names) || parser.parseEqual() ||
                   parser.parseInteger(sizes.emplace_back()));
  };
  auto parseDevice = [&] {
    return parser.parseInteger(devices.emplace_back());
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(Delimiter::Square, parseAxis))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("device_ids") || parser.parseEqual() ||
       parser.parseCommaSeparatedList(Delimiter::Square, parseDevice)))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<MeshAttr>(parser.getContext(), names, sizes,
                                     devices);
}

void MeshAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(llvm::zip_equal(getNames(), getSizes()), printer,
                        [&](auto axis) {
                          auto [name, size] = axis;
                          printer << name << '=' << size;
                        });
  printer << ']';
  if (!getDeviceIds().empty()) {
    printer << ", device_ids=[";
    llvm::interleaveComma(getDeviceIds(), printer);
    printer << ']';
  }
  printer << '>';
}

LogicalResult MeshAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<StringAttr> names,
                               ArrayRef<int64_t> sizes,
                               ArrayRef<int64_t> devices) {
  for (auto [i, name] : llvm::enumerate(names))
    if (llvm::is_contained(names.take_front(i), name))
      return emitError() << "expected each axis once, got " << name << " twice";
  int64_t count = 1;
  for (int64_t size : sizes)
    if (size <= 0 || llvm::MulOverflow(count, size, count))
      return emitError() << "expected sizes of axes above 0 whose product fits "
                            "64 bits, got "
                         << sizes;
  SmallVector<int64_t> sorted(devices);
  llvm::sort(sorted);
  if (!devices.empty() && (int64_t(devices.size()) != count ||
                           !llvm::equal(sorted, llvm::seq<int64_t>(0, count))))
    return emitError() << "expected each device from 0 to " << count - 1
                       << " once, got " << devices;
  return success();
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

/// <@mesh, [{"data"}, {}]>
Attribute TensorShardingAttr::parse(AsmParser &parser, Type) {
  using Delimiter = AsmParser::Delimiter;
  StringAttr mesh;
  SmallVector<ArrayAttr> dims;
  Builder &builder = parser.getBuilder();
  auto parseDim = [&]() -> ParseResult {
    SmallVector<StringAttr> names;
    if (parser.parseCommaSeparatedList(
            Delimiter::Braces, [&] { return parseName(parser, names); }))
      return failure();
    dims.push_back(builder.getArrayAttr(
        SmallVector<Attribute>(names.begin(), names.end())));
    return success();
  };
  if (parser.parseLess() || parser.parseSymbolName(mesh) ||
      parser.parseComma() ||
      parser.parseCommaSeparatedList(Delimiter::Square, parseDim) ||
      parser.parseGreater())
    return {};
  return TensorShardingAttr::get(parser.getContext(),
                                 FlatSymbolRefAttr::get(mesh), dims);
}

void TensorShardingAttr::print(AsmPrinter &printer) const {
  printer << '<' << getMesh() << ", [";
  llvm::interleaveComma(getAxes(), printer, [&](ArrayAttr dim) {
    printer << '{';
    llvm::interleaveComma(dim, printer);
    printer << '}';
  });
  printer << "]>";
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Verifies that a sharding of a tensor type splits each of its dims over axes
/// of a mesh that is there.
static LogicalResult verifySharding(TensorShardingAttr sharding, Type type,
                                    Operation *user) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  int64_t dims = sharding.getAxes().size();
  if (!tensor || tensor.getRank() != dims)
    return user->emitOpError() << "expected a sharding of " << dims
                               << " dims to be of such a tensor, got " << type;
  auto mesh = SymbolTable::lookupNearestSymbolFrom<MeshOp>(
      user, StringAttr(sharding.getMesh().getAttr()));
  if (!mesh)
    return user->emitOpError()
           << "expected a mesh, got none of the name " << sharding.getMesh();
  llvm::SmallDenseSet<Attribute> seen;
  for (ArrayAttr axes : sharding.getAxes())
    for (Attribute axis : axes) {
      if (!llvm::is_contained(mesh.getMesh().getNames(), axis))
        return user->emitOpError() << "expected axes of mesh "
                                   << sharding.getMesh() << ", got " << axis;
      if (!seen.insert(axis).second)
        return user->emitOpError()
               << "expected each axis once, got " << axis << " twice";
    }
  return success();
}

LogicalResult ShardingConstraintOp::verifySymbolUses(SymbolTableCollection &) {
  return verifySharding(getSharding(), getType(), *this);
}

/// Verifies an attribute of an argument or a result of this type.
static LogicalResult verifyNote(NamedAttribute attribute, Type type,
                                Operation *func) {
  auto sharding = dyn_cast<TensorShardingAttr>(attribute.getValue());
  if (attribute.getName() != kSharding || !sharding)
    return func->emitOpError()
           << "expected " << kSharding << " with a sharding, got "
           << attribute.getName() << " = " << attribute.getValue();
  return verifySharding(sharding, type, func);
}

LogicalResult SdyDialect::verifyRegionArgAttribute(Operation *op,
                                                   unsigned region,
                                                   unsigned argument,
                                                   NamedAttribute attribute) {
  return verifyNote(attribute,
                    op->getRegion(region).getArgument(argument).getType(), op);
}

LogicalResult SdyDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned result, NamedAttribute attribute) {
  auto func = cast<FunctionOpInterface>(op);
  return verifyNote(attribute, func.getResultTypes()[result], op);
}

//===----------------------------------------------------------------------===//
// Programs for several devices
//===----------------------------------------------------------------------===//

MeshOp sdy::createMesh(ModuleOp module, StringRef name, MeshAttr mesh) {
  OpBuilder builder(module.getContext());
  auto op = MeshOp::create(builder, module.getLoc(), name, mesh);
  SymbolTable(module).insert(op, module.getBody()->begin());
  return op;
}

void sdy::setShardingOfUses(FunctionOpInterface func, unsigned argument) {
  if (func.getArgAttr(argument, kSharding))
    return;
  ShardingConstraintOp first;
  for (Operation *user : func.getArgument(argument).getUsers()) {
    auto constraint = dyn_cast<ShardingConstraintOp>(user);
    if (constraint && constraint->getBlock() == &func.front() &&
        (!first || constraint->isBeforeInBlock(first)))
      first = constraint;
  }
  if (first)
    func.setArgAttr(argument, kSharding, first.getSharding());
}
