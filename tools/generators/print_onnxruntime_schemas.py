"""Prints third_party/onnxruntime/schemas.json from the pinned onnxruntime package.

    python3 tools/generators/print_onnxruntime_schemas.py > third_party/onnxruntime/schemas.json

Prints the ops of the domain com.microsoft that we lower, in the form of third_party/onnx. Its other ops count as ops of an
unknown domain.
"""

import sys

import onnx
import onnxruntime
import schema_text
from onnxruntime.capi import onnxruntime_pybind11_state

ONNXRUNTIME_VERSION = "1.31.1"
DOMAIN = "com.microsoft"
OPS = [
    "Attention",
    "BiasAdd",
    "BiasGelu",
    "BiasSoftmax",
    "BiasSplitGelu",
    "CDist",
    "CausalConvWithState",
    "ConvTransposeWithDynamicPads",
    "CropAndResize",
    "DecoderMaskedMultiHeadAttention",
    "DequantizeLinear",
    "DynamicQuantizeLSTM",
    "DynamicQuantizeMatMul",
    "EmbedLayerNormalization",
    "ExpandDims",
    "FastGelu",
    "FusedConv",
    "FusedGemm",
    "FusedMatMul",
    "GatedAdd",
    "GatedRMSNorm",
    "GatedRelativePositionBias",
    "GatherBlockQuantized",
    "GatherND",
    "Gelu",
    "GemmFastGelu",
    "GridSample",
    "GroupNorm",
    "GroupQueryAttention",
    "Inverse",
    "LinearAttention",
    "LinearAttentionGate",
    "MRotaryEmbedding",
    "MatMulBnb4",
    "MatMulFpQ4",
    "MatMulInteger16",
    "MatMulIntegerToFloat",
    "MatMulNBits",
    "MoE",
    "MultiHeadAttention",
    "NhwcConv",
    "NhwcFusedConv",
    "NhwcMaxPool",
    "Pad",
    "QAttention",
    "QEmbedLayerNormalization",
    "QGemm",
    "QLinearAdd",
    "QLinearAveragePool",
    "QLinearConcat",
    "QLinearConv",
    "QLinearGlobalAveragePool",
    "QLinearLeakyRelu",
    "QLinearMul",
    "QLinearSigmoid",
    "QLinearSoftmax",
    "QLinearWhere",
    "QMoE",
    "QuantizeLinear",
    "QuickGelu",
    "Range",
    "RelativePositionBias",
    "RotaryEmbedding",
    "ScaledSiLU",
    "SkipGroupNorm",
    "SkipLayerNormalization",
    "SkipSimplifiedLayerNormalization",
    "TransposeMatMul",
    "Trilu",
    "UnfoldTensor",
    "Unique",
]

# onnxruntime has this op in ONNX's own domain, but ONNX does not.
OF_NO_DOMAIN = "SimplifiedLayerNormalization"


def describe_parameter(parameter, variables, least):
    """`least` is the minimum number of values of a variadic parameter."""
    described = {"name": parameter.name, "type": parameter.typeStr}
    if parameter.typeStr not in variables:
        described["type"] = schema_text.short_type(parameter.typeStr)
    if parameter.option.name != "Single":
        described["option"] = parameter.option.name.lower()
    if parameter.option.name == "Variadic":
        described["min_arity"] = least
        described["homogeneous"] = parameter.isHomogeneous
    return described


def describe(schema, type_sets):
    variables = {c.type_param_str: type_sets.index(c.allowed_type_strs) for c in schema.type_constraints}

    def parameters(listed, least):
        return [describe_parameter(p, variables, least - len(listed) + 1) for p in listed]

    return {
        "since": schema.since_version,
        "inputs": parameters(schema.inputs, schema.min_input),
        "outputs": parameters(schema.outputs, schema.min_output),
        "attributes": [
            schema_text.describe_attribute(attribute, onnx.AttributeProto.FromString(attribute._default_value))
            for _, attribute in sorted(schema.attributes.items())
        ],
        "types": variables,
    }


def main():
    if onnxruntime.__version__ != ONNXRUNTIME_VERSION:
        sys.exit(f"expected onnxruntime {ONNXRUNTIME_VERSION}, got {onnxruntime.__version__}")
    known = {
        schema.name: schema
        for schema in onnxruntime_pybind11_state.get_all_operator_schema()
        if schema.domain == ("" if schema.name == OF_NO_DOMAIN else DOMAIN)
    }
    type_sets = schema_text.TypeSets()
    ops = [
        {"name": f"{DOMAIN}.{name}", "family": "microsoft", "versions": [describe(known[name], type_sets)]}
        for name in sorted([*OPS, OF_NO_DOMAIN])
    ]
    schema_text.print_document({"onnxruntime": ONNXRUNTIME_VERSION, "domain": DOMAIN}, type_sets, ops)


if __name__ == "__main__":
    main()
