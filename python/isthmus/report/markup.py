"""Elements of HTML. Text is escaped unless it is `Html`, so a model's names cannot become markup."""

import html
import itertools
import re
import shlex
from collections.abc import Iterable
from importlib import resources

import isthmus

# In characters. Names and messages in an untrusted model may have any length.
_LONGEST_NAME = 200
_LONGEST_MESSAGE = 2000

# The page loads nothing and runs nothing, even if a text were not escaped.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

_END_OF_PART = re.compile(r"([./])(?=\w)")

_EMPTY_ELEMENTS = {"circle", "line", "meta", "rect"}


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def visible(text: str) -> str:
    """Returns a text with an escape for each character that is not visible, such as marks that change directions.

    A byte that is not UTF-8 becomes an escape too: "\\xff". Newlines stay.
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each == "\n" else _escape(each) for each in text)


def _escape(character):
    number = ord(character)
    if 0xDC80 <= number <= 0xDCFF:  # a byte, by "surrogateescape"
        number -= 0xDC00
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def shortened(text: str, most: int = _LONGEST_NAME) -> str:
    """Returns a text without its middle if it is longer than `most` characters."""
    if len(text) <= most:
        return text
    end = most // 4
    return f"{text[: most - end]} … {text[-end:]} ({len(text):,} characters)"


def tag(element: str, *children: str | Iterable[str], **attributes: str | None) -> Html:
    """Returns an element.

    Args:
      element: "p".
      children: texts, which are escaped, elements, or iterables of these.
      attributes: the values, without those that are None. A "_" at the end of a name is
        dropped, and others become "-": `class_`, `aria_label`.
    """
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{html.escape(visible(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    if element in _EMPTY_ELEMENTS and not children:
        return Html(f"<{element}{given}/>" if element != "meta" else f"<{element}{given}>")
    return Html(f"<{element}{given}>{joined(*children)}</{element}>")


def joined(*children: str | Iterable[str]) -> Html:
    """Returns texts, which are escaped, and elements, one after the other."""
    flat = itertools.chain.from_iterable([each] if isinstance(each, str) else each for each in children)
    return Html("".join(each if isinstance(each, Html) else html.escape(visible(each)) for each in flat))


def name(text: str, **attributes: str | None) -> Html:
    """Returns a name of the model, shortened. Its letters may run from right to left, and those around it do not.

    A line may end behind a part of the name.
    """
    return tag("code", Html(_END_OF_PART.sub(r"\1<wbr>", joined(shortened(text)))), **attributes)


def message(text: str) -> Html:
    """Returns a message with its lines."""
    return tag("p", shortened(text, _LONGEST_MESSAGE), class_="message")


def argument(path: str) -> str:
    """Returns the path of a file for a shell; it is no option either, as -h would be."""
    return shlex.quote(f"./{path}" if path.startswith("-") else path)


def command(*words: str) -> Html:
    """Returns a line to type in a shell."""
    return tag("pre", tag("code", shortened(" ".join(words), _LONGEST_MESSAGE)), tabindex="0")


def table(caption: str, header: Iterable[str], rows: Iterable[Iterable[str]], numbers: Iterable[int] = ()) -> Html:
    """Returns a table whose first column names the rows.

    Args:
      caption: what screen readers call it.
      header: the names of the columns.
      rows: the cells of each row.
      numbers: the columns that are numbers, from 0.
    """
    numbers = set(numbers)

    def cell(position, content):
        kind = "number" if position in numbers else None
        content = content if isinstance(content, Html) else shortened(content)
        return tag("td", content, class_=kind) if position else tag("th", content, scope="row", class_=kind)

    head = [tag("th", each, scope="col", class_="number" if i in numbers else None) for i, each in enumerate(header)]
    body = [tag("tr", [cell(i, content) for i, content in enumerate(row)]) for row in rows]
    whole = tag("table", tag("caption", caption), tag("thead", tag("tr", head)), tag("tbody", body))
    # A table that is wider than the page scrolls, with the keyboard too.
    return tag("div", whole, class_="scrolls", tabindex="0", role="group", aria_label=caption)


def fold(summary: Iterable[str], *content: str | Iterable[str], is_open: bool = False) -> Html:
    """Returns a part that opens and closes."""
    return tag("details", tag("summary", summary), *content, open="" if is_open else None)


def section(key: str, title: str, *content: str | Iterable[str]) -> Html:
    """Returns a part of the page with a title."""
    return tag("section", tag("h2", title, id=f"{key}-title"), *content, id=key, aria_labelledby=f"{key}-title")


def badge(kind: str, text: str) -> Html:
    """Returns a word that a colour stresses: of the kind "good", "bad" or "unknown"."""
    return tag("span", text, class_=f"badge {kind}")


def page(title: str, verdict: Iterable[str], sections: Iterable[tuple[str, str, Html]]) -> str:
    """Returns a whole page, in ASCII, so that any encoding of an output stream holds it.

    Args:
      title: the title of the window and the heading.
      verdict: what stands below the heading.
      sections: (key, title, content) for each part. Keys are words.
    """
    style = resources.files("isthmus.report").joinpath("style.css").read_text(encoding="ascii")
    sections = list(sections)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", shortened(title)),
        tag("style", Html(style)),
    )
    links = [tag("li", tag("a", title, href=f"#{key}")) for key, title, _ in sections]
    body = tag(
        "body",
        tag("header", tag("h1", shortened(title)), *verdict, tag("nav", tag("ul", links), aria_label="Parts")),
        tag("main", [section(key, title, content) for key, title, content in sections]),
        tag("footer", tag("p", f"isthmus {isthmus.__version__}")),
    )
    whole = f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}"
    return whole.encode("ascii", "xmlcharrefreplace").decode()
