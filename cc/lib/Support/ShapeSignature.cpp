//===- ShapeSignature.cpp - The shapes that an op accepts, as text --------===//

#include "isthmus/Support/ShapeSignature.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace isthmus;

using Dim = ShapeSignature::Dim;
using Form = ShapeSignature::Form;
using Operand = ShapeSignature::Operand;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

class Parser {
public:
  Parser(StringRef text, std::string &error) : rest(text), error(error) {
    error.clear();
  }

  SmallVector<Operand> parse() {
    SmallVector<Operand> operands;
    while (error.empty() && !(rest = rest.ltrim()).empty()) {
      Operand operand{name(), {}};
      if (operand.name.empty())
        expected("the name of an operand");
      if (rest.starts_with("["))
        do
          operand.forms.push_back(form());
        while (error.empty() && rest.consume_front("|"));
      if (!rest.empty() && !rest.starts_with(" "))
        expected("a space");
      operands.push_back(std::move(operand));
    }
    return operands;
  }

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
    if (llvm::count_if(result.dims, isPack) > 1)
      expected("one pack of dims at most");
    result.text = begin.drop_back(rest.size());
    return result;
  }

  static bool isPack(const Dim &dim) { return dim.kind == Dim::Kind::Pack; }

  Dim dim() {
    if (rest.consume_front("#")) {
      Dim count{Dim::Kind::Count, name()};
      if (count.name.empty())
        expected("the name of a pack");
      return count;
    }
    int64_t factor = 1;
    bool hasFactor = !rest.consumeInteger(10, factor);
    StringRef own = name();
    if (!hasFactor && rest.consume_front("..."))
      return {Dim::Kind::Pack, own};
    if (!hasFactor && own == "_")
      return {};
    if ((!hasFactor && own.empty()) || own.starts_with("_") || factor < 0)
      expected("a dim");
    // A factor of 0 has no multiples.
    if (factor == 0 && !own.empty())
      expected("a factor");
    return {Dim::Kind::Size, own, factor};
  }

  StringRef rest;
  std::string &error;
};

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// The values of names, and the operand that bound each.
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

std::string written(llvm::function_ref<void(llvm::raw_ostream &)> write) {
  std::string text;
  llvm::raw_string_ostream out(text);
  write(out);
  return text;
}

/// Matches a shape with the forms of an operand; returns the mismatch as text,
/// empty if there is none.
class Matcher {
public:
  Matcher(Bindings &bindings, const Operand &operand, const OperandShape &shape)
      : bindings(bindings), operand(operand), sizes(shape.sizes),
        type(shape.type) {}

  std::string match() {
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
    if (operand.forms.size() <= 1)
      return first;
    return written([&](llvm::raw_ostream &out) {
      out << "expected '" << operand.name << "' of ";
      for (auto [i, form] : llvm::enumerate(operand.forms)) {
        if (i != 0)
          out << (i + 1 == operand.forms.size() ? " or " : ", ");
        out << form.text;
      }
      out << ", got " << quoted(type);
    });
  }

private:
  std::string match(const Form &form) {
    const Dim *pack = llvm::find_if(
        form.dims, [](const Dim &d) { return d.kind == Dim::Kind::Pack; });
    bool hasPack = pack != form.dims.end();
    size_t rank = sizes.size(), fixed = form.dims.size() - hasPack;
    const Bindings::Number *bound = nullptr;
    if (hasPack)
      if (auto found = bindings.packs.find(pack->name);
          found != bindings.packs.end())
        bound = &found->second;
    size_t least = bound ? fixed + bound->value : fixed;
    bool isOpen = hasPack && !bound;
    if (isOpen ? rank < least : rank != least)
      return written([&](llvm::raw_ostream &out) {
        out << "expected '" << operand.name << "' of rank " << least;
        if (isOpen)
          out << " or more";
        if (bound && bound->operand != operand.name)
          out << " beside '" << bound->operand << "'";
        out << ", got rank " << rank << ": " << quoted(type);
      });
    size_t packed = rank - fixed;
    if (isOpen && !pack->name.empty())
      bindings.packs[pack->name] = {static_cast<int64_t>(packed), operand.name};

    size_t at = 0;
    for (const Dim &dim : form.dims) {
      if (&dim == pack) {
        at += packed;
        continue;
      }
      if (std::string wrong = match(dim, at); !wrong.empty())
        return wrong;
      ++at;
    }
    return "";
  }

  std::string match(const Dim &dim, size_t at) {
    int64_t size = sizes[at];
    if (dim.kind == Dim::Kind::Any || ShapedType::isDynamic(size))
      return "";
    if (dim.name.empty())
      return size == dim.factor ? "" : wrong(at, dim.factor, "");
    auto &numbers =
        dim.kind == Dim::Kind::Count ? bindings.packs : bindings.sizes;
    auto found = numbers.find(dim.name);
    if (found == numbers.end()) {
      if (size % dim.factor)
        return written([&](llvm::raw_ostream &out) {
          out << "expected dim " << at << " of '" << operand.name
              << "' to be a multiple of " << dim.factor << ", got " << size
              << ": " << quoted(type);
        });
      numbers[dim.name] = {size / dim.factor, operand.name};
      return "";
    }
    auto [value, because] = found->second;
    // A result that overflows cannot be the size of a dim.
    int64_t expected;
    if (llvm::MulOverflow(value, dim.factor, expected))
      expected = std::numeric_limits<int64_t>::max();
    return size == expected ? "" : wrong(at, expected, because);
  }

  std::string wrong(size_t at, int64_t expected, StringRef because) {
    return written([&](llvm::raw_ostream &out) {
      out << "expected dim " << at << " of '" << operand.name << "' to be "
          << expected;
      if (!because.empty() && because != operand.name)
        out << " beside '" << because << "'";
      out << ", got " << sizes[at] << ": " << quoted(type);
    });
  }

  Bindings &bindings;
  const Operand &operand;
  ArrayRef<int64_t> sizes;
  Type type;
};

} // namespace

std::optional<ShapeSignature> ShapeSignature::parse(StringRef text,
                                                    std::string &error) {
  ShapeSignature signature;
  signature.operands = Parser(text, error).parse();
  if (!error.empty())
    return std::nullopt;
  return signature;
}

std::optional<std::string> ShapeSignature::findWrong(
    llvm::function_ref<SmallVector<OperandShape, 1>(size_t)> shapesOf) const {
  Bindings bindings;
  for (auto [place, operand] : llvm::enumerate(operands)) {
    if (operand.forms.empty())
      continue;
    for (const OperandShape &shape : shapesOf(place))
      if (std::string wrong = Matcher(bindings, operand, shape).match();
          !wrong.empty())
        return wrong;
  }
  return std::nullopt;
}
