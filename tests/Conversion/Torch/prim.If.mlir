// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0) -> (d0)>

// MHLO-LABEL: func.func @one_result
// MHLO-SAME:    (%[[P:.*]]: tensor<i1>, %[[X:.*]]: tensor<?xf32>)
// MHLO:         %[[R:.*]] = "mhlo.if"(%[[P]]) ({
// MHLO-NEXT:      %[[NEG:.*]] = mhlo.negate %[[X]] : tensor<?xf32>
// MHLO-NEXT:      mhlo.return %[[NEG]] : tensor<?xf32>
// MHLO-NEXT:    }, {
// MHLO-NEXT:      mhlo.return %[[X]] : tensor<?xf32>
// MHLO-NEXT:    }) : (tensor<i1>) -> tensor<?xf32>
// MHLO:         return %[[R]] : tensor<?xf32>
//
// LINALG-LABEL: func.func @one_result
// LINALG-SAME:    (%[[A0:.*]]: i1, %[[A1:.*]]: tensor<?xf32>)
// LINALG:         %[[V0:.*]] = scf.if %[[A0]] -> (tensor<?xf32>) {
// LINALG:           %[[V1:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel"]} ins(%[[A1]] : tensor<?xf32>) outs(%{{.*}} : tensor<?xf32>) {
// LINALG:           ^bb0(%[[V2:.*]]: f32, %[[V3:.*]]: f32):
// LINALG:             %[[V4:.*]] = arith.negf %[[V2]] : f32
// LINALG:             linalg.yield %[[V4]] : f32
// LINALG:           } -> tensor<?xf32>
// LINALG:           scf.yield %[[V1]] : tensor<?xf32>
// LINALG:         } else {
// LINALG:           scf.yield %[[A1]] : tensor<?xf32>
// LINALG:         return %[[V0]] : tensor<?xf32>
//
// TOSA-LABEL: func.func @one_result
// TOSA-SAME:    (%[[P:.*]]: tensor<i1>, %[[X:.*]]: tensor<?xf32>)
// TOSA:         %[[R:.*]] = tosa.cond_if %[[P]] (%{{.*}} = %[[X]]) : tensor<i1> (tensor<?xf32>) -> tensor<?xf32> {
// TOSA-NEXT:    ^bb0(%[[V:.*]]: tensor<?xf32>):
// TOSA:           %[[NEG:.*]] = tosa.negate %[[V]]
// TOSA:           tosa.yield %[[NEG]] : tensor<?xf32>
// TOSA-NEXT:    } else {
// TOSA-NEXT:    ^bb0(%[[W:.*]]: tensor<?xf32>):
// TOSA-NEXT:      tosa.yield %[[W]] : tensor<?xf32>
// TOSA:         return %[[R]] : tensor<?xf32>
func.func @one_result(%p: !torch.bool, %x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %r = torch.prim.If %p -> (!torch.vtensor<[?],f32>) {
    %n = torch.aten.neg %x : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
    torch.prim.If.yield %n : !torch.vtensor<[?],f32>
  } else {
    torch.prim.If.yield %x : !torch.vtensor<[?],f32>
  }
  return %r : !torch.vtensor<[?],f32>
}

// A constant that is used in the branches and after them is created once, before
// them. In TOSA, regions cannot use values from outside and have their own.
// MHLO-LABEL: func.func @shared_constant
// MHLO-SAME:    (%[[P:.*]]: tensor<i1>)
// MHLO-NEXT:    %[[TWOS:.*]] = mhlo.constant dense<2.000000e+00> : tensor<4xf32>
// MHLO-NEXT:    %[[R:.*]] = "mhlo.if"(%[[P]]) ({
// MHLO-NEXT:      mhlo.return %[[TWOS]]
// MHLO-NEXT:    }, {
// MHLO-NEXT:      %[[NEG:.*]] = mhlo.negate %[[TWOS]]
// MHLO-NEXT:      mhlo.return %[[NEG]]
// MHLO-NEXT:    }) : (tensor<i1>) -> tensor<4xf32>
// MHLO-NEXT:    mhlo.multiply %[[R]], %[[TWOS]]
//
// LINALG-LABEL: func.func @shared_constant
// LINALG-SAME:    (%[[P:.*]]: i1)
// LINALG-DAG:     %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// LINALG-DAG:     %[[EMPTY:.*]] = tensor.empty() : tensor<4xf32>
// LINALG:         %[[R:.*]] = scf.if %[[P]]
// LINALG-NEXT:      linalg.fill ins(%[[TWO]] : f32) outs(%[[EMPTY]] :
// LINALG:         } else {
// LINALG-NEXT:      linalg.generic {{.*}} outs(%[[EMPTY]] :
// LINALG:         linalg.generic {{.*}} ins(%[[R]] : {{.*}}) outs(%[[EMPTY]] :
// LINALG-NEXT:    ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
// LINALG-NEXT:      arith.mulf %[[X]], %[[TWO]]
//
// TOSA-LABEL: func.func @shared_constant
// TOSA-SAME:    (%[[P:.*]]: tensor<i1>)
// TOSA-NEXT:    %[[TWOS:.*]] = "tosa.const"() <{values = dense<2.000000e+00> : tensor<4xf32>}>
// TOSA-NEXT:    %[[R:.*]] = tosa.cond_if %[[P]] : tensor<i1> -> tensor<4xf32> {
// TOSA-NEXT:      %[[THEN:.*]] = "tosa.const"() <{values = dense<2.000000e+00> : tensor<4xf32>}>
// TOSA-NEXT:      tosa.yield %[[THEN]]
// TOSA-NEXT:    } else {
// TOSA-NEXT:      %[[ELSE:.*]] = "tosa.const"() <{values = dense<2.000000e+00> : tensor<4xf32>}>
// TOSA:           %[[NEG:.*]] = tosa.negate %[[ELSE]],
// TOSA-NEXT:      tosa.yield %[[NEG]]
// TOSA:         tosa.mul %[[R]], %[[TWOS]],
func.func @shared_constant(%p: !torch.bool) -> !torch.vtensor<[4],f32> {
  %none = torch.constant.none
  %int4 = torch.constant.int 4
  %float2 = torch.constant.float 2.0
  %sizes = torch.prim.ListConstruct %int4 : (!torch.int) -> !torch.list<int>
  %r = torch.prim.If %p -> (!torch.vtensor<[4],f32>) {
    %a = torch.aten.full %sizes, %float2, %none, %none, %none, %none
        : !torch.list<int>, !torch.float, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[4],f32>
    torch.prim.If.yield %a : !torch.vtensor<[4],f32>
  } else {
    %b = torch.aten.full %sizes, %float2, %none, %none, %none, %none
        : !torch.list<int>, !torch.float, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[4],f32>
    %n = torch.aten.neg %b : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
    torch.prim.If.yield %n : !torch.vtensor<[4],f32>
  }
  %c = torch.aten.full %sizes, %float2, %none, %none, %none, %none
      : !torch.list<int>, !torch.float, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[4],f32>
  %m = torch.aten.mul.Tensor %r, %c : !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %m : !torch.vtensor<[4],f32>
}
