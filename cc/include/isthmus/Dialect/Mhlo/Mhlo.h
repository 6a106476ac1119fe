//===- Mhlo.h - The mhlo dialect ----------------------------------*- C++
//-*-===//

#ifndef ISTHMUS_DIALECT_MHLO_MHLO_H
#define ISTHMUS_DIALECT_MHLO_MHLO_H

#include "isthmus/Dialect/Mhlo/Hlo.h"

#include "isthmus/Dialect/Mhlo/MhloDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "isthmus/Dialect/Mhlo/MhloAttrs.h.inc"
#define GET_OP_CLASSES
#include "isthmus/Dialect/Mhlo/MhloOps.h.inc"

#endif // ISTHMUS_DIALECT_MHLO_MHLO_H
