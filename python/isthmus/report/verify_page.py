"""The page of `isthmus verify`: how far a compiled model is from its reference, and where it parts."""

import math

from isthmus.report.error_plot import plot
from isthmus.report.markup import argument, badge, command, fold, joined, name, page, table, tag
from isthmus.report.numbers import counted
from isthmus.statistics import Statistics
from isthmus.verify import Report

# The tensors with the largest errors that a page lists, and outputs.
_MOST_ERRORS = 50
_MOST_OUTPUTS = 500


def render(report: Report, model: str, target: str) -> str:
    """Returns the page.

    Args:
      report: the result of `isthmus.verify.compare`.
      model: the path of the model, for titles and for commands.
      target: the target that the model was compiled to.
    """
    sections = [("error", "Error along the graph", _along(report))]
    if report.first:
        sections.append(("blame", "The first node that differs", _blame(report.first, report.blame)))
    sections += [
        ("outputs", "Outputs", _outputs(report)),
        ("next", "What to do next", _next(report, model, target)),
    ]
    word = "agrees" if report.agrees else "differs"
    verdict = [
        tag("p", badge("good" if report.agrees else "bad", f"{target}: {word}"), class_="verdict"),
        tag("p", report.verdict, class_="message"),
        tag("p", "An error is the largest difference divided by the largest value of the reference.", class_="facts"),
    ]
    return page(f"verify {model}", verdict, sections)


def _along(report):
    measured = report.along or report.outputs
    if not measured:
        return tag("p", "The program has no outputs.")
    note = []
    if not report.along:
        note = [tag("p", "Only outputs were measured.")]
    largest = sorted(measured, key=lambda each: -each.error)[:_MOST_ERRORS]
    rows = [[_title(each), *_errors(each, report)] for each in largest]
    header = ["tensor", "relative error", "largest difference", "result"]
    title = "All errors" if len(rows) == len(measured) else f"The {len(rows)} largest errors"
    return joined(
        note, plot(measured, report.tolerance, report.first), fold([title], table(title, header, rows, numbers=(1, 2)))
    )


def _title(difference):
    """The name of a tensor, and of its node if that is another."""
    if difference.node in ("", difference.name):
        return name(difference.name)
    return joined(name(difference.name), " ", tag("span", "node ", name(difference.node), class_="facts"))


def _errors(difference, report):
    within = difference.error <= report.tolerance
    word = badge("good", "within") if within else badge("bad", "beyond")
    return _number(difference.error), _number(difference.absolute), word


def _number(value):
    if value is None:
        return ""
    if math.isinf(value):
        return "infinite"
    return f"{value:.4g}" if value == 0 or 1e-3 <= abs(value) < 1e5 else f"{value:.2e}"


def _outputs(report):
    rows = []
    for each in report.tensors[:_MOST_OUTPUTS]:
        shape = tag("span", _shape(each.got, each.expected), class_="facts")
        rows.append([joined(name(each.difference.name), " ", shape), *_errors(each.difference, report)])
    parts = [table("Outputs", ["output", "relative error", "largest difference", "result"], rows, numbers=(1, 2))]
    if len(report.tensors) > len(rows):
        parts.append(tag("p", f"and {counted(len(report.tensors) - len(rows), 'further output')}"))
    return joined(parts)


def _shape(got, expected):
    text = _shape_of(got)
    if (got.dtype, got.shape) != (expected.dtype, expected.shape):
        text += f", expected {_shape_of(expected)}"
    return text


def _shape_of(statistics):
    return f"{' x '.join(map(str, statistics.shape)) or 'scalar'} {statistics.dtype}"


_COLUMNS = ["shape", "least", "greatest", "mean", "deviation", "zeros", "NaN", "infinite"]


def _statistics(of: Statistics) -> list[str]:
    numbers = [_number(value) for value in (of.least, of.greatest, of.mean, of.deviation)]
    return [_shape_of(of), *numbers, f"{of.zeros:,}", f"{of.nans:,}", f"{of.infinities:,}"]


def _blame(first, blame):
    parts = [tag("p", "Tensor ", name(first.name), ", node ", name(first.node), *_op(blame))]
    parts.append(tag("p", f"Relative error {_number(first.error)}, largest difference {_number(first.absolute)}."))
    if not blame:
        return joined(parts)
    for title, tensors in (("Its inputs", blame.inputs), ("Its outputs", blame.outputs)):
        rows = []
        for each in tensors:
            error = _number(each.difference.error)
            rows.append([joined(name(each.difference.name), " here"), error, *_statistics(each.got)])
            rows.append([joined(name(each.difference.name), " reference"), "", *_statistics(each.expected)])
        if rows:
            parts.append(table(title, ["tensor", "error", *_COLUMNS], rows, numbers=[1, *range(3, 10)]))
    if blame.weights:
        rows = [[name(weight), *_statistics(statistics)] for weight, statistics in blame.weights]
        parts.append(table("Its weights", ["weight", *_COLUMNS], rows, numbers=range(2, 9)))
    return joined(parts)


def _op(blame):
    return [", op ", name(blame.op)] if blame else []


def _next(report, model, target):
    file = argument(model)
    if report.agrees:
        text = "Random inputs may miss what your data has: compare with these too."
        return joined(tag("p", text), command("isthmus verify", file, "--target", target, "--inputs", "NAME=FILE.npy"))
    if not report.blame:
        return tag(
            "p",
            "No single node is to blame here. Cut the model to find one (docs/debugging.md, Reducing a model), and compare "
            "on another target: if Linalg agrees and TOSA does not, the fault is in the lowering to TOSA.",
        )
    inputs = [each.difference.name for each in report.blame.inputs]
    outputs = [each.difference.name for each in report.blame.outputs]
    cut = f"import onnx.utils\n\nonnx.utils.extract_model({model!r}, 'part.onnx', {inputs!r}, {outputs!r})"
    return joined(
        tag("p", "Cut out the node, and look at it alone:"),
        command(cut),
        command("isthmus verify part.onnx --target", target),
        tag(
            "p",
            "The difference of this node may be one of rounding that a later node enlarges: its inputs' errors say.",
        ),
    )
