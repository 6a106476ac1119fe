"""Small configurations of the model types of transformers, with inputs, for programs that build in seconds."""

import contextlib
import dataclasses
import functools
import inspect
import re

import torch
import transformers
from transformers.exporters.utils import precompute_export_inputs
from transformers.models.auto.configuration_auto import CONFIG_MAPPING, CONFIG_MAPPING_NAMES
from transformers.models.auto.modeling_auto import MODEL_MAPPING

from tests.Ledgers import ledger

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

# The largest number of a field by its name, the first that matches, where `_remade` makes a configuration anew.
_PATTERNS = [
    (re.compile(pattern), limit)
    for pattern, limit in (
        ("vocab_offset", None),
        ("index_topk", None),  # scores of words that a relu made 0 are equal, and which of them to take is undefined
        ("rotary_dim$", 8),
        ("num_filters", 4),
        ("upsample_groups|hidden_size_global", 64),
        ("vocab", _VOCABULARY),
        ("(head_dim|d_head|head_size)$", 16),
        ("(kv|key_value|kv_shared)_heads$", 2),
        ("(mamba|mixer|ssm)_n_heads|(mamba|mixer|ssm)_num_heads", 8),
        ("(heads|n_head)$", 4),
        ("(num|n|encoder|decoder|^)_?layers?$|_layers$|^depth$|self_attends_per_block", 2),
        ("experts_per_tok|top_?k$", 2),
        ("expert_num|num_experts|routed_experts", 4),
        ("position_embeddings|_positions$|n_ctx|seq_len$", 128),
        ("intermediate|ffn|ff$|feed_?forward|mlp_dim|inner|linear_units", 64),
        ("lora_rank|_rank$", 16),
        ("(hidden|embed|emb|embedding|projection|proj|output|d_model|out|model|feat|in|out_hidden)_?(size|dim)s?$", 64),
        ("d_model|n_embd|width$|^dim$|d_latents|_channels$|_units$", 64),
        ("n_groups", 1),
        ("moe_k$", 2),
        ("image_size|resolution|max_img_size", 32),
    )
]
# Lists of which layers are special, but not those of backbones, whose stages stay.
_WHICH = re.compile("(?<!out_)(ind[ei][cx]e?s|_layer_ids|_layers)$")
_DEPTHS = re.compile("^depths$|block_repeats$|num_layers$|blocks_per_stage$")
_WIDTHS = re.compile("^(conv_dim|embed_dims?|hidden_sizes|embed_dim_per_stage)$")
# Fields without a default that some types cannot do without.
_DEFAULTS = {
    "head_dim": 16,
    "image_token_id": _VOCABULARY - 1,
    "image_token_index": _VOCABULARY - 1,
    "n_routed_experts": 4,
    "n_shared_experts": 1,
    "num_experts_per_tok": 2,
    "num_key_value_heads": 2,
    "vocab_size": _VOCABULARY,
}
# Names of fields of which the first, times the width, is the product of the others.
_PRODUCTS = (
    ("expand", "num_heads", "head_dim"),
    ("mamba_expand", "mamba_n_heads", "mamba_d_head"),
    ("mamba_expand", "n_mamba_heads", "mamba_headdim"),
)
_STAGES = {"depths": [1] * 4, "embedding_size": 16, "hidden_sizes": [16, 16, 32, 64], "out_features": ["stage4"]}
_ROPE = {"rope_type": "default", "rope_theta": 10000.0}
_SCALES = {"width_coefficient": 1.0, "depth_coefficient": 1.0, "hidden_dim": 1280}
_BACKBONE = {"hidden_size": 96}
_DAVIT = {"embed_dim": (16, 32, 64, 64), "num_heads": (1, 2, 4, 4), "num_groups": (1, 2, 4, 4)}
# Attention kernels take fewer heads of keys than of queries where the type does not, and read what they should not.
_HEADS = {"num_key_value_heads": 4}
_ZAMBA = {"attention_hidden_size": 128, "attention_head_dim": 32}
# What no rule finds.
_OVERRIDES = {
    "align": {"projection_dim": 320, "vision_config": _SCALES},
    "autoformer": {"prediction_length": 4},
    "chameleon": {"vocabulary_map": {"<image>": 98, "<pad>": 0, "IMGIMGBS0Z": 90}},
    "cohere_compass": {"text_config": {"rope_parameters": {"full_attention": _ROPE, "sliding_attention": _ROPE}}},
    "cohere_compass_text": {"rope_parameters": {"full_attention": _ROPE, "sliding_attention": _ROPE}},
    "deepseek_ocr2": {"text_config": {"mlp_layer_types": ["dense", "sparse"]}},
    "efficientnet": _SCALES,
    "emu3": {"vocabulary_map": {"<image>": 98, "<|extra_200|>": 97, "<|visual token 000001|>": 90}},
    "florence2": {"vision_config": _DAVIT},
    "gemma3n_text": {"intermediate_size": 64, "num_kv_shared_layers": 0},
    "glm4_moe_lite": _HEADS,
    "informer": {"prediction_length": 4},
    "kosmos-2": {"latent_query_num": 4},
    "mistral4": _HEADS,
    "muse_spark": {"audio_config": {"num_hidden_layers": 4}},
    "muse_spark_audio": {"num_hidden_layers": 4},
    "nemotron3_5_transcribe_asr_audio": _HEADS,
    "nemotron3_5_transcribe_word_timestamp": _HEADS,
    "nemotron3_diarization_audio": _HEADS,
    "neucodec": {"quantization_dim": 128} | _HEADS,
    "sam2": {"vision_config": {"backbone_config": _BACKBONE, "backbone_feature_sizes": [[8, 8], [4, 4], [2, 2]]}},
    "step3p7": {"text_config": {"sliding_window": 4}},
    "time_series_transformer": {"prediction_length": 4},
    "xcodec2": {"quantization_dim": 128} | _HEADS,
    "xmod": {"default_language": "en_XX"},
    "zamba": {"num_hidden_layers": 12} | _ZAMBA,
    "zamba2": {"num_hidden_layers": 4, "layers_block_type": ["mamba", "hybrid"] * 2} | _ZAMBA,
}


def _remade(config, limits, overrides, thin=False):
    """A configuration of the same class with smaller numbers, made anew so that the class derives the others from them.

    Args:
      config: by default.
      limits: to lower numbers to; those of `_PATTERNS` hold for other names.
      overrides: values of fields, in a dictionary for each configuration in the configuration.
      thin: lists of depths and widths get smaller too.
    """
    values = {}
    for field in dataclasses.fields(config):
        name = field.name
        value = vars(config).get(name, field.default)
        if isinstance(value, transformers.TimmBackboneConfig):
            values[name] = transformers.ResNetConfig(layer_type="basic", **_STAGES)
        elif isinstance(value, transformers.PretrainedConfig):
            values[name] = _remade(value, limits, overrides.get(name, {}), thin)
        elif name in overrides:
            values[name] = overrides[name]
        elif value is None and name in _DEFAULTS:
            values[name] = _DEFAULTS[name]
        elif not field.init or field.default is None or field.default is dataclasses.MISSING:
            continue
        elif name.endswith("token_id") and isinstance(value, int):
            # Those of images and the like are no words; see `_inputs`.
            values[name] = value if value < 3 else _VOCABULARY - 1 - sum(map(ord, name)) % 8
        elif name == "use_cache":
            values[name] = False
        elif isinstance(value, bool):
            values[name] = value
        elif isinstance(value, int):
            values[name] = min(value, limits.get(name) or _limit(name, value))
        elif isinstance(value, (list, tuple)) and value and all(isinstance(part, int) for part in value):
            values[name] = _shorter(name, value, thin)
        elif value != field.default:
            values[name] = value
    heads = values.get("num_attention_heads")
    if "kv_lora_rank" in values and "num_key_value_heads" in values:
        values["num_key_value_heads"] = heads
    for expand, count, size in _PRODUCTS:
        if all(isinstance(values.get(name), int) for name in (expand, count, size, "hidden_size")):
            values[size] = values[expand] * values["hidden_size"] // values[count]
    made = type(config)(**values)
    rope = getattr(made, "rope_parameters", None)
    if isinstance(rope, dict) and "mrope_section" in (made.ignore_keys_at_rope_validation or ()):
        size = values.get("head_dim") or values["hidden_size"] // heads
        half = int(size * rope.get("partial_rotary_factor", 1)) // 2
        rope["mrope_section"] = [half // 3, half // 3, half - 2 * (half // 3)]
    if getattr(made, "layer_types", ()) is None and "num_hidden_layers" in values:
        made.layer_types = ["full_attention"] * values["num_hidden_layers"]
    return made


def _limit(name, value):
    return next((limit or value for pattern, limit in _PATTERNS if pattern.search(name)), value)


def _shorter(name, value, thin):
    """A list of numbers of a small configuration."""
    if _WHICH.search(name):
        return type(value)(part for part in value if part < 2) or type(value)([1])
    if thin and _DEPTHS.search(name):
        return type(value)(min(part, 2) for part in value)
    if thin and _WIDTHS.search(name):
        return type(value)(part // 8 if part % 64 == 0 else part for part in value)
    return value


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


def _shrunk(limits, kind):
    """A configuration of a class with numbers lowered to limits."""
    config = kind()
    _shrink(config, limits)
    return config


def _of_part(config, name, default):
    """A number of a configuration, or of its part for images or sound."""
    for part in (config, *(getattr(config, f"{kind}_config", None) for kind in ("vision", "audio", "encoder"))):
        value = getattr(part, name, None)
        if isinstance(value, (list, tuple)) and value:
            value = value[0]
        if isinstance(value, int):
            return value
    return default


def _sizes(config):
    """The sizes of images, videos and sound, and the width of hidden states, that a configuration asks for."""
    return (
        _of_part(config, "image_size", 32),
        _of_part(config, "num_channels", 3),
        _of_part(config, "num_frames", 8),
        _of_part(config, "num_mel_bins", 80),
        2 * _of_part(config, "max_source_positions", 32),
        _of_part(config, "hidden_size", 32),
    )


def _inputs(model):
    """Yields the sets of inputs that a model may take, the most likely one first."""
    config = model.config
    taken = inspect.signature(model.forward).parameters
    side, channels, frames, bands, steps, width = _sizes(config)
    vocabulary = _of_part(config, "vocab_size", _VOCABULARY)
    generator = torch.Generator().manual_seed(0)

    def words(length):
        return torch.randint(3, max(4, min(_VOCABULARY - 9, vocabulary)), (2, length), generator=generator)

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
        {"inputs_embeds": numbers(2, 7, width)},
        {"hidden_states": numbers(2, 7, width)},
    ]
    main = model.main_input_name if isinstance(model.main_input_name, str) else model.main_input_name[0]
    candidates.sort(key=lambda inputs: main not in inputs)
    more = {}
    if config.is_encoder_decoder and "decoder_input_ids" in taken:
        more["decoder_input_ids"] = words(5)
    for inputs in candidates:
        if inputs.keys() <= taken.keys():
            yield inputs | more
    yield from _rarer_inputs(model, words, numbers, candidates)


def _rarer_inputs(model, words, numbers, candidates):
    """Yields sets of inputs for parts of models, and those with masks and places.

    Args:
      model: to call.
      words: a function that makes words, of a length.
      numbers: a function that makes a tensor of some sizes.
      candidates: sets to complete.
    """
    config = model.config
    taken = inspect.signature(model.forward).parameters
    side, channels, frames, bands, steps, width = _sizes(config)
    text, longest = {"input_ids": words(7)}, _of_part(config, "max_length", 64)
    # Two images of 4 by 4 patches, one patch per row, of which every square of some length becomes a word.
    grid = torch.tensor([[1, 4, 4]] * 2)
    patch = _of_part(config, "patch_size", 14)
    row = _of_part(config, "in_channels", channels) * patch**2
    patches = numbers(32, row * _of_part(config, "temporal_patch_size", 1))
    mark = _mark(config)
    count = 16 // _of_part(config, "spatial_merge_size", 2) ** 2
    rectangle = getattr(config, "image_size", None)
    rectangle = rectangle if isinstance(rectangle, (list, tuple)) and len(rectangle) == 2 else (side, side)
    features = _of_part(config, "d_model", width)
    length = getattr(config, "prediction_length", None) or 4
    times = getattr(config, "num_time_features", 0)
    sound, video = numbers(2, 1, 3840), numbers(1, frames, channels, side, side)
    more = [
        {"hidden_states": patches, "grid_thw": grid},
        {"pixel_values": patches, "grid_thw": grid},
        {"pixel_values": numbers(32, 2 * row), "grid_thw": grid},
        {"pixel_values": patches.reshape(32, -1, patch, patch), "grid_thw": grid},
        {"pixel_values": patches, "image_grid_thw": grid},
        {"pixel_values": numbers(1, channels, patch, 32 * patch), "target_sizes": grid[:, 1:]},
        {"pixel_values": numbers(2, 16, row)},
        text | {"pixel_values": numbers(2, 16, row)},
        text | {"pixel_values": numbers(2, 1, channels, side, side)},
        text | {"pixel_values": video},
        text | {"pixel_values_videos": video},
        text | {"bbox": numbers(2, 7, 4).sigmoid()},
        {"pixel_values": numbers(2, 2, channels, side, side)},
        *({"pixel_values": numbers(2, channels, *sizes)} for sizes in (rectangle, (64, 64), (224, 224), (256, 256))),
        {"input_features": numbers(2, 1, longest, bands)},
        text | {"input_features": numbers(2, 1, longest, bands)},
        {"input_values": numbers(2, longest, bands)},
        {"input_values": numbers(2, 3840)},
        {"input_values": sound[:1]},
        {"input_values": numbers(2, 7, width), "decoder_input_values": numbers(2, 5, width)},
        {"input_values": sound, "input_features": numbers(2, 12, 160)},
        {"audio_values": sound},
        {"audio_mel": numbers(2, 64, _of_part(config, "input_feat_size", 128))},
        {"audio_codes": words(7)[..., None].expand(-1, -1, _of_part(config, "num_codebooks", 8))},
        {"inputs": numbers(2, 50, features)},
        {"inputs_embeds": numbers(2, 7, features)},
        {"past_values": numbers(2, length + max(getattr(config, "lags_sequence", [60])))},
        {"query_embeds": numbers(2, 7, width)},
        {"hidden_states": sound},
        {"latents": numbers(2, _of_part(config, "latent_dim", width), 7)},
        {"latents": numbers(2, width, 7)},
        {"hidden_states": numbers(2, width, 7)},
    ]
    for high in dict.fromkeys((bands, 128, 160, 80, 7 * bands, _of_part(config, "input_dim", 320))):
        for long in (steps, 200):
            for sizes in ((2, high, long), (2, long, high)):
                made = {"input_features": numbers(*sizes)}
                if "input_features_mask" in taken:
                    made["input_features_mask"] = torch.ones(2, long, dtype=torch.int64)
                more += [made, text | made]
    if mark is not None:
        ids = words(count + 3)
        ids[:, 1 : count + 1] = mark
        more.insert(0, {"input_ids": ids, "pixel_values": patches, "image_grid_thw": grid})
    known = {
        "attention_mask": lambda made: _mask(made),
        "action_embeds": lambda made: numbers(2, 4, width),
        "audio_mel_mask": lambda made: torch.zeros(made["audio_mel"].shape[:2], dtype=torch.bool),
        "bbox": lambda made: torch.tensor([1, 2, 8, 9]).expand(*made["input_ids"].shape, 4),
        "decoder_input_ids": lambda made: words(5),
        "encoder_hidden_states": lambda made: numbers(2, 9, getattr(config, "encoder_hidden_size", width)),
        "freq": lambda made: torch.zeros(2, 1, dtype=torch.int64),
        "future_time_features": lambda made: numbers(2, length, times),
        "future_values": lambda made: numbers(2, length),
        "image_attention_mask": lambda made: torch.ones(*made["input_ids"].shape, 1, dtype=torch.int64),
        "image_embeds_position_mask": lambda made: torch.tensor([[0, 1, 1, 1, 1, 0, 0]] * 2),
        "input_ids": lambda made: words(7),
        "merge_sizes": lambda made: torch.tensor([1, 1]),
        "mm_token_type_ids": lambda made: (made["input_ids"] == mark).int(),
        "padding_mask": lambda made: _mask(made),
        "past_observed_mask": lambda made: torch.ones_like(made["past_values"]),
        "past_time_features": lambda made: numbers(*made["past_values"].shape, times),
        "past_values_padding": lambda made: torch.zeros_like(made["past_values"]),
        "pixel_attention_mask": lambda made: torch.ones(2, 16, dtype=torch.int64),
        "pixel_position_ids": lambda made: torch.cartesian_prod(*[torch.arange(4)] * 2).expand(2, 16, 2),
        "prompt_masks": lambda made: numbers(*made["pixel_values"].shape),
        "prompt_pixel_values": lambda made: numbers(*made["pixel_values"].shape),
        "qformer_input_ids": lambda made: words(5),
        "spatial_shapes": lambda made: grid[:, 1:],
        "task_inputs": lambda made: words(_of_part(config, "task_seq_len", 77)),
        "token_type_ids": lambda made: torch.zeros_like(made["input_ids"]),
        "visual_feats": lambda made: numbers(2, 5, config.visual_feat_dim),
        "visual_pos": lambda made: numbers(2, 5, 4).sigmoid(),
    }
    needed = {name for name, each in taken.items() if each.default is each.empty and each.kind != each.VAR_KEYWORD}
    for inputs in (*more, *candidates):
        if not inputs.keys() <= taken.keys():
            continue
        for names in (needed, needed | known.keys() - {"input_ids"}):
            made = dict(inputs)
            for name in known:
                if name in names and name in taken and name not in inputs:
                    with contextlib.suppress(AttributeError, KeyError, StopIteration):
                        made[name] = known[name](made)
            yield made


def _mark(config):
    """The number of the word that stands for a part of an image, if there is one."""
    values = (getattr(config, name, None) for name in ("image_token_id", "image_token_index", "video_token_id"))
    return next((value for value in values if isinstance(value, int)), None)


def _marked(inputs, config, error):
    """Inputs with as many words for parts of images as an error says there are, None if it does not or they have."""
    found, mark = re.search(r"tokens: \d+, features: (\d+)", error), _mark(config)
    if not found or "input_ids" not in inputs or mark is None:
        return None
    count = int(found[1])
    if (inputs["input_ids"] == mark).sum() == count:
        return None
    words = inputs["input_ids"][:, :3].masked_fill(inputs["input_ids"][:, :3] == mark, 3)
    made = {name: value for name, value in inputs.items() if name not in ("attention_mask", "token_type_ids")}
    return made | {"input_ids": torch.cat([words[:, :1], torch.full((2, count // 2), mark), words[:, 1:]], dim=1)}


def _mask(inputs):
    """A mask of all words or frames of other inputs."""
    first = next(inputs[name] for name in ("input_ids", "input_features", "input_values") if name in inputs)
    return torch.ones(first.shape[:2], dtype=torch.int64)


def _fill(model):
    """Gives constant parameters random numbers. Routers of equal scores have no right order of experts."""
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.is_floating_point() and parameter.numel() > 1 and parameter.min() == parameter.max():
                parameter.add_(torch.randn_like(parameter), alpha=0.02)


# Inputs that say which rows of others belong together.
_SHAPES = {"feature_lens", "grid_thw", "image_grid_thw", "image_sizes", "input_features_mask", "target_sizes"}


def _exportable(model, inputs):
    """Inputs with those that PyTorch cannot derive from them in an exported program, as the places of patches."""
    more = dict(inputs)
    if not _SHAPES & inputs.keys():
        return inputs
    try:
        with torch.no_grad():
            precompute_export_inputs(model, more)
            model(**more)
    except Exception:  # transformers has none for this model
        return inputs
    return {name: value for name, value in more.items() if value is not None}


def build(name):
    """Returns a small model of a type in eval mode, and the keyword arguments of its call.

    Raises:
      LookupError: the type has no base model.
      ValueError: no configuration and inputs that this module makes run in PyTorch.
    """
    kind = CONFIG_MAPPING[name] if name in CONFIG_MAPPING_NAMES else None
    try:
        base = MODEL_MAPPING[kind]
    except ValueError:  # transformers lists a class that it lacks
        raise LookupError(name) from None
    base = base[0] if isinstance(base, (list, tuple)) else base
    reasons = []
    overrides = _OVERRIDES.get(name, {})
    makers = [functools.partial(_shrunk, limits) for limits in _SHRINKS if not overrides]
    makers += [
        lambda kind, limits=limits, thin=thin: _remade(kind(), limits, overrides, thin)
        for limits in ({}, _SHRINKS[0])
        for thin in (False, True)
    ]
    for make in makers:
        try:
            config = make(kind)
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
            while inputs is not None:
                try:
                    with torch.no_grad():
                        model(**inputs)
                    return model, _exportable(model, inputs)
                except Exception as error:
                    reasons.append(error)
                    inputs = _marked(inputs, model.config, str(error))
    raise ValueError(f"{type(reasons[0]).__name__}: {str(reasons[0]).strip()}")


def build_or_record(name):
    """Returns what `build` does, or the record of a type without a model."""
    try:
        return build(name)
    except LookupError:
        return {"stage": "no model"}
    except ValueError as error:
        return {"stage": "not built", "reason": ledger.reason(error)}
