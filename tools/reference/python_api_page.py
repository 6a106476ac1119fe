"""Writes docs/generated/python_api.md from the docstrings: python_api_page.py > PAGE.md

It reads the sources without importing them, so it needs no native module. A public name without a docstring is an error,
and so is an `Args` section that does not name exactly the parameters.
"""

import ast
import pathlib
import re
import textwrap

import isthmus

SOURCES = pathlib.Path(isthmus.__file__).parent

INTRODUCTION = """\
# Python reference

Printed by `bazel run //tools:refresh_docs` from the signatures and docstrings of `python/isthmus`. `import isthmus` gives every name
of the first section; import the other modules by name.
"""
INTRODUCTIONS = {
    "isthmus": "The public names of the package. [pytorch.md](../pytorch.md) introduces them with examples.",
    "isthmus.bug_report": "The function behind `isthmus bug-report`.",
    "isthmus.check": "The functions behind `isthmus check`.",
    "isthmus.compat.torch_mlir.fx": "torch-mlir's interface ([coming-from.md](../coming-from.md#torch-mlir)).",
    "isthmus.graph": "What `Module.graph` returns.",
    "isthmus.jax": "Functions of JAX beside `isthmus.to_jax` ([tutorial](../tutorials/jax.md)). This module imports `jax`.",
    "isthmus.onnx_backend": "ONNX's backend interface, `onnx.backend.base`. This module imports `onnx`.",
    "isthmus.ops": "The rows of `isthmus.Coverage`, and the text of `isthmus ops`.",
    "isthmus.pytorch": "The functions between PyTorch and Isthmus. This module imports PyTorch.",
    "isthmus.reduce": "The functions behind `isthmus reduce`.",
    "isthmus.statistics": "The numbers that `isthmus verify` shows of arrays.",
    "isthmus.verify": "The functions behind `isthmus verify`.",
}
# The documented names of each module. Those of `isthmus` itself are in its __all__.
NAMES = {
    "isthmus.bug_report": ["write"],
    "isthmus.check": ["Report", "TargetReport", "check"],
    "isthmus.compat.torch_mlir.fx": ["Module", "OutputType", "export_and_import", "stateless_fx_import"],
    "isthmus.graph": ["Graph", "Node", "Value"],
    "isthmus.jax": ["JaxFunction", "RuleSet", "expert_parallel", "fully_sharded", "partition_specs", "tensor_parallel"],
    "isthmus.onnx_backend": ["Backend", "PreparedModel"],
    "isthmus.ops": ["OnnxOp", "TorchOp", "render"],
    "isthmus.pytorch": ["dynamo_backend", "to_array", "to_tensor"],
    "isthmus.reduce": ["Reduced", "reduce"],
    "isthmus.statistics": ["Statistics", "describe"],
    "isthmus.verify": ["Blame", "Compared", "Difference", "Report", "compare", "largest_difference", "relative_error"],
}
LONGEST_LINE = 100
SECTIONS = ("Args", "Attributes", "Raises", "Returns")
METHODS_OF_SYNTAX = ("__call__",)


class Source:
    """The definitions of a module, by name."""

    def __init__(self, module):
        self.module = module
        text = SOURCES.joinpath(*module.split(".")[1:]).with_suffix(".py").read_text(encoding="utf-8")
        self.text, self.lines = text, text.splitlines()
        self.definitions = {}
        for node in ast.parse(text).body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
            for name in [getattr(node, "name", None), *names]:
                self.definitions.setdefault(name, node)

    def comment_above(self, node):
        """Returns the comment on the lines before a definition."""
        first = node.lineno - 1
        while self.lines[first - 1].startswith("#"):
            first -= 1
        return " ".join(line.removeprefix("#").strip() for line in self.lines[first : node.lineno - 1])

    def text_of(self, nodes):
        """Returns the lines of consecutive statements, with their comments."""
        return textwrap.dedent("\n".join(self.lines[nodes[0].lineno - 1 : nodes[-1].end_lineno]))


def parameters(function, source, is_method):
    """Returns the parameters of a function as text: ["path: str", "*", "trust: bool = False"], and their names."""
    args = function.args

    def written(arg, default=None, stars=""):
        annotation = f": {ast.unparse(arg.annotation)}" if arg.annotation else ""
        equals = " = " if arg.annotation else "="
        return stars + arg.arg + annotation + (equals + ast.get_source_segment(source.text, default) if default else "")

    positional = args.posonlyargs + args.args
    defaults = [None] * (len(positional) - len(args.defaults)) + args.defaults
    pairs = list(zip(positional, defaults, strict=True))[is_method:]
    texts, names = [written(*pair) for pair in pairs], [arg.arg for arg, _ in pairs]
    if args.vararg:
        texts.append(written(args.vararg, stars="*"))
        names.append(args.vararg.arg)
    elif args.kwonlyargs:
        texts.append("*")
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        texts.append(written(arg, default))
        names.append(arg.arg)
    if args.kwarg:
        texts.append(written(args.kwarg, stars="**"))
        names.append(args.kwarg.arg)
    return texts, names


def signature(name, function, source, is_method):
    texts, _ = parameters(function, source, is_method)
    result = f" -> {ast.unparse(function.returns).strip(chr(39))}" if function.returns else ""
    line = f"{name}({', '.join(texts)}){result}"
    if len(line) <= LONGEST_LINE:
        return line
    return "\n".join([f"{name}(", *(f"    {text}," for text in texts), f"){result}"])


def entries(lines):
    """Returns the entries of a section, pairs of names and text; continuation lines are indented further."""
    found = []
    for line in lines:
        if line.startswith(" "):
            found[-1][1].append(line.strip())
        elif line.endswith(":") or ": " in line:
            names, _, text = line.partition(":")
            found.append((names, [text.strip()]))
        else:  # the list of names continues
            found[-1] = (found[-1][0] + " " + line, found[-1][1])
    return [(names, " ".join(text).strip()) for names, text in found]


def joined(lines):
    """Returns the lines with names of an entry that take several lines on one."""
    result = []
    for line in lines:
        if result and result[-1].endswith(",") and not result[-1].startswith(" ") and ":" not in result[-1]:
            result[-1] += " " + line.strip()
        else:
            result.append(line)
    return result


def linked(text):
    """Turns the pages that a docstring mentions into links."""
    return re.sub(r"(?<!\[)\bdocs/([\w-]+\.md)\b", r"[docs/\1](../\1)", text)


def description(where, docstring, names=None):
    """Returns a docstring as Markdown.

    Args:
      where: the definition, for errors.
      docstring: its docstring.
      names: the parameters that an `Args` section must name; None if the definition has none.
    """
    if not docstring:
        raise SystemExit(f"{where}: expected a docstring, got none")
    blocks, section = [[]], None
    for line in textwrap.dedent(docstring).splitlines():
        if line.rstrip(":") in SECTIONS and line.endswith(":"):
            section = line.rstrip(":")
            blocks.append([section])
        else:
            blocks[-1].append(line)
    text = [linked("\n".join(blocks[0]).strip())]
    for section, *lines in blocks[1:]:
        lines = textwrap.dedent("\n".join(lines)).strip("\n").splitlines()
        if section == "Returns":
            text.append(linked("*Returns:* " + " ".join(line.strip() for line in lines)))
            continue
        pairs = entries(joined(lines))
        if section == "Args":
            named = [name.lstrip("*") for group, _ in pairs for name in group.split(", ")]
            if sorted(named) != sorted(names or []):
                raise SystemExit(f"{where}: expected Args of {names}, got {named}")
        items = []
        for group, said in pairs:
            shown = ", ".join(f"`{name}`" for name in group.split(", "))
            items.append(f"- {shown}: {said}" if said else f"- {shown}")
        text.append(f"*{section}:*\n\n" + linked("\n".join(items)))
    return "\n\n".join(text)


def definition(level, name, code, text):
    return f"{'#' * level} {name}\n\n```python\n{code}\n```\n\n{text}\n"


def function_blocks(name, node, source, level=3, is_method=False):
    """Yields the block of a function or of a property."""
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    is_method = is_method and "staticmethod" not in decorators
    _, names = parameters(node, source, is_method)
    text = description(name, ast.get_docstring(node), names)
    if "property" in decorators:
        result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        code = f"{node.name}{result}  # a property"
    elif name.endswith(".__call__"):
        code = signature("module", node, source, is_method)
    else:
        code = signature(node.name, node, source, is_method)
    yield definition(level, name, code, text)


def class_blocks(name, node, source):
    """Yields the block of a class and of its public methods."""
    bases = f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""
    fields = [
        each for each in node.body if isinstance(each, ast.Assign) or (isinstance(each, ast.AnnAssign) and each.simple)
    ]
    code = f"class {node.name}{bases}"
    if fields and (node.decorator_list or any(kind in bases for kind in ("Enum", "Namespace", "TypedDict"))):
        code += ":\n" + textwrap.indent(source.text_of(fields), "    ")
    yield definition(3, name, code, description(name, ast.get_docstring(node)))
    for method in node.body:
        if isinstance(method, ast.FunctionDef):
            if not method.name.startswith("_") or method.name in METHODS_OF_SYNTAX:
                yield from function_blocks(f"{name}.{method.name}", method, source, level=4, is_method=True)


def homes_of(module):
    """Returns the modules that define the public names of a package, by name; nothing for a module of one file."""
    if module == "isthmus":
        return {name: home for home, names in isthmus._HOMES.items() for name in names}
    package = SOURCES.joinpath(*module.split(".")[1:], "__init__.py")
    tree = ast.parse(package.read_text(encoding="utf-8")) if package.exists() else ast.Module([], [])
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module for node in imports for alias in node.names}


def blocks_of(module, names):
    homes = homes_of(module)
    sources = {}
    for name in names:
        home = homes.get(name, module)
        source = sources.setdefault(home, Source(home))
        node = source.definitions[name]
        full = f"{module}.{name}"
        if isinstance(node, ast.FunctionDef):
            yield from function_blocks(full, node, source)
        elif isinstance(node, ast.ClassDef):
            yield from class_blocks(full, node, source)
        else:
            comment = source.comment_above(node)
            if not comment:
                raise SystemExit(f"{full}: expected a comment above it, got none")
            annotation = f": {ast.unparse(node.annotation)}" if isinstance(node, ast.AnnAssign) else ""
            yield definition(3, full, name + annotation, comment)


def page():
    """Returns the page's text."""
    parts = [INTRODUCTION]
    for module, names in {"isthmus": isthmus.__all__, **NAMES}.items():
        parts.append(f"\n## {module}\n\n{INTRODUCTIONS[module]}\n")
        parts += ["\n" + block for block in blocks_of(module, names)]
    return "".join(parts)


if __name__ == "__main__":
    print(page(), end="")
