// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include "export_plans.h"
#include "synthesis/program_trace.h"

namespace p2::test {

/// Looks at every frame of the page, then lets it play to its end, and leaves in an element what it has seen.
constexpr const char* kSpectator = R"(
<script>
(async () => {
  const seen = { frames: 0, worst: 0, premises: 0, sides: document.querySelectorAll("canvas").length, problem: "" };
  try {
    const total = pace.reduce((sum, each) => sum + each, 0);
    for (let step = 0; step < steps; ++step) {
      for (let t = 0.08 / pace[step]; t < 1; t += 0.08 / pace[step]) {
        position = target = step + t;
        show();
        for (const run of runs) {
          const { done, moving } = momentOf(run), at = run.data.steps[done];
          if (moving <= announced || moving >= mergeFrom) continue;
          const { side } = layout(run.data, run.canvas.clientWidth, run.canvas.clientHeight);
          const chunks = at.flows.length > 0 ? at.flows.reduce((sum, flow) => sum + flow[2], 0) / at.rounds
            : at.groups.reduce((sum, group) => sum + (group.length > 1 ? group.length * at.middle : 0), 0);
          seen.worst = Math.max(seen.worst, Math.abs(run.flying / (chunks / run.data.chunks * side * side) - 1));
          ++seen.frames;
        }
        seen.premises = Math.max(seen.premises, document.querySelectorAll(".premises span").length);
      }
    }
    seen.wide = document.documentElement.scrollWidth > innerWidth;
    jump(0);
    document.getElementById("play").click();
    // Headless browsers draw few frames of their own.
    for (let frame = 0, begin = last; frame < 12.5 * (total + 3 * steps); ++frame) tick(begin + 80 * frame);
    seen.finished = position === steps && !playing;
    seen.end = document.getElementById("where").textContent;
  } catch (problem) { seen.problem = String(problem); }
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
})();
</script>
)";

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
    // What flies between two devices is what the price counts: for a ring, the bytes of its busiest link by neighbour.
    for (const QJsonValue step : story["steps"].toArray()) {
      QVERIFY(!step["manner"].toString().isEmpty());
      QVERIFY(!step["flows"].toArray().isEmpty() || step["middle"].toDouble() > 0);
    }
    QVERIFY2(page.size() < 200'000, qPrintable(QString::number(page.size())));
  }

  void thePageNeedsNothingElse() {
    const QString page = exported(planOf("node:2 gpu:4", "data=8", "data", "[[2,4]]", kInParts), "page");
    QVERIFY(!page.contains(QRegularExpression("@[A-Z]+@")));
    QVERIFY(!page.contains(QRegularExpression("(src|href)\\s*=|https?:|url\\(|@import|fetch\\(|XMLHttpRequest")));
    QVERIFY(QJsonDocument::fromJson(elementOf(page, "palette").toUtf8()).isObject());
  }

  // The pages in a browser: what flies has the area of its bytes, every 80 ms, and each step says why it is legal.
  void thePagePlaysInABrowser_data() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("rival");
    QTest::newRow("one") << kInParts << QString();
    QTest::newRow("direct and rooted")
        << "node:InsideGroup:Reduce; node:Master(root):AllReduce; node:InsideGroup:Broadcast" << QString();
    QTest::newRow("A and B") << kInParts << "root:InsideGroup:AllReduce";
  }
  void thePagePlaysInABrowser() {
    QString browser;
    for (const char* name : {"chromium", "chromium-browser"}) {
      if (browser.isEmpty()) browser = QStandardPaths::findExecutable(name);
    }
    if (browser.isEmpty()) QSKIP("chromium is not installed");
    QFETCH(const QString, program);
    QFETCH(const QString, rival);
    const auto of = [](const QString& text) {
      return planOf("node:2 gpu:4", "data=8", "data", "[[2,4]]", text.toStdString());
    };
    const QString page = rival.isEmpty() ? exported(of(program), "page")
                                         : QString::fromStdString(valueOf(plansToPage(of(program), of(rival))));
    QTemporaryDir folder;
    QFile file(folder.filePath("page.html"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QString(page).replace("</body>", QString(kSpectator) + "</body>").toUtf8());
    file.close();
    QProcess process;
    process.start(browser, {"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--window-size=390,844",
                            "--user-data-dir=" + folder.filePath("profile"), "--virtual-time-budget=60000",
                            "--dump-dom", "file://" + file.fileName()});
    if (!process.waitForFinished(120'000)) process.kill();
    const QString dom = QString::fromUtf8(process.readAllStandardOutput());
    const QRegularExpression seen("<pre id=\"seen\">(.*?)</pre>", QRegularExpression::DotMatchesEverythingOption);
    const QJsonObject told = QJsonDocument::fromJson(seen.match(dom).captured(1).toUtf8()).object();
    QVERIFY2(!told.isEmpty(), qPrintable(dom.right(1500)));
    QCOMPARE(told["problem"].toString(), QString());
    QVERIFY2(told["frames"].toInt() > 40, qPrintable(told["frames"].toVariant().toString()));
    QVERIFY2(told["worst"].toDouble() <= 0.05, qPrintable(told["worst"].toVariant().toString()));
    QCOMPARE(told["sides"].toInt(), rival.isEmpty() ? 1 : 2);
    QVERIFY(told["premises"].toInt() >= 3);
    QVERIFY(!told["wide"].toBool());
    QVERIFY2(told["end"].toString().contains(rival.isEmpty() ? "after step 3 of 3" : "of"),
             qPrintable(told["end"].toString()));
    QVERIFY(told["finished"].toBool());
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
    QCOMPARE(html.contains(" s on placement [[2,4]]</h1>"), answers);
    // In the beginning each of 8 devices holds 8 rows with one part each: a ground and a bit for every row.
    QCOMPARE(filledIn(drawings[0]), 8 * 8 * 2);
  }

  // A and B are columns of one sheet: step by step, and no row gives away another's.
  void aHandoutShowsBothPrograms() {
    const auto of = [](const char* program) { return planOf("node:2 gpu:4", "data=8", "data", "[[2,4]]", program); };
    const Plan a = of(kInParts);
    const Plan b = of("root:InsideGroup:AllReduce");
    for (const bool answers : {false, true}) {
      const QString html = QString::fromStdString(valueOf(plansToHandout(a, b, answers)));
      QCOMPARE(html.count("<tr class=\"step\">"), qsizetype(3));
      QCOMPARE(html.count("<td class=\"half\">"), qsizetype(2 * 4));
      QVERIFY(html.contains("<th>A: ") && html.contains("<th>B: "));
      const QStringList drawings = drawingsOf(html);
      QCOMPARE(drawings.size(), qsizetype(2 + 3 + 1));
      for (qsizetype i = 0; i < drawings.size(); ++i) {
        QCOMPARE(filledIn(drawings[i]) > 0, i < 2 || answers);
        // All devices, at 4 mm: three grids in a line, which fit into half of a page.
        QCOMPARE(drawings[i].count("device "), qsizetype(8));
        QVERIFY2(drawings[i].contains("width=\"112mm\""), qPrintable(drawings[i].left(200)));
      }
      QCOMPARE(html.count("Vector: 2.15 GB per device"), qsizetype(1));
      QCOMPARE(html.contains("Name <span>"), !answers);
      QCOMPARE(html.count(" s on placement") + html.count(" ms on placement"), qsizetype(answers ? 2 : 0));
    }
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
