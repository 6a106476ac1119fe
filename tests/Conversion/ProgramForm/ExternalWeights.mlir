// REQUIRES: mhlo
// RUN: rm -rf %t && mkdir %t
// RUN: isthmus-opt %s --weights-to-globals --externalize-globals=file=%t/w.safetensors | FileCheck %s --check-prefix=EXTERN
// RUN: isthmus-opt %s --weights-to-globals --externalize-globals=file=%t/w.safetensors --inline-globals=file=%t/w.safetensors | FileCheck %s --check-prefix=INLINED
// RUN: isthmus-opt %s --weights-to-globals --externalize-globals=file=%t/w.safetensors --globals-to-arguments | FileCheck %s --check-prefix=ARGUMENTS
// RUN: isthmus-opt %s --weights-to-globals --externalize-globals=file=%t/w.safetensors --globals-to-arguments --arguments-to-globals | FileCheck %s --check-prefix=EXTERN
// RUN: isthmus-opt %s --weights-to-globals --externalize-globals=file=%t/w.safetensors --globals-to-iree-parameters --allow-unregistered-dialect | FileCheck %s --check-prefix=IREE
// RUN: not isthmus-opt %s --weights-to-globals --externalize-globals=file=%t/no/w.safetensors 2>&1 | FileCheck %s --check-prefix=NO-FOLDER
// RUN: not isthmus-opt %s --inline-globals=file=%t/none.json 2>&1 | FileCheck %s --check-prefix=NO-FILE

// EXTERN:       #[[EXTERN:.*]] = #ml_program.extern : tensor<2xi64>
// EXTERN-DAG:   ml_program.global private @weight_0(#[[EXTERN]]) : tensor<2xi64>
// EXTERN-DAG:   ml_program.global private mutable @state(dense<[0, 1]> : tensor<2xi32>) : tensor<2xi32>
// EXTERN-LABEL: func.func @main(%{{.*}}: tensor<2xi64> {isthmus.name = "x"})
// EXTERN:         %[[W:.*]] = ml_program.global_load_const @weight_0 : tensor<2xi64>
// EXTERN:         mhlo.add %{{.*}}, %[[W]]

// INLINED:      ml_program.global private @weight_0(dense_resource<weight_0> : tensor<2xi64>) : tensor<2xi64>
// INLINED:      weight_0: "0x0800000003000000000000000400000000000000"

// ARGUMENTS-NOT:   @weight_0
// ARGUMENTS-LABEL: func.func @main(
// ARGUMENTS-SAME:      %[[X:.*]]: tensor<2xi64> {isthmus.name = "x"}, %[[W:.*]]: tensor<2xi64> {isthmus.weight = "weight_0"})
// ARGUMENTS:         mhlo.add %[[X]], %[[W]]

// IREE:       "util.global"() {initial_value = #flow.parameter.named<"model"::"weight_0"> : tensor<2xi64>, sym_name = "weight_0", sym_visibility = "private", type = tensor<2xi64>} : () -> ()
// IREE-LABEL: func.func @main(
// IREE:         %[[W:.*]] = "util.global.load"() {global = @weight_0} : () -> tensor<2xi64>
// IREE:         mhlo.add %{{.*}}, %[[W]]

// NO-FOLDER: error: expected to write a file, got: {{.*}}no/w.safetensors: No such file
// NO-FILE:   error: {{.*}}none.json: No such file
ml_program.global private mutable @state(dense<[0, 1]> : tensor<2xi32>) : tensor<2xi32>
func.func @main(%x: tensor<2xi64> {isthmus.name = "x"}) -> tensor<2xi64> {
  %0 = mhlo.constant dense<[3, 4]> : tensor<2xi64>
  %1 = mhlo.add %x, %0 : tensor<2xi64>
  return %1 : tensor<2xi64>
}
