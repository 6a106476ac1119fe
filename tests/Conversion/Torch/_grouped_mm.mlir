// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: isthmus-opt %s --torch-decompose-complex-ops --canonicalize --cse | FileCheck %s --check-prefix=ELSE

// There is a product for each group: no matrix is copied, and each row is multiplied only by its own matrix.
// LINALG-LABEL: func.func @rows
// LINALG-SAME:    (%[[X:.*]]: tensor<?x16xf32>, %[[W:.*]]: tensor<4x16x8xf32>, %[[ENDS:.*]]: tensor<4xi32>)
// LINALG:         scf.for %[[G:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[Y:.*]] = %{{.*}}, %[[START:.*]] = %{{.*}})
// LINALG:           tensor.extract %[[ENDS]][%[[G]]]
// LINALG:           %[[END:.*]] = arith.index_cast
// LINALG:           cf.assert %{{.*}}, "expected a size that is not negative"
// LINALG:           cf.assert %{{.*}}, "expected offs inside of the dim they part"
// LINALG:           %[[COUNT:.*]] = arith.subi %[[END]], %[[START]]
// LINALG:           cf.assert %{{.*}}, "expected a size that is not negative"
// LINALG:           tensor.extract_slice %[[X]][%[[START]], 0] [%[[COUNT]], 16]
// LINALG:           tensor.extract_slice %[[W]][%[[G]], 0, 0] [1, 16, 8]
// LINALG:           linalg.matmul
// LINALG:           %[[NEXT:.*]] = tensor.insert_slice %{{.*}} into %[[Y]][%[[START]], 0] [%[[COUNT]], 8]
// LINALG:           scf.yield %[[NEXT]], %[[END]]
//
// ELSE-LABEL: func.func @rows
// ELSE:         torch.aten.index_select %arg1
// ELSE:         torch.aten.bmm
func.func @rows(%x: !torch.vtensor<[?,16],f32>, %w: !torch.vtensor<[4,16,8],f32>, %ends: !torch.vtensor<[4],si32>) -> !torch.vtensor<[?,8],f32> {
  %none = torch.constant.none
  %r = torch.aten._grouped_mm %x, %w, %ends, %none, %none
      : !torch.vtensor<[?,16],f32>, !torch.vtensor<[4,16,8],f32>, !torch.vtensor<[4],si32>, !torch.none, !torch.none -> !torch.vtensor<[?,8],f32>
  return %r : !torch.vtensor<[?,8],f32>
}
