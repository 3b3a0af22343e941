// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QDialog>
#include <QHelpEvent>
#include <QLabel>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QToolTip>

#include "base/units.h"
#include "support/fixtures.h"
#include "views/common/text.h"
#include "views/timeline/timeline_view.h"
#include "views/view_desk.h"
#include "views/why/alternatives_model.h"
#include "views/why/collectives_model.h"
#include "views/why/machine_view.h"
#include "views/why/memory_view.h"
#include "views/why/waterfall_view.h"
#include "views/why/why_perspective.h"

using namespace p2;
using namespace p2::views;

namespace {

Workspace documentOf(const char* system, const char* model, std::int64_t batch, const char* fixed) {
  Workspace workspace;
  workspace.system = test::valueOf(systemFromArgument(system));
  workspace.axes = {{"data", workspace.system.deviceCount(), true}};
  workspace.training.model = model;
  workspace.training.batch = batch;
  workspace.training.fixed = fixed;
  return workspace;
}

}  // namespace

class TestWhyPerspective : public QObject, private test::ViewDesk<WhyPerspective> {
  Q_OBJECT
 public:
  TestWhyPerspective() : ViewDesk({1280, 800}) {}

 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }

  void anEmptyDocumentLeadsToTheModel() {
    QSignalSpy wanted(m_view.get(), &Perspective::perspectiveWanted);
    m_view->findChild<QPushButton*>()->click();
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted[0][0].toString(), QString(kModelPage));
  }

  void theStepIsTheSameInAllParts() {
    show(documentOf("dgx-h100:2", "llama3-8b", 64, "tp=2,pp=2,vpp=1"));
    const auto& bars = find<WaterfallView>("whyWaterfall")->bars();
    const double step = bars.back().to;
    const auto [from, to] = find<TimelineView>("whyTimeline")->shown();
    QVERIFY(std::abs(to - step) < 1e-6 * step);
    QCOMPARE(from, 0.0);
    const PlannedConfiguration* planned = m_session->planner().shown();
    QVERIFY(planned);
    QVERIFY(std::abs(planned->estimate.seconds - step) < 1e-9 * step);
    QVERIFY(find<QLabel>("whyFinding")->text().contains(QString::fromStdString(formatSeconds(step))));
  }

  // What can shorten a part of the step; the best configuration has been compared with the rest already.
  void theFindingSaysWhatToDo() {
    show(documentOf("dgx-h100:2", "llama3-8b", 64, "tp=4,pp=2,vpp=1"));
    const auto* finding = find<QLabel>("whyFinding");
    QCOMPARE(m_session->planner().shownRow(), 0);
    QVERIFY2(finding->text().contains("What if tries another batch"), qPrintable(finding->text()));
    const auto& all = m_session->planner().answer()->answer.configurations;
    QVERIFY(all.size() > 1);
    m_session->chooseConfiguration(&all[1]);
    QTRY_VERIFY2_WITH_TIMEOUT(finding->text().contains("To shorten it: "), qPrintable(finding->text()), 60000);
    QVERIFY(!finding->text().contains("What if tries"));
  }

  // Why this plan and not another: every change of one choice with its price and its reason, each leading to both plans
  // side by side.
  void otherPlansAreNamedWithTheirReasons() {
    show(documentOf("dgx-h100:2", "llama3-8b", 64, "tp=4,pp=2,vpp=1"));
    auto* table = find<QTableView>("whyAlternatives");
    auto* model = qobject_cast<AlternativesModel*>(table->model());
    QTRY_VERIFY_WITH_TIMEOUT(model->rowCount() > 4 && !model->isStale(), 60000);
    QAbstractItemModelTester tester(model);
    QTest::mouseClick(find<QTabBar>("whyTabs"), Qt::LeftButton, {}, find<QTabBar>("whyTabs")->tabRect(0).center());
    QVERIFY(table->isVisible());
    const double step = m_session->planner().shown()->estimate.seconds;
    for (int row = 0; row < model->rowCount(); ++row) {
      const PlanAlternative& each = model->at(row);
      const QString difference = test::cellText(*table, row, AlternativesModel::Difference);
      const QString reason = test::cellText(*table, row, AlternativesModel::Reason);
      const QString change = test::cellText(*table, row, AlternativesModel::Change);
      if (each.key != "layers") QVERIFY2(change.startsWith(qs(each.choice)), qPrintable(change));
      if (each.verdict == PlanAlternative::Verdict::Runs) QCOMPARE(change.endsWith(", all else kept"), each.keepsRest);
      if (each.verdict == PlanAlternative::Verdict::Refused) {
        QVERIFY2(reason.contains(" refuses it: "), qPrintable(reason));
        continue;
      }
      const double more = each.planned.estimate.seconds - step;
      const QString sign = std::abs(more) < 5e-3 * step ? difference.left(1) : more > 0 ? "+" : "−";
      QVERIFY2(difference.startsWith(sign), qPrintable(difference));
      if (std::abs(more) > 0.1 * step) QVERIFY2(!reason.isEmpty(), qPrintable(difference));
      QCOMPARE(reason.startsWith("does not fit: "), each.verdict == PlanAlternative::Verdict::TooLarge);
    }
    // A click on a change shows both side by side, and so does Enter.
    const QModelIndex first = model->index(0, AlternativesModel::Change);
    table->scrollTo(first);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(first).center());
    auto* dialog = find<QDialog>("planComparisonDialog");
    QTRY_VERIFY(dialog->isVisible());
    const QString finding = find<QLabel>("planComparisonFinding")->text();
    QVERIFY2(finding.contains("this plan") && finding.contains(qs(model->at(0).choice).mid(1)), qPrintable(finding));
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(m_view->findChild<QDialog*>("planComparisonDialog") == nullptr);
    table->setFocus();
    table->selectRow(1);
    QTest::keyClick(table, Qt::Key_Return);
    QTRY_VERIFY(m_view->findChild<QDialog*>("planComparisonDialog") != nullptr);
    QTest::keyClick(find<QDialog>("planComparisonDialog"), Qt::Key_Escape);
    QTRY_VERIFY(m_view->findChild<QDialog*>("planComparisonDialog") == nullptr);
  }

  // What kernels lose against the peak has causes with their seconds, not only a name.
  void theLossOfKernelsHasCauses() {
    show(documentOf("dgx-h100:2", "llama3-8b", 64, "tp=4,pp=2,vpp=1"));
    auto* waterfall = find<WaterfallView>("whyWaterfall");
    const QString text = waterfall->textOf(1);
    for (const char* part : {" s in large products", "wait for memory", "attention"}) {
      QVERIFY2(text.contains(part) || text.contains(QString(part).replace(" s in", " ms in")), qPrintable(text));
    }
  }

  // Gradients that the backward pass hides have no time of their own, but they are named.
  void hiddenCommunicationIsNamed() {
    show(documentOf("dgx-h100:2", "llama3-8b", 64, "tp=4,pp=1"));
    const auto* about = find<QLabel>("whyAbout");
    QVERIFY2(about->text().contains("Hidden behind computation, and not in the step: tp "), qPrintable(about->text()));
    QVERIFY2(about->text().contains("dp "), qPrintable(about->text()));
    auto* waterfall = find<WaterfallView>("whyWaterfall");
    int data = -1;
    for (int i = 0; i < waterfall->itemCount(); ++i) {
      if (waterfall->bars()[std::size_t(i)].axis == ExposedAxis::Data) data = i;
    }
    QVERIFY(data >= 0);
    const QString hidden = QString::fromStdString(formatSeconds(waterfall->bars()[std::size_t(data)].hidden));
    const QPoint centre = waterfall->itemAt(data).rect.center();
    QHelpEvent hover(QEvent::ToolTip, centre, waterfall->mapToGlobal(centre));
    QApplication::sendEvent(waterfall, &hover);
    QTRY_VERIFY2(QToolTip::text().contains(hidden + " is hidden behind computation"), qPrintable(QToolTip::text()));
    QToolTip::hideText();
  }

  // Axis, collective, program: each one click deeper.
  void aBarLeadsToItsCollectivesAndThoseToPrograms() {
    show(documentOf("dgx-h100:2", "llama3-8b", 64, "tp=4,pp=1"));
    auto* waterfall = find<WaterfallView>("whyWaterfall");
    auto* table = find<QTableView>("whyCollectives");
    const int all = table->model()->rowCount();
    int tensor = -1;
    for (int i = 0; i < waterfall->itemCount(); ++i) {
      if (waterfall->bars()[std::size_t(i)].axis == ExposedAxis::Tensor) tensor = i;
    }
    QVERIFY(tensor >= 0);
    QTest::mouseClick(waterfall, Qt::LeftButton, {}, waterfall->itemAt(tensor).rect.center());
    QVERIFY(table->model()->rowCount() > 0);
    QVERIFY(table->model()->rowCount() < all);
    for (int row = 0; row < table->model()->rowCount(); ++row) {
      QCOMPARE(test::cellText(*table, row, CollectivesModel::Axis), QString("tensor parallel"));
    }
    QSignalSpy wanted(m_view.get(), &Perspective::perspectiveWanted);
    table->setFocus();
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted[0][0].toString(), QString(kProgramsPage));
    const auto document = m_session->workspace();
    QVERIFY(checkWorkspace(*document).ok());
    QVERIFY(checkWorkloadAxes(*document->workload, document->axes).ok());
    QVERIFY(!document->matrix.empty());
    QCOMPARE(document->training.model, std::string("llama3-8b"));
    m_session->undoStack().undo();
    QVERIFY(m_session->workspace()->matrix.empty());
    // With the mouse it is one click on the name.
    const QModelIndex name = table->model()->index(0, CollectivesModel::Collective);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(name).center());
    QCOMPARE(wanted.count(), 2);
    QVERIFY(m_session->workspace()->planned && !m_session->workspace()->matrix.empty());
  }

  void theMachineShowsPartners() {
    show(documentOf("dgx-h100:2", "llama3-8b", 64, "tp=4,pp=2,vpp=1"));
    auto* machine = find<MachineView>("whyMachine");
    QCOMPARE(machine->itemCount(), 16);
    int tensor = 0;
    for (int cell = 0; cell < 16; ++cell) tensor += machine->textOf(std::size_t(cell)).contains("tensor");
    QCOMPARE(tensor, 3);
    machine->setDevice(Device(9));
    QCOMPARE(machine->focusedItem(), 9);
  }

  void memoryIsThatOfThePlan() {
    show(documentOf("dgx-h100:2", "llama3-8b", 64, "tp=2,pp=2,vpp=1"));
    const auto peak = m_session->planner().shown()->memory.total();
    const QString words = find<MemoryView>("whyMemory")->accessibleDescription();
    QVERIFY2(words.contains(QString::fromStdString(formatBytes(Bytes(peak)))), qPrintable(words));
  }

  void aModelThatDoesNotFitIsSaid() {
    m_session->reset(documentOf("dgx-h100:1", "llama3-405b", 64, ""));
    QTRY_VERIFY_WITH_TIMEOUT(m_session->planner().problem().has_value(), 60000);
    const auto labels = m_view->findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](QLabel* label) { return label->text().contains("fits"); }));
  }

 private:
  void show(Workspace workspace) {
    m_session->reset(std::move(workspace));
    QTRY_VERIFY_WITH_TIMEOUT(m_session->planner().isCurrent() && m_session->planner().answer()->isComplete &&
                                 find<WaterfallView>("whyWaterfall")->itemCount() > 0 &&
                                 find<QLabel>("whyFinding")->isEnabled(),
                             120000);
  }
};

QTEST_MAIN(TestWhyPerspective)
#include "tst_why_perspective.moc"
