"""A room of cc/lib/Conversion whose patterns lie in families, one .cpp each."""

def conversion(name, deps, visibility = []):
    """A cc_library of all files of the room, which Families.def lists.

    Args:
      name: that of the room.
      deps: what it knows besides Conversion's headers, the torch dialect and Support.
      visibility: who may use it besides the rooms that put passes together.
    """
    native.cc_library(
        name = name,
        srcs = native.glob([
            "*.cpp",
            "*.h",
        ]),
        textual_hdrs = ["Families.def"],
        visibility = [
            "//cc/lib/Api:__pkg__",
            "//cc/lib/Pipelines:__pkg__",
            "//tools:__subpackages__",
        ] + visibility,
        deps = [
            "//cc/include/isthmus/Conversion:headers",
            "//cc/lib/Dialect/Torch",
            "//cc/lib/Support",
        ] + deps,
    )
