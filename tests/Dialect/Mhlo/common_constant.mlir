// REQUIRES: mhlo
// RUN: isthmus-opt %s --mhlo-to-stablehlo | FileCheck %s --implicit-check-not=mhlo.

// A constant with many users is still one constant afterwards, even for users in regions and in other dialects.

// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %[[C:.*]] = stablehlo.constant dense<2.0
// CHECK-NEXT:    %[[CAST:.*]] = tensor.cast %[[C]]
// CHECK-NEXT:    stablehlo.add %arg1, %[[C]]
// CHECK-COUNT-6: stablehlo.add %{{.*}}, %[[C]]
// CHECK:         stablehlo.while
// CHECK:           stablehlo.return
// CHECK-COUNT-8:   stablehlo.multiply %{{.*}}, %[[C]]
// CHECK:           stablehlo.return %{{.*}} : tensor<f32>
// CHECK:         return %[[CAST]], %{{.*}}, %[[C]]
func.func @main(%go: tensor<i1>, %x: tensor<f32>) -> (tensor<*xf32>, tensor<f32>, tensor<f32>) {
  %c = mhlo.constant dense<2.0> : tensor<f32>
  %cast = tensor.cast %c : tensor<f32> to tensor<*xf32>
  %0 = mhlo.add %x, %c : tensor<f32>
  %1 = mhlo.add %0, %c : tensor<f32>
  %2 = mhlo.add %1, %c : tensor<f32>
  %3 = mhlo.add %2, %c : tensor<f32>
  %4 = mhlo.add %3, %c : tensor<f32>
  %5 = mhlo.add %4, %c : tensor<f32>
  %6 = mhlo.add %5, %c : tensor<f32>
  %7 = "mhlo.while"(%6) ({
  ^bb0(%y: tensor<f32>):
    "mhlo.return"(%go) : (tensor<i1>) -> ()
  }, {
  ^bb0(%y: tensor<f32>):
    %8 = mhlo.multiply %y, %c : tensor<f32>
    %9 = mhlo.multiply %8, %c : tensor<f32>
    %10 = mhlo.multiply %9, %c : tensor<f32>
    %11 = mhlo.multiply %10, %c : tensor<f32>
    %12 = mhlo.multiply %11, %c : tensor<f32>
    %13 = mhlo.multiply %12, %c : tensor<f32>
    %14 = mhlo.multiply %13, %c : tensor<f32>
    %15 = mhlo.multiply %14, %c : tensor<f32>
    "mhlo.return"(%15) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> tensor<f32>
  return %cast, %7, %c : tensor<*xf32>, tensor<f32>, tensor<f32>
}
