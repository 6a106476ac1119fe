// REQUIRES: mhlo
// RUN: isthmus-opt %s | isthmus-opt | FileCheck %s

// CHECK: sdy.mesh @two = <["data"=2, "model"=4]>
sdy.mesh @two = <["data"=2, "model"=4]>
// CHECK: sdy.mesh @reversed = <["x"=3], device_ids=[2, 1, 0]>
sdy.mesh @reversed = <["x"=3], device_ids=[2, 1, 0]>
// CHECK: sdy.mesh @"a name" = <[]>
sdy.mesh @"a name" = <[]>

// CHECK: func.func @main(%[[X:.*]]: tensor<16x?xf32> {sdy.sharding = #sdy.sharding<@two, [{}, {"data"}]>})
func.func @main(%x: tensor<16x?xf32> {sdy.sharding = #sdy.sharding<@two, [{}, {"data"}]>}) -> tensor<16x?xf32> {
  // CHECK: sdy.sharding_constraint %[[X]] <@two, [{"model", "data"}, {}]> : tensor<16x?xf32>
  %0 = sdy.sharding_constraint %x <@two, [{"model", "data"}, {}]> : tensor<16x?xf32>
  return %0 : tensor<16x?xf32>
}

// CHECK: sdy.sharding_constraint %{{.*}} <@two, []> : tensor<f32>
func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  %0 = sdy.sharding_constraint %x <@two, []> : tensor<f32>
  return %0 : tensor<f32>
}
