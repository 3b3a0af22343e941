// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLineEdit>
#include <QTest>

#include "support/fixtures.h"
#include "views/sweep/map_plot.h"
#include "views/sweep/sweep_page.h"
#include "views/sweep/sweep_plot.h"
#include "views/view_desk.h"

namespace p2::test {

constexpr int kSoon = 60'000;  // milliseconds

/// The page of what is best by size, on a session, and what tests do with it by mouse and keys.
class SweepDesk : public ViewDesk<views::SweepPage> {
 public:
  SweepDesk() : ViewDesk({1300, 720}) {}

  views::SweepPlot* plot() { return find<views::SweepPlot>("sweepPlot"); }
  views::MapPlot* map() { return find<views::MapPlot>("mapPlot"); }
  void open(const char* system, const char* axes, const char* reduce) {
    Workspace workspace = workspaceOf(system, axes, reduce);
    workspace.options.cost.model = "nccl";
    workspace.options.cost.algorithm = Algorithm::Auto;
    m_session->reset(workspace);
    QTRY_VERIFY_WITH_TIMEOUT(m_session->isCurrent(), kSoon);
    waitForCurves();
  }
  void waitForCurves() {
    QTRY_VERIFY_WITH_TIMEOUT(m_session->jobs().running().empty(), kSoon);
    QTRY_VERIFY_WITH_TIMEOUT(plot()->sweep() && plot()->sweep()->workspace.axes == m_session->workspace()->axes, kSoon);
    plot()->replot();
  }
  void waitForMap() {
    QTRY_VERIFY_WITH_TIMEOUT(map()->isVisible() && map()->map() && m_session->jobs().running().empty(), kSoon);
    map()->replot();
  }
  void choose(const char* combo, int index) {
    auto* box = find<QComboBox>(combo);
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Home);
    for (int i = 0; i < index; ++i) QTest::keyClick(box, Qt::Key_Down);
    QCOMPARE(box->currentIndex(), index);
  }
  void type(const char* edge, const QString& text) {
    auto* line = find<QLineEdit>(edge);
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
    QTest::keyClick(line, Qt::Key_Return);
  }
};

}  // namespace p2::test
