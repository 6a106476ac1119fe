// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo | FileCheck %s --check-prefix=MHLO %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @signed_integers
// MHLO:         mhlo.constant dense<[1, -2]> : tensor<2xi64>
//
// TOSA-LABEL: func.func @signed_integers
// TOSA:         %[[V0:.*]] = "tosa.const"() <{values = dense<[1, -2]> : tensor<2xi32>}> : () -> tensor<2xi32>
// TOSA:         return %[[V0]] : tensor<2xi32>
func.func @signed_integers() -> !torch.vtensor<[2],si64> {
  %0 = torch.vtensor.literal(dense<[1, -2]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  return %0 : !torch.vtensor<[2],si64>
}

// MHLO-LABEL: func.func @resource
// MHLO:         mhlo.constant dense_resource<weight> : tensor<2xf32>
//
// TOSA-LABEL: func.func @resource
// TOSA:         %[[V0:.*]] = "tosa.const"() <{values = dense_resource<weight> : tensor<2xf32>}> : () -> tensor<2xf32>
// TOSA:         return %[[V0]] : tensor<2xf32>
func.func @resource() -> !torch.vtensor<[2],f32> {
  %0 = torch.vtensor.literal(dense_resource<weight> : tensor<2xf32>) : !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// TOSA has no unsigned integers. The bytes stay in place, under a type without a sign.
// MHLO-LABEL: func.func @unsigned_resource
// MHLO:         mhlo.constant dense_resource<bytes> : tensor<2xui8>
//
// TOSA-LABEL: func.func @unsigned_resource
// TOSA-DAG:     %[[BYTES:.*]] = "tosa.const"() <{values = dense_resource<bytes> : tensor<2xi8>}> : () -> tensor<2xi8>
// TOSA-DAG:     %[[WIDE:.*]] = tosa.cast %[[BYTES]] : (tensor<2xi8>) -> tensor<2xi32>
// TOSA-DAG:     %[[MASK:.*]] = "tosa.const"() <{values = dense<255> : tensor<{{.*}}xi32>}>
// TOSA:         %[[VALUES:.*]] = tosa.bitwise_and %[[WIDE]], %[[MASK]]
// TOSA:         return %[[VALUES]] : tensor<2xi32>
func.func @unsigned_resource() -> !torch.vtensor<[2],ui8> {
  %0 = torch.vtensor.literal(dense_resource<bytes> : tensor<2xui8>) : !torch.vtensor<[2],ui8>
  return %0 : !torch.vtensor<[2],ui8>
}

// Flags that differ become bytes, because readers interpret hex strings of flags differently.
// MHLO-LABEL: func.func @flags
// MHLO:         %[[BYTES:.*]] = mhlo.constant dense<[1, 0]> : tensor<2xi8>
// MHLO:         %[[FLAGS:.*]] = mhlo.convert %[[BYTES]] : (tensor<2xi8>) -> tensor<2xi1>
// MHLO:         %[[SAME:.*]] = mhlo.constant dense<true> : tensor<2xi1>
// MHLO:         return %[[FLAGS]], %[[SAME]]
//
// TOSA-LABEL: func.func @flags
// TOSA:         %[[V0:.*]] = "tosa.const"() <{values = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
// TOSA:         %[[V1:.*]] = "tosa.const"() <{values = dense<true> : tensor<2xi1>}> : () -> tensor<2xi1>
// TOSA:         return %[[V0]], %[[V1]] : tensor<2xi1>, tensor<2xi1>
func.func @flags() -> (!torch.vtensor<[2],i1>, !torch.vtensor<[2],i1>) {
  %0 = torch.vtensor.literal(dense<[true, false]> : tensor<2xi1>) : !torch.vtensor<[2],i1>
  %1 = torch.vtensor.literal(dense<true> : tensor<2xi1>) : !torch.vtensor<[2],i1>
  return %0, %1 : !torch.vtensor<[2],i1>, !torch.vtensor<[2],i1>
}

{-# dialect_resources: { builtin: { bytes: "0x0100000001FF" } } #-}
