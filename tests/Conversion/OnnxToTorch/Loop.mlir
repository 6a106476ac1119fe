// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// for (i = 0; i < M && cond; ++i): both the number of steps and the condition
// are known only at run time.
// CHECK-LABEL: func.func @trip_count_and_condition(
// CHECK-SAME:    %[[M:.*]]: !torch.vtensor<[],si64>, %[[C:.*]]: !torch.vtensor<[],i1>, %[[X:.*]]: !torch.vtensor<[?,4],f32>)
// CHECK:         torch.prim.Loop %{{.*}}, %{{.*}}, init(%[[X]]) {
// CHECK:         ^bb0(%{{.*}}: !torch.int, %[[S:.*]]: !torch.vtensor<[?,4],f32>):
// CHECK:           %[[T:.*]] = torch.aten.add.Tensor %[[S]], %[[X]]
// CHECK:           torch.prim.Loop.condition %{{.*}}, iter(%[[T]] : !torch.vtensor<[?,4],f32>)
// CHECK:         } : (!torch.int, !torch.bool, !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32>
func.func @trip_count_and_condition(%m: tensor<i64>, %c: tensor<i1>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %limit = onnx.Constant dense<9.0> : tensor<f32>
  %y = "onnx.Loop"(%m, %c, %x) ({
  ^bb0(%i: tensor<i64>, %cond: tensor<i1>, %s: tensor<?x4xf32>):
    %t = "onnx.Add"(%s, %x) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %sum = "onnx.ReduceSum"(%t, %none) {keepdims = 0 : si64} : (tensor<?x4xf32>, none) -> tensor<f32>
    %go = "onnx.Less"(%sum, %limit) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    onnx.Yield %go, %t : tensor<i1>, tensor<?x4xf32>
  }) : (tensor<i64>, tensor<i1>, tensor<?x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

// Without an initial condition, only each step decides whether another follows.
// CHECK-LABEL: func.func @trip_count(
// CHECK:         torch.prim.Loop %{{.*}}, %true, init(%{{.*}}) {
// CHECK:           torch.prim.Loop.condition %true, iter(
func.func @trip_count(%m: tensor<i64>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.Loop"(%m, %none, %x) ({
  ^bb0(%i: tensor<i64>, %cond: tensor<i1>, %s: tensor<4xf32>):
    %t = "onnx.Neg"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    onnx.Yield %cond, %t : tensor<i1>, tensor<4xf32>
  }) : (tensor<i64>, none, tensor<4xf32>) -> tensor<4xf32>
  onnx.Return %y : tensor<4xf32>
}

// -----

// Without a trip count, only the condition ends the loop.
// CHECK-LABEL: func.func @condition(
// CHECK:         torch.prim.Loop %int9223372036854775807, %{{.*}}, init(
func.func @condition(%c: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %limit = onnx.Constant dense<9.0> : tensor<f32>
  %y = "onnx.Loop"(%none, %c, %x) ({
  ^bb0(%i: tensor<i64>, %cond: tensor<i1>, %s: tensor<f32>):
    %t = "onnx.Add"(%s, %s) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %go = "onnx.Less"(%t, %limit) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    onnx.Yield %go, %t : tensor<i1>, tensor<f32>
  }) : (none, tensor<i1>, tensor<f32>) -> tensor<f32>
  onnx.Return %y : tensor<f32>
}

// -----

// A known number of steps becomes straight-line code. The number of each step is
// a constant in it: x * 0 + 0, then + 1.
// CHECK-LABEL: func.func @unrolled(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[?],si64>)
// CHECK-NOT:     torch.prim.Loop
// CHECK:         %[[ZERO:.*]] = torch.vtensor.literal(dense<0> : tensor<si64>)
// CHECK:         %[[A:.*]] = torch.aten.add.Tensor %[[X]], %[[ZERO]]
// CHECK:         %[[ONE:.*]] = torch.vtensor.literal(dense<1> : tensor<si64>)
// CHECK:         %[[B:.*]] = torch.aten.add.Tensor %[[A]], %[[ONE]]
// CHECK:         return %[[B]]
func.func @unrolled(%x: tensor<?xi64>) -> tensor<?xi64> {
  %m = onnx.Constant dense<2> : tensor<i64>
  %c = onnx.Constant dense<true> : tensor<i1>
  %y = "onnx.Loop"(%m, %c, %x) ({
  ^bb0(%i: tensor<i64>, %cond: tensor<i1>, %s: tensor<?xi64>):
    %t = "onnx.Add"(%s, %i) : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
    onnx.Yield %cond, %t : tensor<i1>, tensor<?xi64>
  }) : (tensor<i64>, tensor<i1>, tensor<?xi64>) -> tensor<?xi64>
  onnx.Return %y : tensor<?xi64>
}

// -----

// If there is no step, the initial values are the results.
// CHECK-LABEL: func.func @never(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: !torch.vtensor<[?],f32>)
// CHECK-NEXT:    return %[[X]]
func.func @never(%m: tensor<i64>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c = onnx.Constant dense<false> : tensor<i1>
  %y = "onnx.Loop"(%m, %c, %x) ({
  ^bb0(%i: tensor<i64>, %cond: tensor<i1>, %s: tensor<?xf32>):
    %t = "onnx.Neg"(%s) : (tensor<?xf32>) -> tensor<?xf32>
    onnx.Yield %cond, %t : tensor<i1>, tensor<?xf32>
  }) : (tensor<i64>, tensor<i1>, tensor<?xf32>) -> tensor<?xf32>
  onnx.Return %y : tensor<?xf32>
}

// -----

// A scan output is allocated for all steps before the first one, and each step
// writes its output to its position along axis 0.
// CHECK-LABEL: func.func @scan_output(
// CHECK-SAME:    -> (!torch.vtensor<[2],f32>, !torch.vtensor<[?,2],f32>)
// CHECK:         %[[M:.*]] = torch.aten.Int.Tensor
// CHECK:         %[[STEPS:.*]] = torch.prim.max.int %[[M]], %int0
// CHECK:         %[[SIZES:.*]] = torch.prim.ListConstruct %[[STEPS]], %int2
// CHECK:         %[[START:.*]] = torch.aten.full %[[SIZES]], {{.*}} -> !torch.vtensor<[?,2],f32>
// CHECK:         %[[Y:.*]]:2 = torch.prim.Loop %[[M]], %true, init(%{{.*}}, %[[START]]) {
// CHECK:         ^bb0(%[[I:.*]]: !torch.int, %[[S:.*]]: !torch.vtensor<[2],f32>, %[[ALL:.*]]: !torch.vtensor<[?,2],f32>):
// CHECK:           %[[T:.*]] = torch.aten.neg %[[S]]
// CHECK:           %[[PLACE:.*]] = torch.prim.NumToTensor.Scalar %[[I]]
// CHECK:           %[[PLACES:.*]] = torch.aten.unsqueeze %[[PLACE]], %int0
// CHECK:           %[[LIST:.*]] = torch.prim.ListConstruct %[[PLACES]]
// CHECK:           %[[ROW:.*]] = torch.aten.unsqueeze %[[T]], %int0
// CHECK:           %[[MORE:.*]] = torch.aten.index_put %[[ALL]], %[[LIST]], %[[ROW]], %false
// CHECK:           torch.prim.Loop.condition %true, iter(%[[T]], %[[MORE]] :
// CHECK:         return %[[Y]]#0, %[[Y]]#1
func.func @scan_output(%m: tensor<i64>, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<?x2xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:2 = "onnx.Loop"(%m, %none, %x) ({
  ^bb0(%i: tensor<i64>, %cond: tensor<i1>, %s: tensor<2xf32>):
    %t = "onnx.Neg"(%s) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %cond, %t, %t : tensor<i1>, tensor<2xf32>, tensor<2xf32>
  }) : (tensor<i64>, none, tensor<2xf32>) -> (tensor<2xf32>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<2xf32>, tensor<?x2xf32>
}

// -----

// A state that grows has an unknown size from the first step on.
// CHECK-LABEL: func.func @growing_state(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: !torch.vtensor<[2],f32>) -> !torch.vtensor<[?],f32>
// CHECK:         %[[INIT:.*]] = torch.tensor_static_info_cast %[[X]] : !torch.vtensor<[2],f32> to !torch.vtensor<[?],f32>
// CHECK:         torch.prim.Loop %{{.*}}, %{{.*}}, init(%[[INIT]])
func.func @growing_state(%m: tensor<i64>, %x: tensor<2xf32>) -> tensor<?xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.Loop"(%m, %none, %x) ({
  ^bb0(%i: tensor<i64>, %cond: tensor<i1>, %s: tensor<?xf32>):
    %t = "onnx.Concat"(%s, %x) {axis = 0 : si64} : (tensor<?xf32>, tensor<2xf32>) -> tensor<?xf32>
    onnx.Yield %cond, %t : tensor<i1>, tensor<?xf32>
  }) : (tensor<i64>, none, tensor<2xf32>) -> tensor<?xf32>
  onnx.Return %y : tensor<?xf32>
}

// -----

// If the steps decide when to end, an outer loop doubles the memory for outputs
// when it is full. After the loop, the unused part is cut off.
// CHECK-LABEL: func.func @until(
// CHECK:         %[[NONE:.*]] = torch.aten.full {{.*}} -> !torch.vtensor<[0,2],f32>
// CHECK:         %[[START:.*]] = torch.tensor_static_info_cast %[[NONE]] : !torch.vtensor<[0,2],f32> to !torch.vtensor<[?,2],f32>
// CHECK:         %[[Y:.*]]:3 = torch.prim.Loop %int9223372036854775807, %true, init(%{{.*}}, %[[START]], %int0) {
// CHECK:         ^bb0(%{{.*}}: !torch.int, %[[S:.*]]: !torch.vtensor<[2],f32>, %[[FULL:.*]]: !torch.vtensor<[?,2],f32>, %[[COUNT:.*]]: !torch.int):
// CHECK:           %[[HAS:.*]] = torch.aten.size.int %[[FULL]], %int0
// CHECK:           torch.prim.max.int %[[HAS]], %int4
// CHECK:           %[[ROOM:.*]] = torch.aten.cat {{.*}} -> !torch.vtensor<[?,2],f32>
// CHECK:           %[[PLACES:.*]] = torch.aten.size.int %[[ROOM]], %int0
// CHECK:           %[[MOST:.*]] = torch.prim.min.int %[[M:.*]], %[[PLACES]]
// CHECK:           %[[LEFT:.*]] = torch.aten.sub.int %[[MOST]], %[[COUNT]]
// CHECK:           %[[IN:.*]]:4 = torch.prim.Loop %[[LEFT]], %true, init(%[[S]], %[[ROOM]], %[[COUNT]], %true) {
// CHECK:           ^bb0(%{{.*}}: !torch.int, %{{.*}}: !torch.vtensor<[2],f32>, %[[ALL:.*]]: !torch.vtensor<[?,2],f32>, %[[NUMBER:.*]]: !torch.int, %{{.*}}: !torch.bool):
// CHECK:             %[[PLACE:.*]] = torch.prim.NumToTensor.Scalar %[[NUMBER]]
// CHECK:             %[[MORE:.*]] = torch.aten.index_put %[[ALL]]
// CHECK:             %[[NEXT:.*]] = torch.aten.add.int %[[NUMBER]], %int1
// CHECK:             torch.prim.Loop.condition %[[GO:.*]], iter(%{{.*}}, %[[MORE]], %[[NEXT]], %[[GO]] :
// CHECK:           %[[LESS:.*]] = torch.aten.lt.int %[[IN]]#2, %[[M]]
// CHECK:           %[[ON:.*]] = torch.aten.__and__.bool %[[IN]]#3, %[[LESS]]
// CHECK:           torch.prim.Loop.condition %[[ON]], iter(%[[IN]]#0, %[[IN]]#1, %[[IN]]#2 :
// CHECK:         torch.aten.slice.Tensor %[[Y]]#1, %int0, %int0, %[[Y]]#2, %int1
func.func @until(%m: tensor<i64>, %x: tensor<2xf32>, %most: tensor<f32>) -> (tensor<2xf32>, tensor<?x2xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:2 = "onnx.Loop"(%m, %none, %x) ({
  ^bb0(%i: tensor<i64>, %cond: tensor<i1>, %s: tensor<2xf32>):
    %t = "onnx.Add"(%s, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %largest = "onnx.ReduceMax"(%t, %none) {keepdims = 0 : si64} : (tensor<2xf32>, none) -> tensor<f32>
    %go = "onnx.Less"(%largest, %most) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    onnx.Yield %go, %t, %t : tensor<i1>, tensor<2xf32>, tensor<2xf32>
  }) : (tensor<i64>, none, tensor<2xf32>) -> (tensor<2xf32>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<2xf32>, tensor<?x2xf32>
}

// -----

// Outputs with unknown sizes: the first output determines the size of the memory,
// and the others are compared with it.
// CHECK-LABEL: func.func @scan_output_of_unknown_size(
// CHECK:         torch.prim.Loop
// CHECK:         ^bb0(%[[I:.*]]: !torch.int, %[[S:.*]]: !torch.vtensor<[?],f32>, %[[ALL:.*]]: !torch.vtensor<[?,?],f32>):
// CHECK:           %[[ROOM:.*]] = torch.prim.If
// CHECK:             torch.prim.If
// CHECK:               torch.aten.size.int %[[S]], %int0
// CHECK:           %[[LENGTH:.*]] = torch.aten.size.int %[[S]], %int0
// CHECK:           %[[SAME:.*]] = torch.aten.eq.int %[[LENGTH]]
// CHECK:           torch.runtime.assert %[[SAME]], "expected outputs of one shape from all steps of a loop"
// CHECK:           torch.aten.index_put %[[ROOM]]
func.func @scan_output_of_unknown_size(%m: tensor<i64>, %x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:2 = "onnx.Loop"(%m, %none, %x) ({
  ^bb0(%i: tensor<i64>, %cond: tensor<i1>, %s: tensor<?xf32>):
    onnx.Yield %cond, %s, %s : tensor<i1>, tensor<?xf32>, tensor<?xf32>
  }) : (tensor<i64>, none, tensor<?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xf32>, tensor<?x?xf32>
}

// -----

func.func @several_conditions(%c: tensor<2xi1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Loop': expected 'cond' of [] or [1], got '!torch.vtensor<[2],i1>'}}
  %y = "onnx.Loop"(%none, %c, %x) ({
  ^bb0(%i: tensor<i64>, %cond: tensor<i1>, %s: tensor<2xf32>):
    onnx.Yield %cond, %s : tensor<i1>, tensor<2xf32>
  }) : (none, tensor<2xi1>, tensor<2xf32>) -> tensor<2xf32>
  onnx.Return %y : tensor<2xf32>
}

// -----

// A counter that ends a loop is a trip count: of as many steps as the bound, and
// none for a bound below 1. As many rows are gathered.
// CHECK-LABEL: func.func @counted(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[100,4],f32>) -> !torch.vtensor<[100,4],f32>
// CHECK:         torch.prim.Loop %int100, %true, init(
// CHECK:           torch.prim.Loop.condition %true, iter(
func.func @counted(%x: tensor<100x4xf32>) -> tensor<?x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %zero = onnx.Constant dense<0> : tensor<i32>
  %one = onnx.Constant dense<1> : tensor<i32>
  %start = onnx.Constant dense<0.0> : tensor<f32>
  %n = "onnx.Size"(%x) : (tensor<100x4xf32>) -> tensor<i64>
  %four = onnx.Constant dense<4> : tensor<i64>
  %rows = "onnx.Div"(%n, %four) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %bound = "onnx.Cast"(%rows) {to = i32} : (tensor<i64>) -> tensor<i32>
  %end = "onnx.Cast"(%bound) {to = f32} : (tensor<i32>) -> tensor<f32>
  %go = "onnx.Less"(%start, %end) : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %last, %y = "onnx.Loop"(%none, %go, %zero) ({
  ^bb0(%t: tensor<i64>, %cond: tensor<i1>, %i: tensor<i32>):
    %j = "onnx.Add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %number = "onnx.Cast"(%j) {to = f32} : (tensor<i32>) -> tensor<f32>
    %more = "onnx.Less"(%number, %end) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %row = "onnx.Gather"(%x, %i) {axis = 0 : si64} : (tensor<100x4xf32>, tensor<i32>) -> tensor<4xf32>
    onnx.Yield %more, %j, %row : tensor<i1>, tensor<i32>, tensor<4xf32>
  }) : (none, tensor<i1>, tensor<i32>) -> (tensor<i32>, tensor<?x4xf32>)
  onnx.Return %y : tensor<?x4xf32>
}
