// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QFileDialog>
#include <QLabel>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QToolButton>

#include "explore/sweep_csv.h"
#include "views/plot_items.h"
#include "views/sweep/map_cells.h"
#include "views/sweep/sweep_desk.h"

using namespace p2;
using namespace p2::views;

class TestSweepPage : public QObject, private test::SweepDesk {
  Q_OBJECT

 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }
  void crossoversAreMarked();
  void hoverTellsThePoint();
  void clickChoosesInTheDocument();
  void keysWalkAndChoose();
  void namesStandBesideOutlines();
  void partsAreApart();
  void intervalsAreShaded();
  void sweepsOverLinksAndNodes();
  void rangesAreChecked();
  void stoppedIsFoundAgain();
  void problemsStandInline();
  void followsTheTheme();
  void exports_data();
  void exports();
};

void TestSweepPage::crossoversAreMarked() {
  open("dgx2:2", "32", "0");
  const auto& crossovers = plot()->sweep()->crossovers;
  QVERIFY(crossovers.size() >= 2);
  plot()->replot();
  const QStringList texts = test::textsOn(*plot(), "^above .* wins$");
  QCOMPARE(texts.size(), qsizetype(crossovers.size()));
  const QString finding = find<QLabel>("sweepFinding")->text();
  QVERIFY2(finding.contains(texts[0]), qPrintable(finding));
}

void TestSweepPage::hoverTellsThePoint() {
  open("alps-gh200:4", "16", "0");
  const int point = 40;
  QTest::mouseMove(plot(), plot()->pixelOf(point).toPoint());
  QTRY_COMPARE(find<QLabel>("sweepDetail")->text(), plot()->textOf(point));
  QVERIFY(plot()->textOf(point).contains("AllReduce: "));
}

void TestSweepPage::clickChoosesInTheDocument() {
  open("gcp-a100:2", "data=8,model=4", "data");
  const int point = 50;
  const SweepChoice best = plot()->sweep()->points[point].best;
  QTest::mouseClick(plot(), Qt::LeftButton, {}, plot()->pixelOf(point).toPoint());
  QCOMPARE(m_session->workspace()->matrix, best.matrix);
  QCOMPARE(m_session->workspace()->program, programText(*best.hierarchy, best.program));
  m_session->undoStack().undo();
  QVERIFY(m_session->workspace()->matrix.empty());
}

// The outline of the best placement would cut a name through.
void TestSweepPage::namesStandBesideOutlines() {
  open("dgx-a100:4", "data=16,model=2", "data");
  m_view->showMap(true);
  waitForMap();
  const MapCells* cells = nullptr;
  for (int i = 0; i < map()->plottableCount() && cells == nullptr; ++i)
    cells = dynamic_cast<const MapCells*>(map()->plottable(i));
  QVERIFY(cells != nullptr);
  const std::vector<std::size_t>& best = map()->map()->bestRow;
  int edges = 0;
  for (int row = 0; row < int(map()->map()->placements.size()); ++row) {
    for (const QRectF& name : cells->namePlaces(row, map()->fontMetrics())) {
      for (int column = 1; column < int(best.size()); ++column) {
        if (best[std::size_t(column)] == best[std::size_t(column) - 1]) continue;
        ++edges;
        const double edge = cells->rectOf(row, column, column).left();
        QVERIFY2(edge <= name.left() || edge >= name.right(), qPrintable(QString("row %1, %2").arg(row).arg(edge)));
      }
    }
  }
  QVERIFY(edges > 0);
}

void TestSweepPage::keysWalkAndChoose() {
  open("alps-gh200:4", "16", "0");
  plot()->setFocus();
  for (int i = 0; i < 4; ++i) QTest::keyClick(plot(), Qt::Key_Right);
  QTest::keyClick(plot(), Qt::Key_Left);
  QCOMPARE(find<QLabel>("sweepDetail")->text(), plot()->textOf(2));
  QTest::keyClick(plot(), Qt::Key_Return);
  QCOMPARE(m_session->workspace()->matrix, plot()->sweep()->points[2].best.matrix);
}

void TestSweepPage::partsAreApart() {
  open("alps-gh200:4", "16", "0");
  const QImage together = plot()->grab().toImage();
  find<QCheckBox>("sweepParts")->click();
  plot()->replot();
  QVERIFY(plot()->grab().toImage() != together);
  QVERIFY(QSettings().value("costs/parts").toBool());
}

// Around the best lies the interval of its prediction, where the model knows how far it is off.
void TestSweepPage::intervalsAreShaded() {
  open("alps-gh200:4", "16", "0");
  const SweepPoint& point = plot()->sweep()->points[40];
  const auto* high = test::graphThat(*plot(), [](const QCPGraph& each) { return each.channelFillGraph() != nullptr; });
  QVERIFY(high != nullptr);
  const QCPGraph* low = high->channelFillGraph();
  QCOMPARE((SecondsRange{low->dataMainValue(40), high->dataMainValue(40)}), rangeOf(point.best.steps).value());
  QVERIFY(low->dataMainValue(40) < point.best.seconds && point.best.seconds < high->dataMainValue(40));
  QVERIFY(plot()->xAxis->label().contains("shaded: 80 %"));
  QVERIFY2(plot()->textOf(40).contains("–"), qPrintable(plot()->textOf(40)));
  Workspace paper = *m_session->workspace();
  paper.options.cost.model = "paper";
  paper.options.cost.algorithm = Algorithm::Ring;
  m_session->edit("Paper model", paper);
  QTRY_VERIFY(plot()->sweep()->workspace.options.cost.model == "paper");
  QVERIFY(qIsNaN(low->dataMainValue(40)));
  QVERIFY(!plot()->xAxis->label().contains("shaded"));
}

void TestSweepPage::sweepsOverLinksAndNodes() {
  open("alps-gh200:4", "16", "0");
  choose("sweepOver", 1);
  waitForCurves();
  QTRY_VERIFY(plot()->sweep()->range.over == SweepOver::Nodes);
  choose("sweepOver", 2);
  QVERIFY(find<QComboBox>("sweepLink")->isVisible());
  QTRY_VERIFY(plot()->sweep()->range.over == SweepOver::Bandwidth);
  QCOMPARE(plot()->sweep()->range.interconnect, find<QComboBox>("sweepLink")->currentText().toStdString());
  choose("sweepOver", 3);
  QTRY_VERIFY(plot()->sweep()->range.over == SweepOver::Latency);
}

void TestSweepPage::rangesAreChecked() {
  open("alps-gh200:4", "16", "0");
  auto* message = find<QLabel>("sweepMessage");
  type("sweepFrom", "much");
  QVERIFY2(message->isVisible() && message->text().contains("much"), qPrintable(message->text()));
  type("sweepFrom", "32GB");
  QVERIFY2(message->text().contains("empty range"), qPrintable(message->text()));
  type("sweepFrom", "1MB");
  QVERIFY(!message->isVisible());
  QTRY_COMPARE(plot()->sweep()->range.from, 1e6);
}

void TestSweepPage::stoppedIsFoundAgain() {
  open("gcp-a100:4", "4,16", "0");
  auto* stop = find<QToolButton>("sweepStop");
  QVERIFY(!stop->isVisible());
  choose("sweepOver", 1);
  m_session->jobs().cancelAll();
  QTRY_VERIFY(stop->isVisible());
  QCOMPARE(stop->text(), QString("Find again"));
  QVERIFY(plot()->sweep()->range.over == SweepOver::Bytes);
  QTest::mouseClick(stop, Qt::LeftButton);
  QTRY_VERIFY(plot()->sweep()->range.over == SweepOver::Nodes);
  QTRY_VERIFY(!stop->isVisible());
}

void TestSweepPage::problemsStandInline() {
  open("gcp-a100:4", "4,16", "0");
  Workspace wrong = *m_session->workspace();
  wrong.axes[0].size = 5;
  m_session->edit("axes", wrong);
  auto* message = find<QLabel>("sweepMessage");
  QTRY_VERIFY(message->isVisible());
  QVERIFY2(message->text().startsWith("✗"), qPrintable(message->text()));
  m_session->undoStack().undo();
  QTRY_VERIFY(!message->isVisible());
}

void TestSweepPage::followsTheTheme() {
  open("gcp-a100:4", "4,16", "0");
  const QPoint corner = plot()->axisRect()->bottomLeft() + QPoint(5, -5);
  for (const auto scheme : {Theme::Scheme::Dark, Theme::Scheme::Light}) {
    Theme::apply(scheme);
    QTRY_COMPARE(plot()->grab().toImage().pixelColor(corner), Theme::surface());
  }
}

void TestSweepPage::exports_data() {
  QTest::addColumn<QString>("suffix");
  QTest::addColumn<bool>("ofMap");
  for (const char* suffix : {"png", "svg", "pdf", "csv"}) {
    QTest::newRow(qPrintable(QString("curves, ") + suffix)) << suffix << false;
    QTest::newRow(qPrintable(QString("map, ") + suffix)) << suffix << true;
  }
}

void TestSweepPage::exports() {
  QFETCH(QString, suffix);
  QFETCH(bool, ofMap);
  open("gcp-a100:4", "4,16", "0");
  m_view->showMap(ofMap);
  if (ofMap) waitForMap();
  QTemporaryDir dir;
  const QSize size = ofMap ? map()->size() : plot()->size();
  const QString path = dir.filePath("by-size." + suffix);
  find<QAction>(qPrintable("sweepExport-" + suffix))->trigger();
  auto* dialog = find<QFileDialog>("sweepExportDialog");
  QTRY_VERIFY(dialog->isVisible());
  dialog->selectFile(path);
  QMetaObject::invokeMethod(dialog, "accept");
  QTRY_VERIFY(find<QLabel>("sweepMessage")->isVisible());
  QVERIFY(find<QLabel>("sweepMessage")->text().contains(path));
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QByteArray content = file.readAll();
  if (suffix == "png") {
    // Two pixels for one, below a title.
    const QSize written = QImage::fromData(content).size();
    QCOMPARE(written.width(), 2 * size.width());
    QVERIFY(written.height() > 2 * size.height());
  } else if (suffix == "svg") {
    QVERIFY(QSvgRenderer(content).isValid());
  } else if (suffix == "pdf") {
    QVERIFY(content.startsWith("%PDF"));
  } else {
    QCOMPARE(content.toStdString(), ofMap ? sweepMapCsv(*map()->map()) : sweepCsv(*plot()->sweep()));
  }
}

QTEST_MAIN(TestSweepPage)
#include "tst_sweep_page.moc"
