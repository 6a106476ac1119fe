//===- LoweringOptions.td - The options of a lowering ------*- tablegen -*-===//
//
// The one place that declares an option. An option has one spelling in each
// place: `narrow-f64` in passes and pipelines, `narrowF64` in C++ (class
// TargetPipelineOptions), `narrow_f64` in Python (Module.lower), `--narrow-f64`
// in the command. tools/generators/lowering_options.py makes all of them and
// docs/generated/options.md from this file.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_LOWERINGOPTIONS
#define ISTHMUS_CONVERSION_LOWERINGOPTIONS

include "mlir/Pass/PassBase.td"

/// The parts of an option that Python, the command and the page need in
/// addition to those of a pass option.
class LoweringOption<string kindOf, string exampleOf = ""> {
  string kind = kindOf;
  /// An example of a value, as for the command.
  string example = exampleOf;
  /// Further sentences, for the documentation.
  string details = "";
  /// The values of a choice; the first is the default.
  list<string> choices = [];
  /// Whether convert-onnx-to-torch-pipeline has it too.
  bit isOnnxOption = 0;
}

class Name<string name, string flag, string summary, string example>
    : Option<name, flag, "std::string", "\"\"", summary>, LoweringOption<"name", example>;

/// Names, separated by commas.
class Names<string name, string flag, string summary, string example>
    : ListOption<name, flag, "std::string", summary>, LoweringOption<"names", example>;

/// Paths of files; the command's flag may be repeated.
class Files<string name, string flag, string summary>
    : ListOption<name, flag, "std::string", summary>, LoweringOption<"files", "FILE">;

/// Texts of any characters; the command's flag may be repeated.
class Texts<string name, string flag, string summary, string example>
    : ListOption<name, flag, "std::string", summary>, LoweringOption<"texts", example>;

class Choice<string name, string flag, string summary, list<string> values>
    : Option<name, flag, "std::string", "\"" # !head(values) # "\"",
             summary # ": '" # !interleave(values, "' or '") # "'">,
      LoweringOption<"choice"> {
  string sentence = summary;
  let choices = values;
}

class Flag<string name, string flag, string summary>
    : Option<name, flag, "bool", "false", summary>, LoweringOption<"flag">;

/// Sizes by the name of an input. Passes do not have this kind of option.
class Shapes<string name, string flag, string summary, string example>
    : Option<name, flag, "", "", summary>, LoweringOption<"shapes", example>;

def BackendLegalOpsOption : Names<"backendLegalOps", "backend-legal-ops",
    "composite ATen ops to keep whole", "aten.gelu,aten.layer_norm"> {
  let details = "Those without a lowering to the target become custom ops.";
}

def ConsumerOption : Choice<"consumer", "consumer", "the compiler that reads the program", ["any", "iree"]> {
  let details = "On Linalg, with `any`, scatter, sort and similar ops become loops over elements. With `iree`, they become IREE's own ops or parallel forms. The other targets have one form for all compilers.";
}

def CustomOpsOption : Names<"customOps", "custom-ops",
    "ops to carry as custom ops, even if they have a lowering; or 'all', or 'unsupported' for all ops without a lowering",
    "aten.layer_norm,Einsum,com.acme.FancyAttention"> {
  let details = "docs/custom_ops.md is the contract.";
  let isOnnxOption = 1;
}

def CustomOpEncodingOption : Choice<"customOpEncoding", "custom-op-encoding",
    "how non-tensor arguments of custom ops are encoded", ["attributes", "operands"]>;

def DeviceConfigurationOption : Name<"deviceConfiguration", "device-configuration",
    "a device configuration of an ONNX model, whose shardings the program gets", "tensor_parallel"> {
  let details = "On MHLO and StableHLO, the program has a mesh of Shardy and the model's shardings as constraints. Other targets have one device.";
  let isOnnxOption = 1;
}

def MeshOption : Name<"mesh", "mesh", "axes of devices that the program is for, and their sizes", "data=2,model=4"> {
  let details = "On MHLO and StableHLO, XLA partitions the program over them.";
}

def MutableBuffersOption : Choice<"mutableBuffers", "mutable-buffers",
    "how to represent buffers that an exported program writes to", ["results", "globals"]> {
  let details = "As results, new values follow the program's own results. As globals, buffers are ml_program.globals, which keep their values from call to call; the torch dialect has none.";
}

def NarrowF64Option : Flag<"narrowF64", "narrow-f64", "compute f64 as f32, because TOSA has no f64">;

def OutlineOption : Names<"outline", "outline",
    "classes of PyTorch modules, and functions of an ONNX model, whose calls become custom ops with a body",
    "LayerNorm,com.acme.FancyNorm"> {
  let isOnnxOption = 1;
}

def OutlinePatternsOption : Files<"outlinePatterns", "outline-patterns",
    "MLIR files of the torch dialect; each match of one of their functions becomes a custom op with a body">;

def QuantizedOption : Choice<"quantized", "quantized", "how to compute quantized layers", ["integers", "floats"]> {
  let details = "On TOSA, with `integers`, layers between dequantize and quantize ops of known scales are computed on integers and rescaled, which may differ from the program by one step of the quantized numbers. With `floats`, they are computed as the program says. The other targets compute on floats.";
}

def ShardingOption : Texts<"sharding", "sharding",
    "the axes of the mesh that split each dim of weights, inputs and results whose names match a pattern; * leaves a dim whole",
    "*.q_proj.weight=model,*"> {
  let details = "`data+model` splits one dim over two axes. The first rule that matches a name counts.";
}

def SpecializeOption : Shapes<"specialize", "specialize", "static sizes by input name", "INPUT=1x3x224x224"> {
  let details = "For targets and uses that need them. Only ONNX graphs and exported programs have names of inputs.";
}

#endif // ISTHMUS_CONVERSION_LOWERINGOPTIONS
