// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QStyledItemDelegate>
#include <vector>

#include "step/step_ranking.h"

namespace p2::views {

/// A part of a step's bar.
struct StepSegment {
  static constexpr std::size_t kComputation = std::size_t(-1);
  std::size_t entry = 0;  ///< or kComputation
  double seconds = 0;
  bool overlappable = false;  ///< drawn lighter and hatched
  friend bool operator==(const StepSegment&, const StepSegment&) = default;
};
/// The segments from left to right: computation if it is known, the exposed part of every entry, then the overlappable
/// part. Parts of no length are left out.
[[nodiscard]] std::vector<StepSegment> segmentsOf(const StepRanking& ranking, const PlacementStep& placement);
/// The sum of a ranking's longest bar, in seconds.
[[nodiscard]] double longestBar(const StepRanking& ranking);
/// "A layer weights: 858 ms, may overlap with computation".
[[nodiscard]] QString segmentText(const StepRanking& ranking, const StepSegment& segment);

/// The colour and letter of an entry, as they stand for it everywhere.
[[nodiscard]] QPixmap entrySwatch(std::size_t entry, int size);
void paintSegment(QPainter& painter, const QRectF& rect, const StepSegment& segment, bool stale);
/// The bar of a placement, `longest` seconds filling the room; answers where it ends, and leaves the painter with the
/// pen and font of the figure that stands behind it.
double paintStepBar(QPainter& painter, const QRectF& room, const StepRanking& ranking, const PlacementStep& placement,
                    double longest, bool stale);
/// Whether steps take as long as their bars are; else a line says where they end.
[[nodiscard]] bool endsWithItsBar(const StepRanking& ranking);

class RankingModel;

/// Draws the bars of a RankingModel's step column, and describes the segment under the mouse.
class RankingBarDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  explicit RankingBarDelegate(const RankingModel& model, QObject* parent = nullptr);
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                 const QModelIndex& index) override;
  /// Rectangles of the segments of a row in a cell, in their order.
  [[nodiscard]] std::vector<QRectF> rectsOf(const QRect& cell, std::size_t row) const;

 private:
  [[nodiscard]] QRectF roomIn(const QRect& cell) const;

  const RankingModel& m_model;
};

}  // namespace p2::views
