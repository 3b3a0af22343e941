// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "explore/sweep_csv.h"
#include "support/fixtures.h"
#include "views/common/figure_slider.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/sweep/map_plot.h"
#include "views/sweep/sweep_page.h"
#include "views/sweep/sweep_plot.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;

namespace {

constexpr int kLong = 60'000;  // milliseconds for the whole atlas, without optimisation

}  // namespace

class TestSweepPage : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void crossoversAreMarked();
  void hoverTellsThePoint();
  void clickChoosesInTheDocument();
  void keysWalkAndChoose();
  void partsAreApart();
  void sweepsOverLinksAndNodes();
  void rangesAreChecked();
  void sliderMovesTheCurve();
  void slidersApplyAsAnEdit();
  void mapChoosesToo();
  void mapRefusesNodes();
  void measuredPointsAppear();
  void madeUpMachinesHaveNoMeasurements();
  void qualityShowsThreeBands();
  void stoppedIsFoundAgain();
  void problemsStandInline();
  void followsTheTheme();
  void exports_data();
  void exports();

 private:
  template <class T>
  T* find(const char* name) {
    return &test::childOf<T>(*m_view, name);
  }
  SweepPlot* plot() { return find<SweepPlot>("sweepPlot"); }
  MapPlot* map() { return find<MapPlot>("mapPlot"); }
  void open(const char* system, const char* axes, const char* reduce);
  void waitForCurves();
  void waitForMap();
  void choose(const char* combo, int index);
  void type(const char* edge, const QString& text);

  std::unique_ptr<Session> m_session;
  std::unique_ptr<SweepPage> m_view;
};

void TestSweepPage::initTestCase() {
  QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support propagateSizeHints).*"));
  Theme::apply(Theme::Scheme::Light);
}

void TestSweepPage::init() {
  QSettings().clear();
  m_session = std::make_unique<Session>();
  m_view = test::shown<SweepPage>(*m_session, {1300, 720});
  QVERIFY(m_view);
}

void TestSweepPage::cleanup() {
  m_view.reset();
  m_session.reset();
}

void TestSweepPage::open(const char* system, const char* axes, const char* reduce) {
  Workspace workspace = test::workspaceOf(system, axes, reduce);
  workspace.options.cost.model = "nccl";
  workspace.options.cost.algorithm = Algorithm::Auto;
  m_session->reset(workspace);
  QTRY_VERIFY(m_session->isCurrent());
  waitForCurves();
}

void TestSweepPage::waitForCurves() {
  QTRY_VERIFY(m_session->jobs().running().empty());
  QTRY_VERIFY(plot()->sweep() && plot()->sweep()->workspace.axes == m_session->workspace()->axes);
  plot()->replot();
}

void TestSweepPage::waitForMap() {
  QTRY_VERIFY(map()->isVisible() && map()->map() && m_session->jobs().running().empty());
  map()->replot();
}

void TestSweepPage::choose(const char* combo, int index) {
  auto* box = find<QComboBox>(combo);
  box->setFocus();
  QTest::keyClick(box, Qt::Key_Home);
  for (int i = 0; i < index; ++i) QTest::keyClick(box, Qt::Key_Down);
  QCOMPARE(box->currentIndex(), index);
}

void TestSweepPage::type(const char* edge, const QString& text) {
  auto* line = find<QLineEdit>(edge);
  line->setFocus();
  line->selectAll();
  QTest::keyClicks(line, text);
  QTest::keyClick(line, Qt::Key_Return);
}

void TestSweepPage::crossoversAreMarked() {
  open("alps-gh200:4", "16", "0");
  const auto& crossovers = plot()->sweep()->crossovers;
  QVERIFY(crossovers.size() >= 2);
  QCOMPARE(plot()->crossoverTexts().size(), qsizetype(crossovers.size()));
  for (const QString& text : plot()->crossoverTexts()) {
    QVERIFY2(text.startsWith("above ") && text.endsWith(" wins"), qPrintable(text));
  }
  const QString finding = find<QLabel>("sweepFinding")->text();
  QVERIFY2(finding.contains(plot()->crossoverTexts()[0]), qPrintable(finding));
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

void TestSweepPage::sliderMovesTheCurve() {
  open("gcp-a100:4", "4,16", "0");
  find<QCheckBox>("sweepLinks")->click();
  auto* slider = find<FigureSlider>("bandwidth-1");
  QTRY_VERIFY(slider->isVisible());
  const Workspace before = *m_session->workspace();
  const double seconds = plot()->sweep()->points.back().best.seconds;
  slider->setFocus();
  QTest::keyClick(slider, Qt::Key_PageUp);
  QTRY_VERIFY(plot()->sweep()->points.back().best.seconds < seconds);
  QVERIFY(*m_session->workspace() == before);
  QVERIFY(find<QLabel>("sweepFinding")->text().startsWith("With other links: "));
  QVERIFY(slider->figure() > 270e9);
  QTest::mouseDClick(slider, Qt::LeftButton);
  QTRY_COMPARE(plot()->sweep()->points.back().best.seconds, seconds);
  // Many moves in a row end at the last one.
  for (int i = 0; i < 30; ++i) QTest::keyClick(slider, Qt::Key_Right);
  const double last = slider->figure();
  QTRY_COMPARE(plot()->sweep()->workspace.system.levels[1].interconnect.bandwidth, last);
  QTest::mouseClick(find<QPushButton>("resetLinks"), Qt::LeftButton);
  QTRY_COMPARE(plot()->sweep()->points.back().best.seconds, seconds);
  QVERIFY(!find<QPushButton>("resetLinks")->isEnabled());
}

void TestSweepPage::slidersApplyAsAnEdit() {
  open("gcp-a100:4", "4,16", "0");
  find<QCheckBox>("sweepLinks")->click();
  auto* slider = find<FigureSlider>("latency-1");
  slider->setFocus();
  for (int i = 0; i < 10; ++i) QTest::keyClick(slider, Qt::Key_PageUp);
  QCOMPARE(slider->figure(), 1e-6);
  QTest::mouseClick(find<QPushButton>("applyLinks"), Qt::LeftButton);
  QCOMPARE(m_session->workspace()->system.levels[1].interconnect.latency, 1e-6);
  QVERIFY(!find<QPushButton>("applyLinks")->isEnabled());
  QCOMPARE(m_session->undoStack().count(), 1);
  m_session->undoStack().undo();
  QCOMPARE(m_session->workspace()->system.levels[1].interconnect.latency, 0.0);
}

void TestSweepPage::mapChoosesToo() {
  open("gcp-a100:2", "data=8,model=4", "data");
  m_view->showMap(true);
  waitForMap();
  const SweepMap& shown = *map()->map();
  QCOMPARE(shown.placements.size(), m_session->exploration()->placements.size());
  QVERIFY(shown.placements.size() >= 2);
  const int row = int(shown.placements.size()) - 1;
  const QPoint at = map()->rectOf(row, 30).center().toPoint();
  QTest::mouseMove(map(), at);
  QTRY_COMPARE(find<QLabel>("sweepDetail")->text(), map()->textOf(row, 30));
  QTest::mouseClick(map(), Qt::LeftButton, {}, at);
  const SweepChoice& best = shown.at(std::size_t(row), 30).best;
  QCOMPARE(m_session->workspace()->matrix, best.matrix);
  QCOMPARE(m_session->workspace()->program, programText(*best.hierarchy, best.program));
  map()->setFocus();
  QTest::keyClick(map(), Qt::Key_Up);
  QTest::keyClick(map(), Qt::Key_Return);
  QCOMPARE(m_session->workspace()->matrix, shown.placements[std::size_t(row) - 1]);
}

void TestSweepPage::mapRefusesNodes() {
  open("gcp-a100:2", "data=8,model=4", "data");
  m_view->showMap(true);
  waitForMap();
  choose("sweepOver", 1);
  auto* message = find<QLabel>("sweepMessage");
  QTRY_VERIFY2(message->isVisible() && message->text().contains("every number of nodes"), qPrintable(message->text()));
}

void TestSweepPage::measuredPointsAppear() {
  open("dgx-a100:2", "16", "0");
  auto* tables = find<QComboBox>("measuredTable");
  QTRY_VERIFY(tables->isVisible());
  QTRY_VERIFY(plot()->measuredCount() > 5);
  QVERIFY2(tables->currentText().contains("2 nodes × 8"), qPrintable(tables->currentText()));
  plot()->replot();
  const int count = plot()->measuredCount();
  const QPointF at = plot()->pixelOfMeasured(count - 1);
  if (plot()->axisRect()->rect().contains(at.toPoint())) {
    QTest::mouseMove(plot(), at.toPoint());
    QTRY_VERIFY(find<QLabel>("sweepDetail")->text().startsWith("measured: "));
  }
  tables->setFocus();
  QTest::keyClick(tables, Qt::Key_End);
  QCOMPARE(tables->currentText(), QString("no measurements"));
  QCOMPARE(plot()->measuredCount(), 0);
}

void TestSweepPage::madeUpMachinesHaveNoMeasurements() {
  open("node:3@1GB/s gpu:5@3GB/s", "15", "0");
  auto* nothing = find<QLabel>("measuredNothing");
  QTRY_VERIFY(nothing->isVisible());
  QVERIFY(nothing->text().startsWith("Nobody has published measurements of a machine like this"));
  QCOMPARE(plot()->measuredCount(), 0);
  QVERIFY(!find<QComboBox>("measuredTable")->isVisible());
}

void TestSweepPage::qualityShowsThreeBands() {
  open("dgx-a100:2", "16", "0");
  QTest::mouseClick(find<QPushButton>("qualityButton"), Qt::LeftButton);
  auto* bands = find<QTableWidget>("qualityBands");
  QTRY_VERIFY_WITH_TIMEOUT(bands->isVisible(), kLong);
  QCOMPARE(bands->rowCount(), 3);
  for (int row = 0; row < 3; ++row) {
    QVERIFY(!bands->item(row, 0)->text().isEmpty());
    QVERIFY2(bands->item(row, 2)->text().endsWith(" %"), qPrintable(bands->item(row, 2)->text()));
    QVERIFY(bands->item(row, 3)->text().endsWith(" %"));
  }
  QVERIFY(find<QLabel>("qualityFinding")->text().startsWith("On machines like this one"));
  const QString sizes = bands->item(2, 1)->text();
  QTest::mouseClick(find<QCheckBox>("onlyAllReduce"), Qt::LeftButton, {},
                    {8, find<QCheckBox>("onlyAllReduce")->height() / 2});
  QTRY_VERIFY_WITH_TIMEOUT(bands->item(2, 1)->text() != sizes, kLong);
  find<QDialog>("qualityDialog")->close();
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
