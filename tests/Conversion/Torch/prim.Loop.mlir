// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0) -> (d0)>

// The loop carries the step number and the condition besides its own values.
// MHLO-LABEL: func.func @one_value
// MHLO-SAME:    (%[[N:.*]]: tensor<i64>, %[[C:.*]]: tensor<i1>, %[[X:.*]]: tensor<?xf32>)
// MHLO:         %[[ZERO:.*]] = mhlo.constant dense<0> : tensor<i64>
// MHLO:         %[[R:.*]]:3 = "mhlo.while"(%[[ZERO]], %[[C]], %[[X]]) ({
// MHLO-NEXT:    ^bb0(%[[I:.*]]: tensor<i64>, %[[GO:.*]]: tensor<i1>, %{{.*}}: tensor<?xf32>):
// MHLO-NEXT:      %[[BELOW:.*]] = mhlo.compare LT, %[[I]], %[[N]], SIGNED
// MHLO-NEXT:      %[[AND:.*]] = mhlo.and %[[BELOW]], %[[GO]] : tensor<i1>
// MHLO-NEXT:      mhlo.return %[[AND]] : tensor<i1>
// MHLO-NEXT:    }, {
// MHLO-NEXT:    ^bb0(%[[J:.*]]: tensor<i64>, %{{.*}}: tensor<i1>, %[[V:.*]]: tensor<?xf32>):
// MHLO-NEXT:      %[[NEG:.*]] = mhlo.negate %[[V]] : tensor<?xf32>
// MHLO-NEXT:      %[[ONE:.*]] = mhlo.constant dense<1> : tensor<i64>
// MHLO-NEXT:      %[[NEXT:.*]] = mhlo.add %[[J]], %[[ONE]] : tensor<i64>
// MHLO-NEXT:      mhlo.return %[[NEXT]], %[[C]], %[[NEG]]
// MHLO:         return %[[R]]#2 : tensor<?xf32>
//
// LINALG-LABEL: func.func @one_value
// LINALG-SAME:    (%[[A0:.*]]: i64, %[[A1:.*]]: i1, %[[A2:.*]]: tensor<?xf32>)
// The step number becomes n where the condition does not hold.
// LINALG:         %[[START:.*]] = arith.select %[[A1]], %{{.*}}, %[[A0]] : i64
// LINALG:         %[[V0:.*]]:2 = scf.while (%[[V2:.*]] = %[[A2]], %[[V1:.*]] = %[[START]]) : (tensor<?xf32>, i64) -> (tensor<?xf32>, i64) {
// LINALG:           %[[V3:.*]] = arith.cmpi slt, %[[V1]], %[[A0]] : i64
// LINALG:           scf.condition(%[[V3]]) %[[V2]], %[[V1]] : tensor<?xf32>, i64
// LINALG:         ^bb0(%[[V7:.*]]: tensor<?xf32>, %[[V6:.*]]: i64):
// LINALG:           %[[V8:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel"]} ins(%[[V7]] : tensor<?xf32>) outs(%{{.*}} : tensor<?xf32>) {
// LINALG:           ^bb0(%[[V9:.*]]: f32, %[[V10:.*]]: f32):
// LINALG:             %[[V11:.*]] = arith.negf %[[V9]] : f32
// LINALG:             linalg.yield %[[V11]] : f32
// LINALG:           } -> tensor<?xf32>
// LINALG:           %[[NEXT:.*]] = arith.addi %[[V6]], %{{.*}} : i64
// LINALG:           %[[V5:.*]] = arith.select %[[A1]], %[[NEXT]], %[[A0]] : i64
// LINALG:           scf.yield %[[V8]], %[[V5]] : tensor<?xf32>, i64
// LINALG:         return %[[V0]]#0 : tensor<?xf32>
//
// The loop also carries n and c, which its regions use from outside.
// TOSA-LABEL: func.func @one_value
// TOSA-SAME:    (%[[N:.*]]: tensor<i32>, %[[C:.*]]: tensor<i1>, %[[X:.*]]: tensor<?xf32>)
// TOSA:         %[[ZERO:.*]] = "tosa.const"() <{values = dense<0> : tensor<i32>}>
// TOSA:         %[[R:.*]]:5 = tosa.while_loop (%[[I:.*]] = %[[ZERO]], %[[GO:.*]] = %[[C]], %{{.*}} = %[[X]], %[[COUNT:.*]] = %[[N]], %{{.*}} = %[[C]])
// TOSA-NEXT:      %[[BELOW:.*]] = tosa.greater %[[COUNT]], %[[I]]
// TOSA-NEXT:      %[[AND:.*]] = tosa.logical_and %[[BELOW]], %[[GO]]
// TOSA-NEXT:      tosa.yield %[[AND]] : tensor<i1>
// TOSA-NEXT:    } do {
// TOSA-NEXT:    ^bb0(%[[J:.*]]: tensor<i32>, %{{.*}}: tensor<i1>, %[[V:.*]]: tensor<?xf32>, %[[M:.*]]: tensor<i32>, %[[D:.*]]: tensor<i1>):
// TOSA:           %[[NEG:.*]] = tosa.negate %[[V]]
// TOSA:           %[[ONE:.*]] = "tosa.const"() <{values = dense<1> : tensor<i32>}>
// TOSA:           %[[NEXT:.*]] = tosa.add %[[J]], %[[ONE]]
// TOSA:           tosa.yield %[[NEXT]], %[[D]], %[[NEG]], %[[M]], %[[D]]
// TOSA:         return %[[R]]#2 : tensor<?xf32>
func.func @one_value(%n: !torch.int, %c: !torch.bool, %x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %r = torch.prim.Loop %n, %c, init(%x) {
  ^bb0(%i: !torch.int, %v: !torch.vtensor<[?],f32>):
    %a = torch.aten.neg %v : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
    torch.prim.Loop.condition %c, iter(%a : !torch.vtensor<[?],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}
