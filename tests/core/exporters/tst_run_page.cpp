// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

#include "export_plans.h"
#include "synthesis/program_trace.h"

namespace p2::test {

/// Pages that play and handouts, read back as a browser reads them.
class TestRunPage : public QObject {
  Q_OBJECT

  static constexpr const char* kInParts =
      "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather";

  static QString exported(const Plan& plan, const char* format) {
    return QString::fromStdString(valueOf(exportPlan(plan, format)));
  }
  /// What stands in the element of that id.
  static QString elementOf(const QString& page, const QString& id) {
    const QRegularExpression element("id=\"" + id + "\">(.*?)</script>",
                                     QRegularExpression::DotMatchesEverythingOption);
    return element.match(page).captured(1);
  }
  static QJsonObject storyOf(const QString& page) {
    QJsonParseError problem;
    const QJsonDocument story = QJsonDocument::fromJson(elementOf(page, "story").toUtf8(), &problem);
    if (problem.error != QJsonParseError::NoError) qFatal("%s", qPrintable(problem.errorString()));
    return story.object();
  }
  /// The grid of a device as the script unfolds it: "11../....".
  static QString gridOf(const QJsonObject& story, int steps, int device) {
    const QJsonArray runs = story["states"][steps][device].toArray();
    QStringList rows;
    for (qsizetype i = 0; i < runs.size(); i += 2) {
      const QString row = story["rows"][runs[i].toInt()].toString().replace('0', '.');
      for (int repeat = 0; repeat < runs[i + 1].toInt(); ++repeat) rows << row;
    }
    return rows.join('/');
  }
  static QStringList drawingsOf(const QString& html) {
    QStringList drawings;
    const QRegularExpression drawing("<svg.*?</svg>", QRegularExpression::DotMatchesEverythingOption);
    for (auto all = drawing.globalMatch(html); all.hasNext();) drawings << all.next().captured();
    return drawings;
  }
  /// Filled rectangles of a drawing that must be well formed.
  static int filledIn(const QString& svg) {
    QXmlStreamReader xml(svg);
    int filled = 0;
    while (!xml.atEnd()) {
      xml.readNext();
      if (xml.isStartElement() && xml.name() == QLatin1String("rect") &&
          xml.attributes().value("fill") != QLatin1String("none")) {
        ++filled;
      }
    }
    if (xml.hasError()) qFatal("%s", qPrintable(xml.errorString()));
    return filled;
  }

 private slots:
  void thePageHoldsEveryState_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("matrix");
    QTest::addColumn<QString>("program");
    QTest::newRow("8") << "node:2 gpu:4"
                       << "data=8"
                       << "[[2,4]]" << kInParts;
    QTest::newRow("two groups") << "node:2 gpu:4"
                                << "data=4,model=2"
                                << "[[2,2],[1,2]]" << kInParts;
    QTest::newRow("64") << "node:4 gpu:16"
                        << "data=64"
                        << "[[4,16]]" << kInParts;
  }
  void thePageHoldsEveryState() {
    QFETCH(QString, system);
    QFETCH(QString, axes);
    QFETCH(QString, matrix);
    QFETCH(QString, program);
    const Plan plan =
        planOf(system.toStdString(), axes.toStdString(), "data", matrix.toStdString(), program.toStdString());
    const QString page = exported(plan, "page");
    const QJsonObject story = storyOf(page);
    const Workspace& workspace = plan.workspace();
    const Placement placement(workspace.axes, workspace.matrix);
    const SynthesisHierarchy hierarchy(workspace.system, placement);
    const auto trace = valueOf(ProgramTrace::run(
        placement, hierarchy, valueOf(parseProgram(hierarchy, workspace.program)), workspace.options.rules));
    QCOMPARE(story["steps"].toArray().size(), qsizetype(plan.steps().size()));
    QCOMPARE(story["states"].toArray().size(), qsizetype(plan.steps().size()) + 1);
    for (int steps = 0; steps <= trace.validSteps(); ++steps) {
      for (const Device device : placement.devices()) {
        QCOMPARE(gridOf(story, steps, int(device.value())),
                 QString::fromStdString(trace.matrixOf(device, steps).text()));
      }
    }
    for (std::size_t step = 0; step < plan.steps().size(); ++step) {
      const QJsonValue told = story["steps"][qsizetype(step)];
      QCOMPARE(told["groups"].toArray().size(), qsizetype(plan.steps()[step].groups.size()));
      QCOMPARE(told["seconds"].toDouble(), plan.predicted().steps[step].seconds);
    }
    QVERIFY2(page.size() < 200'000, qPrintable(QString::number(page.size())));
  }

  void thePageNeedsNothingElse() {
    const QString page = exported(planOf("node:2 gpu:4", "data=8", "data", "[[2,4]]", kInParts), "page");
    QVERIFY(!page.contains(QRegularExpression("@[A-Z]+@")));
    QVERIFY(!page.contains(QRegularExpression("(src|href)\\s*=|https?:|url\\(|@import|fetch\\(|XMLHttpRequest")));
    QVERIFY(QJsonDocument::fromJson(elementOf(page, "palette").toUtf8()).isObject());
  }

  void aHandoutHasARowPerStep_data() {
    QTest::addColumn<QString>("format");
    QTest::addColumn<bool>("answers");
    QTest::newRow("blank") << "handout" << false;
    QTest::newRow("answers") << "handout-answers" << true;
  }
  void aHandoutHasARowPerStep() {
    QFETCH(QString, format);
    QFETCH(bool, answers);
    const Plan plan = planOf("node:2 gpu:4", "data=8", "data", "[[2,4]]", kInParts);
    const QString html = exported(plan, qPrintable(format));
    QCOMPARE(html.count("<tr class=\"step\">"), qsizetype(3));
    QCOMPARE(html.count("class=\"blank\"") > 0, !answers);
    QCOMPARE(html.contains("every member then holds the chunks of all members"), answers);
    const QStringList drawings = drawingsOf(html);
    // The start is drawn; every later state only with the answers, so that no row gives away another's.
    QCOMPARE(drawings.size(), qsizetype(4));
    for (qsizetype i = 0; i < drawings.size(); ++i) QCOMPARE(filledIn(drawings[i]) > 0, i == 0 || answers);
    // Cells of 4 mm: grids of 8 × 4 mm and the room between them.
    QVERIFY(drawings[0].contains("width=\"149mm\""));
    QVERIFY(html.contains("Vector: 2.15 GB per device, cut into 8 chunks of 268 MB."));
    QVERIFY(html.contains("Link of each node: 8.00 GB/s"));
    QVERIFY(html.contains("2(n − 1)/n"));
    QCOMPARE(html.contains("Name <span>"), !answers);
    // The title of the sheet does not tell the time.
    QCOMPARE(html.contains(" s</h1>"), answers);
    // In the beginning each of 8 devices holds 8 rows with one part each: a ground and a bit for every row.
    QCOMPARE(filledIn(drawings[0]), 8 * 8 * 2);
  }

  void largeSystemsSaySo() {
    const Plan plan = planOf("node:64 gpu:8", "data=512", "data", "[[64,8]]");
    for (const char* format : {"page", "handout", "handout-answers"}) {
      const auto text = exportPlan(plan, format);
      QVERIFY(!text.ok());
      QVERIFY2(text.error().text().find("512 devices are too many") != std::string::npos, text.error().text().c_str());
    }
    const QString some = exported(planOf("node:8 gpu:8", "data=64", "data", "[[8,8]]"), "handout");
    QVERIFY(some.contains("the first 2 of 64 devices"));
  }
};

}  // namespace p2::test

using p2::test::TestRunPage;
QTEST_GUILESS_MAIN(TestRunPage)
#include "tst_run_page.moc"
