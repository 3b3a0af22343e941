// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QTest>
#include <set>

#include "views/whatif/points_model.h"
#include "views/whatif/what_if_desk.h"

using namespace p2;
using namespace p2::views;

class TestWhatIfPerspective : public QObject, private test::WhatIfDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUpPage(); }
  void cleanup() { clearAway(); }

  void withoutAChangeAllStepsAreEqual() {
    for (int step = 1; step < 3; ++step) QCOMPARE(secondsOf(step), secondsOf(0));
  }

  void aSliderMovesTheStep() {
    const double before = secondsOf(0);
    auto* nodes = find<QSlider>("whatIf-nodes");
    nodes->setFocus();
    QTest::keyClick(nodes, Qt::Key_PageUp);
    QTRY_VERIFY_WITH_TIMEOUT(secondsOf(1) < 0.7 * before, 60000);
    QVERIFY(find<QLabel>("whatIfFinding")->text().startsWith("8 nodes"));
    QCOMPARE(secondsOf(0), before);
    QCOMPARE(nodeCount(m_session->workspace()->system), std::int64_t{4});
    QTest::mouseClick(find<QPushButton>("whatIfReset"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(secondsOf(1), before, 60000);
  }

  // Every number of nodes, on the slider's stops or between them; nothing is asked before the number is complete.
  void anyValueIsTyped() {
    auto* box = find<QDoubleSpinBox>("whatIfBox-nodes");
    auto* slider = find<QSlider>("whatIf-nodes");
    QCOMPARE(box->text(), QString("4"));
    const int present = slider->value();
    typeInto(*box, "27");
    QVERIFY(find<QLabel>("whatIfFinding")->text().startsWith("A step takes"));
    QTest::keyClick(box, Qt::Key_Return);
    QTRY_VERIFY2_WITH_TIMEOUT(find<QLabel>("whatIfFinding")->text().startsWith("27 nodes"),
                              qPrintable(find<QLabel>("whatIfFinding")->text()), 60000);
    QVERIFY(box->font().bold() && slider->value() > present);
    QTest::keyClick(box, Qt::Key_Down);
    QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>("whatIfFinding")->text().startsWith("26 nodes"), 60000);
    // The stops between 4 and 8.
    slider->setValue(present);
    slider->setFocus();
    for (const char* text : {"5", "6", "7", "8"}) {
      QTest::keyClick(slider, Qt::Key_Right);
      QCOMPARE(box->text(), QString(text));
    }
    typeInto(*box, "4");
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(slider->value(), present);
    QVERIFY(!box->font().bold() && !find<QPushButton>("whatIfAdopt")->isEnabled());
  }

  void boxesOfAllQuantities_data() {
    QTest::addColumn<QString>("quantity");
    QTest::addColumn<QString>("present");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("begins");
    QTest::newRow("spine") << "spine"
                           << "1:1"
                           << "2.5"
                           << "spine 2.5:1: ";
    QTest::newRow("spine with its unit") << "spine"
                                         << "1:1"
                                         << "4:1"
                                         << "spine 4:1: ";
    QTest::newRow("NIC with its unit") << "nic"
                                       << "50 GB/s"
                                       << "25 GB/s"
                                       << "NICs of 25.0 GB/s: ";
    QTest::newRow("nic") << "nic"
                         << "50 GB/s"
                         << "12,5"
                         << "NICs of 12.5 GB/s: ";
    QTest::newRow("batch") << "batch"
                           << "256"
                           << "96"
                           << "batch 96: ";
    QTest::newRow("sequence") << "sequence"
                              << "4096"
                              << "3072"
                              << "sequences of 3072 tokens: ";
  }
  void boxesOfAllQuantities() {
    QFETCH(QString, quantity);
    QFETCH(QString, present);
    QFETCH(QString, typed);
    QFETCH(QString, begins);
    auto* box = find<QDoubleSpinBox>(qPrintable("whatIfBox-" + quantity));
    QCOMPARE(box->text(), present);
    typeInto(*box, qPrintable(typed));
    QTest::keyClick(box, Qt::Key_Return);
    QTRY_VERIFY2_WITH_TIMEOUT(find<QLabel>("whatIfFinding")->text().startsWith(begins),
                              qPrintable(find<QLabel>("whatIfFinding")->text()), 60000);
    QTest::mouseClick(find<QPushButton>("whatIfReset"), Qt::LeftButton);
    QCOMPARE(box->text(), present);
  }

  // Precision, recomputation and memory kept free, by mouse and keys.
  void settingsOfTheTrainingAreChanged() {
    const double before = secondsOf(0);
    const auto* finding = find<QLabel>("whatIfFinding");
    auto* precision = find<QComboBox>("whatIfPrecision");
    QCOMPARE(precision->currentText(), QString("bf16, as it is"));
    precision->setFocus();
    QTest::keyClicks(precision, "fp8");
    QTRY_VERIFY2_WITH_TIMEOUT(finding->text().startsWith("fp8: "), qPrintable(finding->text()), 60000);
    QTRY_VERIFY_WITH_TIMEOUT(secondsOf(1) < before, 60000);
    QTest::mouseClick(find<QPushButton>("whatIfReset"), Qt::LeftButton);
    QCOMPARE(precision->currentIndex(), 0);
    auto* recomputation = find<QComboBox>("whatIfRecompute");
    QCOMPARE(recomputation->currentText(), QString("none, as it is"));
    recomputation->setFocus();
    QTest::keyClicks(recomputation, "full");
    QTRY_VERIFY2_WITH_TIMEOUT(finding->text().startsWith("full recomputation: "), qPrintable(finding->text()), 60000);
    QTRY_VERIFY_WITH_TIMEOUT(secondsOf(1) > before, 60000);
    // It becomes the document's with one click.
    QTest::mouseClick(find<QPushButton>("whatIfAdopt"), Qt::LeftButton);
    const auto& chosen = m_session->workspace()->training.chosen;
    QVERIFY(chosen && chosen->choices.find("recompute=full") != std::string::npos);
    QTRY_COMPARE_WITH_TIMEOUT(recomputation->currentText(), QString("full, as it is"), 60000);
    m_session->undoStack().undo();
    QTRY_COMPARE_WITH_TIMEOUT(recomputation->currentText(), QString("none, as it is"), 60000);
    auto* reserve = find<QDoubleSpinBox>("whatIfBox-reserve");
    QCOMPARE(reserve->text(), QString("6 GB"));
    typeInto(*reserve, "40");
    QTest::keyClick(reserve, Qt::Key_Return);
    QTRY_VERIFY2_WITH_TIMEOUT(finding->text().startsWith("40.0 GB kept free: "), qPrintable(finding->text()), 60000);
  }

  // The table has its rows at once, and their best configurations one by one.
  void theTableFillsAsPointsAreFound() {
    auto* list = find<QTableView>("whatIfPoints");
    const auto* note = find<QLabel>("whatIfSearching");
    QTRY_VERIFY_WITH_TIMEOUT(note->text().isEmpty() && list->model()->rowCount() > 2, 120000);
    std::set<QString> notes;
    std::set<int> awaited;
    const auto look = [&] {
      int open = 0;
      for (int row = 0; row < list->model()->rowCount(); ++row) {
        open += test::cellText(*list, row, PointsModel::Best) == QString("…") ? 1 : 0;
      }
      if (open == 0) return;
      awaited.insert(open);
      notes.insert(note->text());
      QVERIFY(test::cellText(*list, 0, PointsModel::Kept) != QString("…"));
    };
    connect(list->model(), &QAbstractItemModel::modelReset, list, look);
    auto* over = find<QComboBox>("whatIfOver");
    over->setFocus();
    QTest::keyClicks(over, "global");
    QTRY_VERIFY_WITH_TIMEOUT(!notes.empty() && note->text().isEmpty(), 120000);
    QVERIFY2(awaited.size() > 1, qPrintable(QString::number(awaited.size())));
    QVERIFY2(notes.rbegin()->contains(" values …"), qPrintable(*notes.rbegin()));
  }

  // The legend names the parts of the bars, and keeps their places when a part comes or goes.
  void theBarsHaveALegend() {
    auto* bars = find<StepBars>("whatIfBars");
    const QStringList names = bars->legend();
    QVERIFY2(names.contains("computation") && names.contains("host"), qPrintable(names.join(", ")));
    for (const WaterfallBar& part : bars->steps()[0].parts) {
      if (part.kind == SliceKind::Computation) continue;
      QVERIFY2(names.contains(QString::fromStdString(part.name).section(',', 0, 0)), part.name.c_str());
    }
    const int height = bars->height();
    bars->setSteps({});
    QCOMPARE(bars->heightForWidth(bars->width()), height);
    QVERIFY(bars->legend().isEmpty());
  }

  // A change becomes the document's in one step of undo: machine, batch and sequence.
  void aChangeIsAdopted() {
    auto* adopt = find<QPushButton>("whatIfAdopt");
    QVERIFY(!adopt->isEnabled());
    const Workspace before = *m_session->workspace();
    auto* nodes = find<QSlider>("whatIf-nodes");
    nodes->setFocus();
    QTest::keyClick(nodes, Qt::Key_PageUp);
    auto* batch = find<QSlider>("whatIf-batch");
    batch->setFocus();
    QTest::keyClick(batch, Qt::Key_Right);
    QVERIFY(adopt->isEnabled());
    QTest::mouseClick(adopt, Qt::LeftButton);
    QCOMPARE(nodeCount(m_session->workspace()->system), std::int64_t{8});
    QCOMPARE(m_session->workspace()->training.batch, std::int64_t{512});
    QCOMPARE(m_session->workspace()->training.sequence, before.training.sequence);
    // The page starts again from the new document.
    QTRY_VERIFY_WITH_TIMEOUT(m_session->planner().isCurrent() && m_session->planner().answer()->isComplete, 120000);
    QTRY_VERIFY(!adopt->isEnabled());
    m_session->undoStack().undo();
    QVERIFY(*m_session->workspace() == before);
    QTRY_VERIFY_WITH_TIMEOUT(m_session->planner().isCurrent() && m_session->jobs().running().empty(), 120000);
  }

  // The change is one of the planned question.
  void aStalePlanIsNotChanged() {
    auto* adopt = find<QPushButton>("whatIfAdopt");
    auto* nodes = find<QSlider>("whatIf-nodes");
    nodes->setFocus();
    QTest::keyClick(nodes, Qt::Key_Right);
    QVERIFY(adopt->isEnabled());
    TrainingChoice training = m_session->workspace()->training;
    training.framework = "any";
    m_session->editTraining("Framework", training);
    QVERIFY(!m_session->planner().isCurrent() && !adopt->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(m_session->planner().isCurrent() && adopt->isEnabled(), 120000);
  }

  void theTableVariesAQuantity() {
    auto* table = find<QTableView>("whatIfPoints");
    QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > 3, 60000);
    find<QComboBox>("whatIfOver")->setCurrentIndex(3);
    QTRY_VERIFY_WITH_TIMEOUT(test::cellText(*table, 0, PointsModel::Change).startsWith("batch"), 60000);
  }

  void aPriceGivesTheCostOfTokens() {
    auto* table = find<QTableView>("whatIfPoints");
    QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > 3, 60000);
    const auto isKept = [table](int row) { return test::cellText(*table, row, PointsModel::Kept) != "–"; };
    int kept = 0;
    while (kept < table->model()->rowCount() && !isKept(kept)) ++kept;
    QVERIFY(kept < table->model()->rowCount());
    QVERIFY(test::cellText(*table, kept, PointsModel::Price).isEmpty());
    QVERIFY(test::cellText(*table, kept, PointsModel::Energy).toDouble() > 0);
    find<QDoubleSpinBox>("whatIfPrice")->setValue(2.5);
    QVERIFY(test::cellText(*table, kept, PointsModel::Price).toDouble() > 0);
    // Where the kept configuration does not run, it has no price and no energy either.
    QVERIFY(!isKept(0));
    QCOMPARE(test::cellText(*table, 0, PointsModel::Price), QString("–"));
    QCOMPARE(test::cellText(*table, 0, PointsModel::Energy), QString("–"));
    QVERIFY(find<StepBars>("whatIfBars")->steps()[0].figures.contains("per million tokens"));
  }

  // From the move of a slider to the drawn answer, on 1,024 devices: the figure is printed, and one configuration is
  // priced for it.
  void aSliderAnswersAtOnce() {
    Workspace workspace;
    workspace.system = test::valueOf(systemFromArgument("dgx-h100:128"));
    workspace.axes = {{"data", 1024, true}};
    workspace.training.model = "llama3-70b";
    workspace.training.batch = 2048;
    m_session->reset(std::move(workspace));
    QTRY_VERIFY_WITH_TIMEOUT(m_session->planner().isCurrent() && m_session->planner().answer()->isComplete, 300000);
    QTRY_VERIFY_WITH_TIMEOUT(m_session->jobs().running().empty(), 300000);
    auto* slider = find<QSlider>("whatIf-nic");
    auto* bars = find<StepBars>("whatIfBars");
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Left);
    QTRY_VERIFY_WITH_TIMEOUT(m_session->jobs().running().empty(), 300000);
    QBENCHMARK_ONCE {
      QTest::keyClick(slider, Qt::Key_Left);
      while (secondsOf(1) == 0 || bars->steps()[1].stale) {
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
      }
      bars->repaint();
    }
    QVERIFY(secondsOf(1) > secondsOf(0));
  }

  void anotherMachineIsCompared() {
    QTest::mouseClick(find<QPushButton>("whatIfCompare"), Qt::LeftButton);
    auto* dialog = find<QDialog>("compareMachinesDialog");
    QTRY_VERIFY(dialog->isVisible());
    auto* other = find<QComboBox>("compareMachinesOther");
    other->lineEdit()->setText("dgx-moon:4");
    QTest::keyClick(other->lineEdit(), Qt::Key_Return);
    auto* message = find<QLabel>("compareMachinesMessage");
    QTRY_VERIFY_WITH_TIMEOUT(message->text().contains("dgx-moon"), 60000);
    QVERIFY(!find<StepBars>("compareMachinesBars")->isVisible());
    other->lineEdit()->setText("dgx-b200:4");
    QTest::keyClick(other->lineEdit(), Qt::Key_Return);
    auto* finding = find<QLabel>("compareMachinesFinding");
    QTRY_VERIFY_WITH_TIMEOUT(finding->isVisible(), 120000);
    QVERIFY2(finding->text().startsWith("The step of the best configuration is ") &&
                 finding->text().contains("faster there"),
             qPrintable(finding->text()));
    const auto& steps = find<StepBars>("compareMachinesBars")->steps();
    QCOMPARE(steps.size(), std::size_t{3});
    QVERIFY(steps[1].parts.back().to < steps[0].parts.back().to);
    QVERIFY(find<QLabel>("compareMachinesParts")->text().contains("busiest link there"));
    const QPointer<QDialog> left(dialog);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(left.isNull());
  }

  // Racks on one NVLink take the place of nodes, and are called so.
  void nodesHaveTheirName() {
    Workspace workspace = *m_session->workspace();
    const auto caption = [&] {
      const auto* grid = qobject_cast<QGridLayout*>(find<QWidget>("whatIfControls")->layout());
      return qobject_cast<QLabel*>(grid->itemAtPosition(1, 0)->widget())->text();
    };
    QCOMPARE(caption(), QString("&Nodes"));
    workspace.system = test::valueOf(systemFromArgument("gb200-nvl72:1"));
    m_session->edit("racks", workspace);
    QTRY_COMPARE_WITH_TIMEOUT(caption(), QString("Racks"), 60000);
  }

  void anAcceleratorIsTried() {
    auto* gpu = find<QComboBox>("whatIfGpu");
    gpu->setCurrentIndex(gpu->findData("B200"));
    QTRY_VERIFY_WITH_TIMEOUT(secondsOf(1) < 0.9 * secondsOf(0), 60000);
  }

 private:
  static void typeInto(QDoubleSpinBox& box, const char* text) {
    box.setFocus();
    box.selectAll();
    QTest::keyClicks(&box, text);
  }
};

QTEST_MAIN(TestWhatIfPerspective)
#include "tst_what_if_perspective.moc"
