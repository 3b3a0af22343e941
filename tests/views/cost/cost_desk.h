// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QFileDialog>
#include <QLabel>
#include <QTest>

#include "support/fixtures.h"
#include "views/cost/cost_perspective.h"
#include "views/cost/cost_plot.h"
#include "views/view_desk.h"

namespace p2::test {

/// The costs on a session, and what tests do with them by mouse and keys.
class CostDesk : public ViewDesk<views::CostPerspective> {
 public:
  CostDesk() : ViewDesk({1200, 720}) {}

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
};

}  // namespace p2::test
