"""Pages of `isthmus check` and `isthmus verify`: they are well formed, load nothing, and say what the JSON says."""

import html.parser
import json
import os
import re
import shlex
import subprocess
import sys
import time

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import isthmus
from isthmus import check, graph, statistics, verify
from isthmus.cli import main, parse_arguments
from isthmus.report import error_plot, model_explorer, module_tree, numbers
from isthmus.report.markup import shortened, tag, visible

needs_onnx = pytest.mark.skipif("onnx" not in isthmus.parts(), reason="this build reads no ONNX")
needs_tosa = pytest.mark.skipif(not {"onnx", "tosa"} <= set(isthmus.parts()), reason="this build has no TOSA of ONNX")
needs_linalg_to_run = pytest.mark.skipif(
    not {"jit", "linalg", "onnx"} <= set(isthmus.parts()), reason="this build does not run ONNX models"
)

VOID = {"circle", "line", "meta", "wbr"}
ALLOWED = set(
    "a b body caption circle code desc details div figcaption figure footer h1 h2 h3 head header html i li line main "
    "meta nav ol p pre section span style summary svg table tbody td text th thead title tr ul wbr".split()
)


class Element:
    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent, self.children = tag, attributes, parent, []

    def text(self):
        return "".join(each if isinstance(each, str) else each.text() for each in self.children)

    def all(self, tag=None, class_=None):
        for each in self.children:
            if isinstance(each, Element):
                if tag in (None, each.tag) and class_ in (None, *each.attributes.get("class", "").split()):
                    yield each
                yield from each.all(tag, class_)

    def rows(self):
        """The texts of the cells of a table's body."""
        return [[cell.text() for cell in row.children] for body in self.all("tbody") for row in body.children]


class Page(html.parser.HTMLParser):
    """Builds the tree of a page, and fails if elements are not closed in order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        assert text.startswith("<!DOCTYPE html>\n") and text.isascii()
        self.root = self.open = Element("", {}, None)
        self.feed(text)
        self.close()
        assert self.open is self.root
        (self.html,) = self.root.all("html")

    def handle_starttag(self, tag, attributes):
        assert len({name for name, _ in attributes}) == len(attributes)
        element = Element(tag, dict(attributes), self.open)
        self.open.children.append(element)
        # "<circle/>" comes here only from handle_startendtag.
        if tag not in ("meta", "wbr"):
            self.open = element

    def handle_startendtag(self, tag, attributes):
        assert tag in VOID
        self.open.children.append(Element(tag, dict(attributes), self.open))

    def handle_endtag(self, tag):
        assert self.open.tag == tag
        self.open = self.open.parent

    def handle_data(self, data):
        self.open.children.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"expected no comment, got {data!r}")

    handle_pi = unknown_decl = handle_comment

    def part(self, key):
        (part,) = [element for element in self.html.all() if element.attributes.get("id") == key]
        return part


def page(text):
    """Parses a page, and checks what holds for every page."""
    made = Page(text)
    elements = list(made.html.all())
    assert {element.tag for element in elements} <= ALLOWED
    ids = [element.attributes["id"] for element in elements if "id" in element.attributes]
    assert len(set(ids)) == len(ids)
    for element in elements:
        names = element.attributes.keys()
        assert not {"src", "srcset", "action", "style", "background", "xlink:href"} & names
        assert not [name for name in names if name.startswith("on")]
        if "href" in names:
            assert element.tag == "a" and element.attributes["href"][0] == "#" and element.attributes["href"][1:] in ids
    (style,) = made.html.all("style")
    assert not re.search(r"url\(|@import|</|http", style.text())
    policy = [element.attributes["content"] for element in made.html.all("meta") if "http-equiv" in element.attributes]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'"]
    # What a keyboard and a screen reader need.
    assert made.html.attributes["lang"] == "en" and len(list(made.html.all("h1"))) == 1
    assert all(details.children[0].tag == "summary" for details in made.html.all("details"))
    assert all(table.children[0].tag == "caption" for table in made.html.all("table"))
    assert all(scrolls.attributes["tabindex"] == "0" for scrolls in made.html.all(class_="scrolls"))
    return made


def save(path, nodes, sizes=("N", 4)):
    """Writes a chain of nodes: (op, name, attributes) for each."""
    names = ["x", *(f"t{i}" for i in range(1, len(nodes))), "y"]
    made = [
        helper.make_node(op, [names[i]], [names[i + 1]], name=name, **attributes)
        for i, (op, name, attributes) in enumerate(nodes)
    ]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes) for name in ("x", "y")]
    made = helper.make_graph(made, "graph", values[:1], values[1:])
    onnx.save(helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=10), path)
    return str(path)


FAILING = [
    ("Relu", "/encoder/layer.0/Relu", {}),
    ("NonZero", "/encoder/layer.0/NonZero", {}),
    ("Cast", "/encoder/layer.0/Cast", {"to": TensorProto.FLOAT}),
    ("NonZero", "/encoder/layer.1/NonZero", {}),
    ("Cast", "/head/Cast", {"to": TensorProto.FLOAT}),
]


def checked(model, capfd, *options):
    """Returns the page and the JSON of a check."""
    statuses, texts = [], []
    for form in ("html", "json"):
        statuses.append(main(["check", model, "--format", form, *options]))
        texts.append(capfd.readouterr().out)
    assert statuses[0] == statuses[1]
    return page(texts[0]), json.loads(texts[1])


@needs_tosa
def test_check_says_what_the_json_says(tmp_path, capfd):
    model = save(tmp_path / "model.onnx", FAILING)
    made, table = checked(model, capfd, "--targets", "tosa", "torch")
    (ops,) = made.part("ops").all("table")
    assert ops.rows() == [
        [op.partition(".")[2], str(count), *(target["ops"][op] for target in table["targets"].values())]
        for op, count in table["ops"].items()
    ]
    (targets,) = made.part("targets").all("table")
    assert targets.rows() == [["tosa", "3", "2", "0", "1 cause"], ["torch", "5", "0", "0", "none"]]
    (cause,) = made.part("causes").all("li", "cause")
    messages = table["targets"]["tosa"]["messages"]
    (findings,) = [details for details in cause.all("details") if details.children[0].text() == "findings"]
    assert [item.text() for item in findings.all("li")] == messages and len(messages) == 2
    assert [link.text() for link in cause.all("a")] == ["/encoder/layer.0/NonZero", "/encoder/layer.1/NonZero"]
    assert cause.text().startswith("no lowering to tosa for 'torch.aten.nonzero': ")


@needs_tosa
def test_the_graph_is_folded_by_scopes(tmp_path, capfd):
    made, table = checked(save(tmp_path / "model.onnx", FAILING), capfd, "--targets", "tosa")
    tree = made.part("graph")
    rows = [row for table in tree.all("table") for row in table.rows()]
    assert len(rows) == sum(table["ops"].values()) == 5
    assert [details.children[0].text() for details in tree.all("details")] == [
        "encoder 4 nodes tosa: 2 of 4 do not lower",
        "layer.0 3 nodes tosa: 1 of 3 do not lower",
        "layer.1 1 node tosa: 1 of 1 do not lower",
        "head 1 node",
    ]
    assert rows[0] == ["Relu Relu", "f32", "lowers"]
    assert rows[1][0] == "NonZero NonZero" and rows[1][2] == "not to tosa "
    # Links go from a cause to its nodes, and back.
    (cause,) = made.part("causes").all("li", "cause")
    for link in cause.all("a"):
        node = made.part(link.attributes["href"][1:])
        row = node.parent.parent
        assert [each.attributes["href"] for each in row.all("a")] == [f"#{cause.attributes['id']}"]


@needs_onnx
def test_nodes_behind_a_failure_are_unknown(tmp_path, capfd):
    nodes = [("Abs", "a", {}), ("Cast", "b", {"to": TensorProto.STRING}), ("Cast", "c", {"to": TensorProto.FLOAT})]
    model = save(tmp_path / "model.onnx", nodes)
    target = next(each for each in isthmus.output_types() if each != "torch")
    made, table = checked(model, capfd, "--targets", target)
    assert table["targets"][target]["ops"] == {"onnx.Abs": "?", "onnx.Cast": "no"}
    (targets,) = made.part("targets").all("table")
    assert targets.rows() == [[target, "0", "1", "2", "1 cause"]]


@needs_onnx
def test_inputs_outputs_and_weights(tmp_path, capfd):
    text = """<ir_version: 10, opset_import: ["": 18]>
    graph (float[N, 3] x) => (float[N, 4] y) <float[3, 4] w = {1,2,3,4,5,6,7,8,9,10,11,12}, float16[4] b = {1,2,3,4}> {
      h = MatMul(x, w)
      c = Cast<to=1>(b)
      y = Add(h, c)
    }"""
    onnx.save(onnx.parser.parse_model(text), tmp_path / "model.onnx")
    made, _ = checked(str(tmp_path / "model.onnx"), capfd, "--targets", "torch")
    inputs, outputs = made.part("signature").all("table")
    assert inputs.rows() == [["x", "N x 3", "f32"]] and outputs.rows() == [["y", "N x 4", "f32"]]
    by_dtype, each = made.part("weights").all("table")
    assert by_dtype.rows() == [["f32", "1", "12", "48 bytes"], ["f16", "1", "4", "8 bytes"]]
    assert each.rows() == [["w", "3 x 4", "f32", "48 bytes"], ["b", "4", "f16", "8 bytes"]]


HOSTILE = [
    "<script>alert(1)<",
    "'\"><img src=x onerror=alert(1)>",
    "]]><!-- --!><![CDATA[",
    "&lt;b&gt;&#x3c;b&#62;",
    "a\x00b\x1bc\x7fd\x85e\u2028f\n\r\tg",
    "\u202egnp.exe\u202c \u200f\u05d0\u0661 \u2066x",
    "x" * 100_000,
    "/".join("deep" for _ in range(5000)),
    "</title></style></table><style>*{display:none}</style>",
    "javascript:alert(1)",
    "' + alert(1) + '",
]


def structure(made):
    """The elements of a page in order, without marks where lines may end."""
    return [element.tag for element in made.html.all() if element.tag != "wbr"]


@needs_tosa
def test_names_do_not_change_the_page(tmp_path, capfd):
    """A page has the same elements whatever nodes are called, and shows the names."""
    benign = [re.sub(r"[^/]", "a", name, flags=re.S) for name in HOSTILE]
    pages = []
    for kind, names in (("hostile", HOSTILE), ("benign", benign)):
        nodes = []
        for i, name in enumerate(names):
            nodes += [("NonZero", f"{name}{i}", {}), ("Cast", f"{name}c{i}", {"to": TensorProto.FLOAT})]
        (tmp_path / kind).mkdir()
        pages.append(checked(save(tmp_path / kind / "m.onnx", nodes), capfd, "--targets", "tosa", "torch")[0])
    assert structure(pages[0]) == structure(pages[1])
    shown = [code.text() for code in pages[0].html.all("code")]
    for i, name in enumerate(HOSTILE):
        assert visible(shortened(f"{name}{i}")) in shown or "/" in name
    text = pages[0].html.text()
    assert not re.search("[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u200f\\u202a-\\u202e\\u2028\\u2066]", text)


@needs_onnx
@pytest.mark.parametrize(
    "name", ["-h.onnx", "a b'; rm -rf $HOME; '.onnx", "<b>&amp;\u202e.onnx", os.fsdecode(b"\xff.onnx")]
)
def test_names_of_files(tmp_path, capfd, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    save(tmp_path / name, [("Relu", "r", {})])
    assert main(["check", "--targets", "torch", "--format", "html", "--", name]) == 0
    made = page(capfd.readouterr().out)
    (title,) = made.html.all("title")
    assert title.text() == made.html.children[1].children[0].children[0].text() == f"check {visible(name)}"
    (line,) = made.part("next").all("pre")
    program, *words = shlex.split(line.text())
    arguments = parse_arguments(words)
    assert program == "isthmus" and arguments.target == "torch" and arguments.output == "model.torch.mlir"
    if name.isprintable():
        assert os.path.normpath(arguments.model) == name


@needs_onnx
def test_a_model_of_5000_nodes(tmp_path, capfd):
    blocks = [
        (op, f"/model/layers.{layer}/block.{block}/{op}", {})
        for layer in range(50)
        for block in range(20)
        for op in ("Relu", "Tanh", "Abs", "Sigmoid", "Neg")
    ]
    model = save(tmp_path / "model.onnx", blocks)
    start = time.monotonic()
    made, table = checked(model, capfd, "--targets", "torch")
    assert time.monotonic() - start < 60
    assert sum(table["ops"].values()) == len([row for each in made.part("graph").all("table") for row in each.rows()])
    assert main(["check", model, "--targets", "torch", "--format", "html"]) == 0
    text = capfd.readouterr().out
    assert len(text) < 5e6
    # A browser lays out what is not folded. The model itself is one open group here.
    folded = [details for details in made.html.all("details") if "open" not in details.attributes]
    inside = {id(element) for details in folded for element in details.all()}
    assert len([element for element in made.html.all() if id(element) not in inside]) < 1000


@needs_onnx
def test_many_nodes_without_scopes_are_folded_too(tmp_path, capfd):
    model = save(tmp_path / "model.onnx", [("Relu", f"n{i}", {}) for i in range(250)])
    made, _ = checked(model, capfd, "--targets", "torch")
    titles = [details.children[0].text() for details in made.part("graph").all("details")]
    assert titles == [
        "nodes 1 to 100 100 nodes",
        "nodes 101 to 200 100 nodes",
        "nodes 201 to 250 50 nodes",
    ]


def test_programs_without_names(tmp_path, capfd):
    path = tmp_path / "model.mlir"
    path.write_text(
        "func.func @main(%x: !torch.vtensor<[2,?],f32>, %n: !torch.int) -> !torch.vtensor {\n"
        "  %y = torch.aten.abs %x : !torch.vtensor<[2,?],f32> -> !torch.vtensor<[2,?],f32>\n"
        "  %z = torch.tensor_static_info_cast %y : !torch.vtensor<[2,?],f32> to !torch.vtensor\n"
        "  return %z : !torch.vtensor\n}\n"
    )
    made, _ = checked(str(path), capfd, "--targets", "torch")
    inputs, outputs = made.part("signature").all("table")
    assert inputs.rows() == [["no name", "2 x ?", "f32"], ["no name", "unknown", "!torch.int"]]
    assert outputs.rows() == [["no name", "unknown", "!torch.vtensor"]]


@pytest.mark.skipif("pt2" not in isthmus.parts(), reason="this build reads no exported programs")
def test_a_pytorch_program_is_folded_by_modules(tmp_path, capfd):
    import torch

    class Block(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.norm = torch.nn.LayerNorm(4)
            self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)])

        def forward(self, x):
            for layer in self.layers:
                x = layer(x)
            return self.norm(x) + x

    model = torch.nn.Sequential(Block(), torch.nn.ReLU())
    torch.export.save(torch.export.export(model, (torch.ones(2, 4),)), tmp_path / "m.pt2")
    made, _ = checked(str(tmp_path / "m.pt2"), capfd, "--targets", "torch")
    titles = [details.children[0].text() for details in made.part("graph").all("details")]
    assert titles == [
        "0 Block 4 nodes, 48 parameters",
        "layers.0 Linear 1 node, 20 parameters",
        "layers.1 Linear 1 node, 20 parameters",
        "norm LayerNorm 1 node, 8 parameters",
        "1 ReLU 1 node",
    ]


# -----------------------------------------------------------------------------
# Files
# -----------------------------------------------------------------------------


@needs_onnx
@pytest.mark.parametrize("form", ["html", "json", "table"])
def test_a_report_goes_to_a_file(tmp_path, capfd, form):
    model = save(tmp_path / "model.onnx", [("Relu", "r", {})])
    command = ["check", model, "--targets", "torch", "--format", form]
    assert main(command) == 0
    printed = capfd.readouterr().out
    assert main([*command, "-o", str(tmp_path / "report")]) == 0
    assert capfd.readouterr().out == "" and (tmp_path / "report").read_text() == printed
    assert main([*command, "-o", "-"]) == 0
    assert capfd.readouterr().out == printed


@needs_onnx
@pytest.mark.parametrize("command", ["check", "verify"])
def test_a_failed_run_writes_no_report(tmp_path, capfd, command):
    model = save(tmp_path / "model.onnx", [("Relu", "r", {})])
    before = open(model, "rb").read()
    (tmp_path / "link").symlink_to(model)
    for output in (model, str(tmp_path / "link")):
        assert main([command, model, "--format", "html", "-o", output]) == 1
        assert capfd.readouterr().err.endswith("expected another file than the model to write to, got the model\n")
    assert open(model, "rb").read() == before
    report, bad = tmp_path / "report.html", tmp_path / "bad.onnx"
    report.write_text("old")
    bad.write_bytes(b"\x7fELF and so on")
    assert main([command, str(bad), "--format", "html", "-o", str(report)]) == 1
    assert report.read_text() == "old" and sorted(os.listdir(tmp_path)) == [
        "bad.onnx",
        "link",
        "model.onnx",
        "report.html",
    ]
    assert (
        main(["check", model, "--targets", "torch", "--format", "html", "-o", str(tmp_path / "none" / "a.html")]) == 1
    )
    assert f"isthmus: {tmp_path}/none/a.html: No such file or directory" in capfd.readouterr().err


# -----------------------------------------------------------------------------
# verify
# -----------------------------------------------------------------------------

ATTENTION = """<ir_version: 10, opset_import: ["" : 21]>
block (float[batch, 8] x) => (float[batch, 8] y) <float[8] scale = {1, 2, 3, 4, 5, 6, 7, 8}> {
  weights = Softmax<axis = -1>(x)
  shifted = Add(weights, x)
  active = Gelu(shifted)
  y = Mul(active, scale)
}"""
KERNELS = """
import isthmus
import numpy as np

isthmus.register_kernel("aten.gelu", lambda input, approximate: input / (1 + np.exp(-1.702 * input)))
"""


def isthmus_command(*arguments):
    """Runs the command in a process of its own, as kernels stay registered."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "isthmus", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def attention(tmp_path_factory):
    folder = tmp_path_factory.mktemp("attention")
    model = onnx.parser.parse_model(ATTENTION)
    for node in model.graph.node:
        node.name = f"/block/<{node.output[0]}>"
    onnx.save(model, folder / "block.onnx")
    (folder / "kernels.py").write_text(KERNELS)
    rows = np.random.default_rng(0).standard_normal((3, 8)).astype(np.float32)
    np.save(folder / "x.npy", rows)
    return folder, rows


@needs_linalg_to_run
def test_verify_says_where_a_model_parts(attention):
    folder, x = attention
    options = ["--inputs", f"x={folder}/x.npy", "--custom-ops", "aten.gelu", "--kernels", folder / "kernels.py"]
    outputs = [
        isthmus_command("verify", folder / "block.onnx", *options, "--format", form) for form in ("html", "json")
    ]
    assert [status for status, _, _ in outputs] == [1, 1]
    made, table = page(outputs[0][1]), json.loads(outputs[1][1])
    assert not table["agrees"] and table["first"]["name"] == "active"
    assert [each["name"] for each in table["along"]] == ["weights", "shifted", "active", "y"]
    # The plot has a point for each tensor, in order, and the larger the error, the higher the point.
    (plot,) = made.part("error").all("svg")
    points = list(plot.all("circle", "within")) + list(plot.all("circle", "beyond"))
    assert len(list(plot.all("circle", "beyond"))) == 2 and len(points) == 4
    across = [float(point.attributes["cx"].rstrip("%")) for point in points]
    assert across == sorted(across) and 0 < across[0] and across[-1] < 100
    (limit,) = plot.all("line", "limit")
    for point, each in zip(points, table["along"]):
        assert (float(point.attributes["cy"]) < float(limit.attributes["y1"])) == (each["error"] > table["tolerance"])
    (ring,) = plot.all("circle", "first")
    assert ring.attributes["cx"] == points[2].attributes["cx"]
    # The values of the node, computed here.
    softmax = np.exp(x - x.max(1, keepdims=True))
    shifted = softmax / softmax.sum(1, keepdims=True) + x
    inputs, results = made.part("blame").all("table")
    assert "node /block/<active>, op Gelu" in made.part("blame").text()
    ours, theirs = inputs.rows()
    assert (ours[0], theirs[0]) == ("shifted here", "shifted reference") and ours[2] == "3 x 8 float32"
    assert float(theirs[3]) == pytest.approx(shifted.min(), rel=1e-3)
    assert float(theirs[4]) == pytest.approx(shifted.max(), rel=1e-3)
    assert float(ours[5]) == pytest.approx(shifted.mean(), rel=1e-3)
    wrong = shifted / (1 + np.exp(-1.702 * shifted))
    assert float(results.rows()[0][4]) == pytest.approx(wrong.max(), rel=1e-3)
    (outputs,) = made.part("outputs").all("table")
    (row,) = outputs.rows()
    (y,) = table["outputs"]
    assert row[0] == "y 3 x 8 float32" and row[3] == "beyond"
    assert float(row[1]) == pytest.approx(y["error"], rel=1e-3)
    assert float(row[2]) == pytest.approx(y["absolute"], rel=1e-3)


@needs_linalg_to_run
def test_verify_measures_all_tensors_of_a_model_that_agrees(attention):
    folder, _ = attention
    status, text, said = isthmus_command("verify", folder / "block.onnx", "--format", "html")
    assert (status, said) == (0, "")
    made = page(text)
    (plot,) = made.part("error").all("svg")
    assert len(list(plot.all("circle", "within"))) == 4 and not list(plot.all("circle", "beyond"))
    assert "agrees with onnxruntime to 0.0001" in made.html.text()
    assert not [element for element in made.html.all() if element.attributes.get("id") == "blame"]


@needs_linalg_to_run
def test_verify_measures_the_tensors_between_sequences(tmp_path, capfd):
    text = """<ir_version: 10, opset_import: ["" : 18]>
    graph (float[2, 3] x) => (float[2, 3] y) <int64 zero = {0}> {
      s = SequenceConstruct(x, x)
      a = SequenceAt(s, zero)
      y = Relu(a)
    }"""
    onnx.save(onnx.parser.parse_model(text), tmp_path / "model.onnx")
    assert main(["verify", str(tmp_path / "model.onnx"), "--format", "json"]) == 0
    assert [each["name"] for each in json.loads(capfd.readouterr().out)["along"]] == ["a", "y"]


@pytest.mark.skipif(not {"jit", "linalg", "pt2"} <= set(isthmus.parts()), reason="this build runs no exported programs")
def test_verify_measures_the_outputs_of_a_pytorch_program(tmp_path, capfd):
    import torch

    torch.export.save(torch.export.export(torch.nn.Linear(4, 2), (torch.ones(3, 4),)), tmp_path / "m.pt2")
    assert main(["verify", str(tmp_path / "m.pt2"), "--format", "html"]) == 0
    made = page(capfd.readouterr().out)
    (row,) = next(made.part("outputs").all("table")).rows()
    assert row[0] == "linear 3 x 2 float32" and row[3] == "within"
    assert "Only outputs were measured." in made.part("error").text()


def test_weights_in_other_files_are_not_read():
    tensor = onnx.numpy_helper.from_array(np.ones((2, 3), np.float16), "w")
    assert verify._describe_weight(tensor).mean == 1
    onnx.external_data_helper.set_external_data(tensor, "/etc/passwd")
    assert verify._describe_weight(tensor) == statistics.Statistics("float16", (2, 3))


def difference(error, name="t"):
    return verify.Difference(name, "n", error, error)


def drawn(errors, tolerance=1e-4, first=None):
    """The plot of these errors as (class, place from the top) for each point."""
    differences = [difference(error) for error in errors]
    text = error_plot.plot(differences, tolerance, None if first is None else differences[first])
    made = Page(f"<!DOCTYPE html>\n<html>{text}</html>")
    points = [point for point in made.html.all("circle") if point.attributes["class"] != "first"]
    return made, [(point.attributes["class"], float(point.attributes["cy"])) for point in points]


def test_a_plot_has_a_logarithmic_scale_with_ends():
    made, points = drawn([1e-6, 1e-5, 1e-2, 0.0, np.inf], first=2)
    assert [kind for kind, _ in points] == ["within", "within", "beyond", "within", "beyond"]
    low, more, high, zero, infinite = (place for _, place in points)
    assert infinite < high < more < low < zero
    assert high - more == pytest.approx(3 * (more - low), abs=0.2)
    labels = [text.text() for text in made.html.all("text")]
    assert labels == ["1e-6", "1e-5", "1e-4", "1e-3", "1e-2", "0", "inf", "tolerance 0.0001"]


@pytest.mark.parametrize(
    "errors, tolerance", [([0.0], 0.0), ([np.inf], 1e-4), ([0.0, 0.0], 1e-4), ([1e-300, 1e300], 1)]
)
def test_a_plot_of_odd_errors_stays_inside(errors, tolerance):
    made, points = drawn(errors, tolerance)
    assert len(points) == len(errors) and all(0 <= place <= 280 for _, place in points)
    assert 3 <= len(list(made.html.all("text"))) <= 12


def test_a_plot_of_many_tensors_keeps_the_largest_errors():
    errors = np.full(10_000, 1e-7)
    errors[4321] = 1.0
    made, points = drawn(list(errors), first=4321)
    assert len(points) == 1000 and [kind for kind, _ in points].count("beyond") == 1
    assert len(list(made.html.all("circle", "first"))) == 1
    assert "Each point is the largest error of 10 tensors in a row" in made.html.text()


@pytest.mark.parametrize(
    "got, expected, difference",
    [
        ([10.0, 21.0], [10.0, 20.0], 1.0),
        ([np.nan, np.inf, 3.0], [np.nan, np.inf, 1.0], 2.0),
        ([np.nan], [1.0], np.inf),
        ([1.0], [1.0, 2.0], np.inf),
        ([], [], 0.0),
        ([3j], [4.0 + 0j], 5.0),
    ],
)
def test_largest_difference(got, expected, difference):
    assert verify.largest_difference(np.array(got), np.array(expected)) == difference


def test_statistics():
    assert statistics.describe(np.array([[1, 2], [3, 6]], np.int8)) == statistics.Statistics(
        "int8", (2, 2), 1, 6, 3, pytest.approx(3.5**0.5)
    )
    mixed = statistics.describe(np.array([np.nan, np.inf, -np.inf, 0, 2], np.float32))
    assert mixed == statistics.Statistics("float32", (5,), 0, 2, 1, 1, zeros=1, nans=1, infinities=2)
    assert statistics.describe(np.zeros((0, 3))) == statistics.Statistics("float64", (0, 3))
    assert statistics.describe(np.array(["a"], object)) == statistics.Statistics("object", (1,))
    assert statistics.describe(np.array(1j)).least is None


# -----------------------------------------------------------------------------
# Pieces
# -----------------------------------------------------------------------------


def test_text_is_escaped_and_visible():
    assert tag("p", "<b>&\"'", title='"><i>') == ('<p title="&quot;&gt;&lt;i&gt;">&lt;b&gt;&amp;&quot;&#x27;</p>')
    assert visible("a\x00\x7f\u202e\U000e0001\udcff\nb") == "a\\x00\\x7f\\u202e\\U000e0001\\xff\nb"
    assert visible("données 模型") == "données 模型"
    assert shortened("abcdefgh" * 100, 8) == "abcdef … gh (800 characters)"


@pytest.mark.parametrize(
    "count, rounded, size",
    [
        (0, "0", "0 bytes"),
        (1, "1", "1 byte"),
        (999, "999", "999 bytes"),
        (1536, "1.536 k", "1.5 KiB"),
        (125_000_000, "125 M", "119.2 MiB"),
        (10**12, "1 T", "931.3 GiB"),
        (10**400, "1,000,000,000,000,000 T", "1,000,000,000,000,000.0 TiB"),
    ],
)
def test_numbers(count, rounded, size):
    assert (numbers.rounded(count), numbers.size(count)) == (rounded, size)


def node(name, *scopes):
    return graph.Node("onnx.Relu", name, "", list(scopes), [], [])


def paths(group, before=""):
    """The labels of each group with nodes, and its nodes."""
    here = {before: group.nodes} if group.nodes else {}
    for inner in group.groups.values():
        here |= paths(inner, f"{before}|{inner.label}")
    return here


def test_scopes_of_names():
    names = ["/a/b/c/x", "/a/b/c/y", "/a/d/z", "plain", "", "a/w", "//", "/a/b/c/d/e/f"]
    nodes = [node(name) for name in names]
    assert paths(module_tree.tree_of(nodes)) == {
        "": [3, 4, 6],
        "|a": [5],
        "|a|b/c": [0, 1],
        "|a|b/c|d/e": [7],
        "|a|d": [2],
    }
    assert [module_tree.label_of(each) for each in nodes] == ["x", "y", "z", "plain", "", "w", "//", "f"]


def test_scopes_of_modules():
    inner = ("torch.nn.Linear", "encoder.layers.0.linear")
    nodes = [
        node("linear", ("m.Model", ""), ("m.Encoder", "encoder"), inner),
        node("relu", ("m.Model", "")),
        node("size", ("_empty_nn_module_stack_from_metadata_hook", "_empty_nn_module_stack_from_metadata_hook")),
    ]
    root = module_tree.tree_of(nodes)
    assert paths(root) == {"": [1, 2], "|encoder.layers.0.linear": [0]}
    assert root.groups["encoder"].kind == "torch.nn.Linear"


def test_a_weight_belongs_to_the_first_node_that_uses_it():
    w, v = (graph.Value(i, "w", "f32", 32, ["2", "3"]) for i in (1, 2))
    nodes = [graph.Node("onnx.Add", "", "", [], ids, []) for ids in ([1, 0, 1], [1, 2])]
    assert graph.Graph([], [], [w, v], nodes).own_weights == [[w], [v]]
    assert (w.elements, w.bytes, w.shape) == (6, 24, "2 x 3")
    open_size = graph.Value(3, "", "i4", 4, ["N", "9" * 5000])
    assert (open_size.elements, open_size.bytes) == (None, 0)
    assert graph.Value(4, "", "i4", 4, ["3"]).bytes == 2


@needs_onnx
def test_a_module_in_a_notebook(tmp_path):
    module = isthmus.import_model(save(tmp_path / "model.onnx", [("Exp", "<r>", {}), ("Exp", "s", {})]))
    made = Page(f"<!DOCTYPE html>\n<html>{module._repr_html_()}</html>")
    inputs, outputs, ops = made.html.all("table")
    assert inputs.rows() == [["x", "N x 4", "f32"]] and outputs.rows() == [["y", "N x 4", "f32"]]
    assert ["onnx.Exp", "2"] in ops.rows()
    lowered = module.lower("torch")._repr_html_()
    assert "isthmus.Module</b> of torch" in lowered and "torch.<wbr>aten.<wbr>exp" in lowered


# -----------------------------------------------------------------------------
# Model Explorer
# -----------------------------------------------------------------------------

# The fields of graph_builder.py of ai-edge-model-explorer 0.1.34 that a graph collection has here.
FIELDS = {
    "GraphCollection": {"label": str, "graphs": ["Graph"]},
    "Graph": {"id": str, "nodes": ["GraphNode"]},
    "GraphNode": {
        "id": str,
        "label": str,
        "namespace": str,
        "attrs": ["KeyValue"],
        "incomingEdges": ["IncomingEdge"],
        "outputsMetadata": ["MetadataItem"],
        "style": "GraphNodeStyle",
    },
    "GraphNodeStyle": {"backgroundColor": str, "borderColor": str, "hoveredBorderColor": str},
    "IncomingEdge": {"sourceNodeId": str, "sourceNodeOutputId": str, "targetNodeInputId": str},
    "KeyValue": {"key": str, "value": str},
    "MetadataItem": {"id": str, "attrs": ["KeyValue"]},
}
OPTIONAL = {"style"}


def conforms(value, kind):
    if isinstance(kind, list):
        return all(conforms(each, kind[0]) for each in value)
    if isinstance(kind, type):
        return type(value) is kind
    fields = FIELDS[kind]
    assert value.keys() <= fields.keys() and fields.keys() - value.keys() <= OPTIONAL
    return all(conforms(each, fields[key]) for key, each in value.items())


@needs_tosa
def test_model_explorer(tmp_path, capfd):
    text = """<ir_version: 10, opset_import: ["": 18]>
    graph (float[N, 3] x) => (float[N, 4] y, int64[2, k] z) <float[3, 4] w = {1,2,3,4,5,6,7,8,9,10,11,12}> {
      y = MatMul(x, w)
      z = NonZero(y)
    }"""
    model = onnx.parser.parse_model(text)
    for node, name in zip(model.graph.node, ["/a/b/MatMul", "/a/NonZero"]):
        node.name = name
    onnx.save(model, tmp_path / "model.onnx")
    command = ["check", str(tmp_path / "model.onnx"), "--targets", "tosa", "--format", "model-explorer"]
    assert main(command) == 1
    collection = json.loads(capfd.readouterr().out)
    assert conforms(collection, "GraphCollection")
    (made,) = collection["graphs"]
    nodes = {node["id"]: node for node in made["nodes"]}
    assert len(nodes) == len(made["nodes"])
    by_label = {node["label"]: node for node in nodes.values()}
    assert {label: node["namespace"] for label, node in by_label.items()} == {
        "GraphInputs": "",
        "Const": "a/b",
        "MatMul": "a/b",
        "NonZero": "a",
        "GraphOutputs": "",
    }
    edges = [
        (nodes[edge["sourceNodeId"]]["label"], edge["sourceNodeOutputId"], node["label"], edge["targetNodeInputId"])
        for node in nodes.values()
        for edge in node["incomingEdges"]
    ]
    assert edges == [
        ("GraphInputs", "0", "MatMul", "0"),
        ("Const", "0", "MatMul", "1"),
        ("MatMul", "0", "NonZero", "0"),
        ("MatMul", "0", "GraphOutputs", "0"),
        ("NonZero", "0", "GraphOutputs", "1"),
    ]
    assert by_label["MatMul"]["outputsMetadata"] == [
        {"id": "0", "attrs": [{"key": "tensor_shape", "value": "f32[?,4]"}]}
    ]
    results = {label: {"key": "tosa", "value": "does not lower"} in node["attrs"] for label, node in by_label.items()}
    assert [label for label, failed in results.items() if failed] == ["NonZero"] and "style" in by_label["NonZero"]


def test_an_output_that_is_a_weight_has_an_edge():
    w, x = graph.Value(1, "w", "f32", 32, ["2"]), graph.Value(2, "x", "f32", 32, None)
    report = check.Report({}, [], graph.Graph([x], [w, graph.Value(3, "", "f32", 32, [])], [w], []))
    inputs, weight, outputs = json.loads(model_explorer.render(report, "m"))["graphs"][0]["nodes"]
    assert inputs["outputsMetadata"][0]["attrs"][0]["value"] == "f32[?]"
    assert outputs["incomingEdges"] == [
        {"sourceNodeId": weight["id"], "sourceNodeOutputId": "0", "targetNodeInputId": "0"}
    ]
