"""The cases of the ops of ONNX's domains other than ai.onnx, with the names of their ops."""

from tests.EndToEnd import onnx_ml_cases, onnxruntime_cases
from tests.EndToEnd.onnxruntime_device_cases import COMPARED


def named_cases():
    """Yields the op's full name and the case."""
    of_devices = [compared.case for compared in COMPARED]
    for domain, cases in (
        (onnxruntime_cases.DOMAIN, [*onnxruntime_cases.CASES, *of_devices]),
        (onnx_ml_cases.DOMAIN, onnx_ml_cases.CASES),
    ):
        for case in cases:
            yield f"{domain}.{case.op}", case
