//===- Target.h - Dialects that programs are lowered to ---------*- C++ -*-===//
//
// A target is a subclass of Target and one object of it, beside its lowering:
//
//   static RegisterTarget<TosaTarget> registered;
//
// Pipelines, the API, isthmus-opt and Python read the list of linked targets.
// examples/target adds a target from another workspace.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_TARGET_H
#define ISTHMUS_CONVERSION_TARGET_H

#include "isthmus/Conversion/CustomOps.h"
#include "isthmus/Conversion/TorchLowering.h"
#include "isthmus/Support/LoadDialects.h"
#include "mlir/Pass/PassManager.h"
#include <string>
#include <vector>

namespace isthmus {

/// Options of the lowering to a target: docs/generated/options.md lists them.
struct TargetPipelineOptions {
#define GET_PIPELINE_MEMBERS
#include "isthmus/Conversion/LoweringOptions.inc"
#undef GET_PIPELINE_MEMBERS

  /// Whether `mutableBuffers` is "globals".
  bool keepsBuffersInGlobals() const { return mutableBuffers == "globals"; }
};

/// The options of a pass that carries the ops of these names, as
/// `carryOptions` of Passes.td declares them.
template <typename PassOptions>
PassOptions makeCarryOptions(llvm::ArrayRef<std::string> ops,
                             const TargetPipelineOptions &options) {
  PassOptions pass;
  llvm::append_range(pass.ops, ops);
  pass.customOpEncoding = options.customOpEncoding;
  return pass;
}

/// The same for a pass that lowers core ops: `loweringOptions` of Passes.td.
template <typename PassOptions>
PassOptions makeLoweringOptions(llvm::ArrayRef<std::string> customOps,
                                const TargetPipelineOptions &options) {
  PassOptions pass;
  llvm::append_range(pass.customOps, customOps);
  pass.customOpEncoding = options.customOpEncoding;
  return pass;
}

/// How a dialect writes the constant of a tensor: "tosa.const" with the
/// elements in "values".
struct ConstantForm {
  llvm::StringLiteral op, attribute;
};

/// A dialect that programs are lowered to.
class Target {
public:
  virtual ~Target() = default;

  /// The name that users give: "tosa". Messages and pipelines use it too.
  virtual llvm::StringRef getName() const = 0;

  /// Whether programs stay in the torch dialect, which has any op: they are
  /// only decomposed.
  virtual bool staysInTorch() const { return false; }

  //===--------------------------------------------------------------------===//
  // Lowering
  //===--------------------------------------------------------------------===//

  /// Adds the dialects of the target's programs.
  virtual void addDialects(DialectSet &dialects) const = 0;

  /// Registers the target's own passes for textual pipelines.
  virtual void registerPasses() const {}

  /// Adds the patterns that lower core ops. The passes of addLowering run them;
  /// the coverage table reads their root ops.
  virtual void populatePatterns(const TorchTypeConverter &types,
                                mlir::RewritePatternSet &patterns,
                                UnsupportedOps &unsupported) const = 0;

  /// Composite ATen ops that patterns lower whole, because that is better than
  /// their decomposition.
  virtual llvm::ArrayRef<llvm::StringRef> getKeptOps() const { return {}; }

  /// The dialect of programs that the target takes besides onnx and torch;
  /// empty if there is none.
  virtual llvm::StringRef getOtherSource() const { return ""; }

  /// Adds a pass that carries the ops of these names whole, though they may
  /// have a lowering (custom_ops::carry).
  virtual void addCarrying(mlir::OpPassManager &manager,
                           llvm::ArrayRef<std::string> ops,
                           const TargetPipelineOptions &options) const = 0;

  /// Adds passes that look at composite ops before they are decomposed, except
  /// for `legalOps`, which stay as they are.
  virtual void addPreparation(mlir::OpPassManager &manager,
                              llvm::ArrayRef<std::string> legalOps,
                              const TargetPipelineOptions &options) const {}

  /// Adds the passes that lower core ops. Those of `customOps` that have no
  /// lowering are carried.
  virtual void addLowering(mlir::OpPassManager &manager,
                           llvm::ArrayRef<std::string> customOps,
                           const TargetPipelineOptions &options) const = 0;

  //===--------------------------------------------------------------------===//
  // Lowered programs
  //===--------------------------------------------------------------------===//

  virtual ConstantForm getConstantForm() const = 0;

  /// Whether those who take the target's programs read weights in globals and
  /// resources. For others, they are constants in the text, or arguments.
  virtual bool readsGlobals() const { return true; }

  /// Whether a program may be one for several devices, as the compiler that
  /// reads it partitions it.
  virtual bool isPartitioned() const { return false; }

  /// Whether tensors may have sizes that data decides, as of what a mask picks.
  virtual bool hasSizesFromData() const { return false; }

  /// Whether IREE reads the target's programs.
  virtual bool isReadByIree() const { return false; }

  /// The format of files, besides MLIR, that hold the target's programs: "tosa"
  /// for files like "m.tosa". Empty if there is none.
  virtual llvm::StringRef getFileFormat() const { return ""; }

  /// Writes a program in that format. An error at everything that the format
  /// cannot hold; then nothing is written.
  virtual llvm::LogicalResult writeFile(mlir::ModuleOp module,
                                        llvm::raw_ostream &os) const {
    return llvm::failure();
  }

  //===--------------------------------------------------------------------===//
  // Custom ops
  //===--------------------------------------------------------------------===//

  /// See custom_ops::identify; nullopt for an op that is not a custom op of the
  /// target.
  virtual std::optional<mlir::FailureOr<custom_ops::Identity>>
  identify(mlir::Operation *op) const {
    return std::nullopt;
  }

  /// The name that an op gives to a part of the program; empty if it gives
  /// none, as all but composites.
  virtual llvm::StringRef getPartName(mlir::Operation *op) const { return ""; }

  /// The elements of a constant that the target writes as more than one op;
  /// null for others.
  virtual mlir::ElementsAttr getConstant(mlir::Value value) const { return {}; }
};

/// The targets of this build, by name.
llvm::ArrayRef<const Target *> targets();

/// The target of a name; null if this build has none.
const Target *findTarget(llvm::StringRef name);

/// The target whose programs have constants of a dialect; null if there is
/// none.
const Target *findTargetOfConstants(llvm::StringRef dialect);

/// The target that has the files of this name, "m.tosa"; null if there is none.
const Target *findTargetOfFile(llvm::StringRef path);

/// Adds a target to the list. Ends the process if its name is taken.
void registerTarget(const Target &target);

/// Adds a target to the list before main() starts. The target is never
/// destroyed: threads may use it while the process exits.
template <typename T>
struct RegisterTarget {
  RegisterTarget() { registerTarget(*new T()); }
};

} // namespace isthmus

#endif // ISTHMUS_CONVERSION_TARGET_H
