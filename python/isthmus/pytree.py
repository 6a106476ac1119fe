"""Nested inputs and outputs of a PyTorch program, without PyTorch.

An exported program describes the nesting of its inputs and outputs as a JSON tree of `torch.utils.pytree`
(protocol 1): `{"type": "builtins.dict", "context": "[\"a\"]", "children_spec": [...]}`. The type of a leaf is null.
"""

import collections.abc
import dataclasses
import itertools
import json

from isthmus.errors import BadModelError

PROTOCOL = 1


class Tree:
    """One node: a container and its children, or a leaf.

    Attributes:
      type_name: "builtins.tuple"; None for a leaf.
      keys: the keys of a mapping, in the order of the children; None for a sequence.
    """

    def __init__(self, type_name, keys, children):
        self.type_name, self.keys, self.children = type_name, keys, children

    def is_leaf(self):
        return self.type_name is None

    def count_leaves(self):
        return 1 if self.is_leaf() else sum(child.count_leaves() for child in self.children)


def parse(text):
    """Returns the tree that a JSON text describes.

    Raises:
      BadModelError: the text is not a tree, or has another protocol.
    """
    try:
        protocol, root = json.loads(text)
        if protocol != PROTOCOL:
            raise ValueError(f"got protocol {protocol}")
        return _parse(root)
    except RecursionError:
        got = "got one that is too deep"
    except (KeyError, TypeError, ValueError) as error:
        got = str(error) if isinstance(error, ValueError) else f"got one without {error}"
    raise BadModelError([f"inputs and outputs: expected a tree of protocol {PROTOCOL}, {got}"])


def _parse(node):
    type_name, children = node["type"], [_parse(child) for child in node["children_spec"]]
    if type_name is None and children:
        raise ValueError("got a leaf with children")
    if not isinstance(type_name, str | None):
        raise ValueError(f"got a type {type_name!r}")
    keys = type_name and _keys_of(type_name, node["context"], len(children))
    return Tree(type_name, keys, children)


def _keys_of(type_name, context, count):
    """The key of each of `count` children; None if they have none."""
    if type_name in ("builtins.tuple", "builtins.list", "collections.deque", "collections.namedtuple"):
        return None
    is_mapping = type_name in ("builtins.dict", "collections.OrderedDict", "collections.defaultdict")
    # Classes of other packages write the names of their fields, if any, or what they like.
    try:
        keys = context["dict_context"] if type_name == "collections.defaultdict" else json.loads(context)
    except (TypeError, ValueError):
        keys = None
    if _are_keys(keys, count):
        return keys
    if is_mapping:
        raise ValueError(f"got keys {keys!r} of {count} children")
    return None


def _are_keys(keys, count):
    """Whether each child has its own key."""
    are_plain = isinstance(keys, list) and all(isinstance(key, str | int | float | None) for key in keys)
    return are_plain and len(set(keys)) == len(keys) == count


# -----------------------------------------------------------------------------
# Flattening
# -----------------------------------------------------------------------------


def flatten(tree, value, path, findings):
    """Returns pairs of a leaf's path and the leaf, in tree order; adds a finding where `value` does not match the tree."""
    if tree.is_leaf():
        return [(path, value)]
    children = _children_of(tree, value, path, findings)
    return [
        leaf
        for (step, child), subtree in zip(children, tree.children)
        for leaf in flatten(subtree, child, path + step, findings)
    ]


def _children_of(tree, value, path, findings):
    """Returns pairs of a child's place (`[0]`, `['key']`) and the child; none after a finding."""
    keys, given = tree.keys, _described(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, collections.abc.Collection):
        # PyTorch leaves out fields that are None.
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        fields = {name: child for name, child in fields.items() if child is not None}
        value = fields if keys is not None else list(fields.values())
    if keys is not None:
        if not isinstance(value, collections.abc.Mapping):
            findings.append(f"{path}: expected a dict of {_listed(keys)}, got {given}")
            return []
        wrong = [f"{path}[{key!r}]: expected a value, got none" for key in keys if key not in value]
        wrong += [f"{path}[{key!r}]: expected no such key, of {_listed(keys)}" for key in value if key not in keys]
        findings += wrong
        return [] if wrong else [(f"[{key!r}]", value[key]) for key in keys]
    if not isinstance(value, collections.abc.Sequence) or len(value) != len(tree.children):
        expected = f"a {_short_name(tree)} of {len(tree.children)}"
        findings.append(f"{path}: expected {expected}, got {given}")
        return []
    return [(f"[{i}]", child) for i, child in enumerate(value)]


def _short_name(tree):
    return tree.type_name.rpartition(".")[2]


def _listed(keys):
    return ", ".join(map(repr, keys)) or "nothing"


def _described(value):
    name = type(value).__name__
    return f"{name} of {len(value)}" if isinstance(value, (tuple, list, dict)) else name


def is_call(tree):
    """Whether a tree describes a pair (positional arguments, keyword arguments)."""
    if tree.is_leaf() or len(tree.children) != 2:
        return False
    positional, named = tree.children
    names = named.keys or []
    return positional.keys is None and len(names) == len(named.children) and all(isinstance(n, str) for n in names)


def flatten_call(tree, args, kwargs, findings):
    """Flattens the arguments of a call; `tree` describes the pair (positional arguments, keyword arguments)."""
    positional, named = tree.children  # see is_call
    leaves = []
    if len(args) != len(positional.children):
        expected = len(positional.children)
        findings.append(f"expected {expected} positional argument{'s' * (expected != 1)}, got {len(args)}")
    else:
        for i, (child, value) in enumerate(zip(positional.children, args)):
            leaves += flatten(child, value, f"argument {i}", findings)
    names = named.keys or []
    findings += [f"argument '{name}': expected a value, got none" for name in names if name not in kwargs]
    findings += [
        f"argument '{name}': expected no such argument, of {_listed(names)}" for name in kwargs if name not in names
    ]
    for name, child in zip(names, named.children):
        if name in kwargs:
            leaves += flatten(child, kwargs[name], f"argument '{name}'", findings)
    return leaves


def call_paths(tree):
    """The path of each leaf of a call; `tree` is that of `flatten_call`."""
    args, kwargs = unflatten(tree, itertools.repeat(None))
    return [path for path, _ in flatten_call(tree, args, kwargs, [])]


# -----------------------------------------------------------------------------
# Nesting
# -----------------------------------------------------------------------------


def unflatten(tree, leaves):
    """Nests the leaves (an iterator) according to the tree; an unknown class with named fields becomes a dict."""
    if tree.is_leaf():
        return next(leaves)
    children = [unflatten(child, leaves) for child in tree.children]
    if tree.keys is not None:
        return dict(zip(tree.keys, children))
    return children if tree.type_name == "builtins.list" else tuple(children)
