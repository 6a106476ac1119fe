// REQUIRES: linalg
// RUN: isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @literal
// CHECK:         arith.constant dense_resource<weight> : tensor<2xi64>
func.func @literal() -> !torch.vtensor<[2],si64> {
  %r = torch.vtensor.literal(dense_resource<weight> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  return %r : !torch.vtensor<[2],si64>
}

// CHECK-LABEL: func.func @casts
// CHECK-SAME:    (%[[X:.*]]: tensor<?xf32>)
// CHECK:         %[[R:.*]] = tensor.cast %[[X]] : tensor<?xf32> to tensor<3xf32>
// CHECK:         return %[[R]]
func.func @casts(%x: tensor<?xf32>) -> !torch.vtensor<[3],f32> {
  %0 = torch_c.from_builtin_tensor %x : tensor<?xf32> -> !torch.vtensor<[?],f32>
  %r = torch.tensor_static_info_cast %0 : !torch.vtensor<[?],f32> to !torch.vtensor<[3],f32>
  return %r : !torch.vtensor<[3],f32>
}

// CHECK-LABEL: func.func @assertion
// CHECK-SAME:    (%[[C:.*]]: i1)
// CHECK:         cf.assert %[[C]], "expected a positive size"
func.func @assertion(%c: !torch.bool) {
  torch.runtime.assert %c, "expected a positive size"
  return
}

// CHECK-LABEL: func.func @call
// CHECK:         %[[R:.*]] = call @literal() : () -> tensor<2xi64>
// CHECK:         return %[[R]]
func.func @call() -> !torch.vtensor<[2],si64> {
  %r = call @literal() : () -> !torch.vtensor<[2],si64>
  return %r : !torch.vtensor<[2],si64>
}

// A size after a padding, whose amounts are i64.
// CHECK-LABEL: func.func @padded_run_time_size
// CHECK-SAME:    (%[[X:.*]]: tensor<1x3x?x8xf32>
// CHECK:         %[[ROWS:.*]] = tensor.dim %[[X]], %c2
// CHECK:         %[[SUMS:.*]] = tensor.empty(%[[ROWS]]) : tensor<1x6x?x8xf32>
// CHECK:         linalg.conv_2d_nchw_fchw
func.func @padded_run_time_size(%a: !torch.vtensor<[1,3,?,8],f32>, %b: !torch.vtensor<[6,3,3,3],f32>) -> !torch.vtensor<[1,6,?,8],f32> {
  %none = torch.constant.none
  %int1 = torch.constant.int 1
  %list = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %int0 = torch.constant.int 0
  %zeros = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.convolution %a, %b, %none, %list, %list, %list, %false, %zeros, %int1
      : !torch.vtensor<[1,3,?,8],f32>, !torch.vtensor<[6,3,3,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,6,?,8],f32>
  return %r : !torch.vtensor<[1,6,?,8],f32>
}

{-#
  dialect_resources: {
    builtin: {
      weight: "0x0800000001000000000000000200000000000000"
    }
  }
#-}
