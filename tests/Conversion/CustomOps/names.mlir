// REQUIRES: tosa, onnx
// RUN: isthmus-opt %s --convert-torch-backend-legal-to-tosa-custom=ops=aten.clamp.Tensor | FileCheck %s --check-prefixes=CHECK,OVERLOAD
// RUN: isthmus-opt %s --convert-torch-backend-legal-to-tosa-custom=ops=torch.aten.clamp | FileCheck %s --check-prefixes=CHECK,BASE
// RUN: isthmus-opt %s --convert-torch-backend-legal-to-tosa-custom=ops=com.acme.Fancy,Einsum | FileCheck %s --check-prefixes=CHECK,ONNX
// RUN: not isthmus-opt %s --convert-torch-backend-legal-to-tosa-custom=ops=aten.clmap 2>&1 | FileCheck %s --check-prefix=TORCH-ERROR
// RUN: not isthmus-opt %s --convert-torch-backend-legal-to-tosa-custom=ops=com.acme.Fanzy 2>&1 | FileCheck %s --check-prefix=FOREIGN-ERROR
// RUN: not isthmus-opt %s --convert-torch-backend-legal-to-tosa-custom=ops=Einsun 2>&1 | FileCheck %s --check-prefix=ONNX-ERROR
// RUN: not isthmus-opt %s --convert-torch-backend-legal-to-tosa-custom="ops=all custom-op-encoding=json" 2>&1 | FileCheck %s --check-prefix=ENCODING-ERROR
// RUN: not isthmus-opt %s --torch-to-tosa-pipeline="custom-op-encoding=json mutable-buffers=no" 2>&1 | FileCheck %s --check-prefix=CHOICES
// RUN: isthmus-opt %s --torch-to-tosa-pipeline="backend-legal-ops=com.acme.Fancy,com.other.Thing custom-ops=Einsum" | FileCheck %s --check-prefix=LEGAL

// A name selects exactly this op. A name without an overload selects all overloads.

// TORCH-ERROR: expected the name of an op, such as 'aten.clamp', got 'aten.clmap'
// FOREIGN-ERROR: expected the name of an op, such as 'com.acme.Fancy', got 'com.acme.Fanzy'
// ONNX-ERROR: expected the name of an op, such as 'Einsum', got 'Einsun'
// CHOICES:      custom-op-encoding: expected 'attributes' or 'operands', got 'json'
// CHOICES-NEXT: mutable-buffers: expected 'results' or 'globals', got 'no'
// ENCODING-ERROR: expected an encoding, 'attributes' or 'operands', got 'json'

// CHECK-LABEL: func.func @clamp
// OVERLOAD:      torch.aten.clamp %
// OVERLOAD:      operator_name = "torch.aten.clamp.Tensor"
// BASE:          operator_name = "torch.aten.clamp"
// BASE:          operator_name = "torch.aten.clamp.Tensor"
// ONNX:          torch.aten.clamp %
// ONNX:          torch.aten.clamp.Tensor %
// LEGAL-LABEL: func.func @clamp
// LEGAL-NOT:     torch
func.func @clamp(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %none = torch.constant.none
  %one = torch.constant.float 1.000000e+00
  %y = torch.aten.clamp %x, %none, %one : !torch.vtensor<[4],f32>, !torch.none, !torch.float -> !torch.vtensor<[4],f32>
  %z = torch.aten.clamp.Tensor %y, %x, %none : !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.none -> !torch.vtensor<[4],f32>
  return %z : !torch.vtensor<[4],f32>
}

// A legal op is carried if the target has no lowering for it.

// CHECK-LABEL: func.func @onnx
// ONNX:          operator_name = "onnx.Einsum"
// ONNX:          operator_name = "com.acme.Fancy"
// LEGAL-LABEL: func.func @onnx
// LEGAL:         operator_name = "onnx.Einsum"
// LEGAL:         operator_name = "com.acme.Fancy"
func.func @onnx(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %y = torch.operator "onnx.Einsum"(%x) {torch.onnx.equation = "i->i"} : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  %z = torch.operator "com.acme.Fancy"(%y) {onnx.domain = "com.acme"} : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %z : !torch.vtensor<[4],f32>
}
