//===- WeightForms.h - Names of the forms of weights ------------*- C++ -*-===//

#ifndef ISTHMUS_API_WEIGHTFORMS_H
#define ISTHMUS_API_WEIGHTFORMS_H

#include "isthmus/Api/Api.h"
#include <utility>

namespace isthmus {

inline constexpr std::pair<llvm::StringLiteral, WeightForm> kWeightForms[] = {
    {"auto", WeightForm::Auto},         {"inline", WeightForm::Inline},
    {"resource", WeightForm::Resource}, {"argument", WeightForm::Argument},
    {"external", WeightForm::External}, {"iree", WeightForm::Iree},
    {"none", WeightForm::None}};

/// The form of a name; nullopt if there is none.
inline std::optional<WeightForm> weightFormNamed(llvm::StringRef name) {
  for (const auto &[known, form] : kWeightForms)
    if (name == known)
      return form;
  return std::nullopt;
}

/// The name of a form: "inline".
inline llvm::StringRef nameOf(WeightForm wanted) {
  for (const auto &[name, form] : kWeightForms)
    if (form == wanted)
      return name;
  llvm_unreachable("every form has a name");
}

} // namespace isthmus

#endif // ISTHMUS_API_WEIGHTFORMS_H
