// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// Zeros with sizes (2 - 1) * 2 + 2 = 4. The elements are written into them at
// their indices, which count over the whole tensor.
// CHECK-LABEL: func.func @strides(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[1,1,2,2],f32>, %[[I:.*]]: !torch.vtensor<[1,1,2,2],si64>) -> !torch.vtensor<[1,1,4,4],f32>
// CHECK:         %[[ZEROS:.*]] = torch.aten.full {{.*}} -> !torch.vtensor<[16],f32>
// CHECK:         %[[FLAT_I:.*]] = torch.aten.view %[[I]], %{{.*}} -> !torch.vtensor<[4],si64>
// CHECK:         %[[FLAT_X:.*]] = torch.aten.view %[[X]], %{{.*}} -> !torch.vtensor<[4],f32>
// CHECK:         %[[FULL:.*]] = torch.aten.scatter.src %[[ZEROS]], %int0, %[[FLAT_I]], %[[FLAT_X]]
// CHECK:         %[[Y:.*]] = torch.aten.view %[[FULL]], %{{.*}} -> !torch.vtensor<[1,1,4,4],f32>
// CHECK:         return %[[Y]]
func.func @strides(%x: tensor<1x1x2x2xf32>, %i: tensor<1x1x2x2xi64>) -> tensor<1x1x4x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.MaxUnpool"(%x, %i, %none) {kernel_shape = [2, 2], strides = [2, 2]}
      : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, none) -> tensor<1x1x4x4xf32>
  onnx.Return %y : tensor<1x1x4x4xf32>
}

// -----

// Omitted strides are 1: (3 - 1) * 1 + 2 = 4.
// CHECK-LABEL: func.func @no_strides(
// CHECK:         return %{{.*}} : !torch.vtensor<[1,1,4],f32>
func.func @no_strides(%x: tensor<1x1x3xf32>, %i: tensor<1x1x3xi64>) -> tensor<1x1x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.MaxUnpool"(%x, %i, %none) {kernel_shape = [2]}
      : (tensor<1x1x3xf32>, tensor<1x1x3xi64>, none) -> tensor<1x1x4xf32>
  onnx.Return %y : tensor<1x1x4xf32>
}

// -----

// Pads are subtracted: (3 - 1) * 2 + 3 - 1 - 1 = 5 and (3 - 1) * 2 + 3 - 0 - 1 = 6.
// CHECK-LABEL: func.func @pads(
// CHECK:         return %{{.*}} : !torch.vtensor<[1,2,5,6],f32>
func.func @pads(%x: tensor<1x2x3x3xf32>, %i: tensor<1x2x3x3xi64>) -> tensor<1x2x5x6xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.MaxUnpool"(%x, %i, %none) {kernel_shape = [3, 3], strides = [2, 2], pads = [1, 0, 1, 1]}
      : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xi64>, none) -> tensor<1x2x5x6xf32>
  onnx.Return %y : tensor<1x2x5x6xf32>
}

// -----

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[?,3,2,2],f32>
// CHECK:         %[[N:.*]] = torch.aten.size.int %[[X]], %int0
// CHECK:         %[[N3:.*]] = torch.aten.mul.int %[[N]], %int3
// CHECK:         %[[N12:.*]] = torch.aten.mul.int %[[N3]], %int4
// CHECK:         %[[N48:.*]] = torch.aten.mul.int %[[N12]], %int4
// CHECK:         %[[SIZE:.*]] = torch.prim.ListConstruct %[[N48]]
// CHECK:         torch.aten.full %[[SIZE]]
// CHECK:         return %{{.*}} : !torch.vtensor<[?,3,4,4],f32>
func.func @dynamic(%x: tensor<?x3x2x2xf32>, %i: tensor<?x3x2x2xi64>) -> tensor<?x3x4x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.MaxUnpool"(%x, %i, %none) {kernel_shape = [2, 2], strides = [2, 2]}
      : (tensor<?x3x2x2xf32>, tensor<?x3x2x2xi64>, none) -> tensor<?x3x4x4xf32>
  onnx.Return %y : tensor<?x3x4x4xf32>
}

// -----

// A larger output has more zeros after the rows and columns of the pooled input.
// CHECK-LABEL: func.func @output_shape(
// CHECK:         torch.aten.view %{{.*}} -> !torch.vtensor<[1,1,4,4],f32>
// CHECK:         torch.aten.constant_pad_nd %{{.*}} -> !torch.vtensor<[1,1,5,5],f32>
func.func @output_shape(%x: tensor<1x1x2x2xf32>, %i: tensor<1x1x2x2xi64>) -> tensor<1x1x5x5xf32> {
  %shape = onnx.Constant dense<[1, 1, 5, 5]> : tensor<4xi64>
  %y = "onnx.MaxUnpool"(%x, %i, %shape) {kernel_shape = [2, 2], strides = [2, 2]}
      : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, tensor<4xi64>) -> tensor<1x1x5x5xf32>
  onnx.Return %y : tensor<1x1x5x5xf32>
}

// -----

func.func @output_shape_of_wrong_length(%x: tensor<1x1x2x2xf32>, %i: tensor<1x1x2x2xi64>) -> tensor<*xf32> {
  %shape = onnx.Constant dense<[5, 5]> : tensor<2xi64>
  // expected-error @below {{no lowering to torch for 'onnx.MaxUnpool': expected an output_shape of 4 sizes, got '!torch.vtensor<[2],si64>'}}
  %y = "onnx.MaxUnpool"(%x, %i, %shape) {kernel_shape = [2, 2], strides = [2, 2]}
      : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, tensor<2xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
