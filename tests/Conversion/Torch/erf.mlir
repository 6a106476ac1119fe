// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %{{.*}} = mhlo.clamp %{{.*}}, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
// MHLO:         %{{.*}} = mhlo.divide %{{.*}}, %{{.*}} : tensor<?x3xf32>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %r = torch.aten.erf %a : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}
