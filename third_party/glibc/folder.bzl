"""A folder of libraries that a link searches before those of the system."""

def _library_folder_impl(ctx):
    folders = {file.dirname: None for file in ctx.files.srcs}
    if len(folders) != 1:
        fail("expected files of one folder, got those of " + ", ".join(folders))
    searched = cc_common.create_linker_input(
        owner = ctx.label,
        user_link_flags = depset(["-L" + folder for folder in folders]),
        additional_inputs = depset(ctx.files.srcs),
    )
    return [CcInfo(linking_context = cc_common.create_linking_context(linker_inputs = depset([searched])))]

library_folder = rule(
    implementation = _library_folder_impl,
    attrs = {"srcs": attr.label_list(allow_files = True, doc = "What -lNAME finds: libNAME.so, libNAME.a.")},
    doc = "A dependency of cc_binary: the folder of the files is searched first.",
)
