"""The only place that sets the oldest glibc that shipped libraries run on."""

# That of RHEL 8. tests/Python/platform_test.py reads it from the wheel's tag.
GLIBC_FLOOR = "2.28"

# Of wheels, by PEP 600.
PLATFORM_TAG = "manylinux_%s_x86_64" % GLIBC_FLOOR.replace(".", "_")

def if_portable(values):
    """Returns values in builds for users; an empty list under sanitizers, whose runtimes know the system's libraries."""
    return select({
        "//third_party/glibc:fuzz": [],
        "//third_party/glibc:threads": [],
        "//conditions:default": values,
    })

def _glibc_configure_impl(ctx):
    compiler = ctx.which(ctx.os.environ.get("CC", "clang-22"))
    if not compiler:
        fail("expected clang-22, got nothing of this name: run tools/setup")
    for file in ("libc.so.6", "libm.so.6", "libstdc++.a"):
        found = ctx.execute([compiler, "-print-file-name=" + file]).stdout.strip()
        if not found.startswith("/"):
            fail("expected %s among the libraries of %s, got nothing there: run tools/setup" % (file, compiler))
        ctx.symlink(found, file)
    ctx.file("BUILD", "exports_files(glob(['lib*']))\n")

glibc_configure = repository_rule(
    implementation = _glibc_configure_impl,
    environ = ["CC"],
    local = True,
    doc = "Declares @glibc over the compiler's glibc and libstdc++.",
)
