"""The signatures of torchvision's ops, as torchvision/csrc/ops states them for the dispatcher.

torchvision's wheels of the package index load only beside a PyTorch for CUDA. So this file defines the ops where its
library is absent.
"""

import torch

_REGIONS = "Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width"
SIGNATURES = [
    "deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, SymInt stride_h, SymInt stride_w,"
    " SymInt pad_h, SymInt pad_w, SymInt dilation_h, SymInt dilation_w, SymInt groups, SymInt offset_groups,"
    " bool use_mask) -> Tensor",
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    f"ps_roi_align({_REGIONS}, int sampling_ratio) -> (Tensor, Tensor)",
    f"ps_roi_pool({_REGIONS}) -> (Tensor, Tensor)",
    f"roi_align({_REGIONS}, int sampling_ratio, bool aligned) -> Tensor",
    f"roi_pool({_REGIONS}) -> (Tensor, Tensor)",
]


def define():
    """Defines the ops for the life of the process. Returns their library."""
    library = torch.library.Library("torchvision", "DEF")
    for signature in SIGNATURES:
        library.define(signature)
    return library
