// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @image(
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,3,8,8],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,3,?],f32>
// CHECK: torch.aten.constant_pad_nd{{.*}} -> !torch.vtensor<[?,7,?],f32>
// CHECK: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[?,1,7,?],f32>
// CHECK: torch.aten.avg_pool2d{{.*}} -> !torch.vtensor<[?,1,3,?],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,3,8,8],f32>
// CHECK: torch.aten.mul.Scalar{{.*}} -> !torch.vtensor<[?,3,8,8],f32>
// CHECK: torch.aten.add.Scalar{{.*}} -> !torch.vtensor<[?,3,8,8],f32>
// CHECK: torch.aten.pow.Tensor_Scalar{{.*}} -> !torch.vtensor<[?,3,8,8],f32>
// CHECK: torch.aten.div.Tensor{{.*}} -> !torch.vtensor<[?,3,8,8],f32>
// CHECK: return
func.func @image(%a0: tensor<?x3x8x8xf32>) -> tensor<?x3x8x8xf32> {
  %y = "onnx.LRN"(%a0) {size = 5 : si64}
      : (tensor<?x3x8x8xf32>) -> tensor<?x3x8x8xf32>
  onnx.Return %y : tensor<?x3x8x8xf32>
}
