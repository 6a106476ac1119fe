// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics

// A function is a graph if it has nodes and nothing else.

// expected-error @below {{expected a graph of one block, got 2}}
func.func @blocks(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "onnx.Neg"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  cf.br ^end
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
  // expected-error @below {{expected an op of the onnx dialect, got 'scf.if'}}
  %0 = scf.if %c -> tensor<2xf32> {
    %1 = "onnx.Neg"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}
