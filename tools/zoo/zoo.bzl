"""Exported models as Bazel targets."""

# Every architecture that zoo.py knows.
ZOO = [
    "bert",
    "clip",
    "convnext",
    "deberta",
    "distilbert",
    "gpt2",
    "llama",
    "lstm",
    "mamba",
    "minilm",
    "mobilenetv2",
    "qwen3",
    "resnet",
    "segformer",
    "vit",
    "wav2vec2",
    "whisper",
    "yolos",
]

def zoo_models(names, dynamic = True, size = "small"):
    """Declares NAME.onnx and NAME.npz, and NAME_dynamic.onnx and .npz, for each name.

    They are made when something needs them, not by `bazel build //...`.

    Args:
      names: architectures that zoo.py knows.
      dynamic: whether to export with open dimensions too.
      size: the configuration; a part of the name unless it is small.
    """
    end = "" if size == "small" else "_" + size
    variants = {"": ""}
    if dynamic:
        variants["_dynamic"] = "--dynamic"
    for name in names:
        for variant, flag in variants.items():
            stem = name + variant + end
            native.genrule(
                name = stem,
                outs = [stem + ".onnx", stem + ".npz"],
                cmd = "OMP_NUM_THREADS=1 $(location :zoo) %s $(location %s.onnx) --size %s %s" %
                      (name, stem, size, flag),
                message = "Exporting " + stem,
                tags = ["manual"],
                tools = [":zoo"],
                visibility = ["//visibility:public"],
            )

# Programs for which PyTorch's own run_decompositions() fails.
NOT_DECOMPOSED = [
    "gpt2",  # "Cannot view a tensor with shape …": attention gives other strides when it is decomposed
    "gpt2_dynamic",
    "whisper_dynamic",  # its guards read an input that was left out
]

def _program_files(stem):
    decomposed = [] if stem in NOT_DECOMPOSED else [stem + "_decomposed.pt2"]
    return [stem + ".pt2", stem + ".pt2.npz"] + decomposed

def zoo_programs(names):
    """Declares NAME.pt2, NAME_decomposed.pt2 and NAME.pt2.npz, and the same for NAME_dynamic, for each name.

    They are made when something needs them, as those of zoo_models are.

    Args:
      names: architectures that zoo.py knows.
    """
    for name in names:
        for stem, flags in {name: "", name + "_dynamic": "--dynamic"}.items():
            if stem not in NOT_DECOMPOSED:
                flags += " --decompose"
            native.genrule(
                name = stem + "_program",
                outs = _program_files(stem),
                cmd = "OMP_NUM_THREADS=1 $(location :zoo) %s $(location %s.pt2) %s" % (name, stem, flags),
                message = "Exporting the program " + stem,
                tags = ["manual"],
                tools = [":zoo"],
                visibility = ["//visibility:public"],
            )

def zoo_program_outputs(names):
    """Returns the labels of all files that zoo_programs declares for `names`."""
    return [
        "//tools/zoo:" + file
        for name in names
        for stem in [name, name + "_dynamic"]
        for file in _program_files(stem)
    ]

def zoo_outputs(names, variant = ""):
    """Returns the labels of the files of `names`, of the variant "", "_dynamic" or "_default"."""
    return [
        "//tools/zoo:%s%s.%s" % (name, variant, ending)
        for name in names
        for ending in ["onnx", "npz"]
    ]
