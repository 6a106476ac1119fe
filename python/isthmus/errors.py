"""What Isthmus raises. Each error holds every finding of the run that failed."""


class IsthmusError(Exception):
    """The base of all of them.

    Attributes:
      messages: one string per finding: `"model.onnx: node 'Conv_0': expected …, got …"`.
    """

    def __init__(self, messages: list[str]):
        super().__init__("\n".join(messages))
        self.messages = messages


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
