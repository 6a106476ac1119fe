"""The links and paths in the documentation exist."""

import pathlib
import re

import pytest

# tools/docs copies pages to build/.
PAGES = sorted(page for page in pathlib.Path().rglob("*.md") if page.parts[0] != "build")
LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]*))?\)")


def prose(page):
    """Returns a page without its code blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def sections(page):
    """Returns the names of a page's sections in links, as git hosts derive them from headings."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links(page):
    links = LINK.findall(page.read_text(encoding="utf-8"))
    missing = [link for link, _ in links if not (page.parent / link).exists()]
    assert not missing, f"{page} links to {missing}"


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_to_sections(page):
    links = [(page.parent / link if link else page, section) for link, section in LINK.findall(prose(page)) if section]
    missing = [f"{to}#{section}" for to, section in links if to.suffix == ".md" and section not in sections(to)]
    assert not missing, f"{page} links to {missing}"


def test_there_are_pages():
    assert len(PAGES) > 5


def test_the_site_has_every_page():
    listed = re.findall(
        r"(?:- |: )([\w./-]+\.md)$", pathlib.Path("mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(listed) == sorted(map(str, PAGES))


FIGURE = re.compile(r"\b\d+ of \d+\b")
# "torch to tosa: 951 of 956 (122 pattern, 829 decomposed)", as `isthmus ops` prints it.
TOTAL = re.compile(r"^(?:- )?(\S+ to \w+: \d+ of \d+.*)$", re.MULTILINE)


def test_figures_are_those_of_the_table():
    totals, _, _ = pathlib.Path("docs/generated/ops.md").read_text(encoding="utf-8").partition("\n## ")
    counted = set(FIGURE.findall(totals))
    shown = set(FIGURE.findall(pathlib.Path("README.md").read_text(encoding="utf-8")))
    assert counted and shown == counted
    printed = set(TOTAL.findall(pathlib.Path("docs/debugging.md").read_text(encoding="utf-8")))
    assert printed and not printed - set(TOTAL.findall(totals))


JUDGES = ["iree-base-compiler", "jaxlib", "onnx", "onnxruntime", "torch", "torch-mlir", "tosa-tools"]


@pytest.mark.parametrize("package", JUDGES)
def test_versions_are_those_of_the_locks(package):
    locks = [path.read_text(encoding="utf-8") for path in pathlib.Path("third_party/python").glob("*.lock")]
    (version,) = re.findall(rf"^{package}==(\S+)$", "\n".join(locks), re.MULTILINE)
    assert version in pathlib.Path("docs/versions.md").read_text(encoding="utf-8")
