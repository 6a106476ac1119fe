// REQUIRES: linalg
// RUN: isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s

// CHECK-DAG: #[[$ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0, 0)>

// Both sides have the same unknown size, through other ops, so nothing is checked at run time.
// CHECK-LABEL: func.func @same_origin
// CHECK-NOT:     scf.if
// CHECK:         linalg.generic {indexing_maps = [#[[$ROW]], #[[$ALL]], #[[$ALL]]]
// CHECK-NOT:     scf.if
// CHECK:         return
func.func @same_origin(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %true = torch.constant.bool true
  %none = torch.constant.none
  %int1 = torch.constant.int 1
  %dims = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %sum = torch.aten.sum.dim_IntList %x, %dims, %true, %none
      : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[?,1],f32>
  %r = torch.aten.mul.Tensor %sum, %x
      : !torch.vtensor<[?,1],f32>, !torch.vtensor<[?,4],f32> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// Sizes that may be 1 at run time. An operand is copied only if it is stretched then.
// CHECK-LABEL: func.func @unrelated_sizes
// CHECK-SAME:    (%[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<5xf32>)
// CHECK:         %[[OWN:.*]] = tensor.dim %[[X]]
// CHECK-DAG:     %[[IS_ONE:.*]] = arith.cmpi eq, %[[OWN]], %c1 : index
// CHECK-DAG:     %[[DIFFERS:.*]] = arith.cmpi ne, %[[OWN]], %c5 : index
// CHECK:         %[[STRETCHED:.*]] = scf.if %[[DIFFERS]] -> (tensor<5xf32>) {
// CHECK:             %[[AT:.*]] = arith.select %[[IS_ONE]], %c0, %{{.*}} : index
// CHECK:             tensor.extract %[[X]][%[[AT]]]
// CHECK:         } else {
// CHECK:           tensor.cast %[[X]] : tensor<?xf32> to tensor<5xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[STRETCHED]], %[[Y]] : tensor<5xf32>, tensor<5xf32>)
func.func @unrelated_sizes(%x: !torch.vtensor<[?],f32>, %y: !torch.vtensor<[5],f32>) -> !torch.vtensor<[5],f32> {
  %r = torch.aten.mul.Tensor %x, %y
      : !torch.vtensor<[?],f32>, !torch.vtensor<[5],f32> -> !torch.vtensor<[5],f32>
  return %r : !torch.vtensor<[5],f32>
}

// A constant of one value is not an input of the op. Its value is in the body.
// CHECK-LABEL: func.func @splat
// CHECK-SAME:    (%[[X:.*]]: tensor<?x4xf32>)
// CHECK:         %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK:         linalg.generic {indexing_maps = [#[[$ALL]], #[[$ALL]]], {{.*}}} ins(%[[X]] : tensor<?x4xf32>)
// CHECK:           arith.mulf %{{.*}}, %[[TWO]] : f32
func.func @splat(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %two = torch.vtensor.literal(dense<2.0> : tensor<f32>) : !torch.vtensor<[],f32>
  %r = torch.aten.mul.Tensor %x, %two
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}
