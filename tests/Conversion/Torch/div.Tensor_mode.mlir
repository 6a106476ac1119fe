// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// (x - fmod(x, y)) / y is whole up to rounding, and 1 more than the result if signs differ; x / 0 is an infinity or NaN.
// MHLO-LABEL: func.func @floor
// MHLO-SAME:    (%[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf32>)
// MHLO:         %[[X:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A]],
// MHLO:         %[[Y:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[B]],
// MHLO:         %[[FMOD:.*]] = mhlo.remainder %[[X]], %[[Y]]
// MHLO:         %[[MULTIPLE:.*]] = mhlo.subtract %[[X]], %[[FMOD]]
// MHLO:         %[[EXACT:.*]] = mhlo.divide %[[MULTIPLE]], %[[Y]]
// MHLO:         %[[WHOLE:.*]] = mhlo.round_nearest_even %[[EXACT]]
// MHLO:         %[[DIFFER:.*]] = mhlo.and
// MHLO:         %[[LESS:.*]] = mhlo.subtract %[[WHOLE]],
// MHLO:         %[[DOWN:.*]] = mhlo.select %[[DIFFER]], %[[LESS]], %[[WHOLE]]
// MHLO:         %[[BY_ZERO:.*]] = mhlo.compare EQ, %[[Y]],
// MHLO:         %[[DIVIDED:.*]] = mhlo.divide %[[X]], %[[Y]]
// MHLO:         %[[RESULT:.*]] = mhlo.select %[[BY_ZERO]], %[[DIVIDED]], %[[DOWN]]
// MHLO:         return %[[RESULT]] : tensor<?xf32>
//
// (x - fmod(x, y)) / y, minus 1 if signs differ, rounded to the nearest integer.
// LINALG-LABEL: func.func @floor
// LINALG-SAME:    (%[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf32>)
// LINALG:         ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// LINALG:           %[[R:.*]] = arith.remf %[[X]], %[[Y]]
// LINALG:           %[[MULTIPLE:.*]] = arith.subf %[[X]], %[[R]]
// LINALG:           %[[Q:.*]] = arith.divf %[[MULTIPLE]], %[[Y]]
// LINALG:           %[[LESS:.*]] = arith.subf %[[Q]], %[[ONE:.*]] : f32
// LINALG:           %[[DOWN:.*]] = arith.select %{{.*}}, %[[LESS]], %[[Q]]
// LINALG:           %[[FLOOR:.*]] = math.floor %[[DOWN]]
// LINALG:           %[[FRACTION:.*]] = arith.subf %[[DOWN]], %[[FLOOR]]
// LINALG:           %[[ABOVE:.*]] = arith.cmpf ogt, %[[FRACTION]], %{{.*}}
// LINALG:           %[[CEIL:.*]] = arith.addf %[[FLOOR]], %[[ONE]]
// LINALG:           %[[NEAREST:.*]] = arith.select %[[ABOVE]], %[[CEIL]], %[[FLOOR]]
// LINALG:           %[[BY_ZERO:.*]] = arith.cmpf oeq, %[[Y]],
// LINALG:           %[[DIVIDED:.*]] = arith.divf %[[X]], %[[Y]]
// LINALG:           arith.select %[[BY_ZERO]], %[[DIVIDED]], %[[NEAREST]]
//
// q = trunc(x * (1 / y)), and one more or less where |x| - |q| |y| still holds |y|
// or is below 0; r = x - q y, or x where y is infinite.
// Then q - 1 if r is not 0 and its sign differs from that of y.
// TOSA-LABEL: func.func @floor
// TOSA-SAME:    (%[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>)
// TOSA:         %[[SIZE:.*]] = tosa.abs %[[X]]
// TOSA-COUNT-3: tosa.floor
// TOSA:         tosa.logical_not
// TOSA:         %[[SMALLER:.*]] = tosa.greater %{{.*}}, %[[SIZE]]
// TOSA:         %[[Q:.*]] = tosa.select %[[SMALLER]], %{{.*}}, %{{.*}}
// TOSA:         %[[R:.*]] = tosa.select %[[SMALLER]], %[[X]],
// TOSA:         %[[NEGATIVE:.*]] = tosa.greater %{{.*}}, %[[R]]
// TOSA:         %[[DIFFER:.*]] = tosa.logical_xor %[[NEGATIVE]],
// TOSA:         %[[ZERO:.*]] = tosa.equal %[[R]],
// TOSA:         %[[NOT_ZERO:.*]] = tosa.logical_not %[[ZERO]]
// TOSA:         %[[MOVES:.*]] = tosa.logical_and %[[NOT_ZERO]], %[[DIFFER]]
// TOSA:         %[[STEP:.*]] = tosa.select %[[MOVES]],
// TOSA:         %[[FLOORED:.*]] = tosa.sub %[[Q]], %[[STEP]]
// TOSA:         %[[UNDEFINED:.*]] = tosa.logical_and
// TOSA:         %[[RESULT:.*]] = tosa.select %[[UNDEFINED]], %{{.*}}, %[[FLOORED]]
// TOSA:         return %[[RESULT]] : tensor<?xf32>
func.func @floor(%a: !torch.vtensor<[?],f32>, %b: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %str = torch.constant.str "floor"
  %r = torch.aten.div.Tensor_mode %a, %b, %str
      : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>, !torch.str -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// The ceiling of the quotient if it is negative, else its floor.
// MHLO-LABEL: func.func @trunc
// MHLO-SAME:    (%[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf32>)
// MHLO:         %[[X:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A]],
// MHLO:         %[[Y:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[B]],
// MHLO:         %[[Q:.*]] = mhlo.divide %[[X]], %[[Y]]
// MHLO:         %[[NEGATIVE:.*]] = mhlo.compare LT, %[[Q]],
// MHLO:         %[[CEIL:.*]] = mhlo.ceil %[[Q]]
// MHLO:         %[[FLOOR:.*]] = mhlo.floor %[[Q]]
// MHLO:         %[[RESULT:.*]] = mhlo.select %[[NEGATIVE]], %[[CEIL]], %[[FLOOR]]
// MHLO:         return %[[RESULT]] : tensor<?xf32>
//
// LINALG-LABEL: func.func @trunc
// LINALG-SAME:    (%[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf32>)
// LINALG:         ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// LINALG:           %[[Q:.*]] = arith.divf %[[X]], %[[Y]]
// LINALG:           math.trunc %[[Q]]
//
// q = trunc(x * (1 / y)), and one more or less where |x| - |q| |y| still holds |y|
// or is below 0.
// TOSA-LABEL: func.func @trunc
// TOSA-SAME:    (%[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>)
// TOSA:         %[[SIZE:.*]] = tosa.abs %[[X]]
// TOSA-COUNT-3: tosa.floor
// TOSA:         tosa.logical_not
// TOSA:         %[[SMALLER:.*]] = tosa.greater %{{.*}}, %[[SIZE]]
// TOSA:         %[[Q:.*]] = tosa.select %[[SMALLER]], %{{.*}}, %{{.*}}
// TOSA:         %[[R:.*]] = tosa.select %[[SMALLER]], %[[X]],
// TOSA:         %[[FRACTION:.*]] = tosa.mul %[[R]],
// TOSA:         %[[SUM:.*]] = tosa.add %[[Q]], %[[FRACTION]]
// TOSA:         %[[ROUNDED:.*]] = tosa.select %{{.*}}, %[[SUM]], %[[Q]]
// TOSA:         %[[CEIL:.*]] = tosa.ceil %[[ROUNDED]]
// TOSA:         %[[FLOOR:.*]] = tosa.floor %[[ROUNDED]]
// TOSA:         %[[RESULT:.*]] = tosa.select %{{.*}}, %[[CEIL]], %[[FLOOR]]
// TOSA:         return %[[RESULT]] : tensor<?xf32>
func.func @trunc(%a: !torch.vtensor<[?],f32>, %b: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %str = torch.constant.str "trunc"
  %r = torch.aten.div.Tensor_mode %a, %b, %str
      : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>, !torch.str -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// MHLO-LABEL: func.func @true
// MHLO-SAME:    (%[[X:.*]]: tensor<2xf32>, %[[Y:.*]]: tensor<2xf32>)
// MHLO:         %[[Q:.*]] = mhlo.divide %[[X]], %[[Y]]
// MHLO:         return %[[Q]] : tensor<2xf32>
//
// LINALG-LABEL: func.func @true
// LINALG-SAME:    (%[[A:.*]]: tensor<2xf32>, %[[B:.*]]: tensor<2xf32>)
// LINALG:         %[[Q:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] :
// LINALG-NEXT:    ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// LINALG:           arith.divf %[[X]], %[[Y]]
// LINALG:         return %[[Q]] : tensor<2xf32>
//
// TOSA-LABEL: func.func @true
// TOSA-SAME:    (%[[X:.*]]: tensor<2xf32>, %[[Y:.*]]: tensor<2xf32>)
// TOSA:         %[[INVERSE:.*]] = tosa.reciprocal %[[Y]]
// TOSA:         %[[Q:.*]] = tosa.mul %[[X]], %[[INVERSE]],
// TOSA:         return %[[Q]] : tensor<2xf32>
func.func @true(%a: !torch.vtensor<[2],f32>, %b: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %none = torch.constant.none
  %r = torch.aten.div.Tensor_mode %a, %b, %none
      : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.none -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}
