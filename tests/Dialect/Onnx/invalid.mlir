// RUN: isthmus-opt %s --split-input-file --verify-diagnostics

func.func @absent_required(%x: tensor<2xf32>) {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @below {{expected operand 'B', got none}}
  %0 = "onnx.Add"(%x, %none) : (tensor<2xf32>, none) -> tensor<2xf32>
  return
}

// -----

func.func @operand_count(%x: tensor<2xf32>) {
  // expected-error @below {{expected 3 operands, but found 1}}
  %0 = "onnx.Clip"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @variadic_count() {
  // expected-error @below {{expected at least 1 operand, got 0}}
  %0 = "onnx.Concat"() {axis = 0 : si64} : () -> tensor<2xf32>
  return
}

// -----

func.func @mixed_types(%x: tensor<2xf32>, %y: tensor<2xi64>) {
  // expected-error @below {{operand 'B': expected the type of 'A', 'f32', got 'i64'}}
  %0 = "onnx.Add"(%x, %y) : (tensor<2xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @result_type(%x: tensor<2xf32>) {
  // expected-error @below {{result 'C': expected the type of 'A', 'f32', got 'f64'}}
  %0 = "onnx.Add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

func.func @dtype(%x: tensor<2xi1>) {
  // expected-error @below {{operand 'A': ONNX does not allow 'tensor<2xi1>'}}
  %0 = "onnx.Add"(%x, %x) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @missing_attribute(%x: tensor<2xf32>) {
  // expected-error @below {{requires attribute 'axis'}}
  %0 = "onnx.Concat"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @attribute_type(%x: tensor<2xf32>) {
  // expected-error @below {{attribute 'axis' failed to satisfy constraint: 64-bit signed integer attribute}}
  %0 = "onnx.Concat"(%x) {axis = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @constant_values() {
  // expected-error @below {{expected one value, got 2}}
  %0 = onnx.Constant {value_int = 2 : si64, value_float = 2.0 : f32} : tensor<i64>
  return
}

// -----

func.func @constant_type() {
  // expected-error @below {{expected a value of 'tensor<2xi64>', got 'tensor<i64>'}}
  %0 = onnx.Constant {value_int = 2 : si64} : tensor<2xi64>
  return
}

// -----

func.func @named_dtype(%x: tensor<2xf32>) {
  // expected-error @below {{result 'output': expected the type that 'to' names, f64, got 'f16'}}
  %0 = "onnx.Cast"(%x) {to = f64} : (tensor<2xf32>) -> tensor<2xf16>
  return
}

// -----

func.func @branch_with_parameters(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected a graph of 0 parameters, got 1}}
  %0 = "onnx.If"(%c) ({
  ^bb0(%p: tensor<2xf32>):
    onnx.Yield %p : tensor<2xf32>
  }, {
    onnx.Yield %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @branch_of_more(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected a graph of 1 output, got 2}}
  %0 = "onnx.If"(%c) ({
    onnx.Yield %x, %x : tensor<2xf32>, tensor<2xf32>
  }, {
    onnx.Yield %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @branch_of_another_dtype(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected output 0 of its graph to be of 'f32', got 'i1'}}
  %0 = "onnx.If"(%c) ({
    onnx.Yield %x : tensor<2xf32>
  }, {
    onnx.Yield %c : tensor<i1>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @branch_that_returns(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected a graph that ends in onnx.Yield, got onnx.Return}}
  %0 = "onnx.If"(%c) ({
    onnx.Return %x : tensor<2xf32>
  }, {
    onnx.Yield %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @body_without_parameters(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected a graph of 3 parameters, got 0}}
  %0 = "onnx.Loop"(%n, %c, %x) ({
    onnx.Yield %c, %x : tensor<i1>, tensor<2xf32>
  }) : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @body_that_counts_in_floats(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected parameter 0 of its graph to be of 'i64', got 'f32'}}
  %0 = "onnx.Loop"(%n, %c, %x) ({
  ^bb0(%i: tensor<f32>, %go: tensor<i1>, %s: tensor<2xf32>):
    onnx.Yield %go, %s : tensor<i1>, tensor<2xf32>
  }) : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @body_that_does_not_say_whether_to_go_on(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected a graph of 2 outputs, got 0}}
  %0 = "onnx.Loop"(%n, %c, %x) ({
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<2xf32>):
    onnx.Yield
  }) : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @scanned_by_nothing(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected a graph of 1 parameter, got 0}}
  %0 = "onnx.Scan"(%x) ({
    onnx.Yield
  }) {num_scan_inputs = 1 : si64} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @mapped_as_another_dtype(%s: !onnx.Seq<tensor<2xf32>>) -> !onnx.Seq<tensor<2xf32>> {
  // expected-error @below {{expected parameter 0 of its graph to be of 'f32', got 'i64'}}
  %0 = "onnx.SequenceMap"(%s) ({
  ^bb0(%e: tensor<2xi64>):
    onnx.Yield %e : tensor<2xi64>
  }) : (!onnx.Seq<tensor<2xf32>>) -> !onnx.Seq<tensor<2xf32>>
  return %0 : !onnx.Seq<tensor<2xf32>>
}

// -----

func.func @fewer_results(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected the results of the function, ('tensor<2xf32>'), got ()}}
  onnx.Return
}

// -----

func.func @yields(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected to end a graph of an onnx op, got 'func.func'}}
  onnx.Yield %x : tensor<2xf32>
}

// -----

func.func @optional_branch_of_a_tensor(%c: tensor<i1>, %x: tensor<2xf32>, %y: !onnx.Opt<tensor<2xf32>>) -> tensor<2xf32> {
  // expected-error @below {{expected output 0 of its graph to be of 'f32', got '!onnx.Opt<f32>'}}
  %0 = "onnx.If"(%c) ({
    onnx.Yield %x : tensor<2xf32>
  }, {
    onnx.Yield %y : !onnx.Opt<tensor<2xf32>>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @factors_of_axes(%x: tensor<2xf32>) {
  // expected-error @below {{expected factors of 1 axes, got 0}}
  %0 = "onnx.Sharding"(%x) {configuration = "a", tensor = "x", devices = [], axes = array<i64: 0>, factors = []} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @parts(%x: tensor<2xf32>) {
  // expected-error @below {{expected pairs of a size and a number of parts above 0, got array<i64: 2, 0>}}
  %0 = "onnx.Sharding"(%x) {configuration = "a", tensor = "x", devices = [], axes = array<i64: 0>, factors = [array<i64: 2, 0>]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @axes_of_a_mesh(%x: tensor<2xf32>) {
  // expected-error @below {{expected a mesh with axes of it for each of 0 axes, or none}}
  %0 = "onnx.Sharding"(%x) {configuration = "a", tensor = "x", devices = [], axes = array<i64>, factors = [], mesh = @a} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
