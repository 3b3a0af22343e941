// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <cmath>

#include "views/program/program_desk.h"

using namespace p2;
using namespace p2::views;

class TestProgramStepping : public QObject, test::ProgramDesk {
  Q_OBJECT
 private slots:
  static void initTestCase() { prepare(); }
  void init() { open(); }
  void cleanup() { close(); }
  void keysStepThroughTheProgram();
  void arrowsStepWhateverIsChosen();
  void spacePlaysAndPauses();
  void playEndsAtTheGoal();
  void sliderScrubs();
  void theStepIsShared();
  void clickShowsADevice();
  void clickShowsADeviceOfALargeGroup();
  void keysWalkOverDevices();
  void zoomsAndPans();
  void draggingChoosesNothing();
  void hoverIsShared();
};

void TestProgramStepping::keysStepThroughTheProgram() {
  openExample();
  QVERIFY(rule().contains("ReduceScatter inside each node"));
  QTest::keyClick(stepper(), Qt::Key_Right);
  QCOMPARE(step(), QString("after step 1 of 3"));
  QVERIFY(rule().contains("ReduceScatter inside each node"));
  QTest::keyClick(stepper(), Qt::Key_Right);
  QCOMPARE(step(), QString("after step 2 of 3"));
  QVERIFY(rule().contains("AllReduce across nodes"));
  QTest::keyClick(stepper(), Qt::Key_End);
  QCOMPARE(step(), QString("after step 3 of 3"));
  QVERIFY(rule().contains("every device holds the whole sum: the AllReduce is complete"));
  QTest::keyClick(stepper(), Qt::Key_Left);
  QCOMPARE(step(), QString("after step 2 of 3"));
  QTest::keyClick(stepper(), Qt::Key_Home);
  QCOMPARE(step(), QString("before step 1 of 3"));
}

// A click on a device used to turn the arrow keys into a walk.
void TestProgramStepping::arrowsStepWhateverIsChosen() {
  openExample();
  clickDevice(Device(5));
  QCOMPARE(stepper()->chosen(), Device(5));
  QTest::keyClick(stepper(), Qt::Key_Right);
  QCOMPARE(step(), QString("after step 1 of 3"));
  QCOMPARE(stepper()->chosen(), Device(5));
  QTest::keyClick(stepper(), Qt::Key_Left, Qt::ControlModifier);
  QCOMPARE(step(), QString("after step 1 of 3"));
  QVERIFY(stepper()->chosen() != Device(5));
}

void TestProgramStepping::spacePlaysAndPauses() {
  openExample();
  auto* play = find<QToolButton>("playButton");
  QTest::keyClick(stepper(), Qt::Key_Space);
  QCOMPARE(play->defaultAction()->text(), QString("Pause"));
  QTRY_COMPARE(step(), QString("after step 1 of 3"));
  QTest::keyClick(stepper(), Qt::Key_Space);
  QCOMPARE(play->defaultAction()->text(), QString("Play"));
  find<QCheckBox>("loop")->setFocus();
  QTest::keyClick(find<QCheckBox>("loop"), Qt::Key_Space);
  QVERIFY(find<QCheckBox>("loop")->isChecked());
  QCOMPARE(play->defaultAction()->text(), QString("Play"));
}

void TestProgramStepping::playEndsAtTheGoal() {
  openExample();
  find<QCheckBox>("animate")->setChecked(true);
  auto* speed = find<QComboBox>("speed");
  speed->setCurrentIndex(speed->count() - 1);
  QTest::mouseClick(find<QToolButton>("playButton"), Qt::LeftButton);
  QTRY_COMPARE(step(), QString("after step 3 of 3"));
  QTRY_COMPARE(find<QToolButton>("playButton")->defaultAction()->text(), QString("Play"));
}

void TestProgramStepping::sliderScrubs() {
  openExample();
  auto* slider = find<QSlider>("scrubber");
  const QPoint start(8, slider->height() / 2);
  QTest::mousePress(slider, Qt::LeftButton, {}, start);
  QTest::mouseMove(slider, QPoint(slider->width() * 3 / 5, start.y()));
  QVERIFY(slider->value() > 0 && slider->value() < slider->maximum());
  QCOMPARE(step(), QString("after step 2 of 3"));
  QTest::mouseMove(slider, QPoint(slider->width() - 4, start.y()));
  QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(slider->width() - 4, start.y()));
  QCOMPARE(step(), QString("after step 3 of 3"));
}

void TestProgramStepping::theStepIsShared() {
  openExample();
  QCOMPARE(m_session->step(), StepId(0));
  QTest::keyClick(stepper(), Qt::Key_Right);
  QTest::keyClick(stepper(), Qt::Key_Right);
  QTRY_COMPARE(m_session->step(), StepId(1));
  m_session->setStep(StepId(2));
  QCOMPARE(step(), QString("after step 3 of 3"));
  type("node:InsideGroup:ReduceScatter; root:InsideGroup:AllReduce");
  QTRY_VERIFY(step() != QString("after step 3 of 3"));
  QCOMPARE(m_session->step(), StepId(2));
}

void TestProgramStepping::clickShowsADevice() {
  openExample();
  clickDevice(Device(5));
  auto* panel = find<QWidget>("devicePanel");
  QVERIFY(panel->isVisible());
  QVERIFY(find<QLabel>("deviceTitle")->text().contains("device 5 · "));
  QCOMPARE(find<QLabel>("deviceText")->text(), QString("holds 8 of 8 chunks, each summed over 1 of 8 devices"));
  QTest::mouseClick(find<QToolButton>("forwardButton"), Qt::LeftButton);
  QCOMPARE(find<QLabel>("deviceText")->text(), QString("holds 2 of 8 chunks, each summed over 4 of 8 devices"));
  // It shows what the stage shows: the step before, and sums for bits.
  auto* matrix = find<QWidget>("deviceMatrix");
  const QImage bits = matrix->grab().toImage();
  QTest::keyClick(find<StageView>("stepper"), Qt::Key_B);
  QCOMPARE(find<QLabel>("deviceText")->text(), QString("holds 8 of 8 chunks, each summed over 1 of 8 devices"));
  QVERIFY(matrix->grab().toImage() != bits);
  QTest::keyClick(find<StageView>("stepper"), Qt::Key_B);
  QCOMPARE(find<QLabel>("deviceText")->text(), QString("holds 2 of 8 chunks, each summed over 4 of 8 devices"));
  QVERIFY(matrix->grab().toImage() == bits);
  QTest::keyClick(find<StageView>("stepper"), Qt::Key_N);
  QVERIFY(matrix->grab().toImage() != bits && matrix->toolTip().contains("starts with 1"));
  QTest::keyClick(find<StageView>("stepper"), Qt::Key_N);
  QVERIFY(matrix->grab().toImage() == bits);
  QTest::mouseClick(find<QToolButton>("closeDevice"), Qt::LeftButton);
  QVERIFY(!panel->isVisible());
}

void TestProgramStepping::clickShowsADeviceOfALargeGroup() {
  m_session->reset(test::workspaceOf("node:32 gpu:16", "data=512", "data", "[[32,16]]"));
  QTRY_VERIFY(m_session->isCurrent());
  find<QCheckBox>("animate")->setChecked(false);
  type("node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather");
  QTRY_VERIFY(m_session->jobs().running().empty());
  clickDevice(Device(17));
  auto* folded = find<QWidget>("foldedMatrix");
  QVERIFY(folded->isVisible());
  QVERIFY(!find<QWidget>("deviceMatrix")->isVisible());
  QCOMPARE(folded->accessibleDescription(), QString("chunks 0–511, each with the contributions of 17"));
  QTest::mouseClick(find<QToolButton>("forwardButton"), Qt::LeftButton);
  QCOMPARE(folded->accessibleDescription(), QString("chunks 32–63, each with the contributions of 16–31"));
  stepper()->setFocus();
  QTest::keyClick(stepper(), Qt::Key_Right, Qt::ControlModifier);
  const std::int64_t right = stepper()->chosen().value();
  QVERIFY(right != 17);
  const std::int64_t chunk = right % 16 * 32;
  const std::int64_t contributor = right / 16 * 16;
  QCOMPARE(folded->accessibleDescription(), QString("chunks %1–%2, each with the contributions of %3–%4")
                                                .arg(chunk)
                                                .arg(chunk + 31)
                                                .arg(contributor)
                                                .arg(contributor + 15));
}

void TestProgramStepping::keysWalkOverDevices() {
  openExample();
  QTest::keyClick(stepper(), Qt::Key_Return);
  QCOMPARE(stepper()->chosen(), Device(0));
  QTest::keyClick(stepper(), Qt::Key_Right, Qt::ControlModifier);
  const Device right = stepper()->chosen();
  QVERIFY(stepper()->rectOf(right).left() > stepper()->rectOf(Device(0)).right());
  QCOMPARE(stepper()->rectOf(right).top(), stepper()->rectOf(Device(0)).top());
  QCOMPARE(step(), QString("before step 1 of 3"));
  QVERIFY(stepper()->accessibleDescription().startsWith(QString("device %1 ").arg(right.value())));
  QTest::keyClick(stepper(), Qt::Key_Escape);
  QCOMPARE(stepper()->chosen(), Device());
  QVERIFY(!find<QWidget>("devicePanel")->isVisible());
  QTest::keyClick(stepper(), Qt::Key_Right);
  QCOMPARE(step(), QString("after step 1 of 3"));
}

void TestProgramStepping::zoomsAndPans() {
  openExample();
  const QRectF fitted = stepper()->rectOf(Device(3));
  const QPointF at = fitted.topLeft() + QPointF(10, 10);
  const QPointF under = stepper()->toDrawing(at);
  const double whole = stepper()->zoom();
  QWheelEvent wheel(at, stepper()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase,
                    false);
  QCoreApplication::sendEvent(stepper(), &wheel);
  QCOMPARE(stepper()->zoom(), whole * Navigation::kStep);
  QVERIFY((stepper()->toDrawing(at) - under).manhattanLength() < 1e-6);
  QCOMPARE(stepper()->rectOf(Device(3)).width(), fitted.width() * Navigation::kStep);
  // A click means what is seen there.
  clickDevice(Device(3));
  QCOMPARE(stepper()->chosen(), Device(3));

  QTest::keyClick(stepper(), Qt::Key_Plus, Qt::ControlModifier);
  QTest::keyClick(stepper(), Qt::Key_Plus, Qt::ControlModifier);
  QCOMPARE(stepper()->zoom(), whole * std::pow(Navigation::kStep, 3));
  const QRectF before = stepper()->rectOf(Device(3));
  QTest::keyClick(stepper(), Qt::Key_Left, Qt::ShiftModifier);
  QVERIFY(stepper()->rectOf(Device(3)).left() > before.left());
  QCOMPARE(stepper()->chosen(), Device(3));
  QCOMPARE(step(), QString("before step 1 of 3"));
  // Walking brings the next device into view.
  for (int i = 0; i < 8; ++i) QTest::keyClick(stepper(), Qt::Key_Plus);
  QTest::keyClick(stepper(), Qt::Key_Left, Qt::ControlModifier);
  QVERIFY(stepper()->rectOf(stepper()->chosen()).intersects(QRectF(stepper()->rect())));

  QTest::keyClick(stepper(), Qt::Key_0, Qt::ControlModifier);
  QVERIFY(std::abs(stepper()->zoom() - 1) < 0.01);
  // Fitted again, it follows the widget, which is as large as before without the chosen device's panel.
  QTest::keyClick(stepper(), Qt::Key_Escape);
  QTRY_COMPARE(stepper()->rectOf(Device(3)), fitted);
}

void TestProgramStepping::draggingChoosesNothing() {
  openExample();
  const QRectF fitted = stepper()->rectOf(Device(0));
  const QPoint from = fitted.center().toPoint();
  const QPoint to = from + QPoint(60, 30);
  QTest::mousePress(stepper(), Qt::LeftButton, {}, from);
  QMouseEvent move(QEvent::MouseMove, to, stepper()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(stepper(), &move);
  QTest::mouseRelease(stepper(), Qt::LeftButton, {}, to);
  QCOMPARE(stepper()->rectOf(Device(0)), fitted.translated(60, 30));
  QCOMPARE(stepper()->chosen(), Device());
}

void TestProgramStepping::hoverIsShared() {
  openExample();
  QTest::mouseMove(stepper(), stepper()->rectOf(Device(3)).center().toPoint());
  QTRY_COMPARE(m_session->hoveredDevice(), Device(3));
}

QTEST_MAIN(TestProgramStepping)
#include "tst_program_stepping.moc"
