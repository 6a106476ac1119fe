"""The exceptions that Isthmus raises. Each error contains every finding of the failed run."""


class IsthmusError(Exception):
    """The base class of all errors. As text, it shows each cause once, with the nodes that it concerns.

    Attributes:
      messages: one string per finding: `"model.onnx: node 'Conv_0': expected …, got …"`.
      advice: the first thing to do, or None.
    """

    advice: str | None = None

    def __init__(self, messages: list[str]) -> None:
        super().__init__(messages)
        self.messages = messages

    def __str__(self) -> str:
        return "\n".join(self.causes())

    def causes(self) -> list[str]:
        """Returns a text for each cause, then the advice."""
        from isthmus import findings  # only an error needs it, and it takes time to load

        return findings.summarize(self.messages, self.advice)


class BadModelError(IsthmusError, ValueError):
    """The model violates its format: truncated, inconsistent, of an unknown version."""


class UnsupportedError(IsthmusError):
    """A valid model that cannot be lowered: an op, dtype or dynamic shape without a lowering."""


class LoweringWarning(UserWarning):
    """A lowered program leaves something of the model out, or its compiler may compute wrong numbers with it."""


class MissingPartError(IsthmusError):
    """This build omits the requested part; see `isthmus.parts()`."""


class InputError(IsthmusError, ValueError):
    """The inputs do not match the program."""


class KernelError(IsthmusError):
    """A kernel of a custom op failed, or returned invalid results."""


class FileError(IsthmusError, OSError):
    """The system refused to read or write a file."""
