// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

#include "views/cost/best_rows.h"

namespace p2::views {

class BestModel;

/// Height of the two bars of a row together.
inline constexpr int kBestBarsHeight = 34;

/// The bars of a row in a room, `longest` seconds filling the width that their figures leave.
struct BestBars {
  QRectF best;
  QRectF single;
  double limit = 0;  ///< its place from the left; 0 for none
};
[[nodiscard]] BestBars bestBarsIn(const QRectF& room, const BestRow& row, double longest);
/// Draws them with their figures.
void paintBestBars(QPainter& painter, const QRectF& room, const Exploration& exploration, const BestRow& row,
                   double longest, bool stale);

/// Draws the bars of a BestModel's times.
class BestBarsDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  explicit BestBarsDelegate(const BestModel& model, QObject* parent = nullptr);
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  const BestModel& m_model;
};

}  // namespace p2::views
