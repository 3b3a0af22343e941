// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "views/sweep/tried_figures.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;

namespace p2::views {

class FigureSlider;

/// Bandwidth and latency of every link of a system to be tried out: a slider for each.
class LinkSliders : public QWidget {
  Q_OBJECT
 public:
  explicit LinkSliders(QWidget* parent = nullptr);

  /// New links or figures reset all sliders.
  void setSystem(const System& system);
  /// The links whose figure differs from the system's.
  [[nodiscard]] TriedLinks tried() const;
  void reset();

 signals:
  void moved();
  void released();  ///< the mouse let go of a slider
  void applyWanted();

 private:
  struct Row {
    std::size_t link = 0;
    FigureSlider* bandwidth = nullptr;
    FigureSlider* latency = nullptr;
    QLabel* bandwidthText = nullptr;
    QLabel* latencyText = nullptr;
  };
  void rebuild();
  void addRow(QGridLayout& grid, const TriableLink& link);
  QLabel* addFigure(QGridLayout& grid, const QString& name, const QString& what, FigureSlider& slider);
  void showFigures();

  std::vector<TriableLink> m_links;
  std::vector<Row> m_rows;
  QScrollArea* m_area;
  QPushButton* m_reset;
  QPushButton* m_apply;
};

}  // namespace p2::views
