"""A CNN and a small GPT, trained: one step is one program, with its gradients and its optimizer.

    bazel run //examples/pytorch:training

The step runs in the JIT, in XLA by isthmus.to_jax and as TOSA, beside PyTorch's own loop with torch.optim.
"""

import copy
import sys

import jax
import torch
from torch import nn
from torch.func import functional_call, grad_and_value
from torch.nn import functional

import isthmus

STEPS = 100
# Of the loss, relative: rounding grows from step to step.
TOLERANCE = 1e-3


class Images(nn.Module):
    """Classifies images; its batch normalization is in training."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            *(nn.Conv2d(3, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.SiLU(), nn.AvgPool2d(2)),
            *(nn.Conv2d(16, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32), nn.SiLU(), nn.AdaptiveAvgPool2d(1)),
        )
        self.head = nn.Linear(32, 10)

    def forward(self, images, classes):
        return functional.cross_entropy(self.head(self.body(images).flatten(1)), classes)

    @staticmethod
    def batches(count):
        """Noise, brighter in the channel that the class names."""
        for _ in range(count):
            classes = torch.randint(0, 3, (16,))
            yield torch.randn(16, 3, 16, 16) + functional.one_hot(classes, 3)[:, :, None, None] / 4, classes


class Text(nn.Module):
    """A GPT: predicts each next token."""

    def __init__(self, vocabulary=32, width=32, length=16):
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        layer = nn.TransformerEncoderLayer(
            width, 4, 4 * width, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )
        self.blocks = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens):
        past, following = tokens[:, :-1], tokens[:, 1:]
        mask = nn.Transformer.generate_square_subsequent_mask(past.shape[1])
        hidden = self.tokens(past) + self.places.weight[: past.shape[1]]
        hidden = self.blocks(hidden, mask=mask, is_causal=True)
        return functional.cross_entropy(self.head(hidden).flatten(0, 1), following.flatten())

    @staticmethod
    def batches(count):
        """Tokens in steps of 1 to 4."""
        for _ in range(count):
            first, step = torch.randint(0, 32, (8, 1)), torch.randint(1, 5, (8, 1))
            yield ((first + step * torch.arange(17)) % 32,)


# An optimizer: its class in torch.optim and that one's options, the number of tensors that it keeps for each weight, and
# a function of (weight, gradient, what is kept, the number of the step) to (weight, what is kept).


def momentum(weight, gradient, kept, step, lr=0.01, momentum=0.9):
    """Stochastic gradient descent: v = momentum v + g; w = w - lr v."""
    velocity = momentum * kept[0] + gradient
    return weight - lr * velocity, (velocity,)


def adamw(weight, gradient, kept, step, lr=3e-3, beta1=0.9, beta2=0.999, eps=1e-8, weight_decay=1e-2):
    """AdamW: m and v are running means of g and g², divided by 1 - beta^step as they start at 0."""
    mean, square = kept
    mean = beta1 * mean + (1 - beta1) * gradient
    square = beta2 * square + (1 - beta2) * gradient.square()
    change = (mean / (1 - beta1**step)) / ((square / (1 - beta2**step)).sqrt() + eps)
    return weight * (1 - lr * weight_decay) - lr * change, (mean, square)


MODELS = {
    "CNN, SGD": (Images, momentum, 1, lambda weights: torch.optim.SGD(weights, lr=0.01, momentum=0.9)),
    "GPT, AdamW": (Text, adamw, 2, lambda weights: torch.optim.AdamW(weights, lr=3e-3)),
}


def start(model, kept):
    """The state of training before the first step: all that a step reads and writes."""
    weights = {name: weight.detach() for name, weight in model.named_parameters()}
    return {
        "weights": weights,
        "kept": {name: (torch.zeros_like(weight),) * kept for name, weight in weights.items()},
        "buffers": dict(model.named_buffers()),
        "step": torch.tensor(0.0),
    }


def step_of(model, optimizer):
    """A function of (state, batch) to (loss, state)."""

    def loss_of(weights, buffers, batch):
        buffers = {name: buffer.clone() for name, buffer in buffers.items()}  # batch norms write to them
        return functional_call(model, weights | buffers, batch), buffers

    def step(state, batch):
        gradients, (loss, buffers) = grad_and_value(loss_of, has_aux=True)(state["weights"], state["buffers"], batch)
        number = state["step"] + 1
        updated = {
            name: optimizer(weight, gradients[name], state["kept"][name], number)
            for name, weight in state["weights"].items()
        }
        weights, kept = ({name: pair[n] for name, pair in updated.items()} for n in (0, 1))
        return loss, {"weights": weights, "kept": kept, "buffers": buffers, "step": number}

    return step


def pytorch_losses(model, make_optimizer, batches):
    optimizer = make_optimizer(model.parameters())
    for batch in batches:
        optimizer.zero_grad()
        loss = model(*batch)
        loss.backward()
        optimizer.step()
        yield loss.item()


def losses(step, state, batches):
    for batch in batches:
        loss, state = step(state, batch)
        yield float(loss)


def in_xla(step, state, batch):
    """The step as a function of JAX; the old state's memory becomes the new one's."""
    function = isthmus.to_jax(step, (state, batch))
    weights = function.load_weights()  # constants alone: all weights are in the state
    return jax.jit(lambda state, batch: function(weights, state, batch), donate_argnums=0)


def as_arrays(tree):
    return jax.tree.map(lambda tensor: jax.numpy.array(tensor.numpy()), tree)


def train(name):
    """The losses of all steps, by who computed them."""
    torch.manual_seed(0)
    make, optimizer, kept, make_optimizer = MODELS[name]
    model, batches = make(), list(make.batches(STEPS))
    step, state = step_of(model, optimizer), start(copy.deepcopy(model), kept)
    made = {}
    for target in ("linalg", "tosa"):
        program = isthmus.compile(step, (state, batches[0]), output_type=target)
        made[f"JIT, {target}"] = list(losses(program, state, batches))
    program = in_xla(step, state, batches[0])
    made["XLA"] = list(losses(program, as_arrays(state), map(as_arrays, batches)))
    return {"PyTorch": list(pytorch_losses(model, make_optimizer, batches))} | made


def main():
    passed = True
    for name in MODELS:
        print(f"{name}: the loss of steps 1, 10 and {STEPS}, and the largest difference from PyTorch's")
        of = train(name)
        for who, made in of.items():
            error = max(abs(mine - theirs) / theirs for mine, theirs in zip(made, of["PyTorch"], strict=True))
            passed &= error <= TOLERANCE
            print(f"{who:12}{made[0]:10.5f}{made[9]:10.5f}{made[-1]:10.5f}{error:10.1e}", flush=True)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
