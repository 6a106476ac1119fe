"""Writes docs/generated/cpp_api.md from the comments of headers: cpp_api_page.py HEADER.h... > PAGE.md

It reads headers as clang-format writes them: a declaration starts at its scope's indentation and ends with a line that
balances it. A class, function or constant of the namespace without a `///` comment is an error; members without one are
left out. A comment after an enumerator counts too. Kernel.h is C, whose comments are read alike.
"""

import pathlib
import re
import sys

INTRODUCTION = """\
# C++ and C reference

Printed by `bazel run //tools:refresh_docs` from the comments of the headers that an embedding compiler includes: the first sentence
of each. [embedding.md](../embedding.md) says which libraries they belong to, and [c_library.md](../c_library.md) is about isthmus.h;
the headers have the rest.
"""
KIND = re.compile(r"(?:typedef )?(?:enum class|enum|class|struct) (\w+)")


def purpose_of(lines):
    """Returns the purpose of a header from its first line: "//===- Api.h - Isthmus as a library ---"."""
    return re.match(r"(?://|/\*)===- [\w.]+ - (.*?) *-[-*C+ ]*=", lines[0])[1]


def with_line_comments(text):
    """Returns C as if its comments were `///` before a declaration and `///` after one."""

    def as_lines(match):
        words = [line.strip().removeprefix("*").strip() for line in match[2].split("\n")]
        return "\n".join(f"{match[1]}/// {line}" for line in words)

    text = re.sub(r"^/\*===-.*?===\*/$", "", text, flags=re.MULTILINE | re.DOTALL)  # headings
    text = re.sub(r"^( *)/\* (.*?) ?\*/$", as_lines, text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"/\* (.*?) \*/$", r"/// \1", text, flags=re.MULTILINE)


def scope_of(header):
    """Returns the lines of namespace isthmus, or of a C header's extern "C"."""
    text = header.read_text(encoding="utf-8")
    if found := re.search(r"^namespace isthmus \{\n(.*)^\} // namespace isthmus$", text, re.MULTILINE | re.DOTALL):
        return found[1].splitlines()
    (scope,) = re.findall(r'^extern "C" \{\n#endif\n(.*)^#ifdef __cplusplus$', text, re.MULTILINE | re.DOTALL)
    return with_line_comments(scope).splitlines()


def is_whole(code):
    """Whether the brackets of a declaration balance and it has its end."""
    return all(code.count(a) == code.count(b) for a, b in ("()", "{}", "[]")) and code.rstrip().endswith(
        (";", "}", ",")
    )


def declarations(lines, is_enum=False):
    """Yields the comment, the code and the lines of each declaration in a scope; private members are left out."""
    comment, code, body, is_private = [], "", [], False
    for line in lines:
        text, _, after = line.partition(" // " if is_enum else " /// ")
        if code:
            code += "\n" + text
            body.append(line)
        elif line.strip().startswith("///"):
            comment.append(line.strip().removeprefix("///").strip())
        elif line.endswith(("public:", "private:")):
            is_private = line.endswith("private:")
        elif not line.strip() or line.strip().startswith(("//", "#")):
            comment = []
        else:
            code, body = text, [line]
            comment = comment or ([after.strip()] if after else [])
        if code and (is_whole(code) or (is_enum and "{" not in code)):
            if not is_private:
                yield comment, code.strip(), body
            comment, code = [], ""


def names_in(code):
    """Returns the names that a declaration declares."""
    if found := KIND.match(code):
        return [found[1]]
    if found := re.match(r"using (\w+)|typedef .*?\(\*(\w+)\)", code):
        return [found[1] or found[2]]
    code = re.sub(r"\s*=\s*\{.*\};$", ";", code, flags=re.DOTALL)  # a constant's value may have commas
    count = 1
    while count:  # template arguments may have parentheses
        code, count = re.subn(r"<[^<>]*>", "", code)
    if found := re.search(r"\(\*(\w+)\)|(\w+)\s*\(", code):
        return [found[1] or found[2]]
    return [re.findall(r"\w+", part.partition("=")[0])[-1] for part in code.rstrip(",;").split(",")]


def first_sentence(comment):
    """Returns the first sentence of the first paragraph, as a table cell."""
    paragraph = " ".join(comment[: comment.index("")] if "" in comment else comment)
    sentence = re.split(r"(?<=[.])\s+(?=[A-Z`@])", paragraph)[0]
    sentence = re.sub(r"(?<![\w/])docs/([\w-]+\.md)", r"[docs/\1](../\1)", sentence.replace("|", "\\|"))
    parts = sentence.split("`")
    return "`".join(part if index % 2 else part.replace("<", "&lt;") for index, part in enumerate(parts))


def rows(header, lines, outer=""):
    """Yields a pair of a name and its purpose for each declaration, and for the members of each class."""
    for comment, code, body in declarations(lines, is_enum=outer.endswith("enum")):
        names = [outer.removesuffix("enum") + name for name in names_in(code)]
        if not comment and not outer:
            raise SystemExit(f"{header}: expected a comment above {', '.join(names)}, got none")
        if comment:
            yield ", ".join(f"`{name}`" for name in names), first_sentence(comment)
        if KIND.match(code) and len(body) > 1:
            yield from rows(header, body[1:-1], f"{names[0]}::" + ("enum" if "enum" in code.split("{")[0] else ""))


def section(header):
    include = str(header).rpartition("cc/include/")[2]
    lines = header.read_text(encoding="utf-8").splitlines()
    table = ["| name | purpose |", "|---|---|", *(f"| {' | '.join(row)} |" for row in rows(include, scope_of(header)))]
    return f"\n## {include}\n\n{purpose_of(lines)}.\n\n" + "\n".join(table) + "\n"


if __name__ == "__main__":
    print(INTRODUCTION + "".join(map(section, map(pathlib.Path, sys.argv[1:]))), end="")
