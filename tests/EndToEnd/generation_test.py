"""Language models generate the same 64 tokens as in PyTorch, from one compilation for all lengths.

Their caches of keys and values grow as inputs and results of the program, or have a fixed size and stay in the program.
"""

import copy
import warnings

import jax
import numpy as np
import pytest
import torch
import transformers
from torch.export import Dim
from transformers.integrations import executorch

import isthmus

TOKENS, LONGEST = 64, 80
PROMPT = torch.tensor([[7, 3, 11, 5]])
VOCABULARY = 100
SIZES = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
SIZES |= {"num_key_value_heads": 2, "vocab_size": VOCABULARY, "bos_token_id": 0, "eos_token_id": None}
# Weights that are large give tokens that differ from step to step.
LARGE = {"initializer_range": 0.3}
MODELS = {
    "gpt2": lambda: transformers.GPT2LMHeadModel(
        transformers.GPT2Config(
            n_embd=32, n_layer=2, n_head=4, vocab_size=VOCABULARY, bos_token_id=0, eos_token_id=None, **LARGE
        )
    ),
    "llama": lambda: transformers.LlamaForCausalLM(transformers.LlamaConfig(**SIZES, **LARGE)),
    "qwen3": lambda: transformers.Qwen3ForCausalLM(transformers.Qwen3Config(**SIZES, **LARGE, head_dim=8)),
    # Every other layer sees 16 tokens alone.
    "gemma3": lambda: transformers.Gemma3ForCausalLM(
        transformers.Gemma3TextConfig(
            **SIZES,
            **LARGE,
            head_dim=8,
            tie_word_embeddings=False,
            sliding_window=16,
            layer_types=["sliding_attention", "full_attention"],
        )
    ),
}

executorch.register_dynamic_cache_export_support()


@pytest.fixture(scope="module", params=MODELS)
def model(request):
    torch.manual_seed(0)
    model = MODELS[request.param]().eval()
    model.generation_config = transformers.GenerationConfig(
        use_cache=True,
        cache_implementation="static",
        cache_config={"batch_size": 1, "max_cache_len": LONGEST},
        pad_token_id=0,
    )
    return model


@pytest.fixture(scope="module")
def expected(model):
    with torch.no_grad():
        return said(lambda tokens: model(tokens, use_cache=False).logits)


def said(logits_of):
    """What a model says after the prompt, without a cache: the tokens, and the logits before each.

    Args:
      logits_of: a function of all tokens.
    """
    tokens, logits = PROMPT, []
    for _ in range(TOKENS):
        logits.append(logits_of(tokens)[0, -1])
        tokens = torch.cat([tokens, logits[-1].argmax().view(1, 1)], dim=1)
    generated = tokens[0, PROMPT.shape[1] :]
    assert len(set(generated.tolist())) > 8  # tokens that repeat would hide a wrong cache
    return generated, torch.stack(logits)


def check(step, expected, at_once=True):
    """Generates with a function from new tokens, and the number of those before, to logits."""
    done, logits = 0, []
    given = [PROMPT] if at_once else PROMPT.split(1, dim=1)
    for number in range(len(given) - 1 + TOKENS):
        tokens = given[number] if number < len(given) else torch.tensor([[logits[-1].argmax()]])
        logits.append(torch.tensor(np.asarray(step(tokens, done)))[0, -1])
        done += tokens.shape[1]
    logits = torch.stack(logits[-TOKENS:])
    assert torch.equal(logits.argmax(-1), expected[0])
    torch.testing.assert_close(logits, expected[1], rtol=1e-3, atol=1e-3)


def test_growing_cache(model, expected):
    """The program takes a cache of any length, at first none, and returns a longer one."""
    if "sliding_attention" in getattr(model.config, "layer_types", ()):
        pytest.skip("transformers exports a cache that slides for lengths below its window alone")
    cache = transformers.DynamicCache(config=model.config)
    with torch.no_grad():
        model(PROMPT, past_key_values=cache)
    length = {2: Dim.DYNAMIC}
    program = isthmus.compile(
        model,
        example_kwargs={"input_ids": PROMPT, "past_key_values": cache, "use_cache": True},
        dynamic_shapes={
            "input_ids": {1: Dim.DYNAMIC},
            "past_key_values": [[length, length], [length, length]],
            "use_cache": None,
        },
        output_type="linalg",
    )
    for layer in cache.layers:
        layer.keys, layer.values = layer.keys[:, :, :0], layer.values[:, :, :0]

    def step(tokens, done):
        nonlocal cache
        result = program(input_ids=tokens, past_key_values=cache, use_cache=True)
        cache = result.past_key_values
        return result.logits

    check(step, expected)


def fixed(model, **dynamic_shapes):
    """An exported program that keeps a cache of LONGEST tokens."""
    module = executorch.TorchExportableModuleForDecoderOnlyLM(copy.deepcopy(model), 1, LONGEST)
    tokens = PROMPT if dynamic_shapes else PROMPT[:, :1]
    positions = torch.arange(tokens.shape[1])
    with torch.no_grad():
        return module.export(tokens, None, positions, dynamic_shapes or None, strict=False)


@pytest.mark.parametrize("target", ["linalg", "tosa"])
def test_fixed_cache(model, expected, target):
    program = isthmus.compile(fixed(model), output_type=target, mutable_buffers="globals")
    check(lambda tokens, done: program(input_ids=tokens, cache_position=torch.tensor([done])), expected, at_once=False)


def test_fixed_cache_and_prompts_of_any_length(model, expected):
    program = fixed(model, input_ids={1: Dim.DYNAMIC}, cache_position={0: Dim.DYNAMIC})
    program = isthmus.compile(program, output_type="linalg", mutable_buffers="globals")
    check(
        lambda tokens, done: program(input_ids=tokens, cache_position=torch.arange(done, done + tokens.shape[1])),
        expected,
    )


def test_in_jax(model, expected):
    function = isthmus.to_jax(fixed(model))
    compiled, weights = jax.jit(function), function.load_weights()

    def step(tokens, done):
        logits, written = compiled(weights, input_ids=tokens.numpy(), cache_position=np.array([done]))
        weights.update(written)
        return logits

    check(step, expected, at_once=False)


@pytest.mark.parametrize("model, cache", [("gpt2", "dynamic"), ("llama", "static")], indirect=["model"])
def test_generate(model, expected, cache):
    """The loop of transformers, with a model that torch.compile compiles: no graph goes back to PyTorch."""
    torch.compiler.reset()
    fast = copy.copy(model)
    fast.forward = torch.compile(model.forward, backend="isthmus", dynamic=True)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.filterwarnings("error", message="isthmus leaves")
        tokens = fast.generate(PROMPT, max_new_tokens=16, do_sample=False, cache_implementation=cache)
    assert torch.equal(tokens[0, PROMPT.shape[1] :], expected[0][:16])


def test_speech():
    """Whisper's encoder, and its decoder with a cache, are two programs."""
    torch.manual_seed(0)
    half = {"layers": 2, "attention_heads": 4, "ffn_dim": 64}
    config = transformers.WhisperConfig(
        **{f"{part}_{name}": size for part in ("encoder", "decoder") for name, size in half.items()},
        **{"d_model": 32, "num_mel_bins": 8, "max_source_positions": 40, "max_target_positions": LONGEST},
        **{"vocab_size": VOCABULARY, "pad_token_id": 0, "bos_token_id": 0, "eos_token_id": None, "init_std": 0.3},
    )
    model = transformers.WhisperForConditionalGeneration(config).eval()
    model.lm_head = model.proj_out  # by this name the exporter knows it
    sound = torch.randn(1, 8, 80)
    with torch.no_grad():
        want = said(lambda tokens: model(sound, decoder_input_ids=tokens, use_cache=False).logits)

    encoder = isthmus.compile(model.get_encoder(), (sound,))
    heard = encoder(sound).last_hidden_state
    decoder = executorch.Seq2SeqLMDecoderExportableModuleWithStaticCache(model, LONGEST, batch_size=1)
    length = {1: Dim.DYNAMIC}
    with torch.no_grad():
        decoder = isthmus.compile(
            decoder,
            (PROMPT, heard, torch.tensor([0])),
            dynamic_shapes=(length, {1: Dim.STATIC}, None),
            mutable_buffers="globals",
        )
    check(lambda tokens, done: decoder(tokens, heard, torch.tensor([done])), want)
