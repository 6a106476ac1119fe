// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ not isthmus-opt %s --convert-torch-to-tosa 2>&1 | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @broadcast
// MHLO-SAME:    (%[[A:.*]]: tensor<?x3xf32>, %[[B:.*]]: tensor<3xf32>)
// MHLO:         %[[IMAG:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[B]],
// MHLO:         %[[R:.*]] = "mhlo.complex"(%[[A]], %[[IMAG]])
// MHLO:         return %[[R]] : tensor<?x3xcomplex<f32>>
//
// LINALG-LABEL: func.func @broadcast
// LINALG-SAME:    (%[[A:.*]]: tensor<?x3xf32>, %[[B:.*]]: tensor<3xf32>)
// LINALG:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] :
// LINALG-NEXT:    ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: complex<f32>):
// LINALG-NEXT:      %[[Z:.*]] = complex.create %[[X]], %[[Y]] : complex<f32>
// LINALG-NEXT:      linalg.yield %[[Z]]
// LINALG:         return %[[R]] : tensor<?x3xcomplex<f32>>
//
// TOSA: no lowering to tosa for result 0: TOSA has no tensors of 'complex<f32>'
func.func @broadcast(%a: !torch.vtensor<[?,3],f32>, %b: !torch.vtensor<[3],f32>) -> !torch.vtensor<[?,3],complex<f32>> {
  %r = torch.aten.complex %a, %b : !torch.vtensor<[?,3],f32>, !torch.vtensor<[3],f32> -> !torch.vtensor<[?,3],complex<f32>>
  return %r : !torch.vtensor<[?,3],complex<f32>>
}
