// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <set>

#include "lesson/answer_code.h"
#include "lesson/bundled_lessons.h"
#include "lesson/lesson_check.h"
#include "lesson/lesson_draft.h"
#include "lesson/lesson_web.h"
#include "page_scripts.h"
#include "support/browser.h"
#include "support/filled.h"
#include "workspace/presets.h"

using namespace p2;

namespace {

QString quoted(const std::string& text) {
  return '"' + QString::fromStdString(text).replace('\\', "\\\\").replace('"', "\\\"") + '"';
}

template <class List>
QString numbersOf(const List& list) {
  QStringList parts;
  for (const auto each : list) parts << QString::number(int(each));
  return '[' + parts.join(',') + ']';
}

/// The right answer of a page as the script takes it.
QString answerOf(const PreparedPage& page) {
  const auto expected = expectedAnswer(page);
  if (const auto* painted = std::get_if<PaintedCells>(&*expected))
    return "[\"paint\"," + numbersOf(painted->cells) + ",null]";
  if (const auto* chosen = std::get_if<ChosenCandidate>(&*expected))
    return QString("[\"choose\",%1,null]").arg(chosen->index);
  if (const auto* typed = std::get_if<TypedNumber>(&*expected))
    return "[\"compute\"," + quoted(typed->text) + ",\"0.5\"]";
  if (const auto* arranged = std::get_if<ArrangedItems>(&*expected))
    return "[\"order\"," + numbersOf(arranged->order) + ",null]";
  if (const auto* composed = std::get_if<ComposedProgram>(&*expected)) {
    const Program program = programOf(page, composed->text).value();
    QStringList steps;
    for (const Instruction& step : program) steps << quoted(programText(*page.result().hierarchy, {step}));
    return "[\"compose\",[" + steps.join(',') + "],null]";
  }
  return "[\"watch\",null,null]";
}

}  // namespace

/// The web page of a lesson, taken in a browser, and the codes that it gives.
class TestLessonWeb : public QObject {
  Q_OBJECT

  const QString m_browser = test::browserPath();
  QTemporaryDir m_folder;

  static Lesson lessonOf(const char* name) { return lessonFromJson(bundledLesson(name).value()).value(); }

  QString domOf(const QString& html) {
    const QString path = m_folder.filePath("page.html");
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(path));
    file.write(html.toUtf8());
    file.close();
    QProcess browser;
    browser.start(m_browser, test::headlessArguments(m_folder.filePath("profile")) +
                                 QStringList{"--window-size=390,844", "--virtual-time-budget=20000", "--dump-dom",
                                             "file://" + path});
    if (!browser.waitForFinished(120'000)) browser.kill();
    return QString::fromUtf8(browser.readAllStandardOutput());
  }
  static QString between(const QString& text, const QString& before, const QString& after) {
    const auto from = text.indexOf(before);
    if (from < 0) return {};
    return text.mid(from + before.size(), text.indexOf(after, from + before.size()) - from - before.size());
  }

 private slots:
  // On more devices a page says what it would show.
  void upToSixtyFourDevicesAreDrawn() {
    for (const int nodes : {4, 8}) {
      std::string text = R"({"format": "p2-lesson", "version": 1, "title": "Many", "course": "Mine", "minutes": 3,
        "system": "node:NODES@8GB/s gpu:16@270GB/s", "axes": [{"name": "data", "size": DEVICES}], "reduce": [0],
        "pages": [{"text": "Many devices.", "program": "root:InsideGroup:AllReduce",
                   "task": {"kind": "watch", "question": "Play the program to its end.", "hints": ["Press play."]}}]})";
      text.replace(text.find("NODES"), 5, std::to_string(nodes));
      text.replace(text.find("DEVICES"), 7, std::to_string(nodes * 16));
      const auto lesson = lessonFromJson(text);
      QVERIFY2(lesson.ok(), lesson.ok() ? "" : lesson.error().text().c_str());
      const auto page = lessonToPage(*lesson);
      QVERIFY(page.ok());
      QCOMPARE(page->find("\"kind\":\"program\"") != std::string::npos, nodes * 16 <= kMostWebDevices);
    }
    QCOMPARE(kMostWebDevices, std::int64_t{64});
  }

  void everyKindOfTaskIsSolvedInABrowser_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"read-a-grid", "order", "why-hierarchy", "groups", "literal", "explore", "pipeline",
                             "zero-bubble", "data-parallelism", "memory", "five-axes", "scale"}) {
      QTest::newRow(name) << name;
    }
  }
  void everyKindOfTaskIsSolvedInABrowser() {
    if (m_browser.isEmpty()) QSKIP("chromium is not installed");
    QFETCH(QString, name);
    const Lesson lesson = lessonOf(name.toUtf8());
    QStringList answers;
    int wrongFirst = 0;
    for (const LessonPage& page : lesson.pages) {
      const auto prepared = preparePage(page);
      QVERIFY(prepared.ok());
      QString answer = answerOf(*prepared);
      // On many devices the page offers programs; the solution is the one with these steps.
      if (std::holds_alternative<ComposeTask>(page.task.kind) && prepared->trace->chunks() > 32) {
        answer = "[\"choose\",-1,null]";
      }
      wrongFirst += std::holds_alternative<ComputeTask>(page.task.kind);
      answers << answer;
    }
    const auto html = lessonToPage(lesson);
    QVERIFY(html.ok());
    // Only the name of SVG is an address.
    for (const char* outside : {"src=", "href=", "url(h", "fetch(", "import "})
      QVERIFY2(html->find(outside) == std::string::npos, outside);
    QCOMPARE(QString::fromStdString(*html).count("http"), 1);
    QString script = test::kStudent;
    script.replace("ANSWERS", '[' + answers.join(',') + ']').replace("NAME", "Ada Lovelace");
    const QString dom = domOf(QString::fromStdString(*html).replace("</body>", script + "</body>"));
    const QString width = between(dom, "<pre id=\"log\" data-width=\"", "\"");
    QVERIFY2(!width.isEmpty() && width.toInt() <= 500, qPrintable(width));
    const QString log = between(dom, "<pre id=\"log\" data-width=\"" + width + "\">", "</pre>");
    QVERIFY2(!log.isEmpty(), qPrintable(dom.right(2000)));
    QCOMPARE(log.count("✗"), wrongFirst);
    QCOMPARE(log.count("✓"), answers.size());
    // On a telephone nothing has to be scrolled sideways.
    QVERIFY2(!log.contains("too wide"), qPrintable(log));
    QVERIFY2(!log.contains("error"), qPrintable(log));
    const QString code = between(dom, "<span id=\"code\">", "</span>");
    const auto lines = readCodes(("Ada Lovelace: " + code).toStdString(), {lesson});
    QVERIFY2(lines.ok(), qPrintable(code));
    QVERIFY2(lines->front().problem.empty(), lines->front().problem.c_str());
    QCOMPARE(lines->front().solved(), int(answers.size()));
    QCOMPARE(lines->front().lesson, lesson.title);
    for (std::size_t i = 0; i < std::size_t(answers.size()); ++i) {
      const bool watched = std::holds_alternative<WatchTask>(lesson.pages[i].task.kind);
      const bool computed = std::holds_alternative<ComputeTask>(lesson.pages[i].task.kind);
      QCOMPARE(lines->front().pages[i].tries, watched ? 0 : computed ? 2 : 1);
      QVERIFY(!lines->front().pages[i].hinted);
    }
  }

  // Where the steps are to be put in order, none is named before the answer, and then they play.
  void anOrderIsNotToldBeforeTheAnswer() {
    if (m_browser.isEmpty()) QSKIP("chromium is not installed");
    Workspace workspace;
    workspace.system = parseSystem("node:2@8GB/s gpu:2@270GB/s").value();
    workspace.axes = {{"data", 4}};
    workspace.axes[0].reduce = true;
    workspace.program = "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather";
    const Lesson lesson = lessonFromJson(draftToJson(draftFrom(workspace).value()).value()).value();
    QVERIFY(std::holds_alternative<OrderTask>(lesson.pages.back().task.kind));
    QString script = test::kBystander;
    script.replace("PAGE", QString::number(lesson.pages.size() - 1));
    QString page = QString::fromStdString(lessonToPage(lesson).value());
    const QString log = between(domOf(page.replace("</body>", script + "</body>")), "<pre id=\"log\">", "</pre>");
    const QStringList reported = log.split('\n');
    QCOMPARE(reported.size(), 3);
    QCOMPARE(reported[0], QString("The steps are shown after the answer."));
    QVERIFY2(reported[1].startsWith("✓"), qPrintable(log));
    QVERIFY2(reported[2].contains("ReduceScatter inside each node"), qPrintable(log));
  }

  // The page plays what its price counts: every 80 ms the area of the tiles is their bytes, one receiver comes first
  // and its sums are written; a step lasts longer the more it costs. So do all steps of a program to be written.
  void thePagePlaysThePricedMessages_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("sums");
    QTest::newRow("order") << "order" << QStringList{QString::fromUtf8("3 + 2 → 5"), QString::fromUtf8("4 + 5 → 9")};
    QTest::newRow("reduce-and-broadcast") << "reduce-and-broadcast" << QStringList{QString::fromUtf8("3 + 4 → 7")};
    QTest::newRow("why-hierarchy") << "why-hierarchy" << QStringList{QString::fromUtf8("3 + 2 → 5")};
  }
  void thePagePlaysThePricedMessages() {
    if (m_browser.isEmpty()) QSKIP("chromium is not installed");
    QFETCH(QString, name);
    QFETCH(QStringList, sums);
    const auto html = lessonToPage(lessonOf(name.toUtf8()));
    QVERIFY(html.ok());
    const QString dom = domOf(QString::fromStdString(*html).replace("</body>", QString(test::kSpectator) + "</body>"));
    const QJsonObject seen = QJsonDocument::fromJson(between(dom, "<pre id=\"seen\">", "</pre>").toUtf8()).object();
    QVERIFY2(!seen.isEmpty(), qPrintable(dom.right(1500)));
    QCOMPARE(seen["problem"].toString(), QString());
    QVERIFY(seen["steps"].toInt() > 0);
    QVERIFY2(seen["missing"].toArray().isEmpty(), QJsonDocument(seen["missing"].toArray()).toJson());
    QVERIFY2(seen["worst"].toDouble() <= 0.05, qPrintable(seen["worst"].toVariant().toString()));
    QCOMPARE(seen["most"].toInt(), 1);
    // Something is on its way in at least half of a step of 2.8 s or more.
    QVERIFY2(seen["frames"].toInt() >= seen["steps"].toInt() * 17, qPrintable(seen["frames"].toVariant().toString()));
    QStringList written;
    for (const QJsonValue sum : seen["sums"].toArray()) written << sum.toString();
    for (const QString& sum : test::filled(sums)) QVERIFY2(written.contains(sum), qPrintable(written.join("; ")));
    QVERIFY(!seen["lasts"].toArray().isEmpty());
    for (const QJsonValue page : seen["lasts"].toArray()) {
      double least = HUGE_VAL;
      for (const QJsonValue cost : page["seconds"].toArray()) least = std::min(least, cost.toDouble());
      for (qsizetype step = 0; step < page["lasts"].toArray().size(); ++step) {
        const double pace = 2 * std::min(5.0, 1.4 + 1.2 * std::log10(page["seconds"][step].toDouble() / least));
        // A frame at each end.
        const double lasts = page["lasts"][step].toDouble();
        QVERIFY2(std::abs(lasts - pace) <= 0.17, qPrintable(QString("%1 of %2 s").arg(lasts).arg(pace)));
      }
    }
  }

  // What the script computes is what core computes.
  void aCodeBelongsToOneName() {
    const Lesson lesson = lessonOf("order");
    const std::vector<PageOutcome> pages{{true, false, 1}, {true, true, 3}, {false, false, 0}, {true, false, 7}};
    const std::string code = answerCode(fingerprintOf(lesson), "Grace Hopper", pages);
    QCOMPARE(code.size(), std::string("P2-XXXX-XXXX-XXXX").size());
    const auto all = [&](const std::string& text) { return readCodes(text, {lesson}).value().front(); };
    QCOMPARE(all("Grace Hopper: " + code).pages, pages);
    QCOMPARE(all(" grace  hopper ;\t" + QString::fromStdString(code).toLower().toStdString()).pages, pages);
    QCOMPARE(all("\"Grace Hopper\", " + code).solved(), 3);
    QVERIFY(all("Ada: " + code).problem.find("does not belong to this name") != std::string::npos);
    // Its part for the pages ends in "P2".
    const std::vector<PageOutcome> last{{true, false, 1}, {true, false, 1}, {false, true, 5}, {false, true, 0}};
    const std::string twice = answerCode(fingerprintOf(lesson), "Ada", last);
    QVERIFY2(twice.find("P2-", 3) != std::string::npos, twice.c_str());
    QCOMPARE(all("Ada: " + twice).pages, last);
    std::string wrong = code;
    wrong[8] = wrong[8] == '5' ? '9' : '5';
    QVERIFY(all("Grace Hopper: " + wrong).problem.find("does not belong to this name") != std::string::npos);
    QVERIFY(all("Grace Hopper: " + code.substr(0, 12)).problem.find("not complete") != std::string::npos);
    const auto other = readCodes("Grace Hopper: " + code, {lessonOf("groups")}).value().front();
    QVERIFY(other.problem.find("belongs to another lesson") != std::string::npos);
    const auto class9 = readCodes("# class 9\n\nGrace Hopper: " + code + "\nforgotten\n", {lesson}).value();
    QCOMPARE(class9.size(), std::size_t{2});
    QCOMPARE(class9[1].line, 4);
    QVERIFY(class9[1].problem.find("there is no code") != std::string::npos);
    QVERIFY(!readCodes("nothing here", {lesson}).ok());
  }

  void fingerprintsDiffer() {
    std::set<std::uint32_t> all;
    for (const BundledFile& file : bundledLessons()) all.insert(fingerprintOf(lessonFromJson(file.json).value()));
    QCOMPARE(all.size(), bundledLessons().size());
  }

  // No answer is on the handout, all are on the key.
  void theHandoutKeepsTheAnswers() {
    const Lesson lesson = lessonOf("pipeline");
    const QString handout = QString::fromStdString(lessonToHandout(lesson, false).value());
    const QString key = QString::fromStdString(lessonToHandout(lesson, true).value());
    for (const char* answer : {"27 %", "8.6 %", "9.00 ms"}) {
      QVERIFY2(!handout.contains(answer), answer);
      QVERIFY2(key.contains(answer), answer);
    }
    QVERIFY(handout.contains("Name") && handout.contains("Date"));
    // Programs to be found are in words.
    const QString found = QString::fromStdString(lessonToHandout(lessonOf("explore"), false).value());
    QVERIFY(found.contains(QString::fromUtf8("<li>AllReduce across nodes → AllReduce inside each node</li>")));
    QVERIFY(!found.contains(":InsideGroup:"));
    const QString grid = QString::fromStdString(lessonToHandout(lessonOf("read-a-grid"), false).value());
    QVERIFY(grid.contains("width: 4mm") && !grid.contains("×"));
    QVERIFY(QString::fromStdString(lessonToHandout(lessonOf("read-a-grid"), true).value()).contains("×"));
  }
};

QTEST_GUILESS_MAIN(TestLessonWeb)
#include "tst_lesson_web.moc"
