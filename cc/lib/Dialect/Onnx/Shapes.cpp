//===- Shapes.cpp - What shapes each op takes -----------------------------===//

#include "isthmus/Dialect/Onnx/Shapes.h"
#include "isthmus/Dialect/Onnx/Schemas.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

namespace {

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// A dim, or a pack of them.
struct Dim {
  bool isPack = false;
  StringRef name;     // of a size or a pack; empty: a number, or any
  int64_t factor = 0; // of a size or a number; 0: any
};

/// The dims of an operand in one of its forms, with at most one pack.
struct Form {
  SmallVector<Dim> dims;
  StringRef text; // "[N, C, d...]"

  std::optional<size_t> pack() const {
    const auto *found =
        llvm::find_if(dims, [](const Dim &d) { return d.isPack; });
    if (found == dims.end())
      return std::nullopt;
    return found - dims.begin();
  }
};

struct OperandForms {
  StringRef name;
  SmallVector<Form, 1> forms;
};

using Signature = SmallVector<OperandForms>;

/// Reads a signature; what it cannot read is in `error`.
class Parser {
public:
  explicit Parser(StringRef text) : rest(text) {}

  Signature parse() {
    Signature signature;
    while (error.empty() && !(rest = rest.ltrim()).empty()) {
      OperandForms operand{name(), {}};
      if (operand.name.empty())
        expected("the name of an operand");
      do
        operand.forms.push_back(form());
      while (error.empty() && rest.consume_front("|"));
      signature.push_back(std::move(operand));
    }
    return signature;
  }

  std::string error;

private:
  void expected(StringRef what) {
    if (error.empty())
      error = ("expected " + what + " before '" + rest + "'").str();
  }

  StringRef name() {
    StringRef taken =
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    rest = rest.drop_front(taken.size());
    return taken;
  }

  Form form() {
    Form result;
    StringRef begin = rest;
    if (!rest.consume_front("["))
      expected("'['");
    if (!rest.consume_front("]")) {
      do
        result.dims.push_back(dim());
      while (error.empty() && rest.consume_front(", "));
      if (!rest.consume_front("]"))
        expected("']'");
    }
    if (llvm::count_if(result.dims, [](const Dim &d) { return d.isPack; }) > 1)
      expected("one pack of dims at most");
    result.text = begin.drop_back(rest.size());
    return result;
  }

  Dim dim() {
    Dim result;
    bool hasFactor = !rest.consumeInteger(10, result.factor);
    result.name = name();
    if (!hasFactor && rest.consume_front("...")) {
      result.isPack = true;
      return result;
    }
    if (!hasFactor && result.name == "_")
      return Dim();
    if (!hasFactor && result.name.empty())
      expected("a dim");
    if (!hasFactor)
      result.factor = 1;
    if (result.name.starts_with("_"))
      expected("a size");
    return result;
  }

  StringRef rest;
};

struct Line {
  StringLiteral op;
  StringLiteral text;
};

const Line lines[] = {
#define SHAPES(OP, TEXT) {#OP, TEXT},
#include "Shapes.def"
};

struct Entry {
  StringRef text;
  Signature signature;
};

/// Read once. What cannot be read stays out; tests/Meta says so.
const llvm::StringMap<Entry> &table() {
  static const llvm::StringMap<Entry> entries = [] {
    llvm::StringMap<Entry> made;
    for (const Line &line : lines) {
      Parser parser(line.text);
      Signature signature = parser.parse();
      assert(parser.error.empty() && "a line of Shapes.def cannot be read");
      if (parser.error.empty())
        made[line.op] = {line.text, std::move(signature)};
    }
    return made;
  }();
  return entries;
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// What names stand for, and the operand that said so.
struct Bindings {
  struct Number {
    int64_t value;
    StringRef operand;
  };
  llvm::SmallDenseMap<StringRef, Number, 8> sizes, packs;
};

/// A type as diagnostics print it.
std::string quoted(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << "'" << type << "'";
  return text;
}

class Matcher {
public:
  Matcher(Bindings &bindings, StringRef operand, OperandShape shape)
      : bindings(bindings), operand(operand), sizes(shape.sizes),
        type(shape.type) {}

  /// What is wrong, or "".
  std::string match(const OperandForms &operand) {
    std::string first;
    for (const Form &form : operand.forms) {
      Bindings before = bindings;
      std::string wrong = match(form);
      if (wrong.empty())
        return "";
      bindings = std::move(before);
      if (first.empty())
        first = std::move(wrong);
    }
    if (operand.forms.size() == 1)
      return first;
    return text([&](llvm::raw_ostream &out) {
      out << "expected '" << operand.name << "' of ";
      for (auto [i, form] : llvm::enumerate(operand.forms))
        out << (i == 0                          ? ""
                : i + 1 == operand.forms.size() ? " or "
                                                : ", ")
            << form.text;
      out << ", got " << quoted(type);
    });
  }

private:
  static std::string text(llvm::function_ref<void(llvm::raw_ostream &)> write) {
    std::string result;
    llvm::raw_string_ostream out(result);
    write(out);
    return result;
  }

  std::string match(const Form &form) {
    size_t rank = sizes.size();
    std::optional<size_t> pack = form.pack();
    size_t fixed = form.dims.size() - pack.has_value();
    const Bindings::Number *bound = nullptr;
    if (pack)
      if (auto found = bindings.packs.find(form.dims[*pack].name);
          found != bindings.packs.end())
        bound = &found->second;
    size_t least = bound ? fixed + bound->value : fixed;
    bool isOpen = pack && !bound;
    if (isOpen ? rank < least : rank != least)
      return text([&](llvm::raw_ostream &out) {
        out << "expected '" << operand << "' of rank " << least;
        if (isOpen)
          out << " or more";
        if (bound && bound->operand != operand)
          out << " beside '" << bound->operand << "'";
        out << ", got rank " << rank << ": " << quoted(type);
      });
    size_t packed = rank - fixed;
    if (isOpen && !form.dims[*pack].name.empty())
      bindings.packs[form.dims[*pack].name] = {int64_t(packed), operand};

    size_t at = 0;
    for (const Dim &dim : form.dims) {
      if (dim.isPack) {
        at += packed;
        continue;
      }
      if (std::string wrong = match(dim, at, sizes[at]); !wrong.empty())
        return wrong;
      ++at;
    }
    return "";
  }

  std::string match(const Dim &dim, size_t at, int64_t size) {
    if (dim.factor == 0 || ShapedType::isDynamic(size))
      return "";
    StringRef because;
    int64_t expected = dim.factor;
    if (!dim.name.empty()) {
      auto found = bindings.sizes.find(dim.name);
      if (found == bindings.sizes.end()) {
        if (size % dim.factor == 0) {
          bindings.sizes[dim.name] = {size / dim.factor, operand};
          return "";
        }
        return text([&](llvm::raw_ostream &out) {
          out << "expected dim " << at << " of '" << operand
              << "' to be a multiple of " << dim.factor << ", got " << size
              << ": " << quoted(type);
        });
      }
      because = found->second.operand;
      // What overflows is no size that a dim can have.
      if (llvm::MulOverflow(found->second.value, dim.factor, expected))
        expected = ShapedType::kDynamic;
    }
    if (expected == size)
      return "";
    return text([&](llvm::raw_ostream &out) {
      out << "expected dim " << at << " of '" << operand << "' to be ";
      if (ShapedType::isDynamic(expected))
        out << "a size of 64 bits";
      else
        out << expected;
      if (!because.empty() && because != operand)
        out << " beside '" << because << "'";
      out << ", got " << size << ": " << quoted(type);
    });
  }

  Bindings &bindings;
  StringRef operand;
  ArrayRef<int64_t> sizes;
  Type type;
};

} // namespace

StringRef onnx::getShapes(StringRef op) {
  auto found = table().find(op);
  return found == table().end() ? "" : found->second.text;
}

std::optional<std::string> onnx::findWrongShape(
    Operation *op,
    llvm::function_ref<std::optional<OperandShape>(unsigned)> shapeOf) {
  StringRef name = op->getName().stripDialect();
  auto found = table().find(name);
  if (found == table().end())
    return std::nullopt;
  std::optional<Schema> schema = findSchema(name, getNewestOpset());
  if (!schema)
    return std::nullopt;
  Bindings bindings;
  for (const OperandForms &forms : found->second.signature) {
    const auto *parameter =
        llvm::find_if(schema->inputs, [&](const Parameter &parameter) {
          return forms.name == parameter.name;
        });
    if (parameter == schema->inputs.end())
      continue;
    unsigned first = parameter - schema->inputs.begin();
    unsigned end = parameter->option == Option::Variadic ? op->getNumOperands()
                                                         : first + 1;
    for (unsigned i = first; i < std::min(end, op->getNumOperands()); ++i)
      if (std::optional<OperandShape> shape = shapeOf(i))
        if (std::string wrong =
                Matcher(bindings, forms.name, *shape).match(forms);
            !wrong.empty())
          return wrong;
  }
  return std::nullopt;
}

SmallVector<std::string> onnx::findWrongSignature(StringRef signature,
                                                  ArrayRef<StringRef> inputs) {
  Parser parser(signature);
  Signature parsed = parser.parse();
  if (!parser.error.empty())
    return {parser.error};
  SmallVector<std::string> wrong;
  SmallVector<StringRef> seen;
  for (const OperandForms &operand : parsed) {
    if (!llvm::is_contained(inputs, operand.name))
      wrong.push_back(("no input is called '" + operand.name + "'").str());
    if (llvm::is_contained(seen, operand.name))
      wrong.push_back(("'" + operand.name + "' is there twice").str());
    seen.push_back(operand.name);
  }
  return wrong;
}

SmallVector<std::string> onnx::findWrongSignatures() {
  SmallVector<std::string> wrong;
  StringRef before;
  for (const Line &line : lines) {
    if (line.op <= before)
      wrong.push_back((line.op + ": expected behind " + line.op +
                       " by the alphabet, got it behind " + before)
                          .str());
    before = line.op;
    std::optional<Schema> schema = findSchema(line.op, getNewestOpset());
    if (!schema || schema->deprecated) {
      wrong.push_back((line.op + ": no op is called so").str());
      continue;
    }
    SmallVector<StringRef> inputs;
    for (const Parameter &parameter : schema->inputs)
      inputs.push_back(parameter.name);
    for (const std::string &what : findWrongSignature(line.text, inputs))
      wrong.push_back((line.op + ": " + what).str());
  }
  return wrong;
}
