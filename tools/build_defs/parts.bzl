"""The optional parts of Isthmus, each with a flag: --//:with_mhlo=false.

`mhlo` means MHLO and StableHLO, which share their conversion.
"""

PARTS = ["jit", "linalg", "mhlo", "onnx", "pt2", "tosa"]

def _bool_flag_impl(ctx):
    return []

_bool_flag = rule(
    implementation = _bool_flag_impl,
    build_setting = config.bool(flag = True),
)

def declare_parts():
    """Declares the flag //:with_PART and the condition //:has_PART for every part, and //:has_every_part."""
    for part in PARTS:
        _bool_flag(name = "with_" + part, build_setting_default = True)
        native.config_setting(
            name = "has_" + part,
            flag_values = {":with_" + part: "True"},
            visibility = ["//visibility:public"],
        )
    native.config_setting(
        name = "has_every_part",
        flag_values = {":with_" + part: "True" for part in PARTS},
        visibility = ["//visibility:public"],
    )

def if_every_part(values):
    """Returns values in builds with every part, else an empty list."""
    return select({"//:has_every_part": values, "//conditions:default": []})

def if_part(part, values):
    """Returns values (such as dependencies) in builds with the part, else an empty list."""
    return select({"//:has_" + part: values, "//conditions:default": []})

def part_defines():
    """Returns the macros that Parts.h reads: ISTHMUS_WITH_MHLO and so on."""
    defines = []
    for part in PARTS:
        defines += if_part(part, ["ISTHMUS_WITH_" + part.upper()])
    return defines

def part_params():
    """Returns the lit parameters for the parts of the build: -Dmhlo and so on."""
    params = []
    for part in PARTS:
        params += if_part(part, ["-D" + part])
    return params
