"""Nodes of ai.onnx.ml, as exporters of scikit-learn, XGBoost and LightGBM write them, and modes that they do not use."""

import dataclasses

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from tests.EndToEnd.onnxruntime_cases import Case, floats

DOMAIN = "ai.onnx.ml"
LABELS = {"label": TensorProto.INT64}

# The newest version that onnxruntime has, but for the ops that version 5 withdrew.
NEWEST, BEFORE_TREE_ENSEMBLE = 5, 3

X = floats(6, 3)
CODES = np.array([[3, 5, 8], [-1, 3, 4]])
MISSING = np.where(np.arange(18).reshape(6, 3) % 4, X, np.nan).astype(np.float32)
TRANSFORMS = ["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"]


def case(op, name, *inputs, outputs=("y",), dtypes=None, opset=BEFORE_TREE_ENSEMBLE, **attributes):
    return Case(op, name, list(inputs), attributes, outputs, dtypes or {}, domain=DOMAIN, domain_opset=opset)


def classifier(op, name, *inputs, **attributes):
    return case(op, name, *inputs, outputs=("label", "scores"), dtypes=LABELS, **attributes)


# ---- Linear models and support vector machines ----------------------------------------------------------------------------


def numbers(count):
    return [float(number) for number in np.random.default_rng(1).standard_normal(count)]


def linear_classifier(name, rows, labels=(3, 7, 9), x=X, **attributes):
    attributes |= {"coefficients": numbers(3 * rows), "intercepts": numbers(rows)}
    if labels:
        attributes["classlabels_ints"] = list(labels[: max(rows, 2)])
    return classifier("LinearClassifier", name, x, **attributes)


def linear_regressor(name, targets=1, x=X, **attributes):
    attributes |= {"coefficients": numbers(3 * targets), "intercepts": numbers(targets), "targets": targets}
    return case("LinearRegressor", name, x, **attributes)


def svm_classifier(name, classes, kernel="RBF", probabilities=False, labels=None, **attributes):
    """A classifier with two support vectors for each class."""
    pairs = classes * (classes - 1) // 2
    attributes |= {
        "classlabels_ints": [3, 7, 9, 2][:classes],
        "coefficients": numbers(2 * classes * (classes - 1)),
        "kernel_params": [0.5, 0.25, 2.0],
        "kernel_type": kernel,
        "rho": numbers(pairs),
        "support_vectors": numbers(6 * classes),
        "vectors_per_class": [2] * classes,
    }
    if probabilities:
        attributes |= {"prob_a": [-1.5, -1.0, -0.75, -1.25, -0.5, -2.0][:pairs], "prob_b": numbers(pairs)}
    return classifier("SVMClassifier", name, X, **attributes)


def svm_regressor(name, kernel="RBF", vectors=4, **attributes):
    attributes |= {"kernel_params": [0.5, 0.25, 2.0], "kernel_type": kernel, "rho": [0.125], "n_supports": vectors}
    attributes["coefficients"] = numbers(vectors or 3)
    if vectors:
        attributes["support_vectors"] = numbers(3 * vectors)
    return case("SVMRegressor", name, X, **attributes)


# ---- Trees ----------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Split:
    """A node that leads to `yes` if a feature compares with the threshold, else to `no`; a leaf is {target: weight}."""

    mode: str
    feature: int
    threshold: float
    yes: object
    no: object
    missing: bool = False


def node_lists(trees):
    """The attributes of TreeEnsembleRegressor-3 that describe the trees, and the votes (tree, node, target, weight)."""
    nodes, votes = [], []

    def add(tree, place, node):
        """Adds a node and those below it; returns the next free id."""
        if isinstance(node, dict):
            nodes.append((tree, place, 0, "LEAF", 0.0, 0, 0, 0))
            votes.extend((tree, place, target, weight) for target, weight in node.items())
            return place + 1
        at = len(nodes)
        nodes.append(None)
        other = add(tree, place + 1, node.yes)
        end = add(tree, other, node.no)
        mode = f"BRANCH_{node.mode}"
        nodes[at] = (tree, place, node.feature, mode, node.threshold, place + 1, other, int(node.missing))
        return end

    for tree, root in enumerate(trees):
        add(tree, 0, root)
    names = ["treeids", "nodeids", "featureids", "modes", "values", "truenodeids", "falsenodeids"]
    columns = dict(zip([*names, "missing_value_tracks_true"], map(list, zip(*nodes)), strict=True))
    if not any(columns["missing_value_tracks_true"]):
        del columns["missing_value_tracks_true"]
    return {f"nodes_{name}": column for name, column in columns.items()}, votes


def vote_lists(votes, prefix):
    names = ["treeids", "nodeids", "ids", "weights"]
    return {f"{prefix}_{name}": list(column) for name, column in zip(names, zip(*votes, strict=True), strict=True)}


def regressor(name, trees, x=X, **attributes):
    nodes, votes = node_lists(trees)
    targets = 1 + max(vote[2] for vote in votes)
    attributes = {"n_targets": targets} | nodes | vote_lists(votes, "target") | attributes
    return case("TreeEnsembleRegressor", name, x, **attributes)


def tree_classifier(name, trees, labels=(3, 7, 9), x=X, **attributes):
    nodes, votes = node_lists(trees)
    attributes |= nodes | vote_lists(votes, "class") | {"classlabels_int64s": list(labels)}
    return classifier("TreeEnsembleClassifier", name, x, **attributes)


def doubles(attributes):
    """The attributes with lists of floats as tensors of doubles."""
    made = {}
    for name, value in attributes.items():
        if isinstance(value, list) and value and isinstance(value[0], float):
            made[f"{name}_as_tensor"] = numpy_helper.from_array(np.array(value), name)
        else:
            made[name] = value
    return made


def in_double(made):
    return dataclasses.replace(
        made,
        name=f"{made.name}_f64",
        inputs=[made.inputs[0].astype(np.float64)],
        attributes=doubles(made.attributes),
    )


MODES = ["LEQ", "LT", "GTE", "GT", "EQ", "NEQ", "MEMBER"]


def ensemble(name, trees, targets=1, x=X, aggregate=1, transform=0):
    """TreeEnsemble-5. The threshold of a node of mode MEMBER is a list."""
    nodes, leaves, members = [], [], []

    def add(node):
        """Adds what is below a node; returns its place and whether it is a leaf."""
        if isinstance(node, dict):
            leaves.extend(node.items())
            return len(leaves) - 1, 1
        at = len(nodes)
        nodes.append(None)
        threshold = node.threshold
        if node.mode == "MEMBER":
            members.extend([*threshold, np.nan])
            threshold = 0.0
        yes, yes_is_leaf = add(node.yes)
        no, no_is_leaf = add(node.no)
        nodes[at] = (
            node.feature,
            MODES.index(node.mode),
            threshold,
            yes,
            no,
            yes_is_leaf,
            no_is_leaf,
            int(node.missing),
        )
        return at, 0

    def root(tree):
        if not isinstance(tree, dict):
            return add(tree)[0]
        leaf, _ = add(tree)
        nodes.append((0, 0, 0.0, leaf, leaf, 1, 1, 0))
        return len(nodes) - 1

    roots = [root(tree) for tree in trees]
    features, modes, splits, yes, no, yes_is_leaf, no_is_leaf, missing = map(list, zip(*nodes, strict=True))

    def tensor(values, dtype=x.dtype):
        return numpy_helper.from_array(np.array(values, dtype))

    attributes = {
        "aggregate_function": aggregate,
        "leaf_targetids": [target for target, _ in leaves],
        "leaf_weights": tensor([weight for _, weight in leaves]),
        "n_targets": targets,
        "nodes_falseleafs": no_is_leaf,
        "nodes_falsenodeids": no,
        "nodes_featureids": features,
        "nodes_missing_value_tracks_true": missing,
        "nodes_modes": tensor(modes, np.uint8),
        "nodes_splits": tensor(splits),
        "nodes_trueleafs": yes_is_leaf,
        "nodes_truenodeids": yes,
        "post_transform": transform,
        "tree_roots": roots,
    }
    if members:
        attributes["membership_values"] = tensor(members)
    dtype = helper.np_dtype_to_tensor_dtype(x.dtype)
    return case("TreeEnsemble", name, x, dtypes={"y": dtype}, opset=NEWEST, **attributes)


def leaf(weight, target=0):
    return {target: weight}


def uneven(mode="LEQ", missing=False, target=0):
    """A tree with paths of one to three splits; its thresholds are elements of X, or not."""
    inner = Split(mode, 2, float(X[1, 2]), leaf(0.25, target), leaf(0.5, target))
    outer = Split(mode, 1, 0.125, leaf(0.75, target), inner, missing)
    return Split(mode, 0, float(X[3, 0]), outer, leaf(1.5, target), missing)


def stump(a, b, feature=1, target=0, threshold=0.0, mode="LEQ"):
    return Split(mode, feature, threshold, leaf(a, target), leaf(b, target))


FOREST = [uneven(), stump(2.0, 1.0), leaf(0.125)]
MIXED = [Split(mode, i % 3, float(X[i, i % 3]), leaf(i + 0.25), leaf(i / 8.0)) for i, mode in enumerate(MODES[:6])]
TARGETS = [
    Split("LEQ", 0, 0.0, {0: 1.0, 2: 0.5}, {1: 2.0, 2: 0.25}),
    Split("LEQ", 1, 0.0, {0: 0.5, 1: 4.0}, {0: 0.125}),
    stump(1.0, 3.0, 2, target=1),
    Split("GT", 1, 0.5, {0: 1.0, 1: 0.5, 2: 2.0}, {0: 0.25, 1: 0.125, 2: 1.0}),
]
BY_TARGET = [stump(1.0, 0.5, 0, 0), stump(0.5, 2.0, 1, 1), stump(0.25, 1.5, 2, 2), uneven(target=1)]

# ---- Encoders -------------------------------------------------------------------------------------------------------------


def encoder(name, x, keys, values, **attributes):
    """LabelEncoder; its lists are those of floats, of int64, or, of other dtypes, tensors."""
    dtype = np.asarray(values).dtype
    names = {np.dtype(np.int64): "int64s", np.dtype(np.float32): "floats"}
    opset = 2
    for prefix, numbers in (("keys", keys), ("values", values)):
        kind = names.get(numbers.dtype, "tensor")
        if kind == "tensor":
            opset = 4
            attributes[f"{prefix}_tensor"] = numpy_helper.from_array(numbers)
        else:
            attributes[f"{prefix}_{kind}"] = numbers.tolist()
    return case(
        "LabelEncoder", name, x, dtypes={"y": helper.np_dtype_to_tensor_dtype(dtype)}, opset=opset, **attributes
    )


INTEGERS = {"y": TensorProto.INT64}

CASES = [
    case("Scaler", "columns", X, offset=[1.0, 2.0, -1.0], scale=[0.5, 2.0, 4.0]),
    case("Scaler", "one_number", X, offset=[1.0], scale=[0.5]),
    case("Scaler", "integers", CODES, offset=[1.0], scale=[0.5]),
    case("Scaler", "f64", X.astype(np.float64), offset=[1.0, 2.0, -1.0], scale=[0.5, 2.0, 4.0]),
    *(case("Normalizer", norm, np.concatenate([X, 0 * X[:1]]), norm=norm) for norm in ("MAX", "L1", "L2")),
    case("Normalizer", "vector", np.array([-4, 2]), norm="L1"),
    case("Imputer", "nan", MISSING, imputed_value_floats=[1.0, 2.0, 3.0], replaced_value_float=float("nan")),
    case("Imputer", "one_number", X, imputed_value_floats=[9.0], replaced_value_float=float(X[2, 1])),
    case("Imputer", "integers", CODES, dtypes=INTEGERS, imputed_value_int64s=[7, 8, 9], replaced_value_int64=3),
    case("Binarizer", "f32", X, threshold=0.25),
    case("FeatureVectorizer", "widths", X, X[:, :2] + 1, inputdimensions=[2, 4]),
    case("FeatureVectorizer", "deep", floats(2, 2, 3), inputdimensions=[5]),
    case("FeatureVectorizer", "integers", CODES, inputdimensions=[3]),
    case("ArrayFeatureExtractor", "columns", X, np.array([2, 0])),
    case("ArrayFeatureExtractor", "row", X, np.array([[2, 0, 2]])),
    case("ArrayFeatureExtractor", "vector", CODES[0], np.array([1]), dtypes=INTEGERS),
    case("OneHotEncoder", "integers", CODES, cats_int64s=[5, 3, -1]),
    case("OneHotEncoder", "floats", np.array([3.5, -1, 0], np.float32), cats_int64s=[5, 3, -1]),
    case("OneHotEncoder", "every", CODES, cats_int64s=[3, 4, 5, 8, -1], zeros=0),
    case("OneHotEncoder", "twice", CODES, cats_int64s=[5, 3, 5]),
    encoder("integers", CODES, np.array([5, 3, -1]), np.array([50, 30, 10]), default_int64=-7),
    encoder("to_floats", CODES, np.array([5, 3, -1]), np.array([0.5, 0.25, 2], np.float32)),
    encoder("of_floats", MISSING, X[:4, 1], np.array([5, 3, 2, 1])),
    encoder(
        "tensors",
        CODES.astype(np.float64),
        np.array([5.0, 3.0]),
        np.array([1.5, 2.5]),
        default_tensor=numpy_helper.from_array(np.array([9.0])),
    ),
    encoder("nan", MISSING.astype(np.float64), np.array([np.nan, float(X[0, 1])]), np.array([1.5, 2.5])),
    *(linear_classifier(f"binary_{t}", 1, post_transform=t) for t in TRANSFORMS),
    *(linear_classifier(f"classes_{t}", 3, post_transform=t) for t in TRANSFORMS),
    linear_classifier("two_rows", 2, post_transform="LOGISTIC", multi_class=1),
    linear_classifier("no_labels", 1, labels=()),
    linear_classifier("f64", 3, x=X.astype(np.float64)),
    linear_classifier("integers", 3, x=CODES),
    linear_regressor("one"),
    linear_regressor("one_LOGISTIC", post_transform="LOGISTIC"),
    linear_regressor("vector", x=X[0]),
    *(linear_regressor(f"three_{t}", 3, post_transform=t) for t in TRANSFORMS),
    linear_regressor("probit", 2, x=np.abs(X) / 16, post_transform="PROBIT"),
    *(svm_classifier(kernel, 2, kernel) for kernel in ("LINEAR", "POLY", "RBF", "SIGMOID")),
    *(svm_classifier(f"two_{t}", 2, post_transform=t) for t in TRANSFORMS[1:]),
    *(svm_classifier(f"four_{t}", 4, post_transform=t) for t in TRANSFORMS),
    svm_classifier("two_probabilities", 2, probabilities=True),
    svm_classifier("four_probabilities", 4, probabilities=True),
    svm_classifier("probabilities_SOFTMAX", 3, probabilities=True, post_transform="SOFTMAX"),
    *(
        classifier(
            "SVMClassifier",
            f"no_vectors_{classes}",
            X,
            classlabels_ints=[3, 7, 9][:classes],
            coefficients=numbers(3 * classes),
            kernel_params=[0.0, 0.0, 0.0],
            rho=[0.25],
        )
        for classes in (2, 3)
    ),
    *(svm_regressor(kernel, kernel) for kernel in ("LINEAR", "POLY", "RBF", "SIGMOID")),
    svm_regressor("one_class", one_class=1),
    svm_regressor("no_vectors", "LINEAR", vectors=0),
    *(regressor(mode, [uneven(mode), stump(1.0, 2.0)]) for mode in MODES[:6]),
    *(regressor(f"{mode}_missing", [uneven(mode), uneven(mode, missing=True)], MISSING) for mode in MODES[:6]),
    regressor("modes", MIXED),
    regressor("modes_missing", [dataclasses.replace(tree, missing=i % 2) for i, tree in enumerate(MIXED)], MISSING),
    regressor("always_missing", [dataclasses.replace(stump(1.0, 2.0), missing=True)], MISSING),
    *(
        regressor(aggregate, FOREST, aggregate_function=aggregate, base_values=[0.5])
        for aggregate in ("SUM", "AVERAGE", "MIN", "MAX")
    ),
    *(
        regressor(f"targets_{a}", TARGETS[3:] * 2 + TARGETS[3:], aggregate_function=a)
        for a in ("SUM", "AVERAGE", "MAX")
    ),
    regressor("targets", TARGETS[3:] + TARGETS, base_values=[0.5, 1.0, 2.0]),
    *(regressor(f"three_{t}", TARGETS, post_transform=t) for t in TRANSFORMS),
    regressor("by_target", BY_TARGET, base_values=[0.5, 1.0, 2.0]),
    regressor("probit", [stump(0.25, 0.5), stump(0.25, 0.125, 2)], post_transform="PROBIT"),
    regressor("leaf", [leaf(0.5)]),
    regressor("infinite", [stump(1.0, 2.0, threshold=float("inf")), stump(3.0, 4.0, threshold=-float("inf"))]),
    in_double(regressor("forest", FOREST)),
    in_double(regressor("modes", MIXED)),
    *(tree_classifier(f"classes_{t}", TARGETS[3:] + TARGETS, post_transform=t) for t in TRANSFORMS),
    tree_classifier("by_class", BY_TARGET, base_values=[0.5, 1.0, 2.0], post_transform="SOFTMAX"),
    *(
        tree_classifier(f"positive_{t}", [stump(0.25, 0.375), stump(0.0, 0.5, 2)], (3, 7), post_transform=t)
        for t in TRANSFORMS
    ),
    *(
        tree_classifier(f"binary_{t}", [stump(-0.25, 0.75), stump(0.5, -1.0, 2)], (3, 7), post_transform=t)
        for t in TRANSFORMS
    ),
    tree_classifier("binary_base", [stump(-0.25, 0.75)], (3, 7), base_values=[0.125], post_transform="LOGISTIC"),
    tree_classifier("second_class", [stump(-0.25, 0.75, target=1)], (3, 7), post_transform="LOGISTIC"),
    tree_classifier("one_class", [stump(-0.25, 0.75)], (3,)),
    tree_classifier("integers", [stump(-0.25, 0.75, threshold=3.0)], (3, 7), x=CODES),
    in_double(tree_classifier("classes", TARGETS[3:] + TARGETS)),
    *(ensemble(mode, [uneven(mode), stump(1.0, 2.0)]) for mode in MODES[:6]),
    ensemble("missing", [uneven("GT", missing=True), uneven("LEQ")], x=MISSING),
    ensemble(
        "member",
        [
            Split("MEMBER", 0, [3.0, 5.0, 9.0], leaf(1.0), stump(2.0, 4.0, threshold=3.0)),
            Split("MEMBER", 1, [3.0], Split("MEMBER", 2, [4.0, 7.0], leaf(8.0), leaf(16.0)), leaf(32.0)),
        ],
        x=CODES.astype(np.float32),
    ),
    *(ensemble(f"aggregate_{i}", FOREST, aggregate=i) for i in range(4)),
    ensemble("softmax_zero", BY_TARGET, 3, transform=3),
    ensemble("f64", FOREST, x=X.astype(np.float64)),
    ensemble("leaf", [leaf(0.5), leaf(0.25)]),
]
