// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// saturate(round((a - a_zero) @ (b - b_zero) * a_scale * b_scale / y_scale) + y_zero):
// products are summed in i32, the rest is computed in f32, and a ui8 saturates
// at 0 and 255.
// CHECK-LABEL: func.func @per_tensor(
// CHECK-SAME:    %[[A:[a-z0-9]*]]: !torch.vtensor<[?,4],ui8>, %[[AS:[a-z0-9]*]]: !torch.vtensor<[],f32>, %[[AZ:[a-z0-9]*]]: !torch.vtensor<[],ui8>, %[[B:[a-z0-9]*]]: !torch.vtensor<[4,3],ui8>, %[[BS:[a-z0-9]*]]: !torch.vtensor<[],f32>, %[[BZ:[a-z0-9]*]]: !torch.vtensor<[],ui8>, %[[YS:[a-z0-9]*]]: !torch.vtensor<[],f32>, %[[YZ:[a-z0-9]*]]: !torch.vtensor<[],ui8>)
// CHECK:         %[[A1:.*]] = torch.aten.sub.Tensor {{.*}} -> !torch.vtensor<[?,4],si32>
// CHECK:         %[[B1:.*]] = torch.aten.sub.Tensor {{.*}} -> !torch.vtensor<[4,3],si32>
// CHECK:         %[[P:.*]] = torch.aten.matmul %[[A1]], %[[B1]] : {{.*}} -> !torch.vtensor<[?,3],si32>
// CHECK:         %[[F:.*]] = torch.prims.convert_element_type %[[P]], {{.*}} -> !torch.vtensor<[?,3],f32>
// CHECK:         %[[FA:.*]] = torch.aten.mul.Tensor %[[F]], %[[AS]]
// CHECK:         %[[FAB:.*]] = torch.aten.mul.Tensor %[[FA]], %[[BS]]
// CHECK:         %[[Q:.*]] = torch.aten.div.Tensor %[[FAB]], %[[YS]]
// CHECK:         torch.aten.round %[[Q]]
// CHECK:         torch.aten.add.Tensor
// CHECK:         torch.aten.clamp {{.*}} %{{(int|float)0.*}}, %{{(int|float)(255|2\.55).*}} :
// CHECK:         torch.prims.convert_element_type {{.*}} -> !torch.vtensor<[?,3],ui8>
func.func @per_tensor(%a: tensor<?x4xui8>, %a_scale: tensor<f32>, %a_zero: tensor<ui8>,
                      %b: tensor<4x3xui8>, %b_scale: tensor<f32>, %b_zero: tensor<ui8>,
                      %y_scale: tensor<f32>, %y_zero: tensor<ui8>) -> tensor<?x3xui8> {
  %y = "onnx.QLinearMatMul"(%a, %a_scale, %a_zero, %b, %b_scale, %b_zero, %y_scale, %y_zero)
      : (tensor<?x4xui8>, tensor<f32>, tensor<ui8>, tensor<4x3xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<?x3xui8>
  onnx.Return %y : tensor<?x3xui8>
}

// -----

// A scale per row of a, and one per column of b; i8 saturates at -128 and 127.
// CHECK-LABEL: func.func @per_row_and_column(
// CHECK:         torch.aten.sub.Tensor {{.*}} : !torch.vtensor<[2,4],si32>, !torch.vtensor<[2,1],si32>,
// CHECK:         torch.aten.sub.Tensor {{.*}} : !torch.vtensor<[4,3],si32>, !torch.vtensor<[1,3],si32>,
// CHECK:         torch.aten.matmul {{.*}} -> !torch.vtensor<[2,3],si32>
// CHECK:         torch.aten.mul.Tensor {{.*}} : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,1],f32>
// CHECK:         torch.aten.mul.Tensor {{.*}} : !torch.vtensor<[2,3],f32>, !torch.vtensor<[1,3],f32>
// CHECK:         torch.aten.clamp {{.*}} %{{(int|float)-128|(int|float)-1\.28.*}}, %{{(int|float)127|(int|float)1\.27.*}} :
// CHECK:         torch.prims.convert_element_type {{.*}} -> !torch.vtensor<[2,3],si8>
func.func @per_row_and_column(%a: tensor<2x4xi8>, %a_scale: tensor<2xf32>, %a_zero: tensor<2xi8>,
                              %b: tensor<4x3xi8>, %b_scale: tensor<3xf32>, %b_zero: tensor<3xi8>,
                              %y_scale: tensor<f32>, %y_zero: tensor<i8>) -> tensor<2x3xi8> {
  %y = "onnx.QLinearMatMul"(%a, %a_scale, %a_zero, %b, %b_scale, %b_zero, %y_scale, %y_zero)
      : (tensor<2x4xi8>, tensor<2xf32>, tensor<2xi8>, tensor<4x3xi8>, tensor<3xf32>, tensor<3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  onnx.Return %y : tensor<2x3xi8>
}

// -----

// A batch of matrices has a scale for each row of each matrix, as a tensor of the same rank.
// CHECK-LABEL: func.func @stack(
// CHECK:         torch.aten.sub.Tensor {{.*}} : !torch.vtensor<[?,2,4],si32>, !torch.vtensor<[?,2,1],si32>,
// CHECK:         torch.aten.mul.Tensor {{.*}} : !torch.vtensor<[?,2,3],f32>, !torch.vtensor<[?,2,1],f32>
// CHECK:         torch.aten.mul.Tensor {{.*}} : !torch.vtensor<[?,2,3],f32>, !torch.vtensor<[?,1,3],f32>
func.func @stack(%a: tensor<?x2x4xi8>, %a_scale: tensor<?x2x1xf32>, %a_zero: tensor<?x2x1xi8>,
                 %b: tensor<?x4x3xi8>, %b_scale: tensor<?x1x3xf32>, %b_zero: tensor<?x1x3xi8>,
                 %y_scale: tensor<f32>, %y_zero: tensor<i8>) -> tensor<?x2x3xi8> {
  %y = "onnx.QLinearMatMul"(%a, %a_scale, %a_zero, %b, %b_scale, %b_zero, %y_scale, %y_zero)
      : (tensor<?x2x4xi8>, tensor<?x2x1xf32>, tensor<?x2x1xi8>, tensor<?x4x3xi8>, tensor<?x1x3xf32>, tensor<?x1x3xi8>, tensor<f32>, tensor<i8>) -> tensor<?x2x3xi8>
  onnx.Return %y : tensor<?x2x3xi8>
}

// -----

// Scales may be f16, and matrices may be in a batch.
// CHECK-LABEL: func.func @half_scales(
// CHECK:         torch.aten.matmul {{.*}} -> !torch.vtensor<[5,2,3],si32>
// CHECK-COUNT-3: torch.prims.convert_element_type %{{.*}} : !torch.vtensor<[],f16>, !torch.int -> !torch.vtensor<[],f32>
// CHECK:         return %{{.*}} : !torch.vtensor<[5,2,3],si8>
func.func @half_scales(%a: tensor<5x2x4xi8>, %a_scale: tensor<f16>, %a_zero: tensor<i8>,
                       %b: tensor<4x3xi8>, %b_scale: tensor<f16>, %b_zero: tensor<i8>,
                       %y_scale: tensor<f16>, %y_zero: tensor<i8>) -> tensor<5x2x3xi8> {
  %y = "onnx.QLinearMatMul"(%a, %a_scale, %a_zero, %b, %b_scale, %b_zero, %y_scale, %y_zero)
      : (tensor<5x2x4xi8>, tensor<f16>, tensor<i8>, tensor<4x3xi8>, tensor<f16>, tensor<i8>, tensor<f16>, tensor<i8>) -> tensor<5x2x3xi8>
  onnx.Return %y : tensor<5x2x3xi8>
}
