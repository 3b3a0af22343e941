// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "synthesis/detail/selection_table.h"

using namespace p2;

class TestSelectionTable : public QObject {
  Q_OBJECT

  /// "12": scattered over level 1, then 2. A level in parentheses was gathered when the next '|' or the end came;
  /// behind a '|' what that left is scattered.
  static ClassState stateOf(const char* text) {
    ClassState state;
    state.present = true;
    std::uint8_t segment = 1;
    bool gathered = false;
    bool barrier = false;
    for (const char* c = text; *c != 0; ++c) {
      if (*c == '(' || *c == ')') {
        gathered = *c == '(';
      } else if (*c == '|') {
        barrier = true;
        ++segment;
      } else {
        state.splits[state.splitCount++] = {static_cast<std::uint8_t>(*c - '0'), gathered ? segment : std::uint8_t{0},
                                            barrier};
        barrier = false;
      }
    }
    return state;
  }

 private slots:
  void comparesWhatIsHeld_data() {
    QTest::addColumn<QList<int>>("sizes");
    QTest::addColumn<QByteArray>("inner");
    QTest::addColumn<QByteArray>("outer");
    QTest::addColumn<bool>("within");
    const auto row = [](const QList<int>& sizes, const char* inner, const char* outer, bool within) {
      QStringList names;
      for (const int size : sizes) names.append(QString::number(size));
      QTest::newRow(qPrintable(QStringLiteral("%1 in %2 of %3").arg(inner, outer, names.join(QStringLiteral("·")))))
          << sizes << QByteArray(inner) << QByteArray(outer) << within;
    };
    row({2, 2, 2}, "12", "", true);
    row({2, 2, 2}, "12", "1", true);
    row({2, 2, 2}, "12", "(2)1", false);
    row({2, 2, 2}, "21", "1", false);
    row({2, 2, 2}, "21", "(2)1", true);
    row({2, 2, 2}, "1", "12", false);
    // Level 2 is scattered over what gathering 3 left: the halves that 3 had.
    row({2, 2, 2}, "(3)1|2", "2", true);
    row({2, 2, 4}, "(3)1|2", "2", true);
    row({2, 3, 2}, "(3)1|2", "2", false);
    // Gathered before the cut in one and after it in the other.
    row({2, 2, 2, 2}, "3(4)1|2", "(34)1|2", false);
    row({2, 2, 2, 2}, "(34)1|2", "(34)1|2", true);
  }
  void comparesWhatIsHeld() {
    QFETCH(QList<int>, sizes);
    QFETCH(QByteArray, inner);
    QFETCH(QByteArray, outer);
    QFETCH(bool, within);
    SelectionTable table({sizes.begin(), sizes.end()});
    QCOMPARE(table.within(stateOf(inner), stateOf(outer)), within);
  }

  void alikeHoweverCut() {
    SelectionTable table({2, 2, 2});
    QVERIFY(table.equal(stateOf("(3)1|2"), stateOf("21")));
    QVERIFY(!table.equal(stateOf("(3)1|2"), stateOf("12")));
    QVERIFY(!table.equal(stateOf("1"), stateOf("12")));
    QVERIFY(!table.equal(stateOf("1"), ClassState{}));
  }

  void aLevelHasOneNumberPerSelection() {
    SelectionTable table({2, 2, 2});
    QCOMPARE(table.numberOf(stateOf("12"), 1), table.numberOf(stateOf("1"), 1));
    QCOMPARE(table.numberOf(stateOf("12"), 2), table.numberOf(stateOf("(1)2"), 2));
    QVERIFY(table.numberOf(stateOf("12"), 2) != table.numberOf(stateOf("21"), 2));
    QVERIFY(table.numberOf(stateOf("12"), 1) != table.numberOf(stateOf("21"), 2));
  }
};

QTEST_APPLESS_MAIN(TestSelectionTable)
#include "tst_selection_table.moc"
