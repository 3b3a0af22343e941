// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/common/owned.h"
#include "views/common/row_editor.h"
#include "views/placement/axes_model.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QToolButton;

namespace p2::views {

class InlineMessage;
class ScatterButton;
class Session;

/// The axes, which to reduce over and what programs are to achieve there, with the live check whether they fit the
/// system. Every edit is one undoable step. While nothing is wrong with them they fold to one line.
class AxesPanel : public QWidget {
  Q_OBJECT
 public:
  explicit AxesPanel(Session& session, QWidget* parent = nullptr);

  [[nodiscard]] QList<QAction*> rowActions() const;
  /// Moves the keyboard focus to the table.
  void takeFocus();
  /// If there is little height, the axes are folded until the user unfolds them.
  void setLittleRoom(bool little);
  /// Whether a problem of the document is one of the axes, which stands below them.
  [[nodiscard]] bool says(const Error& problem) const;

 private:
  [[nodiscard]] std::vector<Error> problems() const;
  void editAxes(const QString& what, std::vector<Axis> axes);
  QHBoxLayout* makeGoal();
  QToolButton* makeFold();
  void showFold();
  void refresh();
  void showFit();
  void showReduction();

  Session& m_session;
  AxesModel m_model;
  QToolButton* m_fold = nullptr;
  bool m_littleRoom = false;
  QLabel* m_folded = nullptr;  // the axes in one line
  QWidget* m_body = nullptr;
  OwnedView<RowEditor> m_rows;
  QLabel* m_product = nullptr;
  QComboBox* m_goal = nullptr;
  ScatterButton* m_scatter = nullptr;
  InlineMessage* m_fit = nullptr;
  InlineMessage* m_reduction = nullptr;
  QHBoxLayout* m_suggestions = nullptr;
};

}  // namespace p2::views
