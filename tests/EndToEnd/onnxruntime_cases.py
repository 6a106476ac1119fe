"""Nodes of onnxruntime's own ops, as its optimizers and quantizers write them."""

import dataclasses

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from tests.support import onnx_models

DOMAIN = "com.microsoft"


def floats(*shape):
    return np.random.default_rng(0).standard_normal(shape, np.float32)


def integers(*shape, dtype=np.uint8, low=0, high=256):
    return np.random.default_rng(0).integers(low, high, shape, dtype)


def signed(*shape):
    """Weights of 7 bits.

    On a processor without VNNI, onnxruntime adds pairs of products in 16 bits with saturation. Weights of 8 bits could
    saturate there.
    """
    return integers(*shape, dtype=np.int8, low=-64, high=64)


@dataclasses.dataclass
class Constant:
    """An initializer. If its dtype has 4 bits, each byte holds two elements."""

    array: np.ndarray
    packed: int | None = None
    shape: tuple = ()

    def tensor(self, name):
        if self.packed is None:
            return numpy_helper.from_array(self.array, name)
        return TensorProto(name=name, data_type=self.packed, dims=self.shape, raw_data=self.array.tobytes())


@dataclasses.dataclass
class Case:
    """A node of one op.

    Attributes:
      inputs: its inputs in order: an array for an input of the graph, a `Constant`, or None for an absent input.
      outputs: names of its outputs, "" for an absent one; they are floats, unless `dtypes` has another dtype.
      unseen: outputs that the graph does not return.
    """

    op: str
    name: str
    inputs: list
    attributes: dict = dataclasses.field(default_factory=dict)
    outputs: tuple = ("y",)
    dtypes: dict = dataclasses.field(default_factory=dict)
    domain: str = DOMAIN
    opset: int = 21  # of ai.onnx
    domain_opset: int = 1  # of `domain`, if that is another
    unseen: tuple = ()

    def __str__(self):
        return f"{self.op}-{self.name}"

    def arrays(self):
        return [value for value in self.inputs if isinstance(value, np.ndarray)]

    def model(self, dynamic=False):
        """The case as an ONNX model.

        With `dynamic`, the first dim of each input has a name and no size if it is as long as that of the first input.
        """
        names, infos, initializers = [], [], []
        for i, value in enumerate(self.inputs):
            name = "" if value is None else f"in{i}"
            names.append(name)
            if isinstance(value, Constant):
                initializers.append(value.tensor(name))
            elif value is not None:
                shape = list(value.shape)
                if dynamic and shape and shape[0] == self.arrays()[0].shape[0]:
                    shape[0] = "batch"
                infos.append(onnx_models.value(name, shape, helper.np_dtype_to_tensor_dtype(value.dtype)))
        node = helper.make_node(self.op, names, list(self.outputs), domain=self.domain, **self.attributes)
        return onnx_models.model(
            [node],
            inputs=infos,
            outputs=[
                onnx_models.value(name, None, self.dtypes.get(name, TensorProto.FLOAT))
                for name in self.outputs
                if name and name not in self.unseen
            ],
            opset=self.opset,
            initializers=initializers,
            domains={DOMAIN: 1} | ({self.domain: self.domain_opset} if self.domain else {}),
        )


def n_bits(name, bits, k=64, block=32, batch=(2, 3), zero_points=None, g_idx=False, bias=False, **attributes):
    n, blocks = 24, -(-k // block)
    zeros = {
        None: None,
        "packed": Constant(integers(n * -(-blocks * bits // 8))),
        "floats": Constant((integers(n * blocks, high=2**bits) + 0.5).astype(np.float32)),
    }[zero_points]
    return Case(
        "MatMulNBits",
        name,
        [
            floats(*batch, k),
            Constant(integers(n, blocks, block * bits // 8)),
            Constant(floats(n * blocks) / 8),
            zeros,
            Constant((np.arange(k) * 7 % k // block).astype(np.int32)) if g_idx else None,
            Constant(floats(n)) if bias else None,
        ],
        {"K": k, "N": n, "bits": bits, "block_size": block, **attributes},
    )


def table(name, data, scales, zeros=None, **attributes):
    """Takes rows of a table at indices."""
    return Case("GatherBlockQuantized", name, [data, np.array([[3, 0], [9, 3]]), scales, zeros], attributes)


def quantized(op, name, count, **attributes):
    """An op on `count` quantized tensors, each with a scale and a zero point, and with those of the result.

    Scales are powers of two, so that quotients are exact and every implementation rounds the same numbers.
    """
    inputs = []
    for i in range(count):
        inputs += [integers(2, 3, 4, 5) // (i + 1), Constant(np.float32(2.0 ** (i - 6))), Constant(np.uint8(100 + i))]
    inputs += [Constant(np.float32(2.0**-4)), Constant(np.uint8(120))]
    return Case(op, name, inputs, attributes, dtypes={"y": TensorProto.UINT8})


def rotary_caches(width, length=16):
    angles = np.arange(length)[:, None] * (0.5 ** np.arange(width // 2))
    return [Constant(np.cos(angles).astype(np.float32)), Constant(np.sin(angles).astype(np.float32))]


def group_query(
    name, past, tokens=3, packed=False, rotary=True, batch=2, heads=4, kv_heads=2, sink=False, **attributes
):
    size = 16
    query = floats(batch, tokens, (heads + 2 * kv_heads if packed else heads) * size)
    key = value = None
    if not packed:
        key, value = floats(batch, tokens, kv_heads * size), floats(batch, tokens, kv_heads * size) + 1
    cache = [floats(batch, kv_heads, past, size), floats(batch, kv_heads, past, size) + 1] if past else [None, None]
    return Case(
        "GroupQueryAttention",
        name,
        [
            *(query, key, value, *cache),
            np.full(batch, past + tokens - 1, np.int32),
            Constant(np.array(past + tokens, np.int32)),
            *(rotary_caches(size) if rotary else [None, None]),
            *(None, None, Constant(floats(heads)) if sink else None),
        ],
        {"num_heads": heads, "kv_num_heads": kv_heads, "do_rotary": int(rotary), **attributes},
        ("y", "present_key", "present_value"),
    )


def fixed_cache(name, rows, totals, tokens=1, window=None, **attributes):
    """A step with a cache of `rows`, which have room for all tokens, or keep a window if one is given.

    `totals` are the tokens of each sample after the step.
    """
    if window:
        attributes |= {"local_window_size": window, "sliding_window_cache": 1}
    case = group_query(name, rows, tokens, batch=len(totals), **attributes)
    total = max(totals) if window else rows
    case.inputs[5:7] = [np.array(totals, np.int32) - 1, Constant(np.array(total, np.int32))]
    if min(totals) < rows:  # rows without a token are unspecified
        case.unseen = ("present_key", "present_value")
    return case


def multi_head(name, mask=None, attention_bias=None, past=0, bias=True, cross=False, **attributes):
    query = floats(2, 3, 32)
    key = floats(2, 4, 5, 8) if cross else floats(2, 5, 32)
    inputs = [query, key, key + 1, Constant(floats(96)) if bias else None, mask, attention_bias]
    if past:
        cache = floats(2, 4, past, 8)
        inputs += [cache, cache + 1]
    outputs = ("y", "present_key", "present_value") if past else ("y",)
    return Case("MultiHeadAttention", name, inputs, {"num_heads": 4, **attributes}, outputs)


def attention(name, mask=None, past=0, attention_bias=None, widths=(32, 32, 32), **attributes):
    """A case of Attention. It always has a bias, because onnxruntime crashes without one."""
    inputs = [floats(2, 3, 24), Constant(floats(24, sum(widths)) / 4), Constant(floats(sum(widths)))]
    inputs += [mask, floats(2, 2, 4, past, 8) if past else None, attention_bias]
    return Case("Attention", name, inputs, {"num_heads": 4, **attributes}, ("y", "present") if past else ("y",))


def fused_conv(name, activation, parameters=(), add=False, bias=True, **attributes):
    x, weight = floats(2, 4, 7, 6), Constant(floats(6, 4, 3, 3) / 4)
    attributes |= {"activation": activation, "pads": [1, 1, 1, 1]}
    if parameters:
        attributes["activation_params"] = parameters
    inputs = [x, weight, Constant(floats(6)) if bias else None, floats(2, 6, 7, 6) + 1 if add else None]
    return Case("FusedConv", name, inputs, attributes)


def q_attention(name, mask=None, past=0, columns=False, **attributes):
    """A case of QAttention. With `columns`, each column has a scale, and weights are signed with a zero point of 0."""
    weight = signed(24, 96) if columns else integers(24, 96)
    scale, zero = (np.abs(floats(96)) / 64, np.zeros(96, np.int8)) if columns else (np.float32(0.01), np.uint8(130))
    inputs = [integers(2, 3, 24), Constant(weight), Constant(floats(96)), Constant(np.float32(0.02)), Constant(scale)]
    inputs += [mask, Constant(np.uint8(120)), Constant(zero), floats(2, 2, 4, past, 8) if past else None]
    return Case("QAttention", name, inputs, {"num_heads": 4, **attributes}, ("y", "present") if past else ("y",))


def experts(name, tokens=(3,), width=16, bias=True, **attributes):
    """A case of MoE: four experts that take and give 8 numbers."""
    inputs = [floats(*tokens, 8), floats(int(np.prod(tokens)), 4)]
    widened = 2 * width if attributes["activation_type"] == "swiglu" else width
    inputs += [Constant(floats(4, widened, 8) / 4), Constant(floats(4, widened)) if bias else None]
    inputs += [Constant(floats(4, 8, width) / 4), Constant(floats(4, 8)) if bias else None]
    return Case("MoE", name, inputs, attributes)


X = floats(2, 3, 8)
GAMMA, BETA = Constant(floats(8) + 2), Constant(floats(8))
SCALES = Constant(floats(10, 2))
SIGNED = Constant(signed(8, 4))
REGIONS = np.array([[0.1, 0.2, 0.7, 0.9], [0, 0, 1, 1], [0.8, -0.3, 0.1, 1.4]], np.float32)
TOKENS = integers(2, 3, dtype=np.int32, high=7)


def quantized_experts(name, bits=4, block=None, zero_points=False, hidden=16, width=32, **attributes):
    """A case of QMoE: four experts of integers, with a scale for each row or for each block of it.

    onnxruntime's kernel for the CPU normalizes the weights of the experts in any case, so cases ask for it or take all
    experts.
    """
    fused = 2 if attributes["activation_type"] == "swiglu" else 1

    def layer(rows, columns):
        blocks = (columns // block,) if block else ()
        packed_zeros = (4, rows, -(-blocks[0] * bits // 8)) if block else (4, rows * bits // 8)
        return (
            Constant(integers(4, rows, columns * bits // 8)),
            Constant(np.abs(floats(4, rows, *blocks)) / 2**bits),
            Constant(floats(4, rows)),
            Constant(integers(*packed_zeros)) if zero_points else None,
        )

    *first, first_zeros = layer(fused * width, hidden)
    *second, second_zeros = layer(hidden, width)
    inputs = [floats(3, hidden), floats(3, 4), *first, *second, None, None, None, first_zeros, second_zeros]
    attributes |= {"expert_weight_bits": bits} | ({"block_size": block} if block else {})
    return Case("QMoE", name, inputs, attributes)


def decoder_attention(name, mask=None, attention_bias=None, bias=False, cross=False, **attributes):
    """A case of DecoderMaskedMultiHeadAttention: a token after 4 others in a buffer for 7, or reading 5 keys."""
    token = floats(2, 1, 32)
    key = floats(2, 4, 5, 8) if cross else token * 2
    inputs = [token, key, key + 1, mask, attention_bias]
    if not cross:
        cache = floats(2, 4, 7, 8)
        inputs += [cache, cache + 1, np.array([4], np.int32), None, None, Constant(floats(96)) if bias else None]
        attributes["past_present_share_buffer"] = 1
    outputs = ("y",) if cross else ("y", "present_key", "present_value")
    return Case("DecoderMaskedMultiHeadAttention", name, inputs, {"num_heads": 4, **attributes}, outputs)


def linear_attention(name, rule, past=False, decay=None, beta=None, **attributes):
    """A case of LinearAttention: 3 steps of 4 query heads and 2 heads of keys and values."""
    inputs = [floats(2, 3, 4 * 8), floats(2, 3, 2 * 8) / 3, floats(2, 3, 2 * 6), floats(2, 2, 8, 6) if past else None]
    inputs += [-np.abs(floats(2, 3, decay)) if decay else None, np.abs(floats(2, 3, beta)) / 3 if beta else None]
    attributes |= {"update_rule": rule, "q_num_heads": 4, "kv_num_heads": 2}
    return Case("LinearAttention", name, inputs, attributes, ("y", "state"))


def quantized_embedding(name, dtype, segments=True):
    """A case of QEmbedLayerNormalization, each table with a scale and a zero point."""

    def table(*shape):
        return Constant(integers(*shape) if dtype is np.uint8 else signed(*shape))

    tables = [table(9, 8), table(7, 8), table(2, 8) if segments else None, table(8), table(8)]
    scales = [Constant(np.float32(0.02 * (i + 1))) for i in range(5)]
    zeros = [Constant(dtype(3 * i)) for i in range(5)]
    if not segments:
        scales[2] = zeros[2] = None
    inputs = [TOKENS, TOKENS // 4 if segments else None, *tables, np.array([[1, 1, 0], [1, 1, 1]], np.int32)]
    inputs += [*scales, *zeros]
    outputs = ("y", "lengths")
    return Case("QEmbedLayerNormalization", name, inputs, {}, outputs, {"lengths": TensorProto.INT32})


def q_linear_conv(name, shape, columns=False, **attributes):
    """A case of onnxruntime's QLinearConv of 4 channels with 6 filters of 3 by 3."""
    scale = np.abs(floats(6)) / 99 + 0.001 if columns else np.float32(0.01)
    weight, zero = (signed(6, 4, 3, 3), np.zeros(6, np.int8)) if columns else (integers(6, 4, 3, 3), np.uint8(120))
    inputs = [integers(*shape), Constant(np.float32(0.02)), Constant(np.uint8(110)), Constant(weight), Constant(scale)]
    inputs += [Constant(zero), Constant(np.float32(0.25)), Constant(np.uint8(128))]
    inputs += [Constant(integers(6, dtype=np.int32, low=-999, high=999))]
    return Case("QLinearConv", name, inputs, attributes, dtypes={"y": TensorProto.UINT8})


def multimodal_rotary(name, rank, **attributes):
    """A case of MRotaryEmbedding: 4 heads of 16 numbers, the positions in time, height and width unlike."""
    x = floats(2, 3, 64) if rank == 3 else floats(2, 4, 3, 16)
    positions = np.array([[[0, 1, 2], [4, 5, 6]], [[0, 3, 1], [2, 2, 7]], [[1, 0, 4], [9, 8, 3]]])
    return Case("MRotaryEmbedding", name, [x, positions, *rotary_caches(16)], attributes)


def packed_q4(name, kind, k=72, n=6):
    """A case of MatMulFpQ4: blocks of 32 elements of a column, each with a scale in 4 bytes."""
    blocks = -(-k // 32)
    scales = np.abs(floats(n, blocks, 1)).view(np.uint8)
    zeros = [integers(n, blocks, 1, high=16)] * kind
    blob = np.concatenate([scales, *zeros, integers(n, blocks, 16)], 2).reshape(-1)
    return Case(
        "MatMulFpQ4", name, [floats(3, k), Constant(blob), Constant(np.array([k, n]))], {"blk_quant_type": kind}
    )


def dynamic_lstm(
    name, *, directions=1, per_column=False, dtype=np.uint8, peepholes=False, states=False, outputs=None, **attributes
):
    """A DynamicQuantizeLSTM of 5 steps, 2 sequences, 4 inputs and 3 hidden units."""
    steps, sequences, size, hidden = 5, 2, 4, 3
    scales = (directions, 4 * hidden) if per_column else (directions,)

    def quantized(rows):
        values = integers(directions, rows, 4 * hidden) if dtype is np.uint8 else signed(directions, rows, 4 * hidden)
        return (
            Constant(values),
            Constant(np.abs(floats(*scales)) / 99),
            Constant(np.full(scales, 0 if per_column else 5, dtype)),
        )

    weight, *of_weight = quantized(size)
    recurrence, *of_recurrence = quantized(hidden)
    initial = [floats(directions, sequences, hidden), 0.5 * floats(directions, sequences, hidden)]
    inputs = [
        *(floats(steps, sequences, size), weight, recurrence, Constant(floats(directions, 8 * hidden)), None),
        *(initial if states else [None, None]),
        Constant(floats(directions, 3 * hidden)) if peepholes else None,
        *(*of_weight, *of_recurrence),
    ]
    return Case("DynamicQuantizeLSTM", name, inputs, {"hidden_size": hidden, **attributes}, outputs or ("y", "h", "c"))


CASES = [
    n_bits("int4", 4),
    n_bits("no_whole_block", 4, k=72),
    n_bits("zero_points", 4, k=96, zero_points="packed"),
    n_bits("float_zero_points", 4, zero_points="floats"),
    n_bits("g_idx", 4, g_idx=True),
    n_bits("bias", 4, block=16, bias=True),
    n_bits("accuracy_of_f32", 4, accuracy_level=1),
    n_bits("matrix", 4, batch=(3,)),
    n_bits("int8", 8, zero_points="packed"),
    n_bits("int2", 2, zero_points="packed"),
    table("int4", Constant(integers(160), TensorProto.INT4, (10, 32)), SCALES, block_size=16),
    table(
        "uint4",
        Constant(integers(160), TensorProto.UINT4, (10, 32)),
        SCALES,
        Constant(integers(10), TensorProto.UINT4, (10, 2)),
        block_size=16,
    ),
    table("bytes", Constant(integers(10, 16)), Constant(floats(10, 1)), block_size=32),
    table("bytes_with_zeros", Constant(integers(10, 16)), SCALES, Constant(integers(10, 1)), block_size=16),
    table("int8", Constant(integers(10, 32)), SCALES, block_size=16, bits=8),
    Case("BiasGelu", "f32", [X, Constant(floats(8))]),
    Case("FastGelu", "f32", [X]),
    Case("FastGelu", "bias", [X, Constant(floats(8))]),
    Case("Gelu", "f32", [X]),
    Case("QuickGelu", "f32", [X], {"alpha": 1.5}),
    Case("FusedMatMul", "alpha", [X, floats(2, 8, 4)], {"alpha": 0.25}),
    Case("FusedMatMul", "transposed", [floats(2, 8, 3), floats(2, 4, 8)], {"transA": 1, "transB": 1}),
    Case("SimplifiedLayerNormalization", "f32", [X, GAMMA], {"epsilon": 1e-3, "stash_type": 1}, domain=""),
    Case("SkipSimplifiedLayerNormalization", "sum", [X, X * 2, GAMMA], {"epsilon": 1e-3}, ("y", "", "", "sum")),
    Case("SkipSimplifiedLayerNormalization", "bias", [X, X * 2, GAMMA, BETA]),
    Case("SkipLayerNormalization", "sum", [X, X * 2, GAMMA, BETA, BETA], {"epsilon": 1e-3}, ("y", "", "", "sum")),
    Case("SkipLayerNormalization", "no_beta", [X, X[:1] * 2, GAMMA]),
    Case(
        "EmbedLayerNormalization",
        "segments",
        [
            *(TOKENS, TOKENS // 4, *(Constant(floats(n, 8)) for n in (9, 7, 2))),
            *(GAMMA, BETA, np.array([[1, 1, 0], [1, 1, 1]], np.int32)),
        ],
        {"epsilon": 1e-3},
        ("y", "lengths", "sum"),
        {"lengths": TensorProto.INT32},
    ),
    Case(
        "EmbedLayerNormalization",
        "positions",
        [TOKENS, None, *(Constant(floats(n, 8)) for n in (9, 7)), None, GAMMA, BETA, None, TOKENS],
        {},
        ("y", "lengths"),
        {"lengths": TensorProto.INT32},
    ),
    Case("RotaryEmbedding", "positions", [floats(2, 3, 32), np.array([[0, 1, 2], [4, 5, 6]]), *rotary_caches(8)]),
    Case("RotaryEmbedding", "offset", [floats(2, 4, 3, 8), np.array([5]), *rotary_caches(8)], {"interleaved": 1}),
    Case(
        "RotaryEmbedding",
        "part",
        [floats(2, 3, 32), np.array([[0, 1, 2], [4, 5, 6]]), *rotary_caches(4)],
        {"num_heads": 4, "rotary_embedding_dim": 4},
    ),
    group_query("prompt", 0),
    group_query("step", 5, tokens=1),
    group_query("packed", 2, packed=True, batch=1),
    group_query("interleaved", 0, rotary_interleaved=1),
    group_query("window", 0, tokens=6, local_window_size=2),
    group_query("scale", 0, rotary=False, scale=0.1),
    group_query("softcap", 2, batch=1, softcap=2.0),
    fixed_cache("buffer", 8, [5, 8]),
    fixed_cache("buffer_full", 8, [8, 8], sink=True),
    fixed_cache("buffer_steps", 8, [7], tokens=3, local_window_size=4),
    fixed_cache("buffer_prompt", 8, [3], tokens=3),
    fixed_cache("window_full", 4, [9, 15], window=4),
    fixed_cache("window_fills", 6, [6, 3], window=4),
    fixed_cache("window_moves", 6, [9, 12], window=4, sink=True),
    fixed_cache("window_prompt", 4, [7, 7], window=4, tokens=7),
    fixed_cache("window_short_prompt", 6, [3], window=4, tokens=3),
    fixed_cache("window_steps", 6, [12], window=4, tokens=3, softcap=2.0),
    group_query("smooth", 0, smooth_softmax=1, scale=0.1),
    group_query("sink", 3, tokens=1, sink=True),
    group_query("sink_in_window", 0, tokens=6, sink=True, local_window_size=2),
    attention("bias"),
    attention("scale", scale=0.1),
    attention("mask", np.array([[1, 1, 0], [1, 1, 1]], np.int32)),
    attention("mask_of_queries", np.tril(np.ones((2, 3, 3), np.int32))),
    attention("lengths", np.array([2, 3], np.int32)),
    attention("past", past=2, unidirectional=1),
    attention("attention_bias", attention_bias=floats(1, 4, 3, 3)),
    attention("widths", widths=(16, 16, 32), qkv_hidden_sizes=[16, 16, 32]),
    multi_head("bias"),
    multi_head("scale", bias=False, scale=0.1),
    multi_head("mask", np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], np.int32)),
    multi_head("lengths", np.array([3, 5], np.int32)),
    multi_head("attention_bias", attention_bias=floats(1, 4, 3, 5)),
    multi_head("past", past=2),
    multi_head("cross", bias=False, cross=True),
    multi_head("causal", unidirectional=1),
    multi_head("causal_past", past=2, unidirectional=1),
    multi_head("causal_cross", bias=False, cross=True, unidirectional=1),
    fused_conv("relu", "Relu"),
    fused_conv("sum", "Relu", add=True, strides=[1, 1]),
    fused_conv("leaky", "LeakyRelu", (0.25,), bias=False, strides=[2, 2]),
    fused_conv("clip", "Clip", (0.0, 0.5), dilations=[1, 1]),
    fused_conv("hard_sigmoid", "HardSigmoid", (0.25, 0.375)),
    fused_conv("tanh", "Tanh"),
    Case("FusedGemm", "relu", [X[0], floats(8, 4), Constant(floats(4))], {"activation": "Relu"}),
    Case(
        "FusedGemm",
        "leaky",
        [X[0], floats(4, 8)],
        {"activation": "LeakyRelu", "activation_alpha": 0.25, "transB": 1, "alpha": 0.5},
    ),
    q_attention("plain"),
    q_attention("columns", columns=True),
    q_attention("lengths", np.array([2, 3], np.int32)),
    q_attention("past", past=2, unidirectional=1),
    quantized("QLinearAdd", "u8", 2),
    quantized("QLinearMul", "u8", 2),
    quantized("QLinearSigmoid", "u8", 1),
    quantized("QLinearLeakyRelu", "u8", 1, alpha=0.25),
    quantized("QLinearGlobalAveragePool", "nchw", 1),
    quantized("QLinearGlobalAveragePool", "nhwc", 1, channels_last=1),
    quantized("QLinearAveragePool", "nchw", 1, kernel_shape=[2, 2], strides=[1, 2]),
    quantized("QLinearAveragePool", "nhwc", 1, kernel_shape=[2, 2], channels_last=1),
    quantized("QLinearAveragePool", "pads", 1, kernel_shape=[2, 2], pads=[1, 1, 0, 0], count_include_pad=1),
    quantized("QLinearSoftmax", "axis", 1, opset=13, axis=2),
    quantized("QLinearSoftmax", "from_axis_on", 1, opset=11, axis=2),
    Case(
        "QLinearWhere",
        "u8",
        [
            *(floats(2, 3) > 0, integers(2, 3), Constant(np.float32(0.25)), Constant(np.uint8(120))),
            *(integers(3), Constant(np.float32(0.5)), Constant(np.uint8(99))),
            *(Constant(np.float32(0.5)), Constant(np.uint8(100))),
        ],
        dtypes={"y": TensorProto.UINT8},
    ),
    Case(
        "QuantizeLinear",
        "u16",
        [X, Constant(np.float32(2.0**-12)), Constant(np.uint16(30000))],
        dtypes={"y": TensorProto.UINT16},
    ),
    Case(
        "QuantizeLinear",
        "rows",
        [X, Constant(np.float32(2.0) ** -np.arange(4, 7, dtype=np.float32)), Constant(np.arange(3, dtype=np.int8))],
        {"axis": 1},
        dtypes={"y": TensorProto.INT8},
    ),
    Case(
        "DequantizeLinear",
        "i16",
        [
            integers(2, 3, dtype=np.int16, low=-(2**15), high=2**15),
            *(Constant(np.float32(0.01)), Constant(np.int16(-99))),
        ],
    ),
    Case("DequantizeLinear", "columns", [integers(2, 3), Constant(floats(3)), Constant(integers(3))], {"axis": 1}),
    Case(
        "QLinearConcat",
        "u8",
        [
            *(Constant(np.float32(0.05)), Constant(np.uint8(120))),
            *(integers(2, 3), Constant(np.float32(0.03)), Constant(np.uint8(99))),
            *(integers(2, 4), Constant(np.float32(0.05)), Constant(np.uint8(120))),
        ],
        {"axis": 1},
        dtypes={"y": TensorProto.UINT8},
    ),
    Case(
        "QGemm",
        "f32",
        [
            *(integers(3, 8), Constant(np.float32(0.5)), Constant(np.uint8(7))),
            *(SIGNED, Constant(np.float32(0.25)), Constant(np.int8(3))),
            Constant(integers(4, dtype=np.int32, low=-99, high=99)),
        ],
    ),
    Case(
        "QGemm",
        "quantized",
        [
            *(integers(3, 8), Constant(np.float32(0.5)), Constant(np.uint8(7))),
            *(Constant(integers(4, 8)), Constant(np.float32(0.25)), Constant(np.uint8(3))),
            None,
            *(Constant(np.float32(200)), Constant(np.uint8(128))),
        ],
        {"transB": 1},
        dtypes={"y": TensorProto.UINT8},
    ),
    dynamic_lstm("tensors"),
    dynamic_lstm("columns", per_column=True, dtype=np.int8),
    dynamic_lstm("both", directions=2, direction="bidirectional", input_forget=1, clip=1.5),
    dynamic_lstm("reverse", peepholes=True, states=True, direction="reverse", outputs=("", "h", "c")),
    Case(
        "DynamicQuantizeMatMul",
        "matrix",
        [X, Constant(integers(8, 4)), Constant(np.float32(0.5)), Constant(np.uint8(99))],
    ),
    Case(
        "DynamicQuantizeMatMul",
        "columns",
        [X, SIGNED, Constant(floats(4)), Constant(np.zeros(4, np.int8)), Constant(floats(4))],
    ),
    Case(
        "MatMulIntegerToFloat",
        "columns",
        [
            *(integers(2, 3, 8), Constant(integers(8, 4)), Constant(np.float32(0.5)), Constant(np.abs(floats(4)))),
            *(Constant(np.uint8(99)), Constant(integers(4)), Constant(floats(4))),
        ],
    ),
    Case("CDist", "euclidean", [X[0], floats(4, 8) + 1], {"metric": "euclidean"}),
    Case("CDist", "sqeuclidean", [X[0], floats(4, 8) + 1], {"metric": "sqeuclidean"}),
    Case("ExpandDims", "first", [X, Constant(np.array(0, np.int32))]),
    Case("ExpandDims", "last", [X, Constant(np.array(-1, np.int32))]),
    Case("Inverse", "matrices", [floats(2, 4, 4) + 3 * np.eye(4, dtype=np.float32)]),
    Case("TransposeMatMul", "alpha", [floats(2, 8, 3), floats(2, 4, 8)], {"alpha": 0.25, "transA": 1, "transB": 1}),
    Case("Trilu", "upper", [floats(2, 3, 4)]),
    Case("Trilu", "lower", [floats(3, 4), Constant(np.array(1))], {"upper": 0}),
    Case("UnfoldTensor", "last", [X], {"size": 3, "step": 2}),
    Case("UnfoldTensor", "middle", [X], {"dim": 1, "size": 2}),
    experts("relu", activation_type="relu", k=1),
    experts("silu", activation_type="silu", k=2, normalize_routing_weights=1),
    experts("identity", activation_type="identity", k=4, bias=False),
    experts("batch", (2, 3), activation_type="relu", k=2),
    experts(
        "swiglu",
        activation_type="swiglu",
        k=2,
        swiglu_fusion=1,
        activation_alpha=1.5,
        activation_beta=1.0,
        swiglu_limit=0.5,
    ),
    quantized_experts("rows", activation_type="relu", k=1, normalize_routing_weights=1),
    quantized_experts("blocks", block=16, activation_type="silu", k=2, normalize_routing_weights=1),
    quantized_experts("zero_points", block=16, zero_points=True, activation_type="silu", k=4),
    quantized_experts("zero_points_of_rows", zero_points=True, activation_type="identity", k=4),
    quantized_experts("int8", bits=8, activation_type="gelu", k=4),
    quantized_experts(
        "swiglu", activation_type="swiglu", k=4, swiglu_fusion=1, activation_alpha=1.5, activation_beta=1.0
    ),
    decoder_attention("past"),
    decoder_attention("bias", bias=True),
    decoder_attention("mask", mask=np.array([[1, 1, 1, 0, 1], [1, 1, 1, 1, 1]], np.int32)),
    decoder_attention("attention_bias", attention_bias=floats(1, 4, 1, 5)),
    decoder_attention("scale", scale=0.1),
    decoder_attention("cross", cross=True),
    linear_attention("linear", "linear"),
    linear_attention("gated", "gated", past=True, decay=16),
    linear_attention("delta", "delta", beta=2, scale=0.5),
    linear_attention("gated_delta", "gated_delta", past=True, decay=2, beta=1),
    Case(
        "LinearAttentionGate",
        "both",
        [X, Constant(floats(8)), Constant(floats(8) - 1), X * 2],
        {},
        ("decay", "beta"),
    ),
    Case("LinearAttentionGate", "decay", [X, Constant(floats(8)), Constant(floats(8) - 1)], {}, ("decay",)),
    Case(
        "CausalConvWithState",
        "past",
        [floats(2, 4, 5), Constant(floats(4, 1, 3)), Constant(floats(4)), floats(2, 4, 2)],
        {"activation": "silu"},
        ("y", "state"),
    ),
    Case(
        "CausalConvWithState",
        "dilated",
        [floats(2, 4, 5), Constant(floats(4, 1, 3))],
        {"dilation": 2},
        ("y", "state"),
    ),
    quantized_embedding("uint8", np.uint8),
    quantized_embedding("int8", np.int8, segments=False),
    q_linear_conv("nchw", (2, 4, 7, 6), pads=[1, 1, 1, 1], strides=[2, 1]),
    q_linear_conv("nhwc", (2, 7, 6, 4), columns=True, channels_last=1, pads=[0, 1, 1, 0]),
    multimodal_rotary("sections", 4, mrope_section=[4, 2, 2]),
    multimodal_rotary("interleaved", 3, mrope_section=[4, 2, 2], mrope_layout=1, interleaved=1, num_heads=4),
    Case(
        "MatMulBnb4",
        "nf4",
        [X, Constant(integers(24)), Constant(np.abs(floats(3)))],
        {"K": 8, "N": 6, "block_size": 16, "quant_type": 1},
    ),
    Case(
        "MatMulBnb4",
        "fp4",
        [floats(3, 9), Constant(integers(14)), Constant(np.abs(floats(2)))],
        {"K": 9, "N": 3, "block_size": 16, "quant_type": 0},
    ),
    packed_q4("symmetric", 0),
    packed_q4("zero_points", 1),
    Case(
        "MatMulInteger16",
        "signed",
        [integers(2, 3, 8, dtype=np.int16, low=-99, high=99), integers(8, 4, dtype=np.int16, low=-999, high=999)],
        dtypes={"y": TensorProto.INT32},
    ),
    Case("NhwcMaxPool", "u8", [integers(2, 7, 6, 4)], {"kernel_shape": [3, 2]}, dtypes={"y": TensorProto.UINT8}),
    Case(
        "NhwcMaxPool",
        "pads",
        [signed(2, 7, 6, 4)],
        {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 0, 0, 2], "dilations": [1, 2]},
        dtypes={"y": TensorProto.INT8},
    ),
    Case("Pad", "constant", [X, Constant(np.array([0, 1, 0, 2, -1, 3])), Constant(np.float32(0.5))]),
    Case("Pad", "reflect", [X, Constant(np.array([0, 1, 2, 0, 0, 3]))], {"mode": "reflect"}),
    Case("Pad", "edge", [X, Constant(np.array([0, 1, 2, 2, 0, 3]))], {"mode": "edge"}),
    Case("Range", "floats", [Constant(np.float32(n)) for n in (0.5, 4, 0.75)]),
    Case(
        "Range",
        "step_of_one",
        [Constant(np.array([n], np.int64)) for n in (-2, 5)],
        dtypes={"y": TensorProto.INT64},
    ),
    Case("GatherND", "elements", [X, np.array([[0, 1, 2], [1, 2, 7]])]),
    Case("GatherND", "rows", [X, Constant(np.array([[[0], [1]]], np.int32))]),
    Case("GridSample", "bilinear", [floats(2, 3, 5, 6), floats(2, 4, 3, 2)], {"padding_mode": "border"}),
    Case("GridSample", "bicubic", [floats(2, 3, 5, 6), floats(2, 4, 3, 2)], {"mode": "bicubic", "align_corners": 1}),
    *(
        Case(
            "CropAndResize",
            name,
            [floats(2, 3, 5, 6), REGIONS, np.array([1, 0, 1], np.int32), Constant(np.array(size, np.int32))],
            attributes,
        )
        for name, size, attributes in [
            ("bilinear", [3, 4], {}),
            ("nearest", [4, 3], {"mode": "nearest", "extrapolation_value": 2.5}),
            ("one_row", [1, 2], {"extrapolation_value": -1.0}),
        ]
    ),
    *(
        Case(
            "ConvTransposeWithDynamicPads", name, [floats(2, 4, 5, 6), Constant(floats(4, 2, 3, 2)), *rest], attributes
        )
        for name, rest, attributes in [
            ("pads", [np.array([1, 0, 0, 2])], {"strides": [2, 3], "output_padding": [1, 0], "group": 2}),
            ("equal_pads", [Constant(np.array([1, 1, 1, 1])), floats(2)], {"dilations": [2, 1]}),
        ]
    ),
    Case("GatedAdd", "f32", [X, X * 2, floats(2, 3, 1)]),
    Case("GatedRMSNorm", "silu", [X, Constant(floats(4) + 2), X * 2], {"epsilon": 1e-3}),
    Case("GatedRMSNorm", "sigmoid", [X, GAMMA, X * 2], {"activation": "sigmoid"}),
    Case("ScaledSiLU", "alpha", [X], {"alpha": 1.5}),
    Case("ScaledSiLU", "scale", [X, Constant(np.float32(0.5))]),
]
