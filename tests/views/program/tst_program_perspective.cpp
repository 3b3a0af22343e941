// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <cmath>

#include "support/fixtures.h"
#include "views/common/theme.h"
#include "views/program/program_perspective.h"
#include "views/program/stepper_view.h"
#include "views/shell/session.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;

class TestProgramPerspective : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void emptyPageLeadsToTheSystem();
  void rowSelectsTheProgramEverywhere();
  void keysStepThroughTheProgram();
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
  void wrongNamesAreExplainedInline();
  void wrongProgramsAreShownWhereTheyFail();
  void clickBringsTheSelectionBack();
  void typedProgramIsSelectedIfListed();
  void filterNarrowsTheList();
  void theBestIsHeldAgainstTheLimit();
  void anotherPlacementIsShown();
  void controlsCanBeReachedAndAreNamed();

 private:
  template <class T>
  T* find(const char* name) {
    return &test::childOf<T>(*m_view, name);
  }
  QString rule() { return find<QLabel>("ruleText")->text(); }
  QString step() { return find<QLabel>("stepLabel")->text(); }
  void openExample();
  void type(const QString& program);
  void clickDevice(Device device);

  std::unique_ptr<Session> m_session;
  std::unique_ptr<ProgramPerspective> m_view;
};

void TestProgramPerspective::initTestCase() {
  QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support propagateSizeHints).*"));
  Theme::apply(Theme::Scheme::Light);
}

void TestProgramPerspective::init() {
  m_session = std::make_unique<Session>();
  m_view = test::shown<ProgramPerspective>(*m_session, {1200, 720});
  QVERIFY(m_view);
}

void TestProgramPerspective::cleanup() {
  m_view.reset();
  m_session.reset();
}

void TestProgramPerspective::openExample() {
  m_session->reset(test::workspaceOf("node:2 gpu:4", "data=8", "data", "[[2,4]]"));
  QTRY_VERIFY(m_session->isCurrent());
  find<QCheckBox>("animate")->setChecked(false);
  type("node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather");
  QTRY_VERIFY(m_session->jobs().running().empty());
  QCOMPARE(step(), QString("step 1 of 3"));
  find<StepperView>("stepper")->setFocus();
}

void TestProgramPerspective::type(const QString& program) {
  auto* edit = find<QLineEdit>("programEdit");
  edit->setFocus();
  edit->selectAll();
  QTest::keyClicks(edit, program);
}

void TestProgramPerspective::clickDevice(Device device) {
  auto* stepper = find<StepperView>("stepper");
  QTest::mouseClick(stepper, Qt::LeftButton, {}, stepper->rectOf(device).center().toPoint());
}

void TestProgramPerspective::emptyPageLeadsToTheSystem() {
  Workspace wrong = test::workspaceOf("node:2 gpu:4", "data=8", "data");
  wrong.axes[0].size = 7;
  m_session->reset(wrong);
  QTRY_VERIFY(m_session->problem());
  QTRY_VERIFY(find<QPushButton>("emptyButton")->isVisible());
  QCOMPARE(find<QLabel>("emptyText")->text().toStdString(), m_session->problem()->text());
  QSignalSpy wanted(m_view.get(), &Perspective::perspectiveWanted);
  QTest::mouseClick(find<QPushButton>("emptyButton"), Qt::LeftButton);
  QCOMPARE(wanted.count(), 1);
  QCOMPARE(wanted[0][0].toString(), QString("system"));
}

void TestProgramPerspective::rowSelectsTheProgramEverywhere() {
  openExample();
  auto* table = find<QTableView>("programTable");
  const QRect cell = table->visualRect(table->model()->index(5, 0));
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
  QCOMPARE(m_session->programIndex(), 5);
  QTest::keyClick(table, Qt::Key_Down);
  QCOMPARE(m_session->programIndex(), 6);
  QCOMPARE(find<QLineEdit>("programEdit")->text().toStdString(),
           programText(*m_session->placement()->hierarchy, m_session->program()->program));
  m_session->select(m_session->placementIndex(), 0);
  QCOMPARE(table->currentIndex().row(), 0);
}

void TestProgramPerspective::keysStepThroughTheProgram() {
  openExample();
  auto* stepper = find<StepperView>("stepper");
  QVERIFY(rule().contains("ReduceScatter·node"));
  QTest::keyClick(stepper, Qt::Key_Right);
  QCOMPARE(step(), QString("step 2 of 3"));
  QVERIFY(rule().contains("AllReduce·node∥root"));
  QTest::keyClick(stepper, Qt::Key_End);
  QCOMPARE(step(), QString("after step 3 of 3"));
  QVERIFY(rule().contains("reduction is complete"));
  QTest::keyClick(stepper, Qt::Key_Left);
  QCOMPARE(step(), QString("step 3 of 3"));
  QTest::keyClick(stepper, Qt::Key_Home);
  QCOMPARE(step(), QString("step 1 of 3"));
}

void TestProgramPerspective::spacePlaysAndPauses() {
  openExample();
  auto* play = find<QToolButton>("playButton");
  QTest::keyClick(find<StepperView>("stepper"), Qt::Key_Space);
  QCOMPARE(play->defaultAction()->text(), QString("Pause"));
  QTRY_COMPARE(step(), QString("step 2 of 3"));
  QTest::keyClick(find<StepperView>("stepper"), Qt::Key_Space);
  QCOMPARE(play->defaultAction()->text(), QString("Play"));
  find<QCheckBox>("loop")->setFocus();
  QTest::keyClick(find<QCheckBox>("loop"), Qt::Key_Space);
  QVERIFY(find<QCheckBox>("loop")->isChecked());
  QCOMPARE(play->defaultAction()->text(), QString("Play"));
}

void TestProgramPerspective::playEndsAtTheGoal() {
  openExample();
  find<QCheckBox>("animate")->setChecked(true);
  auto* speed = find<QComboBox>("speed");
  speed->setCurrentIndex(speed->count() - 1);
  QTest::mouseClick(find<QToolButton>("playButton"), Qt::LeftButton);
  QTRY_COMPARE(step(), QString("after step 3 of 3"));
  QTRY_COMPARE(find<QToolButton>("playButton")->defaultAction()->text(), QString("Play"));
}

void TestProgramPerspective::sliderScrubs() {
  openExample();
  auto* slider = find<QSlider>("scrubber");
  const QPoint start(8, slider->height() / 2);
  QTest::mousePress(slider, Qt::LeftButton, {}, start);
  QTest::mouseMove(slider, QPoint(slider->width() / 2, start.y()));
  QVERIFY(slider->value() > 0 && slider->value() < slider->maximum());
  QCOMPARE(step(), QString("step 2 of 3"));
  QTest::mouseMove(slider, QPoint(slider->width() - 4, start.y()));
  QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(slider->width() - 4, start.y()));
  QCOMPARE(step(), QString("after step 3 of 3"));
}

void TestProgramPerspective::theStepIsShared() {
  openExample();
  QCOMPARE(m_session->step(), StepId(0));
  QTest::keyClick(find<StepperView>("stepper"), Qt::Key_Right);
  QTRY_COMPARE(m_session->step(), StepId(1));
  m_session->setStep(StepId(2));
  QCOMPARE(step(), QString("step 3 of 3"));
  type("node:InsideGroup:ReduceScatter; root:InsideGroup:AllReduce");
  QTRY_VERIFY(step() != QString("step 3 of 3"));
  QCOMPARE(m_session->step(), StepId(2));
}

void TestProgramPerspective::clickShowsADevice() {
  openExample();
  clickDevice(Device(5));
  auto* panel = find<QWidget>("devicePanel");
  QVERIFY(panel->isVisible());
  QVERIFY(find<QLabel>("deviceTitle")->text().contains("Device 5"));
  QCOMPARE(find<QLabel>("deviceText")->text(), QString("holds 8 of 8 chunks, each summed over 1 of 8 devices"));
  QTest::mouseClick(find<QToolButton>("forwardButton"), Qt::LeftButton);
  QCOMPARE(find<QLabel>("deviceText")->text(), QString("holds 2 of 8 chunks, each summed over 4 of 8 devices"));
  QTest::mouseClick(find<QToolButton>("closeDevice"), Qt::LeftButton);
  QVERIFY(!panel->isVisible());
}

void TestProgramPerspective::clickShowsADeviceOfALargeGroup() {
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
  auto* stepper = find<StepperView>("stepper");
  stepper->setFocus();
  QTest::keyClick(stepper, Qt::Key_Right);
  const std::int64_t right = stepper->chosen().value();
  QVERIFY(right != 17);
  const std::int64_t chunk = right % 16 * 32;
  const std::int64_t contributor = right / 16 * 16;
  QCOMPARE(folded->accessibleDescription(), QString("chunks %1–%2, each with the contributions of %3–%4")
                                                .arg(chunk)
                                                .arg(chunk + 31)
                                                .arg(contributor)
                                                .arg(contributor + 15));
}

void TestProgramPerspective::keysWalkOverDevices() {
  openExample();
  auto* stepper = find<StepperView>("stepper");
  QTest::keyClick(stepper, Qt::Key_Return);
  QCOMPARE(stepper->chosen(), Device(0));
  QTest::keyClick(stepper, Qt::Key_Right);
  const Device right = stepper->chosen();
  QVERIFY(stepper->rectOf(right).left() > stepper->rectOf(Device(0)).right());
  QCOMPARE(stepper->rectOf(right).top(), stepper->rectOf(Device(0)).top());
  QCOMPARE(step(), QString("step 1 of 3"));
  QVERIFY(stepper->accessibleDescription().startsWith(QString("device %1 ").arg(right.value())));
  QTest::keyClick(stepper, Qt::Key_Escape);
  QCOMPARE(stepper->chosen(), Device());
  QVERIFY(!find<QWidget>("devicePanel")->isVisible());
  QTest::keyClick(stepper, Qt::Key_Right);
  QCOMPARE(step(), QString("step 2 of 3"));
}

void TestProgramPerspective::zoomsAndPans() {
  openExample();
  auto* stepper = find<StepperView>("stepper");
  const QRectF fitted = stepper->rectOf(Device(3));
  const QPointF at = fitted.topLeft() + QPointF(10, 10);
  const QPointF under = stepper->toDrawing(at);
  QWheelEvent wheel(at, stepper->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase,
                    false);
  QCoreApplication::sendEvent(stepper, &wheel);
  QCOMPARE(stepper->zoom(), Navigation::kStep);
  QVERIFY((stepper->toDrawing(at) - under).manhattanLength() < 1e-6);
  QCOMPARE(stepper->rectOf(Device(3)).width(), fitted.width() * Navigation::kStep);
  // A click means what is seen there.
  clickDevice(Device(3));
  QCOMPARE(stepper->chosen(), Device(3));

  QTest::keyClick(stepper, Qt::Key_Plus, Qt::ControlModifier);
  QTest::keyClick(stepper, Qt::Key_Plus, Qt::ControlModifier);
  QCOMPARE(stepper->zoom(), std::pow(Navigation::kStep, 3));
  const QRectF before = stepper->rectOf(Device(3));
  QTest::keyClick(stepper, Qt::Key_Left, Qt::ShiftModifier);
  QVERIFY(stepper->rectOf(Device(3)).left() > before.left());
  QCOMPARE(stepper->chosen(), Device(3));
  QCOMPARE(step(), QString("step 1 of 3"));
  // Walking brings the next device into view.
  for (int i = 0; i < 8; ++i) QTest::keyClick(stepper, Qt::Key_Plus);
  QTest::keyClick(stepper, Qt::Key_Left);
  QVERIFY(stepper->rectOf(stepper->chosen()).intersects(QRectF(stepper->rect())));

  QTest::keyClick(stepper, Qt::Key_0, Qt::ControlModifier);
  QCOMPARE(stepper->zoom(), 1.0);
  // Fitted again, it follows the widget, which is as large as before without the chosen device's panel.
  QTest::keyClick(stepper, Qt::Key_Escape);
  QTRY_COMPARE(stepper->rectOf(Device(3)), fitted);
}

void TestProgramPerspective::draggingChoosesNothing() {
  openExample();
  auto* stepper = find<StepperView>("stepper");
  const QRectF fitted = stepper->rectOf(Device(0));
  const QPoint from = fitted.center().toPoint();
  const QPoint to = from + QPoint(60, 30);
  QTest::mousePress(stepper, Qt::LeftButton, {}, from);
  QMouseEvent move(QEvent::MouseMove, to, stepper->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(stepper, &move);
  QTest::mouseRelease(stepper, Qt::LeftButton, {}, to);
  QCOMPARE(stepper->rectOf(Device(0)), fitted.translated(60, 30));
  QCOMPARE(stepper->chosen(), Device());
}

void TestProgramPerspective::hoverIsShared() {
  openExample();
  auto* stepper = find<StepperView>("stepper");
  QTest::mouseMove(stepper, stepper->rectOf(Device(3)).center().toPoint());
  QTRY_COMPARE(m_session->hoveredDevice(), Device(3));
}

void TestProgramPerspective::wrongNamesAreExplainedInline() {
  openExample();
  type("node:InsideGroup:ReduceScatter; gpus:InsideGroup:AllReduce");
  auto* problem = find<QLabel>("programProblem");
  QVERIFY(problem->isVisible());
  QVERIFY2(problem->text().contains("step 2") && problem->text().contains("\"gpus\""), qPrintable(problem->text()));
}

void TestProgramPerspective::wrongProgramsAreShownWhereTheyFail() {
  openExample();
  type("node:InsideGroup:ReduceScatter; root:InsideGroup:AllReduce");
  QTRY_COMPARE(step(), QString("step 2 of 2"));
  QVERIFY2(rule().contains("does not hold: every member holds the same chunks"), qPrintable(rule()));
  QVERIFY(find<QLabel>("programProblem")->text().contains("step 2: device 0 holds chunk 0 but device 1 does not"));
  clickDevice(Device(0));
  QCOMPARE(find<QLabel>("deviceText")->text(), QString("holds 2 of 8 chunks, each summed over 4 of 8 devices"));
}

void TestProgramPerspective::clickBringsTheSelectionBack() {
  openExample();
  type("root:InsideGroup:Reduce");
  QTRY_VERIFY(find<QLabel>("programProblem")->text().contains("ends too early"));
  emit m_session->explorationChanged();
  QCOMPARE(find<QLineEdit>("programEdit")->text(), QString("root:InsideGroup:Reduce"));
  auto* table = find<QTableView>("programTable");
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->currentIndex()).center());
  QTRY_COMPARE(find<QLineEdit>("programEdit")->text().toStdString(),
               programText(*m_session->placement()->hierarchy, m_session->program()->program));
  QTRY_VERIFY(!find<QLabel>("programProblem")->isVisible());
}

void TestProgramPerspective::typedProgramIsSelectedIfListed() {
  openExample();
  type("root:InsideGroup:AllReduce");
  QTRY_COMPARE(step(), QString("step 1 of 1"));
  QCOMPARE(m_session->program()->program.size(), std::size_t(1));
  QVERIFY(!find<QLabel>("programProblem")->isVisible());
}

void TestProgramPerspective::theBestIsHeldAgainstTheLimit() {
  openExample();
  const auto* limit = find<QLabel>("programLimit");
  const PlacementResult& shown = m_session->exploration()->placements[std::size_t(m_session->placementIndex())];
  const QString times = QString::fromStdString(timesTheLimit(shown.bestSeconds, shown.limit));
  QVERIFY(times.endsWith("× the limit"));
  QVERIFY2(limit->text().contains(times), qPrintable(limit->text()));
  QCOMPARE(limit->text().contains("stop looking"), isAtLimit(shown.bestSeconds, shown.limit));
  QVERIFY2(limit->toolTip().contains("Latencies") && limit->toolTip().contains("every node to "),
           qPrintable(limit->toolTip()));
}

void TestProgramPerspective::filterNarrowsTheList() {
  openExample();
  auto* filter = find<QLineEdit>("programFilter");
  auto* table = find<QTableView>("programTable");
  const int all = table->model()->rowCount();
  QTest::keyClick(m_view.get(), Qt::Key_F, Qt::ControlModifier);
  QVERIFY(filter->hasFocus());
  QTest::keyClicks(filter, "Broadcast");
  QVERIFY(table->model()->rowCount() > 0 && table->model()->rowCount() < all);
  QVERIFY(find<QLabel>("programCount")->text().contains(QString("of the %1 listed").arg(all)));
}

void TestProgramPerspective::anotherPlacementIsShown() {
  m_session->reset(test::workspaceOf("gcp-a100:2", "data=8,model=4", "data"));
  QTRY_VERIFY(m_session->isCurrent());
  for (int placement = 0; placement < int(m_session->exploration()->placements.size()); ++placement) {
    m_session->select(placement);
    QCOMPARE(find<QTableView>("programTable")->model()->rowCount(), int(m_session->placement()->programs.size()));
    QTRY_VERIFY(step().endsWith(QString("of %1").arg(m_session->program()->program.size())));
  }
}

void TestProgramPerspective::controlsCanBeReachedAndAreNamed() {
  openExample();
  for (const char* name : {"programFilter", "programTable", "programEdit", "firstButton", "backButton", "playButton",
                           "forwardButton", "lastButton", "scrubber", "speed", "loop", "animate", "stepper"}) {
    auto* widget = find<QWidget>(name);
    QVERIFY2(widget->focusPolicy() & Qt::TabFocus, name);
    QVERIFY2(!widget->accessibleName().isEmpty(), name);
  }
}

QTEST_MAIN(TestProgramPerspective)
#include "tst_program_perspective.moc"
