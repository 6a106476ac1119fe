//===- Scales.h - One scale, or one for each channel ------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_SCALES_H
#define ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_SCALES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cmath>
#include <limits>
#include <memory>

namespace isthmus::quantized_to_tosa {

/// Positive numbers; copies share those of the channels.
class Scales {
public:
  explicit Scales(double one) : factor(one) {}
  explicit Scales(llvm::ArrayRef<double> each) : factor(1) {
    if (each.size() == 1)
      factor = each[0];
    else
      channels = std::make_shared<const Channels>(each);
  }

  bool isOne() const { return !channels; }
  size_t size() const { return isOne() ? 1 : channels->each.size(); }
  /// The scale of channel `i`; the only one is that of each.
  double operator[](size_t i) const {
    return isOne() ? factor : factor * channels->each[i];
  }
  double least() const { return isOne() ? factor : factor * channels->least; }
  double most() const { return isOne() ? factor : factor * channels->most; }

  Scales times(double number) const {
    Scales product = *this;
    product.factor *= number;
    return product;
  }

  /// Whether all are normal floats above 0, alone and as f32.
  bool areValid() const {
    return least() >= std::numeric_limits<float>::min() &&
           most() <= std::numeric_limits<float>::max();
  }

private:
  struct Channels {
    explicit Channels(llvm::ArrayRef<double> each)
        : each(each), least(*llvm::min_element(each)),
          most(*llvm::max_element(each)) {
      if (llvm::any_of(each, [](double scale) { return std::isnan(scale); }))
        least = 0; // not valid
    }
    llvm::SmallVector<double, 0> each;
    double least, most;
  };

  double factor;
  std::shared_ptr<const Channels> channels; // null for one scale
};

} // namespace isthmus::quantized_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_SCALES_H
