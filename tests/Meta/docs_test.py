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
