// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// Both branches may use values from outside.
// CHECK-LABEL: func.func @tensor_condition(
// CHECK-SAME:    %[[C:.*]]: !torch.vtensor<[],i1>, %[[X:.*]]: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32>
// CHECK:         %[[P:.*]] = torch.aten.Bool.{{.*}} : {{.*}} -> !torch.bool
// CHECK:         %[[Y:.*]] = torch.prim.If %[[P]] -> (!torch.vtensor<[?,4],f32>) {
// CHECK:           %[[N:.*]] = torch.aten.neg %[[X]]
// CHECK:           torch.prim.If.yield %[[N]]
// CHECK:         } else {
// CHECK:           torch.prim.If.yield %[[X]]
// CHECK:         }
// CHECK:         return %[[Y]]
func.func @tensor_condition(%c: tensor<i1>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.If"(%c) ({
    %n = "onnx.Neg"(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    onnx.Yield %n : tensor<?x4xf32>
  }, {
    onnx.Yield %x : tensor<?x4xf32>
  }) : (tensor<i1>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

// A tensor of one element is a condition, whatever its rank.
// CHECK-LABEL: func.func @condition_of_rank_1(
// CHECK:         torch.prim.If
func.func @condition_of_rank_1(%c: tensor<1xi1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "onnx.If"(%c) ({
    %n = "onnx.Neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    onnx.Yield %n : tensor<4xf32>
  }, {
    onnx.Yield %x : tensor<4xf32>
  }) : (tensor<1xi1>) -> tensor<4xf32>
  onnx.Return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @known_condition(
// CHECK-NOT:     torch.prim.If
// CHECK:         torch.aten.neg
// CHECK-NOT:     torch.aten.abs
// CHECK:         return
func.func @known_condition(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = onnx.Constant dense<true> : tensor<i1>
  %y = "onnx.If"(%c) ({
    %n = "onnx.Neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    onnx.Yield %n : tensor<4xf32>
  }, {
    %a = "onnx.Abs"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    onnx.Yield %a : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  onnx.Return %y : tensor<4xf32>
}

// -----

// If the sizes of the branches differ, the size of the result is unknown.
// CHECK-LABEL: func.func @sizes_differ(
// CHECK-SAME:    -> (!torch.vtensor<[?,3],f32>, !torch.vtensor<[2],f32>)
// CHECK:         torch.prim.If %{{.*}} -> (!torch.vtensor<[?,3],f32>, !torch.vtensor<[2],f32>) {
// CHECK:           torch.tensor_static_info_cast %{{.*}} : !torch.vtensor<[4,3],f32> to !torch.vtensor<[?,3],f32>
// CHECK:         } else {
// CHECK:           torch.tensor_static_info_cast %{{.*}} : !torch.vtensor<[8,3],f32> to !torch.vtensor<[?,3],f32>
func.func @sizes_differ(%c: tensor<i1>, %x: tensor<4x3xf32>, %y: tensor<8x3xf32>, %z: tensor<2xf32>)
    -> (tensor<?x3xf32>, tensor<2xf32>) {
  %r:2 = "onnx.If"(%c) ({
    %a = "onnx.Abs"(%z) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %x, %a : tensor<4x3xf32>, tensor<2xf32>
  }, {
    onnx.Yield %y, %z : tensor<8x3xf32>, tensor<2xf32>
  }) : (tensor<i1>) -> (tensor<?x3xf32>, tensor<2xf32>)
  onnx.Return %r#0, %r#1 : tensor<?x3xf32>, tensor<2xf32>
}

// -----

func.func @ranks_differ(%c: tensor<i1>, %x: tensor<4x3xf32>, %y: tensor<4xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.If': expected values of one rank and dtype from every path, got '!torch.vtensor<[4,3],f32>' and '!torch.vtensor<[4],f32>'}}
  %r = "onnx.If"(%c) ({
    onnx.Yield %x : tensor<4x3xf32>
  }, {
    onnx.Yield %y : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<*xf32>
  onnx.Return %r : tensor<*xf32>
}

// -----

func.func @several_conditions(%c: tensor<2xi1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.If': expected 'cond' of [] or [1], got '!torch.vtensor<[2],i1>'}}
  %r = "onnx.If"(%c) ({
    onnx.Yield %x : tensor<4xf32>
  }, {
    onnx.Yield %x : tensor<4xf32>
  }) : (tensor<2xi1>) -> tensor<4xf32>
  onnx.Return %r : tensor<4xf32>
}

// -----

// The error is about the node within the branch, not about the If.
func.func @node_without_lowering(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "onnx.If"(%c) ({
    // expected-error @below {{no lowering to torch for 'onnx.Gelu': expected approximate to be 'none' or 'tanh', got 'erf'}}
    %g = "onnx.Gelu"(%x) {approximate = "erf"} : (tensor<4xf32>) -> tensor<4xf32>
    onnx.Yield %g : tensor<4xf32>
  }, {
    onnx.Yield %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  onnx.Return %r : tensor<4xf32>
}
