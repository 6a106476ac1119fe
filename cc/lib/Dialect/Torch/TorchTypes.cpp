//===- TorchTypes.cpp - Types of the torch dialect and their text ---------===//
//
// Inside a container a torch type is written without its prefix:
// !torch.list<optional<vtensor<[2,?],f32>>>.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Torch/Torch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

#define GET_TYPEDEF_CLASSES
#include "isthmus/Dialect/Torch/TorchTypes.cpp.inc"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

bool torch::isTorchType(Type type) {
  return isa<TorchDialect>(type.getDialect());
}
bool torch::isTensor(Type type) {
  return isa<ValueTensorType, NonValueTensorType>(type);
}
bool torch::isInt(Type type) { return isa<torch::IntType>(type); }
bool torch::isFloat(Type type) { return isa<torch::FloatType>(type); }
bool torch::isBool(Type type) { return isa<torch::BoolType>(type); }
bool torch::isStr(Type type) { return isa<torch::StringType>(type); }
bool torch::isNone(Type type) { return isa<torch::NoneType>(type); }
bool torch::isDevice(Type type) { return isa<DeviceType>(type); }
bool torch::isGenerator(Type type) { return isa<GeneratorType>(type); }
bool torch::isScalar(Type type) {
  return isa<torch::IntType, torch::FloatType, torch::BoolType, NumberType>(
      type);
}

Type torch::withValueSemantics(Type type) {
  if (auto tensor = dyn_cast<NonValueTensorType>(type))
    return ValueTensorType::get(type.getContext(), tensor.getRanked(),
                                tensor.getSizes(), tensor.getDtype());
  return type;
}

/// Whether two tensor types are compatible: no known dtype or size differs.
template <typename TensorTy>
static bool mayBeSame(TensorTy a, TensorTy b) {
  if (a.getDtype() && b.getDtype() && a.getDtype() != b.getDtype())
    return false;
  return !a.hasRank() || !b.hasRank() ||
         succeeded(verifyCompatibleShape(a.getSizes(), b.getSizes()));
}

bool torch::mayBe(Type from, Type to) {
  if (from == to || isa<AnyType>(to))
    return true;
  if (auto optional = dyn_cast<OptionalType>(to)) {
    if (auto given = dyn_cast<OptionalType>(from))
      from = given.getContainedType();
    return isNone(from) || mayBe(from, optional.getContainedType());
  }
  return llvm::TypeSwitch<Type, bool>(from)
      .Case<ValueTensorType, NonValueTensorType>([&](auto tensor) {
        auto other = dyn_cast<decltype(tensor)>(to);
        return other && mayBeSame(tensor, other);
      })
      .Case([&](ListType list) {
        auto other = dyn_cast<ListType>(to);
        return other &&
               mayBe(list.getContainedType(), other.getContainedType());
      })
      .Case([&](TupleType tuple) {
        auto other = dyn_cast<TupleType>(to);
        return other && llvm::equal(tuple.getContainedTypes(),
                                    other.getContainedTypes(), mayBe);
      })
      .Default([&](Type) { return isa<NumberType>(to) && isScalar(from); });
}

//===----------------------------------------------------------------------===//
// Builtin tensors
//===----------------------------------------------------------------------===//

static Type toBuiltinElementType(Type dtype) {
  if (auto integer = dyn_cast<IntegerType>(dtype))
    return IntegerType::get(dtype.getContext(), integer.getWidth());
  return dtype;
}

TensorType torch::toBuiltin(ValueTensorType type) {
  if (!type.getDtype())
    return {};
  Type element = toBuiltinElementType(type.getDtype());
  if (!type.hasRank())
    return UnrankedTensorType::get(element);
  return RankedTensorType::get(type.getSizes(), element);
}

Type torch::toTorchDtype(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer)
    return isa<mlir::FloatType, ComplexType>(element) ? element : Type();
  unsigned width = integer.getWidth();
  if (width == 1)
    return element;
  if (width != 8 && width != 16 && width != 32 && width != 64)
    return {};
  return integer.isSignless() ? IntegerType::get(element.getContext(), width,
                                                 IntegerType::Signed)
                              : element;
}

ValueTensorType torch::fromBuiltin(TensorType type) {
  Type dtype = toTorchDtype(type.getElementType());
  if (!type.hasRank())
    return ValueTensorType::getUnknown(type.getContext(), dtype);
  return ValueTensorType::get(type.getContext(), type.getShape(), dtype);
}

/// Reinterprets elements as another type of the same width, over the same
/// storage.
static ElementsAttr retype(ElementsAttr elements, Type elementType) {
  auto type = cast<ShapedType>(elements.getType());
  if (type.getElementType() == elementType)
    return elements;
  auto retyped = type.clone(elementType);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
    return DenseResourceElementsAttr::get(retyped, resource.getRawHandle());
  if (auto dense = dyn_cast<DenseElementsAttr>(elements))
    return DenseElementsAttr::getFromRawBuffer(retyped, dense.getRawData());
  return elements;
}

ElementsAttr torch::toTorchElements(ElementsAttr elements) {
  Type dtype = toTorchDtype(elements.getElementType());
  return dtype ? retype(elements, dtype) : elements;
}

ElementsAttr torch::toTorchElements(ElementsAttr elements, Type dtype) {
  return retype(elements, dtype);
}

ElementsAttr torch::toBuiltinElements(ElementsAttr elements) {
  return retype(elements, toBuiltinElementType(elements.getElementType()));
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void printTorchType(Type type, AsmPrinter &printer);
static Type parseTorchType(AsmParser &parser);

template <typename TensorTy>
static void printTensor(StringRef keyword, TensorTy type, AsmPrinter &printer) {
  printer << keyword;
  if (!type.hasRank() && !type.getDtype())
    return;
  printer << "<";
  if (type.hasRank()) {
    printer << "[";
    llvm::interleave(
        type.getSizes(), printer.getStream(),
        [&](int64_t size) {
          if (ShapedType::isDynamic(size))
            printer << "?";
          else
            printer << size;
        },
        ",");
    printer << "]";
  } else {
    printer << "*";
  }
  printer << ",";
  if (type.getDtype())
    printer.printType(type.getDtype());
  else
    printer << "unk";
  printer << ">";
}

template <typename TensorTy>
static Type parseTensor(AsmParser &parser) {
  MLIRContext *context = parser.getContext();
  if (failed(parser.parseOptionalLess()))
    return TensorTy::getUnknown(context);
  bool ranked = failed(parser.parseOptionalStar());
  SmallVector<int64_t> sizes;
  auto parseSize = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      sizes.push_back(ShapedType::kDynamic);
      return success();
    }
    SMLoc loc = parser.getCurrentLocation();
    if (failed(parser.parseInteger(sizes.emplace_back())))
      return failure();
    if (sizes.back() < 0)
      return parser.emitError(loc, "expected a size of at least 0, got ")
             << sizes.back();
    return success();
  };
  if (ranked && failed(parser.parseCommaSeparatedList(
                    AsmParser::Delimiter::Square, parseSize)))
    return {};
  Type dtype;
  if (parser.parseComma())
    return {};
  if (failed(parser.parseOptionalKeyword("unk"))) {
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseType(dtype))
      return {};
    if (!isa<IntegerType, mlir::FloatType, ComplexType>(dtype) &&
        !isStr(dtype)) {
      parser.emitError(loc, "expected a dtype such as f32, si64 or i1, got ")
          << dtype;
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return TensorTy::get(context, ranked, sizes, dtype);
}

static void printTorchType(Type type, AsmPrinter &printer) {
  auto contained = [&](StringRef keyword, ArrayRef<Type> types) {
    printer << keyword << "<";
    llvm::interleave(
        types, printer.getStream(),
        [&](Type element) { printTorchType(element, printer); }, ", ");
    printer << ">";
  };
  TypeSwitch<Type>(type)
      .Case<ValueTensorType>(
          [&](auto tensor) { printTensor("vtensor", tensor, printer); })
      .Case<NonValueTensorType>(
          [&](auto tensor) { printTensor("tensor", tensor, printer); })
      .Case<ListType>(
          [&](ListType list) { contained("list", list.getContainedType()); })
      .Case<OptionalType>([&](auto optional) {
        contained("optional", optional.getContainedType());
      })
      .Case<torch::TupleType>(
          [&](auto tuple) { contained("tuple", tuple.getContainedTypes()); })
      .Case<DictType>([&](DictType dict) {
        contained("dict", {dict.getKeyType(), dict.getValueType()});
      })
      .Case<torch::IntType, torch::FloatType, torch::BoolType, NumberType,
            torch::StringType, torch::NoneType, AnyType, DeviceType,
            GeneratorType>([&](auto simple) {
        printer << StringRef(simple.name).substr(strlen("torch."));
      })
      .Default([&](Type other) { printer.printType(other); });
}

static Type parseTorchType(AsmParser &parser) {
  MLIRContext *context = parser.getContext();
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword))) {
    Type builtin;
    return failed(parser.parseType(builtin)) ? Type() : builtin;
  }
  auto contained = [&](SmallVectorImpl<Type> &types) -> ParseResult {
    return parser.parseCommaSeparatedList(
        AsmParser::Delimiter::OptionalLessGreater, [&] {
          types.push_back(parseTorchType(parser));
          return success(static_cast<bool>(types.back()));
        });
  };
  auto containing = [&](size_t count) -> std::optional<SmallVector<Type>> {
    SmallVector<Type> types;
    if (failed(contained(types)))
      return std::nullopt;
    if (types.size() != count) {
      parser.emitError(loc, "expected ")
          << count << " contained types, got " << types.size();
      return std::nullopt;
    }
    return types;
  };
  if (keyword == "vtensor")
    return parseTensor<ValueTensorType>(parser);
  if (keyword == "tensor")
    return parseTensor<NonValueTensorType>(parser);
  if (keyword == "list") {
    auto types = containing(1);
    return types ? ListType::get(context, types->front()) : Type();
  }
  if (keyword == "optional") {
    auto types = containing(1);
    return types ? OptionalType::get(context, types->front()) : Type();
  }
  if (keyword == "dict") {
    auto types = containing(2);
    return types ? DictType::get(context, (*types)[0], (*types)[1]) : Type();
  }
  if (keyword == "tuple") {
    SmallVector<Type> types;
    return failed(contained(types)) ? Type()
                                    : torch::TupleType::get(context, types);
  }
  Type simple =
      llvm::StringSwitch<llvm::function_ref<Type()>>(keyword)
          .Case("int", [&]() -> Type { return torch::IntType::get(context); })
          .Case("float",
                [&]() -> Type { return torch::FloatType::get(context); })
          .Case("bool", [&]() -> Type { return torch::BoolType::get(context); })
          .Case("number", [&]() -> Type { return NumberType::get(context); })
          .Case("str",
                [&]() -> Type { return torch::StringType::get(context); })
          .Case("none", [&]() -> Type { return torch::NoneType::get(context); })
          .Case("any", [&]() -> Type { return AnyType::get(context); })
          .Case("Device", [&]() -> Type { return DeviceType::get(context); })
          .Case("Generator",
                [&]() -> Type { return GeneratorType::get(context); })
          .Default([] { return Type(); })();
  if (!simple)
    parser.emitError(loc, "unknown torch type '") << keyword << "'";
  return simple;
}

Type TorchDialect::parseType(DialectAsmParser &parser) const {
  return parseTorchType(parser);
}

void TorchDialect::printType(Type type, DialectAsmPrinter &printer) const {
  printTorchType(type, printer);
}

void TorchDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "isthmus/Dialect/Torch/TorchTypes.cpp.inc"
      >();
}
