"""Small programs for gradients, and for losses of pairs and margins.

They are part of aten_composite_cases.CASES.
"""

import torch

from tests.EndToEnd.aten_cases import (
    BF16,
    F16,
    F32,
    F64,
    I32,
    INF,
    NAN,
    SPECIAL,
    Fixed,
    flags,
    real,
    run_families,
    table,
    tensor,
    whole,
)

CASES, case = table()


# Borders of piecewise functions, and numbers for which exp overflows.
BORDERS = tensor([0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 3.0, -3.0, 20.5, -20.5, 90.0, -90.0])
PROBABILITIES = tensor([0.0, 1.0, 0.25, 0.75, 0.1, 0.9, 1.5, -0.5])


def _activation():
    for op, arguments in (
        ("gelu", ()),
        ("gelu", ("tanh",)),
        ("hardshrink", (0.5,)),
        ("hardsigmoid", ()),
        ("hardswish", ()),
        ("hardtanh", (-1.0, 1.0)),
        ("leaky_relu", (0.2, False)),
        ("leaky_relu", (0.2, True)),
        ("mish", ()),
        ("sigmoid", ()),
        ("silu", ()),
        ("softplus", (1.0, 20.0)),
        ("softplus", (2.0, 3.0)),
        ("softshrink", (0.5,)),
        ("tanh", ()),
        ("threshold", (0.5,)),
    ):
        name = f"aten.{op}_backward"
        case(name, real(2, 3, 4), real(2, 3, 4), *arguments)
        case(name, real(12), BORDERS, *arguments)
        case(name, real(), real(), *arguments)
        if op != "hardsigmoid":  # PyTorch has 1 / 6 in f32
            case(name, real(7, dtype=F64), real(7, dtype=F64), *arguments)
        case(name, real(16, dtype=BF16), real(16, dtype=BF16), *arguments)
        case(name, real(16, dtype=F16), real(16, dtype=F16), *arguments)
    for op in ("hardswish", "leaky_relu", "sigmoid", "tanh", "threshold"):
        case(f"aten.{op}_backward", real(12), SPECIAL, *{"leaky_relu": (0.2, False), "threshold": (1.0,)}.get(op, ()))
    for op in ("sigmoid", "tanh"):
        case(f"aten.{op}_backward", real(2, 3), real(3))
    for is_result in (False, True):
        case("aten.elu_backward", real(2, 3), 1.0, 1.0, 1.0, is_result, real(2, 3))
        case("aten.elu_backward", real(12), 1.5, 0.7, 2.0, is_result, BORDERS)
        case("aten.elu_backward", real(5, dtype=F64), 1.5, 0.7, 2, is_result, real(5, dtype=F64))
        case("aten.elu_backward", real(16, dtype=BF16), 1.0, 1.0, 1.0, is_result, real(16, dtype=BF16))
    for dtype in (F32, F64, F16, BF16):
        case("aten.log_sigmoid_forward", real(16, dtype=dtype))
        x = real(16, dtype=dtype)
        case("aten.log_sigmoid_backward", real(16, dtype=dtype), x, torch.ops.aten.log_sigmoid_forward(x)[1])
    case("aten.log_sigmoid_forward", BORDERS)
    case("aten.glu_backward", real(2, 3), real(2, 6), 1)
    case("aten.glu_backward", real(2, 3, 2), real(4, 3, 2), -3)
    case("aten.glu_backward", real(2, 3, dtype=F64), real(2, 6, dtype=F64), -1)
    for eps in ((), (None,), (0.2,)):
        case("aten.logit_backward", real(8), PROBABILITIES, *eps)
        case("aten.logit_backward", real(2, 3, dtype=F64), real(2, 3, dtype=F64, low=0.1, high=0.9), *eps)
    case("aten.logit_backward", real(16, dtype=BF16), real(16, dtype=BF16, low=0.1, high=0.9))
    case("aten.logit_backward", tensor([1.0, 2.0, 1.0]), tensor([-0.25, 0.5, 1.25]), -0.5)
    case("aten._prelu_kernel", real(2, 3, 4), real(1, 3, 1))
    case("aten._prelu_kernel", SPECIAL, real(1))
    case("aten._prelu_kernel", real(4, dtype=BF16), real(1, dtype=BF16))
    case("aten._prelu_kernel_backward", real(2, 3, 4), real(2, 3, 4), real(1, 3, 1))
    case("aten._prelu_kernel_backward", real(12), BORDERS, real(1))
    case("aten._prelu_kernel_backward", real(5, dtype=F64), real(5, dtype=F64), real(1, dtype=F64))
    for op in ("rrelu", "rrelu_with_noise", "rrelu_with_noise_functional"):
        noise = () if op == "rrelu" else (real(2, 3),)
        case(f"aten.{op}", real(2, 3), *noise, 0.125, 0.375)
        case(f"aten.{op}", real(2, 3), *noise, 0.1, 0.5, False)
    case("aten.rrelu", SPECIAL, 0.125, 0.375)
    for training in (False, True):
        case("aten.rrelu_with_noise_backward", real(2, 3), real(2, 3), real(2, 3), 0.1, 0.5, training, False)


def _softmax():
    for op, function in (("_softmax", torch.softmax), ("_log_softmax", torch.log_softmax)):
        for dtype in (F32, F64, BF16):
            y = function(real(2, 3, 4, dtype=dtype), 1)
            case(f"aten.{op}_backward_data", real(2, 3, 4, dtype=dtype), y, 1, dtype)
        case(f"aten.{op}_backward_data", real(5), function(real(5), 0), -1, F32)
        case(f"aten.{op}_backward_data", real(), function(real(), 0), 0, F32)
    case("aten._safe_softmax", real(2, 3, 4), 1)
    case("aten._safe_softmax", tensor([[1.0, 2.0], [-INF, -INF], [NAN, 1.0], [-INF, 1.0]]), -1)
    case("aten._safe_softmax", real(2, 3, dtype=F16), 0)
    case("aten._safe_softmax", real(2, 3, dtype=BF16), 1, F32)
    case("aten.native_dropout_backward", real(2, 3), flags(2, 3), 2.0)
    case("aten.native_dropout_backward", real(4, dtype=BF16), flags(4), 1.25)
    for dtype in (F32, F64):
        for v, g, dim in ((real(3, 4, 2, dtype=dtype), real(3, 1, 1, dtype=dtype), 0), (real(3, 4), real(1, 4), 1)):
            case("aten._weight_norm_interface", v, g, dim)
            weight, lengths = torch.ops.aten._weight_norm_interface(v, g, dim)
            gradient = real(*weight.shape, dtype=v.dtype)
            case("aten._weight_norm_interface_backward", gradient, v, g, lengths, dim)
    case("aten.native_dropout_backward", whole(2, 3), flags(2, 3), 1.25)
    case("aten.native_dropout_backward", flags(4), flags(4), 2.0)


def _loss():
    odds, labels = real(3, 4, low=0.05, high=0.95), real(3, 4, low=0, high=1)
    signs = flags(3, 4).float() * 2 - 1
    for reduction in (0, 1, 2):
        for dtype in (F32, F64):
            g, x, t = (real(*sizes, dtype=dtype) for sizes in ((3, 4) if reduction == 0 else (), (3, 4), (3, 4)))
            case("aten.mse_loss_backward", g, x, t, reduction)
            case("aten.smooth_l1_loss_backward", g, x, t, reduction, 0.7)
            case("aten.huber_loss_backward", g, x, t, reduction, 0.7)
            case("aten.soft_margin_loss_backward", g, x, signs.to(dtype), reduction)
            case("aten.binary_cross_entropy_backward", g, odds.to(dtype), labels.to(dtype), None, reduction)
        g = real(3, 4) if reduction == 0 else real()
        case("aten.binary_cross_entropy_backward", g, odds, labels, real(3, 4, low=0), reduction)
    case("aten.binary_cross_entropy_backward", real(3), tensor([0.0, 1.0, 1e-20]), tensor([0.5, 0.5, 1.0]), None, 0)
    case("aten.mse_loss_backward", real(2, 3), real(2, 3), real(3), 0)
    case("aten.smooth_l1_loss_backward", real(3), tensor([0.5, -0.5, 0.0]), tensor([0.0, 0.0, 0.0]), 0, 0.5)


def _loss_of_classes():
    weight = real(4, low=0.5, high=2)
    for reduction in (0, 1, 2):
        for name, x, target, ignored in (
            ("nll_loss", real(5, 4), tensor([0, 3, -100, 1, 1]), -100),
            ("nll_loss", real(5, 4), tensor([0, 3, 2, 1, 1]), 1),
            ("nll_loss", real(4), tensor(2), -100),
            ("nll_loss2d", real(2, 4, 3, 2), whole(2, 3, 2, low=0, high=4), 2),
        ):
            for weights in (None, weight):
                arguments = (target, weights, reduction, ignored)
                case(f"aten.{name}_forward", x, *arguments)
                y, total = getattr(torch.ops.aten, f"{name}_forward")(x, *arguments)
                case(f"aten.{name}_backward", real(*y.shape), x, *arguments, total)


def _margin():
    x, y, z = real(3, 4), real(3, 4), real(3, 4)
    for reduction in (0, 1, 2):
        for full in (False, True):
            case("aten.poisson_nll_loss", x, real(3, 4, low=0, high=4), True, full, 1e-8, reduction)
            case("aten.poisson_nll_loss", real(3, 4, low=0.1), real(4, low=0, high=4), False, full, 1e-8, reduction)
        case("aten.hinge_embedding_loss", x, tensor([1.0, -1.0, 0.0, 1.0]), 1.5, reduction)
        case("aten.hinge_embedding_loss", x, tensor([1, -1, -1, 1]), 1.5, reduction)
        case("aten.margin_ranking_loss", x, y, tensor([1.0, -1.0, 1.0, -1.0]), 0.3, reduction)
        case("aten.margin_ranking_loss", x, real(3, 1), tensor(-1), 0.3, reduction)
        case("aten.cosine_embedding_loss", x, y, tensor([1, -1, 1]), 0.2, reduction)
        case("aten.cosine_embedding_loss", x, y, tensor([1.0, 0.0, -1.0]), -0.5, reduction)
        case("aten.cosine_embedding_loss", real(4), real(4), tensor(-1), 0.0, reduction)
        for p in (1.0, 2.0, 3.0):
            case("aten.triplet_margin_loss", x, y, z, 0.7, p, 1e-6, False, reduction)
        case("aten.triplet_margin_loss", x, y, z, 0.7, 2.0, 1e-6, True, reduction)
        for scores, *arguments in (
            (x, tensor([0, 3, 1]), 1, 0.8, None),
            (x, tensor([0, 3, 1]), 2, 0.8, None),
            (x, tensor([0, 3, 1]), 1, 0.8, real(4, low=0.5)),
            (real(4), tensor(2), 1, 1.0, None),
        ):
            case("aten.multi_margin_loss", scores, *arguments, reduction)
            g = real(3) if reduction == 0 and scores.ndim == 2 else real()
            case("aten.multi_margin_loss_backward", g, scores, *arguments, reduction)
        for scores, labels in (
            (x, tensor([[3, 0, -1, 1], [-1, 2, 2, 2], [0, 1, 2, 3]])),
            (x, tensor([[2, 2, -1, 1], [0, -1, 1, 1], [0, 1, -1, 3]])),
            (real(4), tensor([1, 2, -1, 0])),
        ):
            case("aten.multilabel_margin_loss", scores, labels, reduction)
            case("aten.multilabel_margin_loss_forward", scores, labels, reduction)
            loss, marks = torch.ops.aten.multilabel_margin_loss_forward(scores, labels, reduction)
            case("aten.multilabel_margin_loss_backward", real(*loss.shape), scores, labels, reduction, marks)
    case("aten.poisson_nll_loss", real(4, dtype=F64), real(4, dtype=F64, low=0, high=4), True, True, 1e-8, 1)
    case("aten.cosine_embedding_loss", real(2, 4, dtype=F64), real(2, 4, dtype=F64), tensor([1, -1], I32))
    case("aten.pairwise_distance", x, y)
    case("aten.pairwise_distance", x, real(4), 1.0, 1e-6, True)
    case("aten.pairwise_distance", real(2, 1, 4), x, 3.0)
    case("aten.pairwise_distance", real(4, dtype=F64), real(4, dtype=F64))
    case("aten.triplet_margin_loss", *[torch.zeros(1000, 2, dtype=F16)] * 3, 100.0)
    # A single sample or class, with and without a dim.
    case("aten.multi_margin_loss", real(3), tensor([1]), 1, 1.0, None, 0)
    case("aten.multi_margin_loss_backward", real(1), real(3), tensor([1]), 1, 1.0, None, 0)
    case("aten.multi_margin_loss", tensor(1.0), tensor(0))
    case("aten.multilabel_margin_loss_forward", tensor(1.0), tensor(0), 1)
    # Integers.
    x, y = tensor([[1, 2, 3], [4, 1, 6]]), tensor([[2, 2, 5], [1, 1, 1]])
    case("aten.poisson_nll_loss", x, y, True, True, 1e-8, 1)
    case("aten.cosine_embedding_loss", x, y, tensor([1, -1]), 0.5)
    x, y = tensor([1700000001, 3]), tensor([1700000000, 5])
    case("aten.margin_ranking_loss", x, y, tensor([1, -1]), 0.5)
    case("aten.pairwise_distance", x, y)


def _pooling_of_three_dims():
    x = real(2, 3, 5, 6, 7, low=-1, high=1)
    for sizes in ((2, 3, 4), (1, 6, 2)):
        case("aten._adaptive_avg_pool3d_backward", Fixed(real(3, *sizes)), Fixed(real(3, 4, 6, 8)))
    for window in (
        ([2, 3, 2], [], [0], False, True, None),
        ([3, 2, 3], [2], [1], True, False, None),
        ([2, 2, 2], [3, 1, 3], [0], False, True, 5),
    ):
        y = torch.ops.aten.avg_pool3d(x, *window)
        case("aten.avg_pool3d_backward", real(*y.shape), x, *window)
    for window in (([2, 2, 2], [], [0], [1], False), ([3, 2, 2], [2], [1], [1, 1, 2], True)):
        y, places = torch.ops.aten.max_pool3d_with_indices(x, *window)
        case("aten.max_pool3d_with_indices_backward", real(*y.shape), x, *window, places)
    y, places = torch.ops.aten.adaptive_max_pool3d(x, [2, 4, 3])
    case("aten.adaptive_max_pool3d_backward", real(*y.shape), x, places)
    y, places = torch.ops.aten.adaptive_max_pool2d(x[0, 0], [4, 3])
    case("aten.adaptive_max_pool2d_backward", real(*y.shape), x[0, 0], places)


def _padding():
    for dims, pads, sizes in (
        (1, [2, 1], (2, 5)),
        (2, [1, 2, 0, 2], (2, 3, 4, 5)),
        (2, [-1, 2, 1, -1], (3, 4, 5)),
        (3, [1, 0, 2, 1, 0, 1], (2, 3, 4, 5)),
    ):
        x = real(*sizes)
        for mode in ("reflection", "replication"):
            name = f"{mode}_pad{dims}d"
            y = getattr(torch.ops.aten, name)(x, pads)
            case(f"aten.{name}_backward", real(*y.shape), x, pads)


def _distances():
    x, y = tensor([[1.0, 2.0], [1.0, -3.0], [0.0, 2.0]]), tensor([[1.0, 2.0], [4.0, -3.0]])
    for p in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, INF):
        distances = torch.ops.aten._cdist_forward(x, y, p, None)
        case("aten._cdist_backward", real(3, 2), x, y, p, distances)
        rows = Fixed(real(4, 3))
        distances = torch.ops.aten._pdist_forward(rows.tensor, p)
        case("aten._pdist_backward", real(6), rows, p, distances)
        x2, y2 = tensor([[1.0, INF, 3.0], [NAN, 2.0, 2.0]]), tensor([[1.0, 0.0, 0.0], [5.0, 2.0, 1.0]])
        distances = torch.ops.aten._cdist_forward(x2, y2, p, None)
        case("aten._cdist_backward", real(2, 2), x2, y2, p, distances)
    x, y = real(2, 3, 4), real(2, 5, 4)
    case("aten._cdist_backward", real(2, 3, 5), x, y, 2.0, torch.cdist(x, y))
    y = real(3, 1, 5, 4)
    case("aten._cdist_backward", real(3, 2, 3, 5), x, y, 2.0, torch.cdist(x, y))
    case("aten._cdist_backward", real(3, 2, 5, 3), y, x, 1.0, torch.cdist(y, x, p=1.0))


def _norms():
    x, weight, statistics = real(4, 3, 5), real(3), (real(3), real(3, low=0.1))
    _, *saved = torch.ops.aten.native_batch_norm(x, None, None, None, None, True, 0.1, 1e-5)
    masks = [True, True, True]
    case("aten.native_batch_norm_backward", real(4, 3, 5), x, weight, *statistics, *saved, True, 1e-5, masks)
    case("aten.native_batch_norm_backward", real(4, 3, 5), x, None, None, None, *saved, True, 1e-5, masks)
    case("aten.native_batch_norm_backward", real(4, 3, 5), x, weight, *statistics, *saved, False, 1e-3, masks)
    x, g = real(4, 3, 5, dtype=BF16), real(4, 3, 5, dtype=BF16)
    case("aten.native_batch_norm_backward", g, x, weight, *statistics, *saved, True, 1e-5, masks)


def _layers():
    case("aten.masked_scatter_backward", real(2, 3), flags(2, 3), [8])
    case("aten.masked_scatter_backward", real(2, 3), flags(3), [2, 4])
    for sizes in ((2, 6), (3, 4)):
        case("aten._adaptive_avg_pool2d_backward", Fixed(real(2, 3, *sizes)), Fixed(real(2, 3, 6, 8)))
    x = real(2, 3, 6, 7, low=-1, high=1)
    for window in (
        ([2, 3], [], [0], False, True, None),
        ([3, 2], [2], [1], True, True, None),
        ([3, 2], [2], [1], True, False, None),
        ([2, 2], [3, 3], [0], False, True, 5),
    ):
        y = torch.ops.aten.avg_pool2d(x, *window)
        case("aten.avg_pool2d_backward", real(*y.shape), x, *window)
    for window in (([2, 2], [], [0], [1], False), ([3, 2], [2], [1], [1, 2], True)):
        y, places = torch.ops.aten.max_pool2d_with_indices(x, *window)
        case("aten.max_pool2d_with_indices_backward", real(*y.shape), x, *window, places)
    for filters, *window in (
        ((4, 3, 3, 2), [1, 1], [0, 0], [1, 1], False, [0, 0], 1),
        ((4, 3, 3, 2), [2, 3], [1, 2], [1, 2], False, [0, 0], 1),
        ((6, 1, 2, 2), [2, 2], [0, 1], [2, 1], False, [0, 0], 3),
        ((3, 4, 3, 2), [2, 3], [1, 0], [1, 2], True, [1, 2], 1),
        ((3, 2, 3, 2), [2, 1], [1, 0], [1, 2], True, [0, 1], 3),
    ):
        weight = Fixed(real(*filters, low=-1, high=1))
        y = torch.ops.aten.convolution(x, weight.tensor, None, *window)
        masks = [True, True, True]
        case("aten.convolution_backward", real(*y.shape, low=-1, high=1), x, weight, [y.shape[1]], *window, masks)
    index = whole(2, 3, low=0, high=5)
    for padding, scaled in ((-1, False), (2, False), (2, True)):
        case("aten.embedding_dense_backward", real(2, 3, 4), index, 5, padding, scaled)
    _embedding_bags()
    x, weight, masks = real(2, 6, 5), Fixed(real(6)), [True, True, True]
    _, *statistics = torch.ops.aten.native_group_norm(x, None, None, 2, 6, 5, 3, 1e-5)
    first = [True, False, False]
    case("aten.native_group_norm_backward", real(2, 6, 5), x, *statistics, weight, 2, 6, 5, 3, masks)
    case("aten.native_group_norm_backward", real(2, 6, 5), x, *statistics, None, 2, 6, 5, 3, first, used=1)
    for shape in ([5], [6, 5]):
        weight, bias = Fixed(real(*shape)), Fixed(real(*shape))
        _, *statistics = torch.ops.aten.native_layer_norm(x, shape, None, None, 1e-5)
        case("aten.native_layer_norm_backward", real(2, 6, 5), x, shape, *statistics, weight, bias, masks)
        case("aten.native_layer_norm_backward", real(2, 6, 5), x, shape, *statistics, None, None, first, used=1)
    # One number for all dims.
    x, weight, window = real(2, 3, 6, 7), Fixed(real(4, 3, 3, 2)), ([2], [1], [1], False, [0], 1)
    y = torch.ops.aten.convolution(x, weight.tensor, None, *window)
    case("aten.convolution_backward", real(*y.shape), x, weight, [4], *window, masks)
    # A window beyond the input.
    for counts in (True, False):
        window = [40000, 50000], [], [1, 2], True, counts, None
        case("aten.avg_pool2d_backward", Fixed(real(2, 3, 1, 1)), Fixed(x.clone()), *window)


def _embedding_bags():
    table, indices, offsets = Fixed(real(7, 4)), tensor([1, 3, 3, 2, 0, 3]), tensor([0, 2, 2, 5])
    gradient, weights = real(4, 4), real(6)
    for mode, scaled, weighted, padding in (
        (0, False, None, -1),
        (0, True, None, 3),
        (0, False, weights, -1),
        (1, False, None, -1),
        (1, True, None, 3),
        (2, False, None, -1),
        (2, False, None, 3),
    ):
        bags = [table.tensor, indices, offsets, scaled, mode, False, weighted, False, padding]
        _, bag_of_each, *rest = torch.ops.aten._embedding_bag(*bags)
        case(
            "aten._embedding_bag_backward",
            *(gradient, indices, offsets, bag_of_each, *rest, 7, scaled, mode, False, weighted, padding),
        )
        if len(bag_of_each):  # PyTorch has computed it
            case(
                "aten._embedding_bag_dense_backward",
                *(gradient, indices, bag_of_each, *rest, 7, scaled, mode, weighted, padding),
            )
    for padding in (-1, 3):
        case(
            "aten._embedding_bag_per_sample_weights_backward",
            *(gradient, table, indices, offsets, tensor([0, 0, 2, 2, 2, 3]), 0, padding),
        )


def _resampling():
    for op in ("upsample_nearest", "_upsample_nearest_exact"):
        case(f"aten.{op}1d_backward", real(2, 3, 8), [8], [2, 3, 5])
        case(f"aten.{op}1d_backward", real(2, 3, 11), [11], [2, 3, 5], 2.3)
        case(f"aten.{op}2d_backward", real(1, 2, 7, 3), [7, 3], [1, 2, 4, 5])
        case(f"aten.{op}3d_backward", real(1, 2, 5, 3, 4), [5, 3, 4], [1, 2, 3, 4, 2])
    case("aten.upsample_nearest2d_backward", real(1, 2, 6, 8, dtype=F64), [6, 8], [1, 2, 3, 3], 2.0, 2.7)
    case("aten.upsample_nearest2d_backward", real(1, 2, 6, 8, dtype=BF16), [6, 8], [1, 2, 3, 4])
    # Factors that some kernels ignore, because a size stays or doubles.
    case("aten.upsample_nearest2d_backward", real(1, 2, 8, 5), [8, 5], [1, 2, 4, 5], 2.1, 1.1)
    for op in ("upsample_bicubic2d", "upsample_bilinear2d", "_upsample_bicubic2d_aa", "_upsample_bilinear2d_aa"):
        for size in (5, 6):
            g = Fixed(real(1, 2, 4, size, low=1))
            case(f"aten.{op}_backward", g, [4, size], [1, 2, 4, 5], False, 1.1, 1.3)
    interpolations = ("upsample_bicubic2d", "upsample_bilinear2d", "_upsample_bicubic2d_aa", "_upsample_bilinear2d_aa")
    g = real(2, 3, 7, 3, low=1)  # of one sign: cubic weights have both signs, and sums could cancel
    for aligned in (False, True):
        case("aten.upsample_linear1d_backward", real(2, 3, 8), [8], [2, 3, 5], aligned)
        case("aten.upsample_trilinear3d_backward", real(1, 2, 5, 3, 4), [5, 3, 4], [1, 2, 3, 4, 2], aligned)
        for op in interpolations:
            case(f"aten.{op}_backward", g, [7, 3], [2, 3, 4, 5], aligned)
    for op in interpolations:
        case(f"aten.{op}_backward", g, [7, 3], [2, 3, 4, 5], False, 1.8, 0.7)
        case(f"aten.{op}_backward", Fixed(real(1, 2, 2, 6, dtype=F64, low=1)), [2, 6], [1, 2, 4, 6], False)
    case("aten.upsample_bilinear2d_backward", real(1, 2, 6, 8, dtype=BF16, low=1), [6, 8], [1, 2, 3, 4], False)


def _grid_sampler():
    # Modes 0 to 2 are bilinear, nearest and bicubic; paddings are zeros, border and reflection.
    x, g, grid, masks = real(2, 3, 4, 5), real(2, 3, 3, 2), real(2, 3, 2, 2, low=-1.6, high=1.6), [True, True]
    for modes in ((0, 0, False), (0, 1, False), (0, 2, True), (1, 1, False), (2, 0, False), (2, 2, True)):
        case("aten.grid_sampler_2d_backward", g, x, grid, *modes, masks)
    case("aten.grid_sampler_2d_backward", g, x, grid, 0, 2, False, [True, False], used=1)
    ends = tensor([-1.0, 1.0, 0.0, -1.0]).reshape(1, 2, 1, 2)  # where PyTorch takes the derivative outside
    for padding in (1, 2):
        case("aten.grid_sampler_2d_backward", real(1, 2, 2, 1), real(1, 2, 3, 5), ends, 0, padding, True, masks)
    case("aten.grid_sampler_2d_backward", *(each.to(F64) for each in (g, x, grid)), 0, 0, True, masks)
    x, g, grid = real(2, 2, 3, 4, 2), real(2, 2, 2, 3, 1), real(2, 2, 3, 1, 3, low=-1.6, high=1.6)
    for modes in ((0, 0, False), (0, 2, True), (1, 1, False)):
        case("aten.grid_sampler_3d_backward", g, x, grid, *modes, masks)


def _views():
    case("aten.slice_backward", real(2, 2), [5, 2], 0, 1, 3, 1)
    case("aten.slice_backward", real(2, 2, 3), [2, 7, 3], -2, -6, 100, 3)
    case("aten.slice_backward", real(0, 2), [5, 2], 0, 4, 2, 1)
    case("aten.slice_backward", whole(3), [3], 0, 0, 9223372036854775807, 1)
    for index in (0, 2, -1):
        case("aten.select_backward", real(2, 4), [2, 3, 4], 1, index)
    case("aten.select_backward", real(), [5], 0, 3)
    case("aten.diagonal_backward", real(3), [3, 4], 1, 0, 1)
    case("aten.diagonal_backward", real(2, 3), [3, 2, 4], 0, 0, 2)
    case("aten.diagonal_backward", real(4, 2, dtype=BF16), [2, 3, 4], -1, -2, 0)


run_families(
    _layers,
    _pooling_of_three_dims,
    _padding,
    _distances,
    _norms,
    _activation,
    _softmax,
    _loss,
    _loss_of_classes,
    _margin,
    _resampling,
    _grid_sampler,
    _views,
)
