// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @last_axis(
// CHECK: torch.aten.lt.Scalar{{.*}} -> !torch.vtensor<[?],i1>
// CHECK: torch.aten.add.Scalar{{.*}} -> !torch.vtensor<[?],si64>
// CHECK: torch.aten.where.self{{.*}} -> !torch.vtensor<[?],si64>
// CHECK: torch.aten.arange.start_step{{.*}} -> !torch.vtensor<[5],si64>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[1,5],si64>
// CHECK: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[?,1],si64>
// CHECK: torch.aten.eq.Tensor{{.*}} -> !torch.vtensor<[?,5],i1>
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.where.self{{.*}} -> !torch.vtensor<[?,5],f32>
// CHECK: return
func.func @last_axis(%a0: tensor<?xi64>, %a1: tensor<2xf32>) -> tensor<?x5xf32> {
  %c0 = onnx.Constant dense<5> : tensor<i64>
  %y = "onnx.OneHot"(%a0, %c0, %a1)
      : (tensor<?xi64>, tensor<i64>, tensor<2xf32>) -> tensor<?x5xf32>
  onnx.Return %y : tensor<?x5xf32>
}
