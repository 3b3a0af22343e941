// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "base/lists.h"

using namespace p2;
using Names = std::vector<std::string>;

class TestLists : public QObject {
  Q_OBJECT
 private slots:
  void partsBetweenCommas() {
    QCOMPARE(commaParts(" a , b c,,d\t"), (Names{"a", "b c", "", "d"}));
    QCOMPARE(commaParts(""), Names{""});
    QCOMPARE(commaParts("a,"), (Names{"a", ""}));
  }

  void wordsBetweenBlanks() {
    QCOMPARE(wordsOf(" data = 8\tmodel=2 4 "), (Names{"data", "=", "8", "model", "=", "2", "4"}));
    QCOMPARE(wordsOf("=="), (Names{"=", "="}));
    QCOMPARE(wordsOf(" \n"), Names{});
  }

  void namesListedEitherWay() {
    for (const char* text : {"a,b,c=d", "a b c=d", " a, b\n c=d "})
      QCOMPARE(listedNames(text), (Names{"a", "b", "c=d"}));
    // What is missing between commas is not overlooked.
    QCOMPARE(listedNames("a,,b"), (Names{"a", "", "b"}));
  }
};

QTEST_APPLESS_MAIN(TestLists)
#include "tst_lists.moc"
