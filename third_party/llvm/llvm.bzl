"""The only place that sets the version of LLVM and MLIR."""

# To move to another version, change this, run `tools/test`, and fix the failures.
LLVM_VERSION = "22.1.8"
_DEFAULT_PREFIX = "/usr/lib/llvm-22"

def _llvm_configure_impl(ctx):
    packages = ctx.read(Label("//third_party/debian:packages.txt")).strip().split("\n")
    install = "tools/setup, or sudo apt-get install " + " ".join(packages)
    prefix = ctx.os.environ.get("LLVM_PREFIX", _DEFAULT_PREFIX)
    config = ctx.path(prefix + "/bin/llvm-config")
    if not config.exists:
        fail("expected LLVM and MLIR %s in %s, got nothing there; install it with\n  %s\nor set LLVM_PREFIX" %
             (LLVM_VERSION, prefix, install))
    version = ctx.execute([config, "--version"]).stdout.strip()
    if version != LLVM_VERSION:
        fail("expected LLVM and MLIR %s in %s, got %s; install it with\n  %s\nor set LLVM_PREFIX" %
             (LLVM_VERSION, prefix, version, install))
    if not ctx.path(prefix + "/include/mlir/IR/MLIRContext.h").exists:
        fail("expected the MLIR headers in %s/include/mlir, got nothing there; install them with\n  %s" %
             (prefix, install))
    for folder in ("bin", "include", "lib"):
        ctx.symlink(prefix + "/" + folder, folder)
    archives = [
        '"-l:%s",' % file.basename
        for file in ctx.path(prefix + "/lib").readdir()
        if file.basename.endswith(".a") and file.basename.startswith(("libMLIR", "libLLVM"))
    ]
    ctx.template("BUILD", Label("//third_party/llvm:llvm.BUILD.tpl"), {
        "%{archives}": "\n        ".join(archives),
        "%{prefix}": prefix,
    })

llvm_configure = repository_rule(
    implementation = _llvm_configure_impl,
    environ = ["LLVM_PREFIX"],
    local = True,
    doc = "Declares @llvm over an installed LLVM and MLIR of the pinned version.",
)
