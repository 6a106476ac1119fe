//===- Options.h - Options of a lowering ------------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_C_OPTIONS_H
#define ISTHMUS_LIB_C_OPTIONS_H

#include "Errors.h"
#include "isthmus/Api/Api.h"

struct isthmus_options {
  isthmus::LowerOptions options;
};

#endif // ISTHMUS_LIB_C_OPTIONS_H
