"""Fuzz targets, which tools/fuzz finds by their tag, builds and runs."""

def fuzz_target(name, seeds, deps, max_len, dictionary = None, local_defines = []):
    """Declares a libFuzzer executable of name.cpp, to be built with --config=fuzz.

    Args:
      name: that of the source file, and of the reader for tools/fuzz.
      seeds: "FILE.py:FOLDER", a script of this package that writes seeds to folders below the one
        it is given, and which of them this target takes.
      deps: what it reads with, but for MLIR.
      max_len: bytes of the largest input. Longer seeds would be cut off.
      dictionary: words for libFuzzer, a file of this package.
      local_defines: as of a cc_binary.
    """
    args = ["-max_len=%d" % max_len]
    if dictionary:
        args.append("-dict=%s/%s" % (native.package_name(), dictionary))
    native.cc_binary(
        name = name,
        srcs = [name + ".cpp"],
        args = args,
        data = [dictionary] if dictionary else [],
        linkopts = ["-fsanitize=fuzzer"],
        local_defines = local_defines,
        tags = ["fuzz", "manual", "seeds=%s/%s" % (native.package_name(), seeds)],
        deps = deps + ["@llvm//:mlir_shared"],
    )
