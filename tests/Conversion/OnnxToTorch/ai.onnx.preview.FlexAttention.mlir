// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// Two query heads share a key head.
// CHECK-LABEL: func.func @grouped(
// CHECK:         torch.aten.expand
// CHECK:         %[[SCORES:.*]] = torch.aten.matmul {{.*}} -> !torch.vtensor<[1,4,3,5],f32>
// CHECK:         %[[WEIGHTS:.*]] = torch.aten.softmax.int %[[SCORES]]
// CHECK:         torch.aten.matmul %[[WEIGHTS]], {{.*}} -> !torch.vtensor<[1,4,3,6],f32>
func.func @grouped(%q: tensor<1x4x3x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>) -> tensor<1x4x3x6xf32> {
  %y = "onnx.ai.onnx.preview.FlexAttention"(%q, %k, %v) ({}, {})
      : (tensor<1x4x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>) -> tensor<1x4x3x6xf32>
  onnx.Return %y : tensor<1x4x3x6xf32>
}

// -----

// Scores and probabilities are f32, and each has a graph.
// CHECK-LABEL: func.func @modified(
// CHECK:         %[[PRODUCT:.*]] = torch.aten.matmul {{.*}} -> !torch.vtensor<[1,2,3,5],f16>
// CHECK:         %[[SCORES:.*]] = torch.prims.convert_element_type %[[PRODUCT]]
// CHECK:         %[[TANH:.*]] = torch.aten.tanh %[[SCORES]]
// CHECK:         %[[WEIGHTS:.*]] = torch.aten.softmax.int %[[TANH]]
// CHECK:         %[[ABS:.*]] = torch.aten.abs %[[WEIGHTS]]
// CHECK:         torch.aten.matmul %[[ABS]], {{.*}} -> !torch.vtensor<[1,2,3,8],f32>
func.func @modified(%q: tensor<1x2x3x8xf16>, %k: tensor<1x2x5x8xf16>, %v: tensor<1x2x5x8xf16>) -> tensor<1x2x3x8xf16> {
  %y = "onnx.ai.onnx.preview.FlexAttention"(%q, %k, %v) ({
  ^bb0(%scores: tensor<?x?x?x?xf32>):
    %a = "onnx.Tanh"(%scores) : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
    onnx.Yield %a : tensor<?x?x?x?xf32>
  }, {
  ^bb0(%probs: tensor<?x?x?x?xf32>):
    %a = "onnx.Abs"(%probs) : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
    onnx.Yield %a : tensor<?x?x?x?xf32>
  }) : (tensor<1x2x3x8xf16>, tensor<1x2x5x8xf16>, tensor<1x2x5x8xf16>) -> tensor<1x2x3x8xf16>
  onnx.Return %y : tensor<1x2x3x8xf16>
}

// -----

func.func @integer_scores(%q: tensor<1x2x3x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x8xf32>) -> tensor<1x2x3x8xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.preview.FlexAttention': expected softmax_precision to be a float dtype, got 7}}
  %y = "onnx.ai.onnx.preview.FlexAttention"(%q, %k, %v) ({}, {}) {softmax_precision = 7 : si64}
      : (tensor<1x2x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>) -> tensor<1x2x3x8xf32>
  onnx.Return %y : tensor<1x2x3x8xf32>
}

// -----

func.func @rank(%q: tensor<2x3x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x8xf32>) -> tensor<1x2x3x8xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.preview.FlexAttention': expected 'Q' of rank 4, got rank 3: '!torch.vtensor<[2,3,8],f32>'}}
  %y = "onnx.ai.onnx.preview.FlexAttention"(%q, %k, %v) ({}, {})
      : (tensor<2x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>) -> tensor<1x2x3x8xf32>
  onnx.Return %y : tensor<1x2x3x8xf32>
}
