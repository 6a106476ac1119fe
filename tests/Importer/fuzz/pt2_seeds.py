"""Writes a seed corpus for Pt2ImporterFuzz: small exported programs with every kind of input, output and node.

python3 -m tests.Importer.fuzz.pt2_seeds FOLDER
"""

import io
import json
import pathlib
import sys
import zipfile

import torch
from torch import nn
from torch._higher_order_ops.while_loop import while_loop
from torch.export import Dim


class Everything(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.register_buffer("count", torch.zeros(2))
        self.constant = torch.ones(2, 2).t()

    def forward(self, x, n, table):
        self.count.add_(1)
        return {"y": self.linear(x) * self.count}, self.constant[table], n


class Training(nn.Module):
    """Batch normalization that updates its statistics."""

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(2).train()

    def forward(self, x):
        return self.norm(x)


PROGRAMS = {
    "training": (Training(), (torch.ones(3, 2),), None),
    "out_dtype": (
        lambda x: torch.ops.higher_order.out_dtype(torch.ops.aten.mm.default, torch.int32, x, x),
        (torch.ones(2, 2, dtype=torch.int8),),
        None,
    ),
    "everything": (Everything(), (torch.ones(3, 2), 3, torch.tensor([1])), None),
    "sizes": (lambda x: (x.reshape(x.shape[0] * 2, -1), x.shape[0] // 2), (torch.ones(4, 2),), ({0: Dim.DYNAMIC},)),
    "views": (lambda x: ((x + 1).t().unsqueeze(0).mul_(2), x.split(1)), (torch.ones(2, 2),), None),
    "cond": (lambda x: torch.cond(x[0] > 0, lambda x: x + 1, lambda x: x - 1, (x,)), (torch.ones(2),), None),
    "loop": (
        lambda x, n: while_loop(lambda x, n: n < 5, lambda x, n: (x * 2, n + 1), (x, n)),
        (torch.ones(2), torch.tensor(0)),
        None,
    ),
}


class Function(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def shortened(value):
    """The JSON without stack traces, which take up most of it, and without keys whose value is null."""
    if isinstance(value, dict):
        return {key: {} if key == "metadata" else shortened(item) for key, item in value.items() if item is not None}
    return [shortened(item) for item in value] if isinstance(value, list) else value


def main():
    folder = pathlib.Path(sys.argv[1], "pt2")
    folder.mkdir(parents=True, exist_ok=True)
    for name, (module, args, shapes) in PROGRAMS.items():
        if not isinstance(module, nn.Module):
            module, shapes = Function(module), shapes and {"args": shapes}
        file = io.BytesIO()
        torch.export.save(torch.export.export(module, args, dynamic_shapes=shapes), file)
        with zipfile.ZipFile(file) as source, zipfile.ZipFile(folder / f"{name}.pt2", "w") as target:
            for record in source.namelist():
                data = source.read(record)
                if record.endswith("model.json"):
                    data = json.dumps(shortened(json.loads(data)), separators=(",", ":")).encode()
                if "sample_inputs" not in record and "/.data/" not in record:
                    target.writestr(record, data)


if __name__ == "__main__":
    main()
