"""Programs in StableHLO as files of StableHLO's portable artifacts, and of `jax.export`."""

from isthmus import api
from isthmus.errors import UnsupportedError
from isthmus.jax.artifact import Program
from isthmus.jax.exporting import export_program
from isthmus.jax.sharding import Placement

# The ops of a program in StableHLO.
_DIALECTS = ("builtin.", "func.", "sdy.", "stablehlo.")


def save(module, path, format, weights):
    """Writes a file of `FileFormat.PORTABLE` or `FileFormat.JAX_EXPORT`; see `Module.save`."""
    problems = []
    if foreign := [op for op in module.count_ops() if not op.startswith(_DIALECTS)]:
        problems.append(f"{format}: expected a program in StableHLO, got {', '.join(sorted(foreign)[:3])}")
    if weights not in (api.WeightForm.AUTO, api.WeightForm.INLINE):
        problems.append(f"{format}: expected weights in the program (inline), got '{weights}'")
    if problems:
        raise UnsupportedError(problems)
    program = Program(module)
    if format is api.FileFormat.PORTABLE:
        data = program.artifact(None)
    else:
        data = export_program(program, "isthmus", placement=Placement.of_program(program)).serialize()
    api.write_bytes(path, data)
    return api.SavedWeights(form=api.WeightForm.INLINE, manifest=None, file=None, count=0, written=0, written_bytes=0)
