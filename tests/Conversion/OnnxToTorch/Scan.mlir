// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// A state is passed from step to step. Each step reads one slice of the scan
// input, without the scan axis, and writes one slice of the scan output.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[INIT:.*]]: !torch.vtensor<[2],f32>, %[[X:.*]]: !torch.vtensor<[?,2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[?,2],f32>)
// CHECK:         %[[N:.*]] = torch.aten.size.int %[[X]], %int0
// CHECK:         %[[Y:.*]]:2 = torch.prim.Loop %[[N]], %true, init(%[[INIT]], %{{.*}}) {
// CHECK:         ^bb0(%[[I:.*]]: !torch.int, %[[S:.*]]: !torch.vtensor<[2],f32>, %[[ALL:.*]]: !torch.vtensor<[?,2],f32>):
// CHECK:           %[[ROW:.*]] = torch.aten.select.int %[[X]], %int0, %[[I]] : {{.*}} -> !torch.vtensor<[2],f32>
// CHECK:           %[[T:.*]] = torch.aten.add.Tensor %[[S]], %[[ROW]]
// CHECK:           %[[PLACE:.*]] = torch.prim.NumToTensor.Scalar %[[I]]
// CHECK:           %[[PLACES:.*]] = torch.aten.unsqueeze %[[PLACE]], %int0
// CHECK:           %[[LIST:.*]] = torch.prim.ListConstruct %[[PLACES]]
// CHECK:           %[[SLICE:.*]] = torch.aten.unsqueeze %[[T]], %int0
// CHECK:           %[[MORE:.*]] = torch.aten.index_put %[[ALL]], %[[LIST]], %[[SLICE]]
// CHECK:           torch.prim.Loop.condition %true, iter(%[[T]], %[[MORE]] :
// CHECK:         return %[[Y]]#0, %[[Y]]#1
func.func @forward(%init: tensor<2xf32>, %x: tensor<?x2xf32>) -> (tensor<2xf32>, tensor<?x2xf32>) {
  %y:2 = "onnx.Scan"(%init, %x) ({
  ^bb0(%s: tensor<2xf32>, %row: tensor<2xf32>):
    %t = "onnx.Add"(%s, %row) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %t, %t : tensor<2xf32>, tensor<2xf32>
  }) {num_scan_inputs = 1 : si64} : (tensor<2xf32>, tensor<?x2xf32>) -> (tensor<2xf32>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<2xf32>, tensor<?x2xf32>
}

// -----

// The steps go from the last slice to the first, and the last output comes first.
// CHECK-LABEL: func.func @backward(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[?,2],f32>)
// CHECK:         %[[N:.*]] = torch.aten.size.int %[[X]], %int0
// CHECK:         %[[LAST:.*]] = torch.aten.sub.int %[[N]], %int1
// CHECK:         ^bb0(%[[I:.*]]: !torch.int, %[[ALL:.*]]: !torch.vtensor<[?,2],f32>):
// CHECK:           %[[PLACE:.*]] = torch.aten.sub.int %[[LAST]], %[[I]]
// CHECK:           torch.aten.select.int %[[X]], %int0, %[[PLACE]]
// CHECK:           %[[TENSOR:.*]] = torch.prim.NumToTensor.Scalar %[[PLACE]]
// CHECK:           %[[PLACES:.*]] = torch.aten.unsqueeze %[[TENSOR]], %int0
// CHECK:           %[[LIST:.*]] = torch.prim.ListConstruct %[[PLACES]]
// CHECK:           torch.aten.index_put %[[ALL]], %[[LIST]]
func.func @backward(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %y = "onnx.Scan"(%x) ({
  ^bb0(%row: tensor<2xf32>):
    %t = "onnx.Neg"(%row) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %t : tensor<2xf32>
  }) {num_scan_inputs = 1 : si64, scan_input_directions = [1], scan_output_directions = [1]}
      : (tensor<?x2xf32>) -> tensor<?x2xf32>
  onnx.Return %y : tensor<?x2xf32>
}

// -----

// Slices are taken along axis 1, and outputs are stacked along the last axis.
// CHECK-LABEL: func.func @axes(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[2,?,3],f32>) -> !torch.vtensor<[2,3,?],f32>
// CHECK:         %[[N:.*]] = torch.aten.size.int %[[X]], %int1
// CHECK:         torch.prim.Loop %[[N]], %true
// CHECK:           torch.aten.select.int %[[X]], %int1, %{{.*}} -> !torch.vtensor<[2,3],f32>
// CHECK:           torch.aten.index_put {{.*}} -> !torch.vtensor<[?,2,3],f32>
// CHECK:         torch.aten.permute {{.*}} -> !torch.vtensor<[2,3,?],f32>
func.func @axes(%x: tensor<2x?x3xf32>) -> tensor<2x3x?xf32> {
  %y = "onnx.Scan"(%x) ({
  ^bb0(%slice: tensor<2x3xf32>):
    %t = "onnx.Neg"(%slice) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    onnx.Yield %t : tensor<2x3xf32>
  }) {num_scan_inputs = 1 : si64, scan_input_axes = [1], scan_output_axes = [-1]}
      : (tensor<2x?x3xf32>) -> tensor<2x3x?xf32>
  onnx.Return %y : tensor<2x3x?xf32>
}

// -----

// Several scan inputs are read together. A known and small number of steps
// becomes straight-line code.
// CHECK-LABEL: func.func @two_inputs(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[2,3],f32>, %[[Y:.*]]: !torch.vtensor<[2,3],f32>)
// CHECK-NOT:     torch.prim.Loop
// CHECK:         %[[X0:.*]] = torch.aten.select.int %[[X]], %int0, %int0
// CHECK:         %[[Y1:.*]] = torch.aten.select.int %[[Y]], %int0, %int1
// CHECK:         torch.aten.mul.Tensor %[[X0]], %[[Y1]]
// CHECK:         %[[X1:.*]] = torch.aten.select.int %[[X]], %int0, %int1
// CHECK:         %[[Y0:.*]] = torch.aten.select.int %[[Y]], %int0, %int0
// CHECK:         torch.aten.mul.Tensor %[[X1]], %[[Y0]]
func.func @two_inputs(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "onnx.Scan"(%x, %y) ({
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %t = "onnx.Mul"(%a, %b) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield %t : tensor<3xf32>
  }) {num_scan_inputs = 2 : si64, scan_input_directions = [0, 1]}
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  onnx.Return %r : tensor<2x3xf32>
}

// -----

func.func @too_many_inputs(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.Scan': expected num_scan_inputs between 1 and 1, got 2}}
  %y = "onnx.Scan"(%x) ({
  ^bb0(%row: tensor<2xf32>):
    onnx.Yield %row : tensor<2xf32>
  }) {num_scan_inputs = 2 : si64} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  onnx.Return %y : tensor<?x2xf32>
}

// -----

func.func @too_many_axes(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.Scan': expected 1 axes and directions, got 2}}
  %y = "onnx.Scan"(%x) ({
  ^bb0(%row: tensor<2xf32>):
    onnx.Yield %row : tensor<2xf32>
  }) {num_scan_inputs = 1 : si64, scan_input_axes = [0, 0]} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  onnx.Return %y : tensor<?x2xf32>
}

// -----

func.func @axis_out_of_range(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.Scan': expected an axis in [-2, 1], got 2}}
  %y = "onnx.Scan"(%x) ({
  ^bb0(%row: tensor<2xf32>):
    onnx.Yield %row : tensor<2xf32>
  }) {num_scan_inputs = 1 : si64, scan_input_axes = [2]} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  onnx.Return %y : tensor<?x2xf32>
}

// -----

func.func @lengths_that_differ(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.Scan': expected scan inputs of one length, got 2 and 4}}
  %r = "onnx.Scan"(%x, %y) ({
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %t = "onnx.Mul"(%a, %b) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield %t : tensor<3xf32>
  }) {num_scan_inputs = 2 : si64} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  onnx.Return %r : tensor<2x3xf32>
}
