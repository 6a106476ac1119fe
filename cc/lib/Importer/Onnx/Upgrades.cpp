//===- Upgrades.cpp - Rewrites nodes of older opsets ----------------------===//
//
// One row for each op and version in which the form or the meaning of the op
// changed. Versions that only allow more types, or add an attribute whose
// default keeps the old meaning, need no row.
//
//===----------------------------------------------------------------------===//

#include "Node.h"
#include "isthmus/Dialect/Onnx/Onnx.h"
#include "isthmus/Dialect/Onnx/Structure.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

namespace {

/// Rewrites a node older than `version` as a node of `version`.
struct Upgrade {
  StringLiteral op;
  int version;
  LogicalResult (*apply)(Node &node, NodeBuilder &b);
};

} // namespace

//===----------------------------------------------------------------------===//
// Attributes that became inputs
//===----------------------------------------------------------------------===//

/// Turns the int list `attribute`, if the node has it, into input `index`.
static void moveInts(Node &node, NodeBuilder &b, StringRef attribute,
                     size_t index) {
  auto values =
      dyn_cast_if_present<ArrayAttr>(node.attributes.erase(attribute));
  if (!values)
    return;
  SmallVector<int64_t> numbers(
      llvm::map_range(values.getAsRange<IntegerAttr>(),
                      [](IntegerAttr i) { return i.getInt(); }));
  node.setOperand(index, b.ints(numbers));
}

/// A scalar of the dtype of the node's first input.
static Value scalarLikeInput(double value, const Node &node, NodeBuilder &b) {
  Type elementType = b.builder.getF32Type();
  if (auto tensor = dyn_cast<TensorType>(node.operands[0].getType()))
    if (isa<FloatType>(tensor.getElementType()))
      elementType = tensor.getElementType();
  return b.scalar(value, elementType);
}

/// Turns the float `attribute`, if the node has it, into input `index`: a
/// scalar of the dtype of the node's first input.
static void moveFloat(Node &node, NodeBuilder &b, StringRef attribute,
                      size_t index) {
  if (auto value =
          dyn_cast_if_present<FloatAttr>(node.attributes.erase(attribute)))
    node.setOperand(index, scalarLikeInput(value.getValueAsDouble(), node, b));
}

/// Reshape-5: the shape is an input.
static LogicalResult upgradeReshape5(Node &node, NodeBuilder &b) {
  moveInts(node, b, "shape", 1);
  return success();
}

/// Squeeze-13, Unsqueeze-13, ReduceSum-13, and the other reductions in 18.
static LogicalResult axesToInput(Node &node, NodeBuilder &b) {
  moveInts(node, b, "axes", 1);
  return success();
}

/// Clip-11: bounds are inputs.
static LogicalResult upgradeClip11(Node &node, NodeBuilder &b) {
  moveFloat(node, b, "min", 1);
  moveFloat(node, b, "max", 2);
  return success();
}

/// DFT-20: the axis is an input. Its default was 1 and is now -2.
static LogicalResult upgradeDFT20(Node &node, NodeBuilder &b) {
  auto axis = dyn_cast_if_present<IntegerAttr>(node.attributes.erase("axis"));
  node.setOperand(2, b.scalar(axis ? axis.getSInt() : int64_t(1)));
  return success();
}

/// Pad-11: pads and value are inputs.
static LogicalResult upgradePad11(Node &node, NodeBuilder &b) {
  moveInts(node, b, "pads", 1);
  moveFloat(node, b, "value", 2);
  return success();
}

/// Slice-10: starts, ends and axes are inputs.
static LogicalResult upgradeSlice10(Node &node, NodeBuilder &b) {
  moveInts(node, b, "starts", 1);
  moveInts(node, b, "ends", 2);
  moveInts(node, b, "axes", 3);
  return success();
}

/// Split-13: the sizes are an input.
static LogicalResult upgradeSplit13(Node &node, NodeBuilder &b) {
  moveInts(node, b, "split", 1);
  return success();
}

/// Split-18: a split into equal parts gives their number.
static LogicalResult upgradeSplit18(Node &node, NodeBuilder &b) {
  if (!node.getOperand(1))
    node.attributes.push_back(
        b.attribute("num_outputs", node.resultTypes.size()));
  return success();
}

/// TopK-10: k is an input.
static LogicalResult upgradeTopK10(Node &node, NodeBuilder &b) {
  auto k = dyn_cast_if_present<IntegerAttr>(node.attributes.erase("k"));
  node.setOperand(1, b.ints({k ? k.getSInt() : int64_t(0)}));
  return success();
}

//===----------------------------------------------------------------------===//
// Attributes of another kind, name or default
//===----------------------------------------------------------------------===//

/// Cast-6: the dtype is a number. Before, it was the name of the number.
static LogicalResult upgradeCast6(Node &node, NodeBuilder &b) {
  auto name = dyn_cast_if_present<StringAttr>(node.attributes.get("to"));
  if (!name)
    return success(); // the verifier reports it
  Type dtype;
  constexpr int32_t last = 13; // uint64, the last one of numbers at that time
  for (int32_t number = 1; number <= last; ++number)
    if (name.getValue() == getDataTypeName(number).upper())
      dtype = getElementType(number, b.builder.getContext());
  if (!dtype || !dtype.isIntOrFloat())
    return b.subject.error()
           << "attribute 'to': expected the name of a dtype of numbers, got '"
           << name.getValue() << "'";
  node.attributes.set("to", TypeAttr::get(dtype));
  return success();
}

/// Concat-4: the axis must be given. Before, it was 1 by default.
static LogicalResult upgradeConcat4(Node &node, NodeBuilder &b) {
  if (!node.attributes.get("axis"))
    node.attributes.push_back(b.attribute("axis", 1));
  return success();
}

/// GlobalLpPool-2, LpPool-2: p is an integer.
static LogicalResult wholeP(Node &node, NodeBuilder &b) {
  auto p = dyn_cast_if_present<FloatAttr>(node.attributes.get("p"));
  if (!p)
    return success();
  double number = p.getValueAsDouble();
  if (number != std::trunc(number) || std::abs(number) > 1 << 20)
    return b.subject.error() << "attribute 'p': expected a whole number, which "
                                "all newer versions have, got "
                             << number;
  node.attributes.set(
      "p", b.attribute("p", static_cast<int64_t>(number)).getValue());
  return success();
}

/// Pad-2: paddings are called pads.
static LogicalResult upgradePad2(Node &node, NodeBuilder &) {
  if (Attribute pads = node.attributes.erase("paddings"))
    node.attributes.append("pads", pads);
  return success();
}

/// Selu-6: the defaults have more digits.
static LogicalResult upgradeSelu6(Node &node, NodeBuilder &b) {
  for (auto [name, value] :
       {std::pair("alpha", 1.6732), std::pair("gamma", 1.0507)})
    if (!node.attributes.get(name))
      node.attributes.append(name, b.builder.getF32FloatAttr(value));
  return success();
}

/// Attributes that newer versions lack: Gemm-7 broadcasts C in any case. GRU-7,
/// LSTM-7 and RNN-7 return the outputs that a node names. BatchNormalization-7
/// and Dropout-7 infer, unless BatchNormalization has further outputs; ONNX's
/// own converter ignores the attribute too.
static LogicalResult dropAttributes(Node &node, NodeBuilder &) {
  for (StringRef name : {"broadcast", "is_test", "output_sequence"})
    node.attributes.erase(name);
  return success();
}

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

/// The rank of a tensor, as int64 [1].
static Value rankOf(Value x, NodeBuilder &b) {
  if (auto type = dyn_cast<RankedTensorType>(x.getType()))
    return b.ints({type.getRank()});
  return b.create("Shape", b.create("Shape", x));
}

/// `x` with `count`, an int64 [1], trailing dims of size 1.
static Value withTrailingDims(Value x, Value count, NodeBuilder &b) {
  auto one = DenseElementsAttr::get(
      RankedTensorType::get({1}, b.builder.getI64Type()), int64_t(1));
  Value ones =
      b.create("ConstantOfShape", count, b.builder.getNamedAttr("value", one));
  Value shape =
      b.create("Concat", {b.create("Shape", x), ones}, b.attribute("axis", 0));
  return b.create("Reshape", {x, shape});
}

/// Add-7 and other binary ops broadcast as NumPy does. Before, the dims of B
/// were those of A from `axis` on, by default the last ones.
static LogicalResult broadcastAsNumPy(Node &node, NodeBuilder &b) {
  auto broadcast =
      dyn_cast_if_present<IntegerAttr>(node.attributes.erase("broadcast"));
  auto axis = dyn_cast_if_present<IntegerAttr>(node.attributes.erase("axis"));
  if (!broadcast || broadcast.getSInt() == 0 || !axis)
    return success();
  Value x = node.operands[0], &y = node.operands[1];
  // Dims of A behind those of B; a negative axis counts from the end.
  Value end = axis.getSInt() < 0 ? b.ints({0}) : rankOf(x, b);
  Value fromAxis = b.create("Sub", {end, b.ints({axis.getSInt()})});
  Value behind = b.create("Sub", {fromAxis, rankOf(y, b)});
  y = withTrailingDims(y, behind, b);
  return success();
}

/// PRelu-7 broadcasts the slope as NumPy does. Before, it was one number or one
/// per channel, [C].
static LogicalResult upgradePRelu7(Node &node, NodeBuilder &b) {
  auto type = dyn_cast<RankedTensorType>(node.operands[1].getType());
  if (type && (type.getRank() != 1 || type.getDimSize(0) == 1))
    return success();
  Value behind = b.create("Sub", {rankOf(node.operands[0], b), b.ints({2})});
  node.operands[1] = withTrailingDims(
      node.operands[1], b.create("Max", {behind, b.ints({0})}), b);
  return success();
}

//===----------------------------------------------------------------------===//
// Resize and Upsample
//===----------------------------------------------------------------------===//

/// The later names of interpolations that are linear or cubic in each dim.
static void renameMode(Node &node, NodeBuilder &b) {
  auto mode = dyn_cast_if_present<StringAttr>(node.attributes.get("mode"));
  if (mode && mode == "bilinear")
    node.attributes.set("mode", b.builder.getStringAttr("linear"));
  if (mode && mode == "bicubic")
    node.attributes.set("mode", b.builder.getStringAttr("cubic"));
}

/// Upsample-7 has a scale for each of the dims [N, C, H, W].
static LogicalResult upgradeUpsample7(Node &node, NodeBuilder &b) {
  SmallVector<Attribute> scales(2, b.builder.getF32FloatAttr(1));
  for (StringRef name : {"height_scale", "width_scale"})
    scales.push_back(node.attributes.erase(name));
  node.attributes.append("scales", b.builder.getArrayAttr(scales));
  renameMode(node, b);
  return success();
}

/// Upsample-9: scales are an input.
static LogicalResult upgradeUpsample9(Node &node, NodeBuilder &b) {
  SmallVector<float> scales;
  if (auto values =
          dyn_cast_if_present<ArrayAttr>(node.attributes.erase("scales")))
    for (FloatAttr scale : values.getAsRange<FloatAttr>())
      scales.push_back(scale.getValue().convertToFloat());
  node.setOperand(1, b.floats(scales));
  return success();
}

/// The coordinate mapping of Resize-10 as attributes of Resize-11: x_original =
/// x / scale, with a rounding for nearest.
static void mapAsymmetric(NodeBuilder &b, NamedAttrList &attributes,
                          StringRef rounding) {
  attributes.set("coordinate_transformation_mode",
                 b.builder.getStringAttr("asymmetric"));
  attributes.set("nearest_mode", b.builder.getStringAttr(rounding));
}

/// Resize-11 has attributes for the coordinate mapping. Resize-10 with nearest
/// rounded coordinates down along an axis that grows, and up along one that
/// shrinks, as in its example downsample_nearest. Resize-11 has one rounding:
/// if scales are unknown or mixed, one op enlarges, and another shrinks its
/// result.
static LogicalResult upgradeResize11(Node &node, NodeBuilder &b) {
  Value scales = node.getOperand(1);
  bool grows = true, shrinks = true;
  DenseFPElementsAttr known;
  if (scales && matchPattern(scales, m_Constant(&known))) {
    // A file may have scales of another dtype; they are rejected later.
    grows = llvm::any_of(
        known, [](APFloat scale) { return scale.convertToDouble() > 1; });
    shrinks = llvm::any_of(
        known, [](APFloat scale) { return scale.convertToDouble() < 1; });
  }
  auto mode = dyn_cast_if_present<StringAttr>(node.attributes.get("mode"));
  bool isNearest = !mode || mode == "nearest";
  shrinks &= isNearest && scales && !node.attributes.get("nearest_mode");
  if (shrinks && grows) {
    Value one = b.floats({1});
    NamedAttrList attributes = node.attributes;
    mapAsymmetric(b, attributes, "floor");
    node.operands[0] = b.create(
        "Resize", {node.operands[0], b.absent, b.create("Max", {scales, one})},
        attributes.getAttrs());
    scales = b.create("Min", {scales, one});
  }
  node.setOperand(1, Value());
  node.setOperand(2, scales);
  mapAsymmetric(b, node.attributes, shrinks ? "ceil" : "floor");
  return success();
}

/// Upsample-10 was withdrawn for Resize-10. Its scales are 1 or more.
static LogicalResult upgradeUpsample10(Node &node, NodeBuilder &b) {
  node.op = "Resize";
  mapAsymmetric(b, node.attributes, "floor");
  return success();
}

/// Resize-13: roi and scales may be absent; before, they had to be empty. It
/// has no tf_half_pixel_for_nn: floor((x + 0.5) / scale) is half_pixel's
/// (x + 0.5) / scale - 0.5 rounded to the nearest, up from a half.
static LogicalResult upgradeResize13(Node &node, NodeBuilder &b) {
  auto named = [&](StringRef attribute) {
    auto name = dyn_cast_if_present<StringAttr>(node.attributes.get(attribute));
    return name ? name.getValue() : StringRef();
  };
  StringRef mapping = "coordinate_transformation_mode", mode = named("mode");
  if (named(mapping) == "tf_half_pixel_for_nn") {
    if ((!mode.empty() && mode != "nearest") ||
        named("nearest_mode") != "floor")
      return b.subject.error()
             << "expected mode 'nearest' and nearest_mode 'floor' with "
                "tf_half_pixel_for_nn, which newer versions lack";
    node.attributes.set(mapping, b.builder.getStringAttr("half_pixel"));
    node.attributes.set("nearest_mode",
                        b.builder.getStringAttr("round_prefer_ceil"));
  }
  for (size_t i : {1, 2}) {
    ElementsAttr value;
    Value operand = node.getOperand(i);
    if (operand && matchPattern(operand, m_Constant(&value)) && value.empty())
      node.operands[i] = Value();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Changes of meaning
//===----------------------------------------------------------------------===//

/// BatchNormalization-9 has statistics per channel only. Statistics of all that
/// an example holds, [C, D1, ...], broadcast over the batch.
static LogicalResult upgradeBatchNormalization9(Node &node, NodeBuilder &b) {
  auto spatial =
      dyn_cast_if_present<IntegerAttr>(node.attributes.erase("spatial"));
  if (!spatial || spatial.getSInt() == 1)
    return success();
  if (node.resultTypes.size() > 1)
    return b.subject.error()
           << "expected spatial to be 1 in training, got " << spatial.getSInt();
  auto epsilon = dyn_cast_if_present<FloatAttr>(node.attributes.get("epsilon"));
  Value x = node.operands[0], scale = node.operands[1], bias = node.operands[2],
        mean = node.operands[3], variance = node.operands[4];
  variance = b.create(
      "Add",
      {variance,
       scalarLikeInput(epsilon ? epsilon.getValueAsDouble() : 1e-5, node, b)});
  Value factor = b.create("Div", {scale, b.create("Sqrt", variance)});
  Value scaled = b.create("Mul", {b.create("Sub", {x, mean}), factor});
  node.results.push_back(
      b.create("Add", {scaled, bias}, {}, node.resultTypes.front()));
  return success();
}

/// BatchNormalization-14 has an attribute for training; before, a node trained
/// if it had outputs besides Y. saved_mean and saved_var are gone.
static LogicalResult upgradeBatchNormalization14(Node &node, NodeBuilder &b) {
  SmallVectorImpl<Type> &types = node.resultTypes;
  while (types.size() > 1 && isa_and_present<NoneType>(types.back()))
    types.pop_back();
  if (types.size() == 1)
    return success();
  if (types.size() > 3)
    return b.subject.error() << "expected at most the outputs Y, mean and var, "
                                "which newer versions have, got more";
  node.attributes.push_back(b.attribute("training_mode", 1));
  return success();
}

/// Dropout-12: the ratio is an input, and so is the training mode. Before 10
/// the mask was of the dtype of the data.
static LogicalResult upgradeDropout12(Node &node, NodeBuilder &b) {
  moveFloat(node, b, "ratio", 1);
  if (node.since >= 10 || node.resultTypes.size() < 2 ||
      isa_and_present<NoneType>(node.resultTypes[1]))
    return success();

  Type maskType = node.resultTypes[1];
  node.resultTypes[1] = nullptr;
  if (failed(b.create(node)))
    return failure();
  Type dtype = cast<TensorType>(node.results[0].getType()).getElementType();
  node.results[1] =
      b.create("Cast", node.results[1],
               b.builder.getNamedAttr("to", TypeAttr::get(dtype)), maskType);
  return success();
}

/// GridSample-20: bilinear becomes linear, also in more than two dimensions.
static LogicalResult upgradeGridSample20(Node &node, NodeBuilder &b) {
  renameMode(node, b);
  return success();
}

/// GroupNormalization-21: scale and bias have an element per channel, not per
/// group. Each is repeated for the channels of its group:
/// reshape(expand(unsqueeze(scale, 1), [groups, C / groups]), [C]).
static LogicalResult upgradeGroupNormalization21(Node &node, NodeBuilder &b) {
  auto groups =
      dyn_cast_if_present<IntegerAttr>(node.attributes.get("num_groups"));
  if (!groups)
    return success(); // the verifier reports it
  Value channels = b.create("Shape", node.operands[0],
                            {b.attribute("end", 2), b.attribute("start", 1)});
  Value count = b.ints({groups.getSInt()});
  Value shape = b.create("Concat", {count, b.create("Div", {channels, count})},
                         b.attribute("axis", 0));
  for (size_t i : {1, 2}) {
    Value perGroup = b.create("Unsqueeze", {node.operands[i], b.ints({1})});
    Value perChannel = b.create("Expand", {perGroup, shape});
    node.operands[i] = b.create("Reshape", {perChannel, channels});
  }
  return success();
}

/// RoiAlign-16: boxes are shifted by half a pixel by default.
static LogicalResult upgradeRoiAlign16(Node &node, NodeBuilder &b) {
  node.attributes.append("coordinate_transformation_mode",
                         b.builder.getStringAttr("output_half_pixel"));
  return success();
}

/// Scan-9 has no batch dimension and no sequence_lens. So a scan over the
/// examples has a scan over one example's sequences as its body. With
/// sequence_lens, it scans the first steps, and zeros follow the outputs.
static LogicalResult upgradeScan9(Node &node, NodeBuilder &b) {
  int64_t inputs =
      cast<IntegerAttr>(node.attributes.get("num_scan_inputs")).getSInt();
  int64_t count = node.operands.size() - 1;
  if (inputs < 1 || inputs > count)
    return b.subject.error() << "attribute 'num_scan_inputs': expected 1 to "
                             << count << ", got " << inputs;
  int64_t states = count - inputs, outputs = node.resultTypes.size();
  if (outputs < states)
    return b.subject.error() << "expected an output of each of " << states
                             << " states, got " << outputs;
  Value lengths = node.operands.front();
  Node steps = {node.op, node.name};
  steps.attributes = node.attributes;
  if (Attribute directions = steps.attributes.erase("directions"))
    steps.attributes.append("scan_input_directions", directions);
  steps.regions = std::move(node.regions);
  for (Type type : node.resultTypes)
    steps.resultTypes.push_back(type ? getShapeless(type) : type);

  node.operands.erase(node.operands.begin());
  if (lengths)
    node.operands.push_back(lengths);
  node.attributes = {b.attribute("num_scan_inputs", node.operands.size())};
  node.regions.clear();
  Region &region = *node.regions.emplace_back(std::make_unique<Region>());
  OpBuilder::InsertionGuard guard(b.builder);
  Block *example = b.builder.createBlock(&region);
  for (Value &operand : node.operands) {
    operand = operand ? operand : b.absent;
    steps.operands.push_back(
        example->addArgument(getShapeless(operand.getType()), b.loc));
  }

  Value from, padding;
  if (lengths) {
    from = b.ints({0});
    Value length = b.create("Unsqueeze", {steps.operands.pop_back_val(), from});
    auto scanned = MutableArrayRef(steps.operands).take_back(inputs);
    Value all = b.create("Shape", scanned.front(),
                         {b.attribute("start", 0), b.attribute("end", 1)});
    for (Value &input : scanned)
      input = b.create("Slice", {input, from, length, from});
    padding = b.create("Concat", {from, b.create("Sub", {all, length})},
                       b.attribute("axis", 0));
  }
  if (failed(b.create(steps)))
    return failure();
  if (lengths)
    for (Value &output : MutableArrayRef(steps.results).drop_front(states))
      output = b.create("Pad", {output, padding, b.absent, from});
  YieldOp::create(b.builder, b.loc, TypeRange(), steps.results);
  return success();
}

static NamedAttribute toInt64(NodeBuilder &b) {
  return b.builder.getNamedAttr("to", TypeAttr::get(b.builder.getI64Type()));
}

/// Scatter-11 was withdrawn for ScatterElements-11.
static LogicalResult upgradeScatter11(Node &node, NodeBuilder &) {
  node.op = "ScatterElements";
  return success();
}

/// Split-2: the sizes are an attribute, which Split-13 makes an input again.
/// Here an input of them has the dtype of the data.
static LogicalResult upgradeSplit2(Node &node, NodeBuilder &b) {
  if (Value sizes = node.getOperand(1))
    node.operands[1] = b.create("Cast", sizes, toInt64(b));
  return success();
}

/// The number that a constant tensor of one element holds.
static std::optional<int64_t> knownNumber(Value value) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) ||
      elements.getNumElements() != 1)
    return std::nullopt;
  if (auto floats = dyn_cast<DenseFPElementsAttr>(elements)) {
    double number = (*floats.begin()).convertToDouble();
    return std::abs(number) <= 1 << 20 ? std::optional<int64_t>(number)
                                       : std::nullopt;
  }
  auto integers = dyn_cast<DenseIntElementsAttr>(elements);
  return integers ? (*integers.begin()).trySExtValue() : std::nullopt;
}

/// Tile-6 repeats every dim. Before, it was one dim:
/// repeats = onehot(axis, rank, [1, tiles]).
static LogicalResult upgradeTile6(Node &node, NodeBuilder &b) {
  Value x = node.operands[0], &repeats = node.operands[1];
  std::optional<int64_t> knownTiles = knownNumber(repeats),
                         knownAxis = knownNumber(node.operands[2]);
  auto type = dyn_cast<RankedTensorType>(x.getType());
  if (knownTiles && knownAxis && type && *knownAxis >= 0 &&
      *knownAxis < type.getRank()) {
    SmallVector<int64_t> known(type.getRank(), 1);
    known[*knownAxis] = *knownTiles;
    repeats = b.ints(known);
  } else {
    Value tiles = b.create("Cast", repeats, toInt64(b)),
          axis = b.create("Cast", node.operands[2], toInt64(b)),
          scalar = b.create("Reshape", {axis, b.ints({})});
    Value values = b.create(
        "Concat", {b.ints({1}), b.create("Reshape", {tiles, b.ints({1})})},
        b.attribute("axis", 0));
    repeats = b.create("OneHot", {scalar, rankOf(x, b), values});
  }
  node.operands.pop_back();
  return success();
}

/// Softmax-13, LogSoftmax-13, Hardmax-13 work along one axis. Before, they
/// flattened all axes from `axis` on: reshape(softmax(flatten(x, axis), -1),
/// shape(x)).
static LogicalResult upgradeSoftmax13(Node &node, NodeBuilder &b) {
  auto attribute =
      dyn_cast_if_present<IntegerAttr>(node.attributes.erase("axis"));
  int64_t axis = attribute ? attribute.getSInt() : 1;
  Value x = node.operands[0];
  auto type = dyn_cast<RankedTensorType>(x.getType());
  NamedAttribute last = b.attribute("axis", -1);
  if (axis == -1 || (type && axis == type.getRank() - 1)) {
    node.attributes.push_back(last);
    return success();
  }
  Value flat = b.create("Flatten", x, b.attribute("axis", axis));
  Value y = b.create(node.op, flat, last);
  node.results.push_back(
      b.create("Reshape", {y, b.create("Shape", x)}, {}, node.resultTypes[0]));
  return success();
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// By op, then by version.
static const Upgrade upgrades[] = {
    {"Add", 7, broadcastAsNumPy},
    {"And", 7, broadcastAsNumPy},
    {"BatchNormalization", 7, dropAttributes},
    {"BatchNormalization", 9, upgradeBatchNormalization9},
    {"BatchNormalization", 14, upgradeBatchNormalization14},
    {"Cast", 6, upgradeCast6},
    {"Clip", 11, upgradeClip11},
    {"Concat", 4, upgradeConcat4},
    {"DFT", 20, upgradeDFT20},
    {"Div", 7, broadcastAsNumPy},
    {"Dropout", 7, dropAttributes},
    {"Dropout", 12, upgradeDropout12},
    {"Equal", 7, broadcastAsNumPy},
    {"GRU", 7, dropAttributes},
    {"Gemm", 7, dropAttributes},
    {"GlobalLpPool", 2, wholeP},
    {"Greater", 7, broadcastAsNumPy},
    {"GridSample", 20, upgradeGridSample20},
    {"GroupNormalization", 21, upgradeGroupNormalization21},
    {"Hardmax", 13, upgradeSoftmax13},
    {"LSTM", 7, dropAttributes},
    {"Less", 7, broadcastAsNumPy},
    {"LogSoftmax", 13, upgradeSoftmax13},
    {"LpPool", 2, wholeP},
    {"Mul", 7, broadcastAsNumPy},
    {"Or", 7, broadcastAsNumPy},
    {"PRelu", 7, upgradePRelu7},
    {"Pad", 2, upgradePad2},
    {"Pad", 11, upgradePad11},
    {"Pow", 7, broadcastAsNumPy},
    {"RNN", 7, dropAttributes},
    {"ReduceL1", 18, axesToInput},
    {"ReduceL2", 18, axesToInput},
    {"ReduceLogSum", 18, axesToInput},
    {"ReduceLogSumExp", 18, axesToInput},
    {"ReduceMax", 18, axesToInput},
    {"ReduceMean", 18, axesToInput},
    {"ReduceMin", 18, axesToInput},
    {"ReduceProd", 18, axesToInput},
    {"ReduceSum", 13, axesToInput},
    {"ReduceSumSquare", 18, axesToInput},
    {"Reshape", 5, upgradeReshape5},
    {"Resize", 11, upgradeResize11},
    {"Resize", 13, upgradeResize13},
    {"RoiAlign", 16, upgradeRoiAlign16},
    {"Scan", 9, upgradeScan9},
    {"Scatter", 11, upgradeScatter11},
    {"Selu", 6, upgradeSelu6},
    {"Slice", 10, upgradeSlice10},
    {"Softmax", 13, upgradeSoftmax13},
    {"Split", 2, upgradeSplit2},
    {"Split", 13, upgradeSplit13},
    {"Split", 18, upgradeSplit18},
    {"Squeeze", 13, axesToInput},
    {"Sub", 7, broadcastAsNumPy},
    {"Tile", 6, upgradeTile6},
    {"TopK", 10, upgradeTopK10},
    {"Unsqueeze", 13, axesToInput},
    {"Upsample", 7, upgradeUpsample7},
    {"Upsample", 9, upgradeUpsample9},
    {"Upsample", 10, upgradeUpsample10},
    {"Xor", 7, broadcastAsNumPy},
};

LogicalResult onnx::upgradeNode(Node &node, NodeBuilder &b) {
  // Before opset 6, it named inputs that an op could overwrite.
  node.attributes.erase("consumed_inputs");
  // An upgrade may rename the op; then the rows of the new name apply.
  while (node.results.empty()) {
    const Upgrade *next = llvm::find_if(upgrades, [&](const Upgrade &upgrade) {
      return upgrade.op == node.op && node.since < upgrade.version;
    });
    if (next == std::end(upgrades))
      return success();
    if (failed(next->apply(node, b)))
      return failure();
    node.since = std::max(node.since, next->version);
  }
  return success();
}
