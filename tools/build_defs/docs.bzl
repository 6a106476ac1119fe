"""Documentation that is generated, checked in, and tested to be fresh."""

def generated_docs(name, docs):
    """Declares `bazel run :name`, which rewrites the pages, and :name_test, which compares them.

    Args:
      name: name of the runnable target.
      docs: {page under docs/generated: label of the file it should equal}.
    """
    files = [label for label in docs.values()]
    pairs = ["docs/generated/%s=$(rootpath %s)" % (page, label) for page, label in sorted(docs.items())]
    native.sh_binary(
        name = name,
        srcs = ["//tools/build_defs:refresh_docs.sh"],
        args = ["write"] + pairs,
        data = files,
    )
    native.sh_test(
        name = name + "_test",
        size = "small",
        srcs = ["//tools/build_defs:refresh_docs.sh"],
        args = ["compare"] + pairs,
        data = files + ["//docs:generated"],
    )
