// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse --shard-program=is-whole | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --shard-program=is-whole | FileCheck %s --check-prefix=TOSA %}

sdy.mesh @mesh = <["data"=2]>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V0:.*]] = sdy.sharding_constraint %[[A0]] <@mesh, [{"data"}, {}]> : tensor<?x3xf32>
// MHLO:         return %[[V0]]
//
// LINALG-NOT: sdy
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// LINALG-NEXT:    return %[[A0]]
//
// TOSA-NOT: sdy
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// TOSA-NEXT:    return %[[A0]]
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %r = torch.sharding_constraint %a {sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} : !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}
