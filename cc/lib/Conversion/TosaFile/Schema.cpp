//===- Schema.cpp - Ops and types of TOSA files ---------------------------===//

#include "Schema.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace isthmus::tosa_file;

static constexpr AttributeField kAccType = {"acc_type", FieldForm::Type};
static constexpr AttributeField kAxis = {"axis", FieldForm::Int};
static constexpr AttributeField kBodyGraph = {"body_graph", FieldForm::Region};
static constexpr AttributeField kCondGraph = {"cond_graph", FieldForm::Region};
static constexpr AttributeField kDilation = {"dilation", FieldForm::Ints};
static constexpr AttributeField kDomainName = {"domain_name",
                                               FieldForm::String};
static constexpr AttributeField kElseGraph = {"else_graph", FieldForm::Region};
static constexpr AttributeField kImplementationAttrs = {"implementation_attrs",
                                                        FieldForm::Text};
static constexpr AttributeField kInputUnsigned = {"input_unsigned",
                                                  FieldForm::Bool};
static constexpr AttributeField kInverse = {"inverse", FieldForm::Bool};
static constexpr AttributeField kKernel = {"kernel", FieldForm::Ints};
static constexpr AttributeField kLocalBound = {"local_bound", FieldForm::Bool};
static constexpr AttributeField kMaxVal = {"max_val", FieldForm::Bytes};
static constexpr AttributeField kMinVal = {"min_val", FieldForm::Bytes};
static constexpr AttributeField kMode = {"mode", FieldForm::ResizeMode};
static constexpr AttributeField kNanMode = {"nan_mode", FieldForm::NanMode};
static constexpr AttributeField kOperatorName = {"operator_name",
                                                 FieldForm::String};
static constexpr AttributeField kOutPad = {"out_pad", FieldForm::Ints};
static constexpr AttributeField kOutputUnsigned = {"output_unsigned",
                                                   FieldForm::Bool};
static constexpr AttributeField kPad = {"pad", FieldForm::Ints};
static constexpr AttributeField kPerChannel = {"per_channel", FieldForm::Bool};
static constexpr AttributeField kPerms = {"perms", FieldForm::Ints};
static constexpr AttributeField kRound = {"round", FieldForm::Bool};
static constexpr AttributeField kRoundingMode = {"rounding_mode",
                                                 FieldForm::RoundingMode};
static constexpr AttributeField kScale32 = {"scale32", FieldForm::Bool};
static constexpr AttributeField kStride = {"stride", FieldForm::Ints};
static constexpr AttributeField kThenGraph = {"then_graph", FieldForm::Region};

/// By their numbers, from 1. An op without fields has an empty table.
static constexpr OpForm kOps[] = {
    {"argmax", {kAxis, kNanMode}},
    {"avg_pool2d", {kKernel, kStride, kPad, kAccType}},
    {"conv2d", {kPad, kStride, kDilation, kLocalBound, kAccType}},
    {"conv3d", {kPad, kStride, kDilation, kLocalBound, kAccType}},
    {"depthwise_conv2d", {kPad, kStride, kDilation, kLocalBound, kAccType}},
    {"fft2d", {kInverse, kLocalBound}},
    {"matmul"},
    {"max_pool2d", {kKernel, kStride, kPad, kNanMode}},
    {"rfft2d", {kLocalBound}},
    {"transpose_conv2d", {kOutPad, kStride, kLocalBound, kAccType}},
    {"clamp", {kMinVal, kMaxVal, kNanMode}},
    {"erf"},
    {"sigmoid"},
    {"tanh"},
    {"add"},
    {"arithmetic_right_shift", {kRound}},
    {"bitwise_and"},
    {"bitwise_or"},
    {"bitwise_xor"},
    {"intdiv"},
    {"logical_and"},
    {"logical_left_shift"},
    {"logical_right_shift"},
    {"logical_or"},
    {"logical_xor"},
    {"maximum", {kNanMode}},
    {"minimum", {kNanMode}},
    {"mul"},
    {"pow"},
    {"sub"},
    {"table"},
    {"abs"},
    {"bitwise_not"},
    {"ceil"},
    {"clz"},
    {"cos"},
    {"exp"},
    {"floor"},
    {"log"},
    {"logical_not"},
    {"negate"},
    {"reciprocal"},
    {"rsqrt"},
    {"sin"},
    {"select"},
    {"equal"},
    {"greater"},
    {"greater_equal"},
    {"reduce_all", {kAxis}},
    {"reduce_any", {kAxis}},
    {"reduce_max", {kAxis, kNanMode}},
    {"reduce_min", {kAxis, kNanMode}},
    {"reduce_product", {kAxis}},
    {"reduce_sum", {kAxis}},
    {"concat", {kAxis}},
    {"pad"},
    {"reshape"},
    {"reverse", {kAxis}},
    {"slice"},
    {"tile"},
    {"transpose", {kPerms}},
    {"gather"},
    {"scatter"},
    {"resize", {kMode}},
    {"cast"},
    {"rescale",
     {kScale32, kRoundingMode, kPerChannel, kInputUnsigned, kOutputUnsigned}},
    {"const"},
    {"identity"},
    {"custom", {kOperatorName, kDomainName, kImplementationAttrs}},
    {"cond_if", {kThenGraph, kElseGraph}},
    {"while_loop", {kCondGraph, kBodyGraph}},
    {"variable"},
    {"variable_write"},
    {"variable_read"},
    {"const_shape"},
};

std::pair<const OpForm *, uint32_t>
isthmus::tosa_file::findOp(llvm::StringRef name) {
  static const auto &numbers = *[] {
    auto *numbers = new llvm::StringMap<uint32_t>();
    for (const OpForm &form : kOps)
      numbers->try_emplace(form.name, numbers->size() + 1);
    return numbers;
  }();
  uint32_t number = numbers.lookup(name);
  return {number ? &kOps[number - 1] : nullptr, number};
}

std::optional<uint32_t> isthmus::tosa_file::findElementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (!integer.isSignless())
      return std::nullopt;
    switch (integer.getWidth()) {
    case 1:
      return 1;
    case 4:
      return 2;
    case 8:
      return 3;
    case 16:
      return 4;
    case 32:
      return 5;
    case 48:
      return 6;
    default:
      return std::nullopt;
    }
  }
  return llvm::TypeSwitch<Type, std::optional<uint32_t>>(type)
      .Case<Float32Type>([](auto) { return 7; })
      .Case<Float16Type>([](auto) { return 8; })
      .Case<BFloat16Type>([](auto) { return 9; })
      .Case<Float8E4M3FNType>([](auto) { return 11; })
      .Case<Float8E5M2Type>([](auto) { return 12; })
      .Default(std::optional<uint32_t>());
}
