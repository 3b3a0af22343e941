// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "text/text_file.h"
#include "views/common/plot_export.h"
#include "views/common/save_dialog.h"
#include "views/common/theme.h"
#include "views/cost/best_figure.h"
#include "views/cost/cost_plot.h"
#include "views/shell/examples.h"

using namespace p2;
using namespace p2::views;

/// Figures for print: their width on paper, the size of their text, and nothing that belongs into a caption.
class TestFigures : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    Theme::apply(Theme::Scheme::Light);
    m_exploration = test::valueOf(exploreWorkspace(test::valueOf(readExample("a100-4x16")), {}));
    QVERIFY(m_folder.isValid());
  }
  void init() { test::failOnWarnings(); }

  void widthsAndTexts_data() {
    QTest::addColumn<double>("millimetres");
    QTest::addColumn<double>("points");
    for (const double millimetres : {85.0, 180.0}) {
      for (const double points : {7.0, 8.0, 9.0}) {
        QTest::addRow("%g mm, %g pt", millimetres, points) << millimetres << points;
      }
    }
  }
  void widthsAndTexts() {
    QFETCH(double, millimetres);
    QFETCH(double, points);
    const FigureStyle style{millimetres, points, true, true};
    const BestFigure figure(m_exploration, style, "Title");
    ExportedPlot exported;
    exported.style = style;
    exported.size = figure.size();
    exported.paint = [figure](QPainter& painter) { figure.paint(painter); };
    const QString svg = written(exported, "figure.svg");
    static const QRegularExpression kWidth("width=\"([0-9.]+)mm\"");
    QVERIFY2(std::abs(kWidth.match(svg).captured(1).toDouble() - millimetres) < 0.3, qPrintable(svg.left(300)));
    const QString pdf = written(exported, "figure.pdf");
    static const QRegularExpression kBox("/MediaBox \\[0 0 ([0-9.]+) ");
    QVERIFY2(std::abs(kBox.match(pdf).captured(1).toDouble() / 72 * 25.4 - millimetres) < 0.5, "MediaBox");
    // Text of the screen's size, scaled by the transformation around it.
    static const QRegularExpression kScale("transform=\"matrix\\(([0-9.]+),0,0,([0-9.]+),");
    double least = 1e9;
    for (auto match = kScale.globalMatch(svg); match.hasNext();) {
      least = std::min(least, match.next().captured(1).toDouble());
    }
    QVERIFY2(std::abs(least - std::min(1.0, style.scale())) < 0.01, qPrintable(QString::number(least)));
    QVERIFY(svg.contains("<text"));
    QVERIFY(std::abs(style.scale() * FigureStyle::screenPoints() - points) < 1e-9);
    // No sentence.
    static const QRegularExpression kText("<text[^>]*>([^<]*)</text>");
    for (auto match = kText.globalMatch(svg); match.hasNext();) {
      const QString text = match.next().captured(1).simplified();
      QVERIFY2(text.count(' ') < 4, qPrintable(text));
    }
  }

  void theAxisIsLogarithmicAndHoldsAllBars() {
    const BestFigure figure(m_exploration, {85, 8, false, false}, {});
    for (const double end : {figure.from(), figure.to()}) {
      QVERIFY(std::abs(std::log10(end) - std::round(std::log10(end))) < 1e-9);
    }
    for (const BestRow& row : bestRows(*m_exploration)) {
      QVERIFY(row.best > figure.from() && row.single <= figure.to());
    }
  }

  // A table may have millions of rows: pictures and previews do without it.
  void tablesAreMadeWhenTheyAreWritten() {
    CostPlot plot;
    plot.resize(900, 500);
    int made = 0;
    ExportedPlot exported{&plot, [&made] { return ++made, std::string("a,b\n1,2\n"); }, "Title"};
    exported.style = {85, 8, false, true};
    QVERIFY(!figurePixmap(exported).isNull());
    QVERIFY(!written(exported, "lazy.svg").isEmpty());
    QCOMPARE(made, 0);
    QCOMPARE(written(exported, "lazy.csv"), QString("a,b\n1,2\n"));
    QCOMPARE(made, 1);
  }

  void plotsAreLaidOutForTheirWidth() {
    CostPlot plot;
    plot.resize(900, 500);
    ExportedPlot exported{&plot, [] { return std::string("a\n"); }, "Title"};
    exported.subtitle = "A sentence that stands below the title on the screen.";
    exported.style = {85, 8, false, true};
    const QSizeF narrow = figureMillimetres(exported);
    QVERIFY2(std::abs(narrow.width() - 85) < 0.3, qPrintable(QString::number(narrow.width())));
    QVERIFY(!written(exported, "plot.svg").contains("A sentence"));
    exported.style.millimetres = 180;
    QVERIFY(std::abs(figureMillimetres(exported).width() - 180) < 0.3);
    QVERIFY(!figurePixmap(exported).isNull());
    QCOMPARE(plot.size(), QSize(900, 500));
  }

  void fileNamesAreThoseOfEveryShell() {
    QCOMPARE(plainFileName("RS·AG"), QString("RS-AG"));
    QCOMPARE(plainFileName("AllReduce·node∥root → x"), QString("AllReduce-node-root-x"));
    QCOMPARE(plainFileName("a100-4x16.p2"), QString("a100-4x16.p2"));
    QCOMPARE(plainFileName("·"), QString("untitled"));
  }

 private:
  QString written(const ExportedPlot& exported, const char* name) {
    const QString path = m_folder.filePath(name);
    const auto done = exportPlot(exported, path);
    if (!done.ok()) return {};
    return QString::fromLatin1(QByteArray::fromStdString(test::valueOf(readTextFile(path.toStdString()))));
  }

  std::shared_ptr<const Exploration> m_exploration;
  QTemporaryDir m_folder;
};

QTEST_MAIN(TestFigures)
#include "tst_figures.moc"
