// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <array>

#include "views/placement/placements_model.h"

namespace p2::views {

/// The placements as rows. Where there is no room for all columns those fold away that say least, but for that by which
/// the rows are sorted, and words are cut short, before anything would have to be scrolled sideways; what is not shown
/// stands in the tooltip of the best program.
class PlacementsTable : public QTableView {
  Q_OBJECT
 public:
  explicit PlacementsTable(PlacementsProxy& placements, QWidget* parent = nullptr);

  /// Widths and heights for what the model holds now, and the column of those notes beside the rest.
  void fit(PlacementNotes::Kind notes);
  /// As narrow as it can be without scrolling.
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  /// The placement of that row of the model is to be pinned: programs are compared with its best one.
  void pinWanted(int row);

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] bool isLeftOut(int column) const;
  [[nodiscard]] int headingWidth(int column) const;
  [[nodiscard]] int leastWidth(int column) const;
  void fold();

  PlacementsProxy& m_placements;
  PlacementNotes::Kind m_notes = PlacementNotes::Kind::None;
  std::array<int, PlacementsModel::ColumnCount> m_wanted{};
};

}  // namespace p2::views
