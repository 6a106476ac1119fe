// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @gated(
// CHECK: torch.aten.exp
// CHECK: torch.prim.Loop
func.func @gated(%a0: tensor<2x?x32xf32>, %a1: tensor<2x?x16xf32>, %a2: tensor<2x?x12xf32>, %a4: tensor<2x?x2xf32>) -> (tensor<2x?x24xf32>, tensor<2x2x8x6xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:2 = "onnx.com.microsoft.LinearAttention"(%a0, %a1, %a2, %none, %a4, %none) {update_rule = "gated", q_num_heads = 4 : si64, kv_num_heads = 2 : si64}
      : (tensor<2x?x32xf32>, tensor<2x?x16xf32>, tensor<2x?x12xf32>, none, tensor<2x?x2xf32>, none) -> (tensor<2x?x24xf32>, tensor<2x2x8x6xf32>)
  onnx.Return %y#0, %y#1 : tensor<2x?x24xf32>, tensor<2x2x8x6xf32>
}

// -----

func.func @window(%a0: tensor<2x?x32xf32>, %a1: tensor<2x?x16xf32>, %a2: tensor<2x?x12xf32>, %a4: tensor<2x?x2xf32>) -> (tensor<2x?x24xf32>, tensor<2x2x8x6xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.LinearAttention': expected state_window 0, got 2}}
  %y:2 = "onnx.com.microsoft.LinearAttention"(%a0, %a1, %a2, %none, %a4, %none) {update_rule = "gated", q_num_heads = 4 : si64, kv_num_heads = 2 : si64, state_window = 2 : si64}
      : (tensor<2x?x32xf32>, tensor<2x?x16xf32>, tensor<2x?x12xf32>, none, tensor<2x?x2xf32>, none) -> (tensor<2x?x24xf32>, tensor<2x2x8x6xf32>)
  onnx.Return %y#0, %y#1 : tensor<2x?x24xf32>, tensor<2x2x8x6xf32>
}
