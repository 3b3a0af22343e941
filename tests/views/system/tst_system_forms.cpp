// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemView>
#include <QAction>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/shell/taken_workload.h"
#include "views/system/levels_model.h"
#include "views/system/system_canvas.h"
#include "views/system/system_perspective.h"
#include "views/widget_driver.h"
#include "workload/generate/generator.h"
#include "workload/generate/training_recipe.h"

using namespace p2;
using namespace p2::views;
using p2::test::cellText;
using p2::test::childOf;

/// The room that drawing and forms of a system have, driven by mouse and keys.
class TestSystemForms : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }
  void init() {
    test::failOnWarnings();
    m_session = std::make_unique<Session>();
    m_session->reset(test::workspaceOf("node:2 gpu:4", "data=8", "data"));
    m_perspective = test::shown<SystemPerspective>(*m_session, {1200, 800});
    QVERIFY(m_perspective != nullptr);
  }
  void cleanup() {
    m_perspective.reset();
    m_session.reset();
  }
  void theDrawingHasTheRoom();
  void theFormShowsWhatIsSelected();
  void figuresOfASiteAreTypedOneAfterTheOther();
  void aKnownDeviceBringsItsFigures();
  void devicesAreSuggested();
  void aWorkloadThatFollowsIsSaid();
  void escLeavesTheSelectionFirst();
  void joinsOfNothingHaveNoFigures();

 private:
  void typeDevice(const QString& text) const {
    auto& field = childOf<QLineEdit>(*m_perspective, "partType");
    if (!field.isVisible()) QTest::mouseClick(&childOf<QToolButton>(*m_perspective, "formFold"), Qt::LeftButton);
    QTRY_VERIFY(field.isVisible());
    field.setFocus();
    field.selectAll();
    QTest::keyClicks(&field, text);
  }
  [[nodiscard]] const Accelerator& accelerator() const { return m_session->workspace()->system.accelerator; }
  [[nodiscard]] QTableView& table() const { return childOf<QTableView>(*m_perspective, "levelsTable"); }

  std::unique_ptr<Session> m_session;
  std::unique_ptr<SystemPerspective> m_perspective;
};

void TestSystemForms::theDrawingHasTheRoom() {
  auto& canvas = childOf<SystemCanvas>(*m_perspective, "systemCanvas");
  for (const QSize size : {QSize(928, 600), QSize(1344, 800)}) {
    m_perspective->resize(size);
    QTRY_VERIFY2(canvas.width() > 0.6 * size.width(), qPrintable(QString::number(canvas.width())));
  }
}

void TestSystemForms::theFormShowsWhatIsSelected() {
  auto& canvas = childOf<SystemCanvas>(*m_perspective, "systemCanvas");
  auto& name = childOf<QLineEdit>(*m_perspective, "partName");
  QVERIFY(!name.isVisible());
  const QRect before = canvas.geometry();
  const ShapeItem* device = canvas.drawn().itemOf({SystemPart::Kind::Level, 1, 5});
  QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, canvas.mapFromScene(device->drawn().rect.center()));
  auto& shown = childOf<QLineEdit>(*m_perspective, "partName");
  QTRY_VERIFY(shown.isVisible());
  QCOMPARE(shown.text(), QString("gpu"));
  // Nothing moves under the mouse.
  QCOMPARE(canvas.geometry(), before);
}

void TestSystemForms::figuresOfASiteAreTypedOneAfterTheOther() {
  QTest::mouseClick(&childOf<QToolButton>(*m_perspective, "formFold"), Qt::LeftButton);
  const auto type = [&](const char* name, const QString& text) {
    auto& field = childOf<QLineEdit>(*m_perspective, name);
    QVERIFY2(field.isVisible(), name);
    field.setFocus();
    field.selectAll();
    QTest::keyClicks(&field, text);
    QTest::keyClick(&field, Qt::Key_Return);
    QCoreApplication::processEvents();
  };
  // What is not given stands as a word, not as a number.
  const auto& share = childOf<QLineEdit>(*m_perspective, "partNicShare");
  QCOMPARE(share.text(), QString());
  QCOMPARE(share.placeholderText(), QString("default"));
  type("partNicShare", "0.8");
  type("partCongestion", "0.2");
  type("partHop", "4us");
  const Library& library = m_session->workspace()->system.library;
  QCOMPARE(library.nicShare, 0.8);
  QCOMPARE(library.congestion, 0.2);
  QCOMPARE(library.hop, 4e-6);
  type("partNicShare", "0.8");
  auto& cleared = childOf<QLineEdit>(*m_perspective, "partNicShare");
  cleared.setFocus();
  cleared.clear();
  QTest::keyClick(&cleared, Qt::Key_Return);
  QCoreApplication::processEvents();
  QCOMPARE(m_session->workspace()->system.library.nicShare, 0.0);
  QVERIFY(childOf<QLineEdit>(*m_perspective, "partHop").isVisible());
}

void TestSystemForms::aKnownDeviceBringsItsFigures() {
  m_session->reset(test::workspaceOf("dgx-h100:2", "data=16", "data"));
  const System before = m_session->workspace()->system;
  typeDevice("h200");
  auto& field = childOf<QLineEdit>(*m_perspective, "partType");
  QTest::keyClick(&field, Qt::Key_Return);
  QCOMPARE(accelerator().type, std::string("H200"));
  QCOMPARE(accelerator().memory, 141e9);
  QCOMPARE(accelerator().memoryBandwidth, 4.8e12);
  QCOMPARE(field.text(), QString("H200"));
  QCOMPARE(childOf<QLineEdit>(*m_perspective, "partMemory").text(), QString("141GB"));
  const auto& note = childOf<QLabel>(*m_perspective, "systemRefusal");
  QCOMPARE(note.text(),
           QString("H200 from its data sheet: memory 141GB, memory bandwidth 4.8TB/s. Links stay as drawn."));
  m_session->undoStack().undo();
  QCOMPARE(m_session->workspace()->system, before);
  QCOMPARE(m_session->undoStack().index(), 0);
  // What was set by hand stays, and is named.
  auto& memory = childOf<QLineEdit>(*m_perspective, "partMemory");
  memory.setFocus();
  memory.selectAll();
  QTest::keyClicks(&memory, "70GB");
  QTest::keyClick(&memory, Qt::Key_Return);
  typeDevice("B200");
  QTest::keyClick(&field, Qt::Key_Return);
  QCOMPARE(accelerator().memory, 70e9);
  QCOMPARE(accelerator().bf16, 2250e12);
  QVERIFY2(note.text().contains("Kept as you set it: memory 70GB. Links inside nodes: 900 GB/s."),
           qPrintable(note.text()));
}

void TestSystemForms::devicesAreSuggested() {
  typeDevice("xm-141");
  auto& field = childOf<QLineEdit>(*m_perspective, "partType");
  auto* popup = field.completer()->popup();
  QTRY_VERIFY(popup->isVisible());
  QCOMPARE(popup->model()->rowCount(), 1);
  QTest::keyClick(popup, Qt::Key_Down);
  QTest::keyClick(popup, Qt::Key_Return);
  QTRY_COMPARE(accelerator().type, std::string("H200-SXM-141GB"));
  QCOMPARE(accelerator().memory, 141e9);
  QVERIFY(!popup->isVisible());
}

void TestSystemForms::aWorkloadThatFollowsIsSaid() {
  TrainingPlan plan;
  plan.devices = 64;
  plan.tensor = 8;
  plan.globalBatch = 64;
  const auto generated = test::valueOf(generateWorkload(test::valueOf(bundledRecipe("llama3-8b")).model, plan));
  m_session->reset(withWorkload(test::workspaceOf("dgx-h100:8", "data=64", "data"), generated.workload));
  auto& nodes = childOf<QSpinBox>(*m_perspective, "systemNodes");
  nodes.setFocus();
  nodes.selectAll();
  QTest::keyClicks(&nodes, "16");
  QTest::keyClick(&nodes, Qt::Key_Return);
  const auto& note = childOf<QLabel>(*m_perspective, "systemRefusal");
  QVERIFY(note.isVisible());
  QCOMPARE(note.text(), QString("The workload follows the cluster: data parallelism 16 instead of 8, 4 microbatches "
                                "instead of 8 for each replica, the batch stays 64."));
  QCOMPARE(m_session->workspace()->workload->training->plan.data, std::int64_t(16));
  m_session->undoStack().undo();
  QVERIFY(!note.isVisible());
  QCOMPARE(m_session->workspace()->workload, std::optional(generated.workload));
}

void TestSystemForms::escLeavesTheSelectionFirst() {
  auto& canvas = childOf<SystemCanvas>(*m_perspective, "systemCanvas");
  QAction back;
  back.setShortcut(Qt::Key_Escape);
  m_perspective->addAction(&back);
  QSignalSpy left(&back, &QAction::triggered);
  canvas.setFocus();
  canvas.drawn().select({{SystemPart::Kind::Level, 1}});
  QTest::keyClick(&canvas, Qt::Key_Insert);
  auto& menu = childOf<QMenu>(*m_perspective, "insertMenu");
  QTRY_VERIFY(menu.isVisible());
  QTest::keyClick(&menu, Qt::Key_Escape);
  QVERIFY(!menu.isVisible());
  QCOMPARE(canvas.drawn().selectedParts().size(), std::size_t(1));
  QTest::keyClick(&canvas, Qt::Key_Escape);
  QVERIFY(canvas.drawn().selectedParts().empty());
  QCOMPARE(left.count(), 0);
  QTest::keyClick(&canvas, Qt::Key_Escape);
  QCOMPARE(left.count(), 1);
  m_perspective->removeAction(&back);
}

void TestSystemForms::joinsOfNothingHaveNoFigures() {
  m_session->reset(test::workspaceOf("dgx-h100:4", "data=32", "data"));
  QCOMPARE(cellText(table(), 0, LevelsModel::Bandwidth), QString("–"));
  QCOMPARE(cellText(table(), 0, LevelsModel::Latency), QString("–"));
  QCOMPARE(cellText(table(), 1, LevelsModel::Bandwidth), QString("450 GB/s"));
}

QTEST_MAIN(TestSystemForms)
#include "tst_system_forms.moc"
