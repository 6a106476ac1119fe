// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ not isthmus-opt %s --convert-torch-to-tosa 2>&1 | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @same_width
// MHLO:         mhlo.bitcast_convert %{{.*}} : (tensor<?x3xf32>) -> tensor<?x3xi32>
//
// LINALG-LABEL: func.func @same_width
// LINALG:         linalg.generic
// LINALG-NEXT:    ^bb0(%[[X:.*]]: f32, %{{.*}}: i32):
// LINALG-NEXT:      %[[BITS:.*]] = arith.bitcast %[[X]] : f32 to i32
// LINALG-NEXT:      linalg.yield %[[BITS]]
//
// TOSA: no lowering to tosa for 'torch.aten.view.dtype': TOSA has no op that reads the bits of a number as another dtype
func.func @same_width(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],si32> {
  %dtype = torch.constant.int 3
  %r = torch.aten.view.dtype %a, %dtype : !torch.vtensor<[?,3],f32>, !torch.int -> !torch.vtensor<[?,3],si32>
  return %r : !torch.vtensor<[?,3],si32>
}

// An element is four bytes, the lowest first.
// MHLO-LABEL: func.func @narrower
// MHLO:         %[[BYTES:.*]] = mhlo.bitcast_convert %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3x4xui8>
// MHLO:         mhlo.reshape %[[BYTES]] : (tensor<2x3x4xui8>) -> tensor<2x12xui8>
//
// LINALG-LABEL: func.func @narrower
// LINALG:         linalg.generic
// LINALG:           %[[BITS:.*]] = arith.bitcast %{{.*}} : f32 to i32
// LINALG:           %[[SHIFT:.*]] = arith.muli
// LINALG:           %[[MOVED:.*]] = arith.shrui %[[BITS]], %[[SHIFT]] : i32
// LINALG:           arith.trunci %[[MOVED]] : i32 to i8
// LINALG:         tensor.collapse_shape %{{.*}} : tensor<2x3x4xi8> into tensor<2x12xi8>
func.func @narrower(%a: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,12],ui8> {
  %dtype = torch.constant.int 0
  %r = torch.aten.view.dtype %a, %dtype : !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,12],ui8>
  return %r : !torch.vtensor<[2,12],ui8>
}

// MHLO-LABEL: func.func @wider
// MHLO:         %[[PAIRS:.*]] = mhlo.reshape %{{.*}} : (tensor<4xi16>) -> tensor<2x2xi16>
// MHLO:         mhlo.bitcast_convert %[[PAIRS]] : (tensor<2x2xi16>) -> tensor<2xf32>
//
// LINALG-LABEL: func.func @wider
// LINALG:         linalg.generic
// LINALG:           %[[HIGH:.*]] = arith.shli %{{.*}}, %c16_i32
// LINALG:           %[[ALL:.*]] = arith.ori %{{.*}}, %[[HIGH]] : i32
// LINALG:           arith.bitcast %[[ALL]] : i32 to f32
func.func @wider(%a: !torch.vtensor<[4],si16>) -> !torch.vtensor<[2],f32> {
  %dtype = torch.constant.int 6
  %r = torch.aten.view.dtype %a, %dtype : !torch.vtensor<[4],si16>, !torch.int -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}
