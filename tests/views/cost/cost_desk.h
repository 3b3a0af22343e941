// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QFileDialog>
#include <QLabel>
#include <QRegularExpression>
#include <QSettings>
#include <QTest>

#include "support/fixtures.h"
#include "views/common/theme.h"
#include "views/cost/cost_perspective.h"
#include "views/cost/cost_plot.h"
#include "views/shell/session.h"
#include "views/widget_driver.h"

namespace p2::test {

/// The costs on a session, and what tests do with them by mouse and keys.
class CostDesk {
 public:
  static void prepare() {
    QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support propagateSizeHints).*"));
    views::Theme::apply(views::Theme::Scheme::Light);
  }
  void setUp() {
    QSettings().clear();
    m_session = std::make_unique<views::Session>();
    m_view = shown<views::CostPerspective>(*m_session, {1200, 720});
    QVERIFY(m_view);
  }
  void clearAway() {
    m_view.reset();
    m_session.reset();
  }
  template <class T>
  T* find(const char* name) {
    return &childOf<T>(*m_view, name);
  }
  views::CostPlot* plot() { return find<views::CostPlot>("costPlot"); }
  QPoint middleOf(int bar) { return plot()->rectOf(bar).center().toPoint(); }
  void openExample() {
    m_session->reset(workspaceOf("gcp-a100:2", "data=8,model=4", "data"));
    QTRY_VERIFY(m_session->isCurrent());
    find<QAction>("showBarsAction")->trigger();
    QTRY_VERIFY(plot()->isVisible());
    plot()->replot();
  }
  void exportTo(const QString& suffix, const QString& path) {
    find<QAction>(qPrintable("export-" + suffix))->trigger();
    auto* dialog = find<QFileDialog>("exportDialog");
    QTRY_VERIFY(dialog->isVisible());
    dialog->selectFile(path);
    QMetaObject::invokeMethod(dialog, "accept");
    QTRY_VERIFY(find<QLabel>("costMessage")->isVisible());
  }

  std::unique_ptr<views::Session> m_session;
  std::unique_ptr<views::CostPerspective> m_view;
};

}  // namespace p2::test
