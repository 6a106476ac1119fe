// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @plain(
// CHECK: torch.aten.cumsum{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @plain(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = onnx.Constant dense<1> : tensor<i64>
  %y = "onnx.CumSum"(%a0, %c0)
      : (tensor<?x4xf32>, tensor<i64>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @exclusive_reverse(
// CHECK: torch.aten.flip{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.constant_pad_nd{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.cumsum{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.flip{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @exclusive_reverse(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = onnx.Constant dense<-1> : tensor<i64>
  %y = "onnx.CumSum"(%a0, %c0) {exclusive = 1 : si64, reverse = 1 : si64}
      : (tensor<?x4xf32>, tensor<i64>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

func.func @axis_at_run_time(%a0: tensor<?x4xf32>, %a1: tensor<i64>) -> tensor<?x4xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.CumSum': expected axis to be known while compiling, got values known at run time only}}
  %y = "onnx.CumSum"(%a0, %a1)
      : (tensor<?x4xf32>, tensor<i64>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
