"""Writes the options of a lowering for C++, for Python or as a page.

Usage: llvm-tblgen --dump-json LoweringOptions.td | lowering_options.py (cpp | kinds | python | page)
"""

import json
import sys
import textwrap

# The types of options in C++ and Python, and Python's defaults.
CPP_TYPES = {
    "choice": "std::string",
    "files": "std::vector<std::string>",
    "flag": "bool",
    "name": "std::string",
    "names": "std::vector<std::string>",
    "shapes": "llvm::StringMap<llvm::SmallVector<int64_t>>",
    "texts": "std::vector<std::string>",
}
PYTHON_TYPES = {
    "files": "Iterable[str | os.PathLike] | str | os.PathLike",
    "flag": "bool",
    "name": "str",
    "names": "Iterable[str] | str",
    "shapes": "Mapping[str, Sequence[int]] | None",
    "texts": "Iterable[str] | str",
}
PYTHON_DEFAULTS = {"files": (), "flag": False, "name": "", "names": (), "shapes": None, "texts": ()}


class Option:
    def __init__(self, record):
        self.argument = record["argument"]
        self.member = record["cppName"]
        self.kind = record["kind"]
        self.choices = record["choices"]
        self.example = record["example"]
        self.details = record["details"]
        self.is_onnx = bool(record["isOnnxOption"])
        self.is_pass_option = self.kind != "shapes"
        self.summary = record.get("sentence", record["description"])  # without choices
        self.description = record["description"]

    @property
    def keyword(self):
        return self.argument.replace("-", "_")

    @property
    def enum(self):
        return self.argument.title().replace("-", "")

    @property
    def default(self):
        return self.choices[0] if self.choices else PYTHON_DEFAULTS[self.kind]

    @property
    def python_type(self):
        return f"{self.enum} | str" if self.choices else PYTHON_TYPES[self.kind]

    @property
    def python_example(self):
        if self.kind in ("name", "texts"):
            return json.dumps(self.example)
        if self.kind == "names":
            return json.dumps(self.example.split(","))
        name, _, sizes = self.example.partition("=")
        return f'{{"{name}": [{sizes.replace("x", ", ")}]}}'

    def text(self, is_python=False):
        """The whole description, as sentences."""
        sentence = self.description[0].upper() + self.description[1:]
        example = self.python_example if is_python else self.example
        example = f" Example: `{example}`." if self.kind in ("name", "names", "shapes", "texts") else ""
        return f"{sentence}.{example} {self.details}".strip()


def wrapped(text, prefix, width):
    return textwrap.wrap(text, width, initial_indent=prefix, subsequent_indent=prefix, break_on_hyphens=False)


def cpp(options):
    """Yields the members of two classes, and a macro line for each option of passes."""
    for guard, is_pass_option in (("GET_PIPELINE_MEMBERS", True), ("GET_MODEL_MEMBERS", False)):
        yield f"#ifdef {guard}"
        for option in options:
            if option.is_pass_option == is_pass_option:
                default = f" = {json.dumps(option.default)}" if option.kind in ("choice", "flag") else ""
                yield from wrapped(option.text(), "/// ", 80)
                yield f"{CPP_TYPES[option.kind]} {option.member}{default};"
        yield "#endif"
    for macro, chosen in (
        ("LOWERING_OPTION", [option for option in options if option.is_pass_option]),
        ("ONNX_OPTION", [option for option in options if option.is_onnx]),
        ("MODEL_OPTION", options),
    ):
        yield f"#ifdef {macro}"
        for option in chosen:
            names = f'{option.member}, "{option.argument}"'
            yield f"{macro}({CPP_TYPES[option.kind]}, {names}, {json.dumps(option.description)})"
        yield f"#undef {macro}\n#endif"
    yield "#ifdef CHOICE_OPTION"
    for option in options:
        if option.choices:
            yield f'CHOICE_OPTION({option.member}, "{option.argument}", {", ".join(map(json.dumps, option.choices))})'
    yield "#undef CHOICE_OPTION\n#endif"


def kinds(options):
    """Yields a macro line for each option, for readers of values as text."""
    for option in options:
        choices = ", ".join(map(json.dumps, option.choices))
        names = f'{option.kind.title()}, {option.member}, "{option.argument}"'
        yield f"NAMED_OPTION({names}, {json.dumps(option.description)}, {{{choices}}})"
    yield "#undef NAMED_OPTION"


PYTHON_HEADER = '''
"""The options of a lowering. tools/generators/lowering_options.py writes this file."""

import enum
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypedDict
'''

OPTION_CLASS = '''
class Option(NamedTuple):
    """An option of a lowering."""

    keyword: str  # "narrow_f64"
    kind: str  # "choice", "files", "flag", "name", "names", "shapes" or "texts"
    default: str | bool | tuple | None
    choices: tuple[str, ...]
    example: str  # as the command takes it
    summary: str

    @property
    def flag(self):
        """The command's flag: "--narrow-f64"."""
        return "--" + self.argument

    @property
    def argument(self):
        """The name in pass pipelines: "narrow-f64"."""
        return self.keyword.replace("_", "-")

'''


def python(options):
    yield PYTHON_HEADER.strip() + "\n"
    for option in options:
        if option.choices:
            yield f"\nclass {option.enum}(enum.StrEnum):"
            yield f'    """{option.summary[0].upper()}{option.summary[1:]}."""\n'
            yield from (f"    {choice.upper()} = {json.dumps(choice)}" for choice in option.choices)
            yield ""
    yield "\nclass LoweringOptions(TypedDict, total=False):"
    yield '    """The options of `isthmus.compile` and `Module.lower`, which are keyword arguments.\n\n    Attributes:'
    for option in options:
        first, *rest = textwrap.wrap(option.text(is_python=True), 108, break_on_hyphens=False)
        yield from (f"      {option.keyword}: {first}", *("        " + line for line in rest))
    yield '    """\n'
    yield from (f"    {option.keyword}: {option.python_type}" for option in options)
    yield "\n" + OPTION_CLASS
    yield "OPTIONS = ("
    for option in options:
        facts = (option.keyword, option.kind, option.default, tuple(option.choices), option.example, option.summary)
        yield f"    Option({', '.join(map(repr, facts))}),"
    yield ")"


def page(options):
    yield "# Options of a lowering\n"
    yield "An option has one spelling in each place: `narrow-f64` in passes and in `torch-to-TARGET-pipeline`, `narrowF64` in the C++"
    yield "classes `TargetPipelineOptions` and `LowerOptions`, `narrow_f64` in Python's `Module.lower` and `isthmus.compile`, and"
    yield "`--narrow-f64` in the command. `convert-onnx-to-torch-pipeline` has some of them too.\n"
    yield "| Option | Type | Default | Meaning |\n|---|---|---|---|"
    for option in options:
        kind = " or ".join(f"`{choice}`" for choice in option.choices) or option.kind
        default = f"`{option.default}`" if option.choices else {"flag": "off"}.get(option.kind, "none")
        onnx = " Also of `convert-onnx-to-torch-pipeline`." if option.is_onnx else ""
        model = "" if option.is_pass_option else " No option of pipelines."
        yield f"| `{option.argument}` | {kind} | {default} | {option.text()}{onnx}{model} |"


def main():
    records = json.load(sys.stdin)
    options = [Option(records[name]) for name in records["!instanceof"]["LoweringOption"]]
    options.sort(key=lambda option: option.argument)
    write = {"cpp": cpp, "kinds": kinds, "page": page, "python": python}[sys.argv[1]]
    print("\n".join(write(options)))


if __name__ == "__main__":
    main()
