// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @inference(
// CHECK: torch.aten.batch_norm{{.*}} -> !torch.vtensor<[?,3,8,8],f32>
// CHECK: return
func.func @inference(%a0: tensor<?x3x8x8xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<3xf32>) -> tensor<?x3x8x8xf32> {
  %y:3 = "onnx.BatchNormalization"(%a0, %a1, %a2, %a3, %a4)
      : (tensor<?x3x8x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<?x3x8x8xf32>, none, none)
  onnx.Return %y#0 : tensor<?x3x8x8xf32>
}

// -----

func.func @statistics_of_inference(%a0: tensor<?x3x8xf32>, %a1: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.BatchNormalization': expected training_mode where the running mean and variance are wanted, got 0}}
  %y:3 = "onnx.BatchNormalization"(%a0, %a1, %a1, %a1, %a1)
      : (tensor<?x3x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<?x3x8xf32>, tensor<3xf32>, tensor<3xf32>)
  onnx.Return %y#1 : tensor<3xf32>
}

// -----

func.func @no_channels(%a0: tensor<?xf32>, %a1: tensor<2xf32>, %a2: tensor<2xf32>, %a3: tensor<2xf32>, %a4: tensor<2xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.BatchNormalization': expected 'X' of rank 2 or more, got rank 1: '!torch.vtensor<[?],f32>'}}
  %y:3 = "onnx.BatchNormalization"(%a0, %a1, %a2, %a3, %a4) {training_mode = 1 : si64}
      : (tensor<?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @scalar_mean(%a0: tensor<?x2xf32>, %a1: tensor<2xf32>, %a2: tensor<2xf32>, %a3: tensor<f32>, %a4: tensor<2xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.BatchNormalization': expected 'input_mean' of rank 1, got rank 0: '!torch.vtensor<[],f32>'}}
  %y:3 = "onnx.BatchNormalization"(%a0, %a1, %a2, %a3, %a4)
      : (tensor<?x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<2xf32>) -> (tensor<*xf32>, none, none)
  onnx.Return %y#0 : tensor<*xf32>
}
