// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @of_numbers
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4xi1>)
// MHLO:         %[[V2:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[V2]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V4:.*]] = mhlo.convert %[[A0]] : (tensor<?x4xf32>) -> tensor<?x4xi1>
// MHLO:         %[[V5:.*]] = mhlo.reshape %[[V3]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V6:.*]] = mhlo.constant dense<4> : tensor<1xi64>
// MHLO:         %[[V7:.*]] = "mhlo.concatenate"(%[[V5]], %[[V6]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V8:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A1]], %[[V7]]) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<4xi1>, tensor<2xi64>) -> tensor<?x4xi1>
// MHLO:         %[[V9:.*]] = mhlo.or %[[V4]], %[[V8]] : tensor<?x4xi1>
// MHLO:         return %[[V9]] : tensor<?x4xi1>
func.func @of_numbers(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[4],i1>) -> !torch.vtensor<[?,4],i1> {
  %r = torch.aten.logical_or %a, %b
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4],i1> -> !torch.vtensor<[?,4],i1>
  return %r : !torch.vtensor<[?,4],i1>
}
