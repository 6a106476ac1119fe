"""torchvision's ops on boxes and regions of images."""

import torch

from tests.EndToEnd.aten_cases import F16, F64, Fixed, different, real, run_families, table, tensor

CASES, case = table()

# (image, x1, y1, x2, y2): inside, across the border, tiny, with corners in the wrong order, and all of the image.
REGIONS = tensor(
    [[0, 1.0, 2, 7, 8], [1, -3, 0.4, 5, 20], [0, 3, 3, 3.2, 3.1], [1, 6, 6, 2, 2], [0, -0.5, -0.5, 12, 9]],
    torch.float32,
)


def _regions():
    x = real(2, 3, 9, 11)
    for ratio in (2, 3, 0):
        for aligned in (True, False):
            case("torchvision.roi_align", x, REGIONS, 0.7, 3, 2, ratio, aligned)
    case("torchvision.roi_align", x.double(), REGIONS.double(), 1.0, 1, 1, 1, False)
    case("torchvision.roi_align", x, Fixed(REGIONS[:0]), 1.0, 2, 2, 2, True)
    # The length of a bin is a quotient, whose rounding decides on a pixel; those by 2 and 4 are exact.
    case("torchvision.roi_pool", different(2, 3, 9, 11), REGIONS, 0.7, 4, 2)
    case("torchvision.roi_pool", different(2, 3, 9, 11), REGIONS, 1.0, 2, 2, used=1)

    x, ordered = real(2, 12, 9, 11), REGIONS[[0, 1, 2, 4]]  # regions without an area have no mean
    for ratio in (2, -1):
        case("torchvision.ps_roi_align", x, ordered, 0.7, 3, 2, ratio)
    case("torchvision.ps_roi_pool", x, REGIONS, 0.7, 3, 2)


def _boxes():
    corners = real(12, 2, low=0, high=4)
    boxes = torch.cat([corners, corners + real(12, 2, low=0, high=4)], dim=1)
    for threshold in (0.0, 0.3, 1.0):
        case("torchvision.nms", boxes, different(12), threshold)
    case("torchvision.nms", torch.zeros(3, 4), different(3), 0.5)  # boxes without an area overlap nothing
    case("torchvision.nms", boxes.repeat(2, 1), torch.ones(24), 0.5)  # equal scores stay in order
    case("torchvision.nms", boxes[:1].to(F64), different(1).to(F64), 0.5)


def _convolution():
    x, bias = real(2, 4, 6, 7), Fixed(real(6))
    for strides, pads, dilations, groups, shares, has_mask in (
        ((1, 1), (1, 1), (1, 1), 1, 1, True),
        ((2, 1), (2, 0), (1, 2), 2, 2, True),
        ((1, 2), (1, 1), (1, 1), 2, 1, False),
    ):
        rows = (6 + 2 * pads[0] - (2 * dilations[0] + 1)) // strides[0] + 1
        columns = (7 + 2 * pads[1] - (dilations[1] + 1)) // strides[1] + 1
        weight, offset = Fixed(real(6, 4 // groups, 3, 2)), real(2, shares * 12, rows, columns)
        mask = real(2, shares * 6, rows, columns, low=0, high=1) if has_mask else torch.zeros(2, 1)
        numbers = (*strides, *pads, *dilations, groups, shares, has_mask)
        case("torchvision.deform_conv2d", x, weight, offset, mask, bias, *numbers)
    halves = [t.to(F16) for t in (x, real(6, 4, 1, 1), real(2, 2, 6, 7), real(2, 1, 6, 7), real(6))]
    case(
        "torchvision.deform_conv2d",
        halves[0],
        Fixed(halves[1]),
        *halves[2:4],
        Fixed(halves[4]),
        *[1, 1, 0, 0, 1, 1, 1, 1],
        True,
    )


run_families(_regions, _boxes, _convolution)
