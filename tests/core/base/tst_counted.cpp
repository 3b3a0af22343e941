// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "base/counted.h"

using namespace p2;

class TestCounted : public QObject {
  Q_OBJECT
 private slots:
  void pluralsAreThoseOfNames() {
    QCOMPARE(countedText(1, "gpu"), std::string("1 gpu"));
    QCOMPARE(countedText(0, "gpu"), std::string("0 gpus"));
    QCOMPARE(countedText(2, "axis", "axes"), std::string("2 axes"));
    QCOMPARE(countedText(2, "nodes"), std::string("2 nodes"));
    QCOMPARE(countedText(2, "PCIe switch"), std::string("2 PCIe switches"));
    QCOMPARE(pluralOf("box"), std::string("boxes"));
    QCOMPARE(pluralOf("H100"), std::string("H100s"));
  }
};

QTEST_APPLESS_MAIN(TestCounted)
#include "tst_counted.moc"
