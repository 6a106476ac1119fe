"""What Isthmus raises. Each error holds every finding of the run that failed."""

from isthmus import findings


class IsthmusError(Exception):
    """The base class of all errors. As text, it shows each cause once, with the nodes that it concerns.

    Attributes:
      messages: one string per finding: `"model.onnx: node 'Conv_0': expected …, got …"`.
      advice: what to do first, or None.
    """

    advice: str | None = None

    def __init__(self, messages: list[str]):
        super().__init__(messages)
        self.messages = messages

    def __str__(self):
        return "\n".join(self.causes())

    def causes(self) -> list[str]:
        """Returns a text for each cause, then the advice."""
        return findings.summarize(self.messages, self.advice)


class BadModelError(IsthmusError, ValueError):
    """The model is not what its format says: truncated, inconsistent, of an unknown version."""


class UnsupportedError(IsthmusError):
    """A valid model that cannot go where it should: an op, dtype or dynamic shape without a lowering."""


class MissingPartError(IsthmusError):
    """This build leaves out what was asked for; see `isthmus.parts()`."""


class InputError(IsthmusError, ValueError):
    """The arrays given to a program are not the ones it takes."""


class KernelError(IsthmusError):
    """A kernel of a custom op failed, or gave what the op does not have."""


class FileError(IsthmusError, OSError):
    """The system refused to read or write a file."""
