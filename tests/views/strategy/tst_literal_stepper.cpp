// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/literal/literal_graph_view.h"
#include "views/literal/literal_lessons.h"
#include "views/literal/literal_listing.h"
#include "views/literal/literal_strip.h"
#include "views/shell/session.h"
#include "views/strategy/literal_stepper.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;

class TestLiteralStepper : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void opensOnALesson();
  void lessonsBringTheirTies();
  void theListingFollows();
  void theLossIsMarkedOnTheTimeline();
  void keysStepThroughTheAlgorithm();
  void arbitraryTiesBreakTheInvariant();
  void tablesFollowTheStep();
  void clickShowsATable();
  void keysWalkOverVertices();
  void itsOwnGraphIsOffered();
  void largeGraphsAreRefusedWithTheFigure();
  void theLimitCanBeRaised();
  void aStoppedRunCanBeRunAgain();
  void hiddenSteppersDoNotRun();
  void controlsCanBeReachedAndAreNamed();

 private:
  template <class T>
  T* find(const char* name) {
    return &test::childOf<T>(*m_view, name);
  }
  QString text(const char* name) { return find<QLabel>(name)->text(); }
  bool idle() { return m_session->jobs().running().empty(); }
  void choose(const char* box, int row);
  void press(int key, int times = 1) {
    for (int i = 0; i < times; ++i) QTest::keyClick(find<LiteralGraphView>("literalGraph"), Qt::Key(key));
  }

  std::unique_ptr<Session> m_session;
  std::unique_ptr<LiteralStepper> m_view;
};

namespace {

/// A chain of vertices with so many configurations each.
std::shared_ptr<const StrategyProblem> chainOf(std::size_t vertices, std::size_t configurations) {
  StrategyProblem problem;
  problem.name = "long chain";
  ConfigurationDomain domain;
  for (std::size_t i = 0; i < configurations; ++i) domain.configurations.push_back({std::int64_t(i) + 1});
  domain.costs.assign(configurations, 1);
  problem.domains = {domain};
  problem.tables = {{configurations, configurations, std::vector<double>(configurations * configurations, 0)}};
  for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
    problem.vertices.push_back({"op" + std::to_string(vertex), 0});
    if (vertex > 0) problem.edges.push_back({vertex - 1, vertex, 0});
  }
  return std::make_shared<const StrategyProblem>(problem);
}

}  // namespace

void TestLiteralStepper::initTestCase() { Theme::apply(Theme::Scheme::Light); }

void TestLiteralStepper::init() {
  test::failOnWarnings();
  m_session = std::make_unique<Session>();
  m_view = test::shown<LiteralStepper>(*m_session, {1200, 760});
  QVERIFY(m_view);
  QTRY_COMPARE(text("literalLines"), QString("PaSE, Alg. 1, lines 5–14"));
  QTRY_VERIFY(idle());
  find<LiteralGraphView>("literalGraph")->setFocus();
}

void TestLiteralStepper::cleanup() {
  m_view.reset();
  m_session.reset();
}

void TestLiteralStepper::choose(const char* box, int row) {
  auto* combo = find<QComboBox>(box);
  combo->setFocus();
  while (combo->currentIndex() != row) QTest::keyClick(combo, combo->currentIndex() < row ? Qt::Key_Down : Qt::Key_Up);
  QTRY_VERIFY(idle());
  find<LiteralGraphView>("literalGraph")->setFocus();
}

void TestLiteralStepper::opensOnALesson() {
  QCOMPARE(find<QComboBox>("literalGraphs")->currentData().toString(), literalLessons().front().name);
  QVERIFY(text("literalWords").contains("24 rows"));
  QVERIFY(text("literalInvariant").startsWith("✓ "));
  QCOMPARE(text("stepLabel"), QString("step 1 of 24"));
  // With the ties that show what it is about, so that something fails.
  QCOMPARE(find<QComboBox>("literalTies")->currentIndex(), 1);
  press(Qt::Key_End);
  QVERIFY(text("literalInvariant").startsWith("✗ "));
}

void TestLiteralStepper::lessonsBringTheirTies() {
  choose("literalGraphs", 2);
  QCOMPARE(find<QComboBox>("literalTies")->currentIndex(), 1);
  QCOMPARE(find<QSpinBox>("literalSeed")->value(), 30);
  choose("literalGraphs", 3);
  QCOMPARE(find<QComboBox>("literalTies")->currentIndex(), 0);
  choose("literalGraphs", 1);
  QCOMPARE(find<QComboBox>("literalTies")->currentIndex(), 1);
  QCOMPARE(find<QSpinBox>("literalSeed")->value(), 0);
}

void TestLiteralStepper::theListingFollows() {
  auto* listing = find<LiteralListing>("literalListing");
  QVERIFY(listing->marked().first().startsWith("5 for all v ∈ V do"));
  press(Qt::Key_Right);
  QCOMPARE(listing->marked(), QStringList{"18 v_min ← argmin |v.un| over v ∈ U"});
  press(Qt::Key_Right, 2);
  QCOMPARE(listing->marked().size(), 4);
  press(Qt::Key_End);
  QCOMPARE(listing->marked().last(), QString("38 return S"));
}

void TestLiteralStepper::theLossIsMarkedOnTheTimeline() {
  auto* strip = find<LiteralStrip>("literalStrip");
  QCOMPARE(strip->accessibleName(), QString("The optimum is lost in step 18 of 24"));
  press(Qt::Key_End);
  const QImage picture = strip->grab().toImage();
  const auto colorOf = [&](std::size_t moment) {
    const QRectF rect = strip->rectOf(moment);
    return picture.pixelColor((QPointF(rect.left() + 4, rect.center().y()) * picture.devicePixelRatio()).toPoint());
  };
  QCOMPARE(colorOf(16), Theme::good());
  QCOMPARE(colorOf(18), Theme::bad());
  QTest::mouseClick(strip, Qt::LeftButton, {}, strip->rectOf(17).center().toPoint());
  QCOMPARE(text("stepLabel"), QString("step 18 of 24"));
  QVERIFY(text("literalInvariant").startsWith("✗ Theorem 1's invariant breaks in this step"));
  choose("literalTies", 0);
  QCOMPARE(strip->accessibleName(), QString("The optimum is never lost"));
}

void TestLiteralStepper::keysStepThroughTheAlgorithm() {
  press(Qt::Key_Right);
  QCOMPARE(text("literalLines"), QString("PaSE, Alg. 1, line 18"));
  press(Qt::Key_Right, 2);
  QCOMPARE(text("literalLines"), QString("PaSE, Alg. 1, lines 22–26"));
  press(Qt::Key_Left);
  QCOMPARE(text("literalLines"), QString("PaSE, Alg. 1, lines 19–20"));
  press(Qt::Key_End);
  QCOMPARE(text("literalLines"), QString("PaSE, Alg. 1, lines 36–38"));
  QVERIFY(text("literalWords").contains("the cheapest costs 1"));
  press(Qt::Key_Home);
  QTest::mouseClick(find<QToolButton>("forwardButton"), Qt::LeftButton);
  QCOMPARE(text("stepLabel"), QString("step 2 of 24"));
}

void TestLiteralStepper::arbitraryTiesBreakTheInvariant() {
  choose("literalTies", 0);
  QVERIFY(!find<QSpinBox>("literalSeed")->isEnabled());
  press(Qt::Key_End);
  QVERIFY(text("literalInvariant").startsWith("✓ "));
  choose("literalTies", 1);
  QVERIFY(find<QSpinBox>("literalSeed")->isEnabled());
  press(Qt::Key_End);
  QVERIFY2(text("literalWords").endsWith("That is not the optimum, which is 0."), qPrintable(text("literalWords")));
  QVERIFY(text("literalInvariant").startsWith("✗ "));
  choose("literalGraphs", 2);
  press(Qt::Key_End);
  QVERIFY(text("literalWords").startsWith("No valid strategy is left"));
  choose("literalTies", 0);
  press(Qt::Key_End);
  QVERIFY(text("literalInvariant").startsWith("✓ "));
}

void TestLiteralStepper::tablesFollowTheStep() {
  auto* first = find<QTableView>("literalTable");
  auto* other = find<QTableView>("literalOther");
  press(Qt::Key_Right, 4);
  QCOMPARE(text("literalLines"), QString("PaSE, Alg. 1, lines 27–32"));
  QCOMPARE(text("literalTableTitle"), QString("Table of v0: 2 of 4 rows"));
  QCOMPARE(text("literalOtherTitle"), QString("Table of v1: 4 of 8 rows"));
  QCOMPARE(first->model()->rowCount(), 4);
  QCOMPARE(other->model()->rowCount(), 8);
  press(Qt::Key_End);
  QVERIFY(!first->isVisible());
  QVERIFY(text("literalOtherTitle").endsWith(other->model()->rowCount() == 1 ? "strategy" : "strategies"));
}

void TestLiteralStepper::clickShowsATable() {
  auto* graph = find<LiteralGraphView>("literalGraph");
  press(Qt::Key_Right);
  QTest::mouseClick(graph, Qt::LeftButton, {}, graph->rectOf(3).center().toPoint());
  QVERIFY(text("literalOtherTitle").startsWith("Table of v3"));
  QTest::mouseClick(graph, Qt::LeftButton, {}, graph->rectOf(3).center().toPoint());
  QVERIFY(text("literalOtherTitle").startsWith("Table of v1"));
}

void TestLiteralStepper::keysWalkOverVertices() {
  auto* graph = find<LiteralGraphView>("literalGraph");
  press(Qt::Key_Return);
  QCOMPARE(graph->picked(), 0);
  press(Qt::Key_Down);
  QCOMPARE(graph->picked(), 1);
  QVERIFY(graph->accessibleDescription().startsWith("v1: "));
  QCOMPARE(text("stepLabel"), QString("step 1 of 24"));
  press(Qt::Key_Escape);
  QCOMPARE(graph->picked(), -1);
  press(Qt::Key_Right);
  QCOMPARE(text("stepLabel"), QString("step 2 of 24"));
}

void TestLiteralStepper::itsOwnGraphIsOffered() {
  m_view->setProblem(chainOf(3, 2));
  QTRY_VERIFY(idle());
  QVERIFY(text("literalWords").contains("24 rows in all"));
  choose("literalGraphs", 0);
  QCOMPARE(find<QComboBox>("literalTies")->currentIndex(), 0);
  QCOMPARE(find<QComboBox>("literalGraphs")->currentText(), QString("This graph: long chain"));
  QTRY_VERIFY(text("literalWords").contains("16 rows in all"));
  choose("literalGraphs", 3);
  QVERIFY(text("literalWords").contains("108 rows in all"));
  m_view->setProblem(chainOf(4, 2));
  QTRY_VERIFY(idle());
  QVERIFY(text("literalWords").contains("108 rows in all"));
}

void TestLiteralStepper::largeGraphsAreRefusedWithTheFigure() {
  m_view->setProblem(chainOf(5, 100));
  choose("literalGraphs", 0);
  QTRY_VERIFY(find<QPushButton>("emptyButton")->isVisible());
  QCOMPARE(text("emptyText"),
           QString("long chain needs 3020000 rows of tables to begin with, over the limit of 20000; use "
                   "the exact solver"));
  QSignalSpy wanted(m_view.get(), &LiteralStepper::exactSolverWanted);
  QTest::mouseClick(find<QPushButton>("emptyButton"), Qt::LeftButton);
  QCOMPARE(wanted.count(), 1);
}

void TestLiteralStepper::theLimitCanBeRaised() {
  m_view->setProblem(chainOf(3, 30));
  choose("literalGraphs", 0);
  QTRY_VERIFY(find<QPushButton>("emptyButton")->isVisible());
  auto* limit = find<QSpinBox>("literalLimit");
  limit->setFocus();
  limit->selectAll();
  QTest::keyClicks(limit, "30000");
  QTest::keyClick(limit, Qt::Key_Return);
  QTRY_VERIFY(text("literalWords").contains("28800 rows in all"));
  QTRY_VERIFY(find<QTableView>("literalTable")->isVisible());
}

void TestLiteralStepper::aStoppedRunCanBeRunAgain() {
  find<QComboBox>("literalGraphs")->setFocus();
  QTest::keyClick(find<QComboBox>("literalGraphs"), Qt::Key_Down);
  m_session->jobs().cancelAll();
  QCOMPARE(text("emptyText"), QString("The literal algorithm was stopped."));
  QTest::mouseClick(find<QPushButton>("emptyButton"), Qt::LeftButton);
  QTRY_VERIFY(find<QTableView>("literalTable")->isVisible());
  QVERIFY(text("literalWords").contains("32 rows in all"));
}

void TestLiteralStepper::hiddenSteppersDoNotRun() {
  LiteralStepper hidden(*m_session);
  hidden.setProblem(chainOf(3, 2));
  QVERIFY(idle());
  hidden.show();
  QTRY_VERIFY(test::childOf<QLabel>(hidden, "literalWords").text().contains("24 rows in all"));
}

void TestLiteralStepper::controlsCanBeReachedAndAreNamed() {
  for (const char* name :
       {"literalGraphs", "literalTies", "literalSeed", "literalLimit", "literalGraph", "literalTable", "literalOther",
        "literalListing", "firstButton", "playButton", "scrubber", "speed", "loop"}) {
    auto* widget = find<QWidget>(name);
    QVERIFY2(widget->focusPolicy() & Qt::TabFocus, name);
    QVERIFY2(!widget->accessibleName().isEmpty(), name);
  }
}

QTEST_MAIN(TestLiteralStepper)
#include "tst_literal_stepper.moc"
