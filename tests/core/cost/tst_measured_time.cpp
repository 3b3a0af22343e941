// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "cost/calibration/measured_time.h"
#include "support/fixtures.h"

using namespace p2;

class TestMeasuredTime : public QObject {
  Q_OBJECT
 private slots:
  void readsEveryColumnInAnyOrder() {
    const auto rows = test::valueOf(measuredTimesFromCsv(
        "# two nodes of the cluster\n"
        "seconds,gpu,axes,reduce,matrix,program,step,algorithm,bytes,repeat,nodes\r\n"
        "0.25,A100,\"data=8,model=2\",data,\"[[1,8],[2,1]]\",node:InsideGroup:AllReduce,1,tree,64MB,3,2\r\n"
        "\n"
        "1.5,A100,\"8,2\",\"0,1\",\"[[1,8],[2,1]]\",allreduce,,,,,\n"));
    QCOMPARE(rows.size(), 2u);
    QCOMPARE(rows[0].seconds, 0.25);
    QCOMPARE(rows[0].axes, (std::vector<Axis>{{"data", 8, true}, {"model", 2, false}}));
    QCOMPARE(rows[0].matrix.text(), std::string("[[1,8],[2,1]]"));
    QCOMPARE(rows[0].program, std::string("node:InsideGroup:AllReduce"));
    QCOMPARE(rows[0].step, StepId(0));
    QCOMPARE(rows[0].cost, (CostOptions{Algorithm::Tree, Bytes(64e6), 3}));
    QCOMPARE(rows[0].outermost, 2);
    QCOMPARE(rows[0].line, 3u);
    QCOMPARE(rows[1].program, std::string());
    QCOMPARE(rows[1].cost, CostOptions{});
    QCOMPARE(rows[1].line, 5u);
    QVERIFY(rows[1].axes[0].reduce && rows[1].axes[1].reduce);
  }

  // "Bytes per device (2GiB)": a cell of 2GiB and none are the same.
  void columnsStateTheirDefaults() {
    const std::string without = "axes,reduce,matrix,seconds";
    const std::string row = "8,0,[[8]],1";
    const MeasuredTime plain = test::valueOf(measuredTimesFromCsv(without + "\n" + row + "\n")).front();
    int stated = 0;
    for (const MeasuredColumn& column : measuredColumns()) {
      const std::size_t from = column.help.rfind('(');
      if (from == std::string_view::npos || column.name == "nodes") continue;
      const std::string value(column.help.substr(from + 1, column.help.size() - from - 2));
      const auto given =
          measuredTimesFromCsv(without + ',' + std::string(column.name) + "\n" + row + ',' + value + "\n");
      QCOMPARE(test::valueOf(given).front().cost, plain.cost);
      ++stated;
    }
    QCOMPARE(stated, 3);
  }

  void badRowsGetOneSentence_data() {
    QTest::addColumn<QString>("row");
    QTest::addColumn<QString>("sentence");
    const char* const good = "8,0,[[8]],1";
    QTest::newRow("too few cells") << "8,0,[[8]]"
                                   << "line 2: it has 3 cells under 4 columns";
    QTest::newRow("too many cells") << QString::fromUtf8(good) + ",5"
                                    << "it has 5 cells under 4 columns";
    QTest::newRow("open quote") << "\"8,0,[[8]],1"
                                << "a quote is left open";
    QTest::newRow("axes") << "x,0,[[8]],1"
                          << "line 2: axes: ";
    QTest::newRow("reduce") << "8,3,[[8]],1"
                            << "line 2: reduce: ";
    QTest::newRow("matrix") << "8,0,8,1"
                            << "line 2: matrix: ";
    QTest::newRow("no seconds") << "8,0,[[8]],"
                                << "line 2: seconds: \"\" is not a time";
    QTest::newRow("no time at all") << "8,0,[[8]],0"
                                    << "seconds: \"0\"";
    QTest::newRow("negative") << "8,0,[[8]],-1"
                              << "seconds: \"-1\"";
    QTest::newRow("endless") << "8,0,[[8]],inf"
                             << "seconds: \"inf\"";
    QTest::newRow("unit") << "8,0,[[8]],1s"
                          << "seconds: \"1s\"";
  }
  void badRowsGetOneSentence() {
    QFETCH(QString, row);
    QFETCH(QString, sentence);
    checkSentence("axes,reduce,matrix,seconds\n" + row, sentence);
  }

  void badFilesGetOneSentence_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("empty") << ""
                           << "there are no measurements";
    QTest::newRow("header alone") << "axes,reduce,matrix,seconds\n"
                                  << "there are no measurements";
    QTest::newRow("column missing") << "axes,reduce,seconds\n"
                                    << "one column named matrix";
    QTest::newRow("column twice") << "axes,reduce,matrix,seconds,seconds\n"
                                  << "one column named seconds";
    const QString header = QStringLiteral("axes,reduce,matrix,seconds,%1\n8,0,[[8]],1,%2\n");
    QTest::newRow("step") << header.arg(QStringLiteral("step"), QStringLiteral("0")) << "step: \"0\"";
    QTest::newRow("repeat") << header.arg(QStringLiteral("repeat"), QStringLiteral("1.5")) << "repeat: \"1.5\"";
    QTest::newRow("nodes") << header.arg(QStringLiteral("nodes"), QStringLiteral("-2")) << "nodes: \"-2\"";
    QTest::newRow("bytes") << header.arg(QStringLiteral("bytes"), QStringLiteral("much")) << "bytes: \"much\"";
    QTest::newRow("algorithm") << header.arg(QStringLiteral("algorithm"), QStringLiteral("star")) << "algorithm: ";
  }
  void badFilesGetOneSentence() {
    QFETCH(QString, text);
    QFETCH(QString, sentence);
    checkSentence(text, sentence);
  }

 private:
  static void checkSentence(const QString& text, const QString& part) {
    const auto rows = measuredTimesFromCsv(text.toStdString());
    QVERIFY(!rows.ok());
    const QString sentence = QString::fromStdString(rows.error().text());
    QVERIFY2(sentence.contains(part), qPrintable(sentence));
    QVERIFY2(!sentence.contains(QLatin1Char('\n')), qPrintable(sentence));
  }
};

QTEST_APPLESS_MAIN(TestMeasuredTime)
#include "tst_measured_time.moc"
