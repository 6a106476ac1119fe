"""Where the files beside the C library go, in an installed tree and in the wheel."""

# `@VERSION@` in a `.in` file becomes the version.
LAYOUT = {
    "//cc/include:isthmus.h": "include/isthmus.h",
    "//cc/include/isthmus/Runtime:Kernel.h": "include/isthmus/Runtime/Kernel.h",
    "//tools/install:IsthmusConfig.cmake": "lib/cmake/Isthmus/IsthmusConfig.cmake",
    "//tools/install:IsthmusConfigVersion.cmake.in": "lib/cmake/Isthmus/IsthmusConfigVersion.cmake",
    "//tools/install:isthmus.pc.in": "lib/pkgconfig/isthmus.pc",
}

def layout_json():
    """Returns LAYOUT as JSON, with the paths of sources."""
    return json.encode({
        source[len("//"):].replace(":", "/"): to
        for source, to in LAYOUT.items()
    })
