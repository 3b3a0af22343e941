// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <utility>

#include "views/program/next_steps_model.h"

class QLabel;
class QPushButton;
class QTableView;

namespace p2::views {

/// Every next step of a program, as pictograms. The step under the mouse or cursor is previewed and described; a click
/// or Enter adds it if it can run, else offers to add it anyway.
class NextStepsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit NextStepsPanel(QWidget* parent = nullptr);
  void show(std::shared_ptr<const Composing> composing);
  /// The place of a chosen step, in words.
  void setPlace(const QString& text);
  /// Moves the keyboard focus to the first that can run.
  void begin();

 signals:
  void added(const p2::Instruction& instruction);
  /// The groups of the step pointed at; empty for none.
  void previewed(const std::vector<p2::DeviceGroup>& groups);
  void closed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void fitColumns();
  /// The first that can run, if any; the one above left otherwise.
  void chooseFirst();
  void describe(const QModelIndex& index);
  void take(const QModelIndex& index);

  NextStepsModel* m_model;
  QTableView* m_table;
  QLabel* m_place;
  QLabel* m_about;
  QPushButton* m_anyway;
  std::optional<std::pair<int, int>> m_begun;  // row and column where begin() has put the keyboard
};

}  // namespace p2::views
