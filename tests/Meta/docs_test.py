"""What the documentation points to is there."""

import pathlib
import re

import pytest

PAGES = sorted(pathlib.Path().rglob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links(page):
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if not (page.parent / link).exists()]
    assert not missing, f"{page} links to {missing}"


def test_there_are_pages():
    assert len(PAGES) > 5


FIGURE = re.compile(r"\b\d+ of \d+\b")


def test_figures_are_those_of_the_table():
    totals, _, _ = pathlib.Path("docs/generated/ops.md").read_text(encoding="utf-8").partition("\n## ")
    counted = set(FIGURE.findall(totals))
    shown = set(FIGURE.findall(pathlib.Path("README.md").read_text(encoding="utf-8")))
    assert counted and shown == counted


JUDGES = ["iree-base-compiler", "jaxlib", "onnx", "onnxruntime", "torch", "torch-mlir", "tosa-tools"]


@pytest.mark.parametrize("package", JUDGES)
def test_versions_are_those_of_the_locks(package):
    locks = [path.read_text(encoding="utf-8") for path in pathlib.Path("third_party/python").glob("*.lock")]
    (version,) = re.findall(rf"^{package}==(\S+)$", "\n".join(locks), re.MULTILINE)
    assert version in pathlib.Path("docs/versions.md").read_text(encoding="utf-8")
