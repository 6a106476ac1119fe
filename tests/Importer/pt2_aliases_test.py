"""The importer's other names of operators are names that PyTorch has, for operators with the same arguments."""

import pytest
import torch

from isthmus import _native

ALIASES = _native.operator_aliases()


def schema(name):
    namespace, packet, *overload = name.split(".")
    return getattr(getattr(getattr(torch.ops, namespace), packet), *overload or ["default"])._schema


def arguments(name):
    return [(each.name, str(each.type), each.default_value) for each in schema(name).arguments]


@pytest.mark.parametrize("name", sorted(ALIASES))
def test_has_the_arguments_of_the_plain_operator(name):
    own = arguments(name)
    plain = schema(ALIASES[name])
    assert arguments(ALIASES[name])[: len(own)] == own
    assert all(further.has_default_value() for further in plain.arguments[len(own) :])
    assert len(schema(name).returns) == len(plain.returns)


def test_no_alias_of_an_alias():
    assert ALIASES.keys().isdisjoint(ALIASES.values())
