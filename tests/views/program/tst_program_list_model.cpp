// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "base/units.h"
#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/program/program_list_model.h"

using namespace p2;
using namespace p2::views;

class TestProgramListModel : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }
  void isEmptyWithoutAnExploration();
  void listsTheProgramsOfAPlacement();
  void tellsOverlappingSteps();
  void morePrograms_areAppended();
  void anotherPlacementResets();
  void asksForMoreOnce();
  void filters_data();
  void filters();
  void aFilterDoesNotFetch();
};

namespace {

std::shared_ptr<const Exploration> explored(std::size_t programs) {
  ExploreScope scope;
  scope.programsPerPlacement = programs;
  return test::valueOf(exploreWorkspace(test::workspaceOf("gcp-a100:4", "data=4,shards=16", "shards"), scope));
}

/// The placement of [4, 16] that has 47 programs.
int twoLevelPlacement(const Exploration& exploration) {
  for (std::size_t i = 0; i < exploration.placements.size(); ++i) {
    if (exploration.placements[i].programCount == Count(47)) return int(i);
  }
  return -1;
}

}  // namespace

void TestProgramListModel::isEmptyWithoutAnExploration() {
  ProgramListModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  QCOMPARE(model.rowCount(), 0);
  QVERIFY(!model.canFetchMore({}));
  QVERIFY(model.unlisted() == Count(0));
}

void TestProgramListModel::listsTheProgramsOfAPlacement() {
  ProgramListModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  const auto exploration = explored(1000);
  model.show(exploration, twoLevelPlacement(*exploration));
  QCOMPARE(model.rowCount(), 47);
  QVERIFY(model.index(0, ProgramListModel::ProgramColumn).data().toString().startsWith("★ "));
  int references = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    const QModelIndex program = model.index(row, ProgramListModel::ProgramColumn);
    QVERIFY(!program.data(Qt::ToolTipRole).toString().isEmpty());
    if (!program.data().toString().contains("reference")) continue;
    ++references;
    QCOMPARE(model.index(row, ProgramListModel::SpeedupColumn).data().toString(), QString("1.00×"));
    QCOMPARE(model.index(row, ProgramListModel::StepsColumn).data().toString(), QString("1"));
  }
  QCOMPARE(references, 1);
}

void TestProgramListModel::tellsOverlappingSteps() {
  ProgramListModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  const auto plain = explored(1000);
  model.show(plain, twoLevelPlacement(*plain));
  QVERIFY(model.index(0, ProgramListModel::OverlappedColumn).data().toString().isEmpty());
  Workspace workspace = plain->workspace;
  workspace.options.cost.overlap = true;
  const auto overlapping = test::valueOf(exploreWorkspace(workspace, {}));
  model.show(overlapping, twoLevelPlacement(*overlapping));
  QCOMPARE(model.rowCount(), 47);
  const ProgramResult& best = overlapping->placements[std::size_t(twoLevelPlacement(*overlapping))].programs[0];
  QVERIFY(best.overlapped->chunks > 1);
  QCOMPARE(model.index(0, ProgramListModel::OverlappedColumn).data().toString(),
           QString::fromStdString(formatSeconds(best.overlapped->seconds)));
  QVERIFY(model.index(0, ProgramListModel::ProgramColumn)
              .data(Qt::ToolTipRole)
              .toString()
              .contains(QString("Overlapped in %1 chunks").arg(best.overlapped->chunks)));
}

void TestProgramListModel::morePrograms_areAppended() {
  ProgramListModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  const auto few = explored(10);
  const int placement = twoLevelPlacement(*few);
  model.show(few, placement);
  QVERIFY(model.unlisted() == Count(37));
  QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
  QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
  model.show(explored(1000), placement);
  QCOMPARE(reset.count(), 0);
  QCOMPARE(inserted.count(), 1);
  QCOMPARE(inserted[0][1].toInt(), 10);
  QCOMPARE(model.rowCount(), 47);
}

void TestProgramListModel::anotherPlacementResets() {
  ProgramListModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  const auto exploration = explored(1000);
  model.show(exploration, 0);
  QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
  model.show(exploration, 1);
  model.show(exploration, 1);
  QCOMPARE(reset.count(), 1);
  QCOMPARE(model.rowCount(), int(exploration->placements[1].programs.size()));
}

void TestProgramListModel::asksForMoreOnce() {
  ProgramListModel model;
  const auto few = explored(10);
  model.show(few, twoLevelPlacement(*few));
  QSignalSpy wanted(&model, &ProgramListModel::moreWanted);
  QVERIFY(model.canFetchMore({}));
  model.fetchMore({});
  model.fetchMore({});
  QCOMPARE(wanted.count(), 1);
  QVERIFY(!model.canFetchMore({}));
  const auto more = explored(20);
  model.show(more, twoLevelPlacement(*more));
  QVERIFY(model.canFetchMore({}));
  const auto all = explored(1000);
  model.show(all, twoLevelPlacement(*all));
  QVERIFY(!model.canFetchMore({}));
}

void TestProgramListModel::filters_data() {
  QTest::addColumn<QString>("text");
  QTest::newRow("notation") << "Broadcast·";
  QTest::newRow("title") << "rs·ar·ag";
  QTest::newRow("DSL") << "Master(root)";
}

void TestProgramListModel::filters() {
  QFETCH(QString, text);
  ProgramListModel model;
  ProgramFilter filter;
  const QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
  filter.setSourceModel(&model);
  const auto exploration = explored(1000);
  model.show(exploration, twoLevelPlacement(*exploration));
  filter.setFilterFixedString(text);
  QVERIFY(filter.rowCount() > 0);
  QVERIFY(filter.rowCount() < model.rowCount());
  for (int row = 0; row < filter.rowCount(); ++row) {
    QVERIFY(filter.index(row, 0).data(ProgramListModel::kSearchRole).toString().contains(text, Qt::CaseInsensitive));
  }
}

void TestProgramListModel::aFilterDoesNotFetch() {
  ProgramListModel model;
  ProgramFilter filter;
  filter.setSourceModel(&model);
  const auto few = explored(10);
  model.show(few, twoLevelPlacement(*few));
  QVERIFY(filter.canFetchMore({}));
  filter.setFilterFixedString("Broadcast");
  QVERIFY(!filter.canFetchMore({}));
}

QTEST_MAIN(TestProgramListModel)
#include "tst_program_list_model.moc"
