// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <type_traits>

#include "base/strong_id.h"

using namespace p2;

using ShelfId = StrongId<struct ShelfTag>;
using BookId = StrongId<struct BookTag>;

class TestStrongId : public QObject {
  Q_OBJECT
 private slots:
  void kindsDoNotMix() {
    static_assert(!std::is_convertible_v<int, ShelfId>);
    static_assert(!std::is_convertible_v<ShelfId, std::int64_t>);
    static_assert(!std::is_constructible_v<ShelfId, BookId>);
    static_assert(!std::is_invocable_v<std::plus<>, ShelfId, ShelfId>);
    static_assert(!std::is_invocable_v<std::equal_to<>, ShelfId, BookId>);
  }

  void comparesByNumber() {
    QVERIFY(ShelfId(2) < ShelfId(3));
    QCOMPARE(ShelfId(7), ShelfId(7));
    QCOMPARE(ShelfId(7).index(), std::size_t(7));
    QVERIFY(ShelfId().isNone());
    QVERIFY(!ShelfId(0).isNone());
    QVERIFY(ShelfId() < ShelfId(0));
  }

  void rangesCountUp() {
    QList<std::int64_t> values;
    for (const BookId book : IdRange<BookId>(3)) values.append(book.value());
    QCOMPARE(values, (QList<std::int64_t>{0, 1, 2}));
    QCOMPARE(numbersOf(std::vector{BookId(4), BookId(), BookId(2)}), (std::vector<std::int64_t>{4, -1, 2}));
    for (const BookId book : IdRange<BookId>(0)) QVERIFY2(false, qPrintable(QString::number(book.value())));
  }
};

QTEST_APPLESS_MAIN(TestStrongId)
#include "tst_strong_id.moc"
