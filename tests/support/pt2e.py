"""Programs that PyTorch's PT2E quantizes."""

import torch
from torchao.quantization.pt2e import move_exported_model_to_eval
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e, prepare_qat_pt2e


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


def trained_program(module, example, quantizer, examples):
    """Returns the exported program of a module that PT2E quantizes after fake quantization while training.

    Args:
      module: of any kind; it is trained to have small results.
      example: a tensor, the module's argument.
      quantizer: of torchao, for training.
      examples: tensors to train with, one step each.
    """
    graph = torch.export.export(module.train(), (example,), strict=True).module()
    prepared = prepare_qat_pt2e(graph, quantizer)
    optimizer = torch.optim.SGD(prepared.parameters(), lr=1e-4)
    for each in examples:
        optimizer.zero_grad()
        prepared(each).square().mean().backward()
        optimizer.step()
    converted = convert_pt2e(move_exported_model_to_eval(prepared))
    return torch.export.export(converted, (example,), strict=True)
