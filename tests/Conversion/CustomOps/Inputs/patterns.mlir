// The patterns of outline_patterns.mlir.

// (x + y) · y, where y has rank 2 and dtype f32.
func.func @acme.Mix(%x: !torch.vtensor, %y: !torch.vtensor<[?,?],f32>) -> !torch.vtensor {
  %one = torch.constant.int 1
  %0 = torch.aten.add.Tensor %x, %y, %one : !torch.vtensor, !torch.vtensor<[?,?],f32>, !torch.int -> !torch.vtensor
  %1 = torch.aten.mul.Tensor %0, %y : !torch.vtensor, !torch.vtensor<[?,?],f32> -> !torch.vtensor
  return %1 : !torch.vtensor
}

// tanh(0.5 · x) · scale + 1
func.func @tanh_of_half(%x: !torch.vtensor {isthmus.name = "x"}, %scale: !torch.float {isthmus.name = "scale"}) -> !torch.vtensor
    attributes {isthmus.custom_op = {name = "acme.Scaled"}} {
  %one = torch.constant.int 1
  %half = torch.constant.float 0.5
  %0 = torch.aten.mul.Scalar %x, %half : !torch.vtensor, !torch.float -> !torch.vtensor
  %1 = torch.aten.tanh %0 : !torch.vtensor -> !torch.vtensor
  %2 = torch.aten.mul.Scalar %1, %scale : !torch.vtensor, !torch.float -> !torch.vtensor
  %3 = torch.aten.add.Scalar %2, %one, %one : !torch.vtensor, !torch.int, !torch.int -> !torch.vtensor
  return %3 : !torch.vtensor
}

// The sum of squares over dims, and the squares.
func.func @acme.SumOfSquares(%x: !torch.vtensor, %dims: !torch.list<int>) -> (!torch.vtensor, !torch.vtensor) {
  %true = torch.constant.bool true
  %none = torch.constant.none
  %0 = torch.aten.square %x : !torch.vtensor -> !torch.vtensor
  %1 = torch.aten.sum.dim_IntList %0, %dims, %true, %none : !torch.vtensor, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor
  return %1, %0 : !torch.vtensor, !torch.vtensor
}

// Flattens each row of -x.
func.func @acme.Flat(%x: !torch.vtensor) -> !torch.vtensor {
  %zero = torch.constant.int 0
  %rest = torch.constant.int -1
  %rows = torch.aten.size.int %x, %zero : !torch.vtensor, !torch.int -> !torch.int
  %sizes = torch.prim.ListConstruct %rows, %rest : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.neg %x : !torch.vtensor -> !torch.vtensor
  %1 = torch.aten.view %0, %sizes : !torch.vtensor, !torch.list<int> -> !torch.vtensor
  return %1 : !torch.vtensor
}
