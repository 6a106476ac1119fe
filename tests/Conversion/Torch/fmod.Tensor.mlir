// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d1)>

// mhlo.remainder has the sign of x, as fmod has.
// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[X:.*]]: tensor<?x4xf32>, %[[ROW:.*]]: tensor<4xf32>)
// MHLO:         %[[Y:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[ROW]],
// MHLO:         %[[R:.*]] = mhlo.remainder %[[X]], %[[Y]]
// MHLO:         return %[[R]] : tensor<?x4xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<4xf32>)
// LINALG:         %[[R:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP]]]{{.*}} ins(%[[A]], %[[B]] :
// LINALG-NEXT:    ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// LINALG:           arith.remf %[[X]], %[[Y]]
// LINALG:         return %[[R]] : tensor<?x4xf32>
//
// q = trunc(x * (1 / y)), and one more or less where |x| - |q| |y| still holds |y|
// or is below 0; r = x - q y, or x where y is infinite.
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[X:.*]]: tensor<?x4xf32>, %[[Y:.*]]: tensor<4xf32>)
// TOSA:         %[[INVERSE:.*]] = tosa.reciprocal %[[Y]]
// TOSA:         %[[EXACT:.*]] = tosa.mul %[[X]], %{{.*}}, %{{.*}}
// TOSA:         %[[CEIL:.*]] = tosa.ceil %[[EXACT]]
// TOSA:         %[[FLOOR:.*]] = tosa.floor %[[EXACT]]
// TOSA:         %[[TRUNC:.*]] = tosa.select %{{.*}}, %[[CEIL]], %[[FLOOR]]
// TOSA:         %[[LEFT:.*]] = tosa.sub
// TOSA:         tosa.greater_equal %[[LEFT]],
// TOSA:         %[[Q:.*]] = tosa.add %[[TRUNC]],
// TOSA:         %[[PRODUCT:.*]] = tosa.mul %[[Q]],
// TOSA:         %[[REST:.*]] = tosa.sub %[[X]], %[[PRODUCT]]
// TOSA:         %[[R:.*]] = tosa.select %{{.*}}, %[[X]], %[[REST]]
// TOSA:         return %[[R]] : tensor<?x4xf32>
func.func @dynamic(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[4],f32>) -> !torch.vtensor<[?,4],f32> {
  %r = torch.aten.fmod.Tensor %a, %b
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}
