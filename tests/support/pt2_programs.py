"""Helpers to export small PyTorch programs, change their archives, and import them with isthmus-opt."""

import io
import json
import subprocess
import tempfile
import warnings
import zipfile
from pathlib import Path

import torch

MODEL = "models/model.json"
WEIGHTS = "data/weights/model_weights_config.json"
CONSTANTS = "data/constants/model_constants_config.json"


def export(module, *args, decompose=False, **options):
    """The bytes of an exported module or function. `options` are those of torch.export.export."""
    return serialize(exported(module, *args, decompose=decompose, **options))


def serialize(program):
    """The bytes of an ExportedProgram."""
    file = io.BytesIO()
    torch.export.save(program, file)
    return file.getvalue()


def exported(module, *args, decompose=False, **options):
    """The ExportedProgram of a module or function."""
    if not isinstance(module, torch.nn.Module):
        module = Function(module)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        program = torch.export.export(module.eval(), args, **options)
        return program.run_decompositions() if decompose else program


class Function(torch.nn.Module):
    """A function as a module."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args, **kwargs):
        return self.function(*args, **kwargs)


def records(data):
    """The records of an archive by path, without the folder around them."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name.split("/", 1)[1]: archive.read(name) for name in archive.namelist()}


def archive(records, compression=zipfile.ZIP_STORED, folder="model/"):
    """An archive of these records."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as target:
        for path, content in records.items():
            target.writestr(folder + path, content)
    return file.getvalue()


def changed(data, change, path=MODEL):
    """The archive after `change` was applied to the JSON of one record."""
    files = records(data)
    document = json.loads(files[path])
    change(document)
    files[path] = json.dumps(document).encode()
    return archive(files)


def run(data, *args):
    """Runs isthmus-opt on the bytes of a program, as the file program.pt2."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "program.pt2")
        path.write_bytes(data)
        command = ["tools/isthmus-opt/isthmus-opt", str(path), *args]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        done.stderr = done.stderr.replace(str(path), "program.pt2")
        return done


def import_pt2(data, *args):
    """The text of the imported program. Asserts that it obeys the backend contract."""
    done = run(data, "--verify-torch-backend-contract", *args)
    assert done.returncode == 0, done.stderr
    return done.stdout


def import_errors(data):
    """The errors for a program, one per line, without "program.pt2: error: "."""
    done = run(data)
    assert done.returncode == 1, f"expected exit status 1, got {done.returncode}: {done.stderr}"
    assert not done.stdout, "expected no output beside errors"
    lines = done.stderr.splitlines()
    prefix = "program.pt2: error: "
    assert lines and all(line.startswith(prefix) for line in lines), done.stderr
    return [line[len(prefix) :] for line in lines]
