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
// y is split in halves of 12 bits. Each of three steps subtracts both of them
// times the upper half of rest / y, rounded; then a rest below 0 gets y added.
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[X:.*]]: tensor<?x4xf32>, %[[Y:.*]]: tensor<4xf32>)
// TOSA:         %[[SIZE:.*]] = tosa.abs %[[X]]
// TOSA:         %[[INVERSE:.*]] = tosa.reciprocal %[[DIVISOR:.*]] :
// TOSA:         %[[SPLITTER:.*]] = "tosa.const"() <{values = dense<4.097000e+03>
// TOSA:         %[[SCALED:.*]] = tosa.mul %[[DIVISOR]], %[[SPLITTER]]
// TOSA:         %[[OTHER:.*]] = tosa.sub %[[SCALED]], %[[DIVISOR]]
// TOSA:         %[[UPPER:.*]] = tosa.sub %[[SCALED]], %[[OTHER]]
// TOSA:         %[[LOWER:.*]] = tosa.sub %[[DIVISOR]], %[[UPPER]]
// TOSA:         %[[REST:.*]] = tosa.mul %[[SIZE]],
// TOSA:         %[[Q:.*]] = tosa.mul %[[REST]], %[[INVERSE]]
// TOSA:         %[[Q_SCALED:.*]] = tosa.mul %[[Q]], %[[SPLITTER]]
// TOSA:         %[[Q_OTHER:.*]] = tosa.sub %[[Q_SCALED]], %[[Q]]
// TOSA:         %[[Q_UPPER:.*]] = tosa.sub %[[Q_SCALED]], %[[Q_OTHER]]
// TOSA:         %[[SUM:.*]] = tosa.add %[[Q_UPPER]],
// TOSA:         %[[PART:.*]] = tosa.floor %[[SUM]]
// TOSA:         %[[P1:.*]] = tosa.mul %[[PART]], %[[UPPER]]
// TOSA:         %[[D1:.*]] = tosa.sub %[[REST]], %[[P1]]
// TOSA:         %[[P2:.*]] = tosa.mul %[[PART]], %[[LOWER]]
// TOSA:         %[[REST1:.*]] = tosa.sub %[[D1]], %[[P2]]
// TOSA:         tosa.mul %[[REST1]], %[[INVERSE]]
// TOSA-COUNT-2: tosa.floor
// TOSA:         %[[NEGATIVE:.*]] = tosa.greater %{{.*}}, %[[REST3:.*]] :
// TOSA:         %[[MORE:.*]] = tosa.select %[[NEGATIVE]], %[[DIVISOR]],
// TOSA:         tosa.add %[[REST3]], %[[MORE]]
// TOSA:         tosa.logical_not
// TOSA:         %[[SMALLER:.*]] = tosa.greater %{{.*}}, %[[SIZE]]
// TOSA:         %[[R:.*]] = tosa.select %[[SMALLER]], %[[X]],
// TOSA:         return %[[R]] : tensor<?x4xf32>
func.func @dynamic(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[4],f32>) -> !torch.vtensor<[?,4],f32> {
  %r = torch.aten.fmod.Tensor %a, %b
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}
