//===- Mutations.cpp - Calls of operators that write to their arguments ---===//
//
// run_decompositions() turns such a call into one of auto_functionalized_v2: it
// splits the mutated arguments into bases and views of these, and returns the
// results of the operator followed by the new values of the bases.
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "isthmus/Dialect/Torch/OpNames.h"
#include "isthmus/Dialect/Torch/TypeInference.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::pt2;
using torch::TorchBuilder;
using Kind = schema::Argument::Kind;

namespace {

/// The keyword arguments of a call, by their role.
struct Call {
  explicit Call(ArrayRef<schema::NamedArgument> keywords) {
    for (const schema::NamedArgument &keyword : keywords)
      byName[keyword.name] = &keyword.arg;
    for (const schema::NamedArgument &keyword : keywords) {
      StringRef name = keyword.name;
      if (!name.consume_front("_"))
        continue;
      if (name.consume_back("_length") && isList(name, keyword.arg))
        addList(name, keyword.arg.integer);
      else if (name.consume_back("_base_index") && !isElement(name))
        written.push_back({name, {}, /*isList=*/false});
      else
        continue;
      // An optional tensor may be absent.
      if (!written.back().isList && keyword.arg.kind != Kind::None)
        written.back().prefixes.push_back(name.str());
    }
    for (const schema::NamedArgument &keyword : keywords)
      if (keyword.name != "_all_bases" && keyword.name != "_op_schema" &&
          !saysView(keyword.name))
        others.push_back(&keyword);
  }

  const schema::Argument *find(const Twine &name) const {
    return byName.lookup(name.str());
  }

  /// A mutated argument: a tensor, or a list of tensors. The keywords about
  /// each begin with "_" and its prefix.
  struct Written {
    StringRef name;
    SmallVector<std::string> prefixes;
    bool isList;
  };
  SmallVector<Written> written;
  SmallVector<const schema::NamedArgument *> others;

private:
  void addList(StringRef name, int64_t length) {
    Written list = {name, {}, /*isList=*/true};
    for (int64_t index = 0; index < length; ++index)
      list.prefixes.push_back((name + "_" + Twine(index)).str());
    written.push_back(std::move(list));
  }
  /// Whether "x_length" is the length of a mutated list "x".
  bool isList(StringRef name, const schema::Argument &length) const {
    return length.kind == Kind::Int &&
           length.integer < int64_t(byName.size()) &&
           (length.integer == 0 || find("_" + name + "_0_base_index"));
  }
  bool isElement(StringRef prefix) const {
    auto [list, index] = prefix.rsplit('_');
    return find("_" + list + "_length") && !index.empty() &&
           llvm::all_of(index, [](char c) { return llvm::isDigit(c); });
  }
  bool saysView(StringRef name) const {
    if (!name.consume_front("_"))
      return false;
    auto isOf = [&](StringRef prefix) {
      StringRef rest = name;
      return rest.consume_front(prefix) &&
             llvm::is_contained({"_base_index", "_alias", "_slice_dim",
                                 "_slice_start", "_slice_end", "_size",
                                 "_stride", "_storage_offset"},
                                rest);
    };
    return llvm::any_of(written, [&](const Written &argument) {
      return argument.isList ? name == (argument.name + "_length").str() ||
                                   llvm::any_of(argument.prefixes, isOf)
                             : isOf(argument.name);
    });
  }

  llvm::StringMap<const schema::Argument *> byName;
};

} // namespace

/// The part of a base that a call mutates.
struct GraphImporter::WrittenPart {
  size_t base;
  /// Dim, start and end of a slice; nothing for the whole base.
  Operands slice;
  Value tensor;
};

FailureOr<GraphImporter::WrittenPart>
GraphImporter::getWrittenPart(NodeContext &context,
                              ArrayRef<schema::NamedArgument> keywords,
                              StringRef prefix, ArrayRef<Value> bases) {
  const Subject &subject = context.subject;
  auto say = [&](StringRef what) -> const schema::Argument * {
    std::string name = ("_" + prefix + "_" + what).str();
    const auto *found = llvm::find_if(
        keywords, [&](const auto &keyword) { return keyword.name == name; });
    return found == keywords.end() ? nullptr : &found->arg;
  };
  const schema::Argument *index = say("base_index");
  if (!index || index->kind != Kind::Int || index->integer < 0 ||
      size_t(index->integer) >= bases.size())
    return subject.fail("expected '" + prefix + "' to be one of the bases");
  if (say("size"))
    return subject.fail("expected '" + prefix +
                        "', which is written to, to be a tensor or a slice of "
                        "one, got a view by strides");
  WrittenPart part = {size_t(index->integer), {}, bases[index->integer]};
  for (StringRef what : {"slice_dim", "slice_start", "slice_end"})
    if (const schema::Argument *bound = say(what)) {
      part.slice.push_back(getValue(*bound, context.builder, subject));
      if (!part.slice.back())
        return failure();
    }
  if (part.slice.empty())
    return part;
  part.slice.push_back(context.builder.constant(1));
  Operands operands = {part.tensor};
  llvm::append_range(operands, part.slice);
  FailureOr<Operation *> slice =
      operands.size() == 5
          ? buildInferred(context, "aten.slice.Tensor", operands)
          : FailureOr<Operation *>(
                subject.fail("expected a dim, a start and an end"));
  if (failed(slice))
    return failure();
  part.tensor = (*slice)->getResult(0);
  return part;
}

/// auto_functionalized_v2(operator, arguments…, _all_bases=[…]) = (results…,
/// bases…), where _x_base_index gives the base that the argument x is, or, with
/// _x_slice_dim and so on, is a part of.
LogicalResult GraphImporter::importFunctionalized(NodeContext &context) {
  const Subject &subject = context.subject;
  TorchBuilder &b = context.builder;
  ArrayRef<schema::NamedArgument> inputs = context.node.inputs;
  if (inputs.empty() || inputs[0].arg.kind != Kind::Operator)
    return subject.fail("expected an operator as argument 0, got none");
  Call call(inputs.drop_front());
  const schema::Argument *given = call.find("_all_bases");
  ArrayRef<schema::Argument> outputs = context.node.outputs;
  if (!given || given->kind != Kind::List ||
      given->elements.size() > outputs.size())
    return subject.fail("expected a list '_all_bases' of what is written to");
  Operands bases;
  for (const schema::Argument &base : given->elements)
    if (Value value = getValue(base, b, subject))
      bases.push_back(value);
    else
      return failure();
  SmallVector<schema::Argument> own(outputs.drop_back(bases.size()));
  llvm::erase_if(own, [](const schema::Argument &output) {
    return output.kind == Kind::None;
  });

  Operands operands;
  SmallVector<StringRef> keywords, mutated;
  SmallVector<WrittenPart> parts;
  for (const schema::NamedArgument *other : call.others) {
    FailureOr<Value> operand = getUntyped(context, other->arg);
    if (failed(operand))
      return failure();
    operands.push_back(*operand);
    keywords.push_back(other->name);
  }
  for (const Call::Written &argument : call.written) {
    Operands tensors;
    for (StringRef prefix : argument.prefixes) {
      FailureOr<WrittenPart> part =
          getWrittenPart(context, inputs, prefix, bases);
      if (failed(part))
        return failure();
      if (llvm::any_of(parts, [&](const WrittenPart &other) {
            return other.base == part->base &&
                   (other.slice.empty() || part->slice.empty());
          }))
        return subject.fail("expected arguments that share no memory where '" +
                            argument.name + "' is written to");
      tensors.push_back(part->tensor);
      mutated.push_back(argument.name);
      parts.push_back(std::move(*part));
    }
    operands.push_back(argument.isList   ? b.tensors(tensors)
                       : tensors.empty() ? b.none()
                                         : tensors.front());
    keywords.push_back(argument.name);
  }

  SmallVector<Type> types;
  for (const schema::Argument &output : own) {
    types.push_back(getDeclaredType(output, subject));
    if (!types.back())
      return failure();
    if (isa<torch::ListType>(types.back()))
      return subject.fail("expected tensors and scalars as outputs, got a "
                          "list");
  }
  for (const WrittenPart &part : parts)
    types.push_back(part.tensor.getType());
  auto created = torch::OperatorOp::create(
      builder, b.getLoc(), types,
      builder.getStringAttr(getOp(inputs[0].arg.text)), operands,
      /*regionsCount=*/0);
  created->setAttr(torch::kKeywordsAttr, builder.getStrArrayAttr(keywords));
  created->setAttr(torch::kMutatesAttr, builder.getStrArrayAttr(mutated));

  for (auto [output, result] : llvm::zip(own, created->getResults()))
    define(output.text, result, subject);
  for (auto [part, value] :
       llvm::zip_equal(parts, created->getResults().drop_front(own.size()))) {
    if (part.slice.empty()) {
      bases[part.base] = value;
      continue;
    }
    Operands scatter = {bases[part.base], value};
    llvm::append_range(scatter, part.slice);
    FailureOr<Operation *> scattered =
        buildInferred(context, "aten.slice_scatter", scatter);
    if (failed(scattered))
      return failure();
    bases[part.base] = (*scattered)->getResult(0);
  }
  for (auto [output, base] :
       llvm::zip_equal(outputs.take_back(bases.size()), bases))
    define(output.text, base, subject);
  return success();
}
