// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ not isthmus-opt %s --convert-torch-to-tosa 2>&1 | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A:.*]]: tensor<?x3xcomplex<f32>>)
// MHLO:         %[[R:.*]] = mhlo.imag %[[A]]
// MHLO:         return %[[R]] : tensor<?x3xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A:.*]]: tensor<?x3xcomplex<f32>>)
// LINALG:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[A]] :
// LINALG-NEXT:    ^bb0(%[[X:.*]]: complex<f32>, %{{.*}}: f32):
// LINALG-NEXT:      %[[PART:.*]] = complex.im %[[X]] : complex<f32>
// LINALG-NEXT:      linalg.yield %[[PART]]
// LINALG:         return %[[R]] : tensor<?x3xf32>
//
// TOSA: no lowering to tosa for argument 0: TOSA has no tensors of 'complex<f32>'
func.func @dynamic(%a: !torch.vtensor<[?,3],complex<f32>>) -> !torch.vtensor<[?,3],f32> {
  %r = torch.aten.imag %a : !torch.vtensor<[?,3],complex<f32>> -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}
