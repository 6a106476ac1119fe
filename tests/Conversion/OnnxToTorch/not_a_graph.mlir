// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics \
// RUN:   --allow-unregistered-dialect

// A function is a graph if it has nodes and nothing else.

// expected-error @below {{expected a graph of one block, got 2}}
func.func @blocks(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "onnx.Neg"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  "other.br"()[^end] : () -> ()
^end:
  return %0 : tensor<2xf32>
}

// -----

func.func private @other(%x: tensor<2xf32>) -> tensor<2xf32>
func.func @call(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected an op of the onnx dialect, got 'func.call'}}
  %0 = func.call @other(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "onnx.Neg"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @nodes_in_regions(%c: i1, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected an op of the onnx dialect, got 'other.if'}}
  %0 = "other.if"(%c) ({
    %1 = "onnx.Neg"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    "other.yield"(%1) : (tensor<2xf32>) -> ()
  }, {
    "other.yield"(%x) : (tensor<2xf32>) -> ()
  }) : (i1) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
