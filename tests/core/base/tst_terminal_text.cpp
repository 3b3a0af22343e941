// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <string>

#include "base/terminal_text.h"

using namespace p2;

class TestTerminalText : public QObject {
  Q_OBJECT
 private slots:
  void shows_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("nothing") << QByteArray() << QByteArray();
    QTest::newRow("plain") << QByteArray("node:2 gpu:4\n\t→ µs 木") << QByteArray("node:2 gpu:4\n\t→ µs 木");
    QTest::newRow("escape") << QByteArray("\x1b]0;owned\x07") << QByteArray("\\x1b]0;owned\\x07");
    QTest::newRow("return") << QByteArray("all right\rall wrong\x7f") << QByteArray("all right\\x0dall wrong\\x7f");
    QTest::newRow("null") << QByteArray("a\0b", 3) << QByteArray("a\\x00b");
    QTest::newRow("eight bits") << QByteArray(
                                       "\xc2\x9b"
                                       "31m")
                                << QByteArray(
                                       "\\xc2\\x9b"
                                       "31m");
    QTest::newRow("a space beside them") << QByteArray("1\xc2\xa0GB") << QByteArray("1\xc2\xa0GB");
    QTest::newRow("no UTF-8") << QByteArray(
                                     "\x9b"
                                     "31m \xff \xe2\x86")
                              << QByteArray(
                                     "\\x9b"
                                     "31m \\xff \\xe2\\x86");
    QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << QByteArray("\\xed\\xa0\\x80");
    QTest::newRow("turned round") << QByteArray("a\u202eb\u2069")
                                  << QByteArray(
                                         "a\\xe2\\x80\\xae"
                                         "b\\xe2\\x81\\xa9");
    QTest::newRow("dashes beside them") << QByteArray("a\u2013b\u2070") << QByteArray("a\u2013b\u2070");
  }
  void shows() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    QCOMPARE(QByteArray::fromStdString(terminalText(text.toStdString())), shown);
    QCOMPARE(QByteArray::fromStdString(terminalText(shown.toStdString())), shown);
  }

  /// Wherever a text is cut, both parts together are shown as the whole is.
  void cutsBetweenCharacters() {
    const std::string text = "aµ→𝄞 \xc2\x9b\xff\xe2\x86";
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
      const std::size_t whole = wholeCharacters(std::string_view(text).substr(0, cut));
      QVERIFY(whole <= cut && cut - whole < 4);
      QCOMPARE(terminalText(text.substr(0, whole)) + terminalText(text.substr(whole)), terminalText(text));
    }
  }

  void fitsIntoColumns() {
    QCOMPARE(inColumns("", 1), std::string());
    QCOMPARE(inColumns("four", 4), std::string("four"));
    QCOMPARE(inColumns("four", 3), std::string("fo…"));
    QCOMPARE(inColumns("four", 1), std::string("…"));
    QCOMPARE(inColumns("µ × ×", 5), std::string("µ × ×"));
    QCOMPARE(inColumns("µ × ×", 4), std::string("µ ×…"));
    QCOMPARE(inColumns("\xff\xff\xff", 2), std::string("\xff…"));
  }
};

QTEST_APPLESS_MAIN(TestTerminalText)
#include "tst_terminal_text.moc"
