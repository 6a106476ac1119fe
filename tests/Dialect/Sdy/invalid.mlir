// REQUIRES: mhlo
// RUN: isthmus-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected sizes of axes above 0 whose product fits 64 bits, got 2, 0}}
sdy.mesh @mesh = <["a"=2, "b"=0]>

// -----

// expected-error @below {{expected sizes of axes above 0 whose product fits 64 bits}}
sdy.mesh @mesh = <["a"=4611686018427387904, "b"=2]>

// -----

// expected-error @below {{expected each device from 0 to 1 once, got 1, 1}}
sdy.mesh @mesh = <["a"=2], device_ids=[1, 1]>

// -----

// expected-error @below {{expected each device from 0 to 1 once, got 0}}
sdy.mesh @mesh = <["a"=2], device_ids=[0]>

// -----

sdy.mesh @mesh = <["a"=2]>
func.func @rank(%x: tensor<2xf32>) {
  // expected-error @below {{expected a sharding of 2 dims to be of such a tensor, got 'tensor<2xf32>'}}
  %0 = sdy.sharding_constraint %x <@mesh, [{"a"}, {}]> : tensor<2xf32>
  return
}

// -----

func.func @mesh(%x: tensor<2xf32>) {
  // expected-error @below {{expected a mesh, got none of the name @none}}
  %0 = sdy.sharding_constraint %x <@none, [{"a"}]> : tensor<2xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2]>
func.func @axes(%x: tensor<2xf32>) {
  // expected-error @below {{expected axes of mesh @mesh, got "b"}}
  %0 = sdy.sharding_constraint %x <@mesh, [{"b"}]> : tensor<2xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2]>
func.func @once(%x: tensor<2x2xf32>) {
  // expected-error @below {{expected each axis once, got "a" twice}}
  %0 = sdy.sharding_constraint %x <@mesh, [{"a"}, {"a"}]> : tensor<2x2xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2]>
// expected-error @below {{expected a sharding of 2 dims to be of such a tensor, got 'tensor<2xf32>'}}
func.func @argument(%x: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  return
}

// -----

// expected-error @below {{expected sdy.sharding with a sharding, got "sdy.sharding" = 1}}
func.func @result(%x: tensor<2xf32>) -> (tensor<2xf32> {sdy.sharding = 1}) {
  return %x : tensor<2xf32>
}

// -----

// expected-error @below {{expected each axis once, got "a" twice}}
sdy.mesh @mesh = <["a"=2, "a"=2]>
