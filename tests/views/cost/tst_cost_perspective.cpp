// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>

#include "views/cost/best_bars.h"
#include "views/cost/best_model.h"
#include "views/cost/best_picture.h"
#include "views/cost/cost_desk.h"

using namespace p2;
using namespace p2::views;

class TestCostPerspective : public QObject, private test::CostDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }
  void emptyPageLeadsToWhereItIsMended();
  void showsEveryProgram();
  void showsTheUnmodelledEffects();
  void saysWhatTheIntervalsLeaveOpen();
  void theBestOfEveryPlacementComesFirst();
  void whatTheBestDoesToOthersIsSaid();
  void bestByPlacementExports();
  void manyPlacementsAreColouredByLevel();
  void sorts();
  void showsTheSelectedPlacementOnly();
  void followsTheTheme();
  void exports_data();
  void exports();
  void exportErrorsStayInline();
  void tabsSwitchAndAreRemembered();
};

void TestCostPerspective::emptyPageLeadsToWhereItIsMended() {
  Workspace wrong = test::workspaceOf("node:2 gpu:4", "data=8", "data");
  wrong.axes[0].size = 7;
  m_session->reset(wrong);
  QTRY_VERIFY(find<QPushButton>("emptyButton")->isVisible());
  QSignalSpy wanted(m_view.get(), &Perspective::perspectiveWanted);
  QTest::mouseClick(find<QPushButton>("emptyButton"), Qt::LeftButton);
  QCOMPARE(wanted[0][0].toString(), QString("placements"));
  wrong.system.levels[0].count = 0;
  m_session->reset(wrong);
  QTRY_VERIFY(m_session->problem().has_value() && m_session->problem()->where.part.starts_with("/system"));
  QTRY_COMPARE(find<QPushButton>("emptyButton")->text(), QString("Go to the system"));
  QTest::mouseClick(find<QPushButton>("emptyButton"), Qt::LeftButton);
  QCOMPARE(wanted.last()[0].toString(), QString("system"));
}

void TestCostPerspective::showsEveryProgram() {
  openExample();
  QCOMPARE(plot()->bars().size(), std::size_t(m_session->exploration()->programCount.clamped64()));
  QCOMPARE(find<QLabel>("costDetail")->text(), QString("%1 programs").arg(plot()->bars().size()));
}

// On every page, and of what is shown there: here PAT, of which there are no public measurements.
void TestCostPerspective::showsTheUnmodelledEffects() {
  Workspace workspace = test::workspaceOf("node:64@50GB/s,3us gpu:1", "64", "0");
  workspace.options.cost.model = "nccl";
  workspace.options.cost.algorithm = Algorithm::Auto;
  workspace.options.goal = kAllGatherGoal;
  workspace.options.cost.bytes = Bytes(65536);
  m_session->reset(workspace);
  QTRY_VERIFY(m_session->isCurrent());
  auto* stated = find<QLabel>("costLeftOut");
  for (const char* page : {"showBestAction", "showBarsAction", "showBySizeAction", "showMapAction"}) {
    find<QAction>(page)->trigger();
    QTRY_VERIFY2(stated->text().contains("measurements of pat"), page);
    QVERIFY(stated->isVisible() && stated->text().startsWith("Not modelled by the nccl model: "));
  }
  m_session->reset(test::workspaceOf("gcp-a100:2", "data=8,model=4", "data"));
  QTRY_VERIFY(stated->text().startsWith("Not modelled by the paper model: several rings, trees or NICs per group; "));
}

// Four nodes with four NICs a node for eight GPUs: the program is predicted to gain a sixth, the interval is wider.
void TestCostPerspective::saysWhatTheIntervalsLeaveOpen() {
  Workspace workspace = test::workspaceOf("aws-p4d:4", "data=32", "data");
  workspace.options.cost.model = "nccl";
  workspace.options.cost.algorithm = Algorithm::Auto;
  workspace.options.cost.bytes = Bytes(1 << 24);
  m_session->reset(workspace);
  QTRY_VERIFY(m_session->isCurrent());
  const auto* finding = find<QLabel>("bestFinding");
  QTRY_VERIFY2(finding->text().contains("≈ By the intervals one AllReduce on A may be as fast."),
               qPrintable(finding->text()));
  workspace.options.cost.bytes = Bytes(1 << 22);
  m_session->edit("Bytes", workspace);
  QTRY_VERIFY(m_session->isCurrent());
  QTRY_VERIFY2(!finding->text().contains(u'≈'), qPrintable(finding->text()));
}

// What decides comes first: a row for every placement, the fastest on top, with what frameworks do.
void TestCostPerspective::theBestOfEveryPlacementComesFirst() {
  m_session->reset(test::workspaceOf("gcp-a100:4", "data=8,model=2,shards=4", "data,shards"));
  QTRY_VERIFY(m_session->isCurrent());
  auto* table = find<QTableView>("bestTable");
  QTRY_VERIFY(table->isVisible());
  QCOMPARE(table->model()->rowCount(), 5);
  QCOMPARE(test::cellText(*table, 0, BestModel::Name), QStringLiteral("★ B"));
  QVERIFY2(test::cellText(*table, 0, BestModel::Program).contains("ReduceScatter inside each node"),
           qPrintable(test::cellText(*table, 0, BestModel::Program)));
  const QString finding = find<QLabel>("bestFinding")->text();
  QVERIFY2(finding.startsWith("★ B is best: RS in node → AR across nodes → AG in node takes 2.83 s"),
           qPrintable(finding));
  QVERIFY2(finding.contains("E with one AllReduce, takes 10.4 s, 3.67× slower"), qPrintable(finding));
  QVERIFY(finding.contains("No program takes less than 2.68 s"));
  // As long as their times, AllReduce below.
  const auto& rows = static_cast<const BestModel&>(*table->model()).rows();
  const BestBars best = bestBarsIn(QRectF(0, 0, 800, 40), rows[0], 10.4);
  const BestBars last = bestBarsIn(QRectF(0, 0, 800, 40), rows[4], 10.4);
  QVERIFY(std::abs(last.best.width() / best.best.width() - rows[4].best / rows[0].best) < 1e-6);
  QVERIFY(best.single.top() > best.best.bottom() && best.single.width() > best.best.width());
  QVERIFY(best.limit > 0 && best.limit < best.best.right());
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Down);
  QCOMPARE(m_session->placementIndex(), rows[1].placement);
  QSignalSpy wanted(m_view.get(), &Perspective::perspectiveWanted);
  QTest::keyClick(table, Qt::Key_Return);
  QCOMPARE(wanted.count(), 1);
  QCOMPARE(wanted[0][0].toString(), QString("programs"));
}

// The best for one reduction is not called best without what it does to the rest of the step.
void TestCostPerspective::whatTheBestDoesToOthersIsSaid() {
  m_session->reset(test::workspaceOf("dgx-h100:32", "data=32,tensor=8", "data"));
  QTRY_VERIFY(m_session->isCurrent());
  find<QAction>("showBestAction")->trigger();
  auto* guard = find<QLabel>("bestStepGuard");
  QTRY_VERIFY(guard->isVisible() && guard->text().contains("The best one makes tensor communicate across nodes"));
  QSignalSpy wanted(m_view.get(), &Perspective::perspectiveWanted);
  emit guard->linkActivated("workload");
  QCOMPARE(wanted.count(), 1);
  QCOMPARE(wanted[0][0].toString(), QString("workload"));
  emit guard->linkActivated("2");
  QCOMPARE(m_session->placementIndex(), 2);
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

QTEST_MAIN(TestCostPerspective)
#include "tst_cost_perspective.moc"
