// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QStringList>
#include <algorithm>
#include <memory>

#include "views/cost/best_rows.h"

class QPainter;

namespace p2::views {

/// The best program of every placement as a picture that stands by itself: the question, the finding, the prices'
/// model, and a row for each with its matrix, its program and its bars. A value.
class BestPicture {
 public:
  static constexpr std::size_t kMostRows = 40;

  BestPicture(std::shared_ptr<const Exploration> exploration, int width);

  [[nodiscard]] QSize size() const;
  void paint(QPainter& painter) const;

 private:
  [[nodiscard]] QStringList head() const;
  [[nodiscard]] int headHeight() const;
  [[nodiscard]] int rowHeight() const;
  [[nodiscard]] std::size_t shown() const { return std::min(m_rows.size(), kMostRows); }

  std::shared_ptr<const Exploration> m_exploration;
  std::vector<BestRow> m_rows;
  int m_width;
};

}  // namespace p2::views
