// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "app/explorer/driven_window.h"
#include "views/placement/axes_model.h"
#include "views/shell/step_planner.h"
#include "views/system/inside_layout.h"
#include "views/system/system_canvas.h"

using namespace p2;
using namespace p2::views;

/// What two users came for, done with mouse and keys alone in the whole window: how many actions it takes (UiDriver
/// says what is one) is printed, and may not become more.
class TestFirstHand : public QObject, test::DrivenWindow {
  Q_OBJECT

 private slots:
  void init() { openWindow(); }
  void cleanup() { closeWindow(); }

  void anEngineerDrawsEightNodesOnRails();
  void anEngineerBuildsTheCluster();
  void anEngineerTakesAMeshAlong();
  void aResearcherWalksThroughThePaper();
  void anEngineerPlansATrainingFromNothing();
  void theWholeWayByKeyboard();
  void aStrategyIsHandedToPlan();

 private:
  /// The keyboard goes where a chord leads.
  void lead(int key, Qt::KeyboardModifiers modifiers, const char* widget) {
    m_driver->key(key, modifiers);
    QTRY_VERIFY2(QApplication::focusWidget() == m_desk->find<QWidget>(widget), widget);
  }
  void write(const char* text) {
    QTest::keyClicks(QApplication::focusWidget(), QString::fromLatin1(text));
    m_driver->count(1);
  }
  void settle() const { QTRY_VERIFY_WITH_TIMEOUT(m_desk->session.isCurrent(), 20000); }
  void choosePreset(const char* name, const char* nodes) {
    m_driver->key(Qt::Key_1, Qt::ControlModifier);
    m_driver->choose(find<QComboBox>("systemPreset"), name);
    m_driver->type(find<QSpinBox>("systemNodes"), nodes);
  }
  void typeAxis(int row, const char* name, const char* size) {
    auto& axes = find<QTableView>("axesTable");
    if (*name != '\0') m_driver->typeIntoCell(axes, row, AxesModel::Name, name);
    m_driver->typeIntoCell(axes, row, AxesModel::Size, size);
  }
  void tick(int row) { m_driver->clickCell(find<QTableView>("axesTable"), row, AxesModel::Reduce, 12); }
  /// A button of the palette onto a part of the drawing.
  void drop(const char* button, const SystemPart& part) {
    auto& canvas = find<SystemCanvas>("systemCanvas");
    // What has just changed may still have to be laid out, and what that makes room for after it.
    for (int round = 0; round < 3; ++round) QCoreApplication::processEvents();
    const ShapeItem* item = canvas.drawn().itemOf(part);
    if (item == nullptr) qFatal("the part is not drawn");
    const QRectF rect = item->drawn().rect;
    // Boxes are full of other things; where their names stand they are not.
    const bool box = item->drawn().kind == SystemDrawing::Shape::Kind::Box;
    const QPointF at = box ? rect.topLeft() + QPointF(30, kSystemTitleHeight / 2) : rect.center();
    m_driver->drag(find<QToolButton>(button), *canvas.viewport(), canvas.mapFromScene(at));
  }
  [[nodiscard]] const System& system() const { return m_desk->session.workspace()->system; }
};

// Two racks of four nodes of eight H100, a NIC for each of them, the eight rails that join the NICs of one number, and
// the spine that joins the rails.
void TestFirstHand::anEngineerDrawsEightNodesOnRails() {
  m_driver->key(Qt::Key_1, Qt::ControlModifier);
  m_driver->choose(find<QMenu>("pageMenu"), find<QAction>("systemNew"));
  QVERIFY(system().levels.empty());
  m_driver->type(find<QLineEdit>("systemText"), "rack:2@none node:4@none gpu:8@450GB/s,1us");
  QCOMPARE(system().deviceCount(), std::int64_t(64));

  drop("paletteSwitch", {SystemPart::Kind::Level, 1});
  QCOMPARE(system().networks.size(), std::size_t(1));
  m_driver->type(find<QLineEdit>("partName"), "NIC");
  m_driver->type(find<QLineEdit>("partInstances"), "8");
  m_driver->type(find<QLineEdit>("partBandwidth"), "50GB/s");
  m_driver->click(find<QWidget>("partGateway"));

  drop("paletteSwitch", {SystemPart::Kind::Network, 0});
  m_driver->type(find<QLineEdit>("partName"), "rail");
  m_driver->type(find<QLineEdit>("partInstances"), "8");
  m_driver->choose(find<QComboBox>("partDeal"), "in turn");
  m_driver->choose(find<QComboBox>("partWithin"), "the system");
  m_driver->type(find<QLineEdit>("partBandwidth"), "50");

  // The rails are selected still.
  m_driver->click(find<QToolButton>("paletteSwitch"));
  m_driver->type(find<QLineEdit>("partName"), "spine");
  m_driver->type(find<QLineEdit>("partBandwidth"), "400GB/s");

  QCOMPARE(system().networks.size(), std::size_t(3));
  const Network& nic = system().networks[0];
  const Network& rail = system().networks[1];
  QCOMPARE(nic.within, std::string("node"));
  QVERIFY(nic.gateway);
  QCOMPARE(nic.instances, std::int64_t(8));
  QCOMPARE(rail.instances, std::int64_t(8));
  QVERIFY(rail.assignment == Network::Assignment::InTurn);
  QCOMPARE(rail.within, std::string());
  QCOMPARE(rail.members.front().of, std::string("NIC"));
  for (const Network* network : {&nic, &rail}) QCOMPARE(network->interconnect.bandwidth, 50e9);
  const auto valid = validated(system());
  QVERIFY2(valid.ok(), qPrintable(valid.ok() ? QString() : QString::fromStdString(valid.error().text())));
  atMost(31);
}

// Racks of rails, sixteen nodes, a spine of 4:1: the cluster of the engineer's task.
void TestFirstHand::anEngineerBuildsTheCluster() {
  m_driver->key(Qt::Key_N, Qt::ControlModifier);
  QCOMPARE(m_desk->shownPage(), "system");
  m_driver->choose(find<QComboBox>("systemPreset"), "dgx-h100-racks");
  m_driver->type(find<QLineEdit>("systemOversubscription"), "4:1");
  QCOMPARE(system().deviceCount(), std::int64_t(128));
  QCOMPARE(system().networks.back().interconnect.bandwidth, 100e9);
  atMost(6);
  m_driver->type(find<QSpinBox>("systemNodes"), "32");
  QCOMPARE(system().deviceCount(), std::int64_t(256));
}

// The mesh that is best for data 32 × tensor 8 on 32 nodes of 8 H100, beside what JAX does unasked, as a Python file.
void TestFirstHand::anEngineerTakesAMeshAlong() {
  choosePreset("dgx-h100", "32");
  QCOMPARE(system().deviceCount(), std::int64_t(256));
  m_driver->key(Qt::Key_7, Qt::ControlModifier);
  auto& axes = find<QTableView>("axesTable");
  m_driver->clickCell(axes, 2, AxesModel::Name);
  m_driver->key(Qt::Key_Delete, Qt::ControlModifier);
  typeAxis(0, "", "32");
  typeAxis(1, "tensor", "8");
  settle();
  const auto best = m_desk->session.exploration()->bestPlacement;
  QCOMPARE(m_desk->session.placementIndex(), best);
  auto& compare = find<QAction>("compareDefault");
  m_driver->choose(*qobject_cast<QMenu*>(compare.parent()), compare);
  QVERIFY(!find<QLabel>("placementsSummary").text().isEmpty());
  m_desk->answers.exportTarget = DocumentDialogs::ExportTarget{inFolder("mesh.py"), "jax"};
  m_driver->key(Qt::Key_E, Qt::ControlModifier);
  m_driver->count(1);
  QTRY_VERIFY(QFile::exists(inFolder("mesh.py")));
  QFile mesh(inFolder("mesh.py"));
  QVERIFY(mesh.open(QIODevice::ReadOnly));
  QVERIFY(mesh.readAll().contains("Mesh("));
  atMost(18);
}

// From an empty document to the paper's 4 × 16 A100, every step of the best program, and what the default costs.
void TestFirstHand::aResearcherWalksThroughThePaper() {
  m_driver->key(Qt::Key_N, Qt::ControlModifier);
  choosePreset("gcp-a100", "4");
  m_driver->key(Qt::Key_7, Qt::ControlModifier);
  auto& axes = find<QTableView>("axesTable");
  typeAxis(0, "data", "8");
  for (const auto& [name, size] : {std::pair("model", "2"), std::pair("shards", "4")}) {
    m_driver->key(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    typeAxis(axes.model()->rowCount() - 1, name, size);
  }
  const std::vector<Axis>& made = m_desk->session.workspace()->axes;
  for (int row = 0; row < 3; ++row) {
    if (made[std::size_t(row)].reduce != (row != 1)) tick(row);
  }
  settle();
  QCOMPARE(m_desk->session.exploration()->placements.size(), std::size_t(5));
  m_driver->key(Qt::Key_F6);
  m_driver->key(Qt::Key_Down);
  QCOMPARE(m_desk->session.placement()->matrix.rows(), std::size_t(3));
  m_driver->key(Qt::Key_8, Qt::ControlModifier);
  settle();
  QTRY_COMPARE(find<QLabel>("stepLabel").text(), QString("before step 1 of 3"));
  find<QWidget>("stepper").setFocus();
  for (int step = 0; step < 3; ++step) m_driver->key(Qt::Key_Right);
  QTRY_VERIFY2(find<QLabel>("stepLabel").text().contains("3"), qPrintable(find<QLabel>("stepLabel").text()));
  m_driver->key(Qt::Key_9, Qt::ControlModifier);
  const QString finding = find<QLabel>("bestFinding").text();
  QVERIFY2(finding.contains("The default of JAX/PyTorch") && finding.contains("3.67× slower"), qPrintable(finding));
  atMost(29);
}

// "How should I train Llama 3 70B on 16 nodes of 8 H100?", from an empty document to the flags' row and a table for
// others.
void TestFirstHand::anEngineerPlansATrainingFromNothing() {
  m_driver->key(Qt::Key_N, Qt::ControlModifier);
  choosePreset("dgx-h100", "16");
  m_driver->key(Qt::Key_2, Qt::ControlModifier);
  m_driver->choose(find<QComboBox>("modelChoice"), "llama3-70b");
  m_driver->type(find<QLineEdit>("modelField_sequence"), "8192");
  m_driver->key(Qt::Key_3, Qt::ControlModifier);
  const StepPlanner& planner = m_desk->session.planner();
  QTRY_VERIFY_WITH_TIMEOUT(planner.isCurrent() && planner.answer()->isComplete, 20000);
  const QString finding = find<QLabel>("planFinding").text();
  QVERIFY2(finding.startsWith("Best: tp ") && finding.contains(" MFU, "), qPrintable(finding));
  atMost(12);

  // All degrees next to each other.
  const int before = m_driver->actions();
  m_driver->key(Qt::Key_2, Qt::AltModifier);
  QVERIFY2(find<QTableView>("heatTable").isVisible(), qPrintable(QApplication::focusWidget()->objectName()));
  QVERIFY(find<QTableView>("heatTable").model()->rowCount() > 3);
  QCOMPARE(m_driver->actions() - before, 1);

  // The table as a file: the dialog has a name for it.
  int exporting = m_driver->actions();
  m_driver->key(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
  m_driver->count(1);
  auto& dialog = find<QFileDialog>("planExportDialog");
  emit dialog.fileSelected(inFolder("plan.csv"));
  QVERIFY(QFile::exists(inFolder("plan.csv")));
  dialog.reject();
  QCOMPARE(m_driver->actions() - exporting, 2);

  // The flags of the best configuration, from the plan to the clipboard.
  exporting = m_driver->actions();
  m_driver->key(Qt::Key_6, Qt::ControlModifier);
  m_driver->key(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY2(QGuiApplication::clipboard()->text().contains("--tensor-model-parallel-size"),
           qPrintable(QGuiApplication::clipboard()->text()));
  QCOMPARE(m_driver->actions() - exporting, 2);
}

// Cluster, plan, degrees, why, what if and flags without a mouse.
void TestFirstHand::theWholeWayByKeyboard() {
  m_driver->key(Qt::Key_N, Qt::ControlModifier);
  lead(Qt::Key_P, Qt::AltModifier, "systemPreset");
  write("dgx-h100-racks");
  QCOMPARE(system().deviceCount(), std::int64_t(128));
  lead(Qt::Key_C, Qt::AltModifier, "systemOversubscription");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_A, Qt::ControlModifier);
  write("4:1");
  m_driver->key(Qt::Key_Return);
  QCOMPARE(system().networks.back().interconnect.bandwidth, 100e9);
  m_driver->key(Qt::Key_N, Qt::AltModifier);
  QTRY_COMPARE(m_desk->shownPage(), "model");
  lead(Qt::Key_M, Qt::AltModifier, "modelChoice");
  write("llama3-70b");
  QCOMPARE(m_desk->session.workspace()->training.model, std::string("llama3-70b"));
  m_driver->key(Qt::Key_3, Qt::ControlModifier);
  const StepPlanner& planner = m_desk->session.planner();
  QTRY_VERIFY_WITH_TIMEOUT(planner.isCurrent() && planner.answer()->isComplete, 20000);
  // Another configuration, then all degrees next to each other.
  m_driver->key(Qt::Key_F6);
  m_driver->key(Qt::Key_Down);
  QTRY_COMPARE(planner.shownRow(), 1);
  m_driver->key(Qt::Key_2, Qt::AltModifier);
  QVERIFY2(find<QTableView>("heatTable").isVisible(), qPrintable(QApplication::focusWidget()->objectName()));
  m_driver->key(Qt::Key_4, Qt::ControlModifier);
  QTRY_VERIFY_WITH_TIMEOUT(!find<QLabel>("whyFinding").text().isEmpty(), 20000);
  m_driver->key(Qt::Key_5, Qt::ControlModifier);
  lead(Qt::Key_N, Qt::AltModifier, "whatIf-nodes");
  m_driver->key(Qt::Key_Right);
  QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>("whatIfFinding").text().startsWith("24 nodes"), 20000);
  m_driver->key(Qt::Key_6, Qt::ControlModifier);
  m_driver->key(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY2(QGuiApplication::clipboard()->text().contains("--tensor-model-parallel-size"),
           qPrintable(QGuiApplication::clipboard()->text()));
  atMost(23);
}

// From the plan's model as a graph, and back to Plan as "mine".
void TestFirstHand::aStrategyIsHandedToPlan() {
  m_driver->key(Qt::Key_N, Qt::ControlModifier);
  choosePreset("dgx-h100", "2");
  m_driver->key(Qt::Key_2, Qt::ControlModifier);
  m_driver->choose(find<QComboBox>("modelChoice"), "llama3-8b");
  m_driver->type(find<QLineEdit>("modelField_batch"), "32");
  m_driver->key(Qt::Key_3, Qt::ControlModifier);
  const StepPlanner& planner = m_desk->session.planner();
  QTRY_VERIFY_WITH_TIMEOUT(planner.isCurrent() && planner.answer()->isComplete, 20000);
  m_driver->key(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
  m_driver->click(find<QWidget>("strategyTakePlan"));
  auto& plan = find<QToolButton>("strategyPlan");
  QTRY_VERIFY_WITH_TIMEOUT(plan.isEnabled() && m_desk->session.jobs().running().empty(), 120000);
  const int before = m_driver->actions();
  m_driver->click(plan);
  QTRY_COMPARE_WITH_TIMEOUT(m_desk->shownPage(), QString("plan"), 60000);
  QCOMPARE(m_driver->actions() - before, 1);
  const TrainingChoice& training = m_desk->session.workspace()->training;
  QCOMPARE(training.model, std::string("llama3-8b"));
  QVERIFY(!training.mine.empty());
  QTRY_VERIFY2_WITH_TIMEOUT(find<QLabel>("mineResult").text().startsWith("Mine: "),
                            qPrintable(find<QLabel>("mineResult").text()), 60000);
  m_desk->session.undoStack().undo();
  QVERIFY(m_desk->session.workspace()->training.mine.empty());
}

QTEST_MAIN(TestFirstHand)
#include "tst_first_hand.moc"
