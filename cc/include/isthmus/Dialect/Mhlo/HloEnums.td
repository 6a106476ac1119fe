//===- HloEnums.td - Enums shared by MHLO and StableHLO ----*- tablegen -*-===//

#ifndef ISTHMUS_DIALECT_MHLO_HLOENUMS_TD
#define ISTHMUS_DIALECT_MHLO_HLOENUMS_TD

include "mlir/IR/EnumAttr.td"

class Hlo_Enum<string name, list<string> symbols>
    : I32EnumAttr<name, "",
                  !foreach(i, !range(!size(symbols)),
                           I32EnumAttrCase<symbols[i], i>)> {
  let cppNamespace = "::isthmus::hlo";
  let genSpecializedAttr = 0;
}

def Hlo_ComparisonDirection
    : Hlo_Enum<"ComparisonDirection", ["EQ", "NE", "GE", "GT", "LE", "LT"]>;
def Hlo_ComparisonType
    : Hlo_Enum<"ComparisonType",
               ["NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"]>;
def Hlo_FftType : Hlo_Enum<"FftType", ["FFT", "IFFT", "RFFT", "IRFFT"]>;
def Hlo_Precision : Hlo_Enum<"Precision", ["DEFAULT", "HIGH", "HIGHEST"]>;
def Hlo_Transpose
    : Hlo_Enum<"Transpose", ["TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]>;

#endif // ISTHMUS_DIALECT_MHLO_HLOENUMS_TD
