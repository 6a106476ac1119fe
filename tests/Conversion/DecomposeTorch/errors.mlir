// RUN: isthmus-opt %s --torch-decompose-complex-ops --verify-diagnostics

// All ops that cannot be decomposed are reported in one run.
func.func @unknown_rank(%x: !torch.vtensor<*,f32>, %y: !torch.vtensor<[2],f32>, %dim: !torch.int) {
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.relu': expected tensors of known rank and dtype, got '!torch.vtensor<*,f32>'}}
  %0 = torch.aten.relu %x : !torch.vtensor<*,f32> -> !torch.vtensor<*,f32>
  %none = torch.constant.none
  // expected-error @below {{no lowering to core torch ops for 'torch.aten.softmax.int': expected a dim that is known while compiling}}
  %1 = torch.aten.softmax.int %y, %dim, %none : !torch.vtensor<[2],f32>, !torch.int, !torch.none -> !torch.vtensor<[2],f32>
  return
}

func.func @attention(%q: !torch.vtensor<[2,3,8],f32>, %mask: !torch.vtensor<[3,3],i1>) {
  %none = torch.constant.none
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %zero = torch.constant.float 0.0
  %half = torch.constant.float 0.5
  // expected-error @below {{expected no dropout: its random numbers are PyTorch's own}}
  %0 = torch.aten.scaled_dot_product_attention %q, %q, %q, %none, %half, %false, %none, %false : !torch.vtensor<[2,3,8],f32>, !torch.vtensor<[2,3,8],f32>, !torch.vtensor<[2,3,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[2,3,8],f32>
  // expected-error @below {{expected either a mask or is_causal, got both}}
  %1 = torch.aten.scaled_dot_product_attention %q, %q, %q, %mask, %zero, %true, %none, %false : !torch.vtensor<[2,3,8],f32>, !torch.vtensor<[2,3,8],f32>, !torch.vtensor<[2,3,8],f32>, !torch.vtensor<[3,3],i1>, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[2,3,8],f32>
  return
}

func.func @batch_norm(%x: !torch.vtensor<[2,3,4],f32>, %c: !torch.vtensor<[3],f32>) {
  %none = torch.constant.none
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %eps = torch.constant.float 1.0e-5
  // expected-error @below {{expected no running statistics in training, as updates are lost}}
  %0 = torch.aten.batch_norm %x, %none, %none, %c, %c, %true, %eps, %eps, %false : !torch.vtensor<[2,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[2,3,4],f32>
  // expected-error @below {{expected a running mean and variance, got none}}
  %1 = torch.aten.batch_norm %x, %none, %none, %none, %none, %false, %eps, %eps, %false : !torch.vtensor<[2,3,4],f32>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[2,3,4],f32>
  return
}
