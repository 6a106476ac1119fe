// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo | FileCheck %s --check-prefix=MHLO %}

// XLA cannot stop a program, so assertions are dropped.
// MHLO-LABEL: func.func @dropped
// MHLO-NEXT:    return
func.func @dropped(%p: !torch.bool) {
  torch.runtime.assert %p, "expected p"
  return
}
