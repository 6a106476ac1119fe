"""A Bazel macro for pages of docs/generated."""

def page(name, args, srcs = [], deps = [], tags = []):
    """Prints NAME.md with NAME_page.py.

    Args:
      name: name of the page.
      args: the arguments of the program.
      srcs: the files among the arguments.
      deps: py_library targets that the program imports.
      tags: Bazel tags of the page.
    """
    native.py_binary(
        name = name + "_page",
        srcs = [name + "_page.py"],
        deps = deps,
    )
    native.genrule(
        name = name + "_md",
        srcs = srcs,
        outs = [name + ".md"],
        cmd = "$(location :%s_page) %s > $@" % (name, " ".join(args)),
        tags = tags,
        tools = [":%s_page" % name],
        visibility = ["//tools:__pkg__"],
    )
