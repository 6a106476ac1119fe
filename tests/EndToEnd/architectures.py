"""Architectures of transformers beyond the zoo, in small configurations with random weights, as exported programs.

    architectures.py ARCHIVE

writes two files for each architecture to a zip file: NAME.pt2, as torch.export leaves it, and NAME_decomposed.pt2,
after run_decompositions().
"""

import functools
import io
import sys
import warnings
import zipfile

import torch
import transformers

from tools.zoo.zoo import NARROW, NARROW_VISION, NO_CACHE, InOrder

TOKENS = {"input_ids": (2, 16)}
PAIR = TOKENS | {"decoder_input_ids": (2, 16)}
SOUND = {"input_values": (2, 4000)}
SPEECH = NARROW | {"conv_dim": [16] * 7, "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 4}
PATCHES = NARROW_VISION | {"image_size": 32, "patch_size": 8}
LAYERS = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
SEQ2SEQ = {
    "d_model": 32,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
}


def image(size):
    return {"pixel_values": (2, 3, size, size)}


def backbone():
    return transformers.ResNetConfig(
        embedding_size=8, hidden_sizes=[16, 24, 32, 48], depths=[1, 1, 1, 1], out_features=["stage4"]
    )


# Name: class, shapes of the inputs, configuration. Inputs whose names say so are token ids.
ARCHITECTURES = {
    # Text
    "albert": ("AlbertModel", TOKENS, NARROW | {"embedding_size": 16}),
    "bart": ("BartModel", PAIR, SEQ2SEQ | {"vocab_size": 512}),
    "bloom": ("BloomModel", TOKENS, {"hidden_size": 32, "n_layer": 2, "n_head": 4, "vocab_size": 512}),
    "electra": ("ElectraModel", TOKENS, NARROW | {"embedding_size": 32}),
    "falcon": ("FalconModel", TOKENS, LAYERS | {"vocab_size": 512}),
    "funnel": (
        "FunnelModel",
        TOKENS,
        {"block_sizes": [1, 1], "d_model": 32, "n_head": 4, "d_head": 8, "d_inner": 64, "vocab_size": 512},
    ),
    "gemma": ("GemmaModel", TOKENS, NARROW | {"num_key_value_heads": 2, "head_dim": 8}),
    "gpt_neox": ("GPTNeoXModel", TOKENS, NARROW),
    "mistral": ("MistralModel", TOKENS, NARROW | {"num_key_value_heads": 2}),
    "opt": ("OPTModel", TOKENS, LAYERS | {"ffn_dim": 64, "vocab_size": 512, "word_embed_proj_dim": 32}),
    "phi": ("PhiModel", TOKENS, NARROW),
    "qwen3_moe": (
        "Qwen3MoeModel",
        TOKENS,
        NARROW
        | {"num_key_value_heads": 2, "head_dim": 8}
        | {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32},
    ),
    "roberta": ("RobertaModel", TOKENS, NARROW),
    "squeezebert": (
        "SqueezeBertModel",
        TOKENS,
        NARROW
        | {"embedding_size": 32, "post_attention_groups": 1}
        | {f"{part}_groups": 2 for part in ["q", "k", "v", "intermediate", "output"]},
    ),
    "xlnet": ("XLNetModel", TOKENS, {"d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 64, "vocab_size": 512}),
    # State space and recurrence
    "mamba2": (
        "Mamba2Model",
        TOKENS,
        {"hidden_size": 32, "num_hidden_layers": 2, "state_size": 8, "num_heads": 8, "head_dim": 8}
        | {"n_groups": 2, "chunk_size": 8, "vocab_size": 512},
    ),
    "rwkv": (
        "RwkvModel",
        TOKENS,
        {"hidden_size": 32, "num_hidden_layers": 2, "attention_hidden_size": 32, "intermediate_size": 64}
        | {"vocab_size": 512},
    ),
    # Vision
    "beit": ("BeitModel", image(32), PATCHES),
    "deit": ("DeiTModel", image(32), PATCHES),
    "dinov2": ("Dinov2Model", image(32), LAYERS | {"image_size": 32, "patch_size": 8}),
    "regnet": (
        "RegNetModel",
        image(64),
        {"embedding_size": 8, "hidden_sizes": [16, 24], "depths": [1, 1], "groups_width": 8},
    ),
    "siglip": ("SiglipVisionModel", image(32), PATCHES),
    "swin": (
        "SwinModel",
        image(64),
        {"image_size": 64, "patch_size": 4, "embed_dim": 16, "depths": [1, 1], "num_heads": [2, 4], "window_size": 4},
    ),
    # Detection and depth
    "detr": (
        "DetrModel",
        image(64),
        SEQ2SEQ
        | {"use_timm_backbone": False, "use_pretrained_backbone": False, "backbone": None, "num_queries": 5}
        | {"backbone_config": backbone()},
    ),
    "dpt": ("DPTModel", image(32), PATCHES),
    # Sound
    "ast": ("ASTModel", {"input_values": (2, 64, 32)}, NARROW_VISION | {"max_length": 64, "num_mel_bins": 32}),
    "hubert": ("HubertModel", SOUND, SPEECH),
}


def make_inputs(shapes, seed):
    generator = torch.Generator().manual_seed(seed)
    return [
        torch.randint(3, 500, shape, generator=generator)
        if name.endswith("_ids")
        else torch.randn(shape, generator=generator)
        for name, shape in shapes.items()
    ]


@functools.cache
def module_of(name):
    torch.manual_seed(0)
    class_name, shapes, configuration = ARCHITECTURES[name]
    model_class = getattr(transformers, class_name)
    model = model_class(model_class.config_class(**configuration))
    # Models with a cache fill it unless they are told not to.
    constants = NO_CACHE if hasattr(model.config, "use_cache") else {}
    return InOrder(model, list(shapes), 0, constants).eval()


def export(name):
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        return torch.export.export(module_of(name), tuple(make_inputs(ARCHITECTURES[name][1], seed=0)))


def main(path):
    with zipfile.ZipFile(path, "w") as archive:
        for name in ARCHITECTURES:
            program = export(name)
            for member, form in ((name, program), (f"{name}_decomposed", program.run_decompositions())):
                file = io.BytesIO()
                torch.export.save(form, file)
                archive.writestr(f"{member}.pt2", file.getvalue())


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(sys.argv[1])
