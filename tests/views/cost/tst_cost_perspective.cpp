// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QSettings>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include "support/fixtures.h"
#include "views/common/theme.h"
#include "views/cost/best_bars.h"
#include "views/cost/best_model.h"
#include "views/cost/best_picture.h"
#include "views/cost/cost_perspective.h"
#include "views/cost/cost_plot.h"
#include "views/shell/session.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;

class TestCostPerspective : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void emptyPageLeadsToTheSystem();
  void showsEveryProgram();
  void theBestOfEveryPlacementComesFirst();
  void bestByPlacementExports();
  void manyPlacementsAreColouredByLevel();
  void clickSelectsTheProgram();
  void doubleClickOpensTheProgram();
  void keysWalkAndSelect();
  void hoverTellsTheBar();
  void whiskersTellTheInterval();
  void sorts();
  void showsTheSelectedPlacementOnly();
  void zooms();
  void dragPans();
  void shiftAndDragZoomsIntoARectangle();
  void logarithmicAxisTakesNoStacks();
  void followsTheTheme();
  void exports_data();
  void exports();
  void exportErrorsStayInline();
  void tabsSwitchAndAreRemembered();
  void limitLabelKeepsOffTheBars();

 private:
  template <class T>
  T* find(const char* name) {
    return &test::childOf<T>(*m_view, name);
  }
  CostPlot* plot() { return find<CostPlot>("costPlot"); }
  QPoint middleOf(int bar) { return plot()->rectOf(bar).center().toPoint(); }
  void openExample();
  void exportTo(const QString& suffix, const QString& path);

  std::unique_ptr<Session> m_session;
  std::unique_ptr<CostPerspective> m_view;
};

void TestCostPerspective::initTestCase() {
  QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support propagateSizeHints).*"));
  Theme::apply(Theme::Scheme::Light);
}

void TestCostPerspective::init() {
  QSettings().clear();
  m_session = std::make_unique<Session>();
  m_view = test::shown<CostPerspective>(*m_session, {1200, 720});
  QVERIFY(m_view);
}

void TestCostPerspective::cleanup() {
  m_view.reset();
  m_session.reset();
}

void TestCostPerspective::openExample() {
  m_session->reset(test::workspaceOf("gcp-a100:2", "data=8,model=4", "data"));
  QTRY_VERIFY(m_session->isCurrent());
  find<QAction>("showBarsAction")->trigger();
  QTRY_VERIFY(plot()->isVisible());
  plot()->replot();
}

void TestCostPerspective::exportTo(const QString& suffix, const QString& path) {
  find<QAction>(qPrintable("export-" + suffix))->trigger();
  auto* dialog = find<QFileDialog>("exportDialog");
  QTRY_VERIFY(dialog->isVisible());
  dialog->selectFile(path);
  QMetaObject::invokeMethod(dialog, "accept");
  QTRY_VERIFY(find<QLabel>("costMessage")->isVisible());
}

void TestCostPerspective::emptyPageLeadsToTheSystem() {
  Workspace wrong = test::workspaceOf("node:2 gpu:4", "data=8", "data");
  wrong.axes[0].size = 7;
  m_session->reset(wrong);
  QTRY_VERIFY(find<QPushButton>("emptyButton")->isVisible());
  QSignalSpy wanted(m_view.get(), &Perspective::perspectiveWanted);
  QTest::mouseClick(find<QPushButton>("emptyButton"), Qt::LeftButton);
  QCOMPARE(wanted[0][0].toString(), QString("system"));
}

void TestCostPerspective::showsEveryProgram() {
  openExample();
  QCOMPARE(plot()->bars().size(), std::size_t(m_session->exploration()->programCount.clamped64()));
  QCOMPARE(find<QLabel>("costDetail")->text(), QString("%1 programs").arg(plot()->bars().size()));
}

// What decides comes first: a row for every placement, the fastest on top, with what frameworks do.
void TestCostPerspective::theBestOfEveryPlacementComesFirst() {
  m_session->reset(test::workspaceOf("gcp-a100:4", "data=8,model=2,shards=4", "data,shards"));
  QTRY_VERIFY(m_session->isCurrent());
  auto* table = find<QTableView>("bestTable");
  QTRY_VERIFY(table->isVisible());
  QCOMPARE(table->model()->rowCount(), 5);
  QCOMPARE(test::cellText(*table, 0, BestModel::Name), QStringLiteral("★ B"));
  QVERIFY(test::cellText(*table, 0, BestModel::Program).contains("ReduceScatter·"));
  const QString finding = find<QLabel>("bestFinding")->text();
  QVERIFY2(finding.startsWith("★ B is best: RS·AR·AG takes 2.83 s"), qPrintable(finding));
  QVERIFY2(finding.contains("E with one AllReduce, takes 10.4 s, 3.67× slower"), qPrintable(finding));
  QVERIFY(finding.contains("No program takes less than 2.68 s"));
  // As long as their times, AllReduce below.
  const auto& rows = static_cast<const BestModel&>(*table->model()).rows();
  const BestBars best = bestBarsIn(QRectF(0, 0, 800, 40), rows[0], 10.4);
  const BestBars last = bestBarsIn(QRectF(0, 0, 800, 40), rows[4], 10.4);
  QVERIFY(std::abs(last.best.width() / best.best.width() - rows[4].best / rows[0].best) < 1e-6);
  QVERIFY(best.flat.top() > best.best.bottom() && best.flat.width() > best.best.width());
  QVERIFY(best.limit > 0 && best.limit < best.best.right());
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Down);
  QCOMPARE(m_session->placementIndex(), rows[1].placement);
  QSignalSpy wanted(m_view.get(), &Perspective::perspectiveWanted);
  QTest::keyClick(table, Qt::Key_Return);
  QCOMPARE(wanted.count(), 1);
  QCOMPARE(wanted[0][0].toString(), QString("programs"));
}

void TestCostPerspective::bestByPlacementExports() {
  m_session->reset(test::workspaceOf("gcp-a100:2", "data=8,model=4", "data"));
  QTRY_VERIFY(m_session->isCurrent());
  const BestPicture picture(m_session->exploration(), 600);
  QVERIFY(picture.size().width() >= 900);
  QImage drawn(picture.size(), QImage::Format_RGB32);
  QPainter painter(&drawn);
  picture.paint(painter);
  painter.end();
  const auto rows = bestRows(*m_session->exploration());
  QCOMPARE(QString::fromStdString(bestCsv(*m_session->exploration(), rows)).count("\r\n"), 1 + qsizetype(rows.size()));
  // Every row has its bar in the colour of its placement.
  QSet<QRgb> seen;
  for (int y = 0; y < drawn.height(); ++y) {
    for (int x = 0; x < drawn.width(); ++x) seen.insert(drawn.pixel(x, y));
  }
  for (const BestRow& row : rows) QVERIFY(seen.contains(Theme::category(row.category).rgb()));
}

// Of more than eight placements the colour says which level the reduction crosses.
void TestCostPerspective::manyPlacementsAreColouredByLevel() {
  m_session->reset(test::workspaceOf("rack:2 node:4 gpu:8", "data=8,tensor=4,pipe=2", "data"));
  QTRY_VERIFY(m_session->isCurrent());
  const Exploration& exploration = *m_session->exploration();
  QVERIFY(exploration.placements.size() > 8);
  const CostColours colours(exploration);
  QVERIFY(colours.byLevel());
  QCOMPARE(colours.categories(), (std::vector<int>{0, 1, 2}));
  QCOMPARE(colours.nameOf(0), QStringLiteral("crosses racks"));
  QCOMPARE(colours.nameOf(2), QStringLiteral("stays in a node"));
  for (int i = 0; i < int(exploration.placements.size()); ++i) {
    const auto& matrix = exploration.placements[std::size_t(i)].matrix;
    const int level = matrix.at(0, 0) > 1 ? 0 : matrix.at(0, 1) > 1 ? 1 : 2;
    QCOMPARE(colours.categoryOf(i), level);
  }
  find<QAction>("showBarsAction")->trigger();
  QTRY_VERIFY(plot()->isVisible());
  QCOMPARE(plot()->legend->itemCount(), 4);
}

void TestCostPerspective::clickSelectsTheProgram() {
  openExample();
  const int bar = int(plot()->bars().size()) - 3;
  QTest::mouseClick(plot(), Qt::LeftButton, {}, middleOf(bar));
  QCOMPARE(m_session->placementIndex(), plot()->bars()[std::size_t(bar)].placement);
  QCOMPARE(m_session->programIndex(), plot()->bars()[std::size_t(bar)].program);
}

void TestCostPerspective::doubleClickOpensTheProgram() {
  openExample();
  QSignalSpy wanted(m_view.get(), &Perspective::perspectiveWanted);
  QTest::mouseDClick(plot(), Qt::LeftButton, {}, middleOf(20));
  // QTest leaves the button down, which would make every later move a drag.
  QTest::mouseRelease(plot(), Qt::LeftButton, {}, middleOf(20));
  QCOMPARE(wanted.count(), 1);
  QCOMPARE(wanted[0][0].toString(), QString("programs"));
  QCOMPARE(m_session->programIndex(), plot()->bars()[20].program);
}

void TestCostPerspective::keysWalkAndSelect() {
  openExample();
  plot()->setFocus();
  for (int i = 0; i < 8; ++i) QTest::keyClick(plot(), Qt::Key_Right);
  QTest::keyClick(plot(), Qt::Key_Left);
  QCOMPARE(find<QLabel>("costDetail")->text(), plot()->textOf(6));
  QCOMPARE(plot()->accessibleDescription(), plot()->textOf(6));
  QTest::keyClick(plot(), Qt::Key_Return);
  QCOMPARE(m_session->programIndex(), plot()->bars()[6].program);
  QCOMPARE(m_session->placementIndex(), plot()->bars()[6].placement);
}

void TestCostPerspective::hoverTellsTheBar() {
  openExample();
  QTest::mouseMove(plot(), middleOf(30));
  QTRY_COMPARE(find<QLabel>("costDetail")->text(), plot()->textOf(30));
  QVERIFY(plot()->textOf(30).contains(QString::fromStdString(
      m_session->exploration()->placements[std::size_t(plot()->bars()[30].placement)].matrix.text())));
}

// Under the nccl model times have intervals: drawn over the bars and told where the mouse is; under paper there is
// none.
void TestCostPerspective::whiskersTellTheInterval() {
  openExample();
  QTRY_VERIFY(!plot()->bars().empty());
  QVERIFY(plot()->whiskerOf(0).isNull());
  Workspace workspace = test::workspaceOf("dgx-h100:2", "data=16", "data");
  workspace.options.cost.model = "nccl";
  workspace.options.cost.algorithm = Algorithm::Auto;
  m_session->reset(std::move(workspace));
  QTRY_VERIFY(m_session->isCurrent() && !plot()->bars().empty());
  QTRY_VERIFY(plot()->exploration().workspace.options.cost.model == "nccl");
  const QLineF whisker = plot()->whiskerOf(0);
  QVERIFY(!whisker.isNull());
  QVERIFY(whisker.y2() < plot()->rectOf(0).top() && whisker.y1() > plot()->rectOf(0).top());
  QTest::mouseMove(plot(), middleOf(0));
  QTRY_VERIFY2(plot()->accessibleDescription().contains("–"), qPrintable(plot()->accessibleDescription()));
  // Where it is drawn moves until the numbers at the axes have their room.
  const auto isDrawn = [this] {
    const QImage drawn = plot()->grab().toImage();
    const QPoint end = (plot()->whiskerOf(0).p2() * drawn.devicePixelRatio()).toPoint();
    return drawn.pixelColor(end.x(), end.y() + 3).lightness() < 128;
  };
  QTRY_VERIFY(isDrawn());
}

void TestCostPerspective::sorts() {
  openExample();
  auto* order = find<QComboBox>("costOrder");
  order->setFocus();
  QTest::keyClick(order, Qt::Key_Down);
  QCOMPARE(order->currentText(), QString("by placement"));
  for (std::size_t i = 1; i < plot()->bars().size(); ++i) {
    QVERIFY(plot()->bars()[i - 1].placement <= plot()->bars()[i].placement);
  }
}

void TestCostPerspective::showsTheSelectedPlacementOnly() {
  openExample();
  find<QCheckBox>("onlySelected")->click();
  for (const int placement : {1, 0}) {
    m_session->select(placement);
    QCOMPARE(plot()->bars().size(), m_session->placement()->programs.size());
    for (const CostBar& bar : plot()->bars()) QCOMPARE(bar.placement, placement);
  }
}

void TestCostPerspective::zooms() {
  openExample();
  m_view->setFocus();
  const double all = plot()->xAxis->range().size();
  QTest::keyClick(plot(), Qt::Key_Plus);
  const double keyed = plot()->xAxis->range().size();
  QVERIFY(keyed < all);
  const QPoint at = plot()->axisRect()->center();
  QWheelEvent wheel(at, plot()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(plot(), &wheel);
  QVERIFY(plot()->xAxis->range().size() < keyed);
  QTest::keyClick(plot(), Qt::Key_0);
  QCOMPARE(plot()->xAxis->range().size(), all);
  QTest::keyClick(plot(), Qt::Key_Minus);
  QCOMPARE(plot()->xAxis->range().size(), all);
}

void TestCostPerspective::dragPans() {
  openExample();
  QTest::mouseClick(find<QToolButton>("zoom-inButton"), Qt::LeftButton);
  const QCPRange before = plot()->xAxis->range();
  const int selected = m_session->programIndex();
  const QPoint start = plot()->axisRect()->center();
  QTest::mousePress(plot(), Qt::LeftButton, {}, start);
  QTest::mouseMove(plot(), start + QPoint(40, 0));
  QTest::mouseMove(plot(), start + QPoint(80, 0));
  QTest::mouseRelease(plot(), Qt::LeftButton, {}, start + QPoint(80, 0));
  QVERIFY(plot()->xAxis->range().lower < before.lower);
  QVERIFY(qAbs(plot()->xAxis->range().size() - before.size()) < 1e-6);
  QCOMPARE(m_session->programIndex(), selected);
}

void TestCostPerspective::shiftAndDragZoomsIntoARectangle() {
  openExample();
  const QRect left = QRectF(plot()->rectOf(10)).toAlignedRect();
  const QRect right = QRectF(plot()->rectOf(20)).toAlignedRect();
  const QPoint from(left.left(), plot()->axisRect()->top() + 20);
  const QPoint to(right.right(), plot()->axisRect()->bottom() - 20);
  QTest::mousePress(plot(), Qt::LeftButton, Qt::ShiftModifier, from);
  QTest::mouseMove(plot(), (from + to) / 2);
  QTest::mouseMove(plot(), to);
  QTest::mouseRelease(plot(), Qt::LeftButton, Qt::ShiftModifier, to);
  QVERIFY(plot()->xAxis->range().lower > 9 && plot()->xAxis->range().lower < 10);
  QVERIFY(plot()->xAxis->range().upper > 20 && plot()->xAxis->range().upper < 21);
}

void TestCostPerspective::logarithmicAxisTakesNoStacks() {
  openExample();
  auto* stacked = find<QCheckBox>("stacked");
  QVERIFY(plot()->yAxis->scaleType() == QCPAxis::stLogarithmic);
  plot()->replot();
  // At 1, 2 and 5 of every decade, with their units.
  QVERIFY(plot()->yAxis->tickVectorLabels().contains("2 s"));
  QVERIFY(plot()->yAxis->tickVectorLabels().contains("5 s"));
  find<QCheckBox>("logarithmic")->click();
  const int entries = plot()->legend->itemCount();
  stacked->click();
  // The legend says what the stripes are.
  QCOMPARE(plot()->legend->itemCount(), entries + 1);
  plot()->replot();
  const QImage linear = plot()->grab().toImage();
  find<QCheckBox>("logarithmic")->click();
  QVERIFY(!stacked->isChecked());
  QVERIFY(!stacked->isEnabled());
  plot()->replot();
  QVERIFY(plot()->yAxis->scaleType() == QCPAxis::stLogarithmic);
  QVERIFY(plot()->grab().toImage() != linear);
  find<QCheckBox>("logarithmic")->click();
  QVERIFY(stacked->isEnabled());
}

void TestCostPerspective::followsTheTheme() {
  openExample();
  const QPoint corner = plot()->axisRect()->topLeft() + QPoint(4, 4);
  for (const auto scheme : {Theme::Scheme::Dark, Theme::Scheme::Light}) {
    Theme::apply(scheme);
    QTRY_COMPARE(plot()->grab().toImage().pixelColor(corner), Theme::surface());
    QCOMPARE(plot()->yAxis->labelColor(), Theme::text());
  }
}

void TestCostPerspective::exports_data() {
  QTest::addColumn<QString>("suffix");
  for (const char* suffix : {"png", "svg", "pdf", "csv"}) QTest::newRow(suffix) << suffix;
}

void TestCostPerspective::exports() {
  QFETCH(QString, suffix);
  openExample();
  QTemporaryDir dir;
  const QSize size = plot()->size();
  const QString path = dir.filePath("costs." + suffix);
  exportTo(suffix, path);
  QVERIFY2(find<QLabel>("costMessage")->text().contains(path), qPrintable(find<QLabel>("costMessage")->text()));
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QByteArray content = file.readAll();
  if (suffix == "png") {
    // Two pixels for one, below title, question and model.
    const QSize written = QImage::fromData(content).size();
    QCOMPARE(written.width(), 2 * size.width());
    QVERIFY(written.height() > 2 * size.height() + 40 && written.height() < 2 * size.height() + 300);
  } else if (suffix == "svg") {
    QSvgRenderer renderer(content);
    QVERIFY(renderer.isValid());
    QCOMPARE(renderer.viewBox().width(), size.width());
    QVERIFY(renderer.viewBox().height() > size.height());
    QVERIFY(content.contains("Predicted costs of all programs") && content.contains("paper model"));
  } else if (suffix == "pdf") {
    QVERIFY(content.startsWith("%PDF"));
    QVERIFY(content.trimmed().endsWith("%%EOF"));
  } else {
    QCOMPARE(content.toStdString(), costCsv(*m_session->exploration(), plot()->bars()));
  }
}

void TestCostPerspective::exportErrorsStayInline() {
  openExample();
  exportTo("png", "/nonexistent/costs.png");
  const QString text = find<QLabel>("costMessage")->text();
  QVERIFY2(text.startsWith("✗") && text.contains("/nonexistent/costs.png"), qPrintable(text));
}

void TestCostPerspective::tabsSwitchAndAreRemembered() {
  openExample();
  auto* tabs = find<QTabBar>("costViews");
  auto* curves = find<QWidget>("sweepPlot");
  auto* map = find<QWidget>("mapPlot");
  QVERIFY(!curves->isVisible());
  m_view->setFocus();
  QTest::keyClick(plot(), Qt::Key_3, Qt::AltModifier);
  QTRY_VERIFY(curves->isVisible());
  QVERIFY(!plot()->isVisible());
  QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(3).center());
  QTRY_VERIFY(map->isVisible());
  QTRY_VERIFY(m_session->jobs().running().empty());
  const auto again = test::shown<CostPerspective>(*m_session, {1200, 720});
  QVERIFY(again);
  QCOMPARE(test::childOf<QTabBar>(*again, "costViews").currentIndex(), 3);
  QTRY_VERIFY(m_session->jobs().running().empty());
}

// The time that no program can be below is written where no bar stands.
void TestCostPerspective::limitLabelKeepsOffTheBars() {
  openExample();
  const auto check = [this] {
    plot()->replot();
    const QList<QRectF> labels = plot()->limitLabels();
    QVERIFY(!labels.isEmpty());
    for (const QRectF& label : labels) {
      QVERIFY(QRectF(plot()->rect()).contains(label));
      for (int bar = 0; bar < int(plot()->bars().size()); ++bar) QVERIFY(!plot()->rectOf(bar).intersects(label));
    }
  };
  check();
  find<QComboBox>("costOrder")->setCurrentIndex(1);
  check();
}

QTEST_MAIN(TestCostPerspective)
#include "tst_cost_perspective.moc"
