//===- Stablehlo.h - The stablehlo dialect ------------------------*- C++
//-*-===//

#ifndef ISTHMUS_DIALECT_MHLO_STABLEHLO_H
#define ISTHMUS_DIALECT_MHLO_STABLEHLO_H

#include "isthmus/Dialect/Mhlo/Hlo.h"

#include "isthmus/Dialect/Mhlo/StablehloDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "isthmus/Dialect/Mhlo/StablehloAttrs.h.inc"
#define GET_OP_CLASSES
#include "isthmus/Dialect/Mhlo/StablehloOps.h.inc"

#endif // ISTHMUS_DIALECT_MHLO_STABLEHLO_H
