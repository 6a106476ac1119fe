"""Small configurations of the model types of transformers, with inputs, for programs that build in seconds."""

import inspect

import torch
import transformers
from transformers.models.auto.configuration_auto import CONFIG_MAPPING, CONFIG_MAPPING_NAMES
from transformers.models.auto.modeling_auto import MODEL_MAPPING

TYPES = sorted(CONFIG_MAPPING_NAMES)

# Larger models take minutes to export.
MOST_PARAMETERS = 60_000_000

_VOCABULARY = 99
_DEPTH = dict.fromkeys(
    (
        "decoder_layers encoder_layers n_layer n_layers num_decoder_layers num_encoder_layers num_hidden_layers"
        " num_layers num_hidden_groups inner_group_num"
    ).split(),
    2,
)
_INNER = dict.fromkeys(
    (
        "d_ff d_inner decoder_ffn_dim dim_feedforward encoder_ffn_dim ffn_dim ffn_hidden_size intermediate_size"
        " mlp_dim n_inner"
    ).split(),
    64,
) | dict.fromkeys("moe_intermediate_size shared_expert_intermediate_size".split(), 32)
_WIDTH = (
    dict.fromkeys(
        (
            "d_embed d_model dim emb_dim embed_dim embedding_size hidden_dim hidden_size n_embd projection_dim"
            " word_embed_proj_dim"
        ).split(),
        32,
    )
    | dict.fromkeys(
        (
            "decoder_attention_heads encoder_attention_heads n_head n_heads num_attention_heads num_experts num_heads"
            " num_local_experts n_routed_experts conv_kernel"
        ).split(),
        4,
    )
    | dict.fromkeys("expand num_experts_per_tok num_key_value_heads num_kv_heads type_vocab_size".split(), 2)
    | dict.fromkeys("d_kv head_dim patch_size qk_head_dim state_size v_head_dim".split(), 8)
    | {"kv_lora_rank": 16, "q_lora_rank": 16, "qk_nope_head_dim": 4, "qk_rope_head_dim": 4}
    | {"image_size": 32, "num_mel_bins": 16, "num_queries": 10, "n_group": 1, "topk_group": 1}
)
_LENGTHS = dict.fromkeys(
    "max_position_embeddings max_source_positions max_target_positions n_positions".split(), 64
) | {"vocab_size": _VOCABULARY}

# How much smaller than by default a configuration gets. Not every type can be made as small as the first.
_SHRINKS = (_DEPTH | _INNER | _WIDTH | _LENGTHS, _DEPTH | _INNER | _LENGTHS, _DEPTH | _LENGTHS, _DEPTH, {})


def _shrink(config, limits):
    """Lowers the numbers of a configuration, and of those in it, to limits by their names; leaves out caches."""
    for name, value in vars(config).items():
        if isinstance(value, transformers.PretrainedConfig):
            _shrink(value, limits)
        elif name == "layer_types" and isinstance(value, list):
            setattr(config, name, value[: _DEPTH["num_layers"]] if limits else value)
        elif name == "use_cache":
            config.use_cache = False  # exported programs cannot return a cache
        elif name.endswith("_token_id") and isinstance(value, int) and "vocab_size" in limits:
            setattr(config, name, value % _VOCABULARY)
        elif isinstance(value, int) and not isinstance(value, bool) and value > limits.get(name, value):
            setattr(config, name, limits[name])


def _of_part(config, name, default):
    """A number of a configuration, or of its part for images or sound."""
    for part in (config, *(getattr(config, f"{kind}_config", None) for kind in ("vision", "audio", "encoder"))):
        value = getattr(part, name, None)
        if isinstance(value, (list, tuple)) and value:
            value = value[0]
        if isinstance(value, int):
            return value
    return default


def _inputs(model):
    """Yields the sets of inputs that a model may take, the most likely one first."""
    config = model.config
    taken = inspect.signature(model.forward).parameters
    side, channels = _of_part(config, "image_size", 32), _of_part(config, "num_channels", 3)
    frames, bands = _of_part(config, "num_frames", 8), _of_part(config, "num_mel_bins", 80)
    steps = 2 * _of_part(config, "max_source_positions", 32)
    generator = torch.Generator().manual_seed(0)

    def words(length):
        return torch.randint(3, _VOCABULARY - 9, (2, length), generator=generator)

    def numbers(*sizes):
        return torch.randn(sizes, generator=generator)

    text = {"input_ids": words(7)}
    image = {"pixel_values": numbers(2, channels, side, side)}
    candidates = [
        text | image,
        text,
        image,
        {"pixel_values": numbers(1, frames, channels, side, side)},
        {"pixel_values_videos": numbers(1, frames, channels, side, side)},
        {"input_features": numbers(2, bands, steps)},
        {"input_features": numbers(2, steps, bands)},
        {"input_values": numbers(2, 3200)},
        {"input_values": numbers(2, 1, 3840)},
        {"inputs_embeds": numbers(2, 7, _of_part(config, "hidden_size", 32))},
        {"hidden_states": numbers(2, 7, _of_part(config, "hidden_size", 32))},
    ]
    main = model.main_input_name
    candidates.sort(key=lambda inputs: main not in inputs)
    more = {}
    if config.is_encoder_decoder and "decoder_input_ids" in taken:
        more["decoder_input_ids"] = words(5)
    for inputs in candidates:
        if inputs.keys() <= taken.keys():
            yield inputs | more


def _fill(model):
    """Gives constant parameters random numbers. Routers of equal scores have no right order of experts."""
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.is_floating_point() and parameter.numel() > 1 and parameter.min() == parameter.max():
                parameter.add_(torch.randn_like(parameter), alpha=0.02)


def build(name):
    """Returns a small model of a type in eval mode, and the keyword arguments of its call.

    Raises:
      LookupError: the type has no base model.
      ValueError: no configuration and inputs that this module makes run in PyTorch.
    """
    kind = CONFIG_MAPPING[name] if name in CONFIG_MAPPING_NAMES else None
    if kind is None or kind not in MODEL_MAPPING:
        raise LookupError(name)
    base = MODEL_MAPPING[kind]
    base = base[0] if isinstance(base, (list, tuple)) else base
    reasons = []
    for limits in _SHRINKS:
        try:
            config = kind()
            _shrink(config, limits)
            with torch.device("meta"):
                count = sum(parameter.numel() for parameter in base(config).parameters())
            if count > MOST_PARAMETERS:
                raise ValueError(f"{count // 10**6} million parameters")
            torch.manual_seed(0)
            model = base(config).eval()
            _fill(model)
        except Exception as error:  # a configuration may fail in any way
            reasons.append(error)
            continue
        for inputs in _inputs(model):
            try:
                with torch.no_grad():
                    model(**inputs)
                return model, inputs
            except Exception as error:
                reasons.append(error)
    raise ValueError(f"{type(reasons[0]).__name__}: {reasons[0]}")
