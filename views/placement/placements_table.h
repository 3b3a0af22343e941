// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <array>

#include "views/placement/placements_model.h"

namespace p2::views {

/// The placements as rows. With too little width the least important columns are hidden (never the sorted one) and
/// words are elided, so that nothing scrolls sideways; hidden values are in the tool tip of the best program.
class PlacementsTable : public QTableView {
  Q_OBJECT
 public:
  explicit PlacementsTable(PlacementsProxy& placements, QWidget* parent = nullptr);

  /// Fits widths and heights to the model, including the column of notes and, while comparing, the column of
  /// differences.
  void fit(PlacementNotes::Kind notes, bool compares);
  /// Copies the matrix to the clipboard: "[[1,8],[2,1]]", or the row as text.
  void copyMatrix(const QModelIndex& index) const;
  void copyRow(const QModelIndex& index) const;
  /// The least width without scrolling.
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  /// The placement of that row of the model is to be pinned: programs are compared with its best one.
  void pinWanted(int row);
  /// Ctrl and a click, Ctrl and Space, or the menu: the selected row is to be compared with this one.
  void comparisonWanted(const QModelIndex& index);

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] bool isLeftOut(int column) const;
  [[nodiscard]] int charsWide(int chars) const;
  [[nodiscard]] int wantedWidth(int column) const;
  [[nodiscard]] int headingWidth(int column) const;
  [[nodiscard]] int leastWidth(int column) const;
  void fold();

  PlacementsProxy& m_placements;
  PlacementNotes::Kind m_notes = PlacementNotes::Kind::None;
  bool m_compares = false;
  std::array<int, PlacementsModel::ColumnCount> m_wanted{};
};

}  // namespace p2::views
