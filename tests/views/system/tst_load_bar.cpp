// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/system/load_legend.h"
#include "views/system/system_canvas.h"
#include "views/system/system_perspective.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;
using p2::test::childOf;

/// The load of links in the system's drawing, driven by mouse and keys.
class TestLoadBar : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void showsTheLoadOfTheProgram();
  void showsTheLoadOfAStep();
  void followsTheStep();
  void showsTheMiddleOfABus();
  void greysWhatIsOutOfDate();
  void saysWhyThereIsNothing_data();
  void saysWhyThereIsNothing();
  void axesThatDoNotFitHaveAButton();
  void namesTheBusiestOnHover();

 private:
  void open(const Workspace& workspace);
  void chooseProgramOf(std::size_t steps);
  void press() const { QTest::keyClick(m_perspective.get(), Qt::Key_L, Qt::ControlModifier); }
  [[nodiscard]] SystemCanvas& canvas() const { return childOf<SystemCanvas>(*m_perspective, "systemCanvas"); }
  [[nodiscard]] const ShownLoads& loads() const { return canvas().drawn().loads(); }
  [[nodiscard]] QLabel& busiest() const { return childOf<QLabel>(*m_perspective, "busiestLink"); }
  [[nodiscard]] LoadLegend& legend() const { return childOf<LoadLegend>(*m_perspective, "loadLegend"); }
  [[nodiscard]] QComboBox& choice() const { return childOf<QComboBox>(*m_perspective, "loadChoice"); }

  std::unique_ptr<Session> m_session;
  std::unique_ptr<SystemPerspective> m_perspective;
};

void TestLoadBar::initTestCase() { Theme::apply(Theme::Scheme::Light); }

void TestLoadBar::init() {
  test::failOnWarnings();
  m_session = std::make_unique<Session>();
  m_perspective = test::shown<SystemPerspective>(*m_session, {1200, 800});
  QVERIFY(m_perspective != nullptr);
  open(test::workspaceOf("node:2 gpu:4", "data=8", "data"));
}

void TestLoadBar::cleanup() {
  m_perspective.reset();
  m_session.reset();
}

void TestLoadBar::open(const Workspace& workspace) {
  m_session->reset(workspace);
  QTRY_VERIFY(m_session->isCurrent());
}

void TestLoadBar::chooseProgramOf(std::size_t steps) {
  const auto& programs = m_session->placement()->programs;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (programs[i].program.size() != steps) continue;
    m_session->select(0, int(i));
    return;
  }
  QFAIL("there is no such program");
}

// A ring over all eight devices: 2·7/8 of 2 GiB over every link that it takes, each NIC's in one direction once.
void TestLoadBar::showsTheLoadOfTheProgram() {
  chooseProgramOf(1);
  QVERIFY(!legend().isVisible());
  press();
  QCOMPARE(choice().currentText(), QString("the program"));
  QTRY_VERIFY(legend().isVisible());
  QCOMPARE(busiest().text(), QString("Busiest: node 0 ↑: 3.76 GB, 470 ms"));
  QCOMPARE(legend().text(), QString("470 ms in one run"));
  QCOMPARE(loads().at("gpu 1 of node 0 ↑").text, QString("3.76 GB, 13.9 ms"));
  QVERIFY(std::abs(loads().at("gpu 1 of node 0 ↑").fraction - 8.0 / 270) < 1e-9);
  press();
  press();
  QCOMPARE(choice().currentText(), QString("nothing"));
  QVERIFY(!legend().isVisible());
  QVERIFY(!busiest().isVisible());
  QVERIFY(loads().empty());
}

// Fastest: ReduceScatter inside the nodes, AllReduce between them, AllGather inside them.
void TestLoadBar::showsTheLoadOfAStep() {
  m_session->select(0, 0);
  choice().setFocus();
  // Behind the steps stands the single collective, which crosses the network.
  QTest::keyClick(&choice(), Qt::Key_End);
  QCOMPARE(choice().currentText(), QString("one AllReduce"));
  QTRY_VERIFY(loads().contains("node 0 ↑"));
  QTest::keyClick(&choice(), Qt::Key_Up);
  QVERIFY2(choice().currentText().startsWith("step 3: AllGather"), qPrintable(choice().currentText()));
  QCOMPARE(m_session->step(), StepId(2));
  QTRY_VERIFY(loads().contains("gpu 1 of node 0 ↑"));
  QTRY_VERIFY(!loads().contains("node 0 ↑"));
  QTest::keyClick(&choice(), Qt::Key_Up);
  QCOMPARE(m_session->step(), StepId(1));
  QTRY_VERIFY(loads().contains("node 0 ↑"));
}

void TestLoadBar::followsTheStep() {
  m_session->select(0, 0);
  press();
  press();
  QVERIFY(choice().currentText().startsWith("step 1: "));
  QTRY_VERIFY(legend().isVisible());
  m_session->setStep(StepId(1));
  QVERIFY(choice().currentText().startsWith("step 2: AllReduce"));
  QTRY_VERIFY(loads().contains("node 0 ↑"));
  chooseProgramOf(1);
  QVERIFY(choice().currentText().startsWith("step 1: AllReduce"));
  QCOMPARE(choice().count(), 4);
}

void TestLoadBar::showsTheMiddleOfABus() {
  open(test::workspaceOf("node:2 gpu:4@32GB/s,bus", "data=8", "data"));
  press();
  QTRY_VERIFY(legend().isVisible());
  int loadedBars = 0;
  for (const SystemDrawing::Shape& shape : canvas().drawn().drawing().shapes) {
    const bool bar = shape.kind == SystemDrawing::Shape::Kind::Bar;
    loadedBars += bar && loadOf(shape, loads()) != nullptr ? 1 : 0;
  }
  QCOMPARE(loadedBars, 2);
}

void TestLoadBar::greysWhatIsOutOfDate() {
  chooseProgramOf(1);
  press();
  QTRY_VERIFY(legend().isVisible());
  const QImage fresh = canvas().grab().toImage();
  Workspace next = *m_session->workspace();
  next.options.cost.bytes = next.options.cost.bytes / 2;
  m_session->edit("Bytes", next);
  QVERIFY(loads().at("node 0 ↑").stale);
  QCOMPARE(legend().text(), QString("470 ms in one run · out of date"));
  QVERIFY(canvas().grab().toImage() != fresh);
  QTRY_VERIFY(loads().contains("node 0 ↑") && !loads().at("node 0 ↑").stale);
  QCOMPARE(legend().text(), QString("235 ms in one run"));
}

void TestLoadBar::saysWhyThereIsNothing_data() {
  QTest::addColumn<QString>("system");
  QTest::addColumn<QString>("axes");
  QTest::addColumn<QString>("problem");
  QTest::newRow("axes do not fit") << "node:2 gpu:4"
                                   << "data=6"
                                   << "Axes: 6 ≠ 8; data = 8 would fit";
  QTest::newRow("too many devices") << "node:4096 gpu:8"
                                    << "data=32768"
                                    << "at most 8192 devices";
}

void TestLoadBar::saysWhyThereIsNothing() {
  QFETCH(QString, system);
  QFETCH(QString, axes);
  QFETCH(QString, problem);
  press();
  m_session->reset(test::workspaceOf(system.toStdString(), axes.toStdString(), "data"));
  auto& stated = childOf<QLabel>(*m_perspective, "loadProblem");
  QTRY_VERIFY2(stated.isVisible() && stated.text().contains(problem), qPrintable(stated.text()));
  QVERIFY(loads().empty());
}

void TestLoadBar::axesThatDoNotFitHaveAButton() {
  m_session->reset(test::workspaceOf("node:2 gpu:4", "data=6", "data"));
  auto& stated = childOf<QLabel>(*m_perspective, "loadProblem");
  auto& fit = childOf<QPushButton>(*m_perspective, "loadFit");
  QTRY_COMPARE(stated.text(), QString("✗ Axes: 6 ≠ 8; data = 8 would fit"));
  QVERIFY(stated.isVisible() && fit.isVisible());
  QCOMPARE(fit.text(), QString("Set data to 8"));
  QTest::mouseClick(&fit, Qt::LeftButton);
  QTRY_VERIFY(m_session->isCurrent());
  QVERIFY(!stated.isVisible() && !fit.isVisible());
  m_session->undoStack().undo();
  QTRY_VERIFY(stated.isVisible() && fit.isVisible());
}

void TestLoadBar::namesTheBusiestOnHover() {
  chooseProgramOf(1);
  press();
  QTRY_VERIFY(legend().isVisible());
  const auto& shapes = canvas().drawn().drawing().shapes;
  const auto nic = std::find_if(shapes.begin(), shapes.end(), [](const SystemDrawing::Shape& shape) {
    return !shape.part.names.empty() && shape.part.names.front() == "node 0 ↑";
  });
  QVERIFY(nic != shapes.end());
  const QPointF middle = (nic->line[0] + nic->line[1]) / 2;
  QVERIFY(canvas().drawn().shapeAt(middle)->toolTip().endsWith("3.76 GB, 470 ms"));
}

QTEST_MAIN(TestLoadBar)
#include "tst_load_bar.moc"
