// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @ascending_ints
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xi64>)
// MHLO:         %[[V1:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x3xi64>) -> tensor<i32>
// MHLO:         %[[V2:.*]] = mhlo.convert %[[V1]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V3:.*]] = mhlo.reshape %[[V2]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V4:.*]] = mhlo.constant dense<3> : tensor<1xi64>
// MHLO:         %[[V5:.*]] = "mhlo.concatenate"(%[[V3]], %[[V4]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V6:.*]] = "mhlo.dynamic_iota"(%[[V5]]) <{iota_dimension = 1 : i64}> : (tensor<2xi64>) -> tensor<?x3xi64>
// MHLO:         %[[V7:.*]]:2 = "mhlo.sort"(%[[A0]], %[[V6]]) <{dimension = 1 : i64, is_stable = true}> ({
// MHLO:         ^bb0(%[[A8:.*]]: tensor<i64>, %[[A9:.*]]: tensor<i64>, %[[A10:.*]]: tensor<i64>, %[[A11:.*]]: tensor<i64>):
// MHLO:         %[[V12:.*]] = mhlo.compare LT, %[[A8]], %[[A9]], SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
// MHLO:         mhlo.return %[[V12]] : tensor<i1>
// MHLO:         }) : (tensor<?x3xi64>, tensor<?x3xi64>) -> (tensor<?x3xi64>, tensor<?x3xi64>)
// MHLO:         return %[[V7]]#0, %[[V7]]#1 : tensor<?x3xi64>, tensor<?x3xi64>
func.func @ascending_ints(%a: !torch.vtensor<[?,3],si64>) -> (!torch.vtensor<[?,3],si64>, !torch.vtensor<[?,3],si64>) {
  %int_1 = torch.constant.int -1
  %false = torch.constant.bool false
  %r0, %r1 = torch.aten.sort %a, %int_1, %false
      : !torch.vtensor<[?,3],si64>, !torch.int, !torch.bool -> !torch.vtensor<[?,3],si64>, !torch.vtensor<[?,3],si64>
  return %r0, %r1 : !torch.vtensor<[?,3],si64>, !torch.vtensor<[?,3],si64>
}

// MHLO-LABEL: func.func @descending_floats
// MHLO-SAME:    (%[[A0:.*]]: tensor<3xf32>)
// MHLO:         %[[V1:.*]] = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3xi64>
// MHLO:         %[[V2:.*]]:2 = "mhlo.sort"(%[[A0]], %[[V1]]) <{dimension = 0 : i64, is_stable = true}> ({
// MHLO:         ^bb0(%[[A3:.*]]: tensor<f32>, %[[A4:.*]]: tensor<f32>, %[[A5:.*]]: tensor<i64>, %[[A6:.*]]: tensor<i64>):
// MHLO:         %[[V7:.*]] = mhlo.compare GT, %[[A3]], %[[A4]], FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
// MHLO:         %[[V8:.*]] = mhlo.compare NE, %[[A3]], %[[A3]], FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
// MHLO:         %[[V9:.*]] = mhlo.compare NE, %[[A4]], %[[A4]], FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
// MHLO:         %[[V10:.*]] = mhlo.not %[[V9]] : tensor<i1>
// MHLO:         %[[V11:.*]] = mhlo.and %[[V8]], %[[V10]] : tensor<i1>
// MHLO:         %[[V12:.*]] = mhlo.or %[[V7]], %[[V11]] : tensor<i1>
// MHLO:         mhlo.return %[[V12]] : tensor<i1>
// MHLO:         }) : (tensor<3xf32>, tensor<3xi64>) -> (tensor<3xf32>, tensor<3xi64>)
// MHLO:         return %[[V2]]#0, %[[V2]]#1 : tensor<3xf32>, tensor<3xi64>
func.func @descending_floats(%a: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],si64>) {
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  %r0, %r1 = torch.aten.sort %a, %int0, %true
      : !torch.vtensor<[3],f32>, !torch.int, !torch.bool -> !torch.vtensor<[3],f32>, !torch.vtensor<[3],si64>
  return %r0, %r1 : !torch.vtensor<[3],f32>, !torch.vtensor<[3],si64>
}
