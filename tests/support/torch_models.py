"""PyTorch models that tests of several folders compile."""

import torch


class Bert(torch.nn.Module):
    """Two encoder layers with random weights."""

    def __init__(self):
        from transformers import BertConfig, BertModel

        super().__init__()
        config = BertConfig(
            hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, vocab_size=100
        )
        self.model = BertModel(config, add_pooling_layer=False).eval()

    def forward(self, tokens, mask):
        return self.model(tokens, mask).last_hidden_state
