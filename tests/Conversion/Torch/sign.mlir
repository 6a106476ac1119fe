// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.sign %[[A0]] : tensor<?x3xf32>
// MHLO:         %[[V2:.*]] = mhlo.compare NE, %[[A0]], %[[A0]], FLOAT : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xi1>
// MHLO:         %[[V3:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x3xf32>) -> tensor<i32>
// MHLO:         %[[V4:.*]] = mhlo.convert %[[V3]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<0.000000e+00> : tensor<f32>
// MHLO:         %[[V6:.*]] = mhlo.reshape %[[V4]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V7:.*]] = mhlo.constant dense<3> : tensor<1xi64>
// MHLO:         %[[V8:.*]] = "mhlo.concatenate"(%[[V6]], %[[V7]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V9:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[V5]], %[[V8]]) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>, tensor<2xi64>) -> tensor<?x3xf32>
// MHLO:         %[[V10:.*]] = mhlo.select %[[V2]], %[[V9]], %[[V1]] : tensor<?x3xi1>, tensor<?x3xf32>
// MHLO:         return %[[V10]] : tensor<?x3xf32>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %r = torch.aten.sign %a : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}

// MHLO-LABEL: func.func @of_ints
// MHLO-SAME:    (%[[A0:.*]]: tensor<?xi32>)
// MHLO:         %[[V1:.*]] = mhlo.sign %[[A0]] : tensor<?xi32>
// MHLO:         return %[[V1]] : tensor<?xi32>
func.func @of_ints(%a: !torch.vtensor<[?],si32>) -> !torch.vtensor<[?],si32> {
  %r = torch.aten.sign %a : !torch.vtensor<[?],si32> -> !torch.vtensor<[?],si32>
  return %r : !torch.vtensor<[?],si32>
}
