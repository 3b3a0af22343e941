// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <algorithm>
#include <cmath>

#include "app/explorer/every_view.h"
#include "support/warnings.h"
#include "text/text_file.h"
#include "views/common/figure_dialog.h"
#include "views/common/theme.h"

using namespace p2;

namespace {

constexpr double kPointsPerMillimetre = 72 / 25.4;

/// Content of an SVG, on paper.
struct Drawing {
  double millimetres = 0;
  QList<double> points;  ///< size of every text
  QStringList texts;
  QStringList colours;  ///< of strokes and fills, as #rrggbb
};

double scaleOf(const QString& transform) {
  static const QRegularExpression kMatrix("matrix\\(([-0-9.e]+),([-0-9.e]+),");
  const auto found = kMatrix.match(transform);
  return found.hasMatch() ? std::hypot(found.captured(1).toDouble(), found.captured(2).toDouble()) : 1;
}

Drawing drawingOf(const std::string& svg) {
  Drawing drawing;
  double perUnit = 0;  // millimetres of a unit
  QList<double> scales{1};
  QXmlStreamReader reader(QByteArray::fromStdString(svg));
  while (!reader.atEnd()) {
    const auto token = reader.readNext();
    if (token == QXmlStreamReader::EndElement) scales.removeLast();
    if (token != QXmlStreamReader::StartElement) continue;
    const QXmlStreamAttributes of = reader.attributes();
    scales << scales.last() * scaleOf(of.value("transform").toString());
    if (reader.name() == QLatin1String("svg")) {
      drawing.millimetres = of.value("width").toString().remove("mm").toDouble();
      perUnit = drawing.millimetres / of.value("viewBox").toString().section(' ', 2, 2).toDouble();
    }
    for (const char* key : {"fill", "stroke"}) {
      const QString colour = of.value(QLatin1String(key)).toString();
      if (colour.startsWith('#')) drawing.colours << colour.toLower();
    }
    if (reader.name() != QLatin1String("text")) continue;
    const double units = of.value("font-size").toDouble() * scales.last();
    drawing.points << units * perUnit * kPointsPerMillimetre;
    drawing.texts << reader.readElementText();
    scales.removeLast();
  }
  return drawing;
}

}  // namespace

/// Figures for print of every page that has them, asked for as people do, while the window is dark and its text large:
/// width, size of text, and the light colours of paper.
class TestPrintFigures : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    m_before = QApplication::font();
    QFont large = m_before;
    large.setPointSizeF(12);
    QApplication::setFont(large);
    m_view.open("llama3-70b-fsdp32-tp8", QSize(1440, 900));
    views::Theme::apply(views::Theme::Scheme::Dark);
    QVERIFY(views::Theme::isDark());
  }
  void init() { test::failOnWarnings(); }
  void cleanupTestCase() {
    m_view.desk.reset();
    views::Theme::apply(views::Theme::Scheme::Light);
    QApplication::setFont(m_before);
  }

  void widthTextAndColours_data() {
    QTest::addColumn<QString>("page");
    QTest::addColumn<QString>("action");
    QTest::addColumn<QString>("button");
    QTest::addColumn<int>("least");     // texts
    QTest::addColumn<double>("share");  // least size of a text, of the size asked for
    QTest::newRow("map of a placement") << "placements"
                                        << ""
                                        << "map" << 256 << 0.75;
    QTest::newRow("best by placement") << "costs"
                                       << "showBestAction"
                                       << "bestExport" << 20 << 0.99;
    QTest::newRow("all programs") << "costs"
                                  << "showBarsAction"
                                  << "export" << 20 << 0.99;
    QTest::newRow("by size") << "costs"
                             << "showBySizeAction"
                             << "sweepExport" << 20 << 0.99;
    QTest::newRow("best by size and placement") << "costs"
                                                << "showMapAction"
                                                << "sweepExport" << 15 << 0.99;
    QTest::newRow("cluster") << "system"
                             << ""
                             << "drawing" << 15 << 0.45;  // 8 GPUs with their NICs cannot be folded to 85 mm
    QTest::newRow("plan, table") << "plan"
                                 << "showPlanTableAction"
                                 << "planFigure" << 24 << 0.99;
    QTest::newRow("plan, map") << "plan"
                               << "showPlanMapAction"
                               << "planFigure" << 12 << 0.99;
    QTest::newRow("plan, scatter") << "plan"
                                   << "showPlanScatterAction"
                                   << "planFigure" << 8 << 0.99;
    QTest::newRow("why, waterfall") << "why"
                                    << ""
                                    << "whyWaterfallExport" << 12 << 0.99;
    QTest::newRow("why, timeline") << "why"
                                   << ""
                                   << "whyTimelineExport" << 15 << 0.75;
    QTest::newRow("why, machine") << "why"
                                  << "whyMachineAction"
                                  << "whyDetailExport" << 6 << 0.99;
    QTest::newRow("why, memory") << "why"
                                 << "whyMemoryAction"
                                 << "whyDetailExport" << 8 << 0.99;
    QTest::newRow("what if") << "whatif"
                             << ""
                             << "whatIfFigure" << 8 << 0.99;
    QTest::newRow("ranking") << "workload"
                             << "showRankingAction"
                             << "workloadExport" << 30 << 0.99;
    QTest::newRow("trade-off") << "workload"
                               << "showTradeoffAction"
                               << "workloadExport" << 12 << 0.99;
    QTest::newRow("break-evens") << "workload"
                                 << "showBreakEvensAction"
                                 << "workloadExport" << 15 << 0.99;
  }
  void widthTextAndColours() {
    QFETCH(QString, page);
    QFETCH(QString, action);
    QFETCH(QString, button);
    QFETCH(int, least);
    QFETCH(double, share);
    m_view.show(page, action);
    const QString dark = views::Theme::surface().name();
    const QString darkText = views::Theme::text().name();
    for (const double millimetres : {views::FigureStyle::kColumn, views::FigureStyle::kPage}) {
      for (const double points : {7.0, 9.0}) {
        const Drawing drawing = drawingOf(written(button, millimetres, points));
        const QString what = QStringLiteral("%1 mm, %2 pt: ").arg(millimetres).arg(points);
        QVERIFY2(std::abs(drawing.millimetres - millimetres) < 0.5,
                 qPrintable(what + QString::number(drawing.millimetres)));
        const auto [smallest, largest] = std::minmax_element(drawing.points.begin(), drawing.points.end());
        QVERIFY2(drawing.points.size() >= least, qPrintable(what + QString::number(drawing.points.size()) + " texts"));
        qInfo("%s%d texts of %.2f to %.2f", qPrintable(what), int(drawing.points.size()), *smallest / points,
              *largest / points);
        for (qsizetype i = 0; i < drawing.points.size(); ++i) {
          const QString text = what + drawing.texts[i] + ' ' + QString::number(drawing.points[i]);
          QVERIFY2(drawing.points[i] > share * points && drawing.points[i] < 1.1 * points, qPrintable(text));
          // The source of measured points is no sentence of the figure.
          if (drawing.texts[i].startsWith(QStringLiteral("✕ measured"))) continue;
          // Degrees of a plan are a list, "tp 4·pp 2", of which no part is a sentence either.
          for (const QString& part : drawing.texts[i].split(QStringLiteral("·"))) {
            QVERIFY2(part.simplified().count(' ') < 12 && !part.endsWith('.'), qPrintable(text));
          }
        }
        for (const QString& colour : {dark, darkText}) {
          QVERIFY2(!drawing.colours.contains(colour), qPrintable(what + colour));
        }
      }
    }
    // The window keeps its own look.
    QCOMPARE(views::Theme::surface().name(), dark);
  }

  void theLegendIsLeftOut_data() {
    QTest::addColumn<QString>("page");
    QTest::addColumn<QString>("action");
    QTest::addColumn<QString>("button");
    QTest::newRow("plan") << "plan"
                          << "showPlanTableAction"
                          << "planFigure";
    QTest::newRow("timeline") << "why"
                              << ""
                              << "whyTimelineExport";
    QTest::newRow("memory") << "why"
                            << "whyMemoryAction"
                            << "whyDetailExport";
    QTest::newRow("machine") << "why"
                             << "whyMachineAction"
                             << "whyDetailExport";
  }
  void theLegendIsLeftOut() {
    QFETCH(QString, page);
    QFETCH(QString, action);
    QFETCH(QString, button);
    m_view.show(page, action);
    const Drawing with = drawingOf(written(button, views::FigureStyle::kPage, 8));
    const Drawing without = drawingOf(written(button, views::FigureStyle::kPage, 8, false));
    qInfo("%d texts, %d without a legend", int(with.texts.size()), int(without.texts.size()));
    QVERIFY(!without.texts.isEmpty() && without.texts.size() < with.texts.size());
    QVERIFY(std::abs(without.millimetres - views::FigureStyle::kPage) < 0.5);
  }

 private:
  std::string written(const QString& button, double millimetres, double points, bool legend = true) {
    auto* figure = m_view.desk->find<QAction>(qPrintable(button + "-figure"));
    if (figure == nullptr) return {};
    figure->trigger();
    auto* dialog = m_view.desk->find<views::FigureDialog>("figureDialog");
    if (dialog == nullptr) return {};
    for (const auto& [name, value] : {std::pair("figureWidth", millimetres), std::pair("figurePoints", points)}) {
      auto* box = dialog->findChild<QComboBox*>(name);
      box->setCurrentIndex(box->findData(value));
    }
    dialog->findChild<QCheckBox*>("figureLegend")->setChecked(legend);
    dialog->accept();
    const QString path = m_folder.filePath(QStringLiteral("%1-%2-%3.svg").arg(button).arg(millimetres).arg(points));
    auto* files = m_view.desk->find<QFileDialog>(qPrintable(button + "Dialog"));
    if (files == nullptr) return {};
    emit files->fileSelected(path);
    files->reject();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    const auto text = readTextFile(path.toStdString());
    return text.ok() ? *text : std::string();
  }

  QFont m_before;
  QTemporaryDir m_folder;
  test::EveryView m_view;
};

QTEST_MAIN(TestPrintFigures)
#include "tst_print_figures.moc"
