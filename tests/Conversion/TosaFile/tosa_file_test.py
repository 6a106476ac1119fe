"""Files of TOSA 1.0 have the schema of Arm's tools, and the same contents as files that these write."""

import json
import os
import pathlib
import re
import subprocess

import numpy as np
import pytest

import isthmus
from tests.support.tosa import flatbuffer, run_reference_model

TOOLS = pathlib.Path(os.environ["TOSA_PYTHON"]).parent
(SCHEMA,) = TOOLS.parent.glob("lib/python*/site-packages/bin/tosa.fbs")
EVERY_OP = pathlib.Path(__file__).with_name("every_op.mlir").read_text()


def decoded(data, folder, name="ours"):
    """Returns a file as JSON, read by the schema."""
    (folder / f"{name}.tosa").write_bytes(data)
    command = [TOOLS / "flatc", "--json", "--strict-json", "-o", folder, SCHEMA, "--", folder / f"{name}.tosa"]
    subprocess.run(command, check=True)
    return json.loads((folder / f"{name}.json").read_text())


def written_by_arm(text, folder):
    (folder / "arm.mlir").write_text(text, encoding="utf-8")
    command = [
        TOOLS / "tosa-opt",
        "--tosa-serialize",
        f"--tosa-flatbuffer-filename={folder}/arm.tosa",
        folder / "arm.mlir",
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return (folder / "arm.tosa").read_bytes()


def contents(graph, region="main"):
    """Returns what a region says, with numbers for the names of its tensors, in their order in the operators."""
    (block,) = next(each for each in graph["regions"] if each["name"] == region)["blocks"]
    types = {tensor["name"]: tensor for tensor in block["tensors"] + block["shapes"]}
    numbers = {}

    def value(name):
        fields = {key: value for key, value in types[name].items() if key != "name" and value}
        return numbers.setdefault(name, len(numbers)), fields

    def attribute(key, value):
        return contents(graph, value) if key.endswith("_graph") else value

    inputs = [value(name) for name in block["inputs"]]
    operators = [
        (
            operator["op"],
            operator["attribute_type"],
            # A default is the same as an absent field.
            {key: attribute(key, value) for key, value in operator["attribute"].items() if value},
            [value(name) for name in operator["inputs"]],
            [value(name) for name in operator["outputs"]],
        )
        for operator in block["operators"]
    ]
    return inputs, operators, [value(name) for name in block["outputs"]]


def test_every_op_is_as_arms_tools_write_it(tmp_path):
    ours = decoded(flatbuffer(EVERY_OP), tmp_path)
    arms = decoded(written_by_arm(EVERY_OP, tmp_path), tmp_path, "arms")
    assert contents(ours) == contents(arms)


def test_every_op_of_the_specification_is_there(tmp_path):
    graph = decoded(flatbuffer(EVERY_OP), tmp_path)
    attributes = {
        operator["attribute_type"]
        for region in graph["regions"]
        for block in region["blocks"]
        for operator in block["operators"]
    }
    union = re.search(r"union Attribute \{(.*?)\}", SCHEMA.read_text(), re.DOTALL).group(1)
    specified = re.findall(r"\w+", union[: union.index("ConstShapeAttribute")]) + ["ConstShapeAttribute"]
    # Variables are tensors, without an operator.
    assert attributes == set(specified) - {"VariableAttribute"}


def test_version_and_identifier(tmp_path):
    data = flatbuffer(EVERY_OP)
    assert data[4:8] == b"TOSA"
    assert decoded(data, tmp_path)["version"] == {"_major": 1, "_minor": 0, "_patch": 0, "_draft": False}


def test_equal_programs_have_equal_bytes():
    assert flatbuffer(EVERY_OP) == flatbuffer(EVERY_OP)


def test_sizes_may_be_open_and_ranks_unknown(tmp_path):
    text = """
    func.func @main(%x: tensor<?x3xf32>, %y: tensor<*xf32>) -> (tensor<?x3xf32>, tensor<*xf32>) {
      %0 = tosa.exp %x : (tensor<?x3xf32>) -> tensor<?x3xf32>
      %1 = tosa.exp %y : (tensor<*xf32>) -> tensor<*xf32>
      return %0, %1 : tensor<?x3xf32>, tensor<*xf32>
    }"""
    ours = decoded(flatbuffer(text), tmp_path)
    assert contents(ours) == contents(decoded(written_by_arm(text, tmp_path), tmp_path, "arms"))


def test_names_are_those_of_the_program(tmp_path):
    text = """
    func.func @main(%x: tensor<2xf32> {onnx.name = "x"}, %y: tensor<2xf32> {onnx.name = "t0"}, %z: tensor<2xf32>)
        -> (tensor<2xf32> {onnx.name = "x"}, tensor<2xf32> {onnx.name = "sum"}, tensor<2xf32>) {
      %0 = tosa.add %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> loc("Add_0")
      %1 = tosa.add %0, %z : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      return %x, %1, %1 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
    }"""
    (block,) = decoded(flatbuffer(text), tmp_path)["regions"][0]["blocks"]
    assert block["inputs"] == ["x", "t0", "input_2"]
    assert block["outputs"] == ["x_1", "sum", "output_2"]
    add, _, *copies = block["operators"]
    assert add["location"] == {"text": "Add_0"}
    assert add["outputs"] == ["t1"]
    assert [(copy["op"], copy["inputs"], copy["outputs"]) for copy in copies] == [
        ("IDENTITY", ["x"], ["x_1"]),
        ("IDENTITY", ["sum"], ["output_2"]),
    ]
    x, y, z = np.float32([[1, 2], [3, 4], [5, 6]])
    np.testing.assert_equal(run_reference_model(text, x, y, z), [x, x + y + z, x + y + z])


def test_globals_are_variables_and_constants():
    text = """
    ml_program.global private mutable @count(dense<[1, 2]> : tensor<2xi32>) : tensor<2xi32>
    ml_program.global private @step(dense<[10, 20]> : tensor<2xi32>) : tensor<2xi32>
    func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
      %0 = ml_program.global_load @count : tensor<2xi32>
      %1 = ml_program.global_load_const @step : tensor<2xi32>
      %2 = tosa.add %0, %1 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      ml_program.global_store @count = %2 : tensor<2xi32>
      %3 = ml_program.global_load @count : tensor<2xi32>
      %4 = tosa.add %3, %x : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      return %4 : tensor<2xi32>
    }"""
    np.testing.assert_equal(run_reference_model(text, np.int32([100, 200])), [[111, 222]])


def test_weights_are_in_the_file_or_last_inputs(tmp_path):
    numbers = ", ".join(f"{i}.5" for i in range(300))
    text = f"""
    func.func @main(%x: tensor<300xf32>) -> tensor<300xf32> {{
      %0 = "tosa.const"() <{{values = dense<[{numbers}]> : tensor<300xf32>}}> : () -> tensor<300xf32>
      %1 = tosa.add %x, %0 : (tensor<300xf32>, tensor<300xf32>) -> tensor<300xf32>
      return %1 : tensor<300xf32>
    }}"""
    module = isthmus.parse(text)
    module.save(tmp_path / "m.mlir", weights="external")
    isthmus.load(tmp_path / "m.mlir").save(tmp_path / "m.tosa")
    expected = contents(decoded(flatbuffer(text), tmp_path))
    assert contents(decoded((tmp_path / "m.tosa").read_bytes(), tmp_path)) == expected

    saved = module.save(tmp_path / "a.tosa", weights="argument")
    (weight,) = json.loads(pathlib.Path(saved.manifest).read_text())["weights"]
    (block,) = decoded((tmp_path / "a.tosa").read_bytes(), tmp_path)["regions"][0]["blocks"]
    assert block["inputs"] == ["input_0", weight["name"]]
    assert not any("data" in tensor for tensor in block["tensors"])


@pytest.mark.parametrize(
    "text, messages",
    [
        (
            """
            func.func @main(%x: tensor<2xf64>, %y: tensor<2xui8>) {
              %0 = torch_c.from_builtin_tensor %x : tensor<2xf64> -> !torch.vtensor<[2],f64>
              %1 = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
              %2 = tosa.add_shape %1, %1 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
              return
            }""",
            [
                r"2:13: argument 0: expected a tensor of i1, .* or f32, which a TOSA file can hold, got 'tensor<2xf64>'",
                r"2:13: argument 1: expected a tensor of .* got 'tensor<2xui8>'",
                r"3:20: expected an op of TOSA 1.0, which a TOSA file can hold, got 'torch_c.from_builtin_tensor'",
                r"5:20: expected an op of TOSA 1.0, which a TOSA file can hold, got 'tosa.add_shape'",
            ],
        ),
        (
            """
            func.func private @other(%x: tensor<2xf32>) -> tensor<2xf32> {
              return %x : tensor<2xf32>
            }
            func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
              %0 = call @other(%x) : (tensor<2xf32>) -> tensor<2xf32>
              return %0 : tensor<2xf32>
            }""",
            [
                r"2:13: expected one function of one block, .* got another 'func.func' @other",
                r"6:20: expected an op of TOSA 1.0, which a TOSA file can hold, got 'func.call'",
            ],
        ),
        (
            """
            func.func @main(%x: tensor<i1>, %y: tensor<2xf32>) -> tensor<2xf32> {
              %0 = tosa.cond_if %x : tensor<i1> -> tensor<2xf32> {
                %1 = tosa.exp %y : (tensor<2xf32>) -> tensor<2xf32>
                tosa.yield %1 : tensor<2xf32>
              } else {
                tosa.yield %y : tensor<2xf32>
              }
              return %0 : tensor<2xf32>
            }""",
            [
                r"4:22: expected operands of 'tosa.exp' that its block defines, .* got a value from outside",
                r"7:17: expected operands of 'tosa.yield' that its block defines, .* got a value from outside",
            ],
        ),
        (
            """
            func.func @main() -> tensor<600000000xf32> {
              %0 = "tosa.const"() {values = dense<0.0> : tensor<600000000xf32>} : () -> tensor<600000000xf32>
              return %0 : tensor<600000000xf32>
            }""",
            [r"2:13: expected at most 2147483647 bytes, which a TOSA file can hold, got 2400000\d\d\d"],
        ),
        (
            """
            func.func @main() -> tensor<4294967296x4294967296xi8> {
              %0 = "tosa.const"() {values = dense<0> : tensor<4294967296x4294967296xi8>} : () -> tensor<4294967296x4294967296xi8>
              return %0 : tensor<4294967296x4294967296xi8>
            }""",
            [r"3:20: expected sizes of 32 bits, which a TOSA file can hold, got 'tensor<4294967296x4294967296xi8>'"],
        ),
    ],
    ids=["types and ops", "functions", "values from outside", "size", "dims"],
)
def test_what_a_file_cannot_hold(tmp_path, text, messages):
    module = isthmus.parse(text)
    file = tmp_path / "program.tosa"
    file.write_text("as before")
    with pytest.raises(isthmus.UnsupportedError) as error:
        module.save(file)
    assert len(error.value.messages) == len(messages)
    for message, pattern in zip(error.value.messages, messages):
        assert re.fullmatch(".*?" + pattern, message), message
    assert file.read_text() == "as before"
    assert os.listdir(tmp_path) == [file.name]
