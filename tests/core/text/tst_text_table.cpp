// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/warnings.h"
#include "text/text_table.h"

using p2::TextTable;

class TestTextTable : public QObject {
  Q_OBJECT
 private slots:
  void init() { p2::test::failOnWarnings(); }

  void alignsColumnsByCharacters() {
    TextTable table({{"program"}, {"time", TextTable::Align::Right}, {"gain"}});
    table.add({"RS·AR·AG", "2.83 s", "1.84×"});
    table.add({"AR", "12.4 s", "1×"});
    QCOMPARE(table.text(2), std::string("  program     time  gain\n"
                                        "  RS·AR·AG  2.83 s  1.84×\n"
                                        "  AR        12.4 s  1×\n"));
  }

  void leavesOutEmptyTitlesAndTrailingBlanks() {
    TextTable table({{}, {}});
    table.add({"System", "node:2"});
    table.add({"  node", ""});
    table.add({"Axes"});
    QCOMPARE(table.text(), std::string("System  node:2\n  node\nAxes\n"));
  }

  void leavesOutEmptyColumns() {
    TextTable table({{"#"}, {}, {"time"}});
    table.add({"1", "", "2 s"});
    QCOMPARE(table.text(), std::string("#  time\n1  2 s\n"));
  }

  void countsCharacters() {
    QCOMPARE(p2::displayWidth("µs"), std::size_t(2));
    QCOMPARE(p2::displayWidth(""), std::size_t(0));
  }
};

QTEST_APPLESS_MAIN(TestTextTable)
#include "tst_text_table.moc"
