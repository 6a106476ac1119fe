// REQUIRES: tosa, mhlo, linalg
// RUN: isthmus-opt %s --convert-torch-backend-legal-to-tosa-custom="ops=aten.layer_norm custom-op-encoding=operands" | FileCheck %s --check-prefix=OPERANDS
// RUN: isthmus-opt %s --torch-to-tosa-pipeline="custom-ops=aten.layer_norm custom-op-encoding=operands" | FileCheck %s --check-prefix=PIPELINE
// RUN: isthmus-opt %s --convert-torch-backend-legal-to-tosa-custom=ops=aten.layer_norm | FileCheck %s --check-prefix=TOSA
// RUN: isthmus-opt %s --convert-torch-backend-legal-to-mhlo-custom-call=ops=aten.layer_norm | FileCheck %s --check-prefix=MHLO
// RUN: isthmus-opt %s --torch-to-stablehlo-pipeline=custom-ops=aten.layer_norm | FileCheck %s --check-prefix=STABLEHLO
// RUN: isthmus-opt %s --convert-torch-backend-legal-to-linalg-call=ops=aten.layer_norm | FileCheck %s --check-prefix=LINALG

// nn.LayerNorm(4) on a 4x4 input, in the order of the op's arguments.

// OPERANDS-LABEL: func.func @main
// OPERANDS-SAME:    (%[[X:.*]]: !torch.vtensor<[4,4],f32>, %[[W:.*]]: !torch.vtensor<[4],f32>, %[[B:.*]]: !torch.vtensor<[4],f32>)
// OPERANDS-DAG:   %[[INPUT:.*]] = builtin.unrealized_conversion_cast %[[X]] : !torch.vtensor<[4,4],f32> to tensor<4x4xf32>
// OPERANDS-DAG:   %[[WEIGHT:.*]] = builtin.unrealized_conversion_cast %[[W]]
// OPERANDS-DAG:   %[[BIAS:.*]] = builtin.unrealized_conversion_cast %[[B]]
// OPERANDS-DAG:   %[[SHAPE:.*]] = "tosa.const"() <{values = dense<4> : tensor<1xi64>}>
// OPERANDS-DAG:   %[[EPS:.*]] = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<f32>}>
// OPERANDS-DAG:   %[[ENABLE:.*]] = "tosa.const"() <{values = dense<true> : tensor<i1>}>
// OPERANDS:       tosa.custom %[[INPUT]], %[[SHAPE]], %[[WEIGHT]], %[[BIAS]], %[[EPS]], %[[ENABLE]] {domain_name = "torch",
// OPERANDS-SAME:    operator_name = "torch.aten.layer_norm"} : (tensor<4x4xf32>, tensor<1xi64>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<i1>) -> tensor<4x4xf32>

// No op of the torch dialect is left.
// PIPELINE-LABEL: func.func @main
// PIPELINE-SAME:    (%[[X:.*]]: tensor<4x4xf32>, %[[W:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>) -> tensor<4x4xf32>
// PIPELINE-NOT:   unrealized_conversion_cast
// PIPELINE:       %[[Y:.*]] = tosa.custom %[[X]], %{{.*}}, %[[W]], %[[B]], %{{.*}}, %{{.*}} {domain_name = "torch"
// PIPELINE:       return %[[Y]] : tensor<4x4xf32>

// TOSA:           tosa.custom %{{.*}}, %{{.*}}, %{{.*}} {domain_name = "torch", implementation_attrs = "{
// TOSA-SAME:        \22name\22:\22input\22,\22type\22:\22vtensor\22,\22value\22:{\22dtype\22:\22f32\22,\22operand\22:0}
// TOSA-SAME:        \22name\22:\22normalized_shape\22,\22type\22:\22list<int>\22,\22value\22:[4]
// TOSA-SAME:        \22name\22:\22weight\22,\22type\22:\22vtensor\22,\22value\22:{\22dtype\22:\22f32\22,\22operand\22:1}
// TOSA-SAME:        \22name\22:\22bias\22,\22type\22:\22vtensor\22,\22value\22:{\22dtype\22:\22f32\22,\22operand\22:2}
// TOSA-SAME:        \22name\22:\22eps\22,\22type\22:\22float\22,\22value\22:1.0000000000000001e-05
// TOSA-SAME:        \22name\22:\22cudnn_enable\22,\22type\22:\22bool\22,\22value\22:true
// TOSA-SAME:        \22results\22:[{\22dtype\22:\22f32\22,\22type\22:\22vtensor\22}],\22version\22:1}"
// TOSA-SAME:        operator_name = "torch.aten.layer_norm"} : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>

// MHLO:           "mhlo.custom_call"(%{{.*}}, %{{.*}}, %{{.*}}) <{api_version = 4 : i32, backend_config = {arguments = {
// MHLO-SAME:        "1" = {name = "normalized_shape", type = "list<int>", value = array<i64: 4>}
// MHLO-SAME:        "4" = {name = "eps", type = "float", value = 1.000000e-05 : f64}
// MHLO-SAME:        domain = "torch"
// MHLO-SAME:        version = 1 : i64}, call_target_name = "torch.aten.layer_norm"}>

// STABLEHLO-LABEL: func.func @main
// STABLEHLO-SAME:   (%[[X:.*]]: tensor<4x4xf32>, %[[W:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>) -> tensor<4x4xf32>
// STABLEHLO-NEXT:  %[[Y:.*]] = "stablehlo.custom_call"(%[[X]], %[[W]], %[[B]])
// STABLEHLO-NEXT:  return %[[Y]]

// LINALG:         call @torch.aten.layer_norm(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
// LINALG:         func.func private @torch.aten.layer_norm(tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
// LINALG-SAME:      attributes {isthmus.custom_op = {attributes = "{{.*}}\22version\22:1}", domain = "torch", name = "torch.aten.layer_norm"}}
func.func @main(%x: !torch.vtensor<[4,4],f32>, %weight: !torch.vtensor<[4],f32>, %bias: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4,4],f32> {
  %int4 = torch.constant.int 4
  %shape = torch.prim.ListConstruct %int4 : (!torch.int) -> !torch.list<int>
  %eps = torch.constant.float 1.000000e-05
  %true = torch.constant.bool true
  %y = torch.aten.layer_norm %x, %shape, %weight, %bias, %eps, %true : !torch.vtensor<[4,4],f32>, !torch.list<int>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.float, !torch.bool -> !torch.vtensor<[4,4],f32>
  return %y : !torch.vtensor<[4,4],f32>
}
