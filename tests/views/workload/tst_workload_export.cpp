// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QToolButton>

#include "base/numbers.h"
#include "tests/views/workload/workload_desk.h"
#include "views/workload/ranking_picture.h"
#include "views/workload/ranking_tables.h"
#include "views/workload/tradeoff_plot.h"
#include "views/workload/workload_edits.h"

using namespace p2;
using namespace p2::views;

/// What is shown of a ranking, written to files.
class TestWorkloadExport : public QObject, private test::WorkloadDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }
  void writesEveryView_data();
  void writesEveryView();
  void theTableSaysWhatTheRankingSays();
  void breakEvensAreATable();
  void errorsStayInline();
  void thePictureStandsByItself();
  void manyPlacementsAreCounted();

 private:
  void exportTo(const char* suffix, const QString& path, const char* name);
  QByteArray exported(const char* suffix, const char* name);
  static std::shared_ptr<const StepRanking> rankingOf(const Workspace& workspace) {
    return test::valueOf(rankSteps(stepQuestionOf(workspace, *workspace.workload)));
  }

  QTemporaryDir m_folder;
};

void TestWorkloadExport::exportTo(const char* suffix, const QString& path, const char* name) {
  auto* button = find<QToolButton>("workloadExportButton");
  QVERIFY(button->isVisible());
  find<QAction>(qPrintable(QString("workloadExport-") + suffix))->trigger();
  auto* dialog = find<QFileDialog>("workloadExportDialog");
  QTRY_VERIFY(dialog->isVisible());
  const QString suggested = dialog->selectedFiles().value(0);
  QVERIFY2(suggested.endsWith(QString("%1.%2").arg(name, suffix)), qPrintable(suggested));
  dialog->selectFile(path);
  QMetaObject::invokeMethod(dialog, "accept");
  QTRY_VERIFY(find<QLabel>("workloadMessage")->isVisible());
}

QByteArray TestWorkloadExport::exported(const char* suffix, const char* name) {
  const QString path = m_folder.filePath(QString("%1-%2.%3").arg(QTest::currentDataTag(), name, suffix));
  exportTo(suffix, path, name);
  if (!stated("workloadMessage").contains(path)) return {};
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestWorkloadExport::writesEveryView_data() {
  QTest::addColumn<int>("tab");
  QTest::addColumn<QByteArray>("name");
  QTest::newRow("ranking") << 0 << QByteArray("ranking");
  QTest::newRow("trade-off") << 1 << QByteArray("trade-off");
  QTest::newRow("break-evens") << 2 << QByteArray("break-evens");
}
void TestWorkloadExport::writesEveryView() {
  QFETCH(int, tab);
  QFETCH(QByteArray, name);
  open(test::trainingStep());
  QTest::keyClick(view.get(), Qt::Key(Qt::Key_1 + tab), Qt::AltModifier);
  // From here on the sentence that says so takes its room.
  exportTo("svg", m_folder.filePath(name + "-first.svg"), name);
  const QImage picture = QImage::fromData(exported("png", name));
  QVERIFY(picture.width() >= 800 && picture.height() >= 300);
  QSvgRenderer drawing(exported("svg", name));
  QVERIFY(drawing.isValid());
  // Two pixels for one of the drawing.
  QCOMPARE(2 * drawing.viewBox().size(), picture.size());
  const QByteArray page = exported("pdf", name);
  QVERIFY(page.startsWith("%PDF") && page.trimmed().endsWith("%%EOF"));
  QVERIFY(exported("csv", name).contains("[[32,1],[1,8]]"));
}

void TestWorkloadExport::theTableSaysWhatTheRankingSays() {
  open(test::trainingStep());
  const auto ranking = rankingOf(*session->workspace());
  const QStringList lines = QString::fromUtf8(exported("csv", "ranking")).split("\r\n", Qt::SkipEmptyParts);
  QCOMPARE(lines.size(), 1 + qsizetype(ranking->placements.size()));
  QVERIFY2(lines[0].endsWith("orders,layer weights seconds,gradients seconds,gathered activations seconds,summed "
                             "activations seconds"),
           qPrintable(lines[0]));
  for (std::size_t row = 0; row < ranking->placements.size(); ++row) {
    const PlacementStep& placement = ranking->placements[row];
    const QString begin = QString("%1,\"%2\",%3,")
                              .arg(row + 1)
                              .arg(QString::fromStdString(placement.matrix.text()),
                                   QString::fromStdString(exactNumber(placement.stepSeconds)));
    QVERIFY2(lines[qsizetype(row) + 1].startsWith(begin), qPrintable(lines[qsizetype(row) + 1]));
    const auto nic = busiestBetweenNodes(*ranking, placement);
    QVERIFY(nic.has_value());
    QVERIFY(lines[qsizetype(row) + 1].contains(QString::fromStdString(exactNumber(nic->bytes))));
  }
}

void TestWorkloadExport::breakEvensAreATable() {
  const auto ranking = rankingOf(test::trainingStep());
  const auto answer = breakEvens(*ranking);
  QVERIFY(answer.has_value());
  const QStringList lines = QString::fromStdString(breakEvenCsv(*ranking, *answer)).split("\r\n", Qt::SkipEmptyParts);
  QCOMPARE(lines.size(), 5);
  QVERIFY2(lines[1].startsWith("tensor,data,0,0,"), qPrintable(lines[1]));
  QVERIFY2(qFuzzyCompare(lines[4].section(',', 2, 2).toDouble(), 4.0), qPrintable(lines[4]));
  QVERIFY2(lines[4].endsWith("\"[[32,1],[1,8]]\""), qPrintable(lines[4]));
}

void TestWorkloadExport::errorsStayInline() {
  open(test::trainingStep());
  exportTo("png", "/nonexistent/ranking.png", "ranking");
  QVERIFY2(stated("workloadMessage").startsWith("✗ ") && stated("workloadMessage").contains("/nonexistent/ranking.png"),
           qPrintable(stated("workloadMessage")));
}

void TestWorkloadExport::thePictureStandsByItself() {
  const auto ranking = rankingOf(test::trainingStep());
  const RankingPicture picture(ranking, reductionWinner(*ranking, nullptr), 1000);
  QImage image(picture.size(), QImage::Format_RGB32);
  image.fill(Qt::magenta);
  QPainter painter(&image);
  picture.paint(painter);
  painter.end();
  // All of it is painted, and the bars carry the colours of all four entries.
  std::array<int, 4> found{};
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      const QColor pixel = image.pixelColor(x, y);
      QVERIFY(pixel != QColor(Qt::magenta));
      for (int entry = 0; entry < 4; ++entry) found[std::size_t(entry)] += pixel == Theme::category(entry) ? 1 : 0;
    }
  }
  for (const int count : found) QVERIFY(count > 100);
  // Without a ranking there is a sentence.
  QVERIFY(RankingPicture(nullptr, std::nullopt, 1000).size().height() > 0);
}

void TestWorkloadExport::manyPlacementsAreCounted() {
  Workspace workspace = test::trainingStep();
  workspace.system = test::valueOf(parseSystem("rack:8 node:8 gpu:8"));
  workspace.axes = test::valueOf(withReduction(test::valueOf(parseAxes("data=16,pipe=4,tensor=8")), "data"));
  workspace.workload->axes = test::valueOf(parseAxes("data=16,pipe=4,tensor=8"));
  const auto ranking = rankingOf(workspace);
  QVERIFY(ranking->placements.size() > 40);
  const RankingPicture all(ranking, std::nullopt, 1000);
  const RankingPicture few(rankingOf(test::trainingStep()), std::nullopt, 1000);
  QVERIFY(all.size().height() > 4 * few.size().height());
  // Forty rows, and no more however many there are.
  QVERIFY(all.size().height() < 45 * 120);
  QCOMPARE(QString::fromStdString(rankingCsv(*ranking)).count("\r\n"), 1 + qsizetype(ranking->placements.size()));
}

QTEST_MAIN(TestWorkloadExport)
#include "tst_workload_export.moc"
