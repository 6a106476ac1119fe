"""The part of torch-mlir's Python interface that has a meaning here."""

from isthmus.compat.torch_mlir import fx

__all__ = ["fx"]
