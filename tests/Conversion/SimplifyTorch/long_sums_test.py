"""A term of a size is analysed only once, even if it occurs in the size many times."""

from tests.support.isthmus_opt import isthmus_opt

MATRIX, COLUMN = "!torch.vtensor<[?,?],f32>", "!torch.vtensor<[?,1],f32>"


def simplify(lines, size):
    """Simplifies a program that views a matrix as a column of `size` rows and returns that number of rows."""
    body = "\n  ".join(lines)
    return isthmus_opt(
        f"""func.func @main(%x: {MATRIX}) -> !torch.int {{
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %n0 = torch.aten.size.int %x, %zero : {MATRIX}, !torch.int -> !torch.int
  {body}
  %sizes = torch.prim.ListConstruct {size}, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %y = torch.aten.view %x, %sizes : {MATRIX}, !torch.list<int> -> {COLUMN}
  %size = torch.aten.size.int %y, %zero : {COLUMN}, !torch.int -> !torch.int
  return %size : !torch.int
}}""",
        "--simplify-torch",
    )


def doubled(times):
    sums = [f"%n{i + 1} = torch.aten.add.int %n{i}, %n{i} : !torch.int, !torch.int -> !torch.int" for i in range(times)]
    return simplify(sums, f"%n{times}")


def test_a_sum_of_itself():
    text = doubled(times=50)
    assert text.count("torch.aten.add.int") == 50
    assert "torch.aten.view" not in text


def test_a_sum_that_is_too_long_to_look_at():
    assert "torch.aten.view" in doubled(times=100)
