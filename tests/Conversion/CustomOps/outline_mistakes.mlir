// RUN: isthmus-opt %s --outline-custom-ops=names=Part --split-input-file --verify-diagnostics

// An op outside of the module uses a result of it, and the module uses the result of that op.
#part = loc(fused<[["acme.Part", "part", {}]]>["node"])
func.func @comes_back(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @unknown {{'acme.Part', call 'part': expected nodes that can run in one go, but what others make of its results comes back into it}}
  %1 = torch.aten.relu %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32> loc(#part)
  %2 = torch.aten.tanh %1 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  %3 = torch.aten.relu %2 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32> loc(#part)
  return %3 : !torch.vtensor<[2],f32>
}

// -----

// A list is a result of the module, but no torch.prim.ListUnpack takes it apart.
#part = loc(fused<[["acme.Part", "part", {}]]>["node"])
func.func @list(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %int0 = torch.constant.int 0
  %int2 = torch.constant.int 2
  // expected-error @unknown {{'acme.Part', call 'part': expected its list to be taken apart by torch.prim.ListUnpack, got another use of the list}}
  %list = torch.aten.split.Tensor %x, %int2, %int0 : !torch.vtensor<[4],f32>, !torch.int, !torch.int -> !torch.list<vtensor> loc(#part)
  %1 = torch.aten.cat %list, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[4],f32>
  return %1 : !torch.vtensor<[4],f32>
}

// -----

// An input of the module has an unknown rank.
#part = loc(fused<[["acme.Part", "part", {}]]>["node"])
func.func @no_rank(%x: !torch.vtensor<*,f32>) -> !torch.vtensor<*,f32> {
  // expected-error @unknown {{'acme.Part', call 'part': argument 0: expected a tensor of known rank and dtype, got '!torch.vtensor<*,f32>'}}
  %1 = torch.aten.relu %x : !torch.vtensor<*,f32> -> !torch.vtensor<*,f32> loc(#part)
  return %1 : !torch.vtensor<*,f32>
}
