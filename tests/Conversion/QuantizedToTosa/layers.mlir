// RUN: isthmus-opt %s --quantized-torch-to-tosa --split-input-file | FileCheck %s
// RUN: isthmus-opt %s --quantized-torch-to-tosa=legal-ops=quantized_decomposed.quantize_per_tensor,prims.convert_element_type --split-input-file | FileCheck %s --check-prefix=KEPT

// 0.5 * 0.25 / 0.125 = 1, with the bias in units of 0.5 * 0.25. The numbers of
// the result as ui8 are unused.
// CHECK-LABEL: func.func @linear(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[2,3],si8>, %[[W:.*]]: !torch.vtensor<[4,3],si8>)
// CHECK-DAG:     %[[BIAS:.*]] = torch.vtensor.literal(dense<[8, -4, 2, 0]> : tensor<4xsi32>)
// CHECK-DAG:     %[[WIDE:.*]] = torch.prims.convert_element_type %[[X]], {{.*}} -> !torch.vtensor<[2,3],si32>
// CHECK-DAG:     %[[CENTRED:.*]] = torch.aten.sub.Tensor %[[WIDE]],
// CHECK-DAG:     %[[WEIGHT:.*]] = torch.prims.convert_element_type %[[W]], {{.*}} -> !torch.vtensor<[4,3],si32>
// CHECK:         %[[SUM:.*]] = torch.aten.linear %[[CENTRED]], %[[WEIGHT]], %[[BIAS]]
// CHECK:         %[[IN:.*]] = torch_c.to_builtin_tensor %[[SUM]] : !torch.vtensor<[2,4],si32> -> tensor<2x4xi32>
// CHECK-DAG:     %[[MULTIPLIER:.*]] = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}>
// CHECK-DAG:     %[[SHIFT:.*]] = "tosa.const"() <{values = dense<30> : tensor<1xi8>}>
// CHECK-DAG:     %[[IN_ZERO:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi32>}>
// CHECK-DAG:     %[[OUT_ZERO:.*]] = "tosa.const"() <{values = dense<-118> : tensor<1xi8>}>
// CHECK:         %[[OUT:.*]] = tosa.rescale %[[IN]], %[[MULTIPLIER]], %[[SHIFT]], %[[IN_ZERO]], %[[OUT_ZERO]] {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true}
// CHECK:         %[[BYTES:.*]] = torch_c.from_builtin_tensor %[[OUT]] : tensor<2x4xi8> -> !torch.vtensor<[2,4],si8>
// relu: no number is below the zero point.
// CHECK:         torch.aten.clamp %[[BYTES]], %int-118, %int127
// CHECK-NOT:     quantize_per_tensor
// CHECK:         return
// KEPT-LABEL:  func.func @linear(
// KEPT:          torch.quantized_decomposed.quantize_per_tensor
func.func @linear(%x: !torch.vtensor<[2,3],si8>, %w: !torch.vtensor<[4,3],si8>) -> !torch.vtensor<[2,4],ui8> {
  %bias = torch.vtensor.literal(dense<[1.0, -0.5, 0.25, 0.0]> : tensor<4xf32>) : !torch.vtensor<[4],f32>
  %half = torch.constant.float 0.5
  %quarter = torch.constant.float 0.25
  %eighth = torch.constant.float 0.125
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int3 = torch.constant.int 3
  %int10 = torch.constant.int 10
  %int-128 = torch.constant.int -128
  %int127 = torch.constant.int 127
  %int255 = torch.constant.int 255
  %none = torch.constant.none
  %a = torch.quantized_decomposed.dequantize_per_tensor %x, %half, %int3, %int-128, %int127, %int1, %none
      : !torch.vtensor<[2,3],si8>, !torch.float, !torch.int, !torch.int, !torch.int, !torch.int, !torch.none -> !torch.vtensor<[2,3],f32>
  %b = torch.quantized_decomposed.dequantize_per_tensor %w, %quarter, %int0, %int-128, %int127, %int1, %none
      : !torch.vtensor<[4,3],si8>, !torch.float, !torch.int, !torch.int, !torch.int, !torch.int, !torch.none -> !torch.vtensor<[4,3],f32>
  %y = torch.aten.linear %a, %b, %bias : !torch.vtensor<[2,3],f32>, !torch.vtensor<[4,3],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[2,4],f32>
  %relu = torch.aten.relu %y : !torch.vtensor<[2,4],f32> -> !torch.vtensor<[2,4],f32>
  %q = torch.quantized_decomposed.quantize_per_tensor %relu, %eighth, %int10, %int0, %int255, %int0
      : !torch.vtensor<[2,4],f32>, !torch.float, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[2,4],ui8>
  return %q : !torch.vtensor<[2,4],ui8>
}

// -----

// ONNX's DequantizeLinear and QuantizeLinear. A view keeps the numbers, and
// twice the scale halves them.
// CHECK-LABEL: func.func @onnx(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[2,3],si8>)
// CHECK:         %[[VIEW:.*]] = torch.aten.view %[[X]], {{.*}} -> !torch.vtensor<[6],si8>
// CHECK:         %[[IN:.*]] = torch_c.to_builtin_tensor %[[VIEW]]
// CHECK-DAG:     %[[MULTIPLIER:.*]] = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}>
// CHECK-DAG:     %[[SHIFT:.*]] = "tosa.const"() <{values = dense<31> : tensor<1xi8>}>
// CHECK-DAG:     %[[ZERO:.*]] = "tosa.const"() <{values = dense<5> : tensor<1xi8>}>
// CHECK-DAG:     %[[OUT_ZERO:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}>
// CHECK:         %[[OUT:.*]] = tosa.rescale %[[IN]], %[[MULTIPLIER]], %[[SHIFT]], %[[ZERO]], %[[OUT_ZERO]]
// CHECK:         %[[BYTES:.*]] = torch_c.from_builtin_tensor %[[OUT]]
// CHECK-NEXT:    return %[[BYTES]]
// KEPT-LABEL:  func.func @onnx(
// KEPT-NOT:      tosa.rescale
func.func @onnx(%x: !torch.vtensor<[2,3],si8>) -> !torch.vtensor<[6],si8> {
  %zero = torch.vtensor.literal(dense<5> : tensor<si8>) : !torch.vtensor<[],si8>
  %scale = torch.vtensor.literal(dense<0.1> : tensor<f32>) : !torch.vtensor<[],f32>
  %twice = torch.vtensor.literal(dense<0.2> : tensor<f32>) : !torch.vtensor<[],f32>
  %int1 = torch.constant.int 1
  %int3 = torch.constant.int 3
  %int6 = torch.constant.int 6
  %low = torch.constant.float -128.0
  %high = torch.constant.float 127.0
  %wide = torch.prims.convert_element_type %x, %int3 : !torch.vtensor<[2,3],si8>, !torch.int -> !torch.vtensor<[2,3],si32>
  %wideZero = torch.prims.convert_element_type %zero, %int3 : !torch.vtensor<[],si8>, !torch.int -> !torch.vtensor<[],si32>
  %centred = torch.aten.sub.Tensor %wide, %wideZero, %int1 : !torch.vtensor<[2,3],si32>, !torch.vtensor<[],si32>, !torch.int -> !torch.vtensor<[2,3],si32>
  %float = torch.prims.convert_element_type %centred, %int6 : !torch.vtensor<[2,3],si32>, !torch.int -> !torch.vtensor<[2,3],f32>
  %real = torch.aten.mul.Tensor %float, %scale : !torch.vtensor<[2,3],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[2,3],f32>
  %sizes = torch.prim.ListConstruct %int6 : (!torch.int) -> !torch.list<int>
  %view = torch.aten.view %real, %sizes : !torch.vtensor<[2,3],f32>, !torch.list<int> -> !torch.vtensor<[6],f32>
  %quotient = torch.aten.div.Tensor %view, %twice : !torch.vtensor<[6],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[6],f32>
  %round = torch.aten.round %quotient : !torch.vtensor<[6],f32> -> !torch.vtensor<[6],f32>
  %clamp = torch.aten.clamp %round, %low, %high : !torch.vtensor<[6],f32>, !torch.float, !torch.float -> !torch.vtensor<[6],f32>
  %q = torch.prims.convert_element_type %clamp, %int1 : !torch.vtensor<[6],f32>, !torch.int -> !torch.vtensor<[6],si8>
  return %q : !torch.vtensor<[6],si8>
}

// -----

// A scale that is known only at run time stays a float; so does what a softmax
// computes.
// CHECK-LABEL: func.func @floats(
// CHECK:         torch.quantized_decomposed.dequantize_per_tensor.tensor
// CHECK:         torch.quantized_decomposed.dequantize_per_tensor
// CHECK:         torch.aten.softmax.int
// CHECK:         torch.quantized_decomposed.quantize_per_tensor
// CHECK-NOT:     tosa.rescale
// CHECK:         return
// KEPT-LABEL:  func.func @floats(
func.func @floats(%x: !torch.vtensor<[3],si8>, %scale: !torch.vtensor<[],f32>, %zero: !torch.vtensor<[],si64>)
    -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],si8>) {
  %half = torch.constant.float 0.5
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int-128 = torch.constant.int -128
  %int127 = torch.constant.int 127
  %none = torch.constant.none
  %a = torch.quantized_decomposed.dequantize_per_tensor.tensor %x, %scale, %zero, %int-128, %int127, %int1, %none
      : !torch.vtensor<[3],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],si64>, !torch.int, !torch.int, !torch.int, !torch.none -> !torch.vtensor<[3],f32>
  %b = torch.quantized_decomposed.dequantize_per_tensor %x, %half, %int0, %int-128, %int127, %int1, %none
      : !torch.vtensor<[3],si8>, !torch.float, !torch.int, !torch.int, !torch.int, !torch.int, !torch.none -> !torch.vtensor<[3],f32>
  %soft = torch.aten.softmax.int %b, %int0, %none : !torch.vtensor<[3],f32>, !torch.int, !torch.none -> !torch.vtensor<[3],f32>
  %q = torch.quantized_decomposed.quantize_per_tensor %soft, %half, %int0, %int-128, %int127, %int1
      : !torch.vtensor<[3],f32>, !torch.float, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[3],si8>
  return %a, %q : !torch.vtensor<[3],f32>, !torch.vtensor<[3],si8>
}
