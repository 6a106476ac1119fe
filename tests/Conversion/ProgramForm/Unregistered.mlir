// An op that no dialect registers may hold references. A function or a global
// that it refers to is in use.

// RUN: isthmus-opt --allow-unregistered-dialect --func-to-ml-program %s | FileCheck %s --check-prefix=FUNC
// RUN: isthmus-opt --allow-unregistered-dialect --globals-to-arguments %s | FileCheck %s --check-prefix=ARGS
// RUN: isthmus-opt --allow-unregistered-dialect --raise-custom-ops %s | FileCheck %s --check-prefix=RAISE
// RUN: not isthmus-opt --allow-unregistered-dialect --globals-to-weights %s 2>&1 | FileCheck %s --check-prefix=WEIGHTS

// ARGS-NOT: @free
// ARGS: ml_program.global private @held
ml_program.global private @free(#ml_program.extern<tensor<2xf32>>) : tensor<2xf32>
ml_program.global private @held(#ml_program.extern<tensor<2xf32>>) : tensor<2xf32>
// WEIGHTS: error: expected a load of global 'value' as 'tensor<2xf32>'
ml_program.global private @value(dense<[1.0, 2.0]> : tensor<2xf32>) : tensor<2xf32>

// RAISE-NOT: @unused
// RAISE: @kernel
func.func private @unused(tensor<2xf32>) -> tensor<2xf32> attributes {isthmus.custom_op}
func.func private @kernel(tensor<2xf32>) -> tensor<2xf32> attributes {isthmus.custom_op}

// FUNC: ml_program.func @free_function
// FUNC: func.func @held_function
// ARGS: func.func @free_function(%{{.*}}: tensor<2xf32>, %{{.*}}: tensor<2xf32> {isthmus.weight = "free"})
func.func @free_function(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = ml_program.global_load_const @free : tensor<2xf32>
  "acme.region"() ({
    "acme.inner"() {globals = [@held, @value], callees = [@held_function, @kernel]} : () -> ()
  }) : () -> ()
  return %0 : tensor<2xf32>
}

func.func @held_function(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  return %arg0 : tensor<2xf32>
}
