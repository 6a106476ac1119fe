// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo | FileCheck %s --check-prefix=MHLO %}

// A value of optional type is lowered to the value itself.
// MHLO-LABEL: func.func @optional_dims
// MHLO:         "mhlo.reduce"
// MHLO-SAME:    dimensions = dense<0> : tensor<1xi64>
func.func @optional_dims(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[3],f32> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %none = torch.constant.none
  %dims = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %optional = torch.derefine %dims : !torch.list<int> to !torch.optional<list<int>>
  %r = torch.aten.sum.dim_IntList %x, %optional, %false, %none
      : !torch.vtensor<[2,3],f32>, !torch.optional<list<int>>, !torch.bool, !torch.none -> !torch.vtensor<[3],f32>
  return %r : !torch.vtensor<[3],f32>
}

// MHLO-LABEL: func.func @optional_tensor
// MHLO-SAME:    (%[[X:.*]]: tensor<1x2x4xf32>, %{{.*}}: tensor<3x2x1xf32>, %[[BIAS:.*]]: tensor<3xf32>)
// MHLO:         "mhlo.broadcast_in_dim"(%[[BIAS]])
func.func @optional_tensor(%x: !torch.vtensor<[1,2,4],f32>, %w: !torch.vtensor<[3,2,1],f32>, %b: !torch.vtensor<[3],f32>)
    -> !torch.vtensor<[1,3,4],f32> {
  %optional = torch.derefine %b : !torch.vtensor<[3],f32> to !torch.optional<vtensor<[3],f32>>
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %zero = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %one = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %r = torch.aten.convolution %x, %w, %optional, %one, %zero, %one, %false, %zero, %int1
      : !torch.vtensor<[1,2,4],f32>, !torch.vtensor<[3,2,1],f32>, !torch.optional<vtensor<[3],f32>>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,3,4],f32>
  return %r : !torch.vtensor<[1,3,4],f32>
}
