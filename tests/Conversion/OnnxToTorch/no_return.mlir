// RUN: isthmus-opt %s --convert-function-types-to-torch-types --split-input-file --verify-diagnostics \
// RUN:   --allow-unregistered-dialect

// expected-error @below {{expected a function of one block that ends in func.return}}
func.func @never_ends(%x: tensor<2xf32>) -> tensor<2xf32> {
  "other.br"()[^again] : () -> ()
^again:
  "other.br"()[^again] : () -> ()
}
