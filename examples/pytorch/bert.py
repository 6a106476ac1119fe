"""BERT from PyTorch to MHLO, StableHLO, TOSA and Linalg.

    bazel run //examples/pytorch:bert

The architecture is BERT-base's; its weights are random, as nothing is downloaded.
"""

import sys

import torch
import transformers

from examples.pytorch.compare import compare


def main():
    torch.manual_seed(0)
    model = transformers.BertModel(transformers.BertConfig()).eval()
    tokens = torch.randint(0, model.config.vocab_size, (1, 128))
    mask = torch.ones_like(tokens)
    mask[:, 100:] = 0  # a sentence of 100 tokens
    return compare(model, tokens, mask)


if __name__ == "__main__":
    sys.exit(main())
