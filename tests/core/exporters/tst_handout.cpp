// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include "explore/explore.h"
#include "export_plans.h"
#include "support/browser.h"

namespace p2::test {

/// Handouts of programs, on the screen and printed.
class TestHandout : public QObject {
  Q_OBJECT

  static constexpr const char* kInParts =
      "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather";

  static QString exported(const Plan& plan, const char* format) {
    return QString::fromStdString(valueOf(exportPlan(plan, format)));
  }
  /// A page of 100 pixels an inch as a grey picture (PGM): its rightmost ink is a long line, 14 mm from the paper's
  /// edge or further.
  static void checkRightEdge(const QString& path) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readLine().trimmed(), QByteArray("P5"));
    const QList<QByteArray> size = file.readLine().trimmed().split(' ');
    file.readLine();
    const int width = size.at(0).toInt();
    const int height = size.at(1).toInt();
    const QByteArray pixels = file.readAll();
    QCOMPARE(pixels.size(), qsizetype(width) * height);
    const auto inked = [&](int x) {
      int count = 0;
      for (int y = 0; y < height; ++y) count += static_cast<unsigned char>(pixels[qsizetype(y) * width + x]) < 245;
      return count;
    };
    int right = width - 1;
    while (right > 0 && inked(right) == 0) --right;
    QVERIFY2(right <= width - 55, qPrintable(QString("ink at %1 of %2").arg(right).arg(width)));
    QVERIFY2(inked(right) + inked(right - 1) > height / 4, qPrintable(QString::number(inked(right))));
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
    QVERIFY(html.contains(" on placement [[2,4]]</h1>"));
    QCOMPARE(html.contains(" s on placement [[2,4]]</h1>"), answers);
    // In the beginning each of 8 devices holds 8 rows with one part each: a ground and a bit for every row.
    QCOMPARE(filledIn(drawings[0]), 8 * 8 * 2);
  }

  // Printed on either paper the table keeps its right edge within the margin, and no answer is in the text.
  void aPrintedHandoutIsWhole_data() {
    QTest::addColumn<QString>("paper");
    QTest::addColumn<bool>("both");
    for (const char* paper : {"letter", "A4"}) {
      QTest::addRow("%s", paper) << QString(paper) << false;
      QTest::addRow("%s, A and B", paper) << QString(paper) << true;
    }
  }
  void aPrintedHandoutIsWhole() {
    const QString browser = browserPath();
    for (const QString& program : {browser, QString("pdftotext"), QString("pdftoppm")}) {
      if (program.isEmpty() || QStandardPaths::findExecutable(program).isEmpty()) QSKIP("a program is not installed");
    }
    QFETCH(const QString, paper);
    QFETCH(const bool, both);
    const Plan plan = planOf("node:2 gpu:4", "data=8", "data", "[[2,4]]", kInParts);
    const Plan other = planOf("node:2 gpu:4", "data=8", "data", "[[2,4]]", "root:InsideGroup:AllReduce");
    const QString html =
        both ? QString::fromStdString(valueOf(plansToHandout(plan, other, false))) : exported(plan, "handout");
    QVERIFY(html.contains("size: landscape"));
    QTemporaryDir folder;
    QFile file(folder.filePath("handout.html"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QString(html).replace("size: landscape", "size: " + paper + " landscape").toUtf8());
    file.close();
    const auto run = [&folder](const QString& program, const QStringList& arguments) {
      QProcess process;
      process.setWorkingDirectory(folder.path());
      process.start(program, arguments);
      if (!process.waitForFinished(120'000)) process.kill();
      return QString::fromUtf8(process.readAllStandardOutput());
    };
    run(browser, headlessArguments(folder.filePath("profile")) +
                     QStringList{"--no-pdf-header-footer", "--print-to-pdf=" + folder.filePath("handout.pdf"),
                                 "file://" + file.fileName()});
    const QString text = run("pdftotext", {"-layout", "handout.pdf", "-"});
    QVERIFY2(text.contains("Name") && text.contains("Vector: 2.15 GB per device"), qPrintable(text));
    for (const char* answer : {"then holds", "busiest link node", " ms"}) QVERIFY2(!text.contains(answer), answer);
    run("pdftoppm", {"-r", "100", "-gray", "handout.pdf", "page"});
    const QStringList pages = QDir(folder.path()).entryList({"page*.pgm"});
    QVERIFY(!pages.isEmpty());
    for (const QString& page : pages) checkRightEdge(folder.filePath(page));
  }

  // No formula on the sheet gives the bytes and times of NCCL's algorithms, so they are no blanks.
  void bytesOfOtherModelsAreGiven() {
    Workspace workspace = workspaceOf("dgx-h100:1", "data=8", "data", "");
    workspace.program = "root:InsideGroup:AllReduce";
    workspace.matrix = valueOf(exploreWorkspace(workspace, {}))->placements[0].matrix;
    workspace.options.cost.model = "nccl";
    const QString html = exported(valueOf(makePlan(workspace)), "handout");
    QVERIFY(html.contains("Bytes and times are computed by the nccl model."));
    QVERIFY(!html.contains("2(n − 1)/n"));
    QVERIFY(html.contains(QRegularExpression("<p>Bytes and time:</p><p>[^<]* GB per device[^<]* ms")));
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
};

}  // namespace p2::test

using p2::test::TestHandout;
QTEST_GUILESS_MAIN(TestHandout)
#include "tst_handout.moc"
