"""Generated documentation, which is checked in and tested for freshness."""

load(":parts.bzl", "if_every_part")

def _pairs(docs):
    return ["docs/generated/%s=$(rootpath %s)" % (page, label) for page, label in sorted(docs.items())]

def generated_docs(name, docs, docs_of_every_part = {}):
    """Declares `bazel run :name`, which rewrites the pages, and :name_test, which compares them.

    Args:
      name: name of the runnable target.
      docs: {page under docs/generated: label of the file it should equal}.
      docs_of_every_part: the same, for pages that need every part; builds that omit parts skip
        them.
    """
    files = docs.values() + if_every_part(docs_of_every_part.values())
    pairs = _pairs(docs) + if_every_part(_pairs(docs_of_every_part))
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
