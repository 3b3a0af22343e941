// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/shell/perspective.h"
#include "views/system/levels_model.h"
#include "views/system/networks_model.h"

class QLabel;
class QSplitter;
class QTableView;

namespace p2::views {

class FiguresBox;
class FoldBox;
class InlineMessage;
class LoadBar;
class RowEditor;
class Session;
class SystemEditor;

/// The system: a drawing of it to work on, and a column of folding forms next to it: its source, the selected part,
/// its levels as a table, the cost model's options, notes.
class SystemPerspective : public Perspective {
  Q_OBJECT
 public:
  explicit SystemPerspective(Session& session, QWidget* parent = nullptr);
  ~SystemPerspective() override;

  [[nodiscard]] static PerspectiveFace face() { return {kSystemPage, tr("Cluster"), QStringLiteral("system")}; }
  [[nodiscard]] static PagePlace place() { return {.position = 10, .key = "Ctrl+1"}; }
  [[nodiscard]] QList<QAction*> viewActions() override;
  /// Below the drawing: problems of the system in a list, axes that do not fit it next to the load.
  [[nodiscard]] bool says(const Error& /*problem*/) const override { return true; }
  [[nodiscard]] SystemEditor& editor() { return *m_editor; }

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeHead();
  QWidget* makeLeftPanel();
  QWidget* makeRightPanel();
  void makeLevels();
  void makeNetworks();
  void showNetworks();
  void edit(const QString& what, const System& system);
  void placeForms();
  void showImport(const QString& text);

  Session& m_session;
  LevelsModel m_levels;
  RowEditor* m_rows = nullptr;
  NetworksModel m_networks;
  QTableView* m_networkTable = nullptr;
  QLabel* m_networkTitle = nullptr;
  InlineMessage* m_networkProblem = nullptr;
  FiguresBox* m_figures = nullptr;
  SystemEditor* m_editor = nullptr;
  LoadBar* m_load = nullptr;
  FoldBox* m_form = nullptr;
  QSplitter* m_splitter = nullptr;
  bool m_placed = false;  // whether the user has moved the splitter
};

}  // namespace p2::views
