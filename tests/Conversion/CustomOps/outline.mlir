// REQUIRES: tosa, mhlo, linalg
// RUN: isthmus-opt %s --outline-custom-ops=names=LayerNorm | FileCheck %s --check-prefix=TORCH
// RUN: isthmus-opt %s --torch-to-linalg-pipeline=outline=LayerNorm | FileCheck %s --check-prefix=LINALG
// RUN: isthmus-opt %s --torch-to-tosa-pipeline=outline=torch.nn.modules.normalization.LayerNorm | FileCheck %s --check-prefix=TOSA
// RUN: isthmus-opt %s --torch-to-mhlo-pipeline=outline=LayerNorm | FileCheck %s --check-prefix=HLO
// RUN: isthmus-opt %s --torch-to-stablehlo-pipeline=outline=LayerNorm | FileCheck %s --check-prefix=HLO
// RUN: not isthmus-opt %s --outline-custom-ops=names=LayerNrom 2>&1 | FileCheck %s --check-prefix=MISTAKE

// Three calls of two modules: two of norm, and one of last, which has another eps.

// TORCH-LABEL: func.func @main
// TORCH-SAME:    (%[[X:.*]]: !torch.vtensor<[2,4],f32>)
// TORCH-DAG:     %[[W:.*]] = torch.vtensor.literal(dense<[1.{{.*}}, 4.
// TORCH-DAG:     %[[B:.*]] = torch.vtensor.literal(dense<5.
// TORCH:         %[[FIRST:.*]] = call @torch.nn.modules.normalization.LayerNorm(%[[X]], %[[W]], %[[B]])
// TORCH-NEXT:    %[[RELU:.*]] = torch.aten.relu %[[FIRST]]
// TORCH-NEXT:    %[[SECOND:.*]] = call @torch.nn.modules.normalization.LayerNorm(%[[RELU]], %[[W]], %[[B]])
// TORCH-NEXT:    %[[LAST:.*]] = call @torch.nn.modules.normalization.LayerNorm_0(%[[SECOND]])
// TORCH-NEXT:    return %[[LAST]]

// TORCH-LABEL: func.func private @torch.nn.modules.normalization.LayerNorm(
// TORCH-SAME:    attributes {isthmus.custom_op = {attributes = "{
// TORCH-SAME:      {\22type\22:\22vtensor\22,\22value\22:{\22dtype\22:\22f32\22,\22operand\22:0}}
// TORCH-SAME:      {\22name\22:\22weight\22,\22type\22:\22vtensor\22,\22value\22:{\22dtype\22:\22f32\22,\22operand\22:1}}
// TORCH-SAME:      {\22name\22:\22bias\22,\22type\22:\22vtensor\22,\22value\22:{\22dtype\22:\22f32\22,\22operand\22:2}}
// TORCH-SAME:      \22layer_norm.cudnn_enable\22:{\22type\22:\22bool\22,\22value\22:true}
// TORCH-SAME:      \22layer_norm.eps\22:{\22type\22:\22float\22,\22value\22:1.0000000000000001e-05}
// TORCH-SAME:      \22layer_norm.normalized_shape\22:{\22type\22:\22list<int>\22,\22value\22:[4]}
// TORCH-SAME:    domain = "torch.nn.modules.normalization", name = "torch.nn.modules.normalization.LayerNorm"}}
// TORCH:         torch.aten.layer_norm
// TORCH-LABEL: func.func private @torch.nn.modules.normalization.LayerNorm_0(
// TORCH-SAME:    \22layer_norm.eps\22:{\22type\22:\22float\22,\22value\22:0.10000000000000001}

// LINALG-LABEL: func.func @main
// LINALG-COUNT-2: call @torch.nn.modules.normalization.LayerNorm({{.*}}) : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// LINALG:         call @torch.nn.modules.normalization.LayerNorm_0(
// LINALG-LABEL: func.func private @torch.nn.modules.normalization.LayerNorm(
// LINALG-SAME:    isthmus.custom_op
// LINALG:         linalg.generic

// TOSA-LABEL: func.func @main
// TOSA-COUNT-2: call @torch.nn.modules.normalization.LayerNorm(
// TOSA-LABEL: func.func private @torch.nn.modules.normalization.LayerNorm(
// TOSA:         tosa.rsqrt

// HLO-LABEL: func.func @main
// HLO-COUNT-2: "{{mhlo|stablehlo}}.composite"({{.*}}) <{composite_attributes = {arguments = {{.*}}domain = "torch.nn.modules.normalization"{{.*}}}, decomposition = @torch.nn.modules.normalization.LayerNorm, name = "torch.nn.modules.normalization.LayerNorm", version = 1 : i32}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// HLO:         "{{mhlo|stablehlo}}.composite"({{.*}}decomposition = @torch.nn.modules.normalization.LayerNorm_0
// HLO-LABEL: func.func private @torch.nn.modules.normalization.LayerNorm(
// HLO-NOT:     isthmus.custom_op
// HLO:         {{mhlo|stablehlo}}.rsqrt

// MISTAKE: expected the class of a module, or a function, that the model has, such as 'LayerNorm', got 'LayerNrom'

#file = loc("model.pt2":0:0)
#first = loc(fused<[["torch.nn.modules.normalization.LayerNorm", "norm", {}]]>["layer_norm"(#file)])
#second = loc(fused<[["torch.nn.modules.normalization.LayerNorm", "norm@1", {}]]>["layer_norm_1"(#file)])
#last = loc(fused<[["torch.nn.modules.container.Sequential", "tail", {}], ["torch.nn.modules.normalization.LayerNorm", "tail.last", {}]]>["layer_norm_2"(#file)])
func.func @main(%x: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> {
  %w = torch.vtensor.literal(dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>) : !torch.vtensor<[4],f32> loc("norm.weight")
  %b = torch.vtensor.literal(dense<0.5> : tensor<4xf32>) : !torch.vtensor<[4],f32> loc("norm.bias")
  %int4 = torch.constant.int 4
  %shape = torch.prim.ListConstruct %int4 : (!torch.int) -> !torch.list<int>
  %true = torch.constant.bool true loc(#first)
  %eps = torch.constant.float 1.000000e-05 loc(#first)
  %1 = torch.aten.layer_norm %x, %shape, %w, %b, %eps, %true : !torch.vtensor<[2,4],f32>, !torch.list<int>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.float, !torch.bool -> !torch.vtensor<[2,4],f32> loc(#first)
  %2 = torch.aten.relu %1 : !torch.vtensor<[2,4],f32> -> !torch.vtensor<[2,4],f32>
  %true_0 = torch.constant.bool true loc(#second)
  %eps_0 = torch.constant.float 1.000000e-05 loc(#second)
  %3 = torch.aten.layer_norm %2, %shape, %w, %b, %eps_0, %true_0 : !torch.vtensor<[2,4],f32>, !torch.list<int>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.float, !torch.bool -> !torch.vtensor<[2,4],f32> loc(#second)
  %none = torch.constant.none loc(#last)
  %eps_1 = torch.constant.float 1.000000e-01 loc(#last)
  %true_1 = torch.constant.bool true loc(#last)
  %4 = torch.aten.layer_norm %3, %shape, %none, %none, %eps_1, %true_1 : !torch.vtensor<[2,4],f32>, !torch.list<int>, !torch.none, !torch.none, !torch.float, !torch.bool -> !torch.vtensor<[2,4],f32> loc(#last)
  return %4 : !torch.vtensor<[2,4],f32>
}
