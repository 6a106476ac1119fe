"""Facts about sizes hold in all of a program, even though it is converted a part at a time."""

from tests.support.isthmus_opt import isthmus_opt

BLOCKS = 1000
TENSOR = "!torch.vtensor<[?,?],f32>"


def test_lists_of_sizes():
    """No check is emitted for tensors that are known to have equal sizes, wherever a part of the program ends."""
    lines = []
    for i in range(BLOCKS):
        lines += [
            f"%n{i} = torch.aten.size.int %x{i}, %zero : {TENSOR}, !torch.int -> !torch.int",
            f"%m{i} = torch.aten.size.int %x{i}, %int1 : {TENSOR}, !torch.int -> !torch.int",
            f"%s{i} = torch.prim.ListConstruct %n{i}, %m{i} : (!torch.int, !torch.int) -> !torch.list<int>",
            f"%e{i} = torch.aten.expand %one, %s{i}, %false : !torch.vtensor<[1],f32>, !torch.list<int>, !torch.bool "
            f"-> {TENSOR}",
            f"%x{i + 1} = torch.aten.mul.Tensor %x{i}, %e{i} : {TENSOR}, {TENSOR} -> {TENSOR}",
        ]
    body = "\n  ".join(lines)
    text = isthmus_opt(
        f"""func.func @main(%x0: {TENSOR}, %one: !torch.vtensor<[1],f32>) -> {TENSOR} {{
  %zero = torch.constant.int 0
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  {body}
  return %x{BLOCKS} : {TENSOR}
}}""",
        "--convert-torch-to-linalg",
    )
    assert text.count("linalg.generic") == 2 * BLOCKS
    assert "cf.assert" not in text and "scf.if" not in text and "unrealized_conversion_cast" not in text
