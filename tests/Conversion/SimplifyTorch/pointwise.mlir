// RUN: isthmus-opt %s --simplify-torch | FileCheck %s

// CHECK-LABEL: func.func @times_one
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[3],f32>)
// CHECK-NEXT:    return %[[X]]
func.func @times_one(%x: !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32> {
  %one = torch.vtensor.literal(dense<1.0> : tensor<f32>) : !torch.vtensor<[],f32>
  %a = torch.aten.mul.Tensor %one, %x : !torch.vtensor<[],f32>, !torch.vtensor<[3],f32> -> !torch.vtensor<[3],f32>
  return %a : !torch.vtensor<[3],f32>
}

// The literal 1 is the larger operand, so x must be repeated.
// CHECK-LABEL: func.func @times_ones
// CHECK:         torch.aten.mul.Tensor
func.func @times_ones(%x: !torch.vtensor<[1],f32>) -> !torch.vtensor<[3],f32> {
  %one = torch.vtensor.literal(dense<1.0> : tensor<3xf32>) : !torch.vtensor<[3],f32>
  %a = torch.aten.mul.Tensor %x, %one : !torch.vtensor<[1],f32>, !torch.vtensor<[3],f32> -> !torch.vtensor<[3],f32>
  return %a : !torch.vtensor<[3],f32>
}

// -0.0 + 0.0 is 0.0, so floats keep the sum.
// CHECK-LABEL: func.func @plus_zero
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[3],f32>, %[[N:.*]]: !torch.vtensor<[3],si64>)
// CHECK:         %[[SUM:.*]] = torch.aten.add.Tensor %[[X]]
// CHECK-NEXT:    return %[[SUM]], %[[N]]
func.func @plus_zero(%x: !torch.vtensor<[3],f32>, %n: !torch.vtensor<[3],si64>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],si64>) {
  %int1 = torch.constant.int 1
  %zero = torch.vtensor.literal(dense<0.0> : tensor<f32>) : !torch.vtensor<[],f32>
  %izero = torch.vtensor.literal(dense<0> : tensor<si64>) : !torch.vtensor<[],si64>
  %a = torch.aten.add.Tensor %x, %zero, %int1 : !torch.vtensor<[3],f32>, !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor<[3],f32>
  %b = torch.aten.add.Tensor %n, %izero, %int1 : !torch.vtensor<[3],si64>, !torch.vtensor<[],si64>, !torch.int -> !torch.vtensor<[3],si64>
  return %a, %b : !torch.vtensor<[3],f32>, !torch.vtensor<[3],si64>
}

// x - 0.0 is x, but x - (-0.0) is x + 0.0.
// CHECK-LABEL: func.func @minus_zero
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[3],f32>)
// CHECK:         %[[SUM:.*]] = torch.aten.sub.Tensor %[[X]]
// CHECK-NEXT:    return %[[X]], %[[SUM]]
func.func @minus_zero(%x: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) {
  %int1 = torch.constant.int 1
  %zero = torch.vtensor.literal(dense<0.0> : tensor<f32>) : !torch.vtensor<[],f32>
  %negative = torch.vtensor.literal(dense<-0.0> : tensor<f32>) : !torch.vtensor<[],f32>
  %a = torch.aten.sub.Tensor %x, %zero, %int1 : !torch.vtensor<[3],f32>, !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor<[3],f32>
  %b = torch.aten.sub.Tensor %x, %negative, %int1 : !torch.vtensor<[3],f32>, !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor<[3],f32>
  return %a, %b : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>
}

// f32 holds every f16; f16 does not hold every f32.
// CHECK-LABEL: func.func @convert_of_convert
// CHECK-SAME:    (%[[H:.*]]: !torch.vtensor<[3],f16>, %[[X:.*]]: !torch.vtensor<[3],f32>)
// CHECK:         %[[NARROW:.*]] = torch.prims.convert_element_type %[[X]]
// CHECK:         %[[BACK:.*]] = torch.prims.convert_element_type %[[NARROW]]
// CHECK:         return %[[H]], %[[BACK]]
func.func @convert_of_convert(%h: !torch.vtensor<[3],f16>, %x: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[3],f16>, !torch.vtensor<[3],f32>) {
  %f16 = torch.constant.int 5
  %f32 = torch.constant.int 6
  %a = torch.prims.convert_element_type %h, %f32 : !torch.vtensor<[3],f16>, !torch.int -> !torch.vtensor<[3],f32>
  %b = torch.prims.convert_element_type %a, %f16 : !torch.vtensor<[3],f32>, !torch.int -> !torch.vtensor<[3],f16>
  %c = torch.prims.convert_element_type %x, %f16 : !torch.vtensor<[3],f32>, !torch.int -> !torch.vtensor<[3],f16>
  %d = torch.prims.convert_element_type %c, %f32 : !torch.vtensor<[3],f16>, !torch.int -> !torch.vtensor<[3],f32>
  return %b, %d : !torch.vtensor<[3],f16>, !torch.vtensor<[3],f32>
}

// CHECK-LABEL: func.func @where_true
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[3],f32>, %{{.*}}: !torch.vtensor<[3],f32>)
// CHECK-NEXT:    return %[[X]]
func.func @where_true(%x: !torch.vtensor<[3],f32>, %y: !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32> {
  %true = torch.vtensor.literal(dense<true> : tensor<3xi1>) : !torch.vtensor<[3],i1>
  %a = torch.aten.where.self %true, %x, %y : !torch.vtensor<[3],i1>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32> -> !torch.vtensor<[3],f32>
  return %a : !torch.vtensor<[3],f32>
}
