// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d1)>
// LINALG-DAG: #[[$MAP2:.*]] = affine_map<(d0) -> (d0)>

// MHLO-LABEL: func.func @signed
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xi64>, %[[A1:.*]]: tensor<4xi64>)
// MHLO:         %[[V2:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x4xi64>) -> tensor<i32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[V2]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V4:.*]] = mhlo.reshape %[[V3]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<4> : tensor<1xi64>
// MHLO:         %[[V6:.*]] = "mhlo.concatenate"(%[[V4]], %[[V5]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V7:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A1]], %[[V6]]) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<4xi64>, tensor<2xi64>) -> tensor<?x4xi64>
// MHLO:         %[[V8:.*]] = mhlo.shift_right_arithmetic %[[A0]], %[[V7]] : tensor<?x4xi64>
// MHLO:         return %[[V8]] : tensor<?x4xi64>
//
// LINALG-LABEL: func.func @signed
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x4xi64>, %[[A1:.*]]: tensor<4xi64>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]] : tensor<?x4xi64>, tensor<4xi64>) outs(%{{.*}} : tensor<?x4xi64>) {
// LINALG:         ^bb0(%[[V1:.*]]: i64, %[[V2:.*]]: i64, %[[V3:.*]]: i64):
// LINALG:           %[[V4:.*]] = arith.cmpi ult, %[[V2]], %{{.*}} : i64
// LINALG:           %[[V5:.*]] = arith.select %[[V4]], %[[V2]], %{{.*}} : i64
// LINALG:           %[[V6:.*]] = arith.shrsi %[[V1]], %[[V5]] : i64
// LINALG:           linalg.yield %[[V6]] : i64
// LINALG:         } -> tensor<?x4xi64>
// LINALG:         return %[[V0]] : tensor<?x4xi64>
//
// TOSA-LABEL: func.func @signed
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x4xi32> {isthmus.dtype = si64}, %[[A1:.*]]: tensor<4xi32> {isthmus.dtype = si64})
// A shift by 32 or more, or by less than 0, is a shift by 31, which leaves the sign.
// TOSA:         %[[HIGH:.*]] = tosa.bitwise_and %[[A1]], %{{.*}} : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
// TOSA:         %[[FITS:.*]] = tosa.equal %[[HIGH]], %{{.*}} : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi1>
// TOSA:         %[[AMOUNT:.*]] = tosa.select %[[FITS]], %[[A1]], %{{.*}} : (tensor<4xi1>, tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
// TOSA:         %[[ROW:.*]] = tosa.reshape %[[AMOUNT]], %{{.*}} : (tensor<4xi32>, !tosa.shape<2>) -> tensor<1x4xi32>
// TOSA:         %[[R:.*]] = tosa.arithmetic_right_shift %[[A0]], %[[ROW]] {round = false} : (tensor<?x4xi32>, tensor<1x4xi32>) -> tensor<?x4xi32>
// TOSA:         return %[[R]] : tensor<?x4xi32>
func.func @signed(%a: !torch.vtensor<[?,4],si64>, %b: !torch.vtensor<[4],si64>) -> !torch.vtensor<[?,4],si64> {
  %r = torch.aten.bitwise_right_shift.Tensor %a, %b
      : !torch.vtensor<[?,4],si64>, !torch.vtensor<[4],si64> -> !torch.vtensor<[?,4],si64>
  return %r : !torch.vtensor<[?,4],si64>
}

// MHLO-LABEL: func.func @unsigned
// MHLO-SAME:    (%[[A0:.*]]: tensor<4xui8>, %[[A1:.*]]: tensor<4xui8>)
// MHLO:         %[[V2:.*]] = mhlo.shift_right_logical %[[A0]], %[[A1]] : tensor<4xui8>
// MHLO:         return %[[V2]] : tensor<4xui8>
//
// LINALG-LABEL: func.func @unsigned
// LINALG-SAME:    (%[[A0:.*]]: tensor<4xi8> {isthmus.dtype = ui8}, %[[A1:.*]]: tensor<4xi8> {isthmus.dtype = ui8})
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP2]], #[[$MAP2]], #[[$MAP2]]], iterator_types = ["parallel"]} ins(%[[A0]], %[[A1]] : tensor<4xi8>, tensor<4xi8>) outs(%{{.*}} : tensor<4xi8>) {
// LINALG:         ^bb0(%[[V1:.*]]: i8, %[[V2:.*]]: i8, %[[V3:.*]]: i8):
// LINALG:           %[[V4:.*]] = arith.cmpi ult, %[[V2]], %{{.*}} : i8
// LINALG:           %[[V5:.*]] = arith.select %[[V4]], %[[V2]], %{{.*}} : i8
// LINALG:           %[[V6:.*]] = arith.shrui %[[V1]], %[[V5]] : i8
// LINALG:           %[[V7:.*]] = arith.select %[[V4]], %[[V6]], %{{.*}} : i8
// LINALG:           linalg.yield %[[V7]] : i8
// LINALG:         } -> tensor<4xi8>
// LINALG:         return %[[V0]] : tensor<4xi8>
//
// TOSA-LABEL: func.func @unsigned
// TOSA-SAME:    (%[[A0:.*]]: tensor<4xi32> {isthmus.dtype = ui8}, %[[A1:.*]]: tensor<4xi32> {isthmus.dtype = ui8})
// TOSA:         %[[HIGH:.*]] = tosa.bitwise_and %[[A1]], %{{.*}} : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
// TOSA:         %[[FITS:.*]] = tosa.equal %[[HIGH]], %{{.*}} : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi1>
// TOSA:         %[[AMOUNT:.*]] = tosa.select %[[FITS]], %[[A1]], %{{.*}} : (tensor<4xi1>, tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
// TOSA:         %[[R:.*]] = tosa.arithmetic_right_shift %[[A0]], %[[AMOUNT]] {round = false} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
// TOSA:         %[[MASK:.*]] = "tosa.const"() <{values = dense<255> : tensor<1xi32>}> : () -> tensor<1xi32>
// TOSA:         %[[BYTE:.*]] = tosa.bitwise_and %[[R]], %[[MASK]] : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
// TOSA:         return %[[BYTE]] : tensor<4xi32>
func.func @unsigned(%a: !torch.vtensor<[4],ui8>, %b: !torch.vtensor<[4],ui8>) -> !torch.vtensor<[4],ui8> {
  %r = torch.aten.bitwise_right_shift.Tensor %a, %b
      : !torch.vtensor<[4],ui8>, !torch.vtensor<[4],ui8> -> !torch.vtensor<[4],ui8>
  return %r : !torch.vtensor<[4],ui8>
}
