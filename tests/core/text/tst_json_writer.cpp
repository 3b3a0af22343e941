// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <limits>
#include <sstream>

#include "support/warnings.h"
#include "text/json_writer.h"

using p2::JsonWriter;

class TestJsonWriter : public QObject {
  Q_OBJECT
 private slots:
  void init() { p2::test::failOnWarnings(); }

  void nestsByLineAndOnOneLine() {
    std::ostringstream out;
    JsonWriter writer(out);
    writer.beginObject().key("count").whole(2).key("rows").beginArray();
    writer.wholes({1, 8}).wholes({2, 1}).end();
    writer.key("step").beginObject(JsonWriter::Layout::OneLine).key("a").boolean(true).key("b").beginArray();
    writer.null().end().end().key("none").beginArray().end().end();
    QCOMPARE(out.str(), std::string("{\n  \"count\": 2,\n  \"rows\": [\n    [1, 8],\n    [2, 1]\n  ],\n"
                                    "  \"step\": {\"a\": true, \"b\": [null]},\n  \"none\": []\n}\n"));
  }

  void writesNumbersExactly_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("whole") << 2147483648.0 << "[2147483648]\n";
    QTest::newRow("fraction") << 0.1 << "[0.1]\n";
    QTest::newRow("many digits") << 2.8310000000000004 << "[2.8310000000000004]\n";
    QTest::newRow("large") << 1e22 << "[1e+22]\n";
    QTest::newRow("negative zero") << -0.0 << "[0]\n";
    QTest::newRow("infinite") << std::numeric_limits<double>::infinity() << "[null]\n";
    QTest::newRow("no number") << std::numeric_limits<double>::quiet_NaN() << "[null]\n";
  }
  void writesNumbersExactly() {
    QFETCH(double, value);
    QFETCH(QString, text);
    std::ostringstream out;
    JsonWriter(out).beginArray(JsonWriter::Layout::OneLine).number(value).end();
    QCOMPARE(QString::fromStdString(out.str()), text);
  }

  void escapesText_data() {
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("plain") << QByteArray("node") << QByteArray("[\"node\"]\n");
    QTest::newRow("quotes") << QByteArray("a\"b\\c") << QByteArray("[\"a\\\"b\\\\c\"]\n");
    QTest::newRow("control") << QByteArray("a\nb\x01") << QByteArray("[\"a\\nb\\u0001\"]\n");
    QTest::newRow("UTF-8") << QByteArray("P²") << QByteArray("[\"P²\"]\n");
    QTest::newRow("turned around") << QByteArray("a\xE2\x80\xAE") << QByteArray("[\"a\\u202e\"]\n");
    QTest::newRow("isolated") << QByteArray("\xE2\x81\xA6z") << QByteArray("[\"\\u2066z\"]\n");
    QTest::newRow("control beyond ASCII") << QByteArray(
                                                 "\xC2\x9B"
                                                 "2J\x7f")
                                          << QByteArray("[\"\\u009b2J\\u007f\"]\n");
    QTest::newRow("not UTF-8") << QByteArray("a\xff") << QByteArray("[\"a\xEF\xBF\xBD\"]\n");
  }
  void escapesText() {
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, text);
    std::ostringstream out;
    JsonWriter(out).beginArray(JsonWriter::Layout::OneLine).text(value.toStdString()).end();
    QCOMPARE(QByteArray::fromStdString(out.str()), text);
  }
};

QTEST_APPLESS_MAIN(TestJsonWriter)
#include "tst_json_writer.moc"
