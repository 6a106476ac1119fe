// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics %}

// MHLO-LABEL: func.func @crop_and_pad
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<1.500000e+00> : tensor<f32>
// MHLO:         %[[V2:.*]] = "mhlo.pad"(%[[A0]], %[[V1]]) <{edge_padding_high = dense<[0, 2]> : tensor<2xi64>, edge_padding_low = dense<[-1, 1]> : tensor<2xi64>, interior_padding = dense<0> : tensor<2xi64>}> : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x6xf32>
// MHLO:         return %[[V2]] : tensor<?x6xf32>
//
// LINALG-LABEL: func.func @crop_and_pad
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// LINALG:         %[[V0:.*]] = arith.subi %{{.*}}, %{{.*}} : index
// LINALG:         %[[V1:.*]] = tensor.extract_slice %[[A0]][1, 0] [%[[V0]], 3] [1, 1] : tensor<?x3xf32> to tensor<?x3xf32>
// LINALG:         %[[V2:.*]] = tensor.pad %[[V1]] low[0, 1] high[0, 2] {
// LINALG:         ^bb0(%[[V3:.*]]: index, %[[V4:.*]]: index):
// LINALG:           tensor.yield %{{.*}} : f32
// LINALG:         } : tensor<?x3xf32> to tensor<?x6xf32>
// LINALG:         return %[[V2]] : tensor<?x6xf32>
func.func @crop_and_pad(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,6],f32> {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %int_1 = torch.constant.int -1
  %int0 = torch.constant.int 0
  %list = torch.prim.ListConstruct %int1, %int2, %int_1, %int0
      : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %float1_5 = torch.constant.float 1.500000e+00
  // expected-error @below {{no lowering to tosa for 'torch.aten.constant_pad_nd': TOSA 1.0 crops dims of known size only; make sizes known with --specialize}}
  %r = torch.aten.constant_pad_nd %a, %list, %float1_5
      : !torch.vtensor<[?,3],f32>, !torch.list<int>, !torch.float -> !torch.vtensor<[?,6],f32>
  return %r : !torch.vtensor<[?,6],f32>
}
