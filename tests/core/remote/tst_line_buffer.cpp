// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "remote/detail/line_buffer.h"

using p2::LineBuffer;

class TestLineBuffer : public QObject {
  Q_OBJECT
 private slots:
  void joinsWhatComesInPieces() {
    LineBuffer lines(100);
    for (const char* piece : {"on", "e\ntw", "o\n\nthr"}) lines.append(piece);
    QCOMPARE(lines.next(), std::optional<std::string>("one"));
    QCOMPARE(lines.next(), std::optional<std::string>("two"));
    QCOMPARE(lines.next(), std::optional<std::string>(""));
    QCOMPARE(lines.next(), std::nullopt);
    QCOMPARE(lines.rest(), std::string("thr"));
    lines.append("ee\n");
    QCOMPARE(lines.next(), std::optional<std::string>("three"));
    QVERIFY(!lines.overflown());
  }

  void everySplitGivesTheSameLines() {
    const std::string text = "a\nbc\n\ndefg\n";
    for (std::size_t first = 0; first <= text.size(); ++first) {
      for (std::size_t second = first; second <= text.size(); ++second) {
        LineBuffer lines(100);
        std::string found;
        for (const std::string& piece :
             {text.substr(0, first), text.substr(first, second - first), text.substr(second)}) {
          lines.append(piece);
          while (const auto line = lines.next()) found += *line + '\n';
        }
        QCOMPARE(found, text);
      }
    }
  }

  void aLineWithoutEndIsGivenUp() {
    LineBuffer lines(1000);
    const std::string block(600, 'x');
    lines.append(block);
    QCOMPARE(lines.next(), std::nullopt);
    QVERIFY(!lines.overflown());
    lines.append(block);
    QCOMPARE(lines.next(), std::nullopt);
    QVERIFY(lines.overflown());
    lines.append("\nnext\n");
    QCOMPARE(lines.next(), std::nullopt);
    QCOMPARE(lines.rest(), std::string());
  }
};

QTEST_APPLESS_MAIN(TestLineBuffer)
#include "tst_line_buffer.moc"
