// RUN: isthmus-opt %s | isthmus-opt | FileCheck %s

// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK: onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %0 = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: onnx.Constant {onnx_node_name = "c"} dense<7> : tensor<i64>
  %1 = onnx.Constant {onnx_node_name = "c"} dense<7> : tensor<i64>
  // CHECK: onnx.Constant {value_int = 2 : si64} : tensor<i64>
  %2 = onnx.Constant {value_int = 2 : si64} : tensor<i64>
  // CHECK: onnx.Constant dense<["a", "b"]> : tensor<2x!onnx.String>
  %3 = onnx.Constant dense<["a", "b"]> : tensor<2x!onnx.String>
  // CHECK: onnx.Constant dense_resource<w> : tensor<2xf32>
  %4 = onnx.Constant dense_resource<w> : tensor<2xf32>
  return
}

// Another tool writes an absent operand with an attribute.
// CHECK-LABEL: func.func @main_graph
func.func @main_graph(%x: tensor<?x4xf32> {onnx.name = "x"}) -> (tensor<?x4xf32> {onnx.name = "y"}) {
  // CHECK: %[[NONE:.*]] = "onnx.NoValue"() {value} : () -> none
  %none = "onnx.NoValue"() {value} : () -> none
  // CHECK: "onnx.NoValue"() : () -> none
  %none_0 = "onnx.NoValue"() : () -> none
  // CHECK: "onnx.Clip"(%{{.*}}, %[[NONE]], %[[NONE]]) {onnx_node_name = "clip"} : (tensor<?x4xf32>, none, none) -> tensor<?x4xf32>
  %y = "onnx.Clip"(%x, %none, %none) {onnx_node_name = "clip"} : (tensor<?x4xf32>, none, none) -> tensor<?x4xf32>
  // CHECK: onnx.Return %{{.*}} : tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
// CHECK: "onnx.EntryPoint"() {func = @main_graph} : () -> ()
"onnx.EntryPoint"() {func = @main_graph} : () -> ()

// CHECK-LABEL: func.func @subgraphs
func.func @subgraphs(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: "onnx.If"(%{{.*}}) ({
  // CHECK:   onnx.Yield %{{.*}} : tensor<2xf32>
  // CHECK: }, {
  // CHECK:   onnx.Yield %{{.*}} : tensor<2xf32>
  // CHECK: }) : (tensor<i1>) -> tensor<2xf32>
  %0 = "onnx.If"(%c) ({
    %1 = "onnx.Neg"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %1 : tensor<2xf32>
  }, {
    onnx.Yield %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @custom
func.func @custom(%x: tensor<2xf32>) -> tensor<*x!onnx.Unknown> {
  // CHECK: "onnx.Custom"(%{{.*}}) {alpha = 1.000000e+00 : f32, domain_name = "com.microsoft", function_name = "QuickGelu"} : (tensor<2xf32>) -> tensor<*x!onnx.Unknown>
  %0 = "onnx.Custom"(%x) {alpha = 1.0 : f32, domain_name = "com.microsoft", function_name = "QuickGelu"} : (tensor<2xf32>) -> tensor<*x!onnx.Unknown>
  return %0 : tensor<*x!onnx.Unknown>
}

// CHECK-LABEL: func.func @containers
func.func @containers(%s: !onnx.Seq<tensor<*xf32>>, %o: !onnx.Opt<tensor<2xf32>>, %i: tensor<i64>) {
  // CHECK: "onnx.SequenceAt"(%{{.*}}, %{{.*}}) : (!onnx.Seq<tensor<*xf32>>, tensor<i64>) -> tensor<*xf32>
  %0 = "onnx.SequenceAt"(%s, %i) : (!onnx.Seq<tensor<*xf32>>, tensor<i64>) -> tensor<*xf32>
  // CHECK: "onnx.OptionalGetElement"(%{{.*}}) : (!onnx.Opt<tensor<2xf32>>) -> tensor<2xf32>
  %1 = "onnx.OptionalGetElement"(%o) : (!onnx.Opt<tensor<2xf32>>) -> tensor<2xf32>
  return
}

{-# dialect_resources: { builtin: { w: "0x040000000000803F00000040" } } #-}
