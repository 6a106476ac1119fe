// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics %}

// The number of results depends on the data. Only linalg has such sizes.

// LINALG-LABEL: func.func @mask
// LINALG-SAME:    (%[[X:.*]]: tensor<?x3xi1>)
// LINALG:         %[[COUNT:.*]] = scf.for %[[I:[a-z0-9]*]] = %{{.*}} iter_args(%{{.*}} = %c0) -> (index)
// LINALG:           scf.for %[[J:[a-z0-9]*]] = %{{.*}} -> (index)
// LINALG:             %[[NEXT:.*]] = arith.addi
// LINALG:             %[[AT:.*]] = tensor.extract %[[X]][%[[I]], %[[J]]] : tensor<?x3xi1>
// LINALG:             arith.select %[[AT]], %[[NEXT]]
// LINALG:         %[[LENGTH:.*]] = arith.muli %[[COUNT]], %c2
// LINALG:         %[[EMPTY:.*]] = tensor.empty(%[[LENGTH]]) : tensor<?xi64>
// LINALG:         %[[R:.*]]:2 = scf.for %[[K:[a-z0-9]*]] = %{{.*}} iter_args(%{{.*}} = %[[EMPTY]], %{{.*}} = %c0)
// LINALG:           scf.for %[[L:[a-z0-9]*]] = %{{.*}} iter_args(%[[SO_FAR:.*]] = %{{.*}}, %[[PLACE:.*]] = %{{.*}})
// LINALG:             scf.if
// LINALG:               %[[ROW:.*]] = arith.index_cast %[[K]] : index to i64
// LINALG:               %[[WITH_ROW:.*]] = tensor.insert %[[ROW]] into %[[SO_FAR]][%[[PLACE]]]
// LINALG:               %[[NEXT_PLACE:.*]] = arith.addi %[[PLACE]], %c1
// LINALG:               %[[COLUMN:.*]] = arith.index_cast %[[L]] : index to i64
// LINALG:               tensor.insert %[[COLUMN]] into %[[WITH_ROW]][%[[NEXT_PLACE]]]
// LINALG:         %[[POSITIONS:.*]] = tensor.expand_shape %[[R]]#0 {{.*}} into tensor<?x2xi64>
// LINALG:         return %[[POSITIONS]] : tensor<?x2xi64>
func.func @mask(%a: !torch.vtensor<[?,3],i1>) -> !torch.vtensor<[?,2],si64> {
  // expected-error @below {{no lowering to tosa for 'torch.aten.nonzero': the result has as many rows as elements are not 0, which TOSA cannot say}}
  %r = torch.aten.nonzero %a : !torch.vtensor<[?,3],i1> -> !torch.vtensor<[?,2],si64>
  return %r : !torch.vtensor<[?,2],si64>
}
