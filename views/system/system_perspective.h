// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/shell/perspective.h"
#include "views/system/levels_model.h"

class QLabel;

namespace p2::views {

class HierarchyView;
class RowEditor;
class Session;

/// The system: where it comes from, its levels as a table, the cost model's options, and a drawing of it all.
class SystemPerspective : public Perspective {
  Q_OBJECT
 public:
  explicit SystemPerspective(Session& session, QWidget* parent = nullptr);
  ~SystemPerspective() override;

  [[nodiscard]] QString title() const override;
  [[nodiscard]] QString iconName() const override;
  [[nodiscard]] QString help() const override;
  [[nodiscard]] QList<QAction*> viewActions() override;

 private:
  QWidget* makeLeftPanel();
  QWidget* makeDrawingPanel();
  void makeLevels();
  void makeZoomActions();
  void refresh();

  Session& m_session;
  LevelsModel m_levels;
  RowEditor* m_rows = nullptr;
  HierarchyView* m_view = nullptr;
  QLabel* m_summary = nullptr;
  QLabel* m_hover = nullptr;
  QList<QAction*> m_zoomActions;
};

}  // namespace p2::views
