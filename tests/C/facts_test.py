"""Facts of the library and of programs, hoisted weights, and what else bindings of other languages need."""

import ctypes
import json
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import isthmus
from isthmus import ops
from tests.C import library
from tests.C.library import RELEASE, TEXT, WRITE, Refused, call, freed, made, opened, options, write

PROGRAM = b"""
func.func @main(%x: !torch.vtensor<[2,?],f32> {acme.x = "a\\22\\5C\\0A\\00\\C3\\A9\\FF"}) -> !torch.vtensor<[2,?],f32>
    attributes {acme.all = [1, -2.5, true, "t", unit, {k = 0x7FF0000000000000 : f64}, 1267650600228229401496703205376 : i128]} {
  %y = torch.aten.tanh %x : !torch.vtensor<[2,?],f32> -> !torch.vtensor<[2,?],f32>
  %z = torch.aten.tanh %y : !torch.vtensor<[2,?],f32> -> !torch.vtensor<[2,?],f32>
  return %z : !torch.vtensor<[2,?],f32>
}
"""

WEIGHTS = b"""
func.func @main(%x: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],ui8>) {
  %w = torch.vtensor.literal(dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>) : !torch.vtensor<[2,3],f32>
  %b = torch.vtensor.literal(dense<[7, 200]> : tensor<2xui8>) : !torch.vtensor<[2],ui8>
  %y = torch.aten.mul.Tensor %x, %w : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  return %y, %b : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2],ui8>
}
"""


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("element_type", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("dims", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
    ]


def fact(name, *arguments):
    """The JSON that a function writes; names of models may have any bytes."""
    pieces = []

    @WRITE
    def take(_, data, size):
        pieces.append(ctypes.string_at(data, size))
        return 0

    call(name, *arguments, ctypes.cast(take, ctypes.c_void_p), None)
    return json.loads(b"".join(pieces).decode(errors="surrogateescape"))


def test_coverage():
    assert ops.Coverage.from_json(json.dumps(fact("write_coverage"))) == isthmus.coverage()


def test_operator_aliases():
    aliases = fact("write_operator_aliases")
    assert aliases.get("aten.multiply.Tensor") == ("aten.mul.Tensor" if "pt2" in isthmus.parts() else None)


def test_op_counts():
    with opened(PROGRAM, "mlir") as own:
        counts = fact("model_write_op_counts", own)
    assert counts == {"builtin.module": 1, "func.func": 1, "func.return": 1, "torch.aten.tanh": 2}
    assert counts == isthmus.parse(PROGRAM).count_ops()


def test_nodes():
    with opened(PROGRAM, "mlir") as own:
        nodes = fact("model_write_nodes", own)
    assert [op for op, _ in nodes] == ["torch.aten.tanh"] * 2
    assert all("5:" in place or "4:" in place for _, place in nodes)


GRAPH = b"""
func.func @main(%x: !torch.vtensor<[2,?],si64> {isthmus.dim_params = "1:n", isthmus.name = "x\\FF"}, %u: !torch.vtensor) -> !torch.vtensor<[4,?],si64> {
  %w = torch.vtensor.literal(dense<[[1], [2]]> : tensor<2x1xi64>) : !torch.vtensor<[2,1],si64>
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %sum = torch.aten.add.Tensor %x, %w, %one : !torch.vtensor<[2,?],si64>, !torch.vtensor<[2,1],si64>, !torch.int -> !torch.vtensor<[2,?],si64>
  %list = torch.prim.ListConstruct %sum, %x : (!torch.vtensor<[2,?],si64>, !torch.vtensor<[2,?],si64>) -> !torch.list<vtensor<[2,?],si64>>
  %y = torch.aten.cat %list, %zero : !torch.list<vtensor<[2,?],si64>>, !torch.int -> !torch.vtensor<[4,?],si64>
  return %y : !torch.vtensor<[4,?],si64>
}
"""


def test_graph():
    with opened(GRAPH, "mlir") as own:
        graph = fact("model_write_graph", own)
        nodes = fact("model_write_nodes", own)
    x, unknown = graph["inputs"]
    assert x == {"id": x["id"], "name": "x\udcff", "dtype": "si64", "bits": 64, "sizes": ["2", "n"]}
    assert (unknown["dtype"], unknown["bits"], unknown["sizes"]) == ("!torch.vtensor", 0, None)
    (w,) = graph["weights"]
    assert (w["dtype"], w["bits"], w["sizes"]) == ("si64", 64, ["2", "1"])
    add, cat = graph["nodes"]
    assert [[node["op"], node["place"]] for node in graph["nodes"]] == nodes
    assert (add["op"], cat["op"]) == ("torch.aten.add.Tensor", "torch.aten.cat")
    (total,), (y,) = add["outputs"], cat["outputs"]
    assert add["inputs"] == [x["id"], w["id"]] and cat["inputs"] == [total["id"], x["id"]]
    assert graph["outputs"] == [y] and y["sizes"] == ["4", "?"]
    assert len({value["id"] for value in (x, unknown, w, total, y)}) == 5
    with opened(b"module {}", "mlir") as own:
        assert fact("model_write_graph", own) == {"inputs": [], "outputs": [], "weights": [], "nodes": []}


def test_notes():
    with opened(PROGRAM, "mlir") as own:
        notes = fact("model_write_notes", own)
    assert notes["function"]["acme.all"] == [1, -2.5, True, "t", None, {"k": None}, None]
    assert type(notes["function"]["acme.all"][1]) is float
    assert notes["arguments"] == [{"acme.x": 'a"\\\n\0é\udcff'}] and notes["results"] == [{}]
    with opened(b"module {}", "mlir") as own:
        assert fact("model_write_notes", own) is None


@pytest.mark.parametrize(
    "name",
    [
        "write_coverage",
        "write_operator_aliases",
        "model_write_graph",
        "model_write_nodes",
        "model_write_notes",
        "model_write_op_counts",
    ],
)
def test_writing_a_fact_can_be_stopped(name):
    @WRITE
    def refuse(context, data, size):
        return context

    with opened(PROGRAM, "mlir") as own:
        model = [own] if name.startswith("model") else []
        with pytest.raises(Refused) as refused:
            call(name, *model, ctypes.cast(refuse, ctypes.c_void_p), 1)
        assert refused.value.kind == "stopped"
        with pytest.raises(Refused, match="write: expected a function, got null") as refused:
            call(name, *model, None, None)
        assert refused.value.kind == "argument"


def test_hoisted_weights():
    lib = library.library
    with opened(WEIGHTS, "mlir") as own:
        weights = made("model_hoist_weights", own, 0, last=())
        assert b"dense" not in write(own)
    # They outlive the model.
    assert lib.isthmus_weights_count(weights) == 2
    assert [lib.isthmus_weights_dtype(weights, i) for i in range(3)] == [b"f32", b"i8", None]
    assert lib.isthmus_weights_name(weights, 0) and lib.isthmus_weights_name(weights, 2) is None
    assert lib.isthmus_weights_tensor(weights, 2) is None
    tensor, bytes_ = (Tensor.from_address(lib.isthmus_weights_tensor(weights, i)) for i in range(2))
    assert (tensor.rank, tensor.dims[:2], tensor.strides[:2]) == (2, [2, 3], [3, 1])
    floats = ctypes.cast(tensor.data, ctypes.POINTER(ctypes.c_float))
    assert floats[:6] == [1, 2, 3, 4, 5, 6] and ctypes.string_at(bytes_.data, 2) == bytes([7, 200])
    lib.isthmus_weights_free(weights)


def test_only_weights_of_a_size_are_hoisted():
    with opened(WEIGHTS, "mlir") as own, freed("weights", "model_hoist_weights", own, 24) as weights:
        assert library.library.isthmus_weights_count(weights) == 1
    with opened(b"func.func @other() { return }", "mlir") as own:
        with pytest.raises(Refused, match="expected a function @main, got none") as refused:
            made("model_hoist_weights", own, 0)
        assert refused.value.kind == "unsupported"


NAMED = b"""
func.func @main(%x: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],ui8>) {
  %w = torch.vtensor.literal(dense<1.5> : tensor<2x3xf32>) : !torch.vtensor<[2,3],f32> loc(fused<"weight">["scale"])
  %v = torch.vtensor.literal(dense<1.5> : tensor<2x3xf32>) : !torch.vtensor<[2,3],f32> loc(fused<"weight">["norm"])
  %n = torch.vtensor.literal(dense<2.5> : tensor<2x3xf32>) : !torch.vtensor<[2,3],f32> loc("node")
  %b = torch.vtensor.literal(dense<[7, 200]> : tensor<2xui8>) : !torch.vtensor<[2],ui8> loc(fused<"weight">["bytes"])
  %y = torch.aten.mul.Tensor %x, %w : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  %z = torch.aten.mul.Tensor %y, %v : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  return %z, %b : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2],ui8>
}
"""


def test_named_weights():
    lib = library.library
    with opened(NAMED, "mlir") as own, freed("weights", "model_hoist_named_weights", own) as weights:
        names = [lib.isthmus_weights_name(weights, i) for i in range(lib.isthmus_weights_count(weights))]
        # The node's constant and the integers stay; equal weights of two names are two.
        assert names == [b"scale", b"norm"]
        text = write(own)
        assert text.count(b"isthmus.weight") == 2 and b"2.5" in text and b"dense<[7, 200]>" in text
        tensor = Tensor.from_address(lib.isthmus_weights_tensor(weights, 1))
        assert (tensor.rank, tensor.dims[:2], tensor.strides[:2]) == (2, [2, 3], [0, 0])
        assert ctypes.cast(tensor.data, ctypes.POINTER(ctypes.c_float))[0] == 1.5
    with opened(b"func.func @other() { return }", "mlir") as own:
        with pytest.raises(Refused, match="expected a function @main, got none"):
            made("model_hoist_named_weights", own)


def test_values_of_options_may_have_any_bytes():
    with opened(PROGRAM, "mlir") as own, options(target="tosa") as given:
        call("options_add", given, b"custom_ops", b"a,b\0c", 5)
        with pytest.raises(Refused) as refused:
            call("model_lower", own, given)
    # A text of C ends at its first null byte, so messages have another text for it.
    assert refused.value.kind == "unsupported" and refused.value.messages[0].endswith(r"got 'a,b\00c'")


def test_a_choice_is_checked_by_lowering():
    with opened(PROGRAM, "mlir") as own, options(target="torch") as given:
        call("options_add", given, b"consumer", b"xla", 3)
        with pytest.raises(Refused, match="consumer: expected 'any' or 'iree', got 'xla'") as refused:
            call("model_lower", own, given)
        assert refused.value.kind == "unsupported"


@pytest.mark.parametrize(
    "name, message",
    [
        ("narrow_f64", "narrow-f64: expected an option of a name, names, files, texts or a choice, got 'x'"),
        ("specialize", "specialize: expected an option of a name, names, files, texts or a choice, got 'x'"),
        ("none", "expected an option of 'target'"),
    ],
)
def test_options_that_take_no_text(name, message):
    with options() as given, pytest.raises(Refused, match=message) as refused:
        call("options_add", given, name.encode(), b"x", 1)
    assert refused.value.kind == "argument"


def shape(given, name, input, *sizes):
    call("options_add_shape", given, name, input, len(input), (ctypes.c_int64 * len(sizes))(*sizes), len(sizes))


@pytest.mark.parametrize("name", [b"target", b"narrow_f64", b"custom_ops"])
def test_options_that_take_no_shape(name):
    with options() as given, pytest.raises(Refused, match="expected an option of shapes, got 'x'"):
        shape(given, name, b"x", 1)


def test_shapes_of_inputs():
    with opened(PROGRAM, "mlir") as own, options(target="torch") as given:
        shape(given, b"specialize", b"x=y", 1, 2)
        with pytest.raises(Refused, match="expected one shape for each input"):
            shape(given, b"specialize", b"x=y", 1, 2)
        with pytest.raises(Refused, match="sizes: expected a pointer, got null"):
            call("options_add_shape", given, b"specialize", b"z", 1, None, 1)
        with pytest.raises(Refused, match="input 'x=y': expected a model to give it a shape"):
            call("model_lower", own, given)


@pytest.mark.parametrize(
    "name, is_mlir", [("a.mlir", 1), ("a.mlirbc", 1), ("a.onnx", 0), ("mlir", 0), ("a.mlir/b", 0), ("", 0)]
)
def test_names_of_mlir(name, is_mlir):
    assert library.library.isthmus_is_mlir_name(name.encode()) == is_mlir
    assert isthmus.api.is_mlir(name) == is_mlir


def test_the_format_of_any_model(tmp_path):
    """MLIR is none of the models, whatever the file is called."""
    path = tmp_path / "program.mlir"
    path.write_bytes(PROGRAM)
    kind = "bad model" if "onnx" in isthmus.parts() else "missing part"
    with opened(path):
        pass
    with pytest.raises(Refused) as refused, opened(path, "model"):
        pass
    assert refused.value.kind == kind


def test_records(tmp_path):
    released = []
    release = RELEASE(released.append)
    address = ctypes.cast(release, ctypes.c_void_p)
    with freed("records", "records_create") as records:
        call("records_add", records, b"models/model.json", b"{}", 2, address, 1)
        with pytest.raises(Refused, match="path: expected a pointer, got null"):
            call("records_add", records, None, b"{}", 2, address, 2)
        assert released == [2]
        with pytest.raises(Refused, match="<memory>|this build has no pt2 part"):
            made("model_open_records", records, None)
        assert released == [2, 1]
        call("records_add", records, b"byteorder", b"little", 6, address, 3)
    assert released == [2, 1, 3]


DESCRIPTOR = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "file"

    @DESCRIPTOR
    def fill(context, file):
        os.write(file, b"new")
        return context or 0

    function = ctypes.cast(fill, ctypes.c_void_p)
    call("write_file", str(path).encode(), function, 0)
    assert path.read_bytes() == b"new"
    path.write_bytes(b"old")
    with pytest.raises(Refused) as refused:
        call("write_file", str(path).encode(), function, 1)
    assert refused.value.kind == "stopped" and path.read_bytes() == b"old"
    with pytest.raises(Refused) as refused:
        call("write_file", str(tmp_path / "none" / "file").encode(), function, 0)
    assert refused.value.kind == "system" and os.listdir(tmp_path) == ["file"]


LIMITED = """
import ctypes, os, resource, sys
from tests.C import library
from tests.C.library import made

@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def ends(context):
    os.write(2, b"called")
    os._exit(context)

library.library.isthmus_on_out_of_memory(ctypes.cast(ends, ctypes.c_void_p), int(sys.argv[1]))
if sys.argv[2] == "removed":
    library.library.isthmus_on_out_of_memory(None, None)
lines = b"\\n".join(b"%%y%d = torch.constant.int %d" % (i, i) for i in range(200000))
text = b"func.func @main() {" + lines + b"\\nreturn }"
resource.setrlimit(resource.RLIMIT_DATA, (60_000_000, 60_000_000))
try:
    made("model_open_buffer", text, len(text), None, b"mlir")
except library.Refused as refused:
    print(refused.kind)
"""


@pytest.mark.parametrize("handler, expected", [("kept", (7, "", "called")), ("removed", (0, "out of memory\n", ""))])
def test_a_handler_hears_when_memory_is_out(handler, expected):
    done = subprocess.run([sys.executable, "-c", LIMITED, "7", handler], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == expected


def in_use(clone_is_freed):
    """Calls `clone_is_freed` while another thread is in a call with the model of a clone."""
    started, may_end = threading.Event(), threading.Event()

    @WRITE
    def wait(context, data, size):
        started.set()
        may_end.wait(60)
        return 0

    def work(own):
        call("model_write", own, TEXT, ctypes.cast(wait, ctypes.c_void_p), None)

    with opened(PROGRAM, "mlir") as own:
        clone = made("model_clone", own)
        thread = threading.Thread(target=work, args=(own,))
        thread.start()
        started.wait(60)
        try:
            clone_is_freed(clone)
        finally:
            may_end.set()
            thread.join()
        assert b"torch.aten.tanh" in write(own)


def test_to_free_a_clone_does_not_wait():
    in_use(library.library.isthmus_model_free)


def test_in_the_child_of_a_fork_no_call_is_in_progress():
    def fork(clone):
        child = os.fork()
        if not child:
            try:
                os._exit(0 if b"torch.aten.tanh" in write(clone) else 1)
            finally:
                os._exit(2)
        ended = threading.Timer(20, lambda: os.kill(child, 9))
        ended.start()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        ended.cancel()
        library.library.isthmus_model_free(clone)
        assert status == 0

    in_use(fork)


def test_hoisted_weights_in_python_are_read_only_and_keep_their_memory():
    module = isthmus.parse(WEIGHTS)
    floats, numbers = module.hoist_weights()
    del module
    np.testing.assert_array_equal(floats, np.arange(1, 7, dtype=np.float32).reshape(2, 3))
    assert numbers.tolist() == [7, -56] and numbers.dtype == np.int8 and not floats.flags.writeable
