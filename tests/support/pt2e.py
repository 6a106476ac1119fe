"""Programs that PyTorch's PT2E quantizes."""

import torch
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e


def quantized_program(module, example, quantizer, calibration):
    """Returns the exported program of a module that PT2E quantizes.

    Args:
      module: in evaluation.
      example: a tensor, the module's argument.
      quantizer: of torchao.
      calibration: tensors that give the ranges.
    """
    graph = torch.export.export(module, (example,), strict=True).module()
    prepared = prepare_pt2e(graph, quantizer)
    for each in calibration:
        prepared(each)
    return torch.export.export(convert_pt2e(prepared), (example,), strict=True)
