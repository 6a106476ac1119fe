"""Makes the smallest part of an MLIR program that still fails in one way.

The program is text in the generic form, where each op names its values and their types. So a part of a program is some
of its lines, with arguments for the tensors that other lines compute.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import re
import tempfile
from collections.abc import Callable, Sequence

from isthmus import findings, trials
from isthmus.api import FileFormat, Module, WeightForm
from isthmus.api import parse as parse_module
from isthmus.errors import IsthmusError
from isthmus.mlir_text import Block, Op, bracketed, parse, split
from isthmus.subsets import smallest

# Constants of this many bytes or more become arguments first.
_LARGE = 1024
_TENSORS = ("!torch.vtensor<", "!torch.tensor<", "tensor<")

# Takes a program, and returns the findings of the kind that is looked for.
Fails = Callable[[str], list[str]]


@dataclasses.dataclass(frozen=True)
class Small:
    """A small program: its text, its number of ops and that of the whole one."""

    text: str
    ops: int
    ops_before: int


def reduce(module: Module, fails: Fails) -> Small | None:
    """Returns the smallest program found that fails like a module; None if no copy of the whole module does.

    Args:
      module: the module, of the onnx or the torch dialect; its large constants become
        arguments.
      fails: how it fails.
    """
    whole = _generic(module)
    forms = []
    try:
        module.hoist_weights(_LARGE)
        forms.append(_generic(module))
    except IsthmusError:
        pass  # another form of program, whose weights stay
    for text in [*forms, whole]:
        part = _Part.of(text)
        if part and (found := _Reduction(part, fails).run()):
            return found
    return None


def _generic(module):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.mlir")
        module.save(path, format=FileFormat.GENERIC, weights=WeightForm.RESOURCE)
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()


def _attributes_of(function: Op) -> tuple[list[str], str]:
    """Returns the attributes of a function's arguments, and its own that MLIR itself does not know."""
    arguments: list[str] = []
    if (start := function.text.find("arg_attrs = [")) >= 0:
        arguments = split(bracketed(function.text, start + len("arg_attrs = ")))
    own = ""
    last = function.text.split("\n")[-1]
    if last.startswith("}) {") or last.lstrip().startswith("}) {"):
        own = "{" + bracketed(last, last.index("{")) + "}"
    return arguments, own


@dataclasses.dataclass(frozen=True)
class _Part:
    """Some ops of a function.

    Attributes:
      ops: the ops, without the terminator.
      name: the function's name.
      end: the name of its terminator.
      attributes: the attributes of arguments, by value: "{isthmus.name = \\"x\\"}".
      own: the attributes of the function.
      arguments: the function's arguments, in order.
      returned: values that the function returns, if one of the ops computes them.
      kinds: the types of values.
      aliases: the lines of names for attributes and types.
      others: the text of other functions.
      resources: the text of resources.
    """

    ops: tuple[Op, ...]
    name: str
    end: str
    attributes: dict[str, str]
    own: str
    arguments: tuple[str, ...]
    returned: tuple[str, ...]
    kinds: dict[str, str]
    aliases: tuple[str, ...]
    others: str
    resources: str

    @staticmethod
    def of(text: str) -> _Part | None:
        """Returns the ops of a program's first function that has some; None if there is none."""
        try:
            top = parse(text)
        except ValueError:
            return None
        if len(top) == 1 and top[0].name == "builtin.module":
            top = [op for block in top[0].blocks for op in block.ops]
        functions = [op for op in top if op.name == "func.func" and op.blocks and op.blocks[0].ops]
        if not functions or len(functions[0].blocks) != 1:
            return None
        function = functions[0]
        (block,) = function.blocks
        name = re.search(r'sym_name = "((?:[^"\\]|\\.)*)"', function.text)
        attributes, own = _attributes_of(function)
        names = [value for value, _ in block.arguments]
        kinds = dict(block.arguments)
        _add_kinds(block, kinds)
        _, separator, resources = text.partition("\n{-#")
        return _Part(
            ops=tuple(block.ops[:-1]),
            name=name[1] if name else "main",
            end=block.ops[-1].name,
            attributes=dict(zip(names, attributes, strict=False)),
            own=own,
            arguments=tuple(names),
            returned=tuple(block.ops[-1].uses()),
            kinds=kinds,
            aliases=tuple(line for line in text.split("\n") if re.match(r"[#!]\w", line)),
            others="\n".join(op.text for op in top if op is not function),
            resources=separator + resources,
        )

    def with_ops(self, ops: Sequence[Op]) -> _Part:
        return dataclasses.replace(self, ops=tuple(ops))

    def enter(self, op: Op, block: Block) -> _Part:
        """Returns the ops of a block as a function of their own."""
        names = tuple(value for value, _ in block.arguments)
        return dataclasses.replace(
            self, ops=tuple(block.ops[:-1]), arguments=names + self.arguments, returned=tuple(block.ops[-1].uses())
        )

    def closed(self, everything: Sequence[Op]) -> _Part:
        """Returns the part with the ops that compute its numbers, lists and the like, which are no arguments."""
        makers = {value: op for op in everything for value, _ in op.results}
        kept = {id(op) for op in self.ops}
        pending = list(self.ops)
        while pending:
            for value in pending.pop().uses():
                maker = makers.get(value)
                if maker and id(maker) not in kept and not self.kinds[value].startswith(_TENSORS):
                    kept.add(id(maker))
                    pending.append(maker)
        return self.with_ops([op for op in everything if id(op) in kept])

    def text(self) -> str:
        """Returns the program."""
        made = {value for op in self.ops for value, _ in op.results}
        used = dict.fromkeys(value for op in self.ops for value in op.uses())
        places = {value: place for place, value in enumerate(self.arguments)}
        needed = [value for value in used if value not in made]
        needed.sort(key=lambda value: places.get(value, len(places)))
        results = [value for value in dict.fromkeys(self.returned) if value in made]
        for op in self.ops:
            tensors = [value for value, kind in op.results if kind.startswith(_TENSORS)]
            if tensors and not any(value in used or value in results for value, _ in op.results):
                results.append(tensors[0])
        arguments = ", ".join(
            f"{_plain(value)}: {self.kinds[value]} {self.attributes.get(value, '')}".rstrip() for value in needed
        )
        kinds = ", ".join(self.kinds[value] for value in results)
        own = f" attributes {self.own}" if self.own else ""
        lines = [*self.aliases, f'func.func @"{self.name}"({arguments}) -> ({kinds}){own} {{']
        for op in self.ops:
            text = op.text
            for value in needed:
                if "#" in value:
                    text = re.sub(re.escape(value) + r"(?!\d)", _plain(value), text)
            lines.append(f"  {text}")
        lines.append(f'  "{self.end}"({", ".join(results)}) : ({kinds}) -> ()')
        text = "\n".join([*lines, "}", self.others])
        return text + self.resources if "dense_resource<" in text else text


def _count(ops):
    return sum(1 + sum(_count(block.ops) for block in op.blocks) for op in ops)


def _plain(value):
    """Returns a name of its own for one result of several: "%2#0"."""
    return "%result_" + value[1:].replace("#", "_") if "#" in value else value


def _add_kinds(block, kinds):
    kinds.update(block.arguments)
    for op in block.ops:
        kinds.update(op.results)
        for inner in op.blocks:
            _add_kinds(inner, kinds)


class _Reduction:
    """One reduction. `part` is the smallest found so far."""

    def __init__(self, part, fails):
        self.part, self.fails = part, fails

    def run(self):
        """Returns the small program; None if the whole one does not fail."""
        whole = self.part
        (first, *_) = self._found(whole) or [None]
        if first is None:
            return None
        self._cut(first)
        for _ in range(8):
            before = self.part
            rest = functools.partial(_rest, self.part)
            self.part = rest(smallest(self.part.ops, functools.partial(self._persists, rest)))
            self._enter()
            if len(self.part.ops) == len(before.ops):
                break
        for simpler in ({"own": ""}, {"attributes": {}}, {"others": ""}, {"aliases": ()}):
            self._take(dataclasses.replace(self.part, **simpler))
        for value in self.part.returned:
            rest = tuple(each for each in self.part.returned if each != value)
            self._take(dataclasses.replace(self.part, returned=rest))
        return Small(self._pretty(self.part.text()), _count(self.part.ops), _count(whole.ops))

    def _pretty(self, text):
        """Returns the program with its ops' own syntax, if it fails alike."""
        pretty = trials.run(lambda: parse_module(text.encode(errors="surrogateescape")).text()).result
        return pretty if pretty and self.fails(pretty) else text

    def _found(self, part):
        return self.fails(part.text())

    def _persists(self, rest, ops):
        return bool(self._found(rest(ops)))

    def _take(self, part):
        if not self._found(part):
            return False
        self.part = part
        return True

    def _cut(self, message):
        """Cuts out the op that fails, with as many ops before it as the failure needs."""
        line = findings.line_of(message)
        if line is None:
            return
        # The function's line is before those of its ops.
        places = [place for place, op in enumerate(self.part.ops) for _ in op.text.split("\n")]
        number = line - len(self.part.aliases) - 2
        if not 0 <= number < len(places):
            return
        rest = functools.partial(_rest, self.part)
        for ops in _around(self.part.ops, places[number]):
            if self._take(rest(ops)):
                return

    def _enter(self):
        for op in self.part.ops:
            for block in op.blocks:
                if len(block.ops) > 1 and self._take(self.part.enter(op, block)):
                    return


def _rest(part, ops):
    """Returns some ops of a part, with those that they cannot do without."""
    return part.with_ops(ops).closed(part.ops)


def _around(ops, place):
    """Yields an op, then also the ops before it, from ever more steps away."""
    makers = {value: number for number, op in enumerate(ops) for value, _ in op.results}
    part, new, steps, limit = {place}, {place}, 0, 0
    while True:
        while steps < limit and new:
            new = {makers[value] for number in new for value in ops[number].uses() if value in makers} - part
            part |= new
            steps += 1
        yield [ops[number] for number in sorted(part)]
        if not new:
            return
        limit = 2 * limit or 1
