"""Fuzz targets. tools/fuzz finds them by tag, builds and runs them."""

def fuzz_target(name, seeds, deps, max_len, dictionary = None, local_defines = []):
    """Declares a libFuzzer executable from name.cpp; build it with --config=fuzz.

    Args:
      name: name of the source file, and of the reader for tools/fuzz.
      seeds: "FILE.py:FOLDER": a script of this package that writes seeds to subfolders of its
        argument, and the subfolder for this target.
      deps: dependencies of the reader, except MLIR.
      max_len: bytes of the largest input. Longer seeds are truncated.
      dictionary: libFuzzer dictionary, a file of this package.
      local_defines: as for cc_binary.
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
