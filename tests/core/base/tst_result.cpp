// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "base/result.h"

using namespace p2;

namespace {

Result<int> positive(int number) {
  if (number > 0) return number;
  return Error{std::to_string(number) + " is not positive; use 1 or more", "line 4"}.about("/count");
}

Result<void> tried(int number, int& calls) {
  P2_TRY(positive(number));
  ++calls;
  return {};
}

/// Two values on neighbouring lines, one of them into a variable that is there, and an expression with commas.
Result<std::pair<int, int>> both(int first, int second) {
  int sum = 0;
  P2_TRY_ASSIGN(const int one, positive(first));
  P2_TRY_ASSIGN(sum, positive(second));
  P2_TRY_ASSIGN(auto pair, Result<std::pair<int, int>>(std::pair<int, int>{one, sum}));
  return pair;
}

}  // namespace

class TestResult : public QObject {
  Q_OBJECT
 private slots:
  void triesAndLeavesWithTheError() {
    int calls = 0;
    QVERIFY(tried(3, calls).ok());
    QCOMPARE(calls, 1);
    const auto refused = tried(0, calls);
    QCOMPARE(calls, 1);
    QCOMPARE(refused.error().message, std::string("0 is not positive; use 1 or more"));
  }

  void triesAndAssigns() {
    QCOMPARE(both(2, 3).value(), (std::pair<int, int>{2, 3}));
    QCOMPARE(both(-2, 3).error().message, std::string("-2 is not positive; use 1 or more"));
    QCOMPARE(both(2, -3).error().message, std::string("-3 is not positive; use 1 or more"));
  }

  void placesAreReadFromTheOutside() {
    const Error inner = positive(0).error();
    QCOMPARE(inner.text(), std::string("line 4: 0 is not positive; use 1 or more"));
    const Error outer = inner.within("a.json").within("SYSTEM");
    QCOMPARE(outer.text(), std::string("SYSTEM: a.json: line 4: 0 is not positive; use 1 or more"));
    QCOMPARE(outer.where.document, std::string("SYSTEM: a.json"));
    QCOMPARE(outer.where.position, std::string("line 4"));
    QCOMPARE(Error{"no"}.within("file").text(), std::string("file: no"));
    QCOMPARE(Error{"no"}.text(), std::string("no"));
    QCOMPARE(positive(0).within("file").error(), inner.within("file"));
  }

  void partsAreForProgramsAlone() {
    const Error error = positive(0).about("/levels/1").about("/system").error();
    QCOMPARE(error.where.part, std::string("/system/levels/1/count"));
    QCOMPARE(error.text(), positive(0).error().text());
    QVERIFY(error != positive(0).error());
    QCOMPARE(positive(1).about("/levels/1").value(), 1);
  }
};

QTEST_APPLESS_MAIN(TestResult)
#include "tst_result.moc"
