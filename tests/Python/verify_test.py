"""`isthmus verify` measures errors in the right way and runs no code of a program's author."""

import io
import json
import os

import numpy as np
import pytest

import isthmus
from isthmus.cli import main
from isthmus.verify import relative_error

INF, NAN = np.inf, np.nan


@pytest.mark.parametrize(
    "got, expected, error",
    [
        ([1.0, 2.0], [1.0, 2.0], 0),
        ([1.0, 2.1], [1.0, 2.0], 0.05),
        ([0.0, 1e-9], [0.0, 0.0], 1e-9),
        ([NAN, INF, 1.0], [NAN, INF, 1.0], 0),
        ([NAN, 1.0], [1.0, 1.0], INF),
        ([INF, 1.0], [-INF, 1.0], INF),
        ([1.0], [1.0, 1.0], INF),
        ([], [], 0),
    ],
)
def test_relative_error(got, expected, error):
    assert relative_error(np.array(got), np.array(expected)) == pytest.approx(error)


def test_other_dtypes_are_not_comparable():
    assert relative_error(np.zeros(2, np.int32), np.zeros(2, np.int64)) == INF
    assert relative_error(np.zeros(2, np.float32), np.zeros(2, np.float64)) == INF


# -----------------------------------------------------------------------------
# Exported programs
# -----------------------------------------------------------------------------

needs_pt2 = pytest.mark.skipif(
    not {"jit", "linalg", "pt2"} <= set(isthmus.parts()), reason="this build runs no exported programs"
)

CONSTANTS, WEIGHTS = "data/constants/model_constants_config.json", "data/weights/model_weights_config.json"
MODEL = "models/model.json"


@pytest.fixture
def trap(tmp_path):
    """The path of a folder that code in the program would create if it ran."""
    return str(tmp_path / "trap")


def linear():
    """The records of a small program. Its input has one open size."""
    import torch

    from tests.support import pt2_programs

    module = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
    sizes = [{0: torch.export.Dim("n", min=2)}]
    return pt2_programs.records(pt2_programs.export(module, torch.ones(3, 4), dynamic_shapes=sizes))


def pickled(trap):
    import torch

    class Evil:
        def __reduce__(self):
            return os.mkdir, (trap,)

    file = io.BytesIO()
    torch.save(Evil(), file)
    return file.getvalue()


def verify(records, tmp_path, capfd, options=()):
    """Runs the command on an archive of these records; returns its status and what it says."""
    from tests.support import pt2_programs

    path = tmp_path / "program.pt2"
    path.write_bytes(pt2_programs.archive(records))
    status = main(["verify", str(path), *options])
    said = capfd.readouterr()
    assert "Traceback" not in said.err
    return status, said.out + said.err


@needs_pt2
@pytest.mark.parametrize(
    "path", ["data/sample_inputs/model.pt", "data/weights/model.pt", "data/constants/model.pt", "data/weights/other.pt"]
)
def test_nothing_is_unpickled(path, trap, tmp_path, capfd):
    status, said = verify(linear() | {path: pickled(trap)}, tmp_path, capfd)
    assert not os.path.exists(trap)
    assert status == 0 and "agrees with PyTorch" in said


@needs_pt2
@pytest.mark.parametrize("config, path", [(CONSTANTS, "tensor_9"), (CONSTANTS, "custom_obj_9"), (WEIGHTS, "weight_9")])
@pytest.mark.parametrize("is_used", [False, True])
def test_no_weight_is_unpickled(config, path, is_used, trap, tmp_path, capfd):
    records = linear()
    entries = json.loads(records[config])
    name = "0.bias" if is_used and config == WEIGHTS else "evil"
    entries["config"][name] = {"path_name": path, "is_param": False, "use_pickle": True, "tensor_meta": None}
    records[config] = json.dumps(entries).encode()
    records[f"{os.path.dirname(config)}/{path}"] = pickled(trap)
    status, said = verify(records, tmp_path, capfd)
    assert not os.path.exists(trap)
    assert status == (name != "evil")
    assert ("expected a plain tensor, got a pickled object" if status else "agrees with PyTorch") in said


def forge_guards(program, code):
    program["guards_code"] = [code]


def forge_sizes(program, code):
    for meta in program["graph_module"]["graph"]["tensor_values"].values():
        for size in meta["sizes"]:
            if "as_expr" in size:
                size["as_expr"]["expr_str"] = code


def forge_ranges(program, code):
    program["range_constraints"] = {code: {"min_val": 2, "max_val": 9}}


def forge_argument_names(program, code):
    signature = program["graph_module"]["module_call_graph"][0]["signature"]
    signature["forward_arg_names"] = [f"x={code}"]


def forge_names(program, code):
    text = json.dumps(program["graph_module"]["graph"])
    name = json.dumps(f"linear = [{code}]; linear")[1:-1]
    program["graph_module"]["graph"] = json.loads(text.replace('"linear"', f'"{name}"'))


def forge_weight_names(program, code):
    for spec in program["graph_module"]["signature"]["input_specs"]:
        if "parameter" in spec:
            spec["parameter"]["parameter_name"] += f'", None); {code}; ("'


def forge_trees(program, code):
    del code
    signature = program["graph_module"]["module_call_graph"][0]["signature"]
    tree = {"default_factory_module": "this_is_imported", "default_factory_name": "x", "dict_context": []}
    node = {"type": "collections.defaultdict", "context": tree, "children_spec": []}
    signature["out_spec"] = json.dumps([1, node])


def forge_sources(program, code):
    del code
    for node in program["graph_module"]["graph"]["nodes"]:
        node["metadata"]["source_fn_stack"] = "x,torch.hub._get_torch_home"


@needs_pt2
@pytest.mark.parametrize(
    "forge",
    [
        forge_argument_names,
        forge_guards,
        forge_names,
        forge_ranges,
        forge_sizes,
        forge_sources,
        forge_trees,
        forge_weight_names,
    ],
)
def test_nothing_of_a_program_is_evaluated(forge, trap, tmp_path, capfd, monkeypatch):
    """PyTorch's loader would evaluate guards and expressions of sizes, and write names into source text."""
    (tmp_path / "this_is_imported.py").write_text(f"import os; os.mkdir({trap!r})")
    records = linear()
    program = json.loads(records[MODEL])
    forge(program, f"__import__('os').mkdir({trap!r})")
    records[MODEL] = json.dumps(program).encode()
    monkeypatch.syspath_prepend(tmp_path)
    verify(records, tmp_path, capfd)
    assert not os.path.exists(trap)


@needs_pt2
@pytest.mark.parametrize(
    "target",
    [
        "torch.hub.os.mkdir",
        "torch.ops.load_library",
        "torch.ops.aten.save.default",
        "torch.ops.aten.from_file.default",
        "torch.ops.aten.warn.default",
        "_operator.call",
        "math.sys.exit",
        "#extension:name",
        "os.mkdir",
    ],
)
@pytest.mark.parametrize("options", [[], ["--custom-ops", "unsupported"]])
def test_no_function_but_of_operators_is_called(target, options, trap, tmp_path, capfd):
    """The function is not called even if its result is unused."""
    records = linear()
    program = json.loads(records[MODEL])
    graph = program["graph_module"]["graph"]
    call = {
        "target": target,
        "inputs": [{"name": "filename", "arg": {"as_string": trap}, "kind": 1}],
        "outputs": [{"as_tensor": {"name": "made"}}],
        "metadata": {},
        "name": "made",
    }
    graph["nodes"].insert(0, call)
    graph["tensor_values"]["made"] = graph["tensor_values"]["linear"]
    records[MODEL] = json.dumps(program).encode()
    status, said = verify(records, tmp_path, capfd, options)
    assert not os.path.exists(trap)
    assert status == 1 and ("expected" in said or "no lowering" in said)


@needs_pt2
def test_operators_beside_the_table_are_not_called():
    from isthmus import exported

    for name in ("aten.save", "aten.from_file", "aten.warn", "prim.Print", "quantized.linear", "load_library"):
        assert not exported._is_known(name)
    for name in ("aten.relu", "aten.add_.Tensor", "aten.__and__.Tensor", "aten._assert_scalar"):
        assert exported._is_known(name)
