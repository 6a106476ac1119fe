"""Random programs of ops that only move elements, with open sizes and dims of size 1, agree with NumPy.

A slice, reshape or transpose that mixes up two dims gives wrong numbers, or a wrong shape, but no error.
"""

import random

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

import isthmus

MOST_DIMS = 6
BATCH = 40


class Program:
    """A random chain of ops, their model, and what NumPy makes of its input `x`."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        sizes = [self.random.choice([1, 1, 2, 3, 4, 5]) for _ in range(self.random.randint(3, MOST_DIMS))]
        self.x = np.arange(1, np.prod(sizes) + 1, dtype=np.float32).reshape(sizes)
        self.nodes, self.constants = [], []
        self.value = self.x
        name = "x"
        for _ in range(self.random.randint(1, 4)):
            name = self.random.choice(
                [self.gather, self.slice, self.unsqueeze, self.squeeze, self.transpose, self.stack]
            )(name)
        declared = [size if self.random.random() < 0.5 else f"d{dim}" for dim, size in enumerate(sizes)]
        float32 = onnx.TensorProto.FLOAT
        graph = helper.make_graph(
            [*self.nodes, helper.make_node("Identity", [name], ["y"]), helper.make_node("Neg", [name], ["z"])],
            "g",
            [helper.make_tensor_value_info("x", float32, declared)],
            [helper.make_tensor_value_info(result, float32, None) for result in "yz"],
            self.constants,
        )
        self.model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
        self.text = f"seed {seed}, x{declared}: " + ", ".join(node.op_type for node in self.nodes)

    def constant(self, value):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array(value, np.int64), name))
        return name

    def node(self, op, *inputs, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], **attributes))
        return name

    def dim(self):
        return self.random.randrange(self.value.ndim)

    def gather(self, name):
        if self.value.ndim == 1:
            return name
        axis = self.dim()
        index = self.random.randrange(self.value.shape[axis])
        self.value = np.take(self.value, index, axis)
        return self.node("Gather", name, self.constant(index), axis=axis)

    def slice(self, name):
        axis = self.dim()
        start = self.random.randrange(self.value.shape[axis])
        end = self.random.randint(start + 1, self.value.shape[axis])
        self.value = np.take(self.value, range(start, end), axis)
        return self.node("Slice", name, *(self.constant([number]) for number in (start, end, axis)))

    def unsqueeze(self, name):
        if self.value.ndim == MOST_DIMS:
            return name
        axis = self.random.randint(0, self.value.ndim)
        self.value = np.expand_dims(self.value, axis)
        return self.node("Unsqueeze", name, self.constant([axis]))

    def squeeze(self, name):
        axes = [dim for dim, size in enumerate(self.value.shape) if size == 1]
        if not axes or self.value.ndim == 1:
            return name
        axis = self.random.choice(axes)
        self.value = np.squeeze(self.value, axis)
        return self.node("Squeeze", name, self.constant([axis]))

    def transpose(self, name):
        order = list(range(self.value.ndim))
        self.random.shuffle(order)
        self.value = np.transpose(self.value, order)
        return self.node("Transpose", name, perm=order)

    def stack(self, name):
        if self.value.ndim == MOST_DIMS:
            return name
        axis = self.random.randint(0, self.value.ndim)
        self.value = np.stack([self.value, self.value * 2], axis)
        axes = self.constant([axis])
        parts = [self.node("Unsqueeze", part, axes) for part in (name, self.node("Add", name, name))]
        return self.node("Concat", *parts, axis=axis)


@pytest.mark.parametrize("batch", range(10))
def test_agrees_with_numpy(batch):
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        program = Program(seed)
        module = isthmus.compile(program.model.SerializeToString(), output_type="linalg")
        moved, negated = module.run(program.x)
        np.testing.assert_array_equal(moved, program.value, err_msg=program.text)
        np.testing.assert_array_equal(negated, -program.value, err_msg=program.text)
