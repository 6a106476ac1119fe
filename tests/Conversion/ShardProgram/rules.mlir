// REQUIRES: mhlo
// RUN: isthmus-opt %s --shard-program='mesh=data=2,model=4 sharding={*.w=model,*},{x=data+model},{y=data}' | FileCheck %s

// RUN: isthmus-opt %s --shard-program='mesh=data=2,model=4 sharding={*.w=model,*},{x=data+model},{y=data}' --shard-program=is-whole | FileCheck %s --check-prefix=WHOLE

// WHOLE-NOT: sdy.mesh
// WHOLE: func.func @main(%{{.*}}: tensor<16x4xf32> {onnx.name = "x"})

// CHECK: sdy.mesh @mesh = <["data"=2, "model"=4]>
// CHECK: func.func @main(%[[X:.*]]: tensor<16x4xf32> {onnx.name = "x", sdy.sharding = #sdy.sharding<@mesh, [{"data", "model"}, {}]>}
// CHECK-SAME: -> (tensor<16x4xf32> {onnx.name = "y", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
func.func @main(%x: tensor<16x4xf32> {onnx.name = "x"}) -> (tensor<16x4xf32> {onnx.name = "y"}) {
  // CHECK: %[[W:.*]] = stablehlo.constant
  // CHECK: %[[SPLIT:.*]] = sdy.sharding_constraint %[[W]] <@mesh, [{"model"}, {}]>
  // CHECK: stablehlo.add %[[X]], %[[SPLIT]]
  %w = stablehlo.constant dense<1.0> : tensor<16x4xf32> loc(#weight)
  %0 = "stablehlo.add"(%x, %w) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}
#file = loc("model.onnx":0:0)
#name = loc("block.0.w"(#file))
#weight = loc(fused<"weight">[#name])
