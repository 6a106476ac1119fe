//===- Options.cpp - Options of a lowering, by name -----------------------===//
//
// LoweringOptions.td declares them, with the kind of each; "target" is the only
// one that is not there.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "isthmus/Support/Parts.h"
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
/// text.
struct Choice {
  static std::string read(std::string &option, StringRef value,
                          Choices choices) {
    if (!llvm::is_contained(choices, value))
      return "'" + llvm::join(choices, "' or '") + "'";
    option = value;
    return "";
  }
};

struct Flag {
  static std::string read(bool &option, StringRef value, Choices) {
    option = value == "true" || value == "1";
    return option || value == "false" || value == "0" ? "" : "true or false";
  }
};

struct Names {
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

struct Files {
  static std::string read(std::vector<std::string> &option, StringRef value,
                          Choices) {
    if (value.empty())
      return "a path";
    option.push_back(value.str());
    return "";
  }
};

/// "x=1x3x224x224" is {"x", {1, 3, 224, 224}}.
struct Shapes {
  static std::string read(llvm::StringMap<llvm::SmallVector<int64_t>> &option,
                          StringRef value, Choices) {
    auto [name, text] = value.rsplit('=');
    llvm::SmallVector<StringRef> parts;
    text.split(parts, 'x');
    llvm::SmallVector<int64_t> sizes(parts.size());
    bool areNumbers = value.contains('=');
    for (size_t i = 0; i < parts.size(); ++i)
      areNumbers &= llvm::to_integer(parts[i], sizes[i], 10);
    if (!areNumbers)
      return "NAME=SIZExSIZE…";
    return option.try_emplace(name, std::move(sizes)).second
               ? ""
               : "one shape for each input";
  }
};

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

struct Option {
  StringRef name, summary;
  std::string (*read)(LowerOptions &options, StringRef value);
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
     }},
#define NAMED_OPTION(KIND, MEMBER, ARGUMENT, DESCRIPTION, ...)                 \
  {ARGUMENT, DESCRIPTION, [](LowerOptions &options, StringRef value) {         \
     return KIND::read(options.MEMBER, value, __VA_ARGS__);                    \
   }},
#include "isthmus/Conversion/LoweringOptionKinds.inc"
};

isthmus_error *isthmus_options_create(isthmus_options **options) {
  return create("options", options);
}

void isthmus_options_free(isthmus_options *options) { delete options; }

isthmus_error *isthmus_options_set(isthmus_options *options, const char *name,
                                   const char *value) {
  return guarded([&]() -> isthmus_error * {
    if (isthmus_error *error =
            expectAll({{"options", options}, {"name", name}, {"value", value}}))
      return error;
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
    std::string expected = option->read(options->options, value);
    if (!expected.empty())
      return badArgument(option->name + ": expected " + expected + ", got '" +
                         value + "'");
    return nullptr;
  });
}

size_t isthmus_option_count(void) { return std::size(known); }

const char *isthmus_option_name(size_t index) {
  return index < std::size(known) ? known[index].name.data() : nullptr;
}

const char *isthmus_option_summary(size_t index) {
  return index < std::size(known) ? known[index].summary.data() : nullptr;
}
