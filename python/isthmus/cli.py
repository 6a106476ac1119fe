"""The `isthmus` command: its arguments and its output.

Results go to standard output, progress and errors to standard error. The exit
status is 0 for success, 1 for an error in a model, a file, an input or a
combination of options, 2 for invalid arguments, and 130 if interrupted.
"""

import argparse
import contextlib
import errno
import math
import os
import sys
import time
import warnings

import isthmus
from isthmus import limits
from isthmus.options import OPTIONS

# The modules that a command may need and that an installation may lack, and what installs them.
PACKAGES = {name: name for name in ("jax", "ml_dtypes", "numpy", "onnx", "onnxruntime", "torch")} | {
    "iree": "iree-base-compiler iree-base-runtime"
}


@contextlib.contextmanager
def progress(what):
    """Prints the current step and its duration if standard error is a terminal.

    Yields a function that shows the progress: it takes the bytes done and the total bytes, 0 if unknown. Yields None
    if standard error is not a terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return

    def say(how_far, end=""):
        print(f"\r{what} …{how_far}\x1b[K", end=end, file=sys.stderr, flush=True)

    start = time.monotonic()
    say("")
    try:
        yield lambda done, total: say(f" {done / total:.0%}" if total else f" {done / 1e6:,.0f} MB")
    finally:
        say(f" {time.monotonic() - start:.1f} s", end="\n")


def say(text):
    """Prints to standard output; escapes characters that its encoding lacks.

    Raises:
      FileError: standard output is closed or full.
    """
    encoding = sys.stdout.encoding or "utf-8"
    try:
        print(text.encode(encoding, "backslashreplace").decode(encoding), flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_output()
        raise isthmus.FileError([f"standard output: {error.strerror}"]) from error


def discard_output():
    """Discards the output that Python flushes at exit, when the reader is gone or the disk is full."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def shape(text):
    """Parses `input=1x3x224x224` into a name and sizes."""
    try:
        name, sizes = text.rsplit("=", 1)
        return name, [int(size) for size in sizes.split("x")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected NAME=SIZExSIZE…, got {text!r}") from None


def tolerance(text):
    """Parses a relative error."""
    try:
        error = float(text)
    except ValueError:
        error = math.nan
    if not 0 <= error < math.inf:
        raise argparse.ArgumentTypeError(f"expected a relative error, such as 1e-4, got {text!r}")
    return error


def name_list(text):
    """Parses `aten.gelu,Einsum` into a list of names."""
    return [name.strip() for name in text.split(",")]


def read_model(path, trust=False):
    """Reads an ONNX model, an exported PyTorch program, or a .mlir or .mlirbc file."""
    with progress(f"reading {path}"):
        return isthmus.load(path, trust=trust) if isthmus.api.is_mlir(path) else isthmus.import_model(path)


def lowering_options(args):
    """Returns the keyword arguments of `Module.lower` that the user set."""
    options = {option.keyword: getattr(args, option.keyword) for option in OPTIONS}
    names = [name for name, _ in options["specialize"]]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise isthmus.InputError(
            [f"--specialize: expected one shape for each input, got two for '{name}'" for name in twice]
        )
    options["specialize"] = dict(options["specialize"])
    return {keyword: value for keyword, value in options.items() if value}


def lowered(module, args):
    with progress(f"lowering to {args.target}"):
        module = module.lower(args.target, **lowering_options(args))
    if args.custom_ops or args.backend_legal_ops or args.outline or args.outline_patterns:
        carried = ", ".join(f"{name} ({count})" for name, count in module.custom_ops().items())
        print(f"isthmus: carried as custom ops: {carried or 'none'}", file=sys.stderr)
    return module


def print_program(module, args):
    # A million weights would hide the program on a terminal.
    weights = "none" if args.weights == "auto" and sys.stdout.isatty() else args.weights
    sys.stdout.flush()
    try:
        module.save(
            "-",
            format=args.emit or "text",
            weights=weights,
            weights_in_place=args.weights_in_place,
            checksums=args.weight_checksums,
        )
    except isthmus.FileError as error:
        if error.messages[0].endswith(os.strerror(errno.EPIPE)):
            raise BrokenPipeError from error
        raise
    return 0


def objections_without_output(args):
    """Returns an error for each option that requires -o FILE."""
    problems = []
    if args.emit not in (None, "text", "generic"):
        problems.append(f"--emit {args.emit}: expected -o FILE to write it to, got none")
    if args.weights in ("argument", "external", "iree"):
        problems.append(f"--weights {args.weights}: expected -o FILE to write weights beside, got none")
    for option, given in [
        ("--weights-in-place", args.weights_in_place),
        ("--weight-checksums", args.weight_checksums),
    ]:
        if given:
            problems.append(f"{option}: expected -o FILE to write a manifest beside, got none")
    return problems


def report_weights(args, saved):
    """Reports where the weights outside the program are, if the options do not determine it."""
    if args.weights == "auto" and saved.count:
        what = "last parameters" if saved.form == "argument" else "extern globals"
        print(
            f"isthmus: weights are {what} (--weights {saved.form}), and lie where {saved.manifest} says",
            file=sys.stderr,
        )
    if args.weights_in_place and saved.written:
        print(
            f"isthmus: {saved.written} of {saved.count} weights ({saved.written_bytes:,} bytes) could not stay in place, "
            f"and are in {saved.file}",
            file=sys.stderr,
        )


def keep_model(args):
    """Raises an error if the output is the file of the model."""
    if args.output is not None and os.path.exists(args.output) and os.path.samefile(args.output, args.model):
        raise isthmus.InputError([f"{args.output}: expected another file than the model to write to, got the model"])


def compile_command(args):
    if args.output is None and (problems := objections_without_output(args)):
        raise isthmus.InputError(problems)
    if not isthmus.api.is_mlir(args.model):  # a program of MLIR may be replaced by what it becomes
        keep_model(args)
    if args.save_stages:
        os.makedirs(args.save_stages, exist_ok=True)
        os.environ["ISTHMUS_SAVE_STAGES"] = args.save_stages
    module = lowered(read_model(args.model), args)
    if args.output in (None, "-"):
        return print_program(module, args)
    with progress(f"writing {args.output}") as how_far:
        saved = module.save(
            args.output,
            format=args.emit,
            weights=args.weights,
            weights_in_place=args.weights_in_place,
            checksums=args.weight_checksums,
            progress=how_far,
        )
    report_weights(args, saved)
    return 0


def command_options(options):
    """Returns the arguments of the command for options of `Module.lower`."""
    said = []
    for option in OPTIONS:
        value = options.get(option.keyword)
        if not value:
            continue
        match option.kind:
            case "flag":
                said.append(option.flag)
            case "names":
                said += [option.flag, ",".join(value)]
            case "files" | "texts":
                for text in value:
                    said += [option.flag, text]
            case "shapes":
                for name, sizes in value.items():
                    said += [option.flag, f"{name}={'x'.join(map(str, sizes))}"]
            case _:
                said += [option.flag, value]
    return said


def reduce_command(args):
    import shlex

    from isthmus import findings, reduce

    keep_model(args)
    load_kernels(args.kernels)
    suffix = reduce.suffix_of(args.model)
    if not args.output.endswith(suffix):
        raise isthmus.InputError([f"{args.output}: expected a file named {suffix} for such a model, got another"])
    with progress("reducing"):
        small = reduce.reduce(
            args.model,
            args.target,
            cause=args.cause,
            tolerance=args.tolerance if args.verify else None,
            max_memory=args.max_memory,
            max_seconds=args.max_seconds,
            **lowering_options(args),
        )
    isthmus.api.write_file(args.output, small.write)
    command = "verify" if args.verify else "compile"
    again = ["isthmus", command, args.output, "--target", args.target, *command_options(small.options)]
    if args.verify and args.kernels:
        again += ["--kernels", *args.kernels]
    if args.verify:
        again += ["--tolerance", f"{args.tolerance:g}"]
    if args.max_memory is not None:
        again += ["--max-memory", str(args.max_memory)]
    if args.max_seconds is not None:
        again += ["--max-seconds", f"{args.max_seconds:g}"]
    of = "ops" if suffix == ".mlir" else "nodes"
    say(f"{args.output}: {small.nodes} of {small.nodes_before} {of}, {len(small.data):,} bytes")
    for text in findings.summarize(small.messages_in(args.output)):
        say("  " + text.replace("\n", "\n  "))
    say(f"see it fail: {shlex.join(again)}")
    return 0


def bug_report_command(args):
    from isthmus import bug_report

    given = lowering_options(args) if args.model else {}
    if args.model is None and args.target is not None:
        raise isthmus.InputError([f"--target {args.target}: expected a model to lower, got none"])
    if args.model is not None:
        keep_model(args)
    command = None
    if args.target is not None:
        shown = given | {"outline_patterns": [os.path.basename(path) for path in given.get("outline_patterns", [])]}
        command = ["isthmus", "compile", os.path.basename(args.model), "--target", args.target]
        command += command_options(shown)
    with progress("writing the report"):
        text = bug_report.write(
            args.model,
            args.target,
            command=command,
            max_memory=args.max_memory,
            max_seconds=args.max_seconds,
            options=given,
        )
    write_report(text.rstrip("\n"), args.output)
    return 0


def load_kernels(sources):
    from isthmus import kernels

    for source in sources:
        kernels.load(source)


def run_command(args):
    from isthmus import arrays

    load_kernels(args.kernels)
    module = read_model(args.model, args.trust)
    is_mlir = isthmus.api.is_mlir(args.model)
    if is_mlir and (args.target or lowering_options(args)):
        raise isthmus.InputError([f"{args.model}: expected no option for lowering, as MLIR runs as it is"])
    if args.runtime == "jit":
        if not is_mlir:
            args.target = args.target or "linalg"
            module = lowered(module, args)
        results = run_in_jit(args, module)
    else:
        results = run_elsewhere(args, module)
    named = [(name or f"output_{i}", array) for i, (name, array) in enumerate(results)]
    if args.outputs is not None:
        arrays.write(args.outputs, named)
    else:
        say("\n".join(arrays.describe(name, array) for name, array in named))
    return 0


def run_in_jit(args, module):
    """Returns the results of a lowered program as pairs of a name and an array."""
    from isthmus import arrays

    with progress("compiling"):
        how = {"threads": args.threads, "check_bounds": args.check_bounds, "optimize": not args.no_optimize}
        names = module.input_names(**how)
    inputs = arrays.in_order(arrays.read(args.inputs), names)
    with progress("running"):
        results = module.run(*inputs, **how)
    return list(zip(module.output_names(**how), results, strict=True))


def run_elsewhere(args, module):
    """Returns the results of a model in the runtime of another project as pairs of a name and an array."""
    from isthmus import arrays, runtimes

    target = runtimes.TARGETS[args.runtime]
    given = {
        "--check-bounds": args.check_bounds,
        "--kernels": args.kernels,
        "--no-optimize": args.no_optimize,
        "--threads": args.threads != 1,
        "--trust": args.trust,
    }
    problems = [f"{name}: expected --runtime jit, got {args.runtime}" for name, is_given in given.items() if is_given]
    if args.target not in (None, target):
        problems.append(f"--target {args.target}: expected {target}, which --runtime {args.runtime} takes")
    if problems:
        raise isthmus.InputError(problems)
    with progress(f"compiling and running in {args.runtime}"):
        return runtimes.run(args.runtime, module, arrays.read(args.inputs), **lowering_options(args))


def write_report(text, output):
    """Writes a report to a file, whole or not at all, or to standard output.

    Raises:
      FileError: the file cannot be written.
    """
    if output in (None, "-"):
        say(text)
        return
    isthmus.api.write_bytes(output, f"{text}\n".encode(errors="backslashreplace"))


def check_command(args):
    from isthmus import check

    keep_model(args)
    module = read_model(args.model)
    with progress(f"lowering to {', '.join(args.targets)}"):
        report = check.check(module, args.targets, **lowering_options(args))
    name = os.fsencode(args.model).decode(errors="replace")  # a file name need not be UTF-8
    match args.format:
        case "html":
            from isthmus.report import check_page

            text = check_page.render(report, args.model)
        case "json":
            text = report.to_json()
        case "model-explorer":
            from isthmus.report import model_explorer

            text = model_explorer.render(report, name)
        case _:
            text = f"{name}: {report.to_text(every_message=args.all)}"
    write_report(text, args.output)
    return 0 if report.lowers else 1


def no_match(pattern, table):
    """Says that no op of the table has this name, or a name of this pattern."""
    if set(pattern) & set("*?["):
        return f"'{pattern}' matches no op"
    return f"no op is called '{pattern}'; the nearest is '{table.nearest(pattern)}'"


def ops_command(args):
    from isthmus import ops

    table = ops.coverage()
    if unknown := [pattern for pattern in args.patterns if not table.matching([pattern])]:
        raise isthmus.InputError([no_match(pattern, table) for pattern in unknown])
    table = table.matching(args.patterns)
    if args.target is not None:
        table = table.to(args.target)
    shown = table.missing() if args.missing else table
    say(ops.render(shown, table.totals(), args.format))
    return 0


def verify_command(args):
    from isthmus import verify

    keep_model(args)
    load_kernels(args.kernels)
    with progress(f"comparing {args.target} with its reference"):
        report = verify.compare(
            args.model,
            args.target,
            inputs=args.inputs,
            tolerance=args.tolerance,
            along=args.format != "text",
            **lowering_options(args),
        )
    match args.format:
        case "html":
            from isthmus.report import verify_page

            text = verify_page.render(report, args.model, args.target)
        case "json":
            text = report.to_json()
        case _:
            text = str(report)
    write_report(text, args.output)
    return 0 if report.agrees else 1


def _values(enumeration):
    """The values of an enumeration as argparse's choices, which its errors print."""
    return [str(each) for each in enumeration]


def add_lowering_arguments(parser, *, required=False, default=None, otherwise="linalg"):
    parser.add_argument(
        "--target",
        choices=_values(isthmus.api.known_output_types()),
        default=default,
        required=required,
        help="the target dialect" + ("" if required else f" ({otherwise})"),
    )
    add_option_arguments(parser)


def add_report_arguments(parser, formats, what=""):
    parser.add_argument(
        "--format", choices=formats, default=formats[0], help=f"output format; html is one page{what} ({formats[0]})"
    )
    parser.add_argument("-o", "--output", help="the file to write, or - (standard output)")


def add_kernel_arguments(parser):
    parser.add_argument(
        "--kernels",
        nargs="+",
        default=[],
        metavar="FILE",
        help="kernels of custom ops: a .py file that registers them, or OP=LIBRARY:FUNCTION for a C function",
    )


def add_tolerance_argument(parser):
    parser.add_argument("--tolerance", type=tolerance, default=1e-4, help="largest relative error (1e-4)")


def add_option_arguments(parser):
    for option in OPTIONS:
        how = {
            "choice": {"choices": option.choices},
            "files": {"action": "append", "default": [], "metavar": option.example},
            "flag": {"action": "store_true"},
            "name": {"default": "", "metavar": "NAME"},
            "names": {"action": "extend", "type": name_list, "default": [], "metavar": "NAMES"},
            "shapes": {"type": shape, "action": "append", "default": [], "metavar": option.example},
            "texts": {"action": "append", "default": [], "metavar": option.example},
        }[option.kind]
        notes = {
            "choice": f" ({option.default})",
            "files": "; may be repeated",
            "name": f": {option.example}",
            "names": f": {option.example}",
            "shapes": "; may be repeated",
            "texts": "; may be repeated",
        }
        parser.add_argument(option.flag, help=option.summary + notes.get(option.kind, ""), **how)


def add_model_arguments(parser, each="", **of_model):
    """Adds the model and what every command on one has. `each`: what the limits apply to, if not the process."""
    parser.add_argument("model", help="an ONNX or .pt2 file, or an MLIR file named .mlir or .mlirbc", **of_model)
    parser.add_argument(
        "--all", action="store_true", help="print every node that an error concerns, not each cause once"
    )
    parser.add_argument(
        "--max-memory",
        type=limits.byte_count,
        metavar="BYTES",
        help=f"end with an error when {each or 'the process'} needs more memory: 500M, 8G (no limit)",
    )
    parser.add_argument(
        "--max-seconds",
        type=limits.duration,
        metavar="SECONDS",
        help=f"end {each and each + ' '}with an error after this time (no limit)",
    )
    parser.set_defaults(limits_process=not each)


def add_compile_arguments(parser):
    add_model_arguments(parser)
    add_lowering_arguments(parser, required=True)
    parser.add_argument("-o", "--output", help="the file to write, or - (standard output, as text)")
    parser.add_argument(
        "--emit",
        choices=_values(isthmus.FileFormat),
        help="output format: MLIR as text, as text with every op in MLIR's generic form, as bytecode, a flatbuffer of "
        "TOSA 1.0, StableHLO's portable bytecode, or a file of jax.export (bytecode for .mlirbc, tosa for .tosa, else text)",
    )
    parser.add_argument(
        "--save-stages",
        metavar="FOLDER",
        help="write the program after each pass that changes it to a file in this folder, without large constants",
    )
    parser.add_argument(
        "--weights",
        choices=_values(isthmus.WeightForm),
        default="auto",
        help="where to store weights: in the program (inline, resource), or in a file beside it, read through parameters "
        "(argument), extern globals (external) or IREE (auto: in the program unless too large for the target)",
    )
    parser.add_argument(
        "--weights-in-place",
        action="store_true",
        help="leave weights in the model's file, which must be in the output's folder or below",
    )
    parser.add_argument(
        "--weight-checksums", action="store_true", help="store a checksum of each weight in the manifest"
    )


def add_run_arguments(parser):
    add_model_arguments(parser)
    add_lowering_arguments(parser)  # without a default: MLIR input takes none of them
    add_kernel_arguments(parser)
    parser.add_argument("--threads", type=int, default=1, help="threads to run on, 0 for one per core (1)")
    parser.add_argument(
        "--runtime",
        choices=["jit", "xla", "iree"],
        default="jit",
        help="what compiles and runs the program: Isthmus, XLA through the package jax, or IREE's packages (jit)",
    )
    parser.add_argument(
        "--inputs",
        nargs="+",
        default=[],
        metavar="FILE",
        help="one .npz file (arrays by input name), or one .npy file for each input: FILE in order, or NAME=FILE",
    )
    parser.add_argument(
        "--trust",
        action="store_true",
        help="run MLIR unchecked; it can do everything this process can: call functions, read and write memory",
    )
    parser.add_argument(
        "--check-bounds", action="store_true", help="check each memory access, for untrusted programs (slow)"
    )
    parser.add_argument(
        "--no-optimize",
        action="store_true",
        help="skip LLVM's optimisations: compile in less than half the time; the code runs several times slower",
    )
    parser.add_argument("--outputs", metavar="FILE", help="the .npz file to write (default: print a summary)")


def add_check_arguments(parser):
    add_model_arguments(parser)
    parser.add_argument(
        "--targets",
        nargs="+",
        choices=_values(isthmus.api.known_output_types()),
        default=[name for name in isthmus.output_types() if name != "torch"],
        help="the targets to check (default: all in this build, except torch)",
    )
    add_report_arguments(
        parser, ["table", "json", "html", "model-explorer"], ", and model-explorer is JSON for that viewer of graphs"
    )
    add_option_arguments(parser)


def add_verify_arguments(parser):
    add_model_arguments(parser)
    add_lowering_arguments(parser, default="linalg")
    add_kernel_arguments(parser)
    parser.add_argument(
        "--inputs", nargs="+", default=[], metavar="FILE", help="inputs, as for `isthmus run` (default: random)"
    )
    add_tolerance_argument(parser)
    add_report_arguments(parser, ["text", "json", "html"])


def add_reduce_arguments(parser):
    add_model_arguments(parser, each="a trial")
    add_lowering_arguments(parser, required=True)
    parser.add_argument("-o", "--output", required=True, help="the file to write: .onnx for an ONNX model, else .mlir")
    parser.add_argument(
        "--cause",
        metavar="TEXT",
        help="which error to keep: part of its text, or its node's name (default: the first)",
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help="keep wrong numbers instead of an error: the first op whose result differs from onnxruntime's",
    )
    add_tolerance_argument(parser)
    add_kernel_arguments(parser)


def add_bug_report_arguments(parser):
    add_model_arguments(parser, each="a lowering", nargs="?")
    add_lowering_arguments(parser, otherwise="none: the model is only read")
    parser.add_argument("-o", "--output", help="the file to write (standard output)")


def add_ops_arguments(parser):
    parser.add_argument(
        "patterns",
        nargs="*",
        metavar="OP",
        help="a name, a part of a name or a pattern: Clip, clamp, '*conv*' (every op)",
    )
    parser.add_argument("--target", choices=_values(isthmus.api.known_output_types()), help="show only this target")
    parser.add_argument("--missing", action="store_true", help="only the ops without a lowering")
    parser.add_argument(
        "--format", choices=["table", "json", "markdown"], default="table", help="output format (table)"
    )


# Each command: what runs it, what adds its arguments to its parser, and its summary.
COMMANDS = {
    "compile": (compile_command, add_compile_arguments, "lower a model to a target's dialect"),
    "run": (run_command, add_run_arguments, "compile a model for this machine and run it"),
    "check": (check_command, add_check_arguments, "report per target which nodes lower, which do not, and why"),
    "verify": (verify_command, add_verify_arguments, "compare a compiled model with onnxruntime or PyTorch"),
    "reduce": (
        reduce_command,
        add_reduce_arguments,
        "write the smallest model that fails like a given one, to attach to a report",
    ),
    "bug-report": (
        bug_report_command,
        add_bug_report_arguments,
        "write versions, and how a model lowers, as Markdown for a report",
    ),
    "ops": (ops_command, add_ops_arguments, "list the ops that lower, and to which targets"),
}


def parse_arguments(argv):
    parser = argparse.ArgumentParser(prog="isthmus", description=isthmus.__doc__)
    parser.add_argument(
        "--version", action="version", version=f"isthmus {isthmus.__version__} with {', '.join(isthmus.parts())}"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    # The other commands only show their summaries: their arguments would take as long as lowering a small model.
    chosen = next((word for word in argv if not word.startswith("-")), None)
    for name, (function, add_arguments, summary) in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        command.set_defaults(function=function, limits_process=False)
        if name == chosen:
            add_arguments(command)
    return parser.parse_args(argv)


def show_warnings(ordinary):
    """Returns a function that shows warnings: those of a lowering as errors are shown, others as `ordinary` does."""

    def show(message, category, *place):
        if issubclass(category, isthmus.LoweringWarning):
            print(f"isthmus: warning: {message}", file=sys.stderr)
        else:
            ordinary(message, category, *place)

    return show


def run(args):
    """Runs the command in `args` and returns the exit status."""
    try:
        if args.limits_process:
            limits.set_limits(args.max_memory, args.max_seconds)
        with warnings.catch_warnings():
            warnings.simplefilter("once", isthmus.LoweringWarning)
            warnings.showwarning = show_warnings(warnings.showwarning)
            return args.function(args)
    except isthmus.IsthmusError as error:
        every = "all" in args and args.all
        for message in error.messages if every else error.causes():
            print(f"isthmus: {message}", file=sys.stderr)
    except MemoryError:
        print("isthmus: out of memory", file=sys.stderr)
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in PACKAGES:
            raise
        print(f"isthmus: expected the package {name}, got none: pip install {PACKAGES[name]}", file=sys.stderr)
    except KeyboardInterrupt:
        return 130  # the shell convention
    except BrokenPipeError:  # the reader closed the pipe
        discard_output()
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        print(f"isthmus: {place}{error.strerror or error}", file=sys.stderr)
    return 1


def main(argv):
    """Runs the command line `argv` and returns the exit status."""
    return run(parse_arguments(argv))
