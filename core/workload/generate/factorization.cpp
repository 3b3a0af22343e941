// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/factorization.h"

#include <algorithm>

#include "base/counted.h"
#include "base/lists.h"
#include "base/numbers.h"

namespace p2::inline workload {
namespace {

/// Walks the axes of one way from the innermost one, piece by piece.
class Walk {
 public:
  explicit Walk(const std::vector<Axis>& axes) : m_axes(axes), m_next(axes.size()) { skip(); }

  [[nodiscard]] bool atEnd() const { return m_left == 1; }
  [[nodiscard]] std::int64_t left() const { return m_left; }
  [[nodiscard]] const Axis& axis() const { return m_axes[m_next]; }
  [[nodiscard]] std::size_t index() const { return m_next; }
  [[nodiscard]] bool isWhole(std::int64_t piece) const { return piece == axis().size; }
  void take(std::int64_t piece) {
    m_left /= piece;
    if (m_left == 1) skip();
  }

 private:
  void skip() {
    while (m_next > 0 && m_left == 1) m_left = m_axes[--m_next].size;
  }

  const std::vector<Axis>& m_axes;
  std::size_t m_next;
  std::int64_t m_left = 1;  // the rest of the axis that no piece has taken
};

Result<std::int64_t> productOfAxes(const std::vector<Axis>& axes) {
  const std::vector<std::int64_t> sizes = sizesOf(axes);
  for (const Axis& axis : axes) {
    if (axis.size < 1) return Error{"axis " + axis.name + " has size " + std::to_string(axis.size) + "; use 1 or more"};
  }
  const auto product = checkedProduct(sizes);
  if (product) return *product;
  return Error{"the axes multiply to over 2^63 devices; use smaller sizes"};
}

std::string axesText(const std::vector<Axis>& axes) {
  return joined(axes, " · ", [](const Axis& axis) { return axis.name + " " + std::to_string(axis.size); });
}

std::string pieceName(const Walk& first, const Walk& second, std::int64_t piece) {
  if (first.isWhole(piece)) return first.axis().name;
  if (second.isWhole(piece)) return second.axis().name;
  return first.axis().name + "-" + second.axis().name;
}

}  // namespace

Result<CommonRefinement> commonRefinement(const std::vector<Axis>& first, const std::vector<Axis>& second) {
  P2_TRY_ASSIGN(const auto devices, productOfAxes(first));
  P2_TRY_ASSIGN(const auto others, productOfAxes(second));
  if (devices != others) {
    return Error{axesText(first) + " are " + countedText(devices, "device") + " and " + axesText(second) + " are " +
                 std::to_string(others) + "; both must be the same ones"};
  }
  CommonRefinement result{
      {}, std::vector<std::vector<std::string>>(first.size()), std::vector<std::vector<std::string>>(second.size())};
  Walk a(first);
  Walk b(second);
  while (!a.atEnd() && !b.atEnd()) {
    const std::int64_t piece = std::min(a.left(), b.left());
    if (std::max(a.left(), b.left()) % piece != 0) {
      const auto& [small, large] = a.left() < b.left() ? std::pair(a, b) : std::pair(b, a);
      return Error{axesText(first) + " and " + axesText(second) + " have no common refinement: " + small.axis().name +
                   " ends inside " + large.axis().name + ", whose remaining " + std::to_string(large.left()) +
                   " devices are not a multiple of " + std::to_string(piece) + "; use another order or other degrees"};
    }
    std::string name = pieceName(a, b, piece);
    // Either way may use a name for an axis of its own.
    const auto taken = [&] {
      return std::any_of(result.axes.begin(), result.axes.end(), [&](const Axis& axis) { return axis.name == name; });
    };
    if (taken()) name += "-2";
    result.axes.insert(result.axes.begin(), {name, piece, false});
    result.first[a.index()].insert(result.first[a.index()].begin(), name);
    result.second[b.index()].insert(result.second[b.index()].begin(), name);
    a.take(piece);
    b.take(piece);
  }
  return result;
}

}  // namespace p2::inline workload
