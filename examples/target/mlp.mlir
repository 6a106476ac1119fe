// A layer and its activation, as `isthmus compile --target torch` writes them.
func.func @main(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,4],f32> {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "none"
  %w = torch.vtensor.literal(dense<[[1., 0., 2., 1.], [0., 1., 0., 1.], [3., 0., 1., 0.]]> : tensor<3x4xf32>) : !torch.vtensor<[3,4],f32>
  %b = torch.vtensor.literal(dense<[1., -1., 0., 2.]> : tensor<4xf32>) : !torch.vtensor<[4],f32>
  %0 = torch.aten.mm %x, %w : !torch.vtensor<[2,3],f32>, !torch.vtensor<[3,4],f32> -> !torch.vtensor<[2,4],f32>
  %1 = torch.aten.add.Tensor %0, %b, %int1 : !torch.vtensor<[2,4],f32>, !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[2,4],f32>
  %2 = torch.aten.gelu %1, %str : !torch.vtensor<[2,4],f32>, !torch.str -> !torch.vtensor<[2,4],f32>
  return %2 : !torch.vtensor<[2,4],f32>
}
