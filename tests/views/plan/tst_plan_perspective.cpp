// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QHelpEvent>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QToolTip>
#include <set>

#include "base/near.h"
#include "text/text_file.h"
#include "training_answer/configuration_comparison.h"
#include "views/common/text.h"
#include "views/compare/compared_lines_model.h"
#include "views/plan/plan_page_desk.h"

using namespace p2;
using namespace p2::views;

class TestPlanPerspective : public QObject, private test::PlanPageDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }

  void anEmptyPageSaysWhatToDo() {
    auto* text = find<QLabel>("emptyText");
    QVERIFY(!find<QAction>("planCompareAction")->isEnabled());
    QVERIFY2(text->text().startsWith("Choose a model"), qPrintable(text->text()));
    QSignalSpy wanted(m_view.get(), &Perspective::perspectiveWanted);
    QTest::mouseClick(find<QPushButton>("emptyButton"), Qt::LeftButton);
    QCOMPARE(wanted.at(0).at(0).toString(), QString("model"));
    // A cluster whose accelerator is not known is described first.
    Workspace unknown = test::withoutChoice("teaching-2x4");
    unknown.training.model = "llama3-8b";
    m_session->reset(unknown);
    QTRY_VERIFY(planner().problem());
    QTest::mouseClick(find<QPushButton>("emptyButton"), Qt::LeftButton);
    QCOMPARE(wanted.at(1).at(0).toString(), QString("system"));
  }

  // A framework without a plan is named, and the others stay at hand.
  void aFrameworkWithoutAPlanIsNamed() {
    open(test::trainedWorkspace(3));
    auto& frameworks = *find<QComboBox>("planFramework");
    auto& others = *find<QComboBox>("planOtherFramework");
    QVERIFY(!others.isVisible());
    emit frameworks.activated(frameworks.findData("maxtext"));
    QTRY_VERIFY_WITH_TIMEOUT(planner().problem(), 60000);
    const QString text = find<QLabel>("emptyText")->text();
    QVERIFY2(text.startsWith("With MaxText: a batch of "), qPrintable(text));
    QVERIFY(others.isVisible());
    QCOMPARE(others.currentText(), QString("MaxText"));
    emit others.activated(others.findData("megatron"));
    settle();
    QVERIFY(table().isVisible() && !others.isVisible());
    QCOMPARE(frameworks.currentText(), QString("Megatron-Core"));
  }

  // Nobody chose a framework here, so the one that runs on the new cluster is taken.
  void anotherClusterIsPlannedWithAFrameworkThatRunsThere() {
    open(test::trainedWorkspace(2));
    QCOMPARE(find<QComboBox>("planFramework")->currentText(), QString("Megatron-Core"));
    Workspace moved = *m_session->workspace();
    moved.system = presetSystem("tpu-v4", 4).value();
    m_session->edit("Choose a cluster", moved);
    settle();
    QVERIFY(!planner().problem());
    QVERIFY(table().isVisible() && table().model()->rowCount() > 0);
    QCOMPARE(find<QComboBox>("planFramework")->currentText(), QString("MaxText"));
    QVERIFY(find<QLabel>("planFinding")->text().contains("MaxText"));
  }

  void aChosenFrameworkThatDoesNotRunThereIsNamed() {
    Workspace workspace = test::trainedWorkspace(2);
    workspace.training.framework = "megatron";
    workspace.system = presetSystem("tpu-v4", 4).value();
    m_session->reset(workspace);
    QTRY_VERIFY_WITH_TIMEOUT(planner().problem(), 60000);
    QCOMPARE(find<QLabel>("emptyText")->text(), QString("Megatron-Core does not run on TPUs; use maxtext"));
    auto& others = *find<QComboBox>("planOtherFramework");
    QVERIFY(others.isVisible());
    emit others.activated(others.findData("maxtext"));
    settle();
    QVERIFY(table().isVisible() && table().model()->rowCount() > 0);
  }

  void theBestStandsFirstAndIsSelected() {
    open(test::trainedWorkspace(2));
    const auto found = planner().answer();
    QCOMPARE(table().currentIndex().row(), 0);
    QCOMPARE(table().model()->rowCount(), int(found->answer.configurations.size()));
    const QString finding = find<QLabel>("planFinding")->text();
    QVERIFY2(finding.startsWith("Best: " + degreesText(found->answer.configurations.front().configuration)),
             qPrintable(finding));
    QVERIFY(find<QLabel>("planExclusions")->text().startsWith("considered "));
    QAbstractItemModelTester tester(table().model());
    // The first place has the simplest of the fastest; the others are in the order of the times that are shown.
    std::vector<double> listed;
    for (int row = 0; row < table().model()->rowCount(); ++row) listed.push_back(model().at(row).listedSeconds);
    QVERIFY(listed.size() > 3);
    QVERIFY(!definitelyLess(*std::min_element(listed.begin(), listed.end()), listed.front(), kDisplayTolerance));
    for (std::size_t row = 2; row < listed.size(); ++row)
      QVERIFY(listed[row - 1] <= listed[row] || secondsText(listed[row - 1]) == secondsText(listed[row]));
  }

  void partsOfABarSumToTheStep() {
    open(test::trainedWorkspace(2));
    for (const PlannedConfiguration& each : planner().answer()->answer.configurations) {
      double sum = 0;
      for (const TimePart& part : timePartsOf(each.estimate)) sum += part.seconds;
      QVERIFY(std::abs(sum - each.estimate.seconds) < 1e-9 * each.estimate.seconds + 1e-12);
    }
  }

  /// The mouse over a configuration spells out each of its short words.
  void everyShortWordIsExplained() {
    open(test::trainedWorkspace(2));
    std::set<QString> seen;
    for (int row = 0; row < table().model()->rowCount(); ++row) {
      const QModelIndex cell = table().model()->index(row, PlanModel::Degrees);
      const QString tip = cell.data(Qt::ToolTipRole).toString();
      static const QRegularExpression kBetween(" · | × ");
      for (const QString& part : cell.data().toString().split(kBetween)) {
        const QString word = part.section(' ', 0, 0);
        seen.insert(word);
        QVERIFY2(tip.contains(word + ' '), qPrintable(part + " in " + tip));
      }
      if (cell.data().toString().contains(" sp")) {
        seen.insert("sp");
        QVERIFY2(tip.contains("sp: sequence parallelism"), qPrintable(tip));
      }
      QVERIFY(cell.siblingAtColumn(PlanModel::Batch).data(Qt::ToolTipRole).toString().contains("one after another"));
    }
    for (const char* word : {"tp", "sp", "dp", "ZeRO"}) QVERIFY2(seen.contains(word), word);
    const QPoint centre = table().visualRect(table().model()->index(0, PlanModel::Degrees)).center();
    QHelpEvent hover(QEvent::ToolTip, centre, table().viewport()->mapToGlobal(centre));
    QApplication::sendEvent(table().viewport(), &hover);
    QTRY_VERIFY2(QToolTip::text().contains("data parallelism"), qPrintable(QToolTip::text()));
    QToolTip::hideText();
  }

  /// A choice that a changed cluster cannot run leaves no page empty, and comes back with the cluster.
  void aLostChoiceShowsTheBest() {
    open(test::trainedWorkspace(2));
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, cellCentre(2));
    const auto chosen = m_session->workspace()->training.chosen;
    QVERIFY(chosen.has_value());
    // 64 sequences do not split over a third of 24 devices.
    Workspace larger = *m_session->workspace();
    larger.system = presetSystem("dgx-h100", 3).value();
    m_session->edit("More nodes", larger);
    QTRY_VERIFY_WITH_TIMEOUT(planner().chosenProblem(), 60000);
    settle();
    QCOMPARE(planner().shown(), &planner().answer()->answer.configurations.front());
    const QString finding = find<QLabel>("planChosen")->text();
    QVERIFY2(finding.contains("Your choice cannot run here, so that all pages show the best: "), qPrintable(finding));
    QCOMPARE(m_session->workspace()->training.chosen, chosen);
    m_session->undoStack().undo();
    settle();
    QTRY_COMPARE(planner().shownRow(), 2);
    QVERIFY(!find<QLabel>("planChosen")->text().contains("cannot run here"));
  }

  /// No page shows the plan of another model as its own, not even greyed; Undo brings it back at once.
  void anotherModelBeginsWithoutAPlan() {
    open(test::trainedWorkspace(2));
    const auto before = planner().answer();
    TrainingChoice other = m_session->workspace()->training;
    other.model = "llama3-70b";
    m_session->editTraining("Choose a model", other);
    QVERIFY(!planner().answer());
    QVERIFY(!planner().shown());
    QVERIFY(!table().isVisible());
    QCOMPARE(find<QLabel>("emptyText")->text(), QString("Comparing configurations …"));
    m_session->undoStack().undo();
    QCOMPARE(planner().answer(), before);
    QVERIFY(table().isVisible());
  }

  /// One search says that nothing fits: a second one would say the same.
  void aHopelessReserveIsSearchedOnce() {
    open(test::trainedWorkspace(2));
    TrainingChoice full = m_session->workspace()->training;
    full.reserve = 79.9e9;
    m_session->editTraining("Keep nearly all free", full);
    QTRY_VERIFY_WITH_TIMEOUT(planner().problem(), 60000);
    QVERIFY(!planner().isRunning());
    const QString why = find<QLabel>("emptyText")->text();
    QVERIFY2(why.startsWith("no configuration fits with Megatron-Core: "), qPrintable(why));
    m_session->undoStack().undo();
    QVERIFY(!planner().problem());
    QVERIFY(planner().isCurrent());
  }

  void choosingARowChoosesItEverywhere() {
    open(test::trainedWorkspace(2));
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, cellCentre(2));
    QVERIFY(m_session->workspace()->training.chosen.has_value());
    QCOMPARE(planner().shownRow(), 2);
    QVERIFY(find<QLabel>("planChosen")->text().startsWith("Chosen: "));
    table().setFocus();
    QTest::keyClick(&table(), Qt::Key_Down);
    QCOMPARE(planner().shownRow(), 3);
    QCOMPARE(m_session->undoStack().count(), 1);
    QTest::mouseClick(find<QWidget>("planFollowBest"), Qt::LeftButton);
    QCOMPARE(planner().shownRow(), 0);
    QCOMPARE(table().currentIndex().row(), 0);
    m_session->undoStack().undo();
    QVERIFY(!m_session->workspace()->training.chosen);
    QCOMPARE(table().currentIndex().row(), 0);
  }

  // Two rows as the command line compares them, by keys and from the lists.
  void twoRowsAreComparedLineByLine() {
    open(test::trainedWorkspace(2));
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, cellCentre(2));
    table().setFocus();
    QTest::keyClick(&table(), Qt::Key_D, Qt::ControlModifier);
    auto* dialog = find<QDialog>("planComparisonDialog");
    QTRY_VERIFY(dialog->isVisible());
    const auto& all = planner().answer()->answer;
    auto* lines = find<QTableView>("planComparisonTable");
    QAbstractItemModelTester tester(lines->model());
    const auto expected = [&](std::size_t a, std::size_t b) {
      const NamedConfiguration one{"row " + std::to_string(a + 1), all.configurations[a]};
      const NamedConfiguration other{"row " + std::to_string(b + 1), all.configurations[b]};
      const auto compared =
          compareConfigurations(one.planned, other.planned, all.reserve, planner().answer()->question.system);
      QString sentence = qs(describeComparison(compared, one, other, all.reserve, all.memory)) + '.';
      sentence[0] = sentence[0].toUpper();
      return std::pair(sentence, compared);
    };
    const auto [sentence, compared] = expected(0, 2);
    QCOMPARE(find<QLabel>("planComparisonFinding")->text(), sentence);
    QCOMPARE(lines->model()->rowCount(), int(compared.size()));
    for (int row = 0; row < lines->model()->rowCount(); ++row) {
      const ComparedLine& line = compared[std::size_t(row)];
      QCOMPARE(test::cellText(*lines, row, ComparedLinesModel::What).trimmed(), qs(line.what));
      QCOMPARE(test::cellText(*lines, row, ComparedLinesModel::A), qs(line.a.text()));
      QCOMPARE(test::cellText(*lines, row, ComparedLinesModel::B), qs(line.b.text()));
    }
    auto* other = find<QComboBox>("comparedB");
    other->setFocus();
    QTest::keyClick(other, Qt::Key_Down);
    QCOMPARE(find<QLabel>("planComparisonFinding")->text(), expected(0, 3).first);
    QTest::mouseClick(find<QPushButton>("planComparisonCopy"), Qt::LeftButton);
    QVERIFY(QGuiApplication::clipboard()->text().contains("\nstep\t"));
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(m_view->findChild<QDialog*>("planComparisonDialog") == nullptr);
  }

  void aButtonLeadsToTheFlags() {
    open(test::trainedWorkspace(2));
    QSignalSpy wanted(m_view.get(), &Perspective::perspectiveWanted);
    QTest::mouseClick(find<QToolButton>("planUseButton"), Qt::LeftButton);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.at(0).at(0).toString(), QString(kUsePage));
  }

  void filtersHideRows() {
    open(test::trainedWorkspace(2));
    const int all = table().model()->rowCount();
    QTest::mouseClick(find<QCheckBox>("spareTenth"), Qt::LeftButton, {}, QPoint(8, 8));
    QVERIFY(table().model()->rowCount() <= all);
    const double limit = 0.9 * planner().answer()->answer.memory;
    for (int row = 0; row < table().model()->rowCount(); ++row) QVERIFY(model().at(row).memory.total() <= limit);
    QTest::mouseClick(find<QCheckBox>("tensorInside"), Qt::LeftButton, {}, QPoint(8, 8));
    for (int row = 0; row < table().model()->rowCount(); ++row) QVERIFY(model().at(row).configuration.plan.tensor <= 8);
  }

  // The sentence speaks of the configuration that all pages show, and says when no row does.
  void aHiddenConfigurationIsNamed() {
    open(test::trainedWorkspace(2));
    const TrainingAnswer& answer = planner().answer()->answer;
    const auto& all = answer.configurations;
    const auto full = std::find_if(all.begin(), all.end(), [&](const PlannedConfiguration& each) {
      return each.memory.total() + answer.reserve > 0.9 * answer.memory;
    });
    QVERIFY(full != all.end());
    m_session->chooseConfiguration(&*full);
    const auto* finding = find<QLabel>("planChosen");
    QVERIFY2(!finding->text().contains("hide"), qPrintable(finding->text()));
    QTest::mouseClick(find<QCheckBox>("spareTenth"), Qt::LeftButton, {}, QPoint(8, 8));
    QVERIFY(table().model()->rowCount() > 0);
    QVERIFY2(finding->text().contains("The filters hide it; the first row left is "), qPrintable(finding->text()));
    QTest::mouseClick(find<QCheckBox>("spareTenth"), Qt::LeftButton, {}, QPoint(8, 8));
    QVERIFY2(!finding->text().contains("hide"), qPrintable(finding->text()));
  }

  void theFrameworkIsTheDocuments() {
    open(test::trainedWorkspace(2));
    auto* framework = find<QComboBox>("planFramework");
    framework->setFocus();
    QTest::keyClick(framework, Qt::Key_End);
    QCOMPARE(m_session->workspace()->training.framework, std::string("any"));
    QVERIFY(find<QLabel>("planFinding")->text().startsWith("Comparing"));
    settle();
    QCOMPARE(planner().answer()->question.frameworks.size(),
             frameworksOn(AcceleratorPlatform::Cuda, trainingFrameworks()).size());
    m_session->undoStack().undo();
    settle();
    QCOMPARE(framework->currentText(), QString("Megatron-Core"));
  }

  void rowsAreCopiedAndWritten() {
    open(test::trainedWorkspace(2));
    table().setFocus();
    QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier);
    const QString copied = QApplication::clipboard()->text();
    QVERIFY2(copied.contains(degreesText(model().at(0).configuration)), qPrintable(copied));
    QTemporaryDir folder;
    QTest::keyClick(&table(), Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    auto* dialog = find<QFileDialog>("planExportDialog");
    const QString path = folder.filePath("plan.csv");
    emit dialog->fileSelected(path);
    const auto written = readTextFile(path.toStdString());
    QVERIFY(written.ok());
    QCOMPARE(QString::fromStdString(*written).count('\n'), table().model()->rowCount() + 1);
    dialog->reject();
  }

  void aSearchCanBeCancelled() {
    m_session->reset(test::trainedWorkspace(2));
    QTRY_VERIFY(planner().isRunning());
    planner().cancel();
    QVERIFY(planner().wasCancelled());
    QCOMPARE(find<QLabel>("emptyText")->text(), QString("The search was cancelled."));
    QTest::mouseClick(find<QPushButton>("emptyButton"), Qt::LeftButton);
    settle();
    QVERIFY(table().model()->rowCount() > 0);
  }
};

QTEST_MAIN(TestPlanPerspective)
#include "tst_plan_perspective.moc"
#include "workspace/presets.h"
