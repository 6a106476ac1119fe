"""Ranges for onnxruntime's static quantizer."""

from onnxruntime import quantization


class Calibration(quantization.CalibrationDataReader):
    """Calibrates the ranges of a model's values by one example: arrays by the name of the input."""

    def __init__(self, example):
        self.examples = iter([example])

    def get_next(self):
        return next(self.examples, None)
