// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <functional>

#include "views/shell/perspective.h"

class QStackedWidget;

namespace p2::views {

class AccuracyMark;
class BestPage;
class BriefLabel;
class CostBarsPage;
class EmptyPage;
class Session;
class SweepPage;
class ViewTabs;

/// Predicted costs of programs: the best of every placement, all of them side by side, or the best over sizes, nodes or
/// a link's figures, as curves or as a map of placements. The chosen view is remembered.
class CostPerspective : public Perspective {
  Q_OBJECT
 public:
  explicit CostPerspective(Session& session, QWidget* parent = nullptr);

  [[nodiscard]] static PerspectiveFace face() { return {QStringLiteral("costs"), tr("Costs"), QStringLiteral("cost")}; }
  [[nodiscard]] static PagePlace place() {
    return {
        .position = 90, .group = kCollectivesGroup, .key = "Ctrl+9", .views = {"showBySizeAction", "showMapAction"}};
  }
  [[nodiscard]] QList<QAction*> viewActions() override { return m_actions; }
  [[nodiscard]] QWidget* mainList() override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  enum View { Best, Bars, BySize, Map };

  QWidget* makeHeader();
  void makeTabs();
  void makeZooms();
  QAction* addZoom(const QString& text, const QString& icon, const QList<QKeySequence>& keys, double factor);
  void showView(int view);
  void refresh();
  void showUnmodelledEffects();

  Session& m_session;
  ViewTabs* m_tabs = nullptr;
  AccuracyMark* m_mark = nullptr;
  QStackedWidget* m_pages = nullptr;
  EmptyPage* m_empty = nullptr;
  BestPage* m_best = nullptr;
  CostBarsPage* m_bars = nullptr;
  SweepPage* m_sweep = nullptr;
  BriefLabel* m_leftOut = nullptr;
  QList<QAction*> m_actions;
};

}  // namespace p2::views
