//===- kernels.h - The library that lowered programs call -------*- C++ -*-===//

#ifndef KERNELS_H
#define KERNELS_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

/// A row-major tensor; mlir-translate prints tensor<2x3xf32> as
/// Tensor<float, 2, 3>.
template <typename T, int64_t... Sizes>
struct Tensor {
  using Element = T;
  static constexpr int64_t rank = sizeof...(Sizes);
  static constexpr int64_t count = (Sizes * ... * 1);
  static constexpr std::array<int64_t, rank> sizes{Sizes...};
  using Index = std::array<int64_t, rank>;

  std::array<T, count> data;

  /// Calls `visit` with each index and its element, in order.
  template <typename Visit>
  void each(Visit visit) {
    Index index{};
    for (T &element : data) {
      visit(index, element);
      for (int64_t dim = rank; dim-- > 0; index[dim] = 0)
        if (++index[dim] < sizes[dim])
          break;
    }
  }

  const T &operator[](const Index &index) const {
    int64_t offset = 0;
    for (int64_t dim = 0; dim < rank; ++dim)
      offset = offset * sizes[dim] + index[dim];
    return data[offset];
  }

  /// The element that broadcasting puts at an index of a larger tensor.
  template <size_t N>
  const T &broadcast(const std::array<int64_t, N> &index) const {
    Index own{};
    for (int64_t dim = 0; dim < rank; ++dim)
      own[dim] = sizes[dim] == 1 ? 0 : index[N - rank + dim];
    return (*this)[own];
  }
};

namespace kernels {

template <typename R, typename F, typename... Operands>
R pointwise(F compute, const Operands &...operands) {
  R result;
  result.each([&](const typename R::Index &index, auto &element) {
    element = compute(operands.broadcast(index)...);
  });
  return result;
}

#define UNARY(NAME, EXPRESSION)                                                \
  template <typename R, typename X>                                            \
  R NAME(const X &operand) {                                                   \
    using T = typename R::Element;                                             \
    return pointwise<R>([](auto x) -> T { return EXPRESSION; }, operand);      \
  }
#define BINARY(NAME, EXPRESSION)                                               \
  template <typename R, typename X, typename Y>                                \
  R NAME(const X &left, const Y &right) {                                      \
    using T = typename R::Element;                                             \
    return pointwise<R>([](auto x, auto y) -> T { return EXPRESSION; }, left,  \
                        right);                                                \
  }

UNARY(abs, std::abs(x))
UNARY(atan, std::atan(x))
UNARY(ceil, std::ceil(x))
UNARY(convert, T(x))
UNARY(cos, std::cos(x))
UNARY(erf, std::erf(x))
UNARY(exp, std::exp(x))
UNARY(expand, x)
UNARY(floor, std::floor(x))
UNARY(log, std::log(x))
UNARY(neg, -x)
UNARY(reciprocal, T(1) / x)
UNARY(rsqrt, T(1) / std::sqrt(x))
UNARY(sigmoid, T(1) / (T(1) + std::exp(-x)))
UNARY(sin, std::sin(x))
UNARY(sqrt, std::sqrt(x))
UNARY(tanh, std::tanh(x))
BINARY(add, x + y)
BINARY(div, x / y)
BINARY(eq, x == y)
BINARY(ge, x >= y)
BINARY(gt, x > y)
BINARY(le, x <= y)
BINARY(lt, x < y)
BINARY(maximum, x > y || x != x ? x : y)
BINARY(minimum, x < y || x != x ? x : y)
BINARY(mul, x *y)
BINARY(ne, x != y)
BINARY(pow, std::pow(x, y))
BINARY(sub, x - y)
#undef BINARY
#undef UNARY

template <typename R, typename C, typename X, typename Y>
R where(const C &condition, const X &left, const Y &right) {
  return pointwise<R>([](bool c, auto x, auto y) { return c ? x : y; },
                      condition, left, right);
}

template <typename R, typename X>
R reshape(const X &x) {
  return {x.data};
}

/// Dim d of the result is dim Dims[d] of the operand.
template <typename R, int64_t... Dims, typename X>
R permute(const X &x) {
  constexpr std::array<int64_t, R::rank> dims{Dims...};
  R result;
  result.each([&](const typename R::Index &index, auto &element) {
    typename X::Index from{};
    for (int64_t dim = 0; dim < R::rank; ++dim)
      from[dims[dim]] = index[dim];
    element = x[from];
  });
  return result;
}

/// The matrix product of the last two dims.
template <typename R, typename X, typename Y>
R mm(const X &x, const Y &y) {
  R result;
  result.each([&](const typename R::Index &index, auto &element) {
    auto left = index, right = index;
    element = 0;
    for (int64_t k = 0; k < X::sizes[X::rank - 1]; ++k) {
      left[R::rank - 1] = right[R::rank - 2] = k;
      element += x[left] * y[right];
    }
  });
  return result;
}

/// Combines the elements along Dims, in order, with `start` before the first.
template <typename R, int64_t... Dims, typename X, typename F>
R reduce(const X &x, typename R::Element start, F combine) {
  constexpr bool keeps = R::rank == X::rank;
  constexpr std::array<int64_t, sizeof...(Dims)> dims{Dims...};
  R result;
  result.data.fill(start);
  X operand = x;
  operand.each([&](const typename X::Index &index, const auto &element) {
    int64_t place = 0, own = 0;
    for (int64_t dim = 0; dim < X::rank; ++dim) {
      bool isReduced = std::find(dims.begin(), dims.end(), dim) != dims.end();
      if (!isReduced)
        place = place * R::sizes[own] + index[dim];
      if (!isReduced || keeps)
        ++own;
    }
    result.data[place] = combine(result.data[place], element);
  });
  return result;
}

template <typename R, int64_t... Dims, typename X>
R sum(const X &x) {
  return reduce<R, Dims...>(x, 0, [](auto a, auto b) { return a + b; });
}

template <typename R, int64_t... Dims, typename X>
R amax(const X &x) {
  using T = typename R::Element;
  constexpr T least = std::numeric_limits<T>::has_infinity
                          ? -std::numeric_limits<T>::infinity()
                          : std::numeric_limits<T>::lowest();
  return reduce<R, Dims...>(x, least,
                            [](T a, T b) { return a > b || a != a ? a : b; });
}

template <typename R, int64_t... Dims, typename X>
R amin(const X &x) {
  using T = typename R::Element;
  constexpr T most = std::numeric_limits<T>::has_infinity
                         ? std::numeric_limits<T>::infinity()
                         : std::numeric_limits<T>::max();
  return reduce<R, Dims...>(x, most,
                            [](T a, T b) { return a < b || a != a ? a : b; });
}

} // namespace kernels

#endif // KERNELS_H
