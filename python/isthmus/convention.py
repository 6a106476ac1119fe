"""The calling convention of a program: maps the model's nested inputs and outputs to the function's flat ones."""

import functools

from isthmus import pytree
from isthmus.errors import BadModelError, InputError, UnsupportedError


class Convention:
    """The convention that an exported program records on its function: the nesting of inputs and outputs, and writes.

    `notes` are the attributes of the function, its arguments and results, as `importPt2` documents them. `trees`, if
    given, flattens inputs and nests the output with the classes that PyTorch knows.

    Raises:
      BadModelError: the notes contradict each other or the function.
    """

    def __init__(self, notes, trees=None):
        function = notes["function"]
        self._inputs = pytree.parse(function["torch.in_spec"])
        self._outputs = pytree.parse(function.get("torch.out_spec"))
        self._input_leaves = function.get("torch.inputs")
        self._output_leaves = function.get("torch.outputs")
        self._arguments = notes["arguments"]
        self._mutates = [result.get("isthmus.mutates") for result in notes["results"]]
        self._trees = trees
        if not pytree.is_call(self._inputs):
            raise BadModelError(["inputs: expected a tree of positional and of named arguments"])
        sides = [
            ("inputs", self._inputs, self._input_leaves, len(self._arguments)),
            ("outputs", self._outputs, self._output_leaves, len(notes["results"])),
        ]
        if wrong := [
            f"{what}: expected {tree.count_leaves()} constants or places of {count}, got {leaves!r}"
            for what, tree, leaves, count in sides
            if not _are_places(leaves, tree.count_leaves(), count)
        ]:
            raise BadModelError(wrong)

    def bind(self, args, kwargs):
        """Returns the function's arguments for a call of the model.

        Raises:
          InputError: the structure or constants of the call do not match the program.
        """
        findings = []
        leaves = self._leaves_of_classes(args, kwargs)
        if leaves is None:
            leaves = pytree.flatten_call(self._inputs, args, kwargs, findings)
        if findings:
            raise InputError(findings)
        flat = [None] * len(self._arguments)
        for (path, value), leaf in zip(leaves, self._input_leaves):
            if not isinstance(leaf, dict):
                flat[leaf] = value
            elif not _is_same(value, leaf["value"]):
                findings.append(
                    f"{path}: expected {leaf['value']!r}, with which the program was exported, got {value!r}"
                )
        if findings:
            raise InputError(findings)
        # Weights in a file beside the program are its last arguments; `run` has them already.
        return [value for value, notes in zip(flat, self._arguments) if "isthmus.weight" not in notes]

    def _leaves_of_classes(self, args, kwargs):
        """The pairs of `pytree.flatten_call`, or None if PyTorch does not find the structure of the exported call."""
        leaves = self._trees and self._trees.leaves(args, kwargs)
        return None if leaves is None else list(zip(self._paths, leaves, strict=True))

    @functools.cached_property
    def _paths(self):
        return pytree.call_paths(self._inputs)

    def finish(self, flat, results, convert):
        """Updates the inputs that the program writes to, and returns its output, with each leaf passed to `convert`.

        Raises:
          UnsupportedError: the program writes to a buffer, which a call cannot store.
        """
        places = {notes.get("isthmus.name"): i for i, notes in enumerate(self._arguments)}
        updates = self.updates(results)
        if buffers := [name for name in updates if name not in places]:
            raise UnsupportedError(
                [
                    f"buffer '{name}': the program writes to it: compile with mutable_buffers=\"globals\" to keep what it"
                    " writes, or take it from the results of `run`"
                    for name in buffers
                ]
            )
        for name, result in updates.items():
            flat[places[name]][...] = convert(result)
        return self.nest(results, convert)

    def updates(self, results):
        """Returns the new values of the buffers and inputs that the program writes to, by name."""
        return {name: result for name, result in zip(self._mutates, results) if name is not None}

    def nest(self, results, convert):
        """Returns the output of the model, with each leaf passed to `convert`."""
        leaves = (leaf["value"] if isinstance(leaf, dict) else convert(results[leaf]) for leaf in self._output_leaves)
        return self._trees.nest(leaves) if self._trees else pytree.unflatten(self._outputs, leaves)


def _are_places(leaves, expected, count):
    """Whether there are `expected` leaves, each a constant or one of `count` arguments or results."""
    return (
        isinstance(leaves, list)
        and len(leaves) == expected
        and all("value" in leaf if isinstance(leaf, dict) else _is_index(leaf, count) for leaf in leaves)
    )


def _is_index(value, count):
    return isinstance(value, int) and 0 <= value < count


def _is_same(value, constant):
    return value is None if constant is None else type(value) is type(constant) and value == constant
