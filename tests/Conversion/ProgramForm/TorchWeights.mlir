// RUN: isthmus-opt %s --weights-to-globals=min-bytes=8 | FileCheck %s --check-prefix=GLOBALS
// RUN: isthmus-opt %s --weights-to-globals=min-bytes=8 --globals-to-weights | FileCheck %s --check-prefix=BACK
// RUN: isthmus-opt %s --weights-to-arguments=min-bytes=8 | FileCheck %s --check-prefix=ARGUMENTS
// RUN: rm -rf %t && mkdir %t
// RUN: isthmus-opt %s --weights-to-globals=min-bytes=8 --externalize-globals=file=%t/w.safetensors --globals-to-arguments | FileCheck %s --check-prefix=ARGUMENTS
// RUN: isthmus-opt %s --weights-to-globals=min-bytes=8 --externalize-globals=file=%t/w.safetensors --globals-to-arguments --arguments-to-globals | FileCheck %s --check-prefix=EXTERN

// Globals have builtin types, whose integers have no sign. Parameters have types
// of the torch dialect.

// GLOBALS:       ml_program.global private @weight_0(dense<[1, -2, 3]> : tensor<3xi64>) : tensor<3xi64>
// GLOBALS-LABEL: func.func @main(
// GLOBALS:         %[[LOAD:.*]] = ml_program.global_load_const @weight_0 : tensor<3xi64>
// GLOBALS:         %[[W:.*]] = torch_c.from_builtin_tensor %[[LOAD]] : tensor<3xi64> -> !torch.vtensor<[3],si64>
// GLOBALS:         torch.aten.add.Tensor %{{.*}}, %[[W]]

// BACK-NOT:    ml_program
// BACK-LABEL:  func.func @main(
// BACK:          %[[W:.*]] = torch.vtensor.literal(dense<[1, -2, 3]> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
// BACK:          torch.aten.add.Tensor %{{.*}}, %[[W]]

// ARGUMENTS-LABEL: func.func @main(
// ARGUMENTS-SAME:      %[[X:.*]]: !torch.vtensor<[3],si64>, %[[W:.*]]: !torch.vtensor<[3],si64> {isthmus.weight = "weight_0"})
// ARGUMENTS:         torch.aten.add.Tensor %[[X]], %[[W]]

// EXTERN:       ml_program.global private @weight_0(#{{.*}}) : tensor<3xi64>
// EXTERN-LABEL: func.func @main(
// EXTERN:         %[[LOAD:.*]] = ml_program.global_load_const @weight_0 : tensor<3xi64>
// EXTERN:         torch_c.from_builtin_tensor %[[LOAD]] : tensor<3xi64> -> !torch.vtensor<[3],si64>
func.func @main(%x: !torch.vtensor<[3],si64>) -> !torch.vtensor<[3],si64> {
  %0 = torch.vtensor.literal(dense<[1, -2, 3]> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
  %one = torch.constant.int 1
  %1 = torch.aten.add.Tensor %x, %0, %one : !torch.vtensor<[3],si64>, !torch.vtensor<[3],si64>, !torch.int -> !torch.vtensor<[3],si64>
  return %1 : !torch.vtensor<[3],si64>
}
