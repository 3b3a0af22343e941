// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <functional>
#include <limits>
#include <type_traits>

#include "base/bytes.h"

using namespace p2;

class TestBytes : public QObject {
  Q_OBJECT
 private slots:
  void theyAreNoOtherNumber() {
    static_assert(!std::is_convertible_v<double, Bytes>);
    static_assert(!std::is_convertible_v<Bytes, double>);
    static_assert(!std::is_invocable_v<std::plus<>, Bytes, double>);
    static_assert(!std::is_invocable_v<std::multiplies<>, Bytes, Bytes>);
    static_assert(!std::is_invocable_v<std::less<>, Bytes, double>);
    static_assert(!std::is_assignable_v<double&, decltype(Bytes() / 2.0)>, "a rate is no number of bytes");
    static_assert(std::is_trivially_copyable_v<Bytes> && sizeof(Bytes) == sizeof(double));
  }

  void sharesAndSums() {
    Bytes sum(12);
    sum += Bytes(0.5);
    QCOMPARE(sum.value(), 12.5);
    QCOMPARE((sum + Bytes(1)).value(), 13.5);
    QCOMPARE((sum * 2).value(), 25.0);
    QCOMPARE((2 * sum).value(), 25.0);
    QCOMPARE((sum / 5).value(), 2.5);
    QCOMPARE(sum / Bytes(2.5), 5.0);
  }

  void comparedAsNumbersAre() {
    QVERIFY(Bytes(1) < Bytes(2));
    QVERIFY(Bytes(2) == Bytes(2));
    const Bytes nothing(std::numeric_limits<double>::quiet_NaN());
    QVERIFY(!(nothing <= Bytes(2)) && !(nothing >= Bytes(2)) && nothing != nothing);
  }
};

QTEST_APPLESS_MAIN(TestBytes)
#include "tst_bytes.moc"
