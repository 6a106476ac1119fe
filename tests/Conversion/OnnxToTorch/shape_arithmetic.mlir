// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline | FileCheck %s

// Sizes become ints: no tensor of sizes is left, and static sizes are folded.

// CHECK-LABEL: func.func @flatten_all_but_last(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[?,3,4],f32>) -> !torch.vtensor<[?,4],f32>
// CHECK:         %[[N:.*]] = torch.aten.size.int %[[X]], %int0
// CHECK:         %[[M:.*]] = torch.aten.mul.int %[[N]], %int3
// CHECK:         %[[SIZES:.*]] = torch.prim.ListConstruct %[[M]], %int4
// CHECK:         torch.aten.view %[[X]], %[[SIZES]]
// CHECK-NOT:     vtensor.literal
func.func @flatten_all_but_last(%x: tensor<?x3x4xf32>) -> tensor<?x4xf32> {
  %shape = "onnx.Shape"(%x) : (tensor<?x3x4xf32>) -> tensor<3xi64>
  %zero = onnx.Constant dense<0> : tensor<i64>
  %one = onnx.Constant dense<1> : tensor<i64>
  %axes = onnx.Constant dense<0> : tensor<1xi64>
  %last = onnx.Constant dense<4> : tensor<1xi64>
  %n = "onnx.Gather"(%shape, %zero) {axis = 0 : si64} : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %m = "onnx.Gather"(%shape, %one) {axis = 0 : si64} : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %rows = "onnx.Mul"(%n, %m) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %rows1 = "onnx.Unsqueeze"(%rows, %axes) : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
  %sizes = "onnx.Concat"(%rows1, %last) {axis = 0 : si64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = "onnx.Reshape"(%x, %sizes) : (tensor<?x3x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  onnx.Return %y : tensor<?x?xf32>
}

// F.pad of PyTorch: pairs from the last dim to the first become befores, then afters.

// CHECK-LABEL: func.func @pairs_of_pads(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[?,3],f32>)
// CHECK-DAG:     %[[N:.*]] = torch.aten.size.int %[[X]], %int0
// CHECK-DAG:     %[[PADS:.*]] = torch.prim.ListConstruct %int1, %[[N]], %int0, %int2
// CHECK:         torch.aten.constant_pad_nd %[[X]], %[[PADS]]
func.func @pairs_of_pads(%x: tensor<?x3xf32>) -> tensor<?x?xf32> {
  %first = onnx.Constant dense<[1]> : tensor<1xi64>
  %last = onnx.Constant dense<[0, 2]> : tensor<2xi64>
  %pairs = onnx.Constant dense<[-1, 2]> : tensor<2xi64>
  %list = onnx.Constant dense<[-1]> : tensor<1xi64>
  %least = onnx.Constant dense<[-9223372036854775807]> : tensor<1xi64>
  %rows = onnx.Constant dense<[0]> : tensor<1xi64>
  %n = "onnx.Shape"(%x) {start = 0 : si64, end = 1 : si64} : (tensor<?x3xf32>) -> tensor<1xi64>
  %pads = "onnx.Concat"(%first, %n, %last) {axis = 0 : si64} : (tensor<1xi64>, tensor<1xi64>, tensor<2xi64>) -> tensor<4xi64>
  %matrix = "onnx.Reshape"(%pads, %pairs) : (tensor<4xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  %reversed = "onnx.Slice"(%matrix, %list, %least, %rows, %list) : (tensor<2x2xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2xi64>
  %turned = "onnx.Transpose"(%reversed) {perm = [1, 0]} : (tensor<2x2xi64>) -> tensor<2x2xi64>
  %flat = "onnx.Reshape"(%turned, %list) : (tensor<2x2xi64>, tensor<1xi64>) -> tensor<4xi64>
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.Pad"(%x, %flat, %none, %none) : (tensor<?x3xf32>, tensor<4xi64>, none, none) -> tensor<?x?xf32>
  onnx.Return %y : tensor<?x?xf32>
}

// A quotient of what may be negative is rounded towards zero: with x = n - 400, of max(x, 0) less that of max(x, 0) - x.

// CHECK-LABEL: func.func @frames(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[?,2],f32>)
// CHECK:         %[[N:.*]] = torch.aten.size.int %[[X]], %int0
// CHECK:         %[[REST:.*]] = torch.aten.sub.int %[[N]], %int400
// CHECK:         %[[ABOVE:.*]] = torch.prim.max.int %[[REST]], %int0
// CHECK:         %[[BELOW:.*]] = torch.aten.sub.int %[[ABOVE]], %[[REST]]
// CHECK:         %[[P:.*]] = torch.aten.floordiv.int %[[ABOVE]], %int160
// CHECK:         %[[Q:.*]] = torch.aten.floordiv.int %[[BELOW]], %int160
// CHECK:         %[[FRAMES:.*]] = torch.aten.sub.int %[[P]], %[[Q]]
// CHECK:         %[[SIZES:.*]] = torch.prim.ListConstruct %[[FRAMES]], %int2
// CHECK:         torch.aten.full %[[SIZES]]
func.func @frames(%x: tensor<?x2xf32>) -> tensor<?x?xf32> {
  %one = onnx.Constant dense<1> : tensor<2xi64>
  %length = onnx.Constant dense<400> : tensor<1xi64>
  %step = onnx.Constant dense<160> : tensor<1xi64>
  %sizes = "onnx.Shape"(%x) : (tensor<?x2xf32>) -> tensor<2xi64>
  %n, %m = "onnx.Split"(%sizes, %one) {axis = 0 : si64} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<1xi64>, tensor<1xi64>)
  %rest = "onnx.Sub"(%n, %length) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %frames = "onnx.Div"(%rest, %step) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %shape = "onnx.Concat"(%frames, %m) {axis = 0 : si64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = "onnx.ConstantOfShape"(%shape) {value = dense<1.0> : tensor<1xf32>} : (tensor<2xi64>) -> tensor<?x?xf32>
  onnx.Return %y : tensor<?x?xf32>
}
