// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x8xi32>)
// MHLO:         %{{.*}} = "mhlo.sort"(%{{.*}}, %{{.*}}) <{dimension = 1 : i64, is_stable = true}> ({
// MHLO:         %{{.*}} = mhlo.real_dynamic_slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<?x8xi32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x2xi32>
// MHLO:         %{{.*}} = mhlo.real_dynamic_slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<?x8xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x2xi64>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x8xi32>)
// LINALG:         %[[V0:.*]]:2 = scf.for %[[V1:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V2:.*]] = %{{.*}}, %[[V3:.*]] = %{{.*}}) -> (tensor<?x8xi64>, tensor<2x8xi64>) {
// LINALG:           %[[V4:.*]] = scf.for %[[V5:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V6:.*]] = %[[V3]]) -> (tensor<2x8xi64>) {
// LINALG:             %[[V7:.*]] = tensor.insert %{{.*}} into %[[V6]][%{{.*}}, %[[V5]]] : tensor<2x8xi64>
// LINALG:           %[[V8:.*]]:3 = scf.while (%[[V9:.*]] = %{{.*}}, %[[V10:.*]] = %{{.*}}, %[[V11:.*]] = %[[V4]]) : (index, index, tensor<2x8xi64>) -> (index, index, tensor<2x8xi64>) {
// LINALG:             %[[V12:.*]] = arith.cmpi slt, %[[V10]], %{{.*}} : index
// LINALG:             scf.condition(%[[V12]]) %[[V9]], %[[V10]], %[[V11]] : index, index, tensor<2x8xi64>
// LINALG:             %[[V13:.*]] = scf.for %[[V14:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V15:.*]] = %[[V11]]) -> (tensor<2x8xi64>) {
// LINALG:               %[[V16:.*]]:3 = scf.for %[[V17:.*]] = %[[V14]] to %{{.*}} step %{{.*}} iter_args(%[[V18:.*]] = %[[V15]], %[[V19:.*]] = %[[V14]], %[[V20:.*]] = %{{.*}}) -> (tensor<2x8xi64>, index, index) {
// LINALG:                 %[[V21:.*]] = tensor.extract %[[V18]][%[[V9]], %{{.*}}] : tensor<2x8xi64>
// LINALG:                 %[[V22:.*]] = tensor.extract %[[V18]][%[[V9]], %{{.*}}] : tensor<2x8xi64>
// LINALG:                 %[[V23:.*]] = arith.cmpi slt, %[[V20]], %{{.*}} : index
// LINALG:                 %[[V24:.*]] = tensor.extract %[[A0]][%[[V1]], %{{.*}}] : tensor<?x8xi32>
// LINALG:                 %[[V25:.*]] = tensor.extract %[[A0]][%[[V1]], %{{.*}}] : tensor<?x8xi32>
// LINALG:                 %[[V26:.*]] = arith.cmpi sgt, %[[V24]], %[[V25]] : i32
// LINALG:                 %[[V27:.*]] = arith.cmpi sge, %[[V19]], %{{.*}} : index
// LINALG:                 %[[V28:.*]] = tensor.insert %{{.*}} into %[[V18]][%[[V12]], %[[V17]]] : tensor<2x8xi64>
// LINALG:           %[[V29:.*]] = scf.for %[[V30:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V31:.*]] = %[[V2]]) -> (tensor<?x8xi64>) {
// LINALG:             %[[V32:.*]] = tensor.extract %[[V8]]#2[%[[V8]]#0, %[[V30]]] : tensor<2x8xi64>
// LINALG:             %[[V33:.*]] = tensor.insert %[[V32]] into %[[V31]][%[[V1]], %[[V30]]] : tensor<?x8xi64>
// LINALG:         %[[V34:.*]] = tensor.extract_slice %[[V0]]#0[0, 0] [%{{.*}}, 2] [1, 1] : tensor<?x8xi64> to tensor<?x2xi64>
// LINALG:         %[[V35:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[V34]] : tensor<?x2xi64>) outs(%{{.*}} : tensor<?x2xi32>) {
// LINALG:           %[[V36:.*]] = tensor.extract %[[A0]][%[[V4]], %[[V8]]] : tensor<?x8xi32>
// LINALG:         return %[[V35]], %[[V34]] : tensor<?x2xi32>, tensor<?x2xi64>
func.func @dynamic(%a: !torch.vtensor<[?,8],si32>) -> (!torch.vtensor<[?,2],si32>, !torch.vtensor<[?,2],si64>) {
  %int2 = torch.constant.int 2
  %int_1 = torch.constant.int -1
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to tosa for 'torch.aten.topk': expected sizes and a dim that are known while compiling; make sizes known with --specialize}}
  %r0, %r1 = torch.aten.topk %a, %int2, %int_1, %true, %true
      : !torch.vtensor<[?,8],si32>, !torch.int, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,2],si32>, !torch.vtensor<[?,2],si64>
  return %r0, %r1 : !torch.vtensor<[?,2],si32>, !torch.vtensor<[?,2],si64>
}
