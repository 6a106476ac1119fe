"""Values of ONNX's types as tensors.

Programs take and return tensors. Here a sequence of n tensors becomes n tensors, an optional its value or nothing, and
an array of a dtype narrower than a byte an array of bytes.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from isthmus.errors import InputError, UnsupportedError

# The dtypes that torch lacks, by ml_dtypes' names. A program has a byte for each element: an integer, or a float's bits.
AS_BYTES = {
    "int2": np.int8,
    "int4": np.int8,
    "uint2": np.uint8,
    "uint4": np.uint8,
    "float4_e2m1fn": np.uint8,
    "float8_e8m0fnu": np.uint8,
}


def stored(array):
    """The array that a program takes in place of one of a dtype that torch lacks; other arrays as they are."""
    wide = AS_BYTES.get(array.dtype.name)
    if wide is None:
        return array
    return array.view(wide) if "float" in array.dtype.name else array.astype(wide)


def meant(array, dtype):
    """The array of a model's dtype, given that of a program."""
    if dtype.name in AS_BYTES:
        return array.view(dtype) if "float" in dtype.name else array.astype(dtype)
    # The integers of some targets have no sign.
    return array.view(dtype) if dtype.kind == "u" and dtype.itemsize == array.itemsize else array


def dtype_of(value):
    """The dtype of the tensor that a ValueInfoProto declares; None if it declares none."""
    kind = value.type.tensor_type.elem_type
    return helper.tensor_dtype_to_np_dtype(kind) if kind else None


def inputs_of(model):
    """The inputs of a model that have no initializers, which a call has to give."""
    graph = model.graph
    initialized = {tensor.name for tensor in graph.initializer}
    initialized |= {tensor.values.name for tensor in graph.sparse_initializer}
    return [value for value in graph.input if value.name not in initialized]


def newest_opset(domain):
    """The newest opset of a domain of ONNX's."""
    return max((s.since_version for s in onnx.defs.get_all_schemas() if s.domain == domain), default=1)


def info_of(name, value):
    """A ValueInfoProto for an array, a list of arrays, or None."""
    if value is None:
        raise InputError([f"input '{name}': expected a value, got None"])
    if isinstance(value, list):
        dtype = helper.np_dtype_to_tensor_dtype(np.asarray(value[0]).dtype) if value else TensorProto.FLOAT
        return helper.make_tensor_sequence_value_info(name, dtype, None)
    array = np.asarray(value)
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)


def are_tensors(values):
    """Whether ValueInfoProtos declare tensors, or nothing."""
    return all(value.type.WhichOneof("value") in ("tensor_type", None) for value in values)


# Tensors of axes, sizes and the like have fewer elements, of rank 1 or 0.
_MOST_ELEMENTS = 64


def may_be_small(value):
    """Whether a ValueInfoProto declares a tensor that `with_constants` may make a constant."""
    declared = value.type.tensor_type
    return not declared.HasField("shape") or len(declared.shape.dim) <= 1


def with_constants(model, arrays, kinds):
    """A model whose small inputs of some kinds of dtypes, such as "iu", are constants.

    Returns:
      The model and the arrays that are still inputs.
    """
    fixed, rest = {}, []
    for value, array in zip(inputs_of(model), arrays, strict=True):
        if array.dtype.kind in kinds and array.ndim <= 1 and array.size <= _MOST_ELEMENTS:
            fixed[value.name] = array
        else:
            rest.append(array)
    return (with_initializers(model, fixed) if fixed else model), rest


def with_initializers(model, arrays):
    """A copy of a model in which the inputs of some names are initializers."""
    result = _copy(model)
    kept = [value for value in model.graph.input if value.name not in arrays]
    del result.graph.input[:]
    result.graph.input.extend(kept)
    result.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in arrays.items())
    return result


def _copy(model):
    result = onnx.ModelProto()
    result.CopyFrom(model)
    return result


def with_tensor_inputs(model, values):
    """A copy of a model for some values of its inputs; returns it with the arrays that it takes."""
    result = _copy(model)
    graph, arrays, inputs = result.graph, [], inputs_of(model)
    declared = {value.name for value in inputs}
    kept = [value for value in model.graph.input if value.name not in declared]
    del graph.input[:], graph.node[:]
    for value, data in zip(inputs, values, strict=True):
        _make(graph, value.name, value.type, data, arrays)
    graph.input.extend(kept)
    graph.node.extend(model.graph.node)
    return result, arrays


def _make(graph, name, declared, data, arrays):
    """Adds inputs, and nodes that make the value `name` of them."""
    match declared.WhichOneof("value"):
        case "tensor_type":
            if data is None:
                raise InputError([f"input '{name}': expected an array, got None"])
            graph.input.append(onnx.ValueInfoProto(name=name, type=declared))
            arrays.append(np.asarray(data))
        case "sequence_type":
            if not isinstance(data, list | tuple):
                raise InputError([f"input '{name}': expected a list of arrays, got {type(data).__name__}"])
            element = declared.sequence_type.elem_type
            names = [f"{name}/{i}" for i in range(len(data))]
            for each, array in zip(names, data):
                # The elements of a sequence may differ in shape.
                shape = np.asarray(array).shape
                sized = helper.make_tensor_type_proto(element.tensor_type.elem_type, shape)
                _make(graph, each, sized if element.HasField("tensor_type") else element, array, arrays)
            if names:
                graph.node.append(helper.make_node("SequenceConstruct", names, [name]))
            else:
                dtype = element.tensor_type.elem_type
                graph.node.append(helper.make_node("SequenceEmpty", [], [name], dtype=dtype))
        case "optional_type":
            element = declared.optional_type.elem_type
            if data is None:
                graph.node.append(helper.make_node("Optional", [], [name], type=element))
            else:
                _make(graph, f"{name}/value", element, data, arrays)
                graph.node.append(helper.make_node("Optional", [f"{name}/value"], [name]))
        case kind:
            raise UnsupportedError([f"input '{name}': expected tensors, sequences or optionals, got {kind}"])


# Questions about outputs are pairs of a name and an op, SequenceLength or OptionalHasElement.


def open_questions(outputs, answers):
    """The questions about the outputs of a model that have no answer yet."""
    return [question for value in outputs for question in _questions(value.name, value.type, answers)]


def _questions(name, declared, answers):
    match declared.WhichOneof("value"):
        case "tensor_type" | None:
            return []
        case "sequence_type":
            if not declared.sequence_type.elem_type.HasField("tensor_type"):
                raise UnsupportedError([f"output '{name}': expected a sequence of tensors"])
            question = name, "SequenceLength"
            return [] if question in answers else [question]
        case "optional_type":
            question = name, "OptionalHasElement"
            if question not in answers:
                return [question]
            return _questions(f"{name}/value", declared.optional_type.elem_type, answers) if answers[question] else []
        case kind:
            raise UnsupportedError([f"output '{name}': expected tensors, sequences or optionals, got {kind}"])


def asking(model, questions):
    """A copy of the model whose outputs are the answers to questions."""
    result = _copy(model)
    del result.graph.output[:]
    for name, op in questions:
        if name.endswith("/value"):
            held = name.removesuffix("/value")
            result.graph.node.append(helper.make_node("OptionalGetElement", [held], [name]))
        result.graph.node.append(helper.make_node(op, [name], [f"{name}/{op}"]))
        dtype = TensorProto.INT64 if op == "SequenceLength" else TensorProto.BOOL
        result.graph.output.append(helper.make_tensor_value_info(f"{name}/{op}", dtype, []))
    return result


def with_tensor_outputs(model, answers):
    """A copy of the model that returns the tensors of its outputs."""
    result = _copy(model)
    del result.graph.output[:]
    for value in model.graph.output:
        _take(result.graph, value.name, value.type, answers)
    return result


def _take(graph, name, declared, answers):
    """Adds nodes that take the value `name` apart, and outputs."""
    match declared.WhichOneof("value"):
        case "sequence_type":
            dtype = declared.sequence_type.elem_type.tensor_type.elem_type
            for i in range(int(answers[name, "SequenceLength"])):
                place = numpy_helper.from_array(np.int64(i), f"{name}/place{i}")
                graph.initializer.append(place)
                graph.node.append(helper.make_node("SequenceAt", [name, place.name], [f"{name}/{i}"]))
                graph.output.append(helper.make_tensor_value_info(f"{name}/{i}", dtype, None))
        case "optional_type":
            if answers[name, "OptionalHasElement"]:
                graph.node.append(helper.make_node("OptionalGetElement", [name], [f"{name}/value"]))
                _take(graph, f"{name}/value", declared.optional_type.elem_type, answers)
        case _:
            graph.output.append(onnx.ValueInfoProto(name=name, type=declared))


def nested(value, answers, results):
    """The value of an output, from an iterator over the tensors of all."""
    return _nested(value.name, value.type, answers, results)


def _nested(name, declared, answers, results):
    match declared.WhichOneof("value"):
        case "sequence_type":
            return [next(results) for _ in range(int(answers[name, "SequenceLength"]))]
        case "optional_type":
            if not answers[name, "OptionalHasElement"]:
                return None
            return _nested(f"{name}/value", declared.optional_type.elem_type, answers, results)
        case _:
            return next(results)
