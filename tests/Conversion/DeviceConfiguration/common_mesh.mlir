// REQUIRES: onnx
// RUN: isthmus-opt %s --split-input-file --apply-device-configuration=name=a | FileCheck %s
// RUN: isthmus-opt %s --split-input-file --apply-device-configuration=name=a --apply-device-configuration | FileCheck %s
// RUN: isthmus-opt %s --split-input-file --apply-device-configuration 2>/dev/null | FileCheck %s --check-prefix=NONE
// RUN: isthmus-opt %s --split-input-file --apply-device-configuration 2>&1 >/dev/null | FileCheck %s --check-prefix=WARNING

// Rows over pairs of neighbours, and columns over every other device: two axes.
// CHECK: module {
// CHECK: sdy.mesh @a = <["d0"=2, "d1"=2]>
// CHECK-LABEL: func @two_axes
// WARNING: warning: the program is for one device: its shardings for device configuration 'a', 'b' are left out
module attributes {onnx.device_configurations = {a = {devices = 4}, b = {devices = 2}}} {
  func.func @two_axes(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    // CHECK: "onnx.Sharding"(%arg0) {{.*}}mesh = @a, mesh_axes = {{\[}}["d0"]]
    %0 = "onnx.Sharding"(%x) {configuration = "a", tensor = "x", devices = [array<i64: 0, 1>, array<i64: 2, 3>],
        axes = array<i64: 0>, factors = [array<i64: -1, 2>]} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // CHECK: "onnx.Sharding"(%arg0) {{.*}}mesh = @a, mesh_axes = {{\[}}["d1"]]
    %1 = "onnx.Sharding"(%x) {configuration = "a", tensor = "x", devices = [array<i64: 0, 2>, array<i64: 1, 3>],
        axes = array<i64: 1>, factors = [array<i64: -1, 2>]} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // Another configuration's is left out.
    // CHECK-NOT: onnx.Sharding
    // NONE-NOT: onnx.Sharding
    // NONE: onnx.Return %arg0, %arg0
    %2 = "onnx.Sharding"(%1) {configuration = "b", tensor = "x", devices = [array<i64: 0>, array<i64: 1>],
        axes = array<i64: 0>, factors = [array<i64: -1, 2>]} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    onnx.Return %0, %2 : tensor<4x4xf32>, tensor<4x4xf32>
  }
}

// -----

// The order of the parts is that of the axes: the minor axis varies slowest.
// CHECK: sdy.mesh @a = <["d0"=2, "d1"=3]>
// CHECK-LABEL: func @order_of_axes
module attributes {onnx.device_configurations = {a = {devices = 6}}} {
  func.func @order_of_axes(%x: tensor<6xf32>) -> tensor<6xf32> {
    // CHECK: mesh_axes = {{\[}}["d1", "d0"]]
    %0 = "onnx.Sharding"(%x) {configuration = "a", tensor = "x",
        devices = [array<i64: 0>, array<i64: 3>, array<i64: 1>, array<i64: 4>, array<i64: 2>, array<i64: 5>],
        axes = array<i64: 0>, factors = [array<i64: -1, 6>]} : (tensor<6xf32>) -> tensor<6xf32>
    onnx.Return %0 : tensor<6xf32>
  }
}

// -----

// No axes have this order of devices, so the mesh has it.
// CHECK: sdy.mesh @a = <["d0"=4], device_ids=[0, 3, 1, 2]>
// CHECK-LABEL: func @order_of_devices
module attributes {onnx.device_configurations = {a = {devices = 4}}} {
  func.func @order_of_devices(%x: tensor<4xf32>) -> tensor<4xf32> {
    // CHECK: mesh_axes = {{\[}}["d0"]]
    %0 = "onnx.Sharding"(%x) {configuration = "a", tensor = "x",
        devices = [array<i64: 0>, array<i64: 3>, array<i64: 1>, array<i64: 2>],
        axes = array<i64: 0>, factors = [array<i64: -1, 4>]} : (tensor<4xf32>) -> tensor<4xf32>
    onnx.Return %0 : tensor<4xf32>
  }
}

// -----

// An axis that was made of two: all parts of the first, some of the second.
// CHECK: sdy.mesh @a = <["d0"=4]>
// CHECK-LABEL: func @factors
module attributes {onnx.device_configurations = {a = {devices = 4}}} {
  func.func @factors(%x: tensor<8xf32>) -> tensor<8xf32> {
    // CHECK: mesh_axes = {{\[}}["d0"]]
    %0 = "onnx.Sharding"(%x) {configuration = "a", tensor = "x",
        devices = [array<i64: 0>, array<i64: 1>, array<i64: 2>, array<i64: 3>],
        axes = array<i64: 0>, factors = [array<i64: 2, 2, 4, 2>]} : (tensor<8xf32>) -> tensor<8xf32>
    onnx.Return %0 : tensor<8xf32>
  }
}

// -----

// One device; sizes that all devices have whole need no constraint.
// CHECK: sdy.mesh @a_0 = <["d0"=1]>
// CHECK-LABEL: func @a
module attributes {onnx.device_configurations = {a = {devices = 1}}} {
  func.func @a(%x: tensor<4xf32>, %n: tensor<2xi64>) -> (tensor<4xf32>, tensor<2xi64>) {
    // CHECK: onnx.Sharding
    // CHECK-NOT: onnx.Sharding
    %0 = "onnx.Sharding"(%x) {configuration = "a", tensor = "x", devices = [array<i64: 0>],
        axes = array<i64>, factors = []} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "onnx.Sharding"(%n) {configuration = "a", tensor = "n", devices = [array<i64: 0>],
        axes = array<i64>, factors = []} : (tensor<2xi64>) -> tensor<2xi64>
    onnx.Return %0, %1 : tensor<4xf32>, tensor<2xi64>
  }
}

// -----

// The devices in the order of both placements: neither alone says it.
// CHECK: sdy.mesh @a = <["d0"=2, "d1"=2], device_ids=[2, 3, 1, 0]>
// CHECK-LABEL: func @ring
module attributes {onnx.device_configurations = {a = {devices = 4}}} {
  func.func @ring(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    // CHECK: mesh_axes = {{\[}}["d0"]]
    %0 = "onnx.Sharding"(%x) {configuration = "a", tensor = "x", devices = [array<i64: 2, 3>, array<i64: 0, 1>],
        axes = array<i64: 0>, factors = [array<i64: -1, 2>]} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // CHECK: mesh_axes = {{\[}}[], ["d1"]]
    %1 = "onnx.Sharding"(%0) {configuration = "a", tensor = "x", devices = [array<i64: 1, 2>, array<i64: 0, 3>],
        axes = array<i64: 0, 1>, factors = [array<i64: -1, 1>, array<i64: -1, 2>]} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    onnx.Return %1 : tensor<4x4xf32>
  }
}
