// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <memory>

#include "views/workload/ranking_words.h"

namespace p2::views {

/// Every placement as a point, exposed against overlappable seconds, with the front joined by a step line; what leads
/// to a placement stands beside its point. Left and Right walk from point to point, Enter chooses.
class TradeoffPlot : public QCustomPlot {
  Q_OBJECT
 public:
  explicit TradeoffPlot(QWidget* parent = nullptr);

  void setRanking(std::shared_ptr<const StepRanking> ranking, const std::optional<ReductionWinner>& winner);
  void setStale(bool stale);
  /// −1 for none.
  void setChosen(int placement);
  /// Where a placement is drawn, in pixels of this widget.
  [[nodiscard]] QPointF pixelOf(int placement) const;
  /// What is written beside points.
  [[nodiscard]] QStringList labelTexts() const;
  /// exposed and overlappable seconds of the front, as it is drawn.
  [[nodiscard]] QList<QPointF> frontPoints() const;

 signals:
  void pointHovered(const QString& text);  ///< empty for none
  void pointClicked(int placement);
  void pointActivated(int placement);

 protected:
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  struct Label {
    int placement = 0;
    QCPItemText* item = nullptr;
  };
  void connectMouse();
  void fill();
  void fillLabels();
  void fit();
  void placeLabels();
  void applyTheme();
  void hover(int placement);
  [[nodiscard]] int placementAt(QPointF position) const;
  [[nodiscard]] QString textOf(int placement) const;

  std::shared_ptr<const StepRanking> m_ranking;
  std::optional<ReductionWinner> m_winner;
  std::vector<int> m_walk;  // placements by exposed seconds
  std::vector<Label> m_labels;
  QCPGraph* m_front;
  QCPGraph* m_others;
  QCPGraph* m_onFront;
  QCPGraph* m_mark;
  QCPGraph* m_chosenMark;
  QPoint m_pressedAt;
  int m_hovered = -1;
  int m_chosen = -1;
  bool m_stale = false;
};

}  // namespace p2::views
