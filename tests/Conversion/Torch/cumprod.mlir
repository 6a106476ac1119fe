// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @known_size
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<1.000000e+00> : tensor<f32>
// MHLO:         %[[V2:.*]] = "mhlo.reduce_window"(%[[A0]], %[[V1]]) <{padding = dense<{{\[\[}}0, 0], [2, 0]]> : tensor<2x2xi64>, window_dilations = dense<1> : tensor<2xi64>, window_dimensions = dense<[1, 3]> : tensor<2xi64>, window_strides = dense<1> : tensor<2xi64>}> ({
// MHLO:         ^bb0(%[[A3:.*]]: tensor<f32>, %[[A4:.*]]: tensor<f32>):
// MHLO:         %[[V5:.*]] = mhlo.multiply %[[A3]], %[[A4]] : tensor<f32>
// MHLO:         mhlo.return %[[V5]] : tensor<f32>
// MHLO:         }) : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
// MHLO:         return %[[V2]] : tensor<?x3xf32>
func.func @known_size(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %r = torch.aten.cumprod %a, %int1, %none
      : !torch.vtensor<[?,3],f32>, !torch.int, !torch.none -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}

// MHLO-LABEL: func.func @unknown_size
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<1.000000e+00> : tensor<f32>
// MHLO:         %[[V2:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x3xf32>) -> tensor<i32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[V2]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V4:.*]] = mhlo.reshape %[[V3]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<3> : tensor<1xi64>
// MHLO:         %[[V6:.*]] = "mhlo.concatenate"(%[[V4]], %[[V4]], %[[V5]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
// MHLO:         %[[V7:.*]] = "mhlo.dynamic_iota"(%[[V6]]) <{iota_dimension = 1 : i64}> : (tensor<3xi64>) -> tensor<?x?x3xi64>
// MHLO:         %[[V8:.*]] = "mhlo.dynamic_iota"(%[[V6]]) <{iota_dimension = 0 : i64}> : (tensor<3xi64>) -> tensor<?x?x3xi64>
// MHLO:         %[[V9:.*]] = mhlo.compare LE, %[[V7]], %[[V8]], SIGNED : (tensor<?x?x3xi64>, tensor<?x?x3xi64>) -> tensor<?x?x3xi1>
// MHLO:         %[[V10:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A0]], %[[V6]]) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<?x3xf32>, tensor<3xi64>) -> tensor<?x?x3xf32>
// MHLO:         %[[V11:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[V1]], %[[V6]]) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>, tensor<3xi64>) -> tensor<?x?x3xf32>
// MHLO:         %[[V12:.*]] = mhlo.select %[[V9]], %[[V10]], %[[V11]] : tensor<?x?x3xi1>, tensor<?x?x3xf32>
// MHLO:         %[[V13:.*]] = "mhlo.reduce"(%[[V12]], %[[V1]]) <{dimensions = dense<1> : tensor<1xi64>}> ({
// MHLO:         ^bb0(%[[A14:.*]]: tensor<f32>, %[[A15:.*]]: tensor<f32>):
// MHLO:         %[[V16:.*]] = mhlo.multiply %[[A14]], %[[A15]] : tensor<f32>
// MHLO:         mhlo.return %[[V16]] : tensor<f32>
// MHLO:         }) : (tensor<?x?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
// MHLO:         return %[[V13]] : tensor<?x3xf32>
func.func @unknown_size(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %int0 = torch.constant.int 0
  %none = torch.constant.none
  %r = torch.aten.cumprod %a, %int0, %none
      : !torch.vtensor<[?,3],f32>, !torch.int, !torch.none -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}
