// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QJsonArray>
#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>

#include "base/units.h"
#include "tests/app/cli/run_p2.h"
#include "tests/views/workload/workload_desk.h"
#include "text/text_file.h"
#include "views/common/figure_slider.h"
#include "views/workload/entries_model.h"
#include "views/workload/ranking_model.h"

using namespace p2;
using namespace p2::views;

/// Entries as rows, what is tried out of them, and how the step runs.
class TestWorkloadEntries : public QObject, private test::WorkloadDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }
  void slidersTryAndApply();
  void slidersResetByDoubleClick();
  void overlapIsAnEdit();
  void computationIsTyped();
  void theWorkloadCanBeTakenAway();
  void followsUndo();
  void timingIsAnEdit();
  void entriesRunTogether();
  void theCommandLineSaysTheSame();
  void manyEntriesArePutTogetherInAJob();

 private:
  /// Types over what a field holds and presses Enter.
  static void typeInto(QWidget& field, const char* text) {
    field.setFocus();
    QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(&field, text);
    QTest::keyClick(&field, Qt::Key_Return);
  }
  /// Of the best placement, once the ranking is there.
  double shownStep() const {
    if (!QTest::qWaitFor([this] { return session->jobs().running().empty(); })) return -1;
    return test::valueOf(parseSeconds(test::cellText(*ranking(), 0, RankingModel::Step).toStdString()));
  }
};

// So little of tensor that data decides.
void TestWorkloadEntries::slidersTryAndApply() {
  open(test::trainingStep());
  const Workspace before = *session->workspace();
  for (const int row : {2, 3}) {
    selectEntry(row);
    auto* slider = find<FigureSlider>("bytesSlider");
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Home);
    QCOMPARE(qRound64(slider->figure()), 21'474'836);
  }
  QTRY_VERIFY2(stated("workloadFinding").startsWith("Tried out: "), qPrintable(stated("workloadFinding")));
  QTRY_COMPARE(test::cellText(*ranking(), 0, RankingModel::Matrix), QString("[[8,4],[4,2]]"));
  QVERIFY(*session->workspace() == before);
  QCOMPARE(test::cellText(*entries(), 2, EntriesModel::Data), QString("21.5 MB\n× 480"));
  auto* apply = find<QPushButton>("applyEntries");
  QVERIFY(apply->isEnabled());
  QTest::mouseClick(apply, Qt::LeftButton);
  QCOMPARE(workload().collectives[2].bytes, 21'474'836);
  QCOMPARE(workload().collectives[3].bytes, 21'474'836);
  QCOMPARE(session->undoStack().count(), 1);
  QVERIFY(!apply->isEnabled());
  QTRY_VERIFY(!stated("workloadFinding").startsWith("Tried out: "));
  session->undoStack().undo();
  QCOMPARE(workload().collectives[2].bytes, 2'147'483'648);
  QTRY_COMPARE(test::cellText(*ranking(), 0, RankingModel::Matrix), QString("[[32,1],[1,8]]"));
}

void TestWorkloadEntries::slidersResetByDoubleClick() {
  open(test::trainingStep());
  selectEntry(0);
  auto* slider = find<FigureSlider>("countSlider");
  slider->setFocus();
  for (int i = 0; i < 30; ++i) QTest::keyClick(slider, Qt::Key_Right);
  QCOMPARE(qRound64(slider->figure()), 319);
  QTRY_COMPARE(test::cellText(*entries(), 0, EntriesModel::Data), QString("214 MB\n× 319"));
  QTest::mouseDClick(slider, Qt::LeftButton, {}, slider->rect().center());
  QVERIFY(!slider->isMoved());
  QCOMPARE(test::cellText(*entries(), 0, EntriesModel::Data), QString("214 MB\n× 160"));
  QTest::keyClick(slider, Qt::Key_End);
  QTest::mouseClick(find<QPushButton>("resetEntries"), Qt::LeftButton);
  QCOMPARE(slider->value(), 0);
  QVERIFY(!find<QPushButton>("applyEntries")->isEnabled());
  QTRY_VERIFY2(stated("workloadFinding").contains("5.33 s"), qPrintable(stated("workloadFinding")));
  QVERIFY(!stated("workloadFinding").startsWith("Tried out: "));
}

void TestWorkloadEntries::overlapIsAnEdit() {
  open(test::trainingStep());
  selectEntry(2);
  auto* choice = find<QComboBox>("overlapChoice");
  QCOMPARE(choice->currentIndex(), 0);
  choice->setFocus();
  QTest::keyClick(choice, Qt::Key_Down);
  QVERIFY(workload().collectives[2].overlap.extent == CommunicationOverlap::Extent::Compute);
  QTest::keyClick(choice, Qt::Key_Down);
  auto* value = find<QDoubleSpinBox>("overlapValue");
  QVERIFY(value->isVisible());
  QCOMPARE(workload().collectives[2].overlap.value, 0.5);
  value->setFocus();
  value->selectAll();
  QTest::keyClicks(value, "25");
  QTest::keyClick(value, Qt::Key_Return);
  QCOMPARE(workload().collectives[2].overlap.value, 0.25);
  session->undoStack().undo();
  QVERIFY(workload().collectives[2].overlap.extent == CommunicationOverlap::Extent::None);
  QCOMPARE(choice->currentIndex(), 0);
}

void TestWorkloadEntries::computationIsTyped() {
  open(test::trainingStep());
  auto* edit = find<QLineEdit>("computeSeconds");
  edit->setFocus();
  QTest::keyClicks(edit, "8,7");
  QTest::keyClick(edit, Qt::Key_Return);
  QCOMPARE(workload().computeSeconds, std::optional(8.7));
  // What overlaps is hidden: 8.7 s of computation and 4.01 s exposed.
  QTRY_COMPARE(test::cellText(*ranking(), 0, RankingModel::Step), QString("12.7 s"));
  edit->selectAll();
  QTest::keyClicks(edit, "soon");
  QTest::keyClick(edit, Qt::Key_Return);
  QVERIFY2(stated("computeProblem").contains("soon"), qPrintable(stated("computeProblem")));
  QCOMPARE(workload().computeSeconds, std::optional(8.7));
  // A slip of three powers of ten is questioned, and taken when it is meant.
  typeInto(*edit, "3 ms");
  QVERIFY2(stated("computeProblem").contains("2900 times less than 8.70 s"), qPrintable(stated("computeProblem")));
  QCOMPARE(workload().computeSeconds, std::optional(8.7));
  QTest::keyClick(edit, Qt::Key_Return);
  QCOMPARE(workload().computeSeconds, std::optional(0.003));
  edit->selectAll();
  QTest::keyClick(edit, Qt::Key_Delete);
  QTest::keyClick(edit, Qt::Key_Return);
  QCOMPARE(workload().computeSeconds, std::optional<double>());
  QVERIFY(!find<QLabel>("computeProblem")->isVisible());
}

void TestWorkloadEntries::theWorkloadCanBeTakenAway() {
  open(test::trainingStep());
  auto* menu = find<QToolButton>("changeWorkload")->menu();
  auto* remove = menu->findChild<QAction*>("removeWorkload");
  QVERIFY(remove != nullptr && menu->actions().contains(remove));
  remove->trigger();
  QVERIFY(!session->workspace()->workload.has_value());
  QVERIFY(find<QPushButton>("oneAllReduceButton")->isVisible());
  session->undoStack().undo();
  QTRY_COMPARE(ranking()->model()->rowCount(), 4);
}

void TestWorkloadEntries::followsUndo() {
  open(test::trainingStep());
  Workspace next = *session->workspace();
  next.workload->collectives.pop_back();
  session->edit("leave one out", next);
  QTRY_COMPARE(entries()->model()->rowCount(), 3);
  QTRY_COMPARE(test::cellText(*ranking(), 0, RankingModel::Step), QString("3.33 s"));
  session->undoStack().undo();
  QTRY_COMPARE(entries()->model()->rowCount(), 4);
  QTRY_COMPARE(test::cellText(*ranking(), 0, RankingModel::Step), QString("5.33 s"));
}

void TestWorkloadEntries::timingIsAnEdit() {
  open(test::trainingStep());
  auto* slowdown = find<QDoubleSpinBox>("stepSlowdown");
  auto* usable = find<QDoubleSpinBox>("stepUsable");
  // Without computation there is nothing beside which communication could be slowed down.
  QVERIFY(!slowdown->isEnabled() && !usable->isEnabled());
  typeInto(*find<QLineEdit>("computeSeconds"), "1");
  QVERIFY(slowdown->isEnabled() && usable->isEnabled());
  QCOMPARE(slowdown->value(), 1.13);
  const double standard = shownStep();
  typeInto(*slowdown, "2,5");
  QCOMPARE(workload().slowdown, std::optional(2.5));
  QTRY_VERIFY(shownStep() > standard);
  const double slow = shownStep();
  typeInto(*usable, "40");
  QCOMPARE(workload().usableShare, std::optional(0.4));
  QTRY_VERIFY(shownStep() > slow);
  session->undoStack().undo();
  QCOMPARE(workload().usableShare, std::optional<double>());
  QCOMPARE(usable->value(), 100.0);
  QTRY_COMPARE(shownStep(), slow);
  // What is usual need not be said.
  typeInto(*slowdown, "1.13");
  QCOMPARE(workload().slowdown, std::optional<double>());
  QTRY_COMPARE(shownStep(), standard);
}

void TestWorkloadEntries::entriesRunTogether() {
  open(test::trainingStep());
  auto* together = find<QCheckBox>("stepConcurrent");
  QVERIFY(together->toolTip().contains("under both loads"));
  const double apart = shownStep();
  together->setFocus();
  QTest::keyClick(together, Qt::Key_Space);
  QVERIFY(workload().concurrent);
  QTRY_VERIFY(shownStep() < apart);
  QTRY_VERIFY2(stated("leftOut").contains("the times of steps are lower bounds"), qPrintable(stated("leftOut")));
  QVERIFY(session->undoStack().undoText().contains("together"));
  QTest::keyClick(together, Qt::Key_Space);
  QVERIFY(!workload().concurrent);
  QTRY_COMPARE(shownStep(), apart);
  session->undoStack().undo();
  QVERIFY(together->isChecked());
}

// As p2 step says it of the file that the document's workload is saved as.
void TestWorkloadEntries::theCommandLineSaysTheSame() {
  Workspace workspace = test::trainingStep();
  workspace.workload->computeSeconds = 0.5;
  workspace.workload->slowdown = 1.5;
  workspace.workload->usableShare = 0.6;
  workspace.workload->concurrent = true;
  open(workspace);
  const QTemporaryDir folder;
  const QString workloadFile = folder.filePath("workload.json");
  const QString systemFile = folder.filePath("system.json");
  QVERIFY(writeTextFile(workloadFile.toStdString(), workloadToJson(workload())).ok());
  QVERIFY(writeTextFile(systemFile.toStdString(), systemToJson(workspace.system)).ok());
  const QJsonArray reported =
      test::jsonFrom({"step", systemFile, "--workload", workloadFile, "--model", "paper", "--algorithm", "ring"})
          .value("placements")
          .toArray();
  QCOMPARE(reported.size(), 4);
  for (int row = 0; row < reported.size(); ++row) {
    const QJsonObject placement = reported[row].toObject();
    const auto text = [&](int column) { return test::cellText(*ranking(), row, column); };
    const auto seconds = placement["step_seconds"].toDouble();
    QCOMPARE(text(RankingModel::Step), QString::fromStdString(formatSeconds(seconds)));
    const QJsonObject nic = placement["between_nodes"].toObject();
    const QString bytes = QString::fromStdString(formatBytes(Bytes(nic["bytes"].toDouble())));
    QCOMPARE(text(RankingModel::Nic), QStringLiteral("%1 · %2").arg(bytes, nic["interconnect"].toString()));
    ranking()->selectRow(row);
    const QString detail = QStringLiteral("%1 through the busiest %2").arg(bytes, nic["interconnect"].toString());
    QVERIFY2(stated("workloadDetail").contains(detail), qPrintable(stated("workloadDetail")));
  }
}

// Ten thousand entries of four kinds: while a job puts them together nothing else waits, and then they are four rows.
void TestWorkloadEntries::manyEntriesArePutTogetherInAJob() {
  Workspace workspace = test::trainingStep();
  const std::vector<WorkloadEntry> kinds = workspace.workload->collectives;
  workspace.workload->collectives.clear();
  for (int i = 0; i < 10'000; ++i) {
    WorkloadEntry entry = kinds[std::size_t(i) % kinds.size()];
    entry.name += " of layer " + std::to_string(i);
    entry.count = 1;
    workspace.workload->collectives.push_back(std::move(entry));
  }
  session->reset(workspace);
  QVERIFY2(stated("workloadTitle").contains("preparing"), qPrintable(stated("workloadTitle")));
  QTRY_COMPARE(entries()->model()->rowCount(), 4);
  QCOMPARE(stated("workloadTitle").remove(','), QString("Llama 3.1 70B: 10000 entries as 4"));
  QTRY_COMPARE(ranking()->model()->rowCount(), 4);
  QVERIFY2(stated("triedEntry").remove(',').contains("2500 equal entries"), qPrintable(stated("triedEntry")));
  // They are the document's still.
  typeInto(*find<QLineEdit>("computeSeconds"), "3");
  QCOMPARE(workload().collectives.size(), std::size_t(10'000));
  QTRY_COMPARE(stated("workloadTitle").remove(','), QString("Llama 3.1 70B: 10000 entries as 4"));
  session->undoStack().undo();
  QCOMPARE(workload().computeSeconds, std::optional<double>());
  QTRY_VERIFY(session->jobs().running().empty());
  QCOMPARE(entries()->model()->rowCount(), 4);
}

QTEST_MAIN(TestWorkloadEntries)
#include "tst_workload_entries.moc"
