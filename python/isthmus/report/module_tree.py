"""The nodes of a graph as a tree of the modules, scopes and functions around them."""

import dataclasses

from isthmus.graph import Node

# Names in an untrusted model may have any number of parts.
_MOST_LEVELS = 16

# What an export of PyTorch writes for a node that belongs to no module.
_NO_MODULE = "_empty_nn_module_stack_from_metadata_hook"


@dataclasses.dataclass
class Group:
    """The nodes of a module.

    Attributes:
      label: its name inside the module around it: "layer.0".
      kind: its class or function: "torch.nn.modules.conv.Conv2d"; "" if unknown.
      nodes: the places of its own nodes in the graph's list.
      groups: the modules inside it, by label.
    """

    label: str = ""
    kind: str = ""
    nodes: list[int] = dataclasses.field(default_factory=list)
    groups: dict[str, "Group"] = dataclasses.field(default_factory=dict)

    def all_nodes(self) -> list[int]:
        """The places of all nodes in it, in order."""
        return sorted([*self.nodes, *(node for group in self.groups.values() for node in group.all_nodes())])


def tree_of(nodes: list[Node]) -> Group:
    """Returns the tree of nodes; its root is the model."""
    root = Group()
    for place, node in enumerate(nodes):
        group = root
        for label, kind in path_of(node):
            group = group.groups.setdefault(label, Group(label))
            group.kind = group.kind or kind
        group.nodes.append(place)
    _merge(root)
    return root


def label_of(node: Node) -> str:
    """Returns the name of a node inside its group: "MatMul" of "/encoder/attn/MatMul"."""
    if not node.name:
        return ""
    if node.scopes:
        return node.name
    parts = [part for part in node.name.split("/") if part]
    levels = len(path_of(node))
    return "/".join(parts[levels:]) or node.name


def path_of(node: Node) -> list[tuple[str, str]]:
    """Returns the groups around a node, outermost first: a label and a class or "" for each."""
    if node.scopes:
        return _path_of_scopes(node.scopes)
    parts = [part for part in node.name.split("/", _MOST_LEVELS + 1) if part]
    return [(part, "") for part in parts[:-1][:_MOST_LEVELS]]


def _path_of_scopes(scopes):
    path, outer = [], ""
    for kind, instance in scopes[:_MOST_LEVELS]:
        inner = instance
        if outer and instance.startswith(outer) and instance[len(outer) : len(outer) + 1] in (".", "/"):
            inner = instance[len(outer) + 1 :]
        if instance not in ("", _NO_MODULE):  # the whole model has no path
            path.append((inner, kind))
        outer = instance
    return path


def _merge(group):
    """Joins a group to the only one inside it if it has no nodes of its own."""
    for label, inner in list(group.groups.items()):
        while len(inner.groups) == 1 and not inner.nodes:
            (only,) = inner.groups.values()
            separator = "." if only.kind else "/"
            inner = dataclasses.replace(only, label=f"{inner.label}{separator}{only.label}")
        group.groups[label] = inner
        _merge(inner)
