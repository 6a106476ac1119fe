// RUN: isthmus-opt %s --outline-custom-ops=names=Part --split-input-file --verify-diagnostics

// What others make of a result comes back into the module.
#part = loc(fused<[["acme.Part", "part", {}]]>["node"])
func.func @comes_back(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @unknown {{'acme.Part', call 'part': expected nodes that can run in one go, but what others make of its results comes back into it}}
  %1 = torch.aten.relu %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32> loc(#part)
  %2 = torch.aten.tanh %1 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  %3 = torch.aten.relu %2 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32> loc(#part)
  return %3 : !torch.vtensor<[2],f32>
}

// -----

// A list goes in.
#part = loc(fused<[["acme.Part", "part", {}]]>["node"])
func.func @list(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32> {
  %int0 = torch.constant.int 0
  %list = torch.prim.ListConstruct %x, %x : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.list<vtensor>
  // expected-error @unknown {{'acme.Part', call 'part': expected tensors of known rank and dtype, and numbers, to go in and out, got '!torch.list<vtensor>'}}
  %1 = torch.aten.cat %list, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4],f32> loc(#part)
  return %1 : !torch.vtensor<[4],f32>
}

// -----

// What stands between the nodes and uses one of them goes behind; a number goes through as a tensor.
#part = loc(fused<[["acme.Part", "part", {}]]>["node"])
func.func @between(%x: !torch.vtensor<[?],f32>) -> (!torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>) {
  %int0 = torch.constant.int 0
  %1 = torch.aten.relu %x : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32> loc(#part)
  %2 = torch.aten.tanh %1 : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  %size = torch.aten.size.int %x, %int0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %int1 = torch.constant.int 1
  %3 = torch.aten.mul.Scalar %1, %size : !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],f32> loc(#part)
  return %2, %3 : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>
}
