// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/strategy.
#pragma once

#include <chrono>
#include <optional>

namespace p2::inline strategy {

/// The remaining effort of a search: cells of tables that it may look at, which is the same on every machine, and a
/// time limit, if any.
class SearchEffort {
 public:
  using Clock = std::chrono::steady_clock;
  SearchEffort(double cells, std::optional<Clock::time_point> end) : m_cells(cells), m_end(end) {}

  void spend(double cells) { m_spent += cells; }
  [[nodiscard]] bool isSpent() const { return m_spent >= m_cells || (m_end && Clock::now() >= *m_end); }
  [[nodiscard]] double left() const { return m_cells - m_spent; }
  [[nodiscard]] double spent() const { return m_spent; }
  /// Number of cells that an elimination, whose result is proven, may have instead of the remaining effort.
  [[nodiscard]] double eliminationCells() const {
    constexpr double kProofs = 10;  // times as many: its cells are quicker, and a proof is worth waiting for
    constexpr double kCellsASecond = 1e9;
    if (!m_end) return kProofs * left();
    return kCellsASecond * std::chrono::duration<double>(*m_end - Clock::now()).count();
  }
  /// 0 to 1.
  [[nodiscard]] double share() const { return m_spent >= m_cells ? 1 : m_spent / m_cells; }

 private:
  double m_cells;
  double m_spent = 0;
  std::optional<Clock::time_point> m_end;
};

}  // namespace p2::inline strategy
