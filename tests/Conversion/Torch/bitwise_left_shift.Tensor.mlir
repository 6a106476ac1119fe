// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d1)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xi64>, %[[A1:.*]]: tensor<4xi64>)
// MHLO:         %[[V2:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x4xi64>) -> tensor<i32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[V2]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V4:.*]] = mhlo.reshape %[[V3]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<4> : tensor<1xi64>
// MHLO:         %[[V6:.*]] = "mhlo.concatenate"(%[[V4]], %[[V5]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V7:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A1]], %[[V6]]) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<4xi64>, tensor<2xi64>) -> tensor<?x4xi64>
// MHLO:         %[[V8:.*]] = mhlo.shift_left %[[A0]], %[[V7]] : tensor<?x4xi64>
// MHLO:         return %[[V8]] : tensor<?x4xi64>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x4xi64>, %[[A1:.*]]: tensor<4xi64>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]] : tensor<?x4xi64>, tensor<4xi64>) outs(%{{.*}} : tensor<?x4xi64>) {
// LINALG:         ^bb0(%[[V1:.*]]: i64, %[[V2:.*]]: i64, %[[V3:.*]]: i64):
// LINALG:           %[[V4:.*]] = arith.cmpi ult, %[[V2]], %{{.*}} : i64
// LINALG:           %[[V5:.*]] = arith.select %[[V4]], %[[V2]], %{{.*}} : i64
// LINALG:           %[[V6:.*]] = arith.shli %[[V1]], %[[V5]] : i64
// LINALG:           %[[V7:.*]] = arith.select %[[V4]], %[[V6]], %{{.*}} : i64
// LINALG:           linalg.yield %[[V7]] : i64
// LINALG:         } -> tensor<?x4xi64>
// LINALG:         return %[[V0]] : tensor<?x4xi64>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x4xi32> {isthmus.dtype = si64}, %[[A1:.*]]: tensor<4xi32> {isthmus.dtype = si64})
// A shift by 32 or more, or by less than 0, gives 0.
// TOSA:         %[[HIGH:.*]] = tosa.bitwise_and %[[A1]], %{{.*}} : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
// TOSA:         %[[FITS:.*]] = tosa.equal %[[HIGH]], %{{.*}} : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi1>
// TOSA:         %[[AMOUNT:.*]] = tosa.select %[[FITS]], %[[A1]], %{{.*}} : (tensor<4xi1>, tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
// TOSA:         %[[ROW:.*]] = tosa.reshape %[[AMOUNT]], %{{.*}} : (tensor<4xi32>, !tosa.shape<2>) -> tensor<1x4xi32>
// TOSA:         %[[SHIFTED:.*]] = tosa.logical_left_shift %[[A0]], %[[ROW]] : (tensor<?x4xi32>, tensor<1x4xi32>) -> tensor<?x4xi32>
// TOSA:         %[[R:.*]] = tosa.select %{{.*}}, %[[SHIFTED]], %{{.*}} : (tensor<1x4xi1>, tensor<?x4xi32>, tensor<1x1xi32>) -> tensor<?x4xi32>
// TOSA:         return %[[R]] : tensor<?x4xi32>
func.func @dynamic(%a: !torch.vtensor<[?,4],si64>, %b: !torch.vtensor<[4],si64>) -> !torch.vtensor<[?,4],si64> {
  %r = torch.aten.bitwise_left_shift.Tensor %a, %b
      : !torch.vtensor<[?,4],si64>, !torch.vtensor<[4],si64> -> !torch.vtensor<[?,4],si64>
  return %r : !torch.vtensor<[?,4],si64>
}
