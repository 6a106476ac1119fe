"""ResNet-50 from PyTorch to MHLO, StableHLO, TOSA and Linalg.

    bazel run //examples/pytorch:resnet

The weights are random, as nothing is downloaded.
"""

import sys

import torch
import transformers

from examples.pytorch.compare import compare


def main():
    torch.manual_seed(0)
    model = transformers.ResNetForImageClassification(transformers.ResNetConfig()).eval()
    return compare(model, torch.randn(1, 3, 224, 224))


if __name__ == "__main__":
    sys.exit(main())
