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

def zoo_outputs(names, variant = ""):
    """Returns the labels of the files of `names`, of the variant "", "_dynamic" or "_default"."""
    return [
        "//tools/zoo:%s%s.%s" % (name, variant, ending)
        for name in names
        for ending in ["onnx", "npz"]
    ]
