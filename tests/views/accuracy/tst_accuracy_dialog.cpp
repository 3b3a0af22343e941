// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>

#include "views/accuracy/accuracy_dialog.h"
#include "views/plan/plan_desk.h"

using namespace p2;
using namespace p2::views;

namespace {

constexpr int kSoon = 60000;

constexpr const char* kTitles =
    "model,gpu_type,gpus,seq,global_batch_sequences,framework,precision,tp,step_seconds,date";
constexpr const char* kRuns =
    "llama3-8b,H100-80GB,8,8192,128,Megatron-Core,bf16,1,15,May\n"
    "llama3-8b,H100-80GB,16,8192,128,Megatron-Core,bf16,2,90,June\n"
    "llama3-8b,Abacus,8,8192,128,Megatron-Core,bf16,1,9.1,July\n";

}  // namespace

/// Published steps next to their predictions, and a table of one's own runs.
class TestAccuracyDialog : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }
  void init() {
    test::failOnWarnings();
    m_session = std::make_unique<Session>();
    m_session->reset(test::trainedWorkspace(2));
    m_page = std::make_unique<QWidget>();
    m_session->planner().follow(*m_page);
    m_page->show();
    QTRY_VERIFY_WITH_TIMEOUT(m_session->planner().isCurrent(), kSoon);
    m_dialog = std::make_unique<AccuracyDialog>(m_session->jobs(), *m_session->planner().answer());
    m_dialog->show();
    QTRY_VERIFY2_WITH_TIMEOUT(finding().contains("published steps are like this"), qPrintable(finding()), kSoon);
  }
  void cleanup() {
    m_dialog.reset();
    m_page.reset();
    m_session.reset();
  }

  void publishedStepsAreFiltered() {
    const int rows = model().rowCount();
    QVERIFY(rows > 20);
    auto* machine = find<QCheckBox>("accuracyMachine");
    QVERIFY(machine->isChecked());
    QTest::mouseClick(machine, Qt::LeftButton, {}, QPoint(8, machine->height() / 2));
    QVERIFY(model().rowCount() > rows);
    QVERIFY(!find<QComboBox>("accuracyRuns")->isVisible());
  }

  // The best configuration of a mixture whose host starts the dispatch to experts has a wider interval.
  void aWiderIntervalSaysWhy() {
    const QString why = "The interval is wider where the host starts the dispatch";
    QVERIFY2(!finding().contains(why), qPrintable(finding()));
    PlannerAnswer found = *m_session->planner().answer();
    found.question.model.experts = 64;
    TrainingConfiguration& best = found.answer.configurations.front().configuration;
    best.family = FrameworkFamily::MegatronCore;
    best.plan.expert = 8;
    m_dialog = std::make_unique<AccuracyDialog>(m_session->jobs(), found);
    m_dialog->show();
    QTRY_VERIFY2_WITH_TIMEOUT(finding().contains(why), qPrintable(finding()), kSoon);
  }

  void aTableOfRunsIsCompared() {
    const QString published = finding();
    open("mine.csv", QByteArray(kTitles) + '\n' + kRuns);
    QTRY_VERIFY2_WITH_TIMEOUT(finding().startsWith("mine.csv: 2 of 3 runs can be predicted"), qPrintable(finding()),
                              kSoon);
    QVERIFY2(finding().contains(QRegularExpression(": [01] predictions? (is|are) too long, [12] too short\\. ")) &&
                 finding().contains("1 run is within the 80 % interval") &&
                 finding().endsWith("Columns that are not read: date."),
             qPrintable(finding()));
    QCOMPARE(model().rowCount(), 3);
    QCOMPARE(test::cellText(*find<QTableView>("accuracyTable"), 2, AccuracyModel::Predicted), QString("–"));
    const QString why = model().index(2, AccuracyModel::Predicted).data(Qt::ToolTipRole).toString();
    QVERIFY2(why.contains("accelerator"), qPrintable(why));
    QVERIFY(!find<QCheckBox>("accuracyMachine")->isEnabled());
    // Back to the published ones, and to the table again.
    auto* runs = find<QComboBox>("accuracyRuns");
    QVERIFY(runs->isVisible());
    QCOMPARE(runs->currentText(), QString("mine.csv"));
    choose(*runs, 0);
    QCOMPARE(finding(), published);
    QVERIFY(find<QCheckBox>("accuracyMachine")->isEnabled() && model().rowCount() > 3);
    choose(*runs, 1);
    QCOMPARE(model().rowCount(), 3);
  }

  void aWrongTableSaysWhereItIsWrong() {
    open("bad.csv", QByteArray(kTitles) + "\nllama3-8b,H100-80GB,eight,8192,128,Megatron-Core,bf16,1,9.1,May\n");
    auto* problem = find<QLabel>("accuracyProblem");
    QTRY_VERIFY_WITH_TIMEOUT(problem->isVisible(), kSoon);
    QVERIFY2(problem->text().contains("bad.csv: line 2: "), qPrintable(problem->text()));
    QVERIFY2(finding().contains("published steps are like this"), qPrintable(finding()));
    open("mine.csv", QByteArray(kTitles) + '\n' + kRuns);
    QTRY_VERIFY_WITH_TIMEOUT(finding().startsWith("mine.csv: "), kSoon);
    QVERIFY(!problem->isVisible());
  }

 private:
  template <class T>
  T* find(const char* name) const {
    return &test::childOf<T>(*m_dialog, name);
  }
  [[nodiscard]] QString finding() const { return find<QLabel>("accuracyFinding")->text(); }
  [[nodiscard]] QAbstractItemModel& model() const { return *find<QTableView>("accuracyTable")->model(); }
  static void choose(QComboBox& list, int index) {
    list.setCurrentIndex(index);
    emit list.activated(index);
  }
  void open(const char* name, const QByteArray& text) {
    QFile file(m_folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    QTest::mouseClick(find<QPushButton>("accuracyOpen"), Qt::LeftButton);
    auto* files = find<QFileDialog>("accuracyFileDialog");
    emit files->fileSelected(file.fileName());
    files->reject();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }

  QTemporaryDir m_folder;
  std::unique_ptr<Session> m_session;
  std::unique_ptr<QWidget> m_page;  ///< the planner plans while it is visible
  std::unique_ptr<AccuracyDialog> m_dialog;
};

QTEST_MAIN(TestAccuracyDialog)
#include "tst_accuracy_dialog.moc"
