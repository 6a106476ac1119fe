"""libisthmus.so through ctypes, with the functions that isthmus.h declares."""

import contextlib
import ctypes
import pathlib
import re

HEADER = pathlib.Path("cc/include/isthmus.h")
LIBRARY = pathlib.Path("cc/lib/C/libisthmus.so")

KINDS = [
    "no error",
    "bad model",
    "unsupported",
    "missing part",
    "system",
    "input",
    "kernel",
    "stopped",
    "argument",
    "out of memory",
    "internal",
]
TEXT, BYTECODE, ELIDED_TEXT, TARGET_FILE, GENERIC_TEXT = range(5)

_NUMBERS = {
    "int": ctypes.c_int,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "size_t": ctypes.c_size_t,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "void": None,
}
INTEGERS = {type for type in _NUMBERS.values() if type}
WRITE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)
INTERRUPTED = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def _type(text):
    """The type of ctypes for a type of C. Pointers to other than text are addresses."""
    text = text.strip()
    if re.fullmatch(r"const char \*(\w*)", text):
        return ctypes.c_char_p
    return _NUMBERS.get(text.split()[0], ctypes.c_void_p) if "*" not in text else ctypes.c_void_p


def _arguments(text):
    """The types of the arguments; commas of function pointers are none."""
    text = re.sub(r"void \(\*(\w+)\)\(void \*context\)", r"void *\1", " ".join(text.split()))
    return [] if text == "void" else [_type(argument) for argument in text.split(",")]


def declared():
    """The functions of the header: {name: (result, arguments)}."""
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(encoding="utf-8"), flags=re.DOTALL)
    functions = re.findall(r"^((?:const )?\w+ \*?)\s*(isthmus_\w+)\(([^;]*)\);", text, re.MULTILINE)
    return {name: (_type(result), _arguments(arguments)) for result, name, arguments in functions}


# Functions whose result is an object of another one, and not an error.
BORROWED = {name for name in declared() if re.search("_(signature|input|output|tensor)$", name)}

library = ctypes.CDLL(str(LIBRARY.resolve()))
for _name, (_result, _types) in declared().items():
    getattr(library, _name).restype, getattr(library, _name).argtypes = _result, _types


class Refused(Exception):
    """An error of the library: its kind and messages."""

    def __init__(self, kind, messages):
        super().__init__(f"{kind}: {messages}")
        self.kind, self.messages = kind, messages


def check(error):
    """Frees an error and raises it; nothing for null."""
    if not error:
        return
    kind = KINDS[library.isthmus_error_kind_of(error)]
    count = library.isthmus_error_count(error)
    messages = [library.isthmus_error_message(error, i).decode() for i in range(count)]
    assert count and library.isthmus_error_message(error, count) is None
    library.isthmus_error_free(error)
    raise Refused(kind, messages)


def call(name, *arguments):
    """Calls a function that returns an error."""
    check(getattr(library, "isthmus_" + name)(*arguments))


def made(name, *arguments, last=()):
    """Calls a function whose last argument, before `last`, is where an object goes; returns its address."""
    result = ctypes.c_void_p(1)
    try:
        call(name, *arguments, ctypes.byref(result), *last)
    except Refused:
        assert result.value is None
        raise
    return result.value


@contextlib.contextmanager
def freed(kind, name, *arguments):
    """An object that a function makes, for the time of a block."""
    address = made(name, *arguments)
    try:
        yield address
    finally:
        getattr(library, f"isthmus_{kind}_free")(address)


def opened(source, format=None):
    """A model of a path or bytes."""
    format = format and format.encode()
    if isinstance(source, bytes):
        return freed("model", "model_open_buffer", source, len(source), b"model", format)
    return freed("model", "model_open", str(source).encode(), format)


@contextlib.contextmanager
def options(**values):
    """Options of a lowering. A list sets an option more than once."""
    with freed("options", "options_create") as address:
        for name, value in values.items():
            for each in value if isinstance(value, list) else [value]:
                call("options_set", address, name.encode(), each.encode())
        yield address


def lower(model, **values):
    with options(**values) as address:
        call("model_lower", model, address)


def write(model, format=TEXT):
    """The bytes that the library writes."""
    pieces = []

    @WRITE
    def take(_, data, size):
        pieces.append(ctypes.string_at(data, size))
        return 0

    call("model_write", model, format, ctypes.cast(take, ctypes.c_void_p), None)
    return b"".join(pieces)
