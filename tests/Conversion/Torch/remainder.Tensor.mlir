// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d1)>

// r = fmod(x, y), or r + y if r is not 0 and its sign differs from that of y.
// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[X:.*]]: tensor<?x4xf32>, %[[ROW:.*]]: tensor<4xf32>)
// MHLO:         %[[Y:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[ROW]],
// MHLO:         %[[R:.*]] = mhlo.remainder %[[X]], %[[Y]]
// MHLO:         %[[NOT_ZERO:.*]] = mhlo.compare NE, %[[R]], %[[ZERO:.*]], FLOAT
// MHLO:         %[[R_BELOW:.*]] = mhlo.compare LT, %[[R]], %[[ZERO]], FLOAT
// MHLO:         %[[Y_BELOW:.*]] = mhlo.compare LT, %[[Y]], %[[ZERO]], FLOAT
// MHLO:         %[[DIFFER:.*]] = mhlo.compare NE, %[[R_BELOW]], %[[Y_BELOW]]
// MHLO:         %[[MOVES:.*]] = mhlo.and %[[NOT_ZERO]], %[[DIFFER]]
// MHLO:         %[[MOVED:.*]] = mhlo.add %[[R]], %[[Y]]
// MHLO:         %[[RESULT:.*]] = mhlo.select %[[MOVES]], %[[MOVED]], %[[R]]
// MHLO:         return %[[RESULT]] : tensor<?x4xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<4xf32>)
// LINALG:         %[[RESULT:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP]]]{{.*}} ins(%[[A]], %[[B]] :
// LINALG-NEXT:    ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// LINALG:           %[[R:.*]] = arith.remf %[[X]], %[[Y]]
// LINALG:           %[[NOT_ZERO:.*]] = arith.cmpf une, %[[R]], %[[ZERO:.*]] : f32
// LINALG:           %[[Y_BELOW:.*]] = arith.cmpf olt, %[[Y]], %[[ZERO]]
// LINALG:           %[[R_BELOW:.*]] = arith.cmpf olt, %[[R]], %[[ZERO]]
// LINALG:           %[[DIFFER:.*]] = arith.xori %[[Y_BELOW]], %[[R_BELOW]]
// LINALG:           %[[MOVES:.*]] = arith.andi %[[NOT_ZERO]], %[[DIFFER]]
// LINALG:           %[[MOVED:.*]] = arith.addf %[[R]], %[[Y]]
// LINALG:           arith.select %[[MOVES]], %[[MOVED]], %[[R]]
// LINALG:         return %[[RESULT]] : tensor<?x4xf32>
//
// q = trunc(x * (1 / y)), and one more or less where |x| - |q| |y| still holds |y|
// or is below 0; r = x - q y, or x where y is infinite.
// Then r + y if r is not 0 and its sign differs from that of y.
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[X:.*]]: tensor<?x4xf32>, %[[Y:.*]]: tensor<4xf32>)
// TOSA:         %[[SIZE:.*]] = tosa.abs %[[X]]
// TOSA-COUNT-3: tosa.floor
// TOSA:         tosa.logical_not
// TOSA:         %[[SMALLER:.*]] = tosa.greater %{{.*}}, %[[SIZE]]
// TOSA:         %[[R:.*]] = tosa.select %[[SMALLER]], %[[X]],
// TOSA:         %[[NEGATIVE:.*]] = tosa.greater %{{.*}}, %[[R]]
// TOSA:         %[[DIFFER:.*]] = tosa.logical_xor %[[NEGATIVE]],
// TOSA:         %[[ZERO:.*]] = tosa.equal %[[R]],
// TOSA:         %[[NOT_ZERO:.*]] = tosa.logical_not %[[ZERO]]
// TOSA:         %[[MOVES:.*]] = tosa.logical_and %[[NOT_ZERO]], %[[DIFFER]]
// TOSA:         %[[MOVED:.*]] = tosa.add %[[R]],
// TOSA:         %[[RESULT:.*]] = tosa.select %[[MOVES]], %[[MOVED]], %[[R]]
// TOSA:         return %[[RESULT]] : tensor<?x4xf32>
func.func @dynamic(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[4],f32>) -> !torch.vtensor<[?,4],f32> {
  %r = torch.aten.remainder.Tensor %a, %b
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// MHLO-LABEL: func.func @unsigned
// MHLO-SAME:    (%[[X:.*]]: tensor<4xui8>, %[[Y:.*]]: tensor<4xui8>)
// MHLO:         %[[R:.*]] = mhlo.remainder %[[X]], %[[Y]]
// MHLO:         return %[[R]] : tensor<4xui8>
//
// Division by 0 is undefined in arith, so a divisor of 0 is replaced.
// LINALG-LABEL: func.func @unsigned
// LINALG-SAME:    (%[[A:.*]]: tensor<4xi8> {isthmus.dtype = ui8}, %[[B:.*]]: tensor<4xi8> {isthmus.dtype = ui8})
// LINALG:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] :
// LINALG-NEXT:    ^bb0(%[[X:.*]]: i8, %[[Y:.*]]: i8, %{{.*}}: i8):
// LINALG:           %[[BY_ZERO:.*]] = arith.cmpi eq, %[[Y]], %{{.*}}
// LINALG:           %[[DIVISOR:.*]] = arith.select %[[BY_ZERO]], %{{.*}}, %[[Y]]
// LINALG:           arith.remui %[[X]], %[[DIVISOR]]
// LINALG:         return %[[R]] : tensor<4xi8>
//
// x - x / y * y, truncated to 8 bits.
// TOSA-LABEL: func.func @unsigned
// TOSA-SAME:    (%[[X:.*]]: tensor<4xi32> {isthmus.dtype = ui8}, %[[Y:.*]]: tensor<4xi32> {isthmus.dtype = ui8})
// TOSA:         %[[Q:.*]] = tosa.intdiv %[[X]], %[[Y]]
// TOSA:         %[[PRODUCT:.*]] = tosa.mul %[[Q]], %[[Y]],
// TOSA:         %[[R:.*]] = tosa.sub %[[X]], %[[PRODUCT]]
// TOSA:         %[[SIGNED:.*]] = tosa.select %{{.*}}, %{{.*}}, %[[R]]
// TOSA:         %[[MASK:.*]] = "tosa.const"() <{values = dense<255>
// TOSA:         %[[RESULT:.*]] = tosa.bitwise_and %[[SIGNED]], %[[MASK]]
// TOSA:         return %[[RESULT]] : tensor<4xi32>
func.func @unsigned(%a: !torch.vtensor<[4],ui8>, %b: !torch.vtensor<[4],ui8>) -> !torch.vtensor<[4],ui8> {
  %r = torch.aten.remainder.Tensor %a, %b
      : !torch.vtensor<[4],ui8>, !torch.vtensor<[4],ui8> -> !torch.vtensor<[4],ui8>
  return %r : !torch.vtensor<[4],ui8>
}
