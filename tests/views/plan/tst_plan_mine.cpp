// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QToolButton>

#include "text/text_file.h"
#include "training_answer/document_training.h"
#include "training_answer/training_plan_file.h"
#include "views/common/text.h"
#include "views/plan/plan_page_desk.h"
#include "views/shell/training_text.h"

using namespace p2;
using namespace p2::views;

namespace {

/// The plan file of a configuration, as p2 train -o writes it.
std::string planText(const PlannerAnswer& answer, std::size_t place) {
  TrainingQuestion question = answer.question;
  question.reserve = answer.answer.reserve;
  return trainingPlanToJson({"llama3-8b", std::move(question), answer.answer.configurations[place]});
}

}  // namespace

class TestPlanMine : public QObject, private test::PlanPageDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }

  // Without a choice the best is compared with the user's own.
  void mineIsComparedWithTheBest() {
    Workspace workspace = test::trainedWorkspace(2);
    workspace.training.mine = "tp=8,pp=1,zero=1";
    open(std::move(workspace));
    QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>("mineResult")->text().startsWith("Mine: tp 8"), 20000);
    QTest::mouseClick(find<QToolButton>("planCompareButton"), Qt::LeftButton);
    QTRY_VERIFY(find<QDialog>("planComparisonDialog")->isVisible());
    QCOMPARE(find<QComboBox>("comparedB")->currentText().section(':', 0, 0), QString("mine"));
    QVERIFY2(find<QLabel>("planComparisonFinding")->text().startsWith("Mine takes "),
             qPrintable(find<QLabel>("planComparisonFinding")->text()));
    QTest::keyClick(find<QDialog>("planComparisonDialog"), Qt::Key_Escape);
  }

  void myConfigurationIsRanked() {
    open(test::trainedWorkspace(2));
    auto* edit = find<QLineEdit>("mineEdit");
    edit->setFocus();
    QTest::keyClicks(edit, "tp=8, pp=2");
    QTest::keyClick(edit, Qt::Key_Return);
    QCOMPARE(m_session->workspace()->training.mine, std::string("tp=8, pp=2"));
    const auto* result = find<QLabel>("mineResult");
    QTRY_VERIFY2_WITH_TIMEOUT(result->text().startsWith("Mine: tp 8"), qPrintable(result->text()), 60000);
    // The step and the changes come before the place, which takes longer to count.
    QVERIFY2(result->text().contains("Change first: "), qPrintable(result->text()));
    QVERIFY2(result->text().contains("Place ") || result->text().contains("Counting its place"),
             qPrintable(result->text()));
    QTRY_VERIFY2_WITH_TIMEOUT(result->text().contains("Place "), qPrintable(result->text()), 60000);
    QVERIFY(!result->text().contains("Counting its place"));
    QVERIFY2(result->text().contains(" variants of Megatron-Core, ") && result->text().contains(" of all frameworks."),
             qPrintable(result->text()));
    // A change that gains is one click from being chosen.
    emit const_cast<QLabel*>(result)->linkActivated("0");
    QVERIFY(m_session->workspace()->training.chosen.has_value());
    m_session->undoStack().undo();
    m_session->undoStack().undo();
    QVERIFY(m_session->workspace()->training.mine.empty());
    QTRY_VERIFY(result->text().isEmpty());
    QVERIFY(edit->text().isEmpty());
  }

  /// The row that is named is the table's, with the filters that it has; full names are choices as well.
  void theNamedRowIsTheTables() {
    open(test::trainedWorkspace(2));
    auto* edit = find<QLineEdit>("mineEdit");
    const auto* result = find<QLabel>("mineResult");
    const auto type = [&](const QString& text) {
      edit->setFocus();
      edit->selectAll();
      QTest::keyClicks(edit, text);
      QTest::keyClick(edit, Qt::Key_Return);
    };
    const auto choices = [&](std::size_t row) {
      return qs(fixedChoicesText(choicesOf(planner().answer()->answer.configurations[row].configuration)));
    };
    QVERIFY(model().rowCount() > 5);
    type(choices(4));
    QTRY_VERIFY2_WITH_TIMEOUT(result->text().contains("It is row 5 of the table."), qPrintable(result->text()), 60000);
    // With a filter, rows are counted as they are listed then.
    QTest::mouseClick(find<QCheckBox>("spareTenth"), Qt::LeftButton, {}, QPoint(8, 8));
    settle();
    const auto& rows = planner().answer()->answer.configurations;
    std::size_t moved = 0;
    while (moved < rows.size() && placeOf(chosenFrom(rows[moved]), planner().answer()->unfiltered->answer) == moved)
      ++moved;
    QVERIFY(moved < rows.size());
    type(choices(moved));
    QTRY_VERIFY2_WITH_TIMEOUT(result->text().contains(QString("It is row %1 of the table.").arg(moved + 1)),
                              qPrintable(result->text()), 60000);
    type("tensor=8,pipeline=2,microbatch=2,zero=0,recompute=full");
    QTRY_VERIFY2_WITH_TIMEOUT(result->text().startsWith("Mine: tp 8"), qPrintable(result->text()), 60000);
    QTRY_VERIFY2_WITH_TIMEOUT(result->text().contains(" of the table"), qPrintable(result->text()), 60000);
  }

  /// A configuration above the memory comes with the changes that make it fit; each is one click from being chosen.
  void whatFitsIsNamed() {
    Workspace workspace = test::trainedWorkspace(8);
    workspace.training.model = "llama3-70b";
    open(std::move(workspace));
    auto* edit = find<QLineEdit>("mineEdit");
    edit->setFocus();
    QTest::keyClicks(edit, "tp=4,pp=1,cp=1,zero=1");
    QTest::keyClick(edit, Qt::Key_Return);
    auto* result = find<QLabel>("mineResult");
    QTRY_VERIFY2_WITH_TIMEOUT(result->text().contains("Nearest that fits: "), qPrintable(result->text()), 60000);
    QVERIFY2(result->text().contains("It does not fit."), qPrintable(result->text()));
    const double own = m_session->planner().answer()->answer.memory;
    result->setFocus();
    QTest::keyClick(result, Qt::Key_Tab);
    QTest::keyClick(result, Qt::Key_Return);
    QVERIFY(m_session->workspace()->training.chosen.has_value());
    settle();
    const PlannedConfiguration* shown = m_session->planner().shown();
    QVERIFY(shown != nullptr);
    QVERIFY(shown->memory.total() + m_session->planner().answer()->answer.reserve <= own);
  }

  /// A configuration stays when another model is chosen, and says for which one it was given.
  void anotherModelKeepsMineAndSaysSo() {
    open(test::trainedWorkspace(2));
    auto* edit = find<QLineEdit>("mineEdit");
    edit->setFocus();
    QTest::keyClicks(edit, "tp=4,pp=2");
    QTest::keyClick(edit, Qt::Key_Return);
    auto* result = find<QLabel>("mineResult");
    QTRY_VERIFY2_WITH_TIMEOUT(result->text().startsWith("Mine: tp 4"), qPrintable(result->text()), 60000);
    QVERIFY2(result->text().contains("You left these open, so they were chosen for you: "), qPrintable(result->text()));
    QVERIFY(!result->text().contains("It was given for"));
    TrainingChoice other = m_session->workspace()->training;
    other.model = "llama2-13b";
    m_session->editTraining("Choose a model", other);
    settle();
    QTRY_VERIFY2_WITH_TIMEOUT(result->text().contains("It was given for llama3-8b, and is priced for llama2-13b."),
                              qPrintable(result->text()), 60000);
  }

  /// Flags of a run with another batch: one click trains with theirs.
  void theBatchOfMyFlagsIsTaken() {
    open(test::trainedWorkspace(2));
    auto* edit = find<QLineEdit>("mineEdit");
    edit->setFocus();
    QTest::keyClicks(edit, "--tensor-model-parallel-size 8 --micro-batch-size 1 --global-batch-size 128 --bf16");
    QTest::keyClick(edit, Qt::Key_Return);
    const auto* result = find<QLabel>("mineResult");
    QTRY_VERIFY2_WITH_TIMEOUT(result->text().contains("href=\"settings\""), qPrintable(result->text()), 60000);
    emit const_cast<QLabel*>(result)->linkActivated("settings");
    QCOMPARE(m_session->workspace()->training.batch, std::int64_t{128});
    settle();
    QTRY_VERIFY2_WITH_TIMEOUT(result->text().startsWith("Mine: tp 8"), qPrintable(result->text()), 60000);
    m_session->undoStack().undo();
    QCOMPARE(m_session->workspace()->training.batch, std::int64_t{64});
  }

  void pastedFlagsAreMine() {
    open(test::trainedWorkspace(2));
    QApplication::clipboard()->setText(
        "--tensor-model-parallel-size 4\n--pipeline-model-parallel-size 2\n--micro-batch-size 1\n"
        "--global-batch-size 64\n--use-distributed-optimizer\n--sequence-parallel\n--bf16\n");
    auto* edit = find<QLineEdit>("mineEdit");
    edit->setFocus();
    QTest::keyClick(edit, Qt::Key_V, Qt::ControlModifier);
    QVERIFY2(edit->text().startsWith("7 lines: --tensor"), qPrintable(edit->text()));
    const auto* result = find<QLabel>("mineResult");
    QTRY_VERIFY2_WITH_TIMEOUT(result->text().startsWith("Mine: tp 4 sp"), qPrintable(result->text()), 60000);
    QTest::mouseClick(find<QWidget>("mineClear"), Qt::LeftButton);
    QVERIFY(m_session->workspace()->training.mine.empty());
    QApplication::clipboard()->setText("Dear diary");
    QTest::mouseClick(find<QWidget>("minePaste"), Qt::LeftButton);
    QTRY_VERIFY2_WITH_TIMEOUT(result->text().startsWith("✗ "), qPrintable(result->text()), 60000);
  }

  // Batch, sequence and framework of the file become the document's, its configuration "mine".
  void anOpenedConfigurationIsTheQuestion() {
    open(test::trainedWorkspace(2));
    QTemporaryDir folder;
    const std::string script =
        "--tensor-model-parallel-size 4\n--pipeline-model-parallel-size 2\n--micro-batch-size 1\n--seq-length 2048\n"
        "--global-batch-size 96\n--recompute-granularity full\n--recompute-method uniform\n--recompute-num-layers 1\n"
        "--use-distributed-optimizer\n--sequence-parallel\n--bf16\n";
    const QString path = folder.filePath("train.sh");
    QVERIFY(writeTextFile(path.toStdString(), script).ok());
    m_view->openFile(path);
    const TrainingChoice training = m_session->workspace()->training;
    QCOMPARE(training.batch, std::int64_t{96});
    QCOMPARE(training.sequence, std::int64_t{2048});
    QCOMPARE(training.framework, std::string("megatron"));
    QVERIFY(training.mine.starts_with("--tensor-model-parallel-size 4"));
    const auto* result = find<QLabel>("mineResult");
    QTRY_VERIFY2_WITH_TIMEOUT(result->text().startsWith("Mine: tp 4 sp"), qPrintable(result->text()), 60000);
    m_session->undoStack().undo();
    QVERIFY(m_session->workspace()->training.mine.empty());
  }

  // A plan of p2 train -o is read as p2 train --evaluate reads it: pasted, opened or dropped, or by its path.
  void aPlanOfTheCommandIsMine_data() {
    QTest::addColumn<QString>("way");
    for (const char* way : {"paste", "open", "path"}) QTest::newRow(way) << QString(way);
  }
  void aPlanOfTheCommandIsMine() {
    QFETCH(QString, way);
    open(test::trainedWorkspace(2));
    const auto answer = planner().answer();
    const std::size_t place = answer->answer.configurations.size() - 1;
    const std::string plan = planText(*answer, place);
    QTemporaryDir folder;
    const QString path = folder.filePath("plan.json");
    QVERIFY(writeTextFile(path.toStdString(), plan).ok());
    auto* edit = find<QLineEdit>("mineEdit");
    edit->setFocus();
    if (way == "paste") {
      QApplication::clipboard()->setText(QString::fromStdString(plan));
      QTest::keyClick(edit, Qt::Key_V, Qt::ControlModifier);
    } else if (way == "open") {
      m_view->openFile(path);
    } else {
      QTest::keyClicks(edit, path);
      QTest::keyClick(edit, Qt::Key_Return);
    }
    QVERIFY2(edit->text().startsWith("plan of p2 train, "), qPrintable(edit->text()));
    QVERIFY(edit->isReadOnly());
    const PlannedConfiguration& listed = answer->answer.configurations[place];
    const QString begins = QString("Mine: %1 · ").arg(degreesText(listed.configuration));
    const auto* result = find<QLabel>("mineResult");
    QTRY_VERIFY2_WITH_TIMEOUT(result->text().startsWith(begins), qPrintable(result->text() + begins), 60000);
    QVERIFY2(result->text().contains(intervalText(listed.estimate)), qPrintable(result->text()));
  }

  // The CLI's sentence for a plan of another cluster, and one click for another batch.
  void aPlanOfAnotherQuestionSaysSo() {
    open(test::trainedWorkspace(2));
    const std::string plan = planText(*planner().answer(), 0);
    open(test::trainedWorkspace(4));
    QApplication::clipboard()->setText(QString::fromStdString(plan));
    QTest::mouseClick(find<QWidget>("minePaste"), Qt::LeftButton);
    const auto* result = find<QLabel>("mineResult");
    QTRY_COMPARE_WITH_TIMEOUT(result->text(),
                              QString("✗ the plan is for 16 devices, and the system has 32; use a system of that size"),
                              60000);
    Workspace workspace = test::trainedWorkspace(2);
    workspace.training.batch = 128;
    workspace.training.mine = plan;
    open(std::move(workspace));
    QTRY_VERIFY2_WITH_TIMEOUT(
        result->text().startsWith(
            "✗ the plan has a batch of 64 sequences, and the question has 128; set one to the other"),
        qPrintable(result->text()), 60000);
    emit const_cast<QLabel*>(result)->linkActivated("settings");
    QCOMPARE(m_session->workspace()->training.batch, std::int64_t{64});
    QTRY_VERIFY2_WITH_TIMEOUT(result->text().startsWith("Mine: "), qPrintable(result->text()), 60000);
  }
};

QTEST_MAIN(TestPlanMine)
#include "tst_plan_mine.moc"
