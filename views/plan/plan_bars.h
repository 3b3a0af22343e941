// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

#include "views/plan/plan_words.h"

namespace p2::views {

class PlanModel;

/// A part of a step's bar, named where its name fits.
void paintTimePart(QPainter& painter, const QRectF& rect, const TimePart& part, bool stale);
[[nodiscard]] QPixmap timePartSwatch(const TimePart& part, int size);
/// All parts that a bar can have with their names, as rich text for a legend in the current colours.
[[nodiscard]] QString timePartLegend(int size);

/// Draws the bars of a PlanModel: where the time goes, and memory against the limit. Says the part under the mouse.
class PlanBarDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  explicit PlanBarDelegate(const PlanModel& model, QObject* parent = nullptr);
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                 const QModelIndex& index) override;
  /// Where the parts of a row are drawn in a cell, in the order of timePartsOf().
  [[nodiscard]] std::vector<QRectF> rectsOf(const QRect& cell, int row) const;

 private:
  void paintTime(QPainter& painter, const QRect& cell, int row) const;
  void paintMemory(QPainter& painter, const QRect& cell, int row, const QString& text) const;

  const PlanModel& m_model;
};

}  // namespace p2::views
