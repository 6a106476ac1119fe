//===- ProgramWriter.h - The parts of a TOSA file ---------------*- C++ -*-===//
//
// A file has the program's function as its first region, "main", and then those
// of control flow, which ops refer to by name:
//
//   func.func @main ─▶ region "main" ─▶ block: inputs, operators, outputs,
//   tosa.cond_if    ─▶ regions "cond_if_then", …       tensors, shapes
//
// An operator names its operands and results, and the lists of tensors and
// shapes give their types, and the elements of constants.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_TOSAFILE_PROGRAMWRITER_H
#define ISTHMUS_LIB_CONVERSION_TOSAFILE_PROGRAMWRITER_H

#include "Flatbuffer.h"
#include "Schema.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"
#include <deque>

namespace isthmus::tosa_file {

using Data = Flatbuffer::Data;
using Field = Flatbuffer::Field;
using Part = Flatbuffer::Part;

/// Tensors that keep their values from run to run.
struct Variable {
  Part name, tensor;
  /// The value of an immutable global, which is a constant; null for others.
  mlir::ElementsAttr constant;
};

/// Builds the parts of a file, and reports what the format cannot hold.
class ProgramWriter {
public:
  explicit ProgramWriter(mlir::ModuleOp module) : module(module) {}

  mlir::LogicalResult build();
  void write(llvm::raw_ostream &os) { file.write(root, kIdentifier, os); }

private:
  /// The parts of a block so far.
  struct BlockParts {
    llvm::SmallVector<Part> operators, shapes, tensors;
  };

  struct PendingRegion {
    mlir::Region *region;
    std::string name;
  };

  mlir::InFlightDiagnostic emitError(mlir::Location location) {
    isValid = false;
    return mlir::emitError(location);
  }

  void addVariables();
  void addVariable(mlir::Operation *op, llvm::StringRef symbol, mlir::Type type,
                   mlir::Attribute value);
  void addMain(mlir::func::FuncOp func);
  void addNested(const PendingRegion &nested);
  void addRegion(llvm::StringRef name, Part inputs, Part outputs,
                 BlockParts &parts);

  void addOp(mlir::Operation &op, BlockParts &parts);
  void addOperator(llvm::StringRef name, Part attributes,
                   llvm::ArrayRef<Part> inputs, llvm::ArrayRef<Part> outputs,
                   mlir::Location location, BlockParts &parts);
  Part addAttributes(mlir::Operation &op, const OpForm &form);
  std::optional<Field> addAttribute(unsigned index, FieldForm form,
                                    mlir::Attribute attribute);
  Part addLocation(mlir::Location location);

  /// Gives a value its place in the block's lists.
  void declare(mlir::Value value, Part name, mlir::ElementsAttr elements,
               BlockParts &parts);
  /// An entry of the list of tensors; absent after an error.
  Part addTensor(Part name, mlir::Type type, mlir::ElementsAttr elements,
                 llvm::StringRef variable, mlir::Location location,
                 const llvm::Twine &what = "");
  Part addShape(Part name, mlir::tosa::shapeType type,
                mlir::ElementsAttr elements, mlir::Location location);
  std::optional<Data> addElements(mlir::ElementsAttr elements,
                                  mlir::Location location);

  /// `wanted`, or with a number behind it if that is taken; a number of its own
  /// without one.
  Part addName(llvm::StringRef wanted = "");
  std::string freeName(llvm::StringRef wanted);
  /// Gives the value a name, if it has none.
  Part nameOf(mlir::Value value);
  /// The name of a value that the block's ops may use.
  Part use(mlir::Value value, mlir::Operation &user);

  bool isTooLarge() const { return file.size() > Flatbuffer::kMostBytes; }

  mlir::ModuleOp module;
  Flatbuffer file;
  Part root;
  bool isValid = true;
  llvm::StringSet<> taken;
  /// The number behind the next equal name.
  llvm::StringMap<unsigned> nextNumbers;
  llvm::DenseMap<mlir::Value, Part> names;
  llvm::DenseMap<mlir::Attribute, Data> elementsInFile;
  llvm::DenseMap<mlir::StringAttr, Part> locations;
  llvm::StringMap<Variable> variables;
  llvm::SmallVector<Part> variableTensors, regions;
  std::deque<PendingRegion> pending;
};

} // namespace isthmus::tosa_file

#endif // ISTHMUS_LIB_CONVERSION_TOSAFILE_PROGRAMWRITER_H
