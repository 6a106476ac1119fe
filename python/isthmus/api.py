"""The functions of Isthmus, over the native module that does the work."""

from isthmus import _native

__version__ = _native.version


def parts() -> list[str]:
    """Returns the names of the optional parts that this build has: `["jit", "linalg", ...]`."""
    return _native.parts()
