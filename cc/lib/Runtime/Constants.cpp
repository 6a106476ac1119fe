//===- Constants.cpp - Constants outside of the code ----------------------===//

#include "Constants.h"

#include "Memory.h"

#include "isthmus/Support/ResourceBytes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

using namespace mlir;
using namespace isthmus;

namespace {

class Hoisting {
public:
  Hoisting(ModuleOp module, ConstantTable &table, ConstantTensors &tensors)
      : module(module), table(table), tensors(tensors) {}

  /// The bytes of a constant as compiled code reads them, for a splat the bytes
  /// of one element; or null.
  const void *bytesOf(ElementsAttr value) {
    auto type = cast<RankedTensorType>(value.getType());
    int64_t count = type.getNumElements();
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
      ArrayRef<char> data = isthmus::bytesOf(resource);
      bool packed = type.getElementType().isInteger(1) && count > 1 &&
                    int64_t(data.size()) == int64_t(llvm::divideCeil(count, 8));
      if (packed)
        return unpackBits(data, count);
      auto element = elementTypeOf(type.getElementType());
      if (!element || int64_t(data.size()) < count * int64_t(sizeOf(*element)))
        return nullptr;
      return data.data();
    }
    if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
      if (!type.getElementType().isInteger(1))
        return dense.getRawData().data();
      // The first element determines a splat.
      int64_t stored = dense.isSplat() ? 1 : count;
      auto *bytes = static_cast<char *>(table.allocate(stored));
      auto bits = dense.getValues<bool>();
      if (bytes)
        std::copy_n(bits.begin(), stored, bytes);
      return bytes;
    }
    return nullptr;
  }

  /// Replaces a global of the program: a constant, memory of the host, or state
  /// that lives as long as the executable.
  LogicalResult replaceGlobal(ml_program::GlobalOp global,
                              const JitOptions &options) {
    auto type = dyn_cast<RankedTensorType>(global.getType());
    if (!type || !type.hasStaticShape() ||
        !elementTypeOf(type.getElementType()))
      return global.emitError("expected a global of a static tensor type, got ")
             << global.getType();
    ArrayRef<Operation *> users = usersOf(global);
    auto splat = dyn_cast_if_present<SplatElementsAttr>(global.getValueAttr());
    if (splat && !global.getIsMutable())
      return replaceBySplat(global, splat, users);
    const void *data = nullptr;
    if (isa_and_nonnull<ml_program::ExternAttr>(global.getValueAttr())) {
      data = options.externs ? options.externs(global.getSymName()) : nullptr;
      if (!data)
        return global.emitError("expected the memory of extern global '")
               << global.getSymName() << "', got none";
    } else if (auto value =
                   dyn_cast_if_present<ElementsAttr>(global.getValueAttr())) {
      data = bytesOf(value);
    }
    if (!data)
      return global.emitError("expected a global with a value, got none");
    if (global.getIsMutable()) {
      data = copyOf(data, type, /*isSplat=*/bool(splat));
      if (!data)
        return global.emitError("out of memory: the state of global '")
               << global.getSymName() << "'";
    }

    for (Operation *user : users) {
      OpBuilder builder(user);
      Location loc = user->getLoc();
      Block &entry = user->getParentOfType<func::FuncOp>().front();
      if (auto store = dyn_cast<ml_program::GlobalStoreOp>(user)) {
        Value buffer = tensors.bufferOver(data, type, entry, loc);
        bufferization::MaterializeInDestinationOp::create(
            builder, loc, /*result=*/Type(), store.getValue(), buffer,
            /*restrict=*/true, /*writable=*/true);
      } else if (isa<ml_program::GlobalLoadOp, ml_program::GlobalLoadConstOp>(
                     user)) {
        Value tensor = tensors.tensorOver(data, type, entry, loc);
        // A later store must not change what was loaded before it.
        if (global.getIsMutable())
          tensor = bufferization::AllocTensorOp::create(
              builder, loc, type, /*dynamicSizes=*/ValueRange(), tensor);
        user->getResult(0).replaceAllUsesWith(tensor);
      } else {
        return fail(user, global);
      }
      user->erase();
    }
    global.erase();
    return success();
  }

private:
  /// The ops that load, store or otherwise reference the global.
  ArrayRef<Operation *> usersOf(ml_program::GlobalOp global) {
    if (!users) {
      users.emplace();
      if (auto uses = SymbolTable::getSymbolUses(&module.getBodyRegion()))
        for (SymbolTable::SymbolUse use : *uses)
          (*users)[use.getSymbolRef().getRootReference()].push_back(
              use.getUser());
    }
    return (*users)[global.getSymNameAttr()];
  }

  static LogicalResult fail(Operation *user, ml_program::GlobalOp global) {
    return user->emitError("expected a load or a store of global '")
           << global.getSymName() << "', got '" << user->getName() << "'";
  }

  static LogicalResult replaceBySplat(ml_program::GlobalOp global,
                                      SplatElementsAttr value,
                                      ArrayRef<Operation *> users) {
    for (Operation *user : users) {
      if (!isa<ml_program::GlobalLoadOp, ml_program::GlobalLoadConstOp>(user))
        return fail(user, global);
      OpBuilder builder(user);
      user->replaceAllUsesWith(
          arith::ConstantOp::create(builder, user->getLoc(), value));
      user->erase();
    }
    global.erase();
    return success();
  }

  /// Memory initialized from `data`, which for a splat is one element; null if
  /// the allocation fails.
  void *copyOf(const void *data, RankedTensorType type, bool isSplat) {
    size_t size = sizeOf(*elementTypeOf(type.getElementType()));
    auto *copy =
        static_cast<char *>(table.allocate(type.getNumElements() * size));
    if (!copy)
      return nullptr;
    if (!isSplat)
      return std::memcpy(copy, data, type.getNumElements() * size);
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      std::memcpy(copy + i * size, data, size);
    return copy;
  }

  const void *unpackBits(ArrayRef<char> bits, int64_t count) {
    auto *bytes = static_cast<char *>(table.allocate(count));
    for (int64_t i = 0; bytes && i < count; ++i)
      bytes[i] = (bits[i / 8] >> (i % 8)) & 1;
    return bytes;
  }

  ModuleOp module;
  ConstantTable &table;
  ConstantTensors &tensors;
  std::optional<DenseMap<StringAttr, SmallVector<Operation *, 2>>> users;
};

bool isLarge(ElementsAttr value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !elementTypeOf(type.getElementType()))
    return false;
  // A resource may have any size, so its element count is not a useful
  // criterion.
  if (isa<DenseResourceElementsAttr>(value))
    return true;
  auto dense = dyn_cast<DenseElementsAttr>(value);
  return dense && !dense.isSplat() && type.getNumElements() > kSmallConstant;
}

} // namespace

Value ConstantTensors::tensorOver(const void *data, RankedTensorType type,
                                  Block &block, Location loc) {
  Value buffer = bufferOver(data, type, block, loc);
  OpBuilder builder(block.getParentOp()->getContext());
  builder.setInsertionPointAfterValue(buffer);
  return bufferization::ToTensorOp::create(builder, loc, type, buffer,
                                           /*restrict=*/true);
}

Value ConstantTensors::bufferOver(const void *data, RankedTensorType type,
                                  Block &block, Location loc) {
  memref::GlobalOp global = globalOver(data, type, loc);
  auto builder = OpBuilder::atBlockBegin(&block);
  return memref::GetGlobalOp::create(builder, loc, global.getType(),
                                     global.getName());
}

memref::GlobalOp ConstantTensors::globalOver(const void *data,
                                             RankedTensorType type,
                                             Location loc) {
  auto memref = MemRefType::get(type.getShape(), type.getElementType());
  memref::GlobalOp &global = globals[{data, memref}];
  if (global)
    return global;
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  global = memref::GlobalOp::create(
      builder, loc, "isthmus.constant", /*sym_visibility=*/StringAttr(), memref,
      /*initial_value=*/Attribute(), /*constant=*/false,
      /*alignment=*/IntegerAttr());
  StringAttr name = symbols.insert(global);
  table.entries.push_back({name.str(), data});
  return global;
}

static void *allocateAligned(size_t size) {
  return std::aligned_alloc(
      kBufferAlignment,
      llvm::alignTo(std::max<size_t>(size, 1), kBufferAlignment));
}

void *ConstantTable::allocate(size_t size) {
  return owned.emplace_back(allocateAligned(size), std::free).get();
}

namespace {

/// Memory shared by the programs of this process.
struct SharedMemory {
  using Key = std::vector<uint64_t>;
  std::mutex mutex;
  std::map<Key, std::weak_ptr<void>> byKey;
};

} // namespace

static SharedMemory &sharedMemory() {
  static auto *memory = new SharedMemory; // no destructor at exit
  return *memory;
}

void *ConstantTable::allocateShared(ArrayRef<uint64_t> parts, size_t size,
                                    llvm::function_ref<void(void *)> fill) {
  SharedMemory &shared = sharedMemory();
  SharedMemory::Key key(parts.begin(), parts.end());
  std::lock_guard lock(shared.mutex);
  std::weak_ptr<void> &known = shared.byKey[key];
  std::shared_ptr<void> memory = known.lock();
  if (!memory) {
    auto release = [&shared, key](void *data) {
      std::free(data);
      std::lock_guard lock(shared.mutex);
      auto found = shared.byKey.find(key);
      if (found != shared.byKey.end() && found->second.expired())
        shared.byKey.erase(found);
    };
    void *fresh = allocateAligned(size);
    if (!fresh)
      return nullptr;
    memory.reset(fresh, release);
    fill(fresh);
    known = memory;
  }
  return owned.emplace_back(std::move(memory)).get();
}

const void *ConstantTable::lookup(StringRef symbol) const {
  for (const Entry &entry : entries)
    if (entry.symbol == symbol)
      return entry.data;
  return nullptr;
}

void ConstantTable::freeUnused(ModuleOp code) {
  llvm::StringSet<> used;
  if (auto uses = SymbolTable::getSymbolUses(&code.getBodyRegion()))
    for (SymbolTable::SymbolUse use : *uses)
      used.insert(use.getSymbolRef().getRootReference());
  llvm::erase_if(entries, [&](const Entry &entry) {
    return !used.contains(entry.symbol);
  });
  DenseSet<const void *> kept;
  for (const Entry &entry : entries)
    kept.insert(entry.data);
  llvm::erase_if(owned, [&](const std::shared_ptr<void> &memory) {
    return !kept.contains(memory.get());
  });
}

LogicalResult isthmus::hoistConstants(ModuleOp module,
                                      const JitOptions &options,
                                      ConstantTable &table) {
  ConstantTensors tensors(module, table);
  Hoisting hoisting(module, table, tensors);
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isExternal())
      continue;
    SmallVector<arith::ConstantOp> constants;
    func.walk([&](arith::ConstantOp op) {
      if (auto value = dyn_cast<ElementsAttr>(op.getValue()))
        if (isLarge(value))
          constants.push_back(op);
    });
    for (arith::ConstantOp op : constants) {
      auto type = cast<RankedTensorType>(op.getType());
      const void *data = hoisting.bytesOf(cast<ElementsAttr>(op.getValue()));
      if (!data)
        return op.emitError("expected a constant with ")
               << type.getNumElements() << " elements of "
               << type.getElementType()
               << ", got a resource that is absent or smaller";
      op.replaceAllUsesWith(
          tensors.tensorOver(data, type, func.front(), op.getLoc()));
      op.erase();
    }
  }
  for (auto global :
       llvm::make_early_inc_range(module.getOps<ml_program::GlobalOp>()))
    if (failed(hoisting.replaceGlobal(global, options)))
      return failure();
  return success();
}
