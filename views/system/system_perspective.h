// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/shell/perspective.h"
#include "views/system/levels_model.h"

namespace p2::views {

class FiguresBox;
class LoadBar;
class RowEditor;
class Session;
class SystemEditor;

/// The system: where it comes from, its levels as a table, the cost model's options, and a
/// drawing of it all to work on.
class SystemPerspective : public Perspective {
  Q_OBJECT
 public:
  explicit SystemPerspective(Session& session, QWidget* parent = nullptr);
  ~SystemPerspective() override;

  [[nodiscard]] static PerspectiveFace face() { return {kSystemPage, tr("System"), QStringLiteral("system")}; }
  [[nodiscard]] QString help() const override;
  [[nodiscard]] QList<QAction*> viewActions() override;
  [[nodiscard]] SystemEditor& editor() { return *m_editor; }

 private:
  QWidget* makeLeftPanel();
  QWidget* makeRightPanel();
  void makeLevels();

  Session& m_session;
  LevelsModel m_levels;
  RowEditor* m_rows = nullptr;
  FiguresBox* m_figures = nullptr;
  SystemEditor* m_editor = nullptr;
  LoadBar* m_load = nullptr;
};

}  // namespace p2::views
