// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// 2-grams with up to one token between theirs; a single token has none.
// CHECK-LABEL: func.func @counts(
// CHECK-DAG:     %[[FIRST:.*]] = torch.vtensor.literal(dense<[2, 5]> : tensor<2xsi64>)
// CHECK-DAG:     %[[SECOND:.*]] = torch.vtensor.literal(dense<[3, 6]> : tensor<2xsi64>)
// CHECK-COUNT-2: torch.aten.logical_and
// CHECK:         torch.aten.index.Tensor
func.func @counts(%x: tensor<6xi64>) -> tensor<2xf32> {
  %y = "onnx.TfIdfVectorizer"(%x) {max_gram_length = 2 : si64, max_skip_count = 1 : si64, min_gram_length = 2 : si64,
      mode = "TF", ngram_counts = [0, 0], ngram_indexes = [0, 1],
      pool_int64s = [2, 3, 5, 6]} : (tensor<6xi64>) -> tensor<2xf32>
  onnx.Return %y : tensor<2xf32>
}

// -----

func.func @a_pool_of_other_lengths(%x: tensor<6xi64>) -> tensor<2xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.TfIdfVectorizer': expected ngram_counts to split the pool of 3 tokens into n-grams, got 0 to 3 for n-grams of 2}}
  %y = "onnx.TfIdfVectorizer"(%x) {max_gram_length = 2 : si64, max_skip_count = 0 : si64, min_gram_length = 2 : si64,
      mode = "TF", ngram_counts = [0, 0], ngram_indexes = [0, 1],
      pool_int64s = [2, 3, 5]} : (tensor<6xi64>) -> tensor<2xf32>
  onnx.Return %y : tensor<2xf32>
}
