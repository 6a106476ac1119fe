// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x8xi32>)
// MHLO:         %{{.*}} = "mhlo.sort"(%{{.*}}, %{{.*}}) <{dimension = 1 : i64, is_stable = true}> ({
// MHLO:         %{{.*}} = mhlo.real_dynamic_slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<?x8xi32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x2xi32>
// MHLO:         %{{.*}} = mhlo.real_dynamic_slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<?x8xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x2xi64>
func.func @dynamic(%a: !torch.vtensor<[?,8],si32>) -> (!torch.vtensor<[?,2],si32>, !torch.vtensor<[?,2],si64>) {
  %int2 = torch.constant.int 2
  %int_1 = torch.constant.int -1
  %true = torch.constant.bool true
  %r0, %r1 = torch.aten.topk %a, %int2, %int_1, %true, %true
      : !torch.vtensor<[?,8],si32>, !torch.int, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,2],si32>, !torch.vtensor<[?,2],si64>
  return %r0, %r1 : !torch.vtensor<[?,2],si32>, !torch.vtensor<[?,2],si64>
}
