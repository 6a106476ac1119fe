// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @groups(
// CHECK-DAG: %[[TWO:.*]] = torch.constant.int 2
// CHECK-DAG: %[[TRUE:.*]] = torch.constant.bool true
// CHECK: torch.torchvision.deform_conv2d %arg0, %arg1, %arg2, %arg4, %arg3, {{.*}}, %[[TWO]], %[[TWO]], %[[TRUE]] : {{.*}} -> !torch.vtensor<[1,6,3,3],f32>
func.func @groups(%x: tensor<1x4x4x4xf32>, %w: tensor<6x2x2x2xf32>, %offset: tensor<1x16x3x3xf32>, %b: tensor<6xf32>, %mask: tensor<1x8x3x3xf32>) -> tensor<1x6x3x3xf32> {
  %y = "onnx.DeformConv"(%x, %w, %offset, %b, %mask) {group = 2 : si64, offset_group = 2 : si64}
      : (tensor<1x4x4x4xf32>, tensor<6x2x2x2xf32>, tensor<1x16x3x3xf32>, tensor<6xf32>, tensor<1x8x3x3xf32>) -> tensor<1x6x3x3xf32>
  onnx.Return %y : tensor<1x6x3x3xf32>
}

// -----

// CHECK-LABEL: func.func @plain(
// CHECK-DAG: %[[FALSE:.*]] = torch.constant.bool false
// CHECK: torch.torchvision.deform_conv2d %arg0, %arg1, %arg2, %arg2, {{.*}}, %[[FALSE]] : {{.*}} -> !torch.vtensor<[?,1,?,?],f32>
func.func @plain(%x: tensor<?x1x?x?xf32>, %w: tensor<1x1x2x2xf32>, %offset: tensor<?x8x?x?xf32>) -> tensor<?x1x?x?xf32> {
  %none = "onnx.NoValue"() : () -> none
  %y = "onnx.DeformConv"(%x, %w, %offset, %none, %none) {pads = [1, 1, 1, 1], strides = [2, 2]}
      : (tensor<?x1x?x?xf32>, tensor<1x1x2x2xf32>, tensor<?x8x?x?xf32>, none, none) -> tensor<?x1x?x?xf32>
  onnx.Return %y : tensor<?x1x?x?xf32>
}

// -----

func.func @volume(%x: tensor<1x1x3x3x3xf32>, %w: tensor<1x1x2x2x2xf32>, %offset: tensor<1x24x2x2x2xf32>) -> tensor<1x1x2x2x2xf32> {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.DeformConv': expected 'X' of rank 4, got rank 5: '!torch.vtensor<[1,1,3,3,3],f32>'}}
  %y = "onnx.DeformConv"(%x, %w, %offset, %none, %none)
      : (tensor<1x1x3x3x3xf32>, tensor<1x1x2x2x2xf32>, tensor<1x24x2x2x2xf32>, none, none) -> tensor<1x1x2x2x2xf32>
  onnx.Return %y : tensor<1x1x2x2x2xf32>
}

// -----

func.func @uneven_groups(%x: tensor<1x4x3x3xf32>, %w: tensor<3x2x2x2xf32>, %offset: tensor<1x8x2x2xf32>) -> tensor<1x3x2x2xf32> {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.DeformConv': expected group to divide 3 outputs and an offset_group of 1 or more, got 2 and 1}}
  %y = "onnx.DeformConv"(%x, %w, %offset, %none, %none) {group = 2 : si64}
      : (tensor<1x4x3x3xf32>, tensor<3x2x2x2xf32>, tensor<1x8x2x2xf32>, none, none) -> tensor<1x3x2x2xf32>
  onnx.Return %y : tensor<1x3x2x2xf32>
}

// -----

func.func @other_kernel(%x: tensor<1x1x3x3xf32>, %w: tensor<1x1x2x2xf32>, %offset: tensor<1x8x2x2xf32>) -> tensor<1x1x2x2xf32> {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.DeformConv': expected the kernel_shape of the weight, got 3 x 2}}
  %y = "onnx.DeformConv"(%x, %w, %offset, %none, %none) {kernel_shape = [3, 2]}
      : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>, tensor<1x8x2x2xf32>, none, none) -> tensor<1x1x2x2xf32>
  onnx.Return %y : tensor<1x1x2x2xf32>
}

// -----

func.func @channels_of_another_input(%x: tensor<1x1x3x3xf32>, %w: tensor<1x9223372036854775807x2x2xf32>, %offset: tensor<1x8x2x2xf32>) -> tensor<1x1x2x2xf32> {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.DeformConv': expected a weight for 1 channels in 1 groups, got '!torch.vtensor<[1,9223372036854775807,2,2],f32>'}}
  %y = "onnx.DeformConv"(%x, %w, %offset, %none, %none)
      : (tensor<1x1x3x3xf32>, tensor<1x9223372036854775807x2x2xf32>, tensor<1x8x2x2xf32>, none, none) -> tensor<1x1x2x2xf32>
  onnx.Return %y : tensor<1x1x2x2xf32>
}

// -----

func.func @scalar_weight(%a0: tensor<1x1x?x3xf32>, %a1: tensor<f32>, %a2: tensor<1x8x2x2xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.DeformConv': expected 'W' of rank 4, got rank 0: '!torch.vtensor<[],f32>'}}
  %y = "onnx.DeformConv"(%a0, %a1, %a2, %none, %none)
      : (tensor<1x1x?x3xf32>, tensor<f32>, tensor<1x8x2x2xf32>, none, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @vector_of_offsets(%a0: tensor<1x1x?x3xf32>, %a1: tensor<1x1x2x2xf32>, %a2: tensor<8xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.DeformConv': expected 'offset' of rank 4, got rank 1: '!torch.vtensor<[8],f32>'}}
  %y = "onnx.DeformConv"(%a0, %a1, %a2, %none, %none)
      : (tensor<1x1x?x3xf32>, tensor<1x1x2x2xf32>, tensor<8xf32>, none, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
