//===- Facts.cpp - Facts of the library and of programs, as JSON ----------===//

#include "Models.h"
#include "Streams.h"
#include "isthmus/Api/Coverage.h"
#include "isthmus/Api/Graph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <map>

#ifdef ISTHMUS_WITH_PT2
#include "isthmus/Importer/Pt2Importer.h"
#endif

using namespace isthmus;
using namespace isthmus::c;
using llvm::raw_ostream;

namespace {

/// The elements of a list or an object, with commas between.
class Elements {
public:
  Elements(raw_ostream &os, char open, char close) : os(os), close(close) {
    os << open;
  }
  ~Elements() { os << close; }

  raw_ostream &next() {
    os << separator;
    separator = ",";
    return os;
  }

  /// The next value of an object.
  raw_ostream &next(llvm::StringRef key) {
    writeJson(next(), key);
    return os << ':';
  }

private:
  raw_ostream &os;
  char close;
  llvm::StringRef separator = "";
};

struct List : Elements {
  explicit List(raw_ostream &os) : Elements(os, '[', ']') {}
};

struct Object : Elements {
  explicit Object(raw_ostream &os) : Elements(os, '{', '}') {}
};

} // namespace

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

isthmus_error *isthmus_write_coverage(isthmus_write write, void *context) {
  return guarded([&] {
    return writeTo(write, context, [](raw_ostream &os) {
      os << toJSON(coverage());
      return llvm::Error::success();
    });
  });
}

isthmus_error *isthmus_write_operator_aliases(isthmus_write write,
                                              void *context) {
  return guarded([&] {
    return writeTo(write, context, [](raw_ostream &os) {
      Object aliases(os);
#ifdef ISTHMUS_WITH_PT2
      for (const auto &[alias, name] : operatorAliases())
        writeJson(aliases.next(alias), name);
#endif
      return llvm::Error::success();
    });
  });
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Writes a fact of a model.
static isthmus_error *
writeFact(const isthmus_model *model, isthmus_write write, void *context,
          llvm::function_ref<void(const Model &model, raw_ostream &os)> body) {
  return withModel(model, [&](const Model &own) {
    return writeTo(write, context, [&](raw_ostream &os) {
      body(own, os);
      return llvm::Error::success();
    });
  });
}

isthmus_error *isthmus_model_write_op_counts(const isthmus_model *model,
                                             isthmus_write write,
                                             void *context) {
  return writeFact(model, write, context,
                   [](const Model &own, raw_ostream &os) {
                     std::map<llvm::StringRef, size_t> counts;
                     own.module()->walk([&](mlir::Operation *op) {
                       ++counts[op->getName().getStringRef()];
                     });
                     Object object(os);
                     for (const auto &[name, count] : counts)
                       object.next(name) << count;
                   });
}

isthmus_error *isthmus_model_write_nodes(const isthmus_model *model,
                                         isthmus_write write, void *context) {
  return writeFact(model, write, context,
                   [](const Model &own, raw_ostream &os) {
                     List nodes(os);
                     for (const ModelNode &node : graphOf(own).nodes) {
                       List pair(nodes.next());
                       writeJson(pair.next(), node.op);
                       writeJson(pair.next(), escaped(node.place));
                     }
                   });
}

/// Writes a value of a graph.
static void writeJson(raw_ostream &os, const ModelValue &value) {
  Object object(os);
  object.next("id") << value.id;
  writeJson(object.next("name"), value.name);
  writeJson(object.next("dtype"), value.dtype);
  object.next("bits") << value.bits;
  raw_ostream &sizes = object.next("sizes");
  if (!value.sizes) {
    sizes << "null";
    return;
  }
  List list(sizes);
  for (const std::string &size : *value.sizes)
    writeJson(list.next(), size);
}

static void writeJson(raw_ostream &os, llvm::ArrayRef<ModelValue> values) {
  List list(os);
  for (const ModelValue &value : values)
    writeJson(list.next(), value);
}

static void writeJson(raw_ostream &os, const ModelNode &node) {
  Object object(os);
  writeJson(object.next("op"), node.op);
  writeJson(object.next("name"), node.name);
  writeJson(object.next("place"), escaped(node.place));
  {
    List scopes(object.next("scopes"));
    for (const auto &[name, instance] : node.scopes) {
      List pair(scopes.next());
      writeJson(pair.next(), name);
      writeJson(pair.next(), instance);
    }
  }
  {
    List inputs(object.next("inputs"));
    for (uint64_t id : node.inputs)
      inputs.next() << id;
  }
  writeJson(object.next("outputs"), node.outputs);
}

isthmus_error *isthmus_model_write_graph(const isthmus_model *model,
                                         isthmus_write write, void *context) {
  return writeFact(model, write, context,
                   [](const Model &own, raw_ostream &os) {
                     ModelGraph graph = graphOf(own);
                     Object object(os);
                     writeJson(object.next("inputs"), graph.inputs);
                     writeJson(object.next("outputs"), graph.outputs);
                     writeJson(object.next("weights"), graph.weights);
                     List nodes(object.next("nodes"));
                     for (const ModelNode &node : graph.nodes)
                       writeJson(nodes.next(), node);
                   });
}

/// Writes an attribute; null for one without a form in JSON.
static void writeJson(raw_ostream &os, mlir::Attribute attribute) {
  llvm::TypeSwitch<mlir::Attribute>(attribute)
      .Case([&](mlir::BoolAttr value) {
        os << (value.getValue() ? "true" : "false");
      })
      .Case([&](mlir::IntegerAttr value) {
        if (auto number = value.getValue().trySExtValue())
          os << *number;
        else
          os << "null";
      })
      .Case([&](mlir::FloatAttr value) {
        double number = value.getValueAsDouble();
        if (!std::isfinite(number))
          os << "null";
        else // as many digits as tell doubles apart, and a form of floats
          os << llvm::format("%.16e", number);
      })
      .Case([&](mlir::StringAttr value) { writeJson(os, value.getValue()); })
      .Case([&](mlir::ArrayAttr values) {
        List list(os);
        for (mlir::Attribute value : values)
          writeJson(list.next(), value);
      })
      .Case([&](mlir::DictionaryAttr values) {
        Object object(os);
        for (mlir::NamedAttribute value : values)
          writeJson(object.next(value.getName().getValue()), value.getValue());
      })
      .Default([&](mlir::Attribute) { os << "null"; });
}

isthmus_error *isthmus_model_write_notes(const isthmus_model *model,
                                         isthmus_write write, void *context) {
  return writeFact(
      model, write, context, [](const Model &own, raw_ostream &os) {
        auto functions = own.module().getOps<mlir::func::FuncOp>();
        if (functions.empty()) {
          os << "null";
          return;
        }
        mlir::func::FuncOp function = *functions.begin();
        auto append = [](List &list, mlir::DictionaryAttr attributes) {
          if (attributes)
            writeJson(list.next(), attributes);
          else
            list.next() << "{}";
        };
        Object notes(os);
        writeJson(notes.next("function"),
                  function->getDiscardableAttrDictionary());
        {
          List arguments(notes.next("arguments"));
          for (unsigned i = 0; i < function.getNumArguments(); ++i)
            append(arguments, function.getArgAttrDict(i));
        }
        List results(notes.next("results"));
        for (unsigned i = 0; i < function.getNumResults(); ++i)
          append(results, function.getResultAttrDict(i));
      });
}
