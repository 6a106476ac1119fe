// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// MHLO-LABEL: func.func @promotion
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>, %[[A1:.*]]: tensor<2x3xi64>)
// MHLO:         %[[V2:.*]] = mhlo.convert %[[A1]] : (tensor<2x3xi64>) -> tensor<2x3xf32>
// MHLO:         %[[V3:.*]] = "mhlo.concatenate"(%[[A0]], %[[V2]]) <{dimension = 0 : i64}> : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
// MHLO:         return %[[V3]] : tensor<?x3xf32>
//
// LINALG-LABEL: func.func @promotion
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>, %[[A1:.*]]: tensor<2x3xi64>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A1]] : tensor<2x3xi64>) outs(%{{.*}} : tensor<2x3xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: i64, %[[V2:.*]]: f32):
// LINALG:           %[[V3:.*]] = arith.sitofp %[[V1]] : i64 to f32
// LINALG:           linalg.yield %[[V3]] : f32
// LINALG:         } -> tensor<2x3xf32>
// LINALG:         %[[V4:.*]] = tensor.concat dim(0) %[[A0]], %[[V0]] : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
// LINALG:         return %[[V4]] : tensor<?x3xf32>
//
// TOSA-LABEL: func.func @promotion
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xf32>, %[[A1:.*]]: tensor<2x3xi32> {isthmus.dtype = si64})
// TOSA:         %[[V2:.*]] = tosa.cast %[[A1]] : (tensor<2x3xi32>) -> tensor<2x3xf32>
// TOSA:         %[[V3:.*]] = tosa.concat %[[A0]], %[[V2]] {axis = 0 : i32} : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
// TOSA:         return %[[V3]] : tensor<?x3xf32>
func.func @promotion(%a: !torch.vtensor<[?,3],f32>, %b: !torch.vtensor<[2,3],si64>) -> !torch.vtensor<[?,3],f32> {
  %tensors = torch.prim.ListConstruct %a, %b
      : (!torch.vtensor<[?,3],f32>, !torch.vtensor<[2,3],si64>) -> !torch.list<vtensor>
  %int0 = torch.constant.int 0
  %r = torch.aten.cat %tensors, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}
