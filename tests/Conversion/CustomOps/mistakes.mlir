// REQUIRES: tosa, mhlo, linalg
// RUN: isthmus-opt %s --raise-custom-ops --split-input-file --verify-diagnostics

// Custom ops of other tools, and custom ops that violate the contract.

func.func @foreign(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tosa.custom %x {domain_name = "acme", operator_name = "thing", implementation_attrs = "a = 1"} : (tensor<4xf32>) -> tensor<4xf32>
  %z = "mhlo.custom_call"(%y) <{call_target_name = "thing", backend_config = "a = 1"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

func.func @no_json(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu': expected JSON, got [1:1, byte=1]: Invalid JSON value}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "alpha=1"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @no_object(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu': expected a JSON object}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "[]"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @deep(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu': expected JSON, got byte 64: expected JSON nested at most 64 deep, got more}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @no_version(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu': expected version 1 of its attributes, got none}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22arguments\22:[]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @other_version(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu': expected version 1 of its attributes, got 2; was it written by another release?}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:2,\22arguments\22:[]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @no_arguments(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu': expected a list 'arguments'}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @no_results(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu': expected a list 'results'}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[{\22type\22:\22vtensor\22,\22value\22:{\22operand\22:0,\22dtype\22:\22f32\22}}]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @argument_is_no_object(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu', argument 0: expected an object}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[3],\22results\22:[{\22type\22:\22vtensor\22,\22dtype\22:\22f32\22}]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @no_type(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu', argument 0: expected a 'type' of the torch dialect, such as "list<int>"}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[{\22value\22:1}],\22results\22:[{\22type\22:\22vtensor\22,\22dtype\22:\22f32\22}]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @unknown_type(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu', argument 0: expected a 'type' of the torch dialect, such as "list<int>", got "integer"}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[{\22type\22:\22integer\22,\22value\22:1}],\22results\22:[{\22type\22:\22vtensor\22,\22dtype\22:\22f32\22}]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @uncarried_type(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu', argument 0: expected a type that custom ops carry, got '!torch.Generator'}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[{\22type\22:\22Generator\22,\22value\22:1}],\22results\22:[{\22type\22:\22vtensor\22,\22dtype\22:\22f32\22}]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @no_value(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu', argument 0: expected a 'value', got none}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[{\22type\22:\22int\22}],\22results\22:[{\22type\22:\22vtensor\22,\22dtype\22:\22f32\22}]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @wrong_value(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu', argument 0: expected a value of type '!torch.int', got "one"}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[{\22type\22:\22int\22,\22value\22:\22one\22}],\22results\22:[{\22type\22:\22vtensor\22,\22dtype\22:\22f32\22}]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @wrong_element(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu', argument 0: expected a value of type '!torch.bool', got 1}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[{\22type\22:\22list<bool>\22,\22value\22:[true,1]}],\22results\22:[{\22type\22:\22vtensor\22,\22dtype\22:\22f32\22}]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @no_such_operand(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu', argument 0: expected 'operand' to be one of 1 operands}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[{\22type\22:\22vtensor\22,\22value\22:{\22operand\22:1,\22dtype\22:\22f32\22}}],\22results\22:[{\22type\22:\22vtensor\22,\22dtype\22:\22f32\22}]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @no_dtype(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu', argument 0: expected a 'dtype' such as "f32" or "si64"}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[{\22type\22:\22vtensor\22,\22value\22:{\22operand\22:0}}],\22results\22:[{\22type\22:\22vtensor\22,\22dtype\22:\22f32\22}]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @wrong_dtype(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu', argument 0: expected a 'dtype' such as "f32" or "si64", got "float32"}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[{\22type\22:\22vtensor\22,\22value\22:{\22operand\22:0,\22dtype\22:\22float32\22}}],\22results\22:[{\22type\22:\22vtensor\22,\22dtype\22:\22f32\22}]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @no_number(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu', argument 0: expected an operand that holds a '!torch.int', got 'tensor<4xf32>'}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[{\22type\22:\22int\22,\22value\22:{\22operand\22:0}}],\22results\22:[{\22type\22:\22vtensor\22,\22dtype\22:\22f32\22}]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @no_constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu', argument 0: expected a constant of at most 65536 integers as operand, got 'tensor<4xf32>'}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[{\22type\22:\22list<int>\22,\22value\22:{\22operand\22:0}}],\22results\22:[{\22type\22:\22vtensor\22,\22dtype\22:\22f32\22}]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @long_list(%x: tensor<4xf32>) -> tensor<4xf32> {
  %list = arith.constant dense<1> : tensor<1000000000xi64>
  // expected-error @below {{custom op 'torch.aten.relu', argument 0: expected a constant of at most 65536 integers as operand, got 'tensor<1000000000xi64>'}}
  %y = tosa.custom %list {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[{\22type\22:\22list<int>\22,\22value\22:{\22operand\22:0}}],\22results\22:[{\22type\22:\22vtensor\22,\22dtype\22:\22f32\22}]}"} : (tensor<1000000000xi64>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @complex_number(%x: tensor<4xf32>) -> tensor<4xf32> {
  %number = arith.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  // expected-error @below {{custom op 'torch.aten.relu', argument 0: expected an operand that holds a '!torch.int', got 'tensor<complex<f32>>'}}
  %y = "mhlo.custom_call"(%number) <{api_version = 4 : i32, call_target_name = "torch.aten.relu", backend_config = {domain = "torch", version = 1 : i64, arguments = {"0" = {type = "int", value = {operand = 0 : i64}}}, results = {"0" = {type = "vtensor", dtype = "f32"}}}}> : (tensor<complex<f32>>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @too_few_results(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu': expected 'results' to say what each of 1 results is, got 0}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[{\22type\22:\22vtensor\22,\22value\22:{\22operand\22:0,\22dtype\22:\22f32\22}}],\22results\22:[]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @too_many_results(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu', result 1: expected an object for each of 1 results}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[{\22type\22:\22vtensor\22,\22value\22:{\22operand\22:0,\22dtype\22:\22f32\22}}],\22results\22:[{\22type\22:\22vtensor\22,\22dtype\22:\22f32\22},{\22type\22:\22int\22}]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @result_is_no_number(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu', result 0: expected a tensor, or a number of rank 0, got 'tensor<4xf32>' as '!torch.int'}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[{\22type\22:\22vtensor\22,\22value\22:{\22operand\22:0,\22dtype\22:\22f32\22}}],\22results\22:[{\22type\22:\22int\22}]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @attributes(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu', attribute 'a': expected an object with 'type' and 'value'}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[{\22type\22:\22vtensor\22,\22value\22:{\22operand\22:0,\22dtype\22:\22f32\22}}],\22attributes\22:{\22a\22:1},\22results\22:[{\22type\22:\22vtensor\22,\22dtype\22:\22f32\22}]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @wrong_arguments(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'torch.aten.relu' op requires a single operand}}
  // expected-error @below {{custom op 'torch.aten.relu': expected arguments that the op takes}}
  %y = tosa.custom %x {domain_name = "torch", operator_name = "torch.aten.relu", implementation_attrs = "{\22version\22:1,\22arguments\22:[],\22results\22:[{\22type\22:\22vtensor\22,\22dtype\22:\22f32\22}]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @attribute_kind(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'torch.aten.relu': expected a backend_config of i64, f64, i1, strings, arrays of them and dictionaries}}
  %y = "mhlo.custom_call"(%x) <{api_version = 4 : i32, call_target_name = "torch.aten.relu", backend_config = {domain = "torch", version = 1 : i32}}> : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @incomplete(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{custom op 'relu': expected 'isthmus.custom_op' to say 'domain', 'name' and 'attributes'}}
  %y = call @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @relu(tensor<4xf32>) -> tensor<4xf32> attributes {isthmus.custom_op = {domain = "torch"}}
