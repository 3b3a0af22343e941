// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <map>
#include <optional>

#include "explore/explore.h"
#include "export_plans.h"
#include "page_spectator.h"
#include "support/browser.h"
#include "support/filled.h"
#include "synthesis/program_trace.h"

namespace p2::test {

/// Pages that play, read back as a browser reads them.
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
  static QStringList rowsOf(const QJsonObject& story, int steps, int device) {
    return gridOf(story, steps, device).split('/');
  }
  /// The messages out of the busiest device or node carry the bytes that the price counts on the busiest link.
  static void checkBytes(const QJsonObject& story, const Plan& plan) {
    const Workspace& workspace = plan.workspace();
    const double vector = workspace.options.cost.bytes.value() / story["chunks"].toDouble();
    const auto perNode = int(workspace.system.levels.back().count);
    for (qsizetype step = 0; step < story["steps"].toArray().size(); ++step) {
      const QJsonValue reported = story["steps"][step];
      const double counted = plan.predicted().steps[std::size_t(step)].linkBytes.value();
      std::map<int, double> fromDevice;
      std::map<int, double> fromNode;
      for (const QJsonValue message : reported["messages"].toArray()) {
        const int from = message[0].toInt();
        const int to = message[1].toInt();
        if (from < 0) continue;
        fromDevice[from] += message[2].toDouble() * vector;
        if (to >= 0 && from / perNode != to / perNode) fromNode[from / perNode] += message[2].toDouble() * vector;
      }
      const auto& busiest = fromNode.empty() ? fromDevice : fromNode;
      QVERIFY(!busiest.empty());
      double most = 0;
      for (const auto& [from, bytes] : busiest) most = std::max(most, bytes);
      QVERIFY2(std::abs(most / counted - 1) <= 0.05, qPrintable(QString("%1 of %2").arg(most).arg(counted)));
      QVERIFY(!reported["manner"].toString().isEmpty());
    }
  }
  /// What lands row by row, in the order in which the messages end, only adds, and makes what is held after the step.
  static void checkLandings(const QJsonObject& story) {
    for (int step = 0; step < story["steps"].toArray().size(); ++step) {
      std::map<int, QStringList> held;
      double before = 0;
      int landed = 0;
      for (const QJsonValue message : story["steps"][step]["messages"].toArray()) {
        QVERIFY2(message[4].toDouble() >= before, "messages are in the order of their ends");
        before = message[4].toDouble();
        const QJsonArray rows = message[7].toArray();
        if (rows.isEmpty()) continue;
        const int device = message[1].toInt();
        QStringList& now = held.try_emplace(device, rowsOf(story, step, device)).first->second;
        for (qsizetype i = 0; i < rows.size(); i += 3) {
          const QString row = story["rows"][rows[i + 2].toInt()].toString().replace('0', '.');
          for (int at = rows[i].toInt(); at < rows[i].toInt() + rows[i + 1].toInt(); ++at) {
            for (qsizetype bit = 0; bit < row.size(); ++bit) QVERIFY(now[at][bit] == '.' || row[bit] == '1');
            now[at] = row;
            ++landed;
          }
        }
      }
      QVERIFY(landed > 0);
      for (const auto& [device, now] : test::filled(held)) {
        const QStringList after = rowsOf(story, step + 1, device);
        for (qsizetype row = 0; row < after.size(); ++row) {
          for (qsizetype bit = 0; bit < after[row].size(); ++bit)
            QVERIFY(after[row][bit] == '.' || now[row][bit] == '1');
        }
      }
    }
  }

 private slots:
  void thePageHoldsEveryState_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("matrix");
    QTest::addColumn<QString>("program");
    QTest::addColumn<int>("bytes");
    QTest::newRow("8") << "node:2 gpu:4"
                       << "data=8"
                       << "[[2,4]]" << kInParts << 200'000;
    QTest::newRow("two groups") << "node:2 gpu:4"
                                << "data=4,model=2"
                                << "[[2,2],[1,2]]" << kInParts << 200'000;
    QTest::newRow("64") << "node:4 gpu:16"
                        << "data=64"
                        << "[[4,16]]" << kInParts << 200'000;
    // 8,064 messages of one ring, none of them merged with another.
    QTest::newRow("a ring of 64") << "node:4 gpu:16"
                                  << "data=64"
                                  << "[[4,16]]"
                                  << "root:InsideGroup:AllReduce" << 1'000'000;
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
      for (const Device device : test::filled(placement.devices())) {
        QCOMPARE(gridOf(story, steps, int(device.value())),
                 QString::fromStdString(trace.matrixOf(device, steps).text()));
      }
    }
    for (std::size_t step = 0; step < plan.steps().size(); ++step) {
      const QJsonValue reported = story["steps"][qsizetype(step)];
      QCOMPARE(reported["groups"].toArray().size(), qsizetype(plan.steps()[step].groups.size()));
      QCOMPARE(reported["seconds"].toDouble(), plan.predicted().steps[step].seconds);
    }
    checkBytes(story, plan);
    checkLandings(story);
    for (const QJsonValue step : story["steps"].toArray()) {
      QVERIFY2(!step["manner"].toString().contains("simplified"), qPrintable(step["manner"].toString()));
    }
    QFETCH(int, bytes);
    QVERIFY2(page.size() < bytes, qPrintable(QString::number(page.size())));
  }

  void thePageNeedsNothingElse() {
    const QString page = exported(planOf("node:2 gpu:4", "data=8", "data", "[[2,4]]", kInParts), "page");
    QVERIFY(!page.contains(QRegularExpression("@[A-Z]+@")));
    QVERIFY(!page.contains(QRegularExpression("(src|href)\\s*=|https?:|url\\(|@import|fetch\\(|XMLHttpRequest")));
    QVERIFY(QJsonDocument::fromJson(elementOf(page, "palette").toUtf8()).isObject());
  }

  // The pages in a browser, every 80 ms: the area of tiles is their bytes, one receiver comes first, its sums are
  // written, steps last as they cost, and each says why it is legal.
  void thePagePlaysInABrowser_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("rival");
    QTest::addColumn<QStringList>("sums");
    // Device 1 starts with 2, device 2 with 3, …: block 0 of a node grows on its way along the ring to device 0.
    const QStringList ring{QString::fromUtf8("3 + 2 → 5"), QString::fromUtf8("4 + 5 → 9"),
                           QString::fromUtf8("1 + 9 → 10")};
    QTest::newRow("one") << "node:2 gpu:4" << kInParts << QString() << ring;
    QTest::newRow("rooted") << "node:2 gpu:4"
                            << "node:InsideGroup:Reduce; node:Master(root):AllReduce; node:InsideGroup:Broadcast"
                            << QString() << QStringList{QString::fromUtf8("3 + 4 → 7")};
    QTest::newRow("A and B") << "node:2 gpu:4" << kInParts << "root:InsideGroup:AllReduce"
                             << QStringList{QString::fromUtf8("10 + 26 → 36"), QString::fromUtf8("1 + 35 → 36")};
    QTest::newRow("in the switch") << "dgx-h100:1"
                                   << "root:InsideGroup:AllReduce" << QString() << QStringList{QString::fromUtf8("Σ")};
  }
  void thePagePlaysInABrowser() {
    const QString browser = browserPath();
    if (browser.isEmpty()) QSKIP("chromium is not installed");
    QFETCH(const QString, system);
    QFETCH(const QString, program);
    QFETCH(const QString, rival);
    QFETCH(const QStringList, sums);
    const auto of = [&system](const QString& text) {
      Workspace workspace =
          workspaceOf(system.toStdString(), "data=8", "data", system == "dgx-h100:1" ? "" : "[[2,4]]");
      workspace.program = text.toStdString();
      if (system == "dgx-h100:1") {
        workspace.matrix = valueOf(exploreWorkspace(workspace, {}))->placements[0].matrix;
        workspace.options.cost.model = "nccl";
        workspace.options.cost.algorithm = Algorithm::Nvls;
      }
      return valueOf(makePlan(workspace));
    };
    const Plan plan = of(program);
    const std::optional<Plan> other = rival.isEmpty() ? std::nullopt : std::optional(of(rival));
    const QString page = other ? QString::fromStdString(valueOf(plansToPage(plan, *other))) : exported(plan, "page");
    const QJsonObject story = storyOf(page);
    checkBytes(story, plan);
    checkLandings(story);
    if (other) {
      checkBytes(story["rival"].toObject(), *other);
      checkLandings(story["rival"].toObject());
    }
    QTemporaryDir folder;
    QFile file(folder.filePath("page.html"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QString(page).replace("</body>", QString(kSpectator) + "</body>").toUtf8());
    file.close();
    QProcess process;
    process.start(browser, headlessArguments(folder.filePath("profile")) +
                               QStringList{"--window-size=390,844", "--virtual-time-budget=60000", "--dump-dom",
                                           "file://" + file.fileName()});
    if (!process.waitForFinished(120'000)) process.kill();
    const QString dom = QString::fromUtf8(process.readAllStandardOutput());
    const QRegularExpression seen("<pre id=\"seen\">(.*?)</pre>", QRegularExpression::DotMatchesEverythingOption);
    const QJsonObject reported = QJsonDocument::fromJson(seen.match(dom).captured(1).toUtf8()).object();
    QVERIFY2(!reported.isEmpty(), qPrintable(dom.right(1500)));
    QCOMPARE(reported["problem"].toString(), QString());
    QVERIFY2(reported["worst"].toDouble() <= 0.05, qPrintable(reported["worst"].toVariant().toString()));
    QCOMPARE(reported["most"].toInt(), 1);
    double lasts = other ? 12 : 0;
    if (!other) {
      for (const double pace : paceOnPage(plan, 0)) lasts += pace;
    }
    // Something is on its way in at least half of the frames.
    const double least = 0.5 * lasts / 0.08;
    QVERIFY2(reported["frames"].toInt() >= least, qPrintable(reported["frames"].toVariant().toString()));
    QStringList written;
    for (const QJsonValue sum : reported["sums"].toArray()) written << sum.toString();
    const QRegularExpression addition(QString::fromUtf8("^(\\d+) \\+ (\\d+) → (\\d+)$"));
    int added = 0;
    for (const QString& sum : written) {
      const auto match = addition.match(sum);
      if (!match.hasMatch()) continue;
      QCOMPARE(match.captured(1).toInt() + match.captured(2).toInt(), match.captured(3).toInt());
      ++added;
    }
    QVERIFY(added > 0);
    for (const QString& sum : test::filled(sums)) QVERIFY2(written.contains(sum), qPrintable(written.join("; ")));
    const double longest = other ? std::max(plan.predicted().seconds, other->predicted().seconds) : 0;
    for (int side = 0; side < (other ? 2 : 1); ++side) {
      const std::vector<double> paces = paceOnPage(side == 0 ? plan : *other, longest);
      for (std::size_t step = 0; step < paces.size(); ++step) {
        const double moved = reported["moved"][side][qsizetype(step)].toDouble();
        // A frame at each end.
        QVERIFY2(std::abs(moved - paces[step]) <= 0.17, qPrintable(QString("%1 of %2 s").arg(moved).arg(paces[step])));
      }
    }
    QCOMPARE(reported["sides"].toInt(), rival.isEmpty() ? 1 : 2);
    QVERIFY(reported["premises"].toInt() >= 3);
    QVERIFY(!reported["wide"].toBool());
    QVERIFY2(reported["end"].toString().contains(
                 rival.isEmpty() ? QString("after step %1 of %1").arg(plan.steps().size()) : "of"),
             qPrintable(reported["end"].toString()));
    QVERIFY(reported["finished"].toBool());
  }

  void largeSystemsSaySo() {
    const Plan plan = planOf("node:64 gpu:8", "data=512", "data", "[[64,8]]");
    for (const char* format : {"page", "handout", "handout-answers"}) {
      const auto text = exportPlan(plan, format);
      QVERIFY(!text.ok());
      QVERIFY2(text.error().text().find("512 devices are too many") != std::string::npos, text.error().text().c_str());
    }
    const QString some = exported(planOf("node:8 gpu:8", "data=64", "data", "[[8,8]]"), "handout");
    QVERIFY(some.contains("<p>Only the first of 64 devices is drawn.</p>"));
    const QString fewer = exported(planOf("node:2 gpu:8", "data=16", "data", "[[2,8]]"), "handout");
    QVERIFY(fewer.contains("<p>The first 4 of 16 devices are drawn.</p>"));
  }
};

}  // namespace p2::test

using p2::test::TestRunPage;
QTEST_GUILESS_MAIN(TestRunPage)
#include "tst_run_page.moc"
