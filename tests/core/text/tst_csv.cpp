// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/warnings.h"
#include "text/csv.h"

using p2::CsvReader;

namespace {

/// Cells with '|' between them, rows with a line break.
QString rowsOf(const QByteArray& text) {
  CsvReader reader({text.constData(), std::size_t(text.size())});
  QStringList rows;
  std::vector<std::string> cells{"left", "over", "from", "before"};
  while (reader.next(cells)) {
    QStringList row;
    for (const std::string& cell : cells) row += QString::fromStdString(cell);
    rows += QString::number(reader.line()) + ": " + row.join('|');
  }
  return rows.join('\n') + (reader.isLeftOpen() ? "\nleft open" : "");
}

}  // namespace

class TestCsv : public QObject {
  Q_OBJECT
 private slots:
  void init() { p2::test::failOnWarnings(); }

  void readsRows_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("rows");
    QTest::newRow("plain") << QByteArray("a,b\nc,d\n") << "1: a|b\n2: c|d";
    QTest::newRow("of Windows, without a last break") << QByteArray("a,b\r\nc,d") << "1: a|b\n2: c|d";
    QTest::newRow("empty cells") << QByteArray(",\n,,x\n") << "1: |\n2: ||x";
    QTest::newRow("empty lines") << QByteArray("\n\na\n\n\nb\n") << "3: a\n6: b";
    QTest::newRow("quoted commas") << QByteArray("\"a,b\",c\n") << "1: a,b|c";
    QTest::newRow("quoted quotes") << QByteArray("\"say \"\"yes\"\"\",c\n") << "1: say \"yes\"|c";
    QTest::newRow("quoted breaks") << QByteArray("\"a\nb\",c\nd\n") << "1: a\nb|c\n3: d";
    QTest::newRow("quotes within a cell") << QByteArray("a \"b,c\",d\n") << "1: a b,c|d";
    QTest::newRow("an open quote") << QByteArray("a,\"b\nc") << "1: a|b\nc\nleft open";
    QTest::newRow("nothing") << QByteArray() << "";
  }
  void readsRows() {
    QFETCH(QByteArray, text);
    QFETCH(QString, rows);
    QCOMPARE(rowsOf(text), rows);
  }

  void readsWhatItWrites() {
    const std::vector<std::string> cells{"plain", "a,b", "\"quoted\"", "two\nlines", "", " blanks "};
    std::string line;
    for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + p2::csvCell(cell);
    std::vector<std::string> read;
    QVERIFY(CsvReader(line).next(read));
    QCOMPARE(read, cells);
  }
};

QTEST_APPLESS_MAIN(TestCsv)
#include "tst_csv.moc"
