"""The only place that sets the oldest Python that the wheel serves."""

# Its headers are those of the workspace. The native module keeps to the limited API of this version, which every later
# Python has too.
OLDEST_PYTHON = "3.11"

# Of wheels: of this Python, and of later ones by their stable ABI.
PYTHON_TAG = "cp%s-abi3" % OLDEST_PYTHON.replace(".", "")

# As Python.h reads it: 0x030B0000 of 3.11.
LIMITED_API = "Py_LIMITED_API=%d" % ((3 << 24) | (int(OLDEST_PYTHON[len("3."):]) << 16))
