// RUN: isthmus-opt %s --simplify-torch | FileCheck %s

// A causal mask: arange is compared with itself, and the result selects 0 or -inf.
// CHECK-LABEL: func.func @mask
// CHECK:         %[[MASK:.*]] = torch.vtensor.literal(dense<{{\[}}[0.000000e+00, 0xFF800000], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>)
// CHECK-NEXT:    return %[[MASK]]
func.func @mask() -> !torch.vtensor<[2,2],f32> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %zero = torch.vtensor.literal(dense<0.0> : tensor<f32>) : !torch.vtensor<[],f32>
  %inf = torch.vtensor.literal(dense<0xFF800000> : tensor<f32>) : !torch.vtensor<[],f32>
  %row = torch.aten.arange.start_step %int0, %int2, %int1, %none, %none, %none, %false
      : !torch.int, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool -> !torch.vtensor<[2],si64>
  %column = torch.aten.unsqueeze %row, %int1 : !torch.vtensor<[2],si64>, !torch.int -> !torch.vtensor<[2,1],si64>
  %seen = torch.aten.le.Tensor %row, %column : !torch.vtensor<[2],si64>, !torch.vtensor<[2,1],si64> -> !torch.vtensor<[2,2],i1>
  %mask = torch.aten.where.self %seen, %zero, %inf
      : !torch.vtensor<[2,2],i1>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[2,2],f32>
  return %mask : !torch.vtensor<[2,2],f32>
}

// 100 + 100 overflows i8. The target's own op decides the result.
// CHECK-LABEL: func.func @overflow
// CHECK:         torch.aten.add.Tensor
func.func @overflow() -> !torch.vtensor<[2],si8> {
  %int1 = torch.constant.int 1
  %x = torch.vtensor.literal(dense<[100, 1]> : tensor<2xsi8>) : !torch.vtensor<[2],si8>
  %sum = torch.aten.add.Tensor %x, %x, %int1 : !torch.vtensor<[2],si8>, !torch.vtensor<[2],si8>, !torch.int -> !torch.vtensor<[2],si8>
  return %sum : !torch.vtensor<[2],si8>
}

// NaN has no value as an integer, so the conversion stays.
// CHECK-LABEL: func.func @nan_to_integer
// CHECK:         torch.prims.convert_element_type
func.func @nan_to_integer() -> !torch.vtensor<[1],si32> {
  %si32 = torch.constant.int 3
  %x = torch.vtensor.literal(dense<[0x7FC00000]> : tensor<1xf32>) : !torch.vtensor<[1],f32>
  %n = torch.prims.convert_element_type %x, %si32 : !torch.vtensor<[1],f32>, !torch.int -> !torch.vtensor<[1],si32>
  return %n : !torch.vtensor<[1],si32>
}

// An index out of range is an error of the program at run time.
// CHECK-LABEL: func.func @outside
// CHECK:         torch.aten.index_select
func.func @outside() -> !torch.vtensor<[1],f32> {
  %int0 = torch.constant.int 0
  %x = torch.vtensor.literal(dense<[1.0, 2.0]> : tensor<2xf32>) : !torch.vtensor<[2],f32>
  %i = torch.vtensor.literal(dense<[2]> : tensor<1xsi64>) : !torch.vtensor<[1],si64>
  %a = torch.aten.index_select %x, %int0, %i : !torch.vtensor<[2],f32>, !torch.int, !torch.vtensor<[1],si64> -> !torch.vtensor<[1],f32>
  return %a : !torch.vtensor<[1],f32>
}

// Ops on weights are not folded.
// CHECK-LABEL: func.func @weight
// CHECK:         torch.aten.neg
func.func @weight() -> !torch.vtensor<[2],f32> {
  %x = torch.vtensor.literal(dense_resource<w> : tensor<2xf32>) : !torch.vtensor<[2],f32>
  %a = torch.aten.neg %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %a : !torch.vtensor<[2],f32>
}

// The number of elements of this literal does not fit into int64_t.
// CHECK-LABEL: func.func @uncountable
// CHECK:         torch.aten.neg
func.func @uncountable() -> !torch.vtensor<[9223372036854775807,2],f32> {
  %x = torch.vtensor.literal(dense<2.0> : tensor<9223372036854775807x2xf32>) : !torch.vtensor<[9223372036854775807,2],f32>
  %a = torch.aten.neg %x : !torch.vtensor<[9223372036854775807,2],f32> -> !torch.vtensor<[9223372036854775807,2],f32>
  return %a : !torch.vtensor<[9223372036854775807,2],f32>
}

{-#
  dialect_resources: { builtin: { w: "0x040000000000803F00000040" } }
#-}

// These two numbers would be equal as doubles.
// CHECK-LABEL: func.func @beyond_doubles
// CHECK:         torch.aten.eq.Tensor
func.func @beyond_doubles() -> !torch.vtensor<[1],i1> {
  %x = torch.vtensor.literal(dense<[9007199254740993]> : tensor<1xsi64>) : !torch.vtensor<[1],si64>
  %y = torch.vtensor.literal(dense<[9007199254740992]> : tensor<1xsi64>) : !torch.vtensor<[1],si64>
  %equal = torch.aten.eq.Tensor %x, %y : !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64> -> !torch.vtensor<[1],i1>
  return %equal : !torch.vtensor<[1],i1>
}

// Negative powers of integers are integers, as in PyTorch.
// CHECK-LABEL: func.func @negative_powers
// CHECK:         dense<[1, -1, 1, 0, 0, 0]> : tensor<6xsi32>
// CHECK-NOT:     torch.aten.pow
func.func @negative_powers() -> !torch.vtensor<[6],si32> {
  %x = torch.vtensor.literal(dense<[1, -1, -1, 0, 2, -2]> : tensor<6xsi32>) : !torch.vtensor<[6],si32>
  %y = torch.vtensor.literal(dense<[-3, -3, -2, -1, -1, -2]> : tensor<6xsi32>) : !torch.vtensor<[6],si32>
  %power = torch.aten.pow.Tensor_Tensor %x, %y : !torch.vtensor<[6],si32>, !torch.vtensor<[6],si32> -> !torch.vtensor<[6],si32>
  return %power : !torch.vtensor<[6],si32>
}

// Sums of bools are counts.
// CHECK-LABEL: func.func @counts
// CHECK:         torch.vtensor.literal(dense<{{\[}}[0, 1, 1], [1, 2, 3]]> : tensor<2x3xsi64>)
// CHECK-NEXT:    return
func.func @counts() -> !torch.vtensor<[2,3],si64> {
  %none = torch.constant.none
  %last = torch.constant.int -1
  %x = torch.vtensor.literal(dense<[[false, true, false], [true, true, true]]> : tensor<2x3xi1>) : !torch.vtensor<[2,3],i1>
  %a = torch.aten.cumsum %x, %last, %none : !torch.vtensor<[2,3],i1>, !torch.int, !torch.none -> !torch.vtensor<[2,3],si64>
  return %a : !torch.vtensor<[2,3],si64>
}

// CHECK-LABEL: func.func @sums_of_columns
// CHECK:         torch.vtensor.literal(dense<{{\[}}[1, 2], [4, 6], [9, 12]]> : tensor<3x2xsi64>)
// CHECK-NEXT:    return
func.func @sums_of_columns() -> !torch.vtensor<[3,2],si64> {
  %none = torch.constant.none
  %int0 = torch.constant.int 0
  %x = torch.vtensor.literal(dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xsi64>) : !torch.vtensor<[3,2],si64>
  %a = torch.aten.cumsum %x, %int0, %none : !torch.vtensor<[3,2],si64>, !torch.int, !torch.none -> !torch.vtensor<[3,2],si64>
  return %a : !torch.vtensor<[3,2],si64>
}

// x[[[0], [-1]], [[0, 2]]], and whole rows.
// CHECK-LABEL: func.func @indexed
// CHECK-DAG:     %[[ELEMENTS:.*]] = torch.vtensor.literal(dense<{{\[}}[1, 3], [4, 6]]> : tensor<2x2xsi64>)
// CHECK-DAG:     %[[ROWS:.*]] = torch.vtensor.literal(dense<{{\[}}{{\[}}[1, 2, 3]], {{\[}}[4, 5, 6]]]> : tensor<2x1x3xsi64>)
// CHECK:         return %[[ELEMENTS]], %[[ROWS]]
func.func @indexed() -> (!torch.vtensor<[2,2],si64>, !torch.vtensor<[2,1,3],si64>) {
  %x = torch.vtensor.literal(dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xsi64>) : !torch.vtensor<[2,3],si64>
  %rows = torch.vtensor.literal(dense<[[0], [-1]]> : tensor<2x1xsi64>) : !torch.vtensor<[2,1],si64>
  %columns = torch.vtensor.literal(dense<[[0, 2]]> : tensor<1x2xsi64>) : !torch.vtensor<[1,2],si64>
  %both = torch.prim.ListConstruct %rows, %columns
      : (!torch.vtensor<[2,1],si64>, !torch.vtensor<[1,2],si64>) -> !torch.list<vtensor>
  %a = torch.aten.index.Tensor %x, %both : !torch.vtensor<[2,3],si64>, !torch.list<vtensor> -> !torch.vtensor<[2,2],si64>
  %one = torch.prim.ListConstruct %rows : (!torch.vtensor<[2,1],si64>) -> !torch.list<vtensor>
  %b = torch.aten.index.Tensor %x, %one : !torch.vtensor<[2,3],si64>, !torch.list<vtensor> -> !torch.vtensor<[2,1,3],si64>
  return %a, %b : !torch.vtensor<[2,2],si64>, !torch.vtensor<[2,1,3],si64>
}

// CHECK-LABEL: func.func @indexed_outside
// CHECK:         torch.aten.index.Tensor
func.func @indexed_outside() -> !torch.vtensor<[1],si64> {
  %x = torch.vtensor.literal(dense<[1, 2]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %i = torch.vtensor.literal(dense<[-3]> : tensor<1xsi64>) : !torch.vtensor<[1],si64>
  %list = torch.prim.ListConstruct %i : (!torch.vtensor<[1],si64>) -> !torch.list<vtensor>
  %a = torch.aten.index.Tensor %x, %list : !torch.vtensor<[2],si64>, !torch.list<vtensor> -> !torch.vtensor<[1],si64>
  return %a : !torch.vtensor<[1],si64>
}

// CHECK-LABEL: func.func @flipped
// CHECK:         torch.vtensor.literal(dense<{{\[}}[6, 5, 4], [3, 2, 1]]> : tensor<2x3xsi64>)
// CHECK-NEXT:    return
func.func @flipped() -> !torch.vtensor<[2,3],si64> {
  %int0 = torch.constant.int 0
  %last = torch.constant.int -1
  %x = torch.vtensor.literal(dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xsi64>) : !torch.vtensor<[2,3],si64>
  %dims = torch.prim.ListConstruct %int0, %last : (!torch.int, !torch.int) -> !torch.list<int>
  %a = torch.aten.flip %x, %dims : !torch.vtensor<[2,3],si64>, !torch.list<int> -> !torch.vtensor<[2,3],si64>
  return %a : !torch.vtensor<[2,3],si64>
}
