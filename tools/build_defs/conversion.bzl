"""A folder of cc/lib/Conversion whose patterns are grouped in families, one .cpp file each."""

def conversion(name, deps, visibility = [], alwayslink = False):
    """Declares a cc_library of all files of the folder; Families.def lists the families.

    Args:
      name: name of the folder.
      deps: dependencies besides Conversion's headers, the torch dialect and Support.
      visibility: packages that may use it besides Api, Pipelines and tools.
      alwayslink: whether the folder has a target, which registers itself (Target.h).
    """
    native.cc_library(
        name = name,
        srcs = native.glob([
            "*.cpp",
            "*.h",
        ]),
        textual_hdrs = ["Families.def"],
        alwayslink = alwayslink,
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
