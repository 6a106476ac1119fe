// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d1)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[X:.*]]: tensor<?x4xf32>, %[[ROW:.*]]: tensor<4xf32>)
// MHLO:         %[[Y:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[ROW]],
// MHLO:         %[[POWER:.*]] = mhlo.power %[[X]], %[[Y]]
// MHLO:         return %[[POWER]] : tensor<?x4xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<4xf32>)
// LINALG:         %[[POWER:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP]]]{{.*}} ins(%[[A]], %[[B]] :
// LINALG-NEXT:    ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// LINALG:           math.powf %[[X]], %[[Y]]
// LINALG:         return %[[POWER]] : tensor<?x4xf32>
//
// tosa.pow takes bases from 0 on: p = |x|^|y|, with base 1 if y = 0, and 1 / p if
// y < 0. If x < 0, the result is -p for an odd y, and NaN if y is not an integer.
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[X:.*]]: tensor<?x4xf32>, %[[Y:.*]]: tensor<4xf32>)
// TOSA:         %[[NO_EXPONENT:.*]] = tosa.equal %[[Y]],
// TOSA:         %[[ABS:.*]] = tosa.abs %[[X]]
// TOSA:         %[[BASE:.*]] = tosa.select %{{.*}}, %{{.*}}, %[[ABS]]
// TOSA:         %[[ABS_Y:.*]] = tosa.abs %[[Y]]
// TOSA:         %[[EXPONENT:.*]] = tosa.reshape %[[ABS_Y]]
// TOSA:         %[[POWER:.*]] = tosa.pow %[[BASE]], %[[EXPONENT]]
// TOSA:         %[[INVERSE:.*]] = tosa.reciprocal %[[POWER]]
// TOSA:         %[[P:.*]] = tosa.select %{{.*}}, %[[INVERSE]], %[[POWER]]
// TOSA:         %[[MINUS:.*]] = tosa.negate %[[P]]
// TOSA:         %[[SIGNED:.*]] = tosa.select %{{.*}}, %[[MINUS]], %[[P]]
// TOSA:         %[[NAN:.*]] = "tosa.const"() <{values = dense<0x7FC00000>
// TOSA:         %[[OF_NEGATIVE:.*]] = tosa.select %{{.*}}, %[[SIGNED]], %[[NAN]]
// TOSA:         %[[NEGATIVE:.*]] = tosa.greater %{{.*}}, %[[X]]
// TOSA:         %[[RESULT:.*]] = tosa.select %[[NEGATIVE]], %[[OF_NEGATIVE]], %[[P]]
// TOSA:         return %[[RESULT]] : tensor<?x4xf32>
func.func @dynamic(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[4],f32>) -> !torch.vtensor<[?,4],f32> {
  %r = torch.aten.pow.Tensor_Tensor %a, %b
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// A small whole exponent is a product, x^-2 one of the reciprocal.
// LINALG-LABEL: func.func @known
// LINALG:         ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
// LINALG:           %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]]
// LINALG:           %[[FOURTH:.*]] = arith.mulf %[[SQUARE]], %[[SQUARE]]
// LINALG:           linalg.yield %[[FOURTH]]
// LINALG:         ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
// LINALG:           %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[X]]
// LINALG:           %[[SQUARE:.*]] = arith.mulf %[[INVERSE]], %[[INVERSE]]
// LINALG:           linalg.yield %[[SQUARE]]
//
// MHLO-LABEL: func.func @known
// TOSA-LABEL: func.func @known
func.func @known(%x: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) {
  %four = torch.vtensor.literal(dense<4.0> : tensor<f32>) : !torch.vtensor<[],f32>
  %minus_two = torch.vtensor.literal(dense<-2.0> : tensor<f32>) : !torch.vtensor<[],f32>
  %r = torch.aten.pow.Tensor_Tensor %x, %four : !torch.vtensor<[4],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[4],f32>
  %s = torch.aten.pow.Tensor_Tensor %x, %minus_two : !torch.vtensor<[4],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[4],f32>
  return %r, %s : !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>
}
