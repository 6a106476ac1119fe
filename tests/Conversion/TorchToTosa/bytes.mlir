// RUN: isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file | FileCheck %s

// A known zero point becomes the zero point of the op.
// CHECK-LABEL: func.func @zero_point(
// CHECK-SAME:    %[[X:.*]]: tensor<1x4x8x3xi8>, %[[W:.*]]: tensor<4x4x1x1xi8>)
// CHECK-DAG:     %[[XZ:.*]] = "tosa.const"() <{values = dense<5> : tensor<1xi8>}>
// CHECK-DAG:     %[[WZ:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}>
// CHECK-DAG:     %[[XL:.*]] = tosa.transpose %[[X]] {{.*}} -> tensor<1x8x3x4xi8>
// CHECK-DAG:     %[[WL:.*]] = tosa.transpose %[[W]]
// CHECK:         tosa.conv2d %[[XL]], %[[WL]], %{{.*}}, %[[XZ]], %[[WZ]] {acc_type = i32, {{.*}} -> tensor<1x8x3x4xi32>
func.func @zero_point(%x: !torch.vtensor<[1,4,8,3],si8>, %w: !torch.vtensor<[4,4,1,1],si8>) -> !torch.vtensor<[1,4,8,3],si32> {
  %int3 = torch.constant.int 3
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %false = torch.constant.bool false
  %zeros = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %five = torch.vtensor.literal(dense<5> : tensor<si32>) : !torch.vtensor<[],si32>
  %wide = torch.prims.convert_element_type %x, %int3 : !torch.vtensor<[1,4,8,3],si8>, !torch.int -> !torch.vtensor<[1,4,8,3],si32>
  %centred = torch.aten.sub.Tensor %wide, %five, %int1 : !torch.vtensor<[1,4,8,3],si32>, !torch.vtensor<[],si32>, !torch.int -> !torch.vtensor<[1,4,8,3],si32>
  %filter = torch.prims.convert_element_type %w, %int3 : !torch.vtensor<[4,4,1,1],si8>, !torch.int -> !torch.vtensor<[4,4,1,1],si32>
  %r = torch.aten.convolution %centred, %filter, %none, %ones, %zeros, %ones, %false, %zeros, %int1
      : !torch.vtensor<[1,4,8,3],si32>, !torch.vtensor<[4,4,1,1],si32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,4,8,3],si32>
  return %r : !torch.vtensor<[1,4,8,3],si32>
}

// -----

// x - 99 = (x - 128) + 29, whatever type holds the unsigned bytes.
// CHECK-LABEL: func.func @unsigned(
// CHECK:         %[[SHIFT:.*]] = "tosa.const"() <{values = dense<128> : tensor<1x1x1xi32>}>
// CHECK:         %[[LESS:.*]] = tosa.sub %{{.*}}, %[[SHIFT]]
// CHECK:         %[[BYTES:.*]] = tosa.cast %[[LESS]] : (tensor<2x3x4xi32>) -> tensor<2x3x4xi8>
// CHECK:         %[[XZ:.*]] = "tosa.const"() <{values = dense<-29> : tensor<1xi8>}>
// CHECK:         tosa.matmul %[[BYTES]], %{{.*}}, %[[XZ]], %{{.*}} -> tensor<2x3x5xi32>
func.func @unsigned(%f: !torch.vtensor<[2,3,4],f32>, %y: !torch.vtensor<[2,4,5],si8>) -> !torch.vtensor<[2,3,5],si32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int3 = torch.constant.int 3
  %x = torch.prims.convert_element_type %f, %int0 : !torch.vtensor<[2,3,4],f32>, !torch.int -> !torch.vtensor<[2,3,4],ui8>
  %zero = torch.vtensor.literal(dense<99> : tensor<si32>) : !torch.vtensor<[],si32>
  %wide = torch.prims.convert_element_type %x, %int3 : !torch.vtensor<[2,3,4],ui8>, !torch.int -> !torch.vtensor<[2,3,4],si32>
  %centred = torch.aten.sub.Tensor %wide, %zero, %int1 : !torch.vtensor<[2,3,4],si32>, !torch.vtensor<[],si32>, !torch.int -> !torch.vtensor<[2,3,4],si32>
  %other = torch.prims.convert_element_type %y, %int3 : !torch.vtensor<[2,4,5],si8>, !torch.int -> !torch.vtensor<[2,4,5],si32>
  %r = torch.aten.bmm %centred, %other : !torch.vtensor<[2,3,4],si32>, !torch.vtensor<[2,4,5],si32> -> !torch.vtensor<[2,3,5],si32>
  return %r : !torch.vtensor<[2,3,5],si32>
}

// -----

// The difference of two bytes has 9 bits, so it is split into a sum of two bytes.
// CHECK-LABEL: func.func @run_time_zero_point(
// CHECK:         %[[X:.*]] = tosa.sub
// CHECK:         %[[LOW:.*]] = tosa.minimum %[[X]]
// CHECK:         %[[REST:.*]] = tosa.sub %[[X]], %[[LOW]]
// CHECK:         %[[FIRST:.*]] = tosa.matmul {{.*}} -> tensor<2x3x5xi32>
// CHECK:         %[[SECOND:.*]] = tosa.matmul {{.*}} -> tensor<2x3x5xi32>
// CHECK:         tosa.add %[[FIRST]], %[[SECOND]]
func.func @run_time_zero_point(%x: !torch.vtensor<[2,3,4],si8>, %zero: !torch.vtensor<[],si8>, %y: !torch.vtensor<[2,4,5],si8>) -> !torch.vtensor<[2,3,5],si32> {
  %int1 = torch.constant.int 1
  %int3 = torch.constant.int 3
  %wide = torch.prims.convert_element_type %x, %int3 : !torch.vtensor<[2,3,4],si8>, !torch.int -> !torch.vtensor<[2,3,4],si32>
  %point = torch.prims.convert_element_type %zero, %int3 : !torch.vtensor<[],si8>, !torch.int -> !torch.vtensor<[],si32>
  %centred = torch.aten.sub.Tensor %wide, %point, %int1 : !torch.vtensor<[2,3,4],si32>, !torch.vtensor<[],si32>, !torch.int -> !torch.vtensor<[2,3,4],si32>
  %other = torch.prims.convert_element_type %y, %int3 : !torch.vtensor<[2,4,5],si8>, !torch.int -> !torch.vtensor<[2,4,5],si32>
  %r = torch.aten.bmm %centred, %other : !torch.vtensor<[2,3,4],si32>, !torch.vtensor<[2,4,5],si32> -> !torch.vtensor<[2,3,5],si32>
  return %r : !torch.vtensor<[2,3,5],si32>
}

// -----

// Integers of unknown range are multiplied one by one.
// CHECK-LABEL: func.func @any_integers(
// CHECK-NOT:     tosa.matmul
// CHECK:         tosa.mul
// CHECK:         tosa.reduce_sum
func.func @any_integers(%x: !torch.vtensor<[2,3,4],si32>, %y: !torch.vtensor<[2,4,5],si32>) -> !torch.vtensor<[2,3,5],si32> {
  %r = torch.aten.bmm %x, %y : !torch.vtensor<[2,3,4],si32>, !torch.vtensor<[2,4,5],si32> -> !torch.vtensor<[2,3,5],si32>
  return %r : !torch.vtensor<[2,3,5],si32>
}

// -----

// CHECK-LABEL: func.func @maximum(
// CHECK-SAME:    %[[X:.*]]: tensor<1x1x4x4xi32>
// CHECK:         %[[LESS:.*]] = tosa.sub %[[X]]
// CHECK:         %[[BYTES:.*]] = tosa.cast %[[LESS]] : {{.*}} -> tensor<1x1x4x4xi8>
// CHECK:         %[[MAX:.*]] = tosa.max_pool2d {{.*}} -> tensor<1x3x3x1xi8>
// CHECK:         %[[BACK:.*]] = tosa.cast {{.*}} -> tensor<1x1x3x3xi32>
// CHECK:         tosa.add %[[BACK]]
func.func @maximum(%x: !torch.vtensor<[1,1,4,4],ui8>) -> !torch.vtensor<[1,1,3,3],ui8> {
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %kernel = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.max_pool2d %x, %kernel, %ones, %zeros, %ones, %false
      : !torch.vtensor<[1,1,4,4],ui8>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,1,3,3],ui8>
  return %r : !torch.vtensor<[1,1,3,3],ui8>
}

// -----

// An argument of unsigned bytes is padded with its zero point.
// CHECK-LABEL: func.func @padded_argument(
// CHECK:         tosa.pad
// CHECK:         tosa.cast {{.*}} -> tensor<5x4xi8>
// CHECK:         %[[XZ:.*]] = "tosa.const"() <{values = dense<-29> : tensor<1xi8>}>
// CHECK:         tosa.conv2d %{{.*}}, %{{.*}}, %{{.*}}, %[[XZ]], %{{.*}} {acc_type = i32
func.func @padded_argument(%x: !torch.vtensor<[1,1,4,4],ui8>, %w: !torch.vtensor<[2,1,2,2],si8>) -> !torch.vtensor<[1,2,4,3],si32> {
  %int3 = torch.constant.int 3
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %false = torch.constant.bool false
  %zeros = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %pads = torch.prim.ListConstruct %int0, %int0, %int0, %int1 : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %zero = torch.vtensor.literal(dense<99> : tensor<si32>) : !torch.vtensor<[],si32>
  %wide = torch.prims.convert_element_type %x, %int3 : !torch.vtensor<[1,1,4,4],ui8>, !torch.int -> !torch.vtensor<[1,1,4,4],si32>
  %centred = torch.aten.sub.Tensor %wide, %zero, %int1 : !torch.vtensor<[1,1,4,4],si32>, !torch.vtensor<[],si32>, !torch.int -> !torch.vtensor<[1,1,4,4],si32>
  %padded = torch.aten.constant_pad_nd %centred, %pads, %int0 : !torch.vtensor<[1,1,4,4],si32>, !torch.list<int>, !torch.int -> !torch.vtensor<[1,1,5,4],si32>
  %filter = torch.prims.convert_element_type %w, %int3 : !torch.vtensor<[2,1,2,2],si8>, !torch.int -> !torch.vtensor<[2,1,2,2],si32>
  %r = torch.aten.convolution %padded, %filter, %none, %ones, %zeros, %ones, %false, %zeros, %int1
      : !torch.vtensor<[1,1,5,4],si32>, !torch.vtensor<[2,1,2,2],si32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,2,4,3],si32>
  return %r : !torch.vtensor<[1,2,4,3],si32>
}
