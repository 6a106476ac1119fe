// RUN: isthmus-opt %s | isthmus-opt | FileCheck %s

// Every type and structural op, in the same text form as in torch-mlir.

// CHECK-LABEL: func.func private @types(
// CHECK-SAME: !torch.vtensor, !torch.vtensor<*,f32>, !torch.vtensor<[],unk>, !torch.tensor<[2,?],si64>,
// CHECK-SAME: !torch.list<optional<vtensor<[2],ui8>>>, !torch.tuple<int, vtensor<[2],complex<f32>>>, !torch.dict<str, tensor>,
// CHECK-SAME: !torch.optional<int>, !torch.number, !torch.any, !torch.Device, !torch.Generator)
func.func private @types(!torch.vtensor, !torch.vtensor<*,f32>, !torch.vtensor<[],unk>, !torch.tensor<[2,?],si64>,
    !torch.list<optional<vtensor<[2],ui8>>>, !torch.tuple<int, vtensor<[2],complex<f32>>>, !torch.dict<str, tensor>,
    !torch.optional<int>, !torch.number, !torch.any, !torch.Device, !torch.Generator)

// CHECK-LABEL: func.func @constants
// CHECK: %int-1 = torch.constant.int -1
// CHECK: %float1.000000e-05 = torch.constant.float 1.000000e-05
// CHECK: %true = torch.constant.bool true
// CHECK: %none = torch.constant.none
// CHECK: %str = torch.constant.str "abc"
// CHECK: %cpu = torch.constant.device "cpu"
// CHECK: torch.vtensor.literal(dense<1> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
func.func @constants() {
  %int-1 = torch.constant.int -1
  %0 = torch.constant.float 1.000000e-05
  %true = torch.constant.bool true
  %none = torch.constant.none
  %str = torch.constant.str "abc"
  %cpu = torch.constant.device "cpu"
  %literal = torch.vtensor.literal(dense<1> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
  return
}

// CHECK-LABEL: func.func @ops
// CHECK: torch.prim.ListConstruct %{{.*}}, %{{.*}} : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK: torch.operator "ns.name.overload"(%{{.*}}) {a = 1 : i64} : (!torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.add.Tensor %{{.*}}, %{{.*}}, %{{.*}} : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[?,4],f32>
// CHECK: torch.prim.If %{{.*}} -> (!torch.int)
// CHECK: torch.prim.Loop %{{.*}}, %{{.*}}, init(%{{.*}})
// CHECK: torch.prim.Loop.condition %{{.*}}, iter(%{{.*}} : !torch.int)
// CHECK: torch_c.to_builtin_tensor %{{.*}} : !torch.vtensor<[?,4],f32> -> tensor<?x4xf32>
func.func @ops(%x: !torch.vtensor<[?,4],f32>, %y: !torch.vtensor<[4],f32>, %go: !torch.bool) -> tensor<?x4xf32> {
  %int1 = torch.constant.int 1
  %list = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %custom = torch.operator "ns.name.overload"(%x) {a = 1 : i64} : (!torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32>
  %sum = torch.aten.add.Tensor %custom, %y, %int1 : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[?,4],f32>
  %if = torch.prim.If %go -> (!torch.int) {
    torch.prim.If.yield %int1 : !torch.int
  } else {
    torch.prim.If.yield %int1 : !torch.int
  }
  %loop = torch.prim.Loop %int1, %go, init(%if) {
  ^bb0(%trip: !torch.int, %carried: !torch.int):
    torch.prim.Loop.condition %go, iter(%carried : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  %builtin = torch_c.to_builtin_tensor %sum : !torch.vtensor<[?,4],f32> -> tensor<?x4xf32>
  return %builtin : tensor<?x4xf32>
}
