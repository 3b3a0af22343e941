// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
class QLabel;
class QToolButton;

namespace p2::views {

class DevicesView;
class InlineMessage;
class MatrixView;
class Session;

/// The selected placement: its matrix, its devices on the map, and a sentence about the part pointed at, or about the
/// change against another placement.
class PlacementPanel : public QWidget {
  Q_OBJECT
 public:
  explicit PlacementPanel(Session& session, QWidget* parent = nullptr);

  /// Compares with that placement of the exploration; −1 for none.
  void compareWith(int placement);

 signals:
  /// The user wants to compare with that placement; −1 for no longer.
  void comparisonWanted(int placement);

 private:
  QToolButton* makeCompareButton();
  QWidget* makeExport();
  [[nodiscard]] std::string devicesCsv() const;
  void refresh();
  void refreshChoices();
  void showSentence();
  [[nodiscard]] QString sentence() const;
  [[nodiscard]] QString comparison() const;

  Session& m_session;
  MatrixView* m_matrix;
  DevicesView* m_devices;
  QAction* m_best = nullptr;     // to compare with
  QAction* m_default = nullptr;  // of frameworks
  QAction* m_this = nullptr;     // with the selected one, while others are selected
  QAction* m_none = nullptr;
  QToolButton* m_compare;
  QLabel* m_legend;
  QLabel* m_sentence;
  InlineMessage* m_reported;  // over the sentence
  int m_other = -1;
};

}  // namespace p2::views
