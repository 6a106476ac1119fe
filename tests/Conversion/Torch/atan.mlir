// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// atan(x) = atan2(x, 1)
// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[X:.*]]: tensor<?x3xf32>)
// MHLO:         %[[ONE:.*]] = mhlo.constant dense<1.000000e+00> : tensor<f32>
// MHLO:         %[[ONES:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[ONE]],
// MHLO:         %[[ANGLE:.*]] = mhlo.atan2 %[[X]], %[[ONES]]
// MHLO:         return %[[ANGLE]] : tensor<?x3xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A:.*]]: tensor<?x3xf32>)
// LINALG:         %[[ANGLE:.*]] = linalg.generic {{.*}} ins(%[[A]] :
// LINALG-NEXT:    ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
// LINALG:           math.atan %[[X]]
// LINALG:         return %[[ANGLE]] : tensor<?x3xf32>
//
// slope = |x|, or 1 / |x| where |x| > 1; t = slope, or (slope - 1) / (slope + 1)
// where slope > tan(pi/8); the angle is t + t^3 P(t^2), plus pi/4 in the second
// case, from pi/2 in the first, with the sign of x.
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[X:.*]]: tensor<?x3xf32>)
// TOSA:         %[[SIZE:.*]] = tosa.abs %[[X]]
// TOSA:         %[[STEEP:.*]] = tosa.greater %[[SIZE]],
// TOSA:         %[[INVERSE:.*]] = tosa.reciprocal %[[SIZE]]
// TOSA:         %[[SLOPE:.*]] = tosa.select %[[STEEP]], %[[INVERSE]], %[[SIZE]]
// TOSA:         %[[UPPER:.*]] = tosa.greater %[[SLOPE]],
// TOSA:         %[[LESS:.*]] = tosa.sub %[[SLOPE]],
// TOSA:         %[[MORE:.*]] = tosa.add %[[SLOPE]],
// TOSA:         %[[OVER:.*]] = tosa.reciprocal %[[MORE]]
// TOSA:         %[[TURNED:.*]] = tosa.mul %[[LESS]], %[[OVER]],
// TOSA:         %[[T:.*]] = tosa.select %[[UPPER]], %[[TURNED]], %[[SLOPE]]
// TOSA:         %[[SQUARE:.*]] = tosa.mul %[[T]], %[[T]],
// TOSA:         %[[CUBE:.*]] = tosa.mul %[[T]], %[[SQUARE]],
// TOSA:         %[[TAIL:.*]] = tosa.mul %[[CUBE]],
// TOSA:         %[[ATAN:.*]] = tosa.add %[[T]], %[[TAIL]]
// TOSA:         %[[ANGLE:.*]] = tosa.add %[[ATAN]],
// TOSA:         %[[REST:.*]] = tosa.sub %{{.*}}, %[[ANGLE]]
// TOSA:         %[[POSITIVE:.*]] = tosa.select %[[STEEP]], %[[REST]], %[[ANGLE]]
// TOSA:         %[[MINUS:.*]] = tosa.negate %[[POSITIVE]]
// TOSA:         %[[RESULT:.*]] = tosa.select %{{.*}}, %[[MINUS]], %[[POSITIVE]]
// TOSA:         return %[[RESULT]] : tensor<?x3xf32>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %r = torch.aten.atan %a : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}
