"""torchvision's ops, an element at a time, as the reference where torchvision's own library does not load.

Importing this module defines the ops for the dispatcher.
"""

import math

import torch

from tools.generators import torchvision_schemas


def _between(image, y, x):
    """The element of an image [H, W] at (y, x), interpolated; one outside counts as 0."""
    height, width = image.shape
    top, left = math.floor(y), math.floor(x)
    total = 0.0
    for row, row_share in ((top, top + 1 - y), (top + 1, y - top)):
        for column, column_share in ((left, left + 1 - x), (left + 1, x - left)):
            if 0 <= row < height and 0 <= column < width:
                total += row_share * column_share * image[row, column].item()
    return total


def _near(image, y, x):
    """The same, but a place up to a pixel outside has the element at the border."""
    height, width = image.shape
    if not (-1 <= y <= height and -1 <= x <= width):
        return 0.0
    return _between(image, min(max(y, 0), height - 1), min(max(x, 0), width - 1))


def _points(begin, length, bins, ratio):
    """The positions of the points in each bin of a region."""
    bin_length = length / bins
    count = ratio if ratio > 0 else math.ceil(bin_length)
    return [[begin + bin_length * (i + (s + 0.5) / count) for s in range(count)] for i in range(bins)]


def _aligned(input, rois, height, width, regions, channel_of):
    """Means of interpolated points: [region, channel, bin of rows, bin of columns]."""
    channels = input.shape[1] if channel_of is None else input.shape[1] // (height * width)
    result = torch.zeros(len(rois), channels, height, width, dtype=input.dtype)
    for number, (image, (rows, columns)) in enumerate(regions):
        for c in range(channels):
            for i in range(height):
                for j in range(width):
                    plane = input[image, c if channel_of is None else channel_of(c, i, j)]
                    values = [_near(plane, y, x) for y in rows[i] for x in columns[j]]
                    empty = math.nan if channel_of else 0.0
                    result[number, c, i, j] = sum(values) / len(values) if values else empty
    return result


def roi_align(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned):
    def region(roi):
        image, x1, y1, x2, y2 = roi
        lines = []
        for low, high, bins in ((y1, y2, pooled_height), (x1, x2, pooled_width)):
            low, high = low * spatial_scale, high * spatial_scale
            length = high - low if aligned else max(high - low, 1.0)
            lines.append(_points(low - 0.5 if aligned else low, length, bins, sampling_ratio))
        return int(image), lines

    regions = [region(roi) for roi in rois.tolist()]
    return _aligned(input, rois, pooled_height, pooled_width, regions, None)


def _channel_mapping(rois, channels, height, width):
    numbers = torch.arange(channels * height * width, dtype=torch.int32)
    return numbers.reshape(1, channels, height, width).repeat(len(rois), 1, 1, 1)


def ps_roi_align(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio):
    def region(roi):
        image, x1, y1, x2, y2 = roi
        lines = []
        for low, high, bins in ((y1, y2, pooled_height), (x1, x2, pooled_width)):
            low, high = low * spatial_scale - 0.5, high * spatial_scale - 0.5
            lines.append(_points(low, high - low, bins, sampling_ratio))
        return int(image), lines

    def channel_of(c, i, j):
        return (c * pooled_height + i) * pooled_width + j

    regions = [region(roi) for roi in rois.tolist()]
    result = _aligned(input, rois, pooled_height, pooled_width, regions, channel_of)
    return result, _channel_mapping(rois, result.shape[1], pooled_height, pooled_width)


def _scaled(rois, spatial_scale):
    """The image and the corners of each region, multiplied in the dtype of the regions."""
    return zip(rois[:, 0].tolist(), (rois[:, 1:] * spatial_scale).tolist())


def _nearest(x):
    return math.floor(abs(x) + 0.5) * (1 if x >= 0 else -1)


def _pixels(first, length, bins, last):
    """The pixels of each bin."""
    size = length / bins
    bounds = [(first + math.floor(i * size), first + math.ceil((i + 1) * size)) for i in range(bins)]
    return [range(min(max(low, 0), last), min(max(high, 0), last)) for low, high in bounds]


def roi_pool(input, rois, spatial_scale, pooled_height, pooled_width):
    height, width = input.shape[2:]
    sizes = (len(rois), input.shape[1], pooled_height, pooled_width)
    result, places = torch.zeros(sizes, dtype=input.dtype), torch.full(sizes, -1, dtype=torch.int32)
    for number, (image, corners) in enumerate(_scaled(rois, spatial_scale)):
        x1, y1, x2, y2 = map(_nearest, corners)
        rows = _pixels(y1, max(y2 - y1 + 1, 1), pooled_height, height)
        columns = _pixels(x1, max(x2 - x1 + 1, 1), pooled_width, width)
        for c in range(input.shape[1]):
            for i, inside in enumerate(rows):
                for j, across in enumerate(columns):
                    pixels = [y * width + x for y in inside for x in across]
                    if pixels:
                        flat = input[int(image), c].reshape(-1)
                        best = max(pixels, key=lambda pixel: flat[pixel].item())
                        result[number, c, i, j], places[number, c, i, j] = flat[best], best
    return result, places


def ps_roi_pool(input, rois, spatial_scale, pooled_height, pooled_width):
    height, width = input.shape[2:]
    channels = input.shape[1] // (pooled_height * pooled_width)
    result = torch.zeros(len(rois), channels, pooled_height, pooled_width, dtype=input.dtype)
    for number, (image, corners) in enumerate(_scaled(rois, spatial_scale)):
        x1, y1, x2, y2 = map(_nearest, corners)
        rows = _pixels(y1, max(y2 - y1, 1), pooled_height, height - 1)
        columns = _pixels(x1, max(x2 - x1, 1), pooled_width, width - 1)
        for c in range(channels):
            for i, inside in enumerate(rows):
                for j, across in enumerate(columns):
                    plane = input[int(image), (c * pooled_height + i) * pooled_width + j]
                    values = [plane[y, x].item() for y in inside for x in across]
                    result[number, c, i, j] = sum(values) / len(values) if values else 0
    return result, _channel_mapping(rois, channels, pooled_height, pooled_width)


def nms(dets, scores, iou_threshold):
    def overlap(a, b):
        sides = [max(0.0, min(a[d + 2], b[d + 2]) - max(a[d], b[d])) for d in (0, 1)]
        both = sides[0] * sides[1]
        areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (a, b)]
        union = sum(areas) - both
        return both / union if union else 0.0

    boxes, kept = dets.tolist(), []
    for number in scores.sort(stable=True, descending=True).indices.tolist():
        if all(overlap(boxes[number], boxes[other]) <= iou_threshold for other in kept):
            kept.append(number)
    return torch.tensor(kept, dtype=torch.int64)


def deform_conv2d(
    input,
    weight,
    offset,
    mask,
    bias,
    stride_h,
    stride_w,
    pad_h,
    pad_w,
    dilation_h,
    dilation_w,
    groups,
    offset_groups,
    use_mask,
):
    kernel_h, kernel_w = weight.shape[2:]
    batch, _, rows, columns = offset.shape
    outputs, per_group = weight.shape[0] // groups, weight.shape[1]
    share = input.shape[1] // offset_groups
    result = torch.zeros(batch, weight.shape[0], rows, columns, dtype=input.dtype)
    for n, o, i, j in (
        (n, o, i, j) for n in range(batch) for o in range(len(weight)) for i in range(rows) for j in range(columns)
    ):
        total = bias[o].item()
        for c in range(per_group):
            channel = o // outputs * per_group + c
            for tap in range(kernel_h * kernel_w):
                place = channel // share * kernel_h * kernel_w + tap
                ky, kx = divmod(tap, kernel_w)
                y = i * stride_h - pad_h + ky * dilation_h + offset[n, 2 * place, i, j].item()
                x = j * stride_w - pad_w + kx * dilation_w + offset[n, 2 * place + 1, i, j].item()
                value = _between(input[n, channel], y, x) * weight[o, c, ky, kx].item()
                total += value * (mask[n, place, i, j].item() if use_mask else 1)
        result[n, o, i, j] = total
    return result


_LIBRARY = torchvision_schemas.define()
for _kernel in (deform_conv2d, nms, ps_roi_align, ps_roi_pool, roi_align, roi_pool):
    _LIBRARY.impl(_kernel.__name__, _kernel, "CPU")
