// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "collective/device_state.h"
#include "support/fixtures.h"

using namespace p2;

class TestDeviceState : public QObject {
  Q_OBJECT
 private slots:
  void textBothWays() {
    const auto state = test::valueOf(DeviceState::fromText("11../..1./..../1111"));
    QCOMPARE(state.text(), std::string("11../..1./..../1111"));
    QCOMPARE(state.rows(), (std::vector<int>{0, 1, 3}));
    QCOMPARE(state.columns(0), (std::vector<int>{0, 1}));
    for (const char* wrong : {"", "1", "10/01", "11/1", "11/11/11", "1./.1/"}) {
      QCOMPARE(DeviceState::fromText(wrong).ok(), std::string(wrong) == "1");
    }
  }

  void beginningAndEnd() {
    QCOMPARE(DeviceState::initial(3, 1).text(), std::string(".1./.1./.1."));
    QCOMPARE(DeviceState::complete(2).text(), std::string("11/11"));
    QVERIFY(DeviceState(5).empty());
  }

  // Bits that lie beyond the last column are nobody's: states that hold the same are equal.
  void completeIsEveryBit() {
    for (const int k : {1, 63, 64, 65, 128, 130}) {
      DeviceState bits(k);
      for (int row = 0; row < k; ++row) {
        for (int column = 0; column < k; ++column) bits.set(row, column);
      }
      QVERIFY2(DeviceState::complete(k) == bits, qPrintable(QString::number(k)));
    }
  }

  void setsBeyondOneWord() {
    DeviceState state = DeviceState::initial(130, 129);
    QCOMPARE(state.rowCount(), 130);
    QCOMPARE(state.firstOverlap(DeviceState::initial(130, 128)), -1);
    DeviceState other(130);
    other.set(77, 129);
    QCOMPARE(state.firstOverlap(other), 77);
    QVERIFY(other.subsetOf(state));
    QVERIFY(!state.subsetOf(other));
    other.unite(DeviceState::complete(130));
    QVERIFY(other == DeviceState::complete(130));
  }

  void keepingRows() {
    const auto state = DeviceState::complete(4);
    QCOMPARE(state.keepingRows({0, 1, 2, 3}, 2, 2).text(), std::string("..../..../1111/1111"));
  }
};

QTEST_APPLESS_MAIN(TestDeviceState)
#include "tst_device_state.moc"
