//===- Program.h - An exported program as a function ------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_IMPORTER_PT2_PROGRAM_H
#define ISTHMUS_LIB_IMPORTER_PT2_PROGRAM_H

#include "Graph.h"
#include "Weights.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace isthmus::pt2 {

/// Builds @main of a program: its inputs and weights, nodes, and results.
class ProgramImporter {
public:
  ProgramImporter(Import &import, Weights &weights,
                  const schema::ExportedProgram &program)
      : import(import), weights(weights), program(program),
        builder(import.context), graph(import, builder, values, program.graph) {
  }

  /// Adds the function to the module. Errors are in the import.
  void importProgram(mlir::ModuleOp module);

private:
  /// A leaf of the inputs or outputs: the number of an argument or result, or a
  /// value that is not one.
  mlir::Attribute describeLeaf(const schema::Argument &argument, size_t number);
  mlir::NamedAttribute named(llvm::StringRef name, mlir::Attribute value) {
    return builder.getNamedAttr(name, value);
  }

  void importInput(const schema::InputSpec &spec);
  llvm::SmallVector<mlir::NamedAttribute> describe(llvm::StringRef name);
  void importUserInput(const schema::Argument &argument);
  void importWeight(const schema::InputSpec &spec);
  void importOutput(const schema::OutputSpec &spec);
  void addMutations();
  void checkUnshared(llvm::StringRef target);
  void addMutation(mlir::StringAttr target, mlir::StringAttr name,
                   mlir::Value value);
  void addResult(mlir::Value value,
                 llvm::ArrayRef<mlir::NamedAttribute> attributes);
  mlir::DictionaryAttr getRanges();
  mlir::ArrayAttr getGuards();

  Import &import;
  Weights &weights;
  const schema::ExportedProgram &program;
  mlir::OpBuilder builder;
  Values values;
  GraphImporter graph;

  mlir::func::FuncOp func;
  llvm::SmallVector<mlir::DictionaryAttr> argumentAttributes;
  llvm::SmallVector<mlir::Attribute> inputLeaves, outputLeaves;
  llvm::SmallVector<mlir::Value> results;
  llvm::SmallVector<mlir::DictionaryAttr> resultAttributes;
  /// The values that the program may mutate: the names of parameters, buffers
  /// and inputs, in the order of the signature.
  llvm::SmallVector<std::pair<std::string, Values::Id>> writable;
  /// The initial values of parameters and buffers.
  llvm::StringMap<torch::ValueTensorLiteralOp> literals;
};

} // namespace isthmus::pt2

#endif // ISTHMUS_LIB_IMPORTER_PT2_PROGRAM_H
