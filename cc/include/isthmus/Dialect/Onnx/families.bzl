"""The families of ONNX ops: a folder of onnx/defs each, or a domain of its own, and here a .td, a header and a .cpp each."""

ONNX_FAMILIES = [
    "ControlFlow",
    "Generator",
    "Image",
    "Logical",
    "Math",
    "Microsoft",
    "Ml",
    "Nn",
    "ObjectDetection",
    "Optional",
    "Quantization",
    "Reduction",
    "Rnn",
    "Sequence",
    "Tensor",
    "Text",
    "Training",
]
