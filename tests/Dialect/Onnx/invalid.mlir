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
