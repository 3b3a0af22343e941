// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QTableView>
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/placement/devices_view.h"
#include "views/placement/placement_perspective.h"
#include "views/shell/session.h"
#include "views/widget_driver.h"

namespace p2::test {

/// The placement perspective on a session, and what tests do with it by mouse and keys.
class PlacementDesk {
 public:
  static void prepare() { views::Theme::apply(views::Theme::Scheme::Light); }
  /// Where one reduction alone gives the worst advice.
  static Workspace heavyTensor() { return workspaceOf("node:4@400GB/s gpu:8@450GB/s", "data=4,tensor=8", "data"); }
  /// Where the intervals of the two placements' times meet.
  static Workspace smallSum() {
    Workspace workspace = workspaceOf("dgx-b200:2", "dp=2,tp=8", "tp");
    workspace.options.cost.model = "nccl";
    workspace.options.cost.algorithm = Algorithm::Auto;
    workspace.options.cost.bytes = Bytes(16384);
    return workspace;
  }

  void setUp() {
    failOnWarnings();
    session = std::make_unique<views::Session>();
    perspective = std::make_unique<views::PlacementPerspective>(*session);
    perspective->resize(1320, 760);
    perspective->show();
    perspective->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(perspective.get()));
    open(workspaceOf("gcp-a100:4", "data=8,model=2,shards=4", "data,shards"));
  }
  void clearAway() {
    perspective.reset();
    session.reset();
  }
  void open(const Workspace& workspace) {
    session->reset(workspace);
    waitForPlacements();
  }
  void waitForPlacements() { QTRY_VERIFY(session->isCurrent()); }
  [[nodiscard]] QTableView& axes() const { return childOf<QTableView>(*perspective, "axesTable"); }
  [[nodiscard]] QTableView& placements() const { return childOf<QTableView>(*perspective, "placementsTable"); }
  [[nodiscard]] views::DevicesView& devices() const { return childOf<views::DevicesView>(*perspective, "devicesView"); }
  [[nodiscard]] QLabel& label(const char* name) const { return childOf<QLabel>(*perspective, name); }
  [[nodiscard]] QString selectedMatrix() const { return QString::fromStdString(session->placement()->matrix.text()); }

  std::unique_ptr<views::Session> session;
  std::unique_ptr<views::PlacementPerspective> perspective;
};

}  // namespace p2::test
