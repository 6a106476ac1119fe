// REQUIRES: tosa, mhlo, linalg
// RUN: isthmus-opt %s --convert-torch-backend-legal-to-tosa-custom=ops=all > %t.tosa
// RUN: FileCheck %s --check-prefix=TOSA < %t.tosa
// RUN: isthmus-opt %t.tosa --raise-custom-ops | FileCheck %s
// RUN: isthmus-opt %s --convert-torch-backend-legal-to-tosa-custom="ops=all custom-op-encoding=operands" > %t.operands
// RUN: FileCheck %s --check-prefix=OPERANDS < %t.operands
// RUN: isthmus-opt %t.operands --raise-custom-ops | FileCheck %s
// RUN: isthmus-opt %s --convert-torch-backend-legal-to-mhlo-custom-call=ops=all > %t.mhlo
// RUN: FileCheck %s --check-prefix=MHLO < %t.mhlo
// RUN: isthmus-opt %t.mhlo --raise-custom-ops | FileCheck %s
// RUN: isthmus-opt %s --convert-torch-backend-legal-to-linalg-call=ops=all > %t.linalg
// RUN: FileCheck %s --check-prefix=LINALG < %t.linalg
// RUN: isthmus-opt %t.linalg --raise-custom-ops | FileCheck %s

// Every type of an argument, and every form of it. The arguments of an operator
// without a class have no names.

// CHECK-LABEL: func.func @constants
// CHECK-DAG:     torch.constant.str "a \22quoted\22 one"
// CHECK-DAG:     torch.constant.device "cpu"
// CHECK-DAG:     torch.constant.float -0.000000e+00
// CHECK-DAG:     torch.constant.float 0x7FF0000000000000
// CHECK:         torch.operator "acme.constants"({{.*}}) : (!torch.int, !torch.float, !torch.bool, !torch.str, !torch.Device, !torch.none, !torch.float, !torch.float) -> !torch.vtensor<[2],ui8>
// TOSA-LABEL:  func.func @constants
// TOSA:          tosa.custom{{.*}}{\22type\22:\22int\22,\22value\22:-3},{\22type\22:\22float\22,\22value\22:2.5},{\22type\22:\22bool\22,\22value\22:false},{\22type\22:\22str\22,\22value\22:\22a \\\22quoted\\\22 one\22},{\22type\22:\22Device\22,\22value\22:\22cpu\22},{\22type\22:\22none\22},{\22type\22:\22float\22,\22value\22:\22-0\22},{\22type\22:\22float\22,\22value\22:\22Infinity\22}
// TOSA-SAME:     \22results\22:[{\22dtype\22:\22ui8\22,\22type\22:\22vtensor\22}]
// OPERANDS-LABEL: func.func @constants
// OPERANDS-DAG:  %[[I:.*]] = "tosa.const"() <{values = dense<-3> : tensor<i64>}>
// OPERANDS-DAG:  %[[F:.*]] = "tosa.const"() <{values = dense<2.500000e+00> : tensor<f32>}>
// OPERANDS-DAG:  %[[B:.*]] = "tosa.const"() <{values = dense<false> : tensor<i1>}>
// OPERANDS-DAG:  %[[NONE:.*]] = tosa.custom {{.*}}operator_name = "torch.constant.none"} : () -> tensor<i1>
// OPERANDS:      tosa.custom %[[I]], %[[F]], %[[B]], %[[NONE]], %{{.*}}, %{{.*}} {
// OPERANDS-SAME: {\22type\22:\22str\22,\22value\22:\22a \\\22quoted\\\22 one\22},{\22type\22:\22Device\22,\22value\22:\22cpu\22},{\22type\22:\22none\22,\22value\22:{\22operand\22:3}}
// MHLO-LABEL:  func.func @constants
// MHLO:          "5" = {type = "none"}, "6" = {type = "float", value = -0.000000e+00 : f64}, "7" = {type = "float", value = 0x7FF0000000000000 : f64}}
func.func @constants() -> !torch.vtensor<[2],ui8> {
  %int = torch.constant.int -3
  %float = torch.constant.float 2.500000e+00
  %bool = torch.constant.bool false
  %str = torch.constant.str "a \22quoted\22 one"
  %device = torch.constant.device "cpu"
  %none = torch.constant.none
  %zero = torch.constant.float -0.000000e+00
  %infinity = torch.constant.float 0x7FF0000000000000
  %y = torch.operator "acme.constants"(%int, %float, %bool, %str, %device, %none, %zero, %infinity) : (!torch.int, !torch.float, !torch.bool, !torch.str, !torch.Device, !torch.none, !torch.float, !torch.float) -> !torch.vtensor<[2],ui8>
  return %y : !torch.vtensor<[2],ui8>
}

// CHECK-LABEL: func.func @lists
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[?,3],si64>, %[[Y:.*]]: !torch.vtensor<[2],f32>)
// CHECK-DAG:     %[[INTS:.*]] = torch.prim.ListConstruct %{{.*}}, %{{.*}} : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK-DAG:     %[[FLOATS:.*]] = torch.prim.ListConstruct %{{.*}} : (!torch.float) -> !torch.list<float>
// CHECK-DAG:     %[[BOOLS:.*]] = torch.prim.ListConstruct %{{.*}} : (!torch.bool) -> !torch.list<bool>
// CHECK-DAG:     %[[EMPTY:.*]] = torch.prim.ListConstruct  : () -> !torch.list<int>
// CHECK-DAG:     %[[TENSORS:.*]] = torch.prim.ListConstruct %[[X]], %[[Y]] : (!torch.vtensor<[?,3],si64>, !torch.vtensor<[2],f32>) -> !torch.list<vtensor>
// CHECK-DAG:     %[[OPTIONALS:.*]] = torch.prim.ListConstruct %{{.*}}, %[[Y]] : (!torch.none, !torch.vtensor<[2],f32>) -> !torch.list<optional<vtensor>>
// CHECK-DAG:     %[[NESTED:.*]] = torch.prim.ListConstruct %{{.*}} : (!torch.list<int>) -> !torch.list<list<int>>
// CHECK:         torch.operator "acme.lists"(%{{.*}}, %[[FLOATS]], %[[BOOLS]], %[[EMPTY]], %[[TENSORS]], %[[OPTIONALS]],
// TOSA-LABEL:  func.func @lists
// TOSA:          {\22type\22:\22list<int>\22,\22value\22:[1,2]},{\22type\22:\22list<float>\22,\22value\22:[1]},{\22type\22:\22list<bool>\22,\22value\22:[true]},{\22type\22:\22list<int>\22,\22value\22:[]}
// TOSA-SAME:     {\22type\22:\22list<vtensor>\22,\22value\22:[{\22dtype\22:\22si64\22,\22operand\22:0},{\22dtype\22:\22f32\22,\22operand\22:1}]}
// TOSA-SAME:     {\22type\22:\22list<optional<vtensor>>\22,\22value\22:[{\22type\22:\22none\22},{\22dtype\22:\22f32\22,\22operand\22:2}]}
// TOSA-SAME:     {\22type\22:\22list<list<int>>\22,\22value\22:{{\[\[1,2\]\]}}}
// TOSA-SAME:     (tensor<?x3xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// OPERANDS-LABEL: func.func @lists
// OPERANDS:      {\22type\22:\22list<int>\22,\22value\22:{\22operand\22:0}}
// MHLO-LABEL:  func.func @lists
// MHLO:          "0" = {type = "list<int>", value = array<i64: 1, 2>}, "1" = {type = "list<float>", value = array<f64: 1.000000e+00>}, "2" = {type = "list<bool>", value = {"0" = true}}, "3" = {type = "list<int>", value = array<i64>}
// MHLO-SAME:     "4" = {type = "list<vtensor>", value = {"0" = {dtype = "si64", operand = 0 : i64}, "1" = {dtype = "f32", operand = 1 : i64}}}
// MHLO-SAME:     (tensor<?x3xi64>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
func.func @lists(%x: !torch.vtensor<[?,3],si64>, %y: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %float = torch.constant.float 1.000000e+00
  %bool = torch.constant.bool true
  %none = torch.constant.none
  %ints = torch.prim.ListConstruct %int1, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %floats = torch.prim.ListConstruct %float : (!torch.float) -> !torch.list<float>
  %bools = torch.prim.ListConstruct %bool : (!torch.bool) -> !torch.list<bool>
  %empty = torch.prim.ListConstruct : () -> !torch.list<int>
  %tensors = torch.prim.ListConstruct %x, %y : (!torch.vtensor<[?,3],si64>, !torch.vtensor<[2],f32>) -> !torch.list<vtensor>
  %optionals = torch.prim.ListConstruct %none, %y : (!torch.none, !torch.vtensor<[2],f32>) -> !torch.list<optional<vtensor>>
  %nested = torch.prim.ListConstruct %ints : (!torch.list<int>) -> !torch.list<list<int>>
  %z = torch.operator "acme.lists"(%ints, %floats, %bools, %empty, %tensors, %optionals, %nested) : (!torch.list<int>, !torch.list<float>, !torch.list<bool>, !torch.list<int>, !torch.list<vtensor>, !torch.list<optional<vtensor>>, !torch.list<list<int>>) -> !torch.vtensor<[2],f32>
  return %z : !torch.vtensor<[2],f32>
}

// Numbers known only at run time are tensors of rank 0, also inside a list.

// CHECK-LABEL: func.func @run_time
// CHECK:         %[[N:.*]] = torch.aten.Int.Tensor
// CHECK:         %[[LIST:.*]] = torch.prim.ListConstruct %{{.*}}, %[[N]] : (!torch.int, !torch.int) -> !torch.list<int>
// CHECK:         torch.operator "acme.run_time"(%[[N]], %[[LIST]]) : (!torch.int, !torch.list<int>) -> !torch.float
// TOSA-LABEL:  func.func @run_time
// TOSA:          tosa.custom {{.*}}torch.aten.Int.Tensor"} : (tensor<i32>) -> tensor<i32>
// TOSA:          {\22type\22:\22int\22,\22value\22:{\22operand\22:0}},{\22type\22:\22list<int>\22,\22value\22:[2,{\22operand\22:1}]}],\22results\22:[{\22type\22:\22float\22}]
// TOSA-SAME:     (tensor<i32>, tensor<i32>) -> tensor<f32>
// LINALG-LABEL: func.func @run_time
// LINALG:        call @torch.acme.run_time({{.*}}) : (tensor<i64>, tensor<i64>) -> tensor<f64>
// LINALG-NEXT:   tensor.extract
func.func @run_time(%x: !torch.vtensor<[],si64>) -> !torch.float {
  %n = torch.aten.Int.Tensor %x : !torch.vtensor<[],si64> -> !torch.int
  %int2 = torch.constant.int 2
  %list = torch.prim.ListConstruct %int2, %n : (!torch.int, !torch.int) -> !torch.list<int>
  %y = torch.operator "acme.run_time"(%n, %list) : (!torch.int, !torch.list<int>) -> !torch.float
  return %y : !torch.float
}

// An optional value is carried as the value itself. An op may have several
// results, a list of results, or no results.

// CHECK-LABEL: func.func @results
// CHECK:         torch.operator "acme.nothing"(%{{.*}}) : (!torch.vtensor<[4],f32>) -> ()
// CHECK:         %[[LIST:.*]] = torch.aten.split.Tensor %{{.*}}, %{{.*}}, %{{.*}} : !torch.vtensor<[4],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
// CHECK:         %[[PARTS:.*]]:2 = torch.prim.ListUnpack %[[LIST]] : !torch.list<vtensor> -> !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
// CHECK:         torch.operator "acme.both"(%[[PARTS]]#0, %[[PARTS]]#1) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],si8>, !torch.vtensor<[2],i1>)
// TOSA-LABEL:  func.func @results
// TOSA:          tosa.custom {{.*}} {domain_name = "torch", {{.*}}\22results\22:[]{{.*}}"torch.acme.nothing"} : (tensor<4xf32>) -> ()
// TOSA:          \22results\22:[{\22elements\22:[{\22dtype\22:\22f32\22,\22type\22:\22vtensor\22},{\22dtype\22:\22f32\22,\22type\22:\22vtensor\22}],\22type\22:\22list<vtensor>\22}]
// MHLO-LABEL:  func.func @results
// MHLO:          results = {}, version = 1 : i64}, call_target_name = "torch.acme.nothing"
func.func @results(%x: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[2],si8>, !torch.vtensor<[2],i1>) {
  %optional = torch.derefine %x : !torch.vtensor<[4],f32> to !torch.optional<vtensor<[4],f32>>
  torch.operator "acme.nothing"(%optional) : (!torch.optional<vtensor<[4],f32>>) -> ()
  %int2 = torch.constant.int 2
  %int0 = torch.constant.int 0
  %list = torch.aten.split.Tensor %x, %int2, %int0 : !torch.vtensor<[4],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  %parts:2 = torch.prim.ListUnpack %list : !torch.list<vtensor> -> !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
  %y:2 = torch.operator "acme.both"(%parts#0, %parts#1) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],si8>, !torch.vtensor<[2],i1>)
  return %y#0, %y#1 : !torch.vtensor<[2],si8>, !torch.vtensor<[2],i1>
}

// A node of ONNX is carried with its domain and its attributes.

// CHECK-LABEL: func.func @onnx
// CHECK-DAG:     torch.operator "onnx.Einsum"(%{{.*}}) {torch.onnx.equation = "ij->ji"}
// CHECK-DAG:     torch.operator "com.acme.Fancy"(%{{.*}}) {onnx.domain = "com.acme", torch.onnx.alpha = 5.000000e-01 : f32, torch.onnx.axes = [0 : si64, -1 : si64], torch.onnx.mode = "x", torch.onnx.numbers = f16, torch.onnx.table = dense<[1, 2]> : tensor<2xsi32>}
// TOSA-LABEL:  func.func @onnx
// TOSA:          domain_name = "ai.onnx", {{.*}}\22attributes\22:{\22equation\22:{\22type\22:\22str\22,\22value\22:\22ij->ji\22}}{{.*}}operator_name = "onnx.Einsum"
// TOSA:          domain_name = "com.acme", {{.*}}\22alpha\22:{\22type\22:\22float\22,\22value\22:0.5},\22axes\22:{\22type\22:\22list<int>\22,\22value\22:[0,-1]},\22mode\22:{\22type\22:\22str\22,\22value\22:\22x\22},\22numbers\22:{\22type\22:\22dtype\22,\22value\22:\22f16\22},\22table\22:{\22type\22:\22vtensor\22,\22value\22:{\22dtype\22:\22si32\22,\22operand\22:1}}{{.*}}operator_name = "com.acme.Fancy"
func.func @onnx(%x: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[3,2],f32>, !torch.vtensor<[?],f16>) {
  %y = torch.operator "onnx.Einsum"(%x) {torch.onnx.equation = "ij->ji"} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[3,2],f32>
  %z = torch.operator "com.acme.Fancy"(%y) {onnx.domain = "com.acme", torch.onnx.alpha = 5.000000e-01 : f32, torch.onnx.axes = [0 : si64, -1 : si64], torch.onnx.mode = "x", torch.onnx.numbers = f16, torch.onnx.table = dense<[1, 2]> : tensor<2xsi32>} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[?],f16>
  return %y, %z : !torch.vtensor<[3,2],f32>, !torch.vtensor<[?],f16>
}
