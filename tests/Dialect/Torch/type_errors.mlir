// RUN: isthmus-opt %s --split-input-file --verify-diagnostics

func.func @shapes_that_do_not_broadcast(%x: !torch.vtensor<[2],f32>, %y: !torch.vtensor<[3],f32>) {
  %int1 = torch.constant.int 1
  // expected-error @below {{expected shapes that broadcast, got [2] and [3]}}
  %0 = torch.aten.add.Tensor %x, %y, %int1 : !torch.vtensor<[2],f32>, !torch.vtensor<[3],f32>, !torch.int -> !torch.vtensor<[2],f32>
  return
}

// -----

func.func @wrong_result_dtype(%x: !torch.vtensor<[2],si64>) {
  // expected-error @below {{expected a result of type '!torch.vtensor<[2],f32>', got '!torch.vtensor<[2],si64>'}}
  %0 = torch.aten.exp %x : !torch.vtensor<[2],si64> -> !torch.vtensor<[2],si64>
  return
}

// -----

func.func @dim_out_of_range(%x: !torch.vtensor<[2],f32>) {
  %int2 = torch.constant.int 2
  // expected-error @below {{expected a dim in [-1, 0], got 2}}
  %0 = torch.aten.select.int %x, %int2, %int2 : !torch.vtensor<[2],f32>, !torch.int, !torch.int -> !torch.vtensor<[],f32>
  return
}

// -----

// expected-error @below {{unknown torch type 'vtenser'}}
func.func private @misspelt_type(!torch.vtenser)

// -----

func.func @sparse_literal() {
  // expected-error @below {{expected dense elements, got sparse<0, 1.000000e+00> : tensor<2xf32>}}
  %r = torch.vtensor.literal(sparse<0, 1.0> : tensor<2xf32>) : !torch.vtensor<[2],f32>
  return
}
