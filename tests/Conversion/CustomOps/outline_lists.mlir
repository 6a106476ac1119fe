// RUN: isthmus-opt %s --outline-custom-ops=names=Part --split-input-file | FileCheck %s

// An op between the nodes that uses one of them moves after the call. A number is passed as a tensor.

// CHECK-LABEL: func.func @between
// CHECK:         %[[SIZE:.*]] = torch.prim.NumToTensor.Scalar %{{.*}} : !torch.int -> !torch.vtensor<[],si64>
// CHECK-NEXT:    %[[PART:.*]]:2 = call @acme.Part(%{{.*}}, %[[SIZE]])
// CHECK-NEXT:    %[[TANH:.*]] = torch.aten.tanh %[[PART]]#0
// CHECK-NEXT:    return %[[TANH]], %[[PART]]#1
// CHECK:       func.func private @acme.Part
// CHECK-SAME:    {\22type\22:\22int\22,\22value\22:{\22operand\22:1}}
#part = loc(fused<[["acme.Part", "part", {}]]>["node"])
func.func @between(%x: !torch.vtensor<[?],f32>) -> (!torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>) {
  %int0 = torch.constant.int 0
  %1 = torch.aten.relu %x : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32> loc(#part)
  %2 = torch.aten.tanh %1 : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  %size = torch.aten.size.int %x, %int0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %int1 = torch.constant.int 1
  %3 = torch.aten.mul.Scalar %1, %size : !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],f32> loc(#part)
  return %2, %3 : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>
}

// -----

// Lists are built where they are used, inside or outside. Only their tensors are passed in and out.

// CHECK-LABEL: func.func @lists_in
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[2],f32>, %[[Y:.*]]: !torch.vtensor<[2],f32>)
// CHECK-DAG:     %[[LIST:.*]] = torch.prim.ListConstruct %[[X]], %[[Y]]
// CHECK-DAG:     torch.aten.cat %[[LIST]]
// CHECK:         %[[PART:.*]] = call @acme.Part(%[[X]], %[[Y]])
// CHECK:       func.func private @acme.Part(%[[A:.*]]: !torch.vtensor<[2],f32>, %[[B:.*]]: !torch.vtensor<[2],f32>)
// CHECK:         %[[OWN:.*]] = torch.prim.ListConstruct %[[A]], %[[B]]
// CHECK:         torch.aten.cat %[[OWN]]
#part = loc(fused<[["acme.Part", "part", {}]]>["node"])
func.func @lists_in(%x: !torch.vtensor<[2],f32>, %y: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) {
  %int0 = torch.constant.int 0
  %list = torch.prim.ListConstruct %x, %y : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.list<vtensor>
  %0 = torch.aten.cat %list, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4],f32>
  %1 = torch.aten.cat %list, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4],f32> loc(#part)
  return %0, %1 : !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>
}

// -----

// CHECK-LABEL: func.func @lists_out
// CHECK:         %[[PART:.*]]:2 = call @acme.Part(%{{.*}})
// CHECK:         torch.prim.ListConstruct %[[PART]]#1, %[[PART]]#0
// CHECK:       func.func private @acme.Part
// CHECK:         %[[LIST:.*]] = torch.aten.split.Tensor
// CHECK:         %[[PARTS:.*]]:2 = torch.prim.ListUnpack %[[LIST]]
// CHECK:         return %[[PARTS]]#0, %[[PARTS]]#1
#part = loc(fused<[["acme.Part", "part", {}]]>["node"])
func.func @lists_out(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %int0 = torch.constant.int 0
  %int2 = torch.constant.int 2
  %list = torch.aten.split.Tensor %x, %int2, %int0 : !torch.vtensor<[4],f32>, !torch.int, !torch.int -> !torch.list<vtensor> loc(#part)
  %0:2 = torch.prim.ListUnpack %list : !torch.list<vtensor> -> !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
  %other = torch.prim.ListConstruct %0#1, %0#0 : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.list<vtensor> loc(#part)
  %1 = torch.aten.cat %other, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4],f32>
  return %1 : !torch.vtensor<[4],f32>
}

// -----

// A constant in the module that is also used outside does not become a result of the module.

// CHECK-LABEL: func.func @constants
// CHECK:         %[[ONE:.*]] = torch.constant.int 1
// CHECK:         %[[PART:.*]] = call @acme.Part(%{{.*}})
// CHECK:         torch.aten.add.Scalar %[[PART]], %[[ONE]], %[[ONE]]
// CHECK:       func.func private @acme.Part
// CHECK:         torch.constant.int 1
#part = loc(fused<[["acme.Part", "part", {}]]>["node"])
func.func @constants(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %int1 = torch.constant.int 1 loc(#part)
  %0 = torch.aten.sub.Scalar %x, %int1, %int1 : !torch.vtensor<[4],f32>, !torch.int, !torch.int -> !torch.vtensor<[4],f32> loc(#part)
  %1 = torch.aten.add.Scalar %0, %int1, %int1 : !torch.vtensor<[4],f32>, !torch.int, !torch.int -> !torch.vtensor<[4],f32>
  return %1 : !torch.vtensor<[4],f32>
}
