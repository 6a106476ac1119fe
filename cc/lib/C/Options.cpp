//===- Options.cpp - Options of a lowering, by name -----------------------===//
//
// LoweringOptions.td declares them, with the kind of each; "target" is the only
// one that is not there.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "isthmus/Support/Parts.h"
#include "isthmus/Support/ShapeText.h"
#include "llvm/ADT/StringExtras.h"

using namespace isthmus;
using namespace isthmus::c;
using llvm::StringRef;

namespace {

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

using Choices = std::initializer_list<StringRef>;

/// Each kind reads a value as text. It returns what it expected, or an empty
/// text. The kinds of text also take a value of any bytes, without a check, and
/// shapes take sizes. The others expect that another function is called.
struct Kind {
  template <typename T>
  static std::string add(T &, StringRef) {
    return "an option of a name, names, files, texts or a choice";
  }
  template <typename T>
  static std::string addShape(T &, StringRef, llvm::ArrayRef<int64_t>) {
    return "an option of shapes";
  }
};

struct Name : Kind {
  static std::string add(std::string &option, StringRef value) {
    option = value;
    return "";
  }
  static std::string read(std::string &option, StringRef value, Choices) {
    return value.empty() ? "a name" : add(option, value);
  }
};

struct Choice : Name {
  static std::string read(std::string &option, StringRef value,
                          Choices choices) {
    if (!llvm::is_contained(choices, value))
      return "'" + llvm::join(choices, "' or '") + "'";
    option = value;
    return "";
  }
};

struct Flag : Kind {
  static std::string read(bool &option, StringRef value, Choices) {
    option = value == "true" || value == "1";
    return option || value == "false" || value == "0" ? "" : "true or false";
  }
};

/// A list of texts.
struct List : Kind {
  static std::string add(std::vector<std::string> &option, StringRef value) {
    option.push_back(value.str());
    return "";
  }
};

struct Names : List {
  static std::string read(std::vector<std::string> &option, StringRef value,
                          Choices) {
    llvm::SmallVector<StringRef> names;
    value.split(names, ',');
    for (StringRef &name : names)
      if ((name = name.trim()).empty())
        return "names, separated by commas";
    llvm::append_range(option, names);
    return "";
  }
};

struct Files : List {
  static std::string read(std::vector<std::string> &option, StringRef value,
                          Choices) {
    return value.empty() ? "a path" : add(option, value);
  }
};

struct Texts : List {
  static std::string read(std::vector<std::string> &option, StringRef value,
                          Choices) {
    return value.empty() ? "a text" : add(option, value);
  }
};

struct Shapes : Kind {
  using Option = llvm::StringMap<llvm::SmallVector<int64_t>>;

  static std::string addShape(Option &option, StringRef input,
                              llvm::ArrayRef<int64_t> sizes) {
    return option.try_emplace(input, sizes).second ? ""
                                                   : "one shape for each input";
  }
  static std::string read(Option &option, StringRef value, Choices) {
    auto shape = readShape(value);
    if (!shape || shape->sizes.empty())
      return "NAME=SIZExSIZE…";
    return addShape(option, shape->name, shape->sizes);
  }
};

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

struct Option {
  StringRef name, summary;
  std::string (*read)(LowerOptions &options, StringRef value);
  std::string (*add)(LowerOptions &options, StringRef value);
  std::string (*addShape)(LowerOptions &options, StringRef input,
                          llvm::ArrayRef<int64_t> sizes);
};

} // namespace

static const Option known[] = {
    {"target", "the dialect that the program is lowered to",
     [](LowerOptions &options, StringRef value) -> std::string {
       options.target = value.str(); // of another build: an error of lowering
       if (findTarget(value) || !partOfTarget(value).empty())
         return "";
       auto names = llvm::map_range(
           targets(), [](const Target *target) { return target->getName(); });
       return "'" + llvm::join(names, "' or '") + "'";
     },
     [](LowerOptions &options, StringRef value) {
       return Choice::add(options.target, value);
     },
     [](LowerOptions &options, StringRef input, llvm::ArrayRef<int64_t> sizes) {
       return Choice::addShape(options.target, input, sizes);
     }},
#define NAMED_OPTION(KIND, MEMBER, ARGUMENT, DESCRIPTION, ...)                 \
  {ARGUMENT, DESCRIPTION,                                                      \
   [](LowerOptions &options, StringRef value) {                                \
     return KIND::read(options.MEMBER, value, __VA_ARGS__);                    \
   },                                                                          \
   [](LowerOptions &options, StringRef value) {                                \
     return KIND::add(options.MEMBER, value);                                  \
   },                                                                          \
   [](LowerOptions &options, StringRef input, llvm::ArrayRef<int64_t> sizes) { \
     return KIND::addShape(options.MEMBER, input, sizes);                      \
   }},
#include "isthmus/Conversion/LoweringOptionKinds.inc"
};

isthmus_error *isthmus_options_create(isthmus_options **options) {
  return create("options", options);
}

void isthmus_options_free(isthmus_options *options) { delete options; }

/// Calls `give` with the option of a name; it returns what it expected, or an
/// empty text. `got` is for the message.
static isthmus_error *
giveTo(const char *name, const llvm::Twine &got,
       llvm::function_ref<std::string(const Option &option)> give) {
  std::string argument = name;
  std::replace(argument.begin(), argument.end(), '_', '-');
  const Option *option = llvm::find_if(
      known, [&](const Option &each) { return each.name == argument; });
  if (option == std::end(known)) {
    auto names =
        llvm::map_range(known, [](const Option &each) { return each.name; });
    return badArgument("expected an option of '" + llvm::join(names, "', '") +
                       "', got '" + name + "'");
  }
  std::string expected = give(*option);
  if (expected.empty())
    return nullptr;
  return badArgument(option->name + ": expected " + expected + ", got '" + got +
                     "'");
}

isthmus_error *isthmus_options_set(isthmus_options *options, const char *name,
                                   const char *value) {
  return guarded([&]() -> isthmus_error * {
    if (isthmus_error *error =
            expectAll({{"options", options}, {"name", name}, {"value", value}}))
      return error;
    return giveTo(name, value, [&](const Option &option) {
      return option.read(options->options, value);
    });
  });
}

isthmus_error *isthmus_options_add(isthmus_options *options, const char *name,
                                   const char *value, size_t size) {
  return guarded([&]() -> isthmus_error * {
    if (isthmus_error *error =
            expectAll({{"options", options}, {"name", name}, {"value", value}}))
      return error;
    StringRef bytes(value, size);
    return giveTo(name, bytes, [&](const Option &option) {
      return option.add(options->options, bytes);
    });
  });
}

isthmus_error *isthmus_options_add_shape(isthmus_options *options,
                                         const char *name, const char *input,
                                         size_t input_size,
                                         const int64_t *sizes, size_t rank) {
  return guarded([&]() -> isthmus_error * {
    if (isthmus_error *error =
            expectAll({{"options", options}, {"name", name}, {"input", input}}))
      return error;
    if (rank && !sizes)
      return badArgument("sizes: expected a pointer, got null");
    StringRef bytes(input, input_size);
    return giveTo(name, bytes, [&](const Option &option) {
      return option.addShape(options->options, bytes, {sizes, rank});
    });
  });
}

size_t isthmus_option_count(void) { return std::size(known); }

const char *isthmus_option_name(size_t index) {
  return index < std::size(known) ? known[index].name.data() : nullptr;
}

const char *isthmus_option_summary(size_t index) {
  return index < std::size(known) ? known[index].summary.data() : nullptr;
}
