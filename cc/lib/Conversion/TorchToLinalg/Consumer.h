//===- Consumer.h - The compiler that reads the program ---------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_CONSUMER_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_CONSUMER_H

namespace isthmus::torch_to_linalg {

/// Any compiler runs upstream's ops. IREE runs loops that read and write single
/// elements on the host, element by element, and refuses those over tensors of
/// unknown size; it has ops of its own for them.
enum class Consumer { Any, Iree };

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_CONSUMER_H
