"""protozero: a header-only reader of the protobuf wire format (Debian: libprotozero-dev)."""

def _protozero_configure_impl(ctx):
    if not ctx.path("/usr/include/protozero/pbf_reader.hpp").exists:
        fail("expected protozero in /usr/include/protozero, got nothing there; install it with\n" +
             "  sudo apt-get install libprotozero-dev")
    ctx.symlink("/usr/include/protozero", "include/protozero")
    ctx.file("BUILD", """
cc_library(
    name = "protozero",
    hdrs = glob(["include/protozero/*.hpp"]),
    includes = ["include"],
    visibility = ["//visibility:public"],
)
""")

protozero_configure = repository_rule(
    implementation = _protozero_configure_impl,
    local = True,
    doc = "Declares @protozero over the installed headers.",
)
