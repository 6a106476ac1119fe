"""A file that is not a valid exported program gets one clear error for each problem, and no other output."""

import io
import random
import re
import zipfile

import pytest
import torch
from torch import nn
from torch._higher_order_ops import while_loop

from tests.support.pt2_programs import (
    CONSTANTS,
    MODEL,
    WEIGHTS,
    Function,
    archive,
    changed,
    export,
    import_errors,
    import_pt2,
    records,
    run,
)


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)
        self.scale = torch.ones(3)

    def forward(self, x):
        return torch.relu(self.linear(x)) * self.scale + 1


class Doubling(nn.Module):
    def forward(self, x):
        return while_loop(lambda i, x: i < 4, lambda i, x: (i + 1, x * 2), (torch.tensor(0), x))


@pytest.fixture(scope="module")
def good():
    return export(Small(), torch.ones(2, 4))


def graph(document):
    return document["graph_module"]["graph"]


def node(document, name):
    return next(node for node in graph(document)["nodes"] if node["name"] == name)


def argument(document, name, index):
    return node(document, name)["inputs"][index]["arg"]


@pytest.mark.parametrize(
    "write, expected",
    [
        (lambda file: torch.save(Small().state_dict(), file), "a checkpoint of torch.save"),
        (
            lambda file: torch.jit.save(torch.jit.trace(Small(), torch.ones(2, 4)), file),
            "TorchScript of torch.jit.save",
        ),
    ],
)
def test_other_files_of_pytorch(write, expected):
    file = io.BytesIO()
    write(file)
    got = f"{expected}; export the module with torch.export.export"
    assert import_errors(file.getvalue()) == [f"expected an exported PyTorch program, got {got}"]


def test_the_good_program_is_good(good):
    import_pt2(good)
    import_pt2(archive(records(good)))  # an archive of Python's zipfile is good too


# ---- Bytes ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"PK", b"\x08\x0a\x3a\x00" * 20])
def test_not_a_zip(data):
    assert import_errors(data) == ["byte 0: expected a zip archive, got something else"]


def test_truncated(good):
    for size in [30, len(good) // 2, len(good) - 1]:
        (error,) = import_errors(good[:size])
        assert error == f"byte {size}: expected the end of a zip archive, got a file that was cut off"


def test_compressed(good):
    (error,) = import_errors(archive(records(good), zipfile.ZIP_DEFLATED))
    assert "stored as it is, got it compressed" in error


def test_no_byte_is_read_outside_of_the_file(good):
    # In a directory entry: sizes from byte 20, the header's offset from byte 42.
    start = int.from_bytes(good[-6:-2], "little")
    assert good[start:].startswith(b"PK\1\2")
    for at, value in [(42, 2**31), (42, len(good) - 4), (42, 1)]:
        data = bytearray(good)
        data[start + at : start + at + 4] = value.to_bytes(4, "little")
        (error,) = import_errors(bytes(data))
        assert error.startswith(f"byte {value}: expected the header of 'archive/")
    data = bytearray(good)
    for at in (20, 24):
        data[start + at : start + at + 4] = (2**31).to_bytes(4, "little")
    (error,) = import_errors(bytes(data))
    assert f"expected {2**31} bytes of 'archive/" in error and error.endswith(f"got a file of {len(good)}")


def test_the_directory_lies_outside(good):
    plain = bytearray(archive(records(good)))
    end = plain.rindex(b"PK\5\6")
    size = int.from_bytes(plain[end + 12 : end + 16], "little")
    plain[end + 16 : end + 20] = (2**31).to_bytes(4, "little")
    (error,) = import_errors(bytes(plain))
    assert error == f"byte {end}: expected a central directory before this byte, got {size} bytes at {2**31}"


def test_the_zip64_directory_lies_outside(good):
    data = bytearray(good)
    at = data.rindex(b"PK\6\6")
    data[at + 48 : at + 56] = (2**63).to_bytes(8, "little")
    (error,) = import_errors(bytes(data))
    assert error.endswith(f"bytes at {2**63}")

    data = bytearray(good)
    at = data.rindex(b"PK\6\7")
    data[at + 8 : at + 16] = (2**64 - 1).to_bytes(8, "little")
    (error,) = import_errors(bytes(data))
    assert error == f"byte {at}: expected the place of a zip64 end of central directory, got {2**64 - 1}"


def test_more_entries_than_there_are(good):
    data = bytearray(archive(records(good)))
    end = data.rindex(b"PK\5\6")
    data[end + 8 : end + 12] = b"\xff\xff\xff\xff"
    (error,) = import_errors(bytes(data))
    assert error == f"byte {end}: expected an entry of the central directory"


def test_two_records_of_one_name(good):
    file = io.BytesIO(archive(records(good)))
    with pytest.warns(UserWarning), zipfile.ZipFile(file, "a") as target:
        target.writestr("model/byteorder", "little")
    (error,) = import_errors(file.getvalue())
    assert error.endswith("expected one record 'model/byteorder', got two")


def test_two_folders(good):
    file = io.BytesIO(archive(records(good)))
    with zipfile.ZipFile(file, "a") as target:
        target.writestr("other/byteorder", "little")
    (error,) = import_errors(file.getvalue())
    assert error.endswith("expected all records in one folder, got 'other/byteorder'")


def test_flipped_bits_never_crash(good):
    choose = random.Random(7)
    for _ in range(200):
        flipped = bytearray(good)
        flipped[choose.randrange(len(good))] ^= 1 << choose.randrange(8)
        done = run(bytes(flipped))
        assert done.returncode in (0, 1), done.stderr
        assert bool(done.stderr) == bool(done.returncode)


# ---- Records -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path, content, expected",
    [
        ("byteorder", b"big", "expected a record 'byteorder' that says 'little', got 'big'"),
        ("archive_format", b"pt", "expected a record 'archive_format' that says 'pt2', got 'pt'"),
        ("archive_format", None, "expected a record 'archive_format' that says 'pt2', got none"),
        ("archive_version", b"9", "expected a record 'archive_version' that says '0', got '9'"),
        (MODEL, None, "expected one program in the file, got none"),
        ("models/other.json", b"{}", "expected one program in the file, got 'model', 'other'"),
        (WEIGHTS, None, f"expected a record '{WEIGHTS}', got none"),
        (CONSTANTS, b"[]", f"record '{CONSTANTS}': missing value at PayloadConfig.config"),
        (MODEL, b"{", f"record '{MODEL}': [1:1, byte=1]: Expected object key"),
        (MODEL, b"{}", f"record '{MODEL}': expected a schema_version, got none"),
        (MODEL, b"[" * 501, f"record '{MODEL}': byte 500: expected JSON nested at most 500 deep, got more"),
        (MODEL, b'"' + b"[" * 501 + b'"', f"record '{MODEL}': expected a schema_version, got none"),
        (
            "data/weights/weight_0",
            None,
            "weight 'linear.weight': expected a record 'data/weights/weight_0', got none",
        ),
        (
            "data/weights/weight_0",
            bytes(40),
            "weight 'linear.weight': expected storage of 12 elements in record 'data/weights/weight_0', got 10",
        ),
    ],
)
def test_wrong_records(good, path, content, expected):
    files = records(good) | {path: content}
    assert import_errors(archive({key: value for key, value in files.items() if value is not None})) == [expected]


@pytest.mark.parametrize(
    "found, put, expected",
    [
        ('"nodes": [', '"nodes": [,', "nodes[0]: [1:0, byte=0]: Unexpected EOF"),
        ('"nodes": [', '"nodes": [{}, ', "missing value at ExportedProgram.graph_module.graph.nodes[0].target"),
        ('"nodes": [', '"nodes": [1 1, ', "nodes[0]: [1:2, byte=2]: Text after end of document"),
        (
            '"tensor_values": {',
            '"tensor_values": {,',
            "expected a field at ExportedProgram.graph_module.graph.tensor_values",
        ),
        (
            '"tensor_values": {',
            '"tensor_values": {"x": 1, ',
            "expected object at ExportedProgram.graph_module.graph.tensor_values.x",
        ),
    ],
)
def test_elements_of_long_lists(good, found, put, expected):
    files = records(good)
    text = files[MODEL].decode()
    assert found in text
    assert import_errors(archive(files | {MODEL: text.replace(found, put).encode()})) == [
        f"record '{MODEL}': {expected}"
    ]


def test_a_long_list_that_does_not_end(good):
    files = records(good)
    text = files[MODEL].decode()
    start = text.index('"nodes": [')
    for end in range(start, start + 200, 7):
        (error,) = import_errors(archive(files | {MODEL: text[:end].encode()}))
        assert f"byte={end}]" in error


@pytest.mark.parametrize("major, minor", [(9, 0), (8, 21), (7, 3)])
def test_another_schema(good, major, minor):
    data = changed(good, lambda document: document["schema_version"].update(major=major, minor=minor))
    expected = f"record '{MODEL}': expected schema version 8.0 to 8.20, got {major}.{minor}"
    assert import_errors(data) == [expected]


def test_weights_are_never_unpickled(good):
    data = changed(good, lambda config: config["config"]["linear.bias"].update(use_pickle=True), WEIGHTS)
    (error,) = import_errors(data)
    assert error == "weight 'linear.bias': expected a plain tensor, got a pickled object, which could run any code"


WRONG_WEIGHTS = {
    "too large": (
        {"sizes": [{"as_int": 2**40}, {"as_int": 2**40}]},
        "expected sizes with a product that fits 64 bits",
    ),
    "negative size": ({"sizes": [{"as_int": -1}, {"as_int": 4}]}, "expected sizes of at least 0, got -1"),
    "negative stride": ({"strides": [{"as_int": -4}, {"as_int": 1}]}, "expected strides of at least 0, got -4"),
    "strides that end outside": (
        {"strides": [{"as_int": 2**62}, {"as_int": 1}]},
        "expected storage of countless elements in record 'data/weights/weight_0', got 12",
    ),
    "too few strides": ({"strides": [{"as_int": 1}]}, "expected 2 strides, got 1"),
    "offset": (
        {"storage_offset": {"as_int": 1}},
        "expected storage of 13 elements in record 'data/weights/weight_0', got 12",
    ),
    "repeated without end": (
        {
            "sizes": [{"as_int": 2**20}, {"as_int": 2**20}],
            "strides": [{"as_int": 0}, {"as_int": 0}],
        },
        f"expected a model that grows by at most {2**30} bytes beyond its file, got {2**42 - 48} for strides that "
        "repeat what is stored after 0",
    ),
    "dtype": ({"dtype": 99}, "expected a known dtype, got 99"),
    "layout": ({"layout": 1}, "expected a strided tensor, got one of layout 1"),
    "another shape": (
        {"sizes": [{"as_int": 4}, {"as_int": 3}], "strides": [{"as_int": 3}, {"as_int": 1}]},
        "expected the graph to take '!torch.vtensor<[4,3],f32>', got '!torch.vtensor<[3,4],f32>'",
    ),
}


@pytest.mark.parametrize("change, expected", WRONG_WEIGHTS.values(), ids=WRONG_WEIGHTS.keys())
def test_wrong_weights(good, change, expected):
    data = changed(good, lambda config: config["config"]["linear.weight"]["tensor_meta"].update(change), WEIGHTS)
    assert import_errors(data) == [f"weight 'linear.weight': {expected}"]


def test_strides_that_repeat_are_bounded_in_sum(good):
    """Each weight alone is within the bound."""

    def change(config):
        for name, sizes in {"linear.weight": [2**10, 2**10], "linear.bias": [2**28]}.items():
            strides = [0] * len(sizes)
            as_ints = {"sizes": sizes, "strides": strides}
            config["config"][name]["tensor_meta"].update(
                {key: [{"as_int": number} for number in numbers] for key, numbers in as_ints.items()}
            )

    errors = import_errors(changed(good, change, WEIGHTS))
    assert any(
        re.fullmatch(
            rf"weight '.*': expected a model that grows by at most {2**30} bytes beyond its file, got \d+ for strides "
            r"that repeat what is stored after [1-9]\d*",
            error,
        )
        for error in errors
    )


# ---- Graphs --------------------------------------------------------------------------------------------------------------


def sizes(*values):
    return [{"as_int": value} for value in values]


WRONG_GRAPHS = {
    "unknown value": (
        lambda d: argument(d, "relu", 0)["as_tensor"].update(name="z"),
        "node 'relu' (aten.relu): expected a value named 'z', got a name that nothing defines",
    ),
    "unknown output": (
        lambda d: d["graph_module"]["signature"]["output_specs"][0]["user_output"]["arg"]["as_tensor"].update(name="z"),
        "output 'z': expected a value named 'z', got a name that nothing defines",
    ),
    "a name twice": (
        lambda d: (
            node(d, "relu")["outputs"][0]["as_tensor"].update(name="linear"),
            argument(d, "mul", 0)["as_tensor"].update(name="linear"),
        ),
        "node 'relu' (aten.relu): expected a new name for a value, got 'linear' again",
    ),
    "undescribed value": (
        lambda d: graph(d)["tensor_values"].pop("relu"),
        "node 'relu' (aten.relu): expected tensor_values to describe 'relu', got nothing",
    ),
    "a lie about a shape": (
        lambda d: graph(d)["tensor_values"]["relu"].update(sizes=sizes(2, 5)),
        "node 'relu' (aten.relu): expected a result of type '!torch.vtensor<[2,3],f32>', got a declaration of "
        "'!torch.vtensor<[2,5],f32>'",
    ),
    "a lie about a dtype": (
        lambda d: graph(d)["tensor_values"]["relu"].update(dtype=5),
        "node 'relu' (aten.relu): expected a result of type '!torch.vtensor<[2,3],f32>', got a declaration of "
        "'!torch.vtensor<[2,3],si64>'",
    ),
    "unknown argument": (
        lambda d: node(d, "relu")["inputs"].append({"name": "beta", "arg": {"as_int": 1}}),
        "node 'relu' (aten.relu): expected an argument of this operator, got 'beta'",
    ),
    "missing argument": (
        lambda d: node(d, "relu")["inputs"].clear(),
        "node 'relu' (aten.relu): expected argument 'self', got none",
    ),
    "argument of another kind": (
        lambda d: node(d, "relu")["inputs"][0].update(arg={"as_string": "x"}),
        "node 'relu' (aten.relu): expected a tensor, got a string",
    ),
    "no argument where one must be": (
        lambda d: node(d, "relu")["inputs"][0].update(arg={"as_none": True}),
        "node 'relu' (aten.relu): expected an argument of type Tensor, got None",
    ),
    "unknown kind of argument": (
        lambda d: node(d, "relu")["inputs"][0].update(arg={"as_dream": 1}),
        f"record '{MODEL}': expected a known kind of argument at "
        "ExportedProgram.graph_module.graph.nodes[1].inputs[0].arg.as_dream",
    ),
    "no argument at all": (
        lambda d: node(d, "relu")["inputs"][0].update(arg={}),
        f"record '{MODEL}': expected a union, an object with one field at "
        "ExportedProgram.graph_module.graph.nodes[1].inputs[0].arg",
    ),
    "an int that is none": (
        lambda d: graph(d)["tensor_values"]["x"].update(sizes=[{"as_int": "two"}]),
        f"record '{MODEL}': expected integer at ExportedProgram.graph_module.graph.tensor_values.x.sizes[0].as_int",
    ),
    "too many outputs": (
        lambda d: node(d, "relu")["outputs"].append({"as_none": True}),
        "node 'relu' (aten.relu): expected 1 outputs, got 2",
    ),
    "no operator": (
        lambda d: node(d, "relu").update(target="os.system"),
        "node 'relu' (os.system): expected a call of an operator, got one of 'os.system'",
    ),
    "unknown higher-order operator": (
        lambda d: node(d, "relu").update(target="torch.ops.higher_order.dream"),
        "node 'relu' (higher_order.dream): expected a higher-order operator that is known, got 'dream'",
    ),
    "unknown function of scalars": (
        lambda d: node(d, "relu").update(target="math.dream"),
        "node 'relu' (math.dream): expected a function of scalars that is known, got 'dream'",
    ),
    "digits of a rounded scalar": (
        lambda d: node(d, "relu").update(
            target="builtins.round", inputs=[{"name": "", "arg": {"as_float": 2.5}}, {"name": "", "arg": {"as_int": 1}}]
        ),
        "node 'relu' (builtins.round): expected scalars that 'round' is known for, got '!torch.float', '!torch.int'",
    ),
    "input_specs": (
        lambda d: d["graph_module"]["signature"]["input_specs"].pop(),
        "expected as many input_specs as inputs of the graph, 4, got 3",
    ),
    "missing signature": (
        lambda d: d["graph_module"].pop("signature"),
        f"record '{MODEL}': missing value at ExportedProgram.graph_module.signature",
    ),
}


@pytest.mark.parametrize("change, expected", WRONG_GRAPHS.values(), ids=WRONG_GRAPHS.keys())
def test_wrong_graphs(good, change, expected):
    assert import_errors(changed(good, change)) == [expected]


def test_all_problems_are_reported_in_one_run(good):
    def change(document):
        argument(document, "linear", 0)["as_tensor"]["name"] = "z"
        node(document, "add")["inputs"].append({"name": "beta", "arg": {"as_int": 1}})

    assert import_errors(changed(good, change)) == [
        "node 'linear' (aten.linear): expected a value named 'z', got a name that nothing defines",
        "node 'add' (aten.add.Tensor): expected an argument of this operator, got 'beta'",
    ]


@pytest.mark.parametrize("sizes_of_x", [(3, 4, 5), (4, 5)])
def test_an_instance_norm_in_training_has_a_number_as_weight(sizes_of_x):
    def change(document):
        x = argument(document, "instance_norm", 0)["as_tensor"]["name"]
        graph(document)["tensor_values"][x].update(sizes=sizes(*sizes_of_x), strides=sizes(*sizes_of_x))
        node(document, "instance_norm")["inputs"][1]["arg"] = {"as_int": 0}

    norm = nn.InstanceNorm1d(4, track_running_stats=True)
    errors = import_errors(changed(export(Function(norm), torch.ones(3, 4, 5)), change))
    assert errors and all("expected" in error for error in errors)


def test_a_loop_carries_another_rank():
    def to_scalar(document):
        graph(document)["tensor_values"]["x"].update(sizes=[], strides=[])

    (error,) = import_errors(changed(export(Doubling(), torch.ones(3)), to_scalar))
    assert error.endswith("expected a value of !torch.vtensor<[3],f32>, got !torch.vtensor<[],f32>")


@pytest.mark.parametrize(
    "strides, offset, expected",
    [
        ([{"as_int": 5}], None, "expected a tensor without gaps between its elements in memory"),
        (None, -(2**63), "expected storage offsets that are known"),
    ],
    ids=["too few strides", "an offset that overflows"],
)
def test_wrong_views_by_strides(strides, offset, expected):
    data = export(Function(lambda x: x.t().as_strided((2, 2), (1, 2), 1)), torch.ones(3, 4))

    def change(document):
        graph = document["graph_module"]["graph"]
        (view,) = (n for n in graph["nodes"] if n["target"] == "torch.ops.aten.as_strided.default")
        base = graph["tensor_values"][view["inputs"][0]["arg"]["as_tensor"]["name"]]
        if strides:
            base["strides"] = strides
        if offset:
            base["storage_offset"] = {"as_int": offset}

    errors = import_errors(changed(data, change))
    assert any(expected in error for error in errors), errors
