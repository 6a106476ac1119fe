"""An untrusted program may only compute. Anything else is refused."""

import os

import numpy as np
import pytest

import isthmus

X = np.array([1, 2, 3, 4], np.float32)

# Each of these programs reads, writes or calls something outside of the program, or could do so.
HOSTILE = {
    "a call": """
      llvm.func @getpid() -> i32
      func.func @main() -> tensor<i32> {
        %0 = llvm.call @getpid() : () -> i32
        %1 = tensor.from_elements %0 : tensor<i32>
        return %1 : tensor<i32>
      }""",
    "an address": """
      func.func @main() -> tensor<i32> {
        %0 = arith.constant 4096 : i64
        %1 = llvm.inttoptr %0 : i64 to !llvm.ptr
        %2 = llvm.load %1 : !llvm.ptr -> i32
        %3 = tensor.from_elements %2 : tensor<i32>
        return %3 : tensor<i32>
      }""",
    "assembly": """
      func.func @main() -> tensor<i32> {
        %0 = llvm.inline_asm "mov $$42, $0", "=r" : () -> i32
        %1 = tensor.from_elements %0 : tensor<i32>
        return %1 : tensor<i32>
      }""",
    "a view": """
      func.func @main(%x: tensor<4xf32>) -> tensor<1000xf32> {
        %0 = bufferization.to_buffer %x : tensor<4xf32> to memref<4xf32>
        %1 = memref.reinterpret_cast %0 to offset: [0], sizes: [1000], strides: [1] : memref<4xf32> to memref<1000xf32>
        %2 = bufferization.to_tensor %1 restrict : memref<1000xf32> to tensor<1000xf32>
        return %2 : tensor<1000xf32>
      }""",
    "a symbol": """
      memref.global @environ : memref<1xi64>
      func.func @main() -> tensor<1xi64> {
        %0 = memref.get_global @environ : memref<1xi64>
        %1 = bufferization.to_tensor %0 restrict : memref<1xi64> to tensor<1xi64>
        return %1 : tensor<1xi64>
      }""",
    "a vector": """
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = arith.constant 100000 : index
        %1 = ub.poison : f32
        %2 = vector.transfer_read %x[%0], %1 {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
        %3 = vector.transfer_write %2, %x[%0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
        return %3 : tensor<4xf32>
      }""",
    "a pointer to a function": """
      func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = func.constant @f : (tensor<4xf32>) -> tensor<4xf32>
        %1 = func.call_indirect %0(%x) : (tensor<4xf32>) -> tensor<4xf32>
        return %1 : tensor<4xf32>
      }""",
    "a cast": """
      func.func @main(%x: tensor<4xf32>) -> tensor<4xi64> {
        %0 = builtin.unrealized_conversion_cast %x : tensor<4xf32> to tensor<4xi64>
        return %0 : tensor<4xi64>
      }""",
    "a type": """
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = tensor.empty() : tensor<4x!llvm.ptr>
        return %x : tensor<4xf32>
      }""",
    "a name": """
      func.func private @isthmus.loop(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = call @isthmus.loop(%x) : (tensor<4xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }""",
}


@pytest.mark.parametrize("program", HOSTILE.values(), ids=HOSTILE)
def test_what_does_not_compute_is_refused(program):
    module = isthmus.parse(program)
    with pytest.raises(isthmus.UnsupportedError, match=r"expected .*, got '.*'[^']*(\n.*)*--trust"):
        module.input_names()


def test_all_problems_are_named_with_their_places(tmp_path):
    (tmp_path / "m.mlir").write_text(HOSTILE["an address"])
    with pytest.raises(isthmus.UnsupportedError) as error:
        isthmus.load(tmp_path / "m.mlir").run()
    said = str(error.value)
    assert f"{tmp_path}/m.mlir" in said and ":4:14" in said
    assert "got 'llvm.inttoptr'" in said and "got 'llvm.load'" in said


RECURSIVE = """
func.func private @down(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %isLast = arith.cmpi eq, %n, %zero : i64
  %result = scf.if %isLast -> i64 {
    scf.yield %n : i64
  } else {
    %less = arith.subi %n, %one : i64
    %rest = func.call @across(%less) : (i64) -> i64
    %all = arith.addi %rest, %n : i64
    scf.yield %all : i64
  }
  return %result : i64
}
func.func private @across(%n: i64) -> i64 {
  %0 = call @down(%n) : (i64) -> i64
  return %0 : i64
}
func.func @main(%x: tensor<i64>) -> tensor<i64> {
  %n = tensor.extract %x[] : tensor<i64>
  %0 = call @down(%n) : (i64) -> i64
  %1 = tensor.from_elements %0 : tensor<i64>
  return %1 : tensor<i64>
}
"""


def test_a_function_that_calls_itself_is_refused():
    with pytest.raises(isthmus.IsthmusError, match="expected no function that calls itself, got '(down|across)'"):
        isthmus.parse(RECURSIVE).run(np.array(10**9))


def test_what_is_trusted_runs_as_it_is():
    module = isthmus.parse(HOSTILE["a call"], trust=True)
    assert module.run()[0] == os.getpid()


def test_a_declared_function_is_none_of_the_process():
    """A declared function is not looked up in the process, not even with trust. The host must pass it by name."""
    program = """
      func.func private @getpid() -> i32
      func.func @main() -> tensor<i32> {
        %0 = call @getpid() : () -> i32
        %1 = tensor.from_elements %0 : tensor<i32>
        return %1 : tensor<i32>
      }"""
    for trust in (False, True):
        with pytest.raises(isthmus.UnsupportedError, match="got none of 'getpid'"):
            isthmus.parse(program, trust=trust).run()


@pytest.mark.parametrize("name", ["memcpy", "malloc", "memset", "sinf", "_mlir_memref_to_llvm_alloc", "isthmusAlloc"])
def test_names_of_functions_are_the_programs_own(name):
    """A program's function with the name of a library function does not replace it: copying and allocation work."""
    module = isthmus.parse(f"""
      func.func @main(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {{
        %0 = call @{name}(%x) : (tensor<?x64xf32>) -> tensor<?x64xf32>
        %1 = call @{name}(%0) : (tensor<?x64xf32>) -> tensor<?x64xf32>
        return %1 : tensor<?x64xf32>
      }}
      func.func @{name}(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {{
        %0 = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
            outs(%x : tensor<?x64xf32>) {{
        ^bb0(%a: f32):
          %b = math.sin %a : f32
          linalg.yield %b : f32
        }} -> tensor<?x64xf32>
        return %0 : tensor<?x64xf32>
      }}""")
    x = np.linspace(0, 1, 640, dtype=np.float32).reshape(10, 64)
    (result,) = module.run(x)
    np.testing.assert_allclose(result, np.sin(np.sin(x)), rtol=1e-5)


@pytest.mark.parametrize(
    "attributes",
    ['passthrough = ["naked"]', "llvm.bareptr", 'section = ".init_array"', 'llvm.linkage = #llvm.linkage<"weak">'],
)
def test_attributes_of_other_tools_say_nothing(attributes):
    module = isthmus.parse(f"""
      module attributes {{llvm.module_asm = ["hlt"]}} {{
        func.func @main(%x: tensor<4xf32> {{bufferization.writable = true, llvm.align = 4096 : i64}}) -> tensor<4xf32>
            attributes {{{attributes}}} {{
          %0 = linalg.negf {{__inplace_operands_attr__ = ["true", "true"]}}
              ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
          return %0 : tensor<4xf32>
        }}
      }}""")
    x = X.copy()
    np.testing.assert_array_equal(module.run(x)[0], -X)
    np.testing.assert_array_equal(x, X)


def test_maps_beside_an_op_are_checked():
    """Ops of linalg store their maps in an attribute. Forged maps would let a product of unequal sizes pass."""
    program = """
      func.func @main(%x: tensor<4x4xf32>, %y: tensor<4096x4xf32>, %z: tensor<4x4xf32>) -> tensor<4x4xf32> {
        %0 = linalg.matmul {linalg.memoized_indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                                                             affine_map<(i, j, k) -> (0, j)>,
                                                             affine_map<(i, j, k) -> (i, j)>]}
            ins(%x, %y : tensor<4x4xf32>, tensor<4096x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
        return %0 : tensor<4x4xf32>
      }"""
    with pytest.raises((isthmus.BadModelError, isthmus.UnsupportedError)):
        isthmus.parse(program).input_names()


def test_what_computes_runs():
    module = isthmus.parse("""
      func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
        %c0 = arith.constant 0 : index
        %n = tensor.dim %x, %c0 : tensor<?xf32>
        %m = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%n]
        %e = tensor.empty(%m) : tensor<?xf32>
        %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
            outs(%e : tensor<?xf32>) {
        ^bb0(%o: f32):
          %i = linalg.index 0 : index
          %j = affine.min affine_map<(i)[s0] -> (i, s0 - 1)>(%i)[%n]
          %v = tensor.extract %x[%j] : tensor<?xf32>
          %t = math.tanh %v : f32
          linalg.yield %t : f32
        } -> tensor<?xf32>
        return %0 : tensor<?xf32>
      }""")
    (result,) = module.run(X)
    np.testing.assert_allclose(result, np.tanh(X[[0, 1, 2, 3, 3, 3, 3, 3]]), rtol=1e-6)


@pytest.mark.parametrize("trust", [False, True])
def test_a_program_that_is_not_lowered(trust):
    text = """
      func.func @main(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
        %0 = torch.aten.neg %x : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
        return %0 : !torch.vtensor<[4],f32>
      }"""
    with pytest.raises(isthmus.UnsupportedError) as caught:
        isthmus.parse(text, trust=trust).run(X)
    message = str(caught.value)
    assert "torch" in message
    assert "--trust" not in message
    if not trust:
        assert message == (
            "the JIT runs programs in Linalg or TOSA, got 1 op of the dialect 'torch': "
            "lower it to linalg first: Module.lower, isthmus compile"
        )


@pytest.mark.skipif("mhlo" not in isthmus.parts(), reason="this build has no StableHLO")
def test_a_program_for_xla():
    text = """
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = stablehlo.negate %x : tensor<4xf32>
        return %0 : tensor<4xf32>
      }"""
    with pytest.raises(isthmus.UnsupportedError, match=r"'stablehlo': .* run this program in XLA \(docs/tutorials"):
        isthmus.parse(text).run(X)


def test_an_op_that_does_not_run_is_named_with_its_place():
    text = "func.func @main() {\n  %0 = bufferization.alloc_tensor() : tensor<4xf32>\n  return\n}"
    with pytest.raises(isthmus.UnsupportedError) as caught:
        isthmus.parse(text).run()
    assert caught.value.messages[0].startswith("<bytes>:2:8: expected an op of arith, ")
