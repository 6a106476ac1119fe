// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @known_size
// MHLO-SAME:    (%[[A0:.*]]: tensor<5xf32>)
// MHLO:         %[[V1:.*]] = "mhlo.slice"(%[[A0]]) <{limit_indices = dense<5> : tensor<1xi64>, start_indices = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<2xf32>
// MHLO:         return %[[V1]] : tensor<2xf32>
//
// LINALG-LABEL: func.func @known_size
// LINALG-SAME:    (%[[A0:.*]]: tensor<5xf32>)
// LINALG:         %[[V0:.*]] = tensor.extract_slice %[[A0]][1] [2] [2] : tensor<5xf32> to tensor<2xf32>
// LINALG:         return %[[V0]] : tensor<2xf32>
//
// TOSA-LABEL: func.func @known_size
// TOSA-SAME:    (%[[A0:.*]]: tensor<5xf32>)
// TOSA:         %[[V1:.*]] = tosa.const_shape  {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
// TOSA:         %[[V2:.*]] = tosa.const_shape  {values = dense<4> : tensor<1xindex>} : () -> !tosa.shape<1>
// TOSA:         %[[V3:.*]] = tosa.slice %[[A0]], %[[V1]], %[[V2]] : (tensor<5xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<4xf32>
// TOSA:         %[[V4:.*]] = tosa.const_shape  {values = dense<2> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V5:.*]] = tosa.reshape %[[V3]], %[[V4]] : (tensor<4xf32>, !tosa.shape<2>) -> tensor<2x2xf32>
// TOSA:         %[[V6:.*]] = tosa.const_shape  {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V7:.*]] = tosa.const_shape  {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V8:.*]] = tosa.slice %[[V5]], %[[V6]], %[[V7]] : (tensor<2x2xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x1xf32>
// TOSA:         %[[V9:.*]] = tosa.const_shape  {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
// TOSA:         %[[V10:.*]] = tosa.reshape %[[V8]], %[[V9]] : (tensor<2x1xf32>, !tosa.shape<1>) -> tensor<2xf32>
// TOSA:         return %[[V10]] : tensor<2xf32>
func.func @known_size(%a: !torch.vtensor<[5],f32>) -> !torch.vtensor<[2],f32> {
  %int0 = torch.constant.int 0
  %int_4 = torch.constant.int -4
  %int9223372036854775807 = torch.constant.int 9223372036854775807
  %int2 = torch.constant.int 2
  %r = torch.aten.slice.Tensor %a, %int0, %int_4, %int9223372036854775807, %int2
      : !torch.vtensor<[5],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}

// -----

// MHLO-LABEL: func.func @unknown_size
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x3xf32>) -> tensor<i32>
// MHLO:         %[[V2:.*]] = mhlo.convert %[[V1]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V3:.*]] = mhlo.constant dense<1> : tensor<i64>
// MHLO:         %[[V4:.*]] = mhlo.minimum %[[V3]], %[[V2]] : tensor<i64>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<-1> : tensor<i64>
// MHLO:         %[[V6:.*]] = mhlo.add %[[V2]], %[[V5]] : tensor<i64>
// MHLO:         %[[V7:.*]] = mhlo.minimum %[[V6]], %[[V2]] : tensor<i64>
// MHLO:         %[[V8:.*]] = mhlo.constant dense<0> : tensor<i64>
// MHLO:         %[[V9:.*]] = mhlo.maximum %[[V7]], %[[V8]] : tensor<i64>
// MHLO:         %[[V10:.*]] = mhlo.maximum %[[V4]], %[[V9]] : tensor<i64>
// MHLO:         %[[V11:.*]] = mhlo.reshape %[[V4]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V12:.*]] = mhlo.constant dense<0> : tensor<1xi64>
// MHLO:         %[[V13:.*]] = "mhlo.concatenate"(%[[V11]], %[[V12]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V14:.*]] = mhlo.reshape %[[V10]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V15:.*]] = mhlo.constant dense<3> : tensor<1xi64>
// MHLO:         %[[V16:.*]] = "mhlo.concatenate"(%[[V14]], %[[V15]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V17:.*]] = mhlo.constant dense<1> : tensor<2xi64>
// MHLO:         %[[V18:.*]] = mhlo.real_dynamic_slice %[[A0]], %[[V13]], %[[V16]], %[[V17]] : (tensor<?x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x3xf32>
// MHLO:         return %[[V18]] : tensor<?x3xf32>
//
// LINALG-LABEL: func.func @unknown_size
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// LINALG:         %[[V0:.*]] = arith.minsi %{{.*}}, %{{.*}} : index
// LINALG:         %[[V1:.*]] = arith.addi %{{.*}}, %{{.*}}-1 : index
// LINALG:         %[[V2:.*]] = arith.maxsi %[[V1]], %{{.*}} : index
// LINALG:         %[[V3:.*]] = arith.subi %[[V2]], %[[V0]] : index
// LINALG:         %[[V4:.*]] = arith.maxsi %[[V3]], %{{.*}} : index
// LINALG:         %[[V5:.*]] = tensor.extract_slice %[[A0]][%[[V0]], 0] [%[[V4]], 3] [1, 1] : tensor<?x3xf32> to tensor<?x3xf32>
// LINALG:         return %[[V5]] : tensor<?x3xf32>
func.func @unknown_size(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int_1 = torch.constant.int -1
  // expected-error @below {{no lowering to tosa for 'torch.aten.slice.Tensor': TOSA 1.0 slices a dim of unknown size from a known start to its end only; make sizes known with --specialize}}
  %r = torch.aten.slice.Tensor %a, %int0, %int1, %int_1, %int1
      : !torch.vtensor<[?,3],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}
