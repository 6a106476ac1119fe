// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @linear(
// CHECK-NOT: torch.aten.exp {{.*}}
// CHECK: torch.prim.Loop
// CHECK: torch.aten.matmul{{.*}} -> !torch.vtensor<[2,2,2,3],f32>
// CHECK: torch.prim.Loop.condition
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[2,?,12],f32>
func.func @linear(%q: tensor<2x?x8xf32>, %k: tensor<2x?x4xf32>, %v: tensor<2x?x6xf32>) -> tensor<2x?x12xf32> {
  %none = "onnx.NoValue"() : () -> none
  %y:2 = "onnx.LinearAttention"(%q, %k, %v, %none, %none, %none) {update_rule = "linear", kv_num_heads = 2 : si64, q_num_heads = 4 : si64}
      : (tensor<2x?x8xf32>, tensor<2x?x4xf32>, tensor<2x?x6xf32>, none, none, none) -> (tensor<2x?x12xf32>, tensor<2x2x2x3xf32>)
  onnx.Return %y#0 : tensor<2x?x12xf32>
}

// -----

// CHECK-LABEL: func.func @gated_delta(
// CHECK: torch.aten.exp {{.*}} -> !torch.vtensor<[?,2,2,1,1],f32>
// CHECK: torch.prim.Loop
// CHECK-COUNT-2: torch.aten.matmul
// CHECK: torch.prim.Loop.condition
func.func @gated_delta(%q: tensor<2x?x8xf32>, %k: tensor<2x?x4xf32>, %v: tensor<2x?x6xf32>, %past: tensor<2x2x2x3xf32>, %decay: tensor<2x?x2xf32>, %beta: tensor<2x?x1xf32>) -> tensor<2x?x12xf32> {
  %none = "onnx.NoValue"() : () -> none
  %y:2 = "onnx.LinearAttention"(%q, %k, %v, %past, %decay, %beta) {scale = 0.5 : f32, kv_num_heads = 2 : si64, q_num_heads = 4 : si64}
      : (tensor<2x?x8xf32>, tensor<2x?x4xf32>, tensor<2x?x6xf32>, tensor<2x2x2x3xf32>, tensor<2x?x2xf32>, tensor<2x?x1xf32>) -> (tensor<2x?x12xf32>, tensor<2x2x2x3xf32>)
  onnx.Return %y#0 : tensor<2x?x12xf32>
}

// -----

func.func @unknown_rule(%q: tensor<2x?x8xf32>, %k: tensor<2x?x4xf32>, %v: tensor<2x?x6xf32>) -> tensor<2x?x12xf32> {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.LinearAttention': expected update_rule to be linear, gated, delta or gated_delta, got 'quadratic'}}
  %y:2 = "onnx.LinearAttention"(%q, %k, %v, %none, %none, %none) {update_rule = "quadratic", kv_num_heads = 2 : si64, q_num_heads = 4 : si64}
      : (tensor<2x?x8xf32>, tensor<2x?x4xf32>, tensor<2x?x6xf32>, none, none, none) -> (tensor<2x?x12xf32>, tensor<2x2x2x3xf32>)
  onnx.Return %y#0 : tensor<2x?x12xf32>
}

// -----

func.func @no_decay(%q: tensor<2x?x8xf32>, %k: tensor<2x?x4xf32>, %v: tensor<2x?x6xf32>) -> tensor<2x?x12xf32> {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.LinearAttention': expected decay for gated rules and beta for delta rules only, got others for 'gated'}}
  %y:2 = "onnx.LinearAttention"(%q, %k, %v, %none, %none, %none) {update_rule = "gated", kv_num_heads = 2 : si64, q_num_heads = 4 : si64}
      : (tensor<2x?x8xf32>, tensor<2x?x4xf32>, tensor<2x?x6xf32>, none, none, none) -> (tensor<2x?x12xf32>, tensor<2x2x2x3xf32>)
  onnx.Return %y#0 : tensor<2x?x12xf32>
}

// -----

func.func @uneven_heads(%q: tensor<2x?x8xf32>, %k: tensor<2x?x4xf32>, %v: tensor<2x?x6xf32>) -> tensor<2x?x12xf32> {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.LinearAttention': expected q_num_heads to be a multiple of kv_num_heads, got 3 and 2}}
  %y:2 = "onnx.LinearAttention"(%q, %k, %v, %none, %none, %none) {update_rule = "linear", kv_num_heads = 2 : si64, q_num_heads = 3 : si64}
      : (tensor<2x?x8xf32>, tensor<2x?x4xf32>, tensor<2x?x6xf32>, none, none, none) -> (tensor<2x?x12xf32>, tensor<2x2x2x3xf32>)
  onnx.Return %y#0 : tensor<2x?x12xf32>
}

// -----

func.func @rank(%q: tensor<2x4x?x2xf32>, %k: tensor<2x?x4xf32>, %v: tensor<2x?x6xf32>) -> tensor<2x?x12xf32> {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.LinearAttention': expected 'query' of rank 3, got rank 4: '!torch.vtensor<[2,4,?,2],f32>'}}
  %y:2 = "onnx.LinearAttention"(%q, %k, %v, %none, %none, %none) {update_rule = "linear", kv_num_heads = 2 : si64, q_num_heads = 4 : si64}
      : (tensor<2x4x?x2xf32>, tensor<2x?x4xf32>, tensor<2x?x6xf32>, none, none, none) -> (tensor<2x?x12xf32>, tensor<2x2x2x3xf32>)
  onnx.Return %y#0 : tensor<2x?x12xf32>
}
